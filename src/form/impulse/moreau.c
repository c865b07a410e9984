/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moreau's midpoint rule (moeller 5.3 to 5.8): law coulomb, scheme midpoint.
 *
 *   q^M = q^B + dt/2 F(q^B) u^B                                        (5.3)
 *   M (u^E - u^B) = dt h(q^M, u^B) + W_S r_S + W r                     (5.4)
 *   xi_N = gamma_N^E + eps_N gamma_N^B,  xi_T = gamma_T^E + eps_T gamma_T^B
 *   q^E = q^M + dt/2 F(q^M) u^E                                        (5.5)
 *
 * with Coulomb friction between xi and r, M, W_S and W at q^M, the contacts with g_N(q^M) <= 0, and
 * bilateral constraints at velocity level in the same set (eps = 0 for them). Nothing acts on the
 * gaps themselves: penetration and bilateral drift stay where they are.
 *
 * The law is ncp, or cone, moeller's inclusion on general convex sets, where the contacts of the
 * system bring friction sets of their own (Coulomb-Contensou, moeller 3.7.5).
 */
#include "form/impulse/impulse.h"

static const struct base_option moreau_options[] = {
    FORM_IMPULSE_PAIR(FORM_LAW_COULOMB, FORM_SCHEME_MIDPOINT),
    FORM_IMPULSE_RESTITUTION(FORM_RESTITUTION_NEWTON),
    FORM_IMPULSE_GYRO,
    FORM_IMPULSE_POINT,
    FORM_JOINTS_OPTION(struct form_impulse_options),
    BASE_OPTION_END};

const struct form form_moreau = {
    .name = "moreau",
    .look = {.colour = 0x0d2492, .dashes = {0}, .point = 6, .point_size = 0.9},
    FORM_IMPULSE_FUNCTIONS,
    .summary = "Moreau's midpoint rule, velocity level, Newton impacts with eps_N and eps_T",
    .source = "moeller 5.3 to 5.8",
    .law = CONTACT_LAW_NCP,
    .solver = "relaxation",
    .options = moreau_options};
