/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for the largest step; see search.h.
 *
 * The limit of accuracy is bisected first, the one of stability then from above it, so that trials
 * of the second cannot fall below the first. All trials share the time limit of the job, less what
 * the run at the step found so far will take to be repeated for the record.
 */
#include "bench/search/search.h"
#include "bench/outcome/searches.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"

struct searching {
  const struct bench_job *job;
  struct base_arena *arena;
  struct bench_search *found;
  double begin, repeat; /* start; time of the run that may have to be repeated [s] */
  int is_over;          /* no time left */
};

/* ---- trials ---- */

/* The step of the record: the larger of what was sought. */
static double found_step(const struct bench_search *s) {
  return s->range.limit > 0 ? s->largest_accurate : s->largest_stable;
}

static double time_left(const struct searching *s) {
  return s->job->time_limit > 0 ? s->job->time_limit - (base_clock_now() - s->begin) - s->repeat
                                : INFINITY;
}

/* Part of the energy at stake that a stable step does not make out of nothing. */
static const double GAINED = 0.5;

/* A contact that only pushes throws bodies off where the step is too long for it, and nothing
 * overflows: that it diverged is seen by the energy. At rest (quality.energy NaN) there is none. */
static int status_of(const struct bench_outcome *out) {
  const int has_ended =
      out->status == BASE_OK || out->status == BASE_UNCONVERGED || out->status == BASE_UNSTABLE;
  const int has_gained = out->energy.numerical > GAINED * out->quality.energy;
  return has_ended && has_gained ? BASE_DIVERGED : out->status;
}

/* Run at one step and note what came of it. */
static int run_trial(struct searching *s, double dt, struct bench_outcome *out) {
  const double left = time_left(s);
  struct bench_job job = *s->job;
  bench_job_set_step(&job, dt);
  job.is_trial = 1;
  job.skips_reference = !(s->found->range.limit > 0);
  job.time_limit = isfinite(left) ? left : 0;
  const int status = bench_run(&job, s->arena, out);
  if (status != BASE_OK) {
    return status;
  }
  struct bench_search *found = s->found;
  const int i = found->trials.n++;
  s->is_over = out->status == BASE_TIMEOUT || time_left(s) <= 0;
  found->trials.value[i] = dt;
  found->trials.status[i] = s->is_over ? BASE_TIMEOUT : status_of(out);
  found->trials.measured[i] = s->is_over ? NAN : out->errors.q_linf;
  const int candidate =
      bench_search_holds(found, found->trials.status[i], found->trials.measured[i]);
  s->repeat = candidate || i == 0 ? out->timing.total : s->repeat;
  return BASE_OK;
}

/* A trial of which nothing but the list is left. */
static int try_step(struct searching *s, double dt) {
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  struct bench_outcome out;
  const int status = run_trial(s, dt, &out);
  base_arena_release(s->arena, mark);
  return status;
}

/* What the record of the search says about itself. */
static void explain(const struct searching *s, double kept, struct bench_outcome *out) {
  const char *what = s->found->range.limit > 0 ? "is accurate" : "is stable";
  char text[160];
  if (s->is_over) {
    snprintf(text, sizeof text, "the search took longer than its time limit; trials: %d",
             s->found->trials.n);
    out->status = BASE_TIMEOUT;
  } else if (isnan(kept)) {
    snprintf(text, sizeof text, "search: no step tried %s; this is the smallest", what);
  } else {
    return;
  }
  char before[sizeof out->reason];
  memcpy(before, out->reason, sizeof before);
  snprintf(out->reason, sizeof out->reason, "%s%s%.90s", text, before[0] != '\0' ? ": " : "",
           before);
}

int bench_search(struct bench_job *job, struct base_arena *arena, struct bench_outcome *outcome) {
  struct bench_search *found = base_arena_push(arena, sizeof *found);
  struct searching s = {.job = job, .arena = arena, .found = found, .begin = base_clock_now()};
  struct case_instance instance = {0};
  const struct base_arena_mark mark = base_arena_mark(arena);
  int status = job->type->build(job->parameters, arena, &instance);
  if (status != BASE_OK) {
    return status;
  }
  *found = (struct bench_search){.range = job->search, .length = instance.mech->length};
  base_arena_release(arena, mark);
  status = run_trial(&s, bench_search_next(found), outcome);
  double dt = bench_search_next(found);
  const int is_final = isnan(dt); /* out of time, or unsupported: the trial is the outcome */
  while (status == BASE_OK && !isnan(dt)) {
    status = try_step(&s, dt);
    dt = bench_search_next(found);
  }
  const double kept = found_step(found);
  bench_job_set_step(job, isnan(kept) ? job->search.lo : kept);
  if (status == BASE_OK && !is_final) {
    status = bench_run(job, arena, outcome);
  }
  outcome->search = found;
  if (outcome->status != BASE_UNSUPPORTED) {
    explain(&s, kept, outcome);
    bench_quality_judge(outcome);
  }
  outcome->timing.total = base_clock_now() - s.begin;
  return status;
}
