/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anitescu and Potra's scheme: law lcp, scheme velocity. Semi-implicit Euler, a polyhedral friction
 * cone (bhalerao 12, 14b, 14c) and non-penetration at velocity level,
 *
 *   0 <= v_N^{l+1} + eps_N min(0, v_N^l) perp r_N >= 0   for contacts with g_N(q^l) <= delta,
 *
 * the second term being Newton's law. There is no stabilisation: a contact stays where it was when
 * it came within delta, bilateral constraints are held at velocity level.
 */
#include "form/impulse/impulse.h"

static const struct base_option lcp_ap_options[] = {
    FORM_IMPULSE_PAIR(CONTACT_LAW_LCP, FORM_SCHEME_VELOCITY),
    FORM_IMPULSE_POLYGON,
    FORM_IMPULSE_FORCE(FORM_FORCE_EVALUATION),
    FORM_IMPULSE_DELTA(0),
    FORM_IMPULSE_RESTITUTION(FORM_RESTITUTION_STEP),
    FORM_IMPULSE_GYRO,
    FORM_IMPULSE_POINT,
    FORM_JOINTS_OPTION(struct form_impulse_options),
    BASE_OPTION_END};

const struct form form_lcp_ap = {
    .name = "lcp-ap",
    .look = {.colour = 0xe8a64d, .dashes = {5, 4}, .point = 4, .point_size = 1.1},
    FORM_IMPULSE_FUNCTIONS,
    .summary = "Anitescu-Potra: polyhedral friction cone, velocity level",
    .source = "bhalerao 12 to 14 with Anitescu and Potra's velocity-level condition",
    .law = CONTACT_LAW_LCP,
    .solver = "lemke",
    .options = lcp_ap_options};
