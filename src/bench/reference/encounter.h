/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the error of a run is made: before its first contact, at it, and after. The states about
 * the step with the first contact onset are kept; let a be the end of the last step before which
 * neither the run nor the reference has had an onset, and b the end of the first step that begins
 * after both the run and the exact motion from the run's own state at a have.
 *
 *   flight   d(run(a), reference(a))              what was made before the first contact
 *   impact   d(run(b), exact motion from run(a))  what the steps of the contact make by themselves:
 *                                                 a local error, without what they were given
 *   after    e(t_end) - e(b), e the difference from the reference: what came on top, made later or
 *            grown out of what there was
 *
 * Distances are weighted by inertia (mass_norm.h), of coordinates and of velocities. They do not
 * add up to the error at t_end, nor are they meant to: a contact can undo an error of the flight (a
 * body that falls ahead lies where the other one does in the end), and what it makes of velocities
 * shows in the coordinates later. The exact motion is that of `event`, which also tells when the
 * reference has its first onset, where the reference itself is a closed form.
 */
#ifndef BENCH_ENCOUNTER_H
#define BENCH_ENCOUNTER_H

#include "base/bytes/blob.h"
#include "bench/reference/errors.h"
#include "form/form.h"

/* States kept: two before the step with the onset, its end, and two after. */
enum { BENCH_ENCOUNTER_BEFORE = 2, BENCH_ENCOUNTER_STATES = 5 };

struct bench_encounter {
  int nq, nu;    /* of the system itself; 0: nothing is kept */
  int n;         /* states kept: STATES once all are */
  int met;       /* the onset has been */
  double *t;     /* STATES [s], ascending */
  double *q, *u; /* STATES x nq, STATES x nu */
};

/* state: the initial one. */
void bench_encounter_init(struct bench_encounter *e, const struct mech *m,
                          const struct form_state *state, struct base_arena *arena);
/* The state after a step; onsets: contacts that carried in it and not in the one before. */
void bench_encounter_note(struct bench_encounter *e, const struct form_state *state, int onsets);
void bench_encounter_pass(struct bench_encounter *e, struct base_blob *blob); /* for checkpoints */

/* The errors of flight, impact and after. They stay NaN where the system starts in contact,
 * where there is no first onset, it is in the first step, or the reference has it more than a step
 * apart from the run or ends before b, and where `event` cannot run the system from the run's
 * state. path: the run's samples up to the end of the reference. */
void bench_encounter_measure(const struct bench_sampled *run, const struct bench_path *path,
                             struct bench_reference *reference, struct bench_errors *errors);

#endif
