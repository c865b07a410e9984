/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random assemblies; see joint_model.h.
 */
#include "tests/joint_model.h"

#include "la/dense.h"
#include "tests/test.h"

/* A random quaternion about the identity; size 0: that one. */
static void turn(struct base_rng *rng, double size, double A[4]) {
  base_rng_normals(rng, 4, A);
  for (int i = 0; i < 4; ++i) {
    A[i] = (i == 0) + size * A[i];
  }
  const double length = la_norm2(4, A);
  for (int i = 0; i < 4; ++i) {
    A[i] /= length;
  }
}

struct mech_joint random_joint(struct base_rng *rng, int kind, int first, int second,
                               const double *x, const double *y) {
  static const enum mech_joint_kind kinds[] = {MECH_JOINT_SPHERICAL, MECH_JOINT_REVOLUTE,
                                               MECH_JOINT_FIXED, MECH_JOINT_ROD};
  struct mech_joint j = {.kind = kinds[kind < 0 ? base_rng_below(rng, 4) : kind],
                         .body = {first, second},
                         .axis = {0, 1, 0.2},
                         .length = -1};
  for (int i = 0; i < 3; ++i) {
    j.point[i] = 0.5 * (x[i] + y[i]);
    j.end[i] = j.kind == MECH_JOINT_ROD ? y[i] : j.point[i];
    j.point[i] = j.kind == MECH_JOINT_ROD ? x[i] : j.point[i];
  }
  return j;
}

static void add(struct mech_assembly *a, const struct mech_shape *shape) {
  CHECK_MESSAGE(mech_assembly_shape(a, shape) >= 0, "%s", base_message());
}

void add_sphere(struct mech_assembly *a, int body, double radius, int material) {
  add(a, &(struct mech_shape){
             .kind = MECH_SHAPE_SPHERE, .body = body, .radius = radius, .material = material});
}

void add_halfspace(struct mech_assembly *a, int body, double height, int material) {
  struct mech_shape s = {.kind = MECH_SHAPE_HALFSPACE, .body = body, .material = material};
  const int planar = mech_assembly_kind_of(a) == MECH_PLANAR;
  s.offset[planar ? 1 : 2] = height;
  if (planar) { /* z of the plane to y */
    memcpy(s.orientation, (double[4]){sqrt(0.5), -sqrt(0.5), 0, 0}, sizeof s.orientation);
  }
  add(a, &s);
}

void system_finish(struct system *s, struct mech_assembly *a) {
  CHECK_OK(mech_assembly_finish(a, &s->m, &s->q, &s->u, NULL));
}

