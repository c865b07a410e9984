/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gaps at the end of a step in place of their linearisation at its beginning; see impulse.h. With
 * W and W_S still those at q^B, and q^E = q^B + dt F(q^B) u^E of the solution at hand,
 *
 *   s_N    <- s_N + c - c_before,   c = (g_N(q^E) - g_N(q^B))/dt - (W^T u^E)_N
 *   offset <- offset + g_S(q^E)/dt                    in 0 = W_S^T u^E + offset
 *
 * and the step is solved again, from its last impulses: Newton's iteration on the end of the step
 * with the matrix of its beginning, which contracts by O(dt |omega|). At its limit the gap of a
 * contact that carries is where s_N puts it (on the surface with s_N = g_N(q^B)/dt, at the part erp
 * of the depth that is left, at the height a rebound takes), and g_S = 0. For points of bodies that
 * turn c is O(dt |omega|^2), which leaves gaps O(dt^2) off without corrections.
 *
 * Corrections end before their number where gaps are known: they are sums of a few products of
 * coordinates, to ROUND_OFF max |q|.
 *
 * A contact whose features are others at q^E, so that its id is not found there, keeps its c.
 */
#include <float.h>
#include <math.h>

#include "base/sort.h"
#include "form/impulse/parts.h"
#include "la/dense.h"

static const double ROUND_OFF = 16 * DBL_EPSILON;

double impulse_noise(const struct impulse *w, const double *q) {
  return ROUND_OFF * la_norm_inf(w->setup.mech->nq, q);
}

void impulse_curve_begin(struct impulse *w, struct impulse_step *s) {
  struct base_arena *arena = w->setup.arena;
  s->corrected.curve = base_arena_doubles(arena, w->contacts.n);
  if (w->offset != NULL) {
    const int ns = w->setup.mech->ns;
    s->corrected.offset = base_arena_doubles(arena, ns);
    la_copy(ns, w->offset, s->corrected.offset);
  }
}

/* Bilateral constraints: the new u_free, nu, and offset, ns. Returns whether any is off by more
 * than noise [m]. */
static int correct_bilateral(struct impulse *w, const struct impulse_step *s, const double *q_end,
                             double noise, double *offset, double *u_free) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  if (m->ns == 0) {
    return 0;
  }
  double *rate = base_arena_doubles(arena, m->ns);
  mech_set_time(m, s->t + s->dt);
  m->ops->bilateral(m, q_end, rate);
  const int due = la_norm_inf(m->ns, rate) > noise;
  for (int i = 0; i < m->ns; ++i) {
    rate[i] /= s->dt;
  }
  la_axpy(m->ns, 1, rate, offset);
  w->elimination->constrain(w->eliminator, offset, u_free);
  return due;
}

/* The contacts at the end of the step against those of its beginning; both ascend in id. */
struct ahead {
  const struct impulse *w;
  const struct impulse_step *s;
  double noise;   /* [m] */
  int i, row;     /* the contact of the step to go on with, and the rows before it */
  double *change; /* n of the contacts, c - c_before [m/s] */
  int due;        /* a change matters, by more than noise: to a contact that carries, or to one that
                     does not and would violate the law */
};

static void look_ahead(void *data, const struct mech_contacts *found, int j) {
  struct ahead *a = data;
  const struct impulse *w = a->w;
  const struct mech_contacts *c = &w->contacts;
  const struct impulse_rows *x = &w->rows;
  const double dt = a->s->dt;
  const int i = base_sorted_find(c->n, c->id, found->id[j], &a->i);
  if (i < 0) {
    return;
  }
  while (a->row < x->n && x->contact[a->row] < i) {
    ++a->row;
  }
  const int has_row = a->row < x->n && x->contact[a->row] == i;
  const double r_N = has_row ? x->r[(size_t)c->dim * (size_t)a->row] : 0;
  double v[CONTACT_DIM_MAX];
  mech_contacts_velocity_of(c, i, a->s->u, v);
  a->change[i] = (found->gN[j] - c->gN[i]) / dt - v[0] - a->s->corrected.curve[i];
  const double xi_N = v[0] + x->shift[i] + a->change[i];
  a->due = a->due || (r_N > 0 ? fabs(a->change[i]) > a->noise / dt
                              : xi_N < impulse_least_normal(w, i, v) - a->noise / dt);
}

/* change: n of the contacts. Returns whether any matters. */
static int correct_contacts(struct impulse *w, const struct impulse_step *s, const double *q_end,
                            double noise, double *change) {
  struct ahead a = {.w = w, .s = s, .noise = noise, .change = change};
  if (w->contacts.n > 0) {
    mech_contacts_visit(w->setup.mech, q_end, fmin(w->scheme.reach, s->search.reach), look_ahead,
                        &a, &w->ahead);
  }
  return a.due;
}

/* Shifts of all contacts, and b of the rows; du: nu, the change of the free velocity. */
static void apply(struct impulse *w, struct impulse_step *s, const double *change,
                  const double *du) {
  const struct mech_contacts *c = &w->contacts;
  const struct impulse_rows *x = &w->rows;
  for (int i = 0; i < c->n; ++i) {
    s->corrected.curve[i] += change[i];
    x->shift[i] += change[i];
  }
  impulse_rows_shift(w, du);
  for (int k = 0; k < x->n; ++k) {
    x->b[(size_t)c->dim * (size_t)k] += change[x->contact[k]];
  }
}

int impulse_curve_correct(struct impulse *w, struct impulse_step *s) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *q_end = base_arena_doubles(arena, m->nq), *u_free = base_arena_doubles(arena, m->nu);
  double *change = base_arena_doubles(arena, w->contacts.n);
  impulse_move(w, w->q, s->u, s->dt, q_end);
  la_copy(m->nu, w->u_free, u_free);
  const double noise = impulse_noise(w, q_end);
  const int bilateral = correct_bilateral(w, s, q_end, noise, s->corrected.offset, u_free);
  const int due = correct_contacts(w, s, q_end, noise, change) || bilateral;
  if (due) {
    double *du = base_arena_doubles(arena, m->nu);
    la_copy(m->nu, u_free, du);
    la_axpy(m->nu, -1, w->u_free, du);
    la_copy(m->nu, u_free, w->u_free);
    apply(w, s, change, du);
  }
  base_arena_release(arena, mark);
  return due;
}
