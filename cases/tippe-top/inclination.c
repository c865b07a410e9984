/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-6.23: inclination of the tippe top with B_F and E_F by Moreau's midpoint rule, and with
 * E_F by both quaternion schemes (5.141; 5.157, 5.158), dt = 1e-5 s. Curves are compared as they
 * are drawn (case_drawn_distance): where the top rises, a shift in time is a large difference of
 * angles.
 *
 * Does the energy rise? The midpoint rule takes gyroscopic forces at the old velocity, and gains
 * dt^2/2 h . M^-1 h with h = (J1 - J3) omega_3 |omega_12| by that in a step; friction takes more on
 * average. The gain is compared with the largest rise the records report.
 */
#include "cases/tippe-top/tippe-top.h"

#include "cases/figure/series.h"

#include <math.h>

enum { NQ = 7, NU = 6 };

static const double INVERTED = 3; /* [rad], when the top counts as inverted (catalogue) */

static double inclination_at(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return tippe_top_inclination(s, k);
}

/* First time the inclination is above INVERTED; NaN if never. */
static double inverted_at(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  for (k = 0; k < s->n; ++k) {
    if (tippe_top_inclination(s, k) > INVERTED) {
      return s->t[k];
    }
  }
  return NAN;
}

double tippe_top_most_inclined(const struct case_results *r, const struct case_series *s, int k) {
  double most = 0;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    most = fmax(most, tippe_top_inclination(s, k));
  }
  return most;
}

/* Least inclination in the last second. */
static double tumbled(const struct case_results *r, const struct case_series *s, int k) {
  double least = INFINITY;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    least =
        s->t[k] > s->t[s->n - 1] - 1 ? -case_worst(-least, -tippe_top_inclination(s, k)) : least;
  }
  return least;
}

/* Largest | |A| - 1 |. */
static double stretch(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    const double *q = s->q + (size_t)NQ * (size_t)k;
    const double length = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    worst = case_worst(worst, fabs(length - 1));
  }
  return worst;
}

static double count_rises(const struct case_results *r, const struct case_series *s, int k) {
  int rises = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    rises += !(s->energy[k] <= s->energy[k - 1]);
  }
  return rises;
}

/* The largest rise in a step over the largest dt^2/2 h . M^-1 h among the samples. */
static double rise_over_gain(const struct case_results *r, const struct case_series *s, int k) {
  const double J1 = case_real(r->p, "J1"), difference = J1 - case_real(r->p, "J3");
  const double dt = s->run->dt;
  double largest = 0;
  for (k = 0; k < s->n; ++k) {
    const double *u = s->u + (size_t)NU * (size_t)k;
    const double h = difference * u[5] * hypot(u[3], u[4]);
    largest = fmax(largest, 0.5 * dt * dt * h * h / J1);
  }
  return case_number(s, "energy.max_increase") / largest;
}

double tippe_top_distance(const struct case_series *s, const struct case_series *other) {
  struct base_arena *arena = base_arena_alloc();
  double *a = base_arena_doubles(arena, s->n), *b = base_arena_doubles(arena, s->n);
  double distance = NAN;
  if (other->n == s->n) {
    for (int k = 0; k < s->n; ++k) {
      a[k] = tippe_top_inclination(s, k);
      b[k] = tippe_top_inclination(other, k);
    }
    distance = case_drawn_distance(s->n, s->t, a, b);
  }
  base_arena_free(arena);
  return distance;
}

/* From the run that it is set against. */
static double drawn(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return tippe_top_distance(s, r->against);
}

/* At equal times [rad]. */
static double apart(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < s->n && k < r->against->n; ++k) {
    worst =
        case_worst(worst, fabs(tippe_top_inclination(s, k) - tippe_top_inclination(r->against, k)));
  }
  return worst;
}

const struct case_function tippe_top_inclination_functions[] = {
    {"inclination_at", .value = inclination_at},
    {"inverted_at", .value = inverted_at},
    {"tumbled", .value = tumbled},
    {"stretch", .value = stretch},
    {"count_rises", .value = count_rises},
    {"rise_over_gain", .value = rise_over_gain},
    {"drawn", .value = drawn},
    {"apart", .value = apart},
    {"most_inclined", .value = tippe_top_most_inclined},
    {0}};
