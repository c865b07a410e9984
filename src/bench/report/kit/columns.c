/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records as rows of one frame; see columns.h. What is asked for, and what its expressions need, are
 * columns of a frame of one row, the record at hand, whose row is worked out and copied as far as it
 * is asked for.
 */
#include "bench/report/kit/columns.h"

#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/job/job.h"
#include "bench/report/kit/study.h"

/* A column by an expression. */
struct formula {
  int column;
  const struct frame_expression *value;
  const struct frame *names; /* in it, as columns */
  int *from;                 /* of names, columns of the record at hand */
  struct formula *next;
};
struct report_columns {
  struct base_arena *arena;    /* who reads records may release the report's */
  const cJSON *json;           /* of the file */
  struct frame *record;        /* the record at hand, in an arena of its own */
  struct base_arena_mark mark; /* of that, without what the record has put there */
  struct formula *formulas;    /* in an order in which each has what it needs */
  struct frame *rows;          /* what is asked for */
  int *of;                     /* of its columns those of the record at hand; NULL: no row yet */
  char *is_known;              /* columns of the record at hand that some record has */
};

/* ---- what no expression says ---- */

static struct frame_value default_tolerance(const cJSON *record, struct base_arena *arena) {
  (void)arena;
  return frame_number(bench_tolerance_balanced(base_json_real_at(record, "dt"),
                                               base_json_real_at(record, "t_end")));
}

static struct frame_value text_value(const char *text) {
  return text[0] != '\0' ? frame_word(text) : frame_number(NAN);
}

/* What the suite says of a cell beside its solver, "heavy mu-0.3"; missing where it says nothing. */
static struct frame_value label_of(const cJSON *record, struct base_arena *arena) {
  const cJSON *at;
  const char *label = base_text_clean(base_json_text_at(record, "cell.label"), arena);
  cJSON_ArrayForEach(at, base_json_at(record, "cell.swept")) {
    label = base_arena_printf(arena, "%s%s%s-%s", label, label[0] != '\0' ? " " : "",
                              base_name_clean(at->string, arena),
                              base_name_clean(cJSON_GetStringValue(at), arena));
  }
  return text_value(label);
}

/* May friction act, and with other directions, by the scene alone? "none": all materials are smooth,
 * and every law is Signorini's. "uncoupled": a sphere alone on a plane, where a normal impulse changes
 * no tangential velocity, so that most dissipation is Coulomb's law. "coupled": any other scene.
 * Missing: a case in C. */
static struct frame_value friction_of(const cJSON *record, struct base_arena *arena) {
  const cJSON *scene = base_json_at(record, "case.parameters"), *item;
  const cJSON *bodies = cJSON_GetObjectItemCaseSensitive(scene, "bodies");
  double most = 0;
  (void)arena;
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
  return text_value(!cJSON_IsArray(bodies) ? ""
                    : most == 0            ? "none"
                    : is_alone             ? "uncoupled"
                                           : "coupled");
}

static const struct {
  const char *name;
  struct frame_value (*value)(const cJSON *record, struct base_arena *arena);
} computed[] = {{"default_tol", default_tolerance}, {"label", label_of}, {"friction", friction_of}};

/* ---- what is asked for ---- */

static int begin(struct report *report) {
  if (report->columns != NULL) {
    return BASE_OK;
  }
  cJSON *json = report_data_read(REPORT_SOURCES, report->arena);
  if (json == NULL) {
    return BASE_E_INPUT;
  }
  struct base_arena *arena = base_arena_child(report->arena);
  report->columns = base_arena_push(arena, sizeof *report->columns);
  *report->columns = (struct report_columns){.arena = arena,
                                             .json = base_json_copy(json, arena),
                                             .record = frame_new(base_arena_child(arena)),
                                             .rows = frame_new(base_arena_child(arena))};
  cJSON_Delete(json);
  return report_want(report, report->columns->json, REPORT_SOURCES);
}

const cJSON *report_sources(struct report *report) {
  return begin(report) == BASE_OK ? report->columns->json : NULL;
}

static const cJSON *quantity_of(const struct report_columns *c, int quantity) {
  return quantity >= 0 ? cJSON_GetArrayItem(base_json_at(c->json, "quantities"), quantity) : NULL;
}

