/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs of a figure, by the cells of suites; see figures.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/suite/cells.h"
#include "bench/suite/figures.h"
#include "bench/suite/over.h"

/* Of one cell of a figure: what there is so far. */
struct reading {
  const struct bench_figure *figure;
  struct base_arena *arena;
  const cJSON *group;
  int cell; /* its number */
  int n;
  struct bench_figure_run *runs;
};

static int is_list(const cJSON *group, const char *key) {
  return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(group, key)) > 1;
}

/* The names of a run: what "over" and swept values say, and formulation, solver and step. Those
 * that the cell does not go through are of no list (-1). */
static void name_run(const struct reading *r, const struct bench_cell *cell, struct case_run *run) {
  enum { MORE = 3 };
  const int n = cell->place.n_swept;
  struct case_name *names = base_arena_array(r->arena, (size_t)n + MORE, 1, sizeof *names);
  int count = 0, list = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(r->group, "over"));
  for (int i = 0; i < n; ++i) {
    const struct bench_swept *at = &cell->place.swept[i];
    const int over = bench_over_list(r->group, at->key);
    names[count++] = (struct case_name){at->key, at->value, 0, over >= 0 ? over : list++};
  }
  const char *formulation = cell->request.formulation, *solver = cell->place.solver;
  char number[BASE_JSON_NUMBER_SIZE];
  const cJSON *formulations = cJSON_GetObjectItemCaseSensitive(r->group, "formulations");
  const int sweeps = !cJSON_IsArray(formulations) || cJSON_GetArraySize(formulations) > 1;
  names[count++] = (struct case_name){"formulation", formulation, 0, sweeps ? list++ : -1};
  if (solver != NULL) {
    names[count++] =
        (struct case_name){"solver", solver, 0, is_list(r->group, "solver") ? list++ : -1};
  }
  if (cell->request.dt > 0) {
    const char *dt = base_arena_copy(r->arena, base_json_number(cell->request.dt, number));
    names[count++] = (struct case_name){"dt", dt, 0, is_list(r->group, "dt") ? list++ : -1};
  }
  run->names = names;
  run->n_names = count;
}

/* Have two runs of a cell the same words of a list? */
static int is_same_word(const struct case_run *a, const struct case_run *b, int list) {
  for (int i = 0; i < a->n_names; ++i) {
    if (a->names[i].list == list && strcmp(a->names[i].text, b->names[i].text) != 0) {
      return 0;
    }
  }
  return 1;
}

/* Number the words of each list in the order in which runs have them first, and name the runs, n of
 * one cell, with these numbers. */
static void label_runs(int n, struct bench_figure_run *runs, struct base_arena *arena) {
  for (int i = 0; i < n; ++i) {
    struct case_name *names = (struct case_name *)runs[i].run.names;
    for (int k = 0; k < runs[i].run.n_names; ++k) {
      int j = 0, most = -1;
      while (j < i &&
             (names[k].list < 0 || !is_same_word(&runs[i].run, &runs[j].run, names[k].list))) {
        most = runs[j].run.names[k].number > most ? runs[j].run.names[k].number : most;
        ++j;
      }
      names[k].number = j < i ? runs[j].run.names[k].number : names[k].list < 0 ? 0 : most + 1;
    }
    char label[CASE_TEXT];
    case_run_text(&runs[i].run, runs[i].run.of, label);
    runs[i].run.label = base_arena_copy(arena, label);
  }
}

static void fill_run(const struct reading *r, const struct bench_cell *cell, const char *record,
                     struct bench_figure_run *out) {
  struct case_run *run = &out->run;
  *out = (struct bench_figure_run){.cell = *cell};
  *run = (struct case_run){.of = base_arena_copy(r->arena, base_json_text_at(r->group, "label")),
                           .formulation =
                               cell->request.formulation != NULL ? cell->request.formulation : "",
                           .dt = cell->request.dt,
                           .t_end = cell->request.t_end,
                           .sample = cell->request.sample,
                           .record = record,
                           .cell = r->cell};
  name_run(r, cell, run);
}

