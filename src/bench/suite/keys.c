/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of a suite's keys, and its JSON Schema; see keys.h.
 */
#include "bench/suite/keys.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "bench/ensemble/ensemble.h"
#include "bench/job/asked.h"
#include "bench/suite/suite.h"

/* What a value may be: one of these, in words with '|' between them.
 *   text number count    a JSON value (count: whole, not negative); sizes are not negative
 *   all none             that text
 *   texts numbers counts a list of them, not empty
 *   pair                 two numbers
 *   values               an object of numbers, texts, flags, or lists of these, which are swept
 *   over           an object of counts, or of lists of such values or of lists of them
 *   by-formulation       an object of texts or lists of texts
 *   ensemble             the options of ensembles
 *   cells search solver solvers study   objects of the table, or lists of them
 */
struct key {
  enum bench_suite_part part;
  const char *name, *types, *unit, *help;
  int is_required;
};

static const struct key keys[] = {
    {SUITE_ROOT, "schema", "schema", "", "", 1},
    {SUITE_ROOT, "name", "text", "", "also that of the folder of its results", 1},
    {SUITE_ROOT, "title", "text", "", "", 0},
    {SUITE_ROOT, "time_limit", "number", "s", "of a run, and of its reference; 0: none", 0},
    {SUITE_ROOT, "repeat", "count", "", "how often times are taken, of cells that do not say", 0},
    {SUITE_ROOT, "cost", "number", "s",
     "processor time of all cells as measured, from which `bench` says how long they take", 0},
    {SUITE_ROOT, "cells", "cells", "", "runs and one-step problems", 0},
    {SUITE_ROOT, "figures", "all|none|texts", "", "of cases, with the runs that they need", 0},
    {SUITE_ROOT, "except", "texts", "", "figures left out of all, which the page names", 0},
    {SUITE_ROOT, "studies", "studies", "", "drawn from all records by `report`", 0},
    {SUITE_CELLS, "case", "text", "",
     "a case, the file of a scene, or \"others\": each case that no other cell names", 1},
    {SUITE_CELLS, "formulations", "all|texts", "", "\"all\" that take the solver, if one is named",
     0},
    {SUITE_CELLS, "except", "texts", "", "formulations left out of all", 0},
    {SUITE_CELLS, "solver", "text|solver|solvers", "", "of the one-step problems; a list is swept",
     0},
    {SUITE_CELLS, "dt", "number|text|numbers", "s", "step; a list is swept", 0},
    {SUITE_CELLS, "t_end", "number|text", "s", "horizon", 0},
    {SUITE_CELLS, "sample", "number|text", "s", "a trajectory in the record, every so often", 0},
    {SUITE_CELLS, "set", "values", "", "parameters of the case; lists are swept", 0},
    {SUITE_CELLS, "opt", "values", "", "options of formulation and solver; lists are swept", 0},
    {SUITE_CELLS, "label", "text", "", "tells cells apart, in the names of their records", 0},
    {SUITE_CELLS, "study", "text", "", "for which the cells are made; they stand in no other", 0},
    {SUITE_CELLS, "expect", "text|texts|by-formulation", "",
     "statuses in which the cells are to end, each of which must occur; else ok", 0},
    {SUITE_CELLS, "search", "search|text", "",
     "for the largest step, in place of dt; or PARAM=LO,HI[,TOL], as in `run --search`", 0},
    {SUITE_CELLS, "until", "text", "", "the condition of such a search", 0},
    {SUITE_CELLS, "threads", "counts", "", "of parallel solvers, swept", 0},
    {SUITE_CELLS, "time_limit", "number", "s", "of a run, in place of the suite's; 0: none", 0},
    {SUITE_CELLS, "repeat", "count", "", "how often times are taken; 0: of one run", 0},
    {SUITE_CELLS, "ensemble", "ensemble", "", "each cell as many runs, varied", 0},
    {SUITE_CELLS, "over", "over", "", "lists whose words stand as {name} in texts of the cell", 0},
    {SUITE_CELLS, "record", "text", "",
     "of figures: the record that is kept with the case, in place of a run", 0},
    {SUITE_PROBLEMS, "problems", "text", "",
     "a folder of one-step problems or one of them, or $VARIABLE of the environment that names it",
     1},
    {SUITE_PROBLEMS, "label", "text", "", "of the set", 1},
    {SUITE_PROBLEMS, "laws", "texts", "", "contact laws to solve them under", 1},
    {SUITE_PROBLEMS, "solvers", "all|solvers", "", "\"all\": the program's own", 1},
    {SUITE_PROBLEMS, "time_limit", "number", "s", "of a solve", 0},
    {SUITE_PROBLEMS, "opt", "values", "",
     "options of the solvers; \"history\": true for the study convergence", 0},
    {SUITE_SEARCH, "dt", "pair", "s", "the range of steps", 1},
    {SUITE_SEARCH, "limit", "number", "-", "of the error over the system's length; 0: stability",
     0},
    {SUITE_SEARCH, "ratio", "number", "-", "how near the limit is found", 0},
    {SUITE_SOLVER, "exec", "text", "", "command of a solver", 1},
    {SUITE_SOLVER, "label", "text", "", "its name in tables and curves", 1},
    {SUITE_STUDY, "study", "text", "", "parameter", 1},
    {SUITE_STUDY, "x", "text", "",
     "a parameter of the case, an option of formulation or solver, or a path into records", 1},
    {SUITE_STUDY, "y", "text", "", "a path of a number in records", 1},
};
enum { KEYS = sizeof keys / sizeof *keys };

