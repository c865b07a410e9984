/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the report page: tables thinned for drawings, against shapes that must stay; chapters,
 * whose figures and checks must exist, and whose findings have their numbers from the checks;
 * links to the tables of a figure.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/figure/values.h"
#include "bench/report/kit/columns.h"
#include "bench/report/page/grid.h"
#include "bench/suite/suite.h"
#include "cases/figure/thin.h"
#include "tests/figure_run.h"
#include "tests/frame_table.h"
#include "tests/report_scene.h"
#include "tests/scratch.h"
#include "tests/test.h"

/* ---- thinning ----------------------------------------------------------------------------- */

/* A noisy band of 40 points a column keeps its edges and loses most of its points; so on a
 * logarithmic axis, where the first decade of five has a fifth of the columns. */
TEST(tables_are_thinned_to_what_a_drawing_shows) {
  enum { N = 40 * CASE_THIN_COLUMNS, COLS = 3 };
  static double band[N * COLS], thinned[N * COLS];
  for (int is_log = 0; is_log < 2; ++is_log) {
    for (int i = 0; i < N; ++i) {
      double *row = band + (long)i * COLS;
      row[0] = is_log ? pow(10, 5. * i / N) : (double)i / N;
      row[1] = i == N / 2 + 1 ? 7 : i % 2;
      row[2] = i == N / 3 ? -INFINITY : i < N / 3 ? NAN : 0.5;
    }
    const int n = case_thin(N, COLS, band, thinned);
    CHECK_MESSAGE(n >= 3 * CASE_THIN_COLUMNS && n < N / 4, "%d", n);
    CHECK(thinned[0] == band[0] && thinned[(n - 1) * COLS] == band[(N - 1) * COLS]);
    int edges = 0, first = 0;
    for (int i = 0; i < n; ++i) {
      edges += thinned[i * COLS + 1] == 7;
      edges += isinf(thinned[i * COLS + 2]) != 0;
      first += thinned[i * COLS] < 10;
      CHECK(i == 0 || thinned[i * COLS] > thinned[(i - 1) * COLS]);
    }
    CHECK_INT(edges, 2);
    CHECK(!is_log || first > 2 * CASE_THIN_COLUMNS / 5);
  }
}

/* Maps have many rows of one first value, and tables of few rows are drawn as they are. */
TEST(maps_and_short_tables_stay) {
  enum { N = 300, COLS = 3 };
  static double map[N * N * COLS], thinned[N * N * COLS];
  for (int i = 0; i < N * N; ++i) {
    const int row = i / N;
    map[i * COLS] = row;
    map[i * COLS + 1] = i % N;
    map[i * COLS + 2] = sin(i);
  }
  CHECK_INT(case_thin(N * N, COLS, map, thinned), N * N);
  CHECK(test_same_bits(map, thinned, N * N * COLS));
  CHECK_INT(case_thin(1, COLS, map, thinned), 1);
  CHECK_INT(case_thin(0, COLS, map, thinned), 0);
}

/* ---- chapters ------------------------------------------------------------------------------ */

static int begins(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/* Is a value about a run? "of": its label, {names} standing for what that run has, or a pattern of
 * labels, or a list of these. */
static int is_about(const cJSON *of, const struct case_run *run) {
  const cJSON *one;
  int found = 0;
  cJSON_ArrayForEach(one, of) { found |= is_about(one, run); }
  if (cJSON_IsString(of)) {
    char label[CASE_TEXT];
    case_run_text(run, of->valuestring, label);
    found = strcmp(run->of, of->valuestring) == 0 || bench_label_matches(label, run->label);
  }
  return found;
}

/* What a suite calls the figure: those of scenes are files. */
static const char *name_of(struct base_arena *arena, const char *id) {
  const char *path =
      base_data_path(arena, base_arena_printf(arena, "cases/scenes/figures/%s.json", id));
  return access(path, R_OK) == 0 ? path : id;
}

/* Has the figure a value whose text begins so, for one of its runs? */
static int is_described(const char *figure, const char *start) {
  struct base_arena *arena = test_arena();
  const struct figure_plan plan = figure_plan_of(figure, arena);
  const struct bench_figure *file = plan.file;
  const cJSON *value;
  int found = 0;
  cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(file->json, "values")) {
    const char *name = base_json_text_at(value, "name");
    found |= begins(name, start);
    for (int i = 0; i < plan.n && !found; ++i) {
      char what[CASE_TEXT];
      case_run_text(&plan.runs[i], name, what);
      found = begins(what, start) &&
              is_about(cJSON_GetObjectItemCaseSensitive(value, "of"), &plan.runs[i]);
    }
  }
  return found;
}

