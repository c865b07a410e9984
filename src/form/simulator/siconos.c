/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Siconos; src/peers/siconos.cpp says how scenes become its own. Defaults are those of Siconos.
 */
#include "form/simulator/simulator.h"

struct siconos_options {
  double theta, tolerance;
  int iterations, frame;
};

static const struct base_option option_table[] = {
    BASE_OPTION_REAL(struct siconos_options, theta, 0.5, 0, 1, "",
                     "theta of the scheme; 1: forces at the end of a step"),
    BASE_OPTION_REAL(struct siconos_options, tolerance, 1e-4, 0, 1, "", "of the contact solver"),
    BASE_OPTION_INT(struct siconos_options, iterations, 1000, 1, 1000000,
                    "most sweeps of the contact solver"),
    BASE_OPTION_CHOICE(struct siconos_options, frame, 0, "orthonormal|siconos",
                       "tangents of contacts; those of Siconos are oblique for some normals"),
    BASE_OPTION_END};

const struct form form_siconos = {
    .name = "siconos",
    .look = {.colour = 0xa0c0c0, .dashes = {9, 3}, .point = 12, .point_size = 1.1},
    FORM_SIMULATOR,
    .summary = "Siconos' mechanics, Moreau-Jean steps, where it is installed",
    .source = "Siconos 4.4, MoreauJeanOSI; Acary and Brogliato 2008",
    .options = option_table,
    .options_size = sizeof(struct siconos_options)};
