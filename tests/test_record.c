/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of what runs leave behind and of lists of runs: records say the same each time, keep every
 * bit of a double, are refused when anything is missing or does not add up; suites expand to the
 * cells one expects and are refused when anything in them is wrong.
 */
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/json/keys.h"
#include "base/status.h"
#include "bench/job/output.h"
#include "bench/record/fields.h"
#include "bench/record/record.h"
#include "bench/run/run.h"
#include "bench/suite/figures.h"
#include "bench/suite/suite.h"

/* ---- records ---- */

/* Run and record. */
static cJSON *record_of(const struct bench_request *request) {
  struct trial t;
  CHECK(trial_run(&t, *request, "", "", TRIAL_WITH_ERRORS) >= 0);
  return test_json(bench_record(&t.job, &t.out));
}

static cJSON *particle_record(const char *formulation, double sample) {
  const struct bench_request request = {.case_name = "falling-particle",
                                        .formulation = formulation,
                                        .dt = 5e-3,
                                        .t_end = 0.6,
                                        .sample = sample};
  return record_of(&request);
}

TEST(record_is_the_same_each_time) {
  for (int f = 0; f < form_count(); ++f) {
    cJSON *a = particle_record(form_get(f)->name, 0.05);
    cJSON *b = particle_record(form_get(f)->name, 0.05);
    const char *left = trial_lasting(a), *right = trial_lasting(b);
    CHECK_MESSAGE(strcmp(left, right) == 0, "%s differs between two runs", form_get(f)->name);
    CHECK(strstr(left, "\"final\"") != NULL && strstr(left, "timing") == NULL);
    CHECK_MESSAGE(bench_record_check(a, "a.json") == BASE_OK, "%s", base_message());
  }
}

/* Every number of b is the double of a, to the bit; counts them. */
static int same_doubles(const cJSON *a, const cJSON *b) {
  int n = 0;
  if (a == NULL || b == NULL) {
    test_fail(__FILE__, __LINE__, "something to compare is missing");
    return 0;
  }
  if (cJSON_IsNumber(a)) {
    CHECK_NEAR(a->valuedouble, b->valuedouble, 0);
    CHECK_INT(signbit(a->valuedouble) != 0, signbit(b->valuedouble) != 0);
    return 1;
  }
  CHECK_INT(a->type & 0xff, b->type & 0xff);
  const cJSON *x = a->child, *y = b->child;
  for (; x != NULL && y != NULL; x = x->next, y = y->next) {
    n += same_doubles(x, y);
  }
  CHECK(x == NULL && y == NULL);
  return n;
}

TEST(record_reads_back_every_double) {
  cJSON *record = particle_record("ncp", 5e-3);
  char *text = base_json_text(record);
  cJSON *read = test_json(base_json_parse(text, "text"));
  CHECK_MESSAGE(read != NULL, "%s", base_message());
  CHECK_LE(5 * 121, same_doubles(record, read)); /* t, x, y, vx, vy of 121 samples, and more */
  free(text);
}

/* Not demanded: what differs from run to run, and what earlier programs did not write. */
static int is_demanded(const char *key) {
  static const char *const others[] = {
      "options",       "chosen",        "parameters",       "libraries",
      "trajectory",    "key",           "checksum",         "cores",
      "governor",      "load",          "blas_threads",     "evaluations",
      "flight_q_mass", "flight_u_mass", "impact_q_mass",    "impact_u_mass",
      "after_q_mass",  "after_u_mass",  "stiffness",        "relative_free_max",
      "penetration",   "unsolved",      "real_time_factor", "creep",
      "jitter",        "step_p50_s",    "step_p95_s",       "step_max_s",
      "lift",          "linear_drift",  "angular_drift"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    if (strcmp(key, others[i]) == 0) {
      return 0;
    }
  }
  return 1;
}

/* Remove each leaf of the record in turn: each absence is refused by name. */
static int check_without_each_key(cJSON *root, cJSON *object, const char *path) {
  int removed = 0;
  for (cJSON *item = object->child, *next; item != NULL; item = next) {
    char here[200];
    next = item->next;
    snprintf(here, sizeof here, "%s%s%s", path, path[0] != '\0' ? "." : "", item->string);
    if (!is_demanded(item->string)) {
      continue;
    }
    if (cJSON_IsObject(item)) {
      removed += check_without_each_key(root, item, here);
      continue;
    }
    cJSON *copy = test_json(cJSON_Duplicate(root, 1));
    cJSON_DeleteItemFromObjectCaseSensitive((cJSON *)base_json_at(copy, path), item->string);
    const int status = bench_record_check(copy, "r.json");
    CHECK_MESSAGE(status == BASE_E_INPUT, "a record without '%s' passes", here);
    CHECK_MESSAGE(strstr(base_message(), here) != NULL && strstr(base_message(), "r.json") != NULL,
                  "'%s' does not name '%s'", base_message(), here);
    ++removed;
  }
  return removed;
}

