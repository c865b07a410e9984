/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bullet; src/peers/bullet.cpp says how scenes become its own. Defaults are Bullet's.
 */
#include "form/simulator/simulator.h"

struct bullet_options {
  int algorithm, iterations;
};

static const struct base_option option_table[] = {
    BASE_OPTION_CHOICE(struct bullet_options, algorithm, 0, "si|nncg|mlcp",
                       "sequential impulses, nonsmooth conjugate gradients, Dantzig's pivoting"),
    BASE_OPTION_INT(struct bullet_options, iterations, 10, 1, 1000000,
                    "algorithm si, nncg: sweeps a step"),
    BASE_OPTION_END};

const struct form form_bullet = {
    .name = "bullet",
    .look = {.colour = 0x403030, .dashes = {9, 3}, .point = 8, .point_size = 0.9},
    FORM_SIMULATOR,
    .summary = "Bullet in double precision, where it is installed",
    .source = "Bullet 3.24, btDiscreteDynamicsWorld",
    .options = option_table,
    .options_size = sizeof(struct bullet_options)};
