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

int bench_condition_parse(const char *text, struct bench_condition *c) {
  static const char form[] = "must be KEY<X, KEY>X, |KEY|<X, |KEY|>X or status=STATUS";
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

int bench_condition_measure(const struct bench_condition *c, const cJSON *record, double *value) {
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
