/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options driven by their table: a field is found by its offset, a double for reals and an int for
 * the other types. A value is checked before it is stored, so a refused one leaves the struct as it
 * was. Numbers are decimal and read whole: blanks, units or a second number are refused, as is a
 * real too large for a double ("1e999" is a slip, "inf" a wish). Infinity is for options that are
 * infinite unless they are set, such as limits: a tolerance or stiffness without end is a slip.
 */
#include "base/options.h"

#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static double *option_real(const struct base_option *entry, void *options) {
  return (double *)(void *)((char *)options + entry->offset);
}

static int *option_int(const struct base_option *entry, void *options) {
  return (int *)(void *)((char *)options + entry->offset);
}

void base_options_default(const struct base_option *table, void *options) {
  for (const struct base_option *entry = table; entry && entry->name; entry++) {
    if (entry->type == BASE_OPTION_IS_REAL) {
      *option_real(entry, options) = entry->value;
    } else {
      *option_int(entry, options) = (int)entry->value;
    }
  }
}

const struct base_option *base_options_find(const struct base_option *table, const char *name) {
  for (const struct base_option *entry = table; entry && entry->name; entry++) {
    if (strcmp(entry->name, name) == 0) {
      return entry;
    }
  }
  return NULL;
}

int base_options_is_default(const struct base_option *entry, const void *options) {
  double real = 0;
  int whole = 0;
  if (entry->type == BASE_OPTION_IS_REAL) {
    memcpy(&real, (const char *)options + entry->offset, sizeof real);
    return !(real < entry->value) && !(real > entry->value);
  }
  memcpy(&whole, (const char *)options + entry->offset, sizeof whole);
  return whole == (int)entry->value;
}

int base_read_real(const char *text, const char **rest, double *x) {
  static const char letters[] = "+-.0123456789eE";
  char *end = NULL;
  const double value = strtod(text, &end);
  const char *first = text + (text[0] == '+' || text[0] == '-');
  const int is_word = tolower((unsigned char)*first) == 'i'; /* inf, infinity */
  if (isspace((unsigned char)text[0]) || end == text) {
    return base_fail(BASE_E_INPUT, "'%s' is not a number", text);
  }
  if (isnan(value)) {
    return base_fail(BASE_E_INPUT, "'%s' is no value", text);
  }
  if (!is_word && strspn(text, letters) < (size_t)(end - text)) {
    return base_fail(BASE_E_INPUT, "'%s' is not a decimal number", text);
  }
  if (!is_word && isinf(value)) {
    return base_fail(BASE_E_INPUT, "'%s' is too large for a double", text);
  }
  *rest = end;
  *x = value;
  return BASE_OK;
}

int base_parse_real(const char *text, double *x) {
  const char *rest = text;
  double value = 0;
  if (text[0] == '\0') {
    return base_fail(BASE_E_INPUT, "a number is missing");
  }
  const int status = base_read_real(text, &rest, &value);
  if (status == BASE_OK && *rest != '\0') {
    return base_fail(BASE_E_INPUT, "'%s' is not a number", text);
  }
  if (status == BASE_OK) {
    *x = value;
  }
  return status;
}

static int option_unknown(const struct base_option *table, const char *owner, const char *key) {
  int n = 0;
  for (const struct base_option *entry = table; entry && entry->name; entry++) {
    n++;
  }
  if (n == 0) {
    return base_fail(BASE_E_INPUT, "%s: unknown option '%s'; it takes no options", owner, key);
  }
  const char **names = base_memory_alloc((size_t)n * sizeof *names);
  for (int i = 0; i < n; i++) {
    names[i] = table[i].name;
  }
  base_name_find("option", key, n, names);
  free(names);
  base_message_prefix("%s: ", owner);
  return BASE_E_INPUT;
}

static int option_check_range(const struct base_option *entry, const char *owner, double x) {
  const char *gap = entry->unit[0] != '\0' ? " " : "";
  if (x < entry->min) {
    return base_fail(BASE_E_INPUT, "%s: option '%s' = %.15g is below its minimum %.15g%s%s", owner,
                     entry->name, x, entry->min, gap, entry->unit);
  }
  if (x > entry->max) {
    return base_fail(BASE_E_INPUT, "%s: option '%s' = %.15g is above its maximum %.15g%s%s", owner,
                     entry->name, x, entry->max, gap, entry->unit);
  }
  return BASE_OK;
}

