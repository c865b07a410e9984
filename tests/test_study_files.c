/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies of scripts/plot/studies against few records whose answers are counted by hand: data
 * profiles, cost against the number of bodies, shares of laws, schemes and softness, and the
 * sentences before captions. Those of solvers are in tests/cli/profile.sh.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/suite/figures.h"
#include "tests/report_scene.h"
#include "tests/test.h"

/* The step of the last record. */
static void set_step(struct report_scene *s, double dt) {
  cJSON *record = s->json[s->report.n_records - 1];
  cJSON_DeleteItemFromObject(record, "dt");
  cJSON_AddNumberToObject(record, "dt", dt);
}

/* A run in a row: its error over the length, 1, of the system, its time and further members. */
static void add(struct report_scene *s, int row, const char *form, int status, double error,
                double time, const char *more) {
  report_scene_add(
      s, row, form, status,
      base_arena_printf(
          s->report.arena,
          "{'status': '%s', 'formulation': {'name': '%s'}, 'errors': {'q_linf': %.9g}, 'steps': "
          "100, 'quality': {'verdict': 'good', 'measures': {'position': %.9g}, 'scales': "
          "{'length': 1}}, 'timing': {'steps_s': %g, 'per_step_s': %g}, 'reference': {'kind': "
          "'analytic', 'bound': 1e-14}, 'final': {'q': [1]}%s}",
          base_status_name(status), form, error, error, time, time / 100, more));
  set_step(s, 0.01 / s->report.n_records);
}

static struct figure_study load_file(struct report_scene *s, const struct bench_figure *file) {
  struct figure *figure = base_arena_push(s->report.arena, sizeof *figure);
  struct figure_study made = {0};
  report_scene_read(s, file);
  CHECK_MESSAGE(file != NULL && figure_read(file, s->report.arena, figure) == BASE_OK &&
                    figure_study_load(figure, report_source, &s->report, s->report.arena, &made) ==
                        BASE_OK,
                "%s", base_message());
  return made;
}

static struct figure_study load(struct report_scene *s, const char *id) {
  return load_file(s, bench_figure_find(id, NULL));
}

/* A column of a table as text, "a b -". */
static const char *shown(const struct figure_study *made, const char *table, const char *name) {
  const struct frame *f = figure_study_table(made, table);
  const int column = f != NULL ? frame_find(f, name) : -1;
  const char *text = "";
  CHECK_MESSAGE(column >= 0, "no column %s of %s", name, table);
  for (long row = 0; column >= 0 && row < f->n_rows; ++row) {
    const struct frame_value *v = frame_at(f, row, column);
    text = base_arena_printf(made->arena, "%s%s%s", text, row > 0 ? " " : "",
                             frame_is_missing(v)     ? "-"
                             : v->kind == FRAME_TEXT ? v->text
                                                     : frame_short_number(made->arena, v->number));
  }
  return text;
}

static const char touching[] = ", 'contacts': {'max': 1, 'mean': 1}",
                  smooth[] = ", 'contacts': {'max': 0, 'mean': 0}";

/* moreau solves a in 1 s (to 1e-3 in 4) and b in 3; ncp solves b to 1e-4 alone; event made the
 * reference of a, and is no worse; rk4 is for the smooth motion c alone. */
