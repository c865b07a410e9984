/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for the largest step, against limits known by other means: the stability limit
 * dt = 2 / omega of explicit integrators on an oscillator, the constant of a first-order error law
 * measured at small steps; and its records, refusals and place in suites and reports.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/asked.h"
#include "bench/outcome/searches.h"
#include "bench/record/record.h"
#include "bench/report/kit/report.h"
#include "bench/report/overview/overview.h"
#include "bench/search/search.h"
#include "bench/suite/bench.h"
#include "bench/suite/suite.h"
#include "tests/scratch.h"
#include "tests/test.h"

struct found {
  struct base_arena *arena;
  struct bench_job job;
  struct bench_outcome out;
  const struct bench_search *search;
};

static struct bench_request ask(const char *case_name, const char *formulation, double t_end,
                                struct bench_search_range range) {
  return (struct bench_request){.case_name = case_name,
                                .formulation = formulation,
                                .has_t_end = 1,
                                .t_end = t_end,
                                .has_search = 1,
                                .search = range};
}

static struct found search_of(const struct bench_request *request) {
  static const struct bench_search nothing = {.largest_accurate = NAN, .largest_stable = NAN};
  struct found f = {.arena = base_arena_alloc(), .search = &nothing};
  if (bench_job_resolve(request, f.arena, &f.job) != BASE_OK ||
      bench_search(&f.job, f.arena, &f.out) != BASE_OK || f.out.search == NULL) {
    test_fail(__FILE__, __LINE__, "%s", base_message());
    return f;
  }
  f.search = f.out.search;
  return f;
}

static cJSON *record_of(const struct found *f) {
  cJSON *record = bench_record(&f->job, &f->out);
  CHECK_MESSAGE(bench_record_check(record, "record") == BASE_OK, "%s", base_message());
  return record;
}

/* ---- limits known by other means ---- */

/* In flight the oscillator has omega^2 = c (1/m1 + 1/m2); semi-implicit Euler and the midpoint rule
 * without implicit forces grow beyond dt = 2 / omega, as e^(2 sqrt(2 (r - 1)) n) for dt a factor r
 * beyond: here over 1000 steps. */
TEST(stability_limit_is_that_of_the_free_oscillator) {
  const struct bench_request request =
      ask("oscillator", "moreau", 0.1, (struct bench_search_range){6e-5, 2e-4, 0.1, 1.002});
  struct found f = search_of(&request);
  const struct case_parameters *p = f.job.parameters;
  const double limit =
      2 / sqrt(case_real(p, "c") * (1 / case_real(p, "m1") + 1 / case_real(p, "m2")));
  CHECK_NEAR(limit, 1e-4, 1e-7); /* mass ratio 1e4: that of the light mass alone */
  CHECK_LE(f.search->largest_stable, limit * (1 + 1e-9));
  CHECK_LE(limit, f.search->largest_stable * 1.002 * 1.0001);
  CHECK_NEAR(f.search->largest_accurate, f.search->largest_stable,
             0); /* true as far as it is stable */
  CHECK_INT(f.out.status, BASE_OK);
  CHECK_NEAR(f.job.dt, f.search->largest_accurate, 0);
  base_arena_free(f.arena);
}

/* A ball on a spring that only pushes: where rk4 grows, beyond dt = 2 sqrt(2) / omega, it leaves the
 * spring, hops for some percent more of dt, then is thrown off; nothing overflows. */
