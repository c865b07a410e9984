/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-3.11: the boundary of the set B_F.
 */
#include "cases/tippe-top/tippe-top.h"

#include "contact/contensou.h"

/* Of B_F at u = |gamma_T| / (R |gamma_tau|), over mu r_N; the torque over R_bar mu r_N. */
static double boundary_force(const struct case_parameters *p, const double *u) {
  double force, torque;
  (void)p;
  contact_contensou_boundary(u[0], &force, &torque);
  return force;
}

static double boundary_torque(const struct case_parameters *p, const double *u) {
  double force, torque;
  (void)p;
  contact_contensou_boundary(u[0], &force, &torque);
  return torque;
}

const struct case_function tippe_top_functions[] = {
    {"boundary_force", .formula = boundary_force, .n_numbers = 1},
    {"boundary_torque", .formula = boundary_torque, .n_numbers = 1},
    {0}};
