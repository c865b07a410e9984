/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups of rows, and what is reduced over them: aggregate, joinaggregate, pivot and pick.
 * Operators of reduction and their names are those of Vega-Lite; `quantile` takes "p", and `values`
 * gives a list.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/frame/parts.h"
#include "la/ensemble/bootstrap.h"
#include "la/ensemble/quantile.h"

/* ---- groups ---- */

int frame_compare_rows(const struct frame *f, int n, const int *columns, long a, long b) {
  for (int i = 0; i < n; ++i) {
    const int order = frame_compare(frame_at(f, a, columns[i]), frame_at(f, b, columns[i]));
    if (order != 0) {
      return order;
    }
  }
  return 0;
}

struct sorting {
  const struct frame *frame;
  int n;
  const int *columns, *is_falling;
};

static int compare_in_order(const void *a, const void *b, void *data) {
  const struct sorting *s = data;
  const long x = *(const long *)a, y = *(const long *)b;
  for (int i = 0; i < s->n; ++i) {
    const struct frame_value *v = frame_at(s->frame, x, s->columns[i]);
    const struct frame_value *w = frame_at(s->frame, y, s->columns[i]);
    const int order = frame_compare(v, w);
    if (order != 0) {
      const int turns = s->is_falling != NULL && s->is_falling[i] && v->kind == w->kind &&
                        !frame_is_missing(v) && !frame_is_missing(w);
      return turns ? -order : order;
    }
  }
  return (x > y) - (x < y);
}

void frame_sort_rows(const struct frame *f, int n, const int *columns, const int *is_falling,
                     long n_rows, long *rows) {
  struct sorting sorting = {f, n, columns, is_falling};
  qsort_r(rows, (size_t)n_rows, sizeof *rows, compare_in_order, &sorting);
}

struct span {
  const long *rows;
  long n;
};

static int compare_spans(const void *a, const void *b) {
  const struct span *x = a, *y = b;
  return (x->rows[0] > y->rows[0]) - (x->rows[0] < y->rows[0]);
}

struct frame_groups frame_group(const struct frame *f, int n_keys, const int *keys) {
  struct frame_groups groups = {.n_keys = n_keys, .keys = keys};
  long *order = base_arena_array(f->arena, (size_t)f->n_rows + 1, 1, sizeof *order);
  struct span *spans = base_arena_array(f->arena, (size_t)f->n_rows + 1, 1, sizeof *spans);
  for (long i = 0; i < f->n_rows; ++i) {
    order[i] = i;
  }
  frame_sort_rows(f, n_keys, keys, NULL, f->n_rows, order);
  for (long i = 0; i < f->n_rows; ++i) {
    if (i == 0 || frame_compare_rows(f, n_keys, keys, order[i - 1], order[i]) != 0) {
      spans[groups.n++] = (struct span){.rows = order + i};
    }
    ++spans[groups.n - 1].n;
  }
  qsort(spans, (size_t)groups.n, sizeof *spans, compare_spans);
  long *size = base_arena_array(f->arena, (size_t)groups.n + 1, 1, sizeof *size);
  const long **rows = base_arena_array(f->arena, (size_t)groups.n + 1, 1, sizeof *rows);
  long *of = base_arena_array(f->arena, (size_t)f->n_rows + 1, 1, sizeof *of);
  for (long i = 0; i < groups.n; ++i) {
    size[i] = spans[i].n;
    rows[i] = spans[i].rows;
    for (long k = 0; k < spans[i].n; ++k) {
      of[spans[i].rows[k]] = i;
    }
  }
  groups.of = of;
  groups.size = size;
  groups.rows = rows;
  return groups;
}

const int *frame_columns(const struct frame *f, const cJSON *names, const char *file, int *n) {
  const int is_one = cJSON_IsString(names);
  const cJSON *item = is_one ? names : names != NULL ? names->child : NULL;
  *n = 0;
  int *columns =
      base_arena_ints(f->arena, 1 + (cJSON_IsArray(names) ? cJSON_GetArraySize(names) : 1));
  if (names != NULL && !is_one && !cJSON_IsArray(names)) {
    base_fail(BASE_E_INPUT, "%s: key '%s': must be a list of columns", file, names->string);
    return NULL;
  }
  for (; item != NULL; item = is_one ? NULL : item->next) {
    if (!cJSON_IsString(item)) {
      base_fail(BASE_E_INPUT, "%s: key '%s': must be names of columns", file, names->string);
      return NULL;
    }
    const int column = frame_need(f, item->valuestring, file);
    if (column < 0) {
      return NULL;
    }
    columns[(*n)++] = column;
  }
  return columns;
}

struct frame *frame_of_keys(const struct frame *f, int n_keys, const int *keys,
                            const char *const *names) {
  struct frame *made = frame_new(f->arena);
  for (int i = 0; i < n_keys; ++i) {
    frame_add(made, f->columns[keys[i]].name, f->columns[keys[i]].unit);
  }
  for (; *names != NULL; ++names) {
    frame_add(made, *names, "");
  }
  return made;
}

