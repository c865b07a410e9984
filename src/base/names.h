/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of registered things, looked up with a helpful refusal. And names that files give (labels,
 * scenes, bodies), where they are read: refused, or turned into ones that are harmless wherever
 * they go.
 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/memory/arena.h"

#include <stddef.h>

/* Index of name among n names, -1 when there is none; the message then is
 * "unknown <kind> '<name>'; did you mean 'x'? known: a, b, c". */
int base_name_find(const char *kind, const char *name, int n, const char *const *names);
/* Index of the one that an unknown name is likely to be a slip for; -1: of none. */
int base_name_nearest(const char *name, int n, const char *const *names);
/* names: n, in the order of their bytes afterwards. */
void base_names_sort(int n, const char **names);

/* A name made of text for use in names of files, lists of words and options of commands: letters
 * and digits of ASCII, '_', and "-+." but for the first; '_' for every run of anything else and for
 * no text. So it cannot leave its folder, hide, or pass for an option or a formula. */
char *base_name_clean(const char *text, struct base_arena *arena);
/* Is text a name that is kept as it stands: letters and digits, "-+_", and any character beyond
 * ASCII that is no control, at most BASE_NAME_MAX bytes? No dot: dotted paths lead to names. */
int base_name_is_plain(const char *text);
enum { BASE_NAME_MAX = 100 };

#endif
