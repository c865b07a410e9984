/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Variables of gnuplot scripts; see script.h, and quote.h for why each is written so.
 */
#include "bench/report/kit/script.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes/quote.h"
#include "base/names.h"
#include "base/text.h"

static void append(struct report_script *script, const char *text) {
  const size_t more = strlen(text), length = script->length + more;
  if (script->gnuplot_lines == NULL || length > script->room) {
    script->room = length > 2 * script->room ? length : 2 * script->room;
    char *lines = base_arena_room(script->arena, script->room + 1);
    if (script->gnuplot_lines != NULL) {
      memcpy(lines, script->gnuplot_lines, script->length);
    }
    script->gnuplot_lines = lines;
  }
  memcpy(script->gnuplot_lines + script->length, text, more + 1);
  script->length = length;
}

static void set(struct report_script *script, const char *variable, const char *expression) {
  append(script, base_arena_printf(script->arena, "%s = %s\n", variable, expression));
}

static const char *quote_shown(const struct report_script *script, const char *text) {
  return base_quote_gnuplot(base_text_clean(text, script->arena), script->arena);
}

void report_script_real(struct report_script *script, const char *variable, double x) {
  set(script, variable, base_arena_printf(script->arena, "%.9g", x));
}

void report_script_text(struct report_script *script, const char *variable, const char *text) {
  set(script, variable, quote_shown(script, text));
}

/* The parts one behind the other with a separator between them. */
static const char *join(struct base_arena *arena, int n, const char *const *parts,
                        const char *separator) {
  size_t size = 1;
  for (int i = 0; i < n; ++i) {
    size += strlen(parts[i]) + strlen(separator);
  }
  char *joined = base_arena_push(arena, size), *end = joined;
  for (int i = 0; i < n; ++i) {
    end = stpcpy(stpcpy(end, i > 0 ? separator : ""), parts[i]);
  }
  return joined;
}

void report_script_texts(struct report_script *script, const char *variable, int n,
                         const char *const *texts) {
  const char **parts = base_arena_push(script->arena, (size_t)n * sizeof *parts);
  for (int i = 0; i < n; ++i) {
    parts[i] = quote_shown(script, texts[i]);
  }
  append(script, base_arena_printf(script->arena, "array %s[%d] = [%s]\n", variable, n,
                                   join(script->arena, n, parts, ", ")));
}

void report_script_reals(struct report_script *script, const char *variable, int n,
                         const double *x) {
  const char **parts = base_arena_push(script->arena, (size_t)n * sizeof *parts);
  for (int i = 0; i < n; ++i) {
    parts[i] = base_arena_printf(script->arena, "%.9g", x[i]);
  }
  append(script, base_arena_printf(script->arena, "array %s[%d] = [%s]\n", variable, n,
                                   join(script->arena, n, parts, ", ")));
}

/* What gnuplot prints as the text; of a format with '%' in it no more than FORMATTED bytes. */
static const char *as_format(struct base_arena *arena, const char *text) {
  enum { FORMATTED = 49 };
  if (strchr(text, '%') == NULL) {
    return text;
  }
  const char *shown = base_text_cut(base_text_clean(text, arena), FORMATTED, arena);
  char *format = base_arena_push(arena, 2 * strlen(shown) + 1), *out = format;
  for (; *shown != '\0'; ++shown) {
    *out++ = *shown;
    if (*shown == '%') {
      *out++ = '%';
    }
  }
  return format;
}

void report_script_labels(struct report_script *script, const char *variable, int n,
                          const char *const *texts) {
  const char **formats = base_arena_push(script->arena, (size_t)n * sizeof *formats);
  for (int i = 0; i < n; ++i) {
    formats[i] = as_format(script->arena, texts[i]);
  }
  report_script_texts(script, variable, n, formats);
}

void report_script_names(struct report_script *script, const char *variable, int n,
                         const char *const *names) {
  const char **words = base_arena_push(script->arena, (size_t)n * sizeof *words);
  for (int i = 0; i < n; ++i) {
    words[i] = base_name_clean(names[i], script->arena);
  }
  set(script, variable, base_quote_gnuplot(join(script->arena, n, words, " "), script->arena));
}

void report_script_path(struct report_script *script, const char *variable, const char *path) {
  const char *absolute = path[0] == '/' ? path : base_arena_printf(script->arena, "./%s", path);
  set(script, variable, base_quote_gnuplot(absolute, script->arena));
}

void report_script_line(struct report_script *script, const char *format, ...) {
  char line[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  append(script, line);
  append(script, "\n");
}

void report_script_append(struct report_script *script, const struct report_script *other) {
  if (other != NULL && other->gnuplot_lines != NULL) {
    append(script, other->gnuplot_lines);
  }
}
