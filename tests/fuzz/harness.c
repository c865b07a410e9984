/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The harnesses; see fuzz.h. One for every kind of file, and one for the words of a command line.
 */
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/commands.h"
#include "bench/export/vtk.h"
#include "bench/frame/expression.h"
#include "bench/job/asked.h"
#include "bench/job/job.h"
#include "bench/outcome/condition.h"
#include "bench/record/record.h"
#include "bench/run/dump.h"
#include "bench/search/search.h"
#include "bench/suite/suite.h"
#include "cases/case.h"
#include "problem/problem.h"
#include "tests/fuzz/fuzz.h"
#include "tests/scratch.h"

void fuzz_broken(const char *what) {
  fprintf(stderr, "broken: %s (last message: %s)\n", what, base_message());
  abort();
}

const char *fuzz_file(const uint8_t *bytes, size_t size) {
  static char path[64];
  static int fd = -1;
  if (fd < 0) {
    fd = memfd_create("fuzz", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  }
  if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size) {
    fuzz_broken("no file in memory");
  }
  return path;
}

/* One line of a sane length, with something in it. */
static void expect_message(int status) {
  const char *message = base_message();
  if (status > 0 || (status < 0 && (message[0] == '\0' || strchr(message, '\n') != NULL))) {
    fuzz_broken("a refusal without one line of reason");
  }
}

/* A parsed file; NULL with a reason. It must be the same when written and read again, which is
 * tried of one in eight. */
static cJSON *read_json(const char *path, size_t size) {
  cJSON *file = base_json_read(path);
  if (file == NULL) {
    expect_message(BASE_E_INPUT);
    return NULL;
  }
  if (size % 8 != 0) {
    return file;
  }
  char *text = base_json_text(file);
  cJSON *again = base_json_parse(text, "again");
  char *text_again = again != NULL ? base_json_text(again) : NULL;
  if (text_again == NULL || strcmp(text, text_again) != 0) {
    fuzz_broken("JSON written and read again differs");
  }
  free(text_again);
  free(text);
  cJSON_Delete(again);
  return file;
}

/* A file of any schema, as `check` reads it. */
static void check_file(const uint8_t *bytes, size_t size) {
  const char *path = fuzz_file(bytes, size);
  cJSON *file = read_json(path, size);
  if (file != NULL) {
    expect_message(bench_check_value(path, file));
  }
  cJSON_Delete(file);
}

/* A suite of all there is takes a second, which is spent on one in 64. */
static void run_suite(const uint8_t *bytes, size_t size) {
  if (memmem(bytes, size, "all", 3) != NULL && size % 64 != 0) {
    return;
  }
  struct base_arena *arena = base_arena_alloc();
  struct bench_suite suite;
  expect_message(bench_suite_load(fuzz_file(bytes, size), arena, &suite));
  base_arena_free(arena);
}

static void run_scene(const uint8_t *bytes, size_t size) {
  struct base_arena *arena = base_arena_alloc();
  const struct case_type *type = case_open(fuzz_file(bytes, size), NULL, arena);
  struct case_parameters *p = type != NULL ? case_parameters_load(type, arena) : NULL;
  struct case_instance instance = {0};
  expect_message(p != NULL ? type->build(p, arena, &instance) : BASE_E_INPUT);
  base_arena_free(arena);
}

/* What is taken is written and read again as the same. */
static void run_problem(const uint8_t *bytes, size_t size) {
  struct base_arena *arena = base_arena_alloc();
  struct problem problem;
  const int status = problem_read(fuzz_file(bytes, size), arena, &problem);
  expect_message(status);
  base_arena_free(arena);
}

/* A solution as what a solve starts from. */
static void run_solution(const uint8_t *bytes, size_t size) {
  static struct base_arena *kept;
  static const char *problem;
  int outcome;
  if (kept == NULL) {
    kept = base_arena_alloc();
    problem = base_data_path(kept, "tests/problems/one-3d.json");
  }
  check_file(bytes, size);
  const struct bench_solve_request request = {.problem = problem,
                                              .solver = "pgs",
                                              .warm = fuzz_file(bytes, size),
                                              .output = "/dev/null",
                                              .opt = BASE_WORDS("max_iter=2")};
  expect_message(bench_solve(&request, &outcome));
}

