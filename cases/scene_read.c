/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values and names of scene files whose keys have been checked; see scene_parts.h.
 */
#include "cases/scene_parts.h"

#include "base/names.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Names beyond are not listed beside an unknown one. */
enum { NAMES_MAX = 200 };

/* --- reading what has been checked --- */

const cJSON *scene_get(const cJSON *object, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

double scene_real(const cJSON *object, const char *key, double otherwise) {
  const cJSON *value = scene_get(object, key);
  return value != NULL ? value->valuedouble : otherwise;
}

const char *scene_text(const cJSON *object, const char *key) {
  const cJSON *value = scene_get(object, key);
  return value != NULL ? value->valuestring : NULL;
}

/* Up to three numbers, a single one (planar spin) into the third; zero where there are none. */
int scene_numbers(const cJSON *value, double x[3]) {
  int i = 0;
  memset(x, 0, 3 * sizeof *x);
  if (cJSON_IsNumber(value)) {
    x[2] = value->valuedouble;
  }
  for (const cJSON *item = value != NULL ? value->child : NULL; item != NULL; item = item->next) {
    x[i++] = item->valuedouble;
  }
  return value != NULL;
}

int scene_vector(const cJSON *object, const char *key, double x[3]) {
  return scene_numbers(scene_get(object, key), x);
}

int scene_world_vector(const struct scene *s, const cJSON *object, const char *key, double x[3]) {
  double given[3];
  const int is_given = scene_vector(object, key, given);
  for (int i = 0; i < 3; ++i) {
    x[i] = s->R[3 * i] * given[0] + s->R[3 * i + 1] * given[1] + s->R[3 * i + 2] * given[2];
  }
  return is_given;
}

struct mech_table scene_table(const struct scene *s, const cJSON *object) {
  const cJSON *given = scene_get(object, "table");
  const int n = given != NULL ? cJSON_GetArraySize(given) : 0;
  double *t = base_arena_doubles(s->arena, n), *value = base_arena_doubles(s->arena, n);
  int i = 0;
  for (const cJSON *item = n > 0 ? given->child : NULL; item != NULL; item = item->next, ++i) {
    t[i] = item->child->valuedouble;
    value[i] = item->child->next->valuedouble;
  }
  return (struct mech_table){n, t, value};
}

/* --- names --- */

int scene_compare_named(const void *x, const void *y) {
  const struct scene_name *a = x, *b = y;
  return strcmp(a->name, b->name);
}

int scene_find(const struct scene *s, const char *kind, const char *name, int n,
               const struct scene_name *list) {
  const struct scene_name key = {.name = name}, *found = bsearch(&key, list, (size_t)n,
                                                                 sizeof *list, scene_compare_named);
  if (found == NULL) {
    const char *names[NAMES_MAX];
    const int shown = n < NAMES_MAX ? n : NAMES_MAX;
    for (int i = 0; i < shown; ++i) {
      names[i] = list[i].name;
    }
    base_name_find(kind, name, shown, names);
    base_message_prefix("%s: ", s->file);
    return BASE_E_INPUT;
  }
  return found->index;
}

/* Put the place before a message of the assembly, or before one of find_name (which begins with
 * the file's name). */
int scene_at_place(const struct scene *s, const char *list, int i, const char *rest) {
  const char *message = base_arena_copy(s->arena, base_message());
  const size_t n = strlen(s->file);
  if (strncmp(message, s->file, n) == 0 && strncmp(message + n, ": ", 2) == 0) {
    message += n + 2;
  }
  return base_fail(BASE_E_INPUT, "%s: %s[%d]%s: %s", s->file, list, i, rest, message);
}

/* y = B^T (x - c) */
void scene_into_frame(const struct scene_frame *f, int is_point, const double x[3], double y[3]) {
  double d[3];
  for (int i = 0; i < 3; ++i) {
    d[i] = x[i] - (is_point ? f->centre[i] : 0);
  }
  for (int i = 0; i < 3; ++i) {
    y[i] = f->axes[i] * d[0] + f->axes[3 + i] * d[1] + f->axes[6 + i] * d[2];
  }
}