/* A finding's {figure: beginning of the text of a check}. */
static void check_number(struct base_arena *arena, const char *gap) {
  const size_t length = strcspn(gap, "}"), colon = strcspn(gap, ":");
  CHECK_MESSAGE(gap[length] == '}' && colon < length, "%s", gap);
  const char *id = base_arena_printf(arena, "%.*s", (int)colon, gap);
  const char *start = base_arena_printf(arena, "%.*s", (int)(length - colon - 2), gap + colon + 2);
  const char *name = name_of(arena, id);
  const struct bench_figure *figure = bench_figure_find(name, NULL);
  CHECK_MESSAGE(figure != NULL, "%s", base_message());
  if (figure != NULL) {
    CHECK_MESSAGE(is_described(name, start), "%s has no check that begins with '%s'", id, start);
  }
}

/* Figures of a chapter's list exist, and are not on the page already. */
static int check_figures(struct base_arena *arena, const cJSON *ids, cJSON *seen) {
  const cJSON *id;
  cJSON_ArrayForEach(id, ids) {
    CHECK_MESSAGE(bench_figure_find(name_of(arena, id->valuestring), NULL) != NULL, "%s",
                  base_message());
    CHECK_MESSAGE(cJSON_GetObjectItemCaseSensitive(seen, id->valuestring) == NULL, "%s twice",
                  id->valuestring);
    cJSON_AddTrueToObject(seen, id->valuestring);
  }
  return cJSON_GetArraySize(ids);
}

TEST(chapters_name_figures_and_checks_that_there_are) {
  struct base_arena *arena = test_arena();
  cJSON *file = test_json(base_json_read(base_data_path(arena, "scripts/plot/chapters.json")));
  cJSON *seen = test_json(cJSON_CreateObject());
  const cJSON *chapter, *sentence;
  int n = 0, shown = 0;
  cJSON_ArrayForEach(chapter, cJSON_GetObjectItemCaseSensitive(file, "chapters")) {
    ++n;
    CHECK(strchr(base_json_text_at(chapter, "question"), '?') != NULL);
    shown += check_figures(arena, cJSON_GetObjectItemCaseSensitive(chapter, "figures"), seen);
    check_figures(arena, cJSON_GetObjectItemCaseSensitive(chapter, "more"), seen);
    cJSON_ArrayForEach(sentence, cJSON_GetObjectItemCaseSensitive(chapter, "finding")) {
      for (const char *c = sentence->valuestring; (c = strchr(c, '{')) != NULL; ++c) {
        check_number(arena, c + 1);
      }
    }
  }
  CHECK_INT(n, 11);
  CHECK_INT(shown, 15);
}

TEST(captions_conclude_from_checks_that_there_are) {
  int count = 0;
  const struct bench_figure *f = bench_figures(&count);
  for (int k = 0; k < count; ++k, ++f) {
    const char *gap = strchr(f->caption, '{');
    CHECK_MESSAGE(gap != NULL, "%s: its caption holds no measured number", f->id);
    for (; gap != NULL; gap = strchr(gap + 1, '{')) {
      const char *start =
          base_arena_printf(test_arena(), "%.*s", (int)strcspn(gap + 1, "}"), gap + 1);
      CHECK_MESSAGE(is_described(f->id, start), "%s has no check that begins with '%s'", f->id,
                    start);
    }
  }
  CHECK(count > 0);
}

