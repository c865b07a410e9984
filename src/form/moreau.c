/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moreau's midpoint rule (moeller 5.3 to 5.8):
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
#include "form/impulse.h"

struct moreau_options {
  int joints;
};

static const struct base_option moreau_options[] = {FORM_JOINTS_OPTION(struct moreau_options),
                                                    BASE_OPTION_END};

static void moreau_shift(const void *options, const struct form_impulse_contact *contact,
                         double *s) {
  (void)options;
  s[0] = contact->eps_N * contact->v_begin[0];
  for (int d = 1; d < contact->dim; ++d) {
    s[d] = contact->eps_T * contact->v_begin[d];
  }
}

static enum contact_law moreau_law(const struct form_setup *setup) {
  return setup->mech->friction_sets ? CONTACT_LAW_CONE : CONTACT_LAW_NCP;
}

static int moreau_check(const struct form_setup *setup) {
  return form_impulse_check(setup, moreau_law(setup));
}

static void *moreau_alloc(const struct form_setup *setup, const struct form_state *start) {
  (void)start;
  const struct moreau_options *options = setup->options;
  const struct form_impulse_scheme scheme = {.law = moreau_law(setup),
                                             .midpoint = 1,
                                             .joints.joints = (enum form_joints)options->joints,
                                             .reach = 0,
                                             .shift = moreau_shift};
  return form_impulse_alloc(setup, &scheme);
}

const struct form form_moreau = {
    .summary = "Moreau's midpoint rule, velocity level, Newton impacts with eps_N and eps_T",
    .source = "moeller 5.3 to 5.8",
    .has_law = 1,
    .law = CONTACT_LAW_NCP,
    .law_of = moreau_law,
    .solver = "relaxation",
    .exchanges = 1,
    .options = moreau_options,
    .options_size = sizeof(struct moreau_options),
    .check = moreau_check,
    .alloc = moreau_alloc,
    .step = form_impulse_step,
    .keep = form_impulse_keep,
    .free = form_impulse_free};
