/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report: series and tables that keep every bit, checks that can fail, slopes against closed
 * forms, panels and their keys, rows of records. Records are made from one real record by changing
 * its entries. Drawings and pages are looked at by tests/cli/figure.sh, report.sh and hostile.sh.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/cell.h"
#include "bench/report/kit/columns.h"
#include "bench/report/page/page.h"
#include "bench/suite/figures.h"
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

/* ---- records ------------------------------------------------------------------------------ */

/* Put x at "block.key"; NaN becomes null. */
static void set_real(cJSON *record, const char *block, const char *key, double x) {
  cJSON *object = block[0] != '\0' ? (cJSON *)base_json_at(record, block) : record;
  cJSON_DeleteItemFromObjectCaseSensitive(object, key);
  base_json_add_real(object, key, x);
}

/* A real record to start from; changed by tests: its checksum would say so. */
static cJSON *template_record(void) {
  const struct bench_request request = {
      .case_name = "falling-particle", .formulation = "moreau", .t_end = 0.01, .sample = 2e-3};
  CHECK_OK(trial_to_file(request, scratch_path("template")));
  cJSON *record = trial_read(scratch_path("template"));
  cJSON_DeleteItemFromObjectCaseSensitive((cJSON *)base_json_at(record, "provenance"), "checksum");
  return record;
}

static const char *new_folder(const char *name) {
  const char *path = base_arena_copy(test_arena(), scratch_path(name));
  CHECK_OK(base_file_make_folder(path));
  return path;
}

static void write_to(const char *folder, const char *name, const cJSON *record) {
  CHECK_OK(base_json_write(base_arena_printf(test_arena(), "%s/%s.json", folder, name), record));
}

/* A record of a run in a folder; error <= 0 leaves the errors null. */
static void write_record(const char *folder, const char *form, const char *status, double dt,
                         double error) {
  cJSON *record = template_record();
  cJSON_SetValuestring((cJSON *)base_json_at(record, "formulation.name"), form);
  cJSON_SetValuestring((cJSON *)base_json_at(record, "status"), status);
  cJSON_SetValuestring((cJSON *)base_json_at(record, "reason"),
                       strcmp(status, "ok") == 0 ? "" : "as asked");
  set_real(record, "", "dt", dt);
  set_real(record, "errors", "q_linf", error > 0 ? error : NAN);
  set_real(record, "errors", "u_hausdorff", error > 0 ? sqrt(error) : NAN);
  set_real(record, "timing", "steps_s", 1e-3 / dt);
  write_to(folder, base_arena_printf(test_arena(), "%s--dt%g", form, dt), record);
}

/* ---- numbers ------------------------------------------------------------------------------ */

TEST(digits_tell_a_value_from_its_bounds) {
  CHECK_INT(bench_figure_digits(0.85, 1.15), 6);
  CHECK_INT(bench_figure_digits(0, 1e-12), 6);
  CHECK_INT(bench_figure_digits(1, INFINITY), 6);
  const double pairs[][2] = {
      {0.4515236, 0.4515237}, {1234.5678901, 1234.5678902}, {-1e-9, -0.9e-9}};
  for (int i = 0; i < 3; ++i) {
    char lo[40], hi[40];
    const int digits = bench_figure_digits(pairs[i][0], pairs[i][1]);
    snprintf(lo, sizeof lo, "%.*g", digits, pairs[i][0]);
    snprintf(hi, sizeof hi, "%.*g", digits, pairs[i][1]);
    CHECK(strcmp(lo, hi) != 0);
  }
}

/* ---- tables, checks, series --------------------------------------------------------------- */

