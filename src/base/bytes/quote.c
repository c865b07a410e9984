/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See quote.h for what each language takes for code.
 */
#include "base/bytes/quote.h"

#include <string.h>

/* Some letters, digits, and characters of `more` alone? */
static int is_word(const char *text, const char *more) {
  const char *c = text;
  while ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
         (*c != '\0' && strchr(more, *c) != NULL)) {
    ++c;
  }
  return c > text && *c == '\0';
}

const char *base_quote_gnuplot(const char *text, struct base_arena *arena) {
  enum { GROWN = 10 }; /* bytes a quote or control becomes: '."\047".' */
  char *quoted = base_arena_push(arena, GROWN * strlen(text) + 3), *out = quoted;
  *out++ = '\'';
  for (; *text != '\0'; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c < ' ' || c == 0x7F || c == '\'') {
      out += sprintf(out, "'.\"\\%03o\".'", c);
    } else {
      *out++ = *text;
    }
  }
  memcpy(out, "'", 2);
  return quoted;
}

const char *base_quote_shell(const char *text, struct base_arena *arena) {
  if (is_word(text, "-_.+=,:/%@")) {
    return base_arena_copy(arena, text);
  }
  enum { GROWN = 4 }; /* bytes a quote becomes: '\'' */
  char *quoted = base_arena_push(arena, GROWN * strlen(text) + 3), *out = quoted;
  *out++ = '\'';
  for (; *text != '\0'; ++text) {
    if (*text == '\'') {
      out = memcpy(out, "'\\''", GROWN);
      out += GROWN;
    } else {
      *out++ = *text;
    }
  }
  memcpy(out, "'", 2);
  return quoted;
}

void base_quote_csv(FILE *file, const char *text) {
  if (is_word(text, "-_.") && text[0] != '-') {
    fputs(text, file);
    return;
  }
  fputs(text[0] != '\0' && strchr("=+-@;", text[0]) != NULL ? "\"'" : "\"", file);
  for (; *text != '\0'; ++text) {
    fputs(*text == '"' ? "\"" : "", file);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
  }
  fputc('"', file);
}

void base_quote_markdown(FILE *file, const char *text) {
  for (; *text != '\0'; ++text) {
    /* '[' alone is text; "[m]" is a link only before "(" or where it is defined. */
    fputs(strchr("\\`|<>*&~$", *text) != NULL ||
                  (*text == ']' && strchr("([:", text[1]) != NULL && text[1] != '\0')
              ? "\\"
              : "",
          file);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
  }
}

void base_quote_latex(FILE *file, const char *text) {
  static const struct {
    char from;
    const char *to;
  } quoted[] = {{'\\', "\\textbackslash{}"},
                {'{', "\\{"},
                {'}', "\\}"},
                {'$', "\\$"},
                {'&', "\\&"},
                {'#', "\\#"},
                {'^', "\\textasciicircum{}"},
                {'_', "\\_"},
                {'~', "\\textasciitilde{}"},
                {'%', "\\%"},
                {'<', "\\textless{}"},
                {'>', "\\textgreater{}"},
                {'|', "\\textbar{}"},
                {'[', "{[}"},
                {'*', "{*}"},
                {'"', "\\textquotedbl{}"}};
  for (; *text != '\0'; ++text) {
    size_t i = 0;
    while (i < sizeof quoted / sizeof *quoted && quoted[i].from != *text) {
      ++i;
    }
    if (i < sizeof quoted / sizeof *quoted) {
      fputs(quoted[i].to, file);
    } else {
      fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
    }
  }
}
