/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench table`: the words of the command line as a query of a frame of records
 * (frame/frame.h), and its result as a table. A heading without a unit gets that of the table of
 * fields. See table.h.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/expression.h"
#include "bench/record/fields.h"
#include "bench/table/table.h"

static const char FILE_NAME[] = "table"; /* of messages */

struct query {
  struct frame *frame;
  int n_columns;
  const char **paths, **headings; /* n_columns */
  cJSON *transforms;
  int is_pivoted; /* the frame's columns are those asked for, then one for each value */
};

/* A title without "[...]" at its end gets the unit of the column; "[]" says that it has none. */
static const char *heading_of(const struct frame *f, int column, char *title) {
  const char *unit = f->columns[column].unit;
  const size_t length = strlen(title);
  if (length >= 2 && strcmp(title + length - 2, "[]") == 0) {
    title[length - 2] = '\0';
    return title;
  }
  return unit[0] == '\0' || (length > 0 && title[length - 1] == ']')
             ? title
             : base_arena_printf(f->arena, "%s [%s]", title, unit);
}

static int want(struct query *q, const char *path, const char *option) {
  return path[0] != '\0' ? frame_want(q->frame, path, option)
                         : base_fail(BASE_E_INPUT, "%s: an empty path", option);
}

/* Every field that is one value, by its path: a column a field, the same ones of any records. */
static int all_columns(struct query *q) {
  const size_t room = (size_t)bench_fields_count + 1;
  q->paths = base_arena_push(q->frame->arena, room * sizeof *q->paths);
  for (int i = -1; i < bench_fields_count; ++i) {
    const char *path = i < 0 ? "record" : bench_fields[i].key.name;
    if (i < 0 || bench_field_is_column(&bench_fields[i])) {
      want(q, path, FILE_NAME);
      q->paths[q->n_columns++] = path;
    }
  }
  q->headings = q->paths;
  return BASE_OK;
}

static int read_columns(struct query *q, const char *text) {
  struct base_arena *arena = q->frame->arena;
  if (text == NULL) {
    return all_columns(q);
  }
  char *rest = base_arena_copy(arena, text);
  const size_t room = strlen(text) + 1; /* columns at most */
  q->paths = base_arena_push(arena, room * sizeof *q->paths);
  q->headings = base_arena_push(arena, room * sizeof *q->headings);
  for (char *title; (title = strsep(&rest, ",")) != NULL;) {
    const char *path = strsep(&title, "=");
    const int column = want(q, path, "table: --columns");
    if (column < 0) {
      return BASE_E_INPUT;
    }
    q->paths[q->n_columns] = path;
    q->headings[q->n_columns++] =
        heading_of(q->frame, column, title != NULL ? title : base_arena_copy(arena, path));
  }
  for (int i = 0; i < q->n_columns; ++i) {
    for (int k = 0; k < i; ++k) {
      if (strcmp(q->headings[i], q->headings[k]) == 0) {
        return base_fail(BASE_E_INPUT, "%s: --columns: two are headed '%s'", FILE_NAME,
                         q->headings[i]);
      }
    }
  }
  return BASE_OK;
}

/* A list of texts as one transform. */
static cJSON *add_transform(struct query *q, const char *name) {
  cJSON *transform = cJSON_CreateObject();
  cJSON_AddItemToArray(q->transforms, transform);
  return cJSON_AddArrayToObject(transform, name);
}

/* "PATH=VALUE[,REDUCTION]": rows are what the columns that were asked for have in common. */
static int read_pivot(struct query *q, const char *text) {
  static const char option[] = "table: --pivot";
  if (text == NULL) {
    return BASE_OK;
  }
  char *op = base_arena_copy(q->frame->arena, text);
  const char *path = strsep(&op, "="), *value = strsep(&op, ",");
  if (value == NULL) {
    return base_fail(BASE_E_INPUT, "%s = '%s': must be PATH=VALUE[,REDUCTION]", option, text);
  }
  if (want(q, path, option) < 0 || want(q, value, option) < 0) {
    return BASE_E_INPUT;
  }
  cJSON *groupby = add_transform(q, "groupby"), *transform = q->transforms->child->prev;
  for (int i = 0; i < q->n_columns; ++i) {
    cJSON_AddItemToArray(groupby, cJSON_CreateString(q->paths[i]));
  }
  cJSON_AddStringToObject(transform, "pivot", path);
  cJSON_AddStringToObject(transform, "value", value);
  if (op != NULL) {
    cJSON_AddStringToObject(transform, "op", op);
  }
  q->is_pivoted = 1;
  return BASE_OK;
}

static int read_request(struct query *q, const struct bench_table_request *request) {
  int status = read_columns(q, request->columns);
  cJSON *filter = add_transform(q, "filter"), *sort = add_transform(q, "sort");
  for (int i = 0; i < request->n_where && status == BASE_OK; ++i) {
    const struct frame_expression *e =
        frame_condition_read(q->frame->arena, request->where[i], "table: --where");
    if (e == NULL) {
      return BASE_E_INPUT;
    }
    frame_expression_want(e, q->frame, "table: --where");
    cJSON_AddItemToArray(filter, cJSON_CreateString(request->where[i]));
  }
  char *rest = request->sort != NULL ? base_arena_copy(q->frame->arena, request->sort) : NULL;
  for (const char *one; status == BASE_OK && (one = strsep(&rest, ",")) != NULL;) {
    status = want(q, one + (one[0] == '-'), "table: --sort") >= 0 ? BASE_OK : BASE_E_INPUT;
    cJSON_AddItemToArray(sort, cJSON_CreateString(one));
  }
  return status != BASE_OK ? status : read_pivot(q, request->pivot);
}

/* Columns of a pivot, which nobody could ask for by name. */
static void add_pivoted(struct query *q) {
  const struct frame *f = q->frame;
  const char **paths = base_arena_push(f->arena, (size_t)f->n_columns * sizeof *paths);
  const char **headings = base_arena_push(f->arena, (size_t)f->n_columns * sizeof *headings);
  int n = 0;
  for (int i = 0; i < q->n_columns; ++i) {
    paths[n] = q->paths[i];
    headings[n++] = q->headings[i];
  }
  for (int i = 0; i < f->n_columns; ++i) {
    const char *name = f->columns[i].name;
    int is_asked = 0;
    for (int k = 0; k < q->n_columns; ++k) {
      is_asked |= strcmp(name, q->paths[k]) == 0;
    }
    if (!is_asked) {
      paths[n] = name;
      headings[n++] = heading_of(f, i, base_arena_copy(f->arena, name));
    }
  }
  q->n_columns = n;
  q->paths = paths;
  q->headings = headings;
}

static struct bench_table table_of(const struct query *q) {
  return (struct bench_table){q->frame, q->n_columns, q->paths, q->headings};
}

/* A row an entry of the columns that are lists, before all else. */
static int add_flatten(struct query *q) {
  const struct frame *f = q->frame;
  cJSON *transform = cJSON_CreateObject(), *lists = cJSON_AddArrayToObject(transform, "flatten");
  cJSON_InsertItemInArray(q->transforms, 0, transform);
  for (int i = 0; i < q->n_columns; ++i) {
    const int column = frame_find(f, q->paths[i]);
    long row = 0;
    while (row < f->n_rows && frame_at(f, row, column)->kind != FRAME_LIST) {
      ++row;
    }
    if (row < f->n_rows) {
      cJSON_AddItemToArray(lists, cJSON_CreateString(q->paths[i]));
    }
  }
  return cJSON_GetArraySize(lists) > 0
             ? BASE_OK
             : base_fail(BASE_E_INPUT,
                         "%s: --flatten: no column is a list, as trajectory.t is of a "
                         "run with --sample",
                         FILE_NAME);
}

struct appending {
  struct query *query;
  const char *output;
};

static int append_block(void *data, struct frame *f) {
  const struct appending *to = data;
  const struct bench_table table = table_of(to->query);
  (void)f; /* the query's own */
  return bench_table_append(&table, to->output);
}

static int run_query(struct query *q, const struct bench_table_request *request, int *damaged) {
  int status = read_request(q, request);
  if (status == BASE_OK && request->is_appended) {
    struct appending to = {q, request->output};
    return frame_load_blocks(q->frame, request->n_sources, (const char *const *)request->sources,
                             append_block, &to, damaged);
  }
  status = status != BASE_OK ? status
                             : frame_load(q->frame, request->n_sources,
                                          (const char *const *)request->sources, damaged);
  const long n_read = q->frame->n_rows;
  status = status == BASE_OK && request->is_flattened ? add_flatten(q) : status;
  status = status != BASE_OK ? status : frame_transform(&q->frame, q->transforms, FILE_NAME);
  if (status == BASE_OK && q->frame->n_rows == 0) {
    fprintf(stderr, "table: no row: of %ld records none fulfils --where\n", n_read);
  }
  if (status != BASE_OK) {
    return status;
  }
  if (q->is_pivoted) {
    add_pivoted(q);
  }
  const struct bench_table table = table_of(q);
  return bench_table_write(&table, request->output, request->format, request->digits);
}

int bench_table_append_record(const struct cJSON *record, const char *name, const char *path) {
  struct base_arena *arena = base_arena_alloc();
  struct query q = {.frame = frame_new(arena)};
  int status = all_columns(&q);
  if (record != NULL) {
    frame_append(q.frame, record, name,
                 base_arena_array(arena, (size_t)q.frame->n_columns + 1, 1, 1));
  }
  const struct bench_table table = table_of(&q);
  status = status != BASE_OK ? status : bench_table_append(&table, path);
  base_arena_free(arena);
  return status;
}

int bench_table_of_records(const struct bench_table_request *request, int *damaged) {
  struct base_arena *arena = base_arena_alloc();
  *damaged = 0;
  struct query q = {.frame = frame_new(arena), .transforms = cJSON_CreateArray()};
  const int status = run_query(&q, request, damaged);
  cJSON_Delete(q.transforms);
  base_arena_free(arena);
  return status;
}
