/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows that a table has not, made of those that it has:
 *
 *   {"impute": KEY, "groupby": [...]}: to each group a row for every value that KEY has in the
 *   whole
 *     table and not in the group, all else of it missing; behind the others. As in Vega-Lite.
 *   {"combinations": N, "of": [...], "groupby": [...]}: a row for each N rows of a group, in their
 *     order, a row with itself too, so that fewer than N are among them: the columns A of "of" are
 *     A.1, A.2, ..., A.N.
 */
#include <cjson/cJSON.h>
#include <gsl/gsl_multiset.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/parts.h"

/* Does a group have the value of a row in a column? */
static int has_value(const struct frame *f, const struct frame_groups *groups, long g, int column,
                     long row) {
  for (long i = 0; i < groups->size[g]; ++i) {
    if (frame_compare(frame_at(f, groups->rows[g][i], column), frame_at(f, row, column)) == 0) {
      return 1;
    }
  }
  return 0;
}

struct frame *frame_impute(const struct frame_step *step) {
  struct frame *f = step->in;
  const int key = frame_step_column(step, "impute");
  const int n = step->n_keys, *keys = step->keys;
  if (key < 0) {
    return NULL;
  }
  const struct frame_groups groups = frame_group(f, n, keys), values = frame_group(f, 1, &key);
  for (long g = 0; g < groups.n; ++g) {
    for (long k = 0; k < values.n; ++k) {
      const long first = values.rows[k][0];
      if (has_value(f, &groups, g, key, first)) {
        continue;
      }
      const long row = frame_push(f);
      for (int i = 0; i < n; ++i) {
        *frame_at(f, row, keys[i]) = *frame_at(f, groups.rows[g][0], keys[i]);
      }
      *frame_at(f, row, key) = *frame_at(f, first, key);
    }
  }
  return f;
}

enum { ROWS_TOGETHER = 6 };
static const double ROWS_MOST = 1e6;

/* How many combinations n rows have, at most. */
static double count_of(double n, int together) {
  double count = 1;
  for (int i = 0; i < together; ++i) {
    count *= (n + i) / (i + 1);
  }
  return count;
}

struct frame *frame_combinations(const struct frame_step *step) {
  const struct frame *f = step->in;
  const int n = step->n_keys, *keys = step->keys;
  int together, n_of;
  const int *of = frame_step_columns(step, "of", &n_of);
  if (of == NULL || base_json_get_int(step->json, "combinations", step->file, 1, ROWS_TOGETHER,
                                      &together) != BASE_OK) {
    return NULL;
  }
  const struct frame_groups groups = frame_group(f, n, keys);
  static const char *const none[] = {NULL};
  struct frame *made = frame_of_keys(f, n, keys, none);
  double rows = 0;
  for (int k = 0; k < together * n_of; ++k) {
    const struct frame_column *column = &f->columns[of[k % n_of]];
    frame_add(made, base_arena_printf(f->arena, "%s.%d", column->name, k / n_of + 1), column->unit);
  }
  for (long g = 0; g < groups.n; ++g) {
    rows += count_of((double)groups.size[g], together);
    if (rows > ROWS_MOST) {
      base_fail(BASE_E_INPUT, "%s: key 'combinations': more than %g of them", step->file,
                ROWS_MOST);
      return NULL;
    }
    gsl_multiset *places = gsl_multiset_calloc((size_t)groups.size[g], (size_t)together);
    do {
      const long row = frame_push_keys(made, f, n, keys, groups.rows[g][0]);
      for (int k = 0; k < together * n_of; ++k) {
        const size_t place = gsl_multiset_get(places, (size_t)(k / n_of));
        *frame_at(made, row, n + k) = *frame_at(f, groups.rows[g][place], of[k % n_of]);
      }
    } while (gsl_multiset_next(places) == GSL_SUCCESS);
    gsl_multiset_free(places);
  }
  return made;
}
