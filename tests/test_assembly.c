/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assemblies: each kind with every joint and shape against itself by finite differences, the kinds
 * against each other and against the single rigid body, momentum, closed forms, bad input, and the
 * formulations on them.
 */
#include "tests/case_model.h"
#include "tests/joint_model.h"
#include "tests/mutant.h"
#include "tests/random_problem.h"
#include "tests/test.h"

#include "contact/law.h"
#include "la/dense.h"
#include "mech/assembly/assembly.h"
#include "mech/assembly/parts.h"
#include "mech/rigid/rigid_body.h"

#include <gsl/gsl_spline.h>
#include <stdio.h>
#include <time.h>

static const char *const kind_names[] = {"planar", "spatial", "scalable"};

/* What a random assembly is made of. */
struct recipe {
  enum mech_assembly_kind kind;
  int bodies;
  int joint;        /* a mech_joint_kind for a chain from the world on, -1: none */
  int shape;        /* a mech_shape_kind on every body, -1: none */
  int floor;        /* a half-space: 1 of the world, 2 of a body that moves */
  int loads, quiet; /* quiet: no gravity */
};

static int add_body(struct mech_assembly *a, struct base_rng *rng, int i) {
  struct mech_body b = {.mass = base_rng_uniform(rng, 0.5, 2),
                        .inertia = {base_rng_uniform(rng, 0.3, 0.5),
                                    base_rng_uniform(rng, 0.3, 0.5),
                                    base_rng_uniform(rng, 0.3, 0.5)},
                        .phi = base_rng_uniform(rng, -3, 3)};
  base_rng_uniforms(rng, 3, -0.3, 0.3, b.position);
  b.position[0] += 1.3 * i;
  b.position[mech_assembly_kind_of(a) == MECH_PLANAR ? 1 : 2] += 1.1;
  random_unit(rng, 4, b.orientation);
  base_rng_uniforms(rng, 3, -2, 2, b.velocity);
  base_rng_uniforms(rng, 3, -2, 2, b.omega);
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
  const struct mech_body to = mech_assembly_get_body(a, second);
  base_rng_uniforms(rng, 3, -0.3, 0.3, j.point);
  base_rng_uniforms(rng, 3, -0.3, 0.3, j.end);
  la_axpy(3, 1, to.position, j.end);
  la_axpy(3, 1, to.position, j.point);
  j.point[0] -= 0.7;
  j.end[1] += 0.8; /* not along x, where the tangent frame changes its axis */
  if (kind == MECH_JOINT_SPRING) {
    j.length = 0.4;
  }
  if (mech_joint_is_driven((enum mech_joint_kind)kind)) {
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
    base_rng_uniforms(rng, 3, -0.2, 0.2, s.offset);
    random_unit(rng, 4, s.orientation);
  }
  CHECK_MESSAGE(mech_assembly_shape(a, &s) >= 0, "%s", base_message());
}

/* Moves and turns, and is level but for a little at first. */
static int add_plate(struct mech_assembly *a, struct base_rng *rng) {
  struct mech_body b = {.mass = 3,
                        .inertia = {0.7, 0.8, 0.9},
                        .orientation = {sqrt(0.98), 0.06, -0.08, 0.1},
                        .phi = 0.1};
  base_rng_uniforms(rng, 3, -0.1, 0.1, b.position);
  base_rng_uniforms(rng, 3, -1, 1, b.velocity);
  base_rng_uniforms(rng, 3, -1, 1, b.omega);
  return mech_assembly_body(a, &b);
}

static struct system random_model(const struct recipe *r, struct base_rng *rng) {
  struct system model = {.arena = test_arena()};
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
      base_rng_uniforms(rng, 3, -2, 2, load.force);
      base_rng_uniforms(rng, 3, -2, 2, load.torque);
      base_rng_uniforms(rng, 3, -0.2, 0.2, load.point);
      CHECK(mech_assembly_load(a, &load) >= 0);
    }
  }
  if (r->floor) {
    add_halfspace(a, r->floor == 1 ? -1 : add_plate(a, rng), 0, material);
  }
  system_finish(&model, model.a);
  return model;
}

static void check_model(const struct system *model, const char *what, double tol) {
  double worst;
  const int status = mech_check(model->m, model->q, model->u, 0.37, tol, &worst, model->arena);
  CHECK_MESSAGE(status == BASE_OK, "%s: %s", what, base_message());
}

TEST(every_joint_of_every_kind_agrees_with_itself) {
  struct base_rng *rng = test_rng(0);
  for (int kind = 0; kind < 3; ++kind) {
    for (int joint = -1; joint < MECH_JOINT_KINDS; ++joint) {
      for (int trial = 0; trial < 3; ++trial) {
        const struct recipe r = {.kind = (enum mech_assembly_kind)kind,
                                 .bodies = 2,
                                 .joint = joint,
                                 .shape = -1,
                                 .loads = trial == 1};
        struct system model = random_model(&r, rng);
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
        check_model(&model, what, 1e-8);
      }
    }
  }
}

TEST(every_shape_over_a_floor_agrees_with_itself) {
  struct base_rng *rng = test_rng(0);
  for (int kind = 0; kind < 3; ++kind) {
    for (int shape = 0; shape < MECH_SHAPE_HALFSPACE; ++shape) {
      for (int trial = 0; trial < 4; ++trial) {
        const struct recipe r = {.kind = (enum mech_assembly_kind)kind,
                                 .bodies = 1 + trial % 2 * (shape <= MECH_SHAPE_SPHERE),
                                 .joint = -1,
                                 .shape = shape,
                                 .floor = 1 + trial / 2};
        struct system model = random_model(&r, rng);
        char what[80];
        snprintf(what, sizeof what, "%s, %s on %s floor", kind_names[kind],
                 mech_shape_name((enum mech_shape_kind)shape), r.floor == 1 ? "a" : "a moving");
        check_model(&model, what, 1e-8);
      }
    }
  }
}

