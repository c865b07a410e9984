/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A double pendulum in space with one end on a plane (bhalerao 5, fig. 6): rods A and B, a
 * spherical joint at P2, and P1, the free end of A, that may not go below z = 0. Gravity acts along
 * -z. No other part touches the plane: the rods swing through it below P1.
 *
 *   P1 = r_A - (L/2) R_A e_z,   P2 = r_A + (L/2) R_A e_z = r_B - (L/2) R_B e_z
 *   R_A = R(qa1, qa2, qa3),     R_B = R_A R(qb1, qb2, qb3),   R(q) = Rx(q1) Ry(q2) Rz(q3)
 *
 * R is the body-fixed Euler-123 rotation; the angles of B are relative to A. The source gives L, m,
 * I = diag(1, 2, 3) and the angles. Choices: centres at mid-length, rods along the bodies' z axes,
 * upright over P1 at zero angles, so that the source's values lie inside the chart of the angles.
 *
 * The bodies are an assembly (src/mech/assembly/assembly.h), with unit quaternions or as scalable
 * bodies; or, as in the source, P1 and relative angles are the coordinates (relative.c). Published:
 * what the assembly publishes, P1, the centre of mass, and the six angles. An angle jumps where its
 * chart ends, so angles are shown and not compared with references.
 */
#include "cases/body_kit.h"
#include "cases/spatial-double-pendulum/relative.h"

#include "base/status.h"
#include "mech/assembly/assembly.h"

#include <math.h>
#include <string.h>

static const double LENGTH = SPATIAL_DOUBLE_PENDULUM_LENGTH;

static void pendulum_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                             double *u_out) {
  const struct mech_assembly *a = mech_assembly_of(m);
  const struct mech_pose A = mech_assembly_pose(a, q, 0), B = mech_assembly_pose(a, q, 1);
  double v[12];
  for (int b = 0; b < 2; ++b) { /* scalable bodies: without the rate of strain */
    const double *ub = u + b * m->nv, *A_b = q + 7 * b + 3;
    const double s =
        m->nv == 7 ? A_b[0] * A_b[0] + A_b[1] * A_b[1] + A_b[2] * A_b[2] + A_b[3] * A_b[3] : 1;
    for (int i = 0; i < 3; ++i) {
      v[6 * b + i] = ub[i];
      v[6 * b + 3 + i] = ub[m->nv - 3 + i] / s;
    }
  }
  memcpy(q_out, q, 14 * sizeof *q);
  spatial_double_pendulum_publish(A.R, B.R, v, q_out, u_out);
}

static const char *const q_names[SPATIAL_DOUBLE_PENDULUM_Q] = {
    "A.x", "A.y",  "A.z",  "A.a0", "A.a1", "A.a2", "A.a3", "B.x",  "B.y",
    "B.z", "B.a0", "B.a1", "B.a2", "B.a3", "P1.x", "P1.y", "P1.z", "C.x",
    "C.y", "C.z",  "qa1",  "qa2",  "qa3",  "qb1",  "qb2",  "qb3"};
static const char *const u_names[SPATIAL_DOUBLE_PENDULUM_U] = {
    "A.vx", "A.vy", "A.vz", "A.wx",  "A.wy",  "A.wz",  "B.vx", "B.vy", "B.vz",
    "B.wx", "B.wy", "B.wz", "P1.vx", "P1.vy", "P1.vz", "C.vx", "C.vy", "C.vz"};

/* The assembly with its joint, its point and the plane; 0, or a negative status. */
static int assemble(const struct case_parameters *p, struct mech_assembly *a) {
  const double qa[3] = {case_real(p, "qa1"), case_real(p, "qa2"), case_real(p, "qa3")};
  const double qb[3] = {case_real(p, "qb1"), case_real(p, "qb2"), case_real(p, "qb3")};
  const double P1[3] = {case_real(p, "x0"), case_real(p, "y0"), case_real(p, "z0")};
  struct mech_body A = {.name = "A",
                        .mass = SPATIAL_DOUBLE_PENDULUM_MASS,
                        .velocity = {case_real(p, "vx0"), case_real(p, "vy0"), 0}},
                   B = A;
  double RA[9], Rb[9], P2[3];
  B.name = "B";
  memcpy(A.inertia, spatial_double_pendulum_inertia, sizeof A.inertia);
  memcpy(B.inertia, spatial_double_pendulum_inertia, sizeof B.inertia);
  spatial_double_pendulum_rotation(qa, RA);
  spatial_double_pendulum_rotation(qb, Rb);
  spatial_double_pendulum_turn((double[4]){1, 0, 0, 0}, qa, A.orientation);
  spatial_double_pendulum_turn(A.orientation, qb, B.orientation);
  for (int i = 0; i < 3; ++i) {
    const double axis = RA[3 * i] * Rb[2] + RA[3 * i + 1] * Rb[5] + RA[3 * i + 2] * Rb[8];
    A.position[i] = P1[i] + 0.5 * LENGTH * RA[3 * i + 2];
    P2[i] = P1[i] + LENGTH * RA[3 * i + 2];
    B.position[i] = P2[i] + 0.5 * LENGTH * axis;
  }
  mech_assembly_gravity(a, (double[]){0, 0, -case_real(p, "g")});
  const int material = mech_assembly_material(
      a, &(struct mech_material){
             .name = "plane", .mu = case_real(p, "mu"), .eps_N = case_real(p, "eps_N")});
  const int status[] = {
      material,
      mech_assembly_body(a, &A),
      mech_assembly_body(a, &B),
      mech_assembly_joint(a, &(struct mech_joint){.kind = MECH_JOINT_SPHERICAL,
                                                  .body = {0, 1},
                                                  .point = {P2[0], P2[1], P2[2]}}),
      mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_POINT,
                                                  .body = 0,
                                                  .offset = {0, 0, -0.5 * LENGTH},
                                                  .material = material}),
      mech_assembly_shape(
          a, &(struct mech_shape){.kind = MECH_SHAPE_HALFSPACE, .body = -1, .material = material})};
  for (int i = 0; i < (int)(sizeof status / sizeof *status); ++i) {
    if (status[i] < 0) {
      return status[i];
    }
  }
  return BASE_OK;
}