static char *written;
static size_t n_written;
static FILE *begin_writing(void) { return open_memstream(&written, &n_written); }
/* What was written since then, gone with the test. */
static const char *end_writing(FILE *out) {
  fclose(out);
  test_at_end(free, written);
  return written;
}

/* The chapters of a page whose only figure is a bouncing ball. */
static const char *chapters_of(struct base_arena *arena, const char *chapters, const char *figures,
                               int *failed) {
  struct report report = {
      .arena = arena, .output = scratch_folder(), .figures = test_parse(figures)};
  struct report_page page = {.report = &report,
                             .arena = arena,
                             .folder = scratch_folder(),
                             .chapters = test_parse(chapters),
                             .out = begin_writing()};
  *failed = report_put_chapters(&page);
  return end_writing(page.out);
}

TEST(findings_have_their_numbers_from_checks) {
  struct base_arena *arena = test_arena();
  static const char figures[] =
      "[{'id':'ball','title':'Ball','status':'ok','checks':[{'what':'moreau: "
      "loss','measured':0.0125,'lo':0,'hi':1}],'reports':[{'what':'ccp: "
      "loss','measured':0.7}],'files':[]},{'id':'pin','title':'Pin','status':'ok','files':[]}]";
  int failed;
  const char *page = chapters_of(
      arena,
      "{'chapters':[{'question':'Who keeps "
      "<it>?','figures':['ball'],'more':['pin','stack'],'finding':['moreau loses {ball: moreau: "
      "loss}, ccp {ball: ccp}.','Other: {stack: x}.','Missing: {ball: ncp: loss}.','So be "
      "it.']},{'question':'Unanswered?','figures':[],'finding':['Of {stack: x}.','So.']}]}",
      figures, &failed);
  CHECK_INT(failed, 1); /* the ball has no such loss */
  CHECK(strstr(page, "<h3>Who keeps &lt;it&gt;?</h3>") != NULL);
  CHECK_MESSAGE(strstr(page, "moreau loses 0.0125, ccp 0.7. So be it.</p>") != NULL, "%s", page);
  CHECK(strstr(page, "Other") == NULL && strstr(page, "Missing") == NULL);
  CHECK(strstr(page, "Unanswered") == NULL);
  const char *shown = strstr(page, "id=\"figure-ball\""), *fold = strstr(page, "More figures");
  const char *folded = strstr(page, "id=\"figure-pin\"");
  CHECK(shown != NULL && shown < fold && fold < folded);
}

/* ---- solvers ------------------------------------------------------------------------------- */

static void add_run(struct report *report, const char *solver, double n, int status, double time) {
  char json[600];
  snprintf(json, sizeof json,
           "{'case':{'name':'box','parameters':{'n':%g,'mu':0.3}},'t_end':1,'status':'%s','dt':0."
           "001,'formulation':{'name':'f','options':{}},'solver':{'name':'%s','options':{'tol':1e-"
           "8}},'iterations':{'total':17},'timing':{'per_step_s':%g,'steps_s':1}}",
           n, base_status_name(status), solver, time);
  struct report_record *r = &report->records[report->n_records++];
  *r = (struct report_record){.report = report,
                              .name = solver,
                              .file = "r.json",
                              .case_name = "box",
                              .expected = "",
                              .status = status};
  cJSON *record = test_parse(json);
  report_row_add(report, record, r);
}

/* A section of the page of some records. */
static const char *section_of(struct report *report, const char *id) {
  struct report_page page;
  const cJSON *section;
  int failed = 0;
  cJSON *json = test_json(report_data_read("scripts/plot/page.json", report->arena));
  CHECK_OK(report_page_begin(&page, report, "page", json));
  page.out = begin_writing();
  cJSON_ArrayForEach(section, base_json_at(page.json, "sections")) {
    if (strcmp(base_json_text_at(section, "id"), id) == 0) {
      CHECK_OK(report_put_section(&page, section, &failed));
    }
  }
  return end_writing(page.out);
}

