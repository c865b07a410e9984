/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a folder, loaded and sorted into rows: the runs of one case with the same
 * parameters and horizon, and of one solver and label in their suite. Rows that differ in parameters
 * alone show the differences in their titles. Searches have rows of their own.
 */
#include <dirent.h>
#include <math.h>
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
#include "bench/report/kit/report.h"

static int form_index(const char *name) {
  for (int i = 0; i < form_count(); ++i) {
    if (strcmp(form_get(i)->name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* What the suite says of a cell beside its solver, "heavy mu-0.3"; "" where it says nothing. */
static const char *label_of(struct base_arena *arena, const cJSON *record) {
  const char *label = base_text_clean(base_json_text_at(record, "cell.label"), arena);
  const cJSON *at;
  cJSON_ArrayForEach(at, base_json_at(record, "cell.swept")) {
    label = base_arena_printf(arena, "%s%s%s-%s", label, label[0] != '\0' ? " " : "",
                              base_name_clean(at->string, arena),
                              base_name_clean(cJSON_GetStringValue(at), arena));
  }
  return label;
}

const char *report_words(const struct report_record *r, struct base_arena *arena) {
  const int both = r->solver[0] != '\0' && r->label[0] != '\0';
  return base_arena_printf(arena, "%s%s%s", r->solver, both ? " " : "", r->label);
}

int report_is_of_figure(const struct report_record *r) { return r->figure[0] != '\0'; }

int report_is_of(const struct report_record *r, const char *study) {
  return strcmp(r->study, study) == 0;
}

/* A search for the largest step, of a suite's own. */
static int is_of_steps(const cJSON *record) {
  return strcmp(base_json_text_at(record, "search.parameter"), "dt") == 0 &&
         base_json_text_at(record, "cell.figure")[0] == '\0';
}

/* What is a study's by its kind, or by its suite. */
static const char *study_of(const cJSON *record) {
  return is_of_steps(record)                        ? "largest-step"
         : base_json_at(record, "ensemble") != NULL ? "overview"
                                                    : base_json_text_at(record, "cell.study");
}

void report_leave_out(struct report *report) {
  fprintf(stderr, "%s: left out\n", base_text_clean(base_message(), report->arena));
  ++report->n_damaged;
}

/* One file into the next free record; passed over with a warning when of another schema. */
static int load_one(struct report *report, const char *file) {
  const char *path = base_arena_printf(report->arena, "%s/%s", report->folder, file);
  cJSON *json = base_json_read_regular(path);
  if (json == NULL) {
    return BASE_E_INPUT;
  }
  const char *schema = base_json_text_at(json, "schema");
  if (schema[0] != '\0' && strcmp(schema, BENCH_RESULT_SCHEMA) != 0) {
    fprintf(stderr, "%s: passed over: its schema is %s\n", base_text_clean(path, report->arena),
            base_text_clean(schema, report->arena));
    cJSON_Delete(json);
    return BASE_OK;
  }
  int status = bench_record_check(json, path);
  status = status != BASE_OK ? status : bench_key_check(json, path);
  if (status != BASE_OK) {
    cJSON_Delete(json);
    return status;
  }
  struct report_record *r = &report->records[report->n_records++];
  struct base_arena *arena = report->arena;
  const char *id = base_json_text_at(json, "cell.id");
  *r = (struct report_record){
      .file = base_arena_copy(arena, file),
      .name = base_name_clean(id, arena),
      .case_name = base_json_text_at(json, "case.name"),
      .form = form_index(base_json_text_at(json, "formulation.name")),
      .dt = base_json_real_at(json, "dt"),
      .figure = base_text_clean(base_json_text_at(json, "cell.figure"), arena),
      .solver = base_text_clean(base_json_text_at(json, "cell.solver"), arena),
      .label = label_of(arena, json),
      .study = study_of(json),
      .json = json};
  if (id[0] == '\0') { /* of a run by hand */
    r->name = base_arena_printf(arena, "%.*s", (int)(strlen(file) - 5), file);
  }
  return base_status_parse(base_json_text_at(json, "status"), &r->status);
}

double report_time_quartile(const struct report_record *r, int upper) {
  return base_json_real_at(r->json,
                           upper ? "timing.repeats.quartile_3_s" : "timing.repeats.quartile_1_s");
}

/* Of equal runs of many suites on a machine with several jobs a core 99 of 100 pairs of processor
 * times agree within twice this: caches that others have emptied, pages that are new. */
static const double NOISE_SHARE = 0.075, NOISE_TIME = 5e-5; /* [-], [s] */

double report_time_bound(const struct report_record *r, int upper) {
  const double quartile = report_time_quartile(r, upper);
  const double time = base_json_real_at(r->json, "timing.steps_s");
  return isfinite(quartile) ? quartile
         : upper            ? time * (1 + NOISE_SHARE) + NOISE_TIME
                            : (time - NOISE_TIME) / (1 + NOISE_SHARE);
}

const struct report_record *report_find(const struct report *report, const char *name) {
  for (int i = 0; i < report->n_records; ++i) {
    if (strcmp(report->records[i].name, name) == 0) {
      return &report->records[i];
    }
  }
  return NULL;
}

const char *report_key(const struct report_record *r, const char *const *paths,
                       struct base_arena *arena) {
  const char *key = r->case_name;
  for (; *paths != NULL; ++paths) {
    char *value = cJSON_PrintUnformatted(base_json_at(r->json, *paths));
    key = base_arena_printf(arena, "%s\n%s", key, value != NULL ? value : "");
    cJSON_free(value);
  }
  return key;
}

int report_number(const char *text, int *n, const char **seen) {
  int k = 0;
  while (k < *n && strcmp(seen[k], text) != 0) {
    ++k;
  }
  seen[k] = text;
  *n += k == *n;
  return k;
}

const char *report_motion(const struct report_record *r, struct base_arena *arena) {
  static const char *const paths[] = {"t_end", "case.parameters", NULL};
  return base_arena_printf(arena, "%s\n%s", report_key(r, paths, arena), r->label);
}

/* Earlier formulations first, then longer steps; names decide between equals. */
static int compare_records(const void *a, const void *b) {
  const struct report_record *x = *(const struct report_record *const *)a;
  const struct report_record *y = *(const struct report_record *const *)b;
  if (x->form != y->form) {
    return x->form < y->form ? -1 : 1;
  }
  if (x->dt != y->dt) {
    return x->dt > y->dt ? -1 : 1;
  }
  return strcmp(x->name, y->name);
}

static int case_place(const char *name) {
  int i = 0;
  while (i < case_count() && strcmp(case_get(i)->name, name) != 0) {
    ++i;
  }
  return i;
}

/* Cases as in the registry; within a case as the records' names fall. */
static int compare_rows(const void *a, const void *b) {
  const struct report_row *x = a, *y = b;
  const int place = case_place(x->case_name) - case_place(y->case_name);
  return place != 0 ? place : strcmp(x->id, y->id);
}

/* Append what distinguishes a row from an earlier one with the same case and label. */
static const char *differences(struct base_arena *arena, const struct report_row *row,
                               const struct report_row *other, const char *title) {
  const cJSON *item, *theirs = base_json_at(other->records[0]->json, "case.parameters");
  cJSON_ArrayForEach(item, base_json_at(row->records[0]->json, "case.parameters")) {
    if (base_json_same(item, cJSON_GetObjectItemCaseSensitive(theirs, item->string))) {
      continue;
    }
    const char *key = base_text_clean(item->string, arena);
    if (cJSON_IsObject(item) || cJSON_IsArray(item)) { /* of scenes: too long to be shown */
      title = base_arena_printf(arena, "%s, other %s", title, key);
      continue;
    }
    char number[BASE_JSON_NUMBER_SIZE];
    title = base_arena_printf(arena, "%s, %s = %s", title, key,
                              cJSON_IsString(item) ? base_text_clean(item->valuestring, arena)
                                                   : base_json_number(item->valuedouble, number));
  }
  if (row->t_end != other->t_end) {
    title = base_arena_printf(arena, "%s, t_end = %g s", title, row->t_end);
  }
  return title;
}

static int is_taken(const char *name, int of_files, int n, const struct report_row *rows) {
  for (int i = 0; i < n; ++i) {
    if (strcmp(of_files ? rows[i].id : rows[i].title, name) == 0) {
      return 1;
    }
  }
  return 0;
}

/* Title and id of row i, of no earlier row: those that differ in what is not shown, or behind the
 * end, get a number. */
static void name_row(struct base_arena *arena, const char *title, int i, struct report_row *rows) {
  enum { TITLE_MAX = 160 }; /* bytes; the name of a file may have 255 */
  title = base_text_cut(title, TITLE_MAX, arena);
  const char *id = base_name_clean(title, arena);
  rows[i].title = title;
  rows[i].id = id;
  for (int number = 2; is_taken(rows[i].title, 0, i, rows); ++number) {
    rows[i].title = base_arena_printf(arena, "%s (%d)", title, number);
  }
  for (int number = 2; is_taken(rows[i].id, 1, i, rows); ++number) {
    rows[i].id = base_arena_printf(arena, "%s.%d", id, number);
  }
}

static void name_rows(struct base_arena *arena, int n, struct report_row *rows) {
  for (int i = 0; i < n; ++i) {
    const struct report_record *r = rows[i].records[0];
    const char *words = report_words(r, arena);
    const char *title =
        words[0] != '\0' ? base_arena_printf(arena, "%s, %s", r->case_name, words) : r->case_name;
    for (int j = 0; j < i; ++j) {
      const struct report_record *other = rows[j].records[0];
      if (strcmp(other->case_name, r->case_name) == 0 && strcmp(other->label, r->label) == 0 &&
          strcmp(other->solver, r->solver) == 0) {
        title = differences(arena, &rows[i], &rows[j], title);
        break;
      }
    }
    name_row(arena, title, i, rows);
  }
}

/* Sort the records that `belongs` picks into rows; returns their number. */
static int make_rows(struct report *report,
                     int (*belongs)(const struct report *, const struct report_record *),
                     struct report_row **made) {
  struct base_arena *arena = report->arena;
  struct report_row *rows = base_arena_array(arena, (size_t)report->n_records + 1, 1, sizeof *rows);
  const char **keys = base_arena_push(arena, ((size_t)report->n_records + 1) * sizeof *keys);
  int n = 0;
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    if (r->form < 0 || !belongs(report, r)) {
      continue;
    }
    struct report_row *row = &rows[report_number(
        base_arena_printf(arena, "%s\n%s", report_motion(r, arena), r->solver), &n, keys)];
    if (row->n == 0) {
      *row = (struct report_row){.case_name = r->case_name,
                                 .t_end = base_json_real_at(r->json, "t_end")};
      row->records = base_arena_push(arena, (size_t)report->n_records * sizeof(void *));
    }
    row->records[row->n++] = r;
  }
  name_rows(arena, n, rows);
  for (int k = 0; k < n; ++k) {
    qsort(rows[k].records, (size_t)rows[k].n, sizeof(void *), compare_records);
  }
  if (n > 0) {
    qsort(rows, (size_t)n, sizeof *rows, compare_rows);
  }
  *made = rows;
  return n;
}

static int is_search(const struct report *report, const struct report_record *r) {
  (void)report;
  return report_is_of(r, "largest-step");
}

/* Is it made for no other study? Figures' runs stand in for others only where there are none and no
 * suite says what is wanted. */
static int is_made_for(const struct report *report, const struct report_record *r,
                       const char *study) {
  int others = 0;
  for (int i = 0; i < report->n_records && report_is_of_figure(r); ++i) {
    others += !report_is_of_figure(&report->records[i]);
  }
  return (report_is_of(r, "") || report_is_of(r, study)) &&
         !(report_is_of_figure(r) && (others > 0 || report->suite != NULL));
}

static int is_compared(const struct report *report, const struct report_record *r) {
  return is_made_for(report, r, "overview");
}

static int is_plain(const struct report *report, const struct report_record *r) {
  return is_made_for(report, r, "");
}

static int by_name(const void *a, const void *b) {
  const struct report_record *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order != 0 ? order : strcmp(x->file, y->file);
}

int report_load(struct report *report) {
  struct dirent **files = NULL;
  const int n = scandir(report->folder, &files, base_json_is_name, alphasort);
  if (n < 0) {
    return base_fail(BASE_E_IO, "%s: cannot read the folder", report->folder);
  }
  report->records = base_arena_push(report->arena, (size_t)n * sizeof *report->records);
  for (int i = 0; i < n; ++i) {
    if (strcmp(files[i]->d_name, BENCH_SUITE_KEPT) != 0 &&
        load_one(report, files[i]->d_name) != BASE_OK) {
      report_leave_out(report);
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
  report->n_rows = make_rows(report, is_plain, &report->rows);
  report->n_compared = make_rows(report, is_compared, &report->compared);
  report->n_searches = make_rows(report, is_search, &report->searches);
  return BASE_OK;
}

void report_free(struct report *report) {
  for (int i = 0; i < report->n_records; ++i) {
    cJSON_Delete((cJSON *)report->records[i].json);
  }
  cJSON_Delete(report->figures);
  cJSON_Delete(report->kept);
  cJSON_Delete(report->studies);
  cJSON_Delete(report->slopes);
}

const struct report_record *report_search_of(const struct report_row *row, int form) {
  for (int i = 0; i < row->n; ++i) {
    if (row->records[i]->form == form) {
      return row->records[i];
    }
  }
  return NULL;
}

double report_energy_scale(const cJSON *record) {
  /* The first two depend on where the potential is zero, and may be nothing but drift. */
  static const char *const parts[] = {"energy.initial", "energy.final", "energy.budget.friction",
                                      "energy.budget.impact", "energy.max_kinetic"};
  double scale = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    const double x = fabs(base_json_real_at(record, parts[i]));
    scale = x > scale ? x : scale;
  }
  return scale;
}

double report_relative_drift(const cJSON *record) {
  const double scale = report_energy_scale(record);
  return scale > 0 ? base_json_real_at(record, "energy.max_numerical_drift") / scale : NAN;
}
