/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which part of the spread of a number is due to which factor, by functional analysis of variance
 * (la/ensemble/variance.h):
 *
 *   {"variance": Y, "fixed": ["law", "tolerance"], "random": "scene", "entries": "member",
 *    "clusters": "family", "groupby": [...]}
 *
 * The rows of a group are the cells of a design: one row for each combination of the values of the
 * columns "fixed" and "random". Where Y is a list, its entries are a further random factor within
 * "random", called as "entries" says; as many count as the shortest list has. A combination without
 * a row, or with a missing Y, leaves with a whole level (la/ensemble/design.h).
 *
 * With "clusters" the intervals are by bootstrap over the groups of levels of "random" that are
 * alike in this column, in place of the levels.
 *
 * Made are, of each group, a row a factor, one a pair ("law x scene") and one of all that is
 * "higher": `factor`, its shares `first` (first order) and `total`, their intervals of 95 % by
 * bootstrap over "random" (missing where it has too few levels), the `levels` of a factor that are
 * left, `of` so many, `which` these are of a fixed one, and the `cells` of the whole design, of
 * which so many are `kept`.
 */
#include <cjson/cJSON.h>
#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/parts.h"
#include "la/ensemble/variance.h"

enum { FACTOR, FIRST, TOTAL = FIRST + 3, LEVELS = TOTAL + 3, OF, WHICH, CELLS, KEPT };
static const char *const names[] = {"factor",   "first",    "first_lo", "first_hi", "total",
                                    "total_lo", "total_hi", "levels",   "of",       "which",
                                    "cells",    "kept",     NULL};

/* A query while it is worked out. */
struct query {
  const struct frame_step *step;
  int y, n_factors, factors[LA_FACTORS_MAX]; /* columns; the last of these is the random one */
  int clusters;                              /* a column; -1: none */
  const char *entries;                       /* "": Y is a number */
  struct frame *made;                        /* keys, then `names` */
  /* The first rows of the levels of each factor, in the group at hand. */
  const long *first[LA_FACTORS_MAX];
};

static int read_query(struct query *q) {
  int n_fixed, n_random, n_clusters;
  q->y = frame_step_column(q->step, "variance");
  const char *entries = frame_step_text(q->step, "entries", "");
  q->entries = entries != NULL ? base_arena_copy(q->step->in->arena, entries) : NULL;
  const int *fixed = frame_step_columns(q->step, "fixed", &n_fixed);
  const int *random = frame_step_columns(q->step, "random", &n_random);
  const int *clusters = frame_step_columns(q->step, "clusters", &n_clusters);
  if (q->y < 0 || q->entries == NULL || fixed == NULL || random == NULL || clusters == NULL) {
    return BASE_E_INPUT;
  }
  if (n_random != 1 || n_fixed < 1 || n_fixed > LA_FACTORS_MAX - 2) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'variance': wants 1 to %d columns \"fixed\", one \"random\"",
                     q->step->file, LA_FACTORS_MAX - 2);
  }
  q->clusters = n_clusters > 0 ? clusters[0] : -1;
  for (int i = 0; i < n_fixed; ++i) {
    q->factors[q->n_factors++] = fixed[i];
  }
  q->factors[q->n_factors++] = random[0];
  return BASE_OK;
}

/* ---- the design of a group: n rows ---- */

/* The levels of a factor, numbered in the order of the rows: level[row x factors]. */
static int number_levels(struct query *q, int factor, long n, const long *rows, int *level) {
  const struct frame *f = q->step->in;
  const int column = q->factors[factor];
  long *first = base_arena_array(f->arena, (size_t)n + 1, 1, sizeof *first);
  int found = 0;
  for (long i = 0; i < n; ++i) {
    int k = 0;
    while (k < found &&
           frame_compare(frame_at(f, first[k], column), frame_at(f, rows[i], column)) != 0) {
      ++k;
    }
    first[k] = k < found ? first[k] : rows[i];
    found += k == found;
    level[i * q->n_factors + factor] = k;
  }
  q->first[factor] = first;
  return found;
}

/* How many entries count. */
static int entries_of(const struct query *q, long n, const long *rows) {
  int least = -1;
  for (long i = 0; i < n; ++i) {
    const struct frame_value *y = frame_at(q->step->in, rows[i], q->y);
    if (y->kind == FRAME_LIST && (least < 0 || y->list->n < least)) {
      least = y->list->n;
    }
  }
  return q->entries[0] == '\0' || least < 0 ? 1 : least;
}

/* Y of all combinations, entries fastest; NaN where there is none. NULL with a message. */
static double *tabulate(struct query *q, long n, const long *rows, struct la_design *design) {
  const struct frame *f = q->step->in;
  int *level = base_arena_array(f->arena, (size_t)n + 1, (size_t)q->n_factors, sizeof *level);
  const int entries = entries_of(q, n, rows), last = q->n_factors - 1;
  for (int k = 0; k <= last; ++k) {
    design->factor[design->n++] =
        (struct la_factor){.name = f->columns[q->factors[k]].name,
                           .levels = number_levels(q, k, n, rows, level),
                           .kind = k == last ? LA_FACTOR_RANDOM : LA_FACTOR_FIXED,
                           .within = -1};
  }
  if (q->entries[0] != '\0') {
    design->factor[design->n++] = (struct la_factor){
        .name = q->entries, .levels = entries, .kind = LA_FACTOR_RANDOM, .within = last};
  }
  const size_t cells = la_design_cells(design);
  double *table = base_arena_array(f->arena, cells + 1, 1, sizeof *table);
  char *is_taken = base_arena_array(f->arena, cells + 1, 1, 1);
  for (size_t i = 0; i < cells; ++i) {
    table[i] = NAN;
  }
  for (long i = 0; i < n; ++i) {
    size_t at = 0;
    int size;
    const double *y = frame_entries(frame_at(f, rows[i], q->y), &size);
    for (int k = 0; k <= last; ++k) {
      at = at * (size_t)design->factor[k].levels + (size_t)level[i * q->n_factors + k];
    }
    if (is_taken[at] || (size > 1 && q->entries[0] == '\0')) {
      base_fail(BASE_E_INPUT, "%s: key 'variance': %s", q->step->file,
                is_taken[at] ? "two rows have the same factors"
                             : "wants \"entries\", what entries of lists are called");
      return NULL;
    }
    is_taken[at] = 1;
    for (int k = 0; k < entries && k < size; ++k) {
      table[at * (size_t)entries + (size_t)k] = y[k];
    }
  }
  return table;
}

