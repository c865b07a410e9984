/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The JSON Schema of figures' files; what else a value has to be is for read.c and read_panels.c.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "bench/figure/file.h"

/* What a key may be: a schema in short, by name in `types`. */
static const struct {
  const char *name, *schema;
} types[] = {
    {"text", "{\"type\": \"string\"}"},
    {"flag", "{\"type\": \"boolean\"}"},
    {"number", "{\"type\": \"number\"}"},
    {"count", "{\"type\": \"integer\", \"minimum\": 0}"},
    {"interval", "{\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 2, "
                 "\"maxItems\": 2}"},
    {"bounds", "{\"type\": \"array\", \"items\": {\"type\": [\"number\", \"string\"]}, "
               "\"minItems\": 2, \"maxItems\": 2}"},
    {"labels", "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "
               "\"string\"}, \"minItems\": 1}]}"},
    {"words", "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 1}"},
    {"column", "{\"type\": [\"number\", \"string\"]}"},
    {"object", "{\"type\": \"object\"}"},
    {"list", "{\"type\": \"array\"}"},
    {"columns", "{\"type\": [\"object\", \"array\"]}"},
    {"cells", "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "
              "\"object\", \"required\": [\"label\"]}}]}"},
    {"expression", "{\"type\": [\"string\", \"number\"]}"},
};

struct key {
  const char *name, *type, *help;
};

static const struct key root[] = {
    {"id", "text", "also the name of its file"},
    {"title", "text", ""},
    {"caption", "text", "what it shows; {beginning of a value's name} is the number"},
    {"case", "text", "of runs that say none"},
    {"timed", "flag", "it shows times: its runs are repeated as a suite says"},
    {"runs", "cells", "cells of coulombench.suite/1, or the id of another figure with these runs"},
    {"define", "object", "expressions by names of the figure's own"},
    {"script", "text", "that draws it, where there are no panels"},
    {"abreast", "count", "panels in a row"},
    {"square", "flag", "as high as wide"},
    {"make", "text",
     "a function of the case for further tables and values; of the report for a study"},
    {"slopes", "object", "of a study: tables of slopes, by the quantities that these are of"},
    {"csv", "object",
     "of a study: tables by the names of files that they are written to, report/<name>.csv"},
    {"says", "object",
     "of a study: tables of sentences before the caption: all, each (of a facet)"},
    {NULL}};
static const struct key table[] = {
    {"of", "labels", "label of the runs that there is one of, * for anything; none: of no run"},
    {"columns", "columns", "title and expression, or titles of a function's columns"},
    {"keep", "text", "a function, 0 for rows that are left out"},
    {"function", "text", "fills the rows"},
    {"rows", "count", "of a function"},
    {"from", "text",
     "of a study: records, runs, compared, searches, solutions, or a table before this one"},
    {"transform", "list", "of a study: transforms of its rows"},
    {NULL}};
static const struct key value[] = {
    {"name", "text", "with {names} of its run"},
    {"of", "labels", "label of the runs that it is about, * for anything"},
    {"value", "expression", ""},
    {"table", "text", "of a study: its columns are the names in the value"},
    {"bounds", "bounds", "what is claimed; without it the value is a report"},
    {"expected", "text", "what theory or we say"},
    {"published", "text", "what the source prints, and where"},
    {"differs", "text", "why it is not what is published"},
    {"source", "interval", "what is published, within its digits"},
    {"schematic", "flag", "the source draws it without a scale"},
    {"note", "text", "of a report"},
    {NULL}};
static const struct key panel[] = {
    {"head", "text", "above it"},
    {"x", "object", "title, scale (log, linear, auto), domain, shared, names"},
    {"y", "object",
     "title, scale (log, linear, auto), domain, shared, least; names of a study, a column"},
    {"key", "text", "corner, or foot"},
    {"facet", "text", "of a study: a drawing for each value of this column"},
    {"column", "text", "of a study: a panel for each value of this column"},
    {NULL}};
