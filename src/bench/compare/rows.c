/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows, counts and head of a comparison; see rows.h.
 */
#include "bench/compare/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "bench/compare/compare.h"

enum { SHOWN = 20 }; /* rows of a kind without --verbose */

static const char *const titles[COMPARE_KINDS] = {
    "newly failed", "newly ok",   "differ",           "only in A",
    "only in B",    "unreadable", "within the limit", "same to the byte"};

/* ---- rows ---- */

struct compare_row *compare_rows_add(struct compare_rows *rows, struct base_arena *arena) {
  if (rows->n == rows->capacity) {
    const int capacity = rows->capacity > 0 ? 2 * rows->capacity : 256;
    struct compare_row *grown = base_arena_push(arena, (size_t)capacity * sizeof *grown);
    if (rows->n > 0) {
      memcpy(grown, rows->row, (size_t)rows->n * sizeof *grown);
    }
    rows->row = grown;
    rows->capacity = capacity;
  }
  return &rows->row[rows->n++];
}

static int compare_numbers(double x, double y) { return x > y ? -1 : x < y ? 1 : 0; }

static int compare_rows_of(const void *a, const void *b) {
  const struct compare_row *x = a, *y = b;
  const int by_excess = compare_numbers(x->excess, y->excess);
  const int by_size = compare_numbers(x->size, y->size);
  return x->kind != y->kind ? (int)x->kind - (int)y->kind
         : by_excess != 0   ? by_excess
         : by_size != 0     ? by_size
                            : strcmp(x->name, y->name);
}

void compare_rows_sort(struct compare_rows *rows) {
  if (rows->n > 0) {
    qsort(rows->row, (size_t)rows->n, sizeof *rows->row, compare_rows_of);
  }
}

static void count(const struct compare_rows *rows, int counts[COMPARE_KINDS]) {
  memset(counts, 0, COMPARE_KINDS * sizeof *counts);
  for (int i = 0; i < rows->n; ++i) {
    ++counts[rows->row[i].kind];
  }
}

int compare_rows_is_same(const struct compare_rows *rows) {
  int counts[COMPARE_KINDS];
  count(rows, counts);
  return counts[COMPARE_SAME] + counts[COMPARE_WITHIN] == rows->n;
}

/* ---- summary ---- */

/* What the limit is, in words. */
static void put_limit(const struct bench_compare_request *request) {
  const double tol = request->tol > 0 ? request->tol : 0;
  if (request->n_noise == 0) {
    printf("same to %g", tol);
  } else if (tol > 0) {
    printf("within %g times the noise or %g", request->factor, tol);
  } else {
    printf("within %g times the noise", request->factor);
  }
}

static void put_verdict(const struct compare_rows *rows,
                        const struct bench_compare_request *request,
                        const int counts[COMPARE_KINDS]) {
  printf("verdict: ");
  if (counts[COMPARE_SAME] == rows->n) {
    printf("same to the byte");
  } else if (compare_rows_is_same(rows)) {
    put_limit(request);
  } else {
    printf("differs");
  }
  printf("\n");
}

static int compare_reals(const void *a, const void *b) {
  const double *x = a, *y = b;
  return -compare_numbers(*x, *y);
}

/* Median of B over A, and how many of them; machines and other work on them show here too. */
static void put_times(const struct compare_rows *rows) {
  struct base_arena *arena = base_arena_alloc();
  double *ratio = base_arena_doubles(arena, rows->n);
  int n = 0;
  for (int i = 0; i < rows->n; ++i) {
    const double x = rows->row[i].b.time / rows->row[i].a.time;
    if (rows->row[i].a.status != NULL && x > 0 && isfinite(x)) {
      ratio[n++] = x;
    }
  }
  if (n > 0) {
    qsort(ratio, (size_t)n, sizeof *ratio, compare_reals);
    printf("CPU time a step, B over A: median %.3g of %d, from %.3g to %.3g\n", ratio[n / 2], n,
           ratio[0], ratio[n - 1]);
  }
  base_arena_free(arena);
}

