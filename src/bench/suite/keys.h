/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a suite's file may hold: one table of keys (keys.c), by which unknown ones are refused and
 * the JSON Schema of suites is printed (`describe coulombench.suite/1`). What a value has to be
 * beyond its type (that a case exists, an option is one of the solver's) is for those that read it.
 */
#ifndef BENCH_SUITE_KEYS_H
#define BENCH_SUITE_KEYS_H

struct cJSON;

/* Objects of a suite's file. */
enum bench_suite_part {
  SUITE_ROOT,
  SUITE_CELLS,    /* of runs */
  SUITE_PROBLEMS, /* cells of one-step problems */
  SUITE_DEFAULTS, /* of a formulation */
  SUITE_SOLVER,   /* a command in place of a solver's name */
  SUITE_STUDY,    /* one that says what it shows */
  SUITE_PARTS
};

/* Refuse keys that the table does not have; where: the key that the object is at. BASE_E_INPUT with
 * a message. */
int bench_suite_refuse_unknown(const struct cJSON *object, enum bench_suite_part part,
                               const char *file, const char *where);
/* The table as a JSON Schema (draft 2020-12); to be freed. */
struct cJSON *bench_suite_schema(void);

#endif
