/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures by place and name, and their runs by the cells of suites; see figures.h.
 */
#include "bench/suite/figures.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/suite/cells.h"
#include "bench/suite/keys.h"
#include "bench/suite/over.h"

/* ---- files ---- */

enum { FIGURES_MAX = 1024, OWNERS_MAX = 8 };

/* What has been read stays: figures are named by what points into it. */
static struct base_arena *files_arena(void) {
  static _Thread_local struct base_arena *arena;
  if (arena == NULL) {
    arena = base_arena_alloc();
  }
  return arena;
}

static int read_head(const cJSON *json, const char *path, struct bench_figure *figure) {
  const char *texts[3];
  static const char *const keys[3] = {"id", "title", "caption"};
  int status = base_json_expect_schema(json, path, BENCH_FIGURE_FILE_SCHEMA);
  for (int i = 0; i < 3 && status == BASE_OK; ++i) {
    status = base_json_get_text(json, keys[i], path, &texts[i]);
  }
  if (status != BASE_OK) {
    return status;
  }
  *figure = (struct bench_figure){.id = texts[0],
                                  .title = texts[1],
                                  .caption = texts[2],
                                  .path = path,
                                  .json = json,
                                  .owner = texts[0]};
  struct base_arena *arena = files_arena();
  if (strcmp(figure->id, base_name_clean(figure->id, arena)) != 0 || figure->id[0] == '.') {
    return base_fail(BASE_E_INPUT, "%s: key 'id': '%s' cannot name a file", path, figure->id);
  }
  const cJSON *timed = cJSON_GetObjectItemCaseSensitive(json, "timed");
  if (timed != NULL && !cJSON_IsBool(timed)) {
    return base_fail(BASE_E_INPUT, "%s: key 'timed': must be true or false", path);
  }
  figure->is_timed = cJSON_IsTrue(timed);
  if (cJSON_GetObjectItemCaseSensitive(json, "case") != NULL) {
    const char *name = NULL;
    status = base_json_get_text(json, "case", path, &name);
    figure->type =
        status == BASE_OK ? case_open(name, bench_suite_folder(path, arena), arena) : NULL;
    if (status == BASE_OK && figure->type == NULL) {
      base_message_prefix("%s: key 'case': ", path);
      status = BASE_E_INPUT;
    }
  }
  return status;
}

/* Its cells, or those of the figure that it names in their place. */
static int find_runs(struct bench_figure *figure, int depth) {
  const cJSON *runs = cJSON_GetObjectItemCaseSensitive(figure->json, "runs");
  if (runs == NULL || cJSON_IsArray(runs)) {
    figure->runs = runs;
    return BASE_OK;
  }
  if (!cJSON_IsString(runs) || figure->type == NULL || depth == 0) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'runs': must be a list of cells, or the id of another figure of the "
                     "case",
                     figure->path);
  }
  struct base_arena *arena = files_arena();
  const char *path =
      base_data_path(arena, base_arena_printf(arena, "cases/%s/figures/%s.json", figure->type->name,
                                              runs->valuestring));
  cJSON *json = path != NULL ? base_json_read_regular(path) : NULL;
  struct bench_figure other;
  int status = json != NULL ? read_head(json, path, &other) : BASE_E_INPUT;
  status = status != BASE_OK ? status : find_runs(&other, depth - 1);
  if (status != BASE_OK) {
    base_message_prefix("%s: key 'runs': ", figure->path);
    cJSON_Delete(json);
    return status;
  }
  figure->runs = other.runs;
  figure->owner = other.owner;
  return BASE_OK;
}

static int read_file(const char *path, struct bench_figure *figure) {
  cJSON *json = base_json_read_regular(path);
  int status = json != NULL ? read_head(json, path, figure) : BASE_E_INPUT;
  status = status != BASE_OK ? status : find_runs(figure, 1);
  if (status != BASE_OK) {
    cJSON_Delete(json);
  }
  return status;
}

