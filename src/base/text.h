/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text from outside: files, their names, the environment, the command line. It must be UTF-8; other
 * bytes are shown as U+FFFD. For quoting in scripts, commands, pages and tables see
 * base/bytes/quote.h.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/memory/arena.h"

#define BASE_TEXT_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD, for bytes that are no character */

/* Number of bytes of the UTF-8 character at s (1 for the final NUL); 0 if it is invalid: overlong
 * forms, surrogates, and anything above U+10FFFF are. */
size_t base_text_character(const char *s);
/* Does the character at s, of `length` bytes, control a terminal or the direction of writing, or
 * end a line? These are C0, DEL, C1, U+2028, U+2029, and the marks, embeddings and isolates of
 * direction. */
int base_text_is_control(const char *s, size_t length);
/* Make a text one line that is safe for a terminal, in place: every control becomes a blank. */
void base_text_line(char *text);
/* A copy of a text, safe for any file: controls become blanks, invalid bytes U+FFFD. */
char *base_text_clean(const char *text, struct base_arena *arena);
/* A copy of at most `most` bytes: the whole text, or its first characters and "...". */
char *base_text_cut(const char *text, size_t most, struct base_arena *arena);

/* A list of words, such as the "key=value" of an option that may be given several times. It is a
 * value: adding to a copy does not change the original. */
struct base_words {
  int n;
  const char *const *word; /* n */
};
/* The list of the given words, which must live as long as the list. */
#define BASE_WORDS(...)                                                                            \
  ((struct base_words){sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *),               \
                       (const char *[]){__VA_ARGS__}})
/* Append a word, which must live as long as the list; the list grows in the arena. */
void base_words_add(struct base_words *words, const char *word, struct base_arena *arena);
/* Append the words of a text, separated by blanks; they are copied to the arena. */
void base_words_split(struct base_words *words, const char *text, struct base_arena *arena);

#endif
