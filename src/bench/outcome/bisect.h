/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bisection by trials: the value in [lo, hi] at which a yes turns into a no, or a no into a yes,
 * when each answer costs a whole run: of a step midway in the logarithm, as near as a ratio, of
 * other parameters midway, as near as a part of hi - lo.
 *
 * Trials: lo, hi, then the middle of the two nearest values between which the answer changes. What
 * comes next follows from the trials alone, so that a record can be checked by going the same way
 * again.
 */
#ifndef BENCH_BISECT_H
#define BENCH_BISECT_H

#include "bench/job/job.h"

/* Two bisections in one list of trials, down to the smallest ratio in the widest range of doubles:
 * 2 + 2 log2(1500 / 1e-6). */
enum { BENCH_TRIALS_MAX = 80 };

struct bench_trials {
  int n; /* in the order tried */
  double value[BENCH_TRIALS_MAX];
  int status[BENCH_TRIALS_MAX]; /* base_status of the run; TIMEOUT: cut, it says nothing */
  /* Measured quantity, a list for each question; NaN: none. */
  double measured[BENCH_UNTIL_MAX][BENCH_TRIALS_MAX];
};

struct bench_bisection {
  double lo, hi;
  int is_logarithmic;
  double tolerance; /* logarithmic: a ratio > 1; else over hi - lo */
  int (*holds)(const void *question, int status, double measured);
  const void *question;
  int number; /* of the question: its list in `measured` */
};

/* The next value to try. NaN: the answer does not change between lo and hi, the two values are near
 * enough, no double lies between them, the number of trials is exhausted, or a trial was cut off.
 * *holds, *fails: the nearest two found between which the answer changes, with nothing else between
 * lo's side of them and lo; NaN: none. */
double bench_bisect_next(const struct bench_bisection *b, const struct bench_trials *trials,
                         double *holds, double *fails);

#endif
