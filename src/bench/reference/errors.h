/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors of a run against its reference.
 */
#ifndef BENCH_ERRORS_H
#define BENCH_ERRORS_H

#include "bench/reference/reference.h"

struct bench_encounter;

/* NaN without a reference, or when t_end was not reached. */
struct bench_errors {
  double q_linf, q_l2, q_final, u_hausdorff;
  double q_mass_linf, q_mass_l2, q_mass_final, u_mass_l2, u_mass_final; /* mass_norm.h */
  double flight_q_mass, flight_u_mass, impact_q_mass, impact_u_mass, after_q_mass,
      after_u_mass; /* encounter.h */
  double lift;      /* lift.c [m] */
};
struct bench_errors bench_no_errors(void);

/* Mean differences from the reference [J]; NaN without one. */
struct bench_energy_errors {
  const char *kind; /* "analytic", "event", "none": of the total */
  char reason[200]; /* why there are none */
  double total, friction, impact, damping;
  double at_stake; /* in the reference: its largest kinetic energy, or what was taken [J] */
};
struct bench_energy_errors bench_no_energy_errors(void);

/* A run that is sampled. */
struct bench_sampled {
  const struct bench_job *job;
  const struct mech *m;
  const struct bench_path *path;
  const struct bench_path *graph; /* these samples, and both ends of steps with a contact onset */
  const struct bench_encounter *encounter; /* the states about the first of them */
  double energy;                           /* at the start [J] */
  struct base_arena *arena;
};

/* Errors of a sampled run against its reference, in published coordinates: the largest difference
 * (q_linf, and at t_end q_final) and its root mean square over the samples (q_l2), all of the
 * coordinates taken together; of velocities, which jump, the Hausdorff distance of their graphs.
 * The same differences weighted by inertia (mass_norm.h) where path holds the states they belong
 * to. Where the reference ends before t_end all are taken up to its end, and there is no q_final.
 * The reference is sampled densely about the steps with a contact onset. Returns the time of the
 * reference [s]. */
double bench_measure_errors(const struct bench_sampled *run, struct bench_reference *reference,
                            struct bench_errors *errors, struct bench_energy_errors *energy_errors);

/* Lift of contacts: path and ref at the same n samples; the largest gap of the run at a contact
 * that is closed in the reference at the sample and at the one before. 0: none is open. NaN: no
 * contact of the reference is closed, its published coordinates do not determine its state, or
 * bodies enter and leave. */
double bench_measure_lift(const struct mech *m, const struct bench_path *path, int n,
                          const struct bench_path *ref, struct base_arena *arena);
/* Those of energies (energy_errors.c) over the samples of path, with work and energy, against the
 * reference at times that hold theirs, which gets its energies where it has none. */
void bench_measure_energy_errors(const struct bench_sampled *run, const struct bench_path *path,
                                 struct bench_path *ref, struct bench_energy_errors *errors);
/* Hausdorff distance between the graphs (t, u) of two paths, vertices of each against the polyline
 * of the other, in the metric max(|dt| / t_scale, |du|_inf / u_scale). */
double bench_hausdorff(const struct bench_path *a, const struct bench_path *b, double t_scale,
                       double u_scale);

#endif
