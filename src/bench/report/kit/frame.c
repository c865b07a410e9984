/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report's rows as a frame, a row a record; study.h lists the columns.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/expression.h"
#include "bench/job/job.h"
#include "bench/record/fields.h"
#include "bench/report/kit/quantities.h"
#include "bench/report/kit/study.h"
#include "form/form.h"

static double form_number(const struct report_record *r) { return r->form; }
static double step_of(const struct report_record *r) { return r->dt; }
static double has_finished(const struct report_record *r) { return report_has_errors(r); }
static double is_reference(const struct report_record *r) { return report_is_reference(r); }
static double relative_drift(const struct report_record *r) {
  return report_relative_drift(report_json(r));
}
static double energy_scale(const struct report_record *r) {
  return report_energy_scale(report_json(r));
}
/* No better known than what is judged: nothing. */
static double error_of(const struct report_record *r) {
  return !report_is_reference(r) &&
                 isfinite(base_json_real_at(report_json(r), "quality.measures.position"))
             ? base_json_real_at(report_json(r), "errors.q_linf") /
                   base_json_real_at(report_json(r), "quality.scales.length")
             : NAN;
}
static double chooses_steps(const struct report_record *r) {
  return form_get(r->form)->chooses_steps;
}
static double default_tolerance(const struct report_record *r) {
  return bench_tolerance_balanced(r->dt, base_json_real_at(report_json(r), "t_end"));
}
static double case_place(const struct report_record *r) { return report_case_place(r); }
static double time_lo(const struct report_record *r) { return report_time_bound(r, 0); }
static double time_hi(const struct report_record *r) { return report_time_bound(r, 1); }

static double counted(const struct report_record *r, const char *path) {
  const double x = base_json_real_at(report_json(r), path);
  return isfinite(x) ? x : 0;
}

static double work_of(const struct report_record *r) {
  return counted(r, "steps") + counted(r, "iterations.total") +
         counted(r, "iterations.evaluations");
}

/* What a row is of: a record, alone or as one of a report's row, and of a quantity of it. */
struct subject {
  const struct report *report;
  const struct report_record *record;
  const struct report_row *row; /* NULL: of none */
  int number;                   /* of the row, from 1 on */
  const struct report_quantity *quantity;
  struct base_arena *arena; /* of values */
};

/* ---- texts; "": none ---- */

static const char *label_of(const struct subject *s) { return s->record->label; }
static const char *study_of(const struct subject *s) { return s->record->study; }
static const char *path_of(const struct subject *s) {
  return base_arena_printf(s->arena, "%s/%s", s->report->folder, s->record->file);
}
/* May friction act, and with other directions, by the scene alone? "none": all materials are smooth,
 * and every law is Signorini's. "uncoupled": a sphere alone on a plane, where a normal impulse changes
 * no tangential velocity, so that most dissipation is Coulomb's law. "coupled": any other scene.
 * "": a case in C. */
static const char *friction_of(const struct subject *s) {
  const cJSON *scene = base_json_at(report_json(s->record), "case.parameters"), *item;
  const cJSON *bodies = cJSON_GetObjectItemCaseSensitive(scene, "bodies");
  double most = 0;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(scene, "materials")) {
    most = fmax(most, base_json_real_at(item, "mu"));
  }
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(scene, "pairs")) {
    most = fmax(most, base_json_real_at(item, "mu"));
  }
  int spheres = 0, planes = 0;
  cJSON_ArrayForEach(item, bodies) {
    const cJSON *shapes = cJSON_GetObjectItemCaseSensitive(item, "shapes");
    const cJSON *shape = cJSON_GetArrayItem(shapes, 0);
    const int is_fixed = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "fixed"));
    const char *type = cJSON_GetArraySize(shapes) == 1 ? base_json_text_at(shape, "type") : "";
    planes += is_fixed && strcmp(type, "halfspace") == 0;
    spheres += !is_fixed && strcmp(type, "sphere") == 0 &&
               cJSON_GetObjectItemCaseSensitive(shape, "offset") == NULL;
  }
  const int is_alone = spheres == 1 && planes == 1 && cJSON_GetArraySize(bodies) == 2 &&
                       cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(scene, "joints")) == 0;
  return !cJSON_IsArray(bodies) ? "" : most == 0 ? "none" : is_alone ? "uncoupled" : "coupled";
}