/* A ball 5 m from the centre of a plate that turns by 0.01: the centre has not moved, the plate at
 * the ball by 0.05 m. */
TEST(a_plane_that_turns_meets_what_is_far_from_its_centre) {
  struct system model = {.arena = test_arena()};
  struct mech_assembly *a = model.a = mech_assembly_alloc(MECH_SPATIAL, "plate", model.arena);
  const int material = mech_assembly_material(a, &(struct mech_material){.mu = 0.3});
  const int plate = mech_assembly_body(
      a, &(struct mech_body){.mass = 1, .inertia = {1, 1, 1}, .omega = {0, -1, 0}});
  const int ball = mech_assembly_body(
      a, &(struct mech_body){.mass = 1, .inertia = {1, 1, 1}, .position = {5, 0, 0.045}});
  add_halfspace(a, plate, 0, material);
  add_sphere(a, ball, 0.01, material);
  system_finish(&model, model.a);
  const double turn = 0.01, height = 5 * sin(turn) - 0.045 * cos(turn);
  struct mech_contacts list;
  mech_contacts_init(&list, model.m, model.arena);
  mech_contacts_find(model.m, model.q, NULL, 0, &list);
  CHECK_INT(list.n, 0);
  CHECK_LE(height + 0.045, model.m->ops->bodies.approach(model.m, model.q, model.u, turn));
  model.q[3] = cos(turn / 2);
  model.q[5] = -sin(turn / 2);
  mech_contacts_find(model.m, model.q, NULL, 0, &list);
  CHECK_INT(list.n, 1);
  CHECK_NEAR(list.gN[0], -height - 0.01, 1e-15);
}

/* Balls near each other, whose places and normals move in closed form. Other pairs have kinks where
 * features change and gaps of manifolds whose rate holds up to O(gap): differences do not suit them
 * at any distance. */
TEST(pairs_of_balls_agree_with_themselves) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 20; ++trial) {
    struct system model = {.arena = test_arena()};
    struct mech_assembly *a = model.a =
        mech_assembly_alloc(trial % 2 ? MECH_SCALABLE : MECH_SPATIAL, "pair", model.arena);
    const int material = mech_assembly_material(a, &(struct mech_material){.mu = 0.3});
    const int first = trial % 4 < 2 ? MECH_SHAPE_POINT : MECH_SHAPE_SPHERE;
    struct mech_body away = {
        .mass = 1, .inertia = {1, 1, 1.2}, .position = {0.3, 1.2, 0.9}, .velocity = {1, -2, 0.4}};
    base_rng_uniforms(rng, 3, -2, 2, away.omega);
    add_shape(a, rng, first, add_body(a, rng, 0), material);
    add_shape(a, rng, MECH_SHAPE_SPHERE, mech_assembly_body(a, &away), material);
    system_finish(&model, model.a);
    check_model(&model, mech_shape_name((enum mech_shape_kind)first), 1e-8);
  }
}

/* --- against each other --- */

/* udot: nu = M^-1 (h + W_S lambda) with W_S^T udot = -bias; constraint forces included. */
static void accelerations(const struct system *model, double *udot) {
  const struct mech *m = model->m;
  struct base_arena *arena = model->arena;
  const int ns = m->ns;
  double *L = base_arena_doubles(arena, m->nb * m->nv * m->nv);
  CHECK_OK(mech_mass_factor(m, model->q, L));
  m->ops->force(m, model->q, model->u, 0, udot);
  mech_mass_solve(m, L, 1, udot);
  if (ns == 0) {
    return;
  }
  double *WS = base_arena_doubles(arena, m->nu * ns), *Y = base_arena_doubles(arena, m->nu * ns);
  double *G = base_arena_doubles(arena, ns * ns), *bias = base_arena_doubles(arena, ns);
  mech_bilateral_directions(m, model->q, WS, arena);
  la_copy(m->nu * ns, WS, Y);
  mech_mass_solve(m, L, ns, Y);
  la_gemm_t(ns, ns, m->nu, 1, WS, Y, 0, G);
  m->ops->bilateral_bias(m, model->q, model->u, bias);
  la_gemv_t(m->nu, ns, 1, WS, udot, 1, bias);
  CHECK_OK(la_chol_factor(ns, G));
  la_chol_solve(ns, 1, G, bias);
  la_gemv(m->nu, ns, -1, Y, bias, 1, udot);
}

TEST(spatial_and_scalable_bodies_accelerate_alike) {
  for (int joint = -1; joint < MECH_JOINT_KINDS; ++joint) {
    struct system two[2];
    for (int i = 0; i < 2; ++i) {
      struct base_rng *same = test_rng((unsigned long)(joint + 1));
      const struct recipe r = {.kind = i == 0 ? MECH_SPATIAL : MECH_SCALABLE,
                               .bodies = 3,
                               .joint = joint,
                               .shape = -1,
                               .loads = 1};
      two[i] = random_model(&r, same);
    }
    for (int b = 0; b < 3; ++b) { /* where a start is moved, the two ways there differ */
      la_copy(7, two[0].q + 7 * b, two[1].q + 7 * b);
      la_copy(3, two[0].u + 6 * b, two[1].u + 7 * b);
      la_copy(3, two[0].u + 6 * b + 3, two[1].u + 7 * b + 4);
      two[1].u[7 * b + 3] = 0;
    }
    double x[21], y[21];
    accelerations(&two[0], x);
    accelerations(&two[1], y);
    for (int b = 0; b < 3; ++b) {
      for (int i = 0; i < 6; ++i) {
        CHECK_NEAR(x[6 * b + i], y[7 * b + i + (i >= 3)], 1e-9 * (1 + fabs(x[6 * b + i])));
      }
      CHECK_NEAR(y[7 * b + 3], 0, 1e-10);
    }
  }
}

