/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Deadlines: inside a step of every formulation that may stay in one for long, and for the
 * reference apart from the run (in a solve: test_loop.c). Most of it by deadlines that have passed
 * before the step begins, so that no test waits for a clock; where one does, what it cuts short
 * would take a hundred times the limit.
 */
#include "tests/test.h"

#include "base/clock.h"
#include "base/memory/memory.h"
#include "base/threads.h"
#include "bench/reference/encounter.h"
#include "bench/reference/errors.h"
#include "bench/reference/reference.h"
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/trial.h"

TEST(deadlines_pass_and_the_earlier_holds) {
  const double now = base_clock_now();
  CHECK(!base_clock_passed(0));
  CHECK(base_clock_passed(now - 1) && !base_clock_passed(now + 1e6));
  CHECK_NEAR(base_clock_deadline(0), 0, 0);
  CHECK_NEAR(base_clock_deadline(INFINITY), 0, 0);
  CHECK_NEAR(base_clock_deadline(1e6), now + 1e6, 100);
  CHECK_NEAR(base_clock_earlier(0, 5), 5, 0);
  CHECK_NEAR(base_clock_earlier(5, 0), 5, 0);
  CHECK_NEAR(base_clock_earlier(4, 5), 4, 0);
  CHECK_NEAR(base_clock_earlier(5, 4), 4, 0);
  CHECK_OK(base_clock_check(0));
  CHECK_REFUSED(base_clock_check(now - 1), BASE_TIMEOUT, "the time limit was reached");
}

/* A step of a formulation on a case with a deadline. */
static const struct run *step_with(const char *of, const char *form, const char *option, double dt,
                                   double deadline) {
  const struct case_instance m = case_model_build(of, "", test_arena());
  struct run *run = run_begin(form, m.mech, dt, m.q, m.u);
  run_set(run, "%s", option);
  run->setup.loop.deadline = deadline;
  run_step(run, dt);
  return run;
}

static const struct {
  const char *of, *form, *option;
  double dt;
} steps[] = {
    {"woodpecker", "event", "", 0.05},
    {"woodpecker", "penalty", "stepper=rk8pd", 0.02},
    {"woodpecker", "penalty", "stepper=msbdf", 0.02},
    {"woodpecker", "penalty", "substeps=50", 0.02},
    {"double-pendulum", "consistent-twostep", "", 0.01},
    {"tippe-top", "consistent-quaternion", "", 0.001},
};

TEST(a_deadline_ends_a_step) {
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    const struct run *run =
        step_with(steps[i].of, steps[i].form, steps[i].option, steps[i].dt, 1e-9);
    CHECK_MESSAGE(run->status == BASE_TIMEOUT, "%s %s on %s", steps[i].form, steps[i].option,
                  steps[i].of);
  }
}

TEST(one_that_does_not_pass_changes_nothing) {
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    const struct run *run[2];
    for (int k = 0; k < 2; ++k) {
      run[k] = step_with(steps[i].of, steps[i].form, steps[i].option, steps[i].dt,
                         k == 0 ? 0 : base_clock_deadline(1e6));
      CHECK_MESSAGE(run[k]->status == BASE_OK, "%s: %s", steps[i].form, base_message());
    }
    CHECK(test_same_bits(run[0]->state.q, run[1]->state.q, run[0]->setup.mech->nq));
  }
}

/* Boxes on each other: minutes for the one step asked for. The record is that of the start. */
TEST(limit_holds_inside_a_step_of_event) {
  const struct bench_request request = {
      .case_name = "packing", .formulation = "event", .dt = 0.5, .t_end = 0.5, .time_limit = 0.1};
  struct trial t;
  CHECK_INT(trial_run(&t, request, "n=27 shape=box", NULL, TRIAL_WITH_ERRORS), BASE_TIMEOUT);
  CHECK_TEXT(t.out.reason, "the time limit was reached");
  CHECK_INT(t.out.steps, 0);
  CHECK_NEAR(t.out.t, 0, 0);
  CHECK(isfinite(t.out.q[0]) && isnan(t.out.errors.q_linf));
  trial_record(&t);
}

