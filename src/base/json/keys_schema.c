/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of keys (keys.h) as a JSON Schema, draft 2020-12. Objects with kinds become a choice
 * between one object a kind. Keys whose form depends on the dimension allow both; what a `check`
 * asks beyond types and ranges is left to the reader of the file.
 */
#include "base/json/keys.h"

#include "base/names.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

enum { ALTERNATIVES = 16 };

/* One of several schemas. */
struct alternatives {
  int n;
  cJSON *of[ALTERNATIVES];
};

static cJSON *object_schema(const struct base_table *table, const struct base_key *first,
                            const struct base_key *end, size_t skip);

static cJSON *new_type(const char *type) {
  cJSON *schema = cJSON_CreateObject();
  cJSON_AddStringToObject(schema, "type", type);
  return schema;
}

static cJSON *new_constant(const char *text, size_t length) {
  char word[BASE_NAME_MAX + 1] = "";
  cJSON *schema = cJSON_CreateObject();
  strncat(word, text, length < BASE_NAME_MAX ? length : BASE_NAME_MAX);
  cJSON_AddStringToObject(schema, "const", word);
  return schema;
}

static cJSON *either(const struct alternatives *a) {
  if (a->n == 1) {
    return a->of[0];
  }
  cJSON *schema = cJSON_CreateObject(),
        *list = a->n > 0 ? cJSON_AddArrayToObject(schema, "anyOf") : NULL;
  for (int i = 0; i < a->n; ++i) {
    cJSON_AddItemToArray(list, a->of[i]);
  }
  return schema;
}

/* The schema, or null. */
static cJSON *or_null(cJSON *schema) {
  cJSON *type = cJSON_GetObjectItemCaseSensitive(schema, "type");
  cJSON *words = cJSON_GetObjectItemCaseSensitive(schema, "enum");
  if (!cJSON_IsString(type)) {
    return either(&(struct alternatives){2, {schema, new_type("null")}});
  }
  if (words != NULL) {
    cJSON_AddItemToArray(words, cJSON_CreateNull());
  }
  cJSON *both = cJSON_CreateArray();
  cJSON_AddItemToArray(both, cJSON_CreateString(type->valuestring));
  cJSON_AddItemToArray(both, cJSON_CreateString("null"));
  cJSON_ReplaceItemInObjectCaseSensitive(schema, "type", both);
  return schema;
}

/* As base_name_is_plain: of ASCII nothing but letters, digits and "-+_", beyond it no C1. */
static cJSON *new_name(void) {
  cJSON *schema = new_type("string");
  cJSON_AddStringToObject(schema, "pattern", "^[^\\u0000-*,./:-@\\[-^`{-\\u009f]+$");
  cJSON_AddNumberToObject(schema, "maxLength", BASE_NAME_MAX);
  return schema;
}

static cJSON *new_text(const struct base_key *key) {
  const char *choice;
  size_t length;
  if ((key->types & BASE_NAME) != 0 && key->choice == NULL && key->choices == NULL) {
    return new_name();
  }
  cJSON *schema = new_type("string"), *list = NULL;
  for (int i = 0; (choice = base_key_choice(key, i, &length)) != NULL; ++i) {
    cJSON *word = new_constant(choice, length);
    list = list != NULL ? list : cJSON_AddArrayToObject(schema, "enum");
    cJSON_AddItemToArray(list, cJSON_DetachItemFromObject(word, "const"));
    cJSON_Delete(word);
  }
  return schema;
}

static cJSON *new_number(const struct base_key *key) {
  double min, max;
  int is_open;
  cJSON *schema = new_type((key->types & BASE_REAL) != 0 ? "number" : "integer");
  base_key_range(key, &min, &max, &is_open);
  if (isfinite(min)) {
    cJSON_AddNumberToObject(schema, is_open ? "exclusiveMinimum" : "minimum", min);
  }
  if (isfinite(max)) {
    cJSON_AddNumberToObject(schema, "maximum", max);
  }
  return schema;
}

/* One value of the key's types. */
static void add_types(const struct base_key *key, struct alternatives *a) {
  if ((key->types & (BASE_TEXT | BASE_NAME)) != 0) {
    a->of[a->n++] = new_text(key);
  }
  if ((key->types & (BASE_REAL | BASE_WHOLE)) != 0) {
    a->of[a->n++] = new_number(key);
  }
  if ((key->types & BASE_INFINITE) != 0) {
    a->of[a->n++] = new_text(&(struct base_key){.types = BASE_TEXT, .choices = "inf|-inf"});
  }
  if ((key->types & BASE_FLAG) != 0) {
    a->of[a->n++] = new_type("boolean");
  }
  if ((key->types & BASE_NULL) != 0) {
    a->of[a->n++] = new_type("null");
  }
  if ((key->types & BASE_OBJECT) != 0) {
    a->of[a->n++] =
        key->in != NULL ? object_schema(key->in, key->in->keys, NULL, 0) : new_type("object");
  }
}

static cJSON *one_value(const struct base_key *key) {
  struct alternatives a = {0};
  add_types(key, &a);
  return either(&a);
}

static cJSON *new_list(cJSON *items, int least, int most) {
  cJSON *schema = new_type("array");
  cJSON_AddItemToObject(schema, "items", items);
  if (least > 0) {
    cJSON_AddNumberToObject(schema, "minItems", least);
  }
  if (most > 0) {
    cJSON_AddNumberToObject(schema, "maxItems", most);
  }
  return schema;
}

