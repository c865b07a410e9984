/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench check`: validate a file by the schema it names.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "bench/commands.h"
#include "bench/figure/figure.h"
#include "bench/figure/file.h"
#include "bench/job/key.h"
#include "bench/papers/papers.h"
#include "bench/record/check_fields.h"
#include "bench/record/record.h"
#include "bench/suite/suite.h"
#include "form/simulator/simulator.h"
#include "problem/foreign.h"
#include "problem/problem.h"

static int check_suite(const char *path, const cJSON *file, struct base_arena *arena) {
  (void)file;
  struct bench_suite suite;
  return bench_suite_load(path, arena, &suite);
}

static int check_problem(const char *path, const cJSON *file, struct base_arena *arena) {
  struct problem problem;
  return problem_from_json(file, path, arena, &problem);
}

/* Defaults for formulations: by resolving a run of each. */
static int check_defaults(const char *path, const char *name, const cJSON *file,
                          struct base_arena *arena) {
  const cJSON *formulation;
  cJSON_ArrayForEach(formulation, cJSON_GetObjectItemCaseSensitive(file, "formulations")) {
    struct bench_job job;
    const struct bench_request request = {.case_name = name, .formulation = formulation->string};
    if (bench_job_resolve(&request, arena, &job) != BASE_OK) {
      base_message_prefix("%s: key 'formulations.%s': ", path, formulation->string);
      return BASE_E_INPUT;
    }
  }
  return BASE_OK;
}

struct built {
  const struct case_type *type;
  const struct case_parameters *parameters;
  struct base_arena *arena;
  int status;
};

static void build(void *data) {
  struct built *b = data;
  struct case_instance instance = {0};
  b->status = b->type->build(b->parameters, b->arena, &instance);
}

/* A case's file: its keys and values as the program loads them, and its defaults for formulations
 * by resolving a run of each. What is loaded is the program's own file of that case; another file
 * is checked only where it says the same. */
static int check_case(const char *path, const cJSON *file, struct base_arena *arena) {
  const char *name;
  const int status = base_json_get_text(file, "name", path, &name);
  const struct case_type *type = status == BASE_OK ? case_find(name) : NULL;
  struct built built = {.type = type, .arena = arena};
  const struct case_parameters *parameters = built.parameters =
      type != NULL ? case_parameters_load(type, arena) : NULL;
  if (parameters == NULL) {
    if (status == BASE_OK && type == NULL) {
      base_message_prefix("%s: key 'name': ", path);
    }
    return BASE_E_INPUT;
  }
  if (!base_json_same(file, case_parameters_file(parameters))) {
    return base_fail(BASE_E_INPUT, "%s: differs from the file the program reads for case %s", path,
                     name);
  }
  const int left = base_memory_try(build, &built); /* with what it asks for */
  return left != BASE_OK           ? left
         : built.status != BASE_OK ? built.status
                                   : check_defaults(path, name, file, arena);
}

/* A scene: by building it, and its defaults for formulations as those of a case. */
static int check_scene(const char *path, const cJSON *file, struct base_arena *arena) {
  const char *name = case_is_file(path) ? path : base_arena_printf(arena, "./%s", path);
  const struct case_type *type = case_open(name, NULL, arena);
  const struct case_parameters *p = type != NULL ? case_parameters_load(type, arena) : NULL;
  struct case_instance instance = {0};
  const int status = p != NULL ? type->build(p, arena, &instance) : BASE_E_INPUT;
  return status != BASE_OK ? status : check_defaults(path, name, file, arena);
}

/* A figure or study with its runs, tables and expressions. */
static int check_figure_file(const char *path, const cJSON *file, struct base_arena *arena) {
  (void)file;
  struct figure read;
  const char *name = case_is_file(path) ? path : base_arena_printf(arena, "./%s", path);
  const struct bench_figure *figure = bench_figure_find(name, NULL);
  return figure != NULL ? figure_read(figure, arena, &read) : BASE_E_INPUT;
}

/* By what a file of a schema is checked: its value alone, or the program's own reading of it. */
static const struct {
  const char *schema;
  int (*value)(const cJSON *file, const char *path);
  int (*reading)(const char *path, const cJSON *file, struct base_arena *arena);
} schemas[] = {{BENCH_RESULT_SCHEMA, bench_record_check_whole, NULL},
               {BENCH_FIGURE_SCHEMA, bench_figure_check, NULL},
               {BENCH_PAPER_SCHEMA, bench_paper_check, NULL},
               {"coulombench.solution/1", bench_solution_check, NULL},
               {FORM_SIMULATOR_QUESTION, bench_question_check, NULL},
               {BENCH_SUITE_SCHEMA, NULL, check_suite},
               {"coulombench.problem/1", NULL, check_problem},
               {"coulombench.case/1", NULL, check_case},
               {"coulombench.scene/1", NULL, check_scene},
               {BENCH_FIGURE_FILE_SCHEMA, NULL, check_figure_file}};

int bench_check_value(const char *path, const cJSON *file) {
  const char *schema;
  const int status = base_json_get_text(file, "schema", path, &schema);
  if (status != BASE_OK) {
    return status;
  }
  if (bench_record_is_of_other_version(file)) {
    return bench_record_expect(file, path);
  }
  for (size_t i = 0; i < sizeof schemas / sizeof *schemas; ++i) {
    if (strcmp(schemas[i].schema, schema) == 0) {
      struct base_arena *arena = base_arena_alloc();
      const int checked = schemas[i].value != NULL ? schemas[i].value(file, path)
                                                   : schemas[i].reading(path, file, arena);
      base_arena_free(arena);
      return checked;
    }
  }
  return base_fail(
      BASE_E_INPUT,
      "%s: key 'schema': '%s' is not one of ours (" BENCH_RESULT_SCHEMA ", "
      "suite/1, case/1, scene/1, problem/1, solution/1, simulate/1, figure/1, figure/2, paper/1)",
      path, schema);
}

static int check_model(const char *name, const struct base_words *set) {
  struct base_arena *arena = base_arena_alloc();
  const struct case_type *type = case_open(name, NULL, arena);
  const int status = type != NULL ? bench_check_model(type, set, arena) : BASE_E_INPUT;
  base_arena_free(arena);
  return status;
}

/* Is it the name of a registered case, and no file's? */
static int is_case(const char *name) {
  for (int i = 0; i < case_count(); ++i) {
    if (strcmp(case_get(i)->name, name) == 0) {
      return access(name, F_OK) != 0;
    }
  }
  return 0;
}

int bench_check(const char *path, const struct base_words *set) {
  if (is_case(path)) {
    return check_model(path, set);
  }
  if (problem_file_is_foreign(path)) {
    struct base_arena *arena = base_arena_alloc();
    struct problem problem;
    const int foreign = problem_read(path, arena, &problem);
    base_arena_free(arena);
    if (foreign == BASE_OK) {
      printf("%s: ok (a one-step problem of FCLIB or Siconos)\n", path);
    }
    return foreign;
  }
  cJSON *file = base_json_read(path);
  int status = file != NULL ? bench_check_value(path, file) : BASE_E_INPUT;
  if (status == BASE_OK) {
    const char *schema = base_json_text_at(file, "schema");
    printf("%s: ok (%s)\n", path, schema);
    if (strcmp(schema, "coulombench.scene/1") == 0) {
      char name[PATH_MAX];
      snprintf(name, sizeof name, "%s%s", case_is_file(path) ? "" : "./", path);
      status = check_model(name, set);
    }
  }
  cJSON_Delete(file);
  return status;
}
