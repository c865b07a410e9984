/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of registered things and the refusal of unknown ones. The nearest name is the one of the
 * smallest edit distance (a letter put in, left out or replaced, two neighbours exchanged; case
 * ignored); it is offered only when it is near enough to be a misprint, or begins with the
 * requested name.
 */
#include "base/names.h"

#include "base/memory/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LONGEST 64 /* longer names are compared by their first characters only */

static int name_same_letter(char a, char b) {
  const int x = a == '_' ? '-' : tolower((unsigned char)a);
  const int y = b == '_' ? '-' : tolower((unsigned char)b);
  return x == y;
}

static int name_smaller(int a, int b) { return a < b ? a : b; }

/* Edit distance of a and b, row by row of the usual table. */
static int name_distance(const char *a, const char *b) {
  int rows[3][NAME_LONGEST + 1] = {{0}}; /* row i of the table in rows[i % 3] */
  const int la = (int)strnlen(a, NAME_LONGEST), lb = (int)strnlen(b, NAME_LONGEST);
  for (int i = 0; i <= la; i++) {
    int *row = rows[i % 3];
    const int *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
    for (int j = 0; j <= lb; j++) {
      if (i == 0 || j == 0) {
        row[j] = i + j;
        continue;
      }
      const int changed = above[j - 1] + !name_same_letter(a[i - 1], b[j - 1]);
      row[j] = name_smaller(changed, name_smaller(above[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && name_same_letter(a[i - 1], b[j - 2]) &&
          name_same_letter(a[i - 2], b[j - 1])) {
        row[j] = name_smaller(row[j], two_above[j - 2] + 1);
      }
    }
  }
  return rows[la % 3][lb];
}

int base_name_nearest(const char *name, int n, const char *const *names) {
  int nearest = -1, smallest = 0;
  for (int i = 0; i < n; i++) {
    const int distance = name_distance(name, names[i]);
    if (nearest < 0 || distance < smallest) {
      nearest = i;
      smallest = distance;
    }
  }
  /* a third of the letters wrong is as far as a slip goes, one wrong letter always is one */
  const size_t length = strlen(name);
  const int allowed = length < 6 ? 1 : (int)(length / 3);
  if (nearest >= 0 && smallest <= allowed) {
    return nearest;
  }
  for (int i = 0; i < n; i++) {
    if (length > 0 && strncmp(names[i], name, length) == 0) {
      return i;
    }
  }
  return -1;
}

int base_name_find(const char *kind, const char *name, int n, const char *const *names) {
  size_t size = 1;
  for (int i = 0; i < n; i++) {
    if (strcmp(names[i], name) == 0) {
      return i;
    }
    size += strlen(names[i]) + 2;
  }
  char *known = base_memory_alloc(size), *end = known;
  *end = '\0';
  for (int i = 0; i < n; i++) {
    end += sprintf(end, "%s%s", i > 0 ? ", " : "", names[i]);
  }
  const int nearest = base_name_nearest(name, n, names);
  base_fail(BASE_E_INPUT, "unknown %s '%s';%s%s%s known: %s", kind, name,
            nearest >= 0 ? " did you mean '" : "", nearest >= 0 ? names[nearest] : "",
            nearest >= 0 ? "'?" : "", n > 0 ? known : "none");
  free(known);
  return -1;
}

static int name_is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static int name_compare(const void *x, const void *y) {
  return strcmp(*(const char *const *)x, *(const char *const *)y);
}

void base_names_sort(int n, const char **names) {
  if (n > 0) {
    qsort(names, (size_t)n, sizeof *names, name_compare);
  }
}

char *base_name_clean(const char *text, struct base_arena *arena) {
  char *name = base_arena_push(arena, strlen(text) + 2), *out = name;
  for (const char *c = text; *c != '\0'; c++) {
    if (name_is_alphanumeric(*c) || *c == '_' || (c > text && strchr("-+.", *c) != NULL)) {
      *out++ = *c;
    } else if (out == name || out[-1] != '_') {
      *out++ = '_';
    }
  }
  if (out == name) {
    *out = '_';
  }
  return name;
}

int base_name_is_plain(const char *text) {
  if (text[0] == '\0' || strlen(text) > BASE_NAME_MAX) {
    return 0;
  }
  for (const char *c = text; *c != '\0';) {
    const size_t length = base_text_character(c);
    const int plain = length == 1 ? name_is_alphanumeric(*c) || strchr("-+_", *c) != NULL
                                  : length > 1 && !base_text_is_control(c, length);
    if (!plain) {
      return 0;
    }
    c += length;
  }
  return 1;
}
