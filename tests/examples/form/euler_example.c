/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worked example of a formulation: semi-implicit Euler with contacts at velocity level, joints at
 * both levels,
 *
 *   M (u^E - u^B) = dt h(q^B, u^B) + W_S Lambda_S + W r,   q^E = q^B + dt F(q^B) u^E,
 *   W_S^T u^E = -g_S(q^B)/dt,
 *   Coulomb's law between r and (v_N^E + eps_N v_N^B, v_T^E + eps_T v_T^B),  contacts with g_N <= 0
 *
 * Joints are eliminated before and along with the contacts (mech/bilateral, form/delassus.h). h has
 * damping and applied forces in it; what they did is told apart for the budget of energy.
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
  struct mech_bilateral *joints;
};

static int euler_check(const struct form_setup *setup) {
  if (setup->mech->clock != NULL) {
    return base_fail(BASE_UNSUPPORTED,
                     "euler-example knows no motion that is prescribed over time");
  }
  return form_check_law(setup, CONTACT_LAW_NCP); /* a solver that takes this law? */
}

static void *euler_alloc(const struct form_setup *setup, const struct form_state *start) {
  struct euler *w = base_arena_push(setup->arena, sizeof *w);
  (void)start;
  w->setup = *setup;
  mech_contacts_init(&w->contacts, setup->mech, setup->arena);
  w->joints = mech_bilateral_alloc(setup->mech, MECH_BILATERAL_AUTO, setup->arena);
  return w;
}

static void euler_free(void *workspace) {
  struct euler *w = workspace;
  mech_bilateral_free(w->joints);
}

/* u: the joints' impulses added, after which it takes back what they are apart within a step. */
static int euler_hold(struct euler *w, const double *L, const double *q, double dt, double *u) {
  const struct mech *m = w->setup.mech;
  const int status = mech_bilateral_build(w->joints, q, L);
  if (status != BASE_OK) {
    return status;
  }
  double *rate = base_arena_doubles(w->setup.arena, m->ns);
  double *gap = base_arena_doubles(w->setup.arena, m->ns);
  mech_bilateral_velocity(w->joints, u, rate);
  m->ops->bilateral(m, q, gap);
  la_axpy(m->ns, 1 / dt, gap, rate);
  mech_bilateral_eliminate(w->joints, 1, rate, u);
  return BASE_OK;
}

/* Work of a part of h over the step, dt f . (u^B + u^E)/2. */
static double euler_work(void (*force)(const struct mech *, const double *, const double *, double,
                                       double *),
                         const struct mech *m, const struct form_state *begin, double dt,
                         const double *u_end, struct base_arena *arena) {
  double *f = base_arena_doubles(arena, m->nu);
  if (force != NULL) {
    force(m, begin->q, begin->u, begin->t, f);
  }
  return 0.5 * dt * (la_dot(m->nu, f, begin->u) + la_dot(m->nu, f, u_end));
}

/* Contact impulses: u goes from the free velocity to u^E, *report gets what a record tells of it.
 */
static int euler_solve(struct euler *w, const double *L, const double *u_begin, double *u,
                       struct form_report *report) {
  struct base_arena *arena = w->setup.arena;
  const struct mech_contacts *c = &w->contacts;
  const int dim = c->dim, n = dim * c->n;
  struct form_delassus delassus;
  form_delassus_build(w->setup.mech, L, w->joints, c, arena, &delassus);
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
    status = m->ns > 0 ? euler_hold(w, L, state->q, dt, u) : BASE_OK;
  }
  if (status == BASE_OK && w->contacts.n > 0) {
    status = euler_solve(w, L, state->u, u, report);
  }
  if (status == BASE_OK || status == BASE_UNCONVERGED) {
    report->work.damping = euler_work(m->ops->damping, m, state, dt, u, arena);
    report->work.applied = euler_work(m->ops->applied, m, state, dt, u, arena);
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
    .free = euler_free,
};
