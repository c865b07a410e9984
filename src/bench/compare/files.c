/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a folder and all folders below it: runs, solutions of one-step problems, figures,
 * and the tables figures are drawn from, which are read as records too:
 *   { schema: coulombench.table, blocks[{"<column> <name>": [values]}] }, NaN as null.
 * Hidden files and links to folders are left out. Partners are found by name; what remains by what
 * it is about, where that is said once on either side. Times are n log n in the number of files,
 * and a file is read once, those without a namesake twice.
 */
#include "bench/compare/compare.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/record/record.h"

enum { DEPTH_MAX = 8 };

/* ---- folders ---- */

static int ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n > m && strcmp(text + n - m, end) == 0;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

struct listing {
  struct base_arena *arena;
  struct compare_list *list;
  int capacity;
};

static void add_name(struct listing *l, const char *name) {
  if (l->list->n == l->capacity) {
    const int capacity = l->capacity > 0 ? 2 * l->capacity : 256;
    const char **grown = base_arena_push(l->arena, (size_t)capacity * sizeof *grown);
    for (int i = 0; i < l->list->n; ++i) {
      grown[i] = l->list->names[i];
    }
    l->list->names = grown;
    l->capacity = capacity;
  }
  l->list->names[l->list->n++] = name;
}

/* below: "" or "solve/". */
static int list_folder(struct listing *l, const char *below, int depth) {
  struct dirent **entries;
  const char *folder = base_arena_printf(l->arena, "%s/%s", l->list->folder, below);
  const int n = scandir(folder, &entries, is_visible, NULL);
  if (n < 0) {
    return base_fail(BASE_E_IO, "%s: cannot read the folder", folder);
  }
  int status = BASE_OK;
  for (int i = 0; i < n; ++i) {
    const char *name = base_arena_printf(l->arena, "%s%s", below, entries[i]->d_name);
    const char *path = base_arena_printf(l->arena, "%s/%s", l->list->folder, name);
    struct stat info;
    if (status == BASE_OK && lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
      status = depth < DEPTH_MAX
                   ? list_folder(l, base_arena_printf(l->arena, "%s/", name), depth + 1)
                   : BASE_OK;
    } else if (ends_with(name, ".json") || ends_with(name, ".dat")) {
      add_name(l, name);
    }
    free(entries[i]);
  }
  free(entries);
  return status;
}

int compare_list_read(const char *path, struct base_arena *arena, struct compare_list *list) {
  static const char *const itself = "";
  struct stat info;
  *list = (struct compare_list){.folder = path};
  if (stat(path, &info) != 0) {
    return base_fail(BASE_E_IO, "%s: no such file or folder", path);
  }
  if (!S_ISDIR(info.st_mode)) {
    list->is_file = list->n = 1;
    list->names = base_arena_push(arena, sizeof *list->names);
    list->names[0] = itself;
    return BASE_OK;
  }
  struct listing l = {.arena = arena, .list = list};
  const int status = list_folder(&l, "", 0);
  if (status == BASE_OK) {
    base_names_sort(list->n, list->names);
  }
  return status;
}

/* ---- reading ---- */

/* The columns' names behind "# " of a table: one key each, with its number, for names repeat. */
static void open_block(cJSON *blocks, char *names, cJSON **block) {
  *block = cJSON_CreateObject();
  cJSON_AddItemToArray(blocks, *block);
  int column = 1;
  for (char *next, *name = strtok_r(names, " ", &next); name != NULL;
       name = strtok_r(NULL, " ", &next)) {
    char key[200];
    snprintf(key, sizeof key, "%d %s", column++, name);
    cJSON_AddArrayToObject(*block, key);
  }
}

/* A row; its values beyond the named columns go to the last. 0 when it is none. */
static int add_row(const cJSON *block, const char *line) {
  cJSON *column = block != NULL ? block->child : NULL;
  for (const char *at = line + strspn(line, " \t"); *at != '\0'; at += strspn(at, " \t")) {
    char *end;
    const double x = strtod(at, &end);
    if (end == at || column == NULL) {
      return 0;
    }
    cJSON_AddItemToArray(column, isfinite(x) ? cJSON_CreateNumber(x) : cJSON_CreateNull());
    column = column->next != NULL ? column->next : column;
    at = end;
  }
  return 1;
}

