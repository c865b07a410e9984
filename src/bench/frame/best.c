/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which values cannot be told from the best one:
 *
 *   {"best": VALUE, "of": WHO, "groupby": [...], "beside": STEP, "floor": FLOOR,
 *    "interval": [LO, HI], "as": NAME}
 *
 * In each group, and of each value of STEP in it, the best is the least VALUE of the rows that
 * count (frame.h), none taken for less than its FLOOR: two errors below what a reference resolves
 * are equal. A row is marked with 1 where it may be the best one, 0 where not, and missing where it
 * does not count. Going up from the best, rows are marked until the first that can be told from one
 * of those below it, so that a marked row never stands above an unmarked one: what loses to one
 * that may be the best is not the best. A row can be told from a better one
 *
 * - of lists of members, which are pairs: where the interval of 95 % of the median logarithm of
 *   their ratio lies above zero (la/ensemble/paired.h);
 * - of numbers with intervals, such as times: only where its LO is above the HI of the better one;
 * - of numbers: unless the order of the two is the other way round, or they are equal, at the
 *   nearest other STEP where both have a value. One that is twice as bad here and three times
 *   there is told; what one step moves decides, not how far;
 * - where there is no other step: always, unless the two are equal.
 *
 * Equal are values that differ by what another order of the same operations makes of a run
 * (SAME_BY_ROUNDING).
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/parts.h"
#include "la/ensemble/paired.h"
#include "la/ensemble/quantile.h"

/* Runs of one motion by the same equations, assembled in another order, agree to 1e-8 and better
 * where no contact changes; formulations that differ agree to 1e-5 at best. */
static const double SAME_BY_ROUNDING = 1e-6;

struct ranking {
  const struct frame *f;
  int value, who, usable;
  int beside, floor, lo, hi; /* columns; -2: none */
};

/* The number at a column of a row; NaN: there is no such column. */
static double real_at(const struct ranking *r, long row, int column) {
  return column >= 0 ? frame_real(r->f, row, column) : NAN;
}

/* The members of a row, none less than the floor; a copy from the arena. */
static double *members_of(const struct ranking *r, long row) {
  const struct frame_list *list = frame_at(r->f, row, r->value)->list;
  double *x = base_arena_doubles(r->f->arena, list->n + 1);
  for (int i = 0; i < list->n; ++i) {
    x[i] = isnan(list->x[i]) ? INFINITY : fmax(list->x[i], real_at(r, row, r->floor));
  }
  return x;
}

/* The value of a row for comparison: of a list its median; NaN: it does not count. */
static double graded(const struct ranking *r, long row) {
  const struct frame_value *v = frame_at(r->f, row, r->value);
  if (!frame_counts(r->f, r->usable, row)) {
    return NAN;
  }
  if (v->kind == FRAME_LIST) {
    const struct base_arena_mark mark = base_arena_mark(r->f->arena);
    const double x = v->list->n > 0 ? la_median(v->list->n, members_of(r, row)) : NAN;
    base_arena_release(r->f->arena, mark);
    return x;
  }
  const double x = frame_real(r->f, row, r->value);
  return isnan(x) ? NAN : fmax(x, real_at(r, row, r->floor));
}

/* The row of the group with another step and the `who` of row a that is nearest to it in which b
 * has a value too, through *theirs; -1: none. */
static long beside(const struct ranking *r, const struct frame_groups *groups, long g, long a,
                   long b, long *theirs) {
  const double here = frame_real(r->f, a, r->beside);
  long found = -1;
  double nearest = INFINITY;
  for (long i = 0; i < groups->size[g]; ++i) {
    const long x = groups->rows[g][i];
    const double away = fabs(log(frame_real(r->f, x, r->beside) / here));
    if (!(away > 0 && away < nearest) || isnan(graded(r, x)) ||
        frame_compare(frame_at(r->f, x, r->who), frame_at(r->f, a, r->who)) != 0) {
      continue;
    }
    for (long k = 0; k < groups->size[g]; ++k) {
      const long y = groups->rows[g][k];
      if (frame_real(r->f, y, r->beside) == frame_real(r->f, x, r->beside) &&
          !isnan(graded(r, y)) &&
          frame_compare(frame_at(r->f, y, r->who), frame_at(r->f, b, r->who)) == 0) {
        found = x;
        *theirs = y;
        nearest = away;
      }
    }
  }
  return found;
}

