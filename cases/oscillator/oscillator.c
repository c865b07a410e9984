/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A heavy mass on a light one that stands on a stiff spring (moeller 6.1):
 *
 *   q = (x1, x2), u = qdot, M = diag(m1, m2)                                            (6.1, 6.2)
 *   V = c/2 (x2 - l)^2 + g (m1 x1 + m2 x2)                                              (6.3)
 *   g_N = x1 - x2, w_N = (1, -1), Newton's impact law with eps                          (6.4
 * to 6.7)
 *
 * The light mass alone has the frequency sqrt(c/m2), which no explicit step longer than
 * 2 / sqrt(c/m2) survives: 1e-4 s with the source's values.
 */
#include "cases/case.h"

#include "base/status.h"

#include <math.h>

struct oscillator {
  double m1, m2, c, l, g, eps; /* [kg], [kg], [N/m], [m], [m/s^2], [-] */
};

static void oscillator_mass(const struct mech *m, const double *q, double *M) {
  const struct oscillator *p = m->data;
  (void)q;
  M[0] = p->m1;
  M[1] = M[2] = 0;
  M[3] = p->m2;
}

static double oscillator_potential(const struct mech *m, const double *q) {
  const struct oscillator *p = m->data;
  const double d = q[1] - p->l;
  return 0.5 * p->c * d * d + p->g * (p->m1 * q[0] + p->m2 * q[1]);
}

static void oscillator_gradient(const struct mech *m, const double *q, double *dV) {
  const struct oscillator *p = m->data;
  dV[0] = p->g * p->m1;
  dV[1] = p->c * (q[1] - p->l) + p->g * p->m2;
}

static void oscillator_force(const struct mech *m, const double *q, const double *u, double t,
                             double *h) {
  (void)u, (void)t;
  oscillator_gradient(m, q, h);
  h[0] = -h[0];
  h[1] = -h[1];
}

/* V is quadratic: the gradient at the midpoint (moeller 5.28). */
static void oscillator_discrete_potential(const struct mech *m, const double *a, const double *b,
                                          double *DV) {
  const double middle[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
  oscillator_gradient(m, middle, DV);
}

static void oscillator_contacts(const struct mech *m, const double *q, const double *u,
                                double reach, struct mech_contacts *out) {
  const struct oscillator *p = m->data;
  (void)u; /* w_N is constant: the bias is zero */
  if (q[0] - q[1] > reach) {
    return;
  }
  const int i = mech_contacts_push(out);
  double *W = mech_contacts_block(out, i, 0);
  out->gN[i] = q[0] - q[1];
  out->eps_N[i] = p->eps;
  out->body[2 * i] = 0;
  W[0] = 1;
  W[1] = -1;
}

static void oscillator_discrete_gap(const struct mech *m, long id, const double *a, const double *b,
                                    double *DgN) {
  (void)m, (void)id, (void)a, (void)b;
  DgN[0] = 1;
  DgN[1] = -1;
}

static void oscillator_stiffness(const struct mech *m, const struct mech_step *step, double *S) {
  const struct oscillator *p = m->data;
  S[0] = S[1] = S[2] = 0;
  S[3] = 0.5 * step->dt * p->c;
}

static const struct mech_ops oscillator_ops = {
    .mass = oscillator_mass,
    .force = oscillator_force,
    .potential = oscillator_potential,
    .potential_gradient = oscillator_gradient,
    .contacts = oscillator_contacts,
    .consistent.discrete_potential = oscillator_discrete_potential,
    .consistent.discrete_gap = oscillator_discrete_gap,
    .consistent.discrete_stiffness = oscillator_stiffness,
    .consistent.discrete_gap_slope = mech_discrete_gap_linear};
static const char *const oscillator_q_names[] = {"x1", "x2"};
static const char *const oscillator_u_names[] = {"u1", "u2"};

static int oscillator_build(const struct case_parameters *p, struct base_arena *arena,
                            struct case_instance *out) {
  const double x1 = case_real(p, "x1_0"), x2 = case_real(p, "x2_0");
  const double u1 = case_real(p, "u1_0"), u2 = case_real(p, "u2_0");
  if (x1 < x2) {
    return base_fail(BASE_E_INPUT,
                     "oscillator: x1_0 = %g is below x2_0 = %g: the masses would overlap", x1, x2);
  }
  struct oscillator *data = base_arena_push(arena, sizeof *data);
  *data = (struct oscillator){.m1 = case_real(p, "m1"),
                              .m2 = case_real(p, "m2"),
                              .c = case_real(p, "c"),
                              .l = case_real(p, "l"),
                              .g = case_real(p, "g"),
                              .eps = case_real(p, "eps")};
  struct mech *m = case_model("oscillator", &oscillator_ops, data, 2, 2, 1, arena, out);
  m->constant_mass = m->diagonal_mass = 1;
  m->q_names = oscillator_q_names;
  m->u_names = oscillator_u_names;
  m->length = fmax(data->l, fmax(fabs(x1), fabs(x2)));
  m->speed = fmax(sqrt(2 * data->g * m->length), fmax(fabs(u1), fabs(u2)));
  if (!(m->speed > 0)) {
    m->speed = m->length * sqrt(data->c / data->m1); /* no gravity, at rest: the spring's own */
  }
  out->q[0] = x1;
  out->q[1] = x2;
  out->u[0] = u1;
  out->u[1] = u2;
  return BASE_OK;
}

const struct case_type case_oscillator = {
    .name = "oscillator",
    .summary = "two masses, mass ratio 1e4, on a stiff spring, with one unilateral contact",
    .source = "moeller 6.1, table 6.1",
    .build = oscillator_build};