/* A chain in the plane z = 0, joints about z, as planar and as spatial bodies. */
static struct system flat_model(enum mech_assembly_kind kind, int joint, unsigned long seed) {
  struct base_rng *rng = test_rng(seed);
  struct system model = {.arena = test_arena()};
  struct mech_assembly *a = model.a = mech_assembly_alloc(kind, "flat", model.arena);
  mech_assembly_gravity(a, (double[]){0.3, -9.81, 0});
  const int material = mech_assembly_material(a, &(struct mech_material){.mu = 0.3});
  for (int i = 0; i < 2; ++i) {
    const double phi = base_rng_uniform(rng, -3, 3);
    struct mech_body b = {.mass = base_rng_uniform(rng, 0.5, 2),
                          .inertia = {0.3, 0.4, 0.5},
                          .position = {i, base_rng_uniform(rng, 0.5, 1), 0},
                          .phi = phi,
                          .velocity = {base_rng_uniform(rng, -1, 1), 1, 0},
                          .omega = {0, 0, base_rng_uniform(rng, -1, 1)},
                          .orientation = {cos(phi / 2), 0, 0, sin(phi / 2)}};
    const int body = mech_assembly_body(a, &b);
    struct mech_joint j = {.kind = (enum mech_joint_kind)joint,
                           .body = {i - 1, body},
                           .point = {i - 0.4, 0.3, 0},
                           .end = {i - 0.1, 0.9, 0},
                           .axis = {0, 0, 1},
                           .length = -1,
                           .stiffness = 20,
                           .damping = 1};
    if (joint == MECH_JOINT_SPRING) {
      j.length = 0.2;
    } else if (joint >= 0 && mech_joint_is_driven((enum mech_joint_kind)joint)) {
      j.body[0] = body;
      j.body[1] = -1;
    }
    if (joint == MECH_JOINT_MOTION || joint == MECH_JOINT_PRISMATIC) {
      memcpy(j.axis, (double[3]){0.6, 0.8, 0}, sizeof j.axis);
    }
    CHECK(mech_assembly_joint(a, &j) >= 0);
    CHECK(mech_assembly_load(a, &(struct mech_load){.body = body,
                                                    .force = {1, 2, 0},
                                                    .torque = {0, 0, 0.7},
                                                    .at_point = 1,
                                                    .point = {0.2, 0.1, 0}}) >= 0);
    CHECK(mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_SPHERE,
                                                      .body = body,
                                                      .offset = {0.1, 0.1, 0},
                                                      .radius = 0.2,
                                                      .material = material}) >= 0);
  }
  mech_assembly_shape(a,
                      &(struct mech_shape){.kind = MECH_SHAPE_HALFSPACE, /* below y = 0 in both */
                                           .body = -1,
                                           .orientation = {sqrt(0.5), -sqrt(0.5), 0, 0},
                                           .material = material});
  system_finish(&model, model.a);
  return model;
}

TEST(planar_bodies_are_spatial_ones_kept_to_a_plane) {
  for (int joint = 0; joint < MECH_JOINT_KINDS; ++joint) {
    if (joint == MECH_JOINT_REVOLUTE) {
      continue; /* the same rows as the spherical joint in the plane, more in space */
    }
    struct system flat = flat_model(MECH_PLANAR, joint, (unsigned long)joint);
    struct system space = flat_model(MECH_SPATIAL, joint, (unsigned long)joint);
    static const int in_plane[3] = {0, 1, 5};
    double x[6], y[12], v[24], w[24];
    struct mech_contacts list[2];
    accelerations(&flat, x);
    accelerations(&space, y);
    for (int b = 0; b < 2; ++b) {
      for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(x[3 * b + i], y[6 * b + in_plane[i]], 1e-9 * (1 + fabs(x[3 * b + i])));
        CHECK_NEAR(flat.u[3 * b + i], space.u[6 * b + in_plane[i]], 1e-12);
      }
      CHECK_NEAR(y[6 * b + 2], 0, 1e-10);
      CHECK_NEAR(y[6 * b + 3], 0, 1e-10);
    }
    mech_contacts_init(&list[0], flat.m, flat.arena);
    mech_contacts_init(&list[1], space.m, space.arena);
    mech_contacts_find(flat.m, flat.q, flat.u, INFINITY, &list[0]);
    mech_contacts_find(space.m, space.q, space.u, INFINITY, &list[1]);
    CHECK_INT(list[0].n, list[1].n);
    mech_contacts_velocity(&list[0], flat.u, v);
    mech_contacts_velocity(&list[1], space.u, w);
    for (int i = 0; i < list[0].n; ++i) {
      CHECK(list[0].id[i] == list[1].id[i]);
      CHECK_NEAR(list[0].gN[i], list[1].gN[i], 1e-12);
      for (int d = 0; d < 2; ++d) {
        CHECK_NEAR(v[2 * i + d], w[3 * i + d], 1e-12);
        CHECK_NEAR(list[0].bias[2 * i + d], list[1].bias[3 * i + d], 1e-11);
      }
    }
  }
}

