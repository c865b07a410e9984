/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text that comes from outside: files, their names, the environment, the command line. It is UTF-8;
 * what is not stays recognisable as such (U+FFFD). What it must become to be part of a script, a
 * command, a page or a table is in base/bytes/quote.h.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/memory/arena.h"

#define BASE_TEXT_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD, for bytes that are no character */

/* Bytes of the UTF-8 character at s (1 for the NUL that ends it), 0 when there is none: no overlong
 * forms, no surrogates, nothing above U+10FFFF. */
size_t base_text_character(const char *s);
/* Does the character at s, of so many bytes, steer a terminal or the direction of writing, or end a
 * line? C0, DEL, C1, U+2028 and U+2029, and the marks, embeddings and isolates of direction. */
int base_text_is_control(const char *s, size_t length);
/* One line fit for a terminal, in place: every control becomes a blank. */
void base_text_line(char *text);
/* The same of a copy, in which bytes that are no character are U+FFFD: fit for any file. */
char *base_text_clean(const char *text, struct base_arena *arena);
/* Text of UTF-8 of at most so many bytes: the whole, or its first characters and "...". */
char *base_text_cut(const char *text, size_t most, struct base_arena *arena);

/* A list of words, as "key=value" of an option that may be given several times. It is a value: what
 * is added to a copy of it does not change the original. */
struct base_words {
  int n;
  const char *const *word; /* n */
};
/* The list of the words given, which must stay as long as it does. */
#define BASE_WORDS(...)                                                                            \
  ((struct base_words){sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *),               \
                       (const char *[]){__VA_ARGS__}})
/* Append a word, which must stay as long as the list does; the list is from the arena. */
void base_words_add(struct base_words *words, const char *word, struct base_arena *arena);
/* Append the words of a text, which stand between blanks, copied to the arena. */
void base_words_split(struct base_words *words, const char *text, struct base_arena *arena);

#endif
