/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of contacts of one configuration, and the two products every formulation needs of it:
 * the local velocities v = W^T u and the generalised forces f = W r (moeller 3.5), by blocks, so
 * that the cost is linear in the number of contacts. Compact lists apply W from lever arms,
 *
 *   v_d = +- c_d . (V + Omega x a),   f += +- (P, a x P),   P = sum of c_d r_d
 *
 * with a plus for the second body, c = (n, t1, t2), and everything in world axes; where the list
 * knows how bodies are turned Omega = R omega, and the torque is R^T (a x P).
 *
 * The arrays live in an arena of their own, a child of the one given. They grow to what is
 * reserved, or by a quarter, one after the other, so that at no time more than one of them is there
 * twice. Whoever releases the arena below the list must initialise the list again.
 */
#include "mech/mech.h"

#include "mech/vector3.h"

#include <string.h>

enum {
  MECH_CONTACTS_FIRST = 16, /* capacity of the first allocation */
  CONTACTS_SLACK = 64       /* room for one more of so many: few steps need more than reserved */
};

void mech_contacts_init(struct mech_contacts *contacts, const struct mech *m,
                        struct base_arena *arena) {
  *contacts = (struct mech_contacts){.dim = m->dim,
                                     .nv = m->nv,
                                     .friction_sets = m->friction_sets,
                                     .located = m->located,
                                     .arena = arena,
                                     .store = base_arena_child(arena)};
}

void mech_contacts_init_compact(struct mech_contacts *contacts, const struct mech *m,
                                struct base_arena *arena) {
  mech_contacts_init(contacts, m, arena);
  contacts->compact = 1;
  contacts->located = 0;
}

void mech_contacts_init_central(struct mech_contacts *contacts, const struct mech *m,
                                struct base_arena *arena) {
  mech_contacts_init_compact(contacts, m, arena);
  contacts->central = 1;
}

void mech_contacts_init_gaps(struct mech_contacts *contacts, const struct mech *m,
                             struct base_arena *arena) {
  mech_contacts_init_compact(contacts, m, arena);
  contacts->gaps_only = 1;
  contacts->friction_sets = 0;
}

void mech_contacts_init_passing(struct mech_contacts *contacts, const struct mech *m,
                                void (*take)(void *taker, long id, double gN), void *taker,
                                struct base_arena *arena) {
  mech_contacts_init_gaps(contacts, m, arena);
  contacts->take = take;
  contacts->taker = taker;
}

/* Room for so many contacts; those there stay. */
static void contacts_room(struct mech_contacts *c, int capacity) {
  const size_t n = (size_t)c->n, to = (size_t)capacity, d = sizeof(double);
  const size_t dim = (size_t)c->dim, block = 2 * (size_t)c->nv * dim * d;
  struct base_arena *a = c->store;
  c->capacity = capacity;
  c->id = base_arena_resize(a, c->id, n * sizeof *c->id, to * sizeof *c->id);
  c->gN = base_arena_resize(a, c->gN, n * d, to * d);
  if (c->gaps_only) {
    return;
  }
  c->body = base_arena_resize(a, c->body, 2 * n * sizeof *c->body, 2 * to * sizeof *c->body);
  c->mu = base_arena_resize(a, c->mu, n * d, to * d);
  if (c->friction_sets) {
    c->set = base_arena_resize(a, c->set, n * sizeof *c->set, to * sizeof *c->set);
  }
  if (c->compact) {
    const size_t lever = mech_contacts_stride(c) * d;
    c->lever = base_arena_resize(a, c->lever, n * lever, to * lever);
    c->law = base_arena_resize(a, c->law, n * sizeof *c->law, to * sizeof *c->law);
  } else {
    c->eps_N = base_arena_resize(a, c->eps_N, n * d, to * d);
    c->eps_T = base_arena_resize(a, c->eps_T, n * d, to * d);
    c->W = base_arena_resize(a, c->W, n * block, to * block);
    c->bias = base_arena_resize(a, c->bias, n * dim * d, to * dim * d);
  }
  if (c->located) {
    c->point = base_arena_resize(a, c->point, 3 * n * d, 3 * to * d);
    c->frame = base_arena_resize(a, c->frame, 9 * n * d, 9 * to * d);
    c->radius = base_arena_resize(a, c->radius, n * d, to * d);
  }
}

void mech_contacts_clear(struct mech_contacts *contacts) { contacts->n = 0; }

