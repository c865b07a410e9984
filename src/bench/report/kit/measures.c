/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of a run beside what its record says: whether its error counts, and from where on;
 * the energy that drifts are over; how far noise may have moved its time.
 *
 * Errors below BOUND_FACTOR times the reference's own bound measure the reference, and those of the
 * size of rounding measure that: no slope uses them.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/report.h"

int report_has_errors(const struct report_record *r) {
  return r->status == BASE_OK || r->status == BASE_UNCONVERGED;
}

static const double BOUND_FACTOR = 10;
/* No slope uses drifts below, nor errors below this part of the largest coordinate or of the speed:
 * sums of up to a million rounded terms. */
static const double ROUNDING = 1e-12;

/* A run of the formulation that its own reference comes from has no error to show. */
int report_is_reference(const struct report_record *r) {
  return strcmp(base_json_text_at(report_json(r), "reference.kind"), "self") == 0;
}

double report_error_floor(const struct report_record *r) {
  const double bound = base_json_real_at(report_json(r), "reference.bound");
  double largest = 0;
  const cJSON *number;
  cJSON_ArrayForEach(number, base_json_at(report_json(r), "final.q")) {
    largest = fmax(largest, fabs(number->valuedouble));
  }
  return isfinite(bound) ? fmax(BOUND_FACTOR * bound, ROUNDING * largest) : ROUNDING * largest;
}

/* Of equal runs of many suites on a machine with several jobs a core 99 of 100 pairs of processor
 * times agree within twice this: caches that others have emptied, pages that are new. */
static const double NOISE_SHARE = 0.075, NOISE_TIME = 5e-5; /* [-], [s] */

double report_time_bound(const struct report_record *r, int upper) {
  const double quartile = base_json_real_at(report_json(r), upper ? "timing.repeats.quartile_3_s"
                                                                  : "timing.repeats.quartile_1_s");
  const double time = base_json_real_at(report_json(r), "timing.steps_s");
  return isfinite(quartile) ? quartile
         : upper            ? time * (1 + NOISE_SHARE) + NOISE_TIME
                            : (time - NOISE_TIME) / (1 + NOISE_SHARE);
}

double report_energy_scale(const cJSON *record) {
  /* The first two depend on where the potential is zero, and may be nothing but drift. */
  static const char *const parts[] = {"energy.initial", "energy.final", "energy.budget.friction",
                                      "energy.budget.impact", "energy.max_kinetic"};
  double scale = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    const double x = fabs(base_json_real_at(record, parts[i]));
    scale = x > scale ? x : scale;
  }
  return scale;
}

double report_relative_drift(const cJSON *record) {
  const double scale = report_energy_scale(record);
  return scale > 0 ? base_json_real_at(record, "energy.max_numerical_drift") / scale : NAN;
}
