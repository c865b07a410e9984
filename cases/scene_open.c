/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scene files as cases: a case_type made on the spot, so that everything that runs, lists or
 * reports cases takes scenes as well. Its parameters are the file.
 */
#include "cases/scene_parts.h"

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int build_scene(const struct case_parameters *p, struct base_arena *arena,
                       struct case_instance *out) {
  return scene_build(case_parameters_file(p), case_parameters_type(p)->path, arena, out);
}

int case_is_file(const char *name) {
  const size_t length = strlen(name);
  return strchr(name, '/') != NULL || (length > 5 && strcmp(name + length - 5, ".json") == 0);
}

const struct case_type *case_open(const char *name, const char *folder, struct base_arena *arena) {
  if (!case_is_file(name)) {
    return case_find(name);
  }
  const char *path =
      folder != NULL && name[0] != '/' ? base_arena_printf(arena, "%s/%s", folder, name) : name;
  const char *shown = path, *data = NULL;
  if (access(path, R_OK) != 0 && name[0] != '/') {
    data = base_data_path(arena, name);
    shown = data != NULL ? name : path;
  }
  cJSON *file = base_json_read(data != NULL ? data : path);
  const struct case_type *type = file != NULL ? case_of_scene(file, shown, arena) : NULL;
  cJSON_Delete(file);
  return type;
}

const struct case_type *case_of_scene(const cJSON *scene, const char *shown,
                                      struct base_arena *arena) {
  struct case_type *type = base_arena_push(arena, sizeof *type);
  *type = (struct case_type){.summary = "a scene from a file",
                             .source = base_arena_copy(arena, shown),
                             .path = base_arena_copy(arena, shown),
                             .build = build_scene,
                             .scene = base_json_copy(scene, arena)};
  if (base_json_expect_schema(type->scene, shown, CASE_SCENE_SCHEMA) != BASE_OK ||
      base_json_get_text(type->scene, "name", shown, &type->name) != BASE_OK) {
    return NULL;
  }
  for (int i = 0; i < case_count(); ++i) {
    if (strcmp(case_get(i)->name, type->name) == 0) {
      base_fail(BASE_E_INPUT, "%s: name: '%s' is the name of a case", shown, type->name);
      return NULL;
    }
  }
  return type;
}
