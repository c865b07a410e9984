/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Outcomes of runs that measured nothing; see run.h.
 */
#include <math.h>
#include <stdio.h>

#include "bench/record/fields.h"
#include "bench/run/run.h"

void bench_outcome_void(struct bench_outcome *out) {
  bench_fields_void(out);
  out->law.at_step = 0;
  out->law.at_contact = -1;
}

void bench_outcome_end_early(struct bench_outcome *out, int status, const char *reason) {
  *out = (struct bench_outcome){.status = status, .t = NAN};
  snprintf(out->reason, sizeof out->reason, "%s", reason);
  out->reference.kind = "none";
  out->reference.bound = out->reference.until = NAN;
  snprintf(out->reference.reason, sizeof out->reference.reason, "the run did not end");
  bench_outcome_void(out);
  out->energy.initial = out->stable_dt = out->stiffness = NAN;
  out->start.gap_min = out->start.g_S_max = out->start.gamma_S_max = NAN;
  out->energy_errors.kind = "none";
  out->quality.length = NAN;
  bench_quality_judge(out);
}
