/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What there is: `list` and `describe`.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/commands.h"
#include "bench/record/record.h"
#include "bench/suite/job.h"
#include "bench/suite/keys.h"
#include "bench/suite/suite.h"

enum { KIND_CASE, KIND_FORMULATION, KIND_SOLVER, KIND_FIGURE, KIND_COUNT };
static const char *const kind_names[KIND_COUNT] = {"cases", "formulations", "solvers", "figures"};

/* Visit every entry of a kind: name, laws as bits (0: has none), summary, source. */
typedef void (*visitor)(void *context, const char *name, unsigned laws, const char *summary,
                        const char *source);

static unsigned laws_of_form(const struct form *form) {
  return form->is_family ? CONTACT_LAW_BIT(CONTACT_LAW_COUNT) - 1
         : form->has_law ? CONTACT_LAW_BIT(form->law)
                         : 0;
}

static void visit(int kind, visitor see, void *context) {
  switch (kind) {
  case KIND_CASE:
    for (int i = 0; i < case_count(); ++i) {
      see(context, case_get(i)->name, 0, case_get(i)->summary, case_get(i)->source);
    }
    break;
  case KIND_FORMULATION:
    for (int i = 0; i < form_count(); ++i) {
      const struct form *form = form_get(i);
      see(context, form->name, laws_of_form(form), form->summary, form->source);
    }
    break;
  case KIND_SOLVER:
    for (int i = 0; i < problem_solver_count(); ++i) {
      const struct problem_solver *s = problem_solver_get(i);
      see(context, s->name, s->laws, s->summary, s->source);
    }
    break;
  default:
    for (int i = 0; i < case_count(); ++i) {
      for (const struct case_figure *f = case_get(i)->figures; f != NULL && f->id != NULL; ++f) {
        see(context, f->id, 0, f->title, case_get(i)->name);
      }
    }
  }
}

static void print_line(void *context, const char *name, unsigned laws, const char *summary,
                       const char *source) {
  (void)context, (void)laws, (void)source;
  printf("  %-22s %s\n", name, summary);
}

/* A row of a table in Markdown; context: does the kind have laws? */
static void print_row(void *context, const char *name, unsigned laws, const char *summary,
                      const char *source) {
  printf("| `%s` |", name);
  if (*(const int *)context) {
    for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
      if (laws & CONTACT_LAW_BIT(law)) {
        printf(" `%s`", contact_law_name((enum contact_law)law));
      }
    }
    printf(laws == 0 ? " none |" : " |");
  }
  printf(" %s | %s |\n", summary, source);
}

static void print_table(int kind) {
  int has_laws = kind == KIND_FORMULATION || kind == KIND_SOLVER;
  const char *head = kind == KIND_FIGURE ? "title | case" : "what | source";
  printf("| %.*s |%s %s |\n|%s --- | --- | --- |\n", (int)strlen(kind_names[kind]) - 1,
         kind_names[kind], has_laws ? " laws |" : "", head, has_laws ? " --- |" : "");
  visit(kind, print_row, &has_laws);
}

static void add_entry(void *context, const char *name, unsigned laws, const char *summary,
                      const char *source) {
  cJSON *entry = cJSON_CreateObject();
  (void)laws;
  cJSON_AddStringToObject(entry, "name", name);
  cJSON_AddStringToObject(entry, "summary", summary);
  cJSON_AddStringToObject(entry, "source", source);
  cJSON_AddItemToArray(context, entry);
}

int bench_list(const char *what, enum bench_list_format format) {
  const int only = what != NULL ? base_name_find("list", what, KIND_COUNT, kind_names) : -1;
  if (what != NULL && only < 0) {
    return BASE_E_INPUT;
  }
  cJSON *all = cJSON_CreateObject();
  for (int kind = 0; kind < KIND_COUNT; ++kind) {
    if (only >= 0 && kind != only) {
      continue;
    }
    if (format == BENCH_LIST_MARKDOWN) {
      print_table(kind);
    } else if (format == BENCH_LIST_JSON) {
      visit(kind, add_entry, cJSON_AddArrayToObject(all, kind_names[kind]));
    } else {
      printf("%s\n", kind_names[kind]);
      visit(kind, print_line, NULL);
    }
  }
  const int status = format == BENCH_LIST_JSON ? base_json_write("-", all) : BASE_OK;
  cJSON_Delete(all);
  return status;
}

static void print_limit(const char *words, double limit) {
  char number[BASE_JSON_NUMBER_SIZE];
  if (isfinite(limit)) {
    printf("%s%s", words, base_json_number(limit, number));
  }
}

