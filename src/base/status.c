/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of statuses and the last message of a thread. A message is formatted aside before it
 * replaces the old one, so that the old one may be among the arguments; line breaks and other
 * controls in it become blanks, since a message is one line wherever it is shown and must not steer
 * the terminal that shows it; one too long ends in "...".
 */
#include "base/status.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_SIZE 4096 /* the longest messages list all known cases or options */

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

static void message_format(char text[MESSAGE_SIZE], const char *format, va_list arguments) {
  const int length = vsnprintf(text, MESSAGE_SIZE, format, arguments);
  if (length >= MESSAGE_SIZE) {
    memcpy(text + MESSAGE_SIZE - 4, "...", 4);
  } else if (length < 0) {
    snprintf(text, MESSAGE_SIZE, "(a message that could not be formatted)");
  }
  base_text_line(text);
}

int base_fail(int status, const char *format, ...) {
  char text[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  message_format(text, format, arguments);
  va_end(arguments);
  memcpy(last_message, text, MESSAGE_SIZE);
  return status;
}

const char *base_message(void) { return last_message; }

void base_message_prefix(const char *format, ...) {
  char prefix[MESSAGE_SIZE], text[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  message_format(prefix, format, arguments);
  va_end(arguments);
  const size_t length = strlen(prefix), rest = strlen(last_message);
  const size_t kept = rest < MESSAGE_SIZE - 1 - length ? rest : MESSAGE_SIZE - 1 - length;
  memcpy(text, prefix, length);
  memcpy(text + length, last_message, kept);
  text[length + kept] = '\0';
  memcpy(last_message, text, length + kept + 1);
}
