/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cone complementarity (negrut 5 to 11; planar: yu): law ccp, scheme gap.
 *
 *   M (u^{l+1} - u^l) = dt h(q^l, u^l) + W_S r_S + W r,   q^{l+1} = q^l + dt F(q^l) u^{l+1}
 *   0 = g_S/dt + W_S^T u^{l+1}                                                  (5c)
 *   K_mu contains r, perpendicular to xi in K*_mu,   xi = (Phi/dt + v_N, v_T)   (7)
 *
 * (7) is Coulomb's law with the relaxation term - mu |v_T| added to the normal condition (5d):
 * while a contact slides its gap floats at dt mu |v_T| (negrut's lift-off artefact). Without the
 * relaxation term this is ncp; without the stabilisation terms Phi/dt and g_S/dt it is law ccp in
 * the scheme velocity of -f impulse.
 */
#include "form/impulse/impulse.h"

static const struct base_option ccp_options[] = {FORM_IMPULSE_GAP_LEVEL(CONTACT_LAW_CCP),
                                                 BASE_OPTION_END};

const struct form form_ccp = {
    .name = "ccp",
    .look = {.colour = 0xa41123, .dashes = {0}, .point = 9, .point_size = 0.9},
    FORM_IMPULSE_FUNCTIONS,
    .summary = "semi-implicit Euler at gap level with the convex relaxation of Coulomb friction",
    .source = "negrut 5 to 11; yu",
    .law = CONTACT_LAW_CCP,
    .solver = "relaxation",
    .options = ccp_options};
