/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene file against the tables of its keys: nothing unknown, nothing missing, every value of its
 * type and in its range. What concerns several values at once (names, masses, joints that fit) is
 * checked where the scene is built.
 */
#include "cases/scene_keys.h"

#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/names.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

/* A quaternion this far from unit length is a slip, not rounding of a file. */
static const double UNIT_LENGTH = 1e-9;

/* Names become columns of records, parts of the names of files, and words of --set. */
#define NAME_WANTED ": letters, digits, '-', '+' and '_', at most 100 bytes"

enum { KEYS_MAX = 64 };

struct checking {
  const char *file;
  int dimension;
  struct base_arena *arena;
};

static int check_element(const struct checking *c, const struct scene_element *element,
                         const cJSON *object, const char *path);

static int fail_at(const struct checking *c, const char *path, const char *why) {
  return base_fail(BASE_E_INPUT, "%s: %s: %s", c->file, path, why);
}

static int check_range(const struct checking *c, const char *path, enum scene_range range,
                       double x) {
  static const char *const wanted[] = {"", "> 0", ">= 0", "from 0 to 1", "from -1 to 1"};
  const int holds = range == SCENE_POSITIVE       ? x > 0
                    : range == SCENE_NOT_NEGATIVE ? x >= 0
                    : range == SCENE_PART         ? x >= 0 && x <= 1
                    : range == SCENE_SIGNED_PART  ? x >= -1 && x <= 1
                                                  : 1;
  if (!isfinite(x)) {
    return fail_at(c, path, "must be a finite number");
  }
  return holds ? BASE_OK
               : base_fail(BASE_E_INPUT, "%s: %s: must be %s, is %.15g", c->file, path,
                           wanted[range], x);
}

static int check_real(const struct checking *c, const char *path, enum scene_range range,
                      const cJSON *value) {
  return cJSON_IsNumber(value) ? check_range(c, path, range, value->valuedouble)
                               : fail_at(c, path, "must be a number");
}

static const char *item_path(const struct checking *c, const char *path, int i) {
  return base_arena_printf(c->arena, "%s[%d]", path, i);
}

/* Exactly n numbers. */
static int check_reals(const struct checking *c, const char *path, enum scene_range range, int n,
                       const cJSON *value) {
  if (!cJSON_IsArray(value) || cJSON_GetArraySize(value) != n) {
    return base_fail(BASE_E_INPUT, "%s: %s: must be a list of %d numbers", c->file, path, n);
  }
  int i = 0, status = BASE_OK;
  for (const cJSON *item = value->child; item != NULL && status == BASE_OK; item = item->next) {
    status = check_real(c, item_path(c, path, i++), range, item);
  }
  return status;
}

static int check_quaternion(const struct checking *c, const char *path, const cJSON *value) {
  const int status = check_reals(c, path, SCENE_ANY, 4, value);
  double size = 0;
  for (const cJSON *item = status == BASE_OK ? value->child : NULL; item != NULL;
       item = item->next) {
    size = hypot(size, item->valuedouble);
  }
  if (status == BASE_OK && !(fabs(size - 1) <= UNIT_LENGTH)) {
    return base_fail(BASE_E_INPUT, "%s: %s: must be a unit quaternion, has length %.12g", c->file,
                     path, size);
  }
  return status;
}

static int check_name(const struct checking *c, const char *path, const cJSON *value) {
  if (!cJSON_IsString(value)) {
    return fail_at(c, path, "must be a name");
  }
  const char *text = value->valuestring;
  return base_name_is_plain(text) ? BASE_OK
                                  : base_fail(BASE_E_INPUT, "%s: %s: '%.*s' must be a name%s",
                                              c->file, path, BASE_NAME_MAX, text, NAME_WANTED);
}

/* Names; n < 0: any number of texts. */
static int check_names(const struct checking *c, const char *path, int n, const cJSON *value) {
  if (!cJSON_IsArray(value) || (n >= 0 && cJSON_GetArraySize(value) != n)) {
    return fail_at(c, path, n >= 0 ? "must be a list of two names" : "must be a list of texts");
  }
  int i = 0, status = BASE_OK;
  for (const cJSON *item = value->child; item != NULL && status == BASE_OK; item = item->next) {
    const char *where = item_path(c, path, i++);
    status = n >= 0                 ? check_name(c, where, item)
             : cJSON_IsString(item) ? BASE_OK
                                    : fail_at(c, where, "must be a text");
  }
  return status;
}

