/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of scene_keys.h as a JSON Schema (draft 2020-12). Elements with kinds become a choice
 * between one object a kind. Keys whose form depends on the dimension allow both; what concerns
 * several values at once is left to `coulombench check`.
 */
#include "cases/scene_keys.h"

#include "base/names.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static cJSON *of_element(const struct scene_element *element);

static cJSON *new_type(const char *type) {
  cJSON *schema = cJSON_CreateObject();
  cJSON_AddStringToObject(schema, "type", type);
  return schema;
}

static void add_range(cJSON *schema, enum scene_range range) {
  switch (range) {
  case SCENE_POSITIVE:
    cJSON_AddNumberToObject(schema, "exclusiveMinimum", 0);
    break;
  case SCENE_NOT_NEGATIVE:
    cJSON_AddNumberToObject(schema, "minimum", 0);
    break;
  case SCENE_PART:
  case SCENE_SIGNED_PART:
    cJSON_AddNumberToObject(schema, "minimum", range == SCENE_PART ? 0 : -1);
    cJSON_AddNumberToObject(schema, "maximum", 1);
    break;
  default:
    break;
  }
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

static cJSON *new_numbers(enum scene_range range, int least, int most) {
  cJSON *number = new_type("number");
  add_range(number, range);
  return new_list(number, least, most);
}

/* As base_name_is_plain: of ASCII nothing but letters, digits and "-+_", beyond it no C1. */
static cJSON *new_name(void) {
  cJSON *schema = new_type("string");
  cJSON_AddStringToObject(schema, "pattern", "^[^\\u0000-*,./:-@\\[-^`{-\\u009f]+$");
  cJSON_AddNumberToObject(schema, "maxLength", BASE_NAME_MAX);
  return schema;
}

static cJSON *either(cJSON *a, cJSON *b) {
  cJSON *schema = cJSON_CreateObject();
  cJSON *list = cJSON_AddArrayToObject(schema, "anyOf");
  cJSON_AddItemToArray(list, a);
  cJSON_AddItemToArray(list, b);
  return schema;
}

static cJSON *constant(const char *text) {
  cJSON *schema = cJSON_CreateObject();
  cJSON_AddStringToObject(schema, "const", text);
  return schema;
}

static cJSON *of_text(const struct scene_key *key) {
  cJSON *schema = new_type("string");
  if (key->choices != NULL) {
    cJSON *list = cJSON_AddArrayToObject(schema, "enum");
    for (int i = 0; key->choices[i] != NULL; ++i) {
      cJSON_AddItemToArray(list, cJSON_CreateString(key->choices[i]));
    }
  }
  return schema;
}

static cJSON *of_value(const struct scene_key *key) {
  const int least = key->dimension != 3 ? 2 : 3, most = key->dimension != 2 ? 3 : 2;
  cJSON *schema;
  switch (key->type) {
  case SCENE_TEXT:
    return of_text(key);
  case SCENE_NAME:
    return new_name();
  case SCENE_FLAG:
    return new_type("boolean");
  case SCENE_REAL:
    schema = new_type("number");
    add_range(schema, key->range);
    return schema;
  case SCENE_VECTOR:
    return new_numbers(key->range, least, most);
  case SCENE_SPIN:
    schema = new_type("number");
    add_range(schema, key->range);
    return either(new_numbers(key->range, 3, 3), schema);
  case SCENE_QUATERNION:
    return new_numbers(SCENE_ANY, 4, 4);
  case SCENE_PLACE:
    return either(constant("centre"), new_numbers(SCENE_ANY, least, most));
  case SCENE_TWO:
    return new_list(new_name(), 2, 2);
  case SCENE_TEXTS:
    return new_list(new_type("string"), 0, 0);
  case SCENE_TABLE:
    return new_list(new_numbers(SCENE_ANY, 2, 2), 1, 0);
  case SCENE_LIST:
    return new_list(of_element(key->in), 0, 0);
  case SCENE_MAP:
    schema = new_type("object");
    cJSON_AddItemToObject(schema, "propertyNames", new_name());
    cJSON_AddItemToObject(schema, "additionalProperties", of_element(key->in));
    return schema;
  default:
    return key->in != NULL ? of_element(key->in) : new_type("object");
  }
}

static cJSON *of_kind(const struct scene_element *element, int kind) {
  cJSON *schema = new_type("object");
  cJSON *properties = cJSON_AddObjectToObject(schema, "properties");
  cJSON *required = cJSON_AddArrayToObject(schema, "required");
  for (const struct scene_key *key = element->keys; key->name != NULL; ++key) {
    const int fits = scene_key_fits(key, kind, 2) || scene_key_fits(key, kind, 3);
    if (!fits || cJSON_GetObjectItemCaseSensitive(properties, key->name) != NULL) {
      continue;
    }
    char text[256];
    const int is_type = element->kind_name != NULL && key == element->keys;
    cJSON *value = is_type ? constant(element->kind_name(kind)) : of_value(key);
    snprintf(text, sizeof text, "%s%s%s%s", key->help, key->unit[0] != '\0' ? " [" : "", key->unit,
             key->unit[0] != '\0' ? "]" : "");
    cJSON_AddStringToObject(value, "description", text);
    cJSON_AddItemToObject(properties, key->name, value);
    if ((key->needs >> kind & 1u) != 0 && key->dimension == 0) {
      cJSON_AddItemToArray(required, cJSON_CreateString(key->name));
    }
  }
  cJSON_AddFalseToObject(schema, "additionalProperties");
  return schema;
}

static cJSON *of_element(const struct scene_element *element) {
  if (element->kind_name == NULL) {
    return of_kind(element, 0);
  }
  cJSON *schema = cJSON_CreateObject();
  cJSON *list = cJSON_AddArrayToObject(schema, "oneOf");
  for (int kind = 0; kind < element->kinds; ++kind) {
    cJSON_AddItemToArray(list, of_kind(element, kind));
  }
  return schema;
}

cJSON *scene_schema(void) {
  cJSON *schema = of_element(&scene_root);
  cJSON *head = cJSON_CreateObject();
  cJSON_AddStringToObject(head, "$schema", "https://json-schema.org/draft/2020-12/schema");
  cJSON_AddStringToObject(head, "title", "coulombench.scene/1");
  while (schema->child != NULL) {
    cJSON *item = cJSON_DetachItemViaPointer(schema, schema->child);
    cJSON_AddItemToObject(head, item->string, item);
  }
  cJSON_Delete(schema);
  return head;
}
