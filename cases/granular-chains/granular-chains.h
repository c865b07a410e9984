/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the model of hanging branches of discs, which two-balls shares, and the figures.
 */
#ifndef CASES_GRANULAR_CHAINS_H
#define CASES_GRANULAR_CHAINS_H

#include "base/memory/arena.h"
#include "cases/case.h"

/* The model of model.c with both branches straight and at rest, the first at
 * angle[0] from the vertical to the left, the second at angle[1] to the right [rad]. */
int granular_chains_assemble(const struct case_parameters *p, const char *name,
                             const double angle[2], struct base_arena *arena,
                             struct case_instance *out);

/* What of a state's energy is kinetic and what potential [J]; q, u: 6 n. */
double granular_chains_kinetic(const struct case_parameters *p, const double *u);
double granular_chains_potential(const struct case_parameters *p, const double *q);

/* What a run of `ccp` sampled at every step tells with the impulses of its record
 * (impulse.c); rows are steps. "Pairs" are two discs, or a disc and the ground. */
struct granular_chains_steps {
  int n;                    /* steps: samples less one */
  double *energy;           /* n + 1, samples [J] */
  int *pairs;               /* n, pairs that carry */
  long onsets, rope_onsets; /* pairs, ropes that carry and did not in the step before */
  double *normal;           /* n, normal impulses on the disc of interest, summed [N s] */
  double first;             /* begin of the first step in which a pair carries [s]; NaN: none */
  double friction, impact;  /* work, impulse times mean velocity, all steps [J] */
  double numerical;         /* m g dt/2 (sum vy_end - sum vy_begin) [J] */
  double stabilisation;     /* - sum r_N Phi/dt where it gives energy [J] */
  double rise;              /* largest rise of the energy in a step beyond that [J] */
  double residual;          /* largest momentum left unexplained over its largest change */
  double off_cone;          /* largest |r_T| - mu r_N over the largest r_N, 0 at least */
};
/* disc: 1 ... 2 n, the one of interest. From the arena; BASE_FAILED with a message. */
int granular_chains_follow(const struct case_parameters *p, const struct case_series *s, int disc,
                           struct base_arena *arena, struct granular_chains_steps *out);

/* chains-contact (contact.c). */
extern const struct case_runs granular_chains_contact_runs[];
extern const struct case_table granular_chains_contact_tables[];
extern const struct case_check granular_chains_contact_checks[];
/* relaxation-chains (relaxation.c). */
extern const struct case_runs granular_chains_relaxation_runs[];
extern const struct case_table granular_chains_relaxation_tables[];
extern const struct case_check granular_chains_relaxation_checks[];
/* yu-15 (frames.c). */
extern const struct case_runs granular_chains_frames_runs[];
int granular_chains_frames_make(const struct case_parameters *p, const struct case_series *series,
                                int n, struct case_plot *plot);

/* The model with these parameters, both branches at `angle` (granular-chains.c). */
int granular_chains_build(const struct case_parameters *p, struct base_arena *arena,
                          struct case_instance *out);

/* yu-14 to yu-17, chains-contact, relaxation-chains; ends with id NULL. */
extern const struct case_figure granular_chains_figures[];

/* Curves of a table t, T, V, E. */
#define GRANULAR_CHAINS_ENERGIES(TABLE)                                                            \
  {                                                                                                \
    {"total", TABLE, 1, 4, .look = "#000000", .width = 2.5},                                       \
        {"potential", TABLE, 1, 3, .look = "#0072b2"}, {                                           \
      "kinetic", TABLE, 1, 2, .look = "#d55e00"                                                    \
    }                                                                                              \
  }

#endif
