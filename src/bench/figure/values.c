/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a figure, from its file, judged by what is claimed of them; see values.h.
 */
#include "bench/figure/values.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"

/* A value as its file has it. */
struct asked {
  const char *name;
  const cJSON *of;                                              /* NULL: of no run */
  const struct frame_expression *value, *bounds[2], *source[2]; /* bounds NULL: a report */
  struct case_claim claim;                                      /* its texts */
  const char *note;
};

/* ---- reading ---- */

static int fail(const char *file, int i, const char *key, const char *why) {
  return base_fail(BASE_E_INPUT, "%s: values[%d]%s%s: %s", file, i, key[0] != '\0' ? "." : "", key,
                   why);
}

/* An expression, or a number. */
static int read_expression(const cJSON *item, const char *place, struct base_arena *arena,
                           const struct frame_expression **e) {
  char number[BASE_JSON_NUMBER_SIZE];
  if (!cJSON_IsString(item) && !cJSON_IsNumber(item)) {
    return base_fail(BASE_E_INPUT, "%s: must be an expression or a number", place);
  }
  *e = frame_expression_read(
      arena, cJSON_IsString(item) ? item->valuestring : base_json_number(item->valuedouble, number),
      place);
  return *e != NULL ? BASE_OK : BASE_E_INPUT;
}

static int read_interval(const cJSON *value, const char *key, const char *place,
                         struct base_arena *arena, const struct frame_expression *ends[2]) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(value, key);
  const char *where = base_arena_printf(arena, "%s.%s", place, key);
  if (list == NULL) {
    return BASE_OK;
  }
  if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != 2) {
    return base_fail(BASE_E_INPUT, "%s: must be two numbers or expressions", where);
  }
  const int status = read_expression(cJSON_GetArrayItem(list, 0), where, arena, &ends[0]);
  return status != BASE_OK ? status
                           : read_expression(cJSON_GetArrayItem(list, 1), where, arena, &ends[1]);
}

/* An optional text, from the arena. */
static int read_text(const cJSON *value, const char *key, const char *file, int i,
                     struct base_arena *arena, const char **text) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(value, key);
  if (item != NULL && (!cJSON_IsString(item) || item->valuestring[0] == '\0')) {
    return fail(file, i, key, "must be a text");
  }
  *text = item != NULL ? base_arena_copy(arena, item->valuestring) : NULL;
  return BASE_OK;
}

static int read_texts(const cJSON *value, const char *file, int i, struct base_arena *arena,
                      struct asked *asked) {
  const struct {
    const char *key, **text;
  } texts[] = {{"name", &asked->name},
               {"expected", &asked->claim.expected},
               {"published", &asked->claim.published},
               {"differs", &asked->claim.differs},
               {"note", &asked->note}};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
    const int status = read_text(value, texts[k].key, file, i, arena, texts[k].text);
    if (status != BASE_OK) {
      return status;
    }
  }
  const cJSON *schematic = cJSON_GetObjectItemCaseSensitive(value, "schematic");
  if (schematic != NULL && !cJSON_IsBool(schematic)) {
    return fail(file, i, "schematic", "must be true or false");
  }
  asked->claim.schematic = cJSON_IsTrue(schematic);
  asked->of = cJSON_GetObjectItemCaseSensitive(value, "of");
  if (asked->of != NULL && !bench_label_of_check(asked->of)) {
    return fail(file, i, "of", "must be a label, or a list of some");
  }
  return BASE_OK;
}