int report_quantities(const struct report_columns *c) {
  return cJSON_GetArraySize(base_json_at(c->json, "quantities"));
}

const cJSON *report_says(const struct report_columns *c, int quantity, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(base_json_at(quantity_of(c, quantity), "says"), name);
}

/* What defines a column; NULL: it is a path. *quantity is -1 then, and where it is of every record. */
static const cJSON *definition_of(const struct report_columns *c, int *quantity, const char *name) {
  const cJSON *of = quantity_of(c, *quantity);
  const cJSON *definition = cJSON_GetObjectItemCaseSensitive(base_json_at(of, "columns"), name);
  if (definition == NULL && of != NULL) {
    definition = cJSON_GetObjectItemCaseSensitive(base_json_at(c->json, "of_each_quantity"), name);
  }
  if (definition == NULL) {
    *quantity = -1;
    definition = cJSON_GetObjectItemCaseSensitive(base_json_at(c->json, "columns"), name);
  }
  return definition;
}

/* The path of a quantity's number in the gaps {path} of an expression. */
static const char *path_in(void *path, struct base_arena *arena, const char *gap) {
  (void)arena;
  return strcmp(gap, "path") == 0 ? path : NULL;
}

/* A column of the record at hand, and those that it is worked out from: its name there, NULL with a
 * message. */
static const char *want(struct report_columns *c, int quantity, const char *name, const char *by) {
  struct base_arena *arena = c->arena;
  const cJSON *definition = definition_of(c, &quantity, name);
  const char *own = quantity >= 0 ? base_arena_printf(arena, "%d %s", quantity, name) : name;
  if (frame_find(c->record, own) >= 0) {
    return own;
  }
  const int column = frame_want(c->record, own, by);
  if (definition == NULL) {
    return own;
  }
  char *path = cJSON_GetStringValue(base_json_at(quantity_of(c, quantity), "path"));
  struct formula *formula = base_arena_push(arena, sizeof *formula), **last = &c->formulas;
  *formula = (struct formula){
      .column = column,
      .value = frame_expression_read(
          arena, frame_fill(arena, definition->valuestring, path_in, path), REPORT_SOURCES)};
  if (formula->value == NULL) {
    return NULL;
  }
  struct frame *names = frame_new(arena);
  frame_expression_want(formula->value, names, by);
  formula->names = names;
  formula->from = base_arena_ints(arena, names->n_columns + 1);
  for (int i = 0; i < names->n_columns; ++i) {
    const char *needed = want(c, quantity, names->columns[i].name, by);
    if (needed == NULL) {
      return NULL;
    }
    formula->from[i] = frame_find(c->record, needed);
  }
  while (*last != NULL) {
    last = &(*last)->next;
  }
  *last = formula;
  return own;
}

/* The columns of a table, if its rows are records. */
static int want_columns(struct report_columns *c, const cJSON *table, const char *place) {
  static const char *const sources[] = {"records",  "before",   "runs",
                                        "compared", "searches", "quantities"};
  const char *from = figure_study_from(table);
  const cJSON *columns = NULL, *item;
  for (size_t i = 0; i < sizeof sources / sizeof *sources; ++i) {
    columns = strcmp(sources[i], from) == 0 ? base_json_at(table, "columns") : columns;
  }
  const int n = strcmp(from, "quantities") == 0 ? report_quantities(c) : 0;
  cJSON_ArrayForEach(item, columns) {
    const char *name = item->valuestring;
    name += strncmp(name, REPORT_WAS, strlen(REPORT_WAS)) == 0 ? strlen(REPORT_WAS) : 0;
    for (int quantity = n > 0 ? 0 : -1; quantity < n; ++quantity) {
      const char *own = want(c, quantity, name, place);
      if (own == NULL) {
        return BASE_E_INPUT;
      }
      frame_add(c->rows, own, "");
    }
  }
  return BASE_OK;
}

