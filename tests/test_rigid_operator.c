/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operator of rigid bodies in space, W never formed, against W and M^-1 W written out here by
 * other formulas (columns by unit impulses and the definition of the moment), on random problems
 * with the world on either side and a body that touches itself: product, diagonal, blocks, sweep.
 */
#include "problem/problem.h"

#include <stdlib.h>

#include "contact/law.h"
#include "problem/solver.h"
#include "tests/packing_problem.h"
#include "tests/random_problem.h"
#include "tests/solve_with.h"
#include "tests/test.h"

enum { NB = 6, NC = 17 };

/* Sums of a few dozen terms of order one to ten. */
static const double ROUND_OFF = 1e-13;

struct both {
  struct problem rigid, bodies;
};

/* Axes of a body and what M has along them: the same moment about all of them, or three. One that
 * does not turn has no axes. */
static void random_body(int spheres, int turns, struct base_rng *rng, double *turn, double *mass) {
  double R[3][3], t1[3], t2[3];
  const double angle = base_rng_uniform(rng, 0, 2 * M_PI);
  random_unit(rng, 3, R[0]);
  contact_frame(R[0], t1, t2);
  mass[0] = mass[1] = mass[2] = base_rng_uniform(rng, 0.5, 2);
  mass[3] = base_rng_uniform(rng, 0.3, 2);
  for (int k = 0; k < 3; ++k) {
    R[1][k] = cos(angle) * t1[k] + sin(angle) * t2[k];
    R[2][k] = cos(angle) * t2[k] - sin(angle) * t1[k];
    mass[3 + k] = spheres ? mass[3] : base_rng_uniform(rng, 0.3, 2);
  }
  for (int k = 0; k < 9; ++k) {
    turn[k] = turns ? R[k / 3][k % 3] : 0;
  }
}

