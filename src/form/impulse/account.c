/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Report of a step of impulse stepping, and its memory for the next one; see parts.h. The energy it
 * takes or gives by contacts is r . (v^- + v) / 2 a solve, v^- and v those before and after it; see
 * impulse.c and, for v^- of several solves, phases.c.
 */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "form/grade.h"
#include "form/impulse/parts.h"
#include "la/dense.h"

/* Work of the system's own dissipative and applied forces, dt f . (u^B + u^E) / 2. */
static double work_of(impulse_force_function force, const struct impulse *w,
                      const struct impulse_step *s) {
  if (force == NULL) {
    return 0;
  }
  const struct mech *m = w->setup.mech;
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  double *f = base_arena_doubles(w->setup.arena, m->nu);
  if (w->scheme.force == FORM_FORCE_IMPLICIT) {
    impulse_theta_force(w, s, s->u, force, f);
  } else {
    force(m, w->q_force, s->u_begin, impulse_force_time(w, s->t, s->dt), f);
  }
  const double power = la_dot(m->nu, f, s->u_begin) + la_dot(m->nu, f, s->u);
  base_arena_release(w->setup.arena, mark);
  return 0.5 * s->dt * power;
}

/* chi: ns, the rates of prescribed motion that the velocities at the end of a step from t on
 * follow: at gap level those from step to step, so that a jump is felt a step later. Before the
 * first step, t < 0, they are those of the start. */
