/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/figure_run.h"

#include "base/json/json.h"
#include "base/status.h"
#include "bench/record/record.h"
#include "bench/suite/bench.h"
#include "tests/scratch.h"
#include "tests/test.h"

#include <math.h>

/* The record of one run of the plan up to t_end, or an empty object with a failed check. */
static cJSON *record_of(const struct case_type *type, const struct case_run *plan, int with_errors,
                        double t_end, struct base_arena *keep) {
  struct base_arena *arena = base_arena_alloc();
  struct bench_request request;
  struct bench_job job;
  struct bench_outcome outcome;
  cJSON *record = NULL;
  const int status = bench_figure_request(type, plan, keep, &request);
  request.references = base_arena_copy(arena, scratch_path("references")); /* each is made once */
  if (status == BASE_OK && bench_job_resolve(&request, arena, &job) == BASE_OK) {
    job.skips_reference = !with_errors;
    job.t_end = fmin(job.t_end, t_end);
    if (bench_carry_out(&request, arena, &job, &outcome) == BASE_OK) {
      record = bench_record(&job, &outcome);
    }
  }
  CHECK_MESSAGE(record != NULL, "%s: %s", plan->label, base_message());
  base_arena_free(arena);
  return record != NULL ? record : cJSON_CreateObject();
}

static struct figure_run run_figure(const char *figure, int with_errors, double t_end) {
  struct figure_run run = {.arena = base_arena_alloc()};
  const struct case_type *type = NULL;
  struct case_run plan;
  run.figure = bench_figure_find(figure, &type);
  run.p = case_parameters_load(type, run.arena);
  while (case_figure_run(run.figure, run.p, run.n, &plan)) {
    ++run.n;
  }
  struct case_run *plans = base_arena_push(run.arena, (size_t)run.n * sizeof *plans);
  run.series = base_arena_push(run.arena, (size_t)run.n * sizeof *run.series);
  for (int i = 0; i < run.n; ++i) {
    case_figure_run(run.figure, run.p, i, &plans[i]);
    const cJSON *record = record_of(type, &plans[i], with_errors, t_end, run.arena);
    CHECK_MESSAGE(
        bench_series_from_record(record, "record", &plans[i], run.arena, &run.series[i]) == BASE_OK,
        "%s: %s", plans[i].label, base_message());
  }
  return run;
}

struct figure_run figure_run_of(const char *figure) {
  return run_figure(figure, 0, INFINITY);
}

struct figure_run figure_run_with_errors(const char *figure) {
  return run_figure(figure, 1, INFINITY);
}

struct figure_run figure_run_until(const char *figure, double t_end) {
  return run_figure(figure, 0, t_end);
}

int figure_run_judge(const struct figure_run *run, struct case_plot *plot) {
  CHECK_INT(case_plot_init(plot, NULL, run->arena), BASE_OK);
  return case_figure_make(run->figure, run->p, run->series, run->n, plot);
}

void figure_run_passes(const struct figure_run *run) {
  struct case_plot plot;
  CHECK_MESSAGE(figure_run_judge(run, &plot) == BASE_OK, "%s", base_message());
  CHECK(plot.n_checks > 0 && plot.n_tables > 0);
  for (int i = 0; i < plot.n_checks; ++i) {
    const struct case_checked *c = &plot.checks[i];
    CHECK_MESSAGE(c->verdict != CASE_FAILED, "%s: %g in [%g, %g]", c->what, c->measured,
                  c->claim.lo, c->claim.hi);
  }
}

void figure_run_free(struct figure_run *run) {
  for (int i = 0; i < run->n; ++i) {
    cJSON_Delete((cJSON *)run->series[i].record);
  }
  base_arena_free(run->arena);
}
