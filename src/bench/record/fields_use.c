/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the table of fields (fields.c) is asked: a field by its path, and which paths are of
 * numbers.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/record/fields.h"

const struct bench_field *bench_field_find(const char *path) {
  for (int i = 0; i < bench_fields_count; ++i) {
    if (strcmp(bench_fields[i].key.name, path) == 0) {
      return &bench_fields[i];
    }
  }
  return NULL;
}

int bench_field_is_object(const struct bench_field *field) {
  return (field->key.types & BASE_OBJECT) != 0 || (field->key.forms & BASE_MAP) != 0;
}

int bench_field_is_column(const struct bench_field *field) {
  static const char trajectory[] = "trajectory.";
  return (field->key.forms & ~(unsigned)BASE_MAP) == 0 &&
         !base_key_has_parts(&bench_record_keys, &field->key) &&
         strncmp(field->key.name, trajectory, sizeof trajectory - 1) != 0;
}

int bench_field_may_be_number(const char *path) {
  const struct bench_field *field = bench_field_find(path);
  if (field != NULL) {
    return field->key.forms == 0 && (field->key.types & (BASE_REAL | BASE_WHOLE)) != 0;
  }
  char block[256];
  snprintf(block, sizeof block, "%s", path);
  for (char *dot; field == NULL && (dot = strrchr(block, '.')) != NULL;) {
    *dot = '\0';
    field = bench_field_find(block);
  }
  return field != NULL &&
         ((bench_field_is_object(field) && !base_key_has_parts(&bench_record_keys, &field->key)) ||
          strcmp(block, "final.q") == 0 || strcmp(block, "final.u") == 0);
}
