/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records as rows of one frame; see columns.h. What is asked for is worked out of the record at
 * hand, a name that is defined by what its expression comes to there, and copied into its row.
 */
#include "bench/report/kit/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/job/job.h"
#include "bench/report/kit/study.h"

struct report_columns {
  struct base_arena *arena;      /* who reads records may release the report's */
  const cJSON *json;             /* of the file */
  struct frame_definitions *own; /* of each quantity, and behind them those of every record */
  struct frame *rows;            /* what is asked for */
  struct base_arena *scratch;    /* of the record at hand */
  char *is_known;                /* columns that some record has; NULL: no row yet */
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

/* What the suite says of a cell beside its solver, "heavy mu-0.3"; missing where it says
 * nothing. */
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

/* May friction act, and with other directions, by the scene alone? "none": all materials are
 * smooth, and every law is Signorini's. "uncoupled": a sphere alone on a plane, where a normal
 * impulse changes no tangential velocity, so that most dissipation is Coulomb's law. "coupled": any
 * other scene. Missing: a case in C. */
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

/* The path of a quantity's number in the gaps {path} of an expression. */
static const char *path_in(void *path, struct base_arena *arena, const char *gap) {
  (void)arena;
  return strcmp(gap, "path") == 0 ? path : NULL;
}

static const cJSON *quantity_of(const struct report_columns *c, int quantity) {
  return quantity >= 0 ? cJSON_GetArrayItem(base_json_at(c->json, "quantities"), quantity) : NULL;
}

int report_quantities(const struct report_columns *c) {
  return cJSON_GetArraySize(base_json_at(c->json, "quantities"));
}

/* Give each quantity the columns of each that it has not itself. */
static void complete_quantities(cJSON *json, struct base_arena *arena) {
  const cJSON *quantity, *each;
  cJSON_ArrayForEach(quantity, base_json_at(json, "quantities")) {
    cJSON *columns = cJSON_GetObjectItemCaseSensitive(quantity, "columns");
    char *path = cJSON_GetStringValue(base_json_at(quantity, "path"));
    cJSON_ArrayForEach(each, base_json_at(json, "of_each_quantity")) {
      if (!cJSON_HasObjectItem(columns, each->string)) {
        cJSON_AddStringToObject(columns, each->string,
                                frame_fill(arena, each->valuestring, path_in, path));
      }
    }
  }
}

static int begin(struct report *report) {
  cJSON *json = report->columns == NULL ? report_data_read(REPORT_SOURCES, report->arena) : NULL;
  if (json == NULL) {
    return report->columns != NULL ? BASE_OK : BASE_E_INPUT;
  }
  struct base_arena *arena = base_arena_child(report->arena);
  struct report_columns *c = base_arena_push(arena, sizeof *c);
  complete_quantities(json, arena);
  *c = (struct report_columns){.arena = arena,
                               .json = base_json_copy(json, arena),
                               .rows = frame_new(base_arena_child(arena)),
                               .scratch = base_arena_child(arena)};
  cJSON_Delete(json);
  report->columns = c;
  const int n = report_quantities(c);
  int status = BASE_OK;
  c->own = base_arena_push(arena, (size_t)(n + 1) * sizeof *c->own);
  for (int i = 0; i <= n && status == BASE_OK; ++i) {
    status =
        frame_definitions_read(arena, base_json_at(i < n ? quantity_of(c, i) : c->json, "columns"),
                               REPORT_SOURCES, &c->own[i]);
  }
  return status != BASE_OK ? status : report_want(report, c->json);
}

const cJSON *report_sources(struct report *report) {
  return begin(report) == BASE_OK ? report->columns->json : NULL;
}

const cJSON *report_says(const struct report_columns *c, int quantity, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(base_json_at(quantity_of(c, quantity), "says"), name);
}

/* The columns of a table, if its rows are records: of a quantity's own "QUANTITY NAME". */
static void want_columns(struct report_columns *c, const cJSON *table) {
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
      const int is_own = n > 0 && frame_definition_find(&c->own[quantity], name) != NULL;
      frame_add(c->rows, is_own ? base_arena_printf(c->arena, "%d %s", quantity, name) : name, "");
    }
  }
}