TEST(stability_limit_is_that_of_a_contact_that_only_pushes) {
  static const char scene[] =
      "{\"schema\": \"coulombench.scene/1\", \"name\": \"pushed\", \"gravity\": [0, 0, -9.81], "
      "\"dt\": 1e-3, \"t_end\": 4, \"materials\": {\"m\": {\"mu\": 0, \"eps_N\": 1}}, \"bodies\": "
      "[{\"name\": \"floor\", \"fixed\": true, \"shapes\": [{\"type\": \"halfspace\", \"normal\": "
      "[0, "
      "0, 1], \"material\": \"m\"}]}, {\"name\": \"b\", \"mass\": 2, \"rotates\": false, "
      "\"position\": [0, 0, 0.0985], \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1, "
      "\"material\": \"m\"}]}], \"allow_start\": true}\n";
  const char *path = scratch_path("pushed.json");
  FILE *file = fopen(path, "w");
  fputs(scene, file);
  fclose(file);
  struct bench_request request =
      ask(path, "penalty", 4, (struct bench_search_range){1e-3, 1, 0, 1.01});
  request.opt[request.n_opt++] = "K=2e4";
  request.opt[request.n_opt++] = "D=0";
  request.opt[request.n_opt++] = "substeps=1";
  struct found f = search_of(&request);
  const double limit = 2 * sqrt(2) / 100;
  CHECK_LE(0.99 * limit, f.search->largest_stable);
  CHECK_LE(f.search->largest_stable, 1.06 * limit);
  base_arena_free(f.arena);
}

TEST(implicit_scheme_bears_far_larger_steps) {
  const struct bench_request request = ask("oscillator", "consistent-twostep", 0.1,
                                           (struct bench_search_range){1e-4, 1e-2, 0.1, 1.1});
  struct found f = search_of(&request);
  CHECK_LE(5e-3, f.search->largest_accurate); /* 50 times the explicit limit */
  CHECK_LE(5e-3, f.search->largest_stable);
  base_arena_free(f.arena);
}

/* q_linf <= C dt: the largest true step is limit length / C. The error rises and falls within the
 * law as the impact moves through its step: C is the largest of some steps, and a step may have
 * half of it. */
TEST(first_order_error_law_predicts_the_largest_accurate_step) {
  enum { STEPS = 12 };
  const double limit = 2e-3;
  const struct bench_request request =
      ask("falling-particle", "moreau", 1.5, (struct bench_search_range){1e-5, 1e-1, limit, 1.01});
  double constant = 0;
  for (int i = 0; i < STEPS; ++i) {
    struct bench_request one = request;
    one.has_search = 0;
    one.has_dt = 1;
    one.dt = 4e-5 * (1 + 0.173 * i);
    struct base_arena *arena = base_arena_alloc();
    struct bench_job job;
    struct bench_outcome out;
    CHECK_INT(bench_job_resolve(&one, arena, &job), BASE_OK);
    CHECK_INT(bench_run(&job, arena, &out), BASE_OK);
    constant = fmax(constant, out.errors.q_linf / one.dt);
    base_arena_free(arena);
  }
  struct found f = search_of(&request);
  const double predicted = limit * f.search->length / constant;
  CHECK_LE(0.9 * predicted, f.search->largest_accurate);
  CHECK_LE(f.search->largest_accurate, 2.2 * predicted);
  base_arena_free(f.arena);
}

/* ---- what the search is ---- */

/* The bracket, found here from the trials alone: all below hold, and one within the ratio fails. */
TEST(limits_stand_between_trials_that_hold_and_one_that_fails) {
  static const char *const forms[] = {"moreau", "lcp-st", "ccp", "penalty"};
  int bisected = 0;
  for (size_t k = 0; k < sizeof forms / sizeof *forms; ++k) {
    const struct bench_request request =
        ask("woodpecker", forms[k], 0.15, (struct bench_search_range){2e-5, 1.5e-2, 0.5, 1.05});
    struct found f = search_of(&request);
    const struct bench_search *s = f.search;
    double fails_accurate = INFINITY, fails_stable = INFINITY;
    for (int i = 0; i < s->trials.n; ++i) {
      const int is_stable = s->trials.status[i] == BASE_OK ||
                            s->trials.status[i] == BASE_UNCONVERGED ||
                            s->trials.status[i] == BASE_UNSTABLE; /* an estimate, not a trial */
      const int is_accurate =
          s->trials.status[i] == BASE_OK && s->trials.measured[i] < 0.5 * s->length;
      fails_accurate = is_accurate ? fails_accurate : fmin(fails_accurate, s->trials.value[i]);
      fails_stable = is_stable ? fails_stable : fmin(fails_stable, s->trials.value[i]);
      CHECK(is_accurate || !(s->trials.value[i] <= s->largest_accurate));
      CHECK(is_stable || !(s->trials.value[i] <= s->largest_stable));
      CHECK(s->trials.value[i] >= 2e-5 && s->trials.value[i] <= 1.5e-2);
    }
    bisected += s->trials.n > 2;
    if (isfinite(s->largest_accurate)) {
      CHECK_LE(fails_accurate, isfinite(fails_accurate) ? 1.05 * s->largest_accurate : INFINITY);
      CHECK_LE(s->largest_accurate, s->largest_stable);
    } else {
      CHECK_LE(fails_accurate, 2e-5);
    }
    CHECK(isfinite(s->largest_stable));
    CHECK(isfinite(fails_stable) ? fails_stable <= 1.05 * s->largest_stable
                                 : s->largest_stable == 1.5e-2);
    base_arena_free(f.arena);
  }
  CHECK(bisected >= 3);
}

