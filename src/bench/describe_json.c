/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `describe NAME --json`: an entry with all its options or parameters, as a program wants it. A
 * list, for a name may stand for several things.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/job.h"
#include "bench/list.h"
#include "bench/suite/figures.h"
#include "bench/suite/suite.h"

static void add_choices(cJSON *entry, const struct base_key *key) {
  cJSON *list = cJSON_AddArrayToObject(entry, "choices");
  const char *choice;
  size_t length;
  for (int i = 0; (choice = base_key_choice(key, i, &length)) != NULL; ++i) {
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, choice);
    cJSON_AddItemToArray(list, cJSON_CreateString(word));
  }
}

static cJSON *option(const struct base_option *o) {
  char choice[64];
  const struct base_key *key = &o->key;
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddStringToObject(entry, "name", key->name);
  if ((key->types & BASE_TEXT) != 0) {
    cJSON_AddStringToObject(entry, "type", "choice");
    add_choices(entry, key);
    cJSON_AddStringToObject(entry, "default",
                            base_options_choice(o, (int)o->value, choice, sizeof choice));
  } else if ((key->types & BASE_FLAG) != 0) {
    cJSON_AddStringToObject(entry, "type", "flag");
    cJSON_AddBoolToObject(entry, "default", o->value != 0);
  } else {
    cJSON_AddStringToObject(entry, "type", (key->types & BASE_REAL) != 0 ? "number" : "integer");
    cJSON_AddStringToObject(entry, "unit", key->unit);
    base_json_add_real(entry, "min", key->min); /* null: none, and as a default infinite */
    base_json_add_real(entry, "max", key->max);
    base_json_add_real(entry, "default", o->value);
  }
  cJSON_AddBoolToObject(entry, "fixed", o->fixed);
  cJSON_AddStringToObject(entry, "help", key->help);
  return entry;
}

static void add_options(cJSON *entry, const char *key, const struct base_option *table) {
  cJSON *list = cJSON_AddArrayToObject(entry, key);
  for (; table != NULL && table->key.name != NULL; ++table) {
    cJSON_AddItemToArray(list, option(table));
  }
}

static void add_laws(cJSON *entry, const char *key, unsigned laws) {
  cJSON *list = cJSON_AddArrayToObject(entry, key);
  for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
    if (laws & CONTACT_LAW_BIT(law)) {
      cJSON_AddItemToArray(list, cJSON_CreateString(contact_law_name((enum contact_law)law)));
    }
  }
}

/* What its file says of a case: defaults and parameters with unit, source and range. */
static int add_case(cJSON *entry, const struct case_type *type) {
  struct base_arena *arena = base_arena_alloc();
  const struct case_parameters *parameters = case_parameters_load(type, arena);
  int status = parameters != NULL ? BASE_OK : BASE_E_INPUT;
  if (status == BASE_OK) {
    const cJSON *file = case_parameters_file(parameters);
    base_json_add_real(entry, "dt", base_json_real_at(file, "dt"));
    base_json_add_real(entry, "t_end", base_json_real_at(file, "t_end"));
    cJSON_AddStringToObject(entry, "reference", base_json_text_at(file, "reference.kind"));
    cJSON_AddItemToObject(entry, "parameters",
                          cJSON_Duplicate(base_json_at(file, "parameters"), 1));
    cJSON *figures = cJSON_AddArrayToObject(entry, "figures");
    int n = 0;
    const struct bench_figure *all = bench_figures(&n);
    for (int i = 0; i < n; ++i) {
      if (all[i].type == type) {
        cJSON_AddItemToArray(figures, cJSON_CreateString(all[i].id));
      }
    }
  }
  base_arena_free(arena);
  return status;
}

struct found {
  const char *name;
  unsigned laws;
  const char *summary, *source;
};

static void find(void *context, const char *name, unsigned laws, const char *summary,
                 const char *source) {
  struct found *found = context;
  if (strcmp(found->name, name) == 0) {
    *found = (struct found){name, laws, summary, source};
  }
}

cJSON *bench_describe_entry(int kind, const char *name) {
  struct found found = {.name = name, .summary = "", .source = ""};
  bench_list_visit(kind, find, &found);
  cJSON *entry = cJSON_CreateObject();
  int status = BASE_OK;
  cJSON_AddStringToObject(entry, "kind", bench_kind_name(kind));
  cJSON_AddStringToObject(entry, "name", name);
  cJSON_AddStringToObject(entry, "summary", found.summary);
  cJSON_AddStringToObject(entry,
                          kind == KIND_FIGURE  ? "case"
                          : kind == KIND_STUDY ? "of"
                                               : "source",
                          found.source);
  if (kind == KIND_CASE) {
    status = add_case(entry, case_find(name));
  } else if (kind == KIND_FORMULATION) {
    const struct form *form = form_find(name);
    add_laws(entry, "laws", found.laws);
    cJSON_AddItemToObject(entry, "solver",
                          form->has_law ? cJSON_CreateString(form->solver) : cJSON_CreateNull());
    add_options(entry, "options", form->options);
    add_options(entry, "variation_options", bench_variation_options);
  } else if (kind == KIND_SOLVER) {
    add_laws(entry, "laws", found.laws);
    add_laws(entry, "laws_without_friction", problem_solver_laws(problem_solver_find(name), 1));
    add_options(entry, "options", problem_solver_find(name)->options);
    add_options(entry, "loop_options", problem_loop_options);
    add_options(entry, "run_options", bench_switch_options);
  } else {
    cJSON_AddStringToObject(entry, "caption", bench_figure_find(name, NULL)->caption);
  }
  if (status != BASE_OK) {
    cJSON_Delete(entry);
    return NULL;
  }
  return entry;
}
