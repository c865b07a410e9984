/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of what runs leave behind and of lists of runs: records say the same each time and are
 * refused when they do not add up; suites expand to the cells one expects and are refused when
 * anything in them is wrong. What the tables of keys ask for is held by tests/cli.
 */
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"
#include "tests/worked.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/data.h"
#include "base/json/json.h"
#include "bench/record/record.h"
#include "bench/run/run.h"
#include "bench/suite/figures.h"
#include "bench/suite/suite.h"

/* ---- records ---- */

static cJSON *particle_record(const char *formulation, double sample) {
  const struct bench_request request = {.case_name = "falling-particle",
                                        .formulation = formulation,
                                        .dt = 5e-3,
                                        .t_end = 0.6,
                                        .sample = sample};
  return trial_record_of(request, TRIAL_WITH_ERRORS);
}

TEST(record_is_the_same_each_time) {
  for (int f = 0; f < form_count(); ++f) {
    cJSON *a = particle_record(form_get(f)->name, 0.05);
    cJSON *b = particle_record(form_get(f)->name, 0.05);
    const char *left = trial_lasting(a), *right = trial_lasting(b);
    CHECK_MESSAGE(strcmp(left, right) == 0, "%s differs between two runs", form_get(f)->name);
    CHECK(strstr(left, "\"final\"") != NULL && strstr(left, "timing") == NULL);
  }
}

/* mu r_N |v_T| + v_T . r_T is negative by rounding where the force is that of the cone's edge. */
TEST(a_shortfall_of_dissipation_may_be_negative) {
  cJSON *record = particle_record("ncp", 0.1);
  cJSON *law = cJSON_GetObjectItem(record, "law");
  cJSON_ReplaceItemInObject(law, "dissipation_shortfall", cJSON_CreateNumber(-1e-17));
  CHECK_OK(bench_record_check(record, "r.json"));
  cJSON_ReplaceItemInObject(law, "signorini", cJSON_CreateNumber(-1e-17));
  CHECK_INT(bench_record_check(record, "r.json"), BASE_E_INPUT);
}

/* The arenas of a run are part of its process. */
TEST(record_tells_the_memory_of_the_process) {
  cJSON *record = particle_record("ncp", 0.1);
  const double arenas = base_json_real_at(record, "timing.memory_bytes");
  const double all = base_json_real_at(record, "timing.peak_memory_bytes");
  CHECK(arenas > 0 && all > arenas && all < 1e9);
}

/* Where every step is a sample, the impulses of all: those of the last are told again. */
TEST(record_tells_the_impulses_of_every_step) {
  cJSON *record = particle_record("ncp", 5e-3);
  const cJSON *counts = base_json_at(record, "trajectory.impulses.n");
  const cJSON *ids = base_json_at(record, "trajectory.impulses.id");
  const cJSON *all = base_json_at(record, "trajectory.impulses.r");
  const cJSON *last = base_json_at(record, "final.impulses.r");
  CHECK_INT(cJSON_GetArraySize(counts), cJSON_GetArraySize(base_json_at(record, "trajectory.t")));
  CHECK_INT((int)cJSON_GetArrayItem(counts, 0)->valuedouble, 0);
  const int n = cJSON_GetArraySize(ids);
  CHECK(n > 1 && cJSON_GetArraySize(all) == 2 * n && cJSON_GetArraySize(last) == 2);
  CHECK_INT((int)base_json_real_at(record, "contacts.onsets"), 1);
  for (int j = 0; j < 2 && n > 1; ++j) {
    CHECK_NEAR(cJSON_GetArrayItem(all, 2 * n - 2 + j)->valuedouble,
               cJSON_GetArrayItem(last, j)->valuedouble, 0);
  }
}

/* Records of every status pass their own check. */
TEST(record_of_any_status_is_complete) {
  struct bench_request requests[] = {
      {.case_name = "falling-particle", .formulation = "ccp", .t_end = 0.1},
      {.case_name = "falling-particle", .formulation = "consistent-onestep"},
      {.case_name = "oscillator", .formulation = "moreau", .dt = 1e-3},
      {.case_name = "oscillator", .formulation = "moreau", .dt = 1e-8, .time_limit = 0.01},
      {.case_name = "falling-particle", .formulation = "moreau", .opt = BASE_WORDS("max_iter=0")}};
  static const char *const wanted[] = {"ok", "unsupported", "diverged", "timeout", "unconverged"};
  for (size_t i = 0; i < sizeof requests / sizeof *requests; ++i) {
    cJSON *record = trial_record_of(requests[i], TRIAL_WITH_ERRORS);
    CHECK_TEXT(base_json_text_at(record, "status"), wanted[i]);
    CHECK_INT(base_json_text_at(record, "reason")[0] == '\0', i == 0);
    char *text = base_json_text(record);
    cJSON *read = test_json(base_json_parse(text, "text"));
    CHECK_MESSAGE(read != NULL && bench_record_check(read, "r.json") == BASE_OK, "%s: %s",
                  wanted[i], base_message());
    free(text);
  }
}