/* Doubles of every size and shape come back to the bit; a second block follows a blank line. */
TEST(tables_keep_every_bit) {
  enum { ROWS = 200, COLS = 3 };
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  double values[ROWS * COLS];
  for (int i = 0; i < ROWS * COLS; ++i) {
    values[i] = base_rng_uniform(rng, -1, 1) * pow(10, base_rng_uniform(rng, -300, 300));
  }
  values[1] = NAN;
  values[2] = INFINITY;
  values[3] = -0.0;
  values[4] = 5e-324;
  struct case_plot plot;
  const char *folder = new_folder("tables");
  CHECK_OK(case_plot_init(&plot, folder, arena));
  CHECK_OK(case_plot_table(&plot, "t", "a[m] b[s] c[-]", ROWS, COLS, values));
  CHECK_OK(case_plot_table(&plot, "t", "a[m] b[s] c[-]", 1, COLS, values + 6));
  CHECK_INT(plot.n_tables, 1);
  CHECK(case_plot_table(&plot, "../t", "a", 1, 1, values) < 0);
  const char *text = scratch_text(base_arena_printf(arena, "%s/t.dat", folder));
  CHECK(strncmp(text, "# a[m] b[s] c[-]\n", 17) == 0);
  char *at = strchr(text, '\n');
  int wrong = 0;
  for (int i = 0; i < ROWS * COLS; ++i) {
    const double x = strtod(at, &at);
    wrong += isnan(values[i]) ? !isnan(x) : x != values[i] || signbit(x) != signbit(values[i]);
  }
  CHECK_INT(wrong, 0);
  CHECK(strncmp(at, "\n\n# a[m] b[s] c[-]\n", 19) == 0);
}

TEST(values_are_judged_by_what_is_claimed_of_them) {
  struct base_arena *arena = test_arena();
  struct case_plot plot;
  case_plot_init(&plot, NULL, arena);
  const struct case_claim ours = {0.5, 1.5, .expected = "1"};
  const struct case_claim printed = {0.5, 1.5, .published = "1 (table 1)"};
  const struct case_claim sketch = {0.5, 1.5, .published = "about 1 (fig. 1)", .schematic = 1};
  const struct case_claim other = {2, 3, .published = "1 (table 1)", .differs = "why",
                                   .source = {0.5, 1.5}};
  const struct {
    double x;
    const struct case_claim *claim;
    enum case_verdict verdict;
  } trials[] = {
      {1, &ours, CASE_NOT_STATED},
      {1.5, &ours, CASE_NOT_STATED},
      {0.4, &ours, CASE_FAILED},
      {nextafter(1.5, 2), &ours, CASE_FAILED},
      {NAN, &ours, CASE_FAILED},
      {1, &printed, CASE_REPRODUCED},
      {2, &printed, CASE_FAILED},
      {1, &sketch, CASE_SCHEMATIC},
      {2, &sketch, CASE_FAILED},
      {2, &other, CASE_DIFFERS},
      {1, &other, CASE_FAILED}, /* it does not differ */
      {4, &other, CASE_FAILED}, /* and not for the reason given */
      {NAN, &other, CASE_FAILED},
      {INFINITY, &other, CASE_FAILED},
      {1, &(struct case_claim){NAN, 2, .expected = ""}, CASE_FAILED},
      {1, &(struct case_claim){0.5, INFINITY, .expected = ""}, CASE_FAILED},
      {2, &(struct case_claim){-INFINITY, 1, .published = "1", .differs = "why"}, CASE_FAILED}};
  enum { TRIALS = sizeof trials / sizeof *trials };
  for (int i = 0; i < TRIALS; ++i) {
    CHECK_INT((int)case_plot_check(&plot, "value", trials[i].x, *trials[i].claim),
              (int)trials[i].verdict);
  }
  case_plot_report(&plot, "a report", 7, "with a note");
  CHECK_INT(plot.n_checks, TRIALS + 1);
  CHECK_INT(plot.n_failed, 12);
  cJSON *json = test_json(cJSON_CreateObject());
  bench_plot_to_json(&plot, json);
  const cJSON *checks = base_json_at(json, "checks"), *reports = base_json_at(json, "reports");
  CHECK_INT(cJSON_GetArraySize(checks), TRIALS);
  CHECK_INT(cJSON_GetArraySize(reports), 1);
  CHECK_TEXT(base_json_text_at(cJSON_GetArrayItem(reports, 0), "note"), "with a note");
  CHECK_TEXT(base_json_text_at(cJSON_GetArrayItem(checks, 0), "verdict"), "not stated");
  CHECK_TEXT(base_json_text_at(cJSON_GetArrayItem(checks, 5), "published"), "1 (table 1)");
  CHECK_TEXT(base_json_text_at(cJSON_GetArrayItem(checks, 9), "verdict"), "differs");
  CHECK_TEXT(base_json_text_at(cJSON_GetArrayItem(checks, 9), "reason"), "why");
  CHECK_NEAR(base_json_real_at(cJSON_GetArrayItem(checks, 9), "source_hi"), 1.5, 0);
  CHECK_NEAR(base_json_real_at(json, "verdicts.failed"), 12, 0);
  CHECK_NEAR(base_json_real_at(json, "verdicts.reported"), 1, 0);
}

