/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How solvers of the cone complementarity problem scale with the number of contacts: the same few
 * steps of a case at several sizes, by every solver to one accuracy. Over contacts nc, by least
 * squares of logarithms,
 *
 *   iterations a solve ~ nc^p_i,  time an iteration ~ nc^p_c,  time a step ~ nc^p_t,
 *
 * each with twice its standard error. A run that missed the tolerance in some step is drawn, and
 * takes no part in the fits. The time of a step is the processor's for all of it, collision
 * detection too.
 */
#ifndef CASES_FIGURE_SCALING_H
#define CASES_FIGURE_SCALING_H

#include "cases/figure/figure.h"

/* Slopes over contacts and twice their standard errors; NaN with fewer than three points. */
struct case_scaling_fit {
  double iterations[2], an_iteration[2], a_step[2];
  int missed; /* runs that missed the tolerance */
};

/* Of one solver, from its runs at so many sizes (8 at most): table `table` (contacts, iterations,
 * time a step, time an iteration, 1 where missed) and fit-<table>. BASE_E_IO with a message. */
int case_scaling_solver(const char *table, int sizes, const struct case_series *runs,
                        struct case_plot *plot, struct case_scaling_fit *fit);
/* The same of all solvers of a figure, tables <solver>: the first of the names of a run. */
case_make case_scaling_make;

#endif
