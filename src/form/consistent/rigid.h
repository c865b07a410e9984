/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motion over a step in velocities that are not rates of coordinates, qdot = F(q) u, nq >= nu: the
 * quaternion integrators (moeller 5.141, 5.158), on the contacts, inclusions and reports of
 * consistent.h.
 */
#ifndef FORM_CONSISTENT_RIGID_H
#define FORM_CONSISTENT_RIGID_H

#include "form/consistent/consistent.h"

/* BASE_OK or BASE_UNSUPPORTED with the reason. */
int form_consistent_rigid_check(const struct form_setup *setup);
/* Motion over dt; q: nq, u: nu, start -> end. inelastic: with impacts in the same inclusions, by
 * the restitution of each contact (5.141); 0: velocities at the start are those after the impacts
 * (5.158). Status as for form_consistent_motion. */
int form_consistent_rigid_motion(struct form_consistent *c, double t, double dt, double *q,
                                 double *u, int inelastic, struct form_report *report);

#endif
