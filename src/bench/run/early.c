/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Outcomes of runs that measured nothing; see run.h.
 */
#include <math.h>
#include <stdio.h>

#include "bench/run/outcome.h"

void bench_outcome_void(struct bench_outcome *out) {
  const double initial = out->energy.initial;
  out->energy = (struct bench_energy){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  out->energy.initial = initial;
  out->constraints = (struct bench_constraints){NAN, NAN, NAN, NAN, NAN};
  out->law = (struct bench_law){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, -1};
  out->iterations.mean = out->iterations.p95 = out->iterations.newton = NAN;
  out->contacts.mean = out->contacts.phases = out->contacts.capped = NAN;
  out->synchronous.max_drift = NAN;
  out->momentum = (struct bench_momentum){NAN, NAN, NAN, NAN, NAN};
  out->rest = (struct bench_rest){NAN, NAN};
  out->timing.step_p50 = out->timing.step_p95 = out->timing.step_max = NAN;
  out->errors = bench_no_errors();
  out->energy_errors = bench_no_energy_errors();
}

void bench_outcome_end_early(struct bench_outcome *out, int status, const char *reason) {
  *out = (struct bench_outcome){.status = status, .t = NAN};
  snprintf(out->reason, sizeof out->reason, "%s", reason);
  out->reference = bench_no_reference("the run did not end");
  bench_outcome_void(out);
  out->energy.initial = out->told.stable_dt = out->told.stiffness = NAN;
  out->start.gap_min = out->start.g_S_max = out->start.gamma_S_max = NAN;
  out->quality.length = NAN;
  bench_quality_judge(out);
}
