/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of this case: the model, the figures of its motion, and those of the sets and
 * iterations it was chosen to show, and that of the time it takes to invert.
 */
#ifndef CASES_TIPPE_TOP_H
#define CASES_TIPPE_TOP_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function tippe_top_sets_functions[];
extern const struct case_function tippe_top_inclination_functions[];
extern const struct case_function tippe_top_functions[];
extern const struct case_function tippe_top_inversion_functions[];
extern const struct case_function tippe_top_scalable_functions[];

/* Operations of the scalable body with contacts and gaps of `own`; its data begin with body. NULL
 * with a message. */
struct mech_rigid_body;
const struct mech_ops *tippe_top_scalable_ops(const struct mech_rigid_body *body,
                                              const struct mech_ops *own, struct base_arena *arena);

int tippe_top_sets_make(const struct case_parameters *p, const struct case_series *series, int n,
                        struct case_plot *plot);
/* moeller-6.23 */
/* tippe-top-cost */
/* tippe-top-inversion */

/* tippe-top-scalable */

/* What closed gaps lost, the larger sum over all samples of the two [m]. */
case_value tippe_top_closed_loss;
/* Distance of the inclinations as drawn, over the panel. */
double tippe_top_distance(const struct case_series *s, const struct case_series *other);
/* Inclination of sample k [rad]; the largest of all. */
double tippe_top_inclination(const struct case_series *s, int k);
case_value tippe_top_most_inclined;

#endif
