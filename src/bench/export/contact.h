/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a contact is and what force it carries, for pictures.
 */
#ifndef BENCH_CONTACT_H
#define BENCH_CONTACT_H

#include "mech/assembly/assembly.h"

/* point: of contact i of an assembly at q, in the world [m], by the arm from its first body. */
void bench_contact_point(const struct mech_assembly *a, const struct mech_contacts *c,
                         const double *q, int i, double point[3]);
/* force: mean over a step of dt [s], of the impulse along the columns of frame, 3 x 3, normal first
 * [N]. dim: components of the impulse; a fourth, of the spin, is no force. */
void bench_contact_force(int dim, const double *impulse, double dt, const double frame[9],
                         double force[3]);

#endif
