/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small frames for tests of queries: from text, and as text again.
 */
#ifndef TESTS_FRAME_TABLE_H
#define TESTS_FRAME_TABLE_H

#include "bench/frame/frame.h"

/* A frame from text: names of columns, then a line a row, words by column; '-': missing, "a,b": a
 * list of at most 16, 'a b': a text. */
struct frame *frame_table(struct base_arena *arena, const char *text);
/* Transforms in JSON; BASE_E_INPUT with a message. */
int frame_table_transform(struct frame **f, const char *json);
/* A column of a frame as text, "a b - list". */
const char *frame_table_shown(const struct frame *f, const char *name);

#endif
