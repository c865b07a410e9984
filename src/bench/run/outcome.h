/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Outcome of a run: its status, the last valid state, and a block from each measuring listener,
 * declared with that listener.
 */
#ifndef BENCH_OUTCOME_H
#define BENCH_OUTCOME_H

#include "bench/outcome/path.h"
#include "bench/reference/errors.h"
#include "bench/reference/reference.h"
#include "bench/run/blocks.h"
#include "bench/run/measure.h"

struct bench_outcome {
  int status; /* base_status */
  char reason[256];
  const struct case_instance *instance; /* NULL: the run ended before there was one */
  int nq, nu;                           /* published */
  const char *const *q_names, *const *u_names;
  long steps;    /* taken */
  double t;      /* reached [s] */
  double *q, *u; /* final, published; after a failure the last valid state */
  struct bench_start start;
  struct bench_energy energy;
  struct bench_constraints constraints;
  struct bench_law law;
  struct bench_iterations iterations;
  struct bench_choices choices;
  struct bench_contacts contacts;
  struct bench_told told;
  struct bench_impulses impulses;
  struct bench_synchronous synchronous;
  struct bench_momentum momentum;
  struct bench_rest rest;
  struct bench_path trajectory; /* n = 0 unless asked for */
  struct bench_trajectory_impulses trajectory_impulses;
  struct bench_reference reference;
  struct bench_errors errors;
  struct bench_energy_errors energy_errors;
  struct bench_quality quality;
  struct bench_timing timing;
  const struct case_observer *observer;    /* of the case, after the run; NULL: none */
  const struct bench_one_contact *contact; /* posed by the initial state; NULL: none */
  struct bench_vtk *vtk; /* pictures, to be ended once the record is written; NULL: none */
  const struct bench_search *search;     /* that the run came from; NULL: none */
  const struct bench_ensemble *ensemble; /* of which it is the first; NULL: none */
};

/* How the run ended, a base_status; reason "": what that status means. */
void bench_outcome_set_status(struct bench_outcome *out, int status, const char *reason);
/* Set all measurements to "no value", for runs that did not take place: zeros would look like
 * perfect results. The initial energy and the counts are unchanged. */
void bench_outcome_void(struct bench_outcome *out);
/* The outcome of a run that ended before it had any. */
void bench_outcome_end_early(struct bench_outcome *out, int status, const char *reason);

#endif
