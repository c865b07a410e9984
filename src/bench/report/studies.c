/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The studies that a suite asks for (all without a suite), in its order.
 *
 * Errors below BOUND_FACTOR times the reference's own bound measure the reference, and those of the
 * size of rounding measure that: no slope uses them.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"

static const double BOUND_FACTOR = 10;
/* No slope uses drifts below, nor errors below this part of the largest coordinate or of the speed:
 * sums of up to a million rounded terms. */
static const double ROUNDING = 1e-12;

/* A run of the formulation that its own reference comes from has no error to show. */
int report_is_reference(const struct report_record *r) {
  return strcmp(base_json_text_at(r->json, "reference.kind"), "self") == 0;
}

double report_error_floor(const struct report_record *r) {
  const double bound = base_json_real_at(r->json, "reference.bound");
  double largest = 0;
  const cJSON *number;
  cJSON_ArrayForEach(number, base_json_at(r->json, "final.q")) {
    largest = fmax(largest, fabs(number->valuedouble));
  }
  return isfinite(bound) ? fmax(BOUND_FACTOR * bound, ROUNDING * largest) : ROUNDING * largest;
}

/* ---- the studies ---- */

/* Those that say "make". */
static const struct {
  const char *name;
  int (*make)(struct report *report, const struct bench_figure *study);
} makers[] = {{"overview", report_overview_make}};

static int draw(struct report *report, const struct bench_figure *study) {
  const char *make = base_json_text_at(study->json, "make");
  for (size_t i = 0; i < sizeof makers / sizeof *makers; ++i) {
    if (strcmp(makers[i].name, make) == 0) {
      return makers[i].make(report, study);
    }
  }
  return make[0] == '\0'
             ? report_study_draw(report, study)
             : base_fail(BASE_E_INPUT, "%s: key 'make': the report has no '%s'", study->path, make);
}

int report_study_ratios(struct report *report) {
  static const struct bench_figure ratios = {
      .id = "overview", .title = "Against the other run", .caption = ""};
  return report_overview_make(report, &ratios);
}

int report_studies(struct report *report) {
  report->studies = cJSON_CreateArray();
  int status = base_file_make_folder(base_arena_printf(report->arena, "%s/report", report->output));
  int n = 0;
  const struct bench_figure *all = report->suite == NULL ? bench_studies(&n) : NULL;
  if (report->suite == NULL && all == NULL) {
    return BASE_E_INPUT;
  }
  n = report->suite != NULL ? report->suite->n_studies : n;
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    const struct bench_figure *study = report->suite != NULL ? report->suite->studies[i] : &all[i];
    status = bench_study_has_gaps(study) ? BASE_OK : draw(report, study);
  }
  return status == BASE_OK ? report_sheets_conclude(report) : status;
}