/* ---- shares ---- */

static void set(const struct query *q, long row, int column, double x) {
  *frame_at(q->made, row, q->step->n_keys + column) = frame_number(x);
}

static void set_text(const struct query *q, long row, int column, const char *text) {
  *frame_at(q->made, row, q->step->n_keys + column) = frame_word(text);
}

static void set_share(const struct query *q, long row, int column, const struct la_interval *x) {
  frame_set_interval(q->made, row, q->step->n_keys + column, x);
}

/* A row of the group that row `of` is one of. */
static long add_row(const struct query *q, long of, const struct la_sub_design *sub,
                    const char *factor) {
  const long row = frame_push_keys(q->made, q->step->in, q->step->n_keys, q->step->keys, of);
  set_text(q, row, FACTOR, factor);
  set(q, row, CELLS, (double)sub->cells);
  set(q, row, KEPT, (double)sub->cells_kept);
  return row;
}

/* The levels of a fixed factor that are left, in words. */
static const char *words_of(const struct query *q, int factor, const struct la_sub_design *sub) {
  const char *words = "";
  for (int k = 0; k < sub->design.factor[factor].levels; ++k) {
    const struct frame_value *level =
        frame_at(q->step->in, q->first[factor][sub->kept[factor][k]], q->factors[factor]);
    words = base_arena_printf(q->made->arena, "%s%s%s", words, k > 0 ? " " : "",
                              level->kind == FRAME_TEXT
                                  ? level->text
                                  : frame_short_number(q->made->arena, level->number));
  }
  return words;
}

static void add_shares(const struct query *q, long of, const struct la_design *design,
                       const struct la_sub_design *sub, const struct la_shares *shares) {
  const struct la_factor *factor = design->factor;
  for (int i = 0; i < design->n; ++i) {
    const long row = add_row(q, of, sub, factor[i].name);
    set_share(q, row, FIRST, &shares->first[i]);
    set_share(q, row, TOTAL, &shares->total[i]);
    set(q, row, LEVELS, sub->design.factor[i].levels);
    set(q, row, OF, factor[i].levels);
    if (factor[i].kind == LA_FACTOR_FIXED) {
      set_text(q, row, WHICH, words_of(q, i, sub));
    }
  }
  for (int i = 0; i < design->n; ++i) {
    for (int k = i + 1; k < design->n; ++k) {
      const char *pair =
          base_arena_printf(q->made->arena, "%s x %s", factor[i].name, factor[k].name);
      set_share(q, add_row(q, of, sub, pair), FIRST, &shares->pair[i][k]);
    }
  }
  set_share(q, add_row(q, of, sub, "higher"), FIRST, &shares->higher);
}

/* The cluster of each level of a factor that is left; NULL: each is its own. */
static const int *clusters_of(const struct query *q, int factor, const struct la_sub_design *sub) {
  const int n = sub->design.factor[factor].levels;
  const struct frame *f = q->step->in;
  int *cluster = base_arena_ints(f->arena, n), found = 0;
  for (int i = 0; i < n && q->clusters >= 0; ++i) {
    const struct frame_value *own =
        frame_at(f, q->first[factor][sub->kept[factor][i]], q->clusters);
    int k = 0;
    while (k < i && frame_compare(frame_at(f, q->first[factor][sub->kept[factor][k]], q->clusters),
                                  own) != 0) {
      ++k;
    }
    cluster[i] = k < i ? cluster[k] : found++;
  }
  return q->clusters >= 0 ? cluster : NULL;
}

static int add_group(struct query *q, long n, const long *rows) {
  struct base_arena *arena = q->made->arena;
  struct la_design design = {0};
  const double *table = tabulate(q, n, rows, &design);
  if (table == NULL) {
    return BASE_E_INPUT;
  }
  const struct la_sub_design sub = la_design_complete(&design, table, arena);
  const int unit = q->n_factors - 1;
  if (sub.cells_kept > 0) { /* else no factor has levels without a missing cell */
    struct la_shares *shares = base_arena_push(arena, sizeof *shares);
    struct la_sampling sampling = la_sampling_default(sub.design.factor[unit].levels);
    sampling.cluster = clusters_of(q, unit, &sub);
    la_variance_shares(&sub.design, sub.y, unit, &sampling, arena, shares);
    add_shares(q, rows[0], &design, &sub, shares);
  }
  return BASE_OK;
}

struct frame *frame_variance(const struct frame_step *step) {
  struct query q = {.step = step, .made = frame_of_keys(step->in, step->n_keys, step->keys, names)};
  if (read_query(&q) != BASE_OK) {
    return NULL;
  }
  const struct frame_groups groups = frame_group(step->in, step->n_keys, step->keys);
  for (long g = 0; g < groups.n; ++g) {
    if (add_group(&q, groups.size[g], groups.rows[g]) != BASE_OK) {
      return NULL;
    }
  }
  return q.made;
}
