/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MuJoCo 3 (DeepMind; Apache-2.0) as a peer, from its package for Node: mujoco.mjs takes the model
 * (mjcf.h) and the steps.
 */
#include <stdlib.h>

#include "peers/mjcf.h"
#include "peers/node.h"

static void build(const struct kit *k) {
  char *model = mjcf_write(k);
  node_build(k, model);
  free(model);
}

int main(int argc, char **argv) {
  return mjcf_main(argc, argv,
                   (struct kit_engine){.version = node_version("@mujoco/mujoco"),
                                       .build = build,
                                       .step = node_step,
                                       .get = node_get});
}
