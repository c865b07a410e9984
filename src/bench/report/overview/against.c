/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The overview of a run over that of another one; overview.h says what a cell shows.
 */
#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/overview/overview.h"
#include "form/form.h"

/* Ratios nearer to 1 are no change: what half a percent is of a decade. */
static const double NO_CHANGE = 0.002;

static double graded(const struct report_record *r, enum overview_quantity q) {
  return fmax(overview_value(r, q), overview_floor(r, q));
}

/* Of times: what is known of their spread decides. */
static enum overview_kind kind_of_times(const struct report_record *a,
                                        const struct report_record *b) {
  if (!isfinite(report_time_quartile(a, 0)) || !isfinite(report_time_quartile(b, 0))) {
    return OVERVIEW_UNKNOWN;
  }
  return report_time_bound(a, 0) > report_time_bound(b, 1) ||
                 report_time_bound(b, 0) > report_time_bound(a, 1)
             ? OVERVIEW_NUMBER
             : OVERVIEW_SAME;
}

static enum overview_kind kind_of(const struct report_record *a, const struct report_record *b,
                                  enum overview_quantity q) {
  const int a_failed = overview_letter(a->status)[0] != '\0';
  const int b_failed = overview_letter(b->status)[0] != '\0';
  if (a->status == BASE_UNSUPPORTED) {
    return OVERVIEW_UNSUPPORTED;
  }
  if (a_failed || b_failed) {
    return a->status == b->status ? OVERVIEW_SAME : a_failed ? OVERVIEW_FAILED : OVERVIEW_CURED;
  }
  if (!(graded(a, q) > 0 && graded(b, q) > 0) || isnan(overview_value(a, q)) ||
      isnan(overview_value(b, q))) {
    return OVERVIEW_UNKNOWN;
  }
  if (q == OVERVIEW_TIME) {
    return kind_of_times(a, b);
  }
  return fabs(log10(graded(a, q) / graded(b, q))) < NO_CHANGE ? OVERVIEW_SAME : OVERVIEW_NUMBER;
}

static void compare_cell(const struct report *other, struct overview_cell *cell) {
  const struct report_record *a = cell->record;
  const struct report_record *b = a != NULL ? report_find(other, a->name) : NULL;
  for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
    cell->is_best[q] = 0;
    cell->p10[q] = cell->p90[q] = NAN;
    cell->kind[q] = b != NULL ? kind_of(a, b, q) : OVERVIEW_ABSENT;
    cell->value[q] = cell->kind[q] == OVERVIEW_NUMBER ? graded(a, q) / graded(b, q) : NAN;
  }
}

struct overview *overview_against(const struct report *report, const struct report *other) {
  struct overview *o = overview_make(report);
  if (o == NULL) {
    return NULL;
  }
  o->against = other->folder;
  for (int k = 0; k < o->n; ++k) {
    o->rows[k].is_ratio = 1;
    for (int form = 0; form < form_count(); ++form) {
      compare_cell(other, &o->rows[k].cells[form]);
    }
  }
  return o;
}
