/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records into the rows of a frame; see frame.h. A record is read once, and only its values at the
 * paths of the columns are kept. Records are those of runs, and solutions of one-step problems. A
 * path is one of the record (errors.q_linf, case.parameters.mu, final.u.ball.vx), the name of a
 * parameter or option (mu, n_dir, tol), or one of:
 *
 *   record   the name of its file without ".json"
 *   usable   1 where what was measured may count (frame.h), else 0
 *
 * With a `*` it is of all entries of a block or list (paths.c).
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json/folder.h"
#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/frame/parts.h"
#include "bench/job/key.h"
#include "bench/outcome/condition.h"
#include "bench/record/fields.h"
#include "bench/record/record.h"

static const char RECORD[] = "record", USABLE[] = "usable";
#define SOLUTION_SCHEMA "coulombench.solution/1"

struct loading {
  struct frame *frame;
  char *is_known; /* n_columns: in the table of fields, or in some record */
  int n_damaged;
  frame_take *take; /* NULL: all rows stay */
  void *data;
  long n_taken;
};

/* Rows that are taken at a time. */
enum { BLOCK = 1024 };

/* May what a record measured count? See frame.h. */
static int is_usable(const cJSON *record) {
  const char *status = base_json_text_at(record, "status");
  return (strcmp(status, "ok") == 0 || strcmp(status, "unconverged") == 0) &&
         strcmp(base_json_text_at(record, "quality.verdict"), "useless") != 0;
}

/* Is it a block of fields of a record, each a column of its own? Other blocks, of parameters, are
 * texts; a solution may have a value where records have a block. */
static int has_fields(const char *path) {
  const struct bench_field *field = bench_field_find(path);
  return field != NULL && bench_field_is_object(field) &&
         base_key_has_parts(&bench_record_keys, &field->key);
}

int frame_value_at(const cJSON *record, const char *name, const char *path,
                   struct base_arena *arena, struct frame_value *value) {
  if (strcmp(path, RECORD) == 0) {
    *value = frame_word(base_arena_copy(arena, name));
    return 1;
  }
  if (strcmp(path, USABLE) == 0) {
    *value = frame_number(is_usable(record));
    return 1;
  }
  int is_there;
  *value = frame_path_value(arena, record, path, &is_there);
  return is_there && !(cJSON_IsObject(base_json_at(record, path)) && has_fields(path));
}

void frame_append(struct frame *f, const cJSON *record, const char *name, char *is_known) {
  const long row = frame_push(f);
  for (int i = 0; i < f->n_columns; ++i) {
    const struct base_arena_mark mark = base_arena_mark(f->arena);
    const int is_there =
        frame_value_at(record, name, f->columns[i].name, f->arena, frame_at(f, row, i));
    frame_share(f, row, i, mark);
    if (is_there && !is_known[i]) {
      is_known[i] = 1;
      frame_set_unit(f, i, record);
    }
  }
}

/* Give away the rows that there are, and what their values take. */
static int hand_over(struct loading *l, struct base_arena_mark mark) {
  struct frame *f = l->frame;
  const int status = f->n_rows > 0 ? l->take(l->data, f) : BASE_OK;
  l->n_taken += f->n_rows;
  f->n_rows = 0;
  base_arena_release(f->arena, mark);
  return status;
}

static void add_record(struct loading *l, const cJSON *record, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  const size_t length = strlen(name);
  const int is_json = length > 5 && strcmp(name + length - 5, ".json") == 0;
  frame_append(l->frame, record,
               base_arena_printf(l->frame->arena, "%.*s", (int)length - 5 * is_json, name),
               l->is_known);
}

static int is_of_schema(const cJSON *record, const char *schema) {
  return strcmp(base_json_text_at(record, "schema"), schema) == 0;
}

void frame_leave_out(struct base_arena *arena, int *n_damaged) {
  fprintf(stderr, "%s: left out\n", base_text_clean(base_message(), arena));
  ++*n_damaged;
}

int frame_check(const cJSON *record, const char *path) {
  const int status =
      is_of_schema(record, BENCH_RESULT_SCHEMA) ? bench_record_check(record, path) : BASE_OK;
  return status != BASE_OK ? status : bench_key_check(record, path);
}