TEST(data_profiles_count_the_cases_solved) {
  struct report_scene *s = report_scene_begin();
  add(s, 0, "moreau", BASE_OK, 5e-3, 1, touching);
  add(s, 0, "moreau", BASE_UNCONVERGED, 5e-4, 4, touching);
  add(s, 0, "moreau", BASE_DIVERGED, 5e-5, 0.1, touching);
  add(s, 0, "ncp", BASE_OK, 2e-2, 1, touching);
  add(s, 0, "event", BASE_OK, 0, 7, touching);
  cJSON_ReplaceItemInObject(cJSON_GetObjectItem(s->json[4], "reference"), "kind",
                            cJSON_CreateString("self"));
  add(s, 1, "moreau", BASE_OK, 8e-3, 3, touching);
  add(s, 1, "ncp", BASE_OK, 5e-5, 2, touching);
  add(s, 1, "mdp", BASE_UNSUPPORTED, 1, 0, touching);
  add(s, 2, "consistent-constant", BASE_OK, 1e-6, 1, smooth);
  const struct figure_study made = load(s, "data-profile");
  CHECK_TEXT(shown(&made, "shares", "formulation"),
             "moreau moreau moreau moreau moreau moreau ncp ncp ncp ncp ncp ncp event event event "
             "event event event");
  CHECK_TEXT(shown(&made, "shares", "cost"),
             "time time work work time work time work time work time work time work time work time "
             "work");
  CHECK_TEXT(shown(&made, "shares", "tolerance"),
             "0.01 0.01 0.01 0.01 0.001 0.001 0.01 0.01 0.001 0.001 0.0001 0.0001 0.01 0.01 0.001 "
             "0.001 0.0001 0.0001");
  CHECK_TEXT(shown(&made, "shares", "budget"), "1 3 100 100 4 100 2 100 2 100 2 100 7 100 7 100 7 "
                                               "100");
  CHECK_TEXT(shown(&made, "shares", "share"),
             "0.333333 0.666667 0.333333 0.666667 0.333333 0.333333 0.333333 0.333333 0.333333 "
             "0.333333 0.333333 0.333333 0.333333 0.333333 0.333333 0.333333 0.333333 0.333333");
  /* From nothing at the least budget of all to the largest. */
  CHECK_TEXT(shown(&made, "time-2", "name"),
             "moreau (2) moreau (2) moreau (2) moreau (2) ncp (2) ncp (2) ncp (2) event (1) event "
             "(1) event (1)");
  CHECK_TEXT(shown(&made, "time-2", "budget"), "1 1 3 7 1 2 7 1 7 7");
  CHECK_TEXT(shown(&made, "time-2", "share"),
             "0 0.333333 0.666667 0.666667 0 0.333333 0.333333 0 0.333333 0.333333");
  CHECK_TEXT(shown(&made, "time-4", "look"), "ncp ncp ncp event event event");
}

/* Where nothing touches there is nothing to set apart. */
TEST(data_profiles_of_smooth_motion_show_all) {
  struct report_scene *s = report_scene_begin();
  add(s, 0, "consistent-constant", BASE_OK, 1e-6, 1, smooth);
  const struct figure_study made = load(s, "data-profile");
  CHECK_TEXT(shown(&made, "time-2", "share"), "0 1 1");
}

static void add_bodies(struct report_scene *s, const char *form, int n, double step,
                       const char *more) {
  add(s, 0, form, BASE_OK, 1e-3, 100 * step,
      base_arena_printf(s->report.arena,
                        ", 'case': {'name': 'heap', 'parameters': {'n': %d}}, 'contacts': {'mean': "
                        "%d}, 'iterations': {'mean': 5}, 'cell': {'study': 'scaling'%s}",
                        n, 2 * n, more));
}

/* Time a step of n of moreau, of n^1.5 of ncp; what one run shows has no exponent. */
TEST(cost_grows_with_the_number_of_bodies) {
  struct report_scene *s = report_scene_begin();
  add_bodies(s, "ncp", 100, 1e-2, ", 'label': 'l'");
  add_bodies(s, "moreau", 100, 1e-3, "");
  add_bodies(s, "moreau", 10, 1e-4, "");
  add_bodies(s, "ncp", 400, 8e-2, ", 'label': 'l'");
  add_bodies(s, "mdp", 10, 1e-4, "");
  add(s, 0, "ccp", BASE_OK, 1e-3, 1, ", 'case': {'parameters': {'n': 10}}"); /* not for it */
  const struct figure_study made = load(s, "scaling");
  CHECK_TEXT(shown(&made, "costs", "curve"),
             "heap-ncp-l heap-ncp-l heap-moreau heap-moreau heap-mdp");
  CHECK_TEXT(shown(&made, "costs", "n"), "100 400 10 100 10");
  CHECK_TEXT(shown(&made, "costs", "exponent"), "1.5 1.5 1 1 -");
  CHECK_TEXT(shown(&made, "costs", "ns_contact"), "50000 100000 5000 5000 5000");
  CHECK_TEXT(shown(&made, "costs", "ns_contact_sweep"), "10000 20000 1000 1000 1000");
  CHECK_TEXT(shown(&made, "runs", "name"), "heap-ncp-l ~ n^1.50 heap-ncp-l ~ n^1.50 heap-moreau ~ "
                                           "n^1.00 heap-moreau ~ n^1.00 heap-mdp");
  CHECK_TEXT(figure_study_says(&made, -1),
             "Time a step grows from n^1.00 (heap-moreau) to n^1.50 (heap-ncp-l).");
}