static int option_set_real(const struct base_option *entry, void *options, const char *owner,
                           const char *text) {
  double x = 0;
  if (base_parse_real(text, &x) != BASE_OK) {
    base_message_prefix("%s: option '%s' takes a number: ", owner, entry->name);
    return BASE_E_INPUT;
  }
  const int status = option_check_range(entry, owner, x);
  if (status == BASE_OK && isinf(x) && !isinf(entry->value)) {
    return base_fail(BASE_E_INPUT, "%s: option '%s' = %s: must be finite", owner, entry->name,
                     text);
  }
  if (status == BASE_OK) {
    *option_real(entry, options) = x;
  }
  return status;
}

static int option_set_int(const struct base_option *entry, void *options, const char *owner,
                          const char *text) {
  char *end = NULL;
  errno = 0;
  const long value = strtol(text, &end, 10);
  if (isspace((unsigned char)text[0]) || end == text || *end != '\0') {
    return base_fail(BASE_E_INPUT, "%s: option '%s' takes a whole number: '%s' is none", owner,
                     entry->name, text);
  }
  const int status = option_check_range(entry, owner, (double)value);
  if (status != BASE_OK) {
    return status;
  }
  if (errno == ERANGE || value > INT_MAX || value < INT_MIN) {
    return base_fail(BASE_E_INPUT, "%s: option '%s' = %s does not fit an integer", owner,
                     entry->name, text);
  }
  *option_int(entry, options) = (int)value;
  return BASE_OK;
}

static int option_set_bool(const struct base_option *entry, void *options, const char *owner,
                           const char *text) {
  static const char *const words[][2] = {
      {"0", "1"}, {"false", "true"}, {"no", "yes"}, {"off", "on"}};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    for (int value = 0; value < 2; value++) {
      if (strcasecmp(text, words[i][value]) == 0) {
        *option_int(entry, options) = value;
        return BASE_OK;
      }
    }
  }
  return base_fail(BASE_E_INPUT,
                   "%s: option '%s' = '%s' is none of 0, 1, false, true, no, yes, off, on", owner,
                   entry->name, text);
}

/* Start and length of the choice of an index; NULL when there are not that many. */
static const char *option_choice_at(const struct base_option *entry, int index, size_t *length) {
  const char *start = entry->choices;
  for (int i = 0; start && index >= 0; i++) {
    *length = strcspn(start, "|");
    if (i == index) {
      return start;
    }
    start = start[*length] == '|' ? start + *length + 1 : NULL;
  }
  return NULL;
}

static int option_set_choice(const struct base_option *entry, void *options, const char *owner,
                             const char *text) {
  size_t length = 0;
  const char *choice = NULL;
  for (int i = 0; (choice = option_choice_at(entry, i, &length)) != NULL; i++) {
    if (strlen(text) == length && strncmp(text, choice, length) == 0) {
      *option_int(entry, options) = i;
      return BASE_OK;
    }
  }
  return base_fail(BASE_E_INPUT, "%s: option '%s' = '%s' is none of %s", owner, entry->name, text,
                   entry->choices);
}

int base_options_set(const struct base_option *table, void *options, const char *owner,
                     const char *key, const char *text) {
  const struct base_option *entry = base_options_find(table, key);
  if (!entry) {
    return option_unknown(table, owner, key);
  }
  if (entry->fixed) {
    char value[64];
    return base_fail(BASE_E_INPUT, "%s: option '%s' is fixed, '%s': %s", owner, key,
                     base_options_choice(entry, (int)entry->value, value, sizeof value),
                     entry->help);
  }
  switch (entry->type) {
  case BASE_OPTION_IS_REAL:
    return option_set_real(entry, options, owner, text);
  case BASE_OPTION_IS_INT:
    return option_set_int(entry, options, owner, text);
  case BASE_OPTION_IS_BOOL:
    return option_set_bool(entry, options, owner, text);
  case BASE_OPTION_IS_CHOICE:
    return option_set_choice(entry, options, owner, text);
  }
  return base_fail(BASE_E_INTERNAL, "%s: option '%s' has no type", owner, key);
}

const char *base_options_choice(const struct base_option *entry, int index, char *buffer,
                                size_t size) {
  size_t length = 0;
  const char *choice = option_choice_at(entry, index, &length);
  snprintf(buffer, size, "%.*s", choice ? (int)length : 1, choice ? choice : "?");
  return buffer;
}

