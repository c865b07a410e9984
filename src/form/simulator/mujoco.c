/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MuJoCo, two versions; src/peers/mjcf.h says how scenes become its own. Defaults are MuJoCo's;
 * keys of contacts are those of mujoco-soft. Version 3 has one integrator more, which its
 * documentation recommends.
 */
#include "form/impulse/impulse.h"
#include "form/simulator/simulator.h"

struct mujoco_options {
  int integrator, algorithm, cone, noslip, iterations;
  double timeconst, dampratio, dmin, dmax, width, midpoint, power, impratio, tolerance;
};

#define MUJOCO_OPTIONS(integrators)                                                                \
  BASE_OPTION_CHOICE(struct mujoco_options, integrator, 0, integrators, "as MuJoCo names them"),   \
      BASE_OPTION_CHOICE(struct mujoco_options, algorithm, 2, "PGS|CG|Newton",                     \
                         "of the contact solver"),                                                 \
      BASE_OPTION_CHOICE(struct mujoco_options, cone, 0, "pyramidal|elliptic", "of friction"),     \
      FORM_MUJOCO_CONTACT_OPTIONS(struct mujoco_options, ""),                                      \
      BASE_OPTION_INT(struct mujoco_options, noslip, 0, 0, 1000000,                                \
                      "sweeps over friction alone, without compliance"),                           \
      BASE_OPTION_INT(struct mujoco_options, iterations, 100, 1, 1000000,                          \
                      "most iterations of the contact solver"),                                    \
      BASE_OPTION_REAL(struct mujoco_options, tolerance, 1e-8, 0, 1, "", "of the contact solver")

static const struct base_option option_table[] = {MUJOCO_OPTIONS("Euler|RK4|implicit|implicitfast"),
                                                  BASE_OPTION_END};

static const struct base_option option_table_2[] = {MUJOCO_OPTIONS("Euler|RK4|implicit"),
                                                    BASE_OPTION_END};

const struct form form_mujoco = {
    .name = "mujoco",
    .look = {.colour = 0x203050, .dashes = {8, 3}, .point = 11, .point_size = 1.0},
    FORM_SIMULATOR,
    .summary = "MuJoCo 3, where it is installed",
    .source = "MuJoCo 3.14, mj_step; Todorov 2014",
    .options = option_table,
    .options_size = sizeof(struct mujoco_options)};

const struct form form_mujoco_2 = {
    .name = "mujoco-2",
    .look = {.colour = 0x8090b0, .dashes = {5, 4}, .point = 10, .point_size = 1.0},
    FORM_SIMULATOR,
    .summary = "MuJoCo 2, where it is installed",
    .source = "MuJoCo 2.2.2, mj_step; Todorov 2014",
    .options = option_table_2,
    .options_size = sizeof(struct mujoco_options)};