/* Columns of W on one body: force direction d, and d's moment by the skew matrix of the arm. */
static void write_directions(int dim, double sign, double R[3][3], const double *a,
                             const double *turn, const double *mass, double *w, double *minv_w) {
  const double skew[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
  double I[3][3] = {{0}}; /* the inverse inertia in the world: sum of x x^T / moment */
  for (int k = 0; k < 27; ++k) {
    I[k / 9][k / 3 % 3] += turn[k / 9 * 3 + k % 3] * turn[k / 3 % 3 * 3 + k % 3] / mass[3 + k % 3];
  }
  for (int c = 0; c < dim; ++c) {
    double moment[3] = {0, 0, 0};
    for (int k = 0; k < 9; ++k) {
      moment[k / 3] += sign * skew[k / 3][k % 3] * R[c][k % 3];
    }
    for (int k = 0; k < 3; ++k) {
      w[6 * c + k] = sign * R[c][k];
      w[6 * c + 3 + k] = moment[k];
      minv_w[6 * c + k] = w[6 * c + k] / mass[0];
      minv_w[6 * c + 3 + k] = I[k][0] * moment[0] + I[k][1] * moment[1] + I[k][2] * moment[2];
    }
  }
}

/* Bodies of any inertia, spheres touched anywhere, or spheres on the line of centres. */
enum kind { ANY, TOUCHED_ANYWHERE, SPHERES };

static struct both build(int dim, enum kind kind, struct base_rng *rng, struct base_arena *arena) {
  double *turn = base_arena_doubles(arena, 9 * NB), *mass = base_arena_doubles(arena, 6 * NB);
  double *b = base_arena_doubles(arena, dim * NC);
  double *frame = base_arena_doubles(arena, 6 * NC), *arm = base_arena_doubles(arena, 6 * NC);
  double *mu = base_arena_doubles(arena, NC);
  double *w = base_arena_doubles(arena, 12 * dim * NC);
  double *minv_w = base_arena_doubles(arena, 12 * dim * NC);
  int *body = base_arena_ints(arena, 2 * NC);
  for (int k = 0; k < NB; ++k) {
    random_body(kind != ANY, k != 3, rng, turn + 9 * k, mass + 6 * k);
  }
  for (int i = 0; i < NC; ++i) {
    double R[3][3], *a = arm + 6 * i;
    random_unit(rng, 3, R[0]);
    contact_frame(R[0], R[1], R[2]);
    memcpy(frame + 6 * i, R, 6 * sizeof *frame);
    const double along[2] = {base_rng_uniform(rng, -1, 1), base_rng_uniform(rng, -1, 1)};
    for (int k = 0; k < 6; ++k) {
      a[k] = kind == SPHERES ? along[k / 3] * R[0][k % 3] : base_rng_uniform(rng, -1, 1);
    }
    body[2 * i] = i == 3 ? -1 : i == 4 ? 2 : base_rng_below(rng, NB);
    body[2 * i + 1] = i == 5   ? -1
                      : i == 4 ? 2
                               : (body[2 * i] + 1 + base_rng_below(rng, NB - 1)) % NB;
    for (int side = 0; side < 2; ++side) {
      const int k = body[2 * i + side], at = 6 * dim * (2 * i + side);
      if (k >= 0) {
        write_directions(dim, side == 0 ? -1 : 1, R, a + 3 * side, turn + 9 * k, mass + 6 * k,
                         w + at, minv_w + at);
      }
    }
    mu[i] = base_rng_uniform(rng, 0, 1);
    for (int k = 0; k < dim; ++k) {
      b[dim * i + k] = base_rng_normal(rng) - (k == 0);
    }
  }
  const struct problem_operator common = {
      .kind = PROBLEM_OPERATOR_BODIES, .dim = dim, .nc = NC, .nb = NB, .nv = 6, .body = body};
  struct both out = {.rigid = {.name = "rigid",
                               .model = {.law = CONTACT_LAW_NCP, .dim = dim, .nc = NC, .mu = mu},
                               .A = common,
                               .b = b}};
  out.bodies = out.rigid;
  out.rigid.A.frame = frame;
  out.rigid.A.arm = arm;
  out.rigid.A.turn = turn;
  out.rigid.A.mass = mass;
  out.bodies.A.w = w;
  out.bodies.A.minv_w = minv_w;
  return out;
}

static void check_near(int n, const double *x, const double *y, double scale, const char *what) {
  for (int k = 0; k < n; ++k) {
    CHECK_MESSAGE(fabs(x[k] - y[k]) <= ROUND_OFF * scale, "%s %d: %.17g and %.17g", what, k, x[k],
                  y[k]);
  }
}

static double largest(int n, const double *x) {
  double most = 0;
  for (int k = 0; k < n; ++k) {
    most = fmax(most, fabs(x[k]));
  }
  return most;
}

/* Blocks of spheres are formed by the sweep, others are kept. */
static void compare(const struct both *p, enum kind kind, struct base_rng *rng,
                    struct base_arena *arena) {
  const int dim = p->rigid.A.dim, n = dim * NC;
  double *a = base_arena_doubles(arena, n * n), *a_rigid = base_arena_doubles(arena, n * n);
  double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
  double *v_rigid = base_arena_doubles(arena, n);
  problem_operator_dense(&p->bodies.A, a, arena);
  problem_operator_dense(&p->rigid.A, a_rigid, arena);
  const double scale = largest(n * n, a);
  check_near(n * n, a_rigid, a, scale, "dense");
  double *diag = base_arena_doubles(arena, n * dim);
  problem_operator_diagonal(&p->rigid.A, diag);
  for (int k = 0; k < n * dim; ++k) {
    const int i = k / (dim * dim), row = dim * i + k / dim % dim, col = dim * i + k % dim;
    CHECK_NEAR(diag[k], a[row + col * n], ROUND_OFF * scale);
    CHECK(diag[k] == diag[dim * dim * i + k % dim * dim + k / dim % dim]);
  }
  struct problem_sweep *sweep = problem_sweep_alloc(&p->rigid, arena);
  for (int i = 0; i < NC; ++i) {
    double own[9];
    const double *block = problem_sweep_block(sweep, i, own);
    CHECK((block == own) == (kind == SPHERES));
    check_near(dim * dim, block, diag + dim * dim * i, scale, "block");
  }
  for (int start = 0; start < 2; ++start) {
    base_rng_normals(rng, n, r);
    problem_sweep_start(sweep, r);
    for (int step = 0; step < 3 * NC; ++step) {
      const int i = base_rng_below(rng, NC), j = base_rng_below(rng, NC);
      double change[3], v_j[3];
      for (int k = 0; k < dim; ++k) {
        change[k] = base_rng_normal(rng);
        r[dim * i + k] += change[k];
      }
      problem_sweep_change(sweep, i, change);
      problem_velocity(&p->bodies, r, v, arena);
      problem_velocity(&p->rigid, r, v_rigid, arena);
      problem_sweep_velocity(sweep, j, v_j);
      check_near(n, v_rigid, v, scale * n * largest(n, r), "product");
      check_near(dim, v_j, v + dim * j, scale * n * largest(n, r), "sweep");
    }
  }
}

TEST(frames_and_arms_are_the_directions_written_out) {
  struct base_rng *rng = test_rng(0);
  for (int draw = 0; draw < 12; ++draw) {
    struct base_arena *arena = test_arena();
    const enum kind kind = (enum kind)(draw / 2 % 3);
    const struct both p = build(draw % 2 == 0 ? 3 : 1, kind, rng, arena);
    compare(&p, kind, rng, arena);
  }
}

TEST(blocks_of_spheres_are_exactly_isotropic) {
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  const struct packing_problem shape = {.side = 7, .bodies = PACKING_SPHERES};
  const struct problem rigid = packing_problem_build(&shape, rng, arena);
  const struct problem bodies = packing_problem_written_out(&rigid, arena);
  const int nc = rigid.model.nc;
  double *diag = base_arena_doubles(arena, 9 * nc), *other = base_arena_doubles(arena, 9 * nc);
  problem_operator_diagonal(&rigid.A, diag);
  problem_operator_diagonal(&bodies.A, other);
  for (int i = 0; i < 9 * nc; ++i) {
    CHECK_NEAR(diag[i], other[i], 1e-14 * fabs(other[i]));
    CHECK(i % 9 % 4 == 0 ? diag[i] > 0 : diag[i] == 0);
    CHECK(i % 9 != 8 || diag[i] == diag[i - 4]);
  }
  CHECK(nc > 2 * 343 && nc < 4 * 343);
}

/* Solvers of every kind end at the same velocities whichever form the operator has, redundant
 * contacts among them. Of the convex law: they are unique there. */
TEST(solvers_do_not_see_the_form_and_share_velocities) {
  static const char *const solvers[] = {"ipm", "pgs", "spg", "apgd", "psor", "relaxation", "nncg"};
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  const struct packing_problem shape = {.side = 3, .bodies = PACKING_BOXES};
  struct problem p[2];
  p[0] = packing_problem_build(&shape, rng, arena);
  p[1] = packing_problem_written_out(&p[0], arena);
  const int n = problem_size(&p[0]);
  double *first = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
  p[0].model.law = p[1].model.law = CONTACT_LAW_CCP;
  for (int k = 0; k < 2 * (int)(sizeof solvers / sizeof *solvers); ++k) {
    const char *solver = solvers[k / 2];
    double *r = base_arena_doubles(arena, n);
    const struct problem_result result =
        solve_with(&p[k % 2], solver, "", 1e-10, 20000, r, k == 0 ? first : v);
    CHECK_MESSAGE(result.status == BASE_OK, "%s form %d: %s", solver, k % 2, result.reason);
    CHECK_LE(k == 0 ? 0 : test_distance(n, v, first), 1e-6 * largest(n, p[0].b));
  }
}
