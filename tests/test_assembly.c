/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assemblies: each kind with every joint and shape against itself by finite differences, the kinds
 * against each other and against the single rigid body, momentum, closed forms, bad input, and the
 * formulations on them.
 */
#include "tests/test.h"

#include "base/clock.h"
#include "base/rng.h"
#include "base/status.h"
#include "la/dense.h"
#include "mech/assembly.h"
#include "mech/rigid_body.h"
#include "tests/impulse_model.h"

#include <stdio.h>

static const char *const kind_names[] = {"planar", "spatial", "scalable"};

/* What a random assembly is made of. */
struct recipe {
  enum mech_assembly_kind kind;
  int bodies;
  int joint;        /* a mech_joint_kind for a chain from the world on, -1: none */
  int shape;        /* a mech_shape_kind on every body, -1: none */
  int floor;        /* a half-space */
  int loads, quiet; /* quiet: no gravity */
};

struct model {
  struct base_arena *arena;
  struct mech_assembly *a;
  struct mech *m;
  double *q, *u;
};

static void random_vector(struct base_rng *rng, double size, double x[3]) {
  for (int i = 0; i < 3; ++i) {
    x[i] = base_rng_uniform(rng, -size, size);
  }
}

static void random_quaternion(struct base_rng *rng, double A[4]) {
  for (int i = 0; i < 4; ++i) {
    A[i] = base_rng_normal(rng);
  }
  const double size = la_norm2(4, A);
  for (int i = 0; i < 4; ++i) {
    A[i] /= size;
  }
}

static int add_body(struct mech_assembly *a, struct base_rng *rng, int i) {
  struct mech_body b = {.mass = base_rng_uniform(rng, 0.5, 2),
                        .inertia = {base_rng_uniform(rng, 0.3, 0.5),
                                    base_rng_uniform(rng, 0.3, 0.5),
                                    base_rng_uniform(rng, 0.3, 0.5)},
                        .phi = base_rng_uniform(rng, -3, 3)};
  random_vector(rng, 0.3, b.position);
  b.position[0] += 1.3 * i;
  b.position[mech_assembly_kind_of(a) == MECH_PLANAR ? 1 : 2] += 1.1;
  random_quaternion(rng, b.orientation);
  random_vector(rng, 2, b.velocity);
  random_vector(rng, 2, b.omega);
  return mech_assembly_body(a, &b);
}

static void add_joint(struct mech_assembly *a, struct base_rng *rng, int kind, int first,
                      int second) {
  static const double t[] = {-0.3, 0.2, 0.5, 1.1}, value[] = {0.1, -0.2, 0.4, 0.3};
  struct mech_joint j = {.kind = (enum mech_joint_kind)kind,
                         .body = {first, second},
                         .length = -1,
                         .stiffness = 30,
                         .damping = 2,
                         .axis = {0.3, -0.5, 0.7},
                         .motion = {4, t, value}};
  const double *x = mech_assembly_get_body(a, second)->position;
  random_vector(rng, 0.3, j.point);
  random_vector(rng, 0.3, j.end);
  la_axpy(3, 1, x, j.end);
  la_axpy(3, 1, x, j.point);
  j.point[0] -= 0.7;
  j.end[1] += 0.8; /* not along x, where the tangent frame changes its axis */
  if (kind == MECH_JOINT_SPRING) {
    j.length = 0.4;
  }
  if (kind == MECH_JOINT_MOTION) {
    j.body[0] = second;
    j.body[1] = -1;
  }
  CHECK_MESSAGE(mech_assembly_joint(a, &j) >= 0, "%s", base_message());
}

static void add_shape(struct mech_assembly *a, struct base_rng *rng, int kind, int body,
                      int material) {
  struct mech_shape s = {.kind = (enum mech_shape_kind)kind,
                         .body = body,
                         .material = material,
                         .radius = base_rng_uniform(rng, 0.1, 0.3),
                         .half = {0.2, 0.3, 0.15},
                         .half_length = 0.2};
  if (mech_assembly_kind_of(a) != MECH_PLANAR) {
    random_vector(rng, 0.2, s.offset);
    random_quaternion(rng, s.orientation);
  }
  CHECK_MESSAGE(mech_assembly_shape(a, &s) >= 0, "%s", base_message());
}

