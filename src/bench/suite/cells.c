/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of a suite from its groups, "cells" of the file: formulations times numbers of threads
 * times steps, each checked as it is added; see suite.h. What all cells of a group share is read
 * by group.c.
 */
#include "bench/suite/cells.h"

#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/suite/over.h"

enum { CELLS_MAX = 1000000 };

/* Refuse now what would otherwise fail in the middle of a long run. */
static int check_request(struct bench_builder *b, struct bench_cell *cell) {
  const struct base_arena_mark mark = base_arena_mark(b->arena);
  struct bench_job job;
  const int status = bench_job_check(&cell->request, b->arena, &job);
  if (status != BASE_OK) {
    base_message_prefix("%s: cell '%s': ", b->file, cell->place.id);
  }
  cell->is_unsupported = status == BASE_OK && job.status != BASE_OK;
  cell->work = status == BASE_OK ? job.work : 0;
  base_arena_release(b->arena, mark);
  return status;
}

int bench_cells_add(struct bench_builder *b, const struct bench_cell *cell) {
  struct bench_suite *suite = b->suite;
  if (strlen(cell->place.id) > BENCH_ID_MAX && !b->is_unchecked) {
    return base_fail(BASE_E_INPUT, "%s: the name '%s' is longer than a file's may be", b->file,
                     cell->place.id);
  }
  if (suite->n == CELLS_MAX) {
    return base_fail(BASE_E_INPUT, "%s: more than %d cells", b->file, CELLS_MAX);
  }
  if (suite->n == b->capacity) {
    b->capacity = b->capacity == 0 ? 64 : 2 * b->capacity;
    b->store = b->store != NULL ? b->store : base_arena_child(b->arena);
    suite->cells =
        base_arena_resize(b->store, suite->cells, (size_t)suite->n * sizeof *suite->cells,
                          (size_t)b->capacity * sizeof *suite->cells);
  }
  suite->cells[suite->n] = *cell;
  suite->cells[suite->n].place.suite = suite->name;
  const int is_checked = cell->solve == NULL && !b->is_unchecked;
  const int status = is_checked ? check_request(b, &suite->cells[suite->n]) : BASE_OK;
  suite->n += status == BASE_OK;
  return status;
}

int bench_cells_check_names(const struct bench_builder *b) {
  const struct bench_suite *suite = b->suite;
  const struct base_arena_mark mark = base_arena_mark(b->arena);
  const char **ids = base_arena_push(b->arena, (size_t)suite->n * sizeof *ids);
  int status = BASE_OK;
  for (int i = 0; i < suite->n; ++i) {
    ids[i] = suite->cells[i].place.id;
  }
  base_names_sort(suite->n, ids);
  for (int i = 1; i < suite->n && status == BASE_OK; ++i) {
    if (strcmp(ids[i - 1], ids[i]) == 0) {
      status = base_fail(BASE_E_INPUT, "%s: two cells are named '%s'; give one a label", b->file,
                         ids[i]);
    }
  }
  base_arena_release(b->arena, mark);
  return status;
}

/* One cell: a formulation at one step (NULL: the default one). */
static int add_step(struct bench_builder *b, const cJSON *group, const struct bench_cell *model,
                    const char *formulation, const cJSON *dt) {
  struct bench_cell cell = *model;
  const char *label = cell.place.label;
  cell.request.formulation = base_arena_copy(b->arena, formulation);
  cell.expected = bench_expect_of(model->expected, formulation);
  bench_cells_default(b, group, formulation, &cell);
  struct base_arena *scratch = b->scratch =
      b->scratch != NULL ? b->scratch : base_arena_child(b->arena);
  const struct base_arena_mark mark = base_arena_mark(scratch);
  const char *id = base_arena_printf(scratch, "%s--%s", cell.case_name, cell.request.formulation);
  if (cell.request.solver != NULL) {
    id = base_arena_printf(scratch, "%s--%s", id, cell.place.solver);
  }
  if (cell.place.study != NULL) {
    id = base_arena_printf(scratch, "%s--%s", id, cell.place.study);
  }
  if (label != NULL) {
    id = base_arena_printf(scratch, "%s--%s", id, label);
  }
  for (int i = 0; i < cell.place.n_swept; ++i) {
    const struct bench_swept *at = &cell.place.swept[i];
    id = base_arena_printf(scratch, "%s--%s-%s", id, at->key, at->value);
  }
  if (cell.request.search != NULL) {
    id = base_arena_printf(scratch, "%s--search", id);
  }
  if (dt != NULL) {
    char number[BASE_JSON_NUMBER_SIZE];
    cell.request.dt = dt->valuedouble;
    id = base_arena_printf(scratch, "%s--dt%s", id, base_json_number(dt->valuedouble, number));
  }
  cell.place.id = base_name_clean(id, b->arena);
  base_arena_release(scratch, mark);
  return bench_cells_add(b, &cell);
}

/* One formulation of a group at every step it lists (or at the default one). */
static int add_formulation(struct bench_builder *b, const cJSON *group,
                           const struct bench_cell *model, const char *formulation) {
  const cJSON *dts = cJSON_GetObjectItemCaseSensitive(group, "dt"), *dt;
  int status = BASE_OK;
  if (!cJSON_IsArray(dts)) {
    return add_step(b, group, model, formulation, dts);
  }
  cJSON_ArrayForEach(dt, dts) {
    status = status != BASE_OK ? status : add_step(b, group, model, formulation, dt);
  }
  return status;
}

/* Is the name in the group's list "except"? */
static int is_excepted(const cJSON *group, const char *name) {
  const cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(group, "except")) {
    if (strcmp(cJSON_GetStringValue(item), name) == 0) {
      return 1;
    }
  }
  return 0;
}