TEST(record_without_a_key_is_refused_by_its_name) {
  cJSON *record = particle_record("ncp", 0.1);
  CHECK_MESSAGE(bench_record_check(record, "r.json") == BASE_OK, "%s", base_message());
  CHECK_LE(60, check_without_each_key(record, record, ""));
  CHECK_MESSAGE(bench_record_check(record, "r.json") == BASE_OK, "%s", base_message());
}

/* Every leaf of a record, and nothing else, is in the JSON Schema, with the type it has there. */
static int check_against_schema(const cJSON *schema, const cJSON *object, const char *path) {
  const cJSON *parts = cJSON_GetObjectItemCaseSensitive(schema, "properties"), *item;
  int found = 0;
  cJSON_ArrayForEach(item, object) {
    char here[200];
    snprintf(here, sizeof here, "%s.%s", path, item->string);
    const cJSON *part = cJSON_GetObjectItemCaseSensitive(parts, item->string);
    CHECK_MESSAGE(part != NULL, "the schema does not know %s", here);
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(part, "type");
    const char *first = cJSON_IsArray(type) ? type->child->valuestring : type->valuestring;
    const char *wanted = cJSON_IsObject(item)   ? "object"
                         : cJSON_IsArray(item)  ? "array"
                         : cJSON_IsString(item) ? "string"
                         : cJSON_IsBool(item)   ? "boolean"
                                                : first;
    const int is_number = strcmp(first, "number") == 0 || strcmp(first, "integer") == 0;
    CHECK_MESSAGE(strcmp(first, wanted) == 0, "%s: %s in the schema, %s here", here, first, wanted);
    CHECK_MESSAGE(!cJSON_IsNumber(item) || is_number, "%s: a number, not %s", here, first);
    CHECK_MESSAGE(!cJSON_IsNull(item) || cJSON_IsArray(type), "%s: may not be null", here);
    found += 1 + (cJSON_GetObjectItemCaseSensitive(part, "properties") != NULL
                      ? check_against_schema(part, item, here)
                      : 0);
  }
  const cJSON *required;
  cJSON_ArrayForEach(required, cJSON_GetObjectItemCaseSensitive(schema, "required")) {
    CHECK_MESSAGE(cJSON_GetObjectItemCaseSensitive(object, required->valuestring) != NULL,
                  "%s.%s is missing", path, required->valuestring);
  }
  return found;
}

TEST(record_is_what_its_schema_says) {
  cJSON *record = particle_record("ncp", 0.1);
  const cJSON *schema = test_json(base_keys_schema(&bench_record_keys, BENCH_RESULT_SCHEMA));
  CHECK_LE(100, check_against_schema(schema, record, ""));
  cJSON_AddNumberToObject(cJSON_GetObjectItem(record, "contacts"), "closings", 1);
  CHECK_REFUSED(bench_record_check(record, "r.json"), BASE_E_INPUT,
                "contacts: unknown key 'closings'");
}

