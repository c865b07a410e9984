/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records as a Frictionless Data Package, which pandas, R, Julia and spreadsheets read without help
 * of ours: records.csv, a row a run and a column a field of records (record/fields.h), and
 * datapackage.json, the columns' types, units and meanings in a Table Schema. Parameters and options
 * differ from run to run: each block of them is one column, an object in JSON. Same records, same
 * bytes.
 */
#include <cjson/cJSON.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/record/fields.h"
#include "bench/table/table.h"

static const char *type_of(const struct bench_field *field) {
  return bench_field_is_object(field)           ? "object"
         : (field->key.types & BASE_REAL) != 0  ? "number"
         : (field->key.types & BASE_WHOLE) != 0 ? "integer"
         : (field->key.types & BASE_FLAG) != 0  ? "boolean"
                                                : "string";
}

static cJSON *add_field(cJSON *fields, const char *name, const char *type, const char *help) {
  cJSON *field = cJSON_CreateObject();
  cJSON_AddItemToArray(fields, field);
  base_json_add_texts(field, "name", name, "type", type, NULL);
  if (help != NULL && help[0] != '\0') {
    cJSON_AddStringToObject(field, "description", help);
  }
  return field;
}

static cJSON *describe(void) {
  cJSON *package = cJSON_CreateObject();
  base_json_add_texts(package, "profile", "tabular-data-package", "name", "coulombench-records",
                      "title", "Runs of contact and friction formulations", NULL);
  cJSON *resource = cJSON_CreateObject();
  cJSON_AddItemToArray(cJSON_AddArrayToObject(package, "resources"), resource);
  base_json_add_texts(resource, "profile", "tabular-data-resource", "name", "records", "path",
                      BENCH_PACKAGE_TABLE, "format", "csv", "mediatype", "text/csv", "encoding",
                      "utf-8", NULL);
  cJSON *schema = cJSON_AddObjectToObject(resource, "schema");
  cJSON *fields = cJSON_AddArrayToObject(schema, "fields");
  add_field(fields, "record", "string", "name of the record's file, without .json");
  for (int i = 0; i < bench_fields_count; ++i) {
    const struct base_key *key = &bench_fields[i].key;
    if (bench_field_is_column(&bench_fields[i])) {
      cJSON *field = add_field(fields, key->name, type_of(&bench_fields[i]), key->help);
      if ((key->types & BASE_FLAG) != 0) {
        cJSON_AddItemToArray(cJSON_AddArrayToObject(field, "trueValues"),
                             cJSON_CreateString("yes"));
        cJSON_AddItemToArray(cJSON_AddArrayToObject(field, "falseValues"),
                             cJSON_CreateString("no"));
      }
      if (key->unit != NULL && key->unit[0] != '\0') {
        cJSON_AddStringToObject(field, "unit", key->unit);
      }
    }
  }
  cJSON_AddStringToObject(schema, "primaryKey", "record");
  cJSON_AddItemToArray(cJSON_AddArrayToObject(schema, "missingValues"), cJSON_CreateString(""));
  return package;
}

int bench_package_begin(const char *folder) {
  struct base_arena *arena = base_arena_alloc();
  cJSON *package = describe();
  int status = base_file_make_folder(folder);
  if (status == BASE_OK) {
    unlink(base_arena_printf(arena, "%s/" BENCH_PACKAGE_TABLE, folder));
    status = base_json_write(base_arena_printf(arena, "%s/" BENCH_PACKAGE_FILE, folder), package);
  }
  cJSON_Delete(package);
  base_arena_free(arena);
  return status;
}

int bench_package_is_there(const char *folder) {
  struct base_arena *arena = base_arena_alloc();
  const int is_there =
      access(base_arena_printf(arena, "%s/" BENCH_PACKAGE_TABLE, folder), R_OK) == 0;
  base_arena_free(arena);
  return is_there;
}

/* Rows of records behind those that the table has. */
static int add_rows(const char *folder, int n_sources, char *const *sources, int *damaged) {
  struct base_arena *arena = base_arena_alloc();
  const struct bench_table_request request = {
      .n_sources = n_sources,
      .sources = sources,
      .format = BENCH_TABLE_CSV,
      .is_appended = 1,
      .output = base_arena_printf(arena, "%s/" BENCH_PACKAGE_TABLE, folder)};
  const int status = bench_table_of_records(&request, damaged);
  base_arena_free(arena);
  return status;
}

int bench_package(const char *folder, int n_sources, char *const *sources, int *damaged) {
  const int status = bench_package_begin(folder);
  return status != BASE_OK ? status : add_rows(folder, n_sources, sources, damaged);
}

int bench_package_add(const char *folder, const char *record) {
  struct base_arena *arena = base_arena_alloc();
  char *sources[] = {base_arena_copy(arena, record)};
  int damaged;
  const int status = add_rows(folder, 1, sources, &damaged);
  base_arena_free(arena);
  return status;
}
