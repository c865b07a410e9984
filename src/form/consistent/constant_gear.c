/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent integrator for a constant mass matrix with constraints on both levels (moeller 5.49,
 * after Gear, Betsch and Steinmann): to (5.31) come gamma_S(u^E, q^E) = 0 and multipliers kappa,
 *
 *   M (u^E - u^B) + dt DV^T - Dg^T lambda - Dgamma(u^E)^T kappa = 0
 *   M (q^E - q^B) = dt/2 M (u^B + u^E) - W_S(q^B) kappa,
 *
 * chosen so that energy is still conserved (5.51). Both levels are at round-off after every step.
 * gamma_S is taken at u^E, and W_S at q^B, in these terms, but kappa is of third order (it closes
 * the gap between (5.31) and the rates), so the scheme is of second order as (5.31) is.
 */
#include "form/consistent/consistent.h"

#include "base/status.h"

static void *gear_alloc(const struct form_setup *setup, const struct form_state *start) {
  if (form_consistent_refuse_contacts(setup, start->q, "5.49") != BASE_OK) {
    return NULL;
  }
  return form_consistent_alloc(setup, start, (struct form_consistent_scheme){.rates = 1});
}

const struct form form_consistent_constant_gear = {
    .name = "consistent-constant-gear",
    .look = {.colour = 0x5c3e80, .dashes = {0}, .point = 3, .point_size = 1.0},
    .summary = "energy-consistent, constant mass matrix, constraints on both levels; smooth",
    .source = "moeller (5.49)",
    .check = form_consistent_check_rates,
    .alloc = gear_alloc,
    .step = form_consistent_smooth_step,
    FORM_CONSISTENT_FUNCTIONS,
};