static const struct key layer[] = {
    {"mark", "text", "line, linespoint, point, impulse, bar, rule, band, errorbar, text"},
    {"table", "text", ""},
    {"x", "column", "name or number of a column; without table where a rule stands"},
    {"y", "column", ""},
    {"y2", "column", "other end of bands and error bars"},
    {"x2", "column", "other end of error bars across"},
    {"note", "column", "number above bars, and of texts"},
    {"color", "text",
     "a formulation, solver, reference, limit, mark, a colour; of a study a column"},
    {"detail", "text", "of a study: a column, a curve for each value"},
    {"title", "text", "in the key; of a study also a column"},
    {"dash", "flag", ""},
    {"interpolate", "text", "of lines: linear, or step-after, level up to the next point"},
    {"every", "count", "of linespoint: rows from point to point"},
    {"width", "number", "of the line"},
    {"factor", "number", "of y; of a power law its constant"},
    {"x_factor", "number", "of x"},
    {"power", "number", "of a law, without table"},
    {"each", "words", "a curve for each word, which stands for {}"},
    {"next", "count", "columns from word to word"},
    {NULL}};

static cJSON *of_type(const char *name) {
  size_t i = 0;
  while (strcmp(types[i].name, name) != 0) {
    ++i;
  }
  return cJSON_Parse(types[i].schema);
}

static cJSON *of_keys(const struct key *keys) {
  cJSON *schema = of_type("object"), *properties = cJSON_AddObjectToObject(schema, "properties");
  for (const struct key *k = keys; k->name != NULL; ++k) {
    cJSON *entry = of_type(k->type);
    if (k->help[0] != '\0') {
      cJSON_AddStringToObject(entry, "description", k->help);
    }
    cJSON_AddItemToObject(properties, k->name, entry);
  }
  cJSON_AddBoolToObject(schema, "additionalProperties", 0);
  return schema;
}

static cJSON *properties_of(cJSON *schema) {
  return cJSON_GetObjectItemCaseSensitive(schema, "properties");
}

static void require(cJSON *schema, int n, const char *const *names) {
  cJSON_AddItemToObject(schema, "required", cJSON_CreateStringArray(names, n));
}

static void add_list(cJSON *schema, const char *name, cJSON *items) {
  cJSON *list = of_type("list");
  cJSON_AddItemToObject(list, "items", items);
  cJSON_AddItemToObject(properties_of(schema), name, list);
}

cJSON *bench_figure_schema(void) {
  static const char *const needed[] = {"schema", "id", "title", "caption"};
  static const char *const of_value[] = {"name", "value"}, *const of_panel[] = {"layer"},
                           *const of_layer[] = {"color"};
  cJSON *schema = of_keys(root), *constant = cJSON_CreateObject();
  cJSON *values = of_keys(value), *panels = of_keys(panel), *layers = of_keys(layer);
  require(schema, 4, needed);
  require(values, 2, of_value);
  require(panels, 1, of_panel);
  require(layers, 1, of_layer);
  cJSON_AddStringToObject(constant, "const", BENCH_FIGURE_FILE_SCHEMA);
  cJSON_AddItemToObject(properties_of(schema), "schema", constant);
  add_list(schema, "values", values);
  add_list(panels, "layer", layers);
  add_list(schema, "panels", panels);
  cJSON *tables = of_type("object"), *one = cJSON_CreateObject();
  cJSON *any = cJSON_AddArrayToObject(one, "anyOf"), *several = of_type("list");
  cJSON_AddItemToArray(any, of_keys(table));
  cJSON_AddItemToObject(several, "items", of_keys(table));
  cJSON_AddItemToArray(any, several);
  cJSON_AddItemToObject(tables, "additionalProperties", one);
  cJSON_AddItemToObject(properties_of(schema), "tables", tables);
  cJSON_AddStringToObject(schema, "$schema", "https://json-schema.org/draft/2020-12/schema");
  cJSON_AddStringToObject(schema, "$id", BENCH_FIGURE_FILE_SCHEMA);
  return schema;
}
