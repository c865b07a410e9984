/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures by place and name; see figures.h.
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
#include "bench/suite/keys.h"
#include "bench/suite/over.h"

enum { FIGURES_MAX = 1024 };

/* What has been read stays: figures are named by what points into it. */
static struct base_arena *files_arena(void) {
  static _Thread_local struct base_arena *arena;
  if (arena == NULL) {
    arena = base_arena_alloc();
  }
  return arena;
}

/* So do the files themselves, in one list, where tools that look for lost memory find them. */
static void keep(cJSON *json) {
  static _Thread_local cJSON *files;
  files = files != NULL ? files : cJSON_CreateArray();
  cJSON_AddItemToArray(files, json);
}

/* What a checked file says of itself. */
static int read_head(const cJSON *json, const char *path, struct bench_figure *figure) {
  *figure = (struct bench_figure){
      .id = base_json_text_at(json, "id"),
      .title = base_json_text_at(json, "title"),
      .caption = base_json_text_at(json, "caption"),
      .path = path,
      .json = json,
      .owner = base_json_text_at(json, "id"),
      .is_timed = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "timed"))};
  const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "case"));
  if (name != NULL) {
    figure->type = case_open(name, bench_suite_folder(path, files_arena()), files_arena());
    if (figure->type == NULL) {
      base_message_prefix("%s: case: ", path);
      return BASE_E_INPUT;
    }
  }
  return BASE_OK;
}

static int read_file(const char *path, int depth, struct bench_figure *figure);

/* Its cells, or those of the figure that it names in their place. */
static int find_runs(struct bench_figure *figure, int depth) {
  const cJSON *runs = cJSON_GetObjectItemCaseSensitive(figure->json, "runs");
  if (runs == NULL || cJSON_IsArray(runs)) {
    figure->runs = runs;
    return BASE_OK;
  }
  if (figure->type == NULL || depth == 0) {
    return base_fail(BASE_E_INPUT, "%s: runs: %s", figure->path,
                     depth == 0 ? "are another figure's in turn"
                                : "must be a list of cells, or name a figure of the 'case'");
  }
  struct base_arena *arena = files_arena();
  const char *path =
      base_data_path(arena, base_arena_printf(arena, "cases/%s/figures/%s.json", figure->type->name,
                                              runs->valuestring));
  struct bench_figure other;
  if (path == NULL || read_file(path, depth - 1, &other) != BASE_OK) {
    base_message_prefix("%s: runs: ", figure->path);
    return BASE_E_INPUT;
  }
  figure->runs = other.runs;
  figure->owner = other.owner;
  return BASE_OK;
}

static int read_file(const char *path, int depth, struct bench_figure *figure) {
  cJSON *json = base_json_read_regular(path);
  int status =
      json != NULL ? base_json_expect_schema(json, path, BENCH_FIGURE_FILE_SCHEMA) : BASE_E_INPUT;
  status = status != BASE_OK ? status : base_keys_check(&bench_figure_keys, json, path, "", 0);
  status = status != BASE_OK ? status : read_head(json, path, figure);
  status = status != BASE_OK ? status : find_runs(figure, depth);
  if (status == BASE_OK) {
    keep(json);
  } else {
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
    const int status = read_file(path, 1, figure);
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

static int read_figures(struct all *all) {
  int status = BASE_OK;
  for (int i = 0; i < case_count() && status == BASE_OK; ++i) {
    const char *place = base_arena_printf(files_arena(), "cases/%s/figures", case_get(i)->name);
    status = read_place(place, case_get(i), all);
  }
  return status;
}

static int read_studies(struct all *all) { return read_place("scripts/plot/studies", NULL, all); }

/* What a list holds, read when it is first asked for; NULL where it cannot be. */
static const struct bench_figure *read_once(struct all *all, int (*read)(struct all *all), int *n) {
  if (all->figures == NULL) {
    all->figures = base_arena_array(files_arena(), FIGURES_MAX, 1, sizeof *all->figures);
    all->n = 0;
    all->figures = read(all) == BASE_OK ? all->figures : NULL;
  }
  *n = all->figures != NULL ? all->n : *n;
  return all->figures;
}

const struct bench_figure *bench_figures(int *n) {
  static _Thread_local struct all all;
  return read_once(&all, read_figures, n);
}

const struct bench_figure *bench_studies(int *n) {
  static _Thread_local struct all all;
  return read_once(&all, read_studies, n);
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

/* The number of an id among n figures and then n_studies studies; -1 with a message, about a
 * `kind`. */
static int find_id(const char *kind, const char *name, int n, const struct bench_figure *figures,
                   int n_studies, const struct bench_figure *studies) {
  const char **ids = base_arena_array(files_arena(), (size_t)(n + n_studies) + 1, 1, sizeof *ids);
  for (int i = 0; i < n + n_studies; ++i) {
    ids[i] = i < n ? figures[i].id : studies[i - n].id;
  }
  return base_name_find(kind, name, n + n_studies, ids);
}

const struct bench_figure *bench_figure_find(const char *name, const char *beside) {
  struct base_arena *arena = files_arena();
  int n = 0, n_studies = 0;
  if (case_is_file(name)) {
    const char *path = place_of(name, beside, arena);
    struct bench_figure *figure = base_arena_push(arena, sizeof *figure);
    return read_file(path, 1, figure) == BASE_OK ? figure : NULL;
  }
  const struct bench_figure *figures = bench_figures(&n), *studies = bench_studies(&n_studies);
  if (figures == NULL || studies == NULL) {
    return NULL;
  }
  const int at = find_id("figure", name, n, figures, n_studies, studies);
  return at < 0 ? NULL : at < n ? &figures[at] : &studies[at - n];
}

const struct bench_figure *bench_figure_find_for(const char *name, const char *beside,
                                                 int is_study) {
  int n = 0;
  const struct bench_figure *figure = bench_figure_find(name, beside);
  if (figure != NULL && (figure->runs == NULL) != is_study) {
    base_fail(BASE_E_INPUT, "%s %s", name,
              is_study ? "has runs; name it in 'figures'"
                       : "is a study, which has no runs; name it in 'studies'");
    return NULL;
  }
  if (figure == NULL && !case_is_file(name)) { /* the names of the kind alone are near */
    const struct bench_figure *all = is_study ? bench_studies(&n) : bench_figures(&n);
    if (all != NULL) {
      find_id(is_study ? "study" : "figure", name, n, all, 0, NULL);
    }
  }
  return figure;
}

/* ---- gaps of studies ---- */

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
  keep(json);
  *filled = *study;
  filled->json = json;
  filled->id = base_name_clean(base_arena_printf(arena, "%s-%s-%s", study->id, y, x), arena);
  filled->words = filled->id + strlen(study->id);
  filled->title = base_json_text_at(json, "title");
  filled->caption = base_json_text_at(json, "caption");
  return filled;
}

const struct bench_figure *bench_study_asked(const struct bench_figure *study, const cJSON *words) {
  const int has_gaps = bench_study_has_gaps(study);
  if (has_gaps && words != NULL) {
    return fill(study, base_json_text_at(words, "x"), base_json_text_at(words, "y"));
  }
  if (has_gaps || words != NULL) {
    base_fail(BASE_E_INPUT,
              has_gaps ? "'%s' wants {\"study\": ..., \"x\": ..., \"y\": ...}"
                       : "'%s' takes no \"x\" and \"y\"",
              study->id);
    return NULL;
  }
  return study;
}
