/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report's rows as a frame, a row a record; study.h lists the columns.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "form/form.h"

static double form_number(const struct report_record *r) { return r->form; }
static double step_of(const struct report_record *r) { return r->dt; }
static double has_finished(const struct report_record *r) { return report_has_errors(r); }
static double is_reference(const struct report_record *r) { return report_is_reference(r); }
static double relative_drift(const struct report_record *r) {
  return report_relative_drift(r->json);
}
/* No better known than what is judged: nothing. */
static double error_of(const struct report_record *r) {
  return !report_is_reference(r) &&
                 isfinite(base_json_real_at(r->json, "quality.measures.position"))
             ? base_json_real_at(r->json, "errors.q_linf") /
                   base_json_real_at(r->json, "quality.scales.length")
             : NAN;
}
static double chooses_steps(const struct report_record *r) {
  return form_get(r->form)->chooses_steps;
}
static double time_lo(const struct report_record *r) { return report_time_bound(r, 0); }
static double time_hi(const struct report_record *r) { return report_time_bound(r, 1); }

static double counted(const struct report_record *r, const char *path) {
  const double x = base_json_real_at(r->json, path);
  return isfinite(x) ? x : 0;
}

static double work_of(const struct report_record *r) {
  return counted(r, "steps") + counted(r, "iterations.total") +
         counted(r, "iterations.evaluations");
}

static const struct {
  const char *name, *unit;
  double (*of)(const struct report_record *r); /* NULL: the number at the path of that name */
} columns[] = {{"form", "", form_number},
               {"dt", "s", step_of},
               {"finished", "", has_finished},
               {"chooses_steps", "", chooses_steps},
               {"is_reference", "", is_reference},
               {"error", "", error_of},
               {"floor", "", report_error_floor},
               {"drift", "", relative_drift},
               {"time_lo", "s", time_lo},
               {"time_hi", "s", time_hi},
               {"work", "", work_of},
               {"errors.q_linf", "", NULL},
               {"errors.u_hausdorff", "", NULL},
               {"timing.steps_s", "s", NULL},
               {"timing.repeats.quartile_1_s", "s", NULL},
               {"timing.repeats.quartile_3_s", "s", NULL},
               {"search.largest_accurate_dt", "s", NULL},
               {"search.largest_stable_dt", "s", NULL},
               {"search.lo", "s", NULL},
               {"search.hi", "s", NULL}};
enum { COLUMNS = sizeof columns / sizeof *columns };

struct frame *report_frame(const struct report *report, int n, const struct report_row *rows) {
  struct frame *f = frame_new(report->arena);
  frame_add(f, "row", "");
  frame_add(f, "record", "");
  for (int i = 0; i < COLUMNS; ++i) {
    frame_add(f, columns[i].name, columns[i].unit);
  }
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < rows[k].n; ++i) {
      const struct report_record *r = rows[k].records[i];
      const long at = frame_push(f);
      frame_at(f, at, 0)->number = k + 1;
      frame_at(f, at, 1)->number = (double)(r - report->records);
      for (int c = 0; c < COLUMNS; ++c) {
        frame_at(f, at, c + 2)->number =
            columns[c].of != NULL ? columns[c].of(r) : base_json_real_at(r->json, columns[c].name);
      }
    }
  }
  return f;
}

struct frame *report_query(struct frame *f, const char *transforms) {
  cJSON *list = base_json_parse(transforms, "report");
  const int status = list != NULL ? frame_transform(&f, list, "report") : BASE_E_INPUT;
  cJSON_Delete(list);
  return status == BASE_OK ? f : NULL;
}

struct frame *report_best(struct frame *f) {
  return report_query(
      f,
      "[{\"calculate\": \"finished > 0 ? (exists(errors.q_linf) ? errors.q_linf : 1e300) : 1e301\","
      "  \"as\": \"standing\"},"
      " {\"sort\": [\"row\", \"form\", \"dt\"]},"
      " {\"pick\": \"min\", \"field\": \"standing\", \"groupby\": [\"row\", \"form\"]}]");
}

double report_real(const struct frame *f, long row, const char *column) {
  return frame_real(f, row, frame_find(f, column));
}
