/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a folder, loaded and sorted into rows: the runs of one case with the same
 * parameters and horizon, and of one solver and label in their suite. Rows that differ in
 * parameters alone show the differences in their titles. Searches have rows of their own.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/job/key.h"
#include "bench/record/record.h"
#include "bench/report/kit/study.h"

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

void report_leave_out(const struct report *report, int *n_damaged) {
  fprintf(stderr, "%s: left out\n", base_text_clean(base_message(), report->arena));
  ++*n_damaged;
}

/* Records stay in memory up to so many bytes of their files (which take four to six times as much
 * there), and those of figures; of others PASSING for the moment: they are read again, and checked
 * no more. */
enum { KEPT_BYTES = 48 << 20, PASSING = 16 };
struct report_passing {
  const struct report_record *of[PASSING];
  cJSON *json[PASSING];
  int next;
};

static int keep(struct report_record *r, cJSON *json) {
  if (r->report->kept_bytes >= KEPT_BYTES && !report_is_of_figure(r)) {
    return 0;
  }
  r->kept = json;
  r->report->kept_bytes += r->size;
  return 1;
}

/* The tables of all records are filled: room for those that are compared. */
static void forget(struct report *report) {
  for (int i = 0; i < report->n_records; ++i) {
    struct report_record *r = &report->records[i];
    if (r->kept != NULL && !report_is_of_figure(r)) {
      cJSON_Delete(r->kept);
      r->kept = NULL;
      report->kept_bytes -= r->size;
    }
  }
}

const cJSON *report_json(const struct report_record *record) {
  if (record->kept != NULL) {
    return record->kept;
  }
  struct report *report = record->report;
  struct report_record *r = &report->records[record - report->records];
  struct report_passing *passing = report->passing;
  for (int i = 0; i < PASSING; ++i) {
    if (passing->of[i] == r) {
      return passing->json[i];
    }
  }
  struct base_arena *arena = report->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  cJSON *json = base_json_read_regular(base_arena_printf(arena, "%s/%s", report->folder, r->file));
  base_arena_release(arena, mark);
  if (json != NULL && !keep(r, json)) {
    const int i = passing->next;
    cJSON_Delete(passing->json[i]);
    passing->of[i] = r;
    passing->json[i] = json;
    passing->next = (i + 1) % PASSING;
  }
  return json; /* NULL, as a record without any value, if it has gone meanwhile */
}

/* A text that stands in memory once for all records that follow each other and have it. */
static const char *shared(struct base_arena *arena, const char *before, const char *text) {
  return before != NULL && strcmp(before, text) == 0 ? before : base_arena_copy(arena, text);
}

/* What a record is called, and where it belongs. before: the last one; NULL: there is none. */
static int note_record(struct report *report, const char *file, const cJSON *json,
                       const struct report_record *before, struct report_record *r) {
  struct base_arena *arena = report->arena;
  const struct report_record none = {0};
  const char *id = base_json_text_at(json, "cell.id");
  before = before != NULL ? before : &none;
  *r = (struct report_record){
      .report = report,
      .file = base_arena_copy(arena, file),
      .case_name = shared(arena, before->case_name, base_json_text_at(json, "case.name")),
      .form = form_index(base_json_text_at(json, "formulation.name")),
      .dt = base_json_real_at(json, "dt"),
      .study = shared(arena, before->study, study_of(json)),
      .expected = "no suite says"};
  r->name = id[0] == '\0' /* of a run by hand */
                ? base_arena_printf(arena, "%.*s", (int)(strlen(file) - 5), file)
                : base_name_clean(id, arena);
  struct base_arena *scratch = report->scratch;
  const struct base_arena_mark mark = base_arena_mark(scratch);
  r->figure = shared(arena, before->figure,
                     base_text_clean(base_json_text_at(json, "cell.figure"), scratch));
  r->solver = shared(arena, before->solver,
                     base_text_clean(base_json_text_at(json, "cell.solver"), scratch));
  r->label = shared(arena, before->label, label_of(scratch, json));
  base_arena_release(scratch, mark);
  return base_status_parse(base_json_text_at(json, "status"), &r->status);
}