/* Linear momentum p, and that about the origin L, change by what acts from outside: here nothing.
 * Ldot = sum x x m vdot + R (Theta omegadot + omega x Theta omega). */
TEST(inner_forces_conserve_momentum) {
  struct base_rng *rng = test_rng(0);
  for (int joint = -1; joint < MECH_JOINT_KINDS; ++joint) {
    if (joint >= 0 && mech_joint_is_driven((enum mech_joint_kind)joint)) {
      continue;
    }
    const struct recipe r = {
        .kind = MECH_SPATIAL, .bodies = 4, .joint = joint, .shape = -1, .quiet = 1};
    struct system model = random_model(&r, rng);
    double udot[24], p[3] = {0}, L[3] = {0};
    accelerations(&model, udot);
    for (int b = 0; b < 4; ++b) {
      const struct mech_body body = mech_assembly_get_body(model.a, b);
      const struct mech_motion s = mech_assembly_motion(model.a, model.q, model.u, b);
      const double *omega = model.u + 6 * b + 3;
      double spin[3], moment[3], turned[3];
      for (int i = 0; i < 3; ++i) {
        spin[i] = body.inertia[i] * omega[i];
      }
      mech_cross3(omega, spin, moment);
      for (int i = 0; i < 3; ++i) {
        moment[i] += body.inertia[i] * udot[6 * b + 3 + i];
      }
      mech_turn3(s.R, moment, turned);
      mech_add3(1, turned, L);
      mech_add3(body.mass, udot + 6 * b, p);
      mech_cross3(s.x, udot + 6 * b, turned);
      mech_add3(body.mass, turned, L);
    }
    const double scale = 1e-11 * (1 + la_norm_inf(24, udot));
    for (int i = 0; i < 3; ++i) {
      CHECK_NEAR(p[i], 0, scale);
      CHECK_NEAR(L[i], 0, scale);
    }
  }
}

/* --- parts --- */

TEST(tables_are_natural_splines) {
  static const double t[] = {-1, 0.3, 0.9, 2, 2.2}, y[] = {0.3, -1, 2, 0.7, 0.1};
  struct base_arena *arena = test_arena();
  const struct mech_spline s = mech_spline_build(&(struct mech_table){5, t, y}, arena);
  gsl_spline *reference = gsl_spline_alloc(gsl_interp_cspline, 5);
  gsl_spline_init(reference, t, y, 5);
  for (double x = -0.99; x < 2.2; x += 0.037) {
    double out[3];
    mech_spline_at(&s, x, out);
    CHECK_NEAR(out[0], gsl_spline_eval(reference, x, NULL), 1e-13);
    CHECK_NEAR(out[1], gsl_spline_eval_deriv(reference, x, NULL), 1e-12);
    CHECK_NEAR(out[2], gsl_spline_eval_deriv2(reference, x, NULL), 1e-11);
  }
  double out[3];
  for (int k = 1; k < 4; k++) { /* twice differentiable at the samples */
    double before[3];
    mech_spline_at(&s, nextafter(t[k], -INFINITY), before);
    mech_spline_at(&s, t[k], out);
    CHECK_NEAR(out[0], y[k], 1e-14);
    CHECK_LE(test_distance(3, before, out), 1e-12);
  }
  mech_spline_at(&s, t[0], out);
  CHECK_NEAR(out[2], 0, 1e-14);
  mech_spline_at(&s, nextafter(t[4], -INFINITY), out);
  CHECK_NEAR(out[2], 0, 1e-11);
  mech_spline_at(&s, 3, out);
  CHECK(out[0] == 0.1 && out[1] == 0 && out[2] == 0);
  mech_spline_at(&s, -3, out);
  CHECK(out[0] == 0.3 && out[1] == 0);
  const struct mech_spline one = mech_spline_build(&(struct mech_table){1, NULL, y + 2}, arena);
  mech_spline_at(&one, 7, out);
  CHECK(out[0] == 2 && out[1] == 0);
  gsl_spline_free(reference);
}

TEST(loads_act_in_their_time_and_follow_their_factor) {
  static const double t[] = {0, 1, 2}, factor[] = {0, 1, 0};
  struct system model = {.arena = test_arena()};
  struct mech_assembly *a = model.a = mech_assembly_alloc(MECH_SPATIAL, "pushed", model.arena);
  struct mech_body body = {.mass = 2, .inertia = {1, 1.5, 2}};
  mech_assembly_body(a, &body);
  mech_assembly_load(a, &(struct mech_load){.force = {3, 0, 0}, .from = 0.5, .to = 1.5});
  mech_assembly_load(a, &(struct mech_load){.force = {0, 0, 1}, .factor = {3, t, factor}});
  mech_assembly_load(a,
                     &(struct mech_load){.force = {0, 2, 0}, .at_point = 1, .point = {0.5, 0, 0}});
  system_finish(&model, model.a);
  double f[6];
  model.m->ops->applied(model.m, model.q, model.u, 1, f);
  const double during[6] = {3, 2, 1, 0, 0, 1};
  CHECK_LE(test_distance(6, f, during), 1e-15);
  model.m->ops->applied(model.m, model.q, model.u, 1.5, f);
  CHECK_NEAR(f[0], 0, 0);
  CHECK_NEAR(f[2], 0.6875, 1e-14); /* the spline through (0, 0), (1, 1), (2, 0) */
}

