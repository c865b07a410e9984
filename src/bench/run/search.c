/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for the largest step; see search.h.
 *
 * The limit of truth is bisected first, the one of stability then from above it, so that trials of
 * the second cannot fall below the first. All trials share the time limit of the job, less what the
 * run at the step found so far will take to be repeated for the record.
 */
#include "bench/run/search.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
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
  const char *at = text;
  int n = 0, more = 1;
  while (more && n < 4) {
    char *end;
    values[n] = strtod(at, &end);
    if (end == at || (*end != ',' && *end != '\0')) {
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
                     case_name(job->type), job->t_end);
  }
  return BASE_OK;
}

/* ---- trials ---- */

static int is_stable(const struct bench_search *s, int i) {
  return s->status[i] == BASE_OK || s->status[i] == BASE_UNCONVERGED;
}

static int is_true(const struct bench_search *s, int i) {
  return s->status[i] == BASE_OK && s->q_linf[i] < s->range.limit * s->length;
}

/* The largest step that holds with none below it that does not, and the smallest that does not;
 * NaN: there is none. Trials cut by the time limit say nothing. */
static void bracket(const struct bench_search *s, int (*holds)(const struct bench_search *, int),
                    double *good, double *bad) {
  *good = *bad = NAN;
  for (int i = 0; i < s->n; ++i) {
    if (s->status[i] != BASE_TIMEOUT && !holds(s, i)) {
      *bad = fmin(*bad, s->dt[i]); /* fmin passes over NaN */
    }
  }
  for (int i = 0; i < s->n; ++i) {
    if (s->status[i] != BASE_TIMEOUT && holds(s, i) && !(s->dt[i] >= *bad)) {
      *good = fmax(*good, s->dt[i]);
    }
  }
}

static double time_left(const struct searching *s) {
  return s->job->time_limit > 0 ? s->job->time_limit - (base_clock_now() - s->begin) - s->repeat
                                : INFINITY;
}

/* Run at one step and note what came of it. */
static int run_trial(struct searching *s, double dt, struct base_arena *arena,
                     struct bench_outcome *out) {
  const double left = time_left(s);
  struct bench_job job = *s->job;
  job.dt = dt;
  job.is_trial = 1;
  job.time_limit = isfinite(left) ? left : 0;
  const int status = bench_run(&job, arena, out);
  if (status != BASE_OK) {
    return status;
  }
  struct bench_search *found = s->found;
  const int i = found->n++;
  s->is_over = out->status == BASE_TIMEOUT || time_left(s) <= 0;
  found->dt[i] = dt;
  found->status[i] = s->is_over ? BASE_TIMEOUT : out->status;
  found->q_linf[i] = s->is_over ? NAN : out->errors.q_linf;
  const int candidate = found->range.limit > 0 ? is_true(found, i) : is_stable(found, i);
  s->repeat = candidate || i == 0 ? out->timing.total : s->repeat;
  return BASE_OK;
}

static int try_step(struct searching *s, double dt) {
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  struct bench_outcome out;
  const int status = run_trial(s, dt, s->arena, &out);
  base_arena_release(s->arena, mark);
  return status;
}

static int bisect(struct searching *s, int (*holds)(const struct bench_search *, int)) {
  double good, bad;
  bracket(s->found, holds, &good, &bad);
  while (!s->is_over && bad / good > s->found->range.ratio && s->found->n < BENCH_TRIALS_MAX) {
    const int status = try_step(s, sqrt(good) * sqrt(bad));
    if (status != BASE_OK) {
      return status;
    }
    bracket(s->found, holds, &good, &bad);
  }
  return BASE_OK;
}