static const char *expected(const struct subject *s) { return s->record->expected; }

static const struct {
  const char *name, *unit;
  double (*number)(const struct report_record *r);
  const char *(*text)(const struct subject *s);
} columns[] = {{"form", "", form_number, NULL},
               {"dt", "s", step_of, NULL},
               {"finished", "", has_finished, NULL},
               {"chooses_steps", "", chooses_steps, NULL},
               {"is_reference", "", is_reference, NULL},
               {"error", "", error_of, NULL},
               {"floor", "", report_error_floor, NULL},
               {"drift", "", relative_drift, NULL},
               {"default_tol", "", default_tolerance, NULL},
               {"time_lo", "s", time_lo, NULL},
               {"time_hi", "s", time_hi, NULL},
               {"work", "", work_of, NULL},
               {"energy_scale", "J", energy_scale, NULL},
               {"case_place", "", case_place, NULL},
               {"label", "", NULL, label_of},
               {"study", "", NULL, study_of},
               {"path", "", NULL, path_of},
               {"friction", "", NULL, friction_of},
               {"expected", "", NULL, expected}};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ---- values ---- */

static struct frame_value text_value(const char *text) {
  return text[0] != '\0' ? (struct frame_value){.kind = FRAME_TEXT, .text = text}
                         : frame_number(NAN);
}

static const struct report_record *before_of(const struct subject *s) {
  return s->report->other != NULL ? report_find(s->report->other, s->record->name) : NULL;
}

/* What it has under a name; is it a name that some records know? */
static int value_of(const struct subject *s, const char *name, struct frame_value *v) {
  const struct report_record *r = s->record;
  *v = frame_number(NAN);
  if (strncmp(name, "was.", 4) == 0) {
    struct subject was = *s;
    was.report = s->report->other;
    was.record = before_of(s);
    return was.record == NULL || value_of(&was, name + 4, v);
  }
  if (s->quantity != NULL && report_quantity_value(s->quantity, r, name, s->arena, v)) {
    return 1;
  }
  for (int c = 0; c < COLUMNS; ++c) {
    if (strcmp(columns[c].name, name) == 0) {
      *v = columns[c].text != NULL                              ? text_value(columns[c].text(s))
           : r->form >= 0 || columns[c].number != chooses_steps ? frame_number(columns[c].number(r))
                                                                : *v;
      return 1;
    }
  }
  if (s->row != NULL && strcmp(name, "row") == 0) {
    *v = frame_number(s->number);
    return 1;
  }
  if (s->row != NULL && strcmp(name, "motion") == 0) {
    *v = text_value(s->row->title);
    return 1;
  }
  if (strcmp(name, "place") == 0) {
    *v = frame_number((double)(r - s->report->records));
    return 1;
  }
  return frame_value_at(report_json(r), r->name, name, s->arena, v);
}

/* Does the row fulfil the conditions? What they cannot be asked is kept: the transform says why. */
static int is_kept(const struct report_filling *x, long row) {
  struct frame_scope scope = frame_row_scope(x->f, row);
  int holds = 1;
  for (int i = 0; i < x->n_conditions && holds; ++i) {
    if (frame_condition_holds(x->conditions[i], &scope, &holds) != BASE_OK) {
      holds = 1;
    }
  }
  return holds;
}

static void append(const struct subject *s, struct report_filling *x) {
  struct frame *f = x->f;
  const long at = frame_push(f);
  const struct base_arena_mark before = base_arena_mark(f->arena);
  for (int i = 0; i < f->n_columns; ++i) {
    const struct base_arena_mark mark = base_arena_mark(f->arena);
    x->is_known[i] |= value_of(s, f->columns[i].name, frame_at(f, at, i)) != 0;
    frame_share(f, at, i, mark);
  }
  ++x->n_seen;
  if (!is_kept(x, at)) {
    --f->n_rows;
    base_arena_release(f->arena, before);
  }
}

void report_append(const struct report *report, const struct report_record *r,
                   struct report_filling *x) {
  append(&(struct subject){.report = report, .record = r, .arena = x->f->arena}, x);
}

