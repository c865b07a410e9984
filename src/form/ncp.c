/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The discretisation of ccp with exact Coulomb friction: negrut (5) without the relaxation term.
 *
 *   M (u^{l+1} - u^l) = dt h(q^l, u^l) + W_S r_S + W r,   q^{l+1} = q^l + dt F(q^l) u^{l+1}
 *   0 <= r_N perp Phi/dt + v_N >= 0,   |r_T| <= mu r_N, opposed to v_T where it slides
 *
 * The control for the relaxation: whatever differs from ccp at the same step is the relaxation's
 * doing.
 */
#include "form/gap_level.h"

static const struct base_option ncp_options[] = {FORM_GAP_OPTIONS, BASE_OPTION_END};

static int ncp_check(const struct form_setup *setup) {
  return form_impulse_check(setup, CONTACT_LAW_NCP);
}

static void *ncp_alloc(const struct form_setup *setup, const struct form_state *start) {
  (void)start;
  const struct form_impulse_scheme scheme = form_gap_scheme(setup->options, CONTACT_LAW_NCP);
  return form_impulse_alloc(setup, &scheme);
}

const struct form form_ncp = {
    .summary = "semi-implicit Euler at gap level with exact Coulomb friction; the control for ccp",
    .source = "negrut 5 without the relaxation term",
    .has_law = 1,
    .law = CONTACT_LAW_NCP,
    .solver = "relaxation",
    .exchanges = 1,
    .options = ncp_options,
    .options_size = sizeof(struct form_gap_options),
    .check = ncp_check,
    .alloc = ncp_alloc,
    .step = form_impulse_step,
    .keep = form_impulse_keep,
    .free = form_impulse_free};