void mech_contacts_reserve(struct mech_contacts *contacts, int n) {
  if (contacts->n == 0 && n > contacts->capacity) {
    contacts_room(contacts, n + n / CONTACTS_SLACK + MECH_CONTACTS_FIRST);
  }
}

int mech_contacts_push(struct mech_contacts *contacts) {
  struct mech_contacts *c = contacts;
  if (c->n == c->capacity) {
    contacts_room(c, c->capacity > 0 ? c->capacity + c->capacity / 4 : MECH_CONTACTS_FIRST);
  }
  const int i = c->n++;
  c->id[i] = 0;
  c->gN[i] = 0;
  if (c->gaps_only) {
    return i;
  }
  c->mu[i] = 0;
  c->body[2 * i] = c->body[2 * i + 1] = -1;
  if (c->set != NULL) {
    c->set[i] = (struct contact_set){.kind = CONTACT_SET_DISK};
  }
  if (c->compact) {
    c->law[i] = 0;
    const size_t stride = mech_contacts_stride(c);
    memset(c->lever + (size_t)i * stride, 0, stride * sizeof *c->lever);
  } else {
    c->eps_N[i] = c->eps_T[i] = 0;
    memset(mech_contacts_block(c, i, 0), 0, (size_t)(2 * c->nv * c->dim) * sizeof *c->W);
    memset(c->bias + (long)i * c->dim, 0, (size_t)c->dim * sizeof *c->bias);
  }
  return i;
}

void mech_contacts_push_gap(struct mech_contacts *contacts, long id, double gN) {
  if (contacts->take != NULL) {
    contacts->take(contacts->taker, id, gN);
    return;
  }
  const int i = mech_contacts_push(contacts);
  contacts->id[i] = id;
  contacts->gN[i] = gN;
}

/* --- compact lists --- */

static inline const double *lever_of(const struct mech_contacts *c, int i) {
  return c->lever + mech_contacts_stride(c) * (size_t)(c->pick != NULL ? c->pick[i] : i);
}

static inline void arm_of(const struct mech_contacts *c, const double *lever, int side, double *a) {
  for (int j = 0; j < 3; ++j) {
    a[j] = c->central ? lever[6 + side] * lever[j] : lever[6 + 3 * side + j];
  }
}

