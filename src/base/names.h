/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Look-up of registered names, with a helpful message for unknown ones. Check of names from files
 * (labels, scenes, bodies): they are refused, or turned into names that are harmless in every use.
 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/memory/arena.h"

#include <stddef.h>

/* Index of name among n names; -1 if it is not among them, with the message
 * "unknown <kind> '<name>'; did you mean 'x'? known: a, b, c". */
int base_name_find(const char *kind, const char *name, int n, const char *const *names);
/* Index of the name that an unknown one is probably a misspelling of; -1: none is similar. */
int base_name_nearest(const char *name, int n, const char *const *names);
/* Sort names: n, by the order of their bytes. */
void base_names_sort(int n, const char **names);

/* A name for use in names of files, lists of words and options of commands. ASCII letters, digits,
 * '_', and "-+." after the first character are kept; '_' replaces every run of other characters,
 * and an empty text. The name cannot leave its folder, be hidden, or be taken for an option or
 * formula. */
char *base_name_clean(const char *text, struct base_arena *arena);
/* Is text a valid name: letters, digits, "-+_" and characters beyond ASCII except controls, at most
 * BASE_NAME_MAX bytes? It has no dot, because names are parts of dotted paths. */
int base_name_is_plain(const char *text);
enum { BASE_NAME_MAX = 100 };

#endif
