/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parameters of a case. A parameter file (schema coulombench.case/1) is checked key by key when it
 * is loaded (parameters_check.c), its defaults by the same rules as --set, so that a wrong file is
 * found before a run and not in its results.
 *
 * The parsed file is copied into the arena of the parameters: it then lives as long as they do, and
 * nobody has to free it.
 */
#include "cases/case.h"

#include "base/data.h"
#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "cases/parameters_check.h"
#include "cases/scene_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CASE_PARAMETERS_MAX = 128 }; /* keys of one case */

struct case_parameter {
  struct base_key key; /* as its entry in the file says */
  const cJSON *entry;
  int is_choice;
  double real;
  const char *choice;
};

struct case_parameters {
  const struct case_type *type;
  const char *name;
  struct base_arena *arena;
  cJSON *file; /* of scenes: with what --set changed */
  int n;
  struct case_parameter *list; /* n, in the file's order */
};

/* ---- one value ---- */

static const cJSON *entry_get(const struct case_parameter *p, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(p->entry, key);
}

static int set_value(struct case_parameters *all, struct case_parameter *p, const char *text) {
  double x = 0;
  const char *owner = base_arena_printf(all->arena, "%s: parameter", all->name);
  const int status = base_key_parse(&p->key, owner, text, &x);
  if (status == BASE_OK && p->is_choice) {
    p->choice = cJSON_GetArrayItem(entry_get(p, "choices"), (int)x)->valuestring;
  } else if (status == BASE_OK) {
    p->real = x;
  }
  return status;
}

int case_parameters_set(struct case_parameters *p, const char *key, const char *text) {
  const char *keys[CASE_PARAMETERS_MAX];
  if (p->type->scene != NULL) {
    return scene_set(p->file, p->type->path, key, text, p->arena);
  }
  for (int i = 0; i < p->n; ++i) {
    keys[i] = p->list[i].key.name;
  }
  const int i = base_name_find("parameter", key, p->n, keys);
  if (i < 0) {
    base_message_prefix("%s: ", p->name);
    return BASE_E_INPUT;
  }
  return set_value(p, &p->list[i], text);
}

/* ---- reading the file ---- */

/* Texts of a list as "first|second". */
static const char *join(const cJSON *texts, struct base_arena *arena) {
  const char *all = NULL;
  const cJSON *text;
  cJSON_ArrayForEach(text, texts) {
    all =
        all == NULL ? text->valuestring : base_arena_printf(arena, "%s|%s", all, text->valuestring);
  }
  return all;
}

static int read_parameter(struct case_parameters *p, const cJSON *entry, const char *path) {
  struct case_parameter *one = &p->list[p->n++];
  *one = (struct case_parameter){.entry = entry};
  const cJSON *min = entry_get(one, "min"), *max = entry_get(one, "max"),
              *value = entry_get(one, "value");
  const int is_whole = cJSON_IsTrue(entry_get(one, "integer"));
  one->is_choice = cJSON_IsString(value);
  one->key = (struct base_key){.name = entry->string,
                               .unit = base_json_text_at(entry, "unit"),
                               .types = one->is_choice ? BASE_TEXT
                                        : is_whole     ? BASE_WHOLE
                                                       : BASE_REAL,
                               .range = BASE_WITHIN,
                               .min = min != NULL ? min->valuedouble : -HUGE_VAL,
                               .max = max != NULL ? max->valuedouble : HUGE_VAL,
                               .is_open = cJSON_IsTrue(entry_get(one, "exclusive_min")),
                               .choices = join(entry_get(one, "choices"), p->arena)};
  if (one->is_choice && one->key.choices == NULL) {
    return base_fail(BASE_E_INPUT, "%s: parameters.%s.choices: is missing, of a text", path,
                     entry->string);
  }
  char text[BASE_JSON_NUMBER_SIZE];
  const int status = set_value(
      p, one, one->is_choice ? value->valuestring : base_json_number(value->valuedouble, text));
  if (status != BASE_OK) {
    base_message_prefix("%s: ", path);
  }
  return status;
}

