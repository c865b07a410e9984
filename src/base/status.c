/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of statuses and the last message of a thread. A message is formatted aside before it
 * replaces the old one, so that the old one may be among the arguments; line breaks and other
 * controls in it become blanks, since a message is one line wherever it is shown and must not steer
 * the terminal that shows it. A name of a megabyte in a file must not bury the reason: of a long
 * word the middle is left out, and of a message that is still too long.
 */
#include "base/status.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_SIZE 2048 /* the longest messages list all known cases or options */
#define WORD_MOST 240     /* bytes of a word shown; no name of ours is as long, few paths are */

static _Thread_local char last_message[MESSAGE_SIZE];

static const struct {
  int code;
  const char *name, *meaning;
} statuses[] = {
#define X(id, number, text, sentence) {.code = (number), .name = (text), .meaning = (sentence)},
    BASE_STATUS_LIST(X)
#undef X
};

#define STATUS_COUNT (sizeof statuses / sizeof statuses[0])

const char *base_status_name(int status) {
  for (size_t i = 0; i < STATUS_COUNT; i++) {
    if (statuses[i].code == status) {
      return statuses[i].name;
    }
  }
  return "?";
}

const char *base_status_meaning(int status) {
  for (size_t i = 0; i < STATUS_COUNT; i++) {
    if (statuses[i].code == status) {
      return statuses[i].meaning;
    }
  }
  return "";
}

int base_status_parse(const char *name, int *status) {
  for (size_t i = 0; i < STATUS_COUNT; i++) {
    if (strcmp(statuses[i].name, name) == 0) {
      *status = statuses[i].code;
      return BASE_OK;
    }
  }
  return base_fail(BASE_E_INPUT, "unknown status '%s'", name);
}

/* Leave out the middle of the n bytes at text so that `most` stay, "..." included; the new length.
 * Characters stay whole. */
static size_t message_shorten(char *text, size_t n, size_t most) {
  static const char dots[] = "...";
  const size_t width = sizeof dots - 1;
  if (n <= most) {
    return n;
  }
  size_t head = (most - width) * 2 / 3, tail = n - (most - width - head);
  while (head > 0 && ((unsigned char)text[head] & 0xC0) == 0x80) {
    head--;
  }
  while (tail < n && ((unsigned char)text[tail] & 0xC0) == 0x80) {
    tail++;
  }
  memcpy(text + head, dots, width);
  memmove(text + head + width, text + tail, n - tail);
  return head + width + n - tail;
}

/* Make a text a message, in place. */
static void message_fit(char *text) {
  base_text_line(text);
  char *out = text;
  for (const char *word = text; *word != '\0';) {
    const size_t blanks = strspn(word, " "), length = strcspn(word + blanks, " ");
    const char *next = word + blanks + length;
    memmove(out, word, blanks + length);
    out += blanks + message_shorten(out + blanks, length, WORD_MOST);
    word = next;
  }
  *out = '\0';
  text[message_shorten(text, (size_t)(out - text), MESSAGE_SIZE - 1)] = '\0';
}

/* The whole text, however long, to be freed; its beginning, where there is no memory for it. */
static char *message_format(const char *format, va_list arguments, char beginning[MESSAGE_SIZE]) {
  char *text = NULL;
  va_list again;
  va_copy(again, arguments);
  if (vasprintf(&text, format, arguments) < 0) {
    text = NULL;
    vsnprintf(beginning, MESSAGE_SIZE, format, again);
  }
  va_end(again);
  return text;
}

int base_fail(int status, const char *format, ...) {
  char beginning[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  char *text = message_format(format, arguments, beginning), *shown = text ? text : beginning;
  va_end(arguments);
  message_fit(shown);
  snprintf(last_message, sizeof last_message, "%s", shown);
  free(text);
  return status;
}

const char *base_message(void) { return last_message; }

void base_message_prefix(const char *format, ...) {
  char beginning[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  char *prefix = message_format(format, arguments, beginning);
  va_end(arguments);
  base_fail(BASE_OK, "%s%s", prefix ? prefix : beginning, last_message);
  free(prefix);
}