TEST(records_of_figures_are_judged_again) {
  struct base_arena *arena = test_arena();
  struct case_plot plot;
  case_plot_init(&plot, NULL, arena);
  case_plot_check(&plot, "one", 1, (struct case_claim){0, 2, .published = "1"});
  case_plot_check(&plot, "two", 1, (struct case_claim){0, 2, .expected = "1"});
  case_plot_check(&plot, "other", 1,
                  (struct case_claim){0, 2, .published = "3", .differs = "y", .source = {3, 3}});
  case_plot_report(&plot, "three", 3, NULL);
  cJSON *figure = test_parse(
      "{'schema': 'coulombench.figure/2', 'id': 'f', 'case': 'c', 'title': '', 'caption': '', "
      "'text': '', 'status': 'ok', 'reason': '', 'files': [], 'records': []}");
  bench_plot_to_json(&plot, figure);
  CHECK_OK(bench_figure_check(figure, "f.json"));
  trial_refuses(figure, "title", "1", "title: must be a text");
  trial_refuses(figure, "verdicts.reproduced", "2", "verdicts: key 'reproduced': must be 1");
  trial_refuses(figure, "checks.0.measured", "3",
                "checks[0]: key 'verdict': is 'reproduced', must be 'failed'");
  trial_refuses(figure, "checks.0.lo", "1e999", "checks[0].lo: must be a finite number");
  trial_refuses(figure, "checks.0.verdict", "'not stated'",
                "checks[0]: key 'verdict': is 'not stated', must be 'reproduced'");
  trial_refuses(figure, "checks.0.reason", "'it differs'", "must be 'failed'");
  trial_refuses(figure, "checks.2.source_lo", "2", "must be 'failed'");
  trial_refuses(figure, "reports.0.note", "null", "reports[0].note: must be a text");
  trial_refuses(figure, "checks.0.nonesuch", "true", "checks[0]: unknown key 'nonesuch'");
}

TEST(series_hold_what_the_record_says) {
  struct base_arena *arena = test_arena();
  cJSON *record = template_record();
  struct case_series s;
  CHECK_OK(bench_series_from_record(record, "r.json", NULL, arena, &s));
  CHECK_INT(s.n, 6);
  CHECK_INT(s.nq, 2);
  CHECK_INT(s.nu, 2);
  for (int k = 0; k < s.n; ++k) { /* free fall at constant vx0 = 2: x = 2 t */
    CHECK_NEAR(s.q[2 * k], 2 * s.t[k], 1e-14);
    CHECK_NEAR(s.u[2 * k], 2, 0);
  }
  CHECK_NEAR(case_number(&s, "final.t"), 0.01, 0);
  CHECK(isnan(case_number(&s, "no.such.key")));
  cJSON *x = (cJSON *)base_json_at(record, "trajectory.q.x");
  cJSON_ReplaceItemInArray(x, 3, cJSON_CreateNull());
  CHECK_OK(bench_series_from_record(record, "r.json", NULL, arena, &s));
  CHECK(isnan(s.q[2 * 3]));
  cJSON_DeleteItemFromArray(x, 0);
  CHECK_REFUSED(bench_series_from_record(record, "r.json", NULL, arena, &s), BASE_E_INPUT,
                "r.json: key 'trajectory.x'");
}

/* ---- figures ------------------------------------------------------------------------------ */

/* Words that take a column each, negative x, names of x, bars, looks of formulations and solvers,
 * and one key for all panels, in which a title stands once. */
static struct figure_curve trial_curves[] = {
    {"{}", "y", 1, 1, 1, .look = "{}", .over = "moreau pgs", .next = 1, .x_scale = -1},
    {"bound", .scale = 0.5, .look = "limit", .x_scale = 1},
    {"moreau", "y", 1, 2, 1, .look = "moreau", .x_scale = 1},
    {"not in the foot", "y", 1, 2, 1, .look = "#0072b2", .with = FIGURE_BARS, .note = 1,
     .x_scale = 1}};
