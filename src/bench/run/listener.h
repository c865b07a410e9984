/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run under way, and its listeners. The loop over steps (run.c) handles the formulation and the
 * clock. Listeners measure, sample, draw and save. Each is called at every event, in the order of
 * the list in run.c:
 *
 *   begin    the initial state is known, the formulation is not yet
 *   start    the formulation is ready, the first step is about to be taken
 *   flow     bodies came or went before a step
 *   step     a step was taken, and its state is sound
 *   end      no further step will be taken, for whatever reason
 *
 * A handler returns BASE_OK, or a negative status with a message, which ends the run without a
 * record; NULL: the event does not concern it.
 */
#ifndef BENCH_LISTENER_H
#define BENCH_LISTENER_H

#include "base/bytes/blob.h"
#include "bench/run/run.h"

struct bench_run;

enum bench_event { BENCH_BEGIN, BENCH_START, BENCH_FLOW, BENCH_STEP, BENCH_END, BENCH_EVENTS };

struct bench_listener {
  void *data;
  int (*on[BENCH_EVENTS])(void *data, struct bench_run *run);
  /* A one-step problem of impulse stepping, before it is solved. */
  void (*problem)(void *data, const struct problem *p);
  /* Save or restore memory between steps, for checkpoints (base/bytes/blob.h). */
  void (*pass)(void *data, struct base_blob *blob);
  void (*free)(void *data); /* what does not live in the arena; also after a failure */
};

enum { BENCH_LISTENERS_MAX = 16 };

/* Readings of clocks, or differences of them [s]. */
struct bench_clocks {
  double work, wall; /* base_clock_work, base_clock_now */
};

struct bench_run {
  const struct bench_job *job;
  const struct mech *m;
  const struct case_instance *instance;
  struct base_arena *arena; /* outlives the run */
  struct bench_outcome *out;
  void *workspace; /* of the formulation; NULL: not allocated yet, or the run is unsupported */
  struct form_state state;
  long steps, taken;         /* to t_end; so far, those before a restart included */
  double energy;             /* of the state [J], springs of penalty contacts included */
  double synchronous_energy; /* the same, velocities at the time of the coordinates (energy.c) */
  double inflow; /* energy of bodies that entered less that of bodies that left before the step
                    [J] */
  /* The step just taken: its beginning in published names, its length, what it reported, contacts
   * that carried in it and not in the one before. */
  double t_before, dt;
  double *q_before, *u_before;
  const struct form_report *report;
  int onsets;
  /* Begin of the steps, their time before a restart, and the time so far of checks that are no part
   * of a user's run. */
  struct bench_clocks begin, before, aside;
  int n_listeners;
  struct bench_listener listeners[BENCH_LISTENERS_MAX];
};

/* Append a listener; the list must not be full. */
void bench_run_listen(struct bench_run *run, struct bench_listener listener);
/* Steps from one event of a series to the next, `every` apart [s]: 1 to steps + 1. */
long bench_run_stride(const struct bench_run *run, double every);
struct bench_clocks bench_run_clocks(void);
/* of + to - from. */
struct bench_clocks bench_run_elapsed(struct bench_clocks of, struct bench_clocks from,
                                      struct bench_clocks to);
/* Time of the steps so far, checks aside. */
struct bench_clocks bench_run_spent(const struct bench_run *run);
/* Into the outcome, once no further step will be taken: steps and time reached, the final state,
 * which with is_broken, a step failed half-way, is that before the step, and the status unless it
 * is set (outcome.c). */
void bench_run_summarise(const struct bench_run *run, int is_broken);

/* Each appends itself, if the job asks for it. */
void bench_one_contact_listen(struct bench_run *run); /* one_contact.c */
void bench_measure_listen(struct bench_run *run);     /* measure.c: keeps energy, onsets, reach */
void bench_balance_listen(struct bench_run *run);     /* balance.c: after measure */
void bench_momentum_listen(struct bench_run *run);    /* momentum.c */
void bench_energy_listen(struct bench_run *run);      /* energy.c: after measure */
void bench_samples_listen(struct bench_run *run);     /* samples.c: after energy */
void bench_rest_listen(struct bench_run *run);        /* rest.c */
void bench_observer_listen(struct bench_run *run);    /* observer.c */
void bench_dump_listen(struct bench_run *run);        /* dump.c */
void bench_restart_listen(struct bench_run *run);     /* checkpoint.c: before vtk */
void bench_vtk_listen(struct bench_run *run);         /* export/vtk.c */
void bench_film_listen(struct bench_run *run);        /* export/film.c */
void bench_checkpoint_listen(struct bench_run *run);  /* checkpoint.c: after all that pass */
void bench_progress_listen(struct bench_run *run);    /* progress.c */

/* From the arena; NULL with a message (BASE_E_INPUT) unless exactly one contact, planar or spatial
 * and with the disk of Coulomb, is closed at (q, u). */
const struct bench_one_contact *bench_one_contact_of(const struct mech *m, const double *q,
                                                     const double *u, struct base_arena *arena);
#endif
