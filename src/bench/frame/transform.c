/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A query: a list of transforms, each an object with the key that names it first. Names and keys
 * are those of Vega-Lite where it has them:
 *
 *   {"filter": "status == 'ok' && dt < 1e-3"} or a list of conditions, all of which must hold
 *     (condition.c)
 *   {"calculate": "errors.q_linf / quality.scales.length", "as": "error", "unit": "-"}
 *   {"aggregate": [{"op": "median", "field": "error", "as": "m"}], "groupby": ["case.name"]}
 *   {"joinaggregate": [...], "groupby": [...]}: the same, beside every row of the group
 *   {"window": [{"op": "sum", "field": "a", "as": "so_far"}], "sort": ["x"], ...}: window.c
 *   {"pivot": "formulation.name", "value": "error", "groupby": ["dt"], "op": "median"}
 *   {"pick": "min", "field": "dt", "groupby": [...]}: one row a group
 *   {"best": "error", "of": "formulation.name", "groupby": [...], ...}: best.c
 *   {"impute": "problem", "groupby": ["solver"]}: rows that groups have not: complete.c
 *   {"combinations": 3, "of": ["solver", "times"], "groupby": [...]}: complete.c
 *   {"distinguish": ["case.parameters"], "groupby": ["case.name"], "as": "told"}: distinguish.c
 *   {"bootstrap": ...}, {"paired": ...}, {"front": ...}: of members of ensembles, members.c
 *   {"variance": "y", "fixed": ["law"], "random": "scene", ...}: shares of factors, variance.c
 *   {"fold": ["a", "b"], "as": ["key", "value"]}: a row a column
 *   {"flatten": ["trajectory.t", "trajectory.q.x"], "as": ["t", "x"]}: a row an entry of the lists
 *   {"project": ["a", "b"], "as": ["A", "B"]}: these columns alone
 *   {"sort": ["a", "-b"]}: rising, falling
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/frame/expression.h"
#include "bench/frame/parts.h"

/* ---- what transforms share ---- */

int frame_step_column(const struct frame_step *step, const char *key) {
  const char *name;
  return base_json_get_text(step->json, key, step->file, &name) == BASE_OK
             ? frame_need(step->in, name, step->file)
             : -1;
}

const int *frame_step_columns(const struct frame_step *step, const char *key, int *n) {
  return frame_columns(step->in, cJSON_GetObjectItemCaseSensitive(step->json, key), step->file, n);
}

const char *frame_step_text(const struct frame_step *step, const char *key, const char *otherwise) {
  const char *text;
  if (cJSON_GetObjectItemCaseSensitive(step->json, key) == NULL && otherwise != NULL) {
    return otherwise;
  }
  return base_json_get_text(step->json, key, step->file, &text) == BASE_OK ? text : NULL;
}

int frame_step_reducer(const struct frame_step *step, const cJSON *item, const char *key, int n,
                       const char *const *names, int fielded, struct frame_reducer *r) {
  static const char *const known[] = {"op", "field", "as", "p", NULL};
  const char *op, *field = base_json_text_at(item, "field");
  int status = base_json_refuse_unknown(item, step->file, key, known);
  status = status != BASE_OK ? status : base_json_get_text(item, "op", step->file, &op);
  if (status != BASE_OK) {
    return status;
  }
  *r = (struct frame_reducer){.how = base_name_find("operation", op, n, names), .column = -1};
  if (r->how < 0) {
    base_message_prefix("%s: key 'op': ", step->file);
    return BASE_E_INPUT;
  }
  if (strcmp(op, "quantile") == 0) {
    status = base_json_get_real(item, "p", step->file, 0, 1, &r->p);
  }
  if (status == BASE_OK && field[0] == '\0' && r->how >= fielded) {
    status = base_fail(BASE_E_INPUT, "%s: key '%s': '%s' wants a \"field\"", step->file, key, op);
  }
  if (status == BASE_OK && field[0] != '\0') {
    r->column = frame_need(step->in, field, step->file);
    status = r->column >= 0 ? BASE_OK : BASE_E_INPUT;
  }
  r->as = base_json_text_at(item, "as");
  if (r->as[0] == '\0') {
    r->as = field[0] != '\0' ? base_arena_printf(step->in->arena, "%s_%s", op, field) : op;
  }
  return status;
}

