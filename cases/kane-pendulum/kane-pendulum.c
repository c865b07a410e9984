/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A double pendulum strikes a rough floor with its free end (Kane and Levinson, Dynamics: theory
 * and applications, 1985): by Newton's law of restitution and Coulomb's of friction it has more
 * energy after the impact than before. Two uniform rods of mass m and length l, at angles q_1 and
 * q_2 from the vertical, absolute rates u_1 and u_2; the tip moves with
 *
 *   v_N = l (u_1 sin q_1 + u_2 sin q_2),   v_T = l (u_1 cos q_1 + u_2 cos q_2)
 *   T = m l^2 (2/3 u_1^2 + 1/2 u_1 u_2 cos(q_1 - q_2) + 1/6 u_2^2)
 *   A = W^T M^-1 W, 2 x 2;  v = v^- + A r
 *
 * Newton's law asks for v_N^+ = -eps v_N^-. Friction that slows the tip down, or turns it round,
 * takes part of the normal velocity with it (A_NT), and the normal impulse that it then takes to
 * have v_N^+ may do work. Poisson's law gives the normal impulse of the expansion, eps times that
 * of the compression; its v_N^+ is then what it is. Both are enumerated here: rest or motion of the
 * tip, friction that holds or slides in either direction.
 */
#include "cases/kane-pendulum/kane-pendulum.h"

#include "base/status.h"
#include "cases/body_kit.h"

#include <math.h>

static int kane_build(const struct case_parameters *p, struct base_arena *arena,
                      struct case_instance *out) {
  const double m = case_real(p, "m"), l = case_real(p, "l");
  const double q[2] = {case_real(p, "q1"), case_real(p, "q2")};
  const double u[2] = {case_real(p, "u1"), case_real(p, "u2")};
  struct mech_assembly *a = body_plane_begin("kane-pendulum", MECH_PLANAR, case_real(p, "g"),
                                             case_real(p, "mu"), case_real(p, "eps"), arena);
  double joint[2] = {0, l * (cos(q[0]) + cos(q[1]))}, speed[2] = {0, 0};
  int rod = -1;
  for (int i = 0; i < 2; ++i) {
    static const char *const names[] = {"upper", "lower"};
    const double along[2] = {l * sin(q[i]), -l * cos(q[i])}; /* the rod, downward */
    const struct mech_joint hinge = {.kind = MECH_JOINT_SPHERICAL,
                                     .name = i == 0 ? "ceiling" : "knee",
                                     .body = {rod, rod + 1},
                                     .point = {joint[0], joint[1]}};
    rod = mech_assembly_body(
        a, &(struct mech_body){
               .name = names[i],
               .mass = m,
               .inertia = {0, 0, m * l * l / 12},
               .position = {joint[0] + 0.5 * along[0], joint[1] + 0.5 * along[1]},
               .velocity = {speed[0] - 0.5 * u[i] * along[1], speed[1] + 0.5 * u[i] * along[0]},
               .phi = q[i],
               .omega = {0, 0, u[i]}});
    mech_assembly_joint(a, &hinge);
    joint[0] += along[0];
    joint[1] += along[1];
    speed[0] -= u[i] * along[1];
    speed[1] += u[i] * along[0];
  }
  mech_assembly_shape(
      a, &(struct mech_shape){.kind = MECH_SHAPE_POINT, .body = rod, .offset = {0, -0.5 * l}});
  mech_assembly_scales(a, l, l * fmax(fabs(u[0]), fabs(u[1])));
  return body_finish(a, BASE_OK, out, NULL);
}

/* ---- the impact in closed form ---- */

/* x of A x = b, 2 x 2. */
static void solve2(double a, double c, double d, const double b[2], double x[2]) {
  const double det = a * d - c * c;
  x[0] = (d * b[0] - c * b[1]) / det;
  x[1] = (a * b[1] - c * b[0]) / det;
}

struct pendulum {
  double M[3], W[2][2], A[3]; /* symmetric: 11, 12, 22; W: normal, tangential by u_1, u_2 */
};