/* Does what is said go together? */
static int check(const struct asked *asked, const char *file, int i) {
  const struct case_claim *claim = &asked->claim;
  const int is_report = asked->bounds[0] == NULL;
  return asked->name == NULL ? fail(file, i, "name", "is missing")
         : is_report && (claim->expected != NULL || claim->published != NULL ||
                         claim->differs != NULL || claim->schematic)
             ? fail(file, i, "bounds", "are missing; without them nothing is claimed")
         : !is_report && asked->note != NULL
             ? fail(file, i, "note", "is of a value without bounds; a claim says \"expected\"")
         : claim->published == NULL && (claim->differs != NULL || claim->schematic)
             ? fail(file, i, "published", "is missing: what does it differ from, what is drawn?")
         : (claim->differs != NULL) != (asked->source[0] != NULL)
             ? fail(file, i, claim->differs != NULL ? "source" : "differs",
                    "is missing: \"differs\" and \"source\" go together")
             : BASE_OK;
}

static int read_value(const cJSON *value, const char *file, int i, struct base_arena *arena,
                      struct asked *asked) {
  static const char *const known[] = {"name",      "of",        "value",   "bounds",
                                      "expected",  "published", "differs", "source",
                                      "schematic", "note",      NULL};
  const char *place = base_arena_printf(arena, "%s: values[%d]", file, i);
  *asked = (struct asked){.name = NULL};
  if (!cJSON_IsObject(value)) {
    return fail(file, i, "", "must be an object {\"name\", \"value\", ...}");
  }
  int status =
      base_json_refuse_unknown(value, file, base_arena_printf(arena, "values[%d]", i), known);
  status = status != BASE_OK ? status : read_texts(value, file, i, arena, asked);
  status = status != BASE_OK
               ? status
               : read_expression(cJSON_GetObjectItemCaseSensitive(value, "value"),
                                 base_arena_printf(arena, "%s.value", place), arena, &asked->value);
  status = status != BASE_OK ? status : read_interval(value, "bounds", place, arena, asked->bounds);
  status = status != BASE_OK ? status : read_interval(value, "source", place, arena, asked->source);
  return status != BASE_OK ? status : check(asked, file, i);
}

int bench_value_check(const cJSON *value, int i, const char *file, struct base_arena *arena) {
  struct asked asked;
  return read_value(value, file, i, arena, &asked);
}

int bench_values_check(const cJSON *values, const char *file, struct base_arena *arena) {
  const cJSON *item;
  struct asked asked;
  int i = 0, status = BASE_OK;
  if (values != NULL && !cJSON_IsArray(values)) {
    return base_fail(BASE_E_INPUT, "%s: values: must be a list", file);
  }
  cJSON_ArrayForEach(item, values) {
    status = status != BASE_OK ? status : read_value(item, file, i++, arena, &asked);
  }
  return status;
}

/* ---- judging ---- */

struct judging {
  const struct bench_runs *runs;
  struct case_plot *plot;
  struct base_arena *arena;
  const char *missed; /* the first message about a run that did not end; NULL: all did */
};

/* A number of run `run`; NaN, with its message kept, where that did not end. */
static int number_of(struct judging *j, const struct frame_expression *e, int run, double *x) {
  const struct frame_scope scope = bench_run_scope(j->arena, j->runs, run);
  const int status = frame_expression_number(e, &scope, x);
  if (status == BASE_FAILED && j->missed == NULL) {
    j->missed = base_arena_copy(j->plot->arena, base_message());
  }
  return status == BASE_FAILED ? BASE_OK : status;
}

static const char *kept(const struct judging *j, const char *text) {
  return text != NULL ? base_arena_copy(j->plot->arena, text) : NULL;
}

static int judge(struct judging *j, const struct asked *asked, int run) {
  const char *what = bench_run_text(j->arena, j->runs, run, asked->name);
  struct case_claim claim = {.expected = kept(j, asked->claim.expected),
                             .published = kept(j, asked->claim.published),
                             .differs = kept(j, asked->claim.differs),
                             .schematic = asked->claim.schematic};
  double x;
  int status = number_of(j, asked->value, run, &x);
  if (status == BASE_OK && asked->bounds[0] == NULL) {
    case_plot_report(j->plot, what, x, kept(j, asked->note));
    return BASE_OK;
  }
  status = status != BASE_OK ? status : number_of(j, asked->bounds[0], run, &claim.lo);
  status = status != BASE_OK ? status : number_of(j, asked->bounds[1], run, &claim.hi);
  for (int end = 0; end < 2 && status == BASE_OK && asked->source[0] != NULL; ++end) {
    status = number_of(j, asked->source[end], run, &claim.source[end]);
  }
  if (status == BASE_OK) {
    case_plot_check(j->plot, what, x, claim);
  }
  return status;
}