/* What the record of the search says about itself. */
static void explain(const struct searching *s, double kept, struct bench_outcome *out) {
  const char *what = s->found->range.limit > 0 ? "keeps to the truth" : "is stable";
  char text[160];
  if (s->is_over) {
    snprintf(text, sizeof text, "the search took longer than its time limit; trials: %d",
             s->found->n);
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
  status = run_trial(&s, job->search.lo, arena, outcome);
  const int is_final = s.is_over || outcome->status == BASE_UNSUPPORTED;
  if (status == BASE_OK && !is_final) {
    status = try_step(&s, job->search.hi);
    status = status != BASE_OK || !(job->search.limit > 0) ? status : bisect(&s, is_true);
    status = status != BASE_OK ? status : bisect(&s, is_stable);
  }
  double bad;
  bracket(found, is_stable, &found->largest_stable, &bad);
  found->largest_true = NAN;
  if (job->search.limit > 0) {
    bracket(found, is_true, &found->largest_true, &bad);
  }
  const double kept = job->search.limit > 0 ? found->largest_true : found->largest_stable;
  job->dt = isnan(kept) ? job->search.lo : kept;
  if (status == BASE_OK && !is_final) {
    status = bench_run(job, arena, outcome);
  }
  outcome->search = found;
  if (outcome->status != BASE_UNSUPPORTED) {
    explain(&s, kept, outcome);
  }
  outcome->timing.total = base_clock_now() - s.begin;
  return status;
}

/* ---- records ---- */

static const char criterion_true[] = "status ok and errors.q_linf < limit * length";
static const char criterion_stable[] = "status ok or unconverged";

void bench_search_add(cJSON *record, const struct bench_search *s) {
  cJSON *block = cJSON_AddObjectToObject(record, "search");
  cJSON_AddStringToObject(block, "criterion",
                          s->range.limit > 0 ? criterion_true : criterion_stable);
  base_json_add_real(block, "limit", s->range.limit);
  base_json_add_real(block, "length", s->length);
  base_json_add_real(block, "lo", s->range.lo);
  base_json_add_real(block, "hi", s->range.hi);
  base_json_add_real(block, "ratio", s->range.ratio);
  base_json_add_real(block, "largest_true_dt", s->largest_true);
  base_json_add_real(block, "largest_stable_dt", s->largest_stable);
  cJSON *trials = cJSON_AddArrayToObject(block, "trials");
  for (int i = 0; i < s->n; ++i) {
    cJSON *trial = cJSON_CreateObject();
    base_json_add_real(trial, "dt", s->dt[i]);
    cJSON_AddStringToObject(trial, "status", base_status_name(s->status[i]));
    base_json_add_real(trial, "q_linf", s->q_linf[i]);
    cJSON_AddItemToArray(trials, trial);
  }
}

/* Trials of a record back into numbers. */
static int read_trials(const cJSON *block, const char *file, struct bench_search *s) {
  const cJSON *trials = cJSON_GetObjectItemCaseSensitive(block, "trials"), *trial;
  if (!cJSON_IsArray(trials) || trials->child == NULL ||
      cJSON_GetArraySize(trials) > BENCH_TRIALS_MAX) {
    return base_fail(BASE_E_INPUT, "%s: key 'search.trials': must be a list of 1 to %d trials",
                     file, BENCH_TRIALS_MAX);
  }
  cJSON_ArrayForEach(trial, trials) {
    const int i = s->n++;
    s->dt[i] = base_json_real_at(trial, "dt");
    s->q_linf[i] = base_json_real_at(trial, "q_linf");
    if (base_status_parse(base_json_text_at(trial, "status"), &s->status[i]) != BASE_OK ||
        s->status[i] < 0 || !(s->dt[i] >= s->range.lo && s->dt[i] <= s->range.hi)) {
      return base_fail(BASE_E_INPUT,
                       "%s: key 'search.trials': needs dt in [lo, hi] and the status of a run",
                       file);
    }
  }
  return BASE_OK;
}

static int same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

int bench_search_check_record(const cJSON *record, const char *file) {
  const cJSON *block = cJSON_GetObjectItemCaseSensitive(record, "search");
  struct bench_search s = {.n = 0};
  if (block == NULL) {
    return BASE_OK;
  }
  static const char *const keys[] = {"limit", "length", "lo", "hi", "ratio"};
  double *const values[] = {&s.range.limit, &s.length, &s.range.lo, &s.range.hi, &s.range.ratio};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    if (!((*values[i] = base_json_real_at(block, keys[i])) >= 0)) {
      return base_fail(BASE_E_INPUT, "%s: key 'search.%s': must be a number, not negative", file,
                       keys[i]);
    }
  }
  int status = read_trials(block, file, &s);
  if (status != BASE_OK) {
    return status;
  }
  const double sought_true = base_json_real_at(block, "largest_true_dt");
  const double sought_stable = base_json_real_at(block, "largest_stable_dt");
  double good, bad;
  bracket(&s, is_true, &good, &bad);
  if (!same(sought_true, s.range.limit > 0 ? good : NAN)) {
    return base_fail(BASE_E_INPUT, "%s: key 'search.largest_true_dt': is not what the trials say",
                     file);
  }
  bracket(&s, is_stable, &good, &bad);
  if (!same(sought_stable, good)) {
    return base_fail(BASE_E_INPUT, "%s: key 'search.largest_stable_dt': is not what the trials say",
                     file);
  }
  const double kept = s.range.limit > 0 ? sought_true : sought_stable;
  if (base_json_real_at(record, "dt") != (isnan(kept) ? s.range.lo : kept)) {
    return base_fail(BASE_E_INPUT, "%s: key 'dt': is not the step the search found", file);
  }
  return BASE_OK;
}
