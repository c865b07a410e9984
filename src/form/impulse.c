/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulse stepping; see impulse.h. A step goes
 *
 *   evaluate   evaluation point, M, u^B + dt M^-1 h, contacts within reach
 *   free       u_f, that projected onto the bilateral constraints (moeller 5.119)
 *   shift      s of every contact from the formulation; which contacts take part
 *   solve      b = W^T u_f + s; A r + b = xi under the law; u^E = u_f + du(r)
 *   account    work, diagnostics, memory; q^E
 *
 * The energy a step takes or gives is r . (v^B + v^E) / 2 with v = W^T u at the evaluation point,
 * which is exact: M (u^E - u^B) . (u^E + u^B) / 2 is the change of kinetic energy for this M. What
 * bilateral impulses and the drift of positions do to the energy is left to the numerical part of
 * the budget.
 *
 * A system that bounds how far surfaces approach each other in a step (mech_ops.approach) is asked
 * for contacts within twice that bound only. Should the velocities at the end of the step exceed
 * what was reckoned with, the step is made again with a larger reach: the result is that of asking
 * for all contacts.
 *
 * All scratch is marked and released in the setup's arena; only what grows with the largest step so
 * far (contact list, memory) is allocated outside the mark.
 */
#include "form/impulse.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "form/delassus.h"
#include "form/memory.h"
#include "la/dense.h"

/* Contacts are sought this much farther than the velocities known before the step ask for, so that
 * making a step twice stays rare. */
static const double REACH_MARGIN = 2;
enum { LEVER = 12 }; /* numbers of a contact in a compact list */

struct impulse {
  struct form_setup setup;
  struct form_impulse_scheme scheme;
  double *q;                     /* nq, evaluation point */
  double *q_force;               /* nq, where h is taken */
  double *u_free;                /* nu, u^B + dt M^-1 h */
  double *L;                     /* nb blocks nv x nv, factor of M(q); NULL with D */
  double *D;                     /* nu, M of free rigid bodies, whose contacts are compact */
  int has_mass;                  /* L holds the constant mass already */
  struct mech_contacts contacts; /* within reach, at q */
  struct form_memory memory[2];  /* of the last step, and the one being written */
  int last;                      /* which is which */
  void *eliminator;              /* workspace of scheme.elimination */
};

/* Scratch of one step, in the arena. */
struct step {
  double t, dt;
  const double *u_begin;           /* nu */
  double *u;                       /* nu, without contact impulses; then u^E */
  double *v_begin;                 /* dim n, W^T u^B */
  double *v;                       /* dim n, W^T u^E */
  double *shift;                   /* dim n */
  double *r;                       /* dim n */
  int *age;                        /* n, before this step */
  int n_active, *active;           /* contacts of the one-step problem, ascending */
  struct mech_contacts part;       /* these, gathered */
  double *turn, *inverse;          /* of compact lists, see mech_ops.rigid */
  struct form_bilateral bilateral; /* at the evaluation point */
  double *A_NN;                    /* n, normal diagonal of A of the active ones [1/kg] */
};

/* Free rigid bodies in space: W from lever arms, M as its diagonal. */
static int can_be_compact(const struct mech *m) {
  return m->ops->rigid != NULL && m->ops->mass_diagonal != NULL && m->ns == 0 && m->dim == 3 &&
         m->constant_mass && !m->friction_sets;
}

void *form_impulse_alloc(const struct form_setup *setup, const struct form_impulse_scheme *scheme) {
  const struct mech *m = setup->mech;
  if (form_impulse_check(setup, scheme->law) != BASE_OK) {
    return NULL;
  }
  struct impulse *w = base_arena_push(setup->arena, sizeof *w);
  w->setup = *setup;
  w->scheme = *scheme;
  w->q = base_arena_doubles(setup->arena, m->nq);
  w->q_force = base_arena_doubles(setup->arena, m->nq);
  w->u_free = base_arena_doubles(setup->arena, m->nu);
  if (scheme->elimination == NULL && can_be_compact(m)) {
    w->D = base_arena_doubles(setup->arena, m->nu);
    m->ops->mass_diagonal(m, w->q, w->D);
    w->has_mass = 1;
    mech_contacts_init_compact(&w->contacts, m, setup->arena);
  } else {
    w->L = base_arena_doubles(setup->arena, m->nb * m->nv * m->nv);
    mech_contacts_init(&w->contacts, m, setup->arena);
  }
  if (scheme->elimination != NULL) {
    w->eliminator = scheme->elimination->alloc(setup);
  }
  return scheme->elimination == NULL || w->eliminator != NULL ? w : NULL;
}

