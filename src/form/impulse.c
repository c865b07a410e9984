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
 * What is kept of a contact is what the one-step problem needs (b, r and the normal shift); its
 * velocities at the beginning and the end of the step are computed where they are asked for. Rows
 * of contacts that take part and contact lists live in arenas of their own, which grow with the
 * largest step so far; everything else is scratch, marked and released in the setup's arena.
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
/* Contacts that diagnostics take at a time: A_ii of these are a few kB. */
enum { PART = 64 };

/* Contacts of the one-step problem, ascending, one row each. */
struct rows {
  struct base_arena *store;
  int n, capacity;
  int *contact;  /* n */
  int *age;      /* n, before this step */
  double *shift; /* n, s_N [m/s] */
  double *b;     /* dim n, W^T u_f + s [m/s] */
  double *r;     /* dim n [N s] */
  double *rest;  /* s_N of the contacts that are in no row, ascending [m/s] */
};

struct impulse {
  struct form_setup setup;
  struct form_impulse_scheme scheme;
  double *middle;                  /* nq, midpoint, of schemes that look there */
  const double *q;                 /* nq, evaluation point */
  const double *q_force;           /* nq, where h is taken */
  double *u_free;                  /* nu, u^B + dt M^-1 h, then without violating constraints */
  struct form_bilateral bilateral; /* at the evaluation point, of this step */
  int compact;                     /* free rigid bodies: contacts are compact, M is diagonal */
  double *L;                       /* nb blocks nv x nv, factor of M(q); NULL: compact */
  double *inverse;                 /* 2 x nb of central systems, 1/m and 1/I; else NULL */
  int has_mass;                    /* L holds the constant mass already */
  struct mech_contacts contacts;   /* within reach, at q */
  struct rows rows;
  struct form_memory memory; /* of the last step */
  void *eliminator;          /* workspace of scheme.elimination */
};

/* Scratch of one attempt, in the arena. */
struct step {
  double t, dt;
  const double *u_begin;     /* nu */
  const double *u;           /* nu, u^E */
  struct mech_contacts part; /* the contacts of the rows */
  struct problem problem;    /* the one solved last, nc = 0: none was */
};

/* Free rigid bodies in space: W from lever arms, M as its diagonal. */
static int can_be_compact(const struct mech *m) {
  return m->ops->rigid != NULL && m->ops->mass_diagonal != NULL && m->ns == 0 && m->dim == 3 &&
         m->constant_mass && !m->friction_sets;
}

/* Mass and list of contacts of free rigid bodies. */
static void alloc_compact(struct impulse *w) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  w->compact = 1;
  if (!m->central) {
    mech_contacts_init_compact(&w->contacts, m, arena);
    return;
  }
  mech_contacts_init_central(&w->contacts, m, arena);
  w->inverse = base_arena_doubles(arena, 2 * m->nb);
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *mass = base_arena_doubles(arena, m->nu);
  m->ops->mass_diagonal(m, NULL, mass);
  for (int k = 0; k < 2 * m->nb; ++k) {
    w->inverse[k] = 1 / mass[3 * k];
  }
  base_arena_release(arena, mark);
}