static int by_number(const void *a, const void *b) {
  return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Ids of the figures in a folder, in the order of the numbers in them. */
static int list_ids(const char *folder, struct base_arena *arena, const char **ids) {
  struct dirent **entries = NULL;
  const int n = scandir(folder, &entries, base_json_is_name, alphasort);
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    const char *name = entries[i]->d_name;
    if (kept < FIGURES_MAX) {
      ids[kept++] = base_arena_printf(arena, "%.*s", (int)strlen(name) - 5, name);
    }
    free(entries[i]);
  }
  free(entries);
  qsort(ids, (size_t)kept, sizeof *ids, by_number);
  return kept;
}

struct all {
  int n;
  struct bench_figure *figures;
};

/* All of a folder below the program's data; type: whose they are, NULL: they are studies. */
static int read_place(const char *place, const struct case_type *type, struct all *all) {
  struct base_arena *arena = files_arena();
  const char **ids = base_arena_array(arena, FIGURES_MAX, 1, sizeof *ids);
  const char *folder = base_data_path(arena, place);
  const int n = folder != NULL ? list_ids(folder, arena, ids) : 0;
  for (int i = 0; i < n && all->n < FIGURES_MAX; ++i) {
    const char *path = base_arena_printf(arena, "%s/%s.json", folder, ids[i]);
    struct bench_figure *figure = &all->figures[all->n];
    const int status = read_file(path, figure);
    if (status != BASE_OK) {
      return status;
    }
    if (strcmp(figure->id, ids[i]) != 0 || figure->type != type) {
      return base_fail(BASE_E_INPUT, "%s: key '%s': must be '%s', as the file lies", path,
                       figure->type != type ? "case" : "id",
                       figure->type == type ? ids[i]
                       : type != NULL       ? type->name
                                            : "none");
    }
    if ((figure->runs == NULL) != (type == NULL)) {
      return base_fail(BASE_E_INPUT, "%s: key 'runs': %s", path,
                       type == NULL ? "a study has none" : "is missing");
    }
    ++all->n;
  }
  return BASE_OK;
}

const struct bench_figure *bench_figures(int *n) {
  static _Thread_local struct all all;
  if (all.figures == NULL) {
    all.figures = base_arena_array(files_arena(), FIGURES_MAX, 1, sizeof *all.figures);
    all.n = 0;
    for (int i = 0; i < case_count(); ++i) {
      const char *place = base_arena_printf(files_arena(), "cases/%s/figures", case_get(i)->name);
      if (read_place(place, case_get(i), &all) != BASE_OK) {
        all.figures = NULL;
        return NULL;
      }
    }
  }
  *n = all.n;
  return all.figures;
}

const struct bench_figure *bench_studies(int *n) {
  static _Thread_local struct all all;
  if (all.figures == NULL) {
    all.figures = base_arena_array(files_arena(), FIGURES_MAX, 1, sizeof *all.figures);
    all.n = 0;
    if (read_place("scripts/plot/studies", NULL, &all) != BASE_OK) {
      all.figures = NULL;
      return NULL;
    }
  }
  *n = all.n;
  return all.figures;
}

int bench_figure_is_known(const struct bench_figure *figure) {
  int n = 0;
  const struct bench_figure *all = figure->runs != NULL ? bench_figures(&n) : bench_studies(&n);
  int i = 0;
  while (i < n && strcmp(all[i].path, figure->path) != 0) {
    ++i;
  }
  return i < n;
}

/* Where the file of a figure is: below a folder, or where a suite's copy keeps it. */
static const char *place_of(const char *name, const char *beside, struct base_arena *arena) {
  const char *slash = strrchr(name, '/');
  if (beside == NULL || name[0] == '/') {
    return base_arena_copy(arena, name);
  }
  const char *kept = base_arena_printf(arena, "%s/" BENCH_SUITE_FILES "/%s", beside,
                                       slash != NULL ? slash + 1 : name);
  const char *path = base_arena_printf(arena, "%s/%s", beside, name);
  return access(path, F_OK) != 0 && access(kept, F_OK) == 0 ? kept : path;
}

