/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bhalerao, Anderson and Trinkle's hybrid: the discrete equations of lcp-st (bhalerao 13 to 16,
 * g_S/dt in the joints), with bilateral constraints eliminated by divide and conquer (dca.h) and
 * the mixed complementarity problem (32) or (33) for the contacts (mcp.h). A step is linear in the
 * number of bodies of a chain, a tree or a loop, and forms nothing dense in it.
 *
 * The problem's free rows are solved for the velocities of the handles at sight; what is left goes
 * to any solver of polyhedral friction, Lemke's by default. Both problems have the same solutions;
 * (33) is larger and its contact rows are sparse. The report holds the number of unknowns posed,
 * 12 + 2 X + X n_dir or 12 + 6 B_u + 2 X + X n_dir in space (4.2.2); in the plane 6, 3 B_u, and
 * two directions.
 */
#include "form/impulse/impulse.h"

static const struct base_option lcp_dca_options[] = {
    FORM_IMPULSE_PAIR(CONTACT_LAW_LCP, FORM_SCHEME_GAP),
    FORM_IMPULSE_POLYGON,
    FORM_IMPULSE_FORCE(FORM_FORCE_MIDWAY),
    FORM_IMPULSE_GAP(FORM_RESTITUTION_STEP),
    FORM_IMPULSE_GYRO,
    FORM_IMPULSE_POINT,
    BASE_OPTION_FIXED(struct form_impulse_options, joints, FORM_JOINTS_DCA, FORM_JOINTS,
                      "elimination of bilateral constraints; -f impulse takes any"),
    FORM_IMPULSE_JOINTS_DCA,
    BASE_OPTION_END};

const struct form form_lcp_dca = {
    .name = "lcp-dca",
    .look = {.colour = 0xce841a, .dashes = {3, 3}, .point = 2, .point_size = 1.0},
    FORM_IMPULSE_FUNCTIONS,
    .summary = "Stewart-Trinkle with divide and conquer for the joints: linear in the bodies",
    .source = "bhalerao 13 to 35",
    .law = CONTACT_LAW_LCP,
    .solver = "lemke",
    .options = lcp_dca_options};
