/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of keys of a problem's file, by which unknown ones are refused, and its JSON Schema
 * (`describe coulombench.problem/1`); what values have to be to each other io.c checks.
 */
#include "problem/problem.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/json/json.h"

static const struct key {
  const char *object, *name, *type, *help;
  int is_required;
} keys[] = {
    {"friction", "schema", PROBLEM_SCHEMA, "", 1},
    {"friction", "kind", "friction", "", 1},
    {"friction", "name", "string", "", 0},
    {"friction", "dim", "integer", "components of a contact: 1, 2, 3", 1},
    {"friction", "contacts", "integer", "how many", 1},
    {"friction", "mu", "array", "contacts: coefficients of friction [-]", 1},
    {"friction", "W", "object", "the operator of v = W r + b, of blocks dim x dim", 1},
    {"friction", "b", "array", "dim contacts: velocities without impulses, normal first [m/s]", 1},
    {"friction", "law", "string", "default ncp", 0},
    {"friction", "n_dir", "integer", "directions of a polygon, of law lcp in space", 0},
    {"friction", "dirs", "array", "2 n_dir: those of a polygon that is not regular", 0},
    {"friction", "solve", "object", "how it is to be solved, for programs; not of the problem", 0},
    {"W", "storage", "block-csr", "", 1},
    {"W", "row_ptr", "array", "contacts + 1: where the rows of blocks begin", 1},
    {"W", "col", "array", "of each block, ascending in a row", 1},
    {"W", "blocks", "array", "dim dim of each, row by row, normal first [1/kg]", 1},
    {"lcp", "schema", PROBLEM_SCHEMA, "", 1},
    {"lcp", "kind", "lcp", "", 1},
    {"lcp", "name", "string", "", 0},
    {"lcp", "n", "integer", "unknowns", 1},
    {"lcp", "M", "object", "the matrix of w = M z + b", 1},
    {"lcp", "b", "array", "n", 1},
    {"lcp", "solve", "object", "how it is to be solved, for programs; not of the problem", 0},
    {"M", "storage", "dense", "", 1},
    {"M", "values", "array", "n n, row by row", 1},
};
enum { KEYS = sizeof keys / sizeof *keys };

int problem_refuse_unknown(const cJSON *value, const char *file, const char *object) {
  const char *known[KEYS + 1];
  const int is_root = strcmp(object, "friction") == 0 || strcmp(object, "lcp") == 0;
  int n = 0;
  for (int i = 0; i < KEYS; ++i) {
    if (strcmp(keys[i].object, object) == 0) {
      known[n++] = keys[i].name;
    }
  }
  known[n] = NULL;
  return base_json_refuse_unknown(value, file, is_root ? "" : object, known);
}

static cJSON *of_object(const char *object);

static cJSON *of_key(const struct key *key) {
  static const char *const types[] = {"string", "integer", "array", "object"};
  if (strcmp(key->name, "W") == 0 || strcmp(key->name, "M") == 0) {
    return of_object(key->name);
  }
  cJSON *schema = cJSON_CreateObject();
  const char *word = "const"; /* what is no type is the text itself */
  for (int i = 0; i < 4; ++i) {
    word = strcmp(key->type, types[i]) == 0 ? "type" : word;
  }
  cJSON_AddStringToObject(schema, word, key->type);
  if (strcmp(key->type, "array") == 0) {
    const int is_index = strcmp(key->name, "row_ptr") == 0 || strcmp(key->name, "col") == 0;
    cJSON_AddStringToObject(cJSON_AddObjectToObject(schema, "items"), "type",
                            is_index ? "integer" : "number");
  }
  return schema;
}

static cJSON *of_object(const char *object) {
  cJSON *schema = cJSON_CreateObject();
  cJSON_AddStringToObject(schema, "type", "object");
  cJSON_AddBoolToObject(schema, "additionalProperties", 0);
  cJSON *required = cJSON_AddArrayToObject(schema, "required");
  cJSON *properties = cJSON_AddObjectToObject(schema, "properties");
  for (int i = 0; i < KEYS; ++i) {
    if (strcmp(keys[i].object, object) != 0) {
      continue;
    }
    cJSON *entry = of_key(&keys[i]);
    if (keys[i].help[0] != '\0') {
      cJSON_AddStringToObject(entry, "description", keys[i].help);
    }
    cJSON_AddItemToObject(properties, keys[i].name, entry);
    if (keys[i].is_required) {
      cJSON_AddItemToArray(required, cJSON_CreateString(keys[i].name));
    }
  }
  return schema;
}

cJSON *problem_schema(void) {
  cJSON *schema = cJSON_CreateObject();
  cJSON_AddStringToObject(schema, "$schema", "https://json-schema.org/draft/2020-12/schema");
  cJSON_AddStringToObject(schema, "$id", PROBLEM_SCHEMA);
  cJSON *kinds = cJSON_AddArrayToObject(schema, "oneOf");
  cJSON_AddItemToArray(kinds, of_object("friction"));
  cJSON_AddItemToArray(kinds, of_object("lcp"));
  return schema;
}