/* Of every run that it is about. */
static int judge_all(struct judging *j, const struct asked *asked, const char *file, int i) {
  int status = BASE_OK, n = 0;
  if (asked->of == NULL) {
    return judge(j, asked, -1);
  }
  for (int run = 0; run < j->runs->n && status == BASE_OK; ++run) {
    if (bench_label_is_of(j->runs->series[run].run->label, asked->of)) {
      status = judge(j, asked, run);
      ++n;
    }
  }
  if (n == 0 && status == BASE_OK) {
    const cJSON *first = cJSON_IsArray(asked->of) ? asked->of->child : asked->of;
    status = fail(file, i, "of",
                  base_arena_printf(j->arena, "no run is called like '%s'", first->valuestring));
  }
  return status;
}

int bench_value_make(const cJSON *value, int i, const struct bench_runs *runs, const char *file,
                     struct case_plot *plot) {
  struct judging j = {.runs = runs, .plot = plot, .arena = base_arena_alloc()};
  struct asked asked;
  int status = read_value(value, file, i, j.arena, &asked);
  status = status != BASE_OK ? status : judge_all(&j, &asked, file, i);
  base_arena_free(j.arena);
  return status != BASE_OK || j.missed == NULL ? status : base_fail(BASE_FAILED, "%s", j.missed);
}

int bench_values_make(const cJSON *values, const struct bench_runs *runs, const char *file,
                      struct case_plot *plot) {
  const char *missed = NULL;
  const cJSON *value;
  int i = 0, status = BASE_OK;
  cJSON_ArrayForEach(value, values) {
    if (status == BASE_OK) {
      status = bench_value_make(value, i++, runs, file, plot);
    }
    if (status == BASE_FAILED) { /* all are judged all the same */
      missed = missed != NULL ? missed : base_arena_copy(plot->arena, base_message());
      status = BASE_OK;
    }
  }
  return status != BASE_OK || missed == NULL ? status : base_fail(BASE_FAILED, "%s", missed);
}

/* ---- rows ---- */

int bench_rows_append(struct frame *f, const struct bench_runs *runs, int i, int n,
                      const char *const *names, const struct frame_expression *const *expressions) {
  const struct frame_scope scope = bench_run_scope(f->arena, runs, i);
  struct frame_value *values = base_arena_push(f->arena, ((size_t)n + 1) * sizeof *values);
  int *column = base_arena_ints(f->arena, n);
  int longest = -1; /* the column that says how many rows there are; -1: one */
  for (int k = 0; k < n; ++k) {
    const int status = frame_expression_value(expressions[k], &scope, &values[k]);
    if (status != BASE_OK) {
      return status;
    }
    if (values[k].kind == FRAME_LIST && longest >= 0 &&
        values[k].list->n != values[longest].list->n) {
      return base_fail(BASE_E_INPUT, "columns '%s' and '%s' have %d and %d entries", names[longest],
                       names[k], values[longest].list->n, values[k].list->n);
    }
    longest = values[k].kind == FRAME_LIST ? k : longest;
  }
  for (int k = 0; k < n; ++k) {
    column[k] = frame_add(f, names[k], "");
  }
  const int rows = longest >= 0 ? values[longest].list->n : 1;
  for (int k = 0; k < rows; ++k) {
    const long row = frame_push(f);
    for (int c = 0; c < n; ++c) {
      *frame_at(f, row, column[c]) =
          values[c].kind != FRAME_LIST ? values[c] : frame_number(values[c].list->x[k]);
    }
  }
  return BASE_OK;
}