long frame_push_keys(struct frame *made, const struct frame *f, int n_keys, const int *keys,
                     long of) {
  const long row = frame_push(made);
  for (int i = 0; i < n_keys; ++i) {
    *frame_at(made, row, i) = *frame_at(f, of, keys[i]);
  }
  return row;
}

struct frame *frame_of_groups(const struct frame *f, const struct frame_groups *groups) {
  static const char *const none[] = {NULL};
  struct frame *made = frame_of_keys(f, groups->n_keys, groups->keys, none);
  for (long g = 0; g < groups->n; ++g) {
    frame_push_keys(made, f, groups->n_keys, groups->keys, groups->rows[g][0]);
  }
  return made;
}

const struct frame_value *frame_different(const struct frame *f, int column,
                                          struct base_arena *arena, int *n) {
  struct frame_value *values = base_arena_push(arena, ((size_t)f->n_rows + 1) * sizeof *values);
  const struct base_arena_mark mark = base_arena_mark(f->arena);
  const struct frame_groups groups = frame_group(f, 1, &column);
  *n = 0;
  for (long g = 0; g < groups.n; ++g) {
    const struct frame_value *v = frame_at(f, groups.rows[g][0], column);
    if (!frame_is_missing(v)) {
      values[(*n)++] = *v;
    }
  }
  base_arena_release(f->arena, mark);
  return values;
}

void frame_set_interval(struct frame *f, long row, int column, const struct la_interval *x) {
  *frame_at(f, row, column) = frame_number(x->value);
  *frame_at(f, row, column + 1) = frame_number(x->lo);
  *frame_at(f, row, column + 2) = frame_number(x->hi);
}

int frame_usable(const struct frame *f) { return frame_find(f, "usable"); }

int frame_counts(const struct frame *f, int usable, long row) {
  return usable < 0 || frame_real(f, row, usable) != 0;
}

/* ---- what is reduced ---- */

enum reduction {
  REDUCE_COUNT,
  REDUCE_VALID,
  REDUCE_MISSING,
  REDUCE_SUM,
  REDUCE_MEAN,
  REDUCE_VALUES,
  REDUCE_MEDIAN, /* the first of quantiles */
  REDUCE_QUANTILE = REDUCE_MEDIAN + 5,
  REDUCTIONS
};
static const char *const reductions[REDUCTIONS] = {"count", "valid",  "missing", "sum",
                                                   "mean",  "values", "median",  "min",
                                                   "max",   "q1",     "q3",      "quantile"};
static const double parts[] = {0.5, 0, 1, 0.25, 0.75}; /* of those before the last */

/* The values of a group that exist and count, into x; their number. */
static long collect(const struct frame *f, int column, const struct frame_groups *groups, long g,
                    double *x) {
  const int usable = frame_usable(f);
  long n = 0;
  for (long i = 0; i < groups->size[g]; ++i) {
    const long row = groups->rows[g][i];
    const double value = frame_real(f, row, column);
    if (!isnan(value) && frame_counts(f, usable, row)) {
      x[n++] = value;
    }
  }
  return n;
}

static double reduce(enum reduction how, double p, long size, long n, double *x) {
  double sum = 0;
  for (long i = 0; i < n; ++i) {
    sum += x[i];
  }
  switch (how) {
  case REDUCE_COUNT:
    return (double)size;
  case REDUCE_VALID:
    return (double)n;
  case REDUCE_MISSING:
    return (double)(size - n);
  case REDUCE_SUM:
    return n > 0 ? sum : NAN;
  case REDUCE_MEAN:
    return n > 0 ? sum / (double)n : NAN;
  default:
    return n == 0 ? NAN : la_quantile(n, x, how < REDUCE_QUANTILE ? parts[how - REDUCE_MEDIAN] : p);
  }
}

/* What is reduced of n values of a group, as a value: of "values" all of them, in the order of the
 * rows. */
static struct frame_value reduced(struct base_arena *arena, enum reduction how, double p, long size,
                                  long n, double *x) {
  struct frame_value value;
  if (how == REDUCE_VALUES) {
    memcpy(frame_vector(arena, (int)n, &value), x, (size_t)n * sizeof *x);
  } else {
    value = frame_number(reduce(how, p, size, n, x));
  }
  return value;
}

static int read_reducer(const struct frame_step *step, const cJSON *item, struct frame_reducer *r) {
  return frame_step_reducer(step, item, "aggregate", REDUCTIONS, reductions, REDUCE_VALID, r);
}

