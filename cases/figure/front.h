/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-precision fronts of two families on one case: impulse formulations over the step, and
 * penalty over the stiffness K. A spring's fixed step goes with K as its stability asks,
 *
 *   dt = part 2.785 sqrt(eps m/K),
 *
 * since damping D = 2 zeta sqrt(K m) for a small restitution eps has zeta = 1/(2 sqrt(eps))
 * (src/form/penalty/restitution.c), and RK4 ends at dt D/m = 2.785. Error: errors.q_linf of the
 * record. Work: evaluations of forces and sweeps or pivots of the solver, as far as records tell;
 * and time, as data alone.
 *
 * Ways to integrate springs, by their name: explicit with fixed steps (rk4, verlet) and chosen ones
 * (rkf45, and hertz with that law), and implicit (msbdf). Labels of runs begin with the name of the
 * formulation or spring, and a dash.
 */
#ifndef CASES_FIGURE_FRONT_H
#define CASES_FIGURE_FRONT_H

#include "cases/figure/figure.h"

/* Evaluations and sweeps of a run; NaN where records do not tell. */
case_value case_front_work;

#endif
