/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SAP's contacts (Castro, Permenter, Han 2022): law ccp, scheme gap, softness sap. Their convex
 * problem, minimised there over velocities, is that of the convex relaxation with A + R in place of
 * A and Phi/(dt + tau_d) in place of Phi/dt (soft.c). For beta to 0 and k to infinity it tends to
 * ccp, with its artefact: what slides is lifted.
 */
#include "form/impulse/impulse.h"

static const struct base_option sap_options[] = {
    FORM_IMPULSE_PAIR(CONTACT_LAW_CCP, FORM_SCHEME_GAP),
    FORM_SOFTNESS_FIXED(FORM_SOFTNESS_SAP),
    FORM_SOFTNESS_SAP_OPTIONS,
    FORM_SOFTNESS_STEP,
    FORM_JOINTS_OPTION(struct form_impulse_options),
    BASE_OPTION_END};

const struct form form_sap = {
    .name = "sap",
    .look = {.colour = 0xdb5e5d, .dashes = {9, 3}, .point = 6, .point_size = 0.9},
    FORM_IMPULSE_FUNCTIONS,
    .summary = "SAP's regularised convex contacts, semi-implicit Euler at gap level",
    .source = "Castro, Permenter, Han 2022 (arXiv 2110.10107)",
    .law = CONTACT_LAW_CCP,
    .solver = "ssn",
    .options = sap_options};