static struct figure_panel trial_panels[] = {
    {.x = "-t", .y = "y", .key = "foot", .n_curves = 2, .curves = trial_curves},
    {.x = "t", .key = "foot", .n_curves = 1, .curves = trial_curves + 2},
    {.names = "a 'b c' d", .n_curves = 1, .curves = trial_curves + 3}};
static const struct figure in_panels = {
    .file = &(const struct bench_figure){.id = "trial-1", .title = "Panels", .caption = ""},
    .n_panels = 3,
    .panels = trial_panels,
    .abreast = 2};

TEST(panels_tell_what_is_drawn) {
  static const char *const told[] = {
      "array ys[5] = [1, 2, 0, 2, 2]\n",    "array x_scales[5] = [-1, -1, 1, 1, 1]\n",
      "array notes[5] = [1, 2, 0, 2, 1]\n", "in_foot = ' 1 2 3 '\n",
      "array bars[3] = ['', '', ' 5']\n",   "foot_rows = 2\n"};
  struct base_arena *arena = test_arena();
  struct report_script script = {.arena = arena};
  report_panels(&script, &in_panels, NULL, 0);
  for (size_t i = 0; i < sizeof told / sizeof *told; ++i) {
    CHECK_MESSAGE(strstr(script.gnuplot_lines, told[i]) != NULL, "%s not in\n%s", told[i],
                  script.gnuplot_lines);
  }
  /* Two rows and names of five letters below the second: their room, 1.575 cm, is more than that
   * of a label, 1.4 cm. */
  CHECK_NEAR(script.size[0], 17, 1e-12);
  CHECK_NEAR(script.size[1], 2 * 7.5 + 0.4 + 2 * 12 * 0.042 + (1 + 5 * 0.115 - 1.4), 1e-12);
}

/* Whose colour is it? NULL: no formulation's and no solver's. Black is for ink. */
static const char *owner_of_colour(unsigned colour) {
  for (int i = 0; i < form_count(); ++i) {
    if (colour != 0 && form_get(i)->look.point > 0 && form_get(i)->look.colour == colour) {
      return form_get(i)->name;
    }
  }
  for (int i = 0; i < problem_solver_count(); ++i) {
    const struct base_look *look = &problem_solver_get(i)->look;
    if (colour != 0 && look->point > 0 && look->colour == colour) {
      return problem_solver_get(i)->name;
    }
  }
  return NULL;
}

/* Colours written as numbers in a text, "#0072b2". */
static void check_colours(const char *text, const char *where) {
  for (const char *at = text; (at = strchr(at, '#')) != NULL; ++at) {
    char *end;
    const unsigned colour = (unsigned)strtoul(at + 1, &end, 16);
    const char *owner = end == at + 7 ? owner_of_colour(colour) : NULL;
    CHECK_MESSAGE(owner == NULL, "%s: '%.7s' is the colour of %s", where, at, owner);
  }
}

TEST(colours_of_formulations_and_solvers_are_theirs_alone) {
  struct base_arena *arena = test_arena();
  int n = 0;
  const struct bench_figure *figures = bench_figures(&n);
  for (int i = 0; i < n; ++i) {
    struct figure f;
    CHECK_OK(figure_read(&figures[i], arena, &f));
    for (int p = 0; p < f.n_panels; ++p) {
      for (int c = 0; c < f.panels[p].n_curves; ++c) {
        check_colours(f.panels[p].curves[c].look, figures[i].id);
      }
    }
  }
  const char *path = base_data_path(arena, "scripts/plot/style.gp");
  const char *style = scratch_text(path);
  check_colours(style, path);
  CHECK(owner_of_colour(0x0072b2) != NULL);
}

/* The numbers of an array of a script. */
static int read_array(const char *lines, const char *name, int n, double *x) {
  const char *at = strstr(lines, name);
  at = at != NULL ? strchr(at, '=') : NULL;
  for (int i = 0; i < n && at != NULL; ++i) {
    at = strpbrk(at, "[,");
    x[i] = at != NULL ? strtod(at + 1, NULL) : NAN;
    at = at != NULL ? at + 1 : NULL;
  }
  return at != NULL;
}

