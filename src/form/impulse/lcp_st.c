/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stewart and Trinkle's scheme as in bhalerao, with a polyhedral friction cone at gap level: law
 * lcp, scheme gap, forces midway.
 *
 *   M (u^{l+1} - u^l) = dt h(q^l + dt/2 F u^l, u^l) + W_S r_S + W r     (13a)
 *   q^{l+1} = q^l + dt F(q^l) u^{l+1}                                   (13c)
 *   0 <= Phi/dt + v_N^{l+1} perp r_N >= 0                               (14a), (15)
 *   friction on the polygon of n_dir directions                         (14b), (14c)
 *
 * Forces alone are taken at the middle of the step; M, W and W_S are taken at q^l, where (15)
 * expands the gap. Bilateral constraints carry g_S/dt (bhalerao has joints inside the bodies'
 * recursion instead).
 *
 * The polygon's directions are, k = 0 ... n_dir - 1 (bhalerao 12),
 *
 *   d_k = cos(2 pi k / n_dir) t1 + mu_ratio sin(2 pi k / n_dir) t2,
 *   r_T in { D lambda : lambda >= 0, sum of lambda <= mu r_N },
 *
 * friction is limited by mu r_N along t1 and by mu_ratio mu r_N along t2, and sliding dissipates
 * the most that this polygon allows. Restitution is bhalerao's (16) with restitution=source, one
 * step after a landing; without it impacts follow each other within the step (phases.c).
 */
#include "form/impulse/impulse.h"

static const struct base_option lcp_st_options[] = {
    FORM_IMPULSE_PAIR(CONTACT_LAW_LCP, FORM_SCHEME_GAP),
    FORM_IMPULSE_POLYGON,
    FORM_IMPULSE_FORCE(FORM_FORCE_MIDWAY),
    FORM_IMPULSE_GAP(FORM_RESTITUTION_STEP),
    FORM_IMPULSE_GYRO,
    FORM_IMPULSE_POINT,
    FORM_JOINTS_OPTION(struct form_impulse_options),
    BASE_OPTION_END};

const struct form form_lcp_st = {
    .name = "lcp-st",
    .look = {.colour = 0xce841a, .dashes = {14, 5}, .point = 5, .point_size = 0.8},
    FORM_IMPULSE_FUNCTIONS,
    .summary = "Stewart-Trinkle: polyhedral friction cone, gap level",
    .source = "bhalerao 13 to 16",
    .law = CONTACT_LAW_LCP,
    .solver = "lemke",
    .options = lcp_st_options};
