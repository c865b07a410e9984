/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * relaxation-chains: what the convex relaxation costs where several contacts act at once. Two short
 * branches whose ends come down on the ground land, slide, swing through and strike each other, as
 * `event` knows to follow. Distances are those of the centres,
 *
 *   d(t)^2 = sum_i |x_i(t) - x'_i(t)|^2/n,   d = root mean square of d(t) over the samples.
 *
 * What the relaxation adds where a landing is computed by the scheme itself (falling-particle,
 * ccp-hop) is a gap of mu dt |v_T| and what follows from it, of first order like all else here; but
 * it comes on top of the error of exact friction. Planar friction has two directions: lcp-st and
 * mdp solve the problem of ncp, and must be where it is.
 */
#include "cases/granular-chains/granular-chains.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 3, DISCS = 4, NQ = COLUMNS * DISCS, NAMES = 4, STEPS = 6, SHOWN = 2 };
enum { CCP, NCP, MDP, LCP };
static const char *const names[NAMES] = {"ccp", "ncp", "mdp", "lcp-st"};
static const double steps[STEPS] = {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4}; /* [s] */
/* Where in a step an impact falls scatters the errors. */
static const double ORDER_LO = 0.75, ORDER_HI = 1.25;
static const double ALIKE = 2;   /* a factor, of what is of the same size */
static const double SAME = 1e-8; /* [m]; the solvers' tolerance is 1e-10 */

const struct case_runs granular_chains_relaxation_runs[] = {
    {.label = "{form}-{#dt}",
     .formulation = "{form}",
     .set = "n=2 clearance=-0.05",
     .dt = "{dt}",
     .t_end = "0.8",
     .sample = "2e-2", /* a multiple of all steps */
     .over = {{"form", "ccp ncp mdp lcp-st"}, {"dt", "4e-3 2e-3 1e-3 5e-4 2.5e-4 1.25e-4"}}},
    {.label = "event",
     .formulation = "event",
     .set = "n=2 clearance=-0.05",
     .dt = "1e-3",
     .t_end = "0.8",
     .sample = "2e-2"},
    {0}};

static const struct case_series *run_of(const struct case_series *series, int n, int name, int k) {
  char label[CASE_TEXT];
  snprintf(label, sizeof label, "%s-%d", names[name], k);
  return case_series_ok(series, n, label, NQ);
}

/* d(t) at sample l [m]. */
static double distance_at(const struct case_series *a, const struct case_series *b, int l) {
  const double *x = a->q + (long)NQ * l, *y = b->q + (long)NQ * l;
  double sum = 0;
  for (int i = 0; i < DISCS; ++i) {
    for (int j = 0; j < 2; ++j) { /* x and y, not the angle */
      const double d = x[COLUMNS * i + j] - y[COLUMNS * i + j];
      sum += d * d;
    }
  }
  return sqrt(sum / DISCS);
}

/* d [m]; NaN where the samples differ. */
static double distance_of(const struct case_series *a, const struct case_series *b) {
  double sum = 0;
  for (int l = 0; l < a->n && a->n == b->n; ++l) {
    const double d = distance_at(a, b, l);
    sum += d * d;
  }
  return a->n == b->n ? sqrt(sum / a->n) : NAN;
}

/* Over time at the step SHOWN: t, ccp and ncp against event, against each other. */
static int write_times(const struct case_series *ccp, const struct case_series *ncp,
                       const struct case_series *event, struct case_plot *plot) {
  enum { COLS = 4 };
  struct base_arena *arena = base_arena_alloc();
  double *rows = base_arena_matrix(arena, COLS, ccp->n);
  for (int l = 0; l < ccp->n; ++l) {
    const double row[COLS] = {ccp->t[l], distance_at(ccp, event, l), distance_at(ncp, event, l),
                              distance_at(ccp, ncp, l)};
    memcpy(rows + (long)COLS * l, row, sizeof row);
  }
  const int status =
      case_plot_table(plot, "time", "t[s] ccp[m] ncp[m] ccp-ncp[m]", ccp->n, COLS, rows);
  base_arena_free(arena);
  return status;
}

int granular_chains_relaxation_make(const struct case_parameters *p,
                                    const struct case_series *series, int n,
                                    struct case_plot *plot) {
  enum { COLS = 5 };
  (void)p;
  double rows[STEPS][COLS], ccp_error[STEPS], ncp_error[STEPS], apart[STEPS], same = 0;
  const struct case_series *event = case_series_ok(series, n, "event", NQ);
  int status = event != NULL ? BASE_OK : BASE_FAILED;
  for (int k = 0; k < STEPS && status == BASE_OK; ++k) {
    const struct case_series *s[NAMES];
    for (int i = 0; i < NAMES; ++i) {
      s[i] = run_of(series, n, i, k);
      if (s[i] == NULL) {
        return BASE_FAILED;
      }
    }
    ccp_error[k] = distance_of(s[CCP], event);
    ncp_error[k] = distance_of(s[NCP], event);
    apart[k] = distance_of(s[CCP], s[NCP]);
    const double others = fmax(distance_of(s[MDP], s[NCP]), distance_of(s[LCP], s[NCP]));
    same = case_worst(same, others);
    const double row[COLS] = {steps[k], ccp_error[k], ncp_error[k], apart[k], others};
    memcpy(rows[k], row, sizeof row);
    status = k == SHOWN ? write_times(s[CCP], s[NCP], event, plot) : BASE_OK;
  }
  if (status != BASE_OK) {
    return status;
  }
  case_plot_check(plot, "ccp: order in dt of the distance from event",
                  case_order(STEPS, steps, ccp_error, STEPS),
                  (struct case_claim){ORDER_LO, ORDER_HI, .expected = "1"});
  case_plot_check(plot, "ncp: order in dt of the distance from event",
                  case_order(STEPS, steps, ncp_error, STEPS),
                  (struct case_claim){ORDER_LO, ORDER_HI, .expected = "1"});
  case_plot_check(plot, "order in dt of the distance of ccp from ncp",
                  case_order(STEPS, steps, apart, STEPS),
                  (struct case_claim){ORDER_LO, ORDER_HI, .expected = "1"});
  case_plot_check(plot, "mdp, lcp-st: largest distance from ncp [m]", same,
                  (struct case_claim){0, SAME, .expected = "0"});
  double share = 0;
  for (int k = 0; k < STEPS; ++k) {
    share += log(apart[k] / ncp_error[k]) / STEPS;
  }
  case_plot_check(plot, "distance of ccp from ncp over the error of ncp, geometric mean",
                  exp(share),
                  (struct case_claim){1 / ALIKE, ALIKE, .expected = "of the same order"});
  return case_plot_table(plot, "steps", "dt[s] ccp[m] ncp[m] ccp-ncp[m] mdp,lcp-st-ncp[m]", STEPS,
                         COLS, rows[0]);
}
