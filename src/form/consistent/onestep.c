/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent one-step integrator for frictionless, perfectly elastic contacts (moeller 5.95):
 * impact and motion in one set of inclusions,
 *
 *   R1 = R2 = g_S(q^E) = gamma_S(u^E, q^E) = 0  (5.72),
 *   g_N(q^B) <= 0:  w_N^T (q^E - q^B) >= 0  perp  lambda_N >= 0,
 *
 * with w_N from q^B (5.96) or from the discrete derivative (5.97), which adds g_N(q^E) >= g_N(q^B)
 * for closed contacts (5.103). Conserves energy for any dt (5.100), up to the rounding of g_S times
 * lambda_S / dt: at an impact lambda_S holds an impulse, so the error of a step grows as 1 / dt.
 *
 * The mean velocity of a step is made nonnegative, so a closed contact leaves with the velocity it
 * came with: the law is that of eps_N = 1, and systems with another one are refused. Whether there
 * are such contacts needs a configuration; form_alloc answers.
 */
#include "form/consistent/consistent.h"

#include "base/status.h"

#include <math.h>

static const struct base_option table[] = {
    FORM_CONSISTENT_W(FORM_CONSISTENT_PARTIAL,
                      "normal directions: dg_N/dq at q^B (5.96) or its discrete derivative (5.97)"),
    BASE_OPTION_END};

/* Refuse friction and inelastic contacts of a list. */
static int check_contacts(const struct mech_contacts *list) {
  for (int i = 0; i < list->n; ++i) {
    if (list->eps_N[i] != 1) {
      return base_fail(BASE_UNSUPPORTED,
                       "formulated for frictionless, perfectly elastic contacts (moeller 5.95); "
                       "this system has eps_N = %g",
                       list->eps_N[i]);
    }
    if (list->friction_sets) {
      return base_fail(BASE_UNSUPPORTED,
                       "formulated for frictionless, perfectly elastic contacts (moeller 5.95); "
                       "contacts of this system have friction sets of their own");
    }
    if (list->dim > 1 && list->mu[i] != 0) {
      return base_fail(BASE_UNSUPPORTED,
                       "formulated for frictionless, perfectly elastic contacts (moeller 5.95); "
                       "this system has mu = %g",
                       list->mu[i]);
    }
  }
  return BASE_OK;
}

static void *onestep_alloc(const struct form_setup *setup, const struct form_state *start) {
  const struct mech *m = setup->mech;
  const struct base_arena_mark mark = base_arena_mark(setup->arena);
  struct mech_contacts all;
  mech_contacts_init(&all, m, setup->arena);
  if (m->ops->contacts != NULL) {
    mech_contacts_find(m, start->q, NULL, INFINITY, &all);
  }
  const int status = check_contacts(&all);
  base_arena_release(setup->arena, mark);
  if (status != BASE_OK) {
    return NULL;
  }
  return form_consistent_alloc_rates(setup, start);
}

static int onestep_step(void *workspace, struct form_state *state, double dt,
                        struct form_report *report) {
  struct form_consistent *c = workspace;
  form_consistent_collect(c, state->q, report);
  int status = check_contacts(&c->closed);
  if (status != BASE_OK) {
    return status;
  }
  status = form_consistent_motion(c, state->t, dt, state->q, state->u, 0, report);
  state->t += dt;
  form_consistent_finish(c, report);
  return status;
}

const struct form form_consistent_onestep = {
    .name = "consistent-onestep",
    .look = {.colour = 0xb376f0, .dashes = {3, 3}, .point = 12, .point_size = 1.2},
    .summary = "energy-consistent, one step for impact and motion; frictionless and elastic",
    .source = "moeller (5.95)",
    .options = table,
    .check = form_consistent_check,
    .alloc = onestep_alloc,
    .step = onestep_step,
    FORM_CONSISTENT_CONTACTS,
};
