/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a record has at the path of a column, and its unit. The name of a parameter or option stands
 * for its path. `*` is every entry of a block or list, and the value a list of what all of them
 * have, one behind the other: "trajectory.q.*". A member of an ensemble has its numbers by their
 * names, "ensemble.members.*.errors.q_linf", and so has what is said of all of them.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "bench/frame/expression.h"
#include "bench/frame/parts.h"
#include "bench/outcome/condition.h"
#include "bench/outcome/members.h"
#include "cases/case.h"
#include "form/form.h"
#include "problem/solver.h"

/* What a name stands for that is no field of records. */
enum { RECORD, PARAMETERS, FORMULATION, SOLVER, OWNERS };
static const char *const owners[OWNERS] = {"", "case.parameters", "formulation.options",
                                           "solver.options"};

enum { PATH_SIZE = 512 };

/* What an ensemble says of one of its numbers, "ensemble.summary.errors.q_linf.median"; NULL: it is
 * no such path. */
static const cJSON *summary_at(const cJSON *record, const char *path) {
  static const char block[] = "ensemble.summary";
  const size_t length = strlen(block);
  const char *dot = strrchr(path, '.');
  if (strncmp(path, block, length) != 0 || dot <= path + length) {
    return NULL;
  }
  char name[PATH_SIZE];
  snprintf(name, sizeof name, "%.*s", (int)(dot - path - (long)length) - 1, path + length + 1);
  const cJSON *summary = cJSON_GetObjectItemCaseSensitive(base_json_at(record, block), name);
  return cJSON_GetObjectItemCaseSensitive(summary, dot + 1);
}

/* What a record has under a path, and whose that is; NULL: nothing. */
static const cJSON *item_in(const cJSON *record, const char *path, int *owner) {
  const cJSON *item = bench_record_at(record, path);
  *owner = RECORD;
  for (int i = PARAMETERS; i < OWNERS && item == NULL; ++i) {
    item = base_json_at(base_json_at(record, owners[i]), path);
    *owner = i;
  }
  return item != NULL ? item : summary_at(record, path);
}

/* An entry's value at a path; of a member of an ensemble its number of that name. */
static const cJSON *entry_at(const cJSON *entry, const char *path) {
  const cJSON *item = base_json_at(entry, path);
  const cJSON *numbers = cJSON_GetObjectItemCaseSensitive(entry, "numbers");
  for (int i = 0; i < BENCH_ENSEMBLE_NUMBERS && item == NULL; ++i) {
    if (strcmp(bench_ensemble_numbers[i], path) == 0) {
      item = cJSON_GetArrayItem(numbers, i);
    }
  }
  return item;
}

/* A list while it is gathered; x NULL: its entries are counted alone. */
struct gathering {
  int n;
  double *x;
};

static void gather_one(struct gathering *g, const cJSON *item) {
  if (g->x != NULL) {
    g->x[g->n] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
  }
  ++g->n;
}

/* What a block has at a path, numbers or lists of them, of each entry that a '*' stands for. */
static void gather(struct gathering *g, const cJSON *block, const char *path) {
  const char *star = strchr(path, '*');
  const cJSON *entry, *item = path[0] != '\0' ? entry_at(block, path) : block;
  if (star != NULL) {
    char before[128];
    snprintf(before, sizeof before, "%.*s", star > path ? (int)(star - path) - 1 : 0, path);
    cJSON_ArrayForEach(entry, base_json_at(block, before)) {
      gather(g, entry, star + 1 + (star[1] == '.'));
    }
  } else if (cJSON_IsArray(item)) {
    cJSON_ArrayForEach(entry, item) { gather_one(g, entry); }
  } else {
    gather_one(g, item);
  }
}

/* The list at a path with a '*'; missing where there is none. */
static struct frame_value list_at(const cJSON *record, const char *path, struct base_arena *arena) {
  struct frame_value list = frame_number(NAN);
  struct gathering g = {0};
  gather(&g, record, path);
  if (g.n > 0) {
    g = (struct gathering){.x = frame_vector(arena, g.n, &list)};
    gather(&g, record, path);
  }
  return list;
}

struct frame_value frame_path_value(struct base_arena *arena, const cJSON *record, const char *path,
                                    int *is_there) {
  if (strchr(path, '*') != NULL) {
    const struct frame_value list = list_at(record, path, arena);
    *is_there = !frame_is_missing(&list);
    return list;
  }
  int owner;
  const cJSON *item = item_in(record, path, &owner);
  *is_there = item != NULL;
  return frame_value_of(arena, item);
}

/* ---- units ---- */

static const char *unit_of_parameter(const cJSON *record, const char *name,
                                     struct base_arena *arena) {
  const char *of = base_json_text_at(record, "case.name");
  for (int i = 0; i < case_count(); ++i) {
    if (strcmp(case_get(i)->name, of) == 0) {
      const struct case_parameters *p = case_parameters_load(case_get(i), arena);
      return p == NULL ? ""
                       : base_json_text_at(case_parameters_file(p),
                                           base_arena_printf(arena, "parameters.%s.unit", name));
    }
  }
  return ""; /* of a scene */
}

static const char *unit_of_option(const struct base_option *options, const char *name) {
  for (; options != NULL && options->key.name != NULL; ++options) {
    if (strcmp(options->key.name, name) == 0) {
      return options->key.unit;
    }
  }
  return "";
}

static const char *unit_of(const cJSON *record, int owner, const char *name,
                           struct base_arena *arena) {
  const char *form = base_json_text_at(record, "formulation.name");
  if (owner == PARAMETERS) {
    return unit_of_parameter(record, name, arena);
  }
  if (owner == SOLVER) {
    return unit_of_option(problem_loop_options, name);
  }
  for (int i = 0; i < form_count(); ++i) {
    if (strcmp(form_get(i)->name, form) == 0) {
      return unit_of_option(form_get(i)->options, name);
    }
  }
  return "";
}

void frame_set_unit(struct frame *f, int column, const cJSON *record) {
  const char *name = f->columns[column].name, *unit = "";
  int owner;
  const int is_there = item_in(record, name, &owner) != NULL;
  for (int i = PARAMETERS; i < OWNERS && is_there; ++i) {
    const size_t length = strlen(owners[i]);
    if (owner == RECORD && strncmp(name, owners[i], length) == 0 && name[length] == '.') {
      owner = i; /* its path in full */
      name += length + 1;
    }
    unit = owner == i ? unit_of(record, i, name, f->arena) : unit;
  }
  if (unit[0] != '\0' && strcmp(unit, "-") != 0) {
    f->columns[column].unit = base_arena_copy(f->arena, unit);
  }
}
