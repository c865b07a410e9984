/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The observer of a case (cases/case.h): what a case adds up over the steps for `observables` in
 * its records.
 */
#include "base/status.h"
#include "bench/run/listener.h"

static int step(void *data, struct bench_run *run) {
  const struct case_observer *observer = run->instance->observer;
  (void)data;
  observer->accumulate(observer->data, run->m,
                       &(struct case_moment){.t = run->state.t,
                                             .q = run->state.q,
                                             .u = run->state.u,
                                             .carrying = run->report->n_carrying});
  return BASE_OK;
}

/* A run that never took place has observed nothing. */
static int end(void *data, struct bench_run *run) {
  (void)data;
  run->out->observer = run->workspace != NULL ? run->instance->observer : NULL;
  return BASE_OK;
}

static void pass(void *data, struct base_blob *blob) {
  const struct bench_run *run = data;
  const struct case_observer *observer = run->instance->observer;
  observer->checkpoint(observer->data, blob);
}

void bench_observer_listen(struct bench_run *run) {
  if (run->instance->observer != NULL) {
    bench_run_listen(run, (struct bench_listener){.data = run,
                                                  .on = {[BENCH_STEP] = step, [BENCH_END] = end},
                                                  .pass = pass});
  }
}
