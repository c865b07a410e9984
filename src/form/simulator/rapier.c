/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rapier; src/peers/rapier.mjs says how scenes become its own. Defaults are Rapier's.
 */
#include "form/simulator/simulator.h"

struct rapier_options {
  int iterations, sweeps;
  double frequency, prediction;
};

static const struct base_option option_table[] = {
    BASE_OPTION_INT(struct rapier_options, iterations, 4, 1, 1000000, "substeps a step"),
    BASE_OPTION_INT(struct rapier_options, sweeps, 1, 1, 1000000,
                    "iterations over constraints a substep"),
    BASE_OPTION_REAL(struct rapier_options, frequency, 30, 0, INFINITY, "Hz",
                     "frequency of contacts between moving bodies; damping ratio 10"),
    BASE_OPTION_REAL(struct rapier_options, prediction, 0.02, 0, INFINITY, "m",
                     "largest gap of active contacts"),
    BASE_OPTION_END};

const struct form form_rapier = {
    .name = "rapier",
    .look = {.colour = 0xa08080, .dashes = {6, 3}, .point = 6, .point_size = 0.9},
    FORM_SIMULATOR,
    .summary = "Rapier in single precision, where it is installed",
    .source = "Rapier for JavaScript 0.21, World.step",
    .options = option_table,
    .options_size = sizeof(struct rapier_options)};