/* The rest of the record is that of the run at the step found, value by value. */
TEST(record_is_that_of_the_run_at_the_step_found) {
  const struct bench_request request =
      ask("falling-particle", "ncp", 1, (struct bench_search_range){1e-3, 0.2, 0.02, 1.1});
  struct found f = search_of(&request);
  cJSON *record = record_of(&f);
  CHECK(f.search->largest_accurate > 1e-3 && f.search->largest_accurate < 0.2);
  CHECK(strstr(base_json_text_at(record, "provenance.command"), "--search 0.001,0.2,0.02,1.1"));
  CHECK(strstr(base_json_text_at(record, "provenance.command"), "--dt") == NULL);
  struct bench_request one = request;
  one.has_search = 0;
  one.has_dt = 1;
  one.dt = f.search->largest_accurate;
  struct bench_job job;
  struct bench_outcome out;
  CHECK_INT(bench_job_resolve(&one, f.arena, &job), BASE_OK);
  CHECK_INT(bench_run(&job, f.arena, &out), BASE_OK);
  cJSON *plain = bench_record(&job, &out);
  CHECK(isfinite(out.errors.u_hausdorff));
  for (const cJSON *block = plain->child; block != NULL; block = block->next) {
    if (strcmp(block->string, "timing") != 0 && strcmp(block->string, "provenance") != 0) {
      CHECK_MESSAGE(
          cJSON_Compare(block, cJSON_GetObjectItemCaseSensitive(record, block->string), 1),
          "%s differs", block->string);
    }
  }
  cJSON_Delete(plain);
  cJSON_Delete(record);
  base_arena_free(f.arena);
}

TEST(search_without_success_says_so) {
  const struct {
    const char *case_name, *formulation;
    struct bench_search_range range;
    int status;
    const char *words;
  } runs[] = {
      {"oscillator", "moreau", {2e-4, 1e-2, 0.1, 1.02}, BASE_DIVERGED, "no step tried"},
      {"falling-particle", "moreau", {0.05, 0.1, 1e-3, 1.02}, BASE_OK, "no step tried"},
      {"oscillator", "consistent-onestep", {1e-4, 1e-3, 0.1, 1.02}, BASE_UNSUPPORTED, ""},
  };
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const struct bench_request request =
        ask(runs[i].case_name, runs[i].formulation, 0.5, runs[i].range);
    struct found f = search_of(&request);
    cJSON *record = record_of(&f);
    CHECK_INT(f.out.status, runs[i].status);
    CHECK(isnan(f.search->largest_accurate));
    CHECK_NEAR(f.job.dt, runs[i].range.lo, 0);
    CHECK(f.out.reason[0] != '\0' && strstr(f.out.reason, runs[i].words) != NULL);
    CHECK(cJSON_IsNull(base_json_at(record, "search.largest_accurate_dt")));
    cJSON_Delete(record);
    base_arena_free(f.arena);
  }
}

