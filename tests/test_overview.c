/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The overview against rows whose answer is known: the step that a row is shown at, what stands in
 * a cell, which cells are not distinguishable from the best, what group a motion belongs to. It is
 * a query (scripts/plot/studies/overview.json), asked here of records that are made by hand.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "tests/report_scene.h"
#include "tests/test.h"

/* A run with an error (of a system of length 2), a time, and further members of the record. */
static cJSON *add(struct report_scene *s, const char *form, double dt, int status, double error,
                  const char *more) {
  char text[2000];
  snprintf(text, sizeof text,
           "{'status':'%s','dt':%.9g,'formulation':{'name':'%s'},'errors':{'q_linf':%.9g},'steps':"
           "100,'iterations':{'total':250},'quality':{'verdict':'good','measures':{'position':%.9g}"
           ",'scales':{'length':2,'energy':1}},'timing':{'steps_s':0.5},'reference':{'kind':'"
           "analytic','bound':1e-14},'case':{'parameters':{}},'final':{'q':[1]}%s}",
           base_status_name(status), dt, form, error, error / 2, more);
  return report_scene_add(s, 2, form, status, text);
}

/* The table of the overview: "runs", all of them, or "cells", those at the step of their row. */
static const struct frame *table_of(struct report_scene *s, const char *name) {
  const struct bench_figure *study = bench_figure_find("overview", NULL);
  if (s->report.columns == NULL) {
    report_scene_read(s, study);
  }
  const struct figure_study *made = report_study_tables(&s->report, study);
  CHECK_MESSAGE(made != NULL, "%s", base_message());
  return made != NULL ? figure_study_table(made, name) : NULL;
}

/* The row of a formulation and quantity, at a step, 0: any; -1: there is none. */
static long row_of(const struct frame *f, const char *form, const char *quantity, double dt) {
  for (long row = 0; f != NULL && row < f->n_rows; ++row) {
    if (strcmp(frame_text(f, row, frame_find(f, "formulation.name")), form) == 0 &&
        strcmp(frame_text(f, row, frame_find(f, "quantity")), quantity) == 0 &&
        (dt == 0 || report_real(f, row, "dt") == dt)) {
      return row;
    }
  }
  return -1;
}

static double real_at(const struct frame *f, const char *form, const char *quantity,
                      const char *column) {
  const long row = row_of(f, form, quantity, 0);
  return row >= 0 ? report_real(f, row, column) : -1;
}

static const char *text_at(const struct frame *f, const char *form, const char *quantity,
                           const char *column) {
  const long row = row_of(f, form, quantity, 0);
  return row >= 0 ? frame_text(f, row, frame_find(f, column)) : "absent";
}

/* Is it framed? */
static int is_best(const struct frame *f, const char *form, const char *quantity) {
  return real_at(f, form, quantity, "is_best") > 0;
}

static const char sliding[] =
    ",'contacts':{'max':1,'mean':1},'energy':{'budget':{'friction':-0.5,'impact':0}}";

TEST(row_is_shown_at_the_shortest_step_that_most_share) {
  struct report_scene *s = report_scene_begin();
  add(s, "moreau", 1e-2, BASE_OK, 1e-1, sliding);
  add(s, "moreau", 1e-3, BASE_OK, 1e-2, sliding);
  add(s, "moreau", 1e-4, BASE_OK, 1e-3, sliding);
  add(s, "ccp", 1e-2, BASE_OK, 2e-1, sliding);
  add(s, "ccp", 1e-3, BASE_DIVERGED, 1e9, sliding);
  add(s, "penalty", 1e-5, BASE_OK, 1e-7, sliding);
  add(s, "event", 1e-2, BASE_OK, 1e-15, sliding);
  const struct frame *cells = table_of(s, "cells");
  CHECK_NEAR(real_at(cells, "moreau", "error", "step"), 1e-3, 0);
  CHECK_NEAR(real_at(cells, "moreau", "error", "dt"), 1e-3, 0);
  CHECK_TEXT(text_at(cells, "moreau", "error", "kind"), "number");
  CHECK_NEAR(real_at(cells, "moreau", "error", "number"), 5e-3, 1e-15);
  CHECK_TEXT(text_at(cells, "moreau", "error", "shown"), "-2.3");
  CHECK_NEAR(real_at(cells, "moreau", "iterations", "number"), 2.5, 0);
  CHECK_TEXT(text_at(cells, "moreau", "iterations", "shown"), "2.5");
  CHECK_TEXT(text_at(cells, "moreau", "drift", "shown"), "\xe2\x80\x93");
  CHECK_TEXT(text_at(cells, "ccp", "error", "kind"), "failed");
  CHECK_TEXT(text_at(cells, "ccp", "error", "shown"), "D");
  CHECK_TEXT(text_at(cells, "penalty", "error", "kind"), "absent");
  CHECK_TEXT(text_at(cells, "event", "error", "kind"), "rounding");
  CHECK_INT(real_at(cells, "event", "error", "place"), 2);
  CHECK_INT(real_at(cells, "moreau", "error", "place"), 1);
  CHECK_TEXT(text_at(cells, "moreau", "error", "reference"), "analytic");
  CHECK_INT(is_best(cells, "moreau", "error"), 1);
  CHECK_INT(is_best(cells, "event", "error"), 0);
}

