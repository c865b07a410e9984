/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every measurement, one line each: PERF(name) for `perf_<name>`. The order is that of the table.
 * Included with PERF defined.
 */
PERF(packing_1e4)
PERF(packing_1e5)
PERF(pgs_spheres)
PERF(pgs_spheres_bodies)
PERF(prox_spheres)
PERF(mdp_spheres)
PERF(coulomb_spheres)
PERF(decoupled_spheres)
PERF(ccp_spheres)
PERF(pgs_boxes)
PERF(prox_boxes)
PERF(mdp_boxes)
PERF(coulomb_boxes)
PERF(decoupled_boxes)
PERF(ccp_boxes)
PERF(coulomb_boxes_bodies)
PERF(coulomb_spheres_blocks_1)
PERF(coulomb_spheres_blocks_2)
PERF(coulomb_boxes_blocks_1)
PERF(coulomb_boxes_blocks_2)
