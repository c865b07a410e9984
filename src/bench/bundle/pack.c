/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench bundle`: links to all files are laid out as the archive has them, beside those that
 * are made here; tar follows them. Names are in the order of their bytes, times and owners are left
 * out, so that the archive depends on the files alone.
 */
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/bundle/bundle.h"
#include "bench/bundle/parts.h"
#include "cases/case.h"

struct packing {
  struct bundle bundle;
  const char *folder, *output; /* the first absolute */
  struct bundle_list results, inputs;
  time_t newest;
};

static const char *folder_of(const char *path, struct base_arena *arena) {
  const char *slash = strrchr(path, '/');
  return slash == NULL   ? "."
         : slash == path ? "/"
                         : base_arena_printf(arena, "%.*s", (int)(slash - path), path);
}

/* A path without links, from the arena; NULL: nothing is there. */
static const char *whole_path(const char *path, struct base_arena *arena) {
  char *whole = realpath(path, NULL);
  const char *copy = whole != NULL ? base_arena_copy(arena, whole) : NULL;
  free(whole);
  return copy;
}

/* ---- what is read ---- */

/* Files beside a scene that texts in it name. */
static void note_neighbours(struct packing *p, const char *folder, const cJSON *value) {
  struct base_arena *arena = p->bundle.arena;
  const cJSON *item;
  struct stat info;
  const char *text = cJSON_GetStringValue(value);
  const char *path =
      whole_path(base_arena_printf(arena, "%s/%s", folder, text != NULL ? text : ""), arena);
  if (path != NULL && stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
    bundle_list_add(&p->inputs, path, arena);
  }
  cJSON_ArrayForEach(item, value) { note_neighbours(p, folder, item); }
}

/* A file that a command names, and what it names itself. */
static void note_input(struct packing *p, const char *word, const char *record) {
  struct bundle *b = &p->bundle;
  if (cJSON_GetObjectItemCaseSensitive(b->inputs, word) != NULL) {
    return;
  }
  const char *path = access(word, R_OK) == 0 ? word : base_data_path(b->arena, word);
  path = path != NULL ? whole_path(path, b->arena) : NULL;
  if (path == NULL) {
    fprintf(stderr, "%s: '%s' is not found: its cell cannot be run again elsewhere\n",
            base_text_clean(record, b->arena), base_text_clean(word, b->arena));
    cJSON_AddNullToObject(b->inputs, word);
    return;
  }
  cJSON_AddStringToObject(b->inputs, word, path);
  bundle_list_add(&p->inputs, path, b->arena);
  cJSON *scene = case_is_file(path) ? base_json_read_regular(path) : NULL;
  if (strcmp(base_json_text_at(scene, "schema"), CASE_SCENE_SCHEMA) == 0) {
    note_neighbours(p, folder_of(path, b->arena), scene);
  }
  cJSON_Delete(scene);
}

/* A result: is it as it was written, and what does its command read? */
static int read_result(struct packing *p, const char *name) {
  struct bundle *b = &p->bundle;
  struct bundle_command command;
  struct stat info;
  const char *path = base_arena_printf(b->arena, "%s/%s", p->folder, name);
  cJSON *file = base_json_read(path);
  int is_record = 0;
  const int status = file != NULL ? bundle_check(path, file, &is_record) : BASE_E_INPUT;
  if (status == BASE_OK && is_record) {
    const int can_run = bundle_command_read(file, b->arena, &command) == BASE_OK;
    for (int i = 0; can_run && i < command.n; ++i) {
      if (command.is_file[i]) {
        note_input(p, command.words[i], name);
      }
    }
    ++b->n_records;
    p->newest = stat(path, &info) == 0 && info.st_mtime > p->newest ? info.st_mtime : p->newest;
  }
  cJSON_Delete(file);
  return status;
}

static int is_json(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot != NULL && strcmp(dot, ".json") == 0;
}

static int read_results(struct packing *p) {
  int status = bundle_list_read(p->folder, 1, p->bundle.arena, &p->results);
  for (int i = 0; i < p->results.n && status == BASE_OK; ++i) {
    status = is_json(p->results.names[i]) ? read_result(p, p->results.names[i]) : BASE_OK;
  }
  if (status == BASE_OK && p->bundle.n_records == 0) {
    status = base_fail(BASE_E_INPUT, "%s: holds no record", p->folder);
  }
  return status;
}

/* ---- what is laid out ---- */

/* The schema of a kind of files of the program, "coulombench.result/2", as a file of the archive:
 * schemas/result_2.json. NULL: it has none. */
static const char *find_schema(struct bundle *b, const char *kind) {
  static const char ours[] = "coulombench.";
  const cJSON *known = cJSON_GetObjectItemCaseSensitive(b->schemas, kind);
  const char *const argv[] = {base_program_path("coulombench", b->arena), "describe", kind, NULL};
  struct base_child_end end;
  if (known != NULL || strncmp(kind, ours, strlen(ours)) != 0 || strchr(kind, '/') == NULL) {
    return known != NULL ? known->valuestring : NULL;
  }
  if (argv[0] == NULL || bundle_run(argv, "", 0, b->arena, &end) != BASE_OK) {
    cJSON_AddNullToObject(b->schemas, kind);
    return NULL;
  }
  const char *name = base_arena_printf(b->arena, "schemas/%s.json",
                                       base_name_clean(kind + strlen(ours), b->arena));
  if (base_file_write(base_arena_printf(b->arena, "%s/%s", b->folder, name), end.output,
                      end.size) != BASE_OK) {
    return NULL;
  }
  cJSON_AddStringToObject(b->schemas, kind, name);
  bundle_crate_add(b, name, NULL);
  return name;
}

/* A file that is laid out, at `path`. */
static void add_member(struct bundle *b, const char *name, const char *path) {
  int is_record = 0;
  cJSON *file = is_json(name) ? base_json_read(path) : NULL;
  bundle_crate_add(b, name, find_schema(b, base_json_text_at(file, "schema")));
  if (file != NULL && bundle_check(path, file, &is_record) == BASE_OK && is_record) {
    bundle_crate_add_record(b, name, file);
  }
  cJSON_Delete(file);
}

static int add_link(const struct bundle *b, const char *name, const char *to) {
  const char *path = base_arena_printf(b->arena, "%s/%s", b->folder, name);
  const int status = base_file_make_folder(folder_of(path, b->arena));
  return status != BASE_OK || symlink(to, path) == 0
             ? status
             : base_fail(BASE_E_IO, "%s: %s", path, strerror(errno));
}

/* Length of the path of the folder that all inputs share, with its slash. */
static size_t common_folder(const struct bundle_list *inputs) {
  size_t common = inputs->n > 0 ? strlen(inputs->names[0]) : 0;
  for (int i = 0; i < inputs->n; ++i) {
    size_t folder = 0;
    for (size_t k = 0; k < common && inputs->names[i][k] == inputs->names[0][k]; ++k) {
      folder = inputs->names[i][k] == '/' ? k + 1 : folder;
    }
    common = folder;
  }
  return common;
}

/* Inputs keep their places to each other, and lose what is above these. */
static int lay_inputs(struct packing *p) {
  struct bundle *b = &p->bundle;
  const size_t common = common_folder(&p->inputs);
  cJSON *inputs = cJSON_CreateObject();
  const cJSON *path;
  cJSON_ArrayForEach(path, b->inputs) {
    if (cJSON_IsString(path)) {
      cJSON_AddStringToObject(inputs, path->string,
                              base_arena_printf(b->arena, "inputs/%s", path->valuestring + common));
    }
  }
  cJSON_Delete(b->inputs);
  b->inputs = inputs;
  int status = base_json_write(base_arena_printf(b->arena, "%s/" BUNDLE_INPUTS, b->folder), inputs);
  bundle_crate_add(b, BUNDLE_INPUTS, NULL);
  base_names_sort(p->inputs.n, p->inputs.names);
  for (int i = 0; i < p->inputs.n && status == BASE_OK; ++i) {
    const char *source = p->inputs.names[i];
    const char *name = base_arena_printf(b->arena, "inputs/%s", source + common);
    if (i == 0 || strcmp(source, p->inputs.names[i - 1]) != 0) {
      status = add_link(b, name, source);
      add_member(b, name, source);
    }
  }
  return status;
}

static int lay_out(struct packing *p) {
  struct bundle *b = &p->bundle;
  char *sums = NULL;
  const char *epoch = getenv("SOURCE_DATE_EPOCH"); /* where it is set, in the place of the clocks */
  p->newest = epoch != NULL ? (time_t)strtoll(epoch, NULL, 10) : p->newest;
  strftime(b->date, sizeof b->date, "%Y-%m-%d", gmtime(&p->newest));
  int status = base_file_make_folder(base_arena_printf(b->arena, "%s/schemas", b->folder));
  status = status != BASE_OK ? status : lay_inputs(p);
  status = status != BASE_OK ? status : add_link(b, "results", p->folder);
  for (int i = 0; i < p->results.n && status == BASE_OK; ++i) {
    const char *name = p->results.names[i];
    add_member(b, base_arena_printf(b->arena, BUNDLE_RESULTS "%s", name),
               base_arena_printf(b->arena, "%s/%s", p->folder, name));
  }
  bundle_crate_add(b, BUNDLE_SUMS, NULL);
  --b->files.n; /* has no checksum, and is the last */
  status = status != BASE_OK ? status : bundle_crate_write(b);
  base_names_sort(b->files.n, b->files.names);
  status = status != BASE_OK ? status : bundle_sums(b->folder, &b->files, b->arena, &sums);
  bundle_list_add(&b->files, BUNDLE_SUMS, b->arena);
  return status != BASE_OK
             ? status
             : base_file_write(base_arena_printf(b->arena, "%s/" BUNDLE_SUMS, b->folder), sums,
                               strlen(sums));
}

static int write_archive(const struct packing *p, const char *scratch) {
  const struct bundle *b = &p->bundle;
  const char *archive = base_arena_printf(b->arena, "%s/archive", scratch);
  const char *const argv[] = {BUNDLE_TAR,
                              "--create",
                              "--format=posix",
                              "--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime",
                              "--mtime=@0",
                              "--owner=0",
                              "--group=0",
                              "--mode=u=rw,go=r",
                              "--dereference",
                              "--hard-dereference",
                              "--no-recursion",
                              "--null",
                              "--verbatim-files-from",
                              "--file",
                              archive,
                              "--directory",
                              scratch,
                              "--files-from=-",
                              NULL};
  struct base_child_end end;
  struct stat info;
  size_t size;
  const char *names =
      bundle_join(base_arena_printf(b->arena, "%s/", b->name), &b->files, b->arena, &size);
  const int status = bundle_run(argv, names, size, b->arena, &end);
  if (status != BASE_OK) {
    return status;
  }
  if (stat(archive, &info) != 0 || rename(archive, p->output) != 0) {
    return base_fail(BASE_E_IO, "%s: %s", p->output, strerror(errno));
  }
  printf("%s: %d files, %d records, %lld bytes\n", base_text_clean(p->output, b->arena), b->files.n,
         b->n_records, (long long)info.st_size);
  return BASE_OK;
}

static int pack(const char *scratch, void *data) {
  struct packing *p = data;
  p->bundle.folder = base_arena_printf(p->bundle.arena, "%s/%s", scratch, p->bundle.name);
  bundle_crate_begin(&p->bundle);
  int status = read_results(p);
  status = status != BASE_OK ? status : lay_out(p);
  return status != BASE_OK ? status : write_archive(p, scratch);
}

/* From where to where; *parent: the folder of the archive, absolute. */
static int find_places(struct packing *p, const char *folder, const char *output,
                       const char **parent) {
  struct base_arena *arena = p->bundle.arena;
  struct stat info;
  p->folder = whole_path(folder, arena);
  if (p->folder == NULL || stat(p->folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
    return base_fail(BASE_E_INPUT, "%s: no such folder", folder);
  }
  const size_t length = strlen(p->folder);
  p->bundle.name = base_name_clean(strrchr(p->folder, '/') + 1, arena);
  p->output = output != NULL ? output : base_arena_printf(arena, "%s.tar", p->bundle.name);
  *parent = whole_path(folder_of(p->output, arena), arena);
  if (*parent == NULL) {
    return base_fail(BASE_E_IO, "%s: its folder is not there", p->output);
  }
  return strncmp(*parent, p->folder, length) == 0 && strchr("/", (*parent)[length]) != NULL
             ? base_fail(BASE_E_INPUT, "%s: is inside of the folder to be packed; -o names another",
                         p->output)
             : BASE_OK;
}

int bench_bundle(const char *folder, const char *output) {
  struct packing p = {.bundle = {.arena = base_arena_alloc()}};
  const char *parent = NULL;
  int status = find_places(&p, folder, output, &parent);
  status = status != BASE_OK ? status : bundle_in_scratch(parent, pack, &p);
  base_arena_free(p.bundle.arena);
  return status;
}