/* The rule itself is held by tests of the frame: here that cells are asked of it rightly. */
TEST(cells_are_framed_where_the_neighbouring_step_changes_the_order) {
  struct report_scene *s = report_scene_begin();
  add(s, "moreau", 1e-2, BASE_OK, 1e-2, sliding);
  add(s, "moreau", 1e-3, BASE_OK, 1e-3, sliding);
  add(s, "mdp", 1e-2, BASE_OK, 0.9e-2, sliding); /* now less, now more */
  add(s, "mdp", 1e-3, BASE_OK, 3e-3, sliding);
  add(s, "ncp", 1e-2, BASE_OK, 50e-2, sliding); /* of higher order, and always far behind */
  add(s, "ncp", 1e-3, BASE_OK, 5e-3, sliding);
  add(s, "ccp", 1e-2, BASE_OK, 0.8e-2, sliding); /* changes its place, but behind ncp */
  add(s, "ccp", 1e-3, BASE_OK, 6e-3, sliding);
  const struct frame *cells = table_of(s, "cells"), *runs = table_of(s, "runs");
  CHECK_INT(is_best(cells, "moreau", "error"), 1);
  CHECK_INT(is_best(cells, "mdp", "error"), 1);
  CHECK_INT(is_best(cells, "ncp", "error"), 0);
  CHECK_INT(is_best(cells, "ccp", "error"), 0);
  CHECK_NEAR(real_at(cells, "moreau", "error", "least"), 5e-4, 1e-15);
  const int best = frame_find(runs, "is_best");
  CHECK_INT(frame_real(runs, row_of(runs, "ccp", "error", 1e-2), best), 1);
  CHECK_INT(frame_real(runs, row_of(runs, "moreau", "error", 1e-2), best), 1);
}

static cJSON *add_members(struct report_scene *s, const char *form, double median, double lo,
                          double hi) {
  char more[400];
  snprintf(more, sizeof more,
           "%s,'ensemble':{'level':0.95,'summary':{'errors.q_linf':{'median':%g,'lo':%g,'hi':%g,'"
           "p10':%g,'p90':%g}}}",
           sliding, median, lo, hi, lo / 2, 2 * hi);
  return add(s, form, 1e-3, BASE_OK, 7, more);
}

TEST(ensembles_are_framed_by_their_intervals) {
  struct report_scene *s = report_scene_begin();
  add_members(s, "moreau", 1e-3, 0.8e-3, 1.5e-3);
  add_members(s, "ncp", 2e-3, 1.4e-3, 3e-3);
  add_members(s, "ccp", 2.2e-3, 1.6e-3, 3e-3);
  add(s, "ccp", 1e-3, BASE_OK, 1e-9, sliding); /* one run beside its members says less */
  const struct frame *cells = table_of(s, "cells"), *winners = table_of(s, "winners");
  CHECK_NEAR(real_at(cells, "ccp", "error", "number"), 1.1e-3, 1e-15);
  CHECK_NEAR(real_at(cells, "ncp", "error", "p90"), 3e-3, 1e-15);
  CHECK_TEXT(text_at(cells, "ncp", "error", "shown"), "-3.0\xc2\xb1"
                                                      "0.5");
  CHECK_INT(is_best(cells, "moreau", "error"), 1);
  CHECK_INT(is_best(cells, "ncp", "error"), 1);
  CHECK_INT(is_best(cells, "ccp", "error"), 0);
  CHECK_TEXT(
      text_at(winners, "moreau", "error", "says"),
      "Best, or level with the best, at the step that most formulations of a case share: moreau "
      "in 1 of 1");
  CHECK_TEXT(text_at(winners, "ncp", "error", "says"), ", ncp in 1 of 1 judged cases. ");
}

