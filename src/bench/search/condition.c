/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions on the record of a run; see threshold.h.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/search/threshold.h"

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
    if (strcmp(c->key, "status") != 0 || base_status_parse(after, &c->wanted) != BASE_OK) {
      return base_fail(BASE_E_INPUT, "--until = '%s': %s", text, form);
    }
    return BASE_OK;
  }
  if (length > 2 && c->key[0] == '|' && c->key[length - 1] == '|') {
    c->is_absolute = 1;
    memmove(c->key, c->key + 1, length);
    c->key[length - 2] = '\0';
  }
  if (base_parse_real(after, &c->limit) != BASE_OK || !isfinite(c->limit)) {
    return base_fail(BASE_E_INPUT, "--until = '%s': %s", text, form);
  }
  return BASE_OK;
}

/* The number at a key; components of final.q and final.u by name. NaN where it is null. */
int bench_condition_measure(const struct bench_condition *c, const cJSON *record, double *value) {
  const char *key = c->key;
  const cJSON *item = base_json_at(record, key), *name;
  if (strncmp(key, "final.q.", 8) == 0 || strncmp(key, "final.u.", 8) == 0) {
    const char *list = key[6] == 'q' ? "final.q_names" : "final.u_names";
    int i = 0;
    item = NULL;
    cJSON_ArrayForEach(name, base_json_at(record, list)) {
      if (strcmp(name->valuestring, key + 8) == 0) {
        item = cJSON_GetArrayItem(base_json_at(record, key[6] == 'q' ? "final.q" : "final.u"), i);
      }
      ++i;
    }
  }
  if (!cJSON_IsNumber(item) && !cJSON_IsNull(item)) {
    return base_fail(BASE_E_INPUT, "--until: key '%s': no number in the record of the run", key);
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
