/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search for the parameter at which an outcome changes; see threshold.h.
 *
 * All trials share the time limit, and the run for the record has it once more.
 */
#include "bench/search/threshold.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/job/asked.h"
#include "bench/outcome/searches.h"
#include "bench/record/record.h"

/* Twenty bisections. */
static const double TOLERANCE = 1e-6;
/* What a trial has when the search has no time left [s]: a limit of 0 would be none at all. */
static const double LEAST_LIMIT = 1e-9;

static int parse_range(const char *text, struct base_arena *arena, struct bench_threshold *found) {
  char *copy = base_arena_copy(arena, text), *split = strchr(copy, '=');
  const char *at = split, *end;
  double values[3] = {NAN, NAN, TOLERANCE};
  int n = 0, more = split != NULL && split > copy;
  if (more) {
    *split = '\0';
    at = split + 1;
  }
  for (; more && n < 3; at = end + 1) {
    if (base_read_real(at, &end, &values[n]) != BASE_OK || (*end != ',' && *end != '\0')) {
      n = 0;
      break;
    }
    ++n;
    more = *end == ',';
  }
  if (more || n < 2) {
    return base_fail(BASE_E_INPUT, "--search = '%s': must be PARAM=LO,HI[,TOL]", text);
  }
  if (!(values[0] < values[1]) || !isfinite(values[1] - values[0])) {
    return base_fail(BASE_E_INPUT, "search: %s in [%g, %g]: needs lo < hi, finite", copy, values[0],
                     values[1]);
  }
  if (!(values[2] >= BENCH_THRESHOLD_TOLERANCE_MIN && values[2] < 1)) {
    return base_fail(BASE_E_INPUT, "search: tolerance = %g: must be in [%g, 1)", values[2],
                     BENCH_THRESHOLD_TOLERANCE_MIN);
  }
  found->parameter = copy;
  found->lo = values[0];
  found->hi = values[1];
  found->tolerance = values[2];
  return BASE_OK;
}

/* Resolve with the parameter at a value and run. */
static int run_at(const struct bench_request *request, const struct bench_threshold *s,
                  double value, double seconds, struct base_arena *arena, struct bench_job *job,
                  struct bench_outcome *out) {
  struct bench_request one = *request;
  char number[BASE_JSON_NUMBER_SIZE];
  if (bench_threshold_is_step(request)) {
    one.has_dt = 1;
    one.dt = value;
  } else if (one.n_set == BENCH_PAIRS_MAX) {
    return base_fail(BASE_E_INPUT, "search: more than %d --set", BENCH_PAIRS_MAX - 1);
  } else {
    one.set[one.n_set++] =
        base_arena_printf(arena, "%s=%s", s->parameter, base_json_number(value, number));
  }
  one.time_limit = isfinite(seconds) ? seconds : 0; /* 0: none */
  const int status = bench_job_resolve(&one, arena, job);
  return status != BASE_OK ? status : bench_run(job, arena, out);
}

static int run_trial(const struct bench_request *request, double value, double seconds,
                     struct base_arena *arena, struct bench_threshold *s) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct bench_job job;
  struct bench_outcome out;
  int status = run_at(request, s, value, seconds, arena, &job, &out);
  if (status == BASE_OK) {
    const int i = s->trials.n++;
    s->trials.value[i] = value;
    s->trials.status[i] = out.status;
    s->trials.measured[i] = NAN;
    if (!s->condition.of_status) {
      cJSON *record = bench_record(&job, &out);
      status = bench_condition_measure(&s->condition, record, &s->trials.measured[i]);
      cJSON_Delete(record);
    }
  }
  base_arena_release(arena, mark);
  return status;
}

static int check_request(const struct bench_request *request, const struct bench_threshold *s) {
  const size_t length = strlen(s->parameter);
  if (bench_threshold_is_step(request) && request->has_dt) {
    return base_fail(BASE_E_INPUT, "search: dt is what is sought; give no --dt");
  }
  if (bench_threshold_is_step(request) && !(s->lo > 0)) {
    return base_fail(BASE_E_INPUT, "search: dt in [%g, %g] s: needs lo > 0", s->lo, s->hi);
  }
  for (int i = 0; i < request->n_set; ++i) {
    if (strncmp(request->set[i], s->parameter, length) == 0 && request->set[i][length] == '=') {
      return base_fail(BASE_E_INPUT, "search: %s is what is sought; give no --set %s", s->parameter,
                       request->set[i]);
    }
  }
  if (bench_request_is_of_one_run(request)) {
    return base_fail(
        BASE_E_INPUT,
        "search: of many runs neither problems, nor checkpoints, nor pictures are kept");
  }
  return BASE_OK;
}

static void explain(const struct bench_threshold *s, struct bench_outcome *out) {
  if (s->trials.status[s->trials.n - 1] == BASE_TIMEOUT) {
    out->status = BASE_TIMEOUT;
    snprintf(out->reason, sizeof out->reason,
             "the search took longer than its time limit; trials: %d", s->trials.n);
  } else if (isnan(s->holds) || isnan(s->fails)) {
    char before[160];
    snprintf(before, sizeof before, "%.150s", out->reason);
    snprintf(out->reason, sizeof out->reason, "search: the condition %s at both ends%s%s",
             isnan(s->fails) ? "holds" : "fails", before[0] != '\0' ? ": " : "", before);
  }
}

int bench_threshold(const struct bench_request *request, struct base_arena *arena,
                    struct bench_job *job, struct bench_outcome *outcome) {
  struct bench_threshold *s = base_arena_push(arena, sizeof *s);
  const double begin = base_clock_now();
  *s = (struct bench_threshold){.parameter = "", .text = base_arena_copy(arena, request->until)};
  int status = parse_range(request->threshold, arena, s);
  status = status != BASE_OK ? status : bench_condition_parse(request->until, &s->condition);
  status = status != BASE_OK ? status : check_request(request, s);
  status = status != BASE_OK ? status : bench_job_resolve(request, arena, job);
  const struct bench_job asked = status == BASE_OK ? *job : (struct bench_job){0};
  for (double value = bench_threshold_next(s); status == BASE_OK && !isnan(value);
       value = bench_threshold_next(s)) {
    const double left =
        request->time_limit > 0 ? request->time_limit - (base_clock_now() - begin) : INFINITY;
    status = run_trial(request, value, fmax(left, LEAST_LIMIT), arena, s);
  }
  if (status == BASE_OK) {
    status = run_at(request, s, isnan(s->holds) ? s->lo : s->holds, request->time_limit, arena, job,
                    outcome);
  }
  if (status == BASE_OK) {
    job->command = asked.command;
    job->identity = asked.identity;
    job->key = asked.key;
    explain(s, outcome);
    outcome->threshold = s;
    outcome->timing.total = base_clock_now() - begin;
  }
  return status;
}
