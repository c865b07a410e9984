/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * packing-solvers: one step of spheres let go in a face-centred lattice, as cannonballs lie, with
 * radii uneven by 1e-3. Gaps are a tenth of the fall in a step of 10 ms: at 1000 spheres half of
 * the contacts carry, two to three a sphere, and which of them do, and where they slide, is as
 * random as in a heap. A load at the top is felt at the floor, n^(1/3) spheres below: a chain of
 * that many has a condition of n^(2/3), which is what a method without acceleration takes, and one
 * with it the root. No power is known for the exact law. mu is half of the case's: with 0.4 no
 * relaxation, with momentum or without, gets 1000 spheres to 1e-6 in 10,000 sweeps by the exact
 * law, and there would be little to compare.
 */
#include "cases/packing/packing.h"

#include "base/status.h"
#include "cases/figure/scaling.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- all solvers, both laws, to four tolerances ---- */

enum { TOLERANCE_COUNT = 4, TIGHT = 2, HUNDRED = 2 };
/* A solver of a law: powers to each tolerance, and runs that missed theirs. */
struct stack_row {
  char name[CASE_TEXT]; /* "ccp-apgd" */
  struct case_scaling_fit fit[TOLERANCE_COUNT];
  int missed, runs;
  double worst; /* largest residual over |b| of those */
};

/* The label of a run without its last `parts` parts. */
static void cut_label(const char *label, int parts, char out[CASE_TEXT]) {
  snprintf(out, CASE_TEXT, "%s", label);
  for (; parts > 0; --parts) {
    *strrchr(out, '-') = '\0'; /* tolerances are 1e-2 ...: two of them */
  }
}

/* Tables of one solver: over contacts for each tolerance, <name>-<tol>, and over tolerances at a
 * hundred spheres, <name>-tolerances. */
static int make_row(const struct case_series *runs, int sizes, struct case_plot *plot,
                    struct stack_row *row) {
  double over[TOLERANCE_COUNT][4];
  char table[CASE_TEXT + 16];
  int status = BASE_OK;
  cut_label(runs->run->label, 3, row->name);
  for (int k = 0; k < TOLERANCE_COUNT && status == BASE_OK; ++k, runs += sizes) {
    const struct case_series *hundred = &runs[HUNDRED];
    cut_label(runs->run->label, 1, table);
    status = case_scaling_solver(table, sizes, runs, plot, &row->fit[k]);
    row->missed += row->fit[k].missed;
    row->runs += sizes;
    for (int i = 0; i < sizes; ++i) {
      if (runs[i].status != BASE_OK) {
        row->worst = fmax(row->worst, case_number(&runs[i], "law.relative_b_max"));
      }
    }
    over[k][0] = case_number(hundred, "solver.options.tol");
    over[k][1] = case_number(hundred, "iterations.total");
    over[k][2] = case_number(hundred, "timing.steps_s");
    over[k][3] = hundred->status != BASE_OK;
  }
  snprintf(table, sizeof table, "%s-tolerances", row->name);
  return status != BASE_OK ? status
                           : case_plot_table(plot, table, "tol iterations timing[s] missed",
                                             TOLERANCE_COUNT, 4, over[0]);
}

/* Powers to 1e-6. Few spheres are easier than a chain's power law says, which makes powers larger
 * than in the limit; what remains of it is on which side of the condition they lie. */
#define CONDITION (2.0 / 3)
static const struct {
  const char *name;
  struct case_claim claim;
} stack_powers[] = {
    {"ccp-momentum-1", {0.15, CONDITION, .expected = "1/3 in long chains, and below 2/3"}},
    {"ccp-apgd", {0.15, CONDITION, .expected = "1/3 in long chains, and below 2/3"}},
    {"ccp-relaxation", {CONDITION, 1.1, .expected = "2/3 in long chains, and not below"}},
    {"ccp-ipm", {0, 0.2, .expected = "0"}},
};
/* How many times the sweeps of momentum those of others are, to 1e-6 at 1000 spheres. */
static const struct {
  const char *what, *slow, *fast;
  struct case_claim claim;
} stack_ratios[] = {
    {"ccp: sweeps without momentum over those with it",
     "ccp-relaxation-1e-6-1000",
     "ccp-momentum-1-1e-6-1000",
     {5, 50, .expected = "above 5"}},
    {"ccp: iterations of apgd over sweeps with momentum",
     "ccp-apgd-1e-6-1000",
     "ccp-momentum-1-1e-6-1000",
     {2, 10, .expected = "above 2"}},
    {"ncp: sweeps without momentum over those with momentum=0.8",
     "ncp-relaxation-1e-6-1000",
     "ncp-momentum-0.8-1e-6-1000",
     {3, 20, .expected = "above 3; Nesterov's 0.8 alone makes it 5"}},
};
/* Solvers that meet every tolerance. */
static const char *const stack_sure[] = {"ccp-momentum-1", "ccp-apgd", "ccp-ipm", "ccp-auto",
                                         "ncp-auto"};

static int is_sure(const char *name) {
  int sure = 0;
  for (size_t i = 0; i < sizeof stack_sure / sizeof *stack_sure; ++i) {
    sure |= strcmp(stack_sure[i], name) == 0;
  }
  return sure;
}

static void check_row(const struct stack_row *row, struct case_plot *plot) {
  char what[CASE_TEXT + 64];
  for (size_t i = 0; i < sizeof stack_powers / sizeof *stack_powers; ++i) {
    if (strcmp(stack_powers[i].name, row->name) == 0) {
      snprintf(what, sizeof what, "%s: power of contacts in the iterations to 1e-6", row->name);
      case_plot_check(plot, what, row->fit[TIGHT].iterations[0], stack_powers[i].claim);
    }
  }
  snprintf(what, sizeof what, "%s: runs that missed their tolerance", row->name);
  if (is_sure(row->name)) {
    case_plot_check(plot, what, row->missed, (struct case_claim){0, 0, .expected = "0"});
  } else {
    case_plot_report(plot, what, row->missed,
                     base_arena_printf(plot->arena,
                                       row->missed > 0
                                           ? "of %d, which stood at %.1e |b| at most when "
                                             "their iterations ended"
                                           : "of %d",
                                       row->runs, row->worst));
  }
}

/* Runs at the head of n that are of one solver, which is the first of their names. */
static int count_of_solver(const struct case_series *series, int n) {
  int count = 1;
  while (count < n && strcmp(series[count].run->names[0].text, series[0].run->names[0].text) == 0) {
    ++count;
  }
  return count;
}

static int stack_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  struct stack_row row;
  int status = BASE_OK, first = 0;
  (void)p;
  while (first < n && status == BASE_OK) {
    const int each = count_of_solver(series + first, n - first);
    row = (struct stack_row){.runs = 0};
    status = make_row(series + first, each / TOLERANCE_COUNT, plot, &row);
    check_row(&row, plot);
    first += each;
  }
  for (size_t i = 0; i < sizeof stack_ratios / sizeof *stack_ratios && status == BASE_OK; ++i) {
    const struct case_series *slow = case_series_find(series, n, stack_ratios[i].slow),
                             *fast = case_series_find(series, n, stack_ratios[i].fast);
    if (slow == NULL || fast == NULL) {
      return BASE_FAILED;
    }
    case_plot_check(plot, stack_ratios[i].what,
                    case_number(slow, "iterations.total") / case_number(fast, "iterations.total"),
                    stack_ratios[i].claim);
  }
  return status;
}

const struct case_function packing_functions[] = {{"stack_make", .make = stack_make}, {0}};
