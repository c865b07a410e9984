/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for the largest step; see search.h.
 *
 * The limit of accuracy is bisected first, the one of stability then from above it, so that trials
 * of the second cannot fall below the first. All trials share the time limit of the job, less what
 * the run at the step found so far will take to be repeated for the record.
 */
#include "bench/search/search.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"

/* Finer ratios ask for what rounding of the step decides. */
static const double RATIO_MIN = 1 + 1e-6;
/* An error of a tenth of the system's size still shows the motion; 2 % tell formulations apart. */
static const struct bench_search_range defaults = {.limit = 0.1, .ratio = 1.02};

struct searching {
  const struct bench_job *job;
  struct base_arena *arena;
  struct bench_search *found;
  double begin, repeat; /* start; time of the run that may have to be repeated [s] */
  int is_over;          /* no time left */
};

struct bench_search_range bench_search_default(void) {
  return defaults;
}

int bench_search_parse(const char *text, struct bench_search_range *range) {
  double values[4] = {NAN, NAN, defaults.limit, defaults.ratio};
  const char *at = text, *end;
  int n = 0, more = 1;
  while (more && n < 4) {
    if (base_read_real(at, &end, &values[n]) != BASE_OK || (*end != ',' && *end != '\0')) {
      break;
    }
    ++n;
    more = *end == ',';
    at = end + 1;
  }
  if (more || n < 2) {
    return base_fail(BASE_E_INPUT, "--search = '%s': must be LO,HI[,LIMIT[,RATIO]]", text);
  }
  *range = (struct bench_search_range){values[0], values[1], values[2], values[3]};
  return BASE_OK;
}

const char *bench_search_text(const struct bench_search_range *range, struct base_arena *arena) {
  const double values[] = {range->lo, range->hi, range->limit, range->ratio};
  const char *text = "";
  for (int i = 0; i < 4; ++i) {
    char number[BASE_JSON_NUMBER_SIZE];
    text = base_arena_printf(arena, "%s%s%s", text, i > 0 ? "," : "",
                             base_json_number(values[i], number));
  }
  return text;
}

int bench_search_check(const struct bench_job *job) {
  const struct bench_search_range *range = &job->search;
  if (!(range->lo > 0) || !(range->hi > range->lo) || !isfinite(range->hi)) {
    return base_fail(BASE_E_INPUT, "search: dt in [%g, %g] s: needs 0 < lo < hi, finite", range->lo,
                     range->hi);
  }
  if (range->hi > job->t_end) {
    return base_fail(BASE_E_INPUT, "search: dt up to %g s: longer than the horizon, %g s",
                     range->hi, job->t_end);
  }
  if (!(range->limit >= 0) || !isfinite(range->limit)) {
    return base_fail(BASE_E_INPUT, "search: limit = %g: must be finite and not negative",
                     range->limit);
  }
  if (!(range->ratio >= RATIO_MIN) || !isfinite(range->ratio)) {
    return base_fail(BASE_E_INPUT, "search: ratio = %g: must be finite and at least %.7g",
                     range->ratio, RATIO_MIN);
  }
  const cJSON *file = case_parameters_file(job->parameters);
  const int by_event = strcmp(base_json_text_at(file, "reference.kind"), "event") == 0 &&
                       !(job->t_end > base_json_real_at(file, "reference.until")); /* NaN: always */
  if (range->limit > 0 && job->type->reference == NULL && !by_event) {
    return base_fail(BASE_E_INPUT,
                     "search: case %s has no reference up to t_end = %g s; with limit 0 stability "
                     "alone is sought",
                     job->type->name, job->t_end);
  }
  return BASE_OK;
}

/* ---- trials ---- */

/* Does not diverge, which is measured: a formulation's own estimate (BASE_UNSTABLE) does not count.
 */
static int is_stable(const void *search, int status, double q_linf) {
  (void)search;
  (void)q_linf;
  return status == BASE_OK || status == BASE_UNCONVERGED || status == BASE_UNSTABLE;
}

static int is_accurate(const void *search, int status, double q_linf) {
  const struct bench_search *s = search;
  return status == BASE_OK && q_linf < s->range.limit * s->length;
}

/* A limit holds at lo, else it is none: *limit is NaN then, and nothing is left to try. */
static double next_of(const struct bench_search *s,
                      int (*holds)(const void *search, int status, double q_linf), double *limit) {
  const struct bench_bisection bisection = {.lo = s->range.lo,
                                            .hi = s->range.hi,
                                            .is_logarithmic = 1,
                                            .tolerance = s->range.ratio,
                                            .holds = holds,
                                            .question = s};
  double fails;
  const double next = bench_bisect_next(&bisection, &s->trials, limit, &fails);
  if (*limit > fails) {
    *limit = NAN;
    return s->trials.n < 2 ? next : NAN;
  }
  return next;
}

double bench_search_next(struct bench_search *s) {
  s->largest_accurate = NAN;
  const double stable = next_of(s, is_stable, &s->largest_stable);
  const double accurate = s->range.limit > 0 ? next_of(s, is_accurate, &s->largest_accurate) : NAN;
  if (s->trials.n == 1 && s->trials.status[0] == BASE_UNSUPPORTED) {
    return NAN;
  }
  return isnan(accurate) ? stable : accurate;
}

/* The step of the record: the larger of what was sought. */
static double found_step(const struct bench_search *s) {
  return s->range.limit > 0 ? s->largest_accurate : s->largest_stable;
}

static double time_left(const struct searching *s) {
  return s->job->time_limit > 0 ? s->job->time_limit - (base_clock_now() - s->begin) - s->repeat
                                : INFINITY;
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
  found->trials.status[i] = s->is_over ? BASE_TIMEOUT : out->status;
  found->trials.measured[i] = s->is_over ? NAN : out->errors.q_linf;
  const int candidate = (found->range.limit > 0 ? is_accurate : is_stable)(
      found, found->trials.status[i], found->trials.measured[i]);
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