/* A run that is kept with its case: nothing else is said of it. */
static int add_kept(struct reading *r, const cJSON *one, const struct bench_place *words,
                    struct bench_figure_run *out) {
  const char *record;
  const struct bench_figure *figure = r->figure;
  int status = base_json_get_text(one, "record", figure->path, &record);
  if (status == BASE_OK && (figure->type == NULL || figure->type->path != NULL)) {
    status = base_fail(BASE_E_INPUT, "%s: key 'runs.record': only registered cases keep records",
                       figure->path);
  }
  if (status == BASE_OK) {
    const struct bench_cell cell = {.place = *words};
    fill_run(r, &cell, base_arena_copy(r->arena, record), out);
    out->run.n_names = words->n_swept;
    out->cell.place.id =
        base_arena_printf(r->arena, "cases/%s/records/%s.json", figure->type->name, record);
  }
  return status;
}

static void append(struct reading *r, int n, const struct bench_figure_run *more) {
  struct bench_figure_run *grown = base_arena_array(r->arena, (size_t)(r->n + n), 1, sizeof *grown);
  if (r->n > 0) {
    memcpy(grown, r->runs, (size_t)r->n * sizeof *grown);
  }
  memcpy(grown + r->n, more, (size_t)n * sizeof *grown);
  r->runs = grown;
  r->n += n;
}

static int read_kept(struct reading *r) {
  int n = 0, status = bench_over_count(r->group, r->figure->path, &n);
  struct bench_figure_run *runs = base_arena_array(r->arena, (size_t)n + 1, 1, sizeof *runs);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    struct bench_place words = {0};
    cJSON *one = bench_over_take(r->group, i, r->arena, &words);
    status = add_kept(r, one, &words, &runs[i]);
    cJSON_Delete(one);
  }
  if (status == BASE_OK) {
    label_runs(n, runs, r->arena);
    append(r, n, runs);
  }
  return status;
}

/* The runs of one cell, by the reader of suites. */
static int read_group(struct reading *r, struct bench_builder *b) {
  const int before = b->suite->n;
  if (cJSON_GetObjectItemCaseSensitive(r->group, "record") != NULL) {
    return read_kept(r);
  }
  cJSON *group = cJSON_Duplicate(r->group, 1);
  if (!cJSON_HasObjectItem(group, "case") && r->figure->type != NULL) {
    const cJSON *of_figure = cJSON_GetObjectItemCaseSensitive(r->figure->json, "case");
    cJSON_AddItemToObject(group, "case", cJSON_Duplicate(of_figure, 1));
  }
  const int status = bench_cells_group(b, group, group);
  cJSON_Delete(group);
  const int n = b->suite->n - before;
  struct bench_figure_run *runs = base_arena_array(r->arena, (size_t)n + 1, 1, sizeof *runs);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    fill_run(r, &b->suite->cells[before + i], "", &runs[i]);
  }
  label_runs(status == BASE_OK ? n : 0, runs, r->arena);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    struct bench_cell *cell = &runs[i].cell;
    cell->request.is_tight = 1;
    cell->is_free = 1; /* whoever reads the records judges them */
    cell->expected = NULL;
    const char *id = base_arena_printf(r->arena, "%s--%s", r->figure->owner, runs[i].run.label);
    cell->place =
        (struct bench_place){.id = base_name_clean(id, r->arena), .figure = r->figure->owner};
    cell->case_name = cell->given_label = NULL;
  }
  if (status == BASE_OK) {
    append(r, n, runs);
  }
  return status;
}

int bench_figure_runs(const struct bench_figure *figure, double limit, int repeat,
                      struct base_arena *arena, int *n, struct bench_figure_run **runs) {
  struct bench_suite suite = {0};
  struct bench_builder b = {.suite = &suite,
                            .arena = arena,
                            .time_limit = limit,
                            .repeat = figure->is_timed ? repeat : 0,
                            .is_unchecked = 1};
  struct reading r = {.figure = figure, .arena = arena};
  int status = BASE_OK, at = 0;
  cJSON_ArrayForEach(r.group, figure->runs) {
    r.cell = at;
    b.file = base_arena_printf(arena, "%s: runs[%d]", figure->path, at++);
    status = status != BASE_OK ? status : read_group(&r, &b);
  }
  for (int i = 0; i < r.n && status == BASE_OK; ++i) {
    for (int k = 0; k < i && status == BASE_OK; ++k) {
      if (strcmp(r.runs[i].run.label, r.runs[k].run.label) == 0) {
        status = base_fail(BASE_E_INPUT, "%s: key 'runs': two runs have the label '%s'",
                           figure->path, r.runs[i].run.label);
      }
    }
  }
  *n = r.n;
  *runs = r.runs;
  return status;
}