/* The largest difference with a size, and how many records have one without. */
static void put_largest(const struct compare_rows *rows) {
  const struct compare_row *largest = NULL;
  int sizeless = 0;
  for (int i = 0; i < rows->n; ++i) {
    const struct compare_row *row = &rows->row[i];
    if (row->n > 0 && isfinite(row->size) && (largest == NULL || row->size > largest->size)) {
      largest = row;
    }
    sizeless += row->n > 0 && isinf(row->size);
  }
  if (largest != NULL) {
    printf("largest of finite size: %.2e in %s, %s\n", largest->size, largest->name,
           largest->worst);
  }
  if (sizeless > 0) {
    printf("differences without size (texts, keys, lengths, null) lead in %d records\n", sizeless);
  }
}

/* Blocks whose entries lead the differing records. */
static void put_blocks(const struct compare_rows *rows) {
  int counts[COMPARE_BLOCKS_MAX] = {0}, shown = 0;
  for (int i = 0; i < rows->n; ++i) {
    counts[rows->row[i].block] += rows->row[i].kind == COMPARE_DIFFERS;
  }
  for (int block = 0; block < compare_block_count(); ++block) {
    if (counts[block] > 0) {
      printf("%s%s %d", shown++ > 0 ? ", " : "differ most in: ", compare_block_name(block),
             counts[block]);
    }
  }
  if (shown > 0) {
    printf("\n");
  }
}

void compare_rows_print_summary(const struct compare_rows *rows,
                                const struct bench_compare_request *request) {
  int counts[COMPARE_KINDS], without_noise = 0;
  count(rows, counts);
  put_verdict(rows, request, counts);
  printf("summary: %d records: %d same to the byte", rows->n, counts[COMPARE_SAME]);
  if (request->tol >= 0 || request->n_noise > 0) {
    printf(", %d ", counts[COMPARE_WITHIN]);
    put_limit(request);
  }
  printf(", %d differ, %d newly failed, %d newly ok, %d only in A, %d only in B, %d unreadable\n",
         counts[COMPARE_DIFFERS], counts[COMPARE_NEWLY_FAILED], counts[COMPARE_NEWLY_OK],
         counts[COMPARE_ONLY_A], counts[COMPARE_ONLY_B], counts[COMPARE_UNREADABLE]);
  put_blocks(rows);
  put_largest(rows);
  put_times(rows);
  for (int i = 0; i < rows->n; ++i) {
    without_noise += rows->row[i].a.status != NULL && !rows->row[i].has_noise;
  }
  if (request->n_noise > 0 && without_noise > 0) {
    printf("%d records are in no folder of noise\n", without_noise);
  }
  if (rows->n_other > 0) {
    printf("%d files are no records and are left out\n", rows->n_other);
  }
}

/* ---- rows as text ---- */

static void put_number(double x, const char *format) {
  char text[32] = "-";
  if (!isnan(x)) {
    snprintf(text, sizeof text, format, x);
  }
  printf(" %8s", text);
}

/* Both sides of a measure, and B over A. */
static void put_both(double a, double b, const char *format) {
  put_number(a, format);
  put_number(b, format);
  put_number(b / a, "%.3g"); /* "-" where there is none, or nothing over nothing */
}

static void put_row(const struct compare_row *row, int has_noise) {
  char status[40];
  const char *a = row->a.status, *b = row->b.status;
  if (a == NULL) {
    printf("  %s%s%s\n", row->name, row->worst[0] != '\0' ? ": " : "", row->worst);
    return;
  }
  snprintf(status, sizeof status, strcmp(a, b) == 0 ? "%s" : "%s -> %s", a[0] != '\0' ? a : "-", b);
  printf("  %-22s", status);
  put_number(row->size, "%.1e");
  if (has_noise) {
    put_number(row->noise, "%.1e");
    put_number(row->size / row->noise, "%.3g");
  }
  put_both(row->a.error, row->b.error, "%.2e");
  put_both(row->a.drift, row->b.drift, "%.2e");
  put_both(row->a.iterations, row->b.iterations, "%.0f");
  put_both(row->a.time, row->b.time, "%.2e");
  printf("  %s%s%s\n", row->name, row->worst != NULL ? "  " : "",
         row->worst != NULL ? row->worst : "");
}

static void put_columns(int has_noise) {
  static const char *const columns[] = {"error A", "error B", "B/A", "drift A", "drift B", "B/A",
                                        "iter A",  "iter B",  "B/A", "CPU A",   "CPU B",   "B/A"};
  printf("  %-22s %8s", "status", "diff");
  if (has_noise) {
    printf(" %8s %8s", "noise", "x noise");
  }
  for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i) {
    printf(" %8s", columns[i]);
  }
  printf("  record, entry that differs most\n");
}