/* A point that is to start on the plane starts there or a rounding below, not above: integrators
 * that ask for g_N <= 0 see it closed. */
static void settle(const struct mech *m, double *q, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct mech_contacts list;
  mech_contacts_init(&list, m, arena);
  mech_contacts_find(m, q, NULL, INFINITY, &list);
  while (list.gN[0] > 0) {
    for (int b = 0; b < 2; ++b) {
      q[7 * b + 2] = nextafter(q[7 * b + 2] - list.gN[0], -INFINITY);
    }
    mech_contacts_find(m, q, NULL, INFINITY, &list);
  }
  base_arena_release(arena, mark);
}

/* What records show, of either model. */
static void publish_names(struct mech *m) {
  m->nq_out = SPATIAL_DOUBLE_PENDULUM_Q;
  m->nu_out = SPATIAL_DOUBLE_PENDULUM_U;
  m->nq_compared = SPATIAL_DOUBLE_PENDULUM_ANGLES;
  m->q_names = q_names;
  m->u_names = u_names;
}

static void build_relative(const struct case_parameters *p, struct base_arena *arena,
                           struct case_instance *out) {
  static const char *const keys[9] = {"x0", "y0", "z0", "qa1", "qa2", "qa3", "qb1", "qb2", "qb3"};
  const struct spatial_double_pendulum_relative given = {
      .g = case_real(p, "g"), .mu = case_real(p, "mu"), .eps_N = case_real(p, "eps_N")};
  const double v[3] = {case_real(p, "vx0"), case_real(p, "vy0"), 0};
  double q[9];
  for (int i = 0; i < 9; ++i) {
    q[i] = case_real(p, keys[i]);
  }
  spatial_double_pendulum_relative_build(&given, q, v, arena, out);
  publish_names(out->mech);
}

static int build_bodies(const struct case_parameters *p, struct base_arena *arena,
                        struct case_instance *out) {
  const int scalable = strcmp(case_choice(p, "bodies"), "scalable") == 0;
  struct mech_assembly *a = mech_assembly_alloc(scalable ? MECH_SCALABLE : MECH_SPATIAL,
                                                "spatial-double-pendulum", arena);
  const int status = body_finish(a, assemble(p, a), out, "spatial-double-pendulum");
  if (status != BASE_OK) {
    return status;
  }
  struct mech *m = out->mech;
  struct mech_ops *ops = base_arena_push(arena, sizeof *ops);
  *ops = *m->ops;
  ops->observe = pendulum_observe;
  m->ops = ops;
  publish_names(m);
  if (case_real(p, "z0") == 0) {
    settle(m, out->q, arena);
  }
  return BASE_OK;
}

static int pendulum_build(const struct case_parameters *p, struct base_arena *arena,
                          struct case_instance *out) {
  if (case_real(p, "z0") < 0) {
    return base_fail(BASE_E_INPUT, "spatial-double-pendulum: z0 = %g m is below the plane",
                     case_real(p, "z0"));
  }
  if (strcmp(case_choice(p, "bodies"), "relative") == 0) {
    build_relative(p, arena, out);
    return BASE_OK;
  }
  return build_bodies(p, arena, out);
}

static const struct case_function *const functions[] = {
    spatial_double_pendulum_angles_functions, spatial_double_pendulum_planar_functions, NULL};

const struct case_type case_spatial_double_pendulum = {
    .name = "spatial-double-pendulum",
    .summary = "two rods on a ball joint, one end on a plane: slides, sticks, bounces",
    .source = "bhalerao 5",
    .build = pendulum_build,
    .functions = functions};
