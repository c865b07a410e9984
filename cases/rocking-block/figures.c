/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rocking-block: the angle over time against the closed form; the period against the amplitude,
 * beside Housner's formula for slender blocks; the energy that the first impact leaves against the
 * shape. The impact is where phi changes its sign, between two samples.
 */
#include "cases/rocking-block/rocking-block.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const FORMS[] = {"event", "moreau", "ncp", "consistent-twostep"};
enum { N_FORMS = 4, AMPLITUDES = 6, SHAPES = 5, PHI = 2 };
static const double PART[AMPLITUDES] = {0.05, 0.2, 0.4, 0.6, 0.8, 0.95}; /* phi0 / alpha */
static const double SHAPE[SHAPES] = {0.1, 0.2, 0.3, 0.4, 0.5};           /* b / h */
static const double STEP = 1e-3, FINE = 1e-4;                            /* [s] */

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

/* Four times the first fall, the impact between two samples by a line [s]. */
static double period_of(const struct case_series *s) {
  const int k = first_impact(s);
  if (k == 0 || k == s->n) {
    return NAN;
  }
  const double before = s->q[(k - 1) * s->nq + PHI], after = s->q[k * s->nq + PHI];
  return 4 * (s->t[k - 1] + (s->t[k] - s->t[k - 1]) * before / (before - after));
}

/* Energy above the upright block after the first impact over that before it, two samples on, by
 * when every scheme has dealt with it. */
static double energy_left(const struct case_series *s, double upright) {
  const int k = first_impact(s);
  return k + 2 < s->n ? (s->energy[k + 2] - upright) / (s->energy[0] - upright) : NAN;
}

static int write_path(struct case_plot *plot, const struct case_series *s, const char *form) {
  double rows[1000][2];
  const int n = s->n < 1000 ? s->n : 1000;
  for (int k = 0; k < n; ++k) {
    rows[k][0] = s->t[k];
    rows[k][1] = s->q[k * s->nq + PHI];
  }
  char name[2 * CASE_TEXT];
  snprintf(name, sizeof name, "path-%s", form);
  return case_plot_table(plot, name, "t[s] phi[rad]", n, 2, rows[0]);
}

static int make_form(const struct case_parameters *p, const struct case_series *series, int n,
                     const char *form, struct case_plot *plot) {
  const struct rocking_block b = rocking_block_of(p);
  const double h = case_real(p, "h"), g = case_real(p, "g");
  double period[AMPLITUDES][3], left[SHAPES][3], worst_period = 0, worst_left = 0;
  char label[2 * CASE_TEXT], what[3 * CASE_TEXT];
  snprintf(label, sizeof label, "%s path", form);
  const struct case_series *s = case_series_ok(series, n, label, 3);
  if (s == NULL) {
    return BASE_FAILED;
  }
  const double error = case_number(s, "errors.q_linf");
  write_path(plot, s, form);
  for (int k = 0; k < AMPLITUDES; ++k) {
    snprintf(label, sizeof label, "%s amplitude %d", form, k);
    if ((s = case_series_ok(series, n, label, 3)) == NULL) {
      return BASE_FAILED;
    }
    const double exact = 4 * rocking_block_fall(&b, PART[k] * b.alpha);
    const double row[] = {PART[k], period_of(s), exact};
    memcpy(period[k], row, sizeof row);
    worst_period = case_worst(worst_period, fabs(row[1] / exact - 1));
  }
  for (int k = 0; k < SHAPES; ++k) {
    snprintf(label, sizeof label, "%s shape %d", form, k);
    if ((s = case_series_ok(series, n, label, 3)) == NULL) {
      return BASE_FAILED;
    }
    const double e = 1 - 1.5 * pow(sin(atan(SHAPE[k])), 2);
    const double row[] = {SHAPE[k], energy_left(s, case_real(p, "m") * g * h), e * e};
    memcpy(left[k], row, sizeof row);
    worst_left = case_worst(worst_left, fabs(row[1] / row[2] - 1));
  }
  const int exact = strcmp(form, "event") == 0;
  /* A line between two samples, about an impact that leaves e of the speed, is off by up to (1 -
   * e)/4 of their distance. */
  const double line = (1 - rocking_block_impact(&b)) * FINE / period[0][2];
  snprintf(what, sizeof what, "%s: largest error of the path at dt = %g s [m or rad]", form, STEP);
  case_plot_check(plot, what, error, (struct case_claim){.lo = 0, .hi = exact ? 1e-11 : 30 * STEP});
  snprintf(what, sizeof what, "%s: period over the closed form's, largest deviation", form);
  case_plot_check(plot, what, worst_period,
                  (struct case_claim){.lo = 0, .hi = exact ? line : 10 * FINE});
  snprintf(what, sizeof what,
           "%s: energy the impact leaves over (1 - 3/2 sin^2 alpha)^2, "
           "largest deviation",
           form);
  case_plot_check(plot, what, worst_left,
                  (struct case_claim){.lo = 0, .hi = exact ? 1e-11 : 30 * FINE});
  snprintf(label, sizeof label, "period-%s", form);
  case_plot_table(plot, label, "phi0/alpha period[s] closed-form[s]", AMPLITUDES, 3, period[0]);
  snprintf(label, sizeof label, "left-%s", form);
  return case_plot_table(plot, label, "b/h left closed-form", SHAPES, 3, left[0]);
}

static int rocking_make(const struct case_parameters *p, const struct case_series *series, int n,
                        struct case_plot *plot) {
  const struct rocking_block b = rocking_block_of(p);
  double period[100][3], left[100][2];
  for (int k = 0; k < 100; ++k) {
    const double part = (k + 1) / 102.0, ratio = 0.6 * k / 99;
    period[k][0] = part;
    period[k][1] = 4 * rocking_block_fall(&b, part * b.alpha);
    period[k][2] = 4 / sqrt(0.5 * b.k) * acosh(1 / (1 - part));
    left[k][0] = ratio;
    left[k][1] = pow(1 - 1.5 * ratio * ratio / (1 + ratio * ratio), 2);
  }
  case_plot_table(plot, "period", "phi0/alpha period[s] slender[s]", 100, 3, period[0]);
  case_plot_table(plot, "left", "b/h left", 100, 2, left[0]);
  for (int i = 0; i < N_FORMS; ++i) {
    const int status = make_form(p, series, n, FORMS[i], plot);
    if (status != BASE_OK) {
      return status;
    }
  }
  return BASE_OK;
}

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
         "Every impact from corner to corner leaves (1 - 3/2 sin^2 alpha)^2 of the energy, and "
         "the period grows without bound as the amplitude nears alpha.",
     .runs = rocking_runs,
     .panels = rocking_panels,
     .make = rocking_make},
    {.id = NULL}};
