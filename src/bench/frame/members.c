/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What ensembles say, of lists of members. Members come in *clusters*, the values of a column:
 * those of one scene are more alike than those of two, so that intervals, of 95 %, are made by
 * bootstrap over whole clusters (la/ensemble/bootstrap.h); of too few they are missing. A group has
 * one row for each cluster and each of what is compared. As many members of a cluster count as its
 * shortest list has; a missing row or member counts as infinite, the worst there is.
 *
 *   {"bootstrap": X, "clusters": "scene", "groupby": [...]}: `members`, their `median`, `lo`, `hi`
 *   {"paired": X, "of": WHO, "against": "ncp", "clusters": "scene", "groupby": [...]}: on the same
 *     members (la/ensemble/paired.h), of each WHO the median `log_ratio`, decimal logarithm of X
 *     over that of the one it is held against; the share of members in which it is `better`; its
 *     mean `rank`, these three with _lo and _hi; the share of resamples in which that is `first`;
 *     and whether it `may_be_best`
 *   {"front": ["work", "error"], "points": ["dt", "tol"], "errors": [1e-2, 1e-3], "costs": [1, 4],
 *     "clusters": "scene", "groupby": [...]}: of the front of the points (la/ensemble/front.h) the
 *     cost at each error and the error at each cost: `of` which column, `at`, `value`, `lo`, `hi`;
 *     0 and infinite: beyond what was measured
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/parts.h"
#include "la/ensemble/front.h"
#include "la/ensemble/paired.h"
#include "la/ensemble/quantile.h"

/* A query while it is worked out. */
struct query {
  const struct frame_step *step;
  int clusters, n_who;
  const int *who;     /* columns: what is compared in each group */
  struct frame *made; /* keys, then from column n_keys on what is made */
};

/* who: the key that names what is compared; NULL: nothing is. names: of what is made, NULL ends. */
static int read_query(struct query *q, const char *who, const char *const *names) {
  q->clusters = frame_step_column(q->step, "clusters");
  q->who = frame_step_columns(q->step, who, &q->n_who);
  if (q->clusters < 0 || q->who == NULL) {
    return BASE_E_INPUT;
  }
  q->made = frame_of_keys(q->step->in, q->step->n_keys, q->step->keys, names);
  return BASE_OK;
}

/* ---- the members of a group ---- */

struct members {
  const struct frame *part; /* the rows of the group */
  struct frame_groups who;
  int n, n_clusters;
  int *cluster;       /* n */
  const int *size;    /* n_clusters */
  const long *row_of; /* who.n x n_clusters, rows of the part; -1: none */
};

/* Members that all rows of a cluster have, of those that have any. */
static int size_of(const struct frame *part, int x, long n, const long *rows) {
  int least = 0;
  for (long i = 0; i < n; ++i) {
    int size;
    const struct frame_value *v = frame_at(part, rows[i], x);
    frame_entries(v, &size);
    size = frame_is_missing(v) ? 0 : size;
    least = least == 0 || (size > 0 && size < least) ? size : least;
  }
  return least;
}

/* x: the column whose lists say how many there are. */
static int find_members(const struct query *q, int x, long n, const long *rows, struct members *m) {
  struct base_arena *arena = q->made->arena;
  *m = (struct members){.part = frame_part(q->step->in, n, rows)};
  m->who = frame_group(m->part, q->n_who, q->who);
  const struct frame_groups clusters = frame_group(m->part, 1, &q->clusters);
  int *size = base_arena_ints(arena, (int)clusters.n + 1);
  int *cluster_of = base_arena_ints(arena, (int)n + 1); /* of a row; -1: of one without members */
  for (long c = 0; c < clusters.n; ++c) {
    const int members = size_of(m->part, x, clusters.size[c], clusters.rows[c]);
    for (long i = 0; i < clusters.size[c]; ++i) {
      cluster_of[clusters.rows[c][i]] = members > 0 ? m->n_clusters : -1;
    }
    size[m->n_clusters] = members;
    m->n_clusters += members > 0;
    m->n += members;
  }
  m->size = size;
  m->cluster = base_arena_ints(arena, m->n + 1);
  for (int c = 0, at = 0; c < m->n_clusters; ++c) {
    for (int k = 0; k < size[c]; ++k) {
      m->cluster[at++] = c;
    }
  }
  const long places = m->who.n * m->n_clusters;
  long *row_of = base_arena_array(arena, (size_t)places + 1, 1, sizeof *row_of);
  for (long i = 0; i < places; ++i) {
    row_of[i] = -1;
  }
  for (long w = 0; w < m->who.n; ++w) {
    for (long i = 0; i < m->who.size[w]; ++i) {
      const long row = m->who.rows[w][i];
      long *at = &row_of[w * m->n_clusters + (cluster_of[row] >= 0 ? cluster_of[row] : 0)];
      if (cluster_of[row] >= 0 && *at >= 0) {
        return base_fail(BASE_E_INPUT, "%s: key 'clusters': two rows of one value of '%s'",
                         q->step->file, m->part->columns[q->clusters].name);
      }
      *at = cluster_of[row] >= 0 ? row : *at;
    }
  }
  m->row_of = row_of;
  return BASE_OK;
}

