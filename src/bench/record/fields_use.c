/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the table of fields (fields.c) is asked: a field by its path, whether a record may leave it
 * out, and all stored ones of an outcome at once.
 */
#include <math.h>
#include <string.h>

#include "bench/record/fields.h"

const struct bench_field *bench_field_find(const char *path) {
  for (int i = 0; i < bench_fields_count; ++i) {
    if (strcmp(bench_fields[i].path, path) == 0) {
      return &bench_fields[i];
    }
  }
  return NULL;
}

int bench_field_has_parts(const struct bench_field *field) {
  const size_t length = strlen(field->path);
  const struct bench_field *next = field + 1;
  return next < bench_fields + bench_fields_count &&
         strncmp(next->path, field->path, length) == 0 && next->path[length] == '.';
}

int bench_field_may_be_null(const struct bench_field *field) {
  return field->presence == FIELD_NULLABLE || field->presence == FIELD_NEWER ||
         (field->presence == FIELD_OPTIONAL && field->type == FIELD_REAL); /* not finite */
}

int bench_field_may_be_missing(const struct bench_field *field) {
  return field->presence == FIELD_OPTIONAL || field->presence == FIELD_NEWER;
}

void bench_fields_pass(struct base_blob *blob, struct bench_outcome *out) {
  static const size_t sizes[] = {[FIELD_DOUBLE] = sizeof(double),
                                 [FIELD_INT] = sizeof(int),
                                 [FIELD_LONG] = sizeof(long),
                                 [FIELD_SIZE] = sizeof(size_t)};
  for (int i = 0; i < bench_fields_count; ++i) {
    const struct bench_field *f = &bench_fields[i];
    if (f->store != FIELD_ELSEWHERE && f->store != FIELD_STRING && f->store != FIELD_CHARS) {
      base_blob_pass(blob, (char *)out + f->offset, sizes[f->store]);
    }
  }
}

void bench_fields_void(struct bench_outcome *out) {
  for (int i = 0; i < bench_fields_count; ++i) {
    if (bench_fields[i].is_measured) {
      *(double *)((char *)out + bench_fields[i].offset) = NAN;
    }
  }
}
