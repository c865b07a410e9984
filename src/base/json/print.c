/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing JSON; numbers are in number.c. Strings are kept valid UTF-8: a byte that is not part of a
 * character becomes U+FFFD, so that no argument of a user makes a record unreadable.
 */
#include "base/json/json.h"

#include "base/memory/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_FIRST_SIZE ((size_t)4096)

struct text {
  char *bytes;
  size_t size, room;
};

static void text_add(struct text *text, const char *bytes, size_t size) {
  while (text->room - text->size < size + 1) {
    text->room = text->room > 0 ? 2 * text->room : TEXT_FIRST_SIZE;
    text->bytes = base_memory_resize(text->bytes, text->room);
  }
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}

static void text_add_string(struct text *text, const char *string) {
  text_add(text, string, strlen(string));
}

static void text_add_line(struct text *text, int depth) {
  text_add(text, "\n", 1);
  for (int i = 0; i < depth; i++) {
    text_add(text, "  ", 2);
  }
}

static void text_add_quoted(struct text *text, const char *string) {
  static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
  text_add(text, "\"", 1);
  for (const char *s = string ? string : ""; *s != '\0';) {
    const size_t length = base_text_character(s);
    const char *found = strchr(special, *s);
    char escape[8];
    if (length == 0) {
      text_add_string(text, BASE_TEXT_REPLACEMENT);
    } else if (found) {
      snprintf(escape, sizeof escape, "\\%c", letters[found - special]);
      text_add_string(text, escape);
    } else if ((unsigned char)*s < 0x20 || *s == 0x7F) {
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*s);
      text_add_string(text, escape);
    } else {
      text_add(text, s, length);
    }
    s += length > 0 ? length : 1;
  }
  text_add(text, "\"", 1);
}

static int json_is_container(const cJSON *value) {
  return (cJSON_IsArray(value) || cJSON_IsObject(value)) && value->child;
}

static void text_add_value(struct text *text, const cJSON *value, int depth);

/* Members of an object a line each; elements of an array on one line unless one holds others. */
static void text_add_container(struct text *text, const cJSON *value, int depth) {
  const int is_object = cJSON_IsObject(value);
  int lines = is_object;
  for (const cJSON *item = value->child; item && !lines; item = item->next) {
    lines = json_is_container(item);
  }
  text_add(text, is_object ? "{" : "[", 1);
  for (const cJSON *item = value->child; item; item = item->next) {
    if (lines) {
      text_add_line(text, depth + 1);
    }
    if (is_object) {
      text_add_quoted(text, item->string);
      text_add(text, ": ", 2);
    }
    text_add_value(text, item, depth + 1);
    if (item->next) {
      text_add(text, ", ", lines ? 1 : 2);
    }
  }
  if (lines) {
    text_add_line(text, depth);
  }
  text_add(text, is_object ? "}" : "]", 1);
}

static void text_add_value(struct text *text, const cJSON *value, int depth) {
  char number[BASE_JSON_NUMBER_SIZE];
  if (json_is_container(value)) {
    text_add_container(text, value, depth);
  } else if (cJSON_IsNumber(value)) {
    text_add_string(text, base_json_number(value->valuedouble, number));
  } else if (cJSON_IsString(value)) {
    text_add_quoted(text, value->valuestring);
  } else if (cJSON_IsRaw(value)) {
    text_add_string(text, value->valuestring);
  } else if (cJSON_IsObject(value)) {
    text_add_string(text, "{}");
  } else if (cJSON_IsArray(value)) {
    text_add_string(text, "[]");
  } else {
    text_add_string(text, cJSON_IsTrue(value) ? "true" : cJSON_IsFalse(value) ? "false" : "null");
  }
}

char *base_json_text(const cJSON *value) {
  struct text text = {.bytes = NULL};
  text_add_value(&text, value, 0);
  text_add(&text, "\n", 1);
  return text.bytes;
}

int base_json_write(const char *path, const cJSON *value) {
  char *text = base_json_text(value);
  const int status = base_file_write(path, text, strlen(text));
  free(text);
  return status;
}
