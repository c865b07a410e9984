/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worked example of a case: a ball falls on a floor and bounces. q = (y), the height of its lowest
 * point; u = ydot; M = m; V = m g y; one contact without friction, g_N = y, w_N = 1, restitution
 * eps.
 *
 * Closed form, the reference: the ball lands with v = sqrt(2 g y0) at v/g, and after the k-th
 * landing flies for 2 eps^k v/g. The flights end at v/g (1 + 2 eps/(1 - eps)); then it rests.
 *
 * As cases/bouncing-example/bouncing-example.c, with bouncing-example.json beside it and the line
 * CASE(bouncing_example) in cases/registry.h, this is all there is to a case.
 */
#include "cases/case.h"

#include "base/status.h"

#include <float.h>
#include <math.h>

struct ball {
  double m, g, eps; /* [kg], [m/s^2], [-] */
};

static void ball_mass(const struct mech *m, const double *q, double *M) {
  const struct ball *ball = m->data;
  (void)q;
  M[0] = ball->m;
}

static void ball_force(const struct mech *m, const double *q, const double *u, double t,
                       double *h) {
  const struct ball *ball = m->data;
  (void)q, (void)u, (void)t;
  h[0] = -ball->m * ball->g;
}

static double ball_potential(const struct mech *m, const double *q) {
  const struct ball *ball = m->data;
  return ball->m * ball->g * q[0];
}

static void ball_gradient(const struct mech *m, const double *q, double *dV) {
  const struct ball *ball = m->data;
  (void)q;
  dV[0] = ball->m * ball->g;
}

static void ball_contacts(const struct mech *m, const double *q, const double *u, double reach,
                          struct mech_contacts *out) {
  const struct ball *ball = m->data;
  (void)u; /* W is constant: its bias stays 0 */
  if (q[0] <= reach) {
    const int i = mech_contacts_push(out);
    out->gN[i] = q[0];
    out->eps_N[i] = ball->eps;
    out->body[2 * i] = 0;                  /* block 0 of u against the world */
    mech_contacts_block(out, i, 0)[0] = 1; /* w_N */
  }
}

static const struct mech_ops ball_ops = {.mass = ball_mass,
                                         .force = ball_force,
                                         .potential = ball_potential,
                                         .potential_gradient = ball_gradient,
                                         .contacts = ball_contacts};
static const char *const ball_q_names[] = {"y"};
static const char *const ball_u_names[] = {"vy"};

static int ball_build(const struct case_parameters *p, struct base_arena *arena,
                      struct case_instance *out) {
  struct ball *ball = base_arena_push(arena, sizeof *ball);
  *ball = (struct ball){.m = case_real(p, "m"), .g = case_real(p, "g"), .eps = case_real(p, "eps")};
  const double y0 = case_real(p, "y0");
  struct mech *m = /* the last 1: normal components alone */
      case_model("bouncing-example", &ball_ops, ball, 1, 1, 1, arena, out);
  m->constant_mass = 1;
  m->q_names = ball_q_names;
  m->u_names = ball_u_names;
  m->length = y0;
  m->speed = sqrt(2 * ball->g * y0);
  out->q[0] = y0; /* released at rest */
  return BASE_OK;
}

static double ball_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const double g = case_real(p, "g"), eps = case_real(p, "eps"), y0 = case_real(p, "y0");
  const double v0 = sqrt(2 * g * y0);
  const double bound = 16 * DBL_EPSILON * fmax(y0, v0 * t); /* a few roundings of the path */
  q[0] = u[0] = 0;
  if (t < v0 / g) {
    q[0] = y0 - 0.5 * g * t * t;
    u[0] = -g * t;
    return bound;
  }
  double since = t - v0 / g;
  for (double v = eps * v0; v > DBL_EPSILON * v0; v *= eps) {
    if (since < 2 * v / g) {
      q[0] = (v - 0.5 * g * since) * since;
      u[0] = v - g * since;
      break;
    }
    since -= 2 * v / g;
  }
  return bound;
}

const struct case_type case_bouncing_example = {
    .name = "bouncing-example",
    .summary = "a ball bounces on a floor; closed form known",
    .source = "worked example",
    .build = ball_build,
    .reference = ball_reference,
};