/* The command in a record makes the same job again. */
TEST(record_names_options_as_resolved) {
  const struct bench_request request = {.case_name = "falling-particle",
                                        .formulation = "ncp",
                                        .solver = "relaxation",
                                        .dt = 0.01,
                                        .set = BASE_WORDS("mu=0.3"),
                                        .opt =
                                            BASE_WORDS("tol=1e-8", "jacobi=0.5", "warm_start=yes")};
  cJSON *record = trial_record_of(request, TRIAL_WITH_ERRORS);
  CHECK_NEAR(base_json_real_at(record, "case.parameters.mu"), 0.3, 0);
  CHECK_NEAR(base_json_real_at(record, "case.parameters.m"), 1, 0);
  CHECK_NEAR(base_json_real_at(record, "solver.options.tol"), 1e-8, 0);
  CHECK_NEAR(base_json_real_at(record, "solver.options.jacobi"), 0.5, 0);
  CHECK(cJSON_IsTrue(base_json_at(record, "solver.options.warm_start")));
  CHECK_TEXT(base_json_text_at(record, "formulation.law"), "ncp");
  CHECK_TEXT(base_json_text_at(record, "provenance.command"),
             "coulombench run falling-particle -f ncp -s relaxation --dt 0.01 --t-end 1.5 "
             "--set mu=0.3 --opt tol=1e-8 --opt jacobi=0.5 --opt warm_start=yes");
}

/* The law is the one that is solved, whatever the formulation is named after. */
TEST(record_names_the_law_of_its_problems) {
  const struct bench_request exact = {.case_name = "falling-particle",
                                      .formulation = "impulse",
                                      .dt = 1e-2,
                                      .opt = BASE_WORDS("law=mdp")};
  const struct bench_request sets = {
      .case_name = "tippe-top", .formulation = "moreau", .t_end = 1e-4};
  cJSON *record = trial_record_of(exact, TRIAL_WITH_ERRORS);
  CHECK_TEXT(base_json_text_at(record, "formulation.law"), "mdp");
  record = trial_record_of(sets, TRIAL_WITH_ERRORS);
  CHECK_TEXT(base_json_text_at(record, "formulation.law"), "cone");
}

/* ---- suites ---- */

/* What "all" stands for: every formulation but the family, which options alone make one. */
static int named_formulations(void) {
  int n = 0;
  for (int f = 0; f < form_count(); ++f) {
    n += !form_get(f)->is_family;
  }
  return n;
}

TEST(suite_expands_to_the_product) {
  struct bench_suite suite;
  CHECK_OK(trial_suite(
      "'title': 't', 'time_limit': 7, 'cells': [{'case': 'falling-particle', 'formulations': "
      "['ccp', 'ncp'], 'dt': [1e-2, 1e-3, 1e-4], 'set': {'mu': 0.25}, 'opt': {'warm_start': true, "
      "'tol': 1e-9}, 'solver': 'relaxation', 'label': 'a b', 't_end': 0.5, 'sample': 0.1, "
      "'expect': ['unconverged', 'diverged']}, {'case': 'oscillator'}], 'studies': ['order', "
      "'energy']",
      &suite));
  CHECK_INT(suite.n, 6 + named_formulations());
  CHECK_TEXT(suite.cells[4].place.id, "falling-particle--ncp--relaxation--a_b--dt0.001");
  const struct bench_request *request = &suite.cells[4].request;
  CHECK_NEAR(request->dt, 1e-3, 0);
  CHECK_NEAR(request->t_end, 0.5, 0);
  CHECK_NEAR(request->sample, 0.1, 0);
  CHECK_NEAR(request->time_limit, 7, 0);
  CHECK_TEXT(request->set.word[0], "mu=0.25");
  CHECK_TEXT(request->opt.word[0], "warm_start=true");
  CHECK_TEXT(request->opt.word[1], "tol=1e-09");
  CHECK_INT(suite.cells[4].expected->statuses, 1u << BASE_UNCONVERGED | 1u << BASE_DIVERGED);
  CHECK(suite.cells[6].request.dt == 0);
  CHECK_INT(suite.n_studies, 2);
  CHECK_TEXT(suite.studies[0]->id, "order");
  for (int i = 0; i < suite.n; ++i) {
    for (int j = 0; j < i; ++j) {
      CHECK_MESSAGE(strcmp(suite.cells[i].place.id, suite.cells[j].place.id) != 0, "%s twice",
                    suite.cells[i].place.id);
    }
  }
}

TEST(all_formulations_but_some) {
  static const char *const groups[] = {"'formulations': 'all', 'except': ['ncp', 'event']",
                                       "'except': ['ncp', 'event']"};
  for (int i = 0; i < 2; ++i) {
    struct bench_suite suite;
    CHECK_OK(trial_suite(
        base_arena_printf(test_arena(), "'cells': [{'case': 'oscillator', %s}]", groups[i]),
        &suite));
    CHECK_INT(suite.n, named_formulations() - 2);
    for (int k = 0; k < suite.n; ++k) {
      CHECK(strcmp(suite.cells[k].request.formulation, "ncp") != 0);
    }
  }
}

/* Shards are disjoint and together the whole, and none takes longer than another by more than the
 * longest cell. */
