/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent integrator for a decomposed mass matrix, u = Q(q) qdot (moeller 5.72), with
 * constraints on both levels: equations.c without contacts. Conserves the energy (5.77;
 * the kinetic term of 5.75 is (u^E - u^B)^T M (u^E + u^B) / 2).
 * Q and H are those of the start of a step, which makes it first order unless Q is constant; with Q
 * the identity it is (5.49). consistent-onestep and consistent-twostep add contacts to it.
 */
#include "form/consistent/consistent.h"

#include "base/status.h"

static void *decomposed_alloc(const struct form_setup *setup, const struct form_state *start) {
  if (form_consistent_refuse_contacts(setup, start->q, "5.72") != BASE_OK) {
    return NULL;
  }
  return form_consistent_alloc(setup, start, (struct form_consistent_scheme){.rates = 1});
}

const struct form form_consistent_decomposed = {
    .name = "consistent-decomposed",
    .look = {.colour = 0x5c3e80, .dashes = {5, 4}, .point = 15, .point_size = 1.0},
    .summary = "energy-consistent, decomposed mass matrix, constraints on both levels; smooth",
    .source = "moeller (5.72)",
    .check = form_consistent_check,
    .alloc = decomposed_alloc,
    .step = form_consistent_smooth_step,
    FORM_CONSISTENT_FUNCTIONS,
};