static cJSON *list_of_values(const struct base_key *key) {
  const int n = key->length, is_space = n == BASE_OF_SPACE;
  const int least = n > 0                 ? n
                    : n == BASE_OF_SPIN   ? 3
                    : n == BASE_NOT_EMPTY ? 1
                    : !is_space           ? 0
                    : key->dimension != 3 ? 2
                                          : 3;
  const int most = is_space                     ? (key->dimension != 2 ? 3 : 2)
                   : n > 0 || n == BASE_OF_SPIN ? least
                                                : 0;
  return new_list(one_value(key), least, most);
}

static cJSON *new_map(const struct base_key *key) {
  struct alternatives a = {0};
  cJSON *schema = new_type("object");
  if ((key->forms & BASE_MAP) != 0) {
    add_types(key, &a);
  }
  if ((key->forms & BASE_MAP_OF_LISTS) != 0) {
    a.of[a.n++] = list_of_values(key);
  }
  if ((key->forms & BASE_NAMED) != 0) {
    cJSON_AddItemToObject(schema, "propertyNames", new_name());
  }
  cJSON_AddItemToObject(schema, "additionalProperties", either(&a));
  return schema;
}

static cJSON *schema_of(const struct base_key *key) {
  const unsigned forms = key->forms != 0 ? key->forms : BASE_ONE;
  struct alternatives a = {0};
  const char *word;
  size_t length;
  for (int i = 0; (word = base_word_at(key->words, i, &length)) != NULL; ++i) {
    a.of[a.n++] = new_constant(word, length);
  }
  if ((forms & BASE_ONE) != 0 || key->length == BASE_OF_SPIN) {
    add_types(key, &a);
  }
  if ((forms & BASE_LIST) != 0) {
    a.of[a.n++] = list_of_values(key);
  }
  if ((forms & BASE_ROWS) != 0) {
    a.of[a.n++] = new_list(list_of_values(key), 1, 0);
  }
  if ((forms & (BASE_MAP | BASE_MAP_OF_LISTS)) != 0) {
    a.of[a.n++] = new_map(key);
  }
  return key->is_nullable ? or_null(either(&a)) : either(&a);
}

/* A key with its parts, if it is one of a flat table that has them: [key + 1, end). */
static cJSON *member_schema(const struct base_table *table, const struct base_key *key) {
  cJSON *schema;
  if (base_key_has_parts(table, key)) {
    const size_t length = strlen(key->name);
    const struct base_key *first = base_key_next(table, key), *end = first;
    while (end->name != NULL && strncmp(end->name, key->name, length) == 0 &&
           end->name[length] == '.') {
      end = base_key_next(table, end);
    }
    schema = object_schema(table, first, end, length + 1);
    schema = key->is_nullable ? or_null(schema) : schema;
  } else {
    schema = schema_of(key);
  }
  if (key->help != NULL && key->help[0] != '\0') {
    cJSON_AddStringToObject(schema, "description", key->help);
  }
  if (key->unit != NULL && key->unit[0] != '\0') {
    cJSON_AddStringToObject(schema, "unit", key->unit);
  }
  return schema;
}

static cJSON *kind_schema(const struct base_table *table, int kind, const struct base_key *first,
                          const struct base_key *end, size_t skip) {
  cJSON *schema = new_type("object");
  cJSON *properties = cJSON_AddObjectToObject(schema, "properties");
  cJSON *required = cJSON_AddArrayToObject(schema, "required");
  for (const struct base_key *key = first; key != end && key->name != NULL;
       key = base_key_next(table, key)) {
    const char *name = key->name + skip;
    if (strchr(name, '.') != NULL || !base_key_fits(key, kind, 0) ||
        cJSON_GetObjectItemCaseSensitive(properties, name) != NULL) {
      continue;
    }
    const int has_kinds = table->kind != NULL && skip == 0;
    const int is_kind = has_kinds && table->kind_key != NULL && strcmp(name, table->kind_key) == 0;
    const int tells_kind =
        has_kinds && table->kind_key == NULL && strcmp(name, table->kind(kind)) == 0;
    cJSON_AddItemToObject(properties, name,
                          is_kind ? new_constant(table->kind(kind), BASE_NAME_MAX)
                                  : member_schema(table, key));
    if (tells_kind || ((key->needs >> kind & 1u) != 0 && key->dimension == 0)) {
      cJSON_AddItemToArray(required, cJSON_CreateString(name));
    }
  }
  cJSON_AddFalseToObject(schema, "additionalProperties");
  return schema;
}

static cJSON *object_schema(const struct base_table *table, const struct base_key *first,
                            const struct base_key *end, size_t skip) {
  if (table->kind == NULL || skip > 0) {
    return kind_schema(table, 0, first, end, skip);
  }
  cJSON *schema = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(schema, "oneOf");
  for (int kind = 0; table->kind(kind) != NULL; ++kind) {
    cJSON_AddItemToArray(list, kind_schema(table, kind, first, end, skip));
  }
  return schema;
}

cJSON *base_keys_schema(const struct base_table *table, const char *id) {
  cJSON *schema = cJSON_CreateObject(), *whole = object_schema(table, table->keys, NULL, 0);
  cJSON_AddStringToObject(schema, "$schema", "https://json-schema.org/draft/2020-12/schema");
  cJSON_AddStringToObject(schema, "$id", id);
  while (whole->child != NULL) {
    cJSON *item = cJSON_DetachItemViaPointer(whole, whole->child);
    cJSON_AddItemToObject(schema, item->string, item);
  }
  cJSON_Delete(whole);
  return schema;
}