/* mu r_N |v_T| + v_T . r_T is negative by rounding where the force is that of the cone's edge. */
TEST(a_shortfall_of_dissipation_may_be_negative) {
  cJSON *record = particle_record("ncp", 0.1);
  cJSON *law = cJSON_GetObjectItem(record, "law");
  cJSON_ReplaceItemInObject(law, "dissipation_shortfall", cJSON_CreateNumber(-1e-17));
  CHECK_MESSAGE(bench_record_check(record, "r.json") == BASE_OK, "%s", base_message());
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

TEST(record_that_contradicts_itself_is_refused) {
  const cJSON *r = particle_record("ncp", 5e-3); /* a sample a step */
  trial_refuses(r, "schema", "'coulombench.result/1'", "coulombench.result/1");
  trial_refuses(r, "energy.max_kinetic", "-1", "energy.max_kinetic: ");
  trial_refuses(r, "contacts.onsets", "-1", "contacts.onsets: ");
  trial_refuses(r, "quality.verdict", "'splendid'", "'splendid'");
  trial_refuses(r, "energy.budget.friction", "-1", "'energy.budget'");
  trial_refuses(r, "energy.final", "7", "'energy.budget'");
  trial_refuses(r, "steps", "1.5", "steps: ");
  trial_refuses(r, "steps", "-1", "steps: ");
  trial_refuses(r, "steps", "null", "steps: ");
  trial_refuses(r, "dt", "0", "dt: ");
  trial_refuses(r, "t_end", "-1", "t_end: ");
  trial_refuses(r, "final.t", "0.3", "'final.t'");
  trial_refuses(r, "final.q", "[1]", "'final.q_names'");
  trial_refuses(r, "status", "'fine'", "'fine'");
  trial_refuses(r, "status", "'bad-input'", "'bad-input'");
  trial_refuses(r, "errors.q_final", "'0'", "errors.q_final: ");
  trial_refuses(r, "trajectory.t", "[0, 1]", "'trajectory.");
  trial_refuses(r, "trajectory.impulses.n", "[1, 1]", "trajectory.impulses.");
  trial_refuses(r, "trajectory.impulses.id", "[1]", "trajectory.impulses.");
  trial_refuses(r, "trajectory.impulses.r", "[1]", "trajectory.impulses.");
  trial_refuses(r, "final.u", "[null, null]", "'final.u'"); /* not finite although ok */
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
    cJSON *record = record_of(&requests[i]);
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
  cJSON *record = record_of(&request);
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
  cJSON *record = record_of(&exact);
  CHECK_TEXT(base_json_text_at(record, "formulation.law"), "mdp");
  record = record_of(&sets);
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
  const int status = trial_suite(
      "'title': 't', 'time_limit': 7, 'cells': [{'case': 'falling-particle', 'formulations': "
      "['ccp', 'ncp'], 'dt': [1e-2, 1e-3, 1e-4], 'set': {'mu': 0.25}, 'opt': {'warm_start': true, "
      "'tol': 1e-9}, 'solver': 'relaxation', 'label': 'a b', 't_end': 0.5, 'sample': 0.1, "
      "'expect': ['unconverged', 'diverged']}, {'case': 'oscillator'}], 'studies': ['order', "
      "'energy']",
      &suite);
  CHECK_MESSAGE(status == BASE_OK, "%s", base_message());
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
  static const struct {
    const char *keys, *words; /* words NULL: taken */
  } groups[] = {{"'formulations': 'all', 'except': ['ncp', 'event']", NULL},
                {"'except': ['ncp', 'event']", NULL},
                {"'formulations': ['ccp'], 'except': ['ncp']", "goes with"},
                {"'except': 'ncp'", "except: must be a list of texts"},
                {"'except': [3]", "except[0]: must be a text"},
                {"'except': ['npc']", "npc"}};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i) {
    struct base_arena *arena = test_arena();
    struct bench_suite suite;
    const int status = trial_suite(
        base_arena_printf(arena, "'cells': [{'case': 'falling-particle', %s}]", groups[i].keys),
        &suite);
    CHECK_INT(status, groups[i].words == NULL ? BASE_OK : BASE_E_INPUT);
    CHECK_MESSAGE(groups[i].words == NULL || strstr(base_message(), groups[i].words) != NULL, "%s",
                  base_message());
    if (status == BASE_OK) {
      CHECK_INT(suite.n, named_formulations() - 2);
      for (int k = 0; k < suite.n; ++k) {
        CHECK(strcmp(suite.cells[k].request.formulation, "ncp") != 0);
      }
    }
  }
}

/* Shards are disjoint and together the whole, and none takes longer than another by more than the
 * longest cell. */
