/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One scratch folder a process, made when it is first asked for, gone with the process.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

const char *scratch_folder(void);
/* A path in it; good for the next 15 calls. */
const char *scratch_path(const char *name);
/* A scene in a file of that name and ".json", by its keys beside schema and name, with ' for ", printf
 * style. Its path. */
const char *scratch_scene(const char *name, const char *keys, ...)
    __attribute__((format(printf, 2, 3)));

#endif
