/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every case, one line each: CASE(name) for `case_name` in <name>/<name>.c, underscores for dashes.
 * Included with CASE defined.
 */
CASE(falling_particle)
CASE(oscillator)
CASE(double_pendulum)
CASE(overbalanced_wheel)
CASE(woodpecker)
CASE(tippe_top)
CASE(free_top)
CASE(academic_contact)
CASE(painleve_rod)
CASE(spatial_double_pendulum)
CASE(closed_forms)
CASE(channel_flow)
CASE(packing)
CASE(box_stack)
CASE(two_balls)
CASE(granular_chains)
CASE(thrown_ball)
CASE(table)
CASE(pushed_box)
CASE(heavy_on_light)
CASE(bouncing_ball)
CASE(chain)
CASE(rocking_block)
CASE(sprag_clutch)
CASE(kane_pendulum)
#include "base/extra.h"