/* Members in the order of the summary's numbers, all of them pairs. */
TEST(members_of_ensembles_are_compared_as_pairs) {
  static const double phase[] = {1, 10, 100, 2, 20, 200, 3, 30}, /* what a phase does to all */
      twice[] = {2, 2, 2, 2, 2, 2, 2, 2}, mixed[] = {2, 0.9, 1.5, 0.5, 1.2, 0.9, 1.3, 1.3};
  static const char *const forms[] = {"moreau", "ncp", "ccp"};
  const double *const factors[] = {NULL, twice, mixed};
  struct report_scene *s = report_scene_begin();
  for (int k = 0; k < 3; ++k) {
    cJSON *r = add_members(s, forms[k], 15, 1, 100);
    cJSON *ensemble = (cJSON *)base_json_at(r, "ensemble");
    cJSON *members = cJSON_AddArrayToObject(ensemble, "members");
    for (int i = 0; i < 8; ++i) {
      const double x = phase[i] * (factors[k] != NULL ? factors[k][i] : 1);
      cJSON *member = cJSON_CreateObject();
      cJSON_AddItemToObject(member, "numbers", cJSON_CreateDoubleArray(&x, 1));
      cJSON_AddItemToArray(members, member);
    }
  }
  const struct frame *cells = table_of(s, "cells");
  CHECK_INT(is_best(cells, "moreau", "error"), 1);
  CHECK_INT(is_best(cells, "ncp", "error"), 0);
  CHECK_INT(is_best(cells, "ccp", "error"), 1);
}

