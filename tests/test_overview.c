/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The overview against rows whose answer is known: the step that a row is shown at, what stands in
 * a cell, which cells are not distinguishable from the best, what group a motion belongs to.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/overview/overview.h"
#include "form/form.h"
#include "tests/test.h"

enum { RECORDS = 16 };
struct scene {
  struct report report;
  struct report_record records[RECORDS];
  const struct report_record *in_row[RECORDS];
  struct report_row row;
};

static int form_of(const char *name) {
  for (int i = 0; i < form_count(); ++i) {
    if (strcmp(form_get(i)->name, name) == 0) {
      return i;
    }
  }
  return -1;
}

static struct scene *begin(void) {
  struct base_arena *arena = base_arena_alloc();
  struct scene *s = base_arena_push(arena, sizeof *s);
  *s = (struct scene){.report = {.arena = arena, .records = s->records}};
  s->row = (struct report_row){.id = "c", .title = "c", .case_name = "c", .t_end = 1};
  s->row.records = s->in_row;
  s->report.compared = &s->row;
  s->report.n_compared = 1;
  return s;
}

/* A run with an error (of a system of length 2), a time, and further members of the record. */
static struct report_record *add(struct scene *s, const char *form, double dt, int status,
                                 double error, const char *more) {
  char text[2000];
  snprintf(text, sizeof text,
           "{\"status\":\"%s\",\"errors\":{\"q_linf\":%.9g},\"steps\":100,\"iterations\":{"
           "\"total\":250},"
           "\"quality\":{\"verdict\":\"good\",\"measures\":{\"position\":%.9g},"
           "\"scales\":{\"length\":2,\"energy\":1}},\"timing\":{\"steps_s\":0.5},"
           "\"reference\":{\"kind\":\"analytic\",\"bound\":1e-14},\"case\":{\"parameters\":{}},"
           "\"final\":{\"q\":[1]}%s}",
           base_status_name(status), error, error / 2, more);
  const int i = s->report.n_records++;
  struct report_record *r = &s->records[i];
  *r = (struct report_record){.name = base_arena_printf(s->report.arena, "r%02d", i),
                              .study = "",
                              .label = "",
                              .solver = "",
                              .figure = "",
                              .case_name = "c",
                              .form = form_of(form),
                              .status = status,
                              .dt = dt,
                              .json = cJSON_Parse(text)};
  CHECK(r->json != NULL && r->form >= 0);
  s->in_row[s->row.n++] = r;
  return r;
}

static void end(struct scene *s) {
  for (int i = 0; i < s->report.n_records; ++i) {
    cJSON_Delete((cJSON *)s->records[i].json);
  }
  base_arena_free(s->report.arena);
}

static const char sliding[] = ",\"contacts\":{\"max\":1,\"mean\":1},"
                              "\"energy\":{\"budget\":{\"friction\":-0.5,\"impact\":0}}";

