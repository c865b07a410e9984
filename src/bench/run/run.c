/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The step loop; see run.h. What is measured, sampled, drawn and saved on the way is the business
 * of listeners (listener.h).
 *
 * Step k = 1 ... n ends at t = (k - 1 + phase) dt, the last one at t_end exactly; it is shorter
 * where that is no whole number of steps. Every other step gets dt itself, not a difference of
 * times, so that it is the same to the last bit.
 *
 * A step counts once it has been taken: a run that breaks down, or whose state leaves every
 * physical bound or is not finite, ends at the last state that was sound; the reason names the step
 * that was not. The bound is DIVERGENCE_FACTOR times the larger of the scale the system declares
 * and the initial state; for coordinates, besides, what the system's speed covers within the
 * horizon: a body may slide slowly, far from the origin, for long.
 */
#include "bench/run/run.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "base/threads.h"
#include "bench/job/start.h"
#include "bench/run/listener.h"
#include "la/dense.h"
#include "la/ensemble/quantile.h"

/* Far beyond any accuracy of interest, near enough to stop a blow-up within a few dozen steps. */
static const double DIVERGENCE_FACTOR = 1e6;
/* t_end / dt this close to a whole number, relative to it, is one: inputs have about 16 digits, and
 * a few are lost where a step is given as a quotient. */
static const double WHOLE_STEPS = 1e-12;

/* In the order in which they hear of everything; see listener.h for who comes before whom. */
static void (*const listen[])(struct bench_run *run) = {
    bench_one_contact_listen, bench_measure_listen, bench_energy_listen,  bench_balance_listen,
    bench_momentum_listen,    bench_rest_listen,    bench_samples_listen, bench_observer_listen,
    bench_dump_listen,        bench_restart_listen, bench_vtk_listen,     bench_film_listen,
    bench_checkpoint_listen,  bench_progress_listen};

struct loop {
  struct bench_run run;
  double deadline;           /* base/clock.h */
  double q_bound, u_bound;   /* beyond: diverged */
  int is_begun;              /* the listeners know the initial state */
  int is_broken;             /* a step failed: the state is no longer sound */
  int result;                /* of the part under way; negative: nothing to record */
  struct bench_series times; /* of steps [s] */
  long timed;                /* the next step to be timed */
};

/* ---- events ---- */

static int tell(struct bench_run *run, enum bench_event event) {
  int status = BASE_OK;
  for (int i = 0; i < run->n_listeners && status == BASE_OK; ++i) {
    const struct bench_listener *l = &run->listeners[i];
    status = l->on[event] != NULL ? l->on[event](l->data, run) : BASE_OK;
  }
  return status;
}

static void tell_problem(void *data, const struct problem *p) {
  const struct bench_run *run = data;
  for (int i = 0; i < run->n_listeners; ++i) {
    const struct bench_listener *l = &run->listeners[i];
    if (l->problem != NULL) {
      l->problem(l->data, p);
    }
  }
}

static void dismiss(const struct bench_run *run) {
  for (int i = 0; i < run->n_listeners; ++i) {
    const struct bench_listener *l = &run->listeners[i];
    if (l->free != NULL) {
      l->free(l->data);
    }
  }
}

/* ---- the loop ---- */

static int is_sound(const struct loop *loop) {
  const struct mech *m = loop->run.m;
  const struct form_state *state = &loop->run.state;
  const double far = la_norm_inf(m->nq, state->q), fast = la_norm_inf(m->nu, state->u);
  return isfinite(far) && isfinite(fast) && far <= loop->q_bound && fast <= loop->u_bound;
}

/* End the run at the last sound state. Where time is up it does not matter what it was spent on. */
static void break_off(struct loop *loop, int status, long k, double t, const char *why) {
  struct bench_outcome *out = loop->run.out;
  char reason[sizeof out->reason];
  loop->is_broken = 1;
  if (status == BASE_TIMEOUT && base_clock_passed(loop->deadline)) {
    bench_outcome_set_status(out, BASE_TIMEOUT, "");
    return;
  }
  int n = snprintf(reason, sizeof reason, "step %ld, t = %.9g s: %s", k, t,
                   why[0] != '\0' ? why : base_status_meaning(status));
  if (loop->run.job->dt > out->told.stable_dt && out->told.stable_dt > 0 && n > 0 &&
      n < (int)sizeof reason) {
    snprintf(reason + n, sizeof reason - (size_t)n,
             "; the step is longer than %.3g s, the longest estimated to be stable",
             out->told.stable_dt);
  }
  bench_outcome_set_status(out, status, reason);
}

/* Bodies come and go before a step. */
static int let_bodies_flow(struct bench_run *run) {
  const struct mech *m = run->m;
  if (m->ops->open.inflow_outflow == NULL) {
    return BASE_OK;
  }
  run->inflow = 0;
  return m->ops->open.inflow_outflow(m, run->state.t, run->state.q, run->state.u, &run->inflow)
             ? tell(run, BENCH_FLOW)
             : BASE_OK;
}