/* The names in a list under a key, n of them; NULL with a message. */
static const char **names_of(const struct frame_step *step, const char *key, int n) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(step->json, key), *item;
  const char **names = base_arena_push(step->in->arena, (size_t)(n + 1) * sizeof *names);
  int found = 0;
  cJSON_ArrayForEach(item, list) {
    if (found < n && cJSON_IsString(item)) {
      names[found++] = base_arena_copy(step->in->arena, item->valuestring);
    }
  }
  if (found != n || cJSON_GetArraySize(list) != n) {
    base_fail(BASE_E_INPUT, "%s: key '%s': must be a list of %d names", step->file, key, n);
    return NULL;
  }
  return names;
}

/* The columns that a key names, n of them, and what "as" calls them: without it as they are. NULL
 * with a message. */
static const int *named_columns(const struct frame_step *step, const char *key, int *n,
                                const char ***as) {
  const int *columns = frame_step_columns(step, key, n);
  if (columns != NULL && cJSON_GetObjectItemCaseSensitive(step->json, "as") != NULL) {
    *as = names_of(step, "as", *n);
    return *as != NULL ? columns : NULL;
  }
  *as = base_arena_push(step->in->arena, (size_t)(*n + 1) * sizeof **as);
  for (int i = 0; columns != NULL && i < *n; ++i) {
    (*as)[i] = step->in->columns[columns[i]].name;
  }
  return columns;
}

/* ---- filter, calculate, sort ---- */

static struct frame *filter_by(const struct frame_step *step, struct frame *in, const char *text) {
  const struct frame_expression *e =
      frame_condition_read(in->arena, text, base_arena_printf(in->arena, "%s: filter", step->file));
  const struct frame_scope first = frame_row_scope(in, 0);
  if (e == NULL || frame_expression_check(e, &first) != BASE_OK) {
    return NULL;
  }
  struct frame *made = frame_like(in, in->n_rows);
  struct base_arena *scratch = base_arena_child(in->arena);
  int status = BASE_OK;
  for (long row = 0; row < in->n_rows && status == BASE_OK; ++row) {
    const struct base_arena_mark mark = base_arena_mark(scratch);
    struct frame_scope scope = frame_row_scope(in, row);
    int holds = 0;
    scope.arena = scratch;
    status = frame_condition_holds(e, &scope, &holds);
    if (status == BASE_OK && holds) {
      frame_push_copy(made, in, row);
    }
    base_arena_release(scratch, mark);
  }
  base_arena_empty(scratch);
  return status == BASE_OK ? made : NULL;
}

static struct frame *filter(const struct frame_step *step) {
  const cJSON *conditions = cJSON_GetObjectItemCaseSensitive(step->json, "filter"), *item;
  if (cJSON_IsString(conditions)) {
    return filter_by(step, step->in, conditions->valuestring);
  }
  struct frame *made = step->in;
  cJSON_ArrayForEach(item, conditions) {
    struct frame *in = made;
    made = in != NULL && cJSON_IsString(item) ? filter_by(step, in, item->valuestring) : NULL;
    if (in != step->in && in != NULL) {
      frame_drop_values(in);
    }
  }
  if (!cJSON_IsArray(conditions)) {
    base_fail(BASE_E_INPUT, "%s: key 'filter': must be a condition or a list of them", step->file);
    return NULL;
  }
  return made;
}

