/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cone complementarity (negrut 5 to 11; planar: yu):
 *
 *   M (u^{l+1} - u^l) = dt h(q^l, u^l) + W_S r_S + W r,   q^{l+1} = q^l + dt F(q^l) u^{l+1}
 *   0 = g_S/dt + W_S^T u^{l+1}                                                  (5c)
 *   K_mu contains r, perpendicular to xi in K*_mu,   xi = (Phi/dt + v_N, v_T)   (7)
 *
 * (7) is Coulomb's law with the relaxation term - mu |v_T| added to the normal condition (5d):
 * while a contact slides its gap floats at dt mu |v_T| (negrut's lift-off artefact). Both extra
 * terms can be switched off: stabilization=0 is the velocity level, relaxation=0 is exact Coulomb,
 * the same as ncp.
 */
#include "form/gap_level.h"

static const struct base_option ccp_options[] = {
    FORM_GAP_OPTIONS,
    BASE_OPTION_BOOL(struct form_gap_options, relaxation, 1,
                     "the term mu |v_T| that makes the problem convex (negrut 5d); without it the "
                     "law is ncp"),
    BASE_OPTION_END};

static enum contact_law ccp_law(const struct form_setup *setup) {
  const struct form_gap_options *options = setup->options;
  return options->relaxation ? CONTACT_LAW_CCP : CONTACT_LAW_NCP;
}

static int ccp_check(const struct form_setup *setup) {
  return form_impulse_check(setup, ccp_law(setup));
}

static void *ccp_alloc(const struct form_setup *setup, const struct form_state *start) {
  (void)start;
  const struct form_impulse_scheme scheme = form_gap_scheme(setup->options, ccp_law(setup));
  return form_impulse_alloc(setup, &scheme);
}

const struct form form_ccp = {
    .summary = "semi-implicit Euler at gap level with the convex relaxation of Coulomb friction",
    .source = "negrut 5 to 11; yu",
    .has_law = 1,
    .law = CONTACT_LAW_CCP,
    .law_of = ccp_law,
    .solver = "relaxation",
    .exchanges = 1,
    .options = ccp_options,
    .options_size = sizeof(struct form_gap_options),
    .check = ccp_check,
    .alloc = ccp_alloc,
    .step = form_impulse_step,
    .keep = form_impulse_keep,
    .free = form_impulse_free};
