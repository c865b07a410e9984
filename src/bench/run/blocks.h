/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks of an outcome without a header of their own (unlike measure.h, reference/): results of
 * each listener, and the times.
 */
#ifndef BENCH_BLOCKS_H
#define BENCH_BLOCKS_H

#include <stddef.h>

struct bench_outcome;

/* energy.c: with velocities and coordinates at one time. */
struct bench_synchronous {
  double max_drift; /* of the energy budget [J] */
  double force;     /* largest generalised one at the start and the ends of steps [N, N m] */
};

/* NaN: not measured. */
struct bench_momentum {
  double balance_max;                 /* unexplained momentum over the size of a step's impulses
                                         (balance.c) */
  double linear, angular;             /* unexplained momentum (balance.c) [N s], [N m s] */
  double linear_drift, angular_drift; /* of free bodies (momentum.c) [N s], [N m s] */
};

/* rest.c: over the second half of a run; NaN: bodies move in it. */
struct bench_rest {
  double creep;  /* largest displacement of a coordinate over the time [m/s, rad/s] */
  double jitter; /* standard deviation of a velocity, the largest [m/s, rad/s] */
};

/* samples.c: of every step, where every step is a sample of the trajectory; n NULL: not so, or not
 * told. */
struct bench_trajectory_impulses {
  const double *n;      /* trajectory.n, contacts that carried in the step before the sample */
  const double *id, *r; /* theirs, sample after sample: total, and dim x total [N s] */
  size_t total;
  int dim;
};

/* quality.c. */
struct bench_quality {
  const char *verdict; /* "good", "poor", "useless"; NULL: not judged */
  char why[200];
  double length, energy;                                    /* scales [m], [J]; NaN: none */
  double position, total, friction, impact, damping, drift; /* over these [-]; NaN: not known */
  double penetration, unsolved;     /* measures without a reference [-]; NaN: there is one */
  double poor_above, useless_above; /* thresholds */
};

/* run.c, and repeat/repeat.c: times of the steps, taken again and again. */
struct bench_timing {
  double steps; /* by base_clock_work, checks aside [s] */
  struct bench_repeats {
    int n;                             /* number of timings; 0: the time is that of one run */
    double *runs;                      /* n, number of whole runs in each timing, which is their
                                          mean */
    double *steps;                     /* n, in the order taken [s] */
    double q1, q3;                     /* quartiles of steps [s]; NaN: n < 3 */
  } repeats;                           /* steps is the median of */
  double wall;                         /* of the steps of the first run [s] */
  double step_p50, step_p95, step_max; /* wall time of a step of that [s]; NaN: none was timed */
  double reference;                    /* time of the errors, as steps [s] */
  double total;                        /* wall time [s] */
  long threads;                        /* of parallel solvers */
  size_t memory;                       /* arena peak [bytes] */
  double peak;                         /* most memory of the process, code and libraries included */
};

/* Compute outcome->quality from all other measurements (quality.c). */
void bench_quality_judge(struct bench_outcome *outcome);

#endif
