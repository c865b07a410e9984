/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of times taken again and again: how many there are and of how many runs, their median and
 * quartiles found by counting, what is left out when time is up, a result that is not the same
 * twice, and what of it suites and reports say.
 */
#include "tests/test.h"
#include "tests/trial.h"

#include <stdio.h>

#include "base/json/json.h"
#include "bench/record/record.h"
#include "bench/repeat/repeat.h"
#include "bench/suite/suite.h"

static struct bench_request request_of(int repeat) {
  return (struct bench_request){.case_name = "falling-particle",
                                .formulation = "ncp",
                                .dt = 0.05,
                                .t_end = 0.6,
                                .repeat = repeat};
}

static void run(struct trial *t, const struct bench_request *request) {
  trial_run(t, *request, "", "", TRIAL_WITH_ERRORS);
}

static double number_in(const cJSON *list, int i) {
  return cJSON_GetNumberValue(cJSON_GetArrayItem(list, i));
}

/* How many of a list are below x, and how many above. */
static void count_around(const cJSON *list, double x, int *below, int *above) {
  *below = *above = 0;
  for (int i = 0; i < cJSON_GetArraySize(list); ++i) {
    *below += number_in(list, i) < x;
    *above += number_in(list, i) > x;
  }
}

TEST(each_time_is_of_runs_that_last_long_enough_together) {
  enum { TIMES = 5, STEPS = 600 }; /* of a run: few runs last long enough together */
  struct trial t;
  struct bench_request request = request_of(TIMES);
  request.dt = 0.6 / STEPS;
  run(&t, &request);
  const cJSON *record = trial_record(&t);
  const cJSON *repeats = base_json_at(record, "timing.repeats");
  const cJSON *runs = cJSON_GetObjectItem(repeats, "runs");
  const cJSON *steps = cJSON_GetObjectItem(repeats, "steps_s");
  CHECK_NEAR(base_json_real_at(record, "timing.repeats.asked"), TIMES, 0);
  CHECK_INT(cJSON_GetArraySize(runs), TIMES);
  CHECK_INT(cJSON_GetArraySize(steps), TIMES);
  for (int i = 0; i < TIMES; ++i) {
    const double n = number_in(runs, i), total = n * number_in(steps, i);
    CHECK_MESSAGE(n >= 2 && (total >= 0.2 * (1 - 1e-12) || n == 10000), "%g runs of %g s", n,
                  number_in(steps, i));
  }
  /* Of five: the third smallest, the second and the fourth. */
  int below, above;
  count_around(steps, base_json_real_at(record, "timing.steps_s"), &below, &above);
  CHECK(below == 2 && above == 2);
  count_around(steps, base_json_real_at(repeats, "quartile_1_s"), &below, &above);
  CHECK(below == 1 && above == 3);
  count_around(steps, base_json_real_at(repeats, "quartile_3_s"), &below, &above);
  CHECK(below == 3 && above == 1);
  CHECK_NEAR(base_json_real_at(record, "timing.real_time_factor"),
             base_json_real_at(record, "final.t") / base_json_real_at(record, "timing.steps_s"),
             1e-12 * base_json_real_at(record, "timing.real_time_factor"));
  CHECK_NEAR(base_json_real_at(record, "timing.per_step_s"),
             base_json_real_at(record, "timing.steps_s") / STEPS, 1e-15);
  CHECK(base_json_real_at(record, "timing.total_s") >= 0.2 * TIMES);
}

