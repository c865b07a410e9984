/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fields of a record, coulombench.result/2, in the order in which they are written. One table
 * (fields.c) writes them, checks them (check_record.c), prints their JSON Schema (schema.c), and
 * passes those of an outcome to and from a checkpoint. A new field is a line there.
 */
#ifndef BENCH_FIELDS_H
#define BENCH_FIELDS_H

#include "base/bytes/blob.h"
#include "bench/run/run.h"

struct cJSON;

enum bench_field_type {
  FIELD_TEXT,
  FIELD_NAME, /* letters of any script, digits, '-', '+' and '_' */
  FIELD_REAL,
  FIELD_COUNT, /* whole, not negative */
  FIELD_FLAG,
  FIELD_REALS, /* a list of numbers and nulls */
  FIELD_TEXTS,
  FIELD_LIST,
  FIELD_OBJECT
};
/* A value that does not exist is null; what a record is not about has no key. */
enum bench_field_presence { FIELD_ALWAYS, FIELD_NULLABLE, FIELD_OPTIONAL };
enum bench_field_range { FIELD_ANY, FIELD_NOT_NEGATIVE, FIELD_POSITIVE };
/* Where in struct bench_outcome the value stands, and as what. */
enum bench_field_store {
  FIELD_ELSEWHERE, /* `add` writes it, or the block that holds it */
  FIELD_DOUBLE,
  FIELD_INT,
  FIELD_LONG,
  FIELD_SIZE,
  FIELD_STRING, /* const char * */
  FIELD_CHARS   /* char[] */
};

struct bench_result {
  const struct bench_job *job;
  const struct bench_outcome *out; /* NULL: only what was asked for is written */
};

struct bench_field {
  const char *path; /* dotted */
  enum bench_field_type type;
  enum bench_field_presence presence;
  const char *unit, *help; /* unit "": none */
  enum bench_field_range range;
  const char *const *choices; /* NULL: any; ends with NULL */
  enum bench_field_store store;
  size_t offset;
  int least;       /* counts that may be null are so below this */
  int is_measured; /* no value in a run that never took place */
  int is_asked;    /* known before the run */
  /* Add the value, if there is one, to its block. */
  void (*add)(struct cJSON *block, const char *key, const struct bench_result *result);
};

/* What every entry of a table of fields says. */
#define BENCH_FIELD(path_, type_, presence_)                                                       \
  .path = (path_), .type = FIELD_##type_, .presence = FIELD_##presence_

extern const struct bench_field bench_fields[];
extern const int bench_fields_count;

/* Names of the statuses of runs and solves; ends with NULL. */
extern const char *const bench_status_names[];

/* The field of a path; NULL: none. */
const struct bench_field *bench_field_find(const char *path);
/* Are there fields inside this one? Else an object holds what it wants. */
int bench_field_has_parts(const struct bench_field *field);
/* Everything that stands in the outcome, there or back; texts are left out. */
void bench_fields_pass(struct base_blob *blob, struct bench_outcome *out);
/* "No value" for everything measured. */
void bench_fields_void(struct bench_outcome *out);

/* values.c: what is not a number of the outcome. */
void bench_add_schema(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_case_name(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_parameters(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_notes(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_form_name(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_law(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_form_options(struct cJSON *block, const char *key,
                            const struct bench_result *result);
void bench_add_solver_name(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_solver_options(struct cJSON *block, const char *key,
                              const struct bench_result *result);
void bench_add_chosen(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_rounds(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_status(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_dt(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_t_end(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_q(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_u(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_q_names(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_u_names(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_impulses(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_contact(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_observables(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_trajectory(struct cJSON *record, const char *key, const struct bench_result *result);
void bench_add_search(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_threshold(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_processes_cpu(struct cJSON *block, const char *key,
                             const struct bench_result *result);
void bench_add_per_step(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_provenance(struct cJSON *block, const char *key, const struct bench_result *result);

#endif
