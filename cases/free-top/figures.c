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

#include "cases/figure/series.h"

#include <math.h>

static const double STEP = 0.01; /* [s] */

/* Energy of the consistent schemes (catalogue). */
#define CONSERVED 1e-11
/* |d_i . d_j - delta_ij| from constraints at round-off, or from |A| = 1 to 1e-14 in 5000 steps. */
#define ORTHOGONAL 5e-14
/* Measured orders may miss the asymptotic ones by this at these steps. */
#define ORDER_MISS 0.15

/* The larger; NaN if either is. */
static double larger(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmax(a, b); }

/* ---- moeller-rigid ---- */

#define SCHEMES                                                                                    \
  "consistent-constant/affine consistent-constant-gear/affine consistent-coordinate/scalable "     \
  "consistent-decomposed/scalable consistent-onestep/scalable consistent-twostep/scalable "        \
  "consistent-quaternion/quaternion consistent-quaternion-twostep/quaternion"
static const struct case_runs rigid_runs[] = {
    {.label = "{scheme}", /* energy and orthogonality */
     .formulation = "{scheme}",
     .set = "body={body}",
     .dt = "0.01",
     .t_end = "50",
     .sample = "0.1",
     .over = {{"scheme/body", SCHEMES}}},
    {.label = "{scheme}-{dt}", /* errors */
     .formulation = "{scheme}",
     .set = "body={body}",
     .dt = "{dt}",
     .t_end = "1",
     .over = {{"dt", "0.02 0.01 0.005 0.0025"}, {"scheme/body", SCHEMES}}},
    {0}};

/* Largest |d_i . d_j - delta_ij| of sample k. */
static double off_orthogonal(const struct case_results *r, const struct case_series *s, int k) {
  const double *d = s->q + (size_t)k * (size_t)s->nq + 3;
  double worst = 0;
  (void)r;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double *a = d + 3 * i, *b = d + 3 * j;
      worst = larger(worst, fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - (i == j)));
    }
  }
  return worst;
}

static double most_off_orthogonal(const struct case_results *r, const struct case_series *s,
                                  int k) {
  double worst = 0;
  for (k = 0; k < s->n; ++k) {
    worst = larger(worst, off_orthogonal(r, s, k));
  }
  return worst;
}

static double energy_change(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return fabs(s->energy[k] / s->energy[0] - 1);
}

static double energy_drift(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return case_number(s, "energy.max_numerical_drift") / case_number(s, "energy.initial");
}

/* Unknowns of Newton's method in the order of SCHEMES (what it does solve for is tested): 2 (nq +
 * ns) with multipliers on both levels, 2 nq + ns with one, nq + nu without constraints. */
static void count_unknowns(const struct case_results *r, const struct case_series *s, int k,
                           double *out) {
  static const enum mech_rigid_body_kind kinds[] = {
      MECH_RIGID_BODY_AFFINE,     MECH_RIGID_BODY_AFFINE,    MECH_RIGID_BODY_SCALABLE,
      MECH_RIGID_BODY_SCALABLE,   MECH_RIGID_BODY_SCALABLE,  MECH_RIGID_BODY_SCALABLE,
      MECH_RIGID_BODY_QUATERNION, MECH_RIGID_BODY_QUATERNION};
  struct base_arena *arena = base_arena_alloc();
  (void)r, (void)s, (void)k;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    const struct mech_rigid_body any = {
        .kind = kinds[i], .mass = 1, .Theta = {2, 3, 4}, .length = 1, .speed = 1};
    const struct mech *m = mech_rigid_body_build(&any, arena);
    const int levels = i == 0 ? 1 : 2; /* consistent-constant has the multipliers of one */
    out[i] = m->nq + m->nu + levels * m->ns;
  }
  base_arena_free(arena);
}

static double unknowns_of(const struct case_results *r, const struct case_series *s, int k) {
  double all[8];
  count_unknowns(r, s, k, all);
  return all[(int)case_word(r, s, "#scheme")];
}

#define ERROR_OF(TITLE, SCHEME)                                                                    \
  { TITLE "[-]", "errors.q_linf", .of = SCHEME "-{dt}" }
static const struct case_table rigid_tables[] = {
    {.name = "{scheme}",
     .runs = "{scheme}",
     .columns = {{"t[s]", "t"},
                 {"|E/E0-1|[-]", .value = energy_change},
                 {"orthogonality[-]", .value = off_orthogonal}}},
    {.name = "unknowns",
     .rows = 1,
     .row = count_unknowns,
     .columns = {{"constant[-]"},
                 {"constant-gear[-]"},
                 {"coordinate[-]"},
                 {"decomposed[-]"},
                 {"onestep[-]"},
                 {"twostep[-]"},
                 {"quaternion[-]"},
                 {"quaternion-twostep[-]"}}},
    {.name = "errors",
     .runs = "{scheme}-{dt}",
     .where = {{"scheme", "consistent-constant"}},
     .along = "dt",
     .columns = {{"dt[s]", "dt"},
                 ERROR_OF("constant", "consistent-constant"),
                 ERROR_OF("constant-gear", "consistent-constant-gear"),
                 ERROR_OF("coordinate", "consistent-coordinate"),
                 ERROR_OF("decomposed", "consistent-decomposed"),
                 ERROR_OF("onestep", "consistent-onestep"),
                 ERROR_OF("twostep", "consistent-twostep"),
                 ERROR_OF("quaternion", "consistent-quaternion"),
                 ERROR_OF("quaternion-twostep", "consistent-quaternion-twostep")}},
    {0}};