TEST(row_is_shown_at_the_shortest_step_that_most_share) {
  struct scene *s = begin();
  add(s, "moreau", 1e-2, BASE_OK, 1e-1, sliding);
  add(s, "moreau", 1e-3, BASE_OK, 1e-2, sliding);
  add(s, "moreau", 1e-4, BASE_OK, 1e-3, sliding);
  add(s, "ccp", 1e-2, BASE_OK, 2e-1, sliding);
  add(s, "ccp", 1e-3, BASE_DIVERGED, 1e9, sliding);
  add(s, "penalty", 1e-5, BASE_OK, 1e-7, sliding);
  add(s, "event", 1e-2, BASE_OK, 1e-15, sliding);
  const struct overview *o = overview_make(&s->report);
  const struct overview_row *row = &o->rows[0];
  CHECK_INT(o->n, 1);
  CHECK_NEAR(row->dt, 1e-3, 0);
  CHECK_INT(row->cells[form_of("moreau")].kind[OVERVIEW_ERROR], OVERVIEW_NUMBER);
  CHECK_NEAR(row->cells[form_of("moreau")].value[OVERVIEW_ERROR], 5e-3, 1e-15);
  CHECK_NEAR(row->cells[form_of("moreau")].value[OVERVIEW_ITERATIONS], 2.5, 0);
  CHECK_INT(row->cells[form_of("ccp")].kind[OVERVIEW_ERROR], OVERVIEW_FAILED);
  CHECK_TEXT(overview_letter(row->cells[form_of("ccp")].record->status), "D");
  CHECK_INT(row->cells[form_of("penalty")].kind[OVERVIEW_ERROR], OVERVIEW_ABSENT);
  CHECK_INT(row->cells[form_of("event")].kind[OVERVIEW_ERROR], OVERVIEW_ROUNDING);
  CHECK_INT(o->place[form_of("event")], OVERVIEW_REFERENCE);
  CHECK_INT(o->place[form_of("moreau")], OVERVIEW_MAIN);
  CHECK_INT(row->cells[form_of("moreau")].is_best[OVERVIEW_ERROR], 1);
  CHECK_INT(row->cells[form_of("event")].is_best[OVERVIEW_ERROR], 0);
  end(s);
}

/* The rule itself is held by tests of the frame: here that cells are asked of it rightly. */
TEST(cells_are_framed_where_the_neighbouring_step_changes_the_order) {
  struct scene *s = begin();
  add(s, "moreau", 1e-2, BASE_OK, 1e-2, sliding);
  add(s, "moreau", 1e-3, BASE_OK, 1e-3, sliding);
  add(s, "mdp", 1e-2, BASE_OK, 0.9e-2, sliding); /* now less, now more */
  add(s, "mdp", 1e-3, BASE_OK, 3e-3, sliding);
  add(s, "ncp", 1e-2, BASE_OK, 50e-2, sliding); /* of higher order, and always far behind */
  add(s, "ncp", 1e-3, BASE_OK, 5e-3, sliding);
  add(s, "ccp", 1e-2, BASE_OK, 0.8e-2, sliding); /* changes its place, but behind ncp */
  add(s, "ccp", 1e-3, BASE_OK, 6e-3, sliding);
  const struct overview *o = overview_make(&s->report);
  const struct overview_cell *cells = o->rows[0].cells;
  CHECK_INT(cells[form_of("moreau")].is_best[OVERVIEW_ERROR], 1);
  CHECK_INT(cells[form_of("mdp")].is_best[OVERVIEW_ERROR], 1);
  CHECK_INT(cells[form_of("ncp")].is_best[OVERVIEW_ERROR], 0);
  CHECK_INT(cells[form_of("ccp")].is_best[OVERVIEW_ERROR], 0);
  CHECK_NEAR(o->rows[0].least[OVERVIEW_ERROR], 5e-4, 1e-15);
  const struct overview_row at = overview_at(&s->report, o, &o->rows[0], 1e-2);
  CHECK_INT(at.cells[form_of("ccp")].is_best[OVERVIEW_ERROR], 1);
  CHECK_INT(at.cells[form_of("moreau")].is_best[OVERVIEW_ERROR], 1);
  end(s);
}

static struct report_record *add_members(struct scene *s, const char *form, double median,
                                         double lo, double hi) {
  char more[400];
  snprintf(more, sizeof more,
           "%s,\"ensemble\":{\"summary\":{\"errors.q_linf\":{\"median\":%g,\"lo\":%g,\"hi\":%g,"
           "\"p10\":%g,\"p90\":%g}}}",
           sliding, median, lo, hi, lo / 2, 2 * hi);
  struct report_record *r = add(s, form, 1e-3, BASE_OK, 7, more);
  r->study = "overview";
  return r;
}

