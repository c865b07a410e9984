/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench compare A B`: two records, or two folders of them, to a verdict. A pair is the same
 * within the tolerance where the largest difference of what came out is (scale.c); what was asked
 * for must be alike, and so must statuses and words. Without tolerance every difference counts.
 *
 * First the verdict, counts and ratios, then a row a record, worst first: newly failed, newly ok,
 * differing, of other input, standing alone, in other words, within the tolerance. Records are
 * read a pair at a time, and again for what --verbose prints.
 */
#include "bench/compare/compare.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/job/key.h"

static const char *text_at(const cJSON *record, const char *path, const char *otherwise,
                           struct base_arena *arena) {
  const char *text = base_json_text_at(record, path);
  return base_text_clean(text[0] != '\0' ? text : base_json_text_at(record, otherwise), arena);
}

static double first_number(const cJSON *record, const char *path, const char *otherwise) {
  const double x = base_json_real_at(record, path);
  return isnan(x) ? base_json_real_at(record, otherwise) : x;
}

static void set_side(const cJSON *record, struct base_arena *arena, struct compare_side *side) {
  side->status = text_at(record, "status", "status", arena);
  side->number[COMPARE_ERROR] = first_number(record, "errors.q_linf", "residual.absolute");
  side->number[COMPARE_ITERATIONS] = first_number(record, "iterations.total", "iterations");
  side->number[COMPARE_TIME] = first_number(record, "timing.per_step_s", "timing.solve_s");
}

static enum compare_kind kind_of(const struct compare_row *row, const struct compare_result *r,
                                 double tol) {
  const char *a = row->side[0].status, *b = row->side[1].status;
  const int came = r->n[COMPARE_CAME] > 0 && !(r->worst[COMPARE_CAME].size <= tol);
  const int said = r->n[COMPARE_SAID] > 0 && !(r->worst[COMPARE_SAID].size <= tol);
  if (r->n[COMPARE_ASKED] > 0) {
    return COMPARE_OTHER;
  }
  if (strcmp(a, b) != 0) {
    return strcmp(a, "ok") == 0   ? COMPARE_NEWLY_FAILED
           : strcmp(b, "ok") == 0 ? COMPARE_NEWLY_OK
                                  : COMPARE_DIFFERS;
  }
  return came                                          ? COMPARE_DIFFERS
         : said                                        ? COMPARE_WORDS
         : r->n[COMPARE_CAME] + r->n[COMPARE_SAID] > 0 ? COMPARE_WITHIN
                                                       : COMPARE_SAME;
}

/* Its kind and the entry that differs most. */
static void judge(const struct comparison *c, const cJSON *a, const cJSON *b,
                  struct compare_row *row) {
  struct compare_result r;
  compare_values(a, b, &c->request->ignored, NULL, &r);
  set_side(a, c->arena, &row->side[0]);
  set_side(b, c->arena, &row->side[1]);
  row->about = text_at(a, "case.name", "problem", c->arena);
  row->by = text_at(a, "formulation.name", "solver.name", c->arena);
  row->kind = kind_of(row, &r, c->request->tol);
  const enum compare_part part = row->kind == COMPARE_OTHER ? COMPARE_ASKED
                                 : r.n[COMPARE_CAME] > 0 && row->kind != COMPARE_WORDS
                                     ? COMPARE_CAME
                                     : COMPARE_SAID;
  const struct compare_entry *worst = &r.worst[part];
  if (r.n[part] > 0) {
    row->size = worst->size;
    row->why = base_arena_printf(c->arena, "%s: %s -> %s", worst->path, worst->a, worst->b);
  }
}

/* What two blocks of provenance differ in, a line each, after what `said` has. */
static const char *add_built(const cJSON *a, const cJSON *b, const char *said,
                             struct base_arena *arena) {
  for (const cJSON *x = a != NULL ? a->child : NULL; x != NULL; x = x->next) {
    const cJSON *y = cJSON_GetObjectItemCaseSensitive(b, x->string);
    const int is_of_run = strcmp(x->string, "command") == 0 || strcmp(x->string, "key") == 0 ||
                          strcmp(x->string, "checksum") == 0;
    if (cJSON_IsObject(x)) {
      said = add_built(x, y, said, arena);
    } else if (!is_of_run && !cJSON_IsNumber(x) && !cJSON_Compare(x, y, 1)) {
      const char *left = cJSON_IsString(x) ? x->valuestring : cJSON_IsTrue(x) ? "yes" : "no";
      const char *right = cJSON_IsString(y) ? y->valuestring : cJSON_IsTrue(y) ? "yes" : "no";
      said = base_arena_printf(arena, "%s%s: %s -> %s\n", said, base_text_clean(x->string, arena),
                               base_text_clean(left, arena), base_text_clean(right, arena));
    }
  }
  return said;
}

/* Say of a record that it was changed since it was written: it is compared as it is, but the two
 * sides are not the same. */
static void note_change(struct comparison *c, int side, int i, const cJSON *record) {
  if (record != NULL &&
      bench_key_check(record, compare_path(&c->list[side], i, c->arena)) != BASE_OK) {
    fprintf(stderr, "%s\n", base_text_clean(base_message(), c->arena));
    ++c->n_changed;
  }
}

/* Record i of A with record j of B, -1: there is none. One that cannot be read is told as such in
 * folders; of two files it is an error. */
static int add_pair(struct comparison *c, int i, int j) {
  const int at[] = {i, j}, is_file = c->list[0].is_file;
  cJSON *record[2] = {NULL, NULL};
  int status = BASE_OK;
  for (int side = 0; side < 2 && status == BASE_OK; ++side) {
    status = at[side] >= 0 ? compare_read(&c->list[side], at[side], &record[side]) : BASE_OK;
    note_change(c, side, at[side], record[side]);
  }
  const struct compare_list *list = &c->list[i < 0];
  struct compare_row *row = &c->rows[c->n];
  const char *name = is_file ? list->folder : list->names[i < 0 ? j : i];
  *row = (struct compare_row){.i = i, .j = j, .why = "", .name = base_text_clean(name, c->arena)};
  if (status != BASE_OK && !is_file) {
    row->kind = COMPARE_UNREADABLE;
    row->why = base_text_clean(base_message(), c->arena);
  } else if (is_file && (record[0] == NULL || record[1] == NULL)) {
    status = BASE_E_INPUT;
  } else if (record[0] == NULL || record[1] == NULL) {
    row->kind = record[0] != NULL ? COMPARE_ONLY_A : COMPARE_ONLY_B;
  } else {
    if (strcmp(c->list[0].names[i], c->list[1].names[j]) != 0) {
      row->name = base_arena_printf(c->arena, "%s (in B: %s)", row->name,
                                    base_text_clean(c->list[1].names[j], c->arena));
    }
    judge(c, record[0], record[1], row);
    c->built = c->built != NULL ? c->built
                                : add_built(base_json_at(record[0], "provenance"),
                                            base_json_at(record[1], "provenance"), "", c->arena);
  }
  const int is_row = record[0] != NULL || record[1] != NULL || row->kind == COMPARE_UNREADABLE;
  c->n += is_row;
  c->n_other += !is_row;
  c->counts[row->kind] += is_row;
  cJSON_Delete(record[0]);
  cJSON_Delete(record[1]);
  return is_file ? status : BASE_OK;
}

static int compare_rows(const void *a, const void *b) {
  const struct compare_row *x = a, *y = b;
  return x->kind != y->kind   ? (int)x->kind - (int)y->kind
         : x->size != y->size ? (x->size < y->size) - (x->size > y->size)
                              : strcmp(x->name, y->name);
}

static int open_lists(struct comparison *c) {
  const struct bench_compare_request *request = c->request;
  int status = compare_list_read(request->a, c->arena, &c->list[0]);
  status = status != BASE_OK ? status : compare_list_read(request->b, c->arena, &c->list[1]);
  if (status == BASE_OK && c->list[0].is_file != c->list[1].is_file) {
    return base_fail(BASE_E_INPUT, "compare two records or two folders, not '%s' with '%s'",
                     request->a, request->b);
  }
  for (int side = 0; side < 2 && status == BASE_OK; ++side) {
    if (c->list[side].n == 0) {
      status = base_fail(BASE_E_INPUT, "%s: holds no record", c->list[side].folder);
    }
  }
  return status;
}

static int compare_all(struct comparison *c) {
  int status = open_lists(c);
  if (status != BASE_OK) {
    return status;
  }
  const struct compare_list *a = &c->list[0], *b = &c->list[1];
  const int *partner = compare_match(a, b, c->arena);
  char *is_taken = base_arena_push(c->arena, (size_t)b->n);
  c->rows = base_arena_array(c->arena, (size_t)(a->n + b->n), 1, sizeof *c->rows);
  for (int i = 0; i < a->n && status == BASE_OK; ++i) {
    if (partner[i] >= 0) {
      is_taken[partner[i]] = 1;
    }
    status = add_pair(c, i, partner[i]);
  }
  for (int j = 0; j < b->n && status == BASE_OK; ++j) {
    status = is_taken[j] ? BASE_OK : add_pair(c, -1, j);
  }
  if (status == BASE_OK && c->n == 0) {
    status = base_fail(BASE_E_INPUT, "%s: holds no record", a->folder);
  }
  qsort(c->rows, (size_t)c->n, sizeof *c->rows, compare_rows);
  return status;
}

int compare_is_same(const struct comparison *c) {
  return c->counts[COMPARE_SAME] + c->counts[COMPARE_WITHIN] == c->n;
}

int bench_compare(const struct bench_compare_request *request, int *is_same) {
  struct comparison c = {.request = request, .arena = base_arena_alloc()};
  int status = compare_all(&c);
  if (status == BASE_OK) {
    *is_same = compare_is_same(&c) && c.n_changed == 0;
    status = compare_print(&c);
  }
  base_arena_free(c.arena);
  return status;
}
