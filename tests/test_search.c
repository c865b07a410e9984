/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for the largest step, against limits known by other means: the stability limit
 * dt = 2 / omega of explicit integrators on an oscillator, the constant of a first-order error law
 * measured at small steps; and its records, refusals and place in suites and reports.
 */
#include <cjson/cJSON.h>

#include "base/json/json.h"
#include "bench/job/asked.h"
#include "bench/outcome/searches.h"
#include "bench/record/record.h"
#include "bench/search/search.h"
#include "tests/test.h"
#include "tests/trial.h"

struct found {
  struct base_arena *arena;
  struct bench_job job;
  struct bench_outcome out;
  const struct bench_search *search;
};

static struct bench_request ask(const char *case_name, const char *formulation, double t_end,
                                const char *range) {
  return (struct bench_request){
      .case_name = case_name, .formulation = formulation, .t_end = t_end, .search = range};
}

static struct found search_of(const struct bench_request *request) {
  static const struct bench_search nothing = {.asked = {.n = 2}};
  struct found f = {.arena = test_arena(), .search = &nothing};
  if (bench_job_resolve(request, f.arena, &f.job) != BASE_OK ||
      bench_search(&f.job, f.arena, &f.out) != BASE_OK || f.out.search == NULL) {
    test_fail(__FILE__, __LINE__, "%s", base_message());
    return f;
  }
  f.search = f.out.search;
  return f;
}

/* By the two conditions that the short form has. */
static double largest_stable(const struct found *f) { return f->search->sought[0].holds; }
static double largest_accurate(const struct found *f) {
  return f->search->asked.n > 1 ? f->search->sought[1].holds : (double)NAN;
}

static cJSON *record_of(const struct found *f) {
  cJSON *record = test_json(bench_record(&f->job, &f->out));
  CHECK_OK(bench_record_check(record, "record"));
  return record;
}

/* ---- limits known by other means ---- */

/* In flight the oscillator has omega^2 = c (1/m1 + 1/m2); semi-implicit Euler and the midpoint rule
 * without implicit forces grow beyond dt = 2 / omega, as e^(2 sqrt(2 (r - 1)) n) for dt a factor r
 * beyond: here over 1000 steps. */
TEST(stability_limit_is_that_of_the_free_oscillator) {
  const struct bench_request request = ask("oscillator", "moreau", 0.1, "6e-5,2e-4,0.1,0.002");
  struct found f = search_of(&request);
  const struct case_parameters *p = f.job.parameters;
  const double limit =
      2 / sqrt(case_real(p, "c") * (1 / case_real(p, "m1") + 1 / case_real(p, "m2")));
  CHECK_NEAR(limit, 1e-4, 1e-7); /* mass ratio 1e4: that of the light mass alone */
  CHECK_LE(largest_stable(&f), limit * (1 + 1e-9));
  CHECK_LE(limit, largest_stable(&f) * 1.002 * 1.0001);
  CHECK_NEAR(largest_accurate(&f), largest_stable(&f), 0); /* true as far as it is stable */
  CHECK_OK(f.out.status);
  CHECK_NEAR(f.job.dt, largest_accurate(&f), 0);
}

/* A ball on a spring that only pushes: where rk4 grows, beyond dt = 2 sqrt(2) / omega, it leaves
 * the spring, hops for some percent more of dt, then is thrown off; nothing overflows. */
TEST(stability_limit_is_that_of_a_contact_that_only_pushes) {
  struct bench_request request = ask("tests/scenes/pushed.json", "penalty", 4, "1e-3,1,0,0.01");
  request.opt = BASE_WORDS("K=2e4", "D=0", "substeps=1");
  struct found f = search_of(&request);
  const double limit = 2 * sqrt(2) / 100;
  CHECK_LE(0.99 * limit, largest_stable(&f));
  CHECK_LE(largest_stable(&f), 1.06 * limit);
}

