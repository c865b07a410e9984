/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MuJoCo's soft contacts (its documentation, chapters Computation and Modeling): law ccp with
 * elliptic or pyramidal cones, semi-implicit Euler, softness mujoco (soft.c, pyramid.c). Joints
 * do not give, as in MuJoCo, whose joints are coordinates; of its equality constraints, which do,
 * there are none here.
 */
#include "form/impulse/impulse.h"

static const struct base_option mujoco_soft_options[] = {
    FORM_IMPULSE_PAIR(CONTACT_LAW_CCP, FORM_SCHEME_GAP),
    FORM_SOFTNESS_FIXED(FORM_SOFTNESS_MUJOCO),
    FORM_SOFTNESS_MUJOCO_OPTIONS,
    FORM_SOFTNESS_STEP,
    FORM_JOINTS_OPTION(struct form_impulse_options),
    BASE_OPTION_END};

const struct form form_mujoco_soft = {
    .name = "mujoco-soft",
    .look = {.colour = 0xdb5e5d, .dashes = {3, 3}, .point = 10, .point_size = 0.9},
    FORM_IMPULSE_FUNCTIONS,
    .summary = "MuJoCo's soft contacts: spring, damper and impedance, convex relaxation",
    .source = "MuJoCo's documentation, chapters Computation and Modeling",
    .law = CONTACT_LAW_CCP,
    .solver = "ssn",
    .options = mujoco_soft_options};