/* Two looks at the wall clock cost less than a fiftieth of this [s]; at that of the processor they
 * cost as much as many a step. */
static const double WORTH_TIMING = 1e-5;

/* A step by the formulation. Short ones are timed once in a while, those of simulators of others,
 * which compute all at once, by what these tell. */
static int make_step(struct loop *loop, struct form_report *report) {
  struct bench_run *run = &loop->run;
  const int is_timed = run->taken >= loop->timed;
  const double before = is_timed ? base_clock_now() : 0;
  const int status = run->job->form->step(run->workspace, &run->state, run->dt, report);
  if (report->is_outside ? report->time > 0 : is_timed) {
    const double time = report->is_outside ? report->time : base_clock_now() - before;
    bench_series_add(&loop->times, time);
    loop->timed =
        run->taken + 1 + (time < WORTH_TIMING ? lrint(fmin(WORTH_TIMING / time, 1000)) : 0);
  }
  return status;
}

/* One step; 0 where the run ends before it. */
static int take_step(struct loop *loop, struct form_report *report) {
  struct bench_run *run = &loop->run;
  const struct bench_job *job = run->job;
  const long k = run->taken + 1;
  const double t = run->state.t, end = bench_step_end(job, k);
  const double t_next = k == run->steps ? job->t_end : end;
  const int is_whole = (k > 1 || job->variation.phase == 1) &&
                       (k < run->steps || fabs(t_next - end) <= WHOLE_STEPS * t_next);
  if (base_clock_passed(loop->deadline)) {
    bench_outcome_set_status(run->out, BASE_TIMEOUT, "");
    return 0;
  }
  loop->result = let_bodies_flow(run);
  if (loop->result != BASE_OK) {
    return 0;
  }
  bench_observe(run->m, run->state.q, run->state.u, run->q_before, run->u_before);
  run->t_before = t;
  run->dt = is_whole ? job->dt : t_next - t;
  const int status = make_step(loop, report);
  const int advanced = status == BASE_OK || status == BASE_UNCONVERGED;
  if (!advanced || !is_sound(loop)) {
    run->state.t = t;
    break_off(loop,
              advanced     ? BASE_DIVERGED
              : status > 0 ? status
                           : BASE_FAILED,
              k, t_next, advanced ? "" : base_message());
    return 0;
  }
  run->state.t = t_next;
  run->taken = k;
  return 1;
}

/* All steps, from the start or a checkpoint on. */
static void take_steps(void *data) {
  struct loop *loop = data;
  struct bench_run *run = &loop->run;
  loop->result = tell(run, BENCH_START);
  while (loop->result == BASE_OK && run->taken < run->steps) {
    struct form_report report = {.optimality = {NAN, NAN}};
    run->report = &report;
    if (!take_step(loop, &report)) {
      break;
    }
    loop->result = tell(run, BENCH_STEP);
  }
  run->report = NULL;
}

struct bench_clocks bench_run_clocks(void) {
  return (struct bench_clocks){base_clock_work(), base_clock_now()};
}

struct bench_clocks bench_run_elapsed(struct bench_clocks of, struct bench_clocks from,
                                      struct bench_clocks to) {
  return (struct bench_clocks){of.work + to.work - from.work, of.wall + to.wall - from.wall};
}

struct bench_clocks bench_run_spent(const struct bench_run *run) {
  const struct bench_clocks all = bench_run_elapsed(run->before, run->begin, bench_run_clocks());
  return bench_run_elapsed(all, run->aside, (struct bench_clocks){0});
}

/* The same with time taken; when there is no memory or time for a step, the run ends before it. */
static void take_all_steps(struct loop *loop) {
  struct bench_run *run = &loop->run;
  run->begin = bench_run_clocks();
  const int left = base_memory_try(take_steps, loop);
  if (left != BASE_OK) {
    const long k = run->taken + 1;
    loop->result = BASE_OK;
    break_off(loop, left, k, fmin(bench_step_end(run->job, k), run->job->t_end), base_message());
  }
  const struct bench_clocks spent = bench_run_spent(run);
  run->out->timing.steps = spent.work;
  run->out->timing.wall = spent.wall;
  const struct bench_series *times = &loop->times;
  run->out->timing.step_max = bench_series_quantile(&loop->times, 1); /* sorts them */
  run->out->timing.step_p50 = la_quantile_sorted((long)times->n, times->x, 0.5);
  run->out->timing.step_p95 = la_quantile_sorted((long)times->n, times->x, 0.95);
  bench_series_free(&loop->times);
}

/* ---- before ---- */

/* Number of steps to t_end; see the file's head. */
static long count_steps(const struct bench_job *job) {
  const double ratio = job->t_end / job->dt + (1 - job->variation.phase), whole = rint(ratio);
  return lrint(whole >= 1 && fabs(ratio - whole) <= WHOLE_STEPS * whole ? whole : ceil(ratio));
}

