/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames from text; see frame_table.h.
 */
#include "tests/frame_table.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "tests/test.h"

/* The next word, which a blank or an apostrophe ends; NULL: none. It is cut off. */
static char *next_word(char **rest, int *is_quoted) {
  *rest += strspn(*rest, " ");
  *is_quoted = **rest == '\'';
  *rest += *is_quoted;
  return **rest == '\0' ? NULL : strsep(rest, *is_quoted ? "'" : " ");
}

static struct frame_value value_of(struct base_arena *arena, const char *word) {
  char *end = NULL;
  if (strchr(word, ',') != NULL) {
    double *x = base_arena_doubles(arena, 16);
    struct frame_list *list = base_arena_push(arena, sizeof *list);
    *list = (struct frame_list){.x = x};
    for (const char *at = word; at != NULL; at = strchr(at, ',')) {
      at += *at == ',';
      x[list->n++] = *at == '-' && (at[1] == ',' || at[1] == '\0') ? NAN : strtod(at, NULL);
    }
    return (struct frame_value){.kind = FRAME_LIST, .list = list};
  }
  const double number = strtod(word, &end);
  return strcmp(word, "-") == 0 ? frame_number(NAN)
         : *end == '\0'         ? frame_number(number)
                                : (struct frame_value){.kind = FRAME_TEXT, .text = word};
}

struct frame *frame_table(struct base_arena *arena, const char *text) {
  struct frame *f = frame_new(arena);
  char *lines = base_arena_copy(arena, text), *line = strsep(&lines, "\n"), *word;
  int is_quoted;
  while (line != NULL && (word = next_word(&line, &is_quoted)) != NULL) {
    frame_add(f, word, "");
  }
  while ((line = strsep(&lines, "\n")) != NULL && line[0] != '\0') {
    const long row = frame_push(f);
    for (int column = 0; line != NULL && (word = next_word(&line, &is_quoted)) != NULL; ++column) {
      *frame_at(f, row, column) = is_quoted ? (struct frame_value){.kind = FRAME_TEXT, .text = word}
                                            : value_of(arena, word);
    }
  }
  return f;
}

int frame_table_transform(struct frame **f, const char *json) {
  return frame_transform(f, test_json(base_json_parse(json, "test")), "test");
}

const char *frame_table_shown(const struct frame *f, const char *name) {
  char number[BASE_JSON_NUMBER_SIZE];
  const int column = frame_find(f, name);
  const char *text = "";
  CHECK_MESSAGE(column >= 0, "no column %s", name);
  for (long row = 0; row < f->n_rows && column >= 0; ++row) {
    const struct frame_value *v = frame_at(f, row, column);
    text = base_arena_printf(f->arena, "%s%s%s", text, row > 0 ? " " : "",
                             v->kind == FRAME_TEXT     ? v->text
                             : frame_is_missing(v)     ? "-"
                             : isinf(v->number)        ? "inf"
                             : v->kind == FRAME_NUMBER ? base_json_number(v->number, number)
                                                       : "list");
  }
  return text;
}