TEST(implicit_scheme_bears_far_larger_steps) {
  const struct bench_request request =
      ask("oscillator", "consistent-twostep", 0.1, "1e-4,1e-2,0.1,0.1");
  struct found f = search_of(&request);
  CHECK_LE(5e-3, largest_accurate(&f)); /* 50 times the explicit limit */
  CHECK_LE(5e-3, largest_stable(&f));
}

/* q_linf <= C dt: the largest true step is limit length / C. The error rises and falls within the
 * law as the impact moves through its step: C is the largest of some steps, and a step may have
 * half of it. */
TEST(first_order_error_law_predicts_the_largest_accurate_step) {
  enum { STEPS = 12 };
  const double limit = 2e-3;
  const struct bench_request request =
      ask("falling-particle", "moreau", 1.5, "1e-5,1e-1,2e-3,0.01");
  double constant = 0;
  for (int i = 0; i < STEPS; ++i) {
    struct bench_request one = request;
    one.search = NULL;
    one.dt = 4e-5 * (1 + 0.173 * i);
    struct trial run;
    CHECK_OK(trial_run(&run, one, NULL, NULL, TRIAL_WITH_ERRORS));
    constant = fmax(constant, run.out.errors.q_linf / one.dt);
  }
  struct found f = search_of(&request);
  const double predicted = limit * f.out.quality.length / constant;
  CHECK_LE(0.9 * predicted, largest_accurate(&f));
  CHECK_LE(largest_accurate(&f), 2.2 * predicted);
}

/* ---- what the search is ---- */

/* The bracket, found here from the trials alone: all below hold, and one within the ratio fails. */
TEST(limits_stand_between_trials_that_hold_and_one_that_fails) {
  static const char *const forms[] = {"moreau", "lcp-st", "ccp", "penalty"};
  int bisected = 0;
  for (size_t k = 0; k < sizeof forms / sizeof *forms; ++k) {
    const struct bench_request request = ask("woodpecker", forms[k], 0.15, "2e-5,1.5e-2,0.5,0.05");
    struct found f = search_of(&request);
    const struct bench_search *s = f.search;
    double fails_accurate = INFINITY, fails_stable = INFINITY;
    for (int i = 0; i < s->trials.n; ++i) {
      const int is_stable =
          (s->trials.status[i] == BASE_OK || s->trials.status[i] == BASE_UNCONVERGED ||
           s->trials.status[i] == BASE_UNSTABLE) && /* an estimate, not a trial */
          !(s->trials.measured[0][i] > 0.5);
      const int is_accurate = s->trials.status[i] != BASE_TIMEOUT && s->trials.measured[1][i] < 0.5;
      fails_accurate = is_accurate ? fails_accurate : fmin(fails_accurate, s->trials.value[i]);
      fails_stable = is_stable ? fails_stable : fmin(fails_stable, s->trials.value[i]);
      CHECK(is_accurate || !(s->trials.value[i] <= largest_accurate(&f)));
      CHECK(is_stable || !(s->trials.value[i] <= largest_stable(&f)));
      CHECK(s->trials.value[i] >= 2e-5 && s->trials.value[i] <= 1.5e-2);
    }
    bisected += s->trials.n > 2;
    if (isfinite(largest_accurate(&f))) {
      CHECK_LE(fails_accurate, isfinite(fails_accurate) ? 1.05 * largest_accurate(&f) : INFINITY);
      CHECK_LE(largest_accurate(&f), largest_stable(&f));
    } else {
      CHECK_LE(fails_accurate, 2e-5);
    }
    CHECK(isfinite(largest_stable(&f)));
    CHECK(isfinite(fails_stable) ? fails_stable <= 1.05 * largest_stable(&f)
                                 : largest_stable(&f) == 1.5e-2);
  }
  CHECK(bisected >= 3);
}

