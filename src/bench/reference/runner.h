/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One integration of a job's case by the formulation `event`, for references: from the case's start
 * or from a state put in its place, to one time after the other.
 */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include "base/bytes/blob.h"
#include "bench/outcome/outcome.h"

struct bench_runner {
  const struct bench_job *job;
  const struct form *event;
  struct case_instance instance;
  void *workspace;
  struct form_state state;     /* may be changed before any step */
  double work[BENCH_CHANNELS]; /* so far [J] */
  struct base_arena *arena;
  double rtol, deadline;
};

/* At the start of the job's case, with `event`'s default relative tolerance for tighter < 0, as
 * bench_motion_make for others; dt: about how far is gone at once [s]. BASE_OK, or why it cannot be
 * run, with a message; bench_runner_end in either case. */
int bench_runner_begin(const struct bench_job *job, int tighter, double dt, double deadline,
                       struct base_arena *arena, struct bench_runner *r);
void bench_runner_end(struct bench_runner *r);
/* On to time t. report: of the step, or zero where there is none to take. */
int bench_runner_go(struct bench_runner *r, double t, struct form_report *report);
/* All that it goes on from, there or back. */
void bench_runner_pass(struct bench_runner *r, struct base_blob *blob);
/* An empty path with room for n states, and the present one appended. */
void bench_runner_path(const struct bench_runner *r, int n, struct bench_path *path,
                       struct base_arena *arena);
void bench_runner_observe(const struct bench_runner *r, struct bench_path *path);

#endif
