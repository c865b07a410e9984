/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The problems of tests/problems; see problem_set.h. Free velocities are those of a motion of the
 * bodies, b = W^T u, with a gap over the step added to some normal parts: v in the dual cone can
 * then be reached (all contacts at rest), so that a solution exists.
 *
 * A stack is one column of boxes on the ground, in reach of gravity and of a push at each box. Box
 * k touches the one below at its lower corners: 2 contacts in the plane and 4 in space, where 3
 * degrees of freedom take 4 rows, and 6 take 12.
 */
#include "tests/problem_set.h"

#include <math.h>

#include "tests/random_problem.h"

struct recipe {
  const char *name;
  int boxes;                   /* > 0: a stack of so many, of mass ratio `heavier` each */
  double heavier;              /* mass of a box over that of the one below */
  struct random_problem shape; /* of bodies at random; of a stack only dim and mu_max */
};

static const struct recipe recipes[] = {
    {.name = "one-2d", .shape = {.dim = 2, .nv = 3, .nb = 1, .nc = 1, .mu_max = 1}},
    {.name = "one-3d", .shape = {.dim = 3, .nv = 6, .nb = 1, .nc = 1, .mu_max = 1}},
    {.name = "chain-2d-10",
     .shape = {.dim = 2, .nv = 3, .nb = 10, .nc = 10, .chain = 1, .mu_max = 0.8}},
    {.name = "chain-3d-30",
     .shape = {.dim = 3, .nv = 6, .nb = 30, .nc = 30, .chain = 1, .mu_max = 0.8}},
    {.name = "points-3d-20", .shape = {.dim = 3, .nv = 3, .nb = 10, .nc = 20, .mu_max = 0.5}},
    {.name = "bodies-2d-60", .shape = {.dim = 2, .nv = 3, .nb = 15, .nc = 60, .mu_max = 0.6}},
    {.name = "bodies-3d-40", .shape = {.dim = 3, .nv = 6, .nb = 12, .nc = 40, .mu_max = 0.6}},
    {.name = "bodies-3d-200", .shape = {.dim = 3, .nv = 6, .nb = 80, .nc = 200, .mu_max = 0.6}},
    {.name = "balls-3d-150",
     .shape = {.dim = 3, .nv = 6, .nb = 100, .nc = 150, .isotropic = 1, .mu_max = 0.6}},
    {.name = "bodies-2d-1000", .shape = {.dim = 2, .nv = 3, .nb = 600, .nc = 1000, .mu_max = 0.5}},
    {.name = "stack-2d-20", .boxes = 20, .heavier = 1, .shape = {.dim = 2, .mu_max = 0.5}},
    {.name = "stack-2d-100", .boxes = 100, .heavier = 1, .shape = {.dim = 2, .mu_max = 0.5}},
    {.name = "stack-3d-5", .boxes = 5, .heavier = 1, .shape = {.dim = 3, .mu_max = 0.7}},
    {.name = "stack-3d-40", .boxes = 40, .heavier = 1, .shape = {.dim = 3, .mu_max = 0.4}},
    {.name = "stack-3d-6-heavy", .boxes = 6, .heavier = 5, .shape = {.dim = 3, .mu_max = 0.6}},
};

/* Half sizes of a box [m], a step [s], gravity [m/s2], largest push of a box [m/s]. */
static const double HALF = 0.5, DT = 1e-2, GRAVITY = 9.81, PUSH = 0.3;
/* Share of contacts that are open, and their largest gap over the step [m/s]. */
static const double OPEN = 0.3, GAP = 0.5;
enum { SEED = 1 };

int problem_set_count(void) { return sizeof recipes / sizeof *recipes; }

/* One side of a corner contact: w and M^-1 w, nv x dim column-major; normal up, then x (and y). */
static void fill_corner(int dim, double sign, const double p[3], double mass, double *w,
                        double *minv_w) {
  const int nv = dim == 2 ? 3 : 6, up = dim - 1;
  const double inertia = mass * 2 * HALF * HALF / 3;
  for (int c = 0; c < dim; ++c) {
    const int axis = c == 0 ? up : c - 1;
    double d[3] = {0};
    d[axis] = sign;
    for (int k = 0; k < dim; ++k) {
      w[c * nv + k] = d[k];
    }
    if (dim == 2) {
      w[c * nv + 2] = p[0] * d[1] - p[1] * d[0];
    } else {
      for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        w[c * nv + 3 + k] = p[l] * d[m] - p[m] * d[l];
      }
    }
    for (int k = 0; k < nv; ++k) {
      minv_w[c * nv + k] = w[c * nv + k] / (k < dim ? mass : inertia);
    }
  }
}

