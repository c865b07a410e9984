/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values of a figure, from its file, judged by what is claimed of them; see values.h.
 */
#include "bench/figure/values.h"

#include <cjson/cJSON.h>

#include "base/json/json.h"
#include "base/status.h"

/* ---- reading ---- */

static int fail(const struct bench_value *value, const char *key, const char *why) {
  return base_fail(BASE_E_INPUT, "%s.%s: %s", value->place, key, why);
}

/* An expression, or a number; NULL with a message. */
static const struct frame_expression *read_expression(const cJSON *item, const char *place,
                                                      struct base_arena *arena) {
  char number[BASE_JSON_NUMBER_SIZE];
  return frame_expression_read(
      arena, cJSON_IsString(item) ? item->valuestring : base_json_number(item->valuedouble, number),
      place);
}

static int read_interval(const cJSON *json, const char *key, const struct bench_value *value,
                         struct base_arena *arena, const struct frame_expression *ends[2]) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, key);
  const char *place = base_arena_printf(arena, "%s.%s", value->place, key);
  for (int end = 0; end < 2 && list != NULL; ++end) {
    ends[end] = read_expression(cJSON_GetArrayItem(list, end), place, arena);
    if (ends[end] == NULL) {
      return BASE_E_INPUT;
    }
  }
  return BASE_OK;
}

/* Does what is said go together? */
static int check(const struct bench_value *value) {
  const struct case_claim *claim = &value->claim;
  const int is_report = value->bounds[0] == NULL;
  return is_report && (claim->expected != NULL || claim->published != NULL ||
                       claim->differs != NULL || claim->schematic)
             ? fail(value, "bounds", "are missing; without them nothing is claimed")
         : !is_report && value->note != NULL
             ? fail(value, "note", "is of a value without bounds; a claim says \"expected\"")
         : claim->published == NULL && (claim->differs != NULL || claim->schematic)
             ? fail(value, "published", "is missing: what does it differ from, what is drawn?")
         : (claim->differs != NULL) != (value->source[0] != NULL)
             ? fail(value, claim->differs != NULL ? "source" : "differs",
                    "is missing: \"differs\" and \"source\" go together")
             : BASE_OK;
}

static int read_value(const cJSON *json, struct base_arena *arena, struct bench_value *value) {
  value->name = figure_text(json, "name");
  value->of = cJSON_GetObjectItemCaseSensitive(json, "of");
  value->table = figure_text(json, "table");
  value->note = figure_text(json, "note");
  value->claim = (struct case_claim){
      .expected = figure_text(json, "expected"),
      .published = figure_text(json, "published"),
      .differs = figure_text(json, "differs"),
      .schematic = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "schematic"))};
  value->value = read_expression(cJSON_GetObjectItemCaseSensitive(json, "value"),
                                 base_arena_printf(arena, "%s.value", value->place), arena);
  int status = value->value != NULL ? BASE_OK : BASE_E_INPUT;
  status = status != BASE_OK ? status : read_interval(json, "bounds", value, arena, value->bounds);
  status = status != BASE_OK ? status : read_interval(json, "source", value, arena, value->source);
  return status != BASE_OK ? status : check(value);
}

int bench_values_read(const cJSON *values, const char *file, struct base_arena *arena, int *n,
                      struct bench_value **read) {
  const cJSON *item;
  int status = BASE_OK;
  *n = 0;
  *read = base_arena_push(arena, (size_t)cJSON_GetArraySize(values) * sizeof **read);
  cJSON_ArrayForEach(item, values) {
    struct bench_value *value = &(*read)[*n];
    *value =
        (struct bench_value){.place = base_arena_printf(arena, "%s: values[%d]", file, (*n)++)};
    status = status != BASE_OK ? status : read_value(item, arena, value);
  }
  return status;
}

/* ---- judging ---- */

/* A number in a scope; NaN, with its message kept, of a run that did not end. */
static int number_of(const struct frame_expression *e, const struct frame_scope *scope,
                     struct base_arena *arena, const char **missed, double *x) {
  const int status = frame_expression_number(e, scope, x);
  if (status == BASE_FAILED && *missed == NULL) {
    *missed = base_arena_copy(arena, base_message());
  }
  return status == BASE_FAILED ? BASE_OK : status;
}

int bench_value_judge(const struct bench_value *value, const char *what,
                      const struct frame_scope *scope, struct case_plot *plot) {
  struct case_claim claim = value->claim;
  const char *missed = NULL;
  double x;
  int status = number_of(value->value, scope, plot->arena, &missed, &x);
  if (status == BASE_OK && value->bounds[0] == NULL) {
    case_plot_report(plot, what, x, value->note);
    return BASE_OK;
  }
  status = status != BASE_OK ? status
                             : number_of(value->bounds[0], scope, plot->arena, &missed, &claim.lo);
  status = status != BASE_OK ? status
                             : number_of(value->bounds[1], scope, plot->arena, &missed, &claim.hi);
  for (int end = 0; end < 2 && status == BASE_OK && value->source[0] != NULL; ++end) {
    status = number_of(value->source[end], scope, plot->arena, &missed, &claim.source[end]);
  }
  if (status == BASE_OK) {
    case_plot_check(plot, what, x, claim);
  }
  return status != BASE_OK || missed == NULL ? status : base_fail(BASE_FAILED, "%s", missed);
}

struct judging {
  const struct bench_runs *runs;
  struct base_arena *arena; /* of what is worked out */
  struct frame_scope scope; /* of no run; definitions that it knows are known to all values */
  struct case_plot *plot;
  const char *missed; /* the first message about a run that did not end; NULL: all did */
};

/* In run i; -1: in none. */
static int judge_in(struct judging *j, const struct bench_value *value, int i) {
  struct frame_scope scope = j->scope;
  const char *what = bench_run_text(j->arena, j->runs, i, value->name);
  scope.at = i;
  const int status = bench_value_judge(value, what, &scope, j->plot);
  if (status == BASE_FAILED && j->missed == NULL) {
    j->missed = base_arena_copy(j->arena, base_message());
  }
  return status == BASE_FAILED ? BASE_OK : status; /* the others are judged all the same */
}

/* Of every run that it is about. */
static int judge_all(struct judging *j, const struct bench_value *value) {
  int status = BASE_OK, n = 0;
  if (value->of == NULL) {
    return judge_in(j, value, -1);
  }
  for (int i = 0; i < j->runs->n && status == BASE_OK; ++i) {
    if (bench_label_is_of(j->runs->series[i].run->label, value->of)) {
      status = judge_in(j, value, i);
      ++n;
    }
  }
  const cJSON *first = cJSON_IsArray(value->of) ? value->of->child : value->of;
  return status == BASE_OK && n == 0 ? base_fail(BASE_E_INPUT, "%s.of: no run is called like '%s'",
                                                 value->place, first->valuestring)
                                     : status;
}

int bench_values_judge(int n, const struct bench_value *values, const struct bench_runs *runs,
                       struct case_plot *plot) {
  struct judging j = {.runs = runs, .arena = base_arena_alloc(), .plot = plot};
  int status = BASE_OK;
  j.scope = bench_run_scope(j.arena, runs, -1);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    status = judge_all(&j, &values[i]);
  }
  status = status == BASE_OK && j.missed != NULL ? base_fail(BASE_FAILED, "%s", j.missed) : status;
  base_arena_free(j.arena);
  return status;
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
