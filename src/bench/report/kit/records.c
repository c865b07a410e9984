/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a folder, read one after the other into rows of a frame.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/job/key.h"
#include "bench/record/record.h"
#include "bench/report/kit/columns.h"

static int form_index(const char *name) {
  for (int i = 0; i < form_count(); ++i) {
    if (strcmp(form_get(i)->name, name) == 0) {
      return i;
    }
  }
  return -1;
}

const cJSON *report_json(struct report *report, const struct report_record *r) {
  struct base_arena *arena = report->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  cJSON *json = base_json_read_regular(base_arena_printf(arena, "%s/%s", report->folder, r->file));
  base_arena_release(arena, mark);
  cJSON_AddItemToArray(report->kept, json);
  return json;
}

/* What a record is called, and where it belongs. */
static int note_record(struct report *report, const char *file, const cJSON *json,
                       struct report_record *r) {
  struct base_arena *arena = report->arena;
  const char *id = base_json_text_at(json, "cell.id");
  *r = (struct report_record){.report = report,
                              .file = base_arena_copy(arena, file),
                              .case_name =
                                  base_arena_copy(arena, base_json_text_at(json, "case.name")),
                              .form = form_index(base_json_text_at(json, "formulation.name")),
                              .is_of_figure = base_json_text_at(json, "cell.figure")[0] != '\0',
                              .expected = "no suite says"};
  r->name = id[0] == '\0' /* of a run by hand */
                ? base_arena_printf(arena, "%.*s", (int)(strlen(file) - 5), file)
                : base_name_clean(id, arena);
  return base_status_parse(base_json_text_at(json, "status"), &r->status);
}

/* One file into the next free record; passed over with a warning when of another schema. */
static int load_one(struct report *report, const char *file) {
  struct base_arena *arena = report->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const char *path = base_arena_printf(arena, "%s/%s", report->folder, file);
  cJSON *json = base_json_read_regular(path);
  if (json == NULL) {
    return BASE_E_INPUT;
  }
  const char *schema = base_json_text_at(json, "schema");
  if (schema[0] != '\0' && strcmp(schema, BENCH_RESULT_SCHEMA) != 0) {
    fprintf(stderr, "%s: passed over: its schema is %s\n", base_text_clean(path, arena),
            base_text_clean(schema, arena));
    cJSON_Delete(json);
    return BASE_OK;
  }
  int status = bench_record_check(json, path);
  status = status != BASE_OK ? status : bench_key_check(json, path);
  base_arena_release(arena, mark);
  if (status == BASE_OK) {
    struct report_record *r = &report->records[report->n_records++];
    status = note_record(report, file, json, r);
    report_row_add(report, json, r);
  }
  cJSON_Delete(json);
  return status;
}

const struct report_record *report_find(const struct report *report, const char *name) {
  int lo = 0, hi = report->n_records; /* the first that is not before the name */
  while (lo < hi) {
    const int middle = lo + (hi - lo) / 2;
    if (strcmp(report->records[middle].name, name) < 0) {
      lo = middle + 1;
    } else {
      hi = middle;
    }
  }
  return lo < report->n_records && strcmp(report->records[lo].name, name) == 0
             ? &report->records[lo]
             : NULL;
}

/* Where a case stands in the registry. */
int report_case_place(const struct report_record *r) {
  int i = 0;
  while (i < case_count() && strcmp(case_get(i)->name, r->case_name) != 0) {
    ++i;
  }
  return i;
}

static int by_name(const void *a, const void *b) {
  const struct report_record *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order != 0 ? order : strcmp(x->file, y->file);
}

int report_load(struct report *report) {
  struct dirent **files = NULL;
  if (report_sources(report) == NULL) {
    return BASE_E_INPUT;
  }
  const int n = scandir(report->folder, &files, base_json_is_name, alphasort);
  if (n < 0) {
    return base_fail(BASE_E_IO, "%s: cannot read the folder", report->folder);
  }
  report->records = base_arena_push(report->arena, (size_t)n * sizeof *report->records);
  report->kept = cJSON_CreateArray();
  for (int i = 0; i < n; ++i) {
    if (strcmp(files[i]->d_name, BENCH_SUITE_KEPT) != 0 &&
        load_one(report, files[i]->d_name) != BASE_OK) {
      frame_leave_out(report->arena, &report->n_damaged);
    }
    free(files[i]);
  }
  free(files);
  const int has_solutions =
      access(base_arena_printf(report->arena, "%s/solve", report->folder), R_OK) == 0;
  const int has_figures = report->suite != NULL && report->suite->n_figures > 0; /* kept records */
  if (report->n_records == 0 && !has_solutions && !has_figures) {
    return base_fail(BASE_E_INPUT, "%s: holds no records (files *.json of schema %s)",
                     report->folder, BENCH_RESULT_SCHEMA);
  }
  qsort(report->records, (size_t)report->n_records, sizeof *report->records, by_name);
  for (int i = 0; i < report->n_records; ++i) {
    report->n_of_figures += report->records[i].is_of_figure;
  }
  return report_find_motions(report);
}

void report_free(struct report *report) {
  cJSON_Delete(report->figures);
  cJSON_Delete(report->kept);
  cJSON_Delete(report->studies);
}