/* A real as JSON, with the infinities that a number in JSON cannot be. */
static cJSON *option_real_to_json(double x) {
  if (isinf(x)) {
    return cJSON_CreateString(x > 0 ? "inf" : "-inf");
  }
  return isnan(x) ? cJSON_CreateNull() : cJSON_CreateNumber(x);
}

cJSON *base_options_to_json(const struct base_option *table, const void *options) {
  cJSON *object = cJSON_CreateObject();
  for (const struct base_option *entry = table; entry && entry->name; entry++) {
    const char *place = (const char *)options + entry->offset;
    double real = 0;
    int whole = 0;
    char name[64];
    if (entry->type == BASE_OPTION_IS_REAL) {
      memcpy(&real, place, sizeof real);
    } else {
      memcpy(&whole, place, sizeof whole);
    }
    cJSON *value = NULL;
    switch (entry->type) {
    case BASE_OPTION_IS_REAL:
      value = option_real_to_json(real);
      break;
    case BASE_OPTION_IS_INT:
      value = cJSON_CreateNumber(whole);
      break;
    case BASE_OPTION_IS_BOOL:
      value = cJSON_CreateBool(whole);
      break;
    case BASE_OPTION_IS_CHOICE:
      value = cJSON_CreateString(base_options_choice(entry, whole, name, sizeof name));
      break;
    }
    cJSON_AddItemToObject(object, entry->name, value);
  }
  return object;
}

/* A real as option_real_to_json writes it. */
static int option_real_from_json(const cJSON *value, double *x) {
  const char *text = cJSON_GetStringValue(value);
  if (cJSON_IsNumber(value) || cJSON_IsNull(value)) {
    *x = cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
    return 1;
  }
  return text && (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) &&
         base_parse_real(text, x) == BASE_OK;
}

/* The kind of value an entry has, and for choices one that there is. */
static int option_fits(const struct base_option *entry, const cJSON *value, double *x) {
  size_t length = 0;
  const char *text = cJSON_GetStringValue(value), *choice = NULL;
  switch (entry->type) {
  case BASE_OPTION_IS_REAL:
    return option_real_from_json(value, x) && (isfinite(*x) || !isfinite(entry->value));
  case BASE_OPTION_IS_INT:
    *x = cJSON_GetNumberValue(value);
    return cJSON_IsNumber(value) && *x == rint(*x);
  case BASE_OPTION_IS_BOOL:
    *x = cJSON_IsTrue(value);
    return cJSON_IsBool(value);
  case BASE_OPTION_IS_CHOICE:
    for (int i = 0; text && (choice = option_choice_at(entry, i, &length)) != NULL; i++) {
      if (strlen(text) == length && strncmp(text, choice, length) == 0) {
        return !entry->fixed || i == (int)entry->value;
      }
    }
    return 0;
  }
  return 0;
}

int base_options_check(const struct base_option *table, const char *owner, const cJSON *member) {
  const struct base_option *entry = base_options_find(table, member->string);
  double x = 0;
  if (!entry) {
    return option_unknown(table, owner, member->string);
  }
  if (!option_fits(entry, member, &x)) {
    return base_fail(BASE_E_INPUT, "%s: option '%s' has a value it cannot have", owner,
                     entry->name);
  }
  return entry->type == BASE_OPTION_IS_CHOICE ? BASE_OK : option_check_range(entry, owner, x);
}

int base_options_split(const char *pair, char *key, size_t key_size, const char **value) {
  for (size_t i = 0, n = 1; pair[i] != '\0'; i += n) {
    n = base_text_character(pair + i);
    if (n == 0) {
      return base_fail(BASE_E_INPUT, "'%.*s...' is not UTF-8", (int)i, pair);
    }
  }
  const char *equals = strchr(pair, '=');
  if (!equals || equals == pair) {
    return base_fail(BASE_E_INPUT, "'%s' is not key=value", pair);
  }
  const size_t length = (size_t)(equals - pair);
  if (length >= key_size) {
    return base_fail(BASE_E_INPUT, "the key of '%s' is too long", pair);
  }
  memcpy(key, pair, length);
  key[length] = '\0';
  *value = equals + 1;
  return BASE_OK;
}