/* To the bit, although shapes share what they have in common and bodies keep part of it only. */
TEST(what_is_held_is_what_was_given) {
  struct base_rng *rng = test_rng(0);
  enum { BODIES = 60 };
  static const enum mech_shape_kind kinds[] = {MECH_SHAPE_SPHERE, MECH_SHAPE_BOX,
                                               MECH_SHAPE_CYLINDER};
  for (int round = 0; round < 2; ++round) {
    struct system model = {.arena = test_arena()};
    struct mech_assembly *a = model.a = mech_assembly_alloc(MECH_SPATIAL, "kept", model.arena);
    struct mech_body body[BODIES] = {{.mass = 0}};
    struct mech_shape shape[BODIES] = {{.body = 0}};
    mech_assembly_material(a, &(struct mech_material){.mu = 0.3});
    for (int i = 0; i < BODIES; ++i) {
      const double I = base_rng_uniform(rng, 1, 2);
      body[i] = (struct mech_body){.name = i % 2 ? "odd" : "even",
                                   .mass = base_rng_uniform(rng, 1, 2),
                                   .inertia = {I, I, round ? I : 1.2 * I},
                                   .fixed = i % 7 == 3,
                                   .no_rotation = i % 5 == 2,
                                   .orientation = {0.6, 0, 0.8, 0}};
      base_rng_uniforms(rng, 3, -10, 10, body[i].position);
      shape[i] = (struct mech_shape){.kind = kinds[i % 3],
                                     .body = mech_assembly_body(a, &body[i]),
                                     .offset = {0, 0, i % 4 == 1 ? 0.3 : 0},
                                     .orientation = {1, 0, 0, 0},
                                     .radius = i % 3 == 0   ? base_rng_uniform(rng, 0.1, 0.2)
                                               : i % 3 == 2 ? 0.1
                                                            : 0,
                                     .half = {0.1, 0.1, i % 3 == 1 ? 0.2 : 0.1},
                                     .half_length = 0.2};
      mech_assembly_shape(a, &shape[i]);
    }
    system_finish(&model, model.a);
    CHECK_INT(a->n_forms, 6); /* three kinds, in the middle of their body and not */
    CHECK_INT(a->moments, round ? 1 : 3);
    for (int i = 0; i < BODIES; ++i) {
      const struct mech_body b = mech_assembly_get_body(a, i);
      const struct mech_shape s = mech_assembly_get_shape(a, i);
      const struct mech_pose pose = mech_assembly_pose(a, model.q, i);
      CHECK(b.mass == body[i].mass && b.mass == mech_assembly_mass(a, i));
      CHECK(b.fixed == body[i].fixed && b.no_rotation == body[i].no_rotation);
      CHECK_TEXT(b.name, body[i].name);
      CHECK(b.fixed || b.no_rotation || test_same_bits(b.inertia, body[i].inertia, 3));
      CHECK(test_same_bits(pose.x, body[i].position, 3));
      CHECK_NEAR(pose.R[2], 0.96, 1e-15);
      CHECK(s.kind == shape[i].kind && s.body == i && s.material == 0);
      CHECK(s.radius == shape[i].radius && s.half_length == shape[i].half_length);
      CHECK(test_same_bits(s.half, shape[i].half, 3));
      CHECK(test_same_bits(s.offset, shape[i].offset, 3));
      const struct mech_pose place = mech_assembly_shape_pose(a, model.q, i);
      CHECK_NEAR(place.x[0], pose.x[0] + 0.96 * s.offset[2], 1e-14);
    }
  }
}

TEST(tangent_frames_are_those_of_the_laws) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 1000; ++trial) {
    double n[3], frame[9], t1[3], t2[3];
    random_unit(rng, 3, n);
    mech_contact_frame(n, frame);
    contact_frame(n, t1, t2);
    CHECK(test_same_bits(frame, n, 3));
    CHECK_LE(fmax(test_distance(3, frame + 3, t1), test_distance(3, frame + 6, t2)), 1e-15);
  }
}

/* A pile of balls and boxes over a floor: what is within reach is what all potential contacts hold
 * within reach, in order; no surface moves further than `approach` says. */
TEST(contacts_within_reach_are_those_of_the_whole_list) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 5; ++trial) {
    struct system model = {.arena = test_arena()};
    struct mech_assembly *a = model.a = mech_assembly_alloc(MECH_SPATIAL, "pile", model.arena);
    const int material = mech_assembly_material(a, &(struct mech_material){.mu = 0.3});
    add_halfspace(a, -1, 0, material);
    for (int i = 0; i < 30; ++i) {
      struct mech_body b = {.mass = 1, .inertia = {0.1, 0.1, 0.1}};
      base_rng_uniforms(rng, 3, -1, 1, b.position);
      base_rng_uniforms(rng, 3, -1, 1, b.velocity);
      base_rng_uniforms(rng, 3, -3, 3, b.omega);
      const int body = mech_assembly_body(a, &b);
      add_shape(a, rng, MECH_SHAPE_SPHERE, body, material);
      add_shape(a, rng, MECH_SHAPE_POINT, body, material);
    }
    mech_assembly_joint(a, &(struct mech_joint){.body = {3, 7}});
    system_finish(&model, model.a);
    const double reach = 0.05, dt = 0.01;
    struct mech_contacts all, near, later;
    mech_contacts_init(&all, model.m, model.arena);
    mech_contacts_init(&near, model.m, model.arena);
    mech_contacts_init(&later, model.m, model.arena);
    mech_contacts_find(model.m, model.q, NULL, INFINITY, &all);
    mech_contacts_find(model.m, model.q, model.u, reach, &near);
    int k = 0;
    for (int i = 0; i < all.n; ++i) {
      CHECK(all.body[2 * i] != 3 || all.body[2 * i + 1] != 7);
      if (all.gN[i] <= reach && k < near.n) {
        CHECK(near.id[k] == all.id[i] && near.gN[k] == all.gN[i]);
        ++k;
      }
    }
    CHECK(k == near.n && k > 0);
    const double bound = model.m->ops->bodies.approach(model.m, model.q, model.u, dt);
    double *qdot = base_arena_doubles(model.arena, model.m->nq), closest = 0;
    mech_qdot(model.m, model.q, model.u, qdot, model.arena);
    la_axpy(model.m->nq, dt, qdot, model.q);
    mech_contacts_find(model.m, model.q, NULL, INFINITY, &later);
    CHECK_INT(later.n, all.n);
    for (int i = 0; i < all.n && i < later.n; ++i) {
      closest = fmax(closest, all.gN[i] - later.gN[i]);
    }
    CHECK_MESSAGE(closest <= bound && closest > bound / 10, "closed by %g, bound %g", closest,
                  bound);
  }
}

