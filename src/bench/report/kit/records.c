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
#include "base/threads.h"
#include "bench/record/record.h"
#include "bench/report/kit/columns.h"

enum { READ_AT_A_TIME = 64 };

static int form_index(const char *name) {
  for (int i = 0; i < form_count(); ++i) {
    if (strcmp(form_get(i)->name, name) == 0) {
      return i;
    }
  }
  return -1;
}

const char *report_path(const struct report *report, const struct report_record *r) {
  return base_arena_printf(report->arena, "%s/%s", report->folder, r->file);
}

static int is_record(const cJSON *json) {
  return strcmp(base_json_text_at(json, "schema"), BENCH_RESULT_SCHEMA) == 0;
}

/* By a thread, whose message is its own. */
static void read_one(void *data, int k) {
  struct report_reading *r = &((struct report_reading *)data)[k];
  int status = BASE_E_INPUT;
  r->json = base_json_read_regular(r->path);
  if (r->json != NULL) {
    status = r->is_checked && is_record(r->json) ? frame_check(r->json, r->path) : BASE_OK;
  }
  r->why = status != BASE_OK ? strdup(base_message()) : NULL;
  if (status != BASE_OK) {
    cJSON_Delete(r->json);
    r->json = NULL;
  }
}

void report_read(struct report *report, int n, struct report_reading *readings) {
  base_threads_each(base_threads_processors(), n, read_one, readings);
  for (int i = 0; i < n; ++i) {
    if (readings[i].json == NULL) {
      char *why = (char *)readings[i].why;
      readings[i].why = base_arena_copy(report->arena, why != NULL ? why : "");
      free(why);
    }
  }
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
static int load_one(struct report *report, const char *file, const struct report_reading *reading) {
  struct base_arena *arena = report->arena;
  const char *schema = base_json_text_at(reading->json, "schema");
  if (reading->json == NULL) {
    return base_fail(BASE_E_INPUT, "%s", reading->why);
  }
  if (schema[0] != '\0' && !is_record(reading->json)) {
    fprintf(stderr, "%s: passed over: its schema is %s\n", base_text_clean(reading->path, arena),
            base_text_clean(schema, arena));
    return BASE_OK;
  }
  struct report_record *r = &report->records[report->n_records++];
  const int status = note_record(report, file, reading->json, r);
  report_row_add(report, reading->json, r);
  return status;
}

/* Some files side by side, then into records one after the other. */
static void load_some(struct report *report, int n, struct dirent *const *files) {
  struct report_reading readings[READ_AT_A_TIME];
  for (int i = 0; i < n; ++i) {
    readings[i] = (struct report_reading){
        .path = base_arena_printf(report->arena, "%s/%s", report->folder, files[i]->d_name),
        .is_checked = 1};
  }
  report_read(report, n, readings);
  for (int i = 0; i < n; ++i) {
    if (load_one(report, files[i]->d_name, &readings[i]) != BASE_OK) {
      frame_leave_out(report->arena, &report->n_damaged);
    }
    cJSON_Delete(readings[i].json);
  }
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

static int is_of_record(const struct dirent *entry) {
  return base_json_is_name(entry) && strcmp(entry->d_name, BENCH_SUITE_KEPT) != 0;
}

int report_load(struct report *report) {
  struct dirent **files = NULL;
  if (report_sources(report) == NULL) {
    return BASE_E_INPUT;
  }
  const int n = scandir(report->folder, &files, is_of_record, alphasort);
  if (n < 0) {
    return base_fail(BASE_E_IO, "%s: cannot read the folder", report->folder);
  }
  report->records = base_arena_push(report->arena, (size_t)n * sizeof *report->records);
  for (int i = 0; i < n; i += READ_AT_A_TIME) {
    load_some(report, n - i < READ_AT_A_TIME ? n - i : READ_AT_A_TIME, files + i);
  }
  for (int i = 0; i < n; ++i) {
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
  cJSON_Delete(report->studies);
}
