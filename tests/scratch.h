/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One scratch folder a process, made when it is first asked for, gone with the process.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

const char *scratch_folder(void);
/* A path in it; good for the next 15 calls. */
const char *scratch_path(const char *name);
/* A scene in a file of that name and ".json", by its keys beside schema and name, with ' for ",
 * printf style. Its path. */
const char *scratch_scene(const char *name, const char *keys, ...)
    __attribute__((format(printf, 2, 3)));
/* From now on and until the test ends the data folder is scratch_path("data"), with the program's
 * file of that name in it, the first `from` in its text replaced by `to`. */
void scratch_data(const char *file, const char *from, const char *to);
/* The text of a file, gone with the test; "" with a failed check where it cannot be read. */
const char *scratch_text(const char *path);
/* Whether two files are there and the same. */
int scratch_same_files(const char *a, const char *b);

#endif