/* who.n x n */
static double *values_of(const struct members *m, int column) {
  double *values = base_arena_matrix(m->part->arena, m->n + 1, (int)m->who.n), *to = values;
  for (long i = 0; i < m->who.n * m->n_clusters; ++i) {
    int n = 0;
    const long row = m->row_of[i];
    const double *x = row >= 0 ? frame_entries(frame_at(m->part, row, column), &n) : NULL;
    for (int k = 0; k < m->size[i % m->n_clusters]; ++k) {
      *to++ = k < n && !isnan(x[k]) ? x[k] : INFINITY;
    }
  }
  return values;
}

static struct la_sampling sampling_of(const struct members *m) {
  struct la_sampling sampling = la_sampling_default(m->n);
  sampling.cluster = m->cluster;
  return sampling;
}

/* ---- rows ---- */

static long add_row(const struct query *q, const struct members *m) {
  return frame_push_keys(q->made, m->part, q->step->n_keys, q->step->keys, 0);
}

static void set(const struct query *q, long row, int column, double x) {
  *frame_at(q->made, row, q->step->n_keys + column) = frame_number(x);
}

static void set_interval(const struct query *q, long row, int column, const struct la_interval *x) {
  frame_set_interval(q->made, row, q->step->n_keys + column, x);
}

/* Rows of each group that has members, from columns of lists; NULL with a message. */
typedef int add_rows(const struct query *q, const struct members *m, const int *columns);
static struct frame *for_groups(const struct query *q, const int *columns, add_rows *add) {
  const struct frame_groups groups = frame_group(q->step->in, q->step->n_keys, q->step->keys);
  for (long g = 0; g < groups.n; ++g) {
    struct members m;
    if (find_members(q, columns[0], groups.size[g], groups.rows[g], &m) != BASE_OK ||
        (m.n > 0 && add(q, &m, columns) != BASE_OK)) {
      return NULL;
    }
  }
  return q->made;
}

/* ---- medians ---- */

struct drawn {
  const double *x;
  struct base_arena *arena;
};

static void median_of(int n, const int *index, void *data, double *values) {
  const struct drawn *drawn = data;
  const struct base_arena_mark mark = base_arena_mark(drawn->arena);
  double *x = base_arena_room(drawn->arena, (size_t)n * sizeof *x);
  for (int i = 0; i < n; ++i) {
    x[i] = drawn->x[index[i]];
  }
  *values = la_median(n, x);
  base_arena_release(drawn->arena, mark);
}

static int add_median(const struct query *q, const struct members *m, const int *columns) {
  const struct la_sampling sampling = sampling_of(m);
  struct drawn drawn = {values_of(m, columns[0]), q->made->arena};
  struct la_interval median;
  la_bootstrap(&sampling, 1, median_of, &drawn, q->made->arena, &median, NULL);
  const long row = add_row(q, m);
  set(q, row, 0, m->n);
  set_interval(q, row, 1, &median);
  return BASE_OK;
}

struct frame *frame_bootstrap(const struct frame_step *step) {
  static const char *const names[] = {"members", "median", "lo", "hi", NULL};
  struct query q = {.step = step};
  const int x = frame_step_column(step, "bootstrap");
  return x >= 0 && read_query(&q, NULL, names) == BASE_OK ? for_groups(&q, &x, add_median) : NULL;
}

/* ---- pairs ---- */