/* out = q + tau F(q) u */
static void move(const struct mech *m, const double *q, const double *u, double tau, double *out,
                 struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *qdot = base_arena_doubles(arena, m->nq);
  mech_qdot(m, q, u, qdot, arena);
  for (int i = 0; i < m->nq; ++i) {
    out[i] = q[i] + tau * qdot[i];
  }
  base_arena_release(arena, mark);
}

static void normalise(const struct mech *m, double *q) {
  if (m->ops->normalise != NULL) {
    m->ops->normalise(m, q);
  }
}

static double force_time(const struct impulse *w, double t, double dt) {
  return w->scheme.midpoint || w->scheme.force_midway ? t + 0.5 * dt : t;
}

/* Evaluation point, mass, and velocities under the forces alone. */
static int evaluate(struct impulse *w, const struct form_state *state, double dt) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  la_copy(m->nq, state->q, w->q);
  if (w->scheme.midpoint || w->scheme.force_midway) {
    move(m, state->q, state->u, 0.5 * dt, w->q_force, arena);
    normalise(m, w->q_force);
  } else {
    la_copy(m->nq, state->q, w->q_force);
  }
  if (w->scheme.midpoint) {
    la_copy(m->nq, w->q_force, w->q);
  }
  if (!la_all_finite(m->nq, w->q_force) || !la_all_finite(m->nu, state->u)) {
    return base_fail(BASE_DIVERGED, "%s: state is not finite at t = %g s", m->name, state->t);
  }
  if (!w->has_mass) {
    const int status = mech_mass_factor(m, w->q, w->L);
    if (status != BASE_OK) {
      return status;
    }
    w->has_mass = m->constant_mass;
  }
  const double t = force_time(w, state->t, dt);
  mech_set_time(m, t);
  m->ops->force(m, w->q_force, state->u, t, w->u_free);
  for (int i = 0; i < m->nu; ++i) {
    w->u_free[i] *= dt;
  }
  if (w->D != NULL) {
    for (int i = 0; i < m->nu; ++i) {
      w->u_free[i] /= w->D[i];
    }
  } else {
    mech_mass_solve(m, w->L, 1, w->u_free);
  }
  la_axpy(m->nu, 1, state->u, w->u_free);
  if (!la_all_finite(m->nu, w->u_free)) {
    return base_fail(BASE_DIVERGED, "%s: forces are not finite at t = %g s", m->name, state->t);
  }
  return BASE_OK;
}

/* How near a contact must be to be looked at [m]; infinite: no bound. */
static double reach_of(const struct impulse *w, const double *u, double dt) {
  const struct mech *m = w->setup.mech;
  return m->ops->approach != NULL ? m->ops->approach(m, w->q, u, dt) : INFINITY;
}

/* Contacts within reach. Allocates for good: before the mark of the step. */
static void collect(struct impulse *w, double reach) {
  const struct mech *m = w->setup.mech;
  mech_contacts_clear(&w->contacts);
  if (m->ops->contacts != NULL) {
    m->ops->contacts(m, w->q, NULL, fmin(w->scheme.reach, reach), &w->contacts);
  }
  form_memory_reserve(&w->memory[1 - w->last], m->dim, w->contacts.n, w->setup.arena);
}

