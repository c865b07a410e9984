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

struct frame *frame_table(struct base_arena *arena, const char *text) {
  struct frame *f = frame_new(arena);
  char *rest = base_arena_copy(arena, text), *lines, *words;
  char *line = strtok_r(rest, "\n", &lines);
  for (char *word = strtok_r(line, " ", &words); word != NULL; word = strtok_r(NULL, " ", &words)) {
    frame_add(f, word, "");
  }
  while ((line = strtok_r(NULL, "\n", &lines)) != NULL) {
    const long row = frame_push(f);
    int column = 0;
    for (char *word = strtok_r(line, " ", &words); word != NULL;
         word = strtok_r(NULL, " ", &words)) {
      char *end = word;
      struct frame_value *v = frame_at(f, row, column++);
      *v = (struct frame_value){.number = strcmp(word, "-") == 0 ? NAN : strtod(word, &end)};
      if (strchr(word, ',') != NULL) {
        double *x = base_arena_doubles(arena, 16);
        struct frame_list *list = base_arena_push(arena, sizeof *list);
        *list = (struct frame_list){.x = x};
        for (char *at = word; at != NULL;
             at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL) {
          x[list->n++] = *at == '-' && (at[1] == ',' || at[1] == '\0') ? NAN : strtod(at, NULL);
        }
        *v = (struct frame_value){.kind = FRAME_LIST, .list = list};
      } else if (strcmp(word, "-") != 0 && *end != '\0') {
        *v = (struct frame_value){.kind = FRAME_TEXT, .text = word};
      }
    }
  }
  return f;
}

int frame_table_transform(struct frame **f, const char *json) {
  cJSON *list = base_json_parse(json, "test");
  CHECK(list != NULL);
  const int status = frame_transform(f, list, "test");
  cJSON_Delete(list);
  return status;
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
                             : v->kind == FRAME_NUMBER ? base_json_number(v->number, number)
                                                       : "list");
  }
  return text;
}
