/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tippe-top-scalable: the tippe top as a scalable body (moeller 4.3) under the two-step scheme for
 * a decomposed mass matrix (5.106, 5.107), whose Q and H are those of the start of a step; with Q
 * and H by the implicit midpoint rule, which is the two-step quaternion scheme on the same body;
 * and the two-step quaternion scheme on the unit quaternion (5.157, 5.158). Ellipsoid E_F, W from
 * discrete derivatives of the gaps. Errors are those of the inclination until 1.3 s, where the top
 * rises, against the last of the three at 2e-5 s: later small differences grow.
 */
#include "cases/tippe-top/tippe-top.h"

#include "cases/figure/series.h"

#include <math.h>

#define SCHEMES                                                                                    \
  "decomposed/consistent-twostep/scalable midpoint/consistent-quaternion-twostep/scalable "        \
  "quaternion/consistent-quaternion-twostep/quaternion"
const struct case_runs tippe_top_scalable_runs[] = {
    {.label = "{label}-whole", /* every step */
     .formulation = "{form}",
     .set = "friction_set=E body={body}",
     .opt = "W=discrete",
     .dt = "1e-3",
     .sample = "1e-3",
     .over = {{"label/form/body", SCHEMES}}},
    {.label = "{label}-long-{#step}",
     .formulation = "{form}",
     .set = "friction_set=E body={body}",
     .opt = "W=discrete",
     .dt = "{step}",
     .sample = "1e-2",
     .over = {{"label/form/body", "decomposed/consistent-twostep/scalable "
                                  "quaternion/consistent-quaternion-twostep/quaternion"},
              {"step", "1e-4 1e-5"}}}, /* the source's step last */
    {.label = "{label}-{#dt}",
     .formulation = "{form}",
     .set = "friction_set=E body={body}",
     .opt = "W=discrete",
     .dt = "{dt}",
     .t_end = "1.3",
     .sample = "1e-2",
     .over = {{"label/form/body", SCHEMES}, {"dt", "1e-3 5e-4 2e-4 1e-4"}}},
    {.label = "exact",
     .formulation = "consistent-quaternion-twostep",
     .set = "friction_set=E",
     .opt = "W=discrete",
     .dt = "2e-5",
     .t_end = "1.3",
     .sample = "1e-2"},
    {0}};

static double inclination_at(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return tippe_top_inclination(s, k);
}

/* Largest difference of the inclination from `exact` [rad]. */
static double error_of(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *exact = case_result(r, NULL, "exact");
  double worst = exact != NULL && exact->n == s->n ? 0 : NAN;
  for (k = 0; k < s->n && !isnan(worst); ++k) {
    worst = case_worst(worst, fabs(tippe_top_inclination(s, k) - tippe_top_inclination(exact, k)));
  }
  return worst;
}

/* Of the decomposed scheme from the one for the unit quaternion, with the step of run s. */
static double scheme_difference(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *other = case_result(r, s, "quaternion-long-{#step}");
  (void)k;
  return other != NULL ? tippe_top_distance(s, other) : NAN;
}

static double approach(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *coarse = case_result(r, NULL, "decomposed-long-0");
  return coarse != NULL ? scheme_difference(r, coarse, k) / scheme_difference(r, s, k) : NAN;
}

const struct case_table tippe_top_scalable_tables[] = {
    {.name = "{label}",
     .runs = "{label}-whole",
     .columns = {{"t[s]", "t"}, {"phi[rad]", .value = inclination_at}}},
    {.name = "error-{label}",
     .runs = "{label}-{#dt}",
     .along = "dt",
     .columns = {{"dt[s]", "dt"}, {"error[rad]", .value = error_of}}},
    {0}};

const struct case_check tippe_top_scalable_checks[] = {
    {.what = "{label}: what closed gaps lose in all steps of 1e-3 s, 8 s [m]",
     .runs = "{label}-whole",
     .value = tippe_top_closed_loss,
     .claim = {0, 1e-12, .published = "no drift in the unilateral contacts (moeller 6.5)"}},
    {.what = "{label}: largest |g_S| of the quaternion, 8 s",
     .runs = "{label}-whole",
     .where = {{"body", "scalable"}},
     .path = "constraints.position_max",
     .claim = {0, 1e-14, .expected = "0"}},
    {.what = "{label}: largest rise of the energy in a step [J]",
     .runs = "{label}-whole",
     .path = "energy.max_increase",
     .claim = {-1e-12, 1e-15, .expected = "none"}},
    {.what =
         "decomposed against quaternion, 8 s: largest distance of the curves at 1e-4 s over that "
         "at 1e-5 s",
     .runs = "decomposed-long-1",
     .value = approach,
     .claim = {3, 12, .expected = "they become one, by 10 at first order",
               .published = "mostly the same results (moeller 6.5)"}},
    {.what = "decomposed against quaternion at 1e-5 s: that distance over the panel",
     .runs = "decomposed-long-1",
     .value = scheme_difference,
     .report = 1,
     .claim = {.expected = "a line's width is 0.01"}},
    {.what = "error at 1e-3 s, decomposed over quaternion",
     .runs = "decomposed-0",
     .over = "quaternion-0",
     .value = error_of,
     .claim = {3, 30, .expected = "first order against second",
               .published = "accuracy decreases earlier with larger steps (moeller 6.5)"}},
    {.what = "error at 1e-3 s, Q and H by the midpoint rule over decomposed",
     .runs = "midpoint-0",
     .over = "decomposed-0",
     .value = error_of,
     .claim = {0, 0.5,
               .published = "improved by an implicit midpoint approximation (moeller 6.5)"}},
    {.what = "timing: processor time with Q and H by the midpoint rule over decomposed, 8 s",
     .runs = "midpoint-whole",
     .over = "decomposed-whole",
     .path = "timing.steps_s",
     .claim = {0.8, 1.7, .expected = "1 and a little",
               .published = "increases the numerical work slightly (moeller 6.5)"}},
    {0}};

const struct case_panel tippe_top_scalable_panels[] = {
    {.head = "dt = 1e-3 s",
     .x = "t [s]",
     .y = "inclination [rad]",
     .x_range = {0, 8},
     .y_range = {0, 3.3},
     .key = "foot",
     .curves = {{"decomposed, scalable body", "decomposed", 1, 2, .look = "consistent-twostep"},
                {"Q and H by the midpoint rule", "midpoint", 1, 2, .look = "red"},
                {"unit quaternion", "quaternion", 1, 2, .look = "consistent-quaternion-twostep",
                 .with = CASE_DASHED}}},
    {.x = "dt [s]",
     .y = "error of the inclination until 1.3 s [rad]",
     .log = "xy",
     .x_range = {8e-5, 1.3e-3},
     .curves = {{NULL, "error-decomposed", 1, 2, .look = "consistent-twostep",
                 .with = CASE_LINESPOINTS},
                {NULL, "error-midpoint", 1, 2, .look = "red", .with = CASE_LINESPOINTS},
                {NULL, "error-quaternion", 1, 2, .look = "consistent-quaternion-twostep",
                 .with = CASE_LINESPOINTS}}},
    {0}};
