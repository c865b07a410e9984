/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the free top (moeller 5.2).
 *
 *   moeller-rigid  every consistent integrator on the description of the body it is made for:
 *                  energy, orthogonality of the directors, error against the step
 *   moeller-5.2    velocities of (5.31) about the constraints, those of (5.49) on them
 *
 * What can be shown of figure 5.2 is what it illustrates: (5.31) holds the rates of the constraints
 * in the mean of each step only (5.39), so that they alternate; here the shear rate e12, half the
 * rate of d1 . d2.
 */
#include "cases/free-top/free-top.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double STEP = 0.01; /* [s] */

static const struct {
  const char *name, *body;
  enum mech_rigid_body_kind kind;
  int order;
} schemes[] = {{"consistent-constant", "affine", MECH_RIGID_BODY_AFFINE, 2},
               {"consistent-constant-gear", "affine", MECH_RIGID_BODY_AFFINE, 2},
               {"consistent-coordinate", "scalable", MECH_RIGID_BODY_SCALABLE, 1},
               {"consistent-decomposed", "scalable", MECH_RIGID_BODY_SCALABLE, 1},
               {"consistent-quaternion", "quaternion", MECH_RIGID_BODY_QUATERNION, 2},
               {"consistent-quaternion-twostep", "quaternion", MECH_RIGID_BODY_QUATERNION, 2}};
enum { SCHEMES = (int)(sizeof schemes / sizeof *schemes) };
static const double steps[] = {0.02, 0.01, 0.005, 0.0025}; /* [s] */
enum { STEPS = (int)(sizeof steps / sizeof *steps) };

/* Energy of the consistent schemes (catalogue). */
static const double CONSERVED = 1e-11;
/* |d_i . d_j - delta_ij| from constraints at round-off, or from |A| = 1 to 1e-14 in 5000 steps. */
static const double ORTHOGONAL = 5e-14;
/* Measured orders may miss the asymptotic ones by this at these steps. */
static const double ORDER_MISS = 0.15;

/* The larger; NaN if either is. */
static double larger(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmax(a, b); }

/* ---- moeller-rigid ---- */

static void fill_scheme(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  (void)p;
  const char *name = schemes[place->at[1]].name, *body = schemes[place->at[1]].body;
  if (run->sample > 0) {
    snprintf(run->label, sizeof run->label, "%s", name);
  } else {
    snprintf(run->label, sizeof run->label, "%s-%g", name, run->dt);
  }
  snprintf(run->formulation, sizeof run->formulation, "%s", name);
  snprintf(run->set, sizeof run->set, "body=%s", body);
}

static const struct case_runs rigid_runs[] = {
    {.label = "", /* energy and orthogonality */
     .dt = "{dt}",
     .t_end = "50",
     .sample = "0.1",
     .over = {{"dt", "0.01"}, {.names = "scheme", .count = SCHEMES}},
     .fill = fill_scheme},
    {.label = "", /* errors */
     .dt = "{dt}",
     .t_end = "1",
     .over = {{"dt", "0.02 0.01 0.005 0.0025"}, {.names = "scheme", .count = SCHEMES}},
     .fill = fill_scheme},
    {0}};

/* Largest |d_i . d_j - delta_ij| of sample k. */
static double off_orthogonal(const struct case_series *s, int k) {
  const double *d = s->q + (size_t)k * (size_t)s->nq + 3;
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double *a = d + 3 * i, *b = d + 3 * j;
      const double off = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - (i == j));
      worst = larger(worst, off);
    }
  }
  return worst;
}

/* Of Newton's method (what it does solve for is tested): 2 (nq + ns) with multipliers on both
 * levels, 2 nq + ns with one, nq + nu without constraints. */
static int count_unknowns(int scheme, struct base_arena *arena) {
  const struct mech_rigid_body any = {
      .kind = schemes[scheme].kind, .mass = 1, .Theta = {2, 3, 4}, .length = 1, .speed = 1};
  const struct mech *m = mech_rigid_body_build(&any, arena);
  const int rates = strcmp(schemes[scheme].name, "consistent-constant") != 0;
  return m->nq + m->nu + m->ns + rates * m->ns;
}

