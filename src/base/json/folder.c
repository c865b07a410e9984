/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folders of JSON files; see folder.h.
 */
#include "base/json/folder.h"

#include <stdlib.h>

#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/status.h"

int base_json_list(const char *folder, struct base_arena *arena, const char ***paths) {
  struct dirent **entries = NULL;
  const int n = scandir(folder, &entries, base_json_is_name, alphasort);
  *paths = base_arena_array(arena, n > 0 ? (size_t)n : 0, 1, sizeof **paths);
  for (int i = 0; i < n; ++i) {
    (*paths)[i] = base_arena_printf(arena, "%s/%s", folder, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  return n;
}

int base_json_read_folder(const char *folder, struct base_arena *arena,
                          int (*check)(const cJSON *file, const char *path), cJSON *array) {
  const char **paths;
  const int n = base_json_list(folder, arena, &paths);
  int status = n >= 0 ? BASE_OK : base_fail(BASE_E_IO, "%s: no such folder", folder);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    cJSON *file = base_json_read_regular(paths[i]);
    status = file != NULL ? check(file, paths[i]) : BASE_E_INPUT;
    cJSON_AddItemToArray(array, file); /* which refuses NULL */
  }
  return status;
}
