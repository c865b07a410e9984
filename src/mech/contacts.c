/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of contacts of one configuration, and the two products every formulation needs of it:
 * the local velocities v = W^T u and the generalised forces f = W r (moeller 3.5), by blocks, so
 * that the cost is linear in the number of contacts.
 *
 * The arrays grow by doubling in the arena of the list; outgrown ones stay there until the arena is
 * released. Whoever releases the arena below the list must initialise the list again.
 */
#include "mech/mech.h"

#include <string.h>

enum { MECH_CONTACTS_FIRST = 16 }; /* capacity of the first allocation; grows by doubling */

void mech_contacts_init(struct mech_contacts *contacts, const struct mech *m,
                        struct base_arena *arena) {
  *contacts = (struct mech_contacts){.dim = m->dim,
                                     .nv = m->nv,
                                     .friction_sets = m->friction_sets,
                                     .located = m->located,
                                     .arena = arena};
}

void mech_contacts_clear(struct mech_contacts *contacts) { contacts->n = 0; }

static double *grow_doubles(struct base_arena *arena, const double *old, int used, int size) {
  double *x = base_arena_doubles(arena, size);
  if (used > 0) {
    memcpy(x, old, (size_t)used * sizeof *x);
  }
  return x;
}

static int *grow_ints(struct base_arena *arena, const int *old, int used, int size) {
  int *x = base_arena_ints(arena, size);
  if (used > 0) {
    memcpy(x, old, (size_t)used * sizeof *x);
  }
  return x;
}

static long *grow_longs(struct base_arena *arena, const long *old, int used, int size) {
  long *x = base_arena_longs(arena, size);
  if (used > 0) {
    memcpy(x, old, (size_t)used * sizeof *x);
  }
  return x;
}

static struct contact_set *grow_sets(struct base_arena *arena, const struct contact_set *old,
                                     int used, int size) {
  struct contact_set *x = base_arena_push(arena, (size_t)size * sizeof *x);
  if (used > 0) {
    memcpy(x, old, (size_t)used * sizeof *x);
  }
  return x;
}

static void contacts_grow(struct mech_contacts *c) {
  const int n = c->n, capacity = c->capacity > 0 ? 2 * c->capacity : MECH_CONTACTS_FIRST;
  const int block = 2 * c->nv * c->dim;
  c->id = grow_longs(c->arena, c->id, n, capacity);
  c->body = grow_ints(c->arena, c->body, 2 * n, 2 * capacity);
  c->gN = grow_doubles(c->arena, c->gN, n, capacity);
  c->mu = grow_doubles(c->arena, c->mu, n, capacity);
  c->eps_N = grow_doubles(c->arena, c->eps_N, n, capacity);
  c->eps_T = grow_doubles(c->arena, c->eps_T, n, capacity);
  c->W = grow_doubles(c->arena, c->W, block * n, block * capacity);
  if (c->friction_sets) {
    c->set = grow_sets(c->arena, c->set, n, capacity);
  }
  c->bias = grow_doubles(c->arena, c->bias, c->dim * n, c->dim * capacity);
  if (c->located) {
    c->point = grow_doubles(c->arena, c->point, 3 * n, 3 * capacity);
    c->frame = grow_doubles(c->arena, c->frame, 9 * n, 9 * capacity);
    c->radius = grow_doubles(c->arena, c->radius, n, capacity);
  }
  c->capacity = capacity;
}

int mech_contacts_push(struct mech_contacts *contacts) {
  struct mech_contacts *c = contacts;
  if (c->n == c->capacity) {
    contacts_grow(c);
  }
  const int i = c->n++;
  c->id[i] = 0;
  c->gN[i] = c->mu[i] = c->eps_N[i] = c->eps_T[i] = 0;
  c->body[2 * i] = c->body[2 * i + 1] = -1;
  if (c->set != NULL) {
    c->set[i] = (struct contact_set){.kind = CONTACT_SET_DISK};
  }
  memset(mech_contacts_block(c, i, 0), 0, (size_t)(2 * c->nv * c->dim) * sizeof *c->W);
  memset(c->bias + (long)i * c->dim, 0, (size_t)c->dim * sizeof *c->bias);
  return i;
}

void mech_contacts_velocity(const struct mech_contacts *c, const double *u, double *v) {
  const int nv = c->nv, dim = c->dim;
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
