/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a step of impulse stepping tells and remembers; see impulse_parts.h. The energy it takes or
 * gives by contacts is r . (v^B + v^E) / 2, see impulse.c. A_ii is not kept: it is formed a few
 * contacts at a time, and so are the velocities with their shifts, which the law is about.
 */
#include <math.h>
#include <string.h>

#include "form/impulse_parts.h"
#include "la/dense.h"

/* Contacts that diagnostics take at a time: A_ii of these are a few kB. */
enum { PART = 64 };

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

/* A_ii of n rows from the first on. */
static void blocks_of(const struct impulse_step *s, int first, int n, double *diag) {
  const int size = s->problem.model.dim * s->problem.model.dim;
  for (int i = 0; i < n; ++i) {
    problem_operator_block(&s->problem.A, first + i, diag + size * i);
  }
}

/* Yardsticks of the last solve, from the velocities v: dim n at the end of the step. */
static void diagnose(const struct impulse *w, const struct impulse_step *s, const double *v,
                     struct form_report *report) {
  const struct contact_model *model = &s->problem.model;
  const size_t dim = (size_t)model->dim;
  double diag[PART * CONTACT_DIM_MAX * CONTACT_DIM_MAX], xi[PART * CONTACT_DIM_MAX], noise = 0;
  report->diagnostics = CONTACT_DIAGNOSTICS_EMPTY;
  for (int pass = 0; pass < 2; ++pass) {
    for (int first = 0; first < model->nc; first += PART) {
      const int n = model->nc - first < PART ? model->nc - first : PART;
      const struct contact_model part = contact_model_part(model, first, n);
      const double *r = w->rows.r + dim * (size_t)first;
      memcpy(xi, v + dim * (size_t)first, dim * (size_t)n * sizeof *xi);
      for (int k = 0; k < n; ++k) {
        xi[dim * (size_t)k] += w->rows.shift[first + k];
      }
      blocks_of(s, first, n, diag);
      if (pass == 0) {
        noise = fmax(noise, contact_diagnose_noise(&part, diag, r, xi));
      } else {
        contact_diagnose_add(&part, first, diag, r, xi, noise, &report->diagnostics);
      }
    }
  }
  report->diagnostics.at = impulse_id_of(w, report->diagnostics.at);
}

/* Velocities at the end of the step, of the rows, in place of their b. */
static void end_velocities(struct impulse *w, const struct impulse_step *s) {
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  const double *u = impulse_seen_by_contacts(w, s->u);
  const size_t dim = (size_t)w->contacts.dim;
  for (int k = 0; k < w->rows.n; ++k) {
    mech_contacts_velocity_of(&w->contacts, w->rows.contact[k], u, w->rows.b + dim * (size_t)k);
  }
  base_arena_release(w->setup.arena, mark);
}

/* A contact carries when the projection of the natural map is active, A_NN r_N > xi_N: exact zeros
 * are not needed, which interior-point solvers do not give. */
static void account_contacts(struct impulse *w, const struct impulse_step *s,
                             struct form_report *report) {
  const struct mech_contacts *c = &w->contacts;
  const struct impulse_rows *x = &w->rows;
  end_velocities(w, s);
  diagnose(w, s, x->b, report);
  form_memory_reserve(&w->memory, x->n);
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  const double *begin = impulse_seen_by_contacts(w, s->u_begin);
  const size_t dim = (size_t)c->dim;
  for (int k = 0; k < x->n; ++k) {
    const int i = x->contact[k];
    const double *r = x->r + dim * (size_t)k, *v1 = x->b + dim * (size_t)k;
    double v0[CONTACT_DIM_MAX], block[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
    mech_contacts_velocity_of(c, i, begin, v0);
    report->work.impact += 0.5 * r[0] * (v0[0] + v1[0]);
    for (size_t d = 1; d < dim; ++d) {
      report->work.friction += 0.5 * r[d] * (v0[d] + v1[d]);
    }
    blocks_of(s, k, 1, block);
    if (r[0] > 0 && block[0] * r[0] > v1[0] + x->shift[k] - impulse_least_normal(w, i, v1)) {
      report->closings += x->age[k] == 0;
      form_memory_push(&w->memory, c->id[i], x->age[k] + 1, v0[0], r);
    }
  }
  base_arena_release(w->setup.arena, mark);
}

void impulse_account(struct impulse *w, const struct impulse_step *s, struct form_report *report) {
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