static int check_table(const struct checking *c, const char *path, const cJSON *value) {
  if (!cJSON_IsArray(value) || value->child == NULL) {
    return fail_at(c, path, "must be a list of pairs [t, value]");
  }
  int i = 0, status = BASE_OK;
  double last = -INFINITY;
  for (const cJSON *item = value->child; item != NULL && status == BASE_OK; item = item->next) {
    const char *where = item_path(c, path, i++);
    status = check_reals(c, where, SCENE_ANY, 2, item);
    if (status == BASE_OK && !(item->child->valuedouble > last)) {
      status = fail_at(c, where, "times must ascend");
    }
    last = status == BASE_OK ? item->child->valuedouble : last;
  }
  return status;
}

static int check_text(const struct checking *c, const char *path, const struct scene_key *key,
                      const cJSON *value) {
  if (!cJSON_IsString(value)) {
    return fail_at(c, path, "must be a text");
  }
  int n = 0;
  while (key->choices != NULL && key->choices[n] != NULL) {
    ++n;
  }
  if (n > 0 && base_name_find("value", value->valuestring, n, key->choices) < 0) {
    base_message_prefix("%s: %s: ", c->file, path);
    return BASE_E_INPUT;
  }
  return BASE_OK;
}

static int check_many(const struct checking *c, const char *path, const struct scene_key *key,
                      const cJSON *value) {
  const int is_map = key->type == SCENE_MAP;
  if (is_map ? !cJSON_IsObject(value) : !cJSON_IsArray(value)) {
    return fail_at(c, path, is_map ? "must be an object" : "must be a list");
  }
  int i = 0, status = BASE_OK;
  for (const cJSON *item = value->child; item != NULL && status == BASE_OK; item = item->next) {
    const struct base_arena_mark mark = base_arena_mark(c->arena);
    const char *where =
        is_map ? base_arena_printf(c->arena, "%s.%s", path, item->string) : item_path(c, path, i++);
    if (is_map && !base_name_is_plain(item->string)) {
      status = fail_at(c, where, "must have a name" NAME_WANTED);
    }
    status = status != BASE_OK ? status : check_element(c, key->in, item, where);
    base_arena_release(c->arena, mark);
  }
  return status;
}

static int check_value(const struct checking *c, const char *path, const struct scene_key *key,
                       const cJSON *value) {
  const int planar = c->dimension == 2;
  switch (key->type) {
  case SCENE_TEXT:
    return check_text(c, path, key, value);
  case SCENE_NAME:
    return check_name(c, path, value);
  case SCENE_FLAG:
    return cJSON_IsBool(value) ? BASE_OK : fail_at(c, path, "must be true or false");
  case SCENE_REAL:
    return check_real(c, path, key->range, value);
  case SCENE_SPIN:
    return planar ? check_real(c, path, key->range, value)
                  : check_reals(c, path, key->range, 3, value);
  case SCENE_PLACE:
    if (cJSON_IsString(value)) {
      return strcmp(value->valuestring, "centre") == 0
                 ? BASE_OK
                 : fail_at(c, path, "must be \"centre\" or a point");
    }
    return check_reals(c, path, SCENE_ANY, c->dimension, value);
  case SCENE_VECTOR:
    return check_reals(c, path, key->range, c->dimension, value);
  case SCENE_QUATERNION:
    return check_quaternion(c, path, value);
  case SCENE_TWO:
    return check_names(c, path, 2, value);
  case SCENE_TEXTS:
    return check_names(c, path, -1, value);
  case SCENE_TABLE:
    return check_table(c, path, value);
  case SCENE_OBJECT:
    return key->in != NULL         ? check_element(c, key->in, value, path)
           : cJSON_IsObject(value) ? BASE_OK
                                   : fail_at(c, path, "must be an object");
  default:
    return check_many(c, path, key, value);
  }
}