/* "except": names of formulations. */
static int check_except(const struct bench_builder *b, const cJSON *group) {
  const cJSON *name;
  cJSON_ArrayForEach(name, cJSON_GetObjectItemCaseSensitive(group, "except")) {
    if (form_find(name->valuestring) == NULL) {
      base_message_prefix("%s: except: ", b->file);
      return BASE_E_INPUT;
    }
  }
  return BASE_OK;
}

/* Every formulation that takes the solver asked for, without one all, but those excepted. */
static int add_all_formulations(struct bench_builder *b, const cJSON *group,
                                const struct bench_cell *model) {
  int status = check_except(b, group);
  for (int i = 0; i < form_count() && status == BASE_OK; ++i) {
    const struct form *form = form_get(i);
    if (!form->is_family && !is_excepted(group, form->name) &&
        (form->has_law || model->request.solver == NULL)) {
      status = add_formulation(b, group, model, form_get(i)->name);
    }
  }
  return status;
}

static int add_solve(void *to, const struct bench_cell *cell) { return bench_cells_add(to, cell); }

/* The formulations of a group. */
static int add_formulations(struct bench_builder *b, const cJSON *group,
                            const struct bench_cell *model) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(group, "formulations"), *name;
  if (!cJSON_IsArray(list)) { /* "all" */
    return add_all_formulations(b, group, model);
  }
  if (cJSON_GetObjectItemCaseSensitive(group, "except") != NULL) {
    return base_fail(BASE_E_INPUT, "%s: except: goes with \"formulations\": \"all\"", b->file);
  }
  int status = BASE_OK;
  cJSON_ArrayForEach(name, list) {
    status = status != BASE_OK ? status : add_formulation(b, group, model, name->valuestring);
  }
  return status;
}

/* at: the place with what the lists of the group are at. */
static int add_one(struct bench_builder *b, cJSON *group, const struct bench_place *at) {
  struct bench_cell model = {.place = *at};
  int status = bench_cells_work_out(b, group);
  status = status != BASE_OK ? status : bench_cells_read(b, group, &model);
  return status != BASE_OK ? status : add_formulations(b, group, &model);
}

/* The first list among the values of "set" and "opt", or the list "solver" or "threads", and the
 * object it is in; NULL: there is none. */
static cJSON *first_list(cJSON *group, cJSON **owner) {
  static const char *const objects[] = {"set", "opt"}, *const lists[] = {"solver", "threads"};
  cJSON *item;
  for (int i = 0; i < 2; ++i) {
    *owner = cJSON_GetObjectItemCaseSensitive(group, objects[i]);
    cJSON_ArrayForEach(item, *owner) {
      if (cJSON_IsArray(item)) {
        return item;
      }
    }
  }
  *owner = group;
  for (int i = 0; i < 2; ++i) {
    item = cJSON_GetObjectItemCaseSensitive(group, lists[i]);
    if (cJSON_IsArray(item)) {
      return item;
    }
  }
  return NULL;
}

/* A group whose lists in "set" and "opt", of solvers and of threads are swept, each value with
 * each. */
static int add_swept(struct bench_builder *b, cJSON *group, const struct bench_place *at) {
  cJSON *owner, *list = first_list(group, &owner);
  if (list == NULL) {
    return add_one(b, group, at);
  }
  cJSON *const items = list->child; /* kept out of the copies, of which there may be many */
  const char *key = base_arena_copy(b->arena, list->string);
  int status = BASE_OK;
  list->child = NULL;
  for (const cJSON *item = items; item != NULL && status == BASE_OK; item = item->next) {
    cJSON *one = cJSON_Duplicate(group, 1);
    first_list(one, &owner);
    struct bench_place place = *at;
    if (strcmp(key, "solver") != 0) { /* a solver has its own word */
      bench_place_add(&place, key, bench_option_text(item, b->arena), b->arena);
    }
    cJSON_ReplaceItemInObjectCaseSensitive(owner, key, cJSON_Duplicate(item, 1));
    status = add_swept(b, one, &place);
    cJSON_Delete(one);
  }
  list->child = items;
  return status;
}

static int add_group(struct bench_builder *b, const cJSON *group) {
  if (cJSON_GetObjectItemCaseSensitive(group, "problems") != NULL) {
    return bench_suite_problems(group, b->file, b->arena, add_solve, b);
  }
  int n = 0;
  int status = bench_over_count(group, b->file, &n);
  b->expected = NULL;
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    struct bench_place place = {0};
    cJSON *copy = bench_over_take(group, i, b->arena, &place);
    status = add_swept(b, copy, &place);
    cJSON_Delete(copy);
  }
  return status;
}

static int names_case(const cJSON *groups, const char *name) {
  const cJSON *group;
  cJSON_ArrayForEach(group, groups) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(group, "case"));
    if (text != NULL && strcmp(text, name) == 0) {
      return 1;
    }
  }
  return 0;
}

int bench_cells_group(struct bench_builder *b, const cJSON *groups, const cJSON *group) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(group, "case"));
  if (text == NULL || strcmp(text, "others") != 0) {
    return add_group(b, group);
  }
  int status = BASE_OK;
  for (int i = 0; i < case_count() && status == BASE_OK; ++i) {
    if (!names_case(groups, case_get(i)->name)) {
      cJSON *one = cJSON_Duplicate(group, 1);
      cJSON_ReplaceItemInObjectCaseSensitive(one, "case", cJSON_CreateString(case_get(i)->name));
      status = add_group(b, one);
      cJSON_Delete(one);
    }
  }
  return status;
}
