/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impacts (see event.c): Newton's law at all contacts that touch, and the bilateral constraints, as
 * one problem. With gamma_S the rates by which velocities before the impact miss the constraints
 * (they do where prescribed motion jumps, and where a run starts from velocities that do not fit),
 *
 *   M (u^+ - u^-) = W_S Lambda_S + W r,   W_S^T u^+ + chi^+ = 0,   xi = v^+ + eps v^-,
 *
 * xi and r under Coulomb's law (moeller 5.2). The constraints eliminated this is xi = A r + b with
 *
 *   b = (1 + eps) v^- + W^T du_S,   du_S = -M^-1 W_S G_SS^-1 gamma_S,
 *
 * v^- from before the jump: a body that rests on a support is taken along by a support that jumps,
 * as by one that moves ever faster in ever less time; restitution belongs to those that approached.
 *
 * Work is impulse times mean velocity. Of the constraints, -Lambda_S . (chi^- + chi^+) / 2 is what
 * drives put in (applied), and Lambda_S . gamma_S^- / 2, with gamma_S^- = W_S^T u^- + chi^-, what
 * is lost where velocities given do not fit (impact).
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/law.h"
#include "form/event/event.h"
#include "form/grade.h"
#include "la/dense.h"

static void report_contacts(struct event *e, const struct contact_model *model, const double *A,
                            const double *r, const double *xi, const double *b, const int *index) {
  const int dim = model->dim, size = dim * model->nc;
  long *id = base_arena_longs(e->arena, model->nc);
  double *diag = base_arena_matrix(e->arena, dim * dim, model->nc);
  for (int i = 0; i < model->nc; ++i) {
    id[i] = e->flow.contacts.id[index[i]];
    for (int d = 0; d < dim; ++d) {
      for (int k = 0; k < dim; ++k) {
        diag[(i * dim + d) * dim + k] = A[(i * dim + k) * size + i * dim + d];
      }
    }
  }
  form_grade_problem(model, diag, r, xi, b, id, e->report);
  ++e->report->solves;
}

int event_take_frictionless(int dim, double mu, unsigned *allowed, int *fixed, double *direction) {
  if (dim == 1 || mu > 0) {
    return 0;
  }
  *allowed &= ~EVENT_BIT(EVENT_STICK);
  *fixed = 1;
  for (int d = 0; d + 1 < dim; ++d) {
    direction[d] = d == 0;
  }
  return 1;
}

/* The contacts of an impact, and what the bilateral constraints do to velocities by themselves. */
struct impact {
  int n;
  const int *index; /* n, in the flow's list */
  struct event_response response;
  double *gamma;    /* ns: rates missed before [m/s]; zero without a jump */
  double *reaction; /* ns: -Lambda_S */
  double *du;       /* nu: du_S */
  double *r;        /* dim n */
};

static void constrain(const struct event *e, struct impact *p, int constraints_jump) {
  const struct mech *m = e->m;
  p->gamma = base_arena_doubles(e->arena, m->ns);
  p->reaction = base_arena_doubles(e->arena, m->ns);
  p->du = base_arena_doubles(e->arena, m->nu);
  if (constraints_jump) {
    mech_bilateral_gamma(e->flow.bilateral, e->y, e->y + m->nq, p->gamma);
    la_copy(m->ns, p->gamma, p->reaction);
    mech_bilateral_eliminate(e->flow.bilateral, 1, p->reaction, p->du);
  }
}

/* Work of the constraints; jump: chi did, or velocities did not fit. */
static void account_constraints(const struct event *e, const struct impact *p,
                                int constraints_jump) {
  const struct mech *m = e->m;
  const int size = m->dim * p->n;
  double *after = base_arena_doubles(e->arena, m->ns);
  if (m->ops->driven.bilateral_drift == NULL && !constraints_jump) {
    return;
  }
  if (m->ops->driven.bilateral_drift != NULL) {
    m->ops->driven.bilateral_drift(m, e->y, after);
  }
  const double *before = constraints_jump && e->chi != NULL ? e->chi : after;
  la_gemv(m->ns, size, 1, p->response.S, p->r, 1, p->reaction);
  for (int i = 0; i < m->ns; ++i) {
    e->report->work.applied += p->reaction[i] * 0.5 * (before[i] + after[i]);
    e->report->work.impact -= p->reaction[i] * 0.5 * (p->gamma[i] + before[i] - after[i]);
  }
}

/* Contacts that slid go on, where that satisfies the law as well: no self-stress stops a body
 * between others that an impact does not press together. */
