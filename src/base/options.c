/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options driven by their table: a field is found by its offset, a double for reals and an int for
 * the other types. A value is checked before it is stored, so a refused one leaves the struct as it
 * was. Infinity is for options that are infinite unless they are set, such as limits: a tolerance
 * or stiffness without end is a slip.
 */
#include "base/options.h"

#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_real(const struct base_option *entry) { return (entry->key.types & BASE_REAL) != 0; }

static double *option_real(const struct base_option *entry, void *options) {
  return (double *)(void *)((char *)options + entry->offset);
}

static int *option_int(const struct base_option *entry, void *options) {
  return (int *)(void *)((char *)options + entry->offset);
}

void base_options_default(const struct base_option *table, void *options) {
  for (const struct base_option *entry = table; entry && entry->key.name; entry++) {
    if (is_real(entry)) {
      *option_real(entry, options) = entry->value;
    } else {
      *option_int(entry, options) = (int)entry->value;
    }
  }
}

const struct base_option *base_options_find(const struct base_option *table, const char *name) {
  for (const struct base_option *entry = table; entry && entry->key.name; entry++) {
    if (strcmp(entry->key.name, name) == 0) {
      return entry;
    }
  }
  return NULL;
}

int base_options_is_default(const struct base_option *entry, const void *options) {
  double real = 0;
  int whole = 0;
  if (is_real(entry)) {
    memcpy(&real, (const char *)options + entry->offset, sizeof real);
    return !(real < entry->value) && !(real > entry->value);
  }
  memcpy(&whole, (const char *)options + entry->offset, sizeof whole);
  return whole == (int)entry->value;
}

static int option_unknown(const struct base_option *table, const char *owner, const char *key) {
  int n = 0;
  for (const struct base_option *entry = table; entry && entry->key.name; entry++) {
    n++;
  }
  if (n == 0) {
    return base_fail(BASE_E_INPUT, "%s: unknown option '%s'; it takes no options", owner, key);
  }
  const char **names = base_memory_alloc((size_t)n * sizeof *names);
  for (int i = 0; i < n; i++) {
    names[i] = table[i].key.name;
  }
  base_name_find("option", key, n, names);
  free(names);
  base_message_prefix("%s: ", owner);
  return BASE_E_INPUT;
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
                     entry->key.help);
  }
  char who[128];
  double x = 0;
  snprintf(who, sizeof who, "%s: option", owner);
  const int status = base_key_parse(&entry->key, who, text, &x);
  if (status == BASE_OK && is_real(entry)) {
    *option_real(entry, options) = x;
  } else if (status == BASE_OK) {
    *option_int(entry, options) = (int)x;
  }
  return status;
}

const char *base_options_choice(const struct base_option *entry, int index, char *buffer,
                                size_t size) {
  size_t length = 0;
  const char *choice = index >= 0 ? base_key_choice(&entry->key, index, &length) : NULL;
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
  for (const struct base_option *entry = table; entry && entry->key.name; entry++) {
    const char *place = (const char *)options + entry->offset;
    double real = 0;
    int whole = 0;
    char name[64];
    if (is_real(entry)) {
      memcpy(&real, place, sizeof real);
    } else {
      memcpy(&whole, place, sizeof whole);
    }
    cJSON *value = is_real(entry)                         ? option_real_to_json(real)
                   : (entry->key.types & BASE_WHOLE) != 0 ? cJSON_CreateNumber(whole)
                   : (entry->key.types & BASE_FLAG) != 0
                       ? cJSON_CreateBool(whole)
                       : cJSON_CreateString(base_options_choice(entry, whole, name, sizeof name));
    cJSON_AddItemToObject(object, entry->key.name, value);
  }
  return object;
}

int base_options_check(const struct base_option *table, const char *owner, const cJSON *member) {
  const struct base_option *entry = base_options_find(table, member->string);
  if (!entry) {
    return option_unknown(table, owner, member->string);
  }
  const int status = base_key_check(&entry->key, member);
  char value[64];
  if (status != BASE_OK) {
    base_message_prefix("%s: option '%s': ", owner, member->string);
  } else if (entry->fixed &&
             strcmp(member->valuestring,
                    base_options_choice(entry, (int)entry->value, value, sizeof value)) != 0) {
    return base_fail(BASE_E_INPUT, "%s: option '%s': is fixed, '%s'", owner, member->string, value);
  }
  return status;
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

void *base_options_new(const struct base_option *table, size_t size, const char *text,
                       struct base_arena *arena) {
  void *options = base_arena_push(arena, size);
  base_options_default(table, options);
  char *rest = NULL, *pairs = base_arena_copy(arena, text);
  for (char *pair = strtok_r(pairs, " ", &rest); pair != NULL; pair = strtok_r(NULL, " ", &rest)) {
    char key[32] = "";
    const char *value = "";
    int status = base_options_split(pair, key, sizeof key, &value);
    status = status != BASE_OK ? status : base_options_set(table, options, "", key, value);
    assert(status == BASE_OK); /* the text is a constant of the program */
    (void)status;
  }
  return options;
}