TEST(suite_shards_share_the_cells_out) {
  struct base_arena *arena = base_arena_alloc();
  int seen = 0, total = 0;
  double least = INFINITY, most = 0, longest = 0;
  for (int i = 1; i <= 3; ++i) {
    struct bench_suite suite;
    CHECK_INT(trial_suite("'cells': [{'case': 'falling-particle', 'formulations': ['ccp', 'ncp'], "
                          "'dt': [1e-2, 1e-3, 1e-4, 1e-5]}]",
                          &suite),
              BASE_OK);
    total = suite.n;
    CHECK_INT(bench_suite_shard(&suite, i, 3, arena), BASE_OK);
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
  base_arena_free(arena);
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
    CHECK_MESSAGE(bench_suite_load(suites[i].name, arena, &suite) == BASE_OK, "%s", base_message());
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
  static const struct {
    const char *text, *words;
  } files[] = {{"", "empty"},
               {"[]", "suite: must be an object"},
               {"{\"schema\": \"coulombench.suite/2\", \"name\": \"x\"}", "suite/2"},
               {"{\"schema\": \"coulombench.suite/1\"}", "name: "},
               {"{\"schema\": \"coulombench.suite/1\", \"name\": \"\"}", "name: "},
               {"{\"schema\": \"coulombench.suite/1\", \"name\": \"../x\"}", "name: "}},
    wrong[] = {
        {"'title': 5", "title: "},
        {"'cels': []", "'cels'"},
        {"'time_limit': -1", "time_limit: "},
        {"'cells': {}", "cells: "},
        {"'cells': [5]", "cells[0]: must be an object"},
        {"'cells': [{}]", "cells[0]: must have a key 'case' or 'problems'"},
        {"'cells': [{'case': 'nonesuch'}]", "unknown case 'nonesuch'"},
        {"'cells': [{'case': 'oscillator', 'formulation': 'ccp'}]", "'formulation'"},
        {"'cells': [{'case': 'oscillator', 'formulations': 'ccp'}]", "formulations: "},
        {"'cells': [{'case': 'oscillator', 'formulations': []}]", "formulations: "},
        {"'cells': [{'case': 'oscillator', 'formulations': ['cpc']}]", "unknown formulation 'cpc'"},
        {"'cells': [{'case': 'oscillator', 'solver': 'magic'}]", "unknown solver 'magic'"},
        {"'cells': [{'case': 'oscillator', 'dt': -1}]", "cells[0].dt: must be > 0, is -1"},
        {"'cells': [{'case': 'oscillator', 'dt': '1 +'}]", "'dt': expression"},
        {"'cells': [{'case': 'oscillator', 'dt': []}]", "dt: "},
        {"'cells': [{'case': 'oscillator', 't_end': -1}]", "t_end: "},
        {"'cells': [{'case': 'oscillator', 'set': {'mass': 1}}]", "'mass'"},
        {"'cells': [{'case': 'oscillator', 'set': [1]}]", "set: "},
        {"'cells': [{'case': 'oscillator', 'set': {'m1': null}}]", "cells[0].set.m1: must be"},
        {"'cells': [{'case': 'oscillator', 'opt': {'toll': 1}}]", "'toll'"},
        {"'cells': [{'case': 'oscillator', 'label': 1}]", "label: "},
        {"'cells': [{'case': 'oscillator', 'expect': 3}]", "expect: "},
        {"'cells': [{'case': 'oscillator', 'expect': ['worse']}]", "expect[0]: "},
        {"'cells': [{'case': 'oscillator', 'dt': [0.1, 0.1]}]",
         "two cells are named 'oscillator--"},
        {"'figures': ['nonesuch']", "unknown figure 'nonesuch'"},
        {"'figures': {}", "figures: "},
        {"'studies': 'order'", "studies: "},
        {"'studies': ['ordr']", "studies: unknown study 'ordr'; did you mean 'order'"},
        {"'studies': ['order', 'order']", "twice"},
    };
  struct bench_suite suite;
  const char *path = scratch_path("suite.json");
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    CHECK_INT(base_file_write(path, files[i].text, strlen(files[i].text)), BASE_OK);
    CHECK_REFUSED(bench_suite_load(path, test_arena(), &suite), BASE_E_INPUT, files[i].words);
    CHECK(strstr(base_message(), path) != NULL);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    CHECK_REFUSED(trial_suite(wrong[i].text, &suite), BASE_E_INPUT, wrong[i].words);
    CHECK_MESSAGE(strstr(base_message(), path) != NULL, "'%s' does not name the file",
                  base_message());
  }
}

/* ---- output ---- */

TEST(output_is_refused_before_it_is_needed) {
  char folder[] = "/tmp/coulombench-test-XXXXXX";
  CHECK(mkdtemp(folder) != NULL);
  char path[100];
  CHECK_INT(bench_output_check("-", NULL), BASE_OK);
  CHECK_INT(bench_output_check("", NULL), BASE_E_IO);
  CHECK_INT(bench_output_check(folder, NULL), BASE_E_IO);
  snprintf(path, sizeof path, "%s/none/x.json", folder);
  CHECK_REFUSED(bench_output_check(path, NULL), BASE_E_IO, path);
  snprintf(path, sizeof path, "%s/", folder);
  CHECK_INT(bench_output_check(path, NULL), BASE_E_IO);
  snprintf(path, sizeof path, "%s/x.json", folder);
  CHECK_INT(bench_output_check(path, NULL), BASE_OK);
  CHECK_INT(rmdir(folder), 0); /* nothing was left in it */
}

TEST_MAIN()
