/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a formulation on a system for a number of steps, and measuring on the way.
 */
#include "tests/integrator_run.h"

#include "base/status.h"
#include "form/consistent/consistent.h"
#include "la/dense.h"
#include "mech/rigid/rigid_body.h"
#include "tests/test.h"

#include <string.h>

/* gamma_S: ns from the arena. */
static double *constraint_rates(const struct integrator_run *r, struct base_arena *arena) {
  const struct mech *m = r->m;
  double *WS = base_arena_doubles(arena, m->nu * m->ns), *rates = base_arena_doubles(arena, m->ns);
  if (m->ns > 0) {
    mech_bilateral_directions(m, r->q, WS, arena);
    la_gemv_t(m->nu, m->ns, 1, WS, r->u, 0, rates);
  }
  return rates;
}

/* last: the two values before this one of the component that is watched. */
static void measure_constraints(struct integrator_run *r, double last[2], int step,
                                struct base_arena *arena) {
  const struct mech *m = r->m;
  if (m->ns == 0) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *g = base_arena_doubles(arena, m->ns), *rates = constraint_rates(r, arena);
  m->ops->bilateral(m, r->q, g);
  r->gS = fmax(r->gS, la_norm_inf(m->ns, g));
  r->gammaS = fmax(r->gammaS, la_norm_inf(m->ns, rates));
  const double now = rates[r->watch];
  r->turns += step > 1 && (now - last[0]) * (last[0] - last[1]) < 0;
  last[1] = last[0];
  last[0] = now;
  base_arena_release(arena, mark);
}

void integrator_momentum(const struct mech *m, const double *q, const double *u, double L[3]) {
  const struct mech_rigid_body *body = m->data;
  double q_out[MECH_RIGID_BODY_Q_OUT], u_out[MECH_RIGID_BODY_U_OUT];
  if (body->kind == MECH_RIGID_BODY_AFFINE) { /* sum of d_i x E_i d_i' */
    const double half = 0.5 * (body->Theta[0] + body->Theta[1] + body->Theta[2]);
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      L[k] = body->mass * (q[a] * u[b] - q[b] * u[a]);
      for (int i = 0; i < 3; ++i) {
        const double *d = q + 3 + 3 * i, *rate = u + 3 + 3 * i;
        L[k] += (half - body->Theta[i]) * (d[a] * rate[b] - d[b] * rate[a]);
      }
    }
    return;
  }
  m->ops->observe(m, q, u, q_out, u_out);
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    L[k] = body->mass * (q_out[a] * u_out[b] - q_out[b] * u_out[a]);
    for (int i = 0; i < 3; ++i) {
      L[k] += q_out[3 + 3 * i + k] * body->Theta[i] * u_out[3 + i];
    }
  }
}

static void measure_momentum(struct integrator_run *r) {
  double L[3];
  if (strcmp(r->m->name, "rigid body") != 0) {
    return;
  }
  integrator_momentum(r->m, r->q, r->u, L);
  for (int k = 0; k < 3; ++k) {
    r->L_drift = fmax(r->L_drift, fabs(L[k] - r->L0[k]));
  }
}

static double first_gap(const struct mech *m, const double *q, struct base_arena *arena) {
  if (m->ops->contacts == NULL) {
    return NAN;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct mech_contacts list;
  mech_contacts_init(&list, m, arena);
  mech_contacts_find(m, q, NULL, INFINITY, &list);
  const double gap = list.n > 0 ? list.gN[0] : NAN;
  base_arena_release(arena, mark);
  return gap;
}

static void *options_of(const struct base_option *table, size_t size, const char *text,
                        struct base_arena *arena) {
  void *options = base_arena_push(arena, size);
  base_options_default(table, options);
  const char *equals = strchr(text, '=');
  if (equals != NULL) {
    char *key = base_arena_printf(arena, "%.*s", (int)(equals - text), text);
    CHECK_INT(base_options_set(table, options, "test", key, equals + 1), BASE_OK);
  }
  return options;
}

static struct form_setup setup_of(const struct integrator_run *r, struct base_arena *arena) {
  const struct problem_solver *solver =
      r->form->solver != NULL ? problem_solver_find(r->form->solver) : NULL;
  return (struct form_setup){
      .mech = r->m,
      .options = options_of(r->form->options, r->form->options_size, r->options, arena),
      .solver = solver,
      .solver_options =
          solver != NULL ? options_of(solver->options, solver->options_size, "", arena) : NULL,
      .loop = problem_loop_default(),
      .dt = r->dt,
      .arena = arena};
}

static void measure_step(struct integrator_run *r, double E, double E_next,
                         const struct form_report *report) {
  const double work = report->work.friction + report->work.impact + report->work.damping +
                      report->work.applied + report->work.stored;
  r->drift = fmax(r->drift, fabs(E_next - r->E0));
  r->increase = fmax(r->increase, E_next - E);
  r->budget = fmax(r->budget, fabs(E_next - E - work));
  r->newton = fmax(r->newton, report->newton);
  r->friction += report->work.friction;
  r->impact += report->work.impact;
  r->damping += report->work.damping;
  r->applied += report->work.applied;
}

void integrator_go(struct integrator_run *r) {
  struct base_arena *arena = base_arena_alloc();
  struct form_state state = {.q = r->q, .u = r->u};
  if (r->options == NULL) {
    r->options = "";
  }
  const struct form_setup setup = setup_of(r, arena);
  void *workspace = NULL;
  r->refused = r->form->check != NULL && r->form->check(&setup) != BASE_OK;
  if (!r->refused) {
    workspace = r->form->alloc(&setup, &state);
    r->refused = workspace == NULL;
  }
  if (r->refused) {
    base_arena_free(arena);
    return;
  }
  r->unknowns = ((const struct form_consistent *)workspace)->unknowns;
  r->E0 = r->E1 = mech_energy(r->m, r->q, r->u, arena);
  r->gap = first_gap(r->m, r->q, arena);
  double last[2] = {0, 0};
  if (strcmp(r->m->name, "rigid body") == 0) {
    integrator_momentum(r->m, r->q, r->u, r->L0);
  }
  for (int k = 0; k < r->steps; ++k) {
    struct form_report report = {0};
    const int status = r->form->step(workspace, &state, r->dt, &report);
    r->status = status > r->status ? status : r->status;
    if (status > BASE_UNCONVERGED) {
      break;
    }
    const double E = mech_energy(r->m, r->q, r->u, arena), gap = first_gap(r->m, r->q, arena);
    measure_step(r, r->E1, E, &report);
    measure_constraints(r, last, k, arena);
    measure_momentum(r);
    if (r->gap <= 0) {
      r->approach = fmax(r->approach, r->gap - gap);
    }
    r->gap = gap;
    r->E1 = E;
  }
  base_arena_free(arena);
}