/* The same by the scheme's own elimination. */
static void constrain(struct impulse *w, struct step *s) {
  const struct mech *m = w->setup.mech;
  double *offset = base_arena_doubles(w->setup.arena, m->ns);
  w->scheme.elimination->build(w->eliminator, w->q, w->L);
  if (m->ns > 0) {
    mech_set_time(m, s->t + s->dt);
    m->ops->bilateral(m, w->q, offset);
  }
  for (int i = 0; i < m->ns; ++i) {
    offset[i] /= s->dt;
  }
  w->scheme.elimination->constrain(w->eliminator, offset, s->u);
}

/* s->u = velocity at the end of the step if no contact acted. */
static void step_free(struct impulse *w, struct step *s) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  s->u = base_arena_doubles(arena, m->nu);
  la_copy(m->nu, w->u_free, s->u);
  if (w->scheme.elimination != NULL) {
    constrain(w, s);
    return;
  }
  form_bilateral_build(m, w->q, w->L, arena, &s->bilateral);
  if (m->ns > 0) {
    double *rate = base_arena_doubles(arena, m->ns);
    mech_set_time(m, s->t + s->dt); /* prescribed motion is met at the end of the step */
    if (w->scheme.bilateral_position) {
      m->ops->bilateral(m, w->q, rate);
      la_gemv_t(m->nu, m->ns, 1, s->bilateral.WS, s->u, 1 / s->dt, rate);
    } else {
      mech_bilateral_rate(m, w->q, s->bilateral.WS, s->u, rate);
    }
    form_bilateral_eliminate(&s->bilateral, m->nu, 1, rate, s->u, arena);
  }
}

/* Shifts of all contacts, their age and the warm start. s->v: W^T of the free velocity. */
static void step_shift(struct impulse *w, struct step *s) {
  const struct mech_contacts *c = &w->contacts;
  const struct form_memory *memory = &w->memory[w->last];
  struct base_arena *arena = w->setup.arena;
  const int dim = c->dim;
  s->v_begin = base_arena_doubles(arena, dim * c->n);
  s->v = base_arena_doubles(arena, dim * c->n);
  s->shift = base_arena_doubles(arena, dim * c->n);
  s->r = base_arena_doubles(arena, dim * c->n);
  s->age = base_arena_ints(arena, c->n);
  mech_contacts_velocity(c, s->u_begin, s->v_begin);
  mech_contacts_velocity(c, s->u, s->v);
  int cursor = 0;
  for (int i = 0; i < c->n; ++i) {
    const int k = form_memory_find(memory, c->id[i], &cursor), at = dim * i;
    s->age[i] = k >= 0 ? memory->age[k] : 0;
    const struct form_impulse_contact contact = {.dim = dim,
                                                 .dt = s->dt,
                                                 .gap = c->gN[i],
                                                 .eps_N = mech_contacts_eps_N(c, i),
                                                 .eps_T = mech_contacts_eps_T(c, i),
                                                 .v_begin = s->v_begin + at,
                                                 .v_free = s->v + at,
                                                 .age = s->age[i],
                                                 .approach = k >= 0 ? memory->v_begin[k] : 0};
    w->scheme.shift(w->setup.options, &contact, s->shift + at);
    if (k >= 0 && w->setup.warm_start) {
      memcpy(s->r + at, memory->r + (size_t)k * (size_t)dim, (size_t)dim * sizeof *s->r);
    }
  }
}

/* First guess of the contacts that matter: those whose gap the velocities at hand could close, and
 * those that carried an impulse before. */
static void select_near(const struct impulse *w, struct step *s) {
  const struct mech_contacts *c = &w->contacts;
  const double speed = la_norm_inf(c->dim * c->n, s->v);
  s->active = base_arena_ints(w->setup.arena, c->n);
  for (int i = 0; i < c->n; ++i) {
    if (s->shift[c->dim * i] <= speed || s->age[i] > 0) {
      s->active[s->n_active++] = i;
    }
  }
}

/* |v_T| at the end of the step, without shift. */
static double slip(const struct step *s, int dim, int i) {
  return dim > 1 ? la_norm2(dim - 1, s->v + dim * i + 1) : 0;
}

