/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of listeners of a run; see listener.h.
 */
#include "bench/run/listener.h"

#include <assert.h>
#include <math.h>

void bench_run_listen(struct bench_run *run, struct bench_listener listener) {
  assert(run->n_listeners < BENCH_LISTENERS_MAX);
  run->listeners[run->n_listeners++] = listener;
}

long bench_run_stride(const struct bench_run *run, double every) {
  return lrint(fmin(fmax(1, every / run->job->dt), (double)run->steps + 1));
}