/* The rest of the record is that of the run at the step found, value by value. */
TEST(record_is_that_of_the_run_at_the_step_found) {
  const struct bench_request request = ask("falling-particle", "ncp", 1, "1e-3,0.2,0.02,0.1");
  struct found f = search_of(&request);
  cJSON *record = record_of(&f);
  CHECK(largest_accurate(&f) > 1e-3 && largest_accurate(&f) < 0.2);
  CHECK(strstr(base_json_text_at(record, "provenance.command"),
               "--search dt=0.001,0.2,0.1 --until stable --until "));
  CHECK(strstr(base_json_text_at(record, "provenance.command"), "--dt") == NULL);
  struct bench_request one = request;
  one.search = NULL;
  one.dt = largest_accurate(&f);
  struct trial run;
  CHECK_OK(trial_run(&run, one, NULL, NULL, TRIAL_WITH_ERRORS));
  cJSON *plain = trial_record(&run);
  CHECK(isfinite(run.out.errors.u_hausdorff));
  for (const cJSON *block = plain->child; block != NULL; block = block->next) {
    if (strcmp(block->string, "timing") != 0 && strcmp(block->string, "provenance") != 0) {
      CHECK_MESSAGE(
          cJSON_Compare(block, cJSON_GetObjectItemCaseSensitive(record, block->string), 1),
          "%s differs", block->string);
    }
  }
}

TEST(search_without_success_says_so) {
  const struct {
    const char *case_name, *formulation;
    const char *range;
    double lo;
    int status;
    const char *words;
  } runs[] = {
      {"oscillator", "moreau", "2e-4,1e-2", 2e-4, BASE_DIVERGED, "fails at both ends"},
      {"falling-particle", "moreau", "0.05,0.1,1e-3", 0.05, BASE_OK, "fails at both ends"},
      {"oscillator", "consistent-onestep", "1e-4,1e-3", 1e-4, BASE_UNSUPPORTED, ""},
  };
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const struct bench_request request =
        ask(runs[i].case_name, runs[i].formulation, 0.5, runs[i].range);
    struct found f = search_of(&request);
    cJSON *record = record_of(&f);
    CHECK_INT(f.out.status, runs[i].status);
    CHECK(isnan(largest_accurate(&f)));
    CHECK_NEAR(f.job.dt, runs[i].lo, 0);
    CHECK(f.out.reason[0] != '\0' && strstr(f.out.reason, runs[i].words) != NULL);
    CHECK(cJSON_IsNull(base_json_at(record, "search.second.holds")));
  }
}

/* Without a reference only stability can be sought. */
TEST(limit_zero_seeks_stability_alone) {
  struct bench_request request = ask("overbalanced-wheel", "penalty", 0.1, "5e-4,2e-2,0,0.1");
  request.opt = BASE_WORDS("K=1e5", "substeps=1"); /* else every step is stable */
  struct found f = search_of(&request);
  record_of(&f); /* a sound one */
  CHECK(isnan(largest_accurate(&f)));
  CHECK(f.search->asked.n == 1 && !isnan(f.out.errors.q_linf)); /* of the last alone */
  CHECK(largest_stable(&f) > 5e-4 && largest_stable(&f) < 2e-2);
  CHECK_NEAR(f.job.dt, largest_stable(&f), 0);
  CHECK_INT(f.out.status, BASE_UNSTABLE); /* does not diverge beyond its own estimate either */
  request.search = "5e-4,2e-2,0.1,0.1";
  struct base_arena *arena = test_arena();
  CHECK_OK(bench_job_resolve(&request, arena, &f.job));
  request.t_end = 0.6; /* the case has its reference up to 0.5 s */
  CHECK_REFUSED(bench_job_resolve(&request, arena, &f.job), BASE_E_INPUT, "no reference");
}

TEST(time_limit_ends_the_search) {
  struct bench_request request = ask("falling-particle", "moreau", 1.5, "1e-8,0.1,0.1,0.02");
  request.time_limit = 0.05;
  struct found f = search_of(&request);
  record_of(&f); /* a sound one */
  CHECK_INT(f.out.status, BASE_TIMEOUT);
  CHECK(strstr(f.out.reason, "time limit") != NULL);
  CHECK_LE((double)f.search->trials.n, 10); /* of 23 or so to a factor 1.02 in seven decades */
}