static struct frame *calculate(const struct frame_step *step) {
  struct frame *f = step->in;
  const char *text = frame_step_text(step, "calculate", NULL),
             *as = frame_step_text(step, "as", NULL), *unit = frame_step_text(step, "unit", "");
  if (text == NULL || as == NULL || unit == NULL) {
    return NULL;
  }
  const struct frame_expression *e = frame_expression_read(f->arena, text, step->file);
  const struct frame_scope first = frame_row_scope(f, 0);
  if (e == NULL || frame_expression_check(e, &first) != BASE_OK) {
    return NULL;
  }
  const int column = frame_add(f, as, unit);
  struct base_arena *scratch = base_arena_child(f->arena);
  int status = BASE_OK;
  for (long row = 0; row < f->n_rows && status == BASE_OK; ++row) {
    const struct base_arena_mark mark = base_arena_mark(scratch),
                                 before = base_arena_mark(f->arena);
    struct frame_scope scope = frame_row_scope(f, row);
    struct frame_value value;
    scope.arena = scratch;
    status = frame_expression_value(e, &scope, &value);
    if (status == BASE_OK) {
      *frame_at(f, row, column) = frame_copy_value(&value, f->arena);
      frame_share(f, row, column, before);
    }
    base_arena_release(scratch, mark);
  }
  base_arena_empty(scratch);
  return status == BASE_OK ? f : NULL;
}

static struct frame *sort(const struct frame_step *step) {
  const struct frame *f = step->in;
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(step->json, "sort"), *item;
  const int most = cJSON_GetArraySize(list) + 1;
  int n = 0, *columns = base_arena_ints(f->arena, most), *falls = base_arena_ints(f->arena, most);
  cJSON_ArrayForEach(item, list) {
    const char *name = cJSON_IsString(item) ? item->valuestring : "";
    falls[n] = name[0] == '-';
    columns[n] = frame_need(f, name + falls[n], step->file);
    if (columns[n++] < 0) {
      return NULL;
    }
  }
  long *order = base_arena_array(f->arena, (size_t)f->n_rows + 1, 1, sizeof *order);
  for (long i = 0; i < f->n_rows; ++i) {
    order[i] = i;
  }
  frame_sort_rows(f, n, columns, falls, f->n_rows, order);
  return frame_part(f, f->n_rows, order);
}

/* ---- fold, flatten, project ---- */

static struct frame *fold(const struct frame_step *step) {
  const struct frame *f = step->in;
  int n;
  const int *columns = frame_step_columns(step, "fold", &n);
  const char **as = columns != NULL ? names_of(step, "as", 2) : NULL;
  if (as == NULL) {
    return NULL;
  }
  struct frame *made = frame_like(f, f->n_rows);
  const int key = frame_add(made, as[0], ""),
            value = frame_add(made, as[1], n > 0 ? f->columns[columns[0]].unit : "");
  for (long row = 0; row < f->n_rows; ++row) {
    for (int i = 0; i < n; ++i) {
      const long at = frame_push_copy(made, f, row);
      *frame_at(made, at, key) = frame_word(f->columns[columns[i]].name);
      *frame_at(made, at, value) = *frame_at(f, row, columns[i]);
    }
  }
  return made;
}

static long length_of(const struct frame_value *v) {
  return v->kind == FRAME_LIST ? v->list->n : 0;
}

static struct frame *flatten(const struct frame_step *step) {
  const struct frame *f = step->in;
  int n;
  const char **as;
  const int *columns = named_columns(step, "flatten", &n, &as);
  if (columns == NULL) {
    return NULL;
  }
  struct frame *made = frame_like(f, f->n_rows);
  int *to = base_arena_ints(f->arena, n + 1);
  for (int i = 0; i < n; ++i) {
    to[i] = frame_add(made, as[i], f->columns[columns[i]].unit);
  }
  for (long row = 0; row < f->n_rows; ++row) {
    long most = 0;
    for (int i = 0; i < n; ++i) {
      const long length = length_of(frame_at(f, row, columns[i]));
      most = length > most ? length : most;
    }
    for (long k = 0; k < most; ++k) {
      const long at = frame_push_copy(made, f, row);
      for (int i = 0; i < n; ++i) {
        const struct frame_value *v = frame_at(f, row, columns[i]);
        *frame_at(made, at, to[i]) =
            (struct frame_value){.number = k < length_of(v) ? v->list->x[k] : NAN};
      }
    }
  }
  return made;
}

