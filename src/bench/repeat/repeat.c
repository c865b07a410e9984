/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times of a run, taken again and again. A single time is that of a machine that does other things
 * too, of cold caches, and for a run of milliseconds of the clock's own cost. So where a job asks
 * for N repeats there are N times, each the mean of as many whole runs as last LEAST_TIME together;
 * the record holds all of them, in the order taken, with their median and quartiles. The first run,
 * cold, is part of the first.
 *
 * Each run but the first is one without a reference, in memory of its own that is used again. What
 * it measures must be what the first measured, bit by bit, or the job has failed: a result that
 * differs from run to run is none. A run that did not get to its end is not repeated.
 */
#include "bench/repeat/repeat.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "bench/record/record.h"
#include "bench/run/run.h"

/* Of each time [s]: a switch to another process, some milliseconds, is then a percent or so. */
static const double LEAST_TIME = 0.2;
/* Whole runs each time, where building the model takes far longer than the steps. */
enum { RUNS_MAX = 10000 };
/* Times of which quartiles are told. */
enum { QUARTILES_MIN = 3 };

struct repeating {
  struct bench_job job;     /* of the repeats */
  struct base_arena *arena; /* theirs */
  cJSON *first;             /* what the first run measured */
  double deadline;          /* base/clock.h */
  struct bench_outcome *out;
};

/* Path of the first value, within blocks that both have, in which two records differ. */
static void find_difference(const cJSON *a, const cJSON *b, size_t size, char *path) {
  const cJSON *item;
  path[0] = '\0';
  cJSON_ArrayForEach(item, a) {
    const cJSON *other = cJSON_GetObjectItemCaseSensitive(b, item->string);
    if (base_json_same(item, other)) {
      continue;
    }
    const int n = snprintf(path, size, "%s", item->string);
    if (cJSON_IsObject(item) && cJSON_IsObject(other) && n + 1 < (int)size) {
      path[n] = '.';
      find_difference(item, other, size - (size_t)n - 1, path + n + 1);
    }
    return;
  }
}

/* The result is none. */
static void fail(struct repeating *r, int repeat, const cJSON *record) {
  struct bench_outcome *out = r->out;
  char path[100];
  find_difference(r->first, record, sizeof path, path);
  out->status = BASE_FAILED;
  snprintf(out->reason, sizeof out->reason,
           "repeat %d of %d: %s is not that of the first run to the last bit", repeat + 1,
           r->job.request->repeat, path);
  bench_quality_judge(out);
}

/* One more run, whose times are added. 0 where it does not count and is the last: time or memory is
 * up, or it differs. */
static int run_again(struct repeating *r, int repeat, double *steps) {
  struct bench_outcome out;
  if (r->deadline > 0) {
    r->job.time_limit = r->deadline - base_clock_now();
    if (!(r->job.time_limit > 0)) {
      return 0;
    }
  }
  const struct base_arena_mark mark = base_arena_mark(r->arena);
  const int status = bench_run(&r->job, r->arena, &out);
  int counts = status == BASE_OK && out.status != BASE_TIMEOUT && out.status != BASE_UNSUPPORTED;
  if (counts) {
    cJSON *record = bench_record_of_repeat(&r->job, &out);
    if (base_json_same(r->first, record)) {
      *steps += out.timing.steps;
    } else {
      fail(r, repeat, record);
      counts = 0;
    }
    cJSON_Delete(record);
  }
  base_arena_release(r->arena, mark);
  return counts;
}

/* All times; the first run is done, and is what steps[0] holds. One that is cut short is
 * left out, unless there were none without it. */
static void take_times(struct repeating *r) {
  struct bench_repeats *times = &r->out->timing.repeats;
  int goes_on = 1;
  times->n = 0;
  for (int i = 0; i < r->job.request->repeat && goes_on; ++i) {
    double steps = i == 0 ? times->steps[0] : 0;
    int done = i == 0;
    while (steps < LEAST_TIME && done < RUNS_MAX && goes_on) {
      goes_on = run_again(r, i, &steps);
      done += goes_on;
    }
    if (goes_on || i == 0) {
      times->runs[times->n] = done;
      times->steps[times->n++] = steps / done;
    }
  }
}

static double quantile_of(int n, const double *x, double p) {
  struct bench_series series = {0};
  for (int i = 0; i < n; ++i) {
    bench_series_add(&series, x[i]);
  }
  const double quantile = bench_series_quantile(&series, p);
  bench_series_free(&series);
  return quantile;
}

static void summarise(struct bench_outcome *out) {
  struct bench_repeats *times = &out->timing.repeats;
  const int has_quartiles = times->n >= QUARTILES_MIN;
  out->timing.steps = quantile_of(times->n, times->steps, 0.5);
  times->q1 = has_quartiles ? quantile_of(times->n, times->steps, 0.25) : NAN;
  times->q3 = has_quartiles ? quantile_of(times->n, times->steps, 0.75) : NAN;
}

int bench_run_repeatedly(const struct bench_job *job, struct base_arena *arena,
                         struct bench_outcome *outcome) {
  const double begin = base_clock_now();
  const int status = bench_run(job, arena, outcome);
  if (status != BASE_OK || outcome->steps == 0) {
    return status;
  }
  struct bench_repeats *times = &outcome->timing.repeats;
  const int most = job->request->repeat > 1 ? job->request->repeat : 1;
  times->n = 1;
  times->runs = base_arena_doubles(arena, most);
  times->steps = base_arena_doubles(arena, most);
  times->runs[0] = 1;
  times->steps[0] = outcome->timing.steps;
  if (job->request->repeat > 0 && outcome->t >= job->t_end) {
    struct repeating r = {.job = *job,
                          .arena = base_arena_child(arena),
                          .first = bench_record_of_repeat(job, outcome),
                          .deadline = base_clock_deadline(job->time_limit),
                          .out = outcome};
    r.job.compared = BENCH_COMPARED_NOT;
    take_times(&r);
    cJSON_Delete(r.first);
    base_arena_empty(r.arena);
  }
  summarise(outcome);
  outcome->timing.total = base_clock_now() - begin;
  return BASE_OK;
}
