/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the chain (bhalerao 4.2.2):
 *
 *   bhalerao-sizes  unknowns of both mixed complementarity problems, as posed by runs, against
 *                   12 + 2 X + X eta (32) and 12 + 6 B_u + 2 X + X eta (33)
 *   bhalerao-chain  time a step against the number of links, by divide and conquer and by dense
 *                   elimination of the same equations; their impulses and velocities compared
 *
 * Times are those of whole steps of a run, measurements included, and the only thing here that
 * differs from run to run.
 */
#include "cases/chain/chain_figures.h"

#include "base/status.h"
#include "cases/figure_kit.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

static const double STEP = 1e-3; /* [s] */

/* The series of a run that ended ok, trajectory or not. */
static const struct case_series *finished(const struct case_series *series, int n,
                                          const char *label) {
  const struct case_series *s = case_series_find(series, n, label);
  if (s != NULL && s->status != BASE_OK) {
    base_fail(BASE_FAILED, "run '%s': %s", label, s->reason);
    return NULL;
  }
  return s;
}

/* ---- bhalerao-sizes ---- */

static const struct {
  int contacts, per_link;
} loads[] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {2, 2}, {4, 2}, {8, 2}};
static const int facets[] = {4, 8, 16};
enum { LOADS = sizeof loads / sizeof loads[0], FACETS = 3 };

static int sizes_plan(const struct case_parameters *p, int i, struct case_run *run) {
  (void)p;
  if (i >= 2 * LOADS * FACETS) {
    return 0;
  }
  const int mcp = 32 + i % 2, eta = facets[i / 2 % FACETS], load = i / 2 / FACETS;
  case_run_fill(run, "lcp-dca", NULL, STEP, STEP, 0, "%d-x%d-p%d-f%d", mcp, loads[load].contacts,
                loads[load].per_link, eta);
  snprintf(run->set, sizeof run->set, "n=24 contacts=%d per_link=%d", loads[load].contacts,
           loads[load].per_link);
  snprintf(run->opt, sizeof run->opt, "mcp=%d n_dir=%d", mcp, eta);
  return 1;
}

static int sizes_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  double wrong = 0;
  (void)p;
  for (int mcp = 32; mcp <= 33; ++mcp) {
    for (int f = 0; f < FACETS; ++f) {
      double rows[LOADS][4];
      for (int k = 0; k < LOADS; ++k) {
        char label[CASE_TEXT], name[CASE_TEXT];
        const int X = loads[k].contacts, bodies = X / loads[k].per_link, eta = facets[f];
        snprintf(label, sizeof label, "%d-x%d-p%d-f%d", mcp, X, loads[k].per_link, eta);
        const struct case_series *s = finished(series, n, label);
        if (s == NULL) {
          return BASE_FAILED;
        }
        const double stated = 12 + (mcp == 33 ? 6 * bodies : 0) + 2 * X + X * eta;
        const double posed = case_number(s, "formulation.mcp");
        wrong = case_worst(wrong, fabs(posed - stated));
        wrong = case_worst(wrong, fabs(case_number(s, "contacts.max") - X));
        rows[k][0] = X, rows[k][1] = bodies, rows[k][2] = posed, rows[k][3] = stated;
        if (k == LOADS - 1) {
          snprintf(name, sizeof name, "size-%d-%d", mcp, eta);
          case_plot_table(plot, name, "X B_u posed stated", LOADS, 4, rows[0]);
        }
      }
    }
  }
  case_plot_check(plot, "unknowns posed less those stated, worst of 42 problems", wrong, 0, 0,
                  "12 + 2 X + X eta; 12 + 6 B_u + 2 X + X eta");
  return BASE_OK;
}

/* ---- bhalerao-chain ---- */

static const int long_chains[] = {64, 128, 256, 512, 1024, 2048, 4096};
static const int both_chains[] = {2, 4, 8, 16, 32, 64, 128};
enum { LONG = sizeof long_chains / sizeof long_chains[0], BOTH = 7, SHORT = 5, REPEAT = 3 };
/* Few where a dense run stands beside: rounding grows from step to step. */
static int steps_of(int links) { return links <= both_chains[BOTH - 1] ? 10 : 20; }

/* Short chains by divide and conquer, the dense ones, and long ones REPEAT times: the fastest
 * counts, which is the least disturbed by what else the machine does. */
static int chain_plan(const struct case_parameters *p, int i, struct case_run *run) {
  (void)p;
  if (i >= SHORT + BOTH + REPEAT * LONG) {
    return 0;
  }
  const int dense = i >= SHORT && i < SHORT + BOTH, k = i - SHORT - BOTH;
  const int links = dense       ? both_chains[i - SHORT]
                    : i < SHORT ? both_chains[i]
                                : long_chains[k % LONG];
  const double end = steps_of(links) * STEP;
  case_run_fill(run, dense ? "lcp-st" : "lcp-dca", NULL, STEP, end,
                links <= both_chains[BOTH - 1] ? end : 0, "%s-%d-%d", dense ? "dense" : "dca",
                links, k < 0 ? 0 : k / LONG);
  snprintf(run->set, sizeof run->set, "n=%d contacts=%d", links, links < 8 ? links / 2 : 4);
  return 1;
}

/* Processor time a step [ms] of run number `repeat`; NaN with a message when it did not end well.
 */