TEST(ensembles_are_framed_by_their_intervals) {
  struct scene *s = begin();
  add_members(s, "moreau", 1e-3, 0.8e-3, 1.5e-3);
  add_members(s, "ncp", 2e-3, 1.4e-3, 3e-3);
  add_members(s, "ccp", 2.2e-3, 1.6e-3, 3e-3);
  add(s, "ccp", 1e-3, BASE_OK, 1e-9, sliding); /* one run beside its members says less */
  const struct overview *o = overview_make(&s->report);
  const struct overview_cell *cells = o->rows[0].cells;
  CHECK_NEAR(cells[form_of("ccp")].value[OVERVIEW_ERROR], 1.1e-3, 1e-15);
  CHECK_NEAR(cells[form_of("ncp")].p90[OVERVIEW_ERROR], 3e-3, 1e-15);
  CHECK_INT(cells[form_of("moreau")].is_best[OVERVIEW_ERROR], 1);
  CHECK_INT(cells[form_of("ncp")].is_best[OVERVIEW_ERROR], 1);
  CHECK_INT(cells[form_of("ccp")].is_best[OVERVIEW_ERROR], 0);
  CHECK_TEXT(overview_conclusion(&s->report, o, OVERVIEW_ERROR),
             "Best, or level with the best: moreau in 1 of 1 cases, ncp in 1 of 1 cases.");
  end(s);
}

/* Members in the order of the summary's numbers, all of them pairs. */
TEST(members_of_ensembles_are_compared_as_pairs) {
  static const double phase[] = {1, 10, 100, 2, 20, 200, 3, 30}, /* what a phase does to all */
      twice[] = {2, 2, 2, 2, 2, 2, 2, 2}, mixed[] = {2, 0.9, 1.5, 0.5, 1.2, 0.9, 1.3, 1.3};
  static const char *const forms[] = {"moreau", "ncp", "ccp"};
  const double *const factors[] = {NULL, twice, mixed};
  struct scene *s = begin();
  for (int k = 0; k < 3; ++k) {
    struct report_record *r = add_members(s, forms[k], 15, 1, 100);
    cJSON *ensemble = (cJSON *)base_json_at(r->json, "ensemble");
    cJSON *members = cJSON_AddArrayToObject(ensemble, "members");
    for (int i = 0; i < 8; ++i) {
      const double x = phase[i] * (factors[k] != NULL ? factors[k][i] : 1);
      cJSON *member = cJSON_CreateObject();
      cJSON_AddItemToObject(member, "numbers", cJSON_CreateDoubleArray(&x, 1));
      cJSON_AddItemToArray(members, member);
    }
  }
  const struct overview_cell *cells = overview_make(&s->report)->rows[0].cells;
  CHECK_INT(cells[form_of("moreau")].is_best[OVERVIEW_ERROR], 1);
  CHECK_INT(cells[form_of("ncp")].is_best[OVERVIEW_ERROR], 0);
  CHECK_INT(cells[form_of("ccp")].is_best[OVERVIEW_ERROR], 1);
  end(s);
}

/* Useless runs win nothing, be they the fastest; what is below its floor is equal. */
TEST(only_runs_of_use_compete) {
  struct scene *s = begin();
  struct report_record *useless = add(s, "moreau", 1e-3, BASE_OK, 1, sliding);
  cJSON_SetValuestring((cJSON *)base_json_at(useless->json, "quality.verdict"), "useless");
  cJSON_SetNumberValue((cJSON *)base_json_at(useless->json, "timing.steps_s"), 0.1);
  add(s, "ncp", 1e-3, BASE_OK, 1e-14, sliding);
  add(s, "mdp", 1e-3, BASE_OK, 1e-15, sliding);
  const struct overview *o = overview_make(&s->report);
  const struct overview_row *row = &o->rows[0];
  CHECK_INT(row->cells[form_of("moreau")].is_best[OVERVIEW_TIME], 0);
  CHECK_NEAR(row->least[OVERVIEW_TIME], 0.5, 0);
  CHECK_NEAR(overview_shown(row, OVERVIEW_TIME, 0.1), 0.2, 1e-15);
  CHECK_INT(row->cells[form_of("ncp")].is_best[OVERVIEW_ERROR], 1);
  CHECK_INT(row->cells[form_of("mdp")].is_best[OVERVIEW_ERROR], 1);
  CHECK_INT(row->cells[form_of("ncp")].kind[OVERVIEW_ERROR], OVERVIEW_ROUNDING);
  CHECK_INT(overview_colour(row, OVERVIEW_ERROR, 1e-20), 0);
  CHECK_INT(overview_colour(row, OVERVIEW_ERROR, 1e-3), (OVERVIEW_COLOURS - 1) / 2);
  CHECK_INT(overview_colour(row, OVERVIEW_ERROR, 1e20), OVERVIEW_COLOURS - 1);
  end(s);
}