static void append_rows(const struct report *report, int n, const struct report_row *rows,
                        int n_quantities, struct report_filling *x) {
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < rows[k].n; ++i) {
      struct subject s = {report, rows[k].records[i], &rows[k], k + 1, NULL, x->f->arena};
      for (int q = 0; q < n_quantities; ++q) {
        s.quantity = &report_quantities[q];
        append(&s, x);
      }
      if (n_quantities == 0) {
        append(&s, x);
      }
    }
  }
}

/* A study is of whatever records there are: parameters and options that none of them has are
 * missing, and blocks are texts. */
static void know_free_keys(const struct frame *f, char *is_known) {
  for (int i = 0; i < f->n_columns; ++i) {
    is_known[i] = is_known[i] || bench_field_find(f->columns[i].name) != NULL ||
                  bench_field_may_be_number(f->columns[i].name);
  }
}

static void set_units(struct frame *f) {
  for (int i = 0; i < f->n_columns; ++i) {
    for (int c = 0; c < COLUMNS; ++c) {
      if (strcmp(columns[c].name, f->columns[i].name) == 0) {
        f->columns[i].unit = columns[c].unit;
      }
    }
  }
}

void report_filling_begin(struct report_filling *x, const cJSON *table, struct frame *f) {
  const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(table, "transform"), 0);
  const cJSON *filter = cJSON_GetObjectItemCaseSensitive(first, "filter"), *item;
  const int n = cJSON_IsArray(filter) ? cJSON_GetArraySize(filter) : filter != NULL;
  *x = (struct report_filling){
      .table = table,
      .f = f,
      .is_known = base_arena_array(f->arena, (size_t)f->n_columns + 1, 1, 1),
      .conditions = base_arena_push(f->arena, (size_t)(n + 1) * sizeof *x->conditions)};
  for (int i = 0; i < n; ++i) {
    item = cJSON_IsArray(filter) ? cJSON_GetArrayItem(filter, i) : filter;
    const struct frame_expression *e =
        cJSON_IsString(item) ? frame_condition_read(f->arena, item->valuestring, "filter") : NULL;
    if (e != NULL) {
      x->conditions[x->n_conditions++] = e;
    }
  }
}

int report_filling_end(struct report_filling *x) {
  set_units(x->f);
  know_free_keys(x->f, x->is_known);
  return x->n_seen > 0 ? frame_refuse_unknown(x->f, x->is_known) : BASE_OK;
}

int report_source(void *data, const cJSON *table, struct frame *f) {
  struct report *report = data;
  const char *name = figure_study_from(table);
  struct report_filling filling;
  if (report_is_gathered(report, table)) {
    return report_take_gathered(report, table, f);
  }
  report_filling_begin(&filling, table, f);
  const struct {
    const char *name;
    const struct report *records; /* all of them */
    int n;
    const struct report_row *rows;
    int n_quantities; /* of each; 0: of the run as such */
  } sources[] = {{"records", report, 0, NULL, 0},
                 {"before", report->other, 0, NULL, 0},
                 {"runs", NULL, report->n_rows, report->rows, 0},
                 {"compared", NULL, report->n_compared, report->compared, 0},
                 {"quantities", NULL, report->n_compared, report->compared, REPORT_QUANTITIES},
                 {"searches", NULL, report->n_searches, report->searches, 0}};
  enum { SOURCES = sizeof sources / sizeof *sources };
  int k = 0;
  while (k < SOURCES && strcmp(sources[k].name, name) != 0) {
    ++k;
  }
  if (k == SOURCES) {
    const int status = report_other_source(report, name, f, filling.is_known);
    return status == BASE_OK && f->n_rows > 0 ? frame_refuse_unknown(f, filling.is_known) : status;
  }
  const struct report *of = sources[k].records;
  for (int i = 0; of != NULL && i < of->n_records; ++i) {
    report_append(of, &of->records[i], &filling);
  }
  append_rows(report, sources[k].n, sources[k].rows, sources[k].n_quantities, &filling);
  return report_filling_end(&filling);
}

struct frame *report_query(struct frame *f, const char *transforms) {
  cJSON *list = base_json_parse(transforms, "report");
  const int status = list != NULL ? frame_transform(&f, list, "report") : BASE_E_INPUT;
  cJSON_Delete(list);
  return status == BASE_OK ? f : NULL;
}

double report_real(const struct frame *f, long row, const char *column) {
  return frame_real(f, row, frame_find(f, column));
}
