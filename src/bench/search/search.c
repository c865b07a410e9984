/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searches; see search.h.
 */
#include "bench/search/search.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/asked.h"
#include "bench/outcome/searches.h"
#include "bench/record/record.h"
#include "bench/repeat/repeat.h"

/* The job with the parameter at a value. */
static int resolve_at(const struct bench_request *request, const struct bench_search *s,
                      double value, double seconds, struct base_arena *arena,
                      struct bench_job *job) {
  struct bench_request one = *request;
  char number[BASE_JSON_NUMBER_SIZE];
  one.search = one.until[0] = one.until[1] = NULL;
  one.time_limit = seconds;
  if (bench_search_is_of_step(&s->asked)) {
    one.dt = value;
  } else {
    base_words_add(
        &one.set,
        base_arena_printf(arena, "%s=%s", s->asked.parameter, base_json_number(value, number)),
        arena);
  }
  return bench_job_resolve(&one, arena, job);
}

/* A trial of which nothing but its answers is left. */
static int run_trial(const struct bench_request *request, double value, double seconds,
                     struct base_arena *arena, struct bench_search *s) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct bench_job job;
  struct bench_outcome out;
  int status = resolve_at(request, s, value, seconds, arena, &job);
  if (status == BASE_OK) {
    bench_search_spare(s, &job);
    status = bench_run(&job, arena, &out);
  }
  if (status == BASE_OK) {
    cJSON *record = bench_record(&job, &out);
    status = bench_search_note(s, value, out.status, record);
    cJSON_Delete(record);
  }
  base_arena_release(arena, mark);
  return status;
}

static void explain(const struct bench_search *s, struct bench_outcome *out) {
  const struct bench_sought *last = &s->sought[s->asked.n - 1];
  char text[80], before[160];
  snprintf(before, sizeof before, "%.150s", out->reason);
  if (s->trials.status[s->trials.n - 1] == BASE_TIMEOUT) {
    out->status = BASE_TIMEOUT;
    snprintf(out->reason, sizeof out->reason,
             "the search took longer than its time limit; trials: %d", s->trials.n);
  } else if (out->status != BASE_UNSUPPORTED && (isnan(last->holds) || isnan(last->fails))) {
    snprintf(text, sizeof text, "search: the condition %s at both ends",
             isnan(last->fails) ? "holds" : "fails");
    snprintf(out->reason, sizeof out->reason, "%s%s%s", text, before[0] != '\0' ? ": " : "",
             before);
  }
}

int bench_search(struct bench_job *job, struct base_arena *arena, struct bench_outcome *outcome) {
  const double begin = base_clock_now();
  const struct bench_request *request = job->request;
  const struct bench_job asked = *job;
  struct bench_search *s = base_arena_push(arena, sizeof *s);
  *s = (struct bench_search){.asked = *job->search};
  int status = bench_search_read_conditions(s);
  for (double value = bench_search_next(s); status == BASE_OK && !isnan(value);
       value = bench_search_next(s)) {
    status = run_trial(request, value, bench_request_left(request, begin), arena, s);
  }
  const double found = s->sought[s->asked.n - 1].holds;
  if (status == BASE_OK) {
    status =
        resolve_at(request, s, isnan(found) ? s->asked.lo : found, request->time_limit, arena, job);
  }
  if (status == BASE_OK) {
    job->command = asked.command;
    job->identity = asked.identity;
    job->key = asked.key;
    status = bench_run_repeatedly(job, arena, outcome);
  }
  if (status == BASE_OK) {
    outcome->search = s;
    explain(s, outcome);
    bench_quality_judge(outcome);
    outcome->timing.total = base_clock_now() - begin;
  }
  return status;
}