TEST(panels_for_print_fit_their_page) {
  struct base_arena *arena = test_arena();
  static const double widths[] = {85, 170};
  for (int k = 0; k < 2; ++k) {
    struct report_script script = {.arena = arena};
    double tops[3], bottoms[3];
    report_panels(&script, &in_panels, NULL, widths[k]);
    CHECK_NEAR(script.size[0], widths[k] / 10, 1e-12);
    CHECK(script.size[1] < 24);
    CHECK(strstr(script.gnuplot_lines, k == 0 ? "abreast = 1\n" : "abreast = 2\n") != NULL);
    CHECK(read_array(script.gnuplot_lines, "array tops", 3, tops));
    CHECK(read_array(script.gnuplot_lines, "array bottoms", 3, bottoms));
    for (int p = 0; p < 3; ++p) { /* room for axes, and for tics and label below them */
      const int next = p + (k == 0 ? 1 : 2 - p % 2);
      CHECK((tops[p] - bottoms[p]) * script.size[1] > 2);
      CHECK((bottoms[p] - (next < 3 ? tops[next] : 0)) * script.size[1] > 1.2);
    }
  }
}

TEST(figures_for_print_are_no_higher_than_a_page) {
  struct base_arena *arena = test_arena();
  int n = 0;
  int count = 0;
  const struct bench_figure *figures = bench_figures(&count);
  for (int i = 0; i < count; ++i) {
    struct figure f;
    CHECK_OK(figure_read(&figures[i], arena, &f));
    for (double width = 85; width <= 170 && f.n_panels > 0; width += 85) {
      struct report_script script = {.arena = arena};
      report_panels(&script, &f, NULL, width);
      CHECK_MESSAGE(script.size[1] <= 24.7, "%s, %g mm wide, is %.1f cm high", figures[i].id, width,
                    script.size[1]);
      ++n;
    }
  }
  CHECK(n > 40);
}

/* gnuplot leaves out the columns of a key that do not fit its canvas, without a word: two columns
 * of titles as long as these, of 12 pt, are wider than 17 cm. */
TEST(keys_of_long_titles_have_one_column) {
  static const char *const titles[] = {"one of some thirty-five letters, and",
                                       "another of some more letters than that, a line", "a third"};
  struct figure_curve curves[3];
  struct figure_panel panel = {.x = "t", .y = "y", .key = "foot", .n_curves = 3, .curves = curves};
  struct figure figure = in_panels;
  struct base_arena *arena = test_arena();
  figure.panels = &panel;
  figure.n_panels = 1;
  for (int k = 0; k < 2; ++k) { /* the second time without the longest */
    struct report_script script = {.arena = arena};
    for (int i = 0; i < 3; ++i) {
      const char *title = k == 0 ? titles[i] : titles[2];
      curves[i] = (struct figure_curve){base_arena_printf(arena, "%s%*s", title, i, ""),
                                        "y",
                                        1,
                                        2,
                                        1,
                                        .look = "mark",
                                        .x_scale = 1};
    }
    report_panels(&script, &figure, NULL, 0);
    CHECK(strstr(script.gnuplot_lines, k == 0 ? "foot_rows = 3\n" : "foot_rows = 2\n") != NULL);
  }
}

/* ---- rows and studies --------------------------------------------------------------------- */

static const double steps[] = {1e-2, 1e-3, 1e-4, 1e-5};

/* moreau: first order; ccp: order 1/2 down to the bound of the reference; penalty diverges. */
static const char *make_records(const char *name) {
  const char *folder = new_folder(name);
  for (int i = 0; i < 4; ++i) {
    write_record(folder, "moreau", "ok", steps[i], 3 * steps[i]);
    write_record(folder, "ccp", "ok", steps[i], i < 3 ? 0.2 * sqrt(steps[i]) : 2e-14);
    write_record(folder, "penalty", i < 2 ? "diverged" : "ok", steps[i],
                 i < 2 ? 0 : 1e-3 * (3 - i) + 1e-4);
  }
  return folder;
}

