/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Origin of the error of a run: before its first contact, at it, and after. The states about the
 * step with the first contact onset are stored. Let a be the end of the last step before any onset,
 * of the run or of the reference. Let b be the end of the first step that begins after two onsets:
 * that of the run and that of the exact motion from the run's own state at a.
 *
 *   flight   d(run(a), reference(a))              error before the first contact
 *   impact   d(run(b), exact motion from run(a))  local error of the steps of the contact, without
 *                                                 the error of their start
 *   after    e(t_end) - e(b), e the difference from the reference: the error made later and the
 *            growth of the earlier one
 *
 * Distances are weighted by inertia (mass_norm.h), of coordinates and of velocities. They do not
 * add up to the error at t_end: a contact can remove an error of the flight (a body that falls too
 * early comes to rest at the same place), and an error of velocities at the contact appears in the
 * coordinates later. The exact motion is that of `event`, which also gives the time of the
 * reference's first onset if the reference is a closed form.
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