/* One file into the next free record; passed over with a warning when of another schema. */
static int load_one(struct report *report, const char *file) {
  struct base_arena *arena = report->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const char *path = base_arena_printf(arena, "%s/%s", report->folder, file);
  struct stat info;
  const long size = stat(path, &info) == 0 ? (long)info.st_size : 0;
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
    status = note_record(report, file, json, report->n_records > 1 ? r - 1 : NULL, r);
    r->size = size;
    if (keep(r, json)) {
      return status;
    }
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

/* Rows are runs of one problem; they are called after the case, what the suite calls it, and what
 * tells it from others that are called so, or, where that is not shown, a number. Cases stand as in
 * the registry. */
#define BY_PROBLEM                                                                                 \
  "{\"calculate\": \"concat(case.name, cell.solver != '' || label != '' ? ', ' : '', cell.solver," \
  "  cell.solver != '' && label != '' ? ' ' : '', label)\", \"as\": \"name\"},"                    \
  "{\"distinguish\": [\"case.parameters\", \"t_end\"], \"groupby\": [\"name\"], \"as\": "          \
  "\"told\"},"                                                                                     \
  "{\"calculate\": \"concat(name, told != '' ? ', ' : '', told)\", \"as\": \"title\"},"            \
  "{\"window\": [{\"op\": \"dense_rank\", \"as\": \"nth\"}], \"groupby\": [\"title\"], \"sort\":"  \
  "  [\"label\", \"cell.solver\", \"case.parameters\", \"t_end\"]},"                               \
  "{\"calculate\": \"nth > 1 ? concat(title, ' (', nth, ')') : title\", \"as\": \"title\"},"       \
  "{\"window\": [{\"op\": \"dense_rank\", \"as\": \"row\"}], \"sort\":"                            \
  "  [\"case_place\", \"title\", \"label\", \"cell.solver\", \"case.parameters\", \"t_end\"]},"    \
  "{\"sort\": [\"row\", \"form\", \"-dt\", \"record\"]}]"
static const char by_problem[] = "[" BY_PROBLEM;
static const char whatever_the_solver[] =
    "[{\"calculate\": \"nan\", \"as\": \"cell.solver\"}," BY_PROBLEM;

/* Rows that are compared: more are no picture, and no table that anybody reads. */
enum { ROWS_MAX = 1000 };

/* Of too many rows some, evenly spread over their order; their number. */
static int thin_out(struct report *report, int n, struct report_row *rows) {
  if (n <= ROWS_MAX) {
    return n;
  }
  for (int i = 0; i < ROWS_MAX; ++i) {
    rows[i] = rows[(long)i * n / ROWS_MAX];
  }
  report->n_motions = n > report->n_motions ? n : report->n_motions;
  return ROWS_MAX;
}

static const char *const row_paths[] = {
    "case.name",  "case.parameters", "t_end",  "dt",    "form",
    "case_place", "cell.solver",     "record", "label", "place"};

void report_rows_want(struct frame *f) {
  for (size_t i = 0; i < sizeof row_paths / sizeof *row_paths; ++i) {
    frame_want(f, row_paths[i], "report");
  }
}

/* Sort the records that `belongs` picks into rows; returns their number, or -1 with a message. all:
 * of every record the columns above. */
static int make_rows(struct report *report, const struct frame *all,
                     int (*belongs)(const struct report *, const struct report_record *),
                     const char *query, struct report_row **made) {
  struct base_arena *arena = report->arena, *scratch = base_arena_child(arena);
  struct frame *f = frame_new(scratch);
  report_rows_want(f);
  for (long i = 0; i < all->n_rows; ++i) {
    const struct report_record *r = &report->records[(int)report_real(all, i, "place")];
    if (r->form >= 0 && belongs(report, r)) {
      frame_push_copy(f, all, i);
    }
  }
  f = report_query(f, query);
  if (f == NULL) {
    return -1;
  }
  struct report_row *rows = base_arena_array(arena, (size_t)f->n_rows + 1, 1, sizeof *rows);
  const struct report_record **records =
      base_arena_push(arena, ((size_t)f->n_rows + 1) * sizeof(void *));
  int n = 0;
  for (long at = 0; at < f->n_rows; ++at) {
    const int k = (int)report_real(f, at, "row") - 1;
    records[at] = &report->records[(int)report_real(f, at, "place")];
    if (k == n) {
      const char *title = frame_text(f, at, frame_find(f, "title"));
      rows[n++] =
          (struct report_row){.title = base_text_clean(title, arena), .records = records + at};
    }
    ++rows[k].n;
  }
  *made = rows;
  base_arena_empty(scratch);
  return thin_out(report, n, rows);
}

static int is_search(const struct report *report, const struct report_record *r) {
  (void)report;
  return report_is_of(r, "largest-step");
}

/* Is it made for no other study? Figures' runs stand in for others only where there are none and no
 * suite says what is wanted. */
static int is_made_for(const struct report *report, const struct report_record *r,
                       const char *study) {
  return (report_is_of(r, "") || report_is_of(r, study)) &&
         !(report_is_of_figure(r) &&
           (report->n_of_figures < report->n_records || report->suite != NULL));
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
  report->passing = base_arena_push(report->arena, sizeof *report->passing);
  report->scratch = base_arena_child(report->arena);
  for (int i = 0; i < n; ++i) {
    if (strcmp(files[i]->d_name, BENCH_SUITE_KEPT) != 0 &&
        load_one(report, files[i]->d_name) != BASE_OK) {
      report_leave_out(report, &report->n_damaged);
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
    report->n_of_figures += report_is_of_figure(&report->records[i]);
  }
  return BASE_OK;
}

int report_sort_rows(struct report *report, const struct frame *all) {
  report->n_rows = make_rows(report, all, is_plain, by_problem, &report->rows);
  report->n_compared = make_rows(report, all, is_compared, whatever_the_solver, &report->compared);
  report->n_searches = make_rows(report, all, is_search, by_problem, &report->searches);
  if (report->kept_bytes >= KEPT_BYTES) {
    forget(report);
  }
  return report->n_rows < 0 || report->n_compared < 0 || report->n_searches < 0 ? BASE_E_INTERNAL
                                                                                : BASE_OK;
}

void report_free(struct report *report) {
  for (int i = 0; i < report->n_records; ++i) {
    cJSON_Delete(report->records[i].kept);
  }
  for (int i = 0; i < PASSING && report->passing != NULL; ++i) {
    cJSON_Delete(report->passing->json[i]);
  }
  cJSON_Delete(report->figures);
  cJSON_Delete(report->kept);
  cJSON_Delete(report->studies);
}