static void followed_drift(const struct impulse *w, double t, double dt, double *chi) {
  const struct mech *m = w->setup.mech;
  mech_set_time(m, t + dt);
  if (!w->scheme.gap_level || t < 0) {
    m->ops->driven.bilateral_drift(m, w->q, chi);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  double *begin = base_arena_doubles(w->setup.arena, m->ns);
  m->ops->bilateral(m, w->q, chi);
  mech_set_time(m, t);
  m->ops->bilateral(m, w->q, begin);
  la_axpy(m->ns, -1, begin, chi);
  for (int i = 0; i < m->ns; ++i) {
    chi[i] /= dt;
  }
  base_arena_release(w->setup.arena, mark);
}

/* Work of prescribed motion, -Lambda_S . chi with chi the mean of both ends, without the
 * multipliers: with any u* that follows chi, W_S^T u* + chi = 0, it is
 *
 *   W_S Lambda_S . u* = (M (u^E - u^B) - dt h - W r) . u*.
 *
 * What joints do beside it stays with the numerical part of the budget. */
static double work_of_drives(const struct impulse *w, const struct impulse_step *s) {
  const struct mech *m = w->setup.mech;
  if (w->u_forced == NULL) {
    return 0;
  }
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const size_t dim = (size_t)w->contacts.dim;
  double *chi = base_arena_doubles(arena, m->ns), *end = base_arena_doubles(arena, m->ns);
  double *follow = base_arena_doubles(arena, m->nu), *f = base_arena_doubles(arena, m->nu);
  followed_drift(w, s->t - s->dt, s->dt, chi);
  followed_drift(w, s->t, s->dt, end);
  for (int i = 0; i < m->ns; ++i) {
    chi[i] = 0.5 * (chi[i] + end[i]);
  }
  memset(follow, 0, (size_t)m->nu * sizeof *follow);
  w->elimination->constrain(w->eliminator, chi, follow);
  la_copy(m->nu, s->u, f);
  la_axpy(m->nu, -1, w->u_forced, f);
  mech_mass_apply(m, w->L, f);
  double work = la_dot(m->nu, f, follow);
  for (int i = 0, k = 0; i < w->contacts.n; ++i) {
    const int has_row = k < w->rows.n && w->rows.contact[k] == i;
    if (s->impact.total != NULL || has_row) {
      double v[CONTACT_DIM_MAX];
      mech_contacts_velocity_of(&w->contacts, i, follow, v);
      const double *r =
          s->impact.total != NULL ? s->impact.total + dim * (size_t)i : w->rows.r + dim * (size_t)k;
      work -= la_dot((long)dim, r, v);
    }
    k += has_row;
  }
  base_arena_release(arena, mark);
  return work;
}

/* Velocities at the end of the step, of the rows, in place of their b. */
static void end_velocities(struct impulse *w, const struct impulse_step *s) {
  const size_t dim = (size_t)w->contacts.dim;
  for (int k = 0; k < w->rows.n; ++k) {
    mech_contacts_velocity_of(&w->contacts, w->rows.contact[k], s->u, w->rows.b + dim * (size_t)k);
  }
}

struct contact_diagnostics impulse_diagnose(struct impulse *w, const struct impulse_step *s) {
  const struct impulse_rows *x = &w->rows;
  const size_t dim = (size_t)w->contacts.dim, size = dim * (size_t)x->n * sizeof(double);
  end_velocities(w, s);
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  double *xi = base_arena_room(w->setup.arena, size);
  memcpy(xi, x->b, size);
  for (int k = 0; k < x->n; ++k) {
    xi[dim * (size_t)k] += x->shift[x->contact[k]];
  }
  const struct contact_diagnostics diagnostics =
      contact_diagnose(&s->solved.problem.model, x->A, x->r, xi, 0);
  base_arena_release(w->setup.arena, mark);
  return diagnostics;
}

/* Grade an expansion, which is a problem of its own, and the compression before it. */
static void grade_expansion(const struct impulse *w, const struct impulse_expansion *e,
                            struct form_report *report) {
  form_grade(&e->compression_residual, &e->compression_diagnostics, e->compression_id, report);
  const struct problem *p = &e->problem;
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  const double *diagonal = problem_operator_diagonal_of(&p->A, w->setup.arena);
  const struct contact_diagnostics diagnostics =
      contact_diagnose(&p->model, diagonal, e->r, e->v, 0);
  form_grade(&e->residual, &diagnostics, e->id, report);
  base_arena_release(w->setup.arena, mark);
}

/* A contact carries when the projection of the natural map is active, A_NN r_N > xi_N: exact zeros
 * are not needed, which interior-point solvers do not give. After sweeps that solve nothing every
 * impulse carries. */
static void account_row(const struct impulse *w, struct impulse_step *s, int k) {
  const struct impulse_rows *x = &w->rows;
  const size_t dim = (size_t)w->contacts.dim;
  const int i = x->contact[k];
  const double *r = x->r + dim * (size_t)k, *v = x->b + dim * (size_t)k;
  const double A_NN = x->A[dim * dim * (size_t)k];
  if (s->impact.total != NULL) {
    la_axpy((long)dim, 1, r, s->impact.total + dim * (size_t)i);
  }
  const int is_active = A_NN * r[0] > v[0] + x->shift[i] - impulse_least_normal(w, i, v);
  if (r[0] > 0 && (is_active || w->scheme.sweeps > 0)) {
    const double rate = form_impulse_rate(w->setup.options, w->contacts.gN[i], s->dt);
    const int rebounds = !w->scheme.is_soft && x->shift[i] < fmin(0, rate);
    s->role[i] = (unsigned char)((s->role[i] | IMPULSE_CARRIED | IMPULSE_CLOSED) &
                                 (rebounds ? ~IMPULSE_CLOSED : ~0));
  }
}

/* r . (v0 + v1) / 2 of a row; r, v0, v1: dim. */
static void account_work(size_t dim, const double *r, const double *v0, const double *v1,
                         struct form_report *report) {
  report->work.impact += 0.5 * r[0] * (v0[0] + v1[0]);
  for (size_t d = 1; d < dim; ++d) {
    report->work.friction += 0.5 * r[d] * (v0[d] + v1[d]);
  }
}

/* Of a compression and its expansion: velocities before are without the half of the forces that
 * came first, those after with the half to come, so that all phases add up (phases.c). */
static void account_expansion(const struct impulse *w, const struct impulse_step *s,
                              struct form_report *report) {
  const struct impulse_rows *x = &w->rows;
  const struct impulse_expansion *e = s->impact.expansion;
  const size_t dim = (size_t)w->contacts.dim;
  for (int k = 0; k < x->n; ++k) {
    const int i = x->contact[k];
    double v0[CONTACT_DIM_MAX], v[CONTACT_DIM_MAX], v1[CONTACT_DIM_MAX], half[CONTACT_DIM_MAX];
    mech_contacts_velocity_of(&w->contacts, i, s->impact.u_before, v0);
    mech_contacts_velocity_of(&w->contacts, i, e->u_compressed, v);
    mech_contacts_velocity_of(&w->contacts, i, s->impact.half, half);
    la_copy((long)dim, x->b + dim * (size_t)k, v1);
    la_axpy((long)dim, 1, half, v1);
    la_axpy((long)dim, 1, half, v);
    account_work(dim, e->compression + dim * (size_t)i, v0, v, report);
    la_axpy((long)dim, -2, half, v);
    account_work(dim, e->r_expansion + dim * (size_t)k, v, v1, report);
  }
}

void impulse_account_phase(struct impulse *w, struct impulse_step *s, struct form_report *report) {
  const struct impulse_rows *x = &w->rows;
  const size_t dim = (size_t)w->contacts.dim;
  if (x->n == 0) {
    return;
  }
  if (s->impact.expansion != NULL) {
    end_velocities(w, s);
    grade_expansion(w, s->impact.expansion, report);
    account_expansion(w, s, report);
  } else {
    /* the last solve, the one whose impulses move the state */
    const struct contact_diagnostics diagnostics = impulse_diagnose(w, s);
    form_grade(&s->solved.residual, &diagnostics, s->solved.contacts.id, report);
  }
  for (int k = 0; k < x->n; ++k) {
    if (s->impact.expansion == NULL) {
      double v0[CONTACT_DIM_MAX];
      mech_contacts_velocity_of(&w->contacts, x->contact[k], s->impact.u_before, v0);
      account_work(dim, x->r + dim * (size_t)k, v0, x->b + dim * (size_t)k, report);
    }
    account_row(w, s, k);
  }
}

/* Of the contacts: steps on end before this one in which they carried, from the arena; n: how many
 * carry now. */
static const unsigned char *ages_before(const struct impulse *w, const struct impulse_step *s,
                                        int *n) {
  const struct mech_contacts *c = &w->contacts;
  unsigned char *age = base_arena_push(w->setup.arena, (size_t)c->n * sizeof *age);
  int cursor = 0;
  *n = 0;
  for (int i = 0; i < c->n; ++i) {
    if ((s->role[i] & IMPULSE_CARRIED) != 0) {
      const int known = base_sorted_find(w->memory.n, w->memory.id, c->id[i], &cursor);
      age[i] = known >= 0 ? w->memory.age[known] : 0;
      ++*n;
    }
  }
  return age;
}

static void remember(struct impulse *w, const struct impulse_step *s) {
  const struct mech_contacts *c = &w->contacts;
  const struct impulse_rows *x = &w->rows;
  const size_t dim = (size_t)c->dim;
  int n = 0;
  const unsigned char *age = ages_before(w, s, &n);
  form_memory_reserve(&w->memory, n);
  for (int i = 0, k = 0; i < c->n; ++i) {
    const int has_row = k < x->n && x->contact[k] == i;
    if ((s->role[i] & IMPULSE_CARRIED) != 0) {
      const double *r =
          s->impact.total != NULL ? s->impact.total + dim * (size_t)i : x->r + dim * (size_t)k;
      double v0[CONTACT_DIM_MAX];
      mech_contacts_velocity_of(c, i, s->u_begin, v0);
      form_memory_push(&w->memory, c->id[i], age[i] + 1, (s->role[i] & IMPULSE_CLOSED) != 0, v0, r,
                       x->descent != NULL ? x->descent + 2 * dim * (size_t)k : NULL);
    }
    k += has_row;
  }
}

void impulse_account(struct impulse *w, const struct impulse_step *s, struct form_report *report) {
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  remember(w, s);
  base_arena_release(w->setup.arena, mark);
  report->n_carrying = w->memory.n;
  report->carrying = w->memory.id;
  report->impulses = w->memory.r;
  report->q_W = w->q == w->q_begin ? NULL : w->q;
  const struct mech_ops *ops = w->setup.mech->ops;
  report->work.damping = work_of(ops->damping, w, s);
  report->work.applied = work_of(ops->applied, w, s) + work_of_drives(w, s);
}
