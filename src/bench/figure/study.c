/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of studies of the records of a folder; see study.h.
 */
#include "bench/figure/study.h"

#include <string.h>

#include "base/json/json.h"
#include "base/status.h"

struct frame *figure_study_table(const struct figure_study *study, const char *name) {
  name = name != NULL ? name : "";
  for (int i = 0; i < study->n_tables; ++i) {
    if (strcmp(study->names[i], name) == 0) {
      return study->frames[i];
    }
  }
  base_fail(BASE_E_INPUT, "%s: there is no table '%s'", study->figure->file->path, name);
  return NULL;
}

const char *figure_study_from(const cJSON *table) {
  const char *from = figure_text(table, "from");
  return from != NULL ? from : "records";
}

struct frame *figure_study_columns(const cJSON *table, const char *place,
                                   struct base_arena *arena) {
  struct frame *f = frame_new(arena);
  const cJSON *column;
  cJSON_ArrayForEach(column, cJSON_GetObjectItemCaseSensitive(table, "columns")) {
    frame_want(f, column->valuestring, place);
  }
  return f;
}

/* A table: a copy of one before it, or rows of a source, and what its transforms make of them. */
static int load(const struct figure_study *s, const cJSON *table, figure_source *source, void *data,
                struct base_arena *arena, struct frame **out) {
  const char *place =
      base_arena_printf(s->arena, "%s: tables.%s", s->figure->file->path, table->string);
  const char *from = figure_study_from(table);
  struct frame *f = NULL;
  int status = BASE_OK;
  for (int i = 0; i < s->n_tables && f == NULL; ++i) {
    f = strcmp(s->names[i], from) == 0 ? frame_copy(s->frames[i], arena) : NULL;
  }
  if (f == NULL) {
    f = figure_study_columns(table, place, arena);
    status = cJSON_HasObjectItem(table, "columns")
                 ? source(data, table, f)
                 : base_fail(BASE_E_INPUT, "%s.columns: is missing", place);
  }
  *out = f;
  const cJSON *transforms = cJSON_GetObjectItemCaseSensitive(table, "transform");
  return status != BASE_OK || transforms == NULL ? status : frame_transform(out, transforms, place);
}

const cJSON *figure_study_divided(const struct figure_study *s, const char *by) {
  const cJSON *panel;
  cJSON_ArrayForEach(panel, base_json_at(s->figure->file->json, "panels")) {
    if (base_json_text_at(panel, by)[0] != '\0') {
      return panel;
    }
  }
  return NULL;
}

/* Different values of that column. */
static int find_facets(struct figure_study *s) {
  const cJSON *panel = figure_study_divided(s, "facet");
  const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(panel, "layer"), 0);
  if (panel == NULL) {
    return BASE_OK;
  }
  const struct frame *f = figure_study_table(s, base_json_text_at(first, "table"));
  const int column =
      f != NULL ? frame_need(f, base_json_text_at(panel, "facet"), s->figure->file->path) : -1;
  if (column < 0) {
    return BASE_E_INPUT;
  }
  s->facets = frame_different(f, column, s->arena, &s->n_facets);
  return BASE_OK;
}

const char *figure_study_says(const struct figure_study *s, int facet) {
  const char *path = s->figure->file->path, *sentence = "";
  const cJSON *name;
  cJSON_ArrayForEach(name,
                     base_json_at(s->figure->file->json, facet < 0 ? "says.all" : "says.each")) {
    const struct frame *f = figure_study_table(s, cJSON_GetStringValue(name));
    const int says = f != NULL ? frame_need(f, "says", path) : -1;
    const int of =
        says >= 0 && facet >= 0
            ? frame_need(f, base_json_text_at(figure_study_divided(s, "facet"), "facet"), path)
            : says;
    if (of < 0) {
      return NULL;
    }
    f = facet >= 0 ? frame_rows_with(f, of, &s->facets[facet]) : f;
    for (long row = 0; row < f->n_rows; ++row) {
      sentence = base_arena_printf(s->arena, "%s%s", sentence, frame_text(f, row, says));
    }
  }
  return sentence;
}

int figure_study_load(const struct figure *study, figure_source *source, void *data,
                      struct base_arena *arena, struct figure_study *made) {
  const cJSON *tables = cJSON_GetObjectItemCaseSensitive(study->file->json, "tables"), *table;
  const size_t n = (size_t)cJSON_GetArraySize(tables) + 1;
  *made = (struct figure_study){.figure = study,
                                .arena = arena,
                                .names = base_arena_push(arena, n * sizeof(char *)),
                                .frames = base_arena_push(arena, n * sizeof(struct frame *))};
  struct base_arena *scratch = base_arena_child(arena); /* of all that transforms leave behind */
  int status = BASE_OK;
  cJSON_ArrayForEach(table, tables) {
    struct frame *f = NULL;
    status = status != BASE_OK ? status : load(made, table, source, data, scratch, &f);
    made->names[made->n_tables] = table->string;
    made->frames[made->n_tables++] = status == BASE_OK ? frame_copy(f, arena) : NULL;
    base_arena_empty(scratch);
  }
  return status != BASE_OK ? status : find_facets(made);
}

int figure_study_judge(const struct figure_study *study, struct case_plot *plot) {
  const struct figure *figure = study->figure;
  int status = BASE_OK;
  for (int i = 0; i < figure->n_values && status == BASE_OK; ++i) {
    const struct bench_value *v = &figure->values[i];
    const struct frame *f = figure_study_table(study, v->table);
    if (f == NULL) {
      return BASE_E_INPUT;
    }
    const struct frame_scope scope = frame_column_scope(f);
    status = bench_value_judge(v, v->name, &scope, plot);
  }
  return status;
}