static cJSON *read_table(const char *path) {
  char *text = NULL;
  size_t size = 0;
  if (base_file_read(path, &text, &size) != BASE_OK) {
    return NULL;
  }
  cJSON *table = cJSON_CreateObject(), *block = NULL;
  cJSON_AddStringToObject(table, "schema", "coulombench.table");
  cJSON *blocks = cJSON_AddArrayToObject(table, "blocks");
  int number = 0, good = 1;
  for (char *line = text, *next; line != NULL && good; line = next) {
    next = strchr(line, '\n');
    if (next != NULL) {
      *next++ = '\0';
    }
    ++number;
    if (line[0] == '#') {
      open_block(blocks, line + 1, &block);
    } else {
      good = add_row(block, line);
    }
  }
  free(text);
  if (!good) {
    base_fail(BASE_E_INPUT, "%s: not a table of numbers under '# names', line %d", path, number);
    cJSON_Delete(table);
    return NULL;
  }
  return table;
}

static int is_record(const cJSON *json) {
  static const char *const schemas[] = {"coulombench.result/", "coulombench.solution/",
                                        "coulombench.figure/", "coulombench.table"};
  const char *schema = base_json_text_at(json, "schema");
  for (size_t i = 0; i < sizeof schemas / sizeof *schemas; ++i) {
    if (strncmp(schema, schemas[i], strlen(schemas[i])) == 0) {
      return 1;
    }
  }
  return 0;
}

int compare_read(const struct compare_list *list, int i, cJSON **record) {
  char *path = base_memory_alloc(strlen(list->folder) + strlen(list->names[i]) + 2);
  sprintf(path, "%s%s%s", list->folder, list->is_file ? "" : "/", list->names[i]);
  cJSON *json = ends_with(path, ".dat") ? read_table(path)
                : list->is_file         ? base_json_read(path)
                                        : base_json_read_regular(path);
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
  free(path);
  return status;
}

/* ---- partners ---- */

/* What a record is about, as text to be freed by free(); NULL when it is none or says nothing. */
static char *identity_of(const struct compare_list *list, int i) {
  static const char *const keys[] = {"schema",
                                     "case.name",
                                     "case.parameters",
                                     "formulation.name",
                                     "formulation.options",
                                     "solver.name",
                                     "solver.options",
                                     "t_end",
                                     "timing.threads",
                                     "search.lo",
                                     "search.hi",
                                     "search.limit",
                                     "search.ratio",
                                     "threshold.parameter",
                                     "threshold.condition",
                                     "threshold.lo",
                                     "threshold.hi",
                                     "problem",
                                     "law",
                                     "id"};
  cJSON *record;
  if (compare_read(list, i, &record) != BASE_OK || record == NULL ||
      strcmp(base_json_text_at(record, "schema"), "coulombench.table") == 0) {
    cJSON_Delete(record);
    return NULL;
  }
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (size_t k = 0; k <= sizeof keys / sizeof *keys; ++k) {
    const int is_dt = k == sizeof keys / sizeof *keys;
    const char *key = is_dt ? "dt" : keys[k];
    const cJSON *value = base_json_at(record, key);
    const int is_found = is_dt && base_json_at(record, "search") != NULL; /* what a search gives */
    char *said = value != NULL && !is_found ? cJSON_PrintUnformatted(value) : NULL;
    fprintf(out, "%s\n", said != NULL ? said : "");
    free(said);
  }
  fclose(out);
  cJSON_Delete(record);
  return text;
}

struct nameless {
  char *identity;
  int side, index;
};

static int compare_identities(const void *a, const void *b) {
  const struct nameless *x = a, *y = b;
  const int order = strcmp(x->identity, y->identity);
  return order != 0 ? order : x->side != y->side ? x->side - y->side : x->index - y->index;
}

static void match_by_identity(struct nameless *left, int n, int *partner) {
  qsort(left, (size_t)n, sizeof *left, compare_identities);
  for (int i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && strcmp(left[i].identity, left[end].identity) == 0; ++end) {
    }
    if (end == i + 2 && left[i].side != left[i + 1].side) {
      partner[left[i].index] = left[i + 1].index;
    }
  }
}

int *compare_match(const struct compare_list *a, const struct compare_list *b,
                   struct base_arena *arena) {
  int *partner = base_arena_ints(arena, a->n), left = 0;
  struct nameless *nameless = base_arena_push(arena, (size_t)(a->n + b->n) * sizeof *nameless);
  for (int i = 0, j = 0; i < a->n || j < b->n;) {
    const int order = i == a->n ? 1 : j == b->n ? -1 : strcmp(a->names[i], b->names[j]);
    if (order == 0) {
      partner[i] = j;
    } else {
      const struct compare_list *list = order < 0 ? a : b;
      const int index = order < 0 ? i : j;
      if (order < 0) {
        partner[i] = -1;
      }
      char *identity = identity_of(list, index);
      if (identity != NULL) {
        nameless[left++] = (struct nameless){identity, order > 0, index};
      }
    }
    i += order <= 0;
    j += order >= 0;
  }
  match_by_identity(nameless, left, partner);
  for (int i = 0; i < left; ++i) {
    free(nameless[i].identity);
  }
  return partner;
}