/* Values of all reducers, a row a group, into columns of `into` from row numbers `row_of`. */
static int reduce_all(const struct frame_step *step, const cJSON *list,
                      const struct frame_groups *groups, struct frame *into, int is_joined) {
  const struct frame *f = step->in;
  double *x = base_arena_array(f->arena, (size_t)f->n_rows + 1, 1, sizeof *x);
  if (!cJSON_IsArray(list)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': must be a list of {\"op\", \"field\", \"as\"}",
                     step->file, list->string);
  }
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    struct frame_reducer r;
    const int status = read_reducer(step, item, &r);
    if (status != BASE_OK) {
      return status;
    }
    const int counts = r.how <= REDUCE_MISSING;
    const int column =
        frame_add(into, r.as, r.column >= 0 && !counts ? f->columns[r.column].unit : "");
    for (long g = 0; g < groups->n; ++g) {
      const long n = r.column >= 0 ? collect(f, r.column, groups, g, x) : 0;
      const struct frame_value value =
          reduced(f->arena, (enum reduction)r.how, r.p, groups->size[g], n, x);
      for (long i = 0; i < (is_joined ? groups->size[g] : 1); ++i) {
        *frame_at(into, is_joined ? groups->rows[g][i] : g, column) = value;
      }
    }
  }
  return BASE_OK;
}

struct frame *frame_aggregate(const struct frame_step *step) {
  const struct frame_groups groups = frame_group(step->in, step->n_keys, step->keys);
  struct frame *made = frame_of_groups(step->in, &groups);
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(step->json, "aggregate");
  return reduce_all(step, list, &groups, made, 0) == BASE_OK ? made : NULL;
}

struct frame *frame_join_aggregate(const struct frame_step *step) {
  const struct frame_groups groups = frame_group(step->in, step->n_keys, step->keys);
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(step->json, "joinaggregate");
  return reduce_all(step, list, &groups, step->in, 1) == BASE_OK ? step->in : NULL;
}

/* {"pivot": COLUMN, "value": COLUMN, "groupby": [...], "op": "median"}: a column for each value of
 * the pivot, in the order of their first rows. Several rows of one place are an error without
 * "op". */
struct frame *frame_pivot(const struct frame_step *step) {
  struct frame *f = step->in;
  const int pivot = frame_step_column(step, "pivot"), value = frame_step_column(step, "value");
  const char *op = frame_step_text(step, "op", "");
  if (pivot < 0 || value < 0 || op == NULL) {
    return NULL;
  }
  const int how =
      op[0] == '\0' ? REDUCE_MEDIAN : base_name_find("reduction", op, REDUCTIONS, reductions);
  if (how < 0 || how == REDUCE_QUANTILE) {
    base_message_prefix("%s: key 'op': ", step->file);
    return NULL;
  }
  const int n = step->n_keys;
  int *places = base_arena_ints(f->arena, n + 1);
  memcpy(places, step->keys, (size_t)n * sizeof *places);
  places[n] = pivot;
  const struct frame_groups rows = frame_group(f, n, step->keys),
                            cells = frame_group(f, n + 1, places);
  struct frame *made = frame_of_groups(f, &rows);
  double *x = base_arena_array(f->arena, (size_t)f->n_rows + 1, 1, sizeof *x);
  for (long c = 0; c < cells.n; ++c) {
    const long first = cells.rows[c][0];
    const char *text = frame_value_text(frame_at(f, first, pivot), f->arena);
    if (op[0] == '\0' && cells.size[c] > 1) {
      base_fail(BASE_E_INPUT,
                "%s: key 'pivot': %ld rows at '%s' of one group; give an \"op\", or group by more",
                step->file, cells.size[c], text);
      return NULL;
    }
    const int column = frame_add(made, text, f->columns[value].unit);
    struct frame_value *to = frame_at(made, rows.of[first], column);
    const long k = collect(f, value, &cells, c, x);
    *to = cells.size[c] == 1 ? *frame_at(f, first, value)
                             : reduced(f->arena, (enum reduction)how, 0.5, cells.size[c], k, x);
  }
  return made;
}

/* {"pick": "min" | "max", "field": COLUMN, "groupby": [...]}: of each group the row with the least
 * (largest) value that counts, the first of equals; where none counts, its first row. */
struct frame *frame_pick(const struct frame_step *step) {
  const struct frame *f = step->in;
  const int field = frame_step_column(step, "field"), usable = frame_usable(f);
  const char *which = frame_step_text(step, "pick", NULL);
  if (field < 0 || which == NULL) {
    return NULL;
  }
  const int sign = strcmp(which, "min") == 0 ? 1 : strcmp(which, "max") == 0 ? -1 : 0;
  if (sign == 0) {
    base_fail(BASE_E_INPUT, "%s: key 'pick': '%s' is not min or max", step->file, which);
    return NULL;
  }
  const struct frame_groups groups = frame_group(f, step->n_keys, step->keys);
  long *rows = base_arena_array(f->arena, (size_t)groups.n + 1, 1, sizeof *rows);
  for (long g = 0; g < groups.n; ++g) {
    long picked = -1;
    for (long i = 0; i < groups.size[g]; ++i) {
      const long row = groups.rows[g][i];
      const double x = sign * frame_real(f, row, field);
      if (!isnan(x) && frame_counts(f, usable, row) &&
          (picked < 0 || x < sign * frame_real(f, picked, field))) {
        picked = row;
      }
    }
    rows[g] = picked < 0 ? groups.rows[g][0] : picked;
  }
  return frame_part(f, groups.n, rows);
}
