/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The JSON Schema of records, made from the table of fields (fields.h), and which paths it allows.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "bench/record/fields.h"
#include "bench/record/record.h"

int bench_field_may_be_number(const char *path) {
  const struct bench_field *field = bench_field_find(path);
  if (field != NULL) {
    return field->type == FIELD_REAL || field->type == FIELD_COUNT;
  }
  char block[256];
  snprintf(block, sizeof block, "%s", path);
  for (char *dot; field == NULL && (dot = strrchr(block, '.')) != NULL;) {
    *dot = '\0';
    field = bench_field_find(block);
  }
  return field != NULL && ((field->type == FIELD_OBJECT && !bench_field_has_parts(field)) ||
                           strcmp(block, "final.q") == 0 || strcmp(block, "final.u") == 0);
}

static const char *const types[] = {
    [FIELD_TEXT] = "string",   [FIELD_NAME] = "string",  [FIELD_REAL] = "number",
    [FIELD_COUNT] = "integer", [FIELD_FLAG] = "boolean", [FIELD_REALS] = "array",
    [FIELD_TEXTS] = "array",   [FIELD_LIST] = "array",   [FIELD_OBJECT] = "object"};

static void add_types(cJSON *schema, const char *type, int is_nullable) {
  if (!is_nullable) {
    cJSON_AddStringToObject(schema, "type", type);
    return;
  }
  cJSON *list = cJSON_AddArrayToObject(schema, "type");
  cJSON_AddItemToArray(list, cJSON_CreateString(type));
  cJSON_AddItemToArray(list, cJSON_CreateString("null"));
}

static void add_choices(cJSON *schema, const struct bench_field *f) {
  cJSON *list = cJSON_AddArrayToObject(schema, "enum");
  for (int i = 0; f->choices[i] != NULL; ++i) {
    cJSON_AddItemToArray(list, cJSON_CreateString(f->choices[i]));
  }
  if (bench_field_may_be_null(f)) {
    cJSON_AddItemToArray(list, cJSON_CreateNull());
  }
}

/* An object of known keys, to be filled. */
static void add_parts(cJSON *schema) {
  cJSON_AddObjectToObject(schema, "properties");
  cJSON_AddArrayToObject(schema, "required");
  cJSON_AddBoolToObject(schema, "additionalProperties", 0);
}

static cJSON *schema_of(const struct bench_field *f) {
  cJSON *schema = cJSON_CreateObject();
  add_types(schema, types[f->type], bench_field_may_be_null(f));
  if (f->help[0] != '\0') {
    cJSON_AddStringToObject(schema, "description", f->help);
  }
  if (f->unit[0] != '\0') {
    cJSON_AddStringToObject(schema, "unit", f->unit);
  }
  if (f->choices != NULL) {
    add_choices(schema, f);
  }
  if (f->range != FIELD_ANY || f->type == FIELD_COUNT) {
    cJSON_AddNumberToObject(schema, f->range == FIELD_POSITIVE ? "exclusiveMinimum" : "minimum", 0);
  }
  if (f->type == FIELD_REALS || f->type == FIELD_TEXTS) {
    add_types(cJSON_AddObjectToObject(schema, "items"),
              f->type == FIELD_REALS ? "number" : "string", f->type == FIELD_REALS);
  }
  if (bench_field_has_parts(f)) {
    add_parts(schema);
  }
  return schema;
}

/* The schema of the block that holds a field; *key: its name in it. */
static cJSON *block_of(cJSON *root, const char *path, const char **key) {
  cJSON *block = root;
  for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1) {
    cJSON *part = cJSON_GetObjectItemCaseSensitive(block, "properties")->child;
    while (strncmp(part->string, path, (size_t)(dot - path)) != 0 ||
           part->string[dot - path] != '\0') {
      part = part->next; /* it stands before its parts in the table */
    }
    block = part;
  }
  *key = path;
  return block;
}

cJSON *bench_record_schema(void) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "$schema", "https://json-schema.org/draft/2020-12/schema");
  cJSON_AddStringToObject(root, "$id", BENCH_RESULT_SCHEMA);
  cJSON_AddStringToObject(root, "type", "object");
  add_parts(root);
  for (int i = 0; i < bench_fields_count; ++i) {
    const struct bench_field *f = &bench_fields[i];
    const char *key;
    cJSON *block = block_of(root, f->path, &key);
    cJSON *schema = schema_of(f);
    if (strcmp(f->path, "schema") == 0) {
      cJSON_AddStringToObject(schema, "const", BENCH_RESULT_SCHEMA);
    }
    cJSON_AddItemToObject(cJSON_GetObjectItemCaseSensitive(block, "properties"), key, schema);
    if (!bench_field_may_be_missing(f)) {
      cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(block, "required"),
                           cJSON_CreateString(key));
    }
  }
  return root;
}
