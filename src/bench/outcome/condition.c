/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The condition of a search; see condition.h.
 */
#include "bench/outcome/condition.h"
#include "base/json/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/status.h"

/* Part of the energy at stake that a stable step does not make out of nothing. A contact that only
 * pushes throws bodies off where the step is too long for it, and nothing overflows: that it
 * diverged is seen by the energy. */
static const double GAINED = 0.5;

int bench_condition_parse(const char *text, struct bench_condition *c) {
  static const char form[] = "must be KEY<X, KEY>X, |KEY|<X, |KEY|>X, status=STATUS or stable";
  if (strcmp(text, "stable") == 0) {
    *c = (struct bench_condition){.is_stable = 1};
    return BASE_OK;
  }
  const size_t length = strcspn(text, "<>=");
  const char *after = text + length;
  *c = (struct bench_condition){.is_above = *after == '>', .of_status = *after == '='};
  if (*after == '\0' || length == 0 || length >= sizeof c->key) {
    return base_fail(BASE_E_INPUT, "--until = '%s': %s", text, form);
  }
  snprintf(c->key, sizeof c->key, "%.*s", (int)length, text);
  ++after;
  if (c->of_status) {
    return strcmp(c->key, "status") == 0 && base_status_parse(after, &c->wanted) == BASE_OK
               ? BASE_OK
               : base_fail(BASE_E_INPUT, "--until = '%s': %s", text, form);
  }
  if (length > 2 && c->key[0] == '|' && c->key[length - 1] == '|') {
    c->is_absolute = 1;
    memmove(c->key, c->key + 1, length);
    c->key[length - 2] = '\0';
  }
  return base_parse_real(after, &c->limit) == BASE_OK && isfinite(c->limit)
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "--until = '%s': %s", text, form);
}

enum bench_condition_need bench_condition_needs(const struct bench_condition *c) {
  const int of_coordinates =
      strcmp(c->key, "errors.q_linf") == 0 || strcmp(c->key, "quality.measures.position") == 0;
  return c->of_status || c->is_stable ? BENCH_NEEDS_STATE
         : of_coordinates             ? BENCH_NEEDS_COORDINATES
                                      : BENCH_NEEDS_RECORD;
}

int bench_condition_measure(const struct bench_condition *c, const cJSON *record, double *value) {
  if (c->of_status || c->is_stable) { /* at rest there is no energy at stake */
    *value = c->of_status ? (double)NAN
                          : base_json_real_at(record, "energy.budget.numerical") /
                                base_json_real_at(record, "quality.scales.energy");
    return BASE_OK;
  }
  const cJSON *item = bench_record_at(record, c->key);
  if (!cJSON_IsNumber(item) && !cJSON_IsNull(item)) {
    return base_fail(BASE_E_INPUT, "--until: key '%s': no number in the record of the run", c->key);
  }
  *value = cJSON_GetNumberValue(item); /* NaN of null */
  return BASE_OK;
}

int bench_condition_holds(const void *condition, int status, double measured) {
  const struct bench_condition *c = condition;
  if (c->of_status) {
    return status == c->wanted;
  }
  if (c->is_stable) {
    return (status == BASE_OK || status == BASE_UNCONVERGED || status == BASE_UNSTABLE) &&
           !(measured > GAINED);
  }
  const double x = c->is_absolute ? fabs(measured) : measured;
  return c->is_above ? x > c->limit : x < c->limit;
}

const cJSON *bench_record_at(const cJSON *record, const char *path) {
  if (strncmp(path, "final.q.", 8) != 0 && strncmp(path, "final.u.", 8) != 0) {
    return base_json_at(record, path);
  }
  const char list[] = {'f', 'i', 'n', 'a', 'l', '.', path[6], '\0'};
  const cJSON *names = base_json_at(record, path[6] == 'q' ? "final.q_names" : "final.u_names");
  const cJSON *value = base_json_at(record, list), *name;
  value = cJSON_IsArray(value) ? value->child : NULL;
  cJSON_ArrayForEach(name, names) {
    if (value == NULL || (cJSON_IsString(name) && strcmp(name->valuestring, path + 8) == 0)) {
      return value;
    }
    value = value->next;
  }
  return NULL;
}