void compare_rows_print(const struct compare_rows *rows,
                        const struct bench_compare_request *request,
                        void (*list)(void *context, const struct compare_row *row), void *context) {
  int counts[COMPARE_KINDS], shown = 0;
  count(rows, counts);
  for (int i = 0; i < rows->n; ++i) {
    const struct compare_row *row = &rows->row[i];
    const int is_first = i == 0 || rows->row[i - 1].kind != row->kind;
    if (row->kind == COMPARE_SAME && !request->verbose && rows->n > 1) {
      continue;
    }
    if (is_first) {
      shown = 0;
      printf("\n%s (%d):\n", titles[row->kind], counts[row->kind]);
      if (row->a.status != NULL) {
        put_columns(request->n_noise > 0);
      }
    }
    if (request->verbose || shown < SHOWN) {
      put_row(row, request->n_noise > 0);
    } else if (shown == SHOWN) {
      printf("  ... and %d more (--verbose shows all)\n", counts[row->kind] - SHOWN);
    }
    ++shown;
    if (request->verbose && row->a.status != NULL && row->n > 0) {
      list(context, row);
    }
  }
}

/* ---- head ---- */

static void add_item(struct compare_head *head, int side, const char *key, const char *value) {
  int i = 0;
  while (i < head->n && strcmp(head->item[i].key, key) != 0) {
    ++i;
  }
  if (i == head->n) {
    if (i == COMPARE_HEAD_ITEMS) {
      return;
    }
    ++head->n;
    head->item[i].key = compare_clean(base_arena_copy(head->arena, key));
  }
  if (head->item[i].value[side] == NULL) {
    head->item[i].value[side] = compare_clean(base_arena_copy(head->arena, value));
  } else if (strcmp(head->item[i].value[side], value) != 0) {
    head->item[i].is_several[side] = 1;
  }
}

static void add_block(struct compare_head *head, int side, const cJSON *block) {
  const cJSON *item;
  cJSON_ArrayForEach(item, block) {
    if (cJSON_IsObject(item)) {
      add_block(head, side, item);
    } else if (item->string != NULL && strcmp(item->string, "command") != 0 &&
               (cJSON_IsString(item) || cJSON_IsBool(item))) {
      const char *flag = cJSON_IsTrue(item) ? "yes" : "no";
      add_item(head, side, item->string, cJSON_IsString(item) ? item->valuestring : flag);
    }
  }
}

void compare_head_add(struct compare_head *head, int side, const cJSON *record) {
  add_block(head, side, base_json_at(record, "provenance"));
}

enum { SIDE_NAME_MAX = 24 }; /* "noise" and a number */

static const char *side_name(int side, char name[SIDE_NAME_MAX]) {
  if (side < 2) {
    snprintf(name, SIDE_NAME_MAX, "%s", side == 0 ? "A" : "B");
  } else {
    snprintf(name, SIDE_NAME_MAX, "noise%d", side - 1);
  }
  return name;
}

void compare_head_print(const struct compare_head *head,
                        const struct bench_compare_request *request) {
  const int sides = 2 + request->n_noise;
  char name[SIDE_NAME_MAX];
  printf("A: %s\nB: %s\n", request->a, request->b);
  for (int k = 0; k < request->n_noise; ++k) {
    printf("%s: %s\n", side_name(2 + k, name), request->noise[k]);
  }
  for (int i = 0; i < request->n_ignored; ++i) {
    printf("left out: %s\n", request->ignored[i]);
  }
  for (int i = 0; i < head->n; ++i) {
    int differs = 0, several = 1;
    for (int side = 0; side < sides; ++side) {
      const char *first = head->item[i].value[0], *value = head->item[i].value[side];
      differs |= (first == NULL) != (value == NULL) ||
                 (first != NULL && value != NULL && strcmp(first, value) != 0) ||
                 head->item[i].is_several[side];
      several &= head->item[i].is_several[side];
    }
    for (int side = 0; side < sides && differs && !several; ++side) {
      const char *value = head->item[i].value[side];
      printf("%s %s: %s%s\n", head->item[i].key, side_name(side, name),
             value != NULL ? value : "(not said)",
             head->item[i].is_several[side] ? ", and others" : "");
    }
  }
}
