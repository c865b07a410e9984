/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A point mass falls onto horizontal ground, loses its normal velocity there, slides and stops
 * (yu, figs 6 to 8). q = (x, y), u = qdot, M = m I, V = m g y, g_N = y, w_N = (0, 1), w_T = (1, 0),
 * restitution 0.
 *
 * Closed form, the reference. Flight until t_i = (v_y0 + s)/g, s = sqrt(v_y0^2 + 2 g y0). The
 * impact takes the normal velocity -s with L_N = m s, and L_T = -sgn(v_x) m min(|v_x|, mu s), so
 * that the particle goes on with speed w = max(0, |v_x0| - mu s), decelerates by mu g and stops at
 * x_i + w^2/(2 mu g). Times and speeds at events belong to what follows (right-continuous).
 */
#include "cases/case.h"

#include "base/status.h"

#include <float.h>
#include <math.h>

struct particle {
  double m, g, mu; /* [kg], [m/s^2], [-] */
};

static void particle_mass(const struct mech *m, const double *q, double *M) {
  const struct particle *p = m->data;
  (void)q;
  M[0] = M[3] = p->m;
  M[1] = M[2] = 0;
}

static void particle_force(const struct mech *m, const double *q, const double *u, double t,
                           double *h) {
  const struct particle *p = m->data;
  (void)q, (void)u, (void)t;
  h[0] = 0;
  h[1] = -p->m * p->g;
}

static double particle_potential(const struct mech *m, const double *q) {
  const struct particle *p = m->data;
  return p->m * p->g * q[1];
}

static void particle_gradient(const struct mech *m, const double *q, double *dV) {
  const struct particle *p = m->data;
  (void)q;
  dV[0] = 0;
  dV[1] = p->m * p->g;
}

static void particle_contacts(const struct mech *m, const double *q, const double *u, double reach,
                              struct mech_contacts *out) {
  const struct particle *p = m->data;
  (void)u; /* W is constant: the bias is zero */
  if (q[1] > reach) {
    return;
  }
  const int i = mech_contacts_push(out);
  double *W = mech_contacts_block(out, i, 0);
  out->gN[i] = q[1];
  out->mu[i] = p->mu;
  out->body[2 * i] = 0;
  W[1] = 1; /* w_N = (0, 1) */
  W[2] = 1; /* w_T = (1, 0) */
}

static void particle_slips(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                           const double *b, double *s) {
  (void)m;
  for (int i = 0; i < at_a->n; ++i) {
    s[2 * i] = b[1] - a[1];
    s[2 * i + 1] = b[0] - a[0];
  }
}

static void particle_discrete_gap(const struct mech *m, long id, const double *a, const double *b,
                                  double *DgN) {
  (void)m, (void)id, (void)a, (void)b;
  DgN[0] = 0;
  DgN[1] = 1;
}

/* V is linear and there are no constraints. */
static void particle_stiffness(const struct mech *m, const struct mech_step *step, double *S) {
  (void)m, (void)step;
  S[0] = S[1] = S[2] = S[3] = 0;
}

static const struct mech_ops particle_ops = {
    .mass = particle_mass,
    .force = particle_force,
    .potential = particle_potential,
    .potential_gradient = particle_gradient,
    .contacts = particle_contacts,
    .slips = particle_slips,
    .consistent.discrete_potential = mech_discrete_potential_linear,
    .consistent.discrete_gap = particle_discrete_gap,
    .consistent.discrete_stiffness = particle_stiffness,
    .consistent.discrete_gap_slope = mech_discrete_gap_linear};
static const char *const particle_q_names[] = {"x", "y"};
static const char *const particle_u_names[] = {"vx", "vy"};

static int particle_build(const struct case_parameters *p, struct base_arena *arena,
                          struct case_instance *out) {
  struct particle *data = base_arena_push(arena, sizeof *data);
  *data =
      (struct particle){.m = case_real(p, "m"), .g = case_real(p, "g"), .mu = case_real(p, "mu")};
  const double y0 = case_real(p, "y0"), vx0 = case_real(p, "vx0"), vy0 = case_real(p, "vy0");
  const double s = sqrt(vy0 * vy0 + 2 * data->g * y0); /* speed of the impact */
  const double length = fmax(s * s, vx0 * vx0) / (2 * data->g);
  struct mech *m = case_model("falling-particle", &particle_ops, data, 2, 2, 2, arena, out);
  m->constant_mass = m->diagonal_mass = 1;
  m->q_names = particle_q_names;
  m->u_names = particle_u_names;
  m->length = length > 0 ? length : 1.0; /* at rest on the ground: any will do */
  m->speed = sqrt(2 * data->g * m->length);
  out->q[0] = case_real(p, "x0");
  out->q[1] = y0;
  out->u[0] = vx0;
  out->u[1] = vy0;
  return BASE_OK;
}

/* A few roundings of numbers as large as the largest coordinate or velocity on the way. */
static const double PARTICLE_ROUNDINGS = 16;

/* Time of the impact, and the speed at which the particle comes to the ground. */
static double impact_of(const struct case_parameters *p, double *s) {
  const double g = case_real(p, "g"), y0 = case_real(p, "y0"), vy0 = case_real(p, "vy0");
  *s = sqrt(vy0 * vy0 + 2 * g * y0);
  /* Both forms are (v_y0 + s)/g; the second does not cancel when thrown downwards. */
  return vy0 >= 0 ? (vy0 + *s) / g : 2 * y0 / (*s - vy0);
}

/* q: x y, u: vx vy. Returns its error bound. */
static double particle_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const double g = case_real(p, "g"), mu = case_real(p, "mu");
  const double x0 = case_real(p, "x0"), y0 = case_real(p, "y0");
  const double vx0 = case_real(p, "vx0"), vy0 = case_real(p, "vy0");
  double s;
  const double t_i = impact_of(p, &s);
  if (t < t_i) {
    q[0] = x0 + vx0 * t;
    q[1] = y0 + vy0 * t - 0.5 * g * t * t;
    u[0] = vx0;
    u[1] = vy0 - g * t;
  } else {
    const double w = fmax(0, fabs(vx0) - mu * s), a = mu * g;
    const double slides = t - t_i;
    const double until_rest = a > 0 ? w / a : (w > 0 ? INFINITY : 0);
    const int moving = slides < until_rest;
    const double path = moving ? (w - 0.5 * a * slides) * slides : (a > 0 ? w * w / (2 * a) : 0.0);
    q[0] = x0 + vx0 * t_i + copysign(path, vx0);
    q[1] = 0;
    u[0] = moving ? copysign(w - a * slides, vx0) : 0;
    u[1] = 0;
  }
  const double size = fmax(fabs(x0) + fabs(vx0) * (t + t_i), y0 + s * s / (2 * g));
  return PARTICLE_ROUNDINGS * DBL_EPSILON * fmax(size, fabs(vx0) + s);
}

static void particle_work(const struct case_parameters *p, double t, double work[4]) {
  const double m = case_real(p, "m"), vx0 = case_real(p, "vx0");
  double s, q[2], u[2];
  const int has_landed = t >= impact_of(p, &s);
  particle_reference(p, t, q, u);
  work[0] = 0.5 * m * (u[0] - vx0) * (u[0] + vx0);
  work[1] = has_landed ? -0.5 * m * s * s : 0;
}

const struct case_type case_falling_particle = {
    .name = "falling-particle",
    .summary = "a point mass falls on rough ground, slides and stops; closed form known",
    .source = "yu, figs 6 to 8",
    .build = particle_build,
    .reference = particle_reference,
    .work = particle_work};