static void prepare(struct loop *loop) {
  struct bench_run *run = &loop->run;
  struct bench_outcome *out = run->out;
  const struct case_instance *instance = run->instance;
  const struct mech *m = instance->mech;
  run->m = m;
  run->state = (struct form_state){.t = 0, .q = instance->q, .u = instance->u};
  if (run->job->variation.perturb > 0) {
    bench_start_perturb(m, run->job->variation.perturb, (unsigned long)run->job->variation.seed,
                        run->state.q, run->state.u, run->arena);
  }
  const double far = fmax(m->length, la_norm_inf(m->nq, instance->q));
  const double fast = fmax(m->speed, la_norm_inf(m->nu, instance->u));
  loop->q_bound = DIVERGENCE_FACTOR * (far + fast * run->job->t_end);
  loop->u_bound = DIVERGENCE_FACTOR * fast;
  run->q_before = base_arena_doubles(run->arena, m->nq_out);
  run->u_before = base_arena_doubles(run->arena, m->nu_out);
  run->steps = count_steps(run->job);
  out->instance = instance;
  out->quality.length = m->length;
  out->nq = m->nq_out;
  out->nu = m->nu_out;
  out->q_names = m->q_names;
  out->u_names = m->u_names;
  out->q = base_arena_doubles(run->arena, m->nq_out);
  out->u = base_arena_doubles(run->arena, m->nu_out);
  for (size_t i = 0; i < sizeof listen / sizeof *listen; ++i) {
    listen[i](run);
  }
}

/* The formulation's workspace, or NULL with the outcome's status set. */
static void *start_form(struct bench_run *run, const struct form_setup *setup) {
  base_fail(BASE_OK, "%s", ""); /* no reason of ours may be about something earlier */
  const int status = bench_job_check_setup(run->job, setup);
  void *workspace = status == BASE_OK ? run->job->form->alloc(setup, &run->state) : NULL;
  if (workspace == NULL) {
    bench_outcome_set_status(run->out, status > 0 ? status : BASE_UNSUPPORTED, base_message());
  }
  return workspace;
}

/* The model, the listeners and the formulation's workspace. */
static void begin_run(void *data) {
  struct loop *loop = data;
  struct bench_run *run = &loop->run;
  const struct bench_job *job = run->job;
  struct case_instance *instance = base_arena_push(run->arena, sizeof *instance);
  run->instance = instance;
  loop->result = bench_job_build(job, run->arena, instance);
  if (loop->result != BASE_OK) {
    return;
  }
  prepare(loop);
  loop->result = tell(run, BENCH_BEGIN);
  if (loop->result != BASE_OK) {
    return;
  }
  loop->is_begun = 1;
  int wants_problems = 0;
  for (int i = 0; i < run->n_listeners; ++i) {
    wants_problems |= run->listeners[i].problem != NULL;
  }
  struct form_setup setup = bench_job_setup(job, run->m, run->arena);
  setup.sink = (struct form_sink){.visit = wants_problems ? tell_problem : NULL, .data = run};
  setup.loop.deadline = loop->deadline;
  setup.steps = run->steps;
  setup.phase = job->variation.phase;
  setup.t_end = job->t_end;
  run->workspace = start_form(run, &setup);
}

/* ---- after ---- */

/* Most memory the process has had resident so far [bytes]. */
static double peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : NAN;
}

/* All of the run but what is said of it as a whole. */
static int carry_out(struct loop *loop) {
  struct bench_run *run = &loop->run;
  struct bench_outcome *out = run->out;
  base_clock_watch(loop->deadline);
  const int left = base_memory_try(begin_run, loop);
  if (left == BASE_OK && loop->result == BASE_OK && run->workspace != NULL) {
    take_all_steps(loop);
  }
  base_clock_watch(0);
  if (left != BASE_OK) {
    if (!loop->is_begun) { /* neither memory nor time even for the initial state */
      bench_outcome_end_early(out, left, base_message());
      return BASE_OK;
    }
    bench_outcome_set_status(out, left, base_message());
    loop->result = BASE_OK;
  }
  if (run->workspace != NULL && run->job->form->free != NULL) {
    run->job->form->free(run->workspace);
  }
  if (loop->result != BASE_OK) {
    return loop->result;
  }
  bench_run_summarise(run, loop->is_broken);
  const int status = tell(run, BENCH_END);
  if (run->workspace == NULL) {
    bench_outcome_void(out);
  }
  bench_quality_judge(out);
  return status;
}

int bench_run(const struct bench_job *job, struct base_arena *arena,
              struct bench_outcome *outcome) {
  *outcome = (struct bench_outcome){.status = BASE_OK};
  struct loop loop = {.run = {.job = job, .arena = arena, .out = outcome}};
  const double begin = base_clock_now();
  loop.deadline = base_clock_deadline(job->time_limit);
  const int status = carry_out(&loop);
  dismiss(&loop.run);
  outcome->timing.total = base_clock_now() - begin;
  outcome->timing.memory = base_arena_peak(arena);
  outcome->timing.peak = peak_memory();
  outcome->timing.threads = base_threads();
  return status;
}
