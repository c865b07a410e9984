/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene as MJCF, for the programs of MuJoCo 2 and 3. Joints make trees, whose coordinates MuJoCo
 * steps: each body hangs on the first joint that leads to the world or to a body that hangs
 * already, and bodies without one are free; a joint that closes a loop is refused. Contacts are
 * Todorov's convex ones with compliance (solref, solimp) and no restitution. Each pair of shapes
 * that may touch is listed with its mu, which MuJoCo would otherwise take from the geoms, the
 * larger of two; contacts begin at gap 0. Rods, ropes and springs are tendons: rods and ropes hold
 * with MuJoCo's default softness, springs are exact. Velocities at the start are those of the one
 * keyframe.
 *
 * Body i is named "b" and i; options are those of form/simulator/mujoco.c.
 */
#ifndef PEERS_MJCF_H
#define PEERS_MJCF_H

#include "peers/kit.h"

char *mjcf_write(const struct kit *k); /* to be freed */

/* kit_main of either version, which gives its number and build, step and get. */
int mjcf_main(int argc, char **argv, struct kit_engine engine);

#endif
