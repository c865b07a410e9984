/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `describe`: everything known about one name, for people; describe_json.c has it for programs.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/json/keys.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/commands.h"
#include "bench/job/job.h"
#include "bench/list.h"
#include "bench/papers/papers.h"
#include "bench/record/check_fields.h"
#include "bench/record/record.h"
#include "bench/suite/figures.h"
#include "bench/suite/keys.h"
#include "bench/suite/suite.h"
#include "form/simulator/simulator.h"
#include "problem/problem.h"

static void print_limit(const char *words, double limit) {
  char number[BASE_JSON_NUMBER_SIZE];
  if (isfinite(limit)) {
    printf("%s%s", words, base_json_number(limit, number));
  }
}

/* What a value may be: its type or choices, unit and range. */
static void print_kind(const struct base_key *key) {
  double min, max;
  int is_open;
  if ((key->types & BASE_TEXT) != 0 || (key->types & BASE_FLAG) != 0) {
    printf("%s", (key->types & BASE_TEXT) != 0 ? key->choices : "yes|no");
    return;
  }
  base_key_range(key, &min, &max, &is_open);
  printf("%s%s%s", (key->types & BASE_REAL) != 0 ? "number" : "integer", key->unit[0] ? ", " : "",
         key->unit);
  print_limit(is_open ? ", above " : ", at least ", min);
  print_limit(", at most ", max);
}

static void print_option(const struct base_option *entry) {
  char number[BASE_JSON_NUMBER_SIZE], choice[64];
  const struct base_key *key = &entry->key;
  const int is_choice = (key->types & BASE_TEXT) != 0;
  base_options_choice(entry, (int)entry->value, choice, sizeof choice);
  printf("  %-16s ", key->name);
  if (entry->fixed) {
    printf("%s (fixed)\n", choice);
  } else {
    print_kind(key);
    printf(" (default %s)\n", is_choice                       ? choice
                              : (key->types & BASE_FLAG) != 0 ? (entry->value != 0 ? "yes" : "no")
                              : isfinite(entry->value) ? base_json_number(entry->value, number)
                                                       : "inf");
  }
  printf("  %-16s   %s\n", "", key->help);
}

static void print_options(const char *title, const struct base_option *table) {
  if (table != NULL && table->key.name != NULL) {
    printf("%s (--opt key=value):\n", title);
    for (; table->key.name != NULL; ++table) {
      print_option(table);
    }
  }
}

/* A text of a file at a dotted path, fit for a terminal. */
static const char *text_at(const cJSON *file, const char *path, struct base_arena *arena) {
  return base_text_clean(base_json_text_at(file, path), arena);
}

/* Does a text name a tag, as a word of its own? */
static int names_tag(const char *text, const char *tag) {
  const size_t length = strlen(tag);
  for (const char *at = strstr(text, tag); at != NULL; at = strstr(at + 1, tag)) {
    if ((at == text || !isalpha((unsigned char)at[-1])) && !isalpha((unsigned char)at[length])) {
      return 1;
    }
  }
  return 0;
}

/* A source, and the full reference of every paper that it names by its tag. */
static void print_source(const char *source) {
  struct base_arena *arena = base_arena_alloc();
  cJSON *papers = NULL, *paper;
  printf("source: %s\n", source);
  const int status = bench_papers_load(arena, &papers);
  cJSON_ArrayForEach(paper, papers) {
    const char *tag = base_json_text_at(paper, "paper");
    if (status == BASE_OK && names_tag(source, tag)) {
      printf("  %s: %s\n", tag, base_json_text_at(paper, "reference"));
    }
  }
  cJSON_Delete(papers);
  base_arena_free(arena);
}

static int describe_case(const struct case_type *type) {
  struct base_arena *arena = base_arena_alloc();
  const struct case_parameters *parameters = case_parameters_load(type, arena);
  if (parameters == NULL) {
    base_arena_free(arena);
    return BASE_E_INPUT;
  }
  const cJSON *file = case_parameters_file(parameters), *entry;
  printf("case %s: %s\n", type->name, type->summary);
  print_source(type->source);
  printf("default dt %g s, t_end %g s, reference: %s\n", base_json_real_at(file, "dt"),
         base_json_real_at(file, "t_end"), text_at(file, "reference.kind", arena));
  printf("parameters (--set key=value):\n");
  cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(file, "parameters")) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(entry, "value");
    char number[BASE_JSON_NUMBER_SIZE];
    printf("  %-16s %s %s  [%s] %s\n", base_text_clean(entry->string, arena),
           cJSON_IsString(value) ? base_text_clean(value->valuestring, arena)
                                 : base_json_number(value->valuedouble, number),
           text_at(entry, "unit", arena), text_at(entry, "source", arena),
           text_at(entry, "help", arena));
  }
  printf("figures:\n");
  int n = 0;
  const struct bench_figure *figures = bench_figures(&n);
  for (int i = 0; i < n; ++i) {
    if (figures[i].type == type) {
      printf("  %-16s %s\n", figures[i].id, figures[i].title);
    }
  }
  base_arena_free(arena);
  return BASE_OK;
}

static void print_laws(const char *title, unsigned laws) {
  printf("%s:", title);
  for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
    if (laws & CONTACT_LAW_BIT(law)) {
      printf(" %s", contact_law_name((enum contact_law)law));
    }
  }
  printf("\n");
}

