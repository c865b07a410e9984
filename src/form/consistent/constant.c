/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent integrator for a constant mass matrix (moeller 5.31, after Gonzalez and Betsch),
 *
 *   M (u^E - u^B) + dt DV^T - Dg^T lambda = 0,  q^E - q^B = dt/2 (u^B + u^E),  g(q^E) = 0.
 *
 * Second order; conserves the energy for any dt (5.36) and keeps g_S at round-off, but holds the
 * rates of the constraints in the mean of a step only (5.39): gamma_S(u^E) is about -gamma_S(u^B),
 * velocities alternate about the right ones and the amplitude can grow. consistent-constant-gear
 * mends that. Damping matrices and applied forces are taken as in (5.126).
 */
#include "form/consistent/consistent.h"

#include "base/status.h"

static void *constant_alloc(const struct form_setup *setup, const struct form_state *start) {
  if (form_consistent_refuse_contacts(setup, start->q, "5.31") != BASE_OK) {
    return NULL;
  }
  return form_consistent_alloc(setup, start, (struct form_consistent_scheme){.rates = 0});
}

const struct form form_consistent_constant = {
    .name = "consistent-constant",
    .look = {.colour = 0x5c3e80, .dashes = {3, 3}, .point = 10, .point_size = 1.2},
    .summary = "energy-consistent, constant mass matrix, constraints on position level; smooth",
    .source = "moeller (5.31)",
    .check = form_consistent_check_rates,
    .alloc = constant_alloc,
    .step = form_consistent_smooth_step,
    FORM_CONSISTENT_FUNCTIONS,
};
