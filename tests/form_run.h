/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs of a formulation on a system, step by step: sums of what its reports say and, where asked
 * for, energy, constraints and gaps on the way. A run is gone with its test.
 */
#ifndef TESTS_FORM_RUN_H
#define TESTS_FORM_RUN_H

#include "form/carried.h"
#include "form/form.h"

struct run {
  struct base_arena *arena;
  const struct form *form;
  struct form_setup setup;
  void *options;   /* of the formulation */
  void *workspace; /* NULL: before the first step, and where the formulation refuses */
  struct form_state state;
  struct form_report last;
  double friction, impact, damping, applied, stored; /* sums of works [J] */
  struct form_carried carried;                       /* in the last step */
  int begun, onsets; /* contacts that began to carry, in the last step and in all */
  int iterations, solves, internal_steps;
  double residual, newton; /* largest */
  double energy;           /* at the start [J] */
  int status;              /* the worst; BASE_UNSUPPORTED where it is refused */
  struct {                 /* by run_watched, largest */
    double drift;          /* |E - E_0| [J] */
    double increase;       /* E_k+1 - E_k [J] */
    double budget;         /* |E_k+1 - E_k - works| of a step [J] */
    double gS, gammaS;     /* of all components */
    double approach;       /* g_N(q^B) - g_N(q^E) over contacts closed at first [m] */
    double penetration;    /* -g_N over all contacts, negative where none ever closes [m] */
    double gap;            /* not the largest: of contact 0 at the end; NaN without [m] */
    int contacts;
  } seen;
};

/* By the formulation's own solver at a tolerance of 1e-13. q: nq, u: nu are copied. */
struct run *run_begin(const char *form, const struct mech *m, double dt, const double *q,
                      const double *u);
/* Options of the formulation "key=value key=value", printf style, before the first step. */
void run_set(struct run *run, const char *pairs, ...) __attribute__((format(printf, 2, 3)));
/* With penalty on one part a step, and options beside, printf style. */
struct run *run_penalty(const struct mech *m, double dt, const double *q, const double *u,
                        const char *pairs, ...) __attribute__((format(printf, 5, 6)));
/* A stepper of penalty whose error is that of round-off. */
#define TIGHT "stepper=rk8pd rtol=1e-13 atol=1e-14"
/* Must be refused, by check or alloc, with a message that holds `says`. */
void run_refused(struct run *run, const char *says);
void run_step(struct run *run, double dt);
void run_steps(struct run *run, int n);    /* n nominal steps, all of which must succeed */
void run_until(struct run *run, double t); /* the last step shorter when it must be */
/* n nominal steps, looked at one by one; no more after a status beyond BASE_UNCONVERGED. */
void run_watched(struct run *run, int n);
/* Steps to where no contact is left; speed after over speed before, with the sign turned. */
double run_rebound(struct run *run, double (*speed)(const struct run *));
double run_energy(const struct run *run); /* now [J] */
/* Energy that the reports do not account for [J]. */
double run_imbalance(const struct run *run);

#endif
