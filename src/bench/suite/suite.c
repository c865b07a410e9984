/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites, read and expanded into cells (cells.c), figures with their runs, and studies; see
 * suite.h.
 */
#include "bench/suite/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/suite/cells.h"
#include "bench/suite/figures.h"
#include "bench/suite/keys.h"

enum { FIGURES_MAX = 256 };

/* Say once a group where a label had to become another one. */
static void tell_labels(const struct bench_suite *suite, struct base_arena *arena) {
  const char *last = NULL;
  for (int i = 0; i < suite->n; ++i) {
    const struct bench_cell *cell = &suite->cells[i];
    if (cell->given_label != last && cell->place.label != NULL &&
        strcmp(cell->given_label, cell->place.label) != 0) {
      fprintf(stderr, "%s: key 'label': '%s' stands as '%s' in names of records\n",
              base_text_clean(suite->path, arena), base_text_clean(cell->given_label, arena),
              cell->place.label);
    }
    last = cell->given_label;
  }
}

/* Is there a cell of this figure? */
static int has_runs_of(const struct bench_suite *suite, const char *id) {
  int found = 0;
  for (int i = 0; i < suite->n && !found; ++i) {
    found = suite->cells[i].place.figure != NULL && strcmp(suite->cells[i].place.figure, id) == 0;
  }
  return found;
}

static int add_figure(struct bench_builder *b, const struct bench_figure *figure) {
  struct bench_suite *suite = b->suite;
  struct bench_figure_run *runs;
  int n = 0;
  int status = bench_figure_runs(figure, b->time_limit, b->repeat, b->arena, &n, &runs);
  const int is_new = !has_runs_of(suite, figure->owner);
  for (int i = 0; i < n && is_new && status == BASE_OK; ++i) {
    status = runs[i].run.record[0] == '\0' ? bench_cells_add(b, &runs[i].cell) : BASE_OK;
  }
  if (status == BASE_OK && suite->n_figures == FIGURES_MAX) {
    return base_fail(BASE_E_INPUT, "%s: more than %d figures", b->file, FIGURES_MAX);
  }
  suite->figures[suite->n_figures++] = figure;
  return status;
}

/* A figure, or a study, that a suite names under a key; paths are relative to the suite. */
static const struct bench_figure *find_figure(struct bench_builder *b, const char *name,
                                              const char *key, int is_study) {
  const struct bench_figure *figure =
      bench_figure_find_for(name, bench_suite_folder(b->file, b->arena), is_study);
  if (figure == NULL) {
    base_message_prefix("%s: %s: ", b->file, key);
  }
  return figure;
}

static int is_left_out(const struct bench_suite *suite, const struct bench_figure *figure) {
  int found = 0;
  for (int i = 0; i < suite->n_left_out; ++i) {
    found |= suite->left_out[i] == figure;
  }
  return found;
}

/* Figures that "except" leaves out of all. */
static int leave_out(struct bench_builder *b, const cJSON *except, int is_all) {
  const cJSON *item;
  if (except != NULL && !is_all) {
    return base_fail(BASE_E_INPUT, "%s: except: goes with \"figures\": \"all\"", b->file);
  }
  b->suite->left_out = base_arena_push(b->arena, ((size_t)cJSON_GetArraySize(except) + 1) *
                                                     sizeof(const struct bench_figure *));
  cJSON_ArrayForEach(item, except) {
    const struct bench_figure *figure = find_figure(b, item->valuestring, "except", 0);
    if (figure == NULL) {
      return BASE_E_INPUT;
    }
    b->suite->left_out[b->suite->n_left_out++] = figure;
  }
  return BASE_OK;
}

static int add_figures(struct bench_builder *b, const cJSON *file) {
  const cJSON *figures = cJSON_GetObjectItemCaseSensitive(file, "figures");
  const int is_all = cJSON_IsString(figures) && strcmp(figures->valuestring, "all") == 0;
  int status = leave_out(b, cJSON_GetObjectItemCaseSensitive(file, "except"), is_all);
  if (status != BASE_OK) {
    return status;
  }
  b->suite->figures = base_arena_push(b->arena, FIGURES_MAX * sizeof(const struct bench_figure *));
  if (figures == NULL || (cJSON_IsString(figures) && !is_all)) {
    return BASE_OK;
  }
  if (is_all) {
    int n = 0;
    const struct bench_figure *all = bench_figures(&n);
    status = all != NULL ? BASE_OK : BASE_E_INPUT;
    for (int i = 0; i < n && status == BASE_OK; ++i) {
      status = is_left_out(b->suite, &all[i]) ? BASE_OK : add_figure(b, &all[i]);
    }
    return status;
  }
  const cJSON *item;
  cJSON_ArrayForEach(item, figures) {
    const struct bench_figure *figure =
        status == BASE_OK ? find_figure(b, item->valuestring, "figures", 0) : NULL;
    status = figure != NULL ? add_figure(b, figure) : status != BASE_OK ? status : BASE_E_INPUT;
  }
  return status;
}

