/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One integration of a job's case by the formulation `event`, for references: from the case's start
 * or from a state put in its place, to one time after the other.
 */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "base/bytes/blob.h"
#include "bench/job/job.h"
#include "bench/outcome/path.h"

/* How `event` is to integrate. */
struct bench_integration {
  const struct bench_job *job;
  /* Its relative tolerance is its default, or the job's if that is tighter, times 0.1 to this
   * power; -1: the default. */
  int tightenings;
  double deadline; /* base/clock.h */
  struct base_arena *arena;
};

struct bench_runner {
  const struct form *event;
  struct case_instance instance;
  void *workspace;
  struct form_state state;     /* may be changed before any step */
  double work[BENCH_CHANNELS]; /* so far [J] */
  struct bench_integration by;
  double rtol;
};

/* Begin at the start of the job's case; dt: approximate length of a call of bench_runner_go [s].
 * BASE_OK, or a status with a message; call bench_runner_end in either case. */
int bench_runner_begin(const struct bench_integration *by, double dt, struct bench_runner *r);
void bench_runner_end(struct bench_runner *r);
/* Advance to time t. report: of the step, or zero without a step. */
int bench_runner_go(struct bench_runner *r, double t, struct form_report *report);
/* Save or restore its state. */
void bench_runner_pass(struct bench_runner *r, struct base_blob *blob);
/* An empty path with room for n states, and the present one appended. */
void bench_runner_path(const struct bench_runner *r, int n, struct bench_path *path);
void bench_runner_observe(const struct bench_runner *r, struct bench_path *path);

#endif