static int check_scheme(const struct case_series *series, int n, int scheme, double *order_rows,
                        struct case_plot *plot) {
  const char *name = schemes[scheme].name;
  const struct case_series *s = case_series_ok(series, n, name, MECH_RIGID_BODY_Q_OUT);
  if (s == NULL) {
    return BASE_FAILED;
  }
  struct base_arena *arena = base_arena_alloc();
  double *rows = base_arena_matrix(arena, 3, s->n), error[STEPS], worst = 0;
  for (int k = 0; k < s->n; ++k) {
    rows[3 * k] = s->t[k];
    rows[3 * k + 1] = fabs(s->energy[k] / s->energy[0] - 1);
    rows[3 * k + 2] = off_orthogonal(s, k);
    worst = larger(worst, rows[3 * k + 2]);
  }
  char what[CASE_TEXT];
  snprintf(what, sizeof what, "%s: largest drift of the energy over E_0, 50 s", name);
  case_plot_check(plot, what,
                  case_number(s, "energy.max_numerical_drift") / case_number(s, "energy.initial"),
                  (struct case_claim){0, CONSERVED, .expected = "conserved"});
  snprintf(what, sizeof what, "%s: largest |d_i . d_j - delta_ij|", name);
  case_plot_check(plot, what, worst, (struct case_claim){0, ORTHOGONAL, .expected = "exact"});
  for (int k = 0; k < STEPS; ++k) {
    char label[CASE_TEXT];
    snprintf(label, sizeof label, "%s-%g", name, steps[k]);
    const struct case_series *run = case_series_find(series, n, label);
    error[k] = run != NULL ? case_number(run, "errors.q_linf") : NAN;
    order_rows[k * (1 + SCHEMES) + 1 + scheme] = error[k];
  }
  snprintf(what, sizeof what, "%s: order of the error of place and directors", name);
  case_plot_check(plot, what, case_order(STEPS, steps, error, STEPS),
                  (struct case_claim){.lo = schemes[scheme].order - ORDER_MISS,
                                      .hi = schemes[scheme].order + ORDER_MISS});
  const int status =
      case_plot_table(plot, name, "t[s] |E/E0-1|[-] orthogonality[-]", s->n, 3, rows);
  base_arena_free(arena);
  return status;
}

static int rigid_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  double order_rows[STEPS * (1 + SCHEMES)], unknowns[SCHEMES];
  struct base_arena *arena = base_arena_alloc();
  (void)p;
  for (int i = 0; i < SCHEMES; ++i) {
    unknowns[i] = count_unknowns(i, arena);
  }
  base_arena_free(arena);
  for (int k = 0; k < STEPS; ++k) {
    order_rows[k * (1 + SCHEMES)] = steps[k];
  }
  for (int i = 0; i < SCHEMES; ++i) {
    const int status = check_scheme(series, n, i, order_rows, plot);
    if (status != BASE_OK) {
      return status;
    }
  }
  case_plot_table(plot, "unknowns",
                  "constant[-] constant-gear[-] coordinate[-] decomposed[-] quaternion[-] "
                  "quaternion-twostep[-]",
                  1, SCHEMES, unknowns);
  return case_plot_table(plot, "errors",
                         "dt[s] constant[-] constant-gear[-] coordinate[-] decomposed[-] "
                         "quaternion[-] quaternion-twostep[-]",
                         STEPS, 1 + SCHEMES, order_rows);
}

/* ---- moeller-5.2 ---- */

enum { SHEAR = 11 }; /* e12 among the published velocities */
/* Amplitudes can grow (moeller); for a free top they follow the spin and do not. */
#define GROWTH 1.1

static const struct case_runs rates_runs[] = {
    {.label = "{label}",
     .formulation = "{form}",
     .set = "body=affine",
     .dt = "{dt}",
     .t_end = "{t_end}",
     .sample = "{dt}",
     .over = {{"label/form/dt/t_end",
               "constant/consistent-constant/0.01/1 gear/consistent-constant-gear/0.01/1 "
               "half/consistent-constant/0.005/1 long/consistent-constant/0.01/50"}}},
    {0}};

static double shear(const struct case_series *s, int k) {
  return s->u[(size_t)k * (size_t)s->nu + SHEAR];
}

/* Largest |e12| of the samples up to t. */
static double largest_until(const struct case_series *s, double t) {
  double worst = 0;
  for (int k = 0; k < s->n && s->t[k] < t + 0.5 * STEP; ++k) {
    worst = larger(worst, fabs(shear(s, k)));
  }
  return worst;
}