static int add_study(struct bench_builder *b, const cJSON *item) {
  struct bench_suite *suite = b->suite;
  const int has_words = cJSON_IsObject(item);
  const char *name = has_words ? base_json_text_at(item, "study") : item->valuestring;
  const struct bench_figure *found = find_figure(b, name, "studies", 1);
  if (found == NULL) {
    return BASE_E_INPUT;
  }
  const struct bench_figure *study = bench_study_asked(found, has_words ? item : NULL);
  if (study == NULL) {
    base_message_prefix("%s: studies: ", b->file);
    return BASE_E_INPUT;
  }
  for (int i = 0; i < suite->n_studies; ++i) {
    if (strcmp(suite->studies[i]->id, study->id) == 0) {
      return base_fail(BASE_E_INPUT, "%s: studies: '%s' twice", b->file, study->id);
    }
  }
  suite->studies = base_arena_more(b->arena, suite->studies, suite->n_studies, sizeof(void *));
  suite->studies[suite->n_studies++] = study;
  return BASE_OK;
}

static int add_studies(struct bench_builder *b, const cJSON *file) {
  const cJSON *studies = cJSON_GetObjectItemCaseSensitive(file, "studies"), *item;
  int status = BASE_OK;
  cJSON_ArrayForEach(item, studies) { status = status != BASE_OK ? status : add_study(b, item); }
  return status;
}

static int add_cells(struct bench_builder *b, const cJSON *file) {
  const cJSON *groups = cJSON_GetObjectItemCaseSensitive(file, "cells"), *group;
  int status = BASE_OK;
  cJSON_ArrayForEach(group, groups) {
    status = status != BASE_OK ? status : bench_cells_group(b, groups, group);
  }
  return status;
}

static const char *path_of(const char *name, struct base_arena *arena) {
  return base_data_path(arena, base_arena_printf(arena, "cases/suites/%s.json", name));
}

/* Cells and studies of the suite that this one extends, under this one's name and limits. */
static int extend(struct bench_builder *b, const cJSON *file) {
  const char *name = base_json_text_at(file, "extends"), *own = b->file;
  if (name[0] == '\0') {
    return BASE_OK;
  }
  const char *path = path_of(name, b->arena);
  if (path == NULL) {
    return base_fail(BASE_E_INPUT, "%s: extends: no suite of the program's is named '%s'", own,
                     base_text_clean(name, b->arena));
  }
  cJSON *base = base_json_read_regular(path);
  if (base == NULL) {
    return BASE_E_INPUT;
  }
  b->file = path;
  if (b->is_outline) {
    cJSON_DeleteItemFromObjectCaseSensitive(base, "cells");
  }
  int status = base_keys_check(&bench_suite_keys, base, path, "", 0);
  if (status == BASE_OK && base_json_text_at(base, "extends")[0] != '\0') {
    status = base_fail(BASE_E_INPUT, "%s: extends: '%s' extends another suite itself", own, name);
  }
  status = status != BASE_OK ? status : add_cells(b, base);
  status = status != BASE_OK ? status : add_studies(b, base);
  b->file = own;
  cJSON_Delete(base);
  return status;
}

static int expand(struct bench_builder *b, cJSON *file) {
  if (b->is_outline) {
    cJSON_DeleteItemFromObjectCaseSensitive(file, "cells");
  }
  int status = base_keys_check(&bench_suite_keys, file, b->file, "", 0);
  if (status != BASE_OK) {
    return status;
  }
  const char *text = base_json_text_at(file, "name");
  b->suite->name = base_name_clean(text, b->arena); /* also names a folder */
  if (text[0] == '\0' || text[0] == '.' || strlen(text) > BENCH_ID_MAX) {
    return base_fail(BASE_E_INPUT, "%s: name: '%s' cannot name a folder", b->file, text);
  }
  b->suite->title = base_arena_copy(b->arena, base_json_text_at(file, "title"));
  bench_cells_real(file, "time_limit", &b->time_limit);
  bench_cells_real(file, "cost", &b->suite->cost);
  bench_cells_count(file, "repeat", &b->repeat);
  b->defaults = cJSON_GetObjectItemCaseSensitive(file, "defaults");
  status = bench_cells_check_defaults(b);
  status = status != BASE_OK ? status : extend(b, file);
  status = status != BASE_OK ? status : add_cells(b, file);
  status = status != BASE_OK ? status : add_figures(b, file);
  status = status != BASE_OK ? status : add_studies(b, file);
  return status != BASE_OK ? status : bench_cells_check_names(b);
}

/* From suite->path. */
static int load(struct bench_suite *suite, int is_outline, struct base_arena *arena) {
  const char *path = suite->path;
  *suite = (struct bench_suite){.path = path};
  cJSON *file = base_json_read_regular(path);
  if (file == NULL) {
    return BASE_E_INPUT;
  }
  struct bench_builder b = {.suite = suite, .arena = arena, .file = path, .is_outline = is_outline};
  const int status = expand(&b, file);
  cJSON_Delete(file);
  return status;
}

