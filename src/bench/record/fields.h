/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fields of a record, coulombench.result/2, in the order in which they are written: a flat
 * table of keys (base/json/keys.h), for the check of records and their JSON Schema, with further
 * data that records alone need. The table (fields.c) also writes the fields. A new field is a line
 * there.
 */
#ifndef BENCH_FIELDS_H
#define BENCH_FIELDS_H

#include "base/json/keys.h"
#include "bench/run/outcome.h"

struct cJSON;

/* Where in struct bench_outcome the value stands, and as what. */
enum bench_field_store {
  FIELD_ELSEWHERE, /* `add` writes it, or the block that holds it */
  FIELD_DOUBLE,
  FIELD_LONG,
  FIELD_SIZE,
  FIELD_STRING, /* const char * */
  FIELD_CHARS   /* char[] */
};

/* Scale of a difference of two records in a field (compare/scale.c). */
enum bench_scale {
  SCALE_UNSET,    /* by its unit, else that of the block it is in, else SCALE_OWN */
  SCALE_INPUT,    /* input: alike or not, under any limit */
  SCALE_EXACT,    /* alike or not */
  SCALE_PLACE,    /* a place, or a text about other entries: never counts */
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
  int is_repeat; /* write only fields that all runs of the job share */
  /* Values of fields that follow from the job, or from both: */
  const char *schema, *case_name, *form_name, *law, *solver_name, *status; /* NULL: null */
  double dt, t_end, per_step, real_time_factor;                            /* [s], [s], [s], [-] */
};

/* Add the value, if there is one, to its block. */
typedef void bench_field_add(struct cJSON *block, const char *key,
                             const struct bench_result *result);

struct bench_field {
  struct base_key key; /* its name: the dotted path */
  enum bench_scale scale;
  enum bench_field_store store;
  size_t offset;
  int is_beside; /* it stands in struct bench_result instead */
  int least;     /* counts that may be null are so below this */
  bench_field_add *add;
};

/* What a value is. */
#define BENCH_IS_TEXT(at) at types = BASE_TEXT
#define BENCH_IS_NAME(at) at types = BASE_NAME
#define BENCH_IS_REAL(at) at types = BASE_REAL
#define BENCH_IS_COUNT(at) at types = BASE_WHOLE, at range = BASE_NOT_NEGATIVE
#define BENCH_IS_FLAG(at) at types = BASE_FLAG
#define BENCH_IS_NUMBERS(at) at types = BASE_REAL, at forms = BASE_LIST
#define BENCH_IS_REALS(at) at types = BASE_REAL | BASE_NULL, at forms = BASE_LIST
#define BENCH_IS_TEXTS(at) at types = BASE_TEXT, at forms = BASE_LIST
#define BENCH_IS_COUNTS(at) BENCH_IS_COUNT(at), at forms = BASE_LIST
#define BENCH_IS_COUNT_MAP(at) BENCH_IS_COUNT(at), at forms = BASE_MAP
#define BENCH_IS_TEXT_MAP(at) at types = BASE_TEXT, at forms = BASE_MAP
#define BENCH_IS_LIST(at) at forms = BASE_LIST
#define BENCH_IS_OBJECT(at) at types = BASE_OBJECT
#define BENCH_IS_OBJECTS(at) BENCH_IS_OBJECT(at), at forms = BASE_LIST
/* A value that does not exist is null; a block that does not apply has no key. NEWER: null if it
 * does not exist, and missing from records of earlier programs. */
#define BENCH_BE_ALWAYS(at) at needs = BASE_ALWAYS
#define BENCH_BE_NULLABLE(at) at needs = BASE_ALWAYS, at is_nullable = 1
#define BENCH_BE_OPTIONAL(at) at needs = 0
#define BENCH_BE_NEWER(at) at is_nullable = 1
/* Common members of an entry, in a table of keys and in one of fields. */
#define BENCH_KEY(path_, type_, presence_)                                                         \
  .name = (path_), BENCH_IS_##type_(.), BENCH_BE_##presence_(.)
#define BENCH_FIELD(path_, type_, presence_)                                                       \
  .key.name = (path_), BENCH_IS_##type_(.key.), BENCH_BE_##presence_(.key.)
/* Which cell of which suite (cell.h); the block itself may be missing. */
#define BENCH_FIELDS_CELL                                                                          \
  {BENCH_FIELD("cell.suite", TEXT, ALWAYS), .key.unit = "", .key.help = "name of the suite"},      \
      {BENCH_FIELD("cell.id", TEXT, ALWAYS), .key.unit = "",                                       \
       .key.help = "the cell's own in the suite"},                                                 \
      {BENCH_FIELD("cell.label", TEXT, NULLABLE), .key.unit = "", .key.help = "of its group"},     \
      {BENCH_FIELD("cell.study", TEXT, NULLABLE), .key.unit = "",                                  \
       .key.help = "that it was made for, and stands in alone"},                                   \
      {BENCH_FIELD("cell.figure", TEXT, NULLABLE), .key.unit = "",                                 \
       .key.help = "of a case that it is a run of"},                                               \
      {BENCH_FIELD("cell.solver", TEXT, NULLABLE), .key.unit = "",                                 \
       .key.help = "what the suite calls the solver it asks for"},                                 \
  {                                                                                                \
    BENCH_FIELD("cell.swept", OBJECT, ALWAYS), .key.unit = "",                                     \
                                               .key.help = "lists of the suite, each at a value"   \
  }
/* What provenance says of the machine. */
#define BENCH_FIELDS_MACHINE                                                                       \
  {BENCH_FIELD("provenance.cores", COUNT, NEWER), .key.unit = "",                                  \
   .key.help = "processors in use"},                                                               \
      {BENCH_FIELD("provenance.governor", TEXT, NEWER), .key.unit = "",                            \
       .key.help = "of the processors' frequency; null: the system does not tell"},                \
      {BENCH_FIELD("provenance.load", REAL, NEWER), .key.range = BASE_NOT_NEGATIVE,                \
       .key.unit = "",                                                                             \
       .key.help = "processes that ran or waited to run, mean of the minute before the end"},      \
  {                                                                                                \
    BENCH_FIELD("provenance.blas_threads", COUNT, NEWER),                                          \
        .key.unit = "", .key.help = "null: the library does not tell"                              \
  }

extern const struct bench_field bench_fields[]; /* and an end without a name */
extern const int bench_fields_count;
extern const struct base_table bench_record_keys; /* the same */

/* Names of the statuses of runs and solves, from 0 on; NULL: no more. */
const char *bench_status_choice(int i);

/* The field of a path; NULL: none. */
const struct bench_field *bench_field_find(const char *path);
/* Is it an object, and not a value? */
int bench_field_is_object(const struct bench_field *field);
/* Is it one value of a run, or a block of named ones (parameters, options)? Lists are not, nor what
 * is sampled in time. */
int bench_field_is_column(const struct bench_field *field);
/* May a number stand at a path: a field that is one, or something below one whose keys are not
 * known beforehand (case.parameters.mu, final.u.vx)? */
int bench_field_may_be_number(const char *path);

/* values.c: what is not a number of the outcome. */
bench_field_add bench_add_cell, bench_add_parameters, bench_add_notes, bench_add_simulator,
    bench_add_form_options, bench_add_solver_options, bench_add_chosen, bench_add_rounds,
    bench_add_q, bench_add_u, bench_add_q_names, bench_add_u_names, bench_add_impulses,
    bench_add_contact, bench_add_observables, bench_add_trajectory, bench_add_search,
    bench_add_variation, bench_add_ensemble, bench_add_members_times, bench_add_repeats,
    bench_add_provenance;

#endif