static double largest(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return largest_until(s, s->run->t_end);
}

/* Part of the samples at which e12 turns around. */
static double turning(const struct case_results *r, const struct case_series *s, int k) {
  int turns = 0;
  (void)r;
  for (k = 2; k < s->n; ++k) {
    turns += (shear(s, k) - shear(s, k - 1)) * (shear(s, k - 1) - shear(s, k - 2)) < 0;
  }
  return (double)turns / (s->n - 2);
}

/* Of the run at half the step. */
static double order(const struct case_results *r, const struct case_series *s, int k) {
  return log2(largest(r, s, k) / largest(r, r->against, k));
}

static double e12(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return shear(s, k);
}

static double e12_gear(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *gear = case_result(r, "gear");
  return gear != NULL && gear->n == s->n ? shear(gear, k) : NAN;
}

static const struct case_table rates_tables[] = {
    {.name = "rates",
     .runs = "constant",
     .columns = {{"t[s]", "t"},
                 {"e12_constant[1/s]", .value = e12},
                 {"e12_gear[1/s]", .value = e12_gear}}},
    {.name = "long",
     .runs = "long",
     .columns = {{"t[s]", "t"}, {"e12_constant[1/s]", .value = e12}}},
    {0}};

static const struct case_check rates_checks[] = {
    {.what = "(5.31): part of the steps in which e12 turns around",
     .runs = "constant",
     .value = turning,
     .claim = {0.95, 1, .published = "oscillating around the correct value (moeller 5.2.1)"}},
    {.what = "(5.31): largest |e12| in 1 s [1/s]",
     .runs = "constant",
     .value = largest,
     .claim = {1e-4, 1e-3, .expected = "of second order in dt, 4 dt^2/s^3"}},
    {.what = "(5.31): order of |e12| in dt",
     .runs = "constant",
     .against = "half",
     .value = order,
     .claim = {.lo = 1.8, .hi = 2.2}},
    {.what = "(5.31): largest |e12| in 50 s over that in 1 s",
     .runs = "long",
     .over = "constant",
     .value = largest,
     .claim = {1, GROWTH, .expected = "1: nothing drives a free body",
               .published = "amplitudes that can increase over time (moeller 5.2.1)"}},
    {.what = "(5.49): largest |e12| in 1 s [1/s]",
     .runs = "gear",
     .value = largest,
     .claim = {0, 1e-13, .expected = "0"}},
    {0}};

static const struct case_panel rates_panels[] = {
    {.x = "t [s]",
     .y = "e_{12} [10^{-3}/s]",
     .x_range = {0, 1},
     .y_range = {-0.42, 0.42},
     .key = "right top",
     .curves = {{"consistent-constant", "rates", 1, 2, 1e3, "consistent-constant",
                 .with = CASE_LINESPOINTS},
                {"consistent-constant-gear", "rates", 1, 3, 1e3, "consistent-constant-gear"}}},
    {.x = "t [s]",
     .y = "e_{12} [10^{-3}/s]",
     .x_range = {0, 50},
     .y_range = {-0.42, 0.27},
     .curves = {{NULL, "long", 1, 2, 1e3, "consistent-constant", 0.7}}},
    {0}};

const struct case_figure free_top_figures[] = {
    {.id = "moeller-rigid",
     .title = "Free asymmetric top by every consistent integrator",
     .caption = "The same tumbling top, dt = 0.01 s, by each consistent integrator on the "
                "description of the body that it is made for: energy, orthogonality of the "
                "directors, and the error of place and directors after up to 1 s against the "
                "step. Q, H, M or G of the start of a step make (5.58) and (5.72) first order.",
     .runs = rigid_runs,
     .make = rigid_make},
    {.id = "moeller-5.2",
     .title = "Velocities about the constraint",
     .caption =
         "Shear rate of the affine body, half the rate of d1 . d2, by the integrator that "
         "keeps the constraints alone (5.31) and by the one that keeps their rates too "
         "(5.49), dt = 0.01 s. The amplitude follows the tumbling; on this free body it does "
         "not grow with time.",
     .runs = rates_runs,
     .panels = rates_panels,
     .tables = rates_tables,
     .checks = rates_checks},
    {.id = NULL}};
