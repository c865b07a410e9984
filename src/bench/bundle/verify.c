/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench verify`: an archive from an untrusted source. It is listed before it is unpacked
 * into a temporary folder. Then checksums and records are checked, and a random sample of its cells
 * is run again.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/rng.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/bundle/bundle.h"
#include "bench/bundle/parts.h"
#include "bench/check.h"
#include "bench/figure/figure.h"
#include "bench/job/key.h"

enum { SUM = 64, BEFORE_NAME = SUM + 2 }; /* letters of a line of checksums */

static int is_kind(const cJSON *file, const char *kind) {
  return strncmp(base_json_text_at(file, "schema"), kind, strlen(kind)) == 0;
}

int bundle_check(const char *path, const cJSON *file, int *is_record) {
  *is_record = is_kind(file, "coulombench.result/") || is_kind(file, "coulombench.solution/");
  /* A figure that fails is a result, too. */
  return *is_record                           ? bench_check_value(path, file)
         : is_kind(file, BENCH_FIGURE_SCHEMA) ? bench_key_check(file, path)
                                              : BASE_OK;
}

struct verification {
  const struct bench_verify_request *request;
  struct base_arena *arena;
  const char *archive; /* absolute */
  double size;         /* of it [bytes] */
  const char *root;
  struct bundle_list files, records;
};

/* ---- the archive ---- */

static int run_tar(const struct verification *v, const char *how, const char *more,
                   struct base_child_end *end) {
  const char *const argv[] = {BUNDLE_TAR,
                              how,
                              "--quoting-style=escape",
                              "--no-same-owner",
                              "--no-same-permissions",
                              "--file",
                              v->archive,
                              more,
                              NULL};
  const int status = bundle_run(argv, "", 0, v->arena, end);
  if (status != BASE_OK) {
    return base_fail(BASE_E_INPUT, "%s: no archive, or a part of one: %s", v->request->archive,
                     end->says);
  }
  return status;
}

/* Does a name stay below the folder to which it is unpacked? */
static int is_inside(const char *name) {
  const size_t length = strlen(name);
  return name[0] != '/' && strncmp(name, "../", 3) != 0 && strstr(name, "/../") == NULL &&
         strcmp(name, "..") != 0 && (length < 3 || strcmp(name + length - 3, "/..") != 0);
}

/* The name in a line of a listing: kind, owner, size, date, time, name; *size [bytes]. */
static const char *name_in(const char *line, double *size) {
  enum { COLUMNS = 5, SIZE = 2 };
  for (int i = 0; i < COLUMNS; ++i) {
    line += i > 0 ? strspn(line, " ") : 0;
    *size = i == SIZE ? strtod(line, NULL) : *size;
    line += strcspn(line, " ");
  }
  return line + (*line == ' ');
}

/* Only files below one folder are unpacked; v->root: that, below scratch. */
static int check_members(struct verification *v, const char *scratch) {
  struct base_child_end listing;
  const char *top = NULL;
  char *rest;
  double size = 0, all = 0;
  const int status = run_tar(v, "--list", "-vP", &listing);
  if (status != BASE_OK) {
    return status;
  }
  for (char *line = strtok_r(listing.output, "\n", &rest); line != NULL;
       line = strtok_r(NULL, "\n", &rest)) {
    const char *name = name_in(line, &size);
    all += size;
    const size_t length = strcspn(name, "/") + 1;
    if (line[0] != '-' || !is_inside(name) || name[length - 1] != '/') {
      return base_fail(BASE_E_INPUT, "%s: '%s' is no file below a folder: nothing is unpacked",
                       v->request->archive, base_text_clean(name, v->arena));
    }
    top = top != NULL ? top : base_arena_printf(v->arena, "%.*s", (int)length, name);
    if (strncmp(top, name, strlen(top)) != 0) {
      return base_fail(BASE_E_INPUT, "%s: has more than one folder, '%s'", v->request->archive,
                       base_text_clean(name, v->arena));
    }
  }
  v->root = base_arena_printf(v->arena, "%s/%s", scratch, top != NULL ? top : "");
  if (all > v->size) {
    return base_fail(BASE_E_INPUT, "%s: compressed, or with gaps: its files are larger than it",
                     v->request->archive);
  }
  return top != NULL ? BASE_OK
                     : base_fail(BASE_E_INPUT, "%s: an empty archive", v->request->archive);
}

/* ---- checksums ---- */

static int compare_lines(const void *a, const void *b) {
  return strcmp(*(char *const *)a + BEFORE_NAME, *(char *const *)b + BEFORE_NAME);
}

/* Lines of checksums in the order of names; what is none is BASE_E_INPUT. */
static int split(const struct verification *v, char *text, struct bundle_list *lines) {
  char *rest;
  *lines = (struct bundle_list){0};
  for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    if (strspn(line, "0123456789abcdef") != SUM || strncmp(line + SUM, "  ", 2) != 0) {
      return base_fail(BASE_E_INPUT, "%s: " BUNDLE_SUMS ": '%s' is no checksum",
                       v->request->archive,
                       base_text_cut(base_text_clean(line, v->arena), SUM, v->arena));
    }
    bundle_list_add(lines, line, v->arena);
  }
  if (lines->n > 0) {
    qsort(lines->names, (size_t)lines->n, sizeof *lines->names, compare_lines);
  }
  return BASE_OK;
}

/* A line on standard output for each file that is not as it should be; the first is in the
 * message. */
static int compare_sums(const struct verification *v, const struct bundle_list *a,
                        const struct bundle_list *b) {
  const char *first = NULL;
  int faults = 0;
  for (int i = 0, j = 0; i < a->n || j < b->n;) {
    const int order = i == a->n ? 1 : j == b->n ? -1 : compare_lines(&a->names[i], &b->names[j]);
    const char *name = (order > 0 ? b->names[j] : a->names[i]) + BEFORE_NAME;
    const char *fault = order < 0                               ? "is missing"
                        : order > 0                             ? "is not in " BUNDLE_SUMS
                        : strcmp(a->names[i], b->names[j]) != 0 ? "was changed"
                                                                : NULL;
    if (fault != NULL) {
      const char *line =
          base_arena_printf(v->arena, "%s %s", base_text_clean(name, v->arena), fault);
      printf("%s\n", line);
      first = faults++ == 0 ? line : first;
    }
    i += order <= 0;
    j += order >= 0;
  }
  return faults == 0   ? BASE_OK
         : faults == 1 ? base_fail(BASE_E_INPUT, "%s: %s", v->request->archive, first)
                       : base_fail(BASE_E_INPUT, "%s: %s, and %d files more are not as they were",
                                   v->request->archive, first, faults - 1);
}

static int check_sums(struct verification *v) {
  struct bundle_list said, found, files = {0};
  char *text = NULL, *sums;
  size_t size;
  const char *path = base_arena_printf(v->arena, "%s/" BUNDLE_SUMS, v->root);
  int status = bundle_list_read(v->root, 0, v->arena, &v->files);
  for (int i = 0; i < v->files.n; ++i) {
    if (strcmp(v->files.names[i], BUNDLE_SUMS) != 0) {
      bundle_list_add(&files, v->files.names[i], v->arena);
    }
  }
  if (status == BASE_OK && access(path, R_OK) != 0) {
    return base_fail(BASE_E_INPUT, "%s: has no " BUNDLE_SUMS, v->request->archive);
  }
  status = status != BASE_OK ? status : base_file_read(path, &text, &size);
  status = status != BASE_OK ? status : split(v, text, &said);
  status = status != BASE_OK ? status : bundle_sums(v->root, &files, v->arena, &sums);
  status = status != BASE_OK ? status : split(v, sums, &found);
  status = status != BASE_OK ? status : compare_sums(v, &said, &found);
  free(text);
  return status;
}

/* ---- records ---- */

/* A file of the archive, called so in messages. */
static cJSON *read_json(const struct verification *v, const char *name) {
  char *text = NULL;
  size_t size;
  const char *path = base_arena_printf(v->arena, "%s/%s", v->root, name);
  cJSON *file = base_file_read(path, &text, &size) == BASE_OK ? base_json_parse(text, name) : NULL;
  free(text);
  return file;
}

static int check_records(struct verification *v) {
  int status = BASE_OK;
  for (int i = 0; i < v->files.n && status == BASE_OK; ++i) {
    const char *name = v->files.names[i], *dot = strrchr(name, '.');
    if (strncmp(name, BUNDLE_RESULTS, strlen(BUNDLE_RESULTS)) == 0 && dot != NULL &&
        strcmp(dot, ".json") == 0) {
      int is_record = 0;
      cJSON *file = read_json(v, name);
      status = file != NULL ? bundle_check(name, file, &is_record) : BASE_E_INPUT;
      cJSON_Delete(file);
      if (is_record) {
        bundle_list_add(&v->records, name, v->arena);
      }
    }
  }
  if (status == BASE_OK && v->records.n == 0) {
    status = base_fail(BASE_E_INPUT, "holds no record");
  }
  if (status != BASE_OK) {
    base_message_prefix("%s: ", v->request->archive);
  }
  return status;
}

/* Cells by lot: each as likely as the others, whatever it takes. In the order of their names. */
static int run_cells(struct verification *v, const char *scratch) {
  const int n = v->records.n, asked = v->request->sample;
  const int drawn = asked == 0 || asked > n ? n : asked;
  int count[BUNDLE_VERDICTS] = {0};
  char *is_drawn = base_arena_push(v->arena, (size_t)n);
  struct base_rng *rng = base_rng_alloc((unsigned long)v->request->seed);
  for (int i = n - drawn; i < n; ++i) { /* Floyd's: one of 0 ... i, or i */
    const int k = base_rng_below(rng, i + 1);
    is_drawn[is_drawn[k] ? i : k] = 1;
  }
  base_rng_free(rng);
  cJSON *inputs = read_json(v, BUNDLE_INPUTS);
  if (inputs == NULL) {
    base_message_prefix("%s: ", v->request->archive);
    return BASE_E_INPUT;
  }
  for (int i = 0; i < n; ++i) {
    struct base_arena *arena = base_arena_child(v->arena);
    if (is_drawn[i]) {
      ++count[bundle_again(v->root, v->records.names[i], inputs, v->request->limit, scratch,
                           arena)];
    }
    base_arena_empty(arena);
  }
  cJSON_Delete(inputs);
  printf(
      "%s: %d files as they were; of %d records %d drawn (seed %d): %d the same to the byte, %d to "
      "rounding, %d differ, %d not run\n",
      base_text_clean(v->request->archive, v->arena), v->files.n, n, drawn, v->request->seed,
      count[BUNDLE_SAME], count[BUNDLE_ROUNDED], count[BUNDLE_DIFFERS], count[BUNDLE_NOT_RUN]);
  return count[BUNDLE_DIFFERS] == 0
             ? BASE_OK
             : base_fail(BASE_FAILED, "%s: %d of %d records are not what their commands give",
                         v->request->archive, count[BUNDLE_DIFFERS], drawn - count[BUNDLE_NOT_RUN]);
}

static int verify(const char *scratch, void *data) {
  struct verification *v = data;
  struct base_child_end end;
  int status = check_members(v, scratch);
  status =
      status != BASE_OK
          ? status
          : run_tar(v, "--extract", base_arena_printf(v->arena, "--directory=%s", scratch), &end);
  status = status != BASE_OK ? status : check_sums(v);
  status = status != BASE_OK ? status : check_records(v);
  return status != BASE_OK ? status : run_cells(v, scratch);
}

int bench_verify(const struct bench_verify_request *request) {
  struct base_arena *arena = base_arena_alloc();
  const char *parent = getenv("TMPDIR");
  char *path = realpath(request->archive, NULL);
  struct stat info;
  struct verification v = {.request = request, .arena = arena};
  int status = path != NULL && stat(path, &info) == 0 && S_ISREG(info.st_mode)
                   ? BASE_OK
                   : base_fail(BASE_E_IO, "%s: no such file", request->archive);
  if (status == BASE_OK) {
    v.archive = base_arena_copy(arena, path);
    v.size = (double)info.st_size;
    status = bundle_in_scratch(parent != NULL && parent[0] != '\0' ? parent : "/tmp", verify, &v);
  }
  free(path);
  base_arena_free(arena);
  return status;
}
