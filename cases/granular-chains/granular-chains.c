/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two chains of n discs on ropes swing together from their outer sides and collide (yu, figs 13 to
 * 17). The model stands in model.c; every branch begins straight, at rest, at
 * `angle` from the vertical to its own outside, the right one `skew` below that. Without skew the
 * motion is mirror-symmetric, so that friction does no work. After the first impacts the motion is
 * chaotic.
 */
#include "cases/granular-chains/granular-chains.h"

#include <math.h>

static const double DEGREE = M_PI / 180;

int granular_chains_build(const struct case_parameters *p, struct base_arena *arena,
                          struct case_instance *out) {
  const double left = case_real(p, "angle"), right = left - case_real(p, "skew");
  return granular_chains_assemble(p, "granular-chains", (double[]){DEGREE * left, DEGREE * right},
                                  arena, out);
}

static const struct case_function *const functions[] = {granular_chains_steps_functions,
                                                        granular_chains_contact_functions, NULL};

const struct case_type case_granular_chains = {
    .name = "granular-chains",
    .summary = "two chains of discs on ropes fall against each other, dozens of impacts",
    .source = "yu, figs 13 to 17",
    .build = granular_chains_build,
    .functions = functions};
