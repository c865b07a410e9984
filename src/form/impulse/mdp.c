/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Maximum dissipation at gap level (preclik 3.1), law mdp, scheme gap: semi-implicit Euler as ccp
 * and ncp, and of all reactions that are within the friction cone, complementary to the gap at the
 * end of the step and compressive, each contact takes the one that leaves the least energy
 * (preclik 5).
 *
 * preclik scales penetrations by an error reduction parameter below 1; ours defaults to 1, as for
 * ccp and ncp, so that the three differ in the law alone. Bilateral constraints, which preclik has
 * none of, are stabilised as in negrut (5c). Orientations are not normalised here as preclik does:
 * the system's F decides how quaternions move.
 */
#include "form/impulse/impulse.h"

static const struct base_option mdp_options[] = {FORM_IMPULSE_GAP_LEVEL(CONTACT_LAW_MDP),
                                                 BASE_OPTION_END};

const struct form form_mdp = {
    .name = "mdp",
    .look = {.colour = 0x6ec483, .dashes = {5, 4}, .point = 11, .point_size = 0.9},
    FORM_IMPULSE_FUNCTIONS,
    .summary = "semi-implicit Euler at gap level with the maximum dissipation principle",
    .source = "preclik 3.1, eq. 5",
    .law = CONTACT_LAW_MDP,
    .solver = "relaxation",
    .options = mdp_options};
