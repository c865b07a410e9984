/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ensembles: the same run many times, with arbitrary choices varied. The error of a single run is
 * one draw: it depends on the phase of an impact within its step, on the direction of sliding
 * against the facets of a polyhedral cone, and on the last digits of the start.
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
 * Members are all phases of all rotations. Random numbers depend on the seed and the case alone, so
 * the members of two formulations, steps or tolerances form pairs. Each member is a run with its
 * own options (bench_variation_options, --set), which repeat it.
 *
 * The record is that of the run without variation. Its block `ensemble` has the members' numbers
 * with their median, 10 and 90 % quantiles, and a bootstrap interval of the median. A member
 * without a result counts as infinite.
 */
#ifndef BENCH_ENSEMBLE_H
#define BENCH_ENSEMBLE_H

#include "bench/run/run.h"

/* The run of a request with an ensemble, and its members; one process, one time limit for all.
 * BASE_OK whenever there is an outcome to record. */
int bench_ensemble(const struct bench_request *request, struct base_arena *arena,
                   struct bench_job *job, struct bench_outcome *outcome);

#endif