TEST(solvers_of_a_cell_stand_in_a_row) {
  struct base_arena *arena = test_arena();
  struct report_record records[7];
  struct report report = {
      .arena = arena, .folder = "/x", .output = scratch_folder(), .records = records};
  cJSON *page = test_json(report_data_read(REPORT_PAGE, arena));
  CHECK_OK(report_want(&report, page));
  add_run(&report, "a", 1, BASE_OK, 2e-3);
  add_run(&report, "b", 1, BASE_OK, 1e-3);
  add_run(&report, "c", 1, BASE_UNCONVERGED, 1e-4);
  add_run(&report, "a", 4, BASE_DIVERGED, 1e-3);
  add_run(&report, "b", 4, BASE_OK, 3e-3);
  add_run(&report, "a", 9, BASE_OK, 1e-3);
  add_run(&report, "b", 9, BASE_UNSUPPORTED, 1e-3);
  const char *text = section_of(&report, "solvers");
  CHECK_MESSAGE(strstr(text, "<p>2 cells ") != NULL, "%s", text); /* n = 9 has one solver */
  CHECK(strstr(text, "<th>a</th><th>b</th><th>c</th>") != NULL);
  const char *first = strstr(text, "<th>box, n = 1</th>"), *second = strstr(text, "n = 4</th>");
  CHECK(first != NULL && first < second && strstr(text, "n = 9") == NULL);
  assert(first != NULL && second != NULL); /* the rest looks behind them */
  CHECK(strstr(text, "mu =") == NULL);     /* the same in all of them */
  CHECK(strstr(first, "<td class=\"step\">0.001 s</td><td><a href=\"#solver-b\">b</a></td>") !=
        NULL);
  const char *best = strstr(first, "plain best");
  CHECK(best != NULL && strncmp(strstr(best, "\">17"), "\">17</a><div", 12) == 0);
  CHECK(best != NULL && strstr(best, "<div class=\"why\">1</div>") < second);
  CHECK(strstr(first, "17*</a></td>") < second); /* c, faster, but not solved */
  CHECK(strstr(second, ">D</a></td>") != NULL && strstr(second, "plain best") != NULL);
}

/* ---- what failed, and who is best ----------------------------------------------------------- */

/* A run of a motion at a step; error: over the length, NaN: there is no reference. */
static void judge(struct report_scene *s, int motion, const char *form, double dt, double error) {
  const int is_judged = !isnan(error), is_useless = error > 0.1;
  char json[900];
  snprintf(
      json, sizeof json,
      "{'case':{'name':'%s'},'t_end':1,'status':'ok','dt':%g,'formulation':{'name':'%s'},'errors':{"
      "'q_linf':%g},'quality':{'verdict':'%s','why':'position: %g of the length, more than "
      "0.1','scales':{'length':1},'measures':{'position':%s}},'reference':{'kind':'%s','reason':'"
      "it has sets'}}",
      report_scene_names[motion], dt, form, is_judged ? error : 0, is_useless ? "useless" : "good",
      error, is_judged ? "1" : "null", is_judged ? "analytic" : "none");
  report_scene_add(s, motion, form, BASE_OK, json);
}