/* All pairs of so many bodies are more than there is memory for, and would take seconds to list. */
TEST(limit_holds_while_a_run_is_set_up) {
  const struct bench_request request = {
      .case_name = "packing", .formulation = "consistent-quaternion", .time_limit = 0.1};
  struct trial t;
  CHECK_INT(trial_run(&t, request, "n=30000", NULL, TRIAL_WITH_ERRORS), BASE_TIMEOUT);
  CHECK_TEXT(t.out.reason, "the time limit was reached");
  CHECK_INT(t.out.steps, 0);
  trial_record(&t);
}

static void take_memory(void *data) {
  base_arena_free(*(struct base_arena **)data); /* what the first call left */
  *(struct base_arena **)data = base_arena_alloc();
  base_arena_doubles(*(struct base_arena **)data, 1 << 20);
}

static void ask(void *data, int k) {
  (void)data, (void)k;
  base_clock_ask();
}

static void ask_by_threads(void *data) { base_threads_each(2, 4, ask, data); }

TEST(work_that_is_watched_ends_where_it_asks) {
  struct base_arena *arena = NULL;
  CHECK_OK(base_memory_try(take_memory, &arena));
  CHECK_NEAR(base_clock_watch(base_clock_now() - 1), 0, 0);
  CHECK_REFUSED(base_memory_try(take_memory, &arena), BASE_TIMEOUT, "the time limit was reached");
  CHECK_OK(base_memory_try(ask_by_threads, NULL)); /* none leaves the others */
  CHECK(base_clock_watch(base_clock_deadline(1e6)) > 0);
  CHECK_OK(base_memory_try(take_memory, &arena));
  base_clock_watch(0);
  base_arena_free(arena);
}

/* The reference has the limit anew. Where it runs out of time a good run stays good, without
 * errors; where only its bound does, with errors and without bound. Here the limit comes after the
 * run. */
TEST(a_reference_out_of_time_leaves_the_run_what_it_is) {
  const struct bench_request request = {.case_name = "double-pendulum",
                                        .formulation = "moreau",
                                        .dt = 1e-2,
                                        .t_end = 0.2,
                                        .time_limit = 1e6};
  struct trial t;
  CHECK_MESSAGE(trial_run(&t, request, NULL, NULL, TRIAL_WITH_ERRORS) == BASE_OK, "%s",
                t.out.reason);
  CHECK_TEXT(t.out.reference.kind, "event");
  CHECK(isfinite(t.out.errors.q_linf));
  const double times[] = {0, 0.1, 0.2};
  const struct mech *m = t.out.instance->mech;
  struct bench_path path, known;
  bench_reference_at(&t.job, m, BENCH_FOR_SAMPLES, 3, times, t.arena, &known);
  CHECK_INT(known.n, 3);
  t.job.time_limit = 1e-9;
  t.out.reference = bench_reference_at(&t.job, m, BENCH_FOR_SAMPLES, 3, times, t.arena, &path);
  CHECK_INT(path.n, 0);
  CHECK_TEXT(t.out.reference.kind, "none");
  CHECK_TEXT(t.out.reference.reason, "the reference by event took longer than the time limit");
  CHECK(isnan(t.out.reference.bound));
  const struct bench_encounter none = {0};
  const struct bench_sampled sampled = {
      .job = &t.job, .m = m, .path = &known, .graph = &known, .encounter = &none, .arena = t.arena};
  bench_measure_errors(&sampled, &t.out.reference, &t.out.errors, &t.out.energy_errors);
  CHECK_TEXT(t.out.reference.reason, "the reference by event took longer than the time limit");
  CHECK(isnan(t.out.errors.q_linf) && isnan(t.out.errors.u_hausdorff));
  CHECK_OK(t.out.status);
  trial_record(&t);
}
