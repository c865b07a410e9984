/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The theta rule of Moreau and Jean (Acary and Brogliato, Numerical methods for nonsmooth dynamical
 * systems, Springer 2008, 10.1): law coulomb, scheme theta.
 *
 *   q^A = q^B + (1 - theta) dt F(q^B) u^B
 *   M (u^E - u^B) = dt [theta h(q^E, u^E) + (1 - theta) h(q^B, u^B)] + W_S r_S + W r
 *   xi_N = gamma_N^E + eps_N gamma_N^B,  xi_T = gamma_T^E + eps_T gamma_T^B,  where g_N(q^A) <= 0
 *   q^E = q^A + theta dt F(q^A) u^E
 *
 * Forces are implicit, so that stiff springs do not bound the step; theta = 1/2 conserves the
 * energy of a linear oscillator. The source predicts gaps by g + dt/2 gamma whatever theta is; here
 * they are those at q^A, the same for theta = 1/2. How the implicit equation is solved:
 * theta.c.
 */
#include "form/impulse/impulse.h"

static const struct base_option moreau_theta_options[] = {
    FORM_IMPULSE_PAIR(FORM_LAW_COULOMB, FORM_SCHEME_THETA), FORM_IMPULSE_THETA,
    FORM_IMPULSE_RESTITUTION(FORM_RESTITUTION_NEWTON),      FORM_IMPULSE_POINT,
    FORM_JOINTS_OPTION(struct form_impulse_options),        BASE_OPTION_END};

const struct form form_moreau_theta = {
    .name = "moreau-theta",
    .look = {.colour = 0x3858aa, .dashes = {8, 3}, .point = 4, .point_size = 1.2},
    FORM_IMPULSE_FUNCTIONS,
    .summary = "Moreau-Jean: implicit forces by the theta rule, velocity level, Newton impacts",
    .source = "Acary and Brogliato 2008, 10.1; moeller 5.3 to 5.8",
    .law = CONTACT_LAW_NCP,
    .solver = "relaxation",
    .options = moreau_theta_options};
