/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the double pendulum (moeller 6.2), all at the source's dt = 0.01 s: the consistent
 * two-step integrator (5.106, 5.107) in positions with multipliers on both levels, and Moreau's
 * midpoint rule in the two rod angles; event-driven integration is added as the truth.
 *
 *   moeller-6.5  rod angles, alpha_1 = atan2(x1, y1), alpha_2 = atan2(x2 - x1, y2 - y1), followed
 *                over whole turns; both schemes are also run at a hundredth of the step to show
 *                that they converge to the same solution
 *   moeller-6.6  total energy over E_0; also the one-step integrator (5.95)
 *
 * The motion is chaotic: what separates the curves after the first impact, 0.93 s, grows some
 * hundred times in 3 s, so that angles are compared before it, and errors over 2 s.
 */
#include "cases/double-pendulum/figures.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <string.h>

static const double STEP = 0.01;  /* [s] */
static const double SMOOTH = 0.9; /* [s], before the first impact */
static const double COMPARED = 2; /* [s] */
/* Energy and constraints of the consistent schemes (catalogue). */
static const double CONSERVED = 1e-11;

/* ---- rod angles ---- */

/* alpha: n x 2 [rad], from the positions of the masses. */
static double *rod_angles(const struct case_series *s, struct base_arena *arena) {
  double *alpha = base_arena_matrix(arena, 2, s->n);
  for (int k = 0; k < s->n; ++k) {
    const double *q = s->q + 4 * (size_t)k;
    double *a = alpha + 2 * (size_t)k;
    a[0] = atan2(q[0], q[1]);
    a[1] = atan2(q[2] - q[0], q[3] - q[1]);
    for (int i = 0; i < 2 && k > 0; ++i) {
      a[i] -= 2 * M_PI * rint((a[i] - a[i - 2]) / (2 * M_PI));
    }
  }
  return alpha;
}

/* Largest difference of either angle over the samples up to t_end; NaN unless both have them all,
 * at the same times. */
static double angle_distance(const struct case_series *a, const struct case_series *b, double t_end,
                             struct base_arena *arena) {
  const double *alpha = rod_angles(a, arena), *beta = rod_angles(b, arena);
  const double slack = 0.5 * STEP;
  double worst = a->t[a->n - 1] > t_end - slack && b->t[b->n - 1] > t_end - slack ? 0 : NAN;
  for (int k = 0; k < a->n && k < b->n && a->t[k] < t_end + slack; ++k) {
    for (int i = 0; i < 2; ++i) {
      const double d =
          fabs(a->t[k] - b->t[k]) < slack ? fabs(alpha[2 * k + i] - beta[2 * k + i]) : NAN;
      worst = case_worst(worst, d);
    }
  }
  return worst;
}

static void write_angles(struct case_plot *plot, const char *name, const struct case_series *s,
                         struct base_arena *arena) {
  const double *alpha = rod_angles(s, arena);
  double *rows = base_arena_matrix(arena, 3, s->n);
  for (int k = 0; k < s->n; ++k) {
    rows[3 * k] = s->t[k];
    rows[3 * k + 1] = alpha[2 * k];
    rows[3 * k + 2] = alpha[2 * k + 1];
  }
  case_plot_table(plot, name, "t[s] alpha1[rad] alpha2[rad]", s->n, 3, rows);
}

/* ---- moeller-6.5 ---- */

static const struct case_runs fig65_runs[] = {
    {.label = "twostep", .formulation = "consistent-twostep", .dt = "0.01", .sample = "0.01"},
    {.label = "moreau",
     .formulation = "moreau",
     .set = "coordinates=angles",
     .dt = "0.01",
     .sample = "0.01"},
    {.label = "event", .formulation = "event", .dt = "0.01", .sample = "0.01"},
    {.label = "twostep-fine",
     .formulation = "consistent-twostep",
     .dt = "1e-4",
     .t_end = "2",
     .sample = "0.01"},
    {.label = "moreau-fine",
     .formulation = "moreau",
     .set = "coordinates=angles",
     .dt = "1e-4",
     .t_end = "2",
     .sample = "0.01"},
    {0}};

/* Close: a hundredth of what alpha_2 spans. Converging: a hundredth of the step must remove nine
 * tenths of an error of first order, which leaves room for chaos. */
static const double CLOSE = 0.05, CONVERGES = 0.1;

static int fig65_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  (void)p;
  const struct case_series *two = case_series_ok(series, n, "twostep", 4);
  const struct case_series *moreau = case_series_ok(series, n, "moreau", 4);
  const struct case_series *event = case_series_ok(series, n, "event", 4);
  const struct case_series *two_fine = case_series_ok(series, n, "twostep-fine", 4);
  const struct case_series *moreau_fine = case_series_ok(series, n, "moreau-fine", 4);
  if (two == NULL || moreau == NULL || event == NULL || two_fine == NULL || moreau_fine == NULL) {
    return BASE_FAILED;
  }
  struct base_arena *arena = base_arena_alloc();
  case_plot_check(plot, "two-step against Moreau, until the first impact: largest angle [rad]",
                  angle_distance(two, moreau, SMOOTH, arena), 0, CLOSE, "close");
  case_plot_check(plot, "two-step against event, until the first impact: largest angle [rad]",
                  angle_distance(two, event, SMOOTH, arena), 0, CLOSE, "");
  case_plot_check(plot, "two-step over 2 s: error at dt = 1e-4 s over that at 0.01 s",
                  angle_distance(two_fine, event, COMPARED, arena) /
                      angle_distance(two, event, COMPARED, arena),
                  0, CONVERGES, "converges");
  case_plot_check(plot, "Moreau over 2 s: error at dt = 1e-4 s over that at 0.01 s",
                  angle_distance(moreau_fine, event, COMPARED, arena) /
                      angle_distance(moreau, event, COMPARED, arena),
                  0, CONVERGES, "converges");
  case_plot_check(plot, "two-step against Moreau at dt = 1e-4 s, 2 s: largest angle [rad]",
                  angle_distance(two_fine, moreau_fine, COMPARED, arena), 0, CLOSE,
                  "the same solution");
  write_angles(plot, "twostep", two, arena);
  write_angles(plot, "moreau", moreau, arena);
  write_angles(plot, "event", event, arena);
  base_arena_free(arena);
  return BASE_OK;
}