static void print_option(const struct base_option *entry) {
  char number[BASE_JSON_NUMBER_SIZE], choice[64];
  switch (entry->type) {
  case BASE_OPTION_IS_CHOICE:
    if (entry->fixed) {
      printf("  %-16s %s (fixed)\n", entry->name,
             base_options_choice(entry, (int)entry->value, choice, sizeof choice));
      break;
    }
    printf("  %-16s %s (default %s)\n", entry->name, entry->choices,
           base_options_choice(entry, (int)entry->value, choice, sizeof choice));
    break;
  case BASE_OPTION_IS_BOOL:
    printf("  %-16s yes|no (default %s)\n", entry->name, entry->value != 0 ? "yes" : "no");
    break;
  default:
    printf("  %-16s %s%s%s", entry->name, entry->type == BASE_OPTION_IS_INT ? "integer" : "number",
           entry->unit[0] ? ", " : "", entry->unit);
    print_limit(", at least ", entry->min);
    print_limit(", at most ", entry->max);
    printf(" (default %s)\n",
           isfinite(entry->value) ? base_json_number(entry->value, number) : "inf");
  }
  printf("  %-16s   %s\n", "", entry->help);
}

static void print_options(const char *title, const struct base_option *table) {
  if (table != NULL && table->name != NULL) {
    printf("%s (--opt key=value):\n", title);
    for (; table->name != NULL; ++table) {
      print_option(table);
    }
  }
}

/* A text of a file at a dotted path, fit for a terminal. */
static const char *text_at(const cJSON *file, const char *path, struct base_arena *arena) {
  return base_text_clean(base_json_text_at(file, path), arena);
}

static int describe_case(const struct case_type *type) {
  struct base_arena *arena = base_arena_alloc();
  const struct case_parameters *parameters = case_parameters_load(type, arena);
  if (parameters == NULL) {
    base_arena_free(arena);
    return BASE_E_INPUT;
  }
  const cJSON *file = case_parameters_file(parameters), *entry;
  printf("case %s: %s\nsource: %s\n", type->name, type->summary, type->source);
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
  for (const struct case_figure *f = type->figures; f != NULL && f->id != NULL; ++f) {
    printf("  %-16s %s\n", f->id, f->title);
  }
  base_arena_free(arena);
  return BASE_OK;
}

static void describe_formulation(const struct form *form) {
  printf("formulation %s: %s\nsource: %s\n", form->name, form->summary, form->source);
  if (form->has_law) {
    printf("law: %s%s; default solver: %s; solvers that accept it:", contact_law_name(form->law),
           form->is_family ? " or another, by option" : "", form->solver);
    for (int i = 0; i < problem_solver_count(); ++i) {
      if (problem_solver_get(i)->laws & CONTACT_LAW_BIT(form->law)) {
        printf(" %s%s", problem_solver_get(i)->name,
               problem_solver_get(i)->check != NULL ? "*" : "");
      }
    }
    printf("\n  (* with conditions on the problem, such as no friction; a run says which)\n");
  } else {
    printf("takes no solver\n");
  }
  print_options("options", form->options);
  print_options("options of what a run varies of its case", bench_variation_options);
}

static void describe_solver(const struct problem_solver *solver) {
  printf("solver %s: %s\nsource: %s\nlaws:", solver->name, solver->summary, solver->source);
  for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
    if (solver->laws & CONTACT_LAW_BIT(law)) {
      printf(" %s", contact_law_name((enum contact_law)law));
    }
  }
  printf("\n");
  print_options("options", solver->options);
  print_options("options of every solver", problem_loop_options);
  print_options("options of every run", bench_switch_options);
}

static void describe_figure(const struct case_figure *figure, const struct case_type *type) {
  printf("figure %s of case %s: %s\n%s\n", figure->id, type->name, figure->title, figure->caption);
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

int bench_describe(const char *name) {
  if (strcmp(name, "coulombench.scene/1") == 0) {
    return bench_describe_schema();
  }
  if (strcmp(name, BENCH_RESULT_SCHEMA) == 0 || strcmp(name, BENCH_SUITE_SCHEMA) == 0) {
    cJSON *schema =
        strcmp(name, BENCH_RESULT_SCHEMA) == 0 ? bench_record_schema() : bench_suite_schema();
    const int status = base_json_write("-", schema);
    cJSON_Delete(schema);
    return status;
  }
  if (strcmp(name, "compare") == 0) {
    bench_describe_compare();
    return BASE_OK;
  }
  if (case_is_file(name)) {
    return bench_describe_scene(name);
  }
  struct names names = {0};
  for (names.now = 0; names.now < KIND_COUNT; ++names.now) {
    visit(names.now, collect_name, &names);
  }
  if (base_name_find("name", name, names.n, names.name) < 0) {
    return BASE_E_INPUT;
  }
  /* A name may stand for several things (formulation and law, say): describe all of them. */
  int status = BASE_OK;
  for (int i = 0; i < names.n && status == BASE_OK; ++i) {
    if (strcmp(names.name[i], name) != 0) {
      continue;
    }
    const struct case_type *type;
    switch (names.kind[i]) {
    case KIND_CASE:
      status = describe_case(case_find(name));
      break;
    case KIND_FORMULATION:
      describe_formulation(form_find(name));
      break;
    case KIND_SOLVER:
      describe_solver(problem_solver_find(name));
      break;
    default: {
      const struct case_figure *figure = bench_figure_find(name, &type);
      describe_figure(figure, type);
    }
    }
  }
  return status;
}