/* Number of the one that others are held against; -1: it is not among them. */
static long find_other(const struct query *q, const struct members *m) {
  const char *against = base_json_text_at(q->step->json, "against");
  long w = m->who.n - 1;
  while (w >= 0 && strcmp(frame_text(m->part, m->who.rows[w][0], q->who[0]), against) != 0) {
    --w;
  }
  return w;
}

static int add_pairs(const struct query *q, const struct members *m, const int *columns) {
  struct base_arena *arena = q->made->arena;
  const struct la_sampling sampling = sampling_of(m);
  const double *x = values_of(m, columns[0]);
  struct la_rank *rank = base_arena_array(arena, (size_t)m->who.n, 1, sizeof *rank);
  la_ranks(&sampling, (int)m->who.n, x, arena, rank);
  const long other = find_other(q, m);
  for (long w = 0; w < m->who.n; ++w) {
    const long row = add_row(q, m);
    *frame_at(q->made, row, q->step->n_keys) = *frame_at(m->part, m->who.rows[w][0], q->who[0]);
    if (other >= 0) {
      const struct la_paired pair = la_paired(&sampling, x + w * m->n, x + other * m->n, arena);
      set_interval(q, row, 1, &pair.log_ratio);
      set_interval(q, row, 4, &pair.better);
    }
    set_interval(q, row, 7, &rank[w].mean);
    set(q, row, 10, rank[w].first);
    set(q, row, 11, rank[w].may_be_best);
  }
  return BASE_OK;
}

struct frame *frame_paired(const struct frame_step *step) {
  const char *of = frame_step_text(step, "of", NULL),
             *against = frame_step_text(step, "against", NULL);
  const char *const names[] = {
      of,     "log_ratio", "log_ratio_lo", "log_ratio_hi", "better",      "better_lo", "better_hi",
      "rank", "rank_lo",   "rank_hi",      "first",        "may_be_best", NULL};
  struct query q = {.step = step};
  const int x = frame_step_column(step, "paired");
  return x >= 0 && of != NULL && against != NULL && read_query(&q, "of", names) == BASE_OK
             ? for_groups(&q, &x, add_pairs)
             : NULL;
}

/* ---- fronts ---- */

/* The numbers at a key, *n of them; NULL with a message. */
static const double *numbers_at(const struct query *q, const char *key, int *n) {
  enum { MOST = 100 };
  double *x = base_arena_doubles(q->made->arena, MOST);
  *n = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(q->step->json, key));
  return base_json_get_reals(q->step->json, key, q->step->file, *n < MOST ? *n : MOST, x, NULL) ==
                 BASE_OK
             ? x
             : NULL;
}

static int add_front(const struct query *q, const struct members *m, const int *columns) {
  struct base_arena *arena = q->made->arena;
  int n_errors, n_costs;
  const double *errors = numbers_at(q, "errors", &n_errors),
               *costs = numbers_at(q, "costs", &n_costs);
  if (errors == NULL || costs == NULL) {
    return BASE_E_INPUT;
  }
  const struct la_sampling sampling = sampling_of(m);
  const struct la_front_ensemble front = {(int)m->who.n, values_of(m, columns[0]),
                                          values_of(m, columns[1])};
  struct la_interval *at = base_arena_array(arena, (size_t)(n_errors + n_costs + 1), 1, sizeof *at);
  la_front_intervals(&front, &sampling, n_errors, errors, n_costs, costs, arena, at);
  for (int k = 0; k < n_errors + n_costs; ++k) {
    const int is_cost = k < n_errors;
    const long row = add_row(q, m);
    *frame_at(q->made, row, q->step->n_keys) =
        frame_word(m->part->columns[columns[is_cost ? 0 : 1]].name);
    set(q, row, 1, is_cost ? errors[k] : costs[k - n_errors]);
    set_interval(q, row, 2, &at[k]);
  }
  return BASE_OK;
}

struct frame *frame_front(const struct frame_step *step) {
  static const char *const names[] = {"of", "at", "value", "lo", "hi", NULL};
  struct query q = {.step = step};
  int n;
  const int *columns = frame_step_columns(step, "front", &n);
  if (columns == NULL || n != 2) {
    base_fail(BASE_E_INPUT, "%s: key 'front': must be two columns, cost and error", step->file);
    return NULL;
  }
  return read_query(&q, "points", names) == BASE_OK ? for_groups(&q, columns, add_front) : NULL;
}
