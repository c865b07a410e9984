/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Soft steps with relaxation, as game engines take them (Catto, Solver2D and Box2D 3: "soft step",
 * TGS soft), one substep a step: the step of a run here is theirs over the number of substeps, or
 * theirs with the option `substeps`. Contacts are found anew in each.
 *
 *   1  u <- u^B + dt M^-1 h
 *   2  a sweep or more over the contacts, from the impulses of the step before, with the softness
 *   tgs
 *      (soft.c): normal first, v_N + s_N + R_N r_N = 0 where that pushes, then friction within mu
 *      r_N
 *   3  q^E = q^B + dt F u: positions move with these velocities
 *   4  as many sweeps without softness and bias, r_N from v_N = 0: velocities lose what pushed the
 *      bodies apart
 *
 * So many sweeps are its definition; nothing is solved to a tolerance, and no step is unconverged.
 * law.residual is that of exact Coulomb at the velocities of 4. Joints are eliminated, where those
 * programs soften them as well.
 */
#include "form/impulse/impulse.h"

static const struct base_option tgs_soft_options[] = {
    FORM_IMPULSE_PAIR(CONTACT_LAW_NCP, FORM_SCHEME_GAP),
    FORM_SOFTNESS_FIXED(FORM_SOFTNESS_TGS),
    FORM_SOFTNESS_TGS_OPTIONS,
    BASE_OPTION_INT(struct form_impulse_options, sweeps, 1, 1, 1000000,
                    "softness tgs: soft sweeps a step, and as many that relax the velocities"),
    FORM_SOFTNESS_STEP,
    FORM_JOINTS_OPTION(struct form_impulse_options),
    BASE_OPTION_END};

const struct form form_tgs_soft = {
    .name = "tgs-soft",
    .look = {.colour = 0x817a25, .dashes = {0}, .point = 14, .point_size = 0.9},
    FORM_IMPULSE_SWEEPS,
    .summary = "soft steps with relaxation, a sweep each, as in a substep of game engines",
    .source = "Catto, Solver2D (2024) and Box2D 3",
    .law = CONTACT_LAW_NCP,
    .options = tgs_soft_options};