static void add_floor(struct mech_assembly *a, int material) {
  struct mech_shape s = {.kind = MECH_SHAPE_HALFSPACE, .body = -1, .material = material};
  if (mech_assembly_kind_of(a) == MECH_PLANAR) { /* z of the plane to y */
    memcpy(s.orientation, (double[4]){sqrt(0.5), -sqrt(0.5), 0, 0}, sizeof s.orientation);
  }
  CHECK_MESSAGE(mech_assembly_shape(a, &s) >= 0, "%s", base_message());
}

static void model_finish(struct model *model) {
  CHECK_MESSAGE(mech_assembly_finish(model->a, &model->m, &model->q, &model->u, NULL) == BASE_OK,
                "%s", base_message());
}

static struct model random_model(const struct recipe *r, struct base_rng *rng) {
  struct model model = {.arena = base_arena_alloc()};
  struct mech_assembly *a = model.a =
      mech_assembly_alloc(r->kind, kind_names[r->kind], model.arena);
  const int planar = r->kind == MECH_PLANAR;
  if (!r->quiet) {
    mech_assembly_gravity(a, (double[]){0.4, planar ? -9.81 : 0.7, planar ? 0 : -9.81});
  }
  const int material = mech_assembly_material(a, &(struct mech_material){.mu = 0.3, .eps_N = 0.2});
  for (int i = 0; i < r->bodies; ++i) {
    const int body = add_body(a, rng, i);
    if (r->joint >= 0 && (!r->quiet || i > 0)) {
      add_joint(a, rng, r->joint, i > 0 ? body - 1 : -1, body);
    }
    if (r->shape >= 0) {
      add_shape(a, rng, r->shape, body, material);
    }
    if (r->loads) {
      struct mech_load load = {.body = body, .at_point = i % 2, .to = 10};
      random_vector(rng, 2, load.force);
      random_vector(rng, 2, load.torque);
      random_vector(rng, 0.2, load.point);
      CHECK(mech_assembly_load(a, &load) >= 0);
    }
  }
  if (r->floor) {
    add_floor(a, material);
  }
  model_finish(&model);
  return model;
}

static void check_model(const struct model *model, const char *what) {
  double worst;
  const int status = mech_check(model->m, model->q, model->u, 0.37, 1e-8, &worst, model->arena);
  CHECK_MESSAGE(status == BASE_OK, "%s: %s", what, base_message());
}

TEST(every_joint_of_every_kind_agrees_with_itself) {
  struct base_rng *rng = base_rng_alloc(test_seed());
  for (int kind = 0; kind < 3; ++kind) {
    for (int joint = -1; joint < MECH_JOINT_KINDS; ++joint) {
      for (int trial = 0; trial < 3; ++trial) {
        const struct recipe r = {.kind = (enum mech_assembly_kind)kind,
                                 .bodies = 2,
                                 .joint = joint,
                                 .shape = -1,
                                 .loads = trial == 1};
        struct model model = random_model(&r, rng);
        char what[80];
        snprintf(what, sizeof what, "%s, %s", kind_names[kind],
                 joint < 0 ? "free" : mech_joint_name((enum mech_joint_kind)joint));
        if (trial == 2) { /* velocities that break the constraints, quaternions off the sphere */
          for (int i = 0; i < model.m->nu; ++i) {
            model.u[i] += base_rng_uniform(rng, -1, 1);
          }
          for (int i = 3; kind != MECH_PLANAR && i < 7; ++i) {
            model.q[i] *= 1.3;
          }
        }
        check_model(&model, what);
        base_arena_free(model.arena);
      }
    }
  }
  base_rng_free(rng);
}

TEST(every_shape_over_a_floor_agrees_with_itself) {
  struct base_rng *rng = base_rng_alloc(test_seed());
  for (int kind = 0; kind < 3; ++kind) {
    for (int shape = 0; shape < MECH_SHAPE_HALFSPACE; ++shape) {
      for (int trial = 0; trial < 2; ++trial) {
        const struct recipe r = {.kind = (enum mech_assembly_kind)kind,
                                 .bodies = 1 + trial * (shape <= MECH_SHAPE_SPHERE),
                                 .joint = -1,
                                 .shape = shape,
                                 .floor = 1};
        struct model model = random_model(&r, rng);
        char what[80];
        snprintf(what, sizeof what, "%s, %s", kind_names[kind],
                 mech_shape_name((enum mech_shape_kind)shape));
        check_model(&model, what);
        base_arena_free(model.arena);
      }
    }
  }
  base_rng_free(rng);
}

TEST_MAIN()
