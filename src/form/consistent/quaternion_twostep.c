/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent quaternion integrator in two steps (moeller 5.157, 5.158): the impacts of the closed
 * contacts at fixed coordinates, by Newton's law with any eps, then motion from the velocity after
 * them, with the same contacts held by
 *
 *   W_i^T (u^E + u^C) in N_Ci(-lambda_i).
 *
 * The sets are those of quaternion.c, and so is what holds for energy and |A|; with W
 * from the discrete derivative, the default here, closed gaps do not shrink for any restitution
 * (5.144). Velocities of a sticking direction turn around in every step, as in consistent-twostep.
 */
#include "form/consistent/consistent.h"

static const struct base_option table[] = {
    FORM_CONSISTENT_W(
        FORM_CONSISTENT_DISCRETE,
        "normal directions: dg_N/dq at q^B (5.142) or its discrete derivative (5.143)"),
    BASE_OPTION_END};

const struct form form_consistent_quaternion_twostep = {
    .name = "consistent-quaternion-twostep",
    .look = {.colour = 0xc6a7eb, .dashes = {0}, .point = 6, .point_size = 1.2},
    .summary = "energy-consistent for unit quaternions, impact then motion; any restitution",
    .source = "moeller (5.157), (5.158)",
    .law_of = form_consistent_law,
    .options = table,
    .check = form_consistent_check_quaternion,
    .alloc = form_consistent_alloc_quaternion,
    .step = form_consistent_step_in_two,
    FORM_CONSISTENT_CONTACTS,
};