/* Without a reference only stability can be sought. */
TEST(limit_zero_seeks_stability_alone) {
  struct bench_request request =
      ask("overbalanced-wheel", "penalty", 0.1, (struct bench_search_range){5e-4, 2e-2, 0, 1.1});
  struct found f = search_of(&request);
  cJSON *record = record_of(&f);
  CHECK(isnan(f.search->largest_accurate));
  CHECK(isnan(f.search->trials.measured[0]) && !isnan(f.out.errors.q_linf)); /* of the last alone */
  CHECK(f.search->largest_stable > 5e-4 && f.search->largest_stable < 2e-2);
  CHECK_NEAR(f.job.dt, f.search->largest_stable, 0);
  CHECK_INT(f.out.status, BASE_UNSTABLE); /* does not diverge beyond its own estimate either */
  cJSON_Delete(record);
  base_arena_free(f.arena);
  request.search.limit = 0.1;
  struct base_arena *arena = base_arena_alloc();
  CHECK_INT(bench_job_resolve(&request, arena, &f.job), BASE_OK);
  request.t_end = 0.6; /* the case has its reference up to 0.5 s */
  CHECK_INT(bench_job_resolve(&request, arena, &f.job), BASE_E_INPUT);
  CHECK(strstr(base_message(), "no reference") != NULL);
  base_arena_free(arena);
}

TEST(time_limit_ends_the_search) {
  struct bench_request request =
      ask("falling-particle", "moreau", 1.5, (struct bench_search_range){1e-8, 0.1, 0.1, 1.02});
  request.time_limit = 0.05;
  struct found f = search_of(&request);
  cJSON *record = record_of(&f);
  CHECK_INT(f.out.status, BASE_TIMEOUT);
  CHECK(strstr(f.out.reason, "time limit") != NULL);
  CHECK_LE((double)f.search->trials.n, 10); /* of 23 or so to a factor 1.02 in seven decades */
  cJSON_Delete(record);
  base_arena_free(f.arena);
}

TEST(what_makes_no_sense_is_refused) {
  static const struct {
    const char *range, *words;
  } wrong[] = {
      {"1e-3,1e-3", "lo < hi"}, {"1e-3,1e-4", "lo < hi"},     {"0,1e-3", "dt"},
      {"-1e-4,1e-3", "dt"},     {"1e-4,inf", "lo < hi"},      {"1e-4,1e-2,-1", "limit"},
      {"1e-4,2", "horizon"},    {"1e-4,1e-2,0.1,1", "ratio"}, {"1e-4,1e-2,0.1,inf", "ratio"},
  };
  static const char *const garbage[] = {"",         "1e-4",     "a,b",           "1e-4,1e-2,",
                                        "1 2",      "nan,1e-3", "1e-4,nan",      "1e-4,1e-2,1,2,3",
                                        "0x1p-9,1", "1e-4, 1",  "1e-4,1e-2,nan", "1e-4,1e999"};
  struct base_arena *arena = base_arena_alloc();
  struct bench_job job;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    struct bench_request request =
        ask("falling-particle", "moreau", 1.5, (struct bench_search_range){0});
    CHECK_INT(bench_search_parse(wrong[i].range, &request.search), BASE_OK);
    CHECK_INT(bench_job_resolve(&request, arena, &job), BASE_E_INPUT);
    CHECK_MESSAGE(strstr(base_message(), wrong[i].words) != NULL, "%s: %s", wrong[i].range,
                  base_message());
  }
  for (size_t i = 0; i < sizeof garbage / sizeof *garbage; ++i) {
    struct bench_search_range range;
    CHECK_MESSAGE(bench_search_parse(garbage[i], &range) == BASE_E_INPUT, "%s", garbage[i]);
  }
  struct bench_request both =
      ask("falling-particle", "moreau", 1.5, (struct bench_search_range){1e-4, 1e-2, 0.1, 1.02});
  both.has_dt = 1;
  both.dt = 1e-3;
  CHECK_INT(bench_job_resolve(&both, arena, &job), BASE_E_INPUT);
  base_arena_free(arena);
}