static void describe_formulation(const struct form *form) {
  printf("formulation %s: %s\n", form->name, form->summary);
  print_source(form->source);
  if (form->has_law) {
    printf("law: %s%s; default solver: %s; solvers that accept it:", contact_law_name(form->law),
           form->is_family ? " or another, by option" : "", form->solver);
    for (int i = 0; i < problem_solver_count(); ++i) {
      const struct problem_solver *solver = problem_solver_get(i);
      if (problem_solver_laws(solver, 3) & CONTACT_LAW_BIT(form->law)) {
        printf(" %s%s", solver->name, solver->check != NULL ? "*" : "");
      }
    }
    printf("\n  (* with conditions on the problem; a run says which)\n");
  } else {
    printf("takes no solver\n");
  }
  print_options("options", form->options);
  print_options("options of what a run varies of its case", bench_variation_options);
}

static void describe_solver(const struct problem_solver *solver) {
  printf("solver %s: %s\n", solver->name, solver->summary);
  print_source(solver->source);
  const unsigned laws = problem_solver_laws(solver, 3);
  print_laws("laws", laws);
  if (problem_solver_laws(solver, 1) != laws) {
    print_laws("laws without friction", problem_solver_laws(solver, 1));
  }
  print_options("options", solver->options);
  print_options("options of every solver", problem_loop_options);
  print_options("options of every run", bench_switch_options);
}

static void describe_figure(const struct bench_figure *figure) {
  const char *of = figure->runs != NULL ? " of case " : " of the records of a folder";
  printf("%s %s%s%s: %s\n%s\n", figure->runs != NULL ? "figure" : "study", figure->id, of,
         figure->runs != NULL ? figure->type->name : "", figure->title, figure->caption);
  if (strchr(figure->caption, '{') != NULL) {
    printf("{...}: what a report has measured there\n");
  }
}

struct names {
  int n;
  const char *name[512];
  int kind[512];
  int now;
};

static void collect_name(void *context, const char *name, unsigned laws, const char *summary,
                         const char *source) {
  (void)laws, (void)summary, (void)source;
  struct names *names = context;
  if (names->n < (int)(sizeof names->name / sizeof *names->name)) {
    names->kind[names->n] = names->now;
    names->name[names->n++] = name;
  }
}

/* What files may hold, by their schemas. */
static const struct {
  const char *name;
  const struct base_table *keys;
} schemas[] = {{BENCH_RESULT_SCHEMA, &bench_record_keys},
               {BENCH_SOLUTION_SCHEMA, &bench_solution_keys},
               {BENCH_SUITE_SCHEMA, &bench_suite_keys},
               {BENCH_FIGURE_FILE_SCHEMA, &bench_figure_keys},
               {PROBLEM_SCHEMA, &problem_keys},
               {CASE_SCENE_SCHEMA, &case_scene_keys},
               {FORM_SIMULATOR_QUESTION, &bench_question_keys}};
enum { SCHEMAS = sizeof schemas / sizeof *schemas };

static int describe_schema(const char *name) {
  const char *names[SCHEMAS];
  for (int i = 0; i < SCHEMAS; ++i) {
    names[i] = schemas[i].name;
  }
  const int i = base_name_find("schema", name, SCHEMAS, names);
  if (i < 0) {
    return BASE_E_INPUT;
  }
  cJSON *schema = base_keys_schema(schemas[i].keys, name);
  const int status = base_json_write("-", schema);
  cJSON_Delete(schema);
  return status;
}

/* What has a form of its own: schemas, scales, scenes. */
static int describe_other(const char *name, int *is_other) {
  *is_other = 1;
  if (strncmp(name, "coulombench.", strlen("coulombench.")) == 0 && strchr(name, '/') != NULL) {
    return describe_schema(name);
  }
  if (strcmp(name, "compare") == 0) {
    bench_describe_compare();
    return BASE_OK;
  }
  if (case_is_file(name)) {
    return bench_describe_scene(name);
  }
  *is_other = 0;
  return BASE_OK;
}

static int describe_entry(int kind, const char *name) {
  switch (kind) {
  case KIND_CASE:
    return describe_case(case_find(name));
  case KIND_FORMULATION:
    describe_formulation(form_find(name));
    return BASE_OK;
  case KIND_SOLVER:
    describe_solver(problem_solver_find(name));
    return BASE_OK;
  default:
    describe_figure(bench_figure_find(name, NULL));
    return BASE_OK;
  }
}

int bench_describe(const char *name, int as_json) {
  int is_other = 0;
  const int other = as_json ? BASE_OK : describe_other(name, &is_other);
  if (is_other || other != BASE_OK) {
    return other;
  }
  struct names names = {0};
  for (names.now = 0; names.now < KIND_COUNT; ++names.now) {
    bench_list_visit(names.now, collect_name, &names);
  }
  if (base_name_find("name", name, names.n, names.name) < 0) {
    return BASE_E_INPUT;
  }
  /* A name may stand for several things (formulation and law, say): describe all of them. */
  cJSON *all = cJSON_CreateArray();
  int status = BASE_OK;
  for (int i = 0; i < names.n && status == BASE_OK; ++i) {
    if (strcmp(names.name[i], name) != 0) {
      continue;
    }
    if (as_json) {
      cJSON *entry = bench_describe_entry(names.kind[i], name);
      cJSON_AddItemToArray(all, entry);
      status = entry != NULL ? BASE_OK : BASE_E_INPUT;
    } else {
      status = describe_entry(names.kind[i], name);
    }
  }
  status = status == BASE_OK && as_json ? base_json_write("-", all) : status;
  cJSON_Delete(all);
  return status;
}