/* Q, H, M or G of the start of a step make schemes for scalable bodies first order. */
#define RIGID_ORDER(BODIES, ORDER)                                                                 \
  {                                                                                                \
    .what = "{scheme}: order of the error of place and directors", .runs = "{scheme}-{dt}",        \
    .where = {{"body", BODIES}}, .path = "errors.q_linf", .along = "dt", .claim = {                \
      .published = "its motion is that of a rigid body (moeller 4.28, 4.117)",                     \
      .lo = (ORDER)-ORDER_MISS,                                                                    \
      .hi = (ORDER) + ORDER_MISS                                                                   \
    }                                                                                              \
  }
#define UNKNOWNS(SCHEMES_, COUNT, ...)                                                             \
  {                                                                                                \
    .what = "{scheme}: unknowns a body", .runs = "{scheme}", .where = {{"scheme", SCHEMES_}},      \
    .value = unknowns_of, .claim = {                                                               \
      COUNT,                                                                                       \
      COUNT,                                                                                       \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }
static const struct case_check rigid_checks[] = {
    {.what = "{scheme}: largest drift of the energy over E_0, 50 s",
     .runs = "{scheme}",
     .value = energy_drift,
     .claim = {0, CONSERVED, .expected = "0",
               .published = "the total energy is preserved (moeller 5.36, 5.51, 5.62, 5.77, "
                            "5.100, 5.115, 5.150)"}},
    {.what = "{scheme}: largest |d_i . d_j - delta_ij|",
     .runs = "{scheme}",
     .value = most_off_orthogonal,
     .claim = {0, ORTHOGONAL, .expected = "exact"}},
    UNKNOWNS("consistent-constant", 30, .expected = "30: without multipliers of the rates"),
    UNKNOWNS("consistent-constant-gear", 36, .published = "36 (moeller 7)"),
    UNKNOWNS("consistent-coordinate", 16, .published = "16 (moeller 5.2.3)"),
    UNKNOWNS("consistent-decomposed consistent-onestep consistent-twostep", 16,
             .published = "16 (moeller 7)"),
    UNKNOWNS("consistent-quaternion consistent-quaternion-twostep", 13,
             .expected = "13: 7 coordinates, 6 velocities (moeller 5.141)"),
    RIGID_ORDER("affine quaternion", 2),
    RIGID_ORDER("scalable", 1),
    {0}};

/* ---- moeller-5.2 ---- */

enum { SHEAR = 11 };            /* e12 among the published velocities */
static const double PART = 0.2; /* of the horizon, at its start and at its end */

static const struct case_runs rates_runs[] = {
    {.label = "{label}",
     .formulation = "{form}",
     .set = "body=affine",
     .dt = "{dt}",
     .t_end = "{t_end}",
     .sample = "{dt}",
     .over = {{"label/form/dt/t_end",
               "constant/consistent-constant/0.01/1 gear/consistent-constant-gear/0.01/1 "
               "half/consistent-constant/0.005/1 long/consistent-constant/0.01/50 "
               "decomposed/consistent-decomposed/0.01/1"}}},
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

/* Largest |e12| of the last part of the samples over that of the first: follows the tumbling. */
static double growth(const struct case_results *r, const struct case_series *s, int k) {
  double first = 0, last = 0;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    const double part = s->t[k] / s->run->t_end, e = fabs(shear(s, k));
    first = part <= PART ? larger(first, e) : first;
    last = part >= 1 - PART ? larger(last, e) : last;
  }
  return last / first;
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
  const struct case_series *gear = case_result(r, NULL, "gear");
  return gear != NULL && gear->n == s->n ? shear(gear, k) : NAN;
}

/* From rest on the constraint: gamma^B = 0, and the first step leaves gamma^E = dt/4 of the change
 * of 2 d1' . d2' (see moeller-5.31), of which e12 is half; d1' . d2' = -omega_1 omega_2, with
 * omega_2 = 0 and I2 omega_2' = (I3 - I1) omega_3 omega_1. */
static void first_shear(const struct case_results *r, const struct case_series *s, double *lo,
                        double *hi) {
  const double w1 = case_real(r->p, "w1_0"), w3 = case_real(r->p, "w3_0");
  const double rate =
      (case_real(r->p, "I3") - case_real(r->p, "I1")) / case_real(r->p, "I2") * w3 * w1;
  const double e12 = 0.25 * s->run->dt * s->run->dt * fabs(w1 * rate);
  *lo = 0.98 * e12;
  *hi = 1.02 * e12;
}

/* Largest of the coordinates, from the run that it is set against. */
static double difference(const struct case_results *r, const struct case_series *s, int k) {
  double worst = s->n == r->against->n ? 0 : NAN;
  for (k = 0; k < s->n * s->nq && s->n == r->against->n; ++k) {
    worst = larger(worst, fabs(s->q[k] - r->against->q[k]));
  }
  return worst;
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
     .claim = {0.95, 1, .published = "oscillating around the correct value (moeller 5.2.2)"}},
    {.what = "(5.31): largest |e12| in 1 s [1/s]",
     .runs = "constant",
     .value = largest,
     .bounds = first_shear,
     .claim = {.expected = "that of the first step, dt^2/4 omega_1 omega_2'"}},
    {.what = "(5.31): order of |e12| in dt",
     .runs = "constant",
     .against = "half",
     .value = order,
     .claim = {.lo = 1.8, .hi = 2.2}},
    {.what = "(5.31): largest |e12| of the last 10 s of 50 over that of the first",
     .runs = "long",
     .value = growth,
     .claim = {0.7, 1.1, .expected = "1: nothing drives a free body; see moeller-5.31"}},
    {.what = "(5.49): largest |e12| in 1 s [1/s]",
     .runs = "gear",
     .value = largest,
     .claim = {0, 1e-13, .expected = "0",
               .published = "consistent on both levels (moeller 5.2.2)"}},
    {.what = "(5.72) with Q = I against (5.49): largest difference of coordinates in 1 s",
     .runs = "decomposed",
     .against = "gear",
     .value = difference,
     .claim = {0, 1e-11, .published = "contained as a special case (moeller 5.2.4)"}},
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

#define RIGID_NAMES                                                                                \
  "consistent-constant consistent-constant-gear consistent-coordinate consistent-decomposed "      \
  "consistent-onestep consistent-twostep consistent-quaternion consistent-quaternion-twostep"
#define RIGID_PANEL(LABEL, COLUMN, HIGHEST)                                                        \
  {                                                                                                \
    .x = "t [s]", .y = LABEL, .log = "y", .x_range = {0, 50}, .y_range = {5e-16, HIGHEST},         \
    .least = 1e-15, .head = "rounding below 1e-15 is drawn at it", .curves = {                     \
      {NULL, "{}", 1, COLUMN, .look = "{}", .width = 1.5, .over = RIGID_NAMES}                     \
    }                                                                                              \
  }
static const struct case_panel rigid_panels[] = {
    RIGID_PANEL("|E/E_0 - 1| [-]", 2, 1e-11),
    RIGID_PANEL("max |d_i d_j - δ_{ij}| [-]", 3, 1e-12),
    {.x = "dt [s]",
     .y = "error [m or -]",
     .log = "xy",
     .x_range = {0.002, 0.025},
     .y_range = {1e-6, 1},
     .key = "foot",
     .curves = {{"{}", "errors", 1, 2, .look = "{}", .with = CASE_LINESPOINTS, .next = 1,
                 .over = RIGID_NAMES}}},
    {0}};

const struct case_figure free_top_figures[] = {
    {.id = "moeller-rigid",
     .title = "Free asymmetric top by every consistent integrator",
     .caption =
         "Every consistent integrator keeps energy and directors over 50 s (consistent-coordinate, "
         "the least exact: {consistent-coordinate: largest drift} of the energy); of second order "
         "are those that do not freeze Q, H, M or G at the start of a step "
         "({consistent-quaternion: order}, consistent-quaternion), of first those that do "
         "({consistent-onestep: order}, consistent-onestep). The same tumbling top, dt = 0.01 s, "
         "by each on the description of the body that it is made for: energy, orthogonality of the "
         "directors, and the error of place and directors after up to 1 s against the step.",
     .runs = rigid_runs,
     .panels = rigid_panels,
     .tables = rigid_tables,
     .checks = rigid_checks},
    {.id = "moeller-5.2",
     .title = "Velocities about the constraint",
     .caption =
         "The integrator that keeps the constraints alone (5.31) lets the shear rate swing from "
         "step to step by up to {(5.31): largest |e12| in 1 s} 1/s, which on this free body does "
         "not grow (in the last 10 s of 50 it is {(5.31): largest |e12| of the last} times that of "
         "the "
         "first); the one that "
         "keeps their rates too (5.49) has {(5.49): largest} 1/s. Shear rate of the affine body, "
         "half the rate of d1 . d2, dt = 0.01 s; the amplitude follows the tumbling.",
     .runs = rates_runs,
     .panels = rates_panels,
     .tables = rates_tables,
     .checks = rates_checks},
    {.id = NULL}};