struct problem problem_set_stack(int dim, int boxes, double heavier, double mu_all,
                                 struct base_arena *arena) {
  const int nb = boxes, corners = dim == 2 ? 2 : 4;
  const int nv = dim == 2 ? 3 : 6, nc = nb * corners, block = nv * dim;
  int *body = base_arena_ints(arena, 2 * nc);
  double *w = base_arena_doubles(arena, 2 * nc * block);
  double *minv_w = base_arena_doubles(arena, 2 * nc * block);
  double *mu = base_arena_doubles(arena, nc);
  for (int i = 0; i < nc; ++i) {
    const int k = i / corners, corner = i % corners;
    const double x = corner % 2 ? HALF : -HALF, y = corner / 2 ? HALF : -HALF;
    const double below[3] = {x, dim == 2 ? -HALF : y, -HALF};
    const double above[3] = {x, dim == 2 ? HALF : y, HALF};
    const double mass = pow(heavier, k);
    body[2 * i] = k;
    body[2 * i + 1] = k - 1;
    fill_corner(dim, 1, below, mass, w + (2 * i) * block, minv_w + (2 * i) * block);
    if (k > 0) {
      fill_corner(dim, -1, above, mass / heavier, w + (2 * i + 1) * block,
                  minv_w + (2 * i + 1) * block);
    }
    mu[i] = mu_all;
  }
  return (struct problem){.model = {.law = CONTACT_LAW_NCP, .dim = dim, .nc = nc, .mu = mu},
                          .A = {.kind = PROBLEM_OPERATOR_BODIES,
                                .dim = dim,
                                .nc = nc,
                                .nb = nb,
                                .nv = nv,
                                .body = body,
                                .w = w,
                                .minv_w = minv_w}};
}

/* b: dim nc = W^T u. */
static void free_velocity(const struct problem *p, const double *u, double *b) {
  const struct problem_operator *A = &p->A;
  for (int e = 0; e < 2 * A->nc; ++e) {
    for (int c = 0; A->body[e] >= 0 && c < A->dim; ++c) {
      for (int k = 0; k < A->nv; ++k) {
        b[A->dim * (e / 2) + c] += A->w[(e * A->dim + c) * A->nv + k] * u[A->body[e] * A->nv + k];
      }
    }
  }
}

struct problem problem_set_build(int k, struct base_arena *arena) {
  const struct recipe *recipe = &recipes[k];
  struct base_rng *rng = base_rng_alloc(SEED + (unsigned long)k);
  const int stacked = recipe->boxes > 0, dim = recipe->shape.dim;
  const int nb = stacked ? recipe->boxes : recipe->shape.nb;
  double *u = base_arena_doubles(arena, nb * 6);
  struct problem p = stacked
                         ? problem_set_stack(dim, nb, recipe->heavier, recipe->shape.mu_max, arena)
                         : random_problem_build(&recipe->shape, rng, arena);
  for (int body = 0; stacked && body < nb; ++body) {
    u[body * p.A.nv + dim - 1] = -GRAVITY * DT;
    base_rng_uniforms(rng, dim - 1, -PUSH, PUSH, u + body * p.A.nv);
  }
  for (int i = 0; !stacked && i < nb * p.A.nv; ++i) {
    u[i] = base_rng_normal(rng);
  }
  double *b = base_arena_doubles(arena, dim * p.model.nc);
  free_velocity(&p, u, b);
  for (int i = 0; !stacked && i < p.model.nc; ++i) {
    if (base_rng_uniform(rng, 0, 1) < OPEN) {
      b[dim * i] += base_rng_uniform(rng, 0, GAP);
    }
  }
  for (int c = 0; p.model.nc == 1 && b[0] > 0 && c < dim; ++c) {
    b[dim - 1 - c] *= -1; /* one contact alone had better close; b_N last */
  }
  p.b = b;
  p.name = recipe->name;
  base_rng_free(rng);
  return p;
}