TEST(materials_combine_as_listed_or_larger_mu_smaller_eps) {
  struct system model = {.arena = test_arena()};
  struct mech_assembly *a = model.a = mech_assembly_alloc(MECH_SPATIAL, "mixed", model.arena);
  const int ice = mech_assembly_material(a, &(struct mech_material){"ice", 0.05, 0.7, 0});
  const int rubber = mech_assembly_material(a, &(struct mech_material){"rubber", 0.9, 0.2, 0.4});
  const int steel = mech_assembly_material(a, &(struct mech_material){"steel", 0.3, 0.5, 0});
  mech_assembly_pair(a, steel, ice, 0.02, 0.6, 0);
  add_halfspace(a, -1, 0, ice);
  struct mech_body body = {.mass = 1, .inertia = {1, 1, 1}, .position = {0, 0, 1}};
  for (int i = 0; i < 2; ++i) {
    body.position[0] = 5 * i;
    mech_assembly_body(a, &body);
    add_sphere(a, i, 0.5, i == 0 ? rubber : steel);
  }
  system_finish(&model, model.a);
  struct mech_contacts list;
  mech_contacts_init(&list, model.m, model.arena);
  mech_contacts_find(model.m, model.q, NULL, 0.6, &list);
  CHECK_INT(list.n, 2);
  CHECK(list.mu[0] == 0.9 && list.eps_N[0] == 0.2 && list.eps_T[0] == 0);
  CHECK(list.mu[1] == 0.02 && list.eps_N[1] == 0.6);
  CHECK(list.body[0] == -1 && list.body[1] == 0 && list.body[3] == 1);
}

TEST(a_state_off_the_joints_is_brought_onto_them) {
  struct system model = {.arena = test_arena()};
  struct mech_assembly *a = model.a = mech_assembly_alloc(MECH_SPATIAL, "off", model.arena);
  struct mech_body body = {
      .mass = 1, .inertia = {1, 1, 1}, .position = {1, 0, 0}, .velocity = {1, 1, 0}};
  struct mech_assembly_start start;
  double rate, g;
  mech_assembly_body(a, &body);
  mech_assembly_joint(
      a, &(struct mech_joint){
             .kind = MECH_JOINT_ROD, .body = {-1, 0}, .end = {1, 0, 0}, .length = 1.25});
  CHECK_OK(mech_assembly_finish(a, &model.m, &model.q, &model.u, &start));
  CHECK_NEAR(start.moved.q, 0.25, 1e-12);
  CHECK_NEAR(start.missed, 0.25, 1e-12);
  CHECK_INT(start.row, 0);
  CHECK_NEAR(model.q[0], 1.25, 1e-12);
  model.m->ops->bilateral(model.m, model.q, &g);
  mech_assembly_bilateral_rate(model.m, model.q, model.u, &rate);
  CHECK_NEAR(g, 0, 1e-14);
  CHECK_NEAR(rate, 0, 1e-14);
  CHECK_NEAR(model.u[0], 0, 1e-14);
  CHECK_NEAR(model.u[1], 1, 1e-14);
}

/* ---- what the self-check finds in assemblies ---- */

/* A ball on a rod over a floor. */
TEST(self_check_finds_a_wrong_sign_wherever_it_is) {
  static const struct mutation mutations[] = {{MUTANT_arms, "", .n = 3, .part = -2},
                                              {MUTANT_arms_along, "lever arms", .by = 0.02},
                                              {MUTANT_tangents, "contacts", .n = 3, .part = 0.1},
                                              {MUTANT_gaps, "W_N against g_N", .part = -2},
                                              {MUTANT_mass, "M", .at = 1, .by = 0.1},
                                              {MUTANT_force, "power", .at = 2, .part = -2},
                                              {MUTANT_potential, "gradient of V", .part = -2},
                                              {MUTANT_bilateral, "W_S against g_S", .part = -2}};
  const struct case_instance c = case_model_scene(
      "'gravity': [0, 0, -9.81], 'materials': {'m': {'mu': 0.4}}, 'bodies': [{'name': 'floor', "
      "'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 0, 1], 'material': 'm'}]}, "
      "{'name': 'b', 'mass': 2, 'inertia': [0.02, 0.03, 0.04], 'position': [0.1, 0.2, 0.11], "
      "'velocity': [1, -0.5, 0.3], 'angular_velocity': [3, 2, -1], 'shapes': [{'type': 'sphere', "
      "'radius': 0.1, 'offset': [0.01, 0.02, -0.01], 'material': 'm'}]}], 'joints': [{'type': "
      "'rod', 'bodies': ['world', 'b'], 'point': [0.1, 0.2, 0.5], 'end': [0.12, 0.2, 0.11]}]");
  mutants_are_found(c.mech, c.q, c.u, 1e-6, mutations, sizeof mutations / sizeof *mutations);
}

