/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the overbalanced wheel: moeller-6.9 to moeller-6.13; ends with id NULL.
 */
#ifndef CASES_OVERBALANCED_WHEEL_FIGURES_H
#define CASES_OVERBALANCED_WHEEL_FIGURES_H

#include "cases/case.h"

extern const struct case_figure overbalanced_wheel_figures[];

/* A run by the two-step integrator, of all figures but moeller-2.5. */
#define WHEEL(NAME, EPS, DT, T_END, SAMPLE)                                                        \
  {                                                                                                \
    .label = NAME, .formulation = "consistent-twostep", .set = "eps=" EPS, .dt = DT,               \
    .t_end = T_END, .sample = SAMPLE                                                               \
  }

/* moeller-6.9: energy.c */
extern const struct case_runs overbalanced_wheel_energy_runs[];
extern const struct case_table overbalanced_wheel_energy_tables[];
extern const struct case_check overbalanced_wheel_energy_checks[];
extern const struct case_panel overbalanced_wheel_energy_panels[];
/* moeller-2.5: iterations.c */
extern const struct case_runs overbalanced_wheel_iteration_runs[];
extern const struct case_table overbalanced_wheel_iteration_tables[];
extern const struct case_check overbalanced_wheel_iteration_checks[];
extern const struct case_panel overbalanced_wheel_iteration_panels[];

#endif
