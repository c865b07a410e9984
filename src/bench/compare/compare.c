/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench compare A B`: two records, or two folders of them, to a verdict. For every pair of
 * records, with d_k(A, B) the largest difference in block k (scale.c), the limit is
 *   max(tol, factor max_C d_k(A, C)),
 * where C are folders of the code of A built or run otherwise (another BLAS kernel, say): their
 * differences from A are what rounding alone does to that record. Statuses must be alike whatever
 * the limit. Without tolerance and noise every difference counts.
 *
 * First the verdict and counts, then a row a record, worst first: newly failed, newly ok,
 * differing, standing alone, within the limit. Rows hold numbers only, records are read a pair at a
 * time and again for what --verbose prints.
 */
#include "bench/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/compare/request.h"
#include "bench/compare/rows.h"
#include "bench/job/key.h"

struct comparison {
  const struct bench_compare_request *request;
  struct base_arena *arena;
  struct compare_list a, b, noise[BENCH_COMPARE_NOISE_MAX];
  int *partner, *noise_partner[BENCH_COMPARE_NOISE_MAX];
  struct compare_head head;
  struct compare_rows rows;
  int n_changed; /* records that are not what was written */
};

/* Limits of a pair: the tolerance, or more where rounding does more. 1 when any noise was found. */
static int set_limits(struct comparison *c, int i, const cJSON *record, struct compare_how *how,
                      double noise[COMPARE_BLOCKS_MAX]) {
  const struct bench_compare_request *request = c->request;
  int found = 0;
  memset(noise, 0, COMPARE_BLOCKS_MAX * sizeof *noise);
  for (int k = 0; k < request->n_noise; ++k) {
    const int j = c->noise_partner[k][i];
    cJSON *other = NULL;
    struct compare_result result;
    struct compare_how plain = {.n_ignored = request->n_ignored, .ignored = request->ignored};
    if (j < 0 || compare_read(&c->noise[k], j, &other) != BASE_OK || other == NULL) {
      continue;
    }
    compare_values(record, other, &plain, &result);
    compare_head_add(&c->head, 2 + k, other);
    cJSON_Delete(other);
    found = 1;
    for (int block = 0; block < compare_block_count(); ++block) {
      noise[block] = fmax(noise[block], result.block[block]);
    }
  }
  for (int block = 0; block < compare_block_count(); ++block) {
    const double rounding = noise[block] > 0 ? request->factor * noise[block] : 0;
    how->limit[block] =
        compare_block_scale(block) == SCALE_INPUT ? 0 : fmax(fmax(request->tol, 0), rounding);
  }
  return found;
}

static void set_side(const cJSON *record, struct base_arena *arena, struct compare_side *side) {
  const cJSON *iterations = base_json_at(record, "iterations");
  const double time = base_json_real_at(record, "timing.per_step_s");
  const double error = base_json_real_at(record, "errors.q_linf");
  side->status = compare_clean(base_arena_copy(arena, base_json_text_at(record, "status")));
  side->error = isnan(error) ? base_json_real_at(record, "residual.absolute") : error;
  side->drift = base_json_real_at(record, "energy.max_numerical_drift");
  side->iterations =
      cJSON_IsNumber(iterations) ? iterations->valuedouble : base_json_real_at(iterations, "total");
  side->time = isnan(time) ? base_json_real_at(record, "timing.solve_s") : time;
}

static enum compare_kind kind_of(const struct comparison *c, const struct compare_row *row) {
  const struct bench_compare_request *request = c->request;
  const char *a = row->a.status, *b = row->b.status;
  if (strcmp(a, b) != 0) {
    return strcmp(a, "ok") == 0   ? COMPARE_NEWLY_FAILED
           : strcmp(b, "ok") == 0 ? COMPARE_NEWLY_OK
                                  : COMPARE_DIFFERS;
  }
  if (row->n == 0) {
    return COMPARE_SAME;
  }
  const int has_limit = request->tol >= 0 || request->n_noise > 0;
  return has_limit && row->excess <= 1 ? COMPARE_WITHIN : COMPARE_DIFFERS;
}

/* A pair into a row; listing: where every differing entry goes, or NULL. */
static void compare_pair(struct comparison *c, int i, const cJSON *a, const cJSON *b, FILE *listing,
                         struct compare_row *row) {
  struct compare_how how = {
      .n_ignored = c->request->n_ignored, .ignored = c->request->ignored, .listing = listing};
  struct compare_result result;
  double noise[COMPARE_BLOCKS_MAX];
  row->has_noise = set_limits(c, i, a, &how, noise);
  compare_values(a, b, &how, &result);
  row->n = result.n;
  row->excess = result.excess;
  row->size = result.worst.size;
  row->block = result.worst.block;
  row->noise = row->has_noise ? noise[result.worst.block] : NAN;
  set_side(a, c->arena, &row->a);
  set_side(b, c->arena, &row->b);
  if (result.n > 0) {
    row->worst = base_arena_printf(c->arena, "%s: %s -> %s", result.worst.path, result.worst.a,
                                   result.worst.b);
  }
  row->kind = kind_of(c, row);
}

/* A record without a partner, or one that cannot be read. */
static void add_alone(struct comparison *c, enum compare_kind kind, const char *name,
                      const char *why) {
  struct compare_row *row = compare_rows_add(&c->rows, c->arena);
  *row = (struct compare_row){
      .kind = kind, .name = name, .worst = compare_clean(base_arena_copy(c->arena, why))};
}

static const char *shown_name(struct base_arena *arena, const struct compare_list *list, int i) {
  return compare_clean(base_arena_copy(arena, list->is_file ? list->folder : list->names[i]));
}

/* Say of a record that it was changed since it was written: it is compared as it is, but the two
 * sides are not the same. */
static void note_change(struct comparison *c, const struct compare_list *list, int i,
                        const cJSON *record) {
  if (record == NULL) {
    return;
  }
  const char *name =
      base_arena_printf(c->arena, "%s%s%s", list->folder, list->is_file ? "" : "/", list->names[i]);
  if (bench_key_check(record, name) != BASE_OK) {
    fprintf(stderr, "%s\n", compare_clean(base_arena_copy(c->arena, base_message())));
    ++c->n_changed;
  }
}

/* Record i of a with its partner. An unreadable one is told as such in folders; of two files it is
 * an error. */
static int add_pair(struct comparison *c, int i) {
  const int j = c->partner[i];
  const char *name = shown_name(c->arena, &c->a, i);
  cJSON *a = NULL, *b = NULL;
  int status = compare_read(&c->a, i, &a);
  status = status != BASE_OK || j < 0 ? status : compare_read(&c->b, j, &b);
  note_change(c, &c->a, i, a);
  note_change(c, &c->b, j, b);
  if (c->a.is_file && (a == NULL || b == NULL)) {
    status = BASE_E_INPUT;
  } else if (status != BASE_OK) {
    add_alone(c, COMPARE_UNREADABLE, name, base_message());
    status = BASE_OK;
  } else if (a == NULL && b == NULL) {
    ++c->rows.n_other;
  } else if (a == NULL || b == NULL) {
    add_alone(c, a != NULL ? COMPARE_ONLY_A : COMPARE_ONLY_B, name, "");
  } else {
    struct compare_row *row = compare_rows_add(&c->rows, c->arena);
    *row = (struct compare_row){.index = i, .name = name};
    if (strcmp(c->a.names[i], c->b.names[j]) != 0) {
      row->name =
          base_arena_printf(c->arena, "%s (in B: %s)", name, shown_name(c->arena, &c->b, j));
    }
    compare_head_add(&c->head, 0, a);
    compare_head_add(&c->head, 1, b);
    compare_pair(c, i, a, b, NULL, row);
  }
  cJSON_Delete(a);
  cJSON_Delete(b);
  return status;
}

static void add_rest_of_b(struct comparison *c) {
  char *is_taken = base_arena_push(c->arena, (size_t)c->b.n);
  for (int i = 0; i < c->a.n; ++i) {
    if (c->partner[i] >= 0) {
      is_taken[c->partner[i]] = 1;
    }
  }
  for (int j = 0; j < c->b.n; ++j) {
    cJSON *b = NULL;
    if (is_taken[j]) {
      continue;
    }
    if (compare_read(&c->b, j, &b) != BASE_OK) {
      add_alone(c, COMPARE_UNREADABLE, shown_name(c->arena, &c->b, j), base_message());
    } else if (b == NULL) {
      ++c->rows.n_other;
    } else {
      add_alone(c, COMPARE_ONLY_B, shown_name(c->arena, &c->b, j), "");
    }
    cJSON_Delete(b);
  }
}

/* The differing entries of a row, for --verbose. */
static void list_entries(void *context, const struct compare_row *row) {
  struct comparison *c = context;
  const int j = c->partner[row->index];
  cJSON *a = NULL, *b = NULL;
  struct compare_row again = *row;
  compare_read(&c->a, row->index, &a);
  compare_read(&c->b, j, &b);
  if (a != NULL && b != NULL) {
    compare_pair(c, row->index, a, b, stdout, &again);
  }
  cJSON_Delete(a);
  cJSON_Delete(b);
}

static int open_lists(struct comparison *c) {
  const struct bench_compare_request *request = c->request;
  int status = compare_list_read(request->a, c->arena, &c->a);
  status = status != BASE_OK ? status : compare_list_read(request->b, c->arena, &c->b);
  for (int k = 0; k < request->n_noise && status == BASE_OK; ++k) {
    status = compare_list_read(request->noise[k], c->arena, &c->noise[k]);
    if (status == BASE_OK && c->noise[k].is_file != c->a.is_file) {
      status = base_fail(BASE_E_INPUT, "--noise = '%s': must be a %s as '%s' is", request->noise[k],
                         c->a.is_file ? "record" : "folder", request->a);
    }
  }
  if (status == BASE_OK && c->a.is_file != c->b.is_file) {
    return base_fail(BASE_E_INPUT, "compare two records or two folders, not '%s' with '%s'",
                     request->a, request->b);
  }
  if (status == BASE_OK && (c->a.n == 0 || c->b.n == 0)) {
    return base_fail(BASE_E_INPUT, "%s: holds no record", c->a.n == 0 ? request->a : request->b);
  }
  return status;
}

static int compare_all(struct comparison *c) {
  const struct bench_compare_request *request = c->request;
  int status = open_lists(c);
  if (status != BASE_OK) {
    return status;
  }
  c->partner = compare_match(&c->a, &c->b, c->arena);
  for (int k = 0; k < request->n_noise; ++k) {
    c->noise_partner[k] = compare_match(&c->a, &c->noise[k], c->arena);
  }
  for (int i = 0; i < c->a.n && status == BASE_OK; ++i) {
    status = add_pair(c, i);
  }
  if (status == BASE_OK) {
    add_rest_of_b(c);
  }
  if (status == BASE_OK && c->rows.n == 0) {
    status = base_fail(BASE_E_INPUT, "%s: holds no record", request->a);
  }
  return status;
}

int bench_compare(const struct bench_compare_request *request, int *is_same) {
  struct comparison c = {.request = request, .arena = base_arena_alloc()};
  c.head.arena = c.arena;
  const int status = compare_all(&c);
  if (status == BASE_OK) {
    compare_rows_sort(&c.rows);
    *is_same = compare_rows_is_same(&c.rows) && c.n_changed == 0;
    compare_head_print(&c.head, request);
    compare_rows_print_summary(&c.rows, request);
    compare_rows_print(&c.rows, request, list_entries, &c);
  }
  base_arena_free(c.arena);
  return status;
}