/* Of a central list, in world axes; see problem/rigid.h for the formula. */
static void central_velocity(const struct mech_contacts *c, int i, const double *u, double *v) {
  static const double rest[6] = {0};
  const double *n = lever_of(c, i), *t1 = n + 3, *alpha = n + 6;
  const int *body = c->body + 2 * (size_t)i;
  const double *x = body[0] < 0 ? rest : u + 6L * body[0];
  const double *y = body[1] < 0 ? rest : u + 6L * body[1];
  const double d[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
  const double w[3] = {alpha[1] * y[3] - alpha[0] * x[3], alpha[1] * y[4] - alpha[0] * x[4],
                       alpha[1] * y[5] - alpha[0] * x[5]};
  double t2[3];
  mech_cross3(n, t1, t2);
  v[0] = mech_dot3(n, d);
  v[1] = mech_dot3(t1, d) + mech_dot3(t2, w);
  v[2] = mech_dot3(t2, d) - mech_dot3(t1, w);
}

static void lever_velocity(const struct mech_contacts *c, int i, const double *u, double *v) {
  const double *n = lever_of(c, i), *t1 = n + 3;
  double apart[3] = {0}, t2[3];
  for (int side = 0; side < 2; ++side) {
    const int body = c->body[2 * (size_t)i + (size_t)side];
    if (body < 0) {
      continue;
    }
    const double *V = u + 6L * body;
    double arm[3], turning[3], Omega[3] = {V[3], V[4], V[5]};
    if (c->turn != NULL) {
      mech_turn3(c->turn + 9L * body, V + 3, Omega);
    }
    arm_of(c, n, side, arm);
    mech_cross3(Omega, arm, turning);
    for (int j = 0; j < 3; ++j) {
      apart[j] += side == 0 ? -(V[j] + turning[j]) : V[j] + turning[j];
    }
  }
  mech_cross3(n, t1, t2);
  v[0] = mech_dot3(n, apart);
  v[1] = mech_dot3(t1, apart);
  v[2] = mech_dot3(t2, apart);
}

static void lever_force(const struct mech_contacts *c, const double *r, double *f) {
  for (int i = 0; i < c->n; ++i) {
    const double *n = lever_of(c, i), *t1 = n + 3, *ri = r + 3L * i;
    double P[3], t2[3];
    mech_cross3(n, t1, t2);
    for (int side = 0; side < 2; ++side) {
      const int body = c->body[2 * (size_t)i + (size_t)side];
      if (body < 0) {
        continue;
      }
      const double sign = side == 0 ? -1 : 1;
      double arm[3], moment[3], *fb = f + 6L * body;
      for (int j = 0; j < 3; ++j) {
        P[j] = sign * (n[j] * ri[0] + t1[j] * ri[1] + t2[j] * ri[2]);
      }
      arm_of(c, n, side, arm);
      mech_cross3(arm, P, moment);
      if (c->turn != NULL) {
        const double world[3] = {moment[0], moment[1], moment[2]};
        mech_back3(c->turn + 9L * body, world, moment);
      }
      mech_add3(1, P, fb);
      mech_add3(1, moment, fb + 3);
    }
  }
}

/* fb += s (P, a T); fb: 6 */
static inline void add_wrench(double s, const double P[3], double a, const double T[3],
                              double *fb) {
  fb[0] += s * P[0];
  fb[1] += s * P[1];
  fb[2] += s * P[2];
  fb[3] += a * T[0];
  fb[4] += a * T[1];
  fb[5] += a * T[2];
}

/* Of a central list, in world axes. */
static void central_force(const struct mech_contacts *c, const double *r, double *f) {
  for (int i = 0; i < c->n; ++i) {
    const double *n = lever_of(c, i), *t1 = n + 3, *alpha = n + 6, *ri = r + 3L * i;
    const int first = c->body[2L * i], second = c->body[2L * i + 1];
    const double r0 = ri[0], r1 = ri[1], r2 = ri[2];
    double t2[3];
    mech_cross3(n, t1, t2);
    const double P[3] = {n[0] * r0 + t1[0] * r1 + t2[0] * r2, n[1] * r0 + t1[1] * r1 + t2[1] * r2,
                         n[2] * r0 + t1[2] * r1 + t2[2] * r2};
    const double T[3] = {t2[0] * r1 - t1[0] * r2, t2[1] * r1 - t1[1] * r2, t2[2] * r1 - t1[2] * r2};
    if (first >= 0) {
      add_wrench(-1, P, -alpha[0], T, f + 6L * first);
    }
    if (second >= 0) {
      add_wrench(1, P, alpha[1], T, f + 6L * second);
    }
  }
}

/* --- products --- */

void mech_contacts_velocity_of(const struct mech_contacts *c, int i, const double *u, double *v_i) {
  const int nv = c->nv, dim = c->dim;
  if (c->central && c->turn == NULL) {
    central_velocity(c, i, u, v_i);
    return;
  }
  if (c->lever != NULL) {
    lever_velocity(c, i, u, v_i);
    return;
  }
  for (int d = 0; d < dim; ++d) {
    v_i[d] = 0;
  }
  for (int k = 0; k < 2; ++k) {
    const int body = c->body[2 * i + k];
    if (body < 0) {
      continue;
    }
    const double *W = mech_contacts_block(c, i, k);
    const double *ub = u + (long)body * nv;
    for (int d = 0; d < dim; ++d) {
      double sum = 0;
      for (int j = 0; j < nv; ++j) {
        sum += W[d * nv + j] * ub[j];
      }
      v_i[d] += sum;
    }
  }
}

void mech_contacts_velocity(const struct mech_contacts *c, const double *u, double *v) {
  for (int i = 0; i < c->n; ++i) {
    mech_contacts_velocity_of(c, i, u, v + (long)i * c->dim);
  }
}

void mech_contacts_force(const struct mech_contacts *c, const double *r, double *f) {
  const int nv = c->nv, dim = c->dim;
  if (c->central && c->turn == NULL) {
    central_force(c, r, f);
    return;
  }
  if (c->lever != NULL) {
    lever_force(c, r, f);
    return;
  }
  for (int i = 0; i < c->n; ++i) {
    for (int k = 0; k < 2; ++k) {
      const int body = c->body[2 * i + k];
      if (body < 0) {
        continue;
      }
      const double *W = mech_contacts_block(c, i, k);
      double *fb = f + (long)body * nv;
      for (int d = 0; d < dim; ++d) {
        const double rd = r[(long)i * dim + d];
        for (int j = 0; j < nv; ++j) {
          fb[j] += W[d * nv + j] * rd;
        }
      }
    }
  }
}
