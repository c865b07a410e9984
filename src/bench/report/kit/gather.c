/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All tables of records of a report, filled in one walk over them; see study.h.
 */
#include <string.h>

#include "base/status.h"
#include "bench/report/kit/columns.h"
#include "bench/report/kit/study.h"

static struct report_filling *find(const struct report *report, const cJSON *table) {
  struct report_filling *x = report->gathered;
  while (x != NULL && (x->f == NULL || x->table != table)) {
    x = x->next;
  }
  return x;
}

int report_is_gathered(const struct report *report, const cJSON *table) {
  return find(report, table) != NULL;
}

/* Begin to fill a frame that has its columns. */
static void add(struct report *report, const cJSON *table, struct frame *f) {
  struct report_filling *x = base_arena_push(report->arena, sizeof *x);
  report_filling_begin(x, table, f);
  x->next = report->gathered;
  report->gathered = x;
}

static void add_tables(struct report *report, const cJSON *file, const char *path);

/* "STUDY.TABLE": those of that study. */
static void add_study_of(struct report *report, const char *from) {
  const char *id = base_arena_printf(report->arena, "%.*s", (int)strcspn(from, "."), from);
  const struct bench_figure *study = bench_figure_find(id, NULL);
  if (study != NULL) {
    add_tables(report, study->json, study->path);
  }
}

static void add_tables(struct report *report, const cJSON *file, const char *path) {
  const cJSON *table;
  cJSON_ArrayForEach(table, cJSON_GetObjectItemCaseSensitive(file, "tables")) {
    const char *from = figure_study_from(table);
    if (strchr(from, '.') != NULL) {
      add_study_of(report, from);
    } else if (strcmp(from, "records") == 0 && cJSON_HasObjectItem(table, "columns") &&
               find(report, table) == NULL) {
      const char *place = base_arena_printf(report->arena, "%s: tables.%s", path, table->string);
      add(report, table, figure_study_columns(table, place, base_arena_child(report->arena)));
    }
  }
}

/* The motions of the records, by the file of sources, whose table of records has been filled. */
static int find_motions(struct report *report, const cJSON *json) {
  const struct bench_figure file = {.id = "sources", .path = REPORT_SOURCES, .json = json};
  const struct figure figure = {.file = &file};
  struct base_arena *scratch = base_arena_child(report->arena);
  struct figure_study made;
  const int status = figure_study_load(&figure, report_source, report, scratch, &made);
  report->motions =
      status == BASE_OK ? frame_copy(figure_study_table(&made, "motions"), report->arena) : NULL;
  base_arena_empty(scratch);
  return status;
}

int report_gather(struct report *report, const cJSON *page) {
  int n;
  const struct bench_figure **studies = report_studies_asked(report, &n);
  cJSON *sources = report_data_read(REPORT_SOURCES, report->arena);
  if (studies == NULL || sources == NULL || report_columns_load(report) != BASE_OK) {
    cJSON_Delete(sources);
    return BASE_E_INPUT;
  }
  for (int i = 0; i < n && page != NULL; ++i) {
    add_tables(report, studies[i]->json, studies[i]->path);
  }
  if (report->width_mm == 0) { /* in print there is no page */
    add_tables(report, page, "scripts/plot/page.json");
  }
  add_tables(report, sources, REPORT_SOURCES);
  for (int i = 0; i < report->n_records; ++i) {
    for (struct report_filling *x = report->gathered; x != NULL; x = x->next) {
      report_append(report, &report->records[i], x);
    }
  }
  const int status = find_motions(report, sources);
  cJSON_Delete(sources);
  report_forget(report);
  return status;
}

int report_take_gathered(struct report *report, const cJSON *table, struct frame *f) {
  struct report_filling *x = find(report, table);
  const int status = report_filling_end(report, x);
  if (status == BASE_OK) {
    *f = *frame_copy(x->f, f->arena);
  }
  base_arena_empty(x->f->arena);
  x->f = NULL;
  return status;
}