/* By its path, or by its id among n. */
static const struct bench_figure *find(const char *kind, const char *name, const char *beside,
                                       const struct bench_figure *all, int n) {
  struct base_arena *arena = files_arena();
  if (case_is_file(name)) {
    const char *path = place_of(name, beside, arena);
    struct bench_figure *figure = base_arena_push(arena, sizeof *figure);
    return read_file(path, figure) == BASE_OK ? figure : NULL;
  }
  const char **ids = base_arena_array(arena, (size_t)n + 1, 1, sizeof *ids);
  for (int i = 0; i < n; ++i) {
    ids[i] = all[i].id;
  }
  const int at = all != NULL ? base_name_find(kind, name, n, ids) : -1;
  return at >= 0 ? &all[at] : NULL;
}

const struct bench_figure *bench_figure_find(const char *name, const char *beside) {
  int n = 0;
  const struct bench_figure *all = case_is_file(name) ? NULL : bench_figures(&n);
  return find("figure", name, beside, all, n);
}

const struct bench_figure *bench_study_find(const char *name, const char *beside) {
  int n = 0;
  const struct bench_figure *all = case_is_file(name) ? NULL : bench_studies(&n);
  const struct bench_figure *study = find("study", name, beside, all, n);
  if (study != NULL && study->runs != NULL) {
    base_fail(BASE_E_INPUT, "%s has runs; name it in 'figures'", name);
    return NULL;
  }
  return study;
}

int bench_study_has_gaps(const struct bench_figure *study) {
  char *text = cJSON_PrintUnformatted(study->json);
  const int has = strstr(text, "{x}") != NULL || strstr(text, "{y}") != NULL;
  cJSON_free(text);
  return has;
}

/* The study with words in its gaps, called after them. */
static const struct bench_figure *fill(const struct bench_figure *study, const char *x,
                                       const char *y) {
  struct base_arena *arena = files_arena();
  struct bench_figure *filled = base_arena_push(arena, sizeof *filled);
  cJSON *json = cJSON_Duplicate(study->json, 1);
  struct bench_place words = {0};
  bench_place_add(&words, "x", base_arena_copy(arena, x), arena);
  bench_place_add(&words, "y", base_arena_copy(arena, y), arena);
  bench_over_fill(json, &words, arena);
  *filled = *study;
  filled->json = json;
  filled->id = base_name_clean(base_arena_printf(arena, "%s-%s-%s", study->id, y, x), arena);
  filled->title = base_json_text_at(json, "title");
  filled->caption = base_json_text_at(json, "caption");
  return filled;
}

const struct bench_figure *bench_study_asked(const cJSON *item, const char *beside) {
  const int has_words = cJSON_IsObject(item);
  const char *name = has_words ? base_json_text_at(item, "study") : item->valuestring;
  const struct bench_figure *study = bench_study_find(name, beside);
  if (study == NULL || (!has_words && !bench_study_has_gaps(study))) {
    return study;
  }
  if (has_words && bench_study_has_gaps(study)) {
    return fill(study, base_json_text_at(item, "x"), base_json_text_at(item, "y"));
  }
  base_fail(BASE_E_INPUT,
            has_words ? "'%s' takes no \"x\" and \"y\""
                      : "'%s' wants {\"study\": ..., \"x\": ..., \"y\": ...}",
            name);
  return NULL;
}

/* ---- runs ---- */

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
  const char *label;
  int status = base_json_get_text(r->group, "label", b->file, &label);
  if (status == BASE_OK && cJSON_GetObjectItemCaseSensitive(r->group, "record") != NULL) {
    return read_kept(r);
  }
  if (status != BASE_OK) {
    return status;
  }
  cJSON *group = cJSON_Duplicate(r->group, 1);
  if (!cJSON_HasObjectItem(group, "case") && r->figure->type != NULL) {
    const struct case_type *type = r->figure->type;
    cJSON_AddStringToObject(group, "case", type->path != NULL ? type->path : type->name);
  }
  status = base_keys_check(&bench_cell_keys, group, r->figure->path,
                           base_arena_printf(r->arena, "runs[%d]", r->cell), 0);
  status = status != BASE_OK ? status : bench_cells_group(b, group, group);
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
