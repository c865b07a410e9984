/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Outcomes of runs that measured nothing; see run.h.
 */
#include <math.h>
#include <stdio.h>

#include "bench/run/run.h"

void bench_outcome_void(struct bench_outcome *out) {
  out->errors.q_linf = out->errors.q_l2 = out->errors.q_final = out->errors.u_hausdorff = NAN;
  out->energy.final = out->energy.friction = out->energy.impact = NAN;
  out->energy.damping = out->energy.applied = out->energy.injected = NAN;
  out->energy.numerical = NAN;
  out->energy.max_numerical_drift = out->energy.max_increase = out->energy.max_kinetic = NAN;
  out->constraints.position_max = out->constraints.velocity_max = NAN;
  out->constraints.penetration_max = out->constraints.gap_drift = NAN;
  out->constraints.dependent = NAN;
  out->law.residual_max = out->law.residual_p50 = out->law.relative_b_max = NAN;
  out->law.signorini = out->law.cone = out->law.angle = out->law.dissipation_shortfall = NAN;
  out->law.duality_gap = out->law.objective = NAN;
  out->law.at_step = 0;
  out->law.at_contact = -1;
  out->iterations.mean = out->iterations.p95 = out->iterations.newton = NAN;
  out->contacts.mean = NAN;
}

void bench_outcome_end_early(struct bench_outcome *out, int status, const char *reason) {
  *out = (struct bench_outcome){.status = status, .t = NAN};
  snprintf(out->reason, sizeof out->reason, "%s", reason);
  out->reference.kind = "none";
  out->reference.bound = NAN;
  snprintf(out->reference.reason, sizeof out->reference.reason, "the run did not end");
  bench_outcome_void(out);
  out->energy.initial = NAN;
}
