/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What {names} stand for in a run; see figure.h.
 */
#include "cases/figure/figure.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* What stands for a name of so many characters, NULL: nothing; `number` of one with a '#'. */
static const char *find_name(const struct case_run *run, const char *name, size_t length,
                             char number[16]) {
  const int is_number = length > 0 && name[0] == '#';
  const char *found = NULL;
  for (int i = 0; i < run->n_names && found == NULL; ++i) {
    const struct case_name *n = &run->names[i];
    if (strlen(n->name) == length && strncmp(n->name, name, length) == 0) {
      found = n->text;
    }
  }
  for (int i = 0; i < run->n_names && found == NULL && is_number; ++i) {
    const struct case_name *n = &run->names[i];
    if (strlen(n->name) == length - 1 && strncmp(n->name, name + 1, length - 1) == 0) {
      snprintf(number, 16, "%d", n->number);
      found = number;
    }
  }
  return found;
}

void case_run_text(const struct case_run *run, const char *text, char out[CASE_TEXT]) {
  size_t n = 0;
  while (*text != '\0' && n + 1 < CASE_TEXT) {
    const char *end = *text == '{' ? strchr(text, '}') : NULL;
    char number[16];
    const char *word =
        end != NULL ? find_name(run, text + 1, (size_t)(end - text - 1), number) : NULL;
    if (word != NULL) {
      n += (size_t)snprintf(out + n, CASE_TEXT - n, "%s", word);
      text = end + 1;
    } else {
      out[n++] = *text++;
    }
  }
  assert(n < CASE_TEXT);
  out[n < CASE_TEXT ? n : CASE_TEXT - 1] = '\0';
}