TEST(suite_shards_share_the_cells_out) {
  struct base_arena *arena = test_arena();
  int seen = 0, total = 0;
  double least = INFINITY, most = 0, longest = 0;
  for (int i = 1; i <= 3; ++i) {
    struct bench_suite suite;
    CHECK_OK(trial_suite("'cells': [{'case': 'falling-particle', 'formulations': ['ccp', 'ncp'], "
                         "'dt': [1e-2, 1e-3, 1e-4, 1e-5]}]",
                         &suite));
    total = suite.n;
    CHECK_OK(bench_suite_shard(&suite, i, 3, arena));
    double seconds = 0;
    for (int k = 0; k < suite.n; ++k) {
      const int is_ncp = strcmp(suite.cells[k].request.formulation, "ncp") == 0;
      const int bit = 4 * is_ncp - (int)lrint(log10(suite.cells[k].request.dt)) - 2;
      CHECK((seen >> bit & 1) == 0);
      seen |= 1 << bit;
      seconds += bench_cell_seconds(&suite.cells[k]);
      longest = fmax(longest, bench_cell_seconds(&suite.cells[k]));
    }
    least = fmin(least, seconds);
    most = fmax(most, seconds);
    CHECK_INT(bench_suite_shard(&suite, 4, 3, arena), BASE_E_INPUT);
  }
  CHECK_INT(total, 8);
  CHECK_INT(seen, 0xff);
  CHECK(most - least <= longest);
  CHECK(most < 2 * longest); /* two long cells of eight: not both in one shard */
}

/* The matrix has no holes: every case meets every formulation, if only to be refused. */
static void check_combinations(const struct bench_suite *suite) {
  for (int c = 0; c < case_count(); ++c) {
    for (int f = 0; f < form_count(); ++f) {
      int cells = 0;
      for (int k = 0; k < suite->n; ++k) {
        const struct bench_request *request = &suite->cells[k].request;
        cells += suite->cells[k].place.figure == NULL &&
                 strcmp(request->case_name, case_get(c)->name) == 0 &&
                 strcmp(request->formulation, form_get(f)->name) == 0;
      }
      CHECK_MESSAGE(cells > 0 || form_get(f)->is_family, "suite %s: no cell of %s with %s",
                    suite->name, case_get(c)->name, form_get(f)->name);
    }
  }
}

/* What `paper` asks for, every figure, is part of `full`, and takes as long to expand again. */
TEST(suites_of_the_program_expand_and_leave_no_combination_out) {
  static const struct {
    const char *name;
    int is_matrix;
  } suites[] = {{"quick", 1}, {"medium", 0}, {"full", 1}};
  for (int i = 0; i < 3; ++i) {
    struct base_arena *arena = test_arena();
    struct bench_suite suite = {.n = 0};
    CHECK_OK(bench_suite_load(suites[i].name, arena, &suite));
    CHECK_TEXT(suite.name, suites[i].name);
    if (suites[i].is_matrix) {
      check_combinations(&suite);
    }
  }
  struct base_arena *arena = test_arena();
  cJSON *full = test_json(base_json_read(base_data_path(arena, "cases/suites/full.json")));
  cJSON *paper = test_json(base_json_read(base_data_path(arena, "cases/suites/paper.json")));
  const cJSON *figures = cJSON_GetObjectItemCaseSensitive(full, "figures");
  CHECK(cJSON_IsString(figures) &&
        cJSON_Compare(figures, cJSON_GetObjectItemCaseSensitive(paper, "figures"), 1));
  const cJSON *key;
  cJSON_ArrayForEach(key, paper) {
    CHECK_MESSAGE(cJSON_GetObjectItemCaseSensitive(full, key->string) != NULL, "paper has %s",
                  key->string);
  }
  CHECK(paper->child != NULL);
}

TEST(suite_that_makes_no_sense_is_refused) {
  static const char *const files[][2] = {
      {"", "empty"},
      {"[]", "suite: must be an object"},
      {"{'schema': 'coulombench.suite/2', 'name': 'x'}", "suite/2"},
      {"{'schema': 'coulombench.suite/1'}", "name: "},
      {"{'schema': 'coulombench.suite/1', 'name': ''}", "name: "},
      {"{'schema': 'coulombench.suite/1', 'name': '../x'}", "name: "}};
  struct bench_suite suite;
  const char *path = scratch_path("suite.json");
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    CHECK_OK(base_file_write(path, test_quoted(files[i][0]), strlen(files[i][0])));
    CHECK_REFUSED(bench_suite_load(path, test_arena(), &suite), BASE_E_INPUT, files[i][1]);
    CHECK(strstr(base_message(), path) != NULL);
  }
  for (struct worked w = worked_begin("suites.txt"); worked_next(&w);) {
    const char *keys =
        strncmp(w.left, "cell: ", 6) != 0
            ? w.left
            : base_arena_printf(test_arena(), "'cells': [{'case': 'falling-particle', %s}]",
                                w.left + 6);
    worked_status(&w, trial_suite(keys, &suite));
    CHECK_MESSAGE(strstr(base_message(), path) != NULL, "'%s' does not name the file",
                  base_message());
  }
}
