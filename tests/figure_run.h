/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures from real runs in memory: every run of a figure's plan, recorded, and its make() on them.
 */
#ifndef TESTS_FIGURE_RUN_H
#define TESTS_FIGURE_RUN_H

#include "bench/figure/figure.h"
#include "bench/figure/file.h"

/* A figure as its file has it, and its runs. */
struct figure_plan {
  const struct bench_figure *file;
  struct figure figure;
  int n;
  struct case_run *runs;          /* n */
  const char **set;               /* n, "key=value key=value" */
  struct bench_figure_run *cells; /* n */
};
/* A failed check where it cannot be read. */
struct figure_plan figure_plan_of(const char *id, struct base_arena *arena);

struct figure_run {
  struct base_arena *arena;
  const struct figure *figure;
  const struct case_parameters *p;
  int n;
  struct case_series *series; /* n, with their records */
};

/* Failures are reported as failed checks. Runs are without a reference: a figure that shows errors
 * fails. */
struct figure_run figure_run_of(const char *figure);
struct figure_run figure_run_with_errors(const char *figure);
/* The same with runs that end at t_end [s] if they are longer. */
struct figure_run figure_run_until(const char *figure, double t_end);
/* make() into a plot without files, which lives in the run's arena. Its status. */
int figure_run_judge(const struct figure_run *run, struct case_plot *plot);
/* make() must succeed, and every check with it. */
void figure_run_passes(const struct figure_run *run);
void figure_run_free(struct figure_run *run);

#endif
