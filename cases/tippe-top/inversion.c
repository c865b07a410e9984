/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   tippe-top-inversion  time of inversion with B_F and E_F against dt, Moreau's midpoint rule
 *                        (moeller 6.5; the study is ours)
 *
 * The top counts as inverted when its inclination phi = acos(a_0^2 + a_3^2 - a_1^2 - a_2^2) first
 * exceeds 3 rad; the time T is interpolated between samples. There is no reference for the sets
 * with spin torque, so convergence is seen from the differences between steps that halve: with
 * T(dt) = T + C dt^p they fall as dt^p. Steps too long do not invert the top in time; their T is
 * missing from the table, their greatest inclination is there.
 *
 * How fast must it spin? By Jellett's integral lambda = -L . (c e - r n), which a contact force
 * without torque keeps, the steady motions are the stationary points of
 *   m g (r - c cos phi) + lambda^2 / (2 D),  D = r^2 (J1 sin^2 phi + J3 (cos phi - c/r)^2),
 * and upright, phi = 0, is a minimum of it for spins below n_c,
 *   n_c^2 = m g c (1 - c/r)^2 / (J1 - J3 (1 - c/r)),
 * 21.7 rad/s. Below it an inclination dies away, above it grows.
 */
#include "cases/tippe-top/tippe-top.h"

#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

static const double INVERTED = 3; /* [rad] */
#define INVERTED_FROM 1.4         /* [s] */
#define INVERTED_BY 1.6           /* [s], the horizon too */
/* Differences of a first-order scheme halve with the step; they count as shrinking below this. */
#define SHRINKS 0.75
/* B_F and E_F invert alike: their times differ by less than this part (0.03 % measured). */
#define ALIKE 1e-3

static void spin(const struct case_parameters *p, const struct case_place *place,
                 struct case_run *run) {
  const double c = case_real(p, "c1"), a = 1 - c / case_real(p, "r1");
  const double n_c = sqrt(case_real(p, "m") * case_real(p, "g") * c /
                          (case_real(p, "J1") - a * case_real(p, "J3"))) *
                     a;
  snprintf(run->set, sizeof run->set, "friction_set=S wz0=%.6g",
           case_place_real(place, "part") * n_c);
}

/* The first step is the one of moeller-6.25, too long to invert; the others halve [s]. */
const struct case_runs tippe_top_inversion_runs[] = {
    {.label = "{set}-{dt}",
     .formulation = "moreau",
     .set = "friction_set={set}",
     .dt = "{dt}",
     .t_end = "1.6",
     .sample = "1e-3",
     .over = {{"set", "B E"}, {"dt", "0.001 0.0004 0.0002 0.0001 5e-05 2.5e-05 1.25e-05"}}},
    {.label = "{part} n_c",
     .formulation = "moreau",
     .dt = "1e-4",
     .t_end = "4",
     .sample = "1e-2",
     .over = {{"part", "0.7 3"}},
     .fill = spin},
    {0}};

/* T [s]; NaN: it does not invert. */
static double time_of(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  for (k = 0; k < s->n; ++k) {
    const double now = tippe_top_inclination(s, k);
    if (now > INVERTED) {
      const double before = k > 0 ? tippe_top_inclination(s, k - 1) : now;
      const double part = k > 0 ? (INVERTED - before) / (now - before) : 0;
      return k > 0 ? s->t[k - 1] + part * (s->t[k] - s->t[k - 1]) : s->t[k];
    }
  }
  return NAN;
}

/* Of T to that at half the step, the run behind this one [s]. */
static double difference(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(time_of(r, s, k) - time_of(r, s + 1, k));
}

/* To the difference at twice the step. */
static double ratio(const struct case_results *r, const struct case_series *s, int k) {
  return difference(r, s, k) / difference(r, s - 1, k);
}

static double set_apart(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(time_of(r, s, k) - time_of(r, r->against, k)) / time_of(r, s, k);
}

/* Inclination at the end over that at the start. */
static double grown(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return tippe_top_inclination(s, s->n - 1) / tippe_top_inclination(s, 0);
}

const struct case_table tippe_top_inversion_tables[] = {
    {.name = "{set}",
     .runs = "{set}-{dt}",
     .along = "dt",
     .columns = {{"dt[s]", "dt"},
                 {"T[s]", .value = time_of},
                 {"phi_max[rad]", .value = tippe_top_most_inclined}}},
    {0}};

const struct case_check tippe_top_inversion_checks[] = {
    {.what = "{set}_F: time of inversion at the smallest dt [s]",
     .runs = "{set}-{dt}",
     .where = {{"dt", "1.25e-05"}},
     .value = time_of,
     .claim = {.lo = INVERTED_FROM, .hi = INVERTED_BY}},
    {.what = "{set}_F: largest ratio of a difference to the one before",
     .runs = "{set}-{dt}",
     .where = {{"dt", "0.0002 0.0001 5e-05 2.5e-05"}},
     .value = ratio,
     .along = "dt",
     .reduce = CASE_WORST,
     .claim = {0, SHRINKS, .expected = "1/2"}},
    {.what = "{set}_F: order of the differences in dt",
     .runs = "{set}-{dt}",
     .where = {{"dt", "0.0004 0.0002 0.0001 5e-05 2.5e-05"}},
     .value = difference,
     .along = "dt",
     .claim = {.lo = 0.8, .hi = 1.2}},
    {.what = "times with B_F and E_F at the smallest dt, relative difference",
     .runs = "B-1.25e-05",
     .against = "E-1.25e-05",
     .value = set_apart,
     .claim = {0, ALIKE,
               .published = "the overall behaviour is preserved very well (moeller 6.5)"}},
    {.what = "spinning at 0.7 of the critical spin: inclination after 4 s over that at the start",
     .runs = "0.7 n_c",
     .value = grown,
     .claim = {0.02, 0.9, .expected = "below 1: upright is stable"}},
    {.what = "at 3 times the critical spin: the same",
     .runs = "3 n_c",
     .value = grown,
     .claim = {2, 31, .expected = "above 1: it rises",
               .published = "turns if the spinning velocity is high enough (moeller 6.5)"}},
    {0}};

const struct case_panel tippe_top_inversion_panels[] = {
    {.x = "step dt [s]",
     .y = "time of inversion [s]",
     .log = "x",
     .x_range = {1e-5, 1.3e-3},
     .key = "left bottom",
     .curves = {{"B_F", "B", 1, 2, .look = "violet", .with = CASE_LINESPOINTS},
                {"E_F", "E", 1, 2, .look = "red", .with = CASE_LINESPOINTS}}},
    {.x = "step dt [s]",
     .y = "largest inclination [rad]",
     .log = "x",
     .x_range = {1e-5, 1.3e-3},
     .key = "left bottom",
     .curves = {{NULL, "B", 1, 3, .look = "violet", .with = CASE_LINESPOINTS},
                {NULL, "E", 1, 3, .look = "red", .with = CASE_LINESPOINTS},
                {"inverted from here", .scale = 3, .look = "limit", .width = 1.2}}},
    {0}};
