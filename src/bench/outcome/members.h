/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Members of an ensemble (ensemble/ensemble.h): their numbers, statistics of these, and the block
 * `ensemble` of records.
 */
#ifndef BENCH_MEMBERS_H
#define BENCH_MEMBERS_H

#include "bench/job/job.h"

/* Numbers stored for each member: paths into its record. Records of older programs have only the
 * first ones, at least BENCH_ENSEMBLE_FEWEST. */
enum { BENCH_ENSEMBLE_NUMBERS = 12, BENCH_ENSEMBLE_FEWEST = 8 };
extern const char *const bench_ensemble_numbers[BENCH_ENSEMBLE_NUMBERS];
/* Level of the intervals. */
#define BENCH_ENSEMBLE_LEVEL 0.95

struct bench_member {
  const char *options; /* words that turn the command into this member: "--opt phase=... --set
                          ..." */
  int status;
  const char *quality;                   /* verdict; NULL: none */
  double number[BENCH_ENSEMBLE_NUMBERS]; /* NaN: has none */
};

struct bench_ensemble {
  struct bench_ensemble_spec spec;
  int n;
  struct bench_member *member; /* n; phases of the first rotation, then of the second, ... */
  double *steps_s;             /* n, time of the steps [s] */
};

/* Of one number over the members; those without it count as infinite. has_interval: by bootstrap,
 * which costs some milliseconds; else lo and hi are NaN. */
struct bench_ensemble_summary {
  int n;                   /* members that have it */
  double median, p10, p90; /* NaN: none has it */
  double lo, hi;           /* interval of the median; NaN: too few members */
};
struct bench_ensemble_summary bench_ensemble_summarise(int n, const struct bench_member *member,
                                                       int number, int has_interval,
                                                       struct base_arena *arena);

/* The block `ensemble`, and its check: BASE_OK without one, BASE_E_INPUT with a message
 * where it contradicts itself, with_intervals: in the intervals too. */
void bench_ensemble_add(struct cJSON *block, const struct bench_ensemble *ensemble);
int bench_ensemble_check_record(const struct cJSON *record, const char *file, int with_intervals);

#endif