int bench_suite_refuse_unknown(const cJSON *object, enum bench_suite_part part, const char *file,
                               const char *where) {
  const char *known[KEYS + 1];
  int n = 0;
  for (int i = 0; i < KEYS; ++i) {
    if (keys[i].part == part) {
      known[n++] = keys[i].name;
    }
  }
  known[n] = NULL;
  return base_json_refuse_unknown(object, file, where, known);
}

/* ---- the schema ---- */

static cJSON *of_type(const char *type) {
  cJSON *schema = cJSON_CreateObject();
  cJSON_AddStringToObject(schema, "type", type);
  return schema;
}

static cJSON *of_text(const char *text) {
  cJSON *schema = cJSON_CreateObject();
  cJSON_AddStringToObject(schema, "const", text);
  return schema;
}

static cJSON *list_of(cJSON *items, int least, int most) {
  cJSON *schema = of_type("array");
  cJSON_AddItemToObject(schema, "items", items);
  cJSON_AddNumberToObject(schema, "minItems", least);
  if (most > 0) {
    cJSON_AddNumberToObject(schema, "maxItems", most);
  }
  return schema;
}

static cJSON *one_of(int n, cJSON *const *schemas) {
  if (n == 1) {
    return schemas[0];
  }
  cJSON *schema = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(schema, "anyOf");
  for (int i = 0; i < n; ++i) {
    cJSON_AddItemToArray(list, schemas[i]);
  }
  return schema;
}

static cJSON *number(int is_whole) {
  cJSON *schema = of_type(is_whole ? "integer" : "number");
  cJSON_AddNumberToObject(schema, "minimum", 0);
  return schema;
}

static cJSON *object_of(cJSON *values) {
  cJSON *schema = of_type("object");
  cJSON_AddItemToObject(schema, "additionalProperties", values);
  return schema;
}

/* A number, text or flag, or a list of these. */
static cJSON *swept(void) {
  cJSON *schema = cJSON_CreateObject(), *types = cJSON_AddArrayToObject(schema, "type");
  static const char *const plain[] = {"number", "string", "boolean"};
  for (int i = 0; i < 3; ++i) {
    cJSON_AddItemToArray(types, cJSON_CreateString(plain[i]));
  }
  cJSON *both[] = {schema, list_of(cJSON_Duplicate(schema, 1), 1, 0)};
  return one_of(2, both);
}

/* A count, or a list of values or of lists of them. */
static cJSON *over(void) {
  cJSON *word = swept();
  cJSON *both[] = {number(1), list_of(word, 1, 0)};
  return object_of(one_of(2, both));
}

static cJSON *of_part(enum bench_suite_part part);

static cJSON *ensemble(void) {
  cJSON *schema = of_type("object"), *properties = cJSON_AddObjectToObject(schema, "properties");
  for (const struct base_option *o = bench_ensemble_options; o->name != NULL; ++o) {
    cJSON *entry = of_type(o->type == BASE_OPTION_IS_INT ? "integer" : "number");
    cJSON_AddStringToObject(entry, "description", o->help);
    if (isfinite(o->min)) {
      cJSON_AddNumberToObject(entry, "minimum", o->min);
    }
    cJSON_AddItemToObject(properties, o->name, entry);
  }
  cJSON_AddBoolToObject(schema, "additionalProperties", 0);
  return schema;
}

