/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the overbalanced wheel: moeller-6.9 to moeller-6.13; ends with id NULL.
 */
#ifndef CASES_OVERBALANCED_WHEEL_FIGURES_H
#define CASES_OVERBALANCED_WHEEL_FIGURES_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function overbalanced_wheel_energy_functions[];
extern const struct case_function overbalanced_wheel_functions[];
extern const struct case_function overbalanced_wheel_iterations_functions[];

/* A run by the two-step integrator, of all figures but moeller-2.5. */
#define WHEEL(NAME, EPS, DT, T_END, SAMPLE)                                                        \
  {                                                                                                \
    .label = NAME, .formulation = "consistent-twostep", .set = "eps=" EPS, .dt = DT,               \
    .t_end = T_END, .sample = SAMPLE                                                               \
  }

/* moeller-6.9: energy.c */
/* moeller-2.5: iterations.c */

#endif