const char *case_rotation(const struct case_parameters *p, int *dimension) {
  const cJSON *turn = cJSON_GetObjectItemCaseSensitive(p->file, "rotation");
  const cJSON *given = cJSON_GetObjectItemCaseSensitive(p->file, "dimension");
  *dimension = p->type->scene == NULL ? 2 : cJSON_IsNumber(given) ? given->valueint : 3;
  return p->type->scene != NULL ? "rotation" : cJSON_IsString(turn) ? turn->valuestring : NULL;
}

static int read_parameters(struct case_parameters *p, const char *path) {
  const cJSON *parameters = cJSON_GetObjectItemCaseSensitive(p->file, "parameters"), *one = NULL;
  const int n = cJSON_GetArraySize(parameters);
  if (n > CASE_PARAMETERS_MAX) {
    return base_fail(BASE_E_INPUT, "%s: key 'parameters' holds %d entries, at most %d are taken",
                     path, n, CASE_PARAMETERS_MAX);
  }
  p->list = base_arena_push(p->arena, (size_t)n * sizeof *p->list);
  cJSON_ArrayForEach(one, parameters) {
    const int status = read_parameter(p, one, path);
    if (status != BASE_OK) {
      return status;
    }
  }
  return BASE_OK;
}

struct case_parameters *case_parameters_load(const struct case_type *type,
                                             struct base_arena *arena) {
  const char *name = type->name;
  if (type->scene != NULL) {
    struct case_parameters *p = base_arena_push(arena, sizeof *p);
    *p = (struct case_parameters){
        .type = type, .name = name, .arena = arena, .file = base_json_copy(type->scene, arena)};
    return p; /* its keys are checked when it is built */
  }
  const char *path =
      base_data_path(arena, base_arena_printf(arena, "cases/%s/%s.json", name, name));
  if (path == NULL) {
    return NULL;
  }
  cJSON *file = base_json_read(path);
  if (file == NULL) {
    return NULL;
  }
  struct case_parameters *p = base_arena_push(arena, sizeof *p);
  *p = (struct case_parameters){
      .type = type, .name = name, .arena = arena, .file = base_json_copy(file, arena)};
  cJSON_Delete(file);
  if (case_check_file(p->file, name, path) != BASE_OK || read_parameters(p, path) != BASE_OK) {
    return NULL;
  }
  return p;
}

/* ---- reading values ---- */

/* A model whose file lacks a key cannot be built: no result may come of it. */
static const struct case_parameter *find_or_leave(const struct case_parameters *p, const char *key,
                                                  int is_choice) {
  for (int i = 0; i < p->n; ++i) {
    if (strcmp(p->list[i].key.name, key) == 0 && p->list[i].is_choice == is_choice) {
      return &p->list[i];
    }
  }
  base_fail(BASE_E_INPUT, "%s.json: key 'parameters.%s': missing; the case needs it, %s", p->name,
            key, is_choice ? "a text with choices" : "a number");
  base_leave(BASE_E_INPUT);
}

double case_real(const struct case_parameters *p, const char *key) {
  return find_or_leave(p, key, 0)->real;
}

const char *case_choice(const struct case_parameters *p, const char *key) {
  return find_or_leave(p, key, 1)->choice;
}

struct cJSON *case_parameters_to_json(const struct case_parameters *p) {
  if (p->type->scene != NULL) {
    return cJSON_Duplicate(p->file, 1);
  }
  cJSON *object = cJSON_CreateObject();
  for (int i = 0; i < p->n; ++i) {
    if (p->list[i].is_choice) {
      cJSON_AddStringToObject(object, p->list[i].key.name, p->list[i].choice);
    } else {
      base_json_add_real(object, p->list[i].key.name, p->list[i].real);
    }
  }
  return object;
}

const struct cJSON *case_parameters_file(const struct case_parameters *p) { return p->file; }

int case_parameters_changed(const struct case_parameters *p) {
  int changed = p->type->scene != NULL && !base_json_same(p->file, p->type->scene);
  for (int i = 0; i < p->n; ++i) {
    const struct case_parameter *one = &p->list[i];
    const cJSON *value = entry_get(one, "value");
    changed |= one->is_choice ? strcmp(one->choice, value->valuestring) != 0
                              : one->real != value->valuedouble;
  }
  return changed;
}

const struct case_type *case_parameters_type(const struct case_parameters *p) { return p->type; }
