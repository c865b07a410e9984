/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent quaternion integrator in one step (moeller 5.141): impacts and motion in one set of
 * inclusions, with the Newton law in the mean and the change of the velocity,
 *
 *   W_i^T (u^E + u^B + (1 - eps_i)/(1 + eps_i) M^-1 sum_j W_j lambda_j) in N_Di(-lambda_i).
 *
 * D_i is the half line for the normal, and the disk, or the system's own friction set (law cone,
 * 6.68), times the normal impulse.
 *
 * Bilateral constraints, which the source does not have here, are held on both levels as in (5.72);
 * see equations.c.
 *
 * Conserves the energy without contacts and never gains any where (5.154) holds; keeps |A| = 1
 * exactly (5.147). Second order while smooth. The change of velocity in the inclusion is that of
 * the contacts alone, without the other forces of the step: a closed inelastic contact under a
 * force h settles at u_N = dt/2 M^-1 h in the mean, so gaps drift by dt^2/2 M^-1 h in every step.
 * With eps = 1 and W from the discrete derivative (5.143), or in the two-step scheme, they do not.
 */
#include "form/consistent/consistent.h"

#include "base/status.h"

static const struct base_option table[] = {
    FORM_CONSISTENT_W(
        FORM_CONSISTENT_PARTIAL,
        "normal directions: dg_N/dq at q^B (5.142) or its discrete derivative (5.143)"),
    BASE_OPTION_END};

static int quaternion_step(void *workspace, struct form_state *state, double dt,
                           struct form_report *report) {
  struct form_consistent *c = workspace;
  form_consistent_collect(c, state->q, report);
  const int status = form_consistent_motion(c, state->t, dt, state->q, state->u, 1, report);
  state->t += dt;
  form_consistent_finish(c, report);
  return status;
}

const struct form form_consistent_quaternion = {
    .name = "consistent-quaternion",
    .look = {.colour = 0xc6a7eb, .dashes = {3, 3}, .point = 1, .point_size = 1.0},
    .summary = "energy-consistent for unit quaternions, one step for impact and motion",
    .source = "moeller (5.141)",
    .law_of = form_consistent_law,
    .options = table,
    .check = form_consistent_check_quaternion,
    .alloc = form_consistent_alloc_quaternion,
    .step = quaternion_step,
    FORM_CONSISTENT_CONTACTS,
};
