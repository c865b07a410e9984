/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-3.12: the energy of the impact of a sprag clutch and an elastic contact, by law of
 * restitution, against the closed forms of sprag-clutch.c. u_2 = -1 m/s is slower and -3 m/s is
 * faster than mass 1. Energies over m u_1 |u_2|, what Newton's law makes of nothing for eps_2 = 1
 * (3.168).
 */
#include "cases/sprag-clutch/sprag-clutch.h"

#include <math.h>
#include <stdio.h>

/* All velocities in closed form, solved to 1e-10 of the free ones; twice for a square. */
#define SOLVED 1e-8

static double energy(double u1, double u2) { return 0.5 * (u1 * u1 + u2 * u2); }

/* T^+ - T^- over m u_1 |u_2| of velocities after the impact. */
static double gain_of(double u1, double u2, struct sprag_clutch_impact after) {
  return (energy(after.u1, after.u2) - energy(u1, u2)) / (u1 * fabs(u2));
}

/* The same of a run. */
static double gain(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return (case_number(s, "energy.final") - case_number(s, "energy.initial")) /
         (case_number(s, "case.parameters.m") * case_number(s, "case.parameters.u1") *
          fabs(case_number(s, "case.parameters.u2")));
}

/* Of what impacts did by the budget. */
static double impact_work(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_number(s, "energy.budget.impact") /
         (case_real(r->p, "m") * case_real(r->p, "u1") * fabs(case_real(r->p, "u2")));
}

/* Against the closed form of the law. */
static double off_newton(const struct case_results *r, const struct case_series *s, int k) {
  const double u1 = case_real(r->p, "u1"), u2 = case_word(r, s, "u2");
  return fabs(gain(r, s, k) -
              gain_of(u1, u2, sprag_clutch_newton(u1, u2, case_word(r, s, "eps2"))));
}

static double off_poisson(const struct case_results *r, const struct case_series *s, int k) {
  const double u1 = case_real(r->p, "u1"), u2 = case_word(r, s, "u2");
  return fabs(gain(r, s, k) -
              gain_of(u1, u2, sprag_clutch_poisson(u1, u2, case_word(r, s, "eps2"))));
}

/* By the closed form, a little to either side. */
static void of_newton(const struct case_results *r, const struct case_series *s, double *lo,
                      double *hi) {
  const double u1 = case_real(r->p, "u1"), u2 = case_word(r, s, "u2");
  const double exact = gain_of(u1, u2, sprag_clutch_newton(u1, u2, case_word(r, s, "eps2")));
  *lo = exact - SOLVED;
  *hi = exact + SOLVED;
}

enum { POINTS = 101 };

/* eps_2, and the gains by both laws for both velocities of mass 2. */
static void exact(const struct case_results *r, const struct case_series *s, int k, double *out) {
  const double u1 = case_real(r->p, "u1"), eps = (double)k / (POINTS - 1), faster = -3;
  const double u2[2] = {case_real(r->p, "u2"), faster};
  (void)s;
  out[0] = eps;
  for (int i = 0; i < 2; ++i) {
    out[1 + 2 * i] = gain_of(u1, u2[i], sprag_clutch_newton(u1, u2[i], eps));
    out[2 + 2 * i] = gain_of(u1, u2[i], sprag_clutch_poisson(u1, u2[i], eps));
  }
}

const struct case_function sprag_clutch_functions[] = {{"gain", .value = gain},
                                                       {"exact", .row = exact},
                                                       {"impact_work", .value = impact_work},
                                                       {"off_newton", .value = off_newton},
                                                       {"off_poisson", .value = off_poisson},
                                                       {"of_newton", .bounds = of_newton},
                                                       {0}};