static double step_time(const struct case_series *series, int n, const char *what, int links,
                        int repeat) {
  char label[CASE_TEXT];
  snprintf(label, sizeof label, "%s-%d-%d", what, links, repeat);
  const struct case_series *s = finished(series, n, label);
  return s != NULL ? 1e3 * case_number(s, "timing.cpu_s") / case_number(s, "steps") : NAN;
}

/* Largest |a - b| of n numbers over the largest of them. */
static double difference(int n, const double *a, const double *b) {
  double worst = 0, scale = 0;
  for (int i = 0; i < n; ++i) {
    worst = case_worst(worst, fabs(a[i] - b[i]));
    scale = case_worst(scale, fmax(fabs(a[i]), fabs(b[i])));
  }
  return scale > 0 ? worst / scale : worst;
}

/* The same of impulses of the last step, for the same contacts; NaN when these are not the same. */
static double impulse_difference(const struct case_series *a, const struct case_series *b,
                                 double *carrying) {
  const cJSON *list[2], *x, *y;
  double worst = 0, scale = 0;
  for (int k = 0; k < 2; ++k) {
    const cJSON *final = cJSON_GetObjectItemCaseSensitive((k ? b : a)->record, "final");
    list[k] =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(final, "impulses"), "r");
  }
  if (cJSON_GetArraySize(list[0]) != cJSON_GetArraySize(list[1])) {
    return NAN;
  }
  const int contacts = cJSON_GetArraySize(list[0]) / 3;
  *carrying += contacts;
  x = list[0] != NULL ? list[0]->child : NULL;
  y = list[1] != NULL ? list[1]->child : NULL;
  for (; x != NULL && y != NULL; x = x->next, y = y->next) {
    worst = case_worst(worst, fabs(x->valuedouble - y->valuedouble));
    scale = fmax(scale, fabs(x->valuedouble));
  }
  return scale > 0 ? worst / scale : worst;
}

static int chain_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  double dca[SHORT + LONG][2], dense[BOTH][2], links[LONG], time[LONG];
  double velocities = 0, impulses = 0, carrying = 0;
  char label[CASE_TEXT];
  (void)p;
  for (int i = 0; i < SHORT + LONG; ++i) {
    const int count = i < SHORT ? both_chains[i] : long_chains[i - SHORT];
    dca[i][0] = count;
    dca[i][1] = INFINITY;
    for (int k = 0; k < (i < SHORT ? 1 : REPEAT); ++k) {
      const double t = step_time(series, n, "dca", count, k);
      if (isnan(t)) {
        return BASE_FAILED;
      }
      dca[i][1] = fmin(dca[i][1], t);
    }
    if (i >= SHORT) {
      links[i - SHORT] = count;
      time[i - SHORT] = dca[i][1];
    }
  }
  for (int i = 0; i < BOTH; ++i) {
    snprintf(label, sizeof label, "dense-%d-0", both_chains[i]);
    const struct case_series *s = case_series_ok(series, n, label, 7 * both_chains[i]);
    snprintf(label, sizeof label, "dca-%d-0", both_chains[i]);
    const struct case_series *other = case_series_ok(series, n, label, 7 * both_chains[i]);
    if (s == NULL || other == NULL) {
      return BASE_FAILED;
    }
    dense[i][0] = both_chains[i];
    dense[i][1] = step_time(series, n, "dense", both_chains[i], 0);
    velocities = case_worst(velocities, difference(s->nu, s->u + (long)(s->n - 1) * s->nu,
                                                   other->u + (long)(other->n - 1) * other->nu));
    impulses = case_worst(impulses, impulse_difference(s, other, &carrying));
  }
  case_plot_table(plot, "dca", "links timing[ms]", SHORT + LONG, 2, dca[0]);
  case_plot_table(plot, "dense", "links timing[ms]", BOTH, 2, dense[0]);
  case_plot_check(plot, "impulses after 10 steps, 2 to 128 links: relative difference", impulses, 0,
                  1e-10, "the same");
  case_plot_check(plot, "contacts that carry there", carrying, BOTH, INFINITY, "");
  case_plot_check(plot, "velocities after 10 steps: relative difference", velocities, 0, 1e-10,
                  "the same");
  case_plot_check(plot, "timing: exponent of a step by divide and conquer, 64 to 4096 links",
                  case_order(LONG, links, time, LONG), 0.5, 1.1, "1, O(n)");
  double top[2], top_time[2];
  for (int k = 0; k < 2; ++k) {
    top[k] = log(dense[BOTH - 2 + k][0]);
    top_time[k] = log(dense[BOTH - 2 + k][1]);
  }
  case_plot_check(plot, "timing: exponent of a step by dense elimination, 64 to 128 links",
                  (top_time[1] - top_time[0]) / (top[1] - top[0]), 1.5, INFINITY, "3, O(n^3)");
  return BASE_OK;
}

const struct case_figure chain_figures[] = {
    {.id = "bhalerao-sizes",
     .title = "Chain of 24 links: unknowns of the mixed complementarity problems",
     .caption =
         "Points: as posed by runs with 4, 8 and 16 friction directions, one or two contacts "
         "on a link; lines: as stated, 12 + 2 X + X eta (32) and 12 + 6 B_u + 2 X + X eta "
         "(33), for one on a link. The number of links does not enter.",
     .plan = sizes_plan,
     .make = sizes_make},
    {.id = "bhalerao-chain",
     .title = "Chain: time a step against its length",
     .caption = "Up to 4 contacts, on one thread: divide and conquer (lcp-dca) and dense "
                "elimination of the same equations (lcp-st).",
     .plan = chain_plan,
     .make = chain_make},
    {.id = NULL}};
