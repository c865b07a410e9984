/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See worked.h.
 */
#include "tests/worked.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/data.h"
#include "base/json/json.h"
#include "tests/test.h"

struct worked worked_begin(const char *file) {
  struct base_arena *arena = test_arena();
  struct worked w = {.file = base_arena_printf(arena, "tests/worked/%s", file), .heading = ""};
  char *text = NULL;
  size_t size = 0;
  CHECK_OK(base_file_read(base_data_path(arena, w.file), &text, &size));
  w.rest = base_arena_copy(arena, text != NULL ? text : "");
  free(text);
  return w;
}

int worked_next(struct worked *w) {
  while (*w->rest != '\0') {
    char *line = strsep(&w->rest, "\n"), *comment = strstr(line, "  # ");
    ++w->number;
    if (comment != NULL) {
      *comment = '\0';
    }
    if (strncmp(line, "== ", 3) == 0) {
      w->heading = line + 3;
    } else if (line[0] != '\0' && line[0] != '#') {
      char *arrow = strstr(line, " =>");
      w->left = line;
      w->right = arrow == NULL ? NULL : arrow + 3 + (arrow[3] == ' ');
      if (arrow != NULL) {
        *arrow = '\0';
      }
      return 1;
    }
  }
  return 0;
}

void worked_fail(const struct worked *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = NULL;
  CHECK(vasprintf(&text, format, arguments) >= 0);
  va_end(arguments);
  test_fail(w->file, w->number, "%s: %s: %s", w->heading, w->left, text);
  free(text);
}

int worked_status(const struct worked *w, int status) {
  const int is_refused = w->right != NULL && w->right[0] == '!';
  const char *words = is_refused && w->right[1] != '\0' ? w->right + 2 : "";
  if (status != (is_refused ? BASE_E_INPUT : BASE_OK)) {
    worked_fail(w, "is %s: %s", base_status_name(status), base_message());
  } else if (is_refused && strstr(base_message(), words) == NULL) {
    worked_fail(w, "'%s' lacks '%s'", base_message(), words);
  }
  return !is_refused && status == BASE_OK;
}
