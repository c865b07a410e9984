/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps of fixed number over the contacts of a one-step problem, as engines make them: one
 * projected step for the normal impulse, then one for friction, contact after contact.
 */
#include <math.h>

#include "form/impulse/parts.h"
#include "la/dense.h"

/* The normal impulse of contact i, by one projected step. A: its block. */
static void sweep_normal(struct problem_sweep *sweep, int i, const double *A, double *r) {
  double v[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX] = {0};
  problem_sweep_velocity(sweep, i, v);
  change[0] = fmax(0, r[0] - v[0] / A[0]) - r[0];
  r[0] += change[0];
  problem_sweep_change(sweep, i, change);
}

/* Its friction, within the disk of the normal impulse that is there. */
static void sweep_friction(const struct contact_model *model, struct problem_sweep *sweep, int i,
                           const double *A, double *r) {
  const int dim = model->dim;
  double v[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX] = {0}, wanted[CONTACT_DIM_MAX];
  double mass = 0, size = 0;
  for (int d = 1; d < dim; ++d) {
    mass += A[d * dim + d] / (dim - 1);
  }
  problem_sweep_velocity(sweep, i, v);
  for (int d = 1; d < dim; ++d) {
    wanted[d] = r[d] - v[d] / mass;
    size = hypot(size, wanted[d]);
  }
  const double most = model->mu[i] * r[0], part = size > most ? most / size : 1;
  for (int d = 1; d < dim; ++d) {
    change[d] = part * wanted[d] - r[d];
    r[d] += change[d];
  }
  problem_sweep_change(sweep, i, change);
}

enum swept { ALL, FRICTION };

/* Sweeps from the impulses of the rows on, over their problem, and s->u. */
static void sweep(struct impulse *w, struct impulse_step *s, const struct form_delassus *delassus,
                  const struct problem *p, int sweeps, enum swept what,
                  struct form_report *report) {
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int dim = p->model.dim;
  struct problem_sweep *sweep = problem_sweep_alloc(p, arena);
  problem_sweep_start(sweep, w->rows.r);
  for (int k = 0; k < sweeps * p->model.nc; ++k) {
    const int i = k % p->model.nc;
    double own[CONTACT_DIM_MAX * CONTACT_DIM_MAX], *r = w->rows.r + dim * i;
    const double *A = problem_sweep_block(sweep, i, own);
    if (what == ALL) {
      sweep_normal(sweep, i, A, r);
    }
    if (dim > 1) {
      sweep_friction(&p->model, sweep, i, A, r);
    }
  }
  base_arena_release(arena, mark);
  report->iterations += sweeps;
  impulse_respond(w, s, delassus, w->rows.r, w->u_free);
}

/* The problem of the rows without their compliance. */
static struct problem rigid(const struct impulse *w, const struct impulse_step *s) {
  struct problem p = s->solved.problem;
  p.A.compliance = NULL;
  p.A.diagonal = w->rows.A;
  return p;
}

void impulse_sweep_softly(struct impulse *w, struct impulse_step *s,
                          const struct form_delassus *delassus, struct form_report *report) {
  ++report->solves;
  sweep(w, s, delassus, &s->solved.problem, w->scheme.sweeps, ALL, report);
}

void impulse_stop_slip(struct impulse *w, struct impulse_step *s,
                       const struct form_delassus *delassus, struct form_report *report) {
  const struct problem p = rigid(w, s);
  sweep(w, s, delassus, &p, w->scheme.noslip, FRICTION, report);
}

/* Positions move with the velocities at hand; others go on, without bias: what overlaps comes to
 * rest (tgs_soft.c). */
static void relax(struct impulse *w, struct impulse_step *s, const struct form_delassus *delassus,
                  struct form_report *report) {
  const int dim = w->contacts.dim, nu = w->setup.mech->nu;
  double *u_move = base_arena_doubles(w->setup.arena, nu);
  la_copy(nu, s->u, u_move);
  s->impact.u_move = u_move;
  for (int k = 0; k < w->rows.n; ++k) {
    double *shift = &w->rows.shift[w->rows.contact[k]];
    w->rows.b[(long)dim * k] += fmax(0, *shift) - *shift;
    *shift = fmax(0, *shift);
  }
  s->solved.problem = rigid(w, s);
  sweep(w, s, delassus, &s->solved.problem, w->scheme.sweeps, ALL, report);
}

void impulse_end_sweeps(struct impulse *w, struct impulse_step *s,
                        const struct form_delassus *delassus, struct form_report *report) {
  const struct impulse_rows *x = &w->rows;
  const int dim = w->contacts.dim;
  if (!w->scheme.descends) {
    relax(w, s, delassus, report);
  }
  double *v = base_arena_doubles(w->setup.arena, dim * x->n);
  for (int k = 0; k < x->n; ++k) { /* of rigid contacts, at the velocities found */
    mech_contacts_velocity_of(&w->contacts, x->contact[k], s->u, v + dim * k);
    v[dim * k] += x->shift[x->contact[k]];
  }
  s->solved.residual = contact_residual(&s->solved.problem.model, x->A, x->r, v, x->b);
}