/* ---- moeller-6.6 ---- */

static const struct case_runs fig66_runs[] = {
    {.label = "twostep", .formulation = "consistent-twostep", .dt = "0.01", .sample = "0.01"},
    {.label = "onestep", .formulation = "consistent-onestep", .dt = "0.01", .sample = "0.01"},
    {.label = "moreau",
     .formulation = "moreau",
     .set = "coordinates=angles",
     .dt = "0.01",
     .sample = "0.01"},
    {0}};

/* t, E/E_0, and |E/E_0 - 1|, missing where it is exactly zero. */
static void write_energy(struct case_plot *plot, const char *name, const struct case_series *s,
                         struct base_arena *arena) {
  double *rows = base_arena_matrix(arena, 3, s->n);
  for (int k = 0; k < s->n; ++k) {
    const double ratio = s->energy[k] / s->energy[0], d = fabs(ratio - 1);
    rows[3 * k] = s->t[k];
    rows[3 * k + 1] = ratio;
    rows[3 * k + 2] = d > 0 ? d : NAN;
  }
  case_plot_table(plot, name, "t[s] E/E0[-] |E/E0-1|[-]", s->n, 3, rows);
}

/* A hundredth of E_0 shows in a figure. */
static const double SIGNIFICANT = 0.01;
/* The two schemes are the same without contacts, to Newton's tolerance on either; with impacts they
 * are not, by far more than rounding. */
static const double IDENTICAL = 1e-9, DIFFERENT = 1e-6;

static int fig66_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  (void)p;
  const struct case_series *two = case_series_ok(series, n, "twostep", 4);
  const struct case_series *one = case_series_ok(series, n, "onestep", 4);
  const struct case_series *moreau = case_series_ok(series, n, "moreau", 4);
  if (two == NULL || one == NULL || moreau == NULL) {
    return BASE_FAILED;
  }
  case_plot_check(plot, "two-step: largest |E/E_0 - 1|", case_energy_deviation(two), 0, CONSERVED,
                  "preserved up to the numerical precision");
  case_plot_check(plot, "two-step: largest |g_S| [m^2]",
                  case_number(two, "constraints.position_max"), 0, CONSERVED, "0");
  case_plot_check(plot, "two-step: largest |gamma_S| [m^2/s]",
                  case_number(two, "constraints.velocity_max"), 0, CONSERVED, "0");
  case_plot_check(plot, "one-step (5.95): largest |E/E_0 - 1|", case_energy_deviation(one), 0,
                  CONSERVED, "preserved up to the numerical precision");
  case_plot_check(plot, "one-step (5.95): largest |g_S| [m^2]",
                  case_number(one, "constraints.position_max"), 0, CONSERVED, "0");
  case_plot_check(plot, "one-step (5.95): largest |gamma_S| [m^2/s]",
                  case_number(one, "constraints.velocity_max"), 0, CONSERVED, "0");
  case_plot_check(plot, "Moreau: largest |E/E_0 - 1|", case_energy_deviation(moreau), SIGNIFICANT,
                  INFINITY, "significant deviation");
  struct base_arena *arena = base_arena_alloc();
  case_plot_check(plot, "one-step against two-step until the first impact: largest angle [rad]",
                  angle_distance(one, two, SMOOTH, arena), 0, IDENTICAL, "very similar");
  case_plot_check(plot, "one-step against two-step over 2 s: largest angle [rad]",
                  angle_distance(one, two, COMPARED, arena), DIFFERENT, INFINITY, "not identical");
  write_energy(plot, "twostep", two, arena);
  write_energy(plot, "onestep", one, arena);
  write_energy(plot, "moreau", moreau, arena);
  base_arena_free(arena);
  return BASE_OK;
}

const struct case_figure double_pendulum_figures[] = {
    {.id = "moeller-6.5",
     .title = "Double pendulum: rod angles",
     .caption = "Rod angles at dt = 0.01 s by the consistent two-step integrator in positions and "
                "by Moreau's midpoint rule in angles, with event-driven integration for "
                "comparison. After the first impacts the curves separate, as the motion is "
                "chaotic; shorter steps bring both to the same solution.",
     .runs = fig65_runs,
     .make = fig65_make},
    {.id = "moeller-6.6",
     .title = "Double pendulum: total energy",
     .caption = "Energy over its initial value at dt = 0.01 s. Moreau's midpoint rule loses and "
                "gains energy; both consistent integrators conserve it, and the lengths of the "
                "rods on position and velocity level, to rounding.",
     .runs = fig66_runs,
     .make = fig66_make},
    {.id = NULL}};
