/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors of a run against its reference.
 */
#ifndef BENCH_ERRORS_H
#define BENCH_ERRORS_H

#include "bench/outcome/outcome.h"

struct bench_encounter;

/* Errors of a sampled run against its reference, in published coordinates: the largest difference
 * (q_linf, and at t_end q_final) and its root mean square over the samples (q_l2), all of the
 * coordinates taken together; of velocities, which jump, the Hausdorff distance of their graphs.
 * The same differences weighted by inertia (mass_norm.h) where path holds the states they belong
 * to. Where the reference ends before t_end all are taken up to its end, and there is no q_final.
 * graph: the samples of path, and both ends of steps in which a contact closed; the reference is
 * taken closely about these. encounter: the states about the first of them. */
void bench_measure_errors(const struct bench_job *job, const struct mech *m,
                          const struct bench_path *path, const struct bench_path *graph,
                          const struct bench_encounter *encounter, struct base_arena *arena,
                          struct bench_outcome *outcome);

/* outcome->energy_errors of a sampled run (with work and energy) against the reference at times
 * that hold those of its samples, which gets its energies where it has none (energy.c). */
void bench_measure_energy_errors(const struct bench_job *job, const struct mech *m,
                                 const struct bench_path *path, struct bench_path *ref,
                                 struct base_arena *arena, struct bench_outcome *outcome);
/* Hausdorff distance between the graphs (t, u) of two paths, vertices of each against the polyline
 * of the other, in the metric max(|dt| / t_scale, |du|_inf / u_scale). */
double bench_hausdorff(const struct bench_path *a, const struct bench_path *b, double t_scale,
                       double u_scale);

#endif
