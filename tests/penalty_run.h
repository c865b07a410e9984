/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A driver of the penalty formulation: options by text, works added up, and what of the energy the
 * reports leave unexplained.
 */
#ifndef TESTS_PENALTY_RUN_H
#define TESTS_PENALTY_RUN_H

#include "form/carried.h"
#include "form/form.h"
#include "form/penalty/penalty.h"

/* A stepper whose error is that of round-off. */
#define TIGHT "stepper=rk8pd rtol=1e-13 atol=1e-14"

struct sim {
  struct base_arena *arena;
  const struct form *form;
  struct penalty_options options;
  struct form_setup setup;
  struct form_state state;
  void *workspace;
  struct form_report last;
  double friction, impact, damping, applied, stored; /* sums [J] */
  double energy;                                     /* at the start [J] */
  struct form_carried carried;                       /* in the last step */
  int onsets, internal_steps, status;
};

/* text: "key=value key=value", on one part a step and what else is the default; q: nq and u: nu are
 * copied. */
struct sim sim_begin(const struct mech *m, double dt, const double *q, const double *u,
                     const char *text);
void sim_step(struct sim *s, double dt);
void sim_steps(struct sim *s, int n); /* n nominal steps, all of which must succeed */
void sim_end(struct sim *s);
/* Energy that the report does not account for [J]. */
double sim_imbalance(const struct sim *s);
/* Rebound over approach of a contact, gravity-free; the run ends when no contact is left. */
double sim_rebound(const struct mech *m, const double *q, const double *u, double dt,
                   const char *text, double (*speed)(const struct sim *));

#endif
