/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fields of a record, coulombench.result/2, in the order in which they are written. One table
 * (fields.c) writes them, checks them (check_record.c), prints their JSON Schema (schema.c), and
 * passes those of an outcome to and from a checkpoint. A new field is a line there.
 */
#ifndef BENCH_FIELDS_H
#define BENCH_FIELDS_H

#include "base/bytes/blob.h"
#include "bench/outcome/outcome.h"

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
/* A value that does not exist is null; what a record is not about has no key. NEWER: null where it
 * does not exist, and missing from what earlier programs wrote. */
enum bench_field_presence { FIELD_ALWAYS, FIELD_NULLABLE, FIELD_OPTIONAL, FIELD_NEWER };
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

/* What a difference of two records in a field is measured by (compare/scale.c). */
enum bench_scale {
  SCALE_UNSET,    /* by its unit, else that of the block it is in, else SCALE_OWN */
  SCALE_INPUT,    /* what was asked for: alike or not, whatever the limit */
  SCALE_EXACT,    /* alike or not */
  SCALE_PLACE,    /* says where or in words what other entries measure: never counts */
  SCALE_OWN,      /* the larger of the two numbers; in lists the largest of both lists */
  SCALE_SIBLINGS, /* the largest number of the object it is in */
  SCALE_ONE,      /* 1: dimensionless as it stands */
  SCALE_LENGTH,   /* [m], [rad] */
  SCALE_SPEED,    /* [m/s], [rad/s] */
  SCALE_ENERGY,   /* [J] */
  SCALE_IMPULSE,  /* [N s] */
  SCALES
};

struct bench_result {
  const struct bench_job *job;
  const struct bench_outcome *out;
  int is_repeat; /* only what all runs of the job have in common is */
};

struct bench_field {
  const char *path; /* dotted */
  enum bench_field_type type;
  enum bench_field_presence presence;
  const char *unit, *help; /* unit "": none; "-": a ratio */
  enum bench_scale scale;
  enum bench_field_range range;
  const char *const *choices; /* NULL: any; ends with NULL */
  enum bench_field_store store;
  size_t offset;
  int least;       /* counts that may be null are so below this */
  int is_measured; /* no value in a run that never took place */
  /* Add the value, if there is one, to its block. */
  void (*add)(struct cJSON *block, const char *key, const struct bench_result *result);
};

/* What every entry of a table of fields says. */
#define BENCH_FIELD(path_, type_, presence_)                                                       \
  .path = (path_), .type = FIELD_##type_, .presence = FIELD_##presence_
/* Which cell of which suite (cell.h); the block itself may be missing. */
#define BENCH_FIELDS_CELL                                                                          \
  {BENCH_FIELD("cell.suite", TEXT, ALWAYS), .unit = "", .help = "name of the suite"},              \
      {BENCH_FIELD("cell.id", TEXT, ALWAYS), .unit = "", .help = "the cell's own in the suite"},   \
      {BENCH_FIELD("cell.label", TEXT, NULLABLE), .unit = "", .help = "of its group"},             \
      {BENCH_FIELD("cell.study", TEXT, NULLABLE), .unit = "",                                      \
       .help = "that it was made for, and stands in alone"},                                       \
      {BENCH_FIELD("cell.figure", TEXT, NULLABLE), .unit = "",                                     \
       .help = "of a case that it is a run of"},                                                   \
      {BENCH_FIELD("cell.solver", TEXT, NULLABLE), .unit = "",                                     \
       .help = "what the suite calls the solver it asks for"},                                     \
  {                                                                                                \
    BENCH_FIELD("cell.swept", OBJECT, ALWAYS), .unit = "",                                         \
                                               .help = "lists of the suite, each at a value"       \
  }
/* What provenance says of the machine. */
#define BENCH_FIELDS_MACHINE                                                                       \
  {BENCH_FIELD("provenance.cores", COUNT, NEWER), .unit = "", .help = "processors in use"},        \
      {BENCH_FIELD("provenance.governor", TEXT, NEWER), .unit = "",                                \
       .help = "of the processors' frequency; null: the system does not tell"},                    \
      {BENCH_FIELD("provenance.load", REAL, NEWER), .range = FIELD_NOT_NEGATIVE, .unit = "",       \
       .help = "processes that ran or waited to run, mean of the minute before the end"},          \
  {                                                                                                \
    BENCH_FIELD("provenance.blas_threads", COUNT, NEWER),                                          \
        .unit = "", .help = "null: the library does not tell"                                      \
  }

extern const struct bench_field bench_fields[];
extern const int bench_fields_count;

/* Names of the statuses of runs and solves; ends with NULL. */
extern const char *const bench_status_names[];

/* The field of a path; NULL: none. */
const struct bench_field *bench_field_find(const char *path);
/* Are there fields inside this one? Else an object holds what it wants. */
int bench_field_has_parts(const struct bench_field *field);
/* May a number stand at a path: a field that is one, or something below one whose keys are not
 * known beforehand (case.parameters.mu, final.u.vx)? */
int bench_field_may_be_number(const char *path);
/* May the value be null, and may the key be missing? */
int bench_field_may_be_null(const struct bench_field *field);
int bench_field_may_be_missing(const struct bench_field *field);
/* Everything that stands in the outcome, there or back; texts are left out. */
void bench_fields_pass(struct base_blob *blob, struct bench_outcome *out);
/* "No value" for everything measured. */
void bench_fields_void(struct bench_outcome *out);

/* values.c: what is not a number of the outcome. */
void bench_add_schema(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_cell(struct cJSON *block, const char *key, const struct bench_result *result);
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
void bench_add_variation(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_ensemble(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_members_times(struct cJSON *block, const char *key,
                             const struct bench_result *result);
void bench_add_repeats(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_per_step(struct cJSON *block, const char *key, const struct bench_result *result);
void bench_add_provenance(struct cJSON *block, const char *key, const struct bench_result *result);

#endif