/* A copy, left as it is where it is the same. */
static int copy_file(const char *from, const char *to) {
  char *text = NULL, *old = NULL;
  size_t size = 0, old_size = 0;
  int status = base_file_read(from, &text, &size);
  const int is_same = status == BASE_OK && base_file_read(to, &old, &old_size) == BASE_OK &&
                      old_size == size && memcmp(old, text, size) == 0;
  if (status == BASE_OK && !is_same) {
    status = base_file_write(to, text, size);
  }
  free(text);
  free(old);
  return status;
}

/* Figures and studies that are named by their path, which leads elsewhere from the copy. */
static int keep_files(int n, const struct bench_figure *const *figures, const char *folder,
                      struct base_arena *arena) {
  int status = BASE_OK;
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    const char *path = figures[i]->path, *slash = strrchr(path, '/');
    if (!bench_figure_is_known(figures[i])) {
      status = base_file_make_folder(base_arena_printf(arena, "%s/" BENCH_SUITE_FILES, folder));
      status = status != BASE_OK
                   ? status
                   : copy_file(path, base_arena_printf(arena, "%s/" BENCH_SUITE_FILES "/%s", folder,
                                                       slash != NULL ? slash + 1 : path));
    }
  }
  return status;
}

int bench_suite_keep(const struct bench_suite *suite, const char *folder,
                     struct base_arena *arena) {
  int status = copy_file(suite->path, base_arena_printf(arena, "%s/" BENCH_SUITE_KEPT, folder));
  status = status != BASE_OK ? status : keep_files(suite->n_figures, suite->figures, folder, arena);
  return status != BASE_OK ? status : keep_files(suite->n_studies, suite->studies, folder, arena);
}

int bench_suite_load_kept(const char *folder, struct base_arena *arena, struct bench_suite *suite,
                          int *found) {
  suite->path = base_arena_printf(arena, "%s/" BENCH_SUITE_KEPT, folder);
  *found = access(suite->path, F_OK) == 0;
  if (!*found || load(suite, 0, arena) == BASE_OK) {
    return BASE_OK;
  }
  const char *reason = base_arena_copy(arena, base_message());
  const int status = load(suite, 1, arena);
  if (status == BASE_OK) {
    fprintf(stderr, "%s: its cells are not counted\n", base_text_clean(reason, arena));
  }
  return status;
}

int bench_suite_load(const char *name, struct base_arena *arena, struct bench_suite *suite) {
  *suite = (struct bench_suite){0};
  suite->path = name;
  if (!case_is_file(name)) {
    suite->path = path_of(name, arena);
    if (suite->path == NULL) {
      return base_fail(
          BASE_E_INPUT,
          "unknown suite '%s': give default, quick, medium, full, paper or the name of "
          "a .json file",
          name);
    }
  }
  const int status = load(suite, 0, arena);
  if (status == BASE_OK) {
    tell_labels(suite, arena);
  }
  return status;
}

double bench_cell_seconds(const struct bench_cell *cell) {
  return cell->solve != NULL ? 0.05 : 0.01 + 3e-6 * cell->work;
}

/* Cells by what they take, the longest first; equals as in the suite. */
struct costly {
  double seconds;
  int cell;
};
static int compare_costs(const void *a, const void *b) {
  const struct costly *x = a, *y = b;
  return x->seconds != y->seconds ? (x->seconds < y->seconds) - (x->seconds > y->seconds)
                                  : (x->cell > y->cell) - (x->cell < y->cell);
}

/* Each cell in turn to the part that has least to do so far: every program that shares the suite
 * finds the same parts, whose times differ by no more than the longest cell's. */
int bench_suite_shard(struct bench_suite *suite, int i, int n, struct base_arena *arena) {
  if (n < 1 || i < 1 || i > n) {
    return base_fail(BASE_E_INPUT, "shard %d/%d: must be I/N with 1 <= I <= N", i, n);
  }
  struct costly *order = base_arena_push(arena, (size_t)suite->n * sizeof *order);
  double *taken = base_arena_doubles(arena, n);
  int *part = base_arena_ints(arena, suite->n);
  for (int k = 0; k < suite->n; ++k) {
    order[k] = (struct costly){bench_cell_seconds(&suite->cells[k]), k};
  }
  qsort(order, (size_t)suite->n, sizeof *order, compare_costs);
  for (int k = 0; k < suite->n; ++k) {
    int least = 0;
    for (int p = 1; p < n; ++p) {
      least = taken[p] < taken[least] ? p : least;
    }
    taken[least] += order[k].seconds;
    part[order[k].cell] = least + 1;
  }
  int kept = 0;
  for (int k = 0; k < suite->n; ++k) {
    if (part[k] == i) {
      suite->cells[kept++] = suite->cells[k];
    }
  }
  suite->n = kept;
  suite->is_shard = suite->is_shard || n > 1;
  return BASE_OK;
}
