/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading JSON: cJSON makes the tree; here is what it lacks. It says at which byte it gave up but
 * not why, takes NUL for the end of a file and "\u0000" for the end of a string, takes bytes that
 * are not UTF-8, passes over what follows a value, keeps repeated keys, and reads numbers that are
 * none ("01", "1.", "-.5") and those beyond all doubles as infinite ("1e999"). Numbers are read
 * with the decimal point of the C locale, which the program never leaves.
 */
#include "base/json/json.h"

#include "base/memory/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define JSON_NEAR 24 /* characters shown of the place of an error */
#define JSON_PATH_SIZE 512

static int json_is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Leave "name: reason, line L column C" for byte `at` of the text; columns count bytes. */
static void json_fail_at(const char *name, const char *text, size_t at, const char *reason) {
  int line = 1, column = 1;
  for (size_t i = 0; i < at; i++) {
    column++;
    if (text[i] == '\n') {
      line++;
      column = 1;
    }
  }
  base_fail(BASE_E_INPUT, "%s: %s, line %d column %d", name, reason, line, column);
}

/* Why a text that cJSON refused at byte `at` is not JSON: found by following strings and brackets
 * to its end. */
static void json_fail_malformed(const char *name, const char *text, size_t at) {
  const size_t size = strlen(text);
  int open = 0, in_string = 0;
  for (size_t i = 0; i < size; i++) {
    const char c = text[i];
    if (in_string) {
      i += c == '\\' && text[i + 1] != '\0';
      in_string = c != '"';
    } else {
      in_string = c == '"';
      open += (c == '{' || c == '[') - (c == '}' || c == ']');
    }
  }
  if (in_string) {
    json_fail_at(name, text, size, "ends inside a string");
    return;
  }
  while (at < size && json_is_blank(text[at])) {
    at++;
  }
  if (open > 0 && at + 1 >= size) {
    json_fail_at(name, text, size, "ends before its brackets are closed");
    return;
  }
  char near[JSON_NEAR + 1], reason[2 * JSON_NEAR + 32];
  snprintf(near, sizeof near, "%s", text + at);
  near[strcspn(near, "\r\n")] = '\0';
  snprintf(reason, sizeof reason, near[0] ? "not JSON at '%s'" : "ends too early", near);
  json_fail_at(name, text, at, reason);
}

/* Length of the JSON number at s: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?; 0 when
 * there is none. */
static size_t json_number_length(const char *s) {
  static const char digits[] = "0123456789";
  size_t i = s[0] == '-';
  size_t run = s[i] == '0' ? 1 : strspn(s + i, digits);
  if (run == 0) {
    return 0;
  }
  i += run;
  if (s[i] == '.') {
    run = strspn(s + i + 1, digits);
    if (run == 0) {
      return 0;
    }
    i += 1 + run;
  }
  if (s[i] == 'e' || s[i] == 'E') {
    const size_t sign = s[i + 1] == '+' || s[i + 1] == '-';
    run = strspn(s + i + 1 + sign, digits);
    if (run == 0) {
      return 0;
    }
    i += 1 + sign + run;
  }
  return i;
}

/* Only an exponent, or that many digits, can make a number larger than a double. */
static int may_be_too_large(const char *s, size_t length) {
  return length > DBL_MAX_10_EXP || memchr(s, 'e', length) != NULL ||
         memchr(s, 'E', length) != NULL;
}

/* 0 where all bytes are UTF-8, else -1 with a message at the first that is not. */
static int json_check_encoding(const char *name, const char *text) {
  for (size_t i = 0, length; text[i] != '\0'; i += length) {
    length = base_text_character(text + i);
    if (length == 0) {
      json_fail_at(name, text, i, "not UTF-8");
      return -1;
    }
  }
  return 0;
}

/* Check the words of a text that cJSON has accepted: -1 with a message at the first number that is
 * none or would be infinite, or NUL in a string, which would hide what follows it. */
static int json_check_words(const char *name, const char *text) {
  static const char letters[] = "+-.0123456789eE";
  int in_string = 0;
  for (size_t i = 0; text[i] != '\0'; i++) {
    const char c = text[i];
    if (in_string) {
      if (strncmp(text + i, "\\u0000", 6) == 0) {
        json_fail_at(name, text, i, "holds a NUL character");
        return -1;
      }
      i += c == '\\';
      in_string = c != '"';
    } else if (c == '"') {
      in_string = 1;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      const size_t length = strspn(text + i, letters);
      if (json_number_length(text + i) != length) {
        char reason[2 * JSON_NEAR + 32];
        snprintf(reason, sizeof reason, "not a JSON number '%.*s'",
                 (int)(length < JSON_NEAR ? length : JSON_NEAR), text + i);
        json_fail_at(name, text, i, reason);
        return -1;
      }
      if (may_be_too_large(text + i, length) && isinf(strtod(text + i, NULL))) {
        json_fail_at(name, text, i, "a number too large for a double");
        return -1;
      }
      i += length - 1;
    }
  }
  return 0;
}

