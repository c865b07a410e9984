/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of contacts of one configuration, and the two products every formulation needs of it:
 * the local velocities v = W^T u and the generalised forces f = W r (moeller 3.5), by blocks, so
 * that the cost is linear in the number of contacts. Compact lists apply W from lever arms,
 *
 *   v_d = +- c_d . (V + R omega x a),   f += +- (P, R^T (a x P)),   P = sum of c_d r_d
 *
 * with a plus for the second body, and c = (n, t1, t2) in world axes.
 *
 * The arrays live in an arena of their own, a child of the one given. They grow to what is
 * reserved, or by a quarter, one after the other, so that at no time more than one of them is there
 * twice. Whoever releases the arena below the list must initialise the list again.
 */
#include "mech/mech.h"

#include <string.h>

enum {
  MECH_CONTACTS_FIRST = 16, /* capacity of the first allocation */
  CONTACTS_LEVER = 12,
  CONTACTS_SLACK = 16 /* room for one more of so many: few steps need more than reserved */
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

void mech_contacts_init_gaps(struct mech_contacts *contacts, const struct mech *m,
                             struct base_arena *arena) {
  mech_contacts_init_compact(contacts, m, arena);
  contacts->gaps_only = 1;
  contacts->friction_sets = 0;
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
    const size_t lever = CONTACTS_LEVER * d;
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
    memset(c->lever + (long)i * CONTACTS_LEVER, 0, CONTACTS_LEVER * sizeof *c->lever);
  } else {
    c->eps_N[i] = c->eps_T[i] = 0;
    memset(mech_contacts_block(c, i, 0), 0, (size_t)(2 * c->nv * c->dim) * sizeof *c->W);
    memset(c->bias + (long)i * c->dim, 0, (size_t)c->dim * sizeof *c->bias);
  }
  return i;
}

/* --- compact lists --- */

static inline void cross(const double x[3], const double y[3], double out[3]) {
  out[0] = x[1] * y[2] - x[2] * y[1];
  out[1] = x[2] * y[0] - x[0] * y[2];
  out[2] = x[0] * y[1] - x[1] * y[0];
}

static void lever_velocity(const struct mech_contacts *c, const double *u, double *v) {
  for (int i = 0; i < c->n; ++i) {
    const double *n = c->lever + (long)i * CONTACTS_LEVER, *t1 = n + 3;
    double apart[3] = {0}, t2[3];
    for (int k = 0; k < 2; ++k) {
      const int body = c->body[2 * i + k];
      if (body < 0) {
        continue;
      }
      const double *ub = u + 6L * body, *R = c->turn + 9L * body, *w = ub + 3;
      double turning[3], omega[3];
      for (int j = 0; j < 3; ++j) {
        omega[j] = R[3 * j] * w[0] + R[3 * j + 1] * w[1] + R[3 * j + 2] * w[2];
      }
      cross(omega, n + 6 + 3 * k, turning);
      for (int j = 0; j < 3; ++j) {
        apart[j] += k == 0 ? -(ub[j] + turning[j]) : ub[j] + turning[j];
      }
    }
    cross(n, t1, t2);
    double *vi = v + 3L * i;
    vi[0] = n[0] * apart[0] + n[1] * apart[1] + n[2] * apart[2];
    vi[1] = t1[0] * apart[0] + t1[1] * apart[1] + t1[2] * apart[2];
    vi[2] = t2[0] * apart[0] + t2[1] * apart[1] + t2[2] * apart[2];
  }
}

static void lever_force(const struct mech_contacts *c, const double *r, double *f) {
  for (int i = 0; i < c->n; ++i) {
    const double *n = c->lever + (long)i * CONTACTS_LEVER, *t1 = n + 3, *ri = r + 3L * i;
    double P[3], t2[3];
    cross(n, t1, t2);
    for (int k = 0; k < 2; ++k) {
      const int body = c->body[2 * i + k];
      if (body < 0) {
        continue;
      }
      const double *R = c->turn + 9L * body, sign = k == 0 ? -1 : 1;
      double torque[3], *fb = f + 6L * body;
      for (int j = 0; j < 3; ++j) {
        P[j] = sign * (n[j] * ri[0] + t1[j] * ri[1] + t2[j] * ri[2]);
      }
      cross(n + 6 + 3 * k, P, torque);
      for (int j = 0; j < 3; ++j) {
        fb[j] += P[j];
        fb[3 + j] += R[j] * torque[0] + R[3 + j] * torque[1] + R[6 + j] * torque[2];
      }
    }
  }
}

/* --- products --- */

void mech_contacts_velocity(const struct mech_contacts *c, const double *u, double *v) {
  const int nv = c->nv, dim = c->dim;
  if (c->lever != NULL) {
    lever_velocity(c, u, v);
    return;
  }
  for (long i = 0; i < (long)c->n * dim; ++i) { /* not memset: v may be NULL when n = 0 */
    v[i] = 0;
  }
  for (int i = 0; i < c->n; ++i) {
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
        v[(long)i * dim + d] += sum;
      }
    }
  }
}

void mech_contacts_force(const struct mech_contacts *c, const double *r, double *f) {
  const int nv = c->nv, dim = c->dim;
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
