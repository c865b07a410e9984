/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a run ended: its status with the reason, and the state it came to; see listener.h.
 */
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "bench/run/listener.h"
#include "la/dense.h"

void bench_outcome_set_status(struct bench_outcome *out, int status, const char *reason) {
  out->status = status;
  snprintf(out->reason, sizeof out->reason, "%s",
           reason[0] != '\0' ? reason : base_status_meaning(status));
}

/* A run that got to the end although its step is longer than the formulation's own estimate of the
 * longest stable one: a contact that only pushes throws bodies off and nothing diverges, so that no
 * other status tells. */
static int is_unstable(const struct bench_run *run) {
  const double stable = run->out->told.stable_dt;
  return stable > 0 && fmin(run->job->dt, run->job->t_end) > stable;
}

/* What a record would have null for although the steps went on; "": nothing. */
static const char *overflow_of(const struct bench_run *run) {
  const struct bench_outcome *out = run->out;
  return !la_all_finite(out->nq, out->q)   ? "coordinates of the record are not finite"
         : !la_all_finite(out->nu, out->u) ? "velocities of the record are not finite"
         : !isfinite(run->energy) || !isfinite(out->energy.initial) ? "the energy is not finite"
                                                                    : "";
}

void bench_run_summarise(const struct bench_run *run, int is_broken) {
  struct bench_outcome *out = run->out;
  out->steps = run->taken;
  out->t = run->state.t;
  if (is_broken) {
    la_copy(out->nq, run->q_before, out->q);
    la_copy(out->nu, run->u_before, out->u);
  } else {
    bench_observe(run->m, run->state.q, run->state.u, out->q, out->u);
  }
  const char *overflow = overflow_of(run);
  if (out->status == BASE_OK && overflow[0] != '\0') {
    bench_outcome_set_status(out, BASE_DIVERGED, overflow);
  }
  if (out->status == BASE_OK && out->iterations.unconverged_steps > 0) {
    char reason[200];
    snprintf(reason, sizeof reason, "%ld of %ld steps missed the solver's tolerance",
             out->iterations.unconverged_steps, run->taken);
    bench_outcome_set_status(out, BASE_UNCONVERGED, reason);
  }
  if (out->status == BASE_OK && is_unstable(run)) {
    char reason[200];
    snprintf(reason, sizeof reason,
             "dt = %.3g s is longer than %.3g s, the longest step estimated to be stable",
             run->job->dt, out->told.stable_dt);
    bench_outcome_set_status(out, BASE_UNSTABLE, reason);
  }
}