static void go_on_sliding(const struct event *e, const struct impact *p,
                          struct event_choice *choice) {
  const int dim = choice->dim;
  int *sticks = base_arena_ints(e->arena, choice->n);
  struct event_choice other;
  for (int i = 0; i < choice->n; ++i) {
    const double *v = e->flow.v + p->index[i] * dim;
    sticks[i] =
        choice->mode[i] == EVENT_STICK && la_norm2(dim - 1, v + 1) > EVENT_SPEED_ZERO * e->m->speed;
  }
  if (event_choose_other(choice, sticks, &other, e->arena)) {
    la_copy(dim * choice->n, other.r, choice->r);
    memcpy(choice->mode, other.mode, (size_t)choice->n * sizeof *choice->mode);
  }
}

/* r of Newton's law at the contacts, and their work. */
static int solve_contacts(struct event *e, struct impact *p) {
  const struct mech *m = e->m;
  const struct mech_contacts *c = &e->flow.contacts;
  const int dim = m->dim, n = p->n, size = dim * n;
  double *b = base_arena_doubles(e->arena, size), *v = base_arena_doubles(e->arena, size);
  double *mu = base_arena_doubles(e->arena, n), *xi = base_arena_doubles(e->arena, size);
  double *direction = base_arena_doubles(e->arena, size);
  double *jump = base_arena_doubles(e->arena, size);
  int *fixed = base_arena_ints(e->arena, n);
  unsigned *allowed = base_arena_push(e->arena, (size_t)n * sizeof *allowed);
  enum event_mode *mode = base_arena_push(e->arena, (size_t)n * sizeof *mode);
  la_gemv_t(m->nu, size, 1, p->response.W, p->du, 0, jump);
  for (int i = 0; i < n; ++i) {
    const int at = p->index[i];
    la_copy(dim, e->flow.v + at * dim, v + i * dim);
    const int rests = fabs(v[i * dim]) <= e->options->rest_speed * m->speed;
    for (int d = 0; d < dim; ++d) {
      const double eps = d > 0 ? c->eps_T[at] : rests ? 0 : c->eps_N[at];
      b[i * dim + d] = (1 + eps) * v[i * dim + d] + jump[i * dim + d];
    }
    mu[i] = c->mu[at];
    allowed[i] = EVENT_ANY;
    event_take_frictionless(dim, mu[i], &allowed[i], &fixed[i], direction + i * (dim - 1));
  }
  struct event_choice choice = {.dim = dim,
                                .n = n,
                                .A = p->response.A,
                                .b = b,
                                .mu = mu,
                                .fixed = fixed,
                                .allowed = allowed,
                                .direction = direction,
                                .mode = mode,
                                .r = p->r,
                                .deadline = e->deadline};
  const int status = event_choose(&choice, e->arena);
  if (status != BASE_OK) {
    base_message_prefix("impact at t = %.9g s: ", e->t);
    return status;
  }
  go_on_sliding(e, p, &choice);
  e->report->several = e->report->several || event_moves_otherwise(&choice, e->arena);
  la_copy(size, b, xi);
  la_gemv(size, size, 1, p->response.A, p->r, 1, xi);
  const struct contact_model model = {.law = CONTACT_LAW_NCP, .dim = dim, .nc = n, .mu = mu};
  report_contacts(e, &model, p->response.A, p->r, xi, b, p->index);
  la_gemv(size, size, 0.5, p->response.A, p->r, 1, v); /* mean velocity */
  la_axpy(size, 0.5, jump, v);
  for (int i = 0; i < n; ++i) {
    form_carried_add(&e->carried, p->r[i * dim] > 0, &c->id[p->index[i]]);
    e->report->work.impact += p->r[i * dim] * v[i * dim];
    e->report->work.friction += la_dot(dim - 1, p->r + i * dim + 1, v + i * dim + 1);
  }
  return BASE_OK;
}

int event_impact(struct event *e, int n, const int *index, int constraints_jump) {
  const struct mech *m = e->m;
  struct impact p = {.n = n, .index = index};
  int status = event_respond(
      &p.response, &e->flow, n, index,
      (struct event_state){mech_phase_time(&e->flow.phase, e->t), e->y, e->y + m->nq}, e->arena);
  if (status != BASE_OK) {
    return status;
  }
  p.r = base_arena_matrix(e->arena, m->dim, n);
  constrain(e, &p, constraints_jump);
  status = n > 0 ? solve_contacts(e, &p) : BASE_OK;
  if (status == BASE_OK) {
    account_constraints(e, &p, constraints_jump);
    la_axpy(m->nu, 1, p.du, e->y + m->nq);
    la_gemv(m->nu, m->dim * n, 1, p.response.X, p.r, 1, e->y + m->nq);
  }
  return status;
}