/* Where the rates of a joint are nothing but rounding, rounding is right and 1e-4 wrong. */
TEST(hinge_through_the_centre_agrees_with_itself) {
  static const struct mutation wrong = {MUTANT_discrete_rate_by_body, "gamma_S", .at = 3,
                                        .by = 1e-4};
  for (int k = 0; k < 2; ++k) {
    const struct case_instance c = case_model_scene(
        "'coordinates': '%s', 'gravity': [0, 0, 0], 'bodies': [{'name': 'w', 'mass': 2, 'inertia': "
        "[0.1, 0.2, 0.1], "
        "'position': [0, 0, 0.1], 'angular_velocity': [0, 2, 0]}], 'joints': [{'type': "
        "'revolute', 'bodies': ['w', 'world'], 'point': [0, 0, 0.1], 'axis': [0, 1, 0]}]",
        k == 0 ? "quaternion" : "scalable");
    mutants_are_found(c.mech, c.q, c.u, 1e-9, &wrong, 1);
  }
}

TEST(inactive_bodies_have_no_forces_contacts_or_joints) {
  struct base_rng *rng = test_rng(0);
  const struct recipe r = {.kind = MECH_SPATIAL,
                           .bodies = 3,
                           .joint = MECH_JOINT_SPHERICAL,
                           .shape = MECH_SHAPE_SPHERE,
                           .floor = 1,
                           .loads = 1};
  struct system model = random_model(&r, rng);
  double h[18], gS[9], WS[18 * 9];
  struct mech_contacts list;
  mech_contacts_init(&list, model.m, model.arena);
  mech_contacts_find(model.m, model.q, NULL, INFINITY, &list);
  CHECK_INT(list.n, 4); /* three with the floor, and the two that are not joined */
  mech_contacts_clear(&list);
  mech_assembly_activate(model.a, 2, 0);
  mech_contacts_find(model.m, model.q, NULL, INFINITY, &list);
  CHECK_INT(list.n, 2); /* the other two with the floor */
  model.m->ops->force(model.m, model.q, model.u, 0, h);
  model.m->ops->bilateral(model.m, model.q, gS);
  mech_bilateral_directions(model.m, model.q, WS, model.arena);
  for (int i = 0; i < 6; ++i) {
    CHECK(h[12 + i] == 0);
  }
  CHECK(gS[6] == 0 && gS[7] == 0 && gS[8] == 0);
  CHECK(la_norm_inf(3 * 18, WS + 6 * 18) == 0);
  CHECK(la_norm_inf(6 * 18, WS) > 0);
}

/* Bodies in any order, each on the world or another by one to three joints. */
static struct system random_tree(enum mech_assembly_kind kind, int n, struct base_rng *rng) {
  static const enum mech_joint_kind kinds[] = {MECH_JOINT_FIXED,     MECH_JOINT_FIXED,
                                               MECH_JOINT_REVOLUTE,  MECH_JOINT_ROD,
                                               MECH_JOINT_SPHERICAL, MECH_JOINT_MOTION};
  static const double t[] = {-1, 1}, value[] = {-0.1, 0.1};
  struct system model = {.arena = test_arena()};
  model.a = mech_assembly_alloc(kind, kind_names[kind], model.arena);
  const int material = mech_assembly_material(model.a, &(struct mech_material){.mu = 0.3});
  const int turn = base_rng_below(rng, n); /* the tree begins at any of them */
  for (int i = 0; i < n; ++i) {
    add_shape(model.a, rng, MECH_SHAPE_SPHERE, add_body(model.a, rng, i), material);
  }
  add_halfspace(model.a, -1, 0, material);
  for (int i = 0; i < n; ++i) {
    const int parent = base_rng_below(rng, i + 1) - 1, joints = 1 + base_rng_below(rng, 3);
    for (int k = 0; k < joints; ++k) {
      struct mech_joint j = {.kind = kinds[base_rng_below(rng, 6)],
                             .body = {(turn + i) % n, parent < 0 ? -1 : (turn + parent) % n},
                             .length = -1,
                             .motion = {2, t, value}};
      if (j.kind == MECH_JOINT_MOTION && parent >= 0) {
        j.kind = MECH_JOINT_FIXED;
      }
      base_rng_uniforms(rng, 3, -1, 1, j.point);
      base_rng_uniforms(rng, 3, -1, 1, j.end);
      base_rng_uniforms(rng, 3, -1, 1, j.axis);
      CHECK_MESSAGE(mech_assembly_joint(model.a, &j) >= 0, "%s", base_message());
    }
  }
  system_finish(&model, model.a);
  return model;
}

