/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ensembles: one and the same run many times over, with what nobody chose on purpose varied. An
 * error of a single run is one draw: an impact falls somewhere within a step, a body slides along a
 * facet of a polyhedral cone or between two, a start has digits nobody measured.
 *
 *   --ensemble phase=32,rotation=16,start=1e-9,seed=1
 *
 *   phase=N      N lengths of the first step, one in each N-th of dt, so that all impacts fall
 *                elsewhere in their steps
 *   rotation=N   N rotations of the case as a whole: of a scene, gravity included, about the origin
 *                by an angle in each N-th of a turn in the plane, by any in space; of a case that
 *                names the parameter that turns it ("rotation" in its file) by that
 *   start=X      each member's start moved at random by X of the system's length and speed
 *   seed=K       of all that
 *
 * Members are all phases of all rotations. What is drawn depends on the seed and the case alone, so
 * that the members of two formulations, steps or tolerances are pairs. Each is a run with options
 * of its own (bench_variation_options, --set) and can be made again by them.
 *
 * The record is that of the run as it was asked for, without any variation, and in its block
 * `ensemble` the members' numbers with their median, 10 and 90 % quantiles, and a bootstrap
 * interval of the median. A member without a result counts as infinite.
 */
#ifndef BENCH_ENSEMBLE_H
#define BENCH_ENSEMBLE_H

#include "bench/run/run.h"

struct cJSON;

/* What is asked for (struct bench_ensemble_spec of job/job.h), as options. */
extern const struct base_option bench_ensemble_options[];
/* Is it one at all? More than one member is asked for. */
int bench_ensemble_is_asked(const struct bench_ensemble_spec *spec);
/* "phase=32,rotation=16": BASE_E_INPUT with a message. */
int bench_ensemble_parse(const char *text, struct bench_ensemble_spec *spec);
/* {"phase": 32, "rotation": 16} of a suite's cell: BASE_E_INPUT with a message. */
int bench_ensemble_read(const struct cJSON *object, const char *file, struct base_arena *arena,
                        struct bench_ensemble_spec *spec);
/* The same as text, without what is at its default. */
const char *bench_ensemble_text(const struct bench_ensemble_spec *spec, struct base_arena *arena);
/* Can the case of a resolved job be varied so? BASE_E_INPUT with a message. */
int bench_ensemble_check(const struct bench_ensemble_spec *spec, const struct bench_job *job);

/* Numbers told of each member: paths into its record. Records of older programs hold the first ones
 * of them, at least the last number here. */
enum { BENCH_ENSEMBLE_NUMBERS = 12, BENCH_ENSEMBLE_FEWEST = 8 };
extern const char *const bench_ensemble_numbers[BENCH_ENSEMBLE_NUMBERS];
/* Level of the intervals. */
#define BENCH_ENSEMBLE_LEVEL 0.95

struct bench_member {
  const char *options; /* words that make it of the command: "--opt phase=... --set ..." */
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

/* The run of a request with an ensemble, and its members; one process, one time limit for all.
 * BASE_OK whenever there is an outcome to record. */
int bench_ensemble(const struct bench_request *request, struct base_arena *arena,
                   struct bench_job *job, struct bench_outcome *outcome);

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

/* record.c: the block `ensemble`, and its check: BASE_OK without one, BASE_E_INPUT with a message
 * where it contradicts itself, with_intervals: in the intervals too. */
void bench_ensemble_add(struct cJSON *block, const struct bench_ensemble *ensemble);
int bench_ensemble_check_record(const struct cJSON *record, const char *file, int with_intervals);

#endif