/* is_named: the file is, so that it has to be a record; of folders others are left out. */
static int read_record(struct loading *l, const char *path, int is_named) {
  cJSON *record = is_named ? base_json_read(path) : base_json_read_regular(path);
  if (record == NULL) {
    return BASE_E_INPUT;
  }
  int status = BASE_OK;
  if (is_of_schema(record, BENCH_RESULT_SCHEMA) || is_of_schema(record, SOLUTION_SCHEMA)) {
    if (frame_check(record, path) != BASE_OK) {
      frame_leave_out(l->frame->arena, &l->n_damaged);
    } else {
      add_record(l, record, path);
    }
  } else if (is_named || bench_record_is_of_other_version(record)) {
    status = bench_record_expect(record, path);
  }
  cJSON_Delete(record);
  return status;
}

static int read_folder(struct loading *l, const char *folder) {
  const char **paths;
  const int n = base_json_list(folder, l->frame->arena, &paths);
  const long before = l->frame->n_rows + l->n_taken;
  const struct base_arena_mark mark = base_arena_mark(l->frame->arena);
  int status = BASE_OK;
  if (n < 0) {
    return base_fail(BASE_E_IO, "%s: cannot read the folder", folder);
  }
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    if (read_record(l, paths[i], 0) != BASE_OK) {
      frame_leave_out(l->frame->arena, &l->n_damaged);
    }
    if (l->take != NULL && l->frame->n_rows == BLOCK) {
      status = hand_over(l, mark);
    }
  }
  if (status != BASE_OK) {
    return status;
  }
  if (l->frame->n_rows + l->n_taken == before) {
    return base_fail(BASE_E_INPUT, "%s: holds no records (files *.json of schema %s, or solutions)",
                     folder, BENCH_RESULT_SCHEMA);
  }
  return BASE_OK;
}

/* Is it one of a frame's own, a field of records, or all of a field's entries? */
static int is_field(const char *name) {
  char field[128];
  const char *all = strstr(name, ".*");
  const size_t length = all != NULL ? (size_t)(all - name) : strlen(name);
  snprintf(field, sizeof field, "%.*s", (int)length, name);
  return strcmp(name, RECORD) == 0 || strcmp(name, USABLE) == 0 ||
         (bench_field_find(field) != NULL && (all != NULL || !has_fields(name)));
}

int frame_refuse_unknown(const struct frame *f, const char *is_known) {
  const char *paths[512];
  int n = 0;
  for (int i = 0; i < bench_fields_count && n < (int)(sizeof paths / sizeof *paths); ++i) {
    if (!bench_field_is_object(&bench_fields[i])) {
      paths[n++] = bench_fields[i].key.name;
    }
  }
  for (int i = 0; i < f->n_columns; ++i) {
    const char *name = f->columns[i].name, *by = f->columns[i].by;
    if (is_known[i] || is_field(name)) {
      continue;
    }
    return has_fields(name)
               ? base_fail(BASE_E_INPUT, "%s: '%s' is a block of records, not a value", by, name)
               : base_fail(BASE_E_INPUT,
                           "%s: unknown column '%s': no field of records, and in none of these%s",
                           by, name, frame_hint(name, n, paths));
  }
  return BASE_OK;
}

int frame_want(struct frame *f, const char *path, const char *by) {
  const struct bench_field *field = bench_field_find(path);
  const int column =
      frame_add(f, path, field != NULL && strcmp(field->key.unit, "-") != 0 ? field->key.unit : "");
  f->columns[column].by = f->columns[column].by != NULL ? f->columns[column].by : by;
  return column;
}

int frame_load_blocks(struct frame *f, int n_sources, const char *const *sources, frame_take *take,
                      void *data, int *damaged) {
  struct loading l = {.frame = f,
                      .is_known = base_arena_array(f->arena, (size_t)f->n_columns + 1, 1, 1),
                      .take = take,
                      .data = data};
  int status = BASE_OK;
  for (int i = 0; i < n_sources && status == BASE_OK; ++i) {
    struct stat info;
    if (stat(sources[i], &info) != 0) {
      return base_fail(BASE_E_IO, "%s: no such file or folder", sources[i]);
    }
    const int is_folder = S_ISDIR(info.st_mode);
    if (take != NULL) { /* room for them, which marks that follow do not take away */
      frame_reserve(f, is_folder ? BLOCK : 1);
    }
    const struct base_arena_mark mark = base_arena_mark(f->arena);
    status = is_folder ? read_folder(&l, sources[i]) : read_record(&l, sources[i], 1);
    if (status == BASE_OK && take != NULL) {
      status = hand_over(&l, mark);
    }
  }
  *damaged = l.n_damaged;
  return status != BASE_OK ? status : frame_refuse_unknown(f, l.is_known);
}

int frame_load(struct frame *f, int n_sources, const char *const *sources, int *damaged) {
  return frame_load_blocks(f, n_sources, sources, NULL, NULL, damaged);
}