/* What a study fits for a formulation; NaN: nothing. */
static double slope_of(struct report *report, const char *table, const char *form, double *points) {
  const struct figure_study *order = report_study_tables(report, bench_figure_find("order", NULL));
  const struct frame *fits = order != NULL ? figure_study_table(order, table) : NULL;
  CHECK_MESSAGE(fits != NULL, "%s", base_message());
  for (long i = 0; fits != NULL && i < fits->n_rows; ++i) {
    if (strcmp(frame_text(fits, i, frame_find(fits, "formulation.name")), form) == 0) {
      *points = report_real(fits, i, "points");
      return report_real(fits, i, "slope");
    }
  }
  return NAN;
}

TEST(studies_measure_the_orders_put_in) {
  struct base_arena *arena = test_arena();
  struct report report = {
      .arena = arena, .folder = make_records("orders"), .output = scratch_path("orders-out")};
  CHECK_OK(report_want_studies(&report));
  CHECK_OK(report_load(&report));
  CHECK_INT(report.n_records, 12);
  CHECK_INT(report_real(report.motions, report.motions->n_rows - 1, "row"), 1);
  CHECK_OK(report_studies(&report));
  double points = NAN;
  CHECK_NEAR(slope_of(&report, "fits", "moreau", &points), 1, 1e-12);
  CHECK_INT(points, 4);
  CHECK_NEAR(slope_of(&report, "fits-u", "moreau", &points), 0.5, 1e-12);
  CHECK_NEAR(slope_of(&report, "fits", "ccp", &points), 0.5, 1e-12); /* not its last point */
  CHECK_INT(points, 3);
  points = 0; /* what diverged has no error, and two points are no curve */
  CHECK(isnan(slope_of(&report, "fits", "penalty", &points)));
  CHECK_INT(points, 0);
  report_free(&report);
}

/* Studies are found by their place, and every one can be read and drawn. */
TEST(studies_are_files_of_one_folder) {
  struct base_arena *arena = test_arena();
  struct report report = {.arena = arena,
                          .folder = make_records("all-studies"),
                          .output = scratch_path("all-studies-out")};
  struct figure figure;
  struct figure_study made;
  int n = 0, drawn = 0;
  const struct bench_figure *studies = bench_studies(&n);
  CHECK_MESSAGE(studies != NULL, "%s", base_message());
  cJSON *words = test_parse("{'x': 'mu', 'y': 'errors.q_linf'}");
  const struct bench_figure *swept = bench_study_asked(bench_figure_find("parameter", NULL), words);
  CHECK_OK(report_want(&report, swept->json));
  CHECK_OK(report_want_studies(&report));
  CHECK_OK(report_load(&report));
  for (int i = 0; i < n; ++i) {
    const struct bench_figure *study = &studies[i];
    if (bench_study_has_gaps(study)) {
      study = bench_study_asked(study, words);
      CHECK_TEXT(study->id, "parameter-errors.q_linf-mu");
      CHECK_TEXT(study->title, "errors.q_linf against mu");
      CHECK(bench_figure_is_known(study));
    }
    CHECK_OK(figure_read(study, arena, &figure));
    CHECK_OK(figure_study_load(&figure, report_source, &report, arena, &made));
    drawn += figure.n_panels > 0;
    CHECK(bench_figure_find(studies[i].id, NULL) == &studies[i]);
  }
  CHECK(drawn >= 5);
  CHECK(bench_figure_find("no-such-study", NULL) == NULL);
  report_free(&report);
}

TEST(best_run_finished_and_has_the_smallest_error) {
  struct base_arena *arena = test_arena();
  const char *folder = new_folder("best");
  write_record(folder, "ncp", "ok", 1e-2, 1e-3);
  write_record(folder, "ncp", "ok", 1e-3, 1e-2);
  write_record(folder, "ncp", "timeout", 1e-4, 1e-9);
  write_record(folder, "mdp", "diverged", 1e-2, 0);
  write_record(folder, "mdp", "diverged", 1e-3, 0);
  struct report report = {.arena = arena, .folder = folder, .output = scratch_path("best-out")};
  struct report_page page;
  cJSON *json = report_data_read("scripts/plot/page.json", arena);
  CHECK_OK(report_want(&report, json));
  CHECK_OK(report_load(&report));
  CHECK_OK(report_page_begin(&page, &report, "page", json));
  const struct frame *best = figure_study_table(&page.tables, "matrix");
  CHECK(best != NULL && best->n_rows == 2);
  for (long i = 0; best != NULL && i < best->n_rows; ++i) {
    const char *form = frame_text(best, i, frame_find(best, "formulation"));
    CHECK_NEAR(report_real(best, i, "dt_s"), strcmp(form, "ncp") == 0 ? 1e-2 : 1e-3, 0);
  }
  cJSON_Delete(json);
  report_free(&report);
}

