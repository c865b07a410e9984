/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a record reports about the steps of a run, measured from outside the formulation: energy
 * budget, constraints, the law's residual, iterations, contacts. Errors against a reference are in
 * bench/reference/errors.c.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/run/run.h"
#include "form/carried.h"

/* Numbers that come one by one; memory from the system, as their count is not known before. */
struct bench_series {
  double *x;
  size_t n, capacity;
};
void bench_series_add(struct bench_series *series, double x);
/* Quantile p in [0, 1] of the numbers, which are sorted by it, as la_quantile_sorted; NaN when
 * there are none. */
double bench_series_quantile(struct bench_series *series, double p);
void bench_series_free(struct bench_series *series);
void bench_series_pass(struct bench_series *series, struct base_blob *blob); /* for checkpoints */
/* A copy in an arena. */
double *bench_series_copy(const struct bench_series *series, struct base_arena *arena);

/* Contacts whose impulses of a step a record holds; where there are more it holds none. */
enum { BENCH_IMPULSES_MAX = 64 };

struct bench_measure {
  const struct mech *m;
  struct base_arena *arena;
  struct bench_outcome *out;
  struct mech_contacts contact; /* the one looked at */
  double t;                     /* of the last state seen [s] */
  double approach;              /* its mech_body_ops.approach in unit time [m/s] */
  double reach;                 /* gaps at which contacts can be that carried [m] */
  double gap_min;               /* smallest gap of the contacts looked at last [m]; NaN: none */
  double *gS, *gamma, *WS;      /* ns, ns, nu x ns; NULL with mech_body_ops.bilateral_rate */
  double energy, stored;        /* now; in springs [J] */
  struct form_carried carried;  /* contacts, in the last step */
  int onsets;                   /* in the last step, see form/carried.h */
  struct bench_series residual; /* of steps that solved a problem [m/s] */
  struct bench_series iterations;
};

/* Before the first step, at the initial state. */
void bench_measure_begin(struct bench_measure *measure, const struct mech *m,
                         const struct form_state *state, struct base_arena *arena,
                         struct bench_outcome *out);
/* Bodies came or went before the step to be taken; work: the energy that gave [J]. */
void bench_measure_flow(struct bench_measure *measure, const struct form_state *state, double work);
/* After step number k = 1, 2, ... that ended at `state`. */
void bench_measure_step(struct bench_measure *measure, long k, const struct form_state *state,
                        const struct form_report *report);
/* Means and percentiles over the steps taken; releases what begin and step allocated. */
void bench_measure_end(struct bench_measure *measure, long steps);

#endif
