/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Energies of two balls on ropes (yu, figs 11 and 12).
 *
 *   yu-11  by the CCP: an instant loss, within one step
 *   yu-12  by penalty: a continuous one, the shorter the larger K, and the fixed step that RK4 then
 *          needs. It is sought by bisection, as the longest step at which the largest error stays
 *          below MARGIN times the depth s sqrt(eps m/(2 K)) to which the balls press into each
 *          other: about twice what the springs themselves are off by. Beside it stands the stable
 *          step that the formulation estimates from its springs, 2.785 sqrt(eps m/K) where eps is
 *          small (falling-particle, penalty-front). Beyond that contacts, which only push, keep a
 *          growing oscillation finite: runs get to their end, ten times as far off.
 *
 * The damper stops the balls' relative velocity as exp(-t/T), T = sqrt(eps m/(2 K)), and the energy
 * of it as the square: from 10 % to 90 % of the loss it takes T log(9)/2.
 */
#include "cases/two-balls/two-balls.h"

#include "cases/figure/series.h"
#include "cases/granular-chains/granular-chains.h"

#include <math.h>
#include <stdio.h>

enum { NQ = 6 };

static double kinetic(const struct case_results *r, const struct case_series *s, int k) {
  return granular_chains_kinetic(r->p, s->u + (long)NQ * k);
}

static double potential(const struct case_results *r, const struct case_series *s, int k) {
  return granular_chains_potential(r->p, s->q + (long)NQ * k);
}

static double total(const struct case_results *r, const struct case_series *s, int k) {
  return kinetic(r, s, k) + potential(r, s, k);
}

/* Half the kinetic energy of the impact [J]. */
static double exact_loss(const struct case_parameters *p) {
  const double drop = 1 - cos(two_balls_angle(p, 0, 0));
  return 0.5 * case_real(p, "m") * case_real(p, "g") * case_real(p, "L") * drop;
}

/* Largest drop of the total energy within one step [J], and the time it ends [s]. */
static double largest_drop(const struct case_results *r, const struct case_series *s, double *at) {
  double drop = 0, before = total(r, s, 0);
  for (int l = 1; l < s->n; ++l) {
    const double now = total(r, s, l);
    if (before - now > drop) {
      drop = before - now;
      *at = s->t[l];
    }
    before = now;
  }
  return drop;
}

static double relative_drop(const struct case_results *r, const struct case_series *s, int k) {
  double at;
  (void)k;
  return largest_drop(r, s, &at) / exact_loss(r->p);
}

static double time_of_drop(const struct case_results *r, const struct case_series *s, int k) {
  double at = NAN;
  (void)k;
  largest_drop(r, s, &at);
  return at;
}

static void about_the_impact(const struct case_results *r, const struct case_series *s, double *lo,
                             double *hi) {
  *lo = two_balls_impact(r->p) - 2 * s->run->dt;
  *hi = two_balls_impact(r->p) + 2 * s->run->dt;
}

/* When this part of the loss is reached, linear between samples [s]. */
static double time_of_loss(const struct case_results *r, const struct case_series *s, double part) {
  const double target = total(r, s, 0) - part * exact_loss(r->p);
  for (int k = 1; k < s->n; ++k) {
    const double before = total(r, s, k - 1), now = total(r, s, k);
    if (now <= target) {
      return s->t[k] - (s->t[k] - s->t[k - 1]) * (target - now) / (before - now);
    }
  }
  return NAN;
}

/* Time in which the energy goes from 10 % to 90 % of the loss [s]. */
static double loss_duration(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return time_of_loss(r, s, 0.9) - time_of_loss(r, s, 0.1);
}

/* Of a sample, from the impact of the closed form [ms]. */
static double since_impact(const struct case_results *r, const struct case_series *s, int k) {
  return 1e3 * (s->t[k] - two_balls_impact(r->p));
}

static double is_near_impact(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(since_impact(r, s, k)) <= 2;
}

/* The step found, over the stable one by the formulation's estimate there. */
static double needed_over_stable(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return case_number(s, "search.holds") / case_number(s, "formulation.stable_dt");
}

const struct case_function two_balls_energies_functions[] = {
    {"kinetic", .value = kinetic},
    {"potential", .value = potential},
    {"total", .value = total},
    {"relative_drop", .value = relative_drop},
    {"time_of_drop", .value = time_of_drop},
    {"about_the_impact", .bounds = about_the_impact},
    {"is_near_impact", .value = is_near_impact},
    {"since_impact", .value = since_impact},
    {"loss_duration", .value = loss_duration},
    {"needed_over_stable", .value = needed_over_stable},
    {0}};
