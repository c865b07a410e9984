/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The harness's own studies, from all records outside figures (without a suite and with no others,
 * from those). What each shows is data, scripts/plot/studies.json; here is what no query gives.
 *
 * Errors below BOUND_FACTOR times the reference's own bound measure the reference, and those of the
 * size of rounding measure that: no slope uses them.
 */
#include <math.h>
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "bench/figure/study.h"
#include "bench/report/kit/study.h"
#include "bench/report/studies/conclude.h"

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

/* ---- what scripts are told ---- */

/* How far the steps reach, and where the guide of slope 1 passes: through the middle of the errors
 * at the largest step. */
static int tell_guide(struct report_sheet *s, struct frame *all, struct frame *points) {
  (void)points;
  const struct frame *f = report_query(
      all, "[{\"filter\": [\"finished>0\", \"chooses_steps<1\"]},"
           " {\"joinaggregate\": [{\"op\": \"min\", \"field\": \"dt\", \"as\": \"dt_min\"},"
           "                    {\"op\": \"max\", \"field\": \"dt\", \"as\": \"dt_max\"}]},"
           " {\"calculate\": \"dt == dt_max && errors.q_linf > 0 ? errors.q_linf : nan\", \"as\": "
           "\"q\"},"
           " {\"calculate\": \"dt == dt_max && errors.u_hausdorff > 0 ? errors.u_hausdorff : nan\","
           "  \"as\": \"u\"},"
           " {\"aggregate\": [{\"op\": \"median\", \"field\": \"q\", \"as\": \"guide_q\"},"
           "                {\"op\": \"median\", \"field\": \"u\", \"as\": \"guide_u\"}],"
           "  \"groupby\": [\"dt_min\", \"dt_max\"]}]");
  static const char *const names[] = {"dt_min", "dt_max", "guide_q", "guide_u"};
  for (int i = 0; i < 4 && f != NULL; ++i) {
    const double x = f->n_rows > 0 ? report_real(f, 0, names[i]) : NAN;
    report_script_real(&s->script, names[i], isfinite(x) ? x : 0);
  }
  return f != NULL ? BASE_OK : BASE_E_INTERNAL;
}

/* How far the steps of the tables reach, and where drifts are rounding. */
static int tell_rounding(struct report_sheet *s, struct frame *all, struct frame *points) {
  (void)all;
  double dt_min = INFINITY, dt_max = 0;
  for (long i = 0; i < points->n_rows; ++i) {
    dt_min = fmin(dt_min, report_real(points, i, "dt"));
    dt_max = fmax(dt_max, report_real(points, i, "dt"));
  }
  report_script_real(&s->script, "dt_min", dt_min);
  report_script_real(&s->script, "dt_max", dt_max);
  report_script_real(&s->script, "rounding", ROUNDING);
  return BASE_OK;
}

/* Where errors that are rounding, or those of a reference far below all others, are drawn: below
 * the smallest of the time steppers, so that these have the axis. */
static struct report_strip strip_of(const struct frame *f) {
  static const double BELOW = 0.3, FAR = 0.01;
  double least = INFINITY;
  struct report_strip strip = {.lo = INFINITY};
  for (long i = 0; i < f->n_rows; ++i) {
    const double error = report_real(f, i, "errors.q_linf");
    strip.lo = fmin(strip.lo, error);
    if (report_real(f, i, "chooses_steps") == 0 && error > report_real(f, i, "floor")) {
      least = fmin(least, error);
    }
  }
  if (!isfinite(least) || strip.lo >= FAR * least) {
    return (struct report_strip){0};
  }
  strip.at = BELOW * least;
  for (long i = 0; i < f->n_rows; ++i) {
    const double error = report_real(f, i, "errors.q_linf");
    strip.hi = error < strip.at ? fmax(strip.hi, error) : strip.hi;
  }
  return strip;
}

/* ---- the studies ---- */

