/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The JSON files of a folder, as a whole: those that base_json_is_name picks, in the order of their
 * names.
 */
#ifndef BASE_JSON_FOLDER_H
#define BASE_JSON_FOLDER_H

#include <cjson/cJSON.h>

struct base_arena;

/* Their paths, "FOLDER/NAME.json", from the arena; returns their number, -1: there is no such
 * folder. */
int base_json_list(const char *folder, struct base_arena *arena, const char ***paths);
/* Append each file to an array, once `check` has accepted it. BASE_E_INPUT with the message of the
 * first that it refuses or that cannot be read; BASE_E_IO: there is no such folder. */
int base_json_read_folder(const char *folder, struct base_arena *arena,
                          int (*check)(const cJSON *file, const char *path), cJSON *array);

#endif