void *form_impulse_alloc(const struct form_setup *setup, const struct form_impulse_scheme *scheme) {
  const struct mech *m = setup->mech;
  if (form_impulse_check(setup, scheme->law) != BASE_OK) {
    return NULL;
  }
  struct impulse *w = base_arena_push(setup->arena, sizeof *w);
  w->setup = *setup;
  w->scheme = *scheme;
  if (scheme->midpoint || scheme->force_midway) {
    w->middle = base_arena_doubles(setup->arena, m->nq);
  }
  w->u_free = base_arena_doubles(setup->arena, m->nu);
  w->rows.store = base_arena_child(setup->arena);
  form_memory_init(&w->memory, m->dim, setup->arena);
  if (scheme->elimination == NULL && can_be_compact(m)) {
    alloc_compact(w);
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

/* Forces to changes of velocity, dt M^-1 h; x: nu. */
static void accelerate(struct impulse *w, double dt, double *x) {
  const struct mech *m = w->setup.mech;
  for (int i = 0; i < m->nu; ++i) {
    x[i] *= dt;
  }
  if (!w->compact) {
    mech_mass_solve(m, w->L, 1, x);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  double *mass = base_arena_doubles(w->setup.arena, m->nu);
  m->ops->mass_diagonal(m, w->q, mass);
  for (int i = 0; i < m->nu; ++i) {
    x[i] /= mass[i];
  }
  base_arena_release(w->setup.arena, mark);
}

/* Evaluation point, mass, and velocities under the forces alone. */
static int evaluate(struct impulse *w, const struct form_state *state, double dt) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  w->q = w->q_force = state->q;
  if (w->middle != NULL) {
    move(m, state->q, state->u, 0.5 * dt, w->middle, arena);
    normalise(m, w->middle);
    w->q_force = w->middle;
  }
  if (w->scheme.midpoint) {
    w->q = w->middle;
  }
  if (!la_all_finite(m->nq, w->q_force) || !la_all_finite(m->nu, state->u)) {
    return base_fail(BASE_DIVERGED, "%s: state is not finite at t = %g s", m->name, state->t);
  }
  if (!w->has_mass && !w->compact) {
    const int status = mech_mass_factor(m, w->q, w->L);
    if (status != BASE_OK) {
      return status;
    }
    w->has_mass = m->constant_mass;
  }
  const double t = force_time(w, state->t, dt);
  mech_set_time(m, t);
  m->ops->force(m, w->q_force, state->u, t, w->u_free);
  accelerate(w, dt, w->u_free);
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

/* Contacts within reach, and room for a row each. */
static void collect(struct impulse *w, double reach) {
  const struct mech *m = w->setup.mech;
  struct rows *x = &w->rows;
  mech_contacts_clear(&w->contacts);
  if (m->ops->contacts != NULL) {
    m->ops->contacts(m, w->q, NULL, fmin(w->scheme.reach, reach), &w->contacts);
  }
  if (w->contacts.n > x->capacity) {
    const size_t n = (size_t)w->contacts.n + (size_t)w->contacts.n / 8, d = sizeof(double);
    const size_t block = (size_t)m->dim * d;
    x->capacity = (int)n;
    x->contact = base_arena_resize(x->store, x->contact, 0, n * sizeof *x->contact);
    x->age = base_arena_resize(x->store, x->age, 0, n * sizeof *x->age);
    x->shift = base_arena_resize(x->store, x->shift, 0, n * d);
    x->b = base_arena_resize(x->store, x->b, 0, n * block);
    x->r = base_arena_resize(x->store, x->r, 0, n * block);
    x->rest = base_arena_resize(x->store, x->rest, 0, n * d);
  }
}

/* Bilateral constraints by the scheme's own elimination. */
static void constrain(struct impulse *w, double t, double dt) {
  const struct mech *m = w->setup.mech;
  double *offset = base_arena_doubles(w->setup.arena, m->ns);
  w->scheme.elimination->build(w->eliminator, w->q, w->L);
  if (m->ns > 0) {
    mech_set_time(m, t + dt);
    m->ops->bilateral(m, w->q, offset);
  }
  for (int i = 0; i < m->ns; ++i) {
    offset[i] /= dt;
  }
  w->scheme.elimination->constrain(w->eliminator, offset, w->u_free);
}

/* w->u_free = velocity at the end of the step if no contact acted. */
static void step_free(struct impulse *w, double t, double dt) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  if (w->scheme.elimination != NULL) {
    constrain(w, t, dt);
    return;
  }
  form_bilateral_build(m, w->q, w->L, arena, &w->bilateral);
  if (m->ns > 0) {
    double *rate = base_arena_doubles(arena, m->ns);
    mech_set_time(m, t + dt); /* prescribed motion is met at the end of the step */
    if (w->scheme.bilateral_position) {
      m->ops->bilateral(m, w->q, rate);
      la_gemv_t(m->nu, m->ns, 1, w->bilateral.WS, w->u_free, 1 / dt, rate);
    } else {
      mech_bilateral_rate(m, w->q, w->bilateral.WS, w->u_free, rate);
    }
    form_bilateral_eliminate(&w->bilateral, m->nu, 1, rate, w->u_free, arena);
  }
}

/* Velocities as the contacts want them: u itself, or from the arena with bodies turning about world
 * axes. */
static const double *seen_by_contacts(const struct impulse *w, const double *u) {
  const struct mech *m = w->setup.mech;
  if (!w->compact) {
    return u;
  }
  double *x = base_arena_doubles(w->setup.arena, m->nu);
  m->ops->turn(m, w->q, 0, u, x);
  return x;
}

/* Velocities before the step and without contact impulses, as the contacts want them. */
struct motions {
  const double *begin, *free; /* nu */
};

static struct motions motions_of(const struct impulse *w, const struct step *s) {
  return (struct motions){.begin = seen_by_contacts(w, s->u_begin),
                          .free = seen_by_contacts(w, w->u_free)};
}

/* What goes into the row of contact i: age, shift, b and the warm start. known: its place in the
 * memory, -1: none. */
struct row {
  int age;
  double shift[CONTACT_DIM_MAX], b[CONTACT_DIM_MAX], r[CONTACT_DIM_MAX];
};

static void row_of(const struct impulse *w, const struct step *s, const struct motions *u, int i,
                   int known, struct row *row) {
  const struct mech_contacts *c = &w->contacts;
  const struct form_memory *memory = &w->memory;
  const int dim = c->dim;
  double v_begin[CONTACT_DIM_MAX], v_free[CONTACT_DIM_MAX];
  *row = (struct row){.age = known >= 0 ? memory->age[known] : 0};
  mech_contacts_velocity_of(c, i, u->begin, v_begin);
  mech_contacts_velocity_of(c, i, u->free, v_free);
  const struct form_impulse_contact contact = {.dim = dim,
                                               .dt = s->dt,
                                               .gap = c->gN[i],
                                               .eps_N = mech_contacts_eps_N(c, i),
                                               .eps_T = mech_contacts_eps_T(c, i),
                                               .v_begin = v_begin,
                                               .v_free = v_free,
                                               .age = row->age,
                                               .approach = known >= 0 ? memory->v_begin[known] : 0};
  w->scheme.shift(w->setup.options, &contact, row->shift);
  for (int d = 0; d < dim; ++d) {
    row->b[d] = v_free[d] + row->shift[d];
  }
  if (known >= 0 && w->setup.warm_start) {
    la_copy(dim, memory->r + (size_t)known * (size_t)dim, row->r);
  }
}

static void put_row(struct impulse *w, int k, int i, const struct row *row) {
  struct rows *x = &w->rows;
  const int dim = w->contacts.dim;
  x->contact[k] = i;
  x->age[k] = row->age;
  x->shift[k] = row->shift[0];
  la_copy(dim, row->b, x->b + (size_t)dim * (size_t)k);
  la_copy(dim, row->r, x->r + (size_t)dim * (size_t)k);
}

/* First guess of the contacts that matter: those whose gap the velocities at hand could close, and
 * those that carried an impulse before. */
static void select_near(struct impulse *w, const struct step *s) {
  const struct mech_contacts *c = &w->contacts;
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const struct motions u = motions_of(w, s);
  double speed = 0;
  for (int i = 0; i < c->n; ++i) {
    double v[CONTACT_DIM_MAX];
    mech_contacts_velocity_of(c, i, u.free, v);
    speed = fmax(speed, la_norm_inf(c->dim, v));
  }
  int cursor = 0, rest = 0;
  w->rows.n = 0;
  for (int i = 0; i < c->n; ++i) {
    struct row row;
    row_of(w, s, &u, i, form_memory_find(&w->memory, c->id[i], &cursor), &row);
    if (row.shift[0] <= speed || row.age > 0) {
      put_row(w, w->rows.n++, i, &row);
    } else {
      w->rows.rest[rest++] = row.shift[0];
    }
  }
  base_arena_release(arena, mark);
}

/* Least xi_N the law allows contact i that slips at |v_T|: zero, or mu |v_T| under the convex
 * relaxation. v: dim, at the end of the step, without shift. */
static double least_normal(const struct impulse *w, int i, const double *v) {
  const int dim = w->contacts.dim;
  const double slip = dim > 1 ? la_norm2(dim - 1, v + 1) : 0;
  return w->scheme.law == CONTACT_LAW_CCP ? w->contacts.mu[i] * slip : 0;
}

/* Rows of contacts that had none and are violated, marked by NaN in `rest`; how many: added. */
static void add_rows(struct impulse *w, const struct step *s, int added) {
  struct rows *x = &w->rows;
  const struct motions u = motions_of(w, s);
  const size_t dim = (size_t)w->contacts.dim;
  int from = x->n, to = x->n + added, rest = w->contacts.n - x->n;
  x->n = to;
  for (int i = w->contacts.n - 1; to > from; --i) { /* backwards: rows only move on */
    if (from > 0 && x->contact[from - 1] == i) {
      --from, --to;
      x->contact[to] = i;
      x->age[to] = x->age[from];
      x->shift[to] = x->shift[from];
      memmove(x->b + dim * (size_t)to, x->b + dim * (size_t)from, dim * sizeof *x->b);
      memmove(x->r + dim * (size_t)to, x->r + dim * (size_t)from, dim * sizeof *x->r);
    } else if (isnan(x->rest[--rest])) {
      struct row row;
      row_of(w, s, &u, i, -1, &row); /* it did not carry before: it would have a row */
      put_row(w, --to, i, &row);
    }
  }
}

/* Put contacts in that were left out and are violated by s->u; returns how many. */
static int select_violated(struct impulse *w, const struct step *s) {
  const struct mech_contacts *c = &w->contacts;
  struct rows *x = &w->rows;
  const int left_out = c->n - x->n;
  if (left_out == 0) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  const double *u = seen_by_contacts(w, s->u);
  int added = 0;
  for (int i = 0, k = 0, rest = 0; i < c->n; ++i) {
    double v[CONTACT_DIM_MAX];
    if (k < x->n && x->contact[k] == i) {
      ++k;
      continue;
    }
    mech_contacts_velocity_of(c, i, u, v);
    if (v[0] + x->rest[rest] < least_normal(w, i, v)) {
      x->rest[rest] = NAN;
      ++added;
    }
    ++rest;
  }
  if (added > 0) {
    add_rows(w, s, added);
    int kept = 0;
    for (int rest = 0; rest < left_out; ++rest) {
      if (!isnan(x->rest[rest])) {
        x->rest[kept++] = x->rest[rest];
      }
    }
  }
  base_arena_release(w->setup.arena, mark);
  return added;
}

/* The contacts of the rows as a list of their own, in the arena. */
static void gather(const struct impulse *w, struct step *s) {
  const struct mech_contacts *c = &w->contacts;
  const size_t block = (size_t)(2 * c->nv * c->dim);
  const int n = w->rows.n;
  if (n == c->n) {
    s->part = *c;
    return;
  }
  struct base_arena *arena = w->setup.arena;
  s->part = (struct mech_contacts){.n = n,
                                   .capacity = n,
                                   .dim = c->dim,
                                   .nv = c->nv,
                                   .compact = c->compact,
                                   .central = c->central,
                                   .lever = c->lever,
                                   .pick = c->compact ? w->rows.contact : NULL};
  s->part.mu = base_arena_doubles(arena, n);
  s->part.body = base_arena_ints(arena, 2 * n);
  if (c->set != NULL) {
    s->part.set = base_arena_push(arena, (size_t)n * sizeof *s->part.set);
  }
  if (!c->compact) {
    s->part.W = base_arena_push(arena, (size_t)n * block * sizeof *c->W);
  }
  for (int k = 0; k < n; ++k) {
    const int i = w->rows.contact[k];
    s->part.mu[k] = c->mu[i];
    if (c->set != NULL) {
      s->part.set[k] = c->set[i];
    }
    s->part.body[2 * k] = c->body[2 * i];
    s->part.body[2 * k + 1] = c->body[2 * i + 1];
    if (!c->compact) {
      memcpy(s->part.W + (size_t)k * block, c->W + (size_t)i * block, block * sizeof *c->W);
    }
  }
}

/* Id of the contact of row k; -1 stays. */
static long id_of(const struct impulse *w, long k) {
  return k >= 0 ? w->contacts.id[w->rows.contact[k]] : -1;
}

/* The operator of the rows' contacts. */
static void build_operator(struct impulse *w, struct step *s, const struct contact_model *model,
                           struct form_report *report, struct form_delassus *out) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  if (w->scheme.elimination != NULL) {
    report->mcp = w->scheme.elimination->response(w->eliminator, &s->part, problem_lcp_size(model),
                                                  arena, &out->A);
  } else if (w->compact) {
    double *inverse = w->inverse;
    if (inverse == NULL) {
      inverse = base_arena_doubles(arena, 7 * m->nb);
      m->ops->rigid(m, w->q, NULL, inverse);
    }
    form_delassus_build_rigid(m, w->q, inverse, &s->part, arena, out);
  } else {
    form_delassus_build(m, w->L, &w->bilateral, &s->part, arena, out);
  }
}

/* One solve over the rows from u_free (nu): their r, and s->u. The result's status. */
static int solve_rows(struct impulse *w, struct step *s, struct form_report *report,
                      struct problem_result *result) {
  struct base_arena *arena = w->setup.arena;
  struct form_delassus delassus = {.A = {0}};
  gather(w, s);
  const struct contact_model model = {.law = w->scheme.law,
                                      .dim = w->contacts.dim,
                                      .nc = w->rows.n,
                                      .mu = s->part.mu,
                                      .set = s->part.set,
                                      .n_dir = w->scheme.n_dir,
                                      .dirs = w->scheme.dirs};
  build_operator(w, s, &model, report, &delassus);
  s->problem = (struct problem){.name = "", .model = model, .A = delassus.A, .b = w->rows.b};
  if (w->setup.sink.take != NULL) {
    w->setup.sink.take(w->setup.sink.data, &s->problem);
  }
  problem_solve(&s->problem, w->setup.solver, w->setup.solver_options, &w->setup.loop, w->rows.r,
                NULL, NULL, arena, result);
  ++report->solves;
  report->iterations += result->iterations;
  report->residual = result->residual;
  report->optimality = result->optimality;
  report->by = result->by;
  report->round = result->round;
  double *u = base_arena_doubles(arena, w->setup.mech->nu);
  la_copy(w->setup.mech->nu, w->u_free, u);
  if (w->scheme.elimination != NULL) {
    w->scheme.elimination->respond(w->eliminator, &s->part, w->rows.r, u);
  } else {
    form_delassus_respond(&delassus, w->rows.r, u, arena);
  }
  s->u = u;
  return result->status;
}

/* Solve until no contact left out is violated. BASE_OK, BASE_UNCONVERGED, or a failure. */
static int step_solve(struct impulse *w, struct step *s, struct form_report *report) {
  struct problem_result result = {.status = BASE_OK};
  s->u = w->u_free;
  select_near(w, s);
  do {
    if (w->rows.n > 0) {
      const int status = solve_rows(w, s, report, &result);
      if (status != BASE_OK && status != BASE_UNCONVERGED) {
        return base_fail(status, "one-step problem at t = %g s: %s", s->t, result.reason);
      }
    }
  } while (select_violated(w, s) > 0);
  report->contacts = w->rows.n;
  report->unconverged = result.status == BASE_UNCONVERGED;
  report->residual.at = id_of(w, report->residual.at);
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
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  double *f = base_arena_doubles(w->setup.arena, m->nu);
  force(m, w->q_force, s->u_begin, force_time(w, s->t, s->dt), f);
  const double power = la_dot(m->nu, f, s->u_begin) + la_dot(m->nu, f, s->u);
  base_arena_release(w->setup.arena, mark);
  return 0.5 * s->dt * power;
}

/* Velocities at the end of the step with the normal shift, of the rows; dim n from the arena. */
static double *velocities_shifted(const struct impulse *w, const double *u) {
  const struct rows *x = &w->rows;
  const int dim = w->contacts.dim;
  double *v = base_arena_doubles(w->setup.arena, dim * x->n);
  for (int k = 0; k < x->n; ++k) {
    mech_contacts_velocity_of(&w->contacts, x->contact[k], u, v + (size_t)dim * (size_t)k);
    v[(size_t)dim * (size_t)k] += x->shift[k];
  }
  return v;
}

/* A_ii of n rows from the first on. */
static void blocks_of(const struct step *s, int first, int n, double *diag) {
  const int size = s->problem.model.dim * s->problem.model.dim;
  for (int i = 0; i < n; ++i) {
    problem_operator_block(&s->problem.A, first + i, diag + size * i);
  }
}

/* Yardsticks of the last solve. v: dim n, shifted. */
static void diagnose(const struct impulse *w, const struct step *s, const double *v,
                     struct form_report *report) {
  const struct contact_model *model = &s->problem.model;
  const size_t dim = (size_t)model->dim;
  double diag[PART * CONTACT_DIM_MAX * CONTACT_DIM_MAX], noise = 0;
  report->diagnostics = CONTACT_DIAGNOSTICS_EMPTY;
  for (int pass = 0; pass < 2; ++pass) {
    for (int first = 0; first < model->nc; first += PART) {
      const int n = model->nc - first < PART ? model->nc - first : PART;
      const struct contact_model part = contact_model_part(model, first, n);
      const double *r = w->rows.r + dim * (size_t)first, *v_part = v + dim * (size_t)first;
      blocks_of(s, first, n, diag);
      if (pass == 0) {
        noise = fmax(noise, contact_diagnose_noise(&part, diag, r, v_part));
      } else {
        contact_diagnose_add(&part, first, diag, r, v_part, noise, &report->diagnostics);
      }
    }
  }
  report->diagnostics.at = id_of(w, report->diagnostics.at);
}

/* Work, closings, and the memory for the next step. A contact carries when the projection of the
 * natural map is active, A_NN r_N > xi_N: exact zeros are not needed, which interior-point solvers
 * do not give. */
static void account_contacts(struct impulse *w, const struct step *s, struct form_report *report) {
  const struct mech_contacts *c = &w->contacts;
  const struct rows *x = &w->rows;
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  const int dim = c->dim;
  const double *begin = seen_by_contacts(w, s->u_begin), *end = seen_by_contacts(w, s->u);
  diagnose(w, s, velocities_shifted(w, end), report);
  form_memory_reserve(&w->memory, x->n);
  for (int k = 0; k < x->n; ++k) {
    const int i = x->contact[k];
    const double *r = x->r + (size_t)dim * (size_t)k;
    double v0[CONTACT_DIM_MAX], v1[CONTACT_DIM_MAX], block[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
    mech_contacts_velocity_of(c, i, begin, v0);
    mech_contacts_velocity_of(c, i, end, v1);
    report->work.impact += 0.5 * r[0] * (v0[0] + v1[0]);
    for (int d = 1; d < dim; ++d) {
      report->work.friction += 0.5 * r[d] * (v0[d] + v1[d]);
    }
    blocks_of(s, k, 1, block);
    if (r[0] > 0 && block[0] * r[0] > v1[0] + x->shift[k] - least_normal(w, i, v1)) {
      report->closings += x->age[k] == 0;
      form_memory_push(&w->memory, c->id[i], x->age[k] + 1, v0[0], r);
    }
  }
  base_arena_release(w->setup.arena, mark);
}

static void step_account(struct impulse *w, const struct step *s, struct form_report *report) {
  if (w->rows.n > 0) {
    account_contacts(w, s, report);
  } else {
    form_memory_reserve(&w->memory, 0);
  }
  report->n_carrying = w->memory.n;
  report->carrying = w->memory.id;
  report->impulses = w->memory.r;
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
                              .diagnostics = CONTACT_DIAGNOSTICS_EMPTY};
}

int form_impulse_step(void *workspace, struct form_state *state, double dt,
                      struct form_report *report) {
  struct impulse *w = workspace;
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  double need = INFINITY;
  int is_free = 0;
  *report = report_empty();
  int status = evaluate(w, state, dt);
  if (status == BASE_OK) {
    need = fmax(reach_of(w, state->u, dt), reach_of(w, w->u_free, dt));
  }
  while (status == BASE_OK || status == BASE_UNCONVERGED) {
    const double reach = REACH_MARGIN * need;
    collect(w, reach);
    if (!is_free) {
      step_free(w, state->t, dt);
      is_free = 1;
    }
    *report = report_empty();
    status = attempt(w, state, dt, reach, &need, report);
    if (!(need > reach)) {
      break;
    }
  }
  base_arena_release(w->setup.arena, mark);
  return status;
}

void form_impulse_keep(void *workspace, struct base_blob *blob) {
  struct impulse *w = workspace;
  form_memory_pass(&w->memory, blob);
}
