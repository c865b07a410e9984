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
#define STEP 1e-3                                                        /* [s], of the path */
#define FINE 1e-4                                                        /* [s] */

static void fill_amplitude(const struct case_parameters *p, const struct case_place *place,
                           struct case_run *run) {
  const struct rocking_block b = rocking_block_of(p);
  const double phi0 = PART[place->at[1]] * b.alpha;
  snprintf(run->set, sizeof run->set, "phi0=%.17g", phi0);
  run->t_end = 1.1 * rocking_block_fall(&b, phi0);
}

static void fill_shape(const struct case_parameters *p, const struct case_place *place,
                       struct case_run *run) {
  const double h = case_real(p, "h"), width = SHAPE[place->at[1]] * h;
  snprintf(run->set, sizeof run->set, "b=%.17g phi0=%.17g", width, 0.4 * atan2(width, h));
}

#define FORM_WORDS "event moreau ncp consistent-twostep"
#define FORM_LIST                                                                                  \
  { "form", FORM_WORDS }
static const struct case_runs rocking_runs[] = {
    {.label = "{form} path",
     .formulation = "{form}",
     .dt = "1e-3",
     .sample = "5e-3",
     .over = {FORM_LIST}},
    {.label = "{form} amplitude {#k}",
     .formulation = "{form}",
     .dt = "1e-4",
     .sample = "1e-4",
     .over = {FORM_LIST, {.names = "k", .count = AMPLITUDES}},
     .fill = fill_amplitude},
    {.label = "{form} shape {#k}",
     .formulation = "{form}",
     .dt = "1e-4",
     .t_end = "0.4",
     .sample = "1e-4",
     .over = {FORM_LIST, {.names = "k", .count = SHAPES}},
     .fill = fill_shape},
    {0}};

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

static const struct case_table rocking_tables[] = {
    {.name = "period",
     .rows = POINTS,
     .row = period_row,
     .columns = {{"phi0/alpha"}, {"period[s]"}, {"slender[s]"}}},
    {.name = "left", .rows = POINTS, .row = left_row, .columns = {{"b/h"}, {"left"}}},
    {.name = "path-{form}",
     .runs = "{form} path",
     .columns = {{"t[s]", "t"}, {"phi[rad]", "q[2]"}}},
    {.name = "period-{form}",
     .runs = "{form} amplitude {#k}",
     .along = "k",
     .columns = {{"phi0/alpha", .value = amplitude},
                 {"period[s]", .value = period},
                 {"closed-form[s]", .value = exact_period}}},
    {.name = "left-{form}",
     .runs = "{form} shape {#k}",
     .along = "k",
     .columns = {{"b/h", .value = shape},
                 {"left", .value = energy_left},
                 {"closed-form", .value = exact_left}}},
    {0}};

#define EVENT .where = {{"form", "event"}}
#define STEPPERS .where = {{"form", "moreau ncp consistent-twostep"}}
#define PATH                                                                                       \
  .what = "{form}: largest error of the path at dt = 0.001 s [m or rad]", .runs = "{form} path",   \
  .path = "errors.q_linf"
#define PERIOD                                                                                     \
  .what = "{form}: period over the closed form's, largest deviation",                              \
  .runs = "{form} amplitude {#k}", .value = period_error, .along = "k", .reduce = CASE_WORST
#define LEFT                                                                                       \
  .what = "{form}: energy the impact leaves over (1 - 3/2 sin^2 alpha)^2, largest deviation",      \
  .runs = "{form} shape {#k}", .value = left_error, .along = "k", .reduce = CASE_WORST
static const struct case_check rocking_checks[] = {
    {PATH, EVENT, .claim = {.lo = 0, .hi = 1e-11}},
    {PATH, STEPPERS, .claim = {.lo = 0, .hi = 30 * STEP}},
    {PERIOD, EVENT, .bounds = line_between_samples},
    {PERIOD, STEPPERS, .claim = {.lo = 0, .hi = 10 * FINE}},
    {LEFT, EVENT, .claim = {.lo = 0, .hi = 1e-11}},
    {LEFT, STEPPERS, .claim = {.lo = 0, .hi = 30 * FINE}},
    {0}};

static const struct case_panel rocking_panels[] = {
    {.x = "t [s]",
     .y = "angle [rad]",
     .key = "foot",
     .curves = {{"{}", "path-{}", 1, 2, .look = "{}", .over = FORM_WORDS}}},
    {.x = "amplitude / α",
     .y = "period [s]",
     .key = "left top",
     .curves = {{"closed form", "period", 1, 2, .look = "reference"},
                {"slender block", "period", 1, 3, .look = "limit"},
                {NULL, "period-{}", 1, 2, .look = "{}", .with = CASE_POINTS, .over = FORM_WORDS}}},
    {.x = "b / h",
     .y = "energy left",
     .y_range = {0.3, 1.02},
     .key = "left bottom",
     .curves = {{"(1 - 1.5 sin^2 α)^2", "left", 1, 2, .look = "reference"},
                {NULL, "left-{}", 1, 2, .look = "{}", .with = CASE_POINTS, .over = FORM_WORDS}}},
    {0}};

const struct case_figure rocking_block_figures[] = {
    {.id = "rocking-block",
     .title = "Rocking block: path, period, energy left by an impact",
     .caption =
         "Every impact from corner to corner leaves (1 - 3/2 sin^2 alpha)^2 of the energy, to "
         "{event: energy the impact leaves} (event) and {ncp: energy the impact leaves} (ncp), and "
         "the period grows without bound as the amplitude nears alpha, along the closed form to "
         "{moreau: period over} (moreau). Path, period and energy left by an impact.",
     .runs = rocking_runs,
     .tables = rocking_tables,
     .checks = rocking_checks,
     .panels = rocking_panels},
    {.id = NULL}};