/* Two labels that files are called after alike. */
TEST(curves_have_tables_of_their_own) {
  struct report_scene *s = report_scene_begin();
  struct case_plot plot;
  struct figure drawn;
  add_bodies(s, "ncp", 10, 1e-3, ", 'label': 'a b'");
  add_bodies(s, "ncp", 10, 2e-3, ", 'label': 'a_b'");
  const struct figure_study made = load(s, "scaling");
  CHECK_OK(case_plot_init(&plot, NULL, s->report.arena));
  CHECK_OK(figure_study_draw(&made, -1, &plot, &drawn));
  CHECK_INT(plot.n_tables, 2);
  CHECK_TEXT(plot.tables[0], "heap-ncp-a_b");
  CHECK_TEXT(plot.tables[1], "heap-ncp-a_b.2");
  CHECK_TEXT(drawn.panels[0].curves[1].table, "heap-ncp-a_b.2");
  CHECK_TEXT(drawn.panels[2].curves[1].table, "heap-ncp-a_b.2");
  CHECK_TEXT(drawn.panels[0].curves[1].title, "heap-ncp-a_b");
}

TEST(nobody_is_first_alone) {
  struct report_scene *s = report_scene_begin();
  add(s, 0, "ncp", BASE_OK, 5e-4, 0.5, "");
  add(s, 0, "ncp", BASE_OK, 4e-4, 0.6, "");
  const struct figure_study made = load(s, "work-precision");
  CHECK_INT(made.n_facets, 1);
  CHECK_TEXT(figure_study_says(&made, 0), "");
  CHECK_TEXT(figure_study_says(&made, -1), "");
}

TEST(sentences_count_who_needs_the_least_time) {
  struct report_scene *s = report_scene_begin();
  add(s, 2, "mdp", BASE_OK, 9e-4, 0.25, ""); /* alone, it neither wins nor loses */
  add(s, 0, "ncp", BASE_OK, 5e-2, 0.5, "");
  add(s, 0, "ccp", BASE_OK, 5e-3, 0.5, "");
  add(s, 1, "ncp", BASE_OK, 7e-4, 0.5, "");
  add(s, 1, "ncp", BASE_DIVERGED, 5e-5, 0.1, ""); /* its error counts for nothing */
  add(s, 1, "ccp", BASE_OK, 5e-3, 0.5, "");
  add(s, 1, "mdp", BASE_OK, 9e-4, 0.25, "");
  add(s, 1, "lcp-st", BASE_OK, 9e-4, 0.255, ""); /* once taken, times are no closer */
  add(s, 0, "mdp", BASE_OK, 5e-3, 0.5, "");
  add(s, 0, "mdp", BASE_OK, 4e-3, 0.5, "");
  add(s, 0, "ncp", BASE_OK, 4e-3, 0.5, "");
  add(s, 0, "ccp", BASE_OK, 4e-3, 0.5, "");
  struct figure_study made = load(s, "work-precision");
  CHECK_INT(made.n_facets, 1); /* of two points at least */
  CHECK_TEXT(frame_value_text(&made.facets[0], made.arena), "a");
  CHECK_TEXT(figure_study_says(&made, 0),
             "None of 3 formulations comes to an error of 0.001 of the length of the system at any "
             "of its steps.");
  CHECK_TEXT(figure_study_says(&made, -1),
             "The least time to an error of 0.001 of the length of the system, or one level with "
             "it, is that of lcp-st in 1 of 1, mdp in 1 of 2 cases.");
  add(s, 1, "mdp", BASE_OK, 9e-3, 0.1, "");
  made = load(s, "work-precision");
  CHECK_TEXT(figure_study_says(&made, 1),
             "mdp needs the least time, 0.25 s, to an error of 0.001 of the length of the system, "
             "to which 3 of 4 formulations come; level with it: lcp-st.");
}

