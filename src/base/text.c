/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Characters of UTF-8 (RFC 3629) and which of them steer devices; see text.h.
 */
#include "base/text.h"

#include <string.h>

/* The character's number; its bytes have been checked, or are at least those of one. */
static unsigned long text_code(const unsigned char *s, size_t length) {
  unsigned long code = length == 1 ? s[0] : s[0] & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    code = code << 6 | (s[i] & 0x3F);
  }
  return code;
}

size_t base_text_character(const char *s) {
  const unsigned char *bytes = (const unsigned char *)s;
  if (bytes[0] < 0x80) {
    return 1;
  }
  const size_t length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2;
  static const unsigned long smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  for (size_t i = 1; i < length; i++) {
    if ((bytes[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  const unsigned long code = text_code(bytes, length);
  const int surrogate = code >= 0xD800 && code <= 0xDFFF;
  return bytes[0] < 0xC2 || bytes[0] > 0xF4 || code < smallest[length] || code > 0x10FFFF ||
                 surrogate
             ? 0
             : length;
}

int base_text_is_control(const char *s, size_t length) {
  const unsigned long code = text_code((const unsigned char *)s, length);
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
         (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

void base_text_line(char *text) {
  char *out = text;
  while (*text != '\0') {
    size_t length = base_text_character(text);
    const int is_control = length > 0 && base_text_is_control(text, length);
    length = length > 0 ? length : 1;
    memmove(out, is_control ? " " : text, is_control ? 1 : length);
    out += is_control ? 1 : length;
    text += length;
  }
  *out = '\0';
}

char *base_text_clean(const char *text, struct base_arena *arena) {
  static const char replacement[] = BASE_TEXT_REPLACEMENT;
  const size_t grown = sizeof replacement - 1; /* a byte becomes that many at most */
  char *clean = base_arena_push(arena, grown * strlen(text) + 1), *out = clean;
  while (*text != '\0') {
    const size_t length = base_text_character(text);
    memcpy(out, length > 0 ? text : replacement, length > 0 ? length : grown);
    out += length > 0 ? length : grown;
    text += length > 0 ? length : 1;
  }
  base_text_line(clean);
  return clean;
}

char *base_text_cut(const char *text, size_t most, struct base_arena *arena) {
  static const char dots[] = "...";
  const size_t length = strlen(text), room = most - (sizeof dots - 1);
  if (length <= most) {
    return base_arena_copy(arena, text);
  }
  size_t kept = 0;
  for (size_t next = base_text_character(text); kept + next <= room;
       next = base_text_character(text + kept)) {
    kept += next > 0 ? next : 1;
  }
  return base_arena_printf(arena, "%.*s%s", (int)kept, text, dots);
}

void base_words_add(struct base_words *words, const char *word, struct base_arena *arena) {
  const size_t n = (size_t)words->n;
  const char **longer = base_arena_push(arena, (n + 1) * sizeof *longer);
  if (n > 0) {
    memcpy(longer, words->word, n * sizeof *longer);
  }
  longer[n] = word;
  *words = (struct base_words){.n = words->n + 1, .word = longer};
}

void base_words_split(struct base_words *words, const char *text, struct base_arena *arena) {
  char *left = base_arena_copy(arena, text), *word;
  while ((word = strtok_r(left, " \t\n\r\f\v", &left)) != NULL) {
    base_words_add(words, word, arena);
  }
}
