/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantities of runs and of ensembles; see quantities.h.
 */
#include "bench/report/kit/quantities.h"

#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "bench/report/kit/study.h"

enum { ERROR, DRIFT, PENETRATION, ITERATIONS, TIME };
const struct report_quantity report_quantities[REPORT_QUANTITIES] = {
    {"error", "error", "log10 of the largest error of the coordinates over the system's length",
     "errors.q_linf", 1, 0, -6, 0},
    {"drift", "energy drift", "log10 of the largest numerical energy drift over the largest energy",
     "energy.max_numerical_drift", 1, 0, -8, 0},
    {"penetration", "penetration", "log10 of the largest penetration over the system's length",
     "constraints.penetration_max", 1, 0, -8, 0},
    {"iterations", "iterations", "iterations of the solver a step", "iterations.total", 0, 0, -1,
     3},
    {"time", "time", "time of all steps over that of the fastest formulation of the row",
     "timing.steps_s", 0, 1, 0, 2.5}};

/* Of a double, summed up over a run. */
static const double ROUNDING = 1e-12;

static double length_of(const struct report_record *r) {
  return base_json_real_at(report_json(r), "quality.scales.length");
}

static double scale_of(const struct report_quantity *q, const struct report_record *r) {
  switch (q - report_quantities) {
  case ERROR: /* no better known than what is judged: nothing */
    return isfinite(base_json_real_at(report_json(r), "quality.measures.position")) ? length_of(r)
                                                                                    : NAN;
  case DRIFT:
    return report_energy_scale(report_json(r));
  case PENETRATION:
    return length_of(r);
  case ITERATIONS:
    return base_json_real_at(report_json(r), "steps");
  default:
    return 1;
  }
}

/* Its place among the numbers of an ensemble's summary and members; -1: it is not there. */
static int place_of(const struct report_quantity *q, const cJSON *summary) {
  const cJSON *item;
  int place = 0;
  cJSON_ArrayForEach(item, summary) {
    if (strcmp(item->string, q->path) == 0) {
      return place;
    }
    ++place;
  }
  return -1;
}

/* A number of an ensemble's summary (median, lo, hi, p10, p90); NaN: it is none. */
static double of_members(const struct report_quantity *q, const struct report_record *r,
                         const char *which) {
  const cJSON *summary = base_json_at(report_json(r), "ensemble.summary");
  const int place = place_of(q, summary);
  return place >= 0 ? base_json_real_at(cJSON_GetArrayItem(summary, place), which) / scale_of(q, r)
                    : NAN;
}

static double number_of(const struct report_quantity *q, const struct report_record *r) {
  if (q == &report_quantities[ERROR] && report_is_reference(r)) {
    return NAN;
  }
  const double median = of_members(q, r, "median"), scale = scale_of(q, r);
  const double x = isnan(median) ? base_json_real_at(report_json(r), q->path) / scale : median;
  /* Without a single solve, or by a scheme without a solver, there is no number of iterations. */
  return scale > 0 && !(q == &report_quantities[ITERATIONS] && x <= 0) ? x : NAN;
}

static struct frame_value members_of(const struct report_quantity *q, const struct report_record *r,
                                     struct base_arena *arena) {
  const cJSON *members = base_json_at(report_json(r), "ensemble.members"), *member;
  const int place = place_of(q, base_json_at(report_json(r), "ensemble.summary"));
  const double scale = scale_of(q, r);
  struct frame_value value = frame_number(number_of(q, r));
  if (place < 0 || cJSON_GetArraySize(members) == 0 || !(scale > 0)) {
    return value;
  }
  double *x = frame_vector(arena, cJSON_GetArraySize(members), &value);
  cJSON_ArrayForEach(member, members) {
    const cJSON *number =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(member, "numbers"), place);
    *x++ = cJSON_IsNumber(number) ? number->valuedouble / scale : NAN;
  }
  return value;
}

static double floor_of(const struct report_quantity *q, const struct report_record *r) {
  switch (q - report_quantities) {
  case ERROR:
    return fmax(report_error_floor(r) / length_of(r), ROUNDING);
  case DRIFT:
  case PENETRATION:
    return ROUNDING;
  default:
    return 0;
  }
}

static double bound_of(const struct report_quantity *q, const struct report_record *r, int upper) {
  return q == &report_quantities[TIME] ? report_time_bound(r, upper)
                                       : of_members(q, r, upper ? "hi" : "lo");
}

int report_quantity_value(const struct report_quantity *q, const struct report_record *r,
                          const char *column, struct base_arena *arena, struct frame_value *value) {
  const struct {
    const char *name, *text;
    double number;
  } own[] = {{"quantity", q->name, 0},
             {"quantity_title", q->title, 0},
             {"quantity_shown", q->shown, 0},
             {"is_log", NULL, q->is_log},
             {"colour_lo", NULL, q->colour_lo},
             {"colour_hi", NULL, q->colour_hi},
             {"is_over_least", NULL, q->is_over_least},
             {"quantity_place", NULL, (double)(q - report_quantities)}};
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) {
    if (strcmp(own[i].name, column) == 0) {
      *value = own[i].text != NULL ? (struct frame_value){.kind = FRAME_TEXT, .text = own[i].text}
                                   : frame_number(own[i].number);
      return 1;
    }
  }
  if (strcmp(column, "members") == 0) {
    *value = members_of(q, r, arena);
    return 1;
  }
  if (strcmp(column, "p10") == 0 || strcmp(column, "p90") == 0) {
    *value = frame_number(of_members(q, r, column));
    return 1;
  }
  if (strncmp(column, "number", 6) != 0) {
    return 0;
  }
  *value = frame_number(strcmp(column, "number") == 0 ? number_of(q, r)
                        : strcmp(column, "number_floor") == 0
                            ? floor_of(q, r)
                            : bound_of(q, r, strcmp(column, "number_hi") == 0));
  return 1;
}
