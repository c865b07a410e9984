/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What rows get from those before them in their group, named as in Vega-Lite:
 *
 *   {"window": [{"op": "row_number", "as": "i"}, {"op": "sum", "field": "a", "as": "so_far"}],
 *    "sort": ["x"], "groupby": ["case.name"]}
 *
 * row_number counts from 1; dense_rank counts the different values of "sort"; first_value is what
 * the first row has, number, text or list; sum, min and max are those of the values so far that
 * exist, missing while there are none. Rows stay where they are;
 * those that "sort" does not tell apart follow each other as they are.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/frame/parts.h"

enum operation { ROW_NUMBER, DENSE_RANK, FIRST_VALUE, SUM, MIN, MAX, OPERATIONS };
static const char *const operations[OPERATIONS] = {"row_number", "dense_rank", "first_value",
                                                   "sum",        "min",        "max"};

/* Of the rows of a group in their order; field: -1 where there is none. */
static void fill(const struct frame *f, int n_order, const int *order, enum operation how,
                 int field, long n, const long *rows, int as) {
  double so_far = NAN, rank = 0;
  for (long i = 0; i < n; ++i) {
    const double x = field >= 0 ? frame_real(f, rows[i], field) : NAN;
    rank += i == 0 || frame_compare_rows(f, n_order, order, rows[i - 1], rows[i]) != 0;
    if (!isnan(x)) {
      so_far = isnan(so_far)                  ? x
               : how == SUM                   ? so_far + x
               : (how == MAX) == (x > so_far) ? x
                                              : so_far;
    }
    *frame_at(f, rows[i], as) = how == FIRST_VALUE  ? *frame_at(f, rows[0], field)
                                : how == ROW_NUMBER ? frame_number((double)(i + 1))
                                : how == DENSE_RANK ? frame_number(rank)
                                                    : frame_number(so_far);
  }
}

static int read_operation(const struct frame_step *step, const cJSON *item, enum operation *how,
                          int *field, const char **as) {
  static const char *const known[] = {"op", "field", "as", NULL};
  const char *op, *name;
  int status = base_json_refuse_unknown(item, step->file, "window", known);
  status = status != BASE_OK ? status : base_json_get_text(item, "op", step->file, &op);
  status = status != BASE_OK ? status : base_json_get_text(item, "as", step->file, as);
  const int at = status == BASE_OK ? base_name_find("op", op, OPERATIONS, operations) : -1;
  *how = at >= 0 ? (enum operation)at : ROW_NUMBER;
  *field = -1;
  if (at >= FIRST_VALUE) {
    status = base_json_get_text(item, "field", step->file, &name);
    *field = status == BASE_OK ? frame_need(step->in, name, step->file) : -1;
  }
  return at < 0 || (at >= FIRST_VALUE && *field < 0) ? BASE_E_INPUT : BASE_OK;
}

struct frame *frame_window(const struct frame_step *step) {
  struct frame *f = step->in;
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(step->json, "window"), *item;
  int n_order;
  const int *order = frame_step_columns(step, "sort", &n_order);
  if (order == NULL) {
    return NULL;
  }
  const struct frame_groups groups = frame_group(f, step->n_keys, step->keys);
  long *rows = base_arena_array(f->arena, (size_t)f->n_rows + 1, 1, sizeof *rows);
  cJSON_ArrayForEach(item, list) {
    enum operation how;
    int field;
    const char *as;
    if (read_operation(step, item, &how, &field, &as) != BASE_OK) {
      return NULL;
    }
    const int column = frame_add(f, as, field >= 0 ? f->columns[field].unit : "");
    for (long g = 0; g < groups.n; ++g) {
      for (long i = 0; i < groups.size[g]; ++i) {
        rows[i] = groups.rows[g][i];
      }
      frame_sort_rows(f, n_order, order, NULL, groups.size[g], rows);
      fill(f, n_order, order, how, field, groups.size[g], rows, column);
    }
  }
  return f;
}