/* Which of two runs, of some times each, are framed as the fastest. */
static int framed(double ncp, const char *ncp_quartiles, double ccp, const char *ccp_quartiles) {
  struct scene *s = begin();
  const double times[] = {ncp, ccp};
  const char *const quartiles[] = {ncp_quartiles, ccp_quartiles};
  for (int k = 0; k < 2; ++k) {
    struct report_record *r = add(s, k == 0 ? "ncp" : "ccp", 1e-3, BASE_OK, 1e-3, sliding);
    cJSON *timing = (cJSON *)base_json_at(r->json, "timing");
    cJSON_SetNumberValue(cJSON_GetObjectItem(timing, "steps_s"), times[k]);
    if (quartiles[k] != NULL) {
      cJSON_AddItemToObject(timing, "repeats", cJSON_Parse(quartiles[k]));
    }
  }
  const struct overview_cell *cells = overview_make(&s->report)->rows[0].cells;
  const int is_framed = cells[form_of("ncp")].is_best[OVERVIEW_TIME] +
                        2 * cells[form_of("ccp")].is_best[OVERVIEW_TIME];
  end(s);
  return is_framed;
}

/* Nobody wins by noise: long runs are told apart by some percent, short ones by some tens of
 * microseconds, and where times were taken several times their quartiles decide. */
TEST(times_within_noise_are_level) {
  static const char narrow[] = "{\"quartile_1_s\": 0.99, \"quartile_3_s\": 1.01}";
  static const char beside[] = "{\"quartile_1_s\": 1.04, \"quartile_3_s\": 1.06}";
  static const char wide[] = "{\"quartile_1_s\": 0.5, \"quartile_3_s\": 1.5}";
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
    enum overview_group group;
  } motions[] = {{0, 0, 0, 0, OVERVIEW_SMOOTH},       {1, 0.7, 0.8, 0.2, OVERVIEW_IMPACT},
                 {1, 0.01, 0, 0, OVERVIEW_IMPACT},    {2, 2, 0.02, 0.9, OVERVIEW_SLIDING},
                 {4, 4, 1e-9, 0.3, OVERVIEW_SLIDING}, {4, 4, 1e-9, 1e-12, OVERVIEW_REST},
                 {40, 30, 0.5, 0.5, OVERVIEW_MANY}};
  for (size_t i = 0; i < sizeof motions / sizeof *motions; ++i) {
    struct scene *s = begin();
    char more[200];
    snprintf(more, sizeof more,
             ",\"contacts\":{\"max\":%g,\"mean\":%g},"
             "\"energy\":{\"budget\":{\"friction\":%g,\"impact\":%g}}",
             motions[i].max, motions[i].mean, -motions[i].friction, -motions[i].impact);
    add(s, "moreau", 1e-3, BASE_OK, 1e-3, more);
    add(s, "ccp", 1e-3, BASE_DIVERGED, 1e9, sliding); /* says nothing */
    CHECK_INT(overview_make(&s->report)->rows[0].group, motions[i].group);
    end(s);
  }
}

TEST_MAIN()