/* Least xi_N the law allows contact i: zero, or mu |v_T| under the convex relaxation. */
static double least_normal(const struct impulse *w, const struct step *s, int i) {
  return w->scheme.law == CONTACT_LAW_CCP ? w->contacts.mu[i] * slip(s, w->contacts.dim, i) : 0;
}

/* Put contacts in that were left out and are violated by s->v; returns how many. */
static int select_violated(const struct impulse *w, struct step *s) {
  const struct mech_contacts *c = &w->contacts;
  const int before = s->n_active;
  if (before == c->n) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  int *old = base_arena_ints(w->setup.arena, before);
  memcpy(old, s->active, (size_t)before * sizeof *old);
  s->n_active = 0;
  for (int i = 0, k = 0; i < c->n; ++i) {
    const int was = k < before && old[k] == i;
    k += was;
    if (was || s->v[c->dim * i] + s->shift[c->dim * i] < least_normal(w, s, i)) {
      s->active[s->n_active++] = i;
    }
  }
  base_arena_release(w->setup.arena, mark);
  return s->n_active - before;
}

/* The active contacts as a list of their own, in the arena. */
static void gather(const struct impulse *w, struct step *s) {
  const struct mech_contacts *c = &w->contacts;
  const size_t block = (size_t)(2 * c->nv * c->dim);
  if (s->n_active == c->n) {
    s->part = *c;
    return;
  }
  struct base_arena *arena = w->setup.arena;
  const int n = s->n_active;
  s->part = (struct mech_contacts){.n = n, .capacity = n, .dim = c->dim, .nv = c->nv};
  s->part.mu = base_arena_doubles(arena, n);
  if (c->set != NULL) {
    s->part.set = base_arena_push(arena, (size_t)n * sizeof *s->part.set);
  }
  s->part.body = base_arena_ints(arena, 2 * n);
  if (c->compact) {
    s->part.compact = 1;
    s->part.turn = c->turn;
    s->part.lever = base_arena_push(arena, (size_t)n * LEVER * sizeof *c->lever);
  } else {
    s->part.W = base_arena_push(arena, (size_t)n * block * sizeof *c->W);
  }
  for (int k = 0; k < n; ++k) {
    const int i = s->active[k];
    s->part.mu[k] = c->mu[i];
    if (c->set != NULL) {
      s->part.set[k] = c->set[i];
    }
    s->part.body[2 * k] = c->body[2 * i];
    s->part.body[2 * k + 1] = c->body[2 * i + 1];
    if (c->compact) {
      memcpy(s->part.lever + (long)LEVER * k, c->lever + (long)LEVER * i, LEVER * sizeof *c->lever);
    } else {
      memcpy(s->part.W + (size_t)k * block, c->W + (size_t)i * block, block * sizeof *c->W);
    }
  }
}

/* Id of the contact number k of the one-step problem; -1 stays. */
static long id_of(const struct impulse *w, const struct step *s, long k) {
  return k >= 0 ? w->contacts.id[s->active[k]] : -1;
}

/* Yardsticks of the last solve; r: dim n_active. */
static void diagnose(const struct impulse *w, struct step *s, const struct problem *p,
                     const double *r, struct form_report *report) {
  struct base_arena *arena = w->setup.arena;
  const int dim = p->model.dim, n = p->model.nc;
  double *diag = base_arena_doubles(arena, n * dim * dim);
  double *v = base_arena_doubles(arena, n * dim);
  s->A_NN = base_arena_doubles(arena, n);
  problem_operator_diagonal(&p->A, diag);
  for (int k = 0; k < n; ++k) {
    const int at = dim * s->active[k];
    s->A_NN[k] = diag[(size_t)k * (size_t)(dim * dim)];
    la_copy(dim, s->v + at, v + dim * k);
    v[dim * k] += s->shift[at];
  }
  report->diagnostics = contact_diagnose(&p->model, diag, r, v, 0);
  report->residual.at = id_of(w, s, report->residual.at);
  report->diagnostics.at = id_of(w, s, report->diagnostics.at);
}