/* One run says of itself that it is one, and is otherwise the same. */
TEST(repeats_change_times_alone) {
  cJSON *record[2];
  char key[2][300];
  for (int k = 0; k < 2; ++k) {
    struct trial t;
    struct bench_request request = request_of(k);
    request.sample = 0.1;
    request.dt = 1e-3;
    run(&t, &request);
    record[k] = trial_record(&t);
    snprintf(key[k], sizeof key[k], "%s", t.job.key);
    CHECK(strstr(t.job.identity, "--repeat") == NULL);
    CHECK((strstr(t.job.command, " --repeat 1") != NULL) == (k == 1));
    CHECK_INT(cJSON_GetArraySize(base_json_at(record[k], "timing.repeats.steps_s")), 1);
    CHECK(cJSON_IsNull(base_json_at(record[k], "timing.repeats.quartile_1_s")));
    CHECK_NEAR(base_json_real_at(record[k], "timing.repeats.asked"), k, 0);
    const double runs = number_in(base_json_at(record[k], "timing.repeats.runs"), 0);
    CHECK(k == 0 ? runs == 1 : runs > 1);
  }
  CHECK_TEXT(trial_lasting(record[0]), trial_lasting(record[1]));
  CHECK(!isnan(base_json_real_at(record[1], "errors.q_linf")));
  CHECK_MESSAGE(strcmp(key[0], key[1]) != 0, "a resumed suite would keep the one for the other");
}

/* ---- a case that is another one each time ---- */

static const struct case_type *steady;
static int n_built, n_sound;

static int build_anew(const struct case_parameters *p, struct base_arena *arena,
                      struct case_instance *instance) {
  const int status = steady->build(p, arena, instance);
  if (status == BASE_OK && ++n_built > n_sound) {
    instance->u[0] = nextafter(instance->u[0], INFINITY);
  }
  return status;
}

TEST(a_result_that_is_not_the_same_twice_is_a_failure) {
  struct trial t = {.arena = test_arena()};
  struct bench_request request = request_of(3);
  request.dt = 1e-3;
  CHECK_OK(bench_job_resolve(&request, t.arena, &t.job));
  steady = t.job.type;
  struct case_type unsteady = *steady;
  unsteady.build = build_anew;
  t.job.type = &unsteady;
  n_built = 0;
  n_sound = 1; /* the first run's */
  CHECK_OK(bench_run_repeatedly(&t.job, t.arena, &t.out));
  CHECK_INT(t.out.status, BASE_FAILED);
  CHECK_MESSAGE(
      strstr(t.out.reason, "repeat 1 of 3: final.q is not that of the first run") != NULL ||
          strstr(t.out.reason, "repeat 1 of 3: final.u is not that of the first run") != NULL,
      "%s", t.out.reason);
  CHECK_TEXT(t.out.quality.verdict, "useless");
  n_built = 0;
  n_sound = 1000000;
  CHECK_OK(bench_run_repeatedly(&t.job, t.arena, &t.out));
  CHECK_OK(t.out.status);
}

/* ---- an end before that ---- */

TEST(times_end_where_the_time_limit_does) {
  struct trial t;
  struct bench_request request = request_of(1000);
  request.time_limit = 0.5;
  run(&t, &request);
  CHECK_OK(t.out.status);
  CHECK(t.out.timing.repeats.n >= 1 && t.out.timing.repeats.n < 5);
  CHECK(t.out.timing.steps > 0 && t.out.timing.total < 30);
}

TEST(runs_that_do_not_get_to_their_end_are_not_repeated) {
  struct trial t;
  struct bench_request request = {
      .case_name = "oscillator", .formulation = "moreau", .dt = 1e-3, .t_end = 0.2, .repeat = 3};
  run(&t, &request);
  CHECK_INT(t.out.status, BASE_DIVERGED);
  CHECK_INT(t.out.timing.repeats.n, 1);
  request.formulation = "consistent-onestep";
  request.case_name = "falling-particle";
  run(&t, &request);
  CHECK_INT(t.out.status, BASE_UNSUPPORTED);
  CHECK_INT(t.out.timing.repeats.n, 0);
  const cJSON *record = trial_record(&t);
  CHECK(base_json_at(record, "timing.repeats") == NULL);
}

/* ---- refusals ---- */

static void refuse(const struct bench_request *request, const char *words) {
  struct bench_job job;
  CHECK_REFUSED(bench_job_resolve(request, test_arena(), &job), BASE_E_INPUT, words);
}

