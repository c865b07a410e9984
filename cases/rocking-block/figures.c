/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rocking-block: the angle over time against the closed form; the period against the amplitude,
 * beside Housner's formula for slender blocks; the energy that the first impact leaves against the
 * shape. The impact is where phi changes its sign, between two samples.
 */
#include "cases/rocking-block/rocking-block.h"

#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

enum { AMPLITUDES = 6, SHAPES = 5, PHI = 2, POINTS = 100 };
static const double PART[AMPLITUDES] = {0.05, 0.2, 0.4, 0.6, 0.8, 0.95}; /* phi0 / alpha */
static const double SHAPE[SHAPES] = {0.1, 0.2, 0.3, 0.4, 0.5};           /* b / h */

#define FINE 1e-4 /* [s] */

/* First sample at which phi is not above 0; n: there is none. */
static int first_impact(const struct case_series *s) {
  int k = 0;
  while (k < s->n && s->q[k * s->nq + PHI] > 0) {
    ++k;
  }
  return k;
}

/* phi0 / alpha of a run. */
static double amplitude(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return PART[(int)case_word(r, s, "k")];
}

/* Four times the first fall, the impact between two samples by a line [s]. */
static double period(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  k = first_impact(s);
  if (k == 0 || k == s->n) {
    return NAN;
  }
  const double before = s->q[(k - 1) * s->nq + PHI], after = s->q[k * s->nq + PHI];
  return 4 * (s->t[k - 1] + (s->t[k] - s->t[k - 1]) * before / (before - after));
}

static double exact_period(const struct case_results *r, const struct case_series *s, int k) {
  const struct rocking_block b = rocking_block_of(r->p);
  return 4 * rocking_block_fall(&b, amplitude(r, s, k) * b.alpha);
}

static double period_error(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(period(r, s, k) / exact_period(r, s, k) - 1);
}

/* b / h of a run. */
static double shape(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return SHAPE[(int)case_word(r, s, "k")];
}

/* Energy above the upright block after the first impact over that before it, two samples on, by
 * when every scheme has dealt with it. */
static double energy_left(const struct case_results *r, const struct case_series *s, int k) {
  const double upright = case_real(r->p, "m") * case_real(r->p, "g") * case_real(r->p, "h");
  k = first_impact(s);
  return k + 2 < s->n ? (s->energy[k + 2] - upright) / (s->energy[0] - upright) : NAN;
}

static double exact_left(const struct case_results *r, const struct case_series *s, int k) {
  const double e = 1 - 1.5 * pow(sin(atan(shape(r, s, k))), 2);
  return e * e;
}

static double left_error(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(energy_left(r, s, k) / exact_left(r, s, k) - 1);
}

/* A line between two samples, about an impact that leaves e of the speed, is off by up to (1 -
 * e)/4 of their distance; s: the shortest period. */
static void line_between_samples(const struct case_results *r, const struct case_series *s,
                                 double *lo, double *hi) {
  const struct rocking_block b = rocking_block_of(r->p);
  *lo = 0;
  *hi = (1 - rocking_block_impact(&b)) * FINE / exact_period(r, s, -1);
}

static void period_row(const struct case_results *r, const struct case_series *s, int k,
                       double *out) {
  const struct rocking_block b = rocking_block_of(r->p);
  const double part = (k + 1) / 102.0;
  (void)s;
  out[0] = part;
  out[1] = 4 * rocking_block_fall(&b, part * b.alpha);
  out[2] = 4 / sqrt(0.5 * b.k) * acosh(1 / (1 - part));
}

static void left_row(const struct case_results *r, const struct case_series *s, int k,
                     double *out) {
  const double ratio = 0.6 * k / 99;
  (void)r, (void)s;
  out[0] = ratio;
  out[1] = pow(1 - 1.5 * ratio * ratio / (1 + ratio * ratio), 2);
}

const struct case_function rocking_block_functions[] = {
    {"period_row", .row = period_row},
    {"left_row", .row = left_row},
    {"amplitude", .value = amplitude},
    {"period", .value = period},
    {"exact_period", .value = exact_period},
    {"shape", .value = shape},
    {"energy_left", .value = energy_left},
    {"exact_left", .value = exact_left},
    {"period_error", .value = period_error},
    {"line_between_samples", .bounds = line_between_samples},
    {"left_error", .value = left_error},
    {0}};