/* Of records nothing stays in memory but what was asked for before they were read. */
TEST(columns_are_asked_for_before_records_are_read) {
  struct base_arena *arena = test_arena();
  struct report report = {.arena = arena, .folder = make_records("asked")};
  cJSON *json = test_parse(
      "{'tables': {'a': {'columns': ['dt', 'drift']}, 'b': {'columns': ['energy.final']}}}");
  const cJSON *tables = base_json_at(json, "tables");
  struct frame *a = figure_study_columns(base_json_at(tables, "a"), "a", arena);
  struct frame *b = figure_study_columns(base_json_at(tables, "b"), "b", arena);
  cJSON *later = test_json(cJSON_DetachItemFromObject((cJSON *)tables, "b"));
  CHECK_OK(report_want(&report, json));
  CHECK_OK(report_load(&report));
  CHECK_OK(report_source(&report, base_json_at(tables, "a"), a));
  CHECK_INT(a->n_rows, report.n_records);
  CHECK_REFUSED(report_source(&report, later, b), BASE_E_INPUT,
                "b: 'energy.final' was not asked for when the records were read");
  report_free(&report);
}

/* The column of studies of a record alone. */
static double drift_of(cJSON *json, struct base_arena *arena) {
  struct report_record record = {.name = "r"};
  struct report report = {.arena = arena, .n_records = 1, .records = &record};
  cJSON *file = test_parse("{'tables': {'a': {'columns': ['drift']}}}");
  const cJSON *table = base_json_at(file, "tables.a");
  struct frame *f = figure_study_columns(table, "test", arena);
  CHECK_OK(report_want(&report, file));
  report_row_add(&report, json, &record);
  CHECK_OK(report_source(&report, table, f));
  return frame_real(f, 0, 0);
}

/* A pendulum let go at the height where its potential is zero has no energy but its motion's. */
TEST(drifts_are_measured_by_the_largest_energy) {
  struct base_arena *arena = test_arena();
  cJSON *record =
      test_parse("{'energy': {'initial': 0, 'final': -1e-13, 'max_kinetic': 4, "
                 "'max_numerical_drift': 2e-13, 'budget': {'friction': 0, 'impact': 0}}}");
  CHECK_NEAR(drift_of(record, arena), 5e-14, 1e-28);
  set_real(record, "energy", "initial", -8);
  CHECK_NEAR(drift_of(record, arena), 2.5e-14, 1e-28);
  set_real(record, "energy", "initial", 0);
  set_real(record, "energy", "final", 0);
  set_real(record, "energy", "max_kinetic", 0);
  CHECK(isnan(drift_of(record, arena)));
}