/* Is a worse than b by more than rounding? */
static int is_worse(double a, double b) { return a > b && a - b > SAME_BY_ROUNDING * fabs(b); }

/* Can row `other` be told from a better one? */
static int is_told(const struct ranking *r, const struct frame_groups *groups, long g, long best,
                   long other) {
  const struct frame_value *a = frame_at(r->f, other, r->value),
                           *b = frame_at(r->f, best, r->value);
  if (!is_worse(graded(r, other), graded(r, best))) {
    return 0;
  }
  if (a->kind == FRAME_LIST && b->kind == FRAME_LIST && a->list->n == b->list->n) {
    const struct la_sampling sampling = la_sampling_default(a->list->n);
    return la_paired(&sampling, members_of(r, other), members_of(r, best), r->f->arena)
               .log_ratio.lo > 0;
  }
  if (real_at(r, other, r->lo) <= real_at(r, best, r->hi)) {
    return 0;
  }
  long of_best = -1;
  const long elsewhere = r->beside >= 0 ? beside(r, groups, g, other, best, &of_best) : -1;
  return elsewhere < 0 || is_worse(graded(r, elsewhere), graded(r, of_best));
}

struct candidate {
  double value;
  long row;
};

static int compare(const void *a, const void *b) {
  const struct candidate *x = a, *y = b;
  return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                              : (x->row > y->row) - (x->row < y->row);
}

/* Marks among the rows of one step, n of them. While a row may be the best, so may all below it. */
static void mark(const struct ranking *r, const struct frame_groups *groups, long g, long n,
                 struct candidate *rows, int column) {
  qsort(rows, (size_t)n, sizeof *rows, compare);
  int may_be_best = 1;
  for (long i = 0; i < n; ++i) {
    for (long k = 0; k < i && may_be_best; ++k) {
      may_be_best = !is_told(r, groups, g, rows[k].row, rows[i].row);
    }
    *frame_at(r->f, rows[i].row, column) = (struct frame_value){.number = may_be_best};
  }
}

static int optional_column(const struct frame_step *step, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(step->json, key) != NULL ? frame_step_column(step, key)
                                                                   : -2;
}

/* The two columns of "interval"; an error with a message. */
static int read_interval(const struct frame_step *step, struct ranking *r) {
  int n;
  const int *columns = frame_step_columns(step, "interval", &n);
  const int is_there = cJSON_HasObjectItem(step->json, "interval");
  if (columns == NULL || (is_there && n != 2)) {
    return columns == NULL
               ? BASE_E_INPUT
               : base_fail(BASE_E_INPUT, "%s: key 'interval': must be two columns", step->file);
  }
  r->lo = is_there ? columns[0] : -2;
  r->hi = is_there ? columns[1] : -2;
  return BASE_OK;
}

struct frame *frame_best(const struct frame_step *step) {
  struct frame *f = step->in;
  struct ranking r = {.f = f,
                      .value = frame_step_column(step, "best"),
                      .who = frame_step_column(step, "of"),
                      .usable = frame_usable(f),
                      .beside = optional_column(step, "beside"),
                      .floor = optional_column(step, "floor")};
  const char *as = frame_step_text(step, "as", "is_best");
  if (r.value < 0 || r.who < 0 || r.beside == -1 || r.floor == -1 || as == NULL ||
      read_interval(step, &r) != BASE_OK) {
    return NULL;
  }
  const int column = frame_add(f, as, "");
  int *keys = base_arena_ints(f->arena, step->n_keys + 1), n_keys = step->n_keys;
  memcpy(keys, step->keys, (size_t)n_keys * sizeof *keys);
  keys[n_keys] = r.beside;
  n_keys += r.beside >= 0;
  const struct frame_groups groups = frame_group(f, step->n_keys, step->keys),
                            steps = frame_group(f, n_keys, keys);
  struct candidate *rows = base_arena_array(f->arena, (size_t)f->n_rows + 1, 1, sizeof *rows);
  for (long s = 0; s < steps.n; ++s) {
    long count = 0;
    for (long i = 0; i < steps.size[s]; ++i) {
      const long row = steps.rows[s][i];
      *frame_at(f, row, column) = frame_number(NAN);
      const double x = graded(&r, row);
      if (!isnan(x)) {
        rows[count++] = (struct candidate){x, row};
      }
    }
    mark(&r, &groups, groups.of[steps.rows[s][0]], count, rows, column);
  }
  return f;
}
