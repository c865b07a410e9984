/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of this case: the model, the figures of its motion, and those of the sets and
 * iterations it was chosen to show, and that of the time it takes to invert.
 */
#ifndef CASES_TIPPE_TOP_H
#define CASES_TIPPE_TOP_H

#include "cases/case.h"

extern const struct case_figure tippe_top_figures[]; /* ends with id NULL */

/* Operations of the scalable body with contacts and gaps of `own`; its data begin with body. NULL
 * with a message. */
struct mech_rigid_body;
const struct mech_ops *tippe_top_scalable_ops(const struct mech_rigid_body *body,
                                              const struct mech_ops *own, struct base_arena *arena);

int tippe_top_sets_make(const struct case_parameters *p, const struct case_series *series, int n,
                        struct case_plot *plot);
/* moeller-6.23 */
extern const struct case_runs tippe_top_inclination_runs[];
extern const struct case_table tippe_top_inclination_tables[];
extern const struct case_check tippe_top_inclination_checks[];
extern const struct case_panel tippe_top_inclination_panels[];
/* tippe-top-cost */
extern const struct case_runs tippe_top_cost_runs[];
extern const struct case_table tippe_top_cost_tables[];
extern const struct case_check tippe_top_cost_checks[];
extern const struct case_panel tippe_top_cost_panels[];
/* tippe-top-inversion */
extern const struct case_runs tippe_top_inversion_runs[];
extern const struct case_table tippe_top_inversion_tables[];
extern const struct case_check tippe_top_inversion_checks[];
extern const struct case_panel tippe_top_inversion_panels[];

/* tippe-top-scalable */
extern const struct case_runs tippe_top_scalable_runs[];
extern const struct case_table tippe_top_scalable_tables[];
extern const struct case_check tippe_top_scalable_checks[];
extern const struct case_panel tippe_top_scalable_panels[];

/* What closed gaps lost, the larger sum over all samples of the two [m]. */
case_value tippe_top_closed_loss;
/* Distance of the inclinations as drawn, over the panel. */
double tippe_top_distance(const struct case_series *s, const struct case_series *other);
/* Inclination of sample k [rad]; the largest of all. */
double tippe_top_inclination(const struct case_series *s, int k);
case_value tippe_top_most_inclined;

#endif
