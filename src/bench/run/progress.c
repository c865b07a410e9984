/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a single run shows of itself while it is under way: on a terminal, a line on standard error
 * that rewrites itself and is gone at the end. Elsewhere nothing.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/run/listener.h"

/* [s]: runs of less show nothing; then smooth to the eye, and free of cost. */
static const double PATIENCE = 0.7, REDRAW_INTERVAL = 0.25;

struct progress {
  double begin, drawn;
};

static int begin(void *data, struct bench_run *run) {
  struct progress *p = data;
  (void)run;
  p->begin = base_clock_now();
  p->drawn = p->begin + PATIENCE - REDRAW_INTERVAL;
  return 0;
}

static int step(void *data, struct bench_run *run) {
  struct progress *p = data;
  const double now = base_clock_now();
  if (now - p->drawn > REDRAW_INTERVAL) {
    const double part = (double)run->taken / (double)(run->steps > 0 ? run->steps : 1);
    fprintf(stderr, "\rstep %ld of %ld, t = %.3g s, %.0f %%, about %.0f s left\033[K", run->taken,
            run->steps, run->state.t, 100 * part,
            part > 0 ? bench_run_spent(run).wall * (1 - part) / part : 0);
    fflush(stderr);
    p->drawn = now;
  }
  return 0;
}

static int end(void *data, struct bench_run *run) {
  const struct progress *p = data;
  (void)run;
  if (p->drawn > p->begin + PATIENCE) {
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
  }
  return 0;
}

void bench_progress_listen(struct bench_run *run) {
  if (run->job->request->shows_progress && isatty(STDERR_FILENO)) {
    bench_run_listen(run,
                     (struct bench_listener){
                         .data = base_arena_push(run->arena, sizeof(struct progress)),
                         .on = {[BENCH_START] = begin, [BENCH_STEP] = step, [BENCH_END] = end}});
  }
}
