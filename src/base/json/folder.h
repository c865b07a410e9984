/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All JSON files of a folder (those accepted by base_json_is_name), in the order of their names.
 */
#ifndef BASE_JSON_FOLDER_H
#define BASE_JSON_FOLDER_H

#include <cjson/cJSON.h>

struct base_arena;

/* *paths: the paths "FOLDER/NAME.json", from the arena. Returns their number; -1 if there is no
 * such folder. */
int base_json_list(const char *folder, struct base_arena *arena, const char ***paths);
/* Append the value of each file to an array, if `check` returns BASE_OK for it. BASE_E_INPUT with
 * the message about the first file that cannot be read or is refused; BASE_E_IO if there is no such
 * folder. */
int base_json_read_folder(const char *folder, struct base_arena *arena,
                          int (*check)(const cJSON *file, const char *path), cJSON *array);

#endif
