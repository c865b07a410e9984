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

/* The run of a request with an ensemble, and its members; one process, one time limit for all.
 * BASE_OK whenever there is an outcome to record. */
int bench_ensemble(const struct bench_request *request, struct base_arena *arena,
                   struct bench_job *job, struct bench_outcome *outcome);

#endif
