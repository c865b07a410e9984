/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which cells of a row cannot be told from its best one; overview.h states the rule. Values are
 * compared no closer than their floors: two errors below what the reference resolves are equal.
 */
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/overview/overview.h"
#include "form/form.h"

/* A value for comparison: no less than its floor. */
static double graded(const struct report_record *r, enum overview_quantity q) {
  const double x = overview_value(r, q);
  return isnan(x) ? NAN : fmax(fmax(x, overview_floor(r, q)), 1e-300);
}

/* The logarithm of a over b at the step next to the row's, the longer one first; NaN: both were run
 * at no other step. */
static double ratio_beside(const struct overview_row *row, int a, int b, enum overview_quantity q) {
  double dt = NAN, ratio = NAN;
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *x = row->records[i];
    if (x->form != a || x->dt == row->dt || x->status != BASE_OK || isnan(graded(x, q))) {
      continue;
    }
    for (int j = 0; j < row->n; ++j) {
      const struct report_record *y = row->records[j];
      if (y->form == b && y->dt == x->dt && y->status == BASE_OK && !isnan(graded(y, q)) &&
          (isnan(dt) || fabs(log(x->dt / row->dt)) < fabs(log(dt / row->dt)))) {
        dt = x->dt;
        ratio = log(graded(x, q) / graded(y, q));
      }
    }
  }
  return ratio;
}

/* May it be the best? */
static int competes(const struct overview *o, const struct overview_row *row, int form,
                    enum overview_quantity q) {
  const struct overview_cell *cell = &row->cells[form];
  return (o->place[form] == OVERVIEW_MAIN || o->place[form] == OVERVIEW_SMOOTH_ONLY) &&
         (cell->kind[q] == OVERVIEW_NUMBER || cell->kind[q] == OVERVIEW_ROUNDING) &&
         strcmp(base_json_text_at(cell->record->json, "quality.verdict"), "useless") != 0;
}

/* -1: none competes. */
static int best_of(const struct overview *o, const struct overview_row *row,
                   enum overview_quantity q) {
  int best = -1;
  for (int form = 0; form < form_count(); ++form) {
    if (competes(o, row, form, q) &&
        (best < 0 || graded(row->cells[form].record, q) < graded(row->cells[best].record, q))) {
      best = form;
    }
  }
  return best;
}

/* How far log R moves to the neighbouring step; NaN: not known. */
static double movement(const struct overview_row *row, int form, int best,
                       enum overview_quantity q) {
  const double here = log(graded(row->cells[form].record, q) / graded(row->cells[best].record, q));
  return fabs(here - ratio_beside(row, form, best, q));
}

static int is_like(const struct overview *o, const struct overview_row *row, int form, int best,
                   enum overview_quantity q) {
  const struct overview_cell *a = &row->cells[form], *b = &row->cells[best];
  const double apart = log(graded(a->record, q) / graded(b->record, q));
  if (form == best || apart <= 0 ||
      (q == OVERVIEW_TIME && !report_times_differ(a->record, b->record))) {
    return 1;
  }
  if (isfinite(a->lo[q]) && isfinite(b->hi[q])) {
    return a->lo[q] <= b->hi[q];
  }
  const double moved = movement(row, form, best, q);
  return apart <= (isnan(moved) ? log(o->spread[q]) : moved);
}

/* The median movement of all rows of several steps, as a factor. */
static double spread_of(const struct report *report, const struct overview *o,
                        enum overview_quantity q) {
  double *x = base_arena_doubles(report->arena, o->n * form_count());
  int n = 0;
  for (int k = 0; k < o->n; ++k) {
    const int best = best_of(o, &o->rows[k], q);
    for (int form = 0; form < form_count() && best >= 0; ++form) {
      if (form != best && competes(o, &o->rows[k], form, q)) {
        const double moved = movement(&o->rows[k], form, best, q);
        if (isfinite(moved)) {
          x[n++] = moved;
        }
      }
    }
  }
  return n > 0 ? exp(gsl_stats_median(x, 1, (size_t)n)) : NAN;
}

void overview_frame_row(const struct overview *o, struct overview_row *row) {
  for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
    const int best = best_of(o, row, q);
    row->least[q] = best >= 0 ? row->cells[best].value[q] : NAN;
    for (int form = 0; form < form_count() && best >= 0; ++form) {
      row->cells[form].is_best[q] = competes(o, row, form, q) && is_like(o, row, form, best, q);
    }
  }
}

void overview_frame(const struct report *report, struct overview *o) {
  for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
    o->spread[q] = spread_of(report, o, q);
  }
  for (int k = 0; k < o->n; ++k) {
    overview_frame_row(o, &o->rows[k]);
  }
}

/* ---- what it comes to ---- */

enum { NAMED = 3 }; /* formulations in a conclusion */

static int count_framed(const struct overview *o, int form, enum overview_quantity q) {
  int n = 0;
  for (int k = 0; k < o->n; ++k) {
    n += o->rows[k].cells[form].is_best[q];
  }
  return n;
}

static int count_supported(const struct overview *o, int form) {
  int n = 0;
  for (int k = 0; k < o->n; ++k) {
    n += overview_is_supported(&o->rows[k], form);
  }
  return n;
}

/* The formulation that is framed most often behind one framed n times, the earlier of equals; -1:
 * none is. */
static int next_of(const struct overview *o, enum overview_quantity q, int after, int n) {
  int best = -1, most = 0;
  for (int form = 0; form < form_count(); ++form) {
    const int m = o->place[form] != OVERVIEW_REFERENCE ? count_framed(o, form, q) : 0;
    if (m > most && (m < n || (m == n && form > after))) {
      most = m;
      best = form;
    }
  }
  return best;
}

const char *overview_conclusion(const struct report *report, const struct overview *o,
                                enum overview_quantity q) {
  const char *text = "";
  int form = -1, n = o->n + 1;
  for (int i = 0; i < NAMED && (form = next_of(o, q, form, n)) >= 0; ++i) {
    n = count_framed(o, form, q);
    text = base_arena_printf(report->arena, "%s%s%s in %d of %d cases", text,
                             i > 0 ? ", " : "Best, or level with the best: ", form_get(form)->name,
                             n, count_supported(o, form));
  }
  return text[0] != '\0' ? base_arena_printf(report->arena, "%s.", text) : "";
}