/* moreau converges with order 2, ncp with order 1 and from useless runs; nothing judges b. */
TEST(useless_runs_are_failures_and_the_best_has_a_reason) {
  struct report_scene *s = report_scene_begin();
  s->report.output = scratch_folder();
  judge(s, 0, "moreau", 1e-2, 4e-2);
  judge(s, 0, "moreau", 5e-3, 1e-2);
  judge(s, 0, "ncp", 1e-2, 0.4);
  judge(s, 0, "ncp", 5e-3, 0.2);
  judge(s, 1, "moreau", 1e-2, NAN);
  judge(s, 1, "ncp", 1e-2, NAN);
  cJSON *page = test_json(report_data_read(REPORT_PAGE, s->report.arena));
  report_scene_read(s, &(struct bench_figure){.json = page, .path = REPORT_PAGE});
  const char *text = section_of(&s->report, "failures");
  CHECK_MESSAGE(strstr(text, "<p>0 runs did not end well, 0 of them unexpectedly; 2 more ended and "
                             "are useless") != NULL,
                "%s", text);
  CHECK(strstr(text, "<th><a href=\"#case-a\">a</a></th><td><a href=\"#form-ncp\">ncp 2 of 2 "
                     "useless</a></td>") != NULL);
  CHECK(strstr(text, "<summary>2 useless: position: # of the length, more than #; ncp<") != NULL);
  CHECK(strstr(text, "<th>b</th>") == NULL);
  text = section_of(&s->report, "best");
  CHECK_MESSAGE(strstr(text, "<td><a href=\"#form-moreau\">moreau\xc2\xa0"
                             "0.01</a></td><td>ncp\xc2\xa0"
                             "0.2\xc2\xa0(useless)</td><td>Its error falls as "
                             "dt^2.0, that of the next as dt^1.0, the median of all as dt^1.5. At "
                             "this step the next errs 20 times as much.</td>") != NULL,
                "%s", text);
  CHECK(strstr(text, "<td>none</td><td>\xe2\x80\x93</td><td></td><td>No error is known: it has "
                     "sets. Drift") != NULL);
  text = section_of(&s->report, "table");
  CHECK_MESSAGE(strstr(text, "b</a><div class=\"why\">no reference</div>") != NULL, "%s", text);
}

/* ---- tables of frames ----------------------------------------------------------------------- */

/* motion, form, what is shown, its class, and the place of the form. */
static struct frame *small_frame(struct base_arena *arena) {
  return frame_table(arena, "motion form shown look place\nball ccp '1' good 2\nball ccp '2' - 2\n"
                            "ball ncp <3> - 1\nbox ncp '4' bad 1\nbox ncp '5' - 1\ntop ccp - - 2");
}

/* The table that a spec makes of it. */
static const char *grid_of(struct base_arena *arena, const char *spec, int expected) {
  static const char *const name = "t";
  struct report report = {.arena = arena, .folder = "/x", .output = "/x"};
  const struct figure figure = {.file = &(const struct bench_figure){.path = "test"}};
  struct frame *frame = small_frame(arena);
  struct figure_study tables = {.figure = &figure,
                                .arena = arena,
                                .n_tables = 1,
                                .names = (const char **)&name,
                                .frames = &frame};
  const struct report_page page = {
      .report = &report, .arena = arena, .folder = "/x", .out = begin_writing()};
  CHECK_INT(report_put_grid(&page, &tables, test_parse(spec)), expected);
  return end_writing(page.out);
}

static int holds(const char *text, const char *part) { return strstr(text, part) != NULL; }

TEST(rows_of_a_frame_become_lines) {
  struct base_arena *arena = test_arena();
  const char *text =
      grid_of(arena,
              "{'table': 't', 'columns': [{'title': 'case', 'text': 'motion', 'head': true, "
              "'span': true},{'title': 'of', 'text': 'shown', 'class': 'look', 'look': 'own'}]}",
              BASE_OK);
  CHECK(holds(text, "<thead><tr><th>case</th><th>of</th></tr></thead>"));
  CHECK(holds(text, "<tr><th rowspan=\"3\">ball</th><td class=\"good\">1</td></tr>\n<tr><td "
                    "class=\"own\">2</td></tr>\n<tr><td class=\"own\">&lt;3&gt;</td></tr>"));
  CHECK(holds(text, "<tr><th>top</th><td class=\"own\"></td></tr>"));
  grid_of(arena, "{'table': 't', 'columns': [{'title': 'x', 'text': 'motio'}]}", BASE_E_INPUT);
  CHECK(holds(base_message(), "did you mean 'motion'"));
  grid_of(arena, "{'table': 'u', 'columns': [{'title': 'x'}]}", BASE_E_INPUT);
  CHECK(holds(base_message(), "there is no table 'u'"));
  grid_of(arena, "{'table': 't', 'columns': [{'title': 'x', 'txt': 'motion'}]}", BASE_E_INPUT);
  CHECK_MESSAGE(holds(base_message(), "did you mean 'text'"), "%s", base_message());
}

