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

/* Ways to count the contacts of a run, pairs of discs or a disc and the ground alone. */
struct granular_chains_counts {
  int most;     /* at once */
  int distinct; /* pairs that carry at all */
  int instants; /* steps in which one or more begin to carry */
  int falls;    /* those of them in which the energy falls, stabilisation left out */
  int episodes; /* of a pair, with less than GRANULAR_CHAINS_APART between its steps */
  long carried; /* steps times pairs that carry */
};
#define GRANULAR_CHAINS_APART 0.01 /* [s] */

/* What a run of `ccp` sampled at every step tells with the impulses of its record
 * (impulse.c); rows are steps. "Pairs" are two discs, or a disc and the ground. */
struct granular_chains_steps {
  int n;                    /* steps: samples less one */
  double *energy;           /* n + 1, samples [J] */
  int *pairs;               /* n, pairs that carry */
  long onsets, rope_onsets; /* pairs, ropes that carry and did not in the step before */
  double *normal;           /* n, normal impulses on the disc of interest, summed [N s] */
  double *friction_so_far, *impact_so_far; /* n, work from the start to the end of a step [J] */
  struct granular_chains_counts counts;
  double first;            /* begin of the first step in which a pair carries [s]; NaN: none */
  double friction, impact; /* work, impulse times mean velocity, all steps [J] */
  double numerical;        /* m g dt/2 (sum vy_end - sum vy_begin) [J] */
  double stabilisation;    /* - sum r_N Phi/dt where it gives energy [J] */
  double rise;             /* largest rise of the energy in a step beyond that [J] */
  double residual;         /* largest momentum left unexplained over its largest change */
  double off_cone;         /* largest |r_T| - mu r_N over the largest r_N, 0 at least */
};
/* disc: 1 ... 2 n, the one of interest. From the arena; BASE_FAILED with a message. */
int granular_chains_follow(const struct case_parameters *p, const struct case_series *s, int disc,
                           struct base_arena *arena, struct granular_chains_steps *out);

/* What a figure makes of the steps of a run, with the run `event` of the same plan (NULL:
 * none). */
struct granular_chains_run {
  const struct case_parameters *p;
  const struct case_series *ccp, *event;
  double least, most; /* contact onsets in 8 s over other parameters; 0: no such runs */
  struct granular_chains_steps steps;
  struct base_arena *arena;
};
typedef int granular_chains_maker(const struct granular_chains_run *run, struct case_plot *plot);
/* The run "ccp" followed, with disc 10 of interest. */
int granular_chains_make(const struct case_parameters *p, const struct case_series *series, int n,
                         granular_chains_maker *make, struct case_plot *plot);
enum { GRANULAR_CHAINS_DISC = 10 };
/* What two ways of adding up thousands of steps may differ by [J]; momentum that the impulses do
 * not explain and friction outside its cone, relative: rounding, and the tolerance of the solver.
 */
#define GRANULAR_CHAINS_BUDGET 1e-10
#define GRANULAR_CHAINS_MOMENTUM 1e-10
#define GRANULAR_CHAINS_CONE 1e-8

/* The model with these parameters, both branches at `angle` (granular-chains.c). */
int granular_chains_build(const struct case_parameters *p, struct base_arena *arena,
                          struct case_instance *out);

/* What the files of its figures call by name. */
extern const struct case_function granular_chains_functions[];
extern const struct case_function granular_chains_frames_functions[];
extern const struct case_function granular_chains_disc_functions[];
extern const struct case_function granular_chains_skew_functions[];
extern const struct case_function granular_chains_contact_functions[];

#endif
