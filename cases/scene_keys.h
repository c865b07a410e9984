/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a scene file may hold, as a table of keys (base/json/keys.h): every key of every element
 * with its type, range, unit and meaning.
 */
#ifndef CASES_SCENE_KEYS_H
#define CASES_SCENE_KEYS_H

#include "base/json/keys.h"

#define SCENE_SCHEMA "coulombench.scene/1"

extern const struct base_table scene_keys;

/* Check a whole file against the table: BASE_OK, or BASE_E_INPUT with one line
 * "file: bodies[2].shapes[0].radius: must be > 0, is -1 m". What concerns several values at once
 * (names, masses, joints that fit) is checked where the scene is built. */
int scene_check_keys(const struct cJSON *root, const char *file);

#endif
