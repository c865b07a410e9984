/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kane-pendulum: the energy of the impact over friction and over restitution, by Newton's and by
 * Poisson's law, against the closed forms of kane-pendulum.c.
 */
#include "cases/kane-pendulum/kane-pendulum.h"

#include <math.h>

static double gain(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return case_number(s, "energy.final") / case_number(s, "energy.initial") - 1;
}

static double part_of(const struct case_series *s, const char *path) {
  return case_number(s, path) / case_number(s, "energy.initial");
}

static double friction_work(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return part_of(s, "energy.budget.friction");
}

static double exact_of(const struct case_results *r, const struct case_series *s,
                       enum kane_law law) {
  return kane_pendulum_gain(r->p, law, case_number(s, "case.parameters.mu"),
                            case_number(s, "case.parameters.eps"));
}

static double off_newton(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(gain(r, s, k) - exact_of(r, s, KANE_NEWTON));
}

static double off_poisson(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(gain(r, s, k) - exact_of(r, s, KANE_POISSON));
}

enum { POINTS = 201 };

/* The ratio, and the gains by both laws with it for mu, and for eps. */
static void exact(const struct case_results *r, const struct case_series *s, int k, double *out) {
  const double x = (double)k / (POINTS - 1);
  const double mu = case_real(r->p, "mu"), eps = case_real(r->p, "eps");
  (void)s;
  out[0] = x;
  out[1] = kane_pendulum_gain(r->p, KANE_NEWTON, x, eps);
  out[2] = kane_pendulum_gain(r->p, KANE_POISSON, x, eps);
  out[3] = kane_pendulum_gain(r->p, KANE_NEWTON, mu, x);
  out[4] = kane_pendulum_gain(r->p, KANE_POISSON, mu, x);
}

const struct case_function kane_pendulum_functions[] = {{"gain", .value = gain},
                                                        {"friction_work", .value = friction_work},
                                                        {"exact", .row = exact},
                                                        {"off_newton", .value = off_newton},
                                                        {"off_poisson", .value = off_poisson},
                                                        {0}};