/* Of an ensemble more than half of the members, not the run without variation. */
TEST(an_ensemble_is_useless_by_its_members) {
  static const char *const forms[] = {"moreau", "ncp", "ccp"};
  const double useless[] = {0.625, 0.5, 0};
  struct report_scene *s = report_scene_begin();
  for (int k = 0; k < 3; ++k) {
    const double x[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    cJSON *r = add_members(s, forms[k], 1e-3, 0.8e-3, 1.5e-3);
    cJSON *ensemble = (cJSON *)base_json_at(r, "ensemble");
    cJSON *members = cJSON_AddArrayToObject(ensemble, "members");
    for (int i = 0; i < 8; ++i) {
      cJSON *member = cJSON_CreateObject();
      cJSON_AddItemToObject(member, "numbers", cJSON_CreateDoubleArray(x, 1));
      cJSON_AddItemToArray(members, member);
    }
    cJSON_AddNumberToObject(ensemble, "useless", useless[k]);
    cJSON_SetValuestring((cJSON *)base_json_at(r, "quality.verdict"), "useless");
  }
  const struct frame *cells = table_of(s, "cells");
  CHECK_INT((int)real_at(cells, "moreau", "error", "is_useless"), 1);
  CHECK_INT((int)real_at(cells, "ncp", "error", "is_useless"), 0);
  CHECK_INT((int)real_at(cells, "ccp", "error", "is_useless"), 0);
  CHECK_INT((int)real_at(cells, "ccp", "time", "is_useless"), 0);
}

/* Useless runs win nothing, be they the fastest; what is below its floor is equal. */
TEST(only_runs_of_use_compete) {
  struct report_scene *s = report_scene_begin();
  cJSON *useless = add(s, "moreau", 1e-3, BASE_OK, 1, sliding);
  cJSON_SetValuestring((cJSON *)base_json_at(useless, "quality.verdict"), "useless");
  cJSON_SetNumberValue((cJSON *)base_json_at(useless, "timing.steps_s"), 0.1);
  add(s, "ncp", 1e-3, BASE_OK, 1e-14, sliding);
  add(s, "mdp", 1e-3, BASE_OK, 1e-15, sliding);
  add(s, "lcp-st", 1e-3, BASE_OK, 2e-3, sliding);
  add(s, "lcp-ap", 1e-3, BASE_OK, 2e20, sliding);
  const struct frame *cells = table_of(s, "cells");
  CHECK_INT(is_best(cells, "moreau", "time"), 0);
  CHECK_NEAR(real_at(cells, "moreau", "time", "least"), 0.5, 0);
  CHECK_TEXT(text_at(cells, "moreau", "time", "shown"), "0.2"); /* of the fastest of use */
  CHECK_INT(is_best(cells, "ncp", "error"), 1);
  CHECK_INT(is_best(cells, "mdp", "error"), 1);
  CHECK_TEXT(text_at(cells, "ncp", "error", "kind"), "rounding");
  CHECK_INT(real_at(cells, "ncp", "error", "level"), 0);
  CHECK_INT(real_at(cells, "lcp-st", "error", "level"), 6); /* 1e-3 of [1e-6, 1] in 12 levels */
  CHECK_INT(real_at(cells, "lcp-ap", "error", "level"), 12);
}

/* Which of two runs, of some times each, are framed as the fastest. */
static int framed(double ncp, const char *ncp_quartiles, double ccp, const char *ccp_quartiles) {
  struct report_scene *s = report_scene_begin();
  const double times[] = {ncp, ccp};
  const char *const quartiles[] = {ncp_quartiles, ccp_quartiles};
  for (int k = 0; k < 2; ++k) {
    cJSON *r = add(s, k == 0 ? "ncp" : "ccp", 1e-3, BASE_OK, 1e-3, sliding);
    cJSON *timing = (cJSON *)base_json_at(r, "timing");
    cJSON_SetNumberValue(cJSON_GetObjectItem(timing, "steps_s"), times[k]);
    if (quartiles[k] != NULL) {
      cJSON_AddItemToObject(timing, "repeats", cJSON_Parse(test_quoted(quartiles[k])));
    }
  }
  const struct frame *cells = table_of(s, "cells");
  const int is_framed = is_best(cells, "ncp", "time") + 2 * is_best(cells, "ccp", "time");
  return is_framed;
}

/* Nobody wins by noise: long runs are told apart by some percent, short ones by some tens of
 * microseconds, and where times were taken several times their quartiles decide. */
/* Iterations of a solver that no other formulation of the row has are the fewest of nothing. */
TEST(who_counts_alone_competes_with_nobody) {
  struct report_scene *s = report_scene_begin();
  add(s, "moreau", 1e-3, BASE_OK, 1e-3, ",'solver':{'name':'relaxation'}");
  cJSON *fewer = add(s, "ncp", 1e-3, BASE_OK, 1e-3, ",'solver':{'name':'pgs'}");
  cJSON_SetNumberValue((cJSON *)base_json_at(fewer, "iterations.total"), 200);
  add(s, "tgs-soft", 1e-3, BASE_OK, 1e-3, ",'solver':{'name':'tgs'}");
  const struct frame *cells = table_of(s, "cells"), *judged = table_of(s, "judged");
  CHECK_INT(is_best(cells, "moreau", "iterations"), 0);
  CHECK_INT(is_best(cells, "ncp", "iterations"), 1);
  CHECK(isnan(real_at(cells, "tgs-soft", "iterations", "is_best")));
  CHECK_NEAR(real_at(judged, "ncp", "iterations", "cases"), 1, 0);
  CHECK_NEAR(real_at(judged, "tgs-soft", "iterations", "cases"), 0, 0);
  CHECK_NEAR(real_at(judged, "tgs-soft", "error", "cases"), 1, 0);
}

TEST(times_within_noise_are_level) {
  static const char narrow[] = "{'quartile_1_s': 0.99, 'quartile_3_s': 1.01}";
  static const char beside[] = "{'quartile_1_s': 1.04, 'quartile_3_s': 1.06}";
  static const char wide[] = "{'quartile_1_s': 0.5, 'quartile_3_s': 1.5}";
  CHECK_INT(framed(1, NULL, 1.1, NULL), 3);
  CHECK_INT(framed(1, NULL, 1.3, NULL), 1);
  CHECK_INT(framed(1.3, NULL, 1, NULL), 2);
  CHECK_INT(framed(8e-5, NULL, 1.6e-4, NULL), 3);
  CHECK_INT(framed(8e-3, NULL, 1.6e-2, NULL), 1);
  CHECK_INT(framed(1, narrow, 1.05, beside), 1);
  CHECK_INT(framed(1, narrow, 1.05, wide), 3);
}

TEST(groups_follow_from_what_was_measured) {
  static const struct {
    double max, mean, impact, friction;
    const char *group;
  } motions[] = {{0, 0, 0, 0, "smooth"},           {1, 0.7, 0.8, 0.2, "impact"},
                 {1, 0.01, 0, 0, "impact"},        {2, 2, 0.02, 0.9, "sliding"},
                 {4, 4, 1e-9, 0.3, "sliding"},     {4, 4, 1e-9, 1e-12, "rest"},
                 {40, 30, 0.5, 0.5, "many bodies"}};
  for (size_t i = 0; i < sizeof motions / sizeof *motions; ++i) {
    struct report_scene *s = report_scene_begin();
    char more[200];
    snprintf(more, sizeof more,
             ",'contacts':{'max':%g,'mean':%g},'energy':{'budget':{'friction':%g,'impact':%g}}",
             motions[i].max, motions[i].mean, -motions[i].friction, -motions[i].impact);
    add(s, "moreau", 1e-3, BASE_OK, 1e-3, more);
    add(s, "ccp", 1e-3, BASE_DIVERGED, 1e9, sliding); /* says nothing */
    const char *group = text_at(table_of(s, "cells"), "moreau", "error", "group");
    CHECK_MESSAGE(strncmp(group, motions[i].group, strlen(motions[i].group)) == 0, "%s, not %s",
                  group, motions[i].group);
  }
}
