/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records as a Frictionless Data Package, which pandas, R, Julia and spreadsheets read without help
 * of ours: records.csv, a row a run and a column a field of records (record/fields.h), and
 * datapackage.json, the columns' types, units and meanings in a Table Schema. Parameters and
 * options differ from run to run: each block of them is one column, an object in JSON. Same
 * records, same bytes.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/folder.h"
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
  base_json_add_texts(field, "name", name, "type", type, (char *)NULL);
  if (help != NULL && help[0] != '\0') {
    cJSON_AddStringToObject(field, "description", help);
  }
  return field;
}

static cJSON *describe(void) {
  cJSON *package = cJSON_CreateObject();
  base_json_add_texts(package, "profile", "tabular-data-package", "name", "coulombench-records",
                      "title", "Runs of contact and friction formulations", (char *)NULL);
  cJSON *resource = cJSON_CreateObject();
  cJSON_AddItemToArray(cJSON_AddArrayToObject(package, "resources"), resource);
  base_json_add_texts(resource, "profile", "tabular-data-resource", "name", "records", "path",
                      BENCH_PACKAGE_TABLE, "format", "csv", "mediatype", "text/csv", "encoding",
                      "utf-8", (char *)NULL);
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

static const char *table_in(const char *folder, struct base_arena *arena) {
  return base_arena_printf(arena, "%s/" BENCH_PACKAGE_TABLE, folder);
}

int bench_package_begin(const char *folder) {
  struct base_arena *arena = base_arena_alloc();
  cJSON *package = describe();
  int status = base_file_make_folder(folder);
  if (status == BASE_OK) {
    unlink(table_in(folder, arena));
    status = base_json_write(base_arena_printf(arena, "%s/" BENCH_PACKAGE_FILE, folder), package);
  }
  status =
      status != BASE_OK ? status : bench_table_append_record(NULL, NULL, table_in(folder, arena));
  cJSON_Delete(package);
  base_arena_free(arena);
  return status;
}

int bench_package_add(const char *folder, const char *name, const cJSON *record) {
  struct base_arena *arena = base_arena_alloc();
  const int status = bench_table_append_record(record, name, table_in(folder, arena));
  base_arena_free(arena);
  return status;
}

int bench_package(const char *folder, int n_sources, char *const *sources, int *damaged) {
  struct base_arena *arena = base_arena_alloc();
  const struct bench_table_request request = {.n_sources = n_sources,
                                              .sources = sources,
                                              .format = BENCH_TABLE_CSV,
                                              .is_appended = 1,
                                              .output = table_in(folder, arena)};
  int status = bench_package_begin(folder);
  status = status != BASE_OK ? status : bench_table_of_records(&request, damaged);
  base_arena_free(arena);
  return status;
}

/* ---- rows that are there ---- */

/* A table as text: its lines, the headings first. */
struct lines {
  char *text;
  long n;
  struct line {
    const char *name, *start; /* of the record; of the text */
    size_t length;            /* with its end */
  } * line;                   /* n */
};

/* Names of fields need no quotes. */
static const char *headings(struct base_arena *arena) {
  const char *text = "record";
  for (int i = 0; i < bench_fields_count; ++i) {
    if (bench_field_is_column(&bench_fields[i])) {
      text = base_arena_printf(arena, "%s,%s", text, bench_fields[i].key.name);
    }
  }
  return base_arena_printf(arena, "%s\n", text);
}

/* The lines of a table that has our headings, up to the last whole one; 0: there is none. */
static int read_lines(const char *folder, struct base_arena *arena, struct lines *lines) {
  const char *head = headings(arena);
  size_t size = 0;
  long room = 0;
  *lines = (struct lines){0};
  if (base_file_read(table_in(folder, arena), &lines->text, &size) != BASE_OK) {
    return 0;
  }
  for (const char *at = lines->text; (at = strchr(at, '\n')) != NULL; ++at) {
    ++room;
  }
  lines->line = base_arena_array(arena, (size_t)room + 1, 1, sizeof *lines->line);
  for (const char *at = lines->text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
    lines->line[lines->n++] = (struct line){
        base_arena_printf(arena, "%.*s", (int)strcspn(at, ",\n"), at), at, (size_t)(end + 1 - at)};
  }
  return strncmp(lines->text, head, strlen(head)) == 0;
}

int bench_package_is_there(const char *folder) {
  struct base_arena *arena = base_arena_alloc();
  struct lines lines;
  const int is_there = read_lines(folder, arena, &lines);
  free(lines.text);
  base_arena_free(arena);
  return is_there;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const struct line *)a)->name, ((const struct line *)b)->name);
}

/* By name; of one record the last row first. */
static int by_name(const void *a, const void *b) {
  const struct line *x = a, *y = b;
  const int order = compare_names(a, b);
  return order != 0 ? order : (x->start < y->start) - (x->start > y->start);
}

/* Rows behind the headings: sorted, one a record. */
static void sort_lines(struct lines *lines) {
  struct line *row = lines->line + 1;
  const long n = lines->n - 1;
  long kept = 0;
  qsort(row, (size_t)n, sizeof *row, by_name);
  for (long i = 0; i < n; ++i) {
    if (kept == 0 || compare_names(&row[kept - 1], &row[i]) != 0) {
      row[kept++] = row[i];
    }
  }
  lines->n = kept + 1;
}

/* Write the rows of the records in their order; 0: one has none. */
static int write_rows(const char *path, const struct lines *lines, int n, const char **records,
                      const char *apart, struct base_arena *arena, int *status) {
  char *text = NULL;
  size_t size;
  int has_all = 1;
  FILE *file = open_memstream(&text, &size);
  fwrite(lines->line[0].start, 1, lines->line[0].length, file);
  for (int i = 0; i < n && has_all; ++i) {
    const char *name = strrchr(records[i], '/') + 1;
    if (strcmp(name, apart) != 0) {
      const int length = (int)(strlen(name) - strlen(".json"));
      const struct line key = {.name = base_arena_printf(arena, "%.*s", length, name)};
      const struct line *row =
          bsearch(&key, lines->line + 1, (size_t)lines->n - 1, sizeof *lines->line, compare_names);
      has_all = row != NULL && fwrite(row->start, 1, row->length, file) == row->length;
    }
  }
  fclose(file);
  *status = has_all ? base_file_write(path, text, size) : BASE_OK;
  free(text);
  return has_all;
}

int bench_package_end(const char *folder, const char *records, const char *apart, int *damaged) {
  struct base_arena *arena = base_arena_alloc();
  struct lines lines;
  const char **paths;
  int status = BASE_OK;
  *damaged = 0;
  const int n = base_json_list(records, arena, &paths);
  int is_sorted = read_lines(folder, arena, &lines);
  if (is_sorted) {
    sort_lines(&lines);
    is_sorted = write_rows(table_in(folder, arena), &lines, n, paths, apart, arena, &status);
  }
  free(lines.text);
  char *sources[] = {base_arena_copy(arena, records)};
  status = is_sorted ? status : bench_package(folder, 1, sources, damaged);
  base_arena_free(arena);
  return status;
}