static struct frame *project(const struct frame_step *step) {
  const struct frame *f = step->in;
  int n;
  const char **as;
  const int *columns = named_columns(step, "project", &n, &as);
  if (columns == NULL) {
    return NULL;
  }
  struct frame *made = frame_new(f->arena);
  for (int i = 0; i < n; ++i) {
    if (frame_add(made, as[i], f->columns[columns[i]].unit) != i) {
      base_fail(BASE_E_INPUT, "%s: key 'project': two columns are called '%s'", step->file, as[i]);
      return NULL;
    }
  }
  for (long row = 0; row < f->n_rows; ++row) {
    const long at = frame_push(made);
    for (int i = 0; i < n; ++i) {
      *frame_at(made, at, i) = *frame_at(f, row, columns[i]);
    }
  }
  return made;
}

/* ---- all of them ---- */

enum { KEYS_MAX = 8 };
static const struct operation {
  const char *name;
  frame_operation *run;
  const char *keys[KEYS_MAX]; /* all that it may have; ends with NULL */
} operations[] = {
    {"filter", filter, {"filter", NULL}},
    {"calculate", calculate, {"calculate", "as", "unit", NULL}},
    {"aggregate", frame_aggregate, {"aggregate", "groupby", NULL}},
    {"joinaggregate", frame_join_aggregate, {"joinaggregate", "groupby", NULL}},
    {"window", frame_window, {"window", "sort", "groupby", NULL}},
    {"pivot", frame_pivot, {"pivot", "value", "groupby", "op", NULL}},
    {"pick", frame_pick, {"pick", "field", "groupby", NULL}},
    {"best", frame_best, {"best", "of", "groupby", "beside", "floor", "interval", "as", NULL}},
    {"bootstrap", frame_bootstrap, {"bootstrap", "clusters", "groupby", NULL}},
    {"paired", frame_paired, {"paired", "of", "against", "clusters", "groupby", NULL}},
    {"front", frame_front, {"front", "points", "errors", "costs", "clusters", "groupby", NULL}},
    {"variance",
     frame_variance,
     {"variance", "fixed", "random", "entries", "clusters", "groupby", NULL}},
    {"impute", frame_impute, {"impute", "groupby", NULL}},
    {"combinations", frame_combinations, {"combinations", "of", "groupby", NULL}},
    {"distinguish", frame_distinguish, {"distinguish", "groupby", "as", NULL}},
    {"fold", fold, {"fold", "as", NULL}},
    {"flatten", flatten, {"flatten", "as", NULL}},
    {"project", project, {"project", "as", NULL}},
    {"sort", sort, {"sort", NULL}},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const struct operation *operation_of(const cJSON *transform, const char *file) {
  for (int i = 0; i < OPERATIONS; ++i) {
    if (cJSON_GetObjectItemCaseSensitive(transform, operations[i].name) != NULL) {
      return base_json_refuse_unknown(transform, file, operations[i].name, operations[i].keys) ==
                     BASE_OK
                 ? &operations[i]
                 : NULL;
    }
  }
  const char *names[OPERATIONS];
  for (int i = 0; i < OPERATIONS; ++i) {
    names[i] = operations[i].name;
  }
  const char *first =
      transform->child != NULL && transform->child->string != NULL ? transform->child->string : "";
  base_name_find("transform", first, OPERATIONS, names); /* its message lists near names */
  base_message_prefix("%s: ", file);
  return NULL;
}

int frame_transform(struct frame **f, const cJSON *transforms, const char *file) {
  const cJSON *item;
  if (transforms != NULL && !cJSON_IsArray(transforms)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': must be a list of transforms", file,
                     transforms->string != NULL ? transforms->string : "transform");
  }
  cJSON_ArrayForEach(item, transforms) {
    const struct operation *operation = operation_of(item, file);
    struct frame_step step = {.json = item, .file = file, .in = *f};
    step.keys = operation != NULL ? frame_step_columns(&step, "groupby", &step.n_keys) : NULL;
    *f = step.keys != NULL ? operation->run(&step) : NULL;
    if (*f == NULL) {
      return BASE_E_INPUT;
    }
    if (*f != step.in) {
      frame_drop_values(step.in);
    }
  }
  return BASE_OK;
}