/* The kind of an element that has kinds, from its "type"; 0 else; -1 with a message. */
static int kind_of(const struct checking *c, const struct scene_element *element,
                   const cJSON *object, const char *path) {
  const char *names[KEYS_MAX];
  if (element->kind_name == NULL) {
    return 0;
  }
  for (int i = 0; i < element->kinds; ++i) {
    names[i] = element->kind_name(i);
  }
  const cJSON *type = cJSON_GetObjectItemCaseSensitive(object, "type");
  if (!cJSON_IsString(type)) {
    base_fail(BASE_E_INPUT, "%s: %s.type: %s", c->file, path,
              type == NULL ? "is missing" : "must be a text");
    return -1;
  }
  const int kind = base_name_find(element->name, type->valuestring, element->kinds, names);
  if (kind < 0) {
    base_message_prefix("%s: %s.type: ", c->file, path);
  }
  return kind;
}

/* "a" or "a.b" */
static const char *key_path(const struct checking *c, const char *path, const char *key) {
  return path[0] == '\0' ? key : base_arena_printf(c->arena, "%s.%s", path, key);
}

static int refuse_key(const struct checking *c, const struct scene_element *element, int kind,
                      const char *name, const char *path) {
  const char *names[KEYS_MAX];
  int n = 0;
  for (const struct scene_key *k = element->keys; k->name != NULL && n < KEYS_MAX; ++k) {
    if (scene_key_fits(k, kind, c->dimension)) {
      names[n++] = k->name;
    } else if (strcmp(k->name, name) == 0) {
      const int other = k->dimension != 0 && k->dimension != c->dimension;
      return base_fail(BASE_E_INPUT, "%s: %s: not a key of %s %s", c->file, key_path(c, path, name),
                       other ? "this" : "a",
                       other ? (c->dimension == 2 ? "planar scene" : "spatial scene")
                             : element->kind_name(kind));
    }
  }
  base_name_find("key", name, n, names);
  base_message_prefix("%s: %s%s", c->file, path, path[0] != '\0' ? ": " : "");
  return BASE_E_INPUT;
}

static int check_element(const struct checking *c, const struct scene_element *element,
                         const cJSON *object, const char *path) {
  if (!cJSON_IsObject(object)) {
    return fail_at(c, path[0] != '\0' ? path : "scene", "must be an object");
  }
  const int kind = kind_of(c, element, object, path);
  if (kind < 0) {
    return BASE_E_INPUT;
  }
  for (const cJSON *item = object->child; item != NULL; item = item->next) {
    const struct scene_key *key = element->keys;
    while (key->name != NULL &&
           (strcmp(key->name, item->string) != 0 || !scene_key_fits(key, kind, c->dimension))) {
      ++key;
    }
    const int status = key->name == NULL
                           ? refuse_key(c, element, kind, item->string, path)
                           : check_value(c, key_path(c, path, item->string), key, item);
    if (status != BASE_OK) {
      return status;
    }
  }
  for (const struct scene_key *key = element->keys; key->name != NULL; ++key) {
    if ((key->needs >> kind & 1u) != 0 && scene_key_fits(key, kind, c->dimension) &&
        cJSON_GetObjectItemCaseSensitive(object, key->name) == NULL) {
      return fail_at(c, key_path(c, path, key->name), "is missing");
    }
  }
  return BASE_OK;
}

int scene_check_keys(const cJSON *root, const char *file, struct base_arena *arena) {
  struct checking c = {.file = file, .dimension = 3, .arena = arena};
  const cJSON *dimension = cJSON_GetObjectItemCaseSensitive(root, "dimension");
  if (cJSON_IsObject(root) &&
      base_json_expect_schema(root, file, "coulombench.scene/1") != BASE_OK) {
    return BASE_E_INPUT;
  }
  if (dimension != NULL) {
    const double d = cJSON_IsNumber(dimension) ? dimension->valuedouble : 0;
    if (d != 2 && d != 3) {
      return fail_at(&c, "dimension", "must be 2 or 3");
    }
    c.dimension = (int)d;
  }
  return check_element(&c, &scene_root, root, "");
}
