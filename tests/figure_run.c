/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/figure_run.h"

#include "base/json/json.h"
#include "base/status.h"
#include "bench/record/record.h"
#include "bench/suite/bench.h"
#include "tests/scratch.h"
#include "tests/test.h"

#include <math.h>

struct figure_plan figure_plan_of(const char *id, struct base_arena *arena) {
  struct figure_plan plan = {.file = bench_figure_find(id, NULL)};
  const int status = plan.file != NULL ? figure_read(plan.file, arena, &plan.figure) : BASE_E_INPUT;
  CHECK_MESSAGE(status == BASE_OK, "%s: %s", id, base_message());
  plan.n = plan.figure.n_runs;
  plan.cells = plan.figure.runs;
  plan.runs = base_arena_push(arena, ((size_t)plan.n + 1) * sizeof *plan.runs);
  plan.set = base_arena_push(arena, ((size_t)plan.n + 1) * sizeof *plan.set);
  for (int i = 0; i < plan.n; ++i) {
    const struct bench_request *request = &plan.cells[i].cell.request;
    plan.runs[i] = plan.cells[i].run;
    plan.set[i] = "";
    for (int k = 0; k < request->set.n; ++k) {
      plan.set[i] =
          base_arena_printf(arena, "%s%s%s", plan.set[i], k > 0 ? " " : "", request->set.word[k]);
    }
  }
  return plan;
}

/* The record of one run of the plan up to t_end, or an empty object with a failed check. */
static cJSON *record_of(const struct bench_figure_run *run, int with_errors, double t_end) {
  struct base_arena *arena = base_arena_alloc();
  struct bench_request request = run->cell.request;
  struct bench_job job;
  struct bench_outcome outcome;
  cJSON *record = NULL;
  request.references = base_arena_copy(arena, scratch_path("references")); /* each is made once */
  if (bench_job_resolve(&request, arena, &job) == BASE_OK) {
    job.compared = with_errors ? BENCH_COMPARED_ALL : BENCH_COMPARED_NOT;
    job.t_end = fmin(job.t_end, t_end);
    if (bench_carry_out(&request, arena, &job, &outcome) == BASE_OK) {
      record = bench_record(&job, &outcome);
    }
  }
  CHECK_MESSAGE(record != NULL, "%s: %s", run->run.label, base_message());
  base_arena_free(arena);
  return record != NULL ? record : cJSON_CreateObject();
}

static struct figure_run run_figure(const char *id, int with_errors, double t_end) {
  struct figure_run run = {.arena = base_arena_alloc()};
  struct figure_plan *plan = base_arena_push(run.arena, sizeof *plan);
  *plan = figure_plan_of(id, run.arena);
  run.figure = &plan->figure;
  run.p = case_parameters_load(plan->file->type, run.arena);
  run.n = plan->n;
  run.series = base_arena_push(run.arena, ((size_t)run.n + 1) * sizeof *run.series);
  for (int i = 0; i < run.n; ++i) {
    const cJSON *record = record_of(&plan->cells[i], with_errors, t_end);
    CHECK_MESSAGE(bench_series_from_record(record, "record", &plan->runs[i], run.arena,
                                           &run.series[i]) == BASE_OK,
                  "%s: %s", plan->runs[i].label, base_message());
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
  CHECK_OK(case_plot_init(plot, NULL, run->arena));
  return figure_make(run->figure, run->p, run->series, run->n, plot);
}

void figure_run_passes(const struct figure_run *run) {
  struct case_plot plot;
  CHECK_OK(figure_run_judge(run, &plot));
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