int report_want(struct report *report, const cJSON *file, const char *path) {
  const cJSON *table;
  int status = begin(report);
  cJSON_ArrayForEach(table, cJSON_GetObjectItemCaseSensitive(file, "tables")) {
    const char *from = figure_study_from(table);
    const char *place = base_arena_printf(report->arena, "%s: tables.%s", path, table->string);
    const struct bench_figure *study =
        strchr(from, '.') != NULL /* "STUDY.TABLE" */
            ? bench_figure_find(
                  base_arena_printf(report->arena, "%.*s", (int)strcspn(from, "."), from), NULL)
            : NULL;
    status = status != BASE_OK ? status
             : study != NULL   ? report_want(report, study->json, study->path)
                               : want_columns(report->columns, table, place);
  }
  return status;
}

/* ---- rows ---- */

/* The first row: what is asked for, no more comes to it. */
static void begin_rows(struct report_columns *c) {
  frame_push(c->record);
  c->mark = base_arena_mark(c->record->arena);
  c->is_known = base_arena_array(c->arena, (size_t)c->record->n_columns + 1, 1, 1);
  c->of = base_arena_ints(c->arena, c->rows->n_columns + 1);
  for (int i = 0; i < c->rows->n_columns; ++i) {
    c->of[i] = frame_find(c->record, c->rows->columns[i].name);
  }
}

struct work {
  const struct frame *record;
  const struct formula *formula;
};

/* In an expression: what the record has not is missing. */
static enum frame_answer scope_value(const struct frame_scope *scope, const char *name,
                                     struct frame_value *value) {
  const struct work *work = scope->data;
  const int i = frame_find(work->formula->names, name);
  if (i >= 0) {
    *value = *frame_at(work->record, 0, work->formula->from[i]);
  }
  return i >= 0 ? FRAME_FOUND : FRAME_NONE; /* a constant */
}

static void work_out(struct report_columns *c, const cJSON *json, const char *name) {
  static const struct frame_scope_type type = {.value = scope_value};
  struct frame *f = c->record;
  for (int i = 0; i < f->n_columns; ++i) {
    c->is_known[i] |=
        frame_value_at(json, name, f->columns[i].name, f->arena, frame_at(f, 0, i)) != 0;
  }
  for (size_t i = 0; i < sizeof computed / sizeof *computed; ++i) {
    const int column = frame_find(f, computed[i].name);
    if (column >= 0) {
      c->is_known[column] = 1;
      *frame_at(f, 0, column) = computed[i].value(json, f->arena);
    }
  }
  for (const struct formula *formula = c->formulas; formula != NULL; formula = formula->next) {
    const struct work work = {f, formula};
    const struct frame_scope scope = {.type = &type, .arena = f->arena, .data = &work};
    c->is_known[formula->column] = 1;
    frame_expression_value(formula->value, &scope, frame_at(f, 0, formula->column));
  }
}

void report_row_add(struct report *report, const cJSON *json, struct report_record *r) {
  struct report_columns *c = report->columns;
  if (c->of == NULL) {
    begin_rows(c);
  }
  work_out(c, json, r->name);
  r->row = frame_push(c->rows);
  for (int i = 0; i < c->rows->n_columns; ++i) {
    const struct base_arena_mark mark = base_arena_mark(c->rows->arena);
    *frame_at(c->rows, r->row, i) =
        frame_copy_value(frame_at(c->record, 0, c->of[i]), c->rows->arena);
    frame_share(c->rows, r->row, i, mark);
  }
  base_arena_release(c->record->arena, c->mark);
}

int report_column(const struct report_columns *c, int quantity, const char *name) {
  char own[256];
  snprintf(own, sizeof own, "%d %s", quantity, name);
  const int found = quantity >= 0 ? frame_find(c->rows, own) : -1;
  return found >= 0 ? found : frame_find(c->rows, name);
}

int report_column_is_known(const struct report_columns *c, int column) {
  return c->of != NULL && c->is_known[c->of[column]];
}

const struct frame_value *report_row_at(const struct report_columns *c, long row, int column) {
  return frame_at(c->rows, row, column);
}

const char *report_column_unit(const struct report_columns *c, const char *name,
                               const char *otherwise) {
  const cJSON *unit = cJSON_GetObjectItemCaseSensitive(base_json_at(c->json, "units"), name);
  return unit != NULL ? unit->valuestring : otherwise;
}