/* A run for the study of tolerances: without a reference; two coordinates at some times. */
static void add_tight(struct report_scene *s, double dt, double tol, const char *t, const char *x,
                      const char *y) {
  add(s, 0, "ncp", BASE_OK, 0, 1,
      base_arena_printf(s->report.arena,
                        ", 't_end': 0.4, 'case': {'name': 'c', 'parameters': {'mu': 0.3}}, 'cell': "
                        "{'study': 'tolerance'}, 'solver': {'name': 's', 'options': {'tol': %g}}, "
                        "'trajectory': {'t': [%s], 'q': {'x': [%s], 'y': [%s]}}",
                        tol, t, x, y));
  cJSON *record = s->json[s->report.n_records - 1];
  set_step(s, dt);
  cJSON_ReplaceItemInObject(cJSON_GetObjectItem(record, "errors"), "q_linf", cJSON_CreateNull());
}

/* The loose run ends 0.05 off the tight one of its step, which ends 0.5 off that of the shorter
 * one, at the times that both have: at 0.1 and 0.3 this is far away. That of the shortest step has
 * no error to be measured by, and its change no quotient. */
TEST(changes_by_tolerances_are_measured_by_the_error_of_the_step) {
  struct report_scene *s = report_scene_begin();
  add_tight(s, 0.2, 1e-2, "0, 0.2, 0.4", "0, 1, 2.03", "0, -0.05, 0");
  add_tight(s, 0.2, 1e-8, "0, 0.2, 0.4", "0, 1, 2", "0, 0, 0");
  add_tight(s, 0.1, 1e-8, "0, 0.1, 0.3, 0.4", "0, 9, 9, 2.5", "0, 0, 0, 0.1");
  add_tight(s, 0.1, 1e-4, "0, 0.1, 0.3, 0.4", "0, 9, 9, 2.25", "0, 0, 0, 0.1");
  const struct figure_study made = load(s, "tolerance");
  CHECK_TEXT(shown(&made, "changes", "record"), "r00 r03");
  CHECK_TEXT(shown(&made, "changes", "change"), "0.05 0.25");
  CHECK_TEXT(shown(&made, "changes", "error_of_step"), "0.5 -");
  CHECK_TEXT(shown(&made, "changes", "quotient"), "0.1 -");
  CHECK_TEXT(shown(&made, "points", "n2_tol"), "100");
  CHECK_TEXT(figure_study_says(&made, -1), ""); /* none is at the default tolerance */
}

