/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the woodpecker: moeller-6.16 to moeller-6.20, woodpecker-cycle; ends with id NULL.
 */
#ifndef CASES_WOODPECKER_FIGURES_H
#define CASES_WOODPECKER_FIGURES_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function woodpecker_functions[];
extern const struct case_function woodpecker_cycle_functions[];
extern const struct case_function woodpecker_coarse_functions[];

/* Of q, then u. */
enum woodpecker_component {
  WOODPECKER_Y,
  WOODPECKER_ALPHA,
  WOODPECKER_PHI,
  WOODPECKER_Y_DOT,
  WOODPECKER_ALPHA_DOT,
  WOODPECKER_PHI_DOT,
  WOODPECKER_COMPONENTS
};

/* At sample k. */
static inline double woodpecker_value(const struct case_series *s, int k,
                                      enum woodpecker_component c) {
  return c < WOODPECKER_Y_DOT ? s->q[3 * k + (int)c] : s->u[3 * k + (int)c - 3];
}

/* woodpecker-cycle (cycle.c). */
/* Mean of the last two periods [s]. */
case_value woodpecker_last_period;

/* moeller-6.19 and 6.20: coarse.c */
/* Largest of sign times a component over all samples, with its own sign. */
double woodpecker_extreme(const struct case_series *s, enum woodpecker_component c, int sign);

#endif
