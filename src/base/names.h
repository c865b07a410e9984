/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of registered things: derived from the C identifier (underscores become dashes), looked up
 * with a helpful refusal.
 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>

/* "lcp_st" -> "lcp-st" into buffer; returns buffer. */
const char *base_name_from_identifier(const char *identifier, char *buffer, size_t size);
/* Index of name among n names, -1 when there is none; the message then is
 * "unknown <kind> '<name>'; did you mean 'x'? known: a, b, c". */
int base_name_find(const char *kind, const char *name, int n, const char *const *names);

#endif