/* The first key, in alphabetical order, that an object holds twice, or NULL. */
static const char *json_repeated_key(const cJSON *object) {
  int n;
  const cJSON **items = base_json_sorted(object, &n);
  const char *repeated = NULL;
  for (int i = 0; i + 1 < n && !repeated; i++) {
    repeated = strcmp(items[i]->string, items[i + 1]->string) == 0 ? items[i]->string : NULL;
  }
  free(items);
  return repeated;
}

/* Look for repeated keys in a value and all it holds; path: dotted name of the value, with room for
 * those below. 0, or -1 with the path of the repeated key in path. Depth is held by cJSON. */
static int json_check_keys(const cJSON *value, char path[JSON_PATH_SIZE], size_t length) {
  if (cJSON_IsObject(value)) {
    const char *key = json_repeated_key(value);
    if (key) {
      snprintf(path + length, JSON_PATH_SIZE - length, "%s%s", length > 0 ? "." : "", key);
      return -1;
    }
  }
  int index = 0;
  for (const cJSON *item = value->child; item; item = item->next, index++) {
    if (!item->child) { /* a plain value has no keys */
      continue;
    }
    int added = 0;
    const size_t room = JSON_PATH_SIZE - length;
    if (item->string) {
      added = snprintf(path + length, room, "%s%s", length > 0 ? "." : "", item->string);
    } else {
      added = snprintf(path + length, room, "[%d]", index);
    }
    const size_t below = (size_t)added < room ? length + (size_t)added : JSON_PATH_SIZE - 1;
    if (json_check_keys(item, path, below) != 0) {
      return -1;
    }
    path[length] = '\0';
  }
  return 0;
}

cJSON *base_json_parse(const char *text, const char *name) {
  static const char byte_order_mark[] = "\xEF\xBB\xBF";
  const char *start = text;
  if (strncmp(start, byte_order_mark, 3) == 0) {
    start += 3;
  }
  const size_t size = strlen(start);
  if (strspn(start, " \t\r\n") == size) {
    base_fail(BASE_E_INPUT, "%s: empty, line 1 column 1", name);
    return NULL;
  }
  if (json_check_encoding(name, start) != 0) {
    return NULL;
  }
  const char *end = NULL;
  base_json_start(); /* done already, but only where it was linked */
  cJSON *value = cJSON_ParseWithLengthOpts(start, size, &end, 0);
  if (!value) {
    json_fail_malformed(name, start, end ? (size_t)(end - start) : 0);
    return NULL;
  }
  while (json_is_blank(*end)) {
    end++;
  }
  char path[JSON_PATH_SIZE] = "";
  if (*end != '\0') {
    json_fail_at(name, start, (size_t)(end - start), "something follows the value");
  } else if (json_check_words(name, start) == 0) {
    if (json_check_keys(value, path, 0) == 0) {
      return value;
    }
    base_fail(BASE_E_INPUT, "%s: key '%s' is repeated", name, path);
  }
  cJSON_Delete(value);
  return NULL;
}

int base_json_is_name(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name);
  return length > 5 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 5, ".json") == 0;
}

struct json_reading {
  const char *path;
  cJSON *value;
};

static void json_read(void *data) {
  struct json_reading *reading = data;
  char *text = NULL;
  size_t size = 0;
  if (base_file_read(reading->path, &text, &size) != BASE_OK) {
    return;
  }
  if (strlen(text) != size) {
    json_fail_at(reading->path, text, strlen(text), "holds a NUL byte");
  } else {
    reading->value = base_json_parse(text, reading->path);
  }
  free(text);
}

cJSON *base_json_read(const char *path) {
  struct json_reading reading = {.path = path};
  const int left = base_memory_try(json_read, &reading);
  if (left != BASE_OK) {
    base_message_prefix("%s: ", path);
    base_leave(left);
  }
  return reading.value;
}

cJSON *base_json_read_regular(const char *path) {
  struct stat state;
  if (stat(path, &state) == 0 && !S_ISREG(state.st_mode)) {
    base_fail(BASE_E_INPUT, "%s: cannot read: not a regular file", path);
    return NULL;
  }
  return base_json_read(path);
}