TEST(records_that_contradict_their_trials_are_refused) {
  const struct bench_request request =
      ask("falling-particle", "ccp", 1, (struct bench_search_range){1e-3, 0.2, 0.02, 1.3});
  struct found f = search_of(&request);
  static const struct {
    const char *key, *value;
  } wrong[] = {{"largest_accurate_dt", "0.2"},
               {"largest_accurate_dt", "null"},
               {"largest_stable_dt", "1"},
               {"limit", "0"},
               {"trials", "[]"},
               {"trials", "[{}]"},
               {"lo", "null"},
               {"hi", "1e-3"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    cJSON *record = record_of(&f);
    cJSON *block = cJSON_GetObjectItemCaseSensitive(record, "search");
    cJSON_ReplaceItemInObjectCaseSensitive(block, wrong[i].key, cJSON_Parse(wrong[i].value));
    CHECK_MESSAGE(bench_record_check(record, "record") == BASE_E_INPUT, "%s = %s", wrong[i].key,
                  wrong[i].value);
    cJSON_Delete(record);
  }
  cJSON *record = record_of(&f);
  cJSON_SetNumberValue(cJSON_GetObjectItemCaseSensitive(record, "dt"), 0.19);
  CHECK_INT(bench_record_check(record, "record"), BASE_E_INPUT);
  cJSON_Delete(record);
  base_arena_free(f.arena);
}

/* ---- suites ---- */

static int load_cell(const char *cell, struct base_arena *arena, struct bench_suite *suite) {
  char path[] = "/tmp/coulombench-search-XXXXXX.json";
  const int fd = mkstemps(path, 5);
  FILE *file = fdopen(fd, "w");
  fprintf(file, "{\"schema\": \"coulombench.suite/1\", \"name\": \"x\", \"cells\": [{%s}]}", cell);
  fclose(file);
  const int status = bench_suite_load(path, arena, suite);
  unlink(path);
  return status;
}

TEST(cells_carry_searches) {
  static const struct {
    const char *cell, *words;
  } wrong[] = {
      {"\"search\": [1e-4, 1e-2]", "search: must be an object"},
      {"\"search\": {}", "dt"},
      {"\"search\": {\"dt\": [1e-4]}", "dt"},
      {"\"search\": {\"dt\": [1e-2, 1e-4]}", "lo < hi"},
      {"\"search\": {\"dt\": [1e-4, 1e-2], \"to\": 1}", "to"},
      {"\"search\": {\"dt\": [1e-4, 1e-2], \"limit\": \"x\"}", "limit"},
      {"\"search\": {\"dt\": [1e-4, 1e-2]}, \"dt\": 1e-3", "give no dt"},
  };
  static const char start[] = "\"case\": \"falling-particle\", \"formulations\": [\"ncp\"], ";
  struct base_arena *arena = base_arena_alloc();
  struct bench_suite suite;
  int status = load_cell(base_arena_printf(arena,
                                           "%s\"label\": \"a\", \"search\": {\"dt\": "
                                           "[1e-4, 1e-2], \"limit\": 0.3}",
                                           start),
                         arena, &suite);
  CHECK_MESSAGE(status == BASE_OK, "%s", base_message());
  CHECK_INT(suite.n, 1);
  CHECK_TEXT(suite.cells[0].place.id, "falling-particle--ncp--a--search");
  const struct bench_search_range *range = &suite.cells[0].request.search;
  CHECK(suite.cells[0].request.has_search && !suite.cells[0].request.has_dt);
  CHECK(range->lo == 1e-4 && range->hi == 1e-2 && range->limit == 0.3);
  CHECK_NEAR(range->ratio, bench_search_default().ratio, 0);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    status = load_cell(base_arena_printf(arena, "%s%s", start, wrong[i].cell), arena, &suite);
    CHECK_INT(status, BASE_E_INPUT);
    CHECK_MESSAGE(strstr(base_message(), wrong[i].words) != NULL, "%s: %s", wrong[i].cell,
                  base_message());
  }
  base_arena_free(arena);
}

/* ---- reports ---- */