/* Numbers against mu: a panel a step, a curve for what else differs, other masses apart. */
TEST(numbers_against_a_parameter_stand_in_curves) {
  static const struct {
    const char *solver, *parameters;
    double dt, error;
  } runs[] = {{"a", "'mu': 0.1, 'm': 1", 0.1, 4}, {"b", "'mu': 0.1, 'm': 1", 0.1, 5},
              {"a", "'mu': 0.2, 'm': 1", 0.1, 6}, {"a", "'mu': 0.1, 'm': 2", 0.2, 7},
              {"a", "'mu': 0.3, 'm': 2", 0.2, 8}, {"a", "'mu': 0.3, 'm': 3", 0.2, 9}};
  struct report_scene *s = report_scene_begin();
  for (int i = 0; i < 6; ++i) {
    add(s, 0, "ncp", i == 1 ? BASE_DIVERGED : BASE_OK, runs[i].error, 1,
        base_arena_printf(s->report.arena,
                          ", 't_end': 1, 'case': {'name': 'c', 'parameters': {%s}}, 'cell': "
                          "{'solver': '%s', 'swept': {'mu': '0'}}",
                          runs[i].parameters, runs[i].solver));
    set_step(s, runs[i].dt);
  }
  cJSON *words = test_parse("{'x': 'mu', 'y': 'errors.q_linf'}");
  const struct bench_figure *file = bench_study_asked(bench_figure_find("parameter", NULL), words);
  const struct figure_study made = load_file(s, file);
  CHECK_TEXT(shown(&made, "runs", "record"), "r00 r02 r01 r03 r04"); /* alone at m = 3: no sweep */
  CHECK_TEXT(shown(&made, "runs", "problem"), "c, m = 1 c, m = 1 c, m = 1 c, m = 2 c, m = 2");
  CHECK_TEXT(shown(&made, "runs", "curve"),
             "ncp, solver = a ncp, solver = a ncp, solver = b ncp ncp");
  CHECK_TEXT(shown(&made, "runs", "head"),
             "dt = 0.1 s dt = 0.1 s dt = 0.1 s dt = 0.2 s dt = 0.2 s");
  CHECK_TEXT(shown(&made, "points", "errors.q_linf"), "4 6 7 8"); /* not what diverged */
}

TEST(sentences_count_who_keeps_energy) {
  static const char drifting[] = ", 'energy': {'initial': 1, 'max_numerical_drift': 1e-8}";
  static const char keeping[] = ", 'energy': {'initial': 2, 'max_numerical_drift': 1e-9}";
  struct report_scene *s = report_scene_begin();
  for (int row = 0; row < 4; ++row) {
    add(s, row, "ccp", BASE_OK, 1e-2, 1, keeping);
    add(s, row, "ncp", BASE_OK, 1e-2, 1, row < 2 ? drifting : keeping);
    add(s, row, "ncp", BASE_OK, 1e-1, 1, drifting);      /* not its best step */
    add(s, row, "ncp", BASE_TIMEOUT, 1e-3, 1, drifting); /* it did not come to its end */
    add(s, row, "mdp", BASE_OK, 1e-2, 1, drifting);
    if (row < 2) { /* a share of two cases is none */
      add(s, row, "lcp-st", BASE_OK, 1e-2, 1, keeping);
    }
  }
  const struct figure_study made = load(s, "energy");
  CHECK_TEXT(figure_study_says(&made, -1),
             "Energy is kept to 1e-9 by ccp in 4 of 4, ncp in 2 of 4 cases; least often by mdp, in "
             "0 of 4.");
}

/* An ensemble of two members alike, of the error 10^y; softness "": the record says none. */
static void add_ensemble(struct report_scene *s, int row, const char *law, const char *scheme,
                         const char *softness, double y) {
  struct base_arena *arena = s->report.arena;
  const char *soft =
      softness[0] != '\0' ? base_arena_printf(arena, ", 'softness': '%s'", softness) : "";
  const char *member = base_arena_printf(
      arena, "{'errors': {'q_linf': %.17g, 'q_mass_linf': %.17g}}", pow(10, y), pow(10, y));
  report_scene_add(
      s, row, "impulse", BASE_OK,
      base_arena_printf(
          arena,
          "{'status': 'ok', 't_end': 1, 'case': {'name': '%s', 'parameters': {}}, 'formulation': "
          "{'name': 'impulse', 'options': {'law': '%s', 'scheme': '%s'%s}}, 'solver': {'options': "
          "{'tol': 1e-6}}, 'ensemble': {'members': [%s, %s]}}",
          report_scene_names[row], law, scheme, soft, member, member));
  set_step(s, 1e-3);
}

/* The number of a factor in a table of shares; -1: it has no row. */
static double share_of(const struct figure_study *made, const char *table, const char *factor,
                       const char *which) {
  const struct frame *f = figure_study_table(made, table);
  for (long row = 0; f != NULL && row < f->n_rows; ++row) {
    if (strcmp(frame_text(f, row, frame_find(f, "factor")), factor) == 0) {
      return frame_real(f, row, frame_find(f, which));
    }
  }
  return -1;
}

