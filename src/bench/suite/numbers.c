/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of cells that stand as texts: dt, t_end and sample may be expressions of the parameters of
 * the cell's case, "2 / sqrt(c / m2)", of which those in "set" are as they stand there.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/expression.h"
#include "bench/suite/cells.h"

/* A text that is a number as it stands. */
static int is_number(const char *text, double *x) {
  char *end;
  *x = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*x);
}

/* The case's parameters, with those of "set" that are plain values; NULL with a message. */
static cJSON *parameters_of(struct bench_builder *b, const cJSON *group) {
  const char *name = base_json_text_at(group, "case");
  const struct case_type *type = case_open(name, bench_suite_folder(b->file, b->arena), b->arena);
  struct case_parameters *p = type != NULL ? case_parameters_load(type, b->arena) : NULL;
  const cJSON *item;
  if (p == NULL) {
    base_message_prefix("%s: key 'case': ", b->file);
    return NULL;
  }
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(group, "set")) {
    const char *text = bench_option_text(item, b->arena);
    if (text != NULL) { /* what is wrong there is said where "set" is read */
      (void)case_parameters_set(p, item->string, text);
    }
  }
  return case_parameters_to_json(p);
}

/* The number that a text stands for, in the place of it. */
static int work_out(struct bench_builder *b, const cJSON *group, const char *key, cJSON *item) {
  double x;
  if (!is_number(item->valuestring, &x)) {
    const char *place = base_arena_printf(b->arena, "%s: key '%s'", b->file, key);
    cJSON *parameters = parameters_of(b, group);
    const struct frame_expression *e =
        parameters != NULL ? frame_expression_read(b->arena, item->valuestring, place) : NULL;
    const struct frame_scope scope = frame_object_scope(b->arena, parameters);
    const int status = e != NULL ? frame_expression_number(e, &scope, &x) : BASE_E_INPUT;
    cJSON_Delete(parameters);
    if (status != BASE_OK || !isfinite(x)) {
      return status != BASE_OK
                 ? BASE_E_INPUT
                 : base_fail(BASE_E_INPUT, "%s: '%s' is no number", place, item->valuestring);
    }
  }
  cJSON_free(item->valuestring);
  item->valuestring = NULL;
  item->type = cJSON_Number;
  cJSON_SetNumberValue(item, x);
  return BASE_OK;
}

int bench_cells_work_out(struct bench_builder *b, cJSON *group) {
  static const char *const keys[] = {"dt", "t_end", "sample"};
  int status = BASE_OK;
  for (int i = 0; i < 3 && status == BASE_OK; ++i) {
    cJSON *item = cJSON_GetObjectItemCaseSensitive(group, keys[i]), *element;
    if (cJSON_IsString(item)) {
      status = work_out(b, group, keys[i], item);
    }
    cJSON_ArrayForEach(element, item) {
      status = status == BASE_OK && cJSON_IsString(element) ? work_out(b, group, keys[i], element)
                                                            : status;
    }
  }
  return status;
}
