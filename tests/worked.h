/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worked examples: files of tests/worked, of lines under headings "== name" that say what each
 * example holds. Blank lines are skipped, and so are comments: lines that begin with '#', and what
 * stands behind "  # ".
 *
 *   for (struct worked w = worked_begin("names.txt"); worked_next(&w);) { ... w.left, w.right ... }
 */
#ifndef TESTS_WORKED_H
#define TESTS_WORKED_H

struct worked {
  const char *file, *heading; /* heading: "" before the first */
  const char *left, *right;   /* of a line "left => right"; right NULL: a line without */
  int number;                 /* of the line */
  char *rest;
};

/* The file's lines, in the arena of the test. */
struct worked worked_begin(const char *file);
/* 0 behind the last line. */
int worked_next(struct worked *w);
/* A failed check, of this line. printf style. */
void worked_fail(const struct worked *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A status must be BASE_OK where right does not begin with '!', and BASE_E_INPUT, with a message
 * that holds what stands behind "! ", where it does. Returns whether it is BASE_OK as it must
 * be. */
int worked_status(const struct worked *w, int status);

#endif