/* Different parameters, horizons or labels never share a row; steps and formulations do. */
TEST(rows_hold_runs_of_one_problem) {
  struct base_arena *arena = test_arena();
  const char *folder = new_folder("rows");
  write_record(folder, "ncp", "ok", 1e-2, 1e-3);
  write_record(folder, "ccp", "ok", 1e-3, 1e-3);
  cJSON *record = template_record();
  set_real(record, "case.parameters", "mu", 0.75);
  write_to(folder, "other", record);
  const struct bench_place rough = {.suite = "s", .id = "rough", .label = "rough"};
  const struct bench_place of_figure = {.suite = "s", .id = "yu-8--moreau", .figure = "yu-8"};
  cJSON_AddItemToObject(record, "cell", bench_place_json(&rough));
  write_to(folder, "rough", record);
  const struct bench_place solved = {
      .suite = "s", .id = "solved", .label = "rough", .solver = "pgs"};
  cJSON_ReplaceItemInObject(record, "cell", bench_place_json(&solved));
  write_to(folder, "solved", record);
  cJSON_ReplaceItemInObject(record, "cell", bench_place_json(&of_figure));
  write_to(folder, "figure", record);
  for (int i = 0; i < 2; ++i) { /* which differ in what is too long to be shown */
    const char *id = i == 0 ? "deep" : "deeper";
    const struct bench_place deep = {.suite = "s", .id = id, .label = "deep"};
    cJSON *parameters = (cJSON *)base_json_at(record, "case.parameters");
    cJSON_ReplaceItemInObject(record, "cell", bench_place_json(&deep));
    cJSON_DeleteItemFromObject(parameters, "bodies");
    cJSON_AddItemToObject(parameters, "bodies", base_json_parse(i == 0 ? "[1]" : "[2]", "test"));
    write_to(folder, id, record);
  }
  struct report report = {.arena = arena, .folder = folder};
  CHECK_OK(report_load(&report));
  CHECK_INT(report.n_records, 8);
  static const char *const motions[] = {"compared 1 falling-particle, deep, other bodies",
                                        "compared 2 falling-particle, deep, other bodies (2)",
                                        "compared 3 falling-particle, mu = 0.2",
                                        "compared 3 falling-particle, mu = 0.2",
                                        "compared 4 falling-particle, mu = 0.75",
                                        "compared 5 falling-particle, rough", /* by two solvers */
                                        "compared 5 falling-particle, rough",
                                        "runs 1 falling-particle, deep, other bodies",
                                        "runs 2 falling-particle, deep, other bodies (2)",
                                        "runs 3 falling-particle, mu = 0.2",
                                        "runs 3 falling-particle, mu = 0.2",
                                        "runs 4 falling-particle, mu = 0.75",
                                        "runs 5 falling-particle, pgs rough",
                                        "runs 6 falling-particle, rough"};
  enum { MOTIONS = sizeof motions / sizeof *motions };
  const struct frame *f = report.motions;
  CHECK_INT(f->n_rows, MOTIONS);
  for (long row = 0; row < f->n_rows && row < MOTIONS; ++row) {
    CHECK_TEXT(base_arena_printf(arena, "%s %g %s", frame_text(f, row, frame_find(f, "source")),
                                 report_real(f, row, "row"),
                                 frame_text(f, row, frame_find(f, "motion"))),
               motions[row]);
  }
  report_free(&report);
}

/* ---- the page: that it is well-formed is held by tests/cli/hostile.sh ----------------------- */

TEST(links_are_relative) {
  static const char *const links[][3] = {{"/a/b/report", "/a/b/x.json", "../x.json"},
                                         {"/a/report", "/a/quick/x.json", "../quick/x.json"},
                                         {"/a/report", "/a/report/m.csv", "m.csv"},
                                         {"/a/rep", "/a/report/m.csv", "../report/m.csv"},
                                         {"/a/report", "/a/rep/m.csv", "../rep/m.csv"},
                                         {"/x/y/z", "/a/b", "../../../a/b"},
                                         {"/a", "/a/100% #1.json", "100%25%20%231.json"}};
  for (size_t i = 0; i < sizeof links / sizeof *links; ++i) {
    CHECK_TEXT(report_link(test_arena(), links[i][0], links[i][1]), links[i][2]);
  }
}

TEST(texts_are_escaped) {
  char *text = NULL;
  size_t size;
  FILE *page = open_memstream(&text, &size);
  report_text(page, "a<b>&\"c\"\n\xc2\xb5");
  fclose(page);
  CHECK_TEXT(text, "a&lt;b&gt;&amp;&quot;c&quot; \xc2\xb5");
  free(text);
}

TEST(gaps_have_numbers_of_three_digits) {
  struct base_arena *arena = test_arena();
  cJSON *figure =
      test_parse("{'checks': [{'what': 'small', 'measured': 0.000117}], 'reports': [{'what': "
                 "'none', 'measured': null}, {'what': 'large', 'measured': 1.5e12}]}");
  const char *missing;
  CHECK_TEXT(bench_figure_fill(arena, "{small}|{no}|{large}|{", NULL, figure, &missing),
             "1.17e-4|\xe2\x80\x93|1.50e12|{");
  CHECK(missing == NULL);
  CHECK_TEXT(bench_figure_fill(arena, "{other}", NULL, figure, &missing), "\xe2\x80\x93");
  CHECK_TEXT(missing, "other");
}