/* A run into a folder; drift > 0 replaces the one measured, relative to the energy's scale. */
static void add_record(const char *folder, const char *name, const struct bench_request *request,
                       double drift, struct base_arena *arena) {
  const char *path = base_arena_printf(arena, "%s/%s.json", folder, name);
  int status;
  CHECK_INT(bench_run_to_file(request, path, &status), BASE_OK);
  cJSON *record = base_json_read(path);
  if (drift > 0) {
    cJSON *energy = cJSON_GetObjectItemCaseSensitive(record, "energy");
    const double scale = base_json_real_at(record, "energy.initial");
    cJSON_SetNumberValue(cJSON_GetObjectItemCaseSensitive(energy, "max_numerical_drift"),
                         drift * scale);
    cJSON_DeleteItemFromObjectCaseSensitive((cJSON *)base_json_at(record, "provenance"),
                                            "checksum"); /* it would say so */
    CHECK_INT(base_json_write(path, record), BASE_OK);
  }
  cJSON_Delete(record);
}

/* Searches have a study and rows of their own; drifts give the slope they were made with, those of
 * rounding size left out. */
TEST(studies_of_searches_and_drifts) {
  static const double steps[] = {4e-2, 2e-2, 1e-2, 5e-3};
  char folder[] = "/tmp/coulombench-search-XXXXXX";
  CHECK(mkdtemp(folder) != NULL);
  struct base_arena *arena = base_arena_alloc();
  struct bench_request search =
      ask("falling-particle", "moreau", 0.8, (struct bench_search_range){1e-3, 0.1, 0.02, 1.1});
  add_record(folder, "falling-particle--moreau--search", &search, 0, arena);
  for (int i = 0; i < 4; ++i) {
    struct bench_request one = search;
    one.has_search = 0;
    one.has_dt = 1;
    one.dt = steps[i];
    add_record(folder, base_arena_printf(arena, "falling-particle--moreau--dt%g", steps[i]), &one,
               i < 3 ? 7 * steps[i] * steps[i] : 1e-13, arena);
  }
  struct report report = {
      .arena = arena, .folder = folder, .output = base_arena_printf(arena, "%s/out", folder)};
  CHECK_MESSAGE(report_load(&report) == BASE_OK, "%s", base_message());
  CHECK_INT(report.n_records, 5);
  CHECK_INT(report.n_rows, 1);
  CHECK_INT(report.rows[0].n, 4);
  CHECK_INT(report.n_searches, 1);
  CHECK_TEXT(report.searches[0].title, "falling-particle");
  const struct report_record *r = report.searches[0].records[0];
  CHECK(report_search_of(&report.searches[0], r->form) == r);
  CHECK(report_search_of(&report.searches[0], r->form + 1) == NULL);
  report.overview = overview_make(&report);
  CHECK_INT(report_studies(&report), BASE_OK);
  const cJSON *fit;
  int found = 0;
  cJSON_ArrayForEach(fit, report.slopes) {
    if (strcmp(base_json_text_at(fit, "quantity"), "drift") == 0) {
      CHECK_NEAR(base_json_real_at(fit, "slope"), 2, 1e-9);
      CHECK_INT(base_json_real_at(fit, "points"), 3);
      ++found;
    }
  }
  CHECK_INT(found, 1);
  char *csv = NULL;
  size_t size;
  CHECK_INT(base_file_read(base_arena_printf(arena, "%s/report/largest-step.csv", report.output),
                           &csv, &size),
            BASE_OK);
  const double limit = base_json_real_at(r->json, "search.largest_accurate_dt");
  char number[BASE_JSON_NUMBER_SIZE];
  CHECK(csv != NULL && strstr(csv, base_arena_printf(arena, ",0.001,0.1,1.1,%s,0.1,",
                                                     base_json_number(limit, number))));
  free(csv);
  int failed = 0;
  CHECK_INT(report_write_page(&report, &failed), BASE_OK);
  CHECK_INT(failed, 0);
  char *page = NULL;
  CHECK_INT(
      base_file_read(base_arena_printf(arena, "%s/report/index.html", report.output), &page, &size),
      BASE_OK);
  CHECK(page != NULL && strstr(page, base_arena_printf(arena, "%.3g<br/>\xe2\x89\xa5 0.1", limit)));
  free(page);
  report_free(&report);
  CHECK_INT(system(base_arena_printf(arena, "rm -r '%s'", folder)), 0);
  base_arena_free(arena);
}

TEST_MAIN()
