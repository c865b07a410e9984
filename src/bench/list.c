/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What there is: `list`, and names for `describe`.
 */
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/commands.h"
#include "bench/job/job.h"
#include "bench/list.h"
#include "bench/suite/figures.h"
#include "form/simulator/simulator.h"

static const char *const kind_names[KIND_COUNT] = {"cases", "formulations", "solvers", "figures",
                                                   "studies"};

const char *bench_kind_name(int kind) {
  static const char *const names[KIND_COUNT] = {"case", "formulation", "solver", "figure", "study"};
  return names[kind];
}

static unsigned laws_of_form(const struct form *form) {
  return !form->has_law    ? 0
         : form->is_family ? CONTACT_LAW_BIT(CONTACT_LAW_COUNT) - 1
                           : CONTACT_LAW_BIT(form->law);
}

void bench_list_visit(int kind, bench_list_visitor see, void *context) {
  const struct bench_figure *all;
  int n = 0;
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
      see(context, s->name, problem_solver_laws(s, 3), s->summary, s->source);
    }
    break;
  default:
    all = kind == KIND_FIGURE ? bench_figures(&n) : bench_studies(&n);
    for (int i = 0; i < n; ++i) {
      see(context, all[i].id, 0, all[i].title, all[i].runs != NULL ? all[i].type->name : "records");
    }
  }
}

/* context: the kind. Of engines with their version. */
static void print_line(void *context, const char *name, unsigned laws, const char *summary,
                       const char *source) {
  struct base_arena *arena = base_arena_alloc();
  const char *version = *(const int *)context == KIND_FORMULATION
                            ? form_engine_version(form_find(name), arena)
                            : NULL;
  (void)laws, (void)source;
  printf("  %-22s %s%s%s\n", name, summary, version != NULL ? ": " : "",
         version != NULL ? version : "");
  base_arena_free(arena);
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
  const char *head = kind == KIND_FIGURE  ? "title | case"
                     : kind == KIND_STUDY ? "title | of"
                                          : "what | source";
  printf("| %s |%s %s |\n|%s --- | --- | --- |\n", bench_kind_name(kind), has_laws ? " laws |" : "",
         head, has_laws ? " --- |" : "");
  bench_list_visit(kind, print_row, &has_laws);
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
  int n;
  if (bench_figures(&n) == NULL || bench_studies(&n) == NULL) {
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
      bench_list_visit(kind, add_entry, cJSON_AddArrayToObject(all, kind_names[kind]));
    } else {
      printf("%s\n", kind_names[kind]);
      bench_list_visit(kind, print_line, &kind);
    }
  }
  const int status = format == BENCH_LIST_JSON ? base_json_write("-", all) : BASE_OK;
  cJSON_Delete(all);
  return status;
}