struct system random_system(struct base_rng *rng, enum mech_assembly_kind space, enum shape shape,
                            int n, int kind, int contacts, int pinned) {
  struct system s = {.arena = test_arena()};
  struct mech_assembly *a = mech_assembly_alloc(space, "links", s.arena);
  const int up = space == MECH_PLANAR ? 1 : 2;
  double g[3] = {0}, *x = base_arena_doubles(s.arena, 3 * n);
  g[up] = -9.81;
  mech_assembly_gravity(a, g);
  const int steel = mech_assembly_material(a, &(struct mech_material){.mu = 0.3});
  for (int b = 0; b < n; ++b) {
    const double angle = 2 * M_PI * b / n, size = shape == LOOP ? 0.2 * n : 0;
    x[3 * b] = shape == LOOP ? size * cos(angle) : 0.7 * b;
    x[3 * b + 1] = shape == LOOP && up == 2 ? size * sin(angle) : 0.3 * base_rng_normal(rng);
    x[3 * b + 2] = 0.3 * base_rng_normal(rng);
    x[3 * b + up] =
        1 + (shape == LOOP && up == 1 ? size * sin(angle) : 0.01 * base_rng_normal(rng));
    struct mech_body body = {.mass = exp(base_rng_normal(rng)), .phi = base_rng_normal(rng)};
    for (int i = 0; i < 3; ++i) {
      body.position[i] = x[3 * b + i];
      body.inertia[i] = body.mass * base_rng_uniform(rng, 0.1, 0.2);
      body.velocity[i] = base_rng_normal(rng) - (i == up);
      body.omega[i] = base_rng_normal(rng);
    }
    turn(rng, b > pinned ? 0.5 : 0, body.orientation);
    body.phi *= b > pinned;
    mech_assembly_body(a, &body);
    if (up == 1) {
      x[3 * b + 2] = 0;
    }
  }
  for (int b = pinned ? 0 : 1; b < n; ++b) {
    int to = b - 1;
    if (b > 0 && shape == TREE) {
      to = base_rng_below(rng, b);
    } else if (b > 0 && shape == STAR) {
      to = 0;
    }
    struct mech_joint j = random_joint(rng, kind, to, b, x + 3 * (to < 0 ? 0 : to), x + 3 * b);
    if (to < 0) {
      j = random_joint(rng, 0, to, b, (double[]){x[0] - 0.3, x[1], x[2]}, x);
    }
    mech_assembly_joint(a, &j);
    if (shape == LADDER && b > 1 && b % 2 == 0) { /* rods that stand off the joints they span */
      j = random_joint(rng, 3, b - 2, b, x + 3 * (b - 2), x + 3 * b);
      j.point[up] += 0.6;
      j.end[up] += 0.6;
      mech_assembly_joint(a, &j);
    }
  }
  if (shape == LOOP) {
    const struct mech_joint j = random_joint(rng, kind, n - 1, 0, x + 3 * (n - 1), x);
    mech_assembly_joint(a, &j);
  }
  double low = INFINITY;
  for (int c = 0; c < contacts; ++c) { /* two on one body */
    const int b =
        contacts == 1 ? n / 2 : pinned + (int)((long)(c > 1 ? c : 0) * (n - pinned) / contacts);
    struct mech_shape sphere = {
        .kind = MECH_SHAPE_SPHERE, .body = b, .radius = 0.1, .material = steel};
    sphere.offset[0] = c == 1 ? 0.25 : 0;
    mech_assembly_shape(a, &sphere);
    low = fmin(low, x[3 * b + up] - 0.1);
  }
  add_halfspace(a, -1, contacts > 0 ? low - 1e-3 : 0, steel);
  system_finish(&s, a);
  return s;
}

static void give_back(void *bilateral) { mech_bilateral_free(bilateral); }

struct elimination *eliminate(const struct system *s, enum mech_bilateral_kind kind, int most) {
  struct elimination *e = base_arena_push(s->arena, sizeof *e);
  struct mech_contacts all;
  e->L = base_arena_push(s->arena, mech_mass_size(s->m) * sizeof *e->L);
  CHECK_OK(mech_mass_factor(s->m, s->q, e->L));
  mech_contacts_init(&all, s->m, s->arena);
  mech_contacts_find(s->m, s->q, NULL, INFINITY, &all);
  const int n = most > 0 && most < all.n ? most : all.n;
  int *chosen = base_arena_ints(s->arena, n);
  for (int k = 0; k < n; ++k) {
    chosen[k] = (int)((long)k * all.n / n);
  }
  mech_contacts_part(&all, n, chosen, s->arena, &e->contacts);
  e->bilateral = mech_bilateral_alloc(s->m, kind, s->arena);
  test_at_end(give_back, e->bilateral);
  CHECK_OK(mech_bilateral_build(e->bilateral, s->q, e->L));
  form_delassus_build(s->m, e->L, e->bilateral, &e->contacts, s->arena, &e->delassus);
  return e;
}

double *random_numbers(struct base_rng *rng, int n, struct base_arena *arena) {
  double *x = base_arena_doubles(arena, n);
  base_rng_normals(rng, n, x);
  return x;
}

double apart(int n, const double *a, const double *b) {
  double worst = 0, scale = 0;
  for (int i = 0; i < n; ++i) {
    worst = fmax(worst, isfinite(a[i]) && isfinite(b[i]) ? fabs(a[i] - b[i]) : INFINITY);
    scale = fmax(scale, fmax(fabs(a[i]), fabs(b[i])));
  }
  return scale > 0 ? worst / scale : worst;
}
