/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * penalty-front: penalty against the rigid limit, and both families by their work. Derived for a
 * contact of mass m met at the speed s, omega = sqrt(K/m), viscous damping for the restitution
 * eps = exp(-2 zeta arccos(zeta)/sqrt(1 - zeta^2)) (src/form/penalty/restitution.c):
 *
 *   depth  g = s exp(-zeta omega t) sin(w t)/w is deepest at w t = arccos zeta, where it is
 *          (s/omega) exp(-zeta arccos(zeta)/sqrt(1 - zeta^2)) = s sqrt(eps m/K)
 *   rest   m g/K
 *   step   RK4: dt D/m < 2.785 for large D = 2 zeta sqrt(K m), that is dt < 2.785 sqrt(eps m/K),
 *          where the depth is s dt/2.785: an explicit stepper at its limit is as far off as an
 *          impulse scheme of this step is, by a part of s dt
 *
 * The error so falls as K^-1/2 while the particle is deep, as K^-1 at rest, as (s^2 m/K)^(2/5) for
 * Hertz; K made for an allowed depth, with as many parts as it asks for (src/form/penalty/rule.c,
 * parts.c), is on that front, with the depth as error and its inverse as work; the work of explicit
 * steppers rises as K^1/2, that of implicit ones hardly. The limit of the step is measured as well:
 * a particle laid on the ground comes to rest at m g/K below it, or does not.
 */
#include "cases/falling-particle/figures.h"

#include "cases/body_kit.h"
#include "cases/figure/front.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Runs of the depth, at well-resolved steps, and of the limit of the step. */
enum { LIMITS = 3, FACTORS = 4 };

#define NEAR 0.02 /* relative */

static double impact_speed(const struct case_parameters *p) {
  const double vy = case_real(p, "vy0");
  return sqrt(vy * vy + 2 * case_real(p, "g") * case_real(p, "y0"));
}

/* ---- depth and rest ---- */

static double stiffness_of(const struct case_series *s) {
  return case_number(s, "formulation.options.K");
}

/* s sqrt(eps m/K) [m] */
static double depth_formula(const struct case_results *r, const struct case_series *s, int k) {
  const double eps = case_number(s, "formulation.options.eps_min");
  (void)k;
  return impact_speed(r->p) * sqrt(eps * case_real(r->p, "m") / stiffness_of(s));
}

static double depth_error(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(case_number(s, "constraints.penetration_max") / depth_formula(r, s, k) - 1);
}

/* m g/K [m] */
static double rest_formula(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_real(r->p, "m") * case_real(r->p, "g") / stiffness_of(s);
}

static double rest_error(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(-body_final(s, "q", 1) / rest_formula(r, s, k) - 1);
}

/* ---- limit of the step ---- */

/* At rest m g/K below the ground? A contact that only pushes turns a small growing oscillation into
 * a lasting one, of speeds g dt. */
static int settles(const struct case_results *r, const struct case_series *s) {
  const double g = case_real(r->p, "g");
  const double sink = case_real(r->p, "m") * g / case_word(r, s, "K");
  return body_ran(s) && fabs(body_final(s, "q", 1) / sink + 1) < NEAR &&
         fabs(body_final(s, "u", 1)) < NEAR * g * s->run->dt;
}

/* The longest step that settles, and the shortest that does not, of the factors from this run on
 * [s]. */
static double longest_step(const struct case_results *r, const struct case_series *s, int k) {
  double holds = 0;
  for (k = 0; k < FACTORS; ++k) {
    holds = settles(r, s + k) ? fmax(holds, s[k].run->dt) : holds;
  }
  return holds;
}

static double too_long_step(const struct case_results *r, const struct case_series *s, int k) {
  double fails = INFINITY;
  for (k = 0; k < FACTORS; ++k) {
    fails = settles(r, s + k) ? fails : fmin(fails, s[k].run->dt);
  }
  return fails;
}

static double longest_over_estimate(const struct case_results *r, const struct case_series *s,
                                    int k) {
  return longest_step(r, s, k) / case_number(s, "formulation.stable_dt");
}

static double estimate_over_too_long(const struct case_results *r, const struct case_series *s,
                                     int k) {
  return case_number(s, "formulation.stable_dt") / too_long_step(r, s, k);
}

/* ---- tables and checks ---- */

const struct case_function falling_particle_front_functions[] = {
    {"depth_formula", .value = depth_formula},
    {"rest_formula", .value = rest_formula},
    {"longest_step", .value = longest_step},
    {"too_long_step", .value = too_long_step},
    {"rest_error", .value = rest_error},
    {"depth_error", .value = depth_error},
    {"longest_over_estimate", .value = longest_over_estimate},
    {"estimate_over_too_long", .value = estimate_over_too_long},
    {0}};