int report_want(struct report *report, const cJSON *file) {
  const cJSON *table;
  int status = begin(report);
  cJSON_ArrayForEach(table, cJSON_GetObjectItemCaseSensitive(file, "tables")) {
    const char *from = figure_study_from(table);
    const struct bench_figure *study =
        strchr(from, '.') != NULL /* "STUDY.TABLE" */
            ? bench_figure_find(
                  base_arena_printf(report->arena, "%.*s", (int)strcspn(from, "."), from), NULL)
            : NULL;
    if (status == BASE_OK && study != NULL) {
      status = report_want(report, study->json);
    } else if (status == BASE_OK) {
      want_columns(report->columns, table);
    }
  }
  return status;
}

/* ---- rows ---- */

/* The record at hand, for a quantity. */
struct work {
  const struct report_columns *c;
  const cJSON *json;
  const char *record;
  int quantity; /* report_quantities: none */
  int is_there; /* the name that was asked for last */
};

/* What the record has not is missing. */
static enum frame_answer scope_value(const struct frame_scope *scope, const char *name,
                                     struct frame_value *value) {
  struct work *work = (struct work *)scope->data;
  const struct report_columns *c = work->c;
  const struct frame_expression *meaning = frame_definition_find(&c->own[work->quantity], name);
  meaning = meaning != NULL ? meaning : frame_definition_find(&c->own[report_quantities(c)], name);
  double x;
  if (meaning != NULL) {
    if (frame_definition_value(scope, name, meaning, value) != FRAME_FOUND) {
      *value = frame_number(NAN);
    }
    work->is_there = 1;
    return FRAME_FOUND;
  }
  for (size_t i = 0; i < sizeof computed / sizeof *computed; ++i) {
    if (strcmp(computed[i].name, name) == 0) {
      *value = computed[i].value(work->json, scope->arena);
      work->is_there = 1;
      return FRAME_FOUND;
    }
  }
  work->is_there = frame_value_at(work->json, work->record, name, scope->arena, value);
  return work->is_there || !frame_constant(name, &x) ? FRAME_FOUND : FRAME_NONE;
}

void report_row_add(struct report *report, const cJSON *json, struct report_record *r) {
  static const struct frame_scope_type type = {.value = scope_value};
  struct report_columns *c = report->columns;
  const struct base_arena_mark before = base_arena_mark(c->scratch);
  void *known = NULL;
  if (c->is_known == NULL) {
    c->is_known = base_arena_array(c->arena, (size_t)c->rows->n_columns + 1, 1, 1);
  }
  r->row = frame_push(c->rows);
  for (int i = 0; i < c->rows->n_columns; ++i) {
    char *name;
    const char *own = c->rows->columns[i].name;
    const long quantity = strtol(own, &name, 10);
    const int is_own = name > own && *name == ' ';
    struct work work = {c, json, r->name, is_own ? (int)quantity : report_quantities(c), 0};
    const struct frame_scope scope = {
        .type = &type, .arena = c->scratch, .data = &work, .known = &known};
    struct frame_value value;
    scope_value(&scope, is_own ? name + 1 : own, &value);
    c->is_known[i] |= (char)work.is_there;
    const struct base_arena_mark mark = base_arena_mark(c->rows->arena);
    *frame_at(c->rows, r->row, i) = frame_copy_value(&value, c->rows->arena);
    frame_share(c->rows, r->row, i, mark);
  }
  base_arena_release(c->scratch, before);
}

int report_column(const struct report_columns *c, int quantity, const char *name) {
  char own[256];
  snprintf(own, sizeof own, "%d %s", quantity, name);
  const int found = quantity >= 0 ? frame_find(c->rows, own) : -1;
  return found >= 0 ? found : frame_find(c->rows, name);
}

int report_column_is_known(const struct report_columns *c, int column) {
  return c->is_known != NULL && c->is_known[column];
}

const struct frame_value *report_row_at(const struct report_columns *c, long row, int column) {
  return frame_at(c->rows, row, column);
}

const char *report_column_unit(const struct report_columns *c, const char *name,
                               const char *otherwise) {
  const cJSON *unit = cJSON_GetObjectItemCaseSensitive(base_json_at(c->json, "units"), name);
  return unit != NULL ? unit->valuestring : otherwise;
}
