/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing of records, field by field as the table has them; see record.h and fields.h. What they
 * must hold is checked in check_record.c.
 */
#include "bench/record/record.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/record/fields.h"

/* The object that holds a field, made where it is not there yet; *key: the field's own. */
static cJSON *block_of(cJSON *record, const char *path, const char **key) {
  cJSON *block = record;
  for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(dot - path), path);
    cJSON *inner = cJSON_GetObjectItemCaseSensitive(block, name);
    block = inner != NULL ? inner : cJSON_AddObjectToObject(block, name);
  }
  *key = path;
  return block;
}

/* The number that stands at a field's place in the outcome; NaN: it has none. */
static double number_of(const struct bench_field *f, const void *at) {
  double x;
  switch (f->store) {
  case FIELD_DOUBLE:
    return *(const double *)at;
  case FIELD_LONG:
    x = (double)*(const long *)at;
    break;
  default:
    x = (double)*(const size_t *)at;
  }
  return f->key.is_nullable && x < f->least ? NAN : x;
}

static void add_stored(cJSON *block, const char *key, const struct bench_field *f,
                       const struct bench_result *result) {
  const void *from = f->is_beside ? (const void *)result : result->out;
  const void *at = (const char *)from + f->offset;
  if (f->store == FIELD_STRING) {
    const char *text = *(const char *const *)at;
    cJSON_AddItemToObject(block, key, text != NULL ? cJSON_CreateString(text) : cJSON_CreateNull());
  } else if (f->store == FIELD_CHARS) {
    cJSON_AddStringToObject(block, key, at);
  } else if (f->store != FIELD_ELSEWHERE) {
    base_json_add_real(block, key, number_of(f, at));
  } else if (f->key.is_nullable && f->key.needs != 0) {
    cJSON_AddNullToObject(block, key);
  }
}

static void add_field(cJSON *record, const struct bench_field *f,
                      const struct bench_result *result) {
  const char *key;
  cJSON *block = block_of(record, f->key.name, &key);
  if (f->add != NULL) {
    f->add(block, key, result);
  } else {
    add_stored(block, key, f, result);
  }
}

/* Whether a field stands in a block, at any depth. */
static int is_inside(const struct bench_field *f, const char *block) {
  const size_t n = strlen(block);
  return strncmp(f->key.name, block, n) == 0 && f->key.name[n] == '.';
}

/* Times, the machine, and what the reference decides. */
static int is_of_one_run(const struct bench_field *f) {
  static const char *const blocks[] = {"timing", "provenance", "reference",
                                       "errors", "quality",    "energy.errors"};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
    if (strcmp(f->key.name, blocks[i]) == 0 || is_inside(f, blocks[i])) {
      return 1;
    }
  }
  return 0;
}

/* Fields of blocks that one function adds as a whole are described and checked alone; they follow
 * their block. */
static void add_fields(cJSON *record, const struct bench_result *result) {
  const char *whole = NULL;
  for (int i = 0; i < bench_fields_count; ++i) {
    const struct bench_field *f = &bench_fields[i];
    const int is_block = (f->key.types & BASE_OBJECT) != 0 && f->add == NULL && f->key.needs != 0;
    if (is_block || (whole != NULL && is_inside(f, whole))) {
      continue;
    }
    whole = f->add != NULL ? f->key.name : NULL;
    if (!(result->is_repeat && is_of_one_run(f))) {
      add_field(record, f, result);
    }
  }
}

static cJSON *record_of(const struct bench_job *job, const struct bench_outcome *out,
                        int is_repeat) {
  cJSON *record = cJSON_CreateObject();
  const struct bench_result result = {
      .job = job,
      .out = out,
      .is_repeat = is_repeat,
      .schema = BENCH_RESULT_SCHEMA,
      .case_name = job->type->name,
      .form_name = job->form->name,
      .law = job->form->has_law ? contact_law_name(job->law) : NULL,
      .solver_name = job->solver != NULL ? job->solver->name : NULL,
      .status = base_status_name(out->status),
      .dt = job->dt,
      .t_end = job->t_end,
      .per_step = out->steps > 0 ? out->timing.steps / (double)out->steps : NAN,
      .real_time_factor = out->timing.steps > 0 ? out->t / out->timing.steps : NAN};
  add_fields(record, &result);
  return record;
}

cJSON *bench_record(const struct bench_job *job, const struct bench_outcome *out) {
  return record_of(job, out, 0);
}

cJSON *bench_record_of_repeat(const struct bench_job *job, const struct bench_outcome *out) {
  return record_of(job, out, 1);
}