TEST(bodies_that_joints_hold_touch_no_other_such_body) {
  struct base_rng *rng = test_rng(0);
  int seen[2] = {0};
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 1 + base_rng_below(rng, 6);
    struct system model = random_tree((enum mech_assembly_kind)(trial % 3), n, rng);
    const struct mech_bilateral *held = eliminate(&model, MECH_BILATERAL_DENSE, 0)->bilateral;
    double *rate = base_arena_doubles(model.arena, model.m->ns);
    struct mech_contacts list;
    mech_contacts_init(&list, model.m, model.arena);
    mech_contacts_find(model.m, model.q, NULL, INFINITY, &list);
    for (int body = 0; body < n; ++body) {
      const int block = mech_assembly_block(model.a, body), nv = model.m->nv;
      int touches = 0, moves = 0;
      for (int i = nv * block; i < nv * (block + 1); ++i) {
        double *u = base_arena_doubles(model.arena, model.m->nu);
        u[i] = 1;
        mech_bilateral_velocity(held, u, rate);
        mech_bilateral_eliminate(held, 1, rate, u);
        moves |= u[i] > 1e-9;
      }
      for (int i = 0; i < list.n; ++i) {
        touches |= list.body[2 * i] == block && list.body[2 * i + 1] < 0;
      }
      CHECK_INT(touches, moves);
      ++seen[moves];
    }
  }
  CHECK(seen[0] > 40 && seen[1] > 40);
}

/* --- size and bad input --- */

TEST(a_hundred_thousand_bodies_build_in_a_second) {
  const clock_t start = clock(); /* processor time, whatever else runs here */
  struct system model = {.arena = test_arena()};
  struct mech_assembly *a = model.a = mech_assembly_alloc(MECH_SPATIAL, "many", model.arena);
  const int n = 100000;
  const int material = mech_assembly_material(a, &(struct mech_material){.mu = 0.3});
  for (int i = 0; i < n; ++i) {
    const int layer = i / 2500, row = i / 50 % 50;
    const struct mech_body b = {
        .mass = 1, .inertia = {1, 1, 1}, .position = {i % 50, row, layer}, .velocity = {0.1, 0, 0}};
    add_sphere(a, mech_assembly_body(a, &b), 0.5, material);
  }
  system_finish(&model, model.a);
  const double built = (double)(clock() - start) / CLOCKS_PER_SEC;
  CHECK_MESSAGE(built < 1, "took %g s", built);
  CHECK_TEXT(model.m->u_names[6 * 99999 + 5], "body99999.wz");
  struct mech_contacts list;
  mech_contacts_init(&list, model.m, model.arena);
  mech_contacts_find(model.m, model.q, NULL, 1e-3, &list);
  CHECK_INT(list.n, 49 * 50 * 40 * 2 + 50 * 50 * 39); /* neighbours of the lattice */
}

TEST(bad_input_is_refused_by_name) {
  struct base_arena *arena = test_arena();
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "bad", arena);
  struct mech *m;
  double *q, *u;
  const struct mech_body ball = {.name = "ball", .mass = 1, .inertia = {1, 1, 1}};
  struct mech_body b = ball;
#define REFUSED(call, text) CHECK_REFUSED(call, BASE_E_INPUT, text)
  REFUSED(mech_assembly_finish(a, &m, &q, &u, NULL), "no body moves");
  a = mech_assembly_alloc(MECH_SPATIAL, "bad", arena);
  b.mass = 0;
  REFUSED(mech_assembly_body(a, &b), "ball: mass 0");
  b = ball;
  b.inertia[1] = 2.1;
  REFUSED(mech_assembly_body(a, &b), "ball: moment of inertia 2");
  b = ball;
  b.orientation[1] = 0.9;
  REFUSED(mech_assembly_body(a, &b), "ball: orientation");
  b = ball;
  b.position[2] = NAN;
  REFUSED(mech_assembly_body(a, &b), "ball: its place");
  CHECK_INT(mech_assembly_body(a, &ball), 0);
  REFUSED(mech_assembly_shape(a, &(struct mech_shape){.radius = 1}), "no material 0");
  REFUSED(mech_assembly_material(a, &(struct mech_material){"ice", -1, 0, 0}), "ice: friction");
  REFUSED(mech_assembly_material(a, &(struct mech_material){"ice", 1, 1.5, 0}), "ice: rest");
  CHECK_INT(mech_assembly_material(a, &(struct mech_material){"ice", 0.1, 0, 0}), 0);
  REFUSED(mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_SPHERE}), "radius 0");
  REFUSED(mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_BOX}), "half side 1");
  REFUSED(mech_assembly_shape(a, &(struct mech_shape){.body = 4}), "no body 4");
  REFUSED(mech_assembly_pair(a, 0, 3, 0, 0, 0), "materials 0 and 3");
  REFUSED(mech_assembly_joint(a, &(struct mech_joint){.body = {-1, 7}}), "no body 7");
  REFUSED(mech_assembly_joint(a, &(struct mech_joint){.body = {0, 0}}), "to itself");
  REFUSED(mech_assembly_joint(a, &(struct mech_joint){.kind = MECH_JOINT_ROPE, .body = {-1, 0}}),
          "rope joint  between the world and ball: it needs a positive length");
  REFUSED(
      mech_assembly_joint(a, &(struct mech_joint){.kind = MECH_JOINT_REVOLUTE, .body = {-1, 0}}),
      "axis");
  REFUSED(mech_assembly_load(a, &(struct mech_load){.body = 1}), "no body 1");
  REFUSED(mech_assembly_load(a, &(struct mech_load){.from = 2, .to = 1}), "ends at 1");
  static const double t[] = {0, 0}, value[] = {1, 2};
  REFUSED(mech_assembly_load(a, &(struct mech_load){.factor = {2, t, value}}), "ascend");
  CHECK_OK(mech_assembly_finish(a, &m, &q, &u, NULL));
  REFUSED(mech_assembly_body(a, &ball), "finished");
  CHECK(mech_assembly_of(m) == a);
  CHECK_TEXT(m->q_names[3], "ball.a0");
#undef REFUSED
}
