/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of cells that stand as texts: expressions of the parameters of the cell's case,
 * "2 / sqrt(c / m2)". In "set" they see those that are set before them, in "opt", dt, t_end and
 * sample all. A text under a parameter or option that is no number stays a text.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/expression.h"
#include "bench/suite/cells.h"

/* A group's numbers while they are worked out. */
struct working {
  struct bench_builder *b;
  struct case_parameters *p;
};

/* A text that is a number as it stands. */
static int is_number(const char *text, double *x) {
  char *end;
  *x = strtod(text, &end);
  return end != text && *end == '\0';
}

/* The number that a text stands for, in the place of it. key: where it stands, for messages. */
static int work_out(const struct working *w, const char *key, cJSON *item) {
  struct base_arena *arena = w->b->arena;
  const char *place = base_arena_printf(arena, "%s: key '%s'", w->b->file, key);
  double x;
  if (!is_number(item->valuestring, &x)) {
    cJSON *parameters = case_parameters_to_json(w->p);
    const struct frame_expression *e = frame_expression_read(arena, item->valuestring, place);
    const struct frame_scope scope = frame_object_scope(arena, parameters);
    const int status = e != NULL ? frame_expression_number(e, &scope, &x) : BASE_E_INPUT;
    cJSON_Delete(parameters);
    if (status != BASE_OK) {
      return BASE_E_INPUT;
    }
  }
  if (!isfinite(x)) {
    return base_fail(BASE_E_INPUT, "%s: '%s' is no number", place, item->valuestring);
  }
  cJSON_free(item->valuestring);
  item->valuestring = NULL;
  item->type = cJSON_Number;
  cJSON_SetNumberValue(item, x);
  return BASE_OK;
}

/* A text that is to be worked out: not "inf" of an option. */
static int is_expression(const cJSON *item) {
  double x;
  return cJSON_IsString(item) && !is_number(item->valuestring, &x);
}

/* Parameters that are set, each in its turn. */
static int work_out_set(const struct working *w, cJSON *set) {
  cJSON *item;
  cJSON_ArrayForEach(item, set) {
    cJSON *before = case_parameters_to_json(w->p);
    const int is_real = cJSON_IsNumber(base_json_at(before, item->string));
    cJSON_Delete(before);
    const char *key = base_arena_printf(w->b->arena, "set.%s", item->string);
    if (is_real && is_expression(item) && work_out(w, key, item) != BASE_OK) {
      return BASE_E_INPUT;
    }
    const char *text = bench_option_text(item, w->b->arena);
    if (text != NULL) { /* what is wrong there is said where "set" is read */
      (void)case_parameters_set(w->p, item->string, text);
    }
  }
  return BASE_OK;
}

static int work_out_all(struct bench_builder *b, const struct case_type *type, cJSON *group) {
  static const char *const keys[] = {"dt", "t_end", "sample"};
  const struct working w = {b, case_parameters_load(type, b->arena)};
  cJSON *item, *element;
  if (w.p == NULL) {
    base_message_prefix("%s: key 'case': ", b->file);
    return BASE_E_INPUT;
  }
  int status = work_out_set(&w, cJSON_GetObjectItemCaseSensitive(group, "set"));
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(group, "opt")) {
    if (status == BASE_OK && is_expression(item) && bench_option_is_number(item->string)) {
      status = work_out(&w, base_arena_printf(b->arena, "opt.%s", item->string), item);
    }
  }
  for (int i = 0; i < 3 && status == BASE_OK; ++i) {
    item = cJSON_GetObjectItemCaseSensitive(group, keys[i]);
    if (cJSON_IsString(item)) {
      status = work_out(&w, keys[i], item);
    }
    cJSON_ArrayForEach(element, item) {
      status =
          status == BASE_OK && cJSON_IsString(element) ? work_out(&w, keys[i], element) : status;
    }
  }
  return status;
}

int bench_cells_work_out(struct bench_builder *b, cJSON *group) {
  const struct case_type *type = bench_cells_case(b, group);
  const struct base_arena_mark mark = base_arena_mark(b->arena);
  const int status = type != NULL ? work_out_all(b, type, group) : BASE_E_INPUT;
  base_arena_release(b->arena, mark); /* numbers are all that is left of it */
  return status;
}
