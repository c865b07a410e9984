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
    struct frame_reducer r;
    if (frame_step_reducer(step, item, "window", OPERATIONS, operations, FIRST_VALUE, &r) !=
        BASE_OK) {
      return NULL;
    }
    const int column = frame_add(f, r.as, r.column >= 0 ? f->columns[r.column].unit : "");
    for (long g = 0; g < groups.n; ++g) {
      for (long i = 0; i < groups.size[g]; ++i) {
        rows[i] = groups.rows[g][i];
      }
      frame_sort_rows(f, n_order, order, NULL, groups.size[g], rows);
      fill(f, n_order, order, (enum operation)r.how, r.column, groups.size[g], rows, column);
    }
  }
  return f;
}