/* A case's own file: the program's folder of data is one in which it is these bytes. */
static void run_case(const uint8_t *bytes, size_t size) {
  static const char name[] = "bouncing-ball";
  static char folder[256];
  const char *file = fuzz_file(bytes, size);
  if (folder[0] == '\0') {
    snprintf(folder, sizeof folder, "%s/data", scratch_folder());
    char path[512];
    snprintf(path, sizeof path, "%s/cases/%s", folder, name);
    if (base_file_make_folder(path) != BASE_OK) {
      fuzz_broken("no folder of data");
    }
    snprintf(path, sizeof path, "%s/cases/%s/%s.json", folder, name, name);
    if (symlink(file, path) != 0) {
      fuzz_broken("no link to the file");
    }
  }
  setenv("COULOMBENCH_DATA", folder, 1);
  struct base_arena *arena = base_arena_alloc();
  struct bench_job job;
  for (int i = 0; i < 2; ++i) {
    const struct bench_request request = {.case_name = name,
                                          .formulation = i == 0 ? "moreau" : "penalty"};
    expect_message(bench_job_resolve(&request, arena, &job));
  }
  base_arena_free(arena);
  unsetenv("COULOMBENCH_DATA");
}

/* ---- words of a command line ----
 * The first letter says which option they belong to; NUL and what follows is left out. */

static void resolve(struct bench_request request, struct base_arena *arena) {
  struct bench_job job;
  if (request.search == NULL) {
    request.t_end = 0.1;
    request.dt = 0.01;
  }
  expect_message(bench_job_resolve(&request, arena, &job));
}

/* In a scope that has a number, a vector, a text and what is missing. */
static void work_out(const char *text, struct base_arena *arena) {
  cJSON *object = cJSON_Parse("{\"a\": 3, \"v\": [1, null, 4], \"s\": \"ok\", \"none\": null}");
  const struct frame_scope scope = frame_object_scope(arena, object);
  const struct frame_expression *e = frame_condition_read(arena, text, "fuzz");
  struct frame_value value;
  expect_message(e != NULL ? frame_expression_value(e, &scope, &value) : BASE_E_INPUT);
  cJSON_Delete(object);
}

static void run_words(const uint8_t *bytes, size_t size) {
  if (size < 1) {
    return;
  }
  struct base_arena *arena = base_arena_alloc();
  char *text = base_arena_push(arena, size);
  memcpy(text, bytes + 1, size - 1);
  text[size - 1] = '\0';
  struct bench_request request = {.case_name = "falling-particle", .formulation = "moreau"};
  struct bench_condition condition;
  const char *folder;
  double every;
  int n;
  switch (bytes[0]) {
  case 'c': /* --set of a case */
    request.set = BASE_WORDS(text);
    resolve(request, arena);
    break;
  case 's': /* --set of a scene */
    request.case_name = base_data_path(arena, "cases/scenes/rolling-sphere.json");
    request.set = BASE_WORDS(text);
    resolve(request, arena);
    break;
  case 'o': /* --opt */
    request.formulation = "impulse";
    request.solver = "apgd";
    request.opt = BASE_WORDS(text);
    resolve(request, arena);
    break;
  case 'p':
    request.formulation = "penalty";
    request.opt = BASE_WORDS(text);
    resolve(request, arena);
    break;
  case 'h': /* --search */
    request.search = text;
    resolve(request, arena);
    request.until[0] = "stable";
    resolve(request, arena);
    break;
  case 'u': /* --until */
    expect_message(bench_condition_parse(text, &condition));
    break;
  case 'w': /* --where, and expressions */
    work_out(text, arena);
    break;
  case 'v':
    expect_message(bench_vtk_parse(text, arena, &folder, &every));
    expect_message(bench_film_parse(text, arena, &folder, &n));
    break;
  case 'd':
    expect_message(bench_dump_parse(text, &n, &folder));
    break;
  default:
    expect_message(base_parse_real(text, &every));
  }
  base_arena_free(arena);
}

const struct fuzz_harness fuzz_harnesses[] = {
    {"record", 1, check_file},          {"suite", 1, run_suite},       {"scene", 1, run_scene},
    {"problem", 1, run_problem},        {"solution", 1, run_solution}, {"case", 1, run_case},
    {"checkpoint", 0, fuzz_checkpoint}, {"words", 0, run_words},       {NULL, 0, NULL}};

const struct fuzz_harness *fuzz_find(const char *name) {
  for (const struct fuzz_harness *h = fuzz_harnesses; h->name != NULL; ++h) {
    if (strcmp(h->name, name) == 0) {
      return h;
    }
  }
  return NULL;
}