static const struct report_hooks hooks[] = {
    {"overview", .make = report_overview_make},
    {"data-profile", .make = report_data_profile_make},
    {"energy", .conclude = report_conclude_drift},
    {"energy-step", .tell = tell_rounding},
    {"order", .tell = tell_guide},
    {"work-precision", .strip = strip_of, .conclude = report_conclude_work},
    {"largest-step", .add = report_search_place, .also = report_search_csv},
    {"profile", .make = report_profile_make},
    {"race", .make = report_race_make},
    {"convergence", .make = report_convergence_make},
    {"scaling", .make = report_scaling_make},
    {"tolerance", .make = report_tolerance_make},
    {"what-is-measured", .make = report_measured_make},
    {"parameter", .make = report_parameter_make}};
enum { HOOKS = sizeof hooks / sizeof *hooks };

static struct report_study study_from(const cJSON *json) {
  static const struct report_hooks none = {.name = ""};
  struct report_study study = {.name = base_json_text_at(json, "name"),
                               .title = base_json_text_at(json, "title"),
                               .caption = base_json_text_at(json, "caption"),
                               .json = json,
                               .with = &none};
  for (int i = 0; i < HOOKS; ++i) {
    study.with = strcmp(hooks[i].name, study.name) == 0 ? &hooks[i] : study.with;
  }
  return study;
}

int report_study_ratios(struct report *report) {
  const struct report_study ratios = {
      .name = "overview", .title = "Against the other run", .caption = "", .with = &hooks[0]};
  return report_overview_make(report, &ratios);
}

const char *report_study_title(const struct report *report, const char *name) {
  const cJSON *json;
  cJSON_ArrayForEach(json, base_json_at(report->described, "studies")) {
    if (strcmp(base_json_text_at(json, "name"), name) == 0) {
      return base_json_text_at(json, "title");
    }
  }
  return name;
}

/* A study that is a file. */
static int draw_own(struct report *report, const struct bench_figure *file) {
  const struct report_study study = {
      .name = file->id, .title = file->title, .caption = file->caption};
  struct report_sheet sheet;
  struct figure read, drawn;
  int status = figure_read(file, report->arena, &read);
  status = status != BASE_OK ? status : report_sheet_begin(&sheet, report, &study, NULL);
  status = status != BASE_OK
               ? status
               : figure_study_make(&read, report->folder, report->arena, &sheet.plot, &drawn);
  if (status != BASE_OK) {
    return status;
  }
  sheet.drawn_by = "scripts/plot/panels.gp";
  report_panels(&sheet.script, &drawn, report->width_mm);
  return report_sheet_finish(&sheet);
}

static int wanted(const struct report *report, const char *name) {
  if (report->suite == NULL) {
    return 1;
  }
  for (int i = 0; i < report->suite->n_studies; ++i) {
    if (strcmp(report->suite->studies[i], name) == 0) {
      return 1;
    }
  }
  return 0;
}

int report_studies(struct report *report) {
  report->studies = cJSON_CreateArray();
  report->slopes = cJSON_CreateArray();
  const char *path = base_data_path(report->arena, "scripts/plot/studies.json");
  report->described = path != NULL ? base_json_read(path) : NULL;
  int status =
      report->described != NULL
          ? base_file_make_folder(base_arena_printf(report->arena, "%s/report", report->output))
          : BASE_E_INPUT;
  status = status != BASE_OK ? status : report_write_csv(report);
  const cJSON *json;
  cJSON_ArrayForEach(json, base_json_at(report->described, "studies")) {
    const struct report_study study = study_from(json);
    if (status == BASE_OK && wanted(report, study.name)) {
      status = report_study_draw(report, &study);
    }
  }
  for (int i = 0; report->suite != NULL && i < report->suite->n_own && status == BASE_OK; ++i) {
    status = draw_own(report, report->suite->own[i]);
  }
  return status == BASE_OK ? report_sheets_conclude(report) : status;
}
