/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench table`: rows from records. Each record is read once; of it only the values at the
 * paths of columns, conditions and order are kept. See table.h.
 *
 * Records are those of runs, and solutions of one-step problems (<folder>/solve). A path is one of
 * the record (errors.q_linf, case.parameters.mu, final.u.ball.vx), or `record`: the
 * name of its file without ".json". A heading without a unit gets that of the table of fields.
 */
#include <cjson/cJSON.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/commands.h"
#include "bench/record/fields.h"
#include "bench/record/record.h"
#include "bench/search/threshold.h"
#include "bench/suite/key.h"
#include "bench/table/table.h"

enum { PATHS_MAX = 64 };
static const char RECORD[] = "record"; /* a path that is no record's */

struct path {
  const char *path, *option; /* option: that gave it, for messages */
  int is_known;
};

struct row {
  const cJSON *values[PATHS_MAX]; /* copies, to be freed; NULL: missing */
  struct row *next;
};

struct query {
  struct base_arena *arena;
  int n_paths, n_columns, n_conditions, n_keys;
  struct path paths[PATHS_MAX]; /* columns, then conditions, then keys to sort by */
  const char *headings[PATHS_MAX];
  struct bench_condition conditions[BENCH_TABLE_CONDITIONS];
  int falling[PATHS_MAX]; /* of the keys */
  int n_read, n_rows, n_damaged;
  struct row *first, **last;
};

/* ---- what is asked for ---- */

static int add_path(struct query *q, const char *path, const char *option) {
  if (q->n_paths == PATHS_MAX) {
    return base_fail(BASE_E_INPUT, "table: %s: more than %d paths", option, PATHS_MAX);
  }
  if (path[0] == '\0') {
    return base_fail(BASE_E_INPUT, "table: %s: an empty path", option);
  }
  const struct bench_field *field = bench_field_find(path);
  q->paths[q->n_paths++] = (struct path){
      .path = path,
      .option = option,
      .is_known = strcmp(path, RECORD) == 0 || (field != NULL && field->type != FIELD_OBJECT)};
  return BASE_OK;
}

/* A title without "[...]" at its end gets the unit of the field; "[]" says that it has none. */
static const char *heading_of(struct query *q, const char *path, char *title) {
  const struct bench_field *field = bench_field_find(path);
  const size_t length = strlen(title);
  if (length >= 2 && strcmp(title + length - 2, "[]") == 0) {
    title[length - 2] = '\0';
    return title;
  }
  if (length > 0 && title[length - 1] == ']') {
    return title;
  }
  return field != NULL && field->unit[0] != '\0' && strcmp(field->unit, "-") != 0
             ? base_arena_printf(q->arena, "%s [%s]", title, field->unit)
             : title;
}

static int read_columns(struct query *q, const char *text) {
  char *rest = base_arena_copy(q->arena, text), *next;
  int status = BASE_OK;
  for (char *word; status == BASE_OK && rest != NULL; rest = next) {
    next = strchr(rest, ',');
    if (next != NULL) {
      *next++ = '\0';
    }
    word = rest;
    char *title = strchr(word, '=');
    if (title != NULL) {
      *title++ = '\0';
    }
    status = add_path(q, word, "--columns");
    if (status == BASE_OK) {
      q->headings[q->n_columns++] =
          heading_of(q, word, title != NULL ? title : base_arena_copy(q->arena, word));
    }
  }
  for (int i = 0; status == BASE_OK && i < q->n_columns; ++i) {
    for (int k = 0; k < i; ++k) {
      if (strcmp(q->headings[i], q->headings[k]) == 0) {
        return base_fail(BASE_E_INPUT, "table: --columns: two are headed '%s'", q->headings[i]);
      }
    }
  }
  return status;
}

static int read_request(struct query *q, const struct bench_table_request *request) {
  int status = read_columns(q, request->columns);
  for (int i = 0; i < request->n_where && status == BASE_OK; ++i) {
    struct bench_condition *c = &q->conditions[q->n_conditions++];
    status = bench_condition_read("table: --where", request->where[i], c);
    status = status != BASE_OK ? status : add_path(q, c->key, "--where");
  }
  char *rest = request->sort != NULL ? base_arena_copy(q->arena, request->sort) : NULL;
  for (char *next; rest != NULL && status == BASE_OK; rest = next) {
    next = strchr(rest, ',');
    if (next != NULL) {
      *next++ = '\0';
    }
    q->falling[q->n_keys++] = rest[0] == '-';
    status = add_path(q, rest + (rest[0] == '-'), "--sort");
  }
  return status;
}

/* ---- records ---- */

/* Keep the values of a record that fulfils all conditions. name: of its file, without ".json". */
static void add_record(struct query *q, const cJSON *record, const char *name) {
  const cJSON *found[PATHS_MAX];
  const cJSON file = {.type = cJSON_String, .valuestring = (char *)name};
  int fits = 1;
  ++q->n_read;
  for (int i = 0; i < q->n_paths; ++i) {
    struct path *p = &q->paths[i];
    found[i] = strcmp(p->path, RECORD) == 0 ? &file : bench_record_at(record, p->path);
    p->is_known |= found[i] != NULL && !cJSON_IsObject(found[i]);
  }
  for (int i = 0; i < q->n_conditions; ++i) {
    fits = fits && bench_condition_fulfils(&q->conditions[i], found[q->n_columns + i]);
  }
  if (fits) {
    struct row *row = base_arena_push(q->arena, sizeof *row);
    for (int i = 0; i < q->n_paths; ++i) {
      row->values[i] = found[i] != NULL ? cJSON_Duplicate(found[i], 1) : NULL;
    }
    *q->last = row;
    q->last = &row->next;
    ++q->n_rows;
  }
}

static int is_of_schema(const cJSON *record, const char *schema) {
  return strcmp(base_json_text_at(record, "schema"), schema) == 0;
}

/* Say of a record, on the message about it, that it is left out. */
static void leave_out(struct query *q) {
  fprintf(stderr, "%s: left out\n", base_text_clean(base_message(), q->arena));
  ++q->n_damaged;
}

static int check(const cJSON *record, const char *path) {
  const int status =
      is_of_schema(record, BENCH_RESULT_SCHEMA) ? bench_record_check(record, path) : BASE_OK;
  return status != BASE_OK ? status : bench_key_check(record, path);
}

/* is_named: the file is, so that it has to be a record; of folders others are left out. */
static int read_record(struct query *q, const char *path, int is_named) {
  cJSON *record = is_named ? base_json_read(path) : base_json_read_regular(path);
  if (record == NULL) {
    return BASE_E_INPUT;
  }
  const int is_record =
      is_of_schema(record, BENCH_RESULT_SCHEMA) || is_of_schema(record, "coulombench.solution/1");
  if (!is_record && (is_named || bench_record_is_of_other_version(record))) {
    const int status = bench_record_expect(record, path);
    cJSON_Delete(record);
    return status;
  }
  if (is_record && check(record, path) != BASE_OK) {
    leave_out(q);
  } else if (is_record) {
    const char *slash = strrchr(path, '/');
    char *name = base_arena_copy(q->arena, slash != NULL ? slash + 1 : path);
    const size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".json") == 0) {
      name[length - 5] = '\0';
    }
    add_record(q, record, name);
  }
  cJSON_Delete(record);
  return BASE_OK;
}

static int read_folder(struct query *q, const char *folder) {
  struct dirent **files = NULL;
  const int n = scandir(folder, &files, base_json_is_name, alphasort), before = q->n_read;
  if (n < 0) {
    return base_fail(BASE_E_IO, "%s: cannot read the folder", folder);
  }
  for (int i = 0; i < n; ++i) {
    const char *path = base_arena_printf(q->arena, "%s/%s", folder, files[i]->d_name);
    if (read_record(q, path, 0) != BASE_OK) {
      leave_out(q);
    }
    free(files[i]);
  }
  free(files);
  if (q->n_read == before) {
    return base_fail(BASE_E_INPUT, "%s: holds no records (files *.json of schema %s, or solutions)",
                     folder, BENCH_RESULT_SCHEMA);
  }
  return BASE_OK;
}

/* ---- the table ---- */

static int refuse_unknown(const struct query *q) {
  const char *paths[512];
  int n = 0;
  for (int i = 0; i < bench_fields_count && n < (int)(sizeof paths / sizeof *paths); ++i) {
    if (bench_fields[i].type != FIELD_OBJECT) {
      paths[n++] = bench_fields[i].path;
    }
  }
  for (int i = 0; i < q->n_paths; ++i) {
    const struct path *p = &q->paths[i];
    if (!p->is_known) {
      const struct bench_field *field = bench_field_find(p->path);
      const int near = base_name_nearest(p->path, n, paths);
      return field != NULL
                 ? base_fail(BASE_E_INPUT, "table: %s: '%s' is a block of records, not a value",
                             p->option, p->path)
                 : base_fail(BASE_E_INPUT,
                             "table: %s: unknown column '%s': no field of records, and in none "
                             "of these%s%s%s",
                             p->option, p->path, near >= 0 ? "; did you mean '" : "",
                             near >= 0 ? paths[near] : "", near >= 0 ? "'?" : "");
    }
  }
  return BASE_OK;
}

/* Numbers, then texts, then what is missing, whichever way the rest goes. */
static int rank_of(const cJSON *value) {
  return cJSON_IsNumber(value) ? 0 : value != NULL && !cJSON_IsNull(value) ? 1 : 2;
}

static int compare_values(const cJSON *a, const cJSON *b, int is_falling) {
  const int ranks = rank_of(a) - rank_of(b);
  if (ranks != 0 || rank_of(a) == 2) {
    return ranks;
  }
  int order;
  if (cJSON_IsNumber(a)) {
    order = (a->valuedouble > b->valuedouble) - (a->valuedouble < b->valuedouble);
  } else if (cJSON_IsString(a) && cJSON_IsString(b)) {
    order = strcmp(a->valuestring, b->valuestring);
  } else {
    order = a->type - b->type;
  }
  return is_falling ? -order : order;
}

struct placed {
  const struct query *query;
  const struct row *row;
  int place; /* in the order of files, which decides between equals */
};

static int compare_rows(const void *a, const void *b) {
  const struct placed *x = a, *y = b;
  const struct query *q = x->query;
  for (int i = 0; i < q->n_keys; ++i) {
    const int at = q->n_columns + q->n_conditions + i;
    const int order = compare_values(x->row->values[at], y->row->values[at], q->falling[i]);
    if (order != 0) {
      return order;
    }
  }
  return x->place - y->place;
}

/* The plain values of a list, nulls as dashes. */
static const char *list_text(struct base_arena *arena, const cJSON *list) {
  char number[BASE_JSON_NUMBER_SIZE];
  const char *text = "";
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    text = base_arena_printf(arena, "%s%s%s", text, item != list->child ? ", " : "",
                             cJSON_IsNumber(item)   ? base_json_number(item->valuedouble, number)
                             : cJSON_IsString(item) ? item->valuestring
                             : cJSON_IsNull(item)   ? "-"
                                                    : "...");
  }
  return text;
}

static void add_value(struct bench_table *table, const cJSON *value) {
  if (cJSON_IsNumber(value)) {
    bench_table_number(table, value->valuedouble);
  } else if (cJSON_IsArray(value)) {
    bench_table_text(table, list_text(table->arena, value));
  } else if (cJSON_IsString(value)) {
    bench_table_text(table, value->valuestring[0] != '\0' ? value->valuestring : NULL);
  } else {
    bench_table_text(table, cJSON_IsTrue(value) ? "yes" : cJSON_IsFalse(value) ? "no" : NULL);
  }
}

static struct bench_table *make_table(const struct query *q) {
  struct placed *rows = base_arena_push(q->arena, (size_t)q->n_rows * sizeof *rows);
  int n = 0;
  for (const struct row *row = q->first; row != NULL; row = row->next) {
    rows[n] = (struct placed){.query = q, .row = row, .place = n};
    ++n;
  }
  if (n > 0) {
    qsort(rows, (size_t)n, sizeof *rows, compare_rows);
  }
  struct bench_table *table = bench_table_new(q->arena, q->n_columns, q->headings);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < q->n_columns; ++k) {
      add_value(table, rows[i].row->values[k]);
    }
  }
  return table;
}

static int run_query(struct query *q, const struct bench_table_request *request) {
  int status = read_request(q, request);
  for (int i = 0; i < request->n_sources && status == BASE_OK; ++i) {
    struct stat info;
    const char *source = request->sources[i];
    if (stat(source, &info) != 0) {
      return base_fail(BASE_E_IO, "%s: no such file or folder", source);
    }
    status = S_ISDIR(info.st_mode) ? read_folder(q, source) : read_record(q, source, 1);
  }
  status = status != BASE_OK ? status : refuse_unknown(q);
  if (status != BASE_OK) {
    return status;
  }
  if (q->n_rows == 0) {
    fprintf(stderr, "table: no row: of %d records none fulfils --where\n", q->n_read);
  }
  return bench_table_write(make_table(q), request->output, request->format, request->digits);
}

int bench_table_of_records(const struct bench_table_request *request, int *damaged) {
  struct base_arena *arena = base_arena_alloc();
  struct query *q = base_arena_push(arena, sizeof *q);
  q->arena = arena;
  q->last = &q->first;
  const int status = run_query(q, request);
  *damaged = q->n_damaged;
  for (const struct row *row = q->first; row != NULL; row = row->next) {
    for (int i = 0; i < q->n_paths; ++i) {
      cJSON_Delete((cJSON *)row->values[i]);
    }
  }
  base_arena_free(arena);
  return status;
}