/* Lines are groups; columns across stand by their places, and a cell shows the first of its rows
 * that is to be shown and keeps the numbers of all. */
TEST(groups_of_rows_become_lines_with_columns_across) {
  struct base_arena *arena = test_arena();
  const char *text =
      grid_of(arena,
              "{'table': 't', 'groupby': ['motion'], 'under': 'motion', 'columns': [{'title': "
              "'case', 'text': 'motion'},{'title': 'all', 'text': 'shown', 'each': true, 'empty': "
              "'none'}],'across': {'field': 'form', 'sort': 'place', 'data': ['place']},'cell': "
              "{'text': 'shown', 'data': ['shown', 'place']}, 'absent': '-'}",
              BASE_OK);
  CHECK(holds(text, "<th data-of='[[1]]'>ncp</th><th data-of='[[2]]'>ccp</th>"));
  CHECK(holds(text, "<tr class=\"group\"><th colspan=\"2\">ball</th></tr>"));
  CHECK(holds(text,
              "<td>ball</td><td>1, 2, &lt;3&gt;</td><td data-of='[[\"&#60;3&#62;\",1]]'>&lt;3&gt;"
              "</td><td data-of='[[\"1\",2],[\"2\",2]]'>1</td>"));
  CHECK(holds(text, "<td>box</td><td>4, 5</td><td data-of='[[\"4\",1],[\"5\",1]]'>4</td><td "
                    "data-of='[]'>-</td>"));
  CHECK(holds(text, "<td>top</td><td>none</td>"));
  text = grid_of(arena,
                 "{'table': 't', 'fold': 'motion', 'summary': 'look', 'only': {'form': 'ncp'}, "
                 "'columns': [{'title': 'x', 'text': 'shown', 'badge': true}]}",
                 BASE_OK);
  CHECK(holds(text, "<details><summary>bad</summary>"));
  CHECK(holds(text, "<span class=\"badge 4\">4</span>") && !holds(text, ">1<"));
}

/* Links to n tables of a figure, and its drawings. */
static const char *links_of(struct base_arena *arena, int n) {
  struct report report = {.arena = arena, .output = scratch_folder()};
  static const char *const drawings[] = {"figures/ball.pdf", "figures/ball.svg"};
  cJSON *files = test_json(cJSON_CreateStringArray(drawings, 2));
  for (int i = 0; i < n; ++i) {
    const char *table = base_arena_printf(arena, "figures/ball/t%d.dat", i);
    cJSON_AddItemToArray(files, cJSON_CreateString(table));
  }
  const struct report_page page = {
      .report = &report, .arena = arena, .folder = scratch_folder(), .out = begin_writing()};
  report_put_downloads(&page, files);
  return end_writing(page.out);
}

TEST(links_to_many_tables_are_folded) {
  struct base_arena *arena = test_arena();
  static const int sizes[] = {0, 8, 9, 48};
  for (int k = 0; k < 4; ++k) {
    const char *text = links_of(arena, sizes[k]);
    int n = 0;
    for (const char *c = text; (c = strstr(c, ".dat\">")) != NULL; ++c) {
      ++n;
    }
    CHECK_INT(n, sizes[k]);
    const char *fold =
        base_arena_printf(arena, "<details class=\"files\"><summary>data: %d tables</summary>", n);
    CHECK_INT(strstr(text, "<details") != NULL, n > 8);
    CHECK_INT(strstr(text, fold) != NULL, n > 8);
    CHECK_INT(strstr(text, "data:") != NULL, n > 0);
  }
}
