/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a folder and all folders below it: runs, solutions of one-step problems, figures.
 * Hidden files and links to folders are left out. Partners are found by name, what remains by the
 * cell of the suite that it says it is of.
 */
#include "bench/compare/compare.h"

#include <cjson/cJSON.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/record/record.h"

/* ---- folders ---- */

static int is_hidden(const FTSENT *entry) {
  return entry->fts_level > FTS_ROOTLEVEL && entry->fts_name[0] == '.';
}

static int is_json(const FTSENT *entry) {
  static const char end[] = ".json";
  const size_t n = entry->fts_namelen, m = strlen(end);
  return (entry->fts_info == FTS_F || entry->fts_info == FTS_SL ||
          entry->fts_info == FTS_DEFAULT) &&
         n > m && strcmp(entry->fts_name + n - m, end) == 0;
}

static void add_name(struct base_arena *arena, struct compare_list *list, const char *name) {
  if ((list->n & (list->n - 1)) == 0) { /* a power of two: the list is full */
    const char **grown = base_arena_push(arena, (2 * (size_t)list->n + 1) * sizeof *grown);
    for (int i = 0; i < list->n; ++i) {
      grown[i] = list->names[i];
    }
    list->names = grown;
  }
  list->names[list->n++] = base_arena_copy(arena, name);
}

int compare_list_read(const char *path, struct base_arena *arena, struct compare_list *list) {
  struct stat info;
  *list = (struct compare_list){.folder = path};
  if (stat(path, &info) != 0) {
    return base_fail(BASE_E_IO, "%s: no such file or folder", path);
  }
  if (!S_ISDIR(info.st_mode)) {
    list->is_file = 1;
    add_name(arena, list, "");
    return BASE_OK;
  }
  char *const roots[] = {base_arena_copy(arena, path), NULL};
  FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
  int status = tree != NULL ? BASE_OK : base_fail(BASE_E_IO, "%s: cannot read the folder", path);
  for (FTSENT *entry; status == BASE_OK && (entry = fts_read(tree)) != NULL;) {
    if (entry->fts_info == FTS_DNR) {
      status = base_fail(BASE_E_IO, "%s: cannot read the folder", entry->fts_path);
    } else if (is_hidden(entry)) {
      fts_set(tree, entry, FTS_SKIP);
    } else if (is_json(entry)) {
      const char *name = entry->fts_path + strlen(path);
      add_name(arena, list, name + strspn(name, "/"));
    }
  }
  if (tree != NULL) {
    fts_close(tree);
  }
  base_names_sort(list->n, list->names);
  return status;
}

/* ---- reading ---- */

static int is_record(const cJSON *json) {
  static const char *const schemas[] = {"coulombench.result/", "coulombench.solution/",
                                        "coulombench.figure/"};
  const char *schema = base_json_text_at(json, "schema");
  for (size_t i = 0; i < sizeof schemas / sizeof *schemas; ++i) {
    if (strncmp(schema, schemas[i], strlen(schemas[i])) == 0) {
      return 1;
    }
  }
  return 0;
}

const char *compare_path(const struct compare_list *list, int i, struct base_arena *arena) {
  return base_arena_printf(arena, "%s%s%s", list->folder, list->is_file ? "" : "/", list->names[i]);
}

int compare_read(const struct compare_list *list, int i, cJSON **record) {
  struct base_arena *scratch = base_arena_alloc();
  const char *path = compare_path(list, i, scratch);
  cJSON *json = list->is_file ? base_json_read(path) : base_json_read_regular(path);
  int status = json != NULL ? BASE_OK : BASE_E_INPUT;
  if (json != NULL && bench_record_is_of_other_version(json)) {
    status = bench_record_expect(json, path);
    cJSON_Delete(json);
    json = NULL;
  }
  if (json != NULL && !is_record(json)) {
    base_fail(BASE_OK,
              "%s: key 'schema': '%s' is not that of a record (" BENCH_RESULT_SCHEMA ", "
              "solution/1, figure/2)",
              path, base_json_text_at(json, "schema"));
    cJSON_Delete(json);
    json = NULL;
  }
  *record = json;
  base_arena_free(scratch);
  return status;
}

/* ---- partners ---- */

/* The cell that a record says it is of, as text; NULL: of none. */
static const char *cell_of(const struct compare_list *list, int i, struct base_arena *arena) {
  cJSON *record = NULL;
  compare_read(list, i, &record);
  char *text = cJSON_PrintUnformatted(base_json_at(record, "cell"));
  const char *cell = text != NULL ? base_arena_copy(arena, text) : NULL;
  free(text);
  cJSON_Delete(record);
  return cell;
}

int *compare_match(const struct compare_list *a, const struct compare_list *b,
                   struct base_arena *arena) {
  int *partner = base_arena_ints(arena, a->n), *left = base_arena_ints(arena, b->n), n_left = 0;
  const char **cell = base_arena_push(arena, (size_t)b->n * sizeof *cell);
  for (int i = 0, j = 0; i < a->n || j < b->n;) {
    const int order = i == a->n ? 1 : j == b->n ? -1 : strcmp(a->names[i], b->names[j]);
    if (order > 0) {
      cell[n_left] = cell_of(b, j, arena);
      left[n_left++] = j;
    } else {
      partner[i] = order == 0 ? j : -1;
    }
    i += order <= 0;
    j += order >= 0;
  }
  for (int i = 0; i < a->n; ++i) {
    const char *own = partner[i] < 0 && n_left > 0 ? cell_of(a, i, arena) : NULL;
    for (int k = 0; own != NULL && k < n_left && partner[i] < 0; ++k) {
      if (cell[k] != NULL && strcmp(cell[k], own) == 0) {
        partner[i] = left[k];
        cell[k] = NULL;
      }
    }
  }
  return partner;
}