/* One solve over the active contacts from u_free (nu): r and s->u, s->v. The result's status. */
static int solve_active(struct impulse *w, struct step *s, const double *u_free,
                        struct form_report *report, struct problem_result *result) {
  struct base_arena *arena = w->setup.arena;
  const int dim = w->contacts.dim, n = dim * s->n_active;
  struct form_delassus delassus = {.A = {0}};
  gather(w, s);
  const struct contact_model model = {.law = w->scheme.law,
                                      .dim = dim,
                                      .nc = s->n_active,
                                      .mu = s->part.mu,
                                      .set = s->part.set,
                                      .n_dir = w->scheme.n_dir,
                                      .dirs = w->scheme.dirs};
  if (w->scheme.elimination != NULL) {
    report->mcp = w->scheme.elimination->response(w->eliminator, &s->part, problem_lcp_size(&model),
                                                  arena, &delassus.A);
  } else if (w->D != NULL) {
    form_delassus_build_rigid(w->setup.mech, w->D, s->inverse, &s->part, arena, &delassus);
  } else {
    form_delassus_build(w->setup.mech, w->L, &s->bilateral, &s->part, arena, &delassus);
  }
  double *b = base_arena_doubles(arena, n), *r = base_arena_doubles(arena, n);
  double *xi = base_arena_doubles(arena, n);
  mech_contacts_velocity(&s->part, u_free, b);
  for (int k = 0; k < s->n_active; ++k) {
    const int at = dim * s->active[k];
    la_axpy(dim, 1, s->shift + at, b + dim * k);
    la_copy(dim, s->r + at, r + dim * k);
  }
  const struct problem p = {.name = "", .model = model, .A = delassus.A, .b = b};
  if (w->setup.sink.take != NULL) {
    w->setup.sink.take(w->setup.sink.data, &p);
  }
  problem_solve(&p, w->setup.solver, w->setup.solver_options, &w->setup.loop, r, xi, NULL, arena,
                result);
  ++report->solves;
  report->iterations += result->iterations;
  report->residual = result->residual;
  report->optimality = result->optimality;
  report->by = result->by;
  report->round = result->round;
  la_copy(w->setup.mech->nu, u_free, s->u);
  if (w->scheme.elimination != NULL) {
    w->scheme.elimination->respond(w->eliminator, &s->part, r, s->u);
  } else {
    form_delassus_respond(&delassus, r, s->u, arena);
  }
  mech_contacts_velocity(&w->contacts, s->u, s->v);
  for (int k = 0; k < s->n_active; ++k) {
    la_copy(dim, r + dim * k, s->r + dim * s->active[k]);
  }
  diagnose(w, s, &p, r, report);
  return result->status;
}

/* Solve until no contact left out is violated. BASE_OK, BASE_UNCONVERGED, or a failure. */
static int step_solve(struct impulse *w, struct step *s, struct form_report *report) {
  const int nu = w->setup.mech->nu;
  struct problem_result result = {.status = BASE_OK};
  double *u_free = base_arena_doubles(w->setup.arena, nu);
  la_copy(nu, s->u, u_free);
  select_near(w, s);
  do {
    if (s->n_active > 0) {
      const int status = solve_active(w, s, u_free, report, &result);
      if (status != BASE_OK && status != BASE_UNCONVERGED) {
        return base_fail(status, "one-step problem at t = %g s: %s", s->t, result.reason);
      }
    }
  } while (select_violated(w, s) > 0);
  report->contacts = s->n_active;
  report->unconverged = result.status == BASE_UNCONVERGED;
  return result.status;
}

/* Work of the system's own dissipative and applied forces, dt f . (u^B + u^E) / 2. */
static double work_of(void (*force)(const struct mech *, const double *, const double *, double,
                                    double *),
                      const struct impulse *w, const struct step *s) {
  if (force == NULL) {
    return 0;
  }
  const struct mech *m = w->setup.mech;
  double *f = base_arena_doubles(w->setup.arena, m->nu);
  force(m, w->q_force, s->u_begin, force_time(w, s->t, s->dt), f);
  return 0.5 * s->dt * (la_dot(m->nu, f, s->u_begin) + la_dot(m->nu, f, s->u));
}

