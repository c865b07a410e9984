/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worked example of a formulation: semi-implicit Euler with contacts at velocity level,
 *
 *   M (u^E - u^B) = dt h(q^B, u^B) + W r,   q^E = q^B + dt F(q^B) u^E,
 *   Coulomb's law between r and (v_N^E + eps_N v_N^B, v_T^E + eps_T v_T^B),  contacts with g_N <= 0
 *
 * As src/form/euler_example.c, with the line FORMULATION(euler_example) in src/form/registry.h,
 * this is all there is to a formulation. What it does not know it refuses with a reason.
 */
#include "base/status.h"
#include "form/delassus.h"
#include "form/form.h"
#include "form/grade.h"
#include "form/impulse/impulse.h"
#include "la/dense.h"

struct euler {
  struct form_setup setup;
  struct mech_contacts contacts; /* grows in the arena, so outside of mark and release */
};

static int euler_check(const struct form_setup *setup) {
  const struct mech_ops *ops = setup->mech->ops;
  if (setup->mech->ns > 0 || ops->damping != NULL || ops->applied != NULL) {
    return base_fail(BASE_UNSUPPORTED, "euler-example knows potential forces and contacts alone");
  }
  return form_check_law(setup, CONTACT_LAW_NCP); /* a solver that takes this law? */
}

static void *euler_alloc(const struct form_setup *setup, const struct form_state *start) {
  struct euler *w = base_arena_push(setup->arena, sizeof *w);
  (void)start;
  w->setup = *setup;
  mech_contacts_init(&w->contacts, setup->mech, setup->arena);
  return w;
}

/* Contact impulses: u goes from the free velocity to u^E, *report gets what a record tells of it.
 */
static int euler_solve(struct euler *w, const double *L, const double *u_begin, double *u,
                       struct form_report *report) {
  struct base_arena *arena = w->setup.arena;
  const struct mech_contacts *c = &w->contacts;
  const int dim = c->dim, n = dim * c->n;
  struct form_delassus delassus;
  form_delassus_build(w->setup.mech, L, NULL, c, arena, &delassus); /* no joints: euler_check */
  double *b = base_arena_doubles(arena, n), *r = base_arena_doubles(arena, n);
  double *v0 = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
  double *diag = base_arena_doubles(arena, n * dim);
  double *du = base_arena_doubles(arena, w->setup.mech->nu);
  mech_contacts_velocity(c, u_begin, v0);
  mech_contacts_velocity(c, u, b);
  for (int k = 0; k < n; ++k) {
    b[k] += (k % dim == 0 ? c->eps_N[k / dim] : c->eps_T[k / dim]) * v0[k];
  }
  const struct problem p = {.name = "",
                            .model = {.law = CONTACT_LAW_NCP, .dim = dim, .nc = c->n, .mu = c->mu},
                            .A = delassus.A,
                            .b = b};
  struct problem_result result;
  problem_solve(&p, w->setup.solver, w->setup.solver_options, &w->setup.loop, r, v, arena, &result);
  if (result.status != BASE_OK && result.status != BASE_UNCONVERGED) {
    return base_fail(result.status, "%s", result.reason);
  }
  problem_operator_diagonal(&p.A, diag);
  form_grade_problem(&p.model, diag, r, v, b, c->id, report); /* the same for every formulation */
  report->contacts = c->n;
  report->solves = 1;
  report->iterations = result.iterations;
  report->unconverged = result.status == BASE_UNCONVERGED;
  form_delassus_respond(&delassus, r, du);
  la_axpy(w->setup.mech->nu, 1, du, u);
  mech_contacts_velocity(c, u, v);
  for (int k = 0; k < n; ++k) { /* impulse times mean velocity: exact work for any step */
    *(k % dim == 0 ? &report->work.impact : &report->work.friction) += 0.5 * r[k] * (v0[k] + v[k]);
  }
  return result.status;
}

static int euler_step(void *workspace, struct form_state *state, double dt,
                      struct form_report *report) {
  struct euler *w = workspace;
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  mech_contacts_find(m, state->q, NULL, 0, &w->contacts);
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
  double *u = base_arena_doubles(arena, m->nu), *qdot = base_arena_doubles(arena, m->nq);
  int status = mech_mass_factor(m, state->q, L);
  if (status == BASE_OK) {
    m->ops->force(m, state->q, state->u, state->t, u);
    mech_mass_solve(m, L, 1, u);
    for (int k = 0; k < m->nu; ++k) {
      u[k] = state->u[k] + dt * u[k];
    }
    report->internal_steps = 1;
    status = w->contacts.n > 0 ? euler_solve(w, L, state->u, u, report) : BASE_OK;
  }
  if (status == BASE_OK || status == BASE_UNCONVERGED) {
    la_copy(m->nu, u, state->u);
    mech_qdot(m, state->q, u, qdot, arena);
    la_axpy(m->nq, dt, qdot, state->q);
  }
  base_arena_release(arena, mark);
  return status;
}

const struct form form_euler_example = {
    .name = "euler-example",
    .summary = "semi-implicit Euler with contacts at velocity level",
    .source = "worked example",
    .has_law = 1,
    .law = CONTACT_LAW_NCP,
    .solver = "relaxation", /* unless -s names another one */
    .check = euler_check,
    .alloc = euler_alloc,
    .step = euler_step,
};
