/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jolt Physics (Rouwe; MIT) as a peer, from its package for Node; jolt.mjs says how scenes become
 * its own.
 */
#include <stddef.h>

#include "peers/node.h"

static void build(const struct kit *k) {
  kit_note("computes in single precision");
  node_build(k, NULL);
}

static const char *velocities(void) { return "half-step"; }

int main(int argc, char **argv) {
  const struct kit_engine engine = {.name = "Jolt Physics",
                                    .version = node_version("jolt-physics"),
                                    .shapes = "point|sphere|box|capsule|cylinder|halfspace",
                                    .joints = "spherical|revolute|fixed|prismatic|rod|rope|spring",
                                    .holds_turns = 1,
                                    .rebounds = 1,
                                    .one_material = 1,
                                    .velocities = velocities,
                                    .build = build,
                                    .step = node_step,
                                    .get = node_get};
  return kit_main(argc, argv, &engine);
}
