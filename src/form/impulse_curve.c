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

#include "form/impulse_parts.h"
#include "la/dense.h"

static const double ROUND_OFF = 16 * DBL_EPSILON;

void impulse_curve_begin(struct impulse *w, struct impulse_step *s) {
  struct base_arena *arena = w->setup.arena;
  s->curve = base_arena_doubles(arena, w->contacts.n);
  if (w->offset != NULL) {
    const int ns = w->setup.mech->ns;
    s->offset = base_arena_doubles(arena, ns);
    la_copy(ns, w->offset, s->offset);
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

/* change: n of the contacts, c - c_before [m/s]. Returns whether it matters, by more than noise
 * [m]: to a contact that carries, or to one that does not and would violate the law. */
static int correct_contacts(struct impulse *w, const struct impulse_step *s, const double *q_end,
                            double noise, double *change) {
  const struct mech *m = w->setup.mech;
  const struct mech_contacts *c = &w->contacts, *ahead = &w->ahead;
  const struct impulse_rows *x = &w->rows;
  if (c->n == 0) {
    return 0;
  }
  mech_contacts_clear(&w->ahead);
  m->ops->contacts(m, q_end, NULL, fmin(w->scheme.reach, s->reach), &w->ahead);
  const double *u = impulse_seen_by_contacts(w, s->u);
  int due = 0;
  for (int i = 0, j = 0, k = 0, rest = 0; i < c->n; ++i) {
    const int has_row = k < x->n && x->contact[k] == i;
    const double s_N = has_row ? x->shift[k] : x->rest[rest];
    const double r_N = has_row ? x->r[(size_t)c->dim * (size_t)k] : 0;
    k += has_row;
    rest += !has_row;
    while (j < ahead->n && ahead->id[j] < c->id[i]) {
      ++j;
    }
    if (j < ahead->n && ahead->id[j] == c->id[i]) {
      double v[CONTACT_DIM_MAX];
      mech_contacts_velocity_of(c, i, u, v);
      change[i] = (ahead->gN[j] - c->gN[i]) / s->dt - v[0] - s->curve[i];
      due =
          due || (r_N > 0 ? fabs(change[i]) > noise / s->dt
                          : v[0] + s_N + change[i] < impulse_least_normal(w, i, v) - noise / s->dt);
    }
  }
  return due;
}

/* Shifts of all contacts, and b of the rows. */
static void apply(struct impulse *w, struct impulse_step *s, const double *change) {
  const struct mech_contacts *c = &w->contacts;
  const struct impulse_rows *x = &w->rows;
  const double *u = impulse_seen_by_contacts(w, w->u_free);
  for (int i = 0, k = 0, rest = 0; i < c->n; ++i) {
    s->curve[i] += change[i];
    if (k < x->n && x->contact[k] == i) {
      double *b = x->b + (size_t)c->dim * (size_t)k;
      x->shift[k] += change[i];
      mech_contacts_velocity_of(c, i, u, b);
      b[0] += x->shift[k++];
    } else {
      x->rest[rest++] += change[i];
    }
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
  const double noise = ROUND_OFF * la_norm_inf(m->nq, q_end);
  const int bilateral = correct_bilateral(w, s, q_end, noise, s->offset, u_free);
  const int due = correct_contacts(w, s, q_end, noise, change) || bilateral;
  if (due) {
    la_copy(m->nu, u_free, w->u_free);
    apply(w, s, change);
  }
  base_arena_release(arena, mark);
  return due;
}
