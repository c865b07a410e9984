/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rapier (Dimforge; Apache-2.0) as a peer, from its package for Node; rapier.mjs says how scenes
 * become its own.
 */
#include <stddef.h>

#include "peers/node.h"

static void build(const struct kit *k) {
  kit_note("computes in single precision");
  kit_note("contacts are soft");
  node_build(k, NULL);
}

static const char *velocities(void) { return "end"; }

int main(int argc, char **argv) {
  const struct kit_engine engine = {.name = "Rapier",
                                    .version = node_version("@dimforge/rapier3d-compat"),
                                    .shapes = "point|sphere|box|capsule|cylinder|halfspace",
                                    .joints = "spherical|revolute|fixed|prismatic|rope|spring",
                                    .holds_turns = 1,
                                    .rebounds = 1,
                                    .velocities = velocities,
                                    .build = build,
                                    .step = node_step,
                                    .get = node_get};
  return kit_main(argc, argv, &engine);
}