TEST(what_one_run_alone_can_write_is_refused) {
  static const char words[] = "repeat: of many runs";
  struct bench_request request = request_of(2);
  request.checkpoint = "c";
  refuse(&request, words);
  request = request_of(2), request.restart = "c";
  refuse(&request, words);
  request = request_of(2), request.vtk = "v";
  refuse(&request, words);
  request = request_of(2), request.dump_every = 1;
  refuse(&request, words);
  request = request_of(2), request.search = "1e-3,1e-2";
  refuse(&request, "repeat: a search takes no times");
}

/* ---- counted work ---- */

/* rk4 evaluates four times a step, verlet twice: the end of a step begins the next. Impulse
 * stepping solves problems instead. */
TEST(evaluations_are_counted) {
  static const struct {
    const char *formulation, *opt, *parts;
    double each;
  } runs[] = {{"penalty", "stepper=rk4", "substeps=1", 4},
              {"penalty", "stepper=verlet", "substeps=1", 2},
              {"penalty", "stepper=rk4", "substeps=3", 12},
              {"ncp", "tol=1e-10", "max_iter=100", NAN}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    struct bench_request request = request_of(0);
    request.formulation = runs[i].formulation;
    request.opt = BASE_WORDS(runs[i].opt, runs[i].parts);
    request.dt = 1e-4, request.t_end = 0.05;
    const cJSON *record = trial_record_of(request, TRIAL_WITH_ERRORS);
    const double n = base_json_real_at(record, "iterations.evaluations");
    CHECK_MESSAGE(isnan(runs[i].each) ? isnan(n) : n == 500 * runs[i].each, "%s: %g", runs[i].opt,
                  n);
  }
}

/* ---- provenance ---- */

TEST(provenance_tells_what_times_depend_on) {
  const cJSON *record = trial_record_of(request_of(0), TRIAL_WITH_ERRORS);
  const cJSON *governor = base_json_at(record, "provenance.governor");
  FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "r");
  CHECK(file != NULL ? cJSON_IsString(governor) : cJSON_IsNull(governor));
  if (file != NULL) {
    fclose(file);
  }
  CHECK(base_json_real_at(record, "provenance.cores") >= 1);
  CHECK(base_json_real_at(record, "provenance.load") >= 0);
  const cJSON *threads = base_json_at(record, "provenance.blas_threads");
  CHECK(cJSON_IsNull(threads) || threads->valuedouble == 1);
  cJSON *machine = cJSON_GetObjectItem(record, "provenance");
  cJSON_DeleteItemFromObject(machine, "load"); /* as programs of before wrote it */
  cJSON_DeleteItemFromObject(machine, "cores");
  cJSON_DeleteItemFromObject(cJSON_GetObjectItem(record, "timing"), "repeats");
  CHECK_OK(bench_record_check(record, "r.json"));
}

/* ---- suites ---- */

TEST(suites_say_how_often_times_are_taken) {
  struct bench_suite suite;
  CHECK_OK(trial_suite(
      "'repeat': 4, 'cells': [{'case': 'falling-particle', 'formulations': ['ncp'], 'dt': 1e-2}, "
      "{'case': 'falling-particle', 'formulations': ['ccp'], 'repeat': 0}, "
      "{'case': 'falling-particle', 'formulations': ['mdp'], 'repeat': 9}, "
      "{'case': 'falling-particle', 'formulations': ['ncp'], 'search': '1e-3,1e-2'}], "
      "'figures': ['yu-8', 'facets']",
      &suite));
  int timed = 0;
  for (int i = 0; i < suite.n; ++i) {
    const struct bench_cell *cell = &suite.cells[i];
    const int expected = cell->place.figure != NULL
                             ? (strcmp(cell->place.figure, "facets") == 0 ? 4 : 0)
                         : i == 0 ? 4
                         : i == 2 ? 9
                                  : 0;
    CHECK_INT(cell->request.repeat, expected);
    timed += cell->place.figure != NULL && cell->request.repeat > 0;
  }
  CHECK(timed > 0);
}
