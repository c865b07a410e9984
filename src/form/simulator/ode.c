/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Open Dynamics Engine; src/peers/ode.c says how scenes become its own. Defaults are ODE's.
 */
#include "form/simulator/simulator.h"

struct ode_options {
  int stepper, iterations;
  double erp, cfm;
};

static const struct base_option option_table[] = {
    BASE_OPTION_CHOICE(struct ode_options, stepper, 0, "dantzig|quick",
                       "exact pivoting, or sweeps of fixed number"),
    BASE_OPTION_INT(struct ode_options, iterations, 20, 1, 1000000, "stepper quick: sweeps a step"),
    BASE_OPTION_REAL(struct ode_options, erp, 0.2, 0, 1, "",
                     "fraction of a gap's error corrected in a step"),
    BASE_OPTION_REAL(struct ode_options, cfm, 1e-10, 0, INFINITY, "s/kg",
                     "velocity over force of every constraint"),
    BASE_OPTION_END};

const struct form form_ode = {
    .name = "ode",
    .look = {.colour = 0x606060, .dashes = {0}, .point = 4, .point_size = 0.9},
    FORM_SIMULATOR,
    .summary = "the Open Dynamics Engine, where it is installed",
    .source = "ODE 0.16, dWorldStep, dWorldQuickStep",
    .options = option_table,
    .options_size = sizeof(struct ode_options)};
