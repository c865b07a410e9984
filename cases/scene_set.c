/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --set for scenes: a dotted path into the file, `materials.rubber.mu`, `bodies.ball.velocity.0`,
 * `bodies.ball.shapes.0.radius`, `coordinates`. An element of a list is found by its name or, from
 * 0, by its number. A list as a whole is given as in the file, `gravity=[0, -9.81]`. The last key
 * may be new; whether it may be there is seen when the scene is built.
 */
#include "cases/scene_parts.h"

#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"

#include <string.h>

/* What a value may be turned into. */
static void assign(cJSON *item, const char *text, struct base_arena *arena) {
  double x;
  item->child = NULL;
  item->valuestring = NULL;
  cJSON *list = text[0] == '[' ? cJSON_Parse(text) : NULL;
  if (list != NULL) {
    item->type = cJSON_Array;
    item->child = base_json_copy(list, arena)->child;
    cJSON_Delete(list);
  } else if (base_parse_real(text, &x) == BASE_OK) {
    item->type = cJSON_Number;
    cJSON_SetNumberHelper(item, x);
  } else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
    item->type = text[0] == 't' ? cJSON_True : cJSON_False;
  } else {
    item->type = cJSON_String;
    item->valuestring = base_arena_copy(arena, text);
  }
}

/* A new last member. Links as cJSON does: the first child's prev is the last one. */
static cJSON *append(cJSON *object, const char *key, struct base_arena *arena) {
  cJSON *item = base_arena_push(arena, sizeof *item);
  *item = (cJSON){.string = base_arena_copy(arena, key)};
  if (object->child == NULL) {
    object->child = item->prev = item;
  } else {
    item->prev = object->child->prev;
    item->prev->next = item;
    object->child->prev = item;
  }
  return item;
}

int scene_set(cJSON *root, const char *file, const char *key, const char *text,
              struct base_arena *arena) {
  cJSON *at = root;
  char *word = base_arena_copy(arena, key), *next = word;
  while (next != NULL) {
    char *dot = strchr(word = next, '.');
    next = dot != NULL ? dot + 1 : NULL;
    if (dot != NULL) {
      *dot = '\0';
    }
    cJSON *found = word[0] != '\0' ? (cJSON *)base_json_at(at, word) : NULL;
    if (found == NULL && next == NULL && cJSON_IsObject(at) && word[0] != '\0') {
      found = append(at, word, arena);
    }
    if (found == NULL) {
      return base_fail(BASE_E_INPUT, "%s: --set %s: there is no '%s'", file, key, word);
    }
    at = found;
  }
  if (at->child != NULL && !(cJSON_IsArray(at) && text[0] == '[')) {
    return base_fail(BASE_E_INPUT, "%s: --set %s: is %s", file, key,
                     cJSON_IsArray(at) ? "a list: set one value of it, or all as [..., ...]"
                                       : "an object, of which one value at a time can be set");
  }
  assign(at, text, arena);
  return BASE_OK;
}