/* Work, closings, and the memory for the next step. A contact carries when the projection of the
 * natural map is active, A_NN r_N > xi_N: exact zeros are not needed, which interior-point solvers
 * do not give. */
static void step_account(struct impulse *w, struct step *s, struct form_report *report) {
  const struct mech_contacts *c = &w->contacts;
  struct form_memory *memory = &w->memory[1 - w->last];
  const int dim = c->dim;
  for (int k = 0; k < s->n_active; ++k) {
    const int i = s->active[k], at = dim * i;
    const double *r = s->r + at, *v0 = s->v_begin + at, *v1 = s->v + at;
    report->work.impact += 0.5 * r[0] * (v0[0] + v1[0]);
    for (int d = 1; d < dim; ++d) {
      report->work.friction += 0.5 * r[d] * (v0[d] + v1[d]);
    }
    if (r[0] > 0 && s->A_NN[k] * r[0] > v1[0] + s->shift[at] - least_normal(w, s, i)) {
      report->closings += s->age[i] == 0;
      form_memory_push(memory, c->id[i], s->age[i] + 1, v0[0], r);
    }
  }
  w->last = 1 - w->last;
  report->n_carrying = memory->n;
  report->carrying = memory->id;
  report->impulses = memory->r;
  const struct mech_ops *ops = w->setup.mech->ops;
  report->work.damping = work_of(ops->damping, w, s);
  report->work.applied = work_of(ops->applied, w, s);
}

/* One attempt with the contacts collected; need: how near contacts had to be [m]. */
static int attempt(struct impulse *w, struct form_state *state, double dt, double reach,
                   double *need, struct form_report *report) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct step s = {.t = state->t, .dt = dt, .u_begin = state->u};
  step_free(w, &s);
  if (w->D != NULL) {
    s.turn = base_arena_doubles(arena, 9 * m->nb);
    s.inverse = base_arena_doubles(arena, 7 * m->nb);
    m->ops->rigid(m, w->q, s.turn, s.inverse);
    w->contacts.turn = s.turn;
  }
  step_shift(w, &s);
  const int status = step_solve(w, &s, report);
  if (status == BASE_OK || status == BASE_UNCONVERGED) {
    *need = fmin(w->scheme.reach, reach_of(w, s.u, dt));
    if (!(*need > reach)) { /* so too when it is not a number: a state that blew up */
      step_account(w, &s, report);
      move(m, w->q, s.u, w->scheme.midpoint ? 0.5 * dt : dt, state->q, arena);
      normalise(m, state->q);
      la_copy(m->nu, s.u, state->u);
      state->t += dt;
    }
  }
  base_arena_release(arena, mark);
  return status;
}

static struct form_report report_empty(void) {
  return (struct form_report){.internal_steps = 1,
                              .residual = {.at = -1},
                              .optimality = {NAN, NAN},
                              .diagnostics = {.energy_excess = NAN, .at = -1}};
}

int form_impulse_step(void *workspace, struct form_state *state, double dt,
                      struct form_report *report) {
  struct impulse *w = workspace;
  double need = INFINITY;
  *report = report_empty();
  int status = evaluate(w, state, dt);
  if (status == BASE_OK) {
    need = fmax(reach_of(w, state->u, dt), reach_of(w, w->u_free, dt));
  }
  while (status == BASE_OK || status == BASE_UNCONVERGED) {
    const double reach = REACH_MARGIN * need;
    collect(w, reach);
    *report = report_empty();
    status = attempt(w, state, dt, reach, &need, report);
    if (!(need > reach)) {
      break;
    }
  }
  return status;
}

void form_impulse_keep(void *workspace, struct base_blob *blob) {
  struct impulse *w = workspace;
  form_memory_pass(&w->memory[w->last], w->setup.mech->dim, w->setup.arena, blob);
}
