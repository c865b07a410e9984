/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies over several runs that are figures of a case: every check must hold on real runs, and
 * fail where runs are exchanged or bent.
 */
#include "tests/test.h"

#include "base/json/json.h"
#include "tests/figure_run.h"

#include <math.h>
#include <string.h>

static struct case_series *series_of(struct figure_run *figure, const char *label) {
  for (int i = 0; i < figure->n; ++i) {
    if (strcmp(figure->series[i].run->label, label) == 0) {
      return &figure->series[i];
    }
  }
  CHECK_MESSAGE(0, "there is no run %s", label);
  return &figure->series[0];
}

/* What was asked of a run stays with it. */
static void keep_asked(cJSON *a, cJSON *b) {
  static const char *const blocks[] = {"case", "formulation", "solver", "dt", "t_end"};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
    cJSON *of_a = cJSON_DetachItemFromObjectCaseSensitive(a, blocks[i]);
    cJSON *of_b = cJSON_DetachItemFromObjectCaseSensitive(b, blocks[i]);
    cJSON_AddItemToObject(a, blocks[i], of_b);
    cJSON_AddItemToObject(b, blocks[i], of_a);
  }
}

/* Exchange what came out of two runs. */
static void exchange(struct figure_run *figure, const char *a, const char *b) {
  struct case_series *x = series_of(figure, a), *y = series_of(figure, b);
  const struct case_series kept = *x;
  *x = *y;
  x->run = kept.run;
  const struct case_run *run = y->run;
  *y = kept;
  y->run = run;
  keep_asked((cJSON *)x->record, (cJSON *)y->record);
}

/* How many checks fail while what came out of two runs is exchanged. */
static int failed_with(struct figure_run *figure, const char *a, const char *b) {
  struct case_plot plot;
  exchange(figure, a, b);
  CHECK_OK(figure_run_judge(figure, &plot));
  exchange(figure, a, b);
  return plot.n_failed;
}

TEST(relaxation_costs_what_the_closed_forms_say) {
  struct figure_run figure = figure_run_of("relaxation-cost");
  figure_run_passes(&figure);
  /* ncp floats not, gains nothing, and has no step that presses less: one of five in each order */
  CHECK(failed_with(&figure, "ccp-dt-4", "ncp-dt-4") >= 7);
  /* mdp leaves ncp, ccp does not lift off */
  CHECK(failed_with(&figure, "mdp-dt-2", "thrown-dt-2") >= 2);
  /* orders in dt, values, the order in n_dir */
  CHECK_INT(failed_with(&figure, "lcp-8-dt-4", "lcp-16-dt-4"), 5);
  figure_run_passes(&figure); /* and is as it was */
  figure_run_free(&figure);
}

TEST(relaxation_of_chains_converges_with_the_step) {
  struct figure_run figure = figure_run_of("relaxation-chains");
  figure_run_passes(&figure);
  /* lcp-st leaves ncp; ccp is it, to rounding */
  CHECK(failed_with(&figure, "ccp-5", "lcp-st-5") >= 3);
  /* no order, and not where mdp and lcp-st are */
  CHECK(failed_with(&figure, "ncp-0", "ncp-5") >= 2);
  figure_run_free(&figure);
}

TEST(springs_approach_the_rigid_limit) {
  struct figure_run figure = figure_run_with_errors("penalty-front");
  figure_run_passes(&figure);
  /* orders in K and in dt, and of the steps */
  CHECK_INT(failed_with(&figure, "rk4-0", "moreau-5"), 3);
  /* settles above the limit, does not below it */
  CHECK_INT(failed_with(&figure, "limit-0-0-1", "limit-0-0-2"), 2);
  CHECK_INT(failed_with(&figure, "depth-0-0", "moreau-5"), 1);
  figure_run_free(&figure);
}
