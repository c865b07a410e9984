/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Maximum dissipation at gap level (preclik 3.1): semi-implicit Euler as ccp and ncp, and of all
 * reactions that are within the friction cone, complementary to the gap at the end of the step and
 * compressive, each contact takes the one that leaves the least energy (preclik 5).
 *
 * preclik scales penetrations by an error reduction parameter below 1; ours defaults to 1, as for
 * ccp and ncp, so that the three differ in the law alone. Bilateral constraints, which preclik has
 * none of, are stabilised as in negrut (5c). Orientations are not normalised here as preclik does:
 * the system's F decides how quaternions move.
 */
#include "form/gap_level.h"

static const struct base_option mdp_options[] = {FORM_GAP_OPTIONS, BASE_OPTION_END};

static int mdp_check(const struct form_setup *setup) {
  return form_impulse_check(setup, CONTACT_LAW_MDP);
}

static void *mdp_alloc(const struct form_setup *setup, const struct form_state *start) {
  (void)start;
  const struct form_impulse_scheme scheme = form_gap_scheme(setup->options, CONTACT_LAW_MDP);
  return form_impulse_alloc(setup, &scheme);
}

const struct form form_mdp = {
    .summary = "semi-implicit Euler at gap level with the maximum dissipation principle",
    .source = "preclik 3.1, eq. 5",
    .has_law = 1,
    .law = CONTACT_LAW_MDP,
    .solver = "relaxation",
    .exchanges = 1,
    .options = mdp_options,
    .options_size = sizeof(struct form_gap_options),
    .check = mdp_check,
    .alloc = mdp_alloc,
    .step = form_impulse_step,
    .keep = form_impulse_keep,
    .free = form_impulse_free};
