/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scopes of expressions that need no run: the row of a frame, and an object; and names that stand
 * for expressions, in any scope; see expression.h.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/expression.h"

struct frame_value frame_value_of(struct base_arena *arena, const cJSON *item) {
  if (cJSON_IsString(item) && item->valuestring[0] != '\0') {
    return frame_word(base_arena_copy(arena, item->valuestring));
  }
  if (cJSON_IsBool(item)) {
    return frame_word(cJSON_IsTrue(item) ? "yes" : "no");
  }
  if (cJSON_IsObject(item)) {
    char *block = cJSON_PrintUnformatted(item);
    const struct frame_value value = {.kind = FRAME_TEXT, .text = base_arena_copy(arena, block)};
    cJSON_free(block);
    return value;
  }
  if (!cJSON_IsArray(item)) {
    return (struct frame_value){.number = cJSON_IsNumber(item) ? item->valuedouble : NAN};
  }
  struct frame_value list;
  double *x = frame_vector(arena, cJSON_GetArraySize(item), &list);
  const cJSON *entry;
  cJSON_ArrayForEach(entry, item) { *x++ = cJSON_IsNumber(entry) ? entry->valuedouble : NAN; }
  return list;
}

/* ---- a row ---- */

static enum frame_answer row_value(const struct frame_scope *scope, const char *name,
                                   struct frame_value *value) {
  const struct frame *f = scope->data;
  const int column = frame_find(f, name);
  if (column < 0) {
    return FRAME_NONE;
  }
  if (scope->at < f->n_rows) {
    *value = *frame_at(f, scope->at, column);
  }
  return FRAME_FOUND;
}

static const char *const *row_names(const struct frame_scope *scope, int *n) {
  const struct frame *f = scope->data;
  *n = f->n_columns;
  return frame_names(f, scope->arena);
}

struct frame_scope frame_row_scope(const struct frame *f, long row) {
  static const struct frame_scope_type type = {.value = row_value, .names = row_names};
  return (struct frame_scope){.type = &type, .arena = f->arena, .data = f, .at = row};
}

/* ---- all rows ---- */

static enum frame_answer column_value(const struct frame_scope *scope, const char *name,
                                      struct frame_value *value) {
  const struct frame *f = scope->data;
  const int column = frame_find(f, name);
  if (column < 0) {
    return FRAME_NONE;
  }
  double *x = frame_vector(scope->arena, (int)f->n_rows, value);
  for (long row = 0; row < f->n_rows; ++row) {
    x[row] = frame_real(f, row, column);
  }
  return FRAME_FOUND;
}

struct frame_scope frame_column_scope(const struct frame *f) {
  static const struct frame_scope_type type = {.value = column_value, .names = row_names};
  return (struct frame_scope){.type = &type, .arena = f->arena, .data = f};
}

/* ---- an object ---- */

static enum frame_answer object_value(const struct frame_scope *scope, const char *name,
                                      struct frame_value *value) {
  const cJSON *item = base_json_at(scope->data, name);
  if (item == NULL || cJSON_IsObject(item)) {
    return FRAME_NONE;
  }
  *value = frame_value_of(scope->arena, item);
  return FRAME_FOUND;
}

static const char *const *object_names(const struct frame_scope *scope, int *n) {
  const cJSON *object = scope->data, *item;
  const char **names =
      base_arena_push(scope->arena, (size_t)(cJSON_GetArraySize(object) + 1) * sizeof *names);
  *n = 0;
  cJSON_ArrayForEach(item, object) { names[(*n)++] = item->string; }
  return names;
}

struct frame_scope frame_object_scope(struct base_arena *arena, const cJSON *object) {
  static const struct frame_scope_type type = {.value = object_value, .names = object_names};
  return (struct frame_scope){.type = &type, .arena = arena, .data = object};
}

/* ---- definitions ---- */

enum { DEFINITIONS_MAX = 20 }; /* within each other */

int frame_definitions_read(struct base_arena *arena, const cJSON *object, const char *place,
                           struct frame_definitions *definitions) {
  const size_t n = (size_t)cJSON_GetArraySize(object) + 1;
  const cJSON *item;
  *definitions = (struct frame_definitions){.names = base_arena_push(arena, n * sizeof(char *)),
                                            .meaning = base_arena_push(arena, n * sizeof(void *))};
  cJSON_ArrayForEach(item, object) {
    const struct frame_expression *e = frame_expression_read(
        arena, item->valuestring, base_arena_printf(arena, "%s.%s", place, item->string));
    if (e == NULL) {
      return BASE_E_INPUT;
    }
    definitions->names[definitions->n] = item->string;
    definitions->meaning[definitions->n++] = e;
  }
  return BASE_OK;
}

const struct frame_expression *frame_definition_find(const struct frame_definitions *definitions,
                                                     const char *name) {
  for (int i = 0; i < definitions->n; ++i) {
    if (strcmp(definitions->names[i], name) == 0) {
      return definitions->meaning[i];
    }
  }
  return NULL;
}

struct known {
  const struct frame_expression *meaning;
  long at;
  int is_recorded;
  struct frame_value value;
  struct known *next;
};

enum frame_answer frame_definition_value(const struct frame_scope *scope, const char *name,
                                         const struct frame_expression *meaning,
                                         struct frame_value *value) {
  struct frame_scope inside = *scope;
  struct known **first = scope->known, *known = *first;
  while (known != NULL && (known->meaning != meaning || known->at != scope->at ||
                           known->is_recorded != scope->is_recorded)) {
    known = known->next;
  }
  if (known != NULL) {
    *value = known->value;
    return FRAME_FOUND;
  }
  if (++inside.depth > DEFINITIONS_MAX) {
    base_fail(BASE_E_INPUT, "define.%s: is defined by itself", name);
    return FRAME_REFUSED;
  }
  const int status = frame_expression_value(meaning, &inside, value);
  if (status == BASE_OK) {
    known = base_arena_push(scope->arena, sizeof *known);
    *known = (struct known){meaning, scope->at, scope->is_recorded, *value, *first};
    *first = known;
  }
  return status == BASE_OK ? FRAME_FOUND : status == BASE_FAILED ? FRAME_ABSENT : FRAME_REFUSED;
}
