/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jolt Physics; src/peers/jolt.mjs says how scenes become its own. Defaults are Jolt's.
 */
#include "form/simulator/simulator.h"

struct jolt_options {
  int iterations, position_iterations;
  double baumgarte, slop, prediction;
};

static const struct base_option option_table[] = {
    BASE_OPTION_INT(struct jolt_options, iterations, 10, 2, 1000000, "sweeps over velocities"),
    BASE_OPTION_INT(struct jolt_options, position_iterations, 2, 0, 1000000,
                    "sweeps over positions"),
    BASE_OPTION_REAL(struct jolt_options, baumgarte, 0.2, 0, 1, "",
                     "fraction of a gap's error corrected in a sweep over positions"),
    BASE_OPTION_REAL(struct jolt_options, slop, 0.02, 0, INFINITY, "m",
                     "penetration that is not corrected"),
    BASE_OPTION_REAL(struct jolt_options, prediction, 0.02, 0, INFINITY, "m",
                     "largest gap of active contacts"),
    BASE_OPTION_END};

const struct form form_jolt = {
    .name = "jolt",
    .look = {.colour = 0xa0a0a0, .dashes = {4, 3}, .point = 12, .point_size = 0.9},
    FORM_SIMULATOR,
    .summary = "Jolt Physics in single precision, where it is installed",
    .source = "Jolt Physics for JavaScript 1.1, JoltInterface.Step",
    .options = option_table,
    .options_size = sizeof(struct jolt_options)};