static cJSON *studies(void) {
  cJSON *names = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(names, "enum");
  for (int i = 0; i < BENCH_STUDY_COUNT; ++i) {
    cJSON_AddItemToArray(list, cJSON_CreateString(bench_study_names[i]));
  }
  cJSON *both[] = {names, of_part(SUITE_STUDY)};
  return list_of(one_of(2, both), 0, 0);
}

/* One word of a key's types. */
static cJSON *of_word(const char *word) {
  cJSON *solver[] = {NULL, NULL}, *cells[] = {NULL, NULL}, *texts[] = {NULL, NULL};
  if (strcmp(word, "text") == 0) {
    return of_type("string");
  }
  if (strcmp(word, "schema") == 0) {
    return of_text(BENCH_SUITE_SCHEMA);
  }
  if (strcmp(word, "all") == 0 || strcmp(word, "none") == 0) {
    return of_text(word);
  }
  if (strcmp(word, "number") == 0 || strcmp(word, "count") == 0) {
    return number(word[0] == 'c');
  }
  if (strcmp(word, "numbers") == 0 || strcmp(word, "counts") == 0) {
    return list_of(number(word[0] == 'c'), 1, 0);
  }
  if (strcmp(word, "pair") == 0) {
    return list_of(number(0), 2, 2);
  }
  if (strcmp(word, "texts") == 0) {
    return list_of(of_type("string"), 0, 0);
  }
  if (strcmp(word, "values") == 0) {
    return object_of(swept());
  }
  if (strcmp(word, "over") == 0) {
    return over();
  }
  if (strcmp(word, "by-formulation") == 0) {
    texts[0] = of_type("string");
    texts[1] = list_of(of_type("string"), 1, 0);
    return object_of(one_of(2, texts));
  }
  if (strcmp(word, "ensemble") == 0) {
    return ensemble();
  }
  if (strcmp(word, "studies") == 0) {
    return studies();
  }
  if (strcmp(word, "search") == 0) {
    return of_part(SUITE_SEARCH);
  }
  if (strncmp(word, "solver", 6) == 0) {
    solver[0] = of_type("string");
    solver[1] = of_part(SUITE_SOLVER);
    return word[6] == 's' ? list_of(one_of(2, solver), 1, 0) : one_of(2, solver);
  }
  cells[0] = of_part(SUITE_CELLS);
  cells[1] = of_part(SUITE_PROBLEMS);
  return list_of(one_of(2, cells), 0, 0);
}

static cJSON *of_key(const struct key *key) {
  cJSON *schemas[4];
  int n = 0;
  for (const char *at = key->types;;) {
    char word[32];
    const size_t length = strcspn(at, "|");
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    schemas[n++] = of_word(word);
    if (at[length] == '\0') {
      break;
    }
    at += length + 1;
  }
  cJSON *schema = one_of(n, schemas);
  if (key->help[0] != '\0') {
    cJSON_AddStringToObject(schema, "description", key->help);
  }
  if (key->unit[0] != '\0') {
    cJSON_AddStringToObject(schema, "unit", key->unit);
  }
  return schema;
}

static cJSON *of_part(enum bench_suite_part part) {
  cJSON *schema = of_type("object"), *properties = cJSON_AddObjectToObject(schema, "properties");
  cJSON *required = cJSON_AddArrayToObject(schema, "required");
  for (int i = 0; i < KEYS; ++i) {
    if (keys[i].part == part) {
      cJSON_AddItemToObject(properties, keys[i].name, of_key(&keys[i]));
      if (keys[i].is_required) {
        cJSON_AddItemToArray(required, cJSON_CreateString(keys[i].name));
      }
    }
  }
  cJSON_AddBoolToObject(schema, "additionalProperties", 0);
  return schema;
}

cJSON *bench_suite_schema(void) {
  cJSON *schema = of_part(SUITE_ROOT);
  cJSON_AddItemToObject(schema, "$schema",
                        cJSON_CreateString("https://json-schema.org/draft/2020-12/schema"));
  cJSON_AddStringToObject(schema, "$id", BENCH_SUITE_SCHEMA);
  return schema;
}
