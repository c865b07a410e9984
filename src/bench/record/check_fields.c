/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A parsed file against a table of fields (fields.h): what it must have is there and of its type
 * and range, and it has nothing else.
 */
#include "bench/record/check_fields.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"

enum { PATH_SIZE = 128 }; /* longer ones are of no field */

static const char *const wanted[] = {
    [FIELD_TEXT] = "a text",           [FIELD_NAME] = "a name: letters, digits, '-', '+' and '_'",
    [FIELD_REAL] = "a number",         [FIELD_COUNT] = BENCH_FIELD_COUNT_TEXT,
    [FIELD_FLAG] = "true or false",    [FIELD_REALS] = "a list of numbers and nulls",
    [FIELD_TEXTS] = "a list of texts", [FIELD_LIST] = "a list",
    [FIELD_OBJECT] = "an object"};
static const char *const ranges[] = {
    [FIELD_ANY] = "", [FIELD_NOT_NEGATIVE] = ", not negative", [FIELD_POSITIVE] = ", positive"};

static int is_list_of(const cJSON *list, int texts) {
  const cJSON *item;
  int good = cJSON_IsArray(list);
  cJSON_ArrayForEach(item, list) {
    good = good && (texts ? cJSON_IsString(item) : cJSON_IsNumber(item) || cJSON_IsNull(item));
  }
  return good;
}

static int is_choice(const char *text, const char *const *choices) {
  for (; choices != NULL && *choices != NULL; ++choices) {
    if (strcmp(*choices, text) == 0) {
      return 1;
    }
  }
  return choices == NULL;
}

static int is_in_range(double x, enum bench_field_range range) {
  return isfinite(x) && (range == FIELD_ANY || (range == FIELD_POSITIVE ? x > 0 : x >= 0));
}

int bench_field_is_count(const cJSON *item) {
  const double x = cJSON_GetNumberValue(item);
  return cJSON_IsNumber(item) && x >= 0 && x == rint(x);
}

static int is_of_type(const cJSON *item, const struct bench_field *f) {
  if (bench_field_may_be_null(f) && cJSON_IsNull(item)) {
    return 1;
  }
  switch (f->type) {
  case FIELD_TEXT:
    return cJSON_IsString(item);
  case FIELD_NAME:
    return cJSON_IsString(item) && base_name_is_plain(item->valuestring);
  case FIELD_REAL:
    return cJSON_IsNumber(item) && is_in_range(cJSON_GetNumberValue(item), f->range);
  case FIELD_COUNT:
    return bench_field_is_count(item);
  case FIELD_FLAG:
    return cJSON_IsBool(item);
  case FIELD_REALS:
  case FIELD_TEXTS:
    return is_list_of(item, f->type == FIELD_TEXTS);
  case FIELD_LIST:
    return cJSON_IsArray(item);
  default:
    return cJSON_IsObject(item);
  }
}

static int check_field(const cJSON *item, const char *file, const struct bench_field *f) {
  if (item == NULL) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': missing", file, f->path);
  }
  if (!is_of_type(item, f)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': must be %s%s%s", file, f->path, wanted[f->type],
                     f->type == FIELD_REAL ? ranges[f->range] : "",
                     bench_field_may_be_null(f) ? ", or null" : "");
  }
  if (cJSON_IsString(item) && !is_choice(item->valuestring, f->choices)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': '%s' is none of those there are", file, f->path,
                     item->valuestring);
  }
  return BASE_OK;
}

/* Is the block of a field there? A field is not missing from a block that is not. */
static int is_wanted(const cJSON *record, const struct bench_field *f) {
  const char *dot = strrchr(f->path, '.');
  char block[64];
  snprintf(block, sizeof block, "%.*s", dot != NULL ? (int)(dot - f->path) : 0, f->path);
  return dot == NULL || base_json_at(record, block) != NULL;
}

static int check_present(const cJSON *object, const char *file, const struct bench_field *fields,
                         int n) {
  int status = BASE_OK;
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    const struct bench_field *f = &fields[i];
    const cJSON *item = base_json_at(object, f->path);
    if (is_wanted(object, f) && (item != NULL || !bench_field_may_be_missing(f))) {
      status = check_field(item, file, f);
    }
  }
  return status;
}

/* Is there a field of this path? *parts: are there fields inside it? */
static int is_known(const char *path, const struct bench_field *fields, int n, int *parts) {
  const size_t length = strlen(path);
  int known = 0;
  *parts = 0;
  for (int i = 0; i < n; ++i) {
    if (fields[i].path[0] == path[0] && strncmp(fields[i].path, path, length) == 0) {
      known |= fields[i].path[length] == '\0';
      *parts |= fields[i].path[length] == '.';
    }
  }
  return known;
}

/* Keys that no field has, but where an object holds what it wants. */
static int check_unknown(const cJSON *object, const char *file, const char *within,
                         const struct bench_field *fields, int n) {
  const cJSON *item;
  int status = BASE_OK, parts;
  cJSON_ArrayForEach(item, object) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s%s%s", within, within[0] != '\0' ? "." : "", item->string);
    if (status == BASE_OK && !is_known(path, fields, n, &parts)) {
      status = base_fail(BASE_E_INPUT, "%s: key '%s': there is no such key", file, path);
    } else if (status == BASE_OK && cJSON_IsObject(item) && parts) {
      status = check_unknown(item, file, path, fields, n);
    }
  }
  return status;
}

int bench_fields_check(const cJSON *object, const char *file, const struct bench_field *fields,
                       int n) {
  const int status = check_present(object, file, fields, n);
  return status != BASE_OK ? status : check_unknown(object, file, "", fields, n);
}