/* With l = -1, 1 of the law, c = -1, 1 of the scheme and z = -1, 0, 1 of softness, sap, rigid,
 * mujoco, y = l + 3 z + 1.5 l z + 0.5 c (1 - 3 [z = 0]) has the parts 1, 6, 1.5 and 0.5 of its
 * variance 9. Of rigid contacts alone y = l - c; there is a third law, of l = 0, with them, which
 * the softness was not varied for, and softer than all others were contacts at no rigid one's side.
 */
TEST(softness_is_a_factor_where_it_is_varied) {
  static const char *const laws[] = {"ncp", "ccp"}, *const schemes[] = {"gap", "velocity"};
  static const char *const kinds[] = {"sap", "", "mujoco"};
  struct report_scene *s = report_scene_begin();
  for (int row = 0; row < 2; ++row) {
    for (int c = -1; c <= 1; c += 2) {
      for (int l = -1; l <= 1; l += 2) {
        for (int z = -1; z <= 1; ++z) {
          add_ensemble(s, row, laws[l > 0], schemes[c > 0], kinds[z + 1],
                       -6 + 0.5 * (l + 3 * z + 1.5 * l * z + 0.5 * c * (z == 0 ? -2 : 1)));
        }
      }
      add_ensemble(s, row, "mdp", schemes[c > 0], "rigid", -6 - 0.5 * c);
    }
    add_ensemble(s, row, "lcp", "gap", "cfm", 0);
  }
  const struct figure_study soft = load(s, "softness"), made = load(s, "what-is-measured");
  static const struct {
    const char *factor;
    double first, total;
  } parts[] = {{"law", 1, 2.5},
               {"scheme", 0, 0.5},
               {"softness", 6, 8},
               {"step", 0, 0},
               {"scene", 0, 0},
               {"member", 0, 0},
               {"higher", 0, NAN},
               {"law x scheme", 0, NAN},
               {"law x softness", 1.5, NAN},
               {"scheme x softness", 0.5, NAN}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    CHECK_NEAR(share_of(&soft, "shares", parts[i].factor, "first"), parts[i].first / 9, 1e-12);
    if (!isnan(parts[i].total)) {
      CHECK_NEAR(share_of(&soft, "shares", parts[i].factor, "total"), parts[i].total / 9, 1e-12);
    }
  }
  CHECK_NEAR(share_of(&made, "shares", "law", "first"), 0.4, 1e-12); /* 2/3 of 2/3 + 1 */
  CHECK_NEAR(share_of(&made, "shares", "scheme", "first"), 0.6, 1e-12);
  CHECK(share_of(&made, "shares", "softness", "first") == -1);
  CHECK(share_of(&made, "shares", "law", "levels") == 3 &&
        share_of(&soft, "shares", "law", "levels") == 2 &&
        share_of(&soft, "shares", "law", "of") == 2 &&
        share_of(&soft, "shares", "softness", "levels") == 3);
  CHECK_TEXT(figure_study_says(&made, -1), "Scenes here: 2; below 6 there are no intervals.");
}

/* Drifts give the slope they were made with; those of rounding size are left out. */
TEST(slopes_of_drifts_leave_rounding_out) {
  static const double drifts[] = {112e-4, 28e-4, 7e-4, 1e-13}; /* of steps that are halved */
  struct report_scene *s = report_scene_begin();
  for (int i = 0; i < 4; ++i) {
    add(s, 0, "moreau", BASE_OK, 1e-3, 1,
        base_arena_printf(s->report.arena, ", 'energy': {'initial': 1, 'max_numerical_drift': %g}",
                          drifts[i]));
    set_step(s, 4e-2 / (1 << i));
  }
  const struct figure_study made = load(s, "energy-step");
  CHECK_TEXT(shown(&made, "fits", "slope"), "2");
  CHECK_TEXT(shown(&made, "fits", "points"), "3");
}