static struct pendulum pendulum_of(const struct case_parameters *p) {
  const double m = case_real(p, "m"), l = case_real(p, "l");
  const double q1 = case_real(p, "q1"), q2 = case_real(p, "q2"), J = m * l * l;
  struct pendulum x = {.M = {4.0 / 3 * J, 0.5 * J * cos(q1 - q2), J / 3},
                       .W = {{l * sin(q1), l * sin(q2)}, {l * cos(q1), l * cos(q2)}}};
  double y[2][2];
  for (int k = 0; k < 2; ++k) {
    solve2(x.M[0], x.M[1], x.M[2], x.W[k], y[k]);
  }
  for (int i = 0, e = 0; i < 2; ++i) {
    for (int j = i; j < 2; ++j, ++e) {
      x.A[e] = x.W[i][0] * y[j][0] + x.W[i][1] * y[j][1];
    }
  }
  return x;
}

/* r with 0 <= r_N - given perp A r + b >= 0 in the normal and friction of mu r_N, by cases; the
 * first that fits. Returns whether there is one. */
static int contact_impulse(const double A[3], const double b[2], double mu, double given,
                           double r[2]) {
  const double fuzz = 1e-13;
  for (int k = 0; k < 6; ++k) {
    const int leaves = k < 3, slides = k % 3; /* 0: holds, 1: backwards, 2: forwards */
    const double side = slides == 0 ? 0 : slides == 1 ? mu : -mu;
    if (leaves) {
      r[0] = given;
      r[1] = slides ? side * r[0] : -(b[1] + A[1] * r[0]) / A[2];
    } else if (slides) {
      r[0] = -b[0] / (A[0] + A[1] * side);
      r[1] = side * r[0];
    } else {
      solve2(A[0], A[1], A[2], (double[2]){-b[0], -b[1]}, r);
    }
    const double v_N = b[0] + A[0] * r[0] + A[1] * r[1], v_T = b[1] + A[1] * r[0] + A[2] * r[1];
    const double slack = fuzz * (fabs(b[0]) + fabs(b[1]));
    if (v_N >= -slack && A[0] * (r[0] - given) >= -slack &&
        A[0] * (fabs(r[1]) - mu * r[0]) <= slack && side * v_T <= slack) {
      return 1;
    }
  }
  return 0;
}

double kane_pendulum_gain(const struct case_parameters *p, enum kane_law law, double mu,
                          double eps) {
  const struct pendulum x = pendulum_of(p);
  const double u[2] = {case_real(p, "u1"), case_real(p, "u2")};
  double v[2], r[2], T_gain = 0;
  for (int k = 0; k < 2; ++k) {
    v[k] = x.W[k][0] * u[0] + x.W[k][1] * u[1];
  }
  if (law == KANE_NEWTON) {
    if (!contact_impulse(x.A, (double[2]){(1 + eps) * v[0], v[1]}, mu, 0, r)) {
      return NAN;
    }
  } else {
    double second[2], left[2];
    if (!contact_impulse(x.A, v, mu, 0, r)) {
      return NAN;
    }
    left[0] = v[0] + x.A[0] * r[0] + x.A[1] * r[1];
    left[1] = v[1] + x.A[1] * r[0] + x.A[2] * r[1];
    if (!contact_impulse(x.A, left, mu, eps * r[0], second)) {
      return NAN;
    }
    r[0] += second[0];
    r[1] += second[1];
  }
  T_gain = r[0] * v[0] + r[1] * v[1] +
           0.5 * (x.A[0] * r[0] * r[0] + 2 * x.A[1] * r[0] * r[1] + x.A[2] * r[1] * r[1]);
  const double T = 0.5 * (x.M[0] * u[0] * u[0] + 2 * x.M[1] * u[0] * u[1] + x.M[2] * u[1] * u[1]);
  return T_gain / T;
}

/* T^+/T^- - 1 by both laws, of friction and restitution. */
static double newton(const struct case_parameters *p, const double *x) {
  return kane_pendulum_gain(p, KANE_NEWTON, x[0], x[1]);
}

static double poisson(const struct case_parameters *p, const double *x) {
  return kane_pendulum_gain(p, KANE_POISSON, x[0], x[1]);
}

static const struct case_function own_functions[] = {
    {"newton", .formula = newton, .n_numbers = 2},
    {"poisson", .formula = poisson, .n_numbers = 2},
    {0}};
static const struct case_function *const functions[] = {own_functions, NULL};

const struct case_type case_kane_pendulum = {
    .name = "kane-pendulum",
    .summary = "a double pendulum strikes a rough floor and gains energy by Newton's law",
    .source = "Kane and Levinson 1985; moeller 3.9 (Newton and Poisson)",
    .build = kane_build,
    .functions = functions};
