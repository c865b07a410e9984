/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records as rows of a frame; study.h lists the sources and columns. Columns that an expression can
 * say are those of scripts/plot/sources.json (columns.h), here are the others.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/frame/expression.h"
#include "bench/job/job.h"
#include "bench/record/fields.h"
#include "bench/report/kit/columns.h"
#include "bench/report/kit/study.h"
#include "form/form.h"

static double form_number(const struct report_record *r) { return r->form; }
static double chooses_steps(const struct report_record *r) {
  return r->form >= 0 ? (double)form_get(r->form)->chooses_steps : NAN;
}
static double default_tolerance(const struct report_record *r) {
  return bench_tolerance_balanced(base_json_real_at(report_json(r), "dt"),
                                  base_json_real_at(report_json(r), "t_end"));
}
static double case_place(const struct report_record *r) { return report_case_place(r); }
static double place(const struct report_record *r) { return (double)(r - r->report->records); }
/* Figures' runs stand in for others only where there are none and no suite says what is wanted. */
static double is_of_figure_alone(const struct report_record *r) {
  return r->is_of_figure &&
         (r->report->n_of_figures < r->report->n_records || r->report->suite != NULL);
}

/* What a row is of: a record, alone or as one of a motion, and of a quantity of it. */
struct subject {
  const struct report *report;
  const struct report_record *record;
  long motion;              /* row of the report's motions; -1: of none */
  int quantity;             /* -1: of none */
  struct base_arena *arena; /* of values */
};

/* ---- texts; "": none ---- */

/* What the suite says of a cell beside its solver, "heavy mu-0.3"; "" where it says nothing. */
static const char *label_of(const struct subject *s) {
  const cJSON *record = report_json(s->record), *at;
  const char *label = base_text_clean(base_json_text_at(record, "cell.label"), s->arena);
  cJSON_ArrayForEach(at, base_json_at(record, "cell.swept")) {
    label = base_arena_printf(s->arena, "%s%s%s-%s", label, label[0] != '\0' ? " " : "",
                              base_name_clean(at->string, s->arena),
                              base_name_clean(cJSON_GetStringValue(at), s->arena));
  }
  return label;
}
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
  const char *name;
  double (*number)(const struct report_record *r);
  const char *(*text)(const struct subject *s);
} columns[] = {{"form", form_number, NULL},
               {"chooses_steps", chooses_steps, NULL},
               {"default_tol", default_tolerance, NULL},
               {"case_place", case_place, NULL},
               {"place", place, NULL},
               {"is_of_figure_alone", is_of_figure_alone, NULL},
               {"label", NULL, label_of},
               {"path", NULL, path_of},
               {"friction", NULL, friction_of},
               {"expected", NULL, expected}};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ---- values ---- */

static struct frame_value text_value(const char *text) {
  return text[0] != '\0' ? frame_word(text) : frame_number(NAN);
}

static const struct report_record *before_of(const struct subject *s) {
  return s->report->other != NULL ? report_find(s->report->other, s->record->name) : NULL;
}

static int value_of(const struct subject *s, const char *name, struct frame_value *v);

/* In an expression of sources.json: what no record has is missing. */
static enum frame_answer scope_value(const struct frame_scope *scope, const char *name,
                                     struct frame_value *value) {
  value_of(scope->data, name, value);
  return FRAME_FOUND;
}

/* What it has under a name; is it a name that some records know? */
static int value_of(const struct subject *s, const char *name, struct frame_value *v) {
  static const struct frame_scope_type type = {.value = scope_value};
  const struct report_record *r = s->record;
  const struct frame *motions = s->motion >= 0 ? s->report->motions : NULL;
  const int column = motions != NULL ? frame_find(motions, name) : -1;
  *v = frame_number(NAN);
  if (strncmp(name, "was.", 4) == 0) {
    struct subject was = *s;
    was.report = s->report->other;
    was.record = before_of(s);
    was.motion = -1;
    return was.record == NULL || value_of(&was, name + 4, v);
  }
  if (column >= 0) {
    *v = *frame_at(motions, s->motion, column);
    return 1;
  }
  for (int c = 0; c < COLUMNS; ++c) {
    if (strcmp(columns[c].name, name) == 0) {
      *v = columns[c].text != NULL ? text_value(columns[c].text(s))
                                   : frame_number(columns[c].number(r));
      return 1;
    }
  }
  const struct frame_scope scope = {.type = &type, .arena = s->arena, .data = s};
  return report_column(s->report->columns, s->quantity, name, &scope, v) ||
         frame_value_at(report_json(r), r->name, name, s->arena, v);
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
    struct frame_value *v = frame_at(f, at, i);
    x->is_known[i] |= value_of(s, f->columns[i].name, v) != 0;
    if (v->kind == FRAME_NUMBER) { /* what it was worked out from is not kept */
      base_arena_release(f->arena, mark);
    }
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
  append(&(struct subject){report, r, -1, -1, x->f->arena}, x);
}

/* The rows of motions that are of a source, each once for every quantity; n_quantities 0: once. */
static void append_motions(const struct report *report, const char *source, int n_quantities,
                           struct report_filling *x) {
  const struct frame *motions = report->motions;
  for (long row = 0; motions != NULL && row < motions->n_rows; ++row) {
    if (strcmp(frame_text(motions, row, frame_find(motions, "source")), source) != 0) {
      continue;
    }
    const struct report_record *r = &report->records[(long)report_real(motions, row, "place")];
    struct subject s = {report, r, row, n_quantities > 0 ? 0 : -1, x->f->arena};
    do {
      append(&s, x);
    } while (++s.quantity < n_quantities);
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

int report_filling_end(const struct report *report, struct report_filling *x) {
  for (int i = 0; i < x->f->n_columns; ++i) {
    struct frame_column *column = &x->f->columns[i];
    column->unit = report_column_unit(report->columns, column->name, column->unit);
  }
  know_free_keys(x->f, x->is_known);
  return x->n_seen > 0 ? frame_refuse_unknown(x->f, x->is_known) : BASE_OK;
}

int report_source(void *data, const cJSON *table, struct frame *f) {
  struct report *report = data;
  const char *name = figure_study_from(table);
  struct report_filling filling;
  if (report_columns_load(report) != BASE_OK) {
    return BASE_E_INPUT;
  }
  if (report_is_gathered(report, table)) {
    return report_take_gathered(report, table, f);
  }
  report_filling_begin(&filling, table, f);
  const int is_before = strcmp(name, "before") == 0;
  if (is_before || strcmp(name, "records") == 0) {
    const struct report *of = is_before ? report->other : report;
    for (int i = 0; of != NULL && i < of->n_records; ++i) {
      report_append(of, &of->records[i], &filling);
    }
  } else if (strcmp(name, "quantities") == 0) {
    append_motions(report, "compared", report_quantities(report->columns), &filling);
  } else if (strcmp(name, "runs") == 0 || strcmp(name, "compared") == 0 ||
             strcmp(name, "searches") == 0) {
    append_motions(report, name, 0, &filling);
  } else {
    const int status = report_other_source(report, name, f, filling.is_known);
    return status == BASE_OK && f->n_rows > 0 ? frame_refuse_unknown(f, filling.is_known) : status;
  }
  return report_filling_end(report, &filling);
}

double report_real(const struct frame *f, long row, const char *column) {
  return frame_real(f, row, frame_find(f, column));
}
