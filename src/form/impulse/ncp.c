/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The discretisation of ccp with exact Coulomb friction: negrut (5) without the relaxation term,
 * law ncp, scheme gap.
 *
 *   M (u^{l+1} - u^l) = dt h(q^l, u^l) + W_S r_S + W r,   q^{l+1} = q^l + dt F(q^l) u^{l+1}
 *   0 <= r_N perp Phi/dt + v_N >= 0,   |r_T| <= mu r_N, opposed to v_T where it slides
 *
 * The control for the relaxation: whatever differs from ccp at the same step is the relaxation's
 * doing.
 */
#include "form/impulse/impulse.h"

static const struct base_option ncp_options[] = {FORM_IMPULSE_GAP_LEVEL(CONTACT_LAW_NCP),
                                                 BASE_OPTION_END};

const struct form form_ncp = {
    .name = "ncp",
    .look = {.colour = 0x025b28, .dashes = {14, 4, 3, 4}, .point = 8, .point_size = 1.2},
    FORM_IMPULSE_FUNCTIONS,
    .summary = "semi-implicit Euler at gap level with exact Coulomb friction; the control for ccp",
    .source = "negrut 5 without the relaxation term",
    .law = CONTACT_LAW_NCP,
    .solver = "relaxation",
    .options = ncp_options};
