/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of contacts and their products with W; see contacts.h. Of rigid bodies, with velocity V and
 * angular velocity omega (in the axes of the body), Omega = R omega and P = n r_N + t1 r_1 + t2
 * r_2,
 *
 *   v_d = +-d . (V + Omega x a),   f += +-(P, R^T (a x P))
 *
 * A list grows by a quarter, or to what is reserved, one array after the other, so that at no time
 * more than one of them is there twice. While contacts are visited there is one in the list: it is
 * shown when the next one comes, and at the end.
 */
#include "mech/contacts.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "mech/mech.h"
#include "mech/vector3.h"

enum {
  CONTACTS_FIRST = 16, /* capacity of the first allocation */
  CONTACTS_SLACK = 64  /* room for one more of so many: few steps need more than reserved */
};

static void init(struct mech_contacts *c, const struct mech *m, struct base_arena *arena) {
  *c = (struct mech_contacts){.dim = m->dim,
                              .nv = m->nv,
                              .nb = m->nb,
                              .rigid = m->ops->bodies.rigid != NULL,
                              .located = m->located,
                              .friction_sets = m->friction_sets,
                              .arena = arena,
                              .store = base_arena_child(arena)};
}

void mech_contacts_init(struct mech_contacts *c, const struct mech *m, struct base_arena *arena) {
  const int n_others = base_threads() - 1;
  struct mech_contacts *others = base_arena_push(arena, (size_t)n_others * sizeof *others);
  for (int k = 0; k < n_others; ++k) {
    init(&others[k], m, arena);
  }
  init(c, m, arena);
  c->n_others = n_others;
  c->others = others;
}

/* An array of a list: where the list has its pointer, of whatever type, and bytes a contact; none:
 * the list has no such array. */
struct array {
  void *at;
  size_t size;
};
static void *array_get(struct array array) {
  void *pointer;
  memcpy(&pointer, array.at, sizeof pointer);
  return pointer;
}
static void array_set(struct array array, void *pointer) {
  memcpy(array.at, &pointer, sizeof pointer);
}
enum { ARRAYS = 12 };
static void arrays_of(struct mech_contacts *c, struct array arrays[ARRAYS]) {
  const size_t d = sizeof(double), dim = (size_t)c->dim;
  const struct array all[ARRAYS] = {{&c->id, sizeof *c->id},
                                    {&c->gN, d},
                                    {&c->mu, d},
                                    {&c->eps_N, d},
                                    {&c->eps_T, d},
                                    {&c->body, 2 * sizeof *c->body},
                                    {&c->set, c->friction_sets ? sizeof *c->set : 0},
                                    {&c->frame, c->located ? 6 * d : 0},
                                    {&c->arm, c->located ? 6 * d : 0},
                                    {&c->W, c->rigid ? 0 : 2 * (size_t)c->nv * dim * d},
                                    {&c->bias, c->with_bias ? dim * d : 0},
                                    {&c->piece, c->with_bias ? sizeof *c->piece : 0}};
  memcpy(arrays, all, sizeof all);
}

/* Room for so many contacts; those there stay. */
static void grow_all(struct mech_contacts *c, int capacity) {
  struct array array[ARRAYS];
  arrays_of(c, array);
  c->capacity = capacity;
  for (int k = 0; k < ARRAYS; ++k) {
    if (array[k].size > 0) {
      array_set(array[k],
                base_arena_resize(c->store, array_get(array[k]), (size_t)c->n * array[k].size,
                                  (size_t)capacity * array[k].size));
    }
  }
}

/* Arrays of a list, to be copied behind those of another. */
struct join {
  struct array to[ARRAYS], from[ARRAYS];
  size_t first, n;
};

static void copy_array(void *data, int k) {
  const struct join *j = data;
  const size_t size = j->to[k].size;
  if (j->n > 0 && size > 0 && j->from[k].size > 0) {
    memcpy((char *)array_get(j->to[k]) + j->first * size, array_get(j->from[k]), j->n * size);
  }
}

void mech_contacts_join(struct mech_contacts *c, int n, const struct mech_contacts *others) {
  int all = c->n;
  for (int k = 0; k < n; ++k) {
    all += others[k].n;
  }
  if (all > c->capacity) {
    grow_all(c, all + all / CONTACTS_SLACK);
  }
  for (int k = 0; k < n; ++k) {
    struct mech_contacts other = others[k];
    struct join join = {.first = (size_t)c->n, .n = (size_t)other.n};
    arrays_of(c, join.to);
    arrays_of(&other, join.from);
    base_threads_each(base_threads(), ARRAYS, copy_array, &join);
    c->n += other.n;
  }
}

static void ask(const struct mech *m, const double *q, const double *u, double reach,
                struct mech_contacts *c) {
  mech_contacts_clear(c);
  if (u != NULL && !c->with_bias) { /* from now on it has room for the bias */
    c->with_bias = 1;
    c->bias = base_arena_resize(c->store, NULL, 0,
                                (size_t)c->dim * (size_t)c->capacity * sizeof *c->bias);
    c->piece = base_arena_resize(c->store, NULL, 0, (size_t)c->capacity * sizeof *c->piece);
  }
  if (m->ops->contacts != NULL) {
    m->ops->contacts(m, q, u, reach, c);
  }
}

void mech_contacts_find(const struct mech *m, const double *q, const double *u, double reach,
                        struct mech_contacts *c) {
  ask(m, q, u, reach, c);
  if (c->rigid && c->n > 0) {
    if (c->turn == NULL) {
      c->turn = base_arena_resize(c->store, NULL, 0, 9 * (size_t)m->nb * sizeof *c->turn);
    }
    m->ops->bodies.rigid(m, q, c->turn);
  }
}

void mech_contacts_find_named(const struct mech *m, const double *q, int n, const long *id,
                              struct mech_contacts *c) {
  c->n_only = n;
  c->only = id;
  mech_contacts_find(m, q, NULL, INFINITY, c);
  c->only = NULL;
}

void mech_contacts_restitution(const struct mech *m, const double *q, struct base_arena *arena,
                               double *eps_N, double *eps_T) {
  *eps_N = *eps_T = 0;
  if (m->ops->bodies.restitution != NULL) {
    m->ops->bodies.restitution(m, eps_N, eps_T);
    return;
  }
  if (m->ops->contacts == NULL) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct mech_contacts all;
  mech_contacts_init(&all, m, arena);
  mech_contacts_find(m, q, NULL, INFINITY, &all);
  for (int i = 0; i < all.n; ++i) {
    *eps_N = fmax(*eps_N, fabs(all.eps_N[i]));
    *eps_T = fmax(*eps_T, m->friction_sets || all.mu[i] > 0 ? fabs(all.eps_T[i]) : 0);
  }
  base_arena_release(arena, mark);
}

static void show(struct mech_contacts *c) {
  if (c->n > 0) {
    c->visit(c->visitor, c, 0);
    c->n = 0;
  }
}

void mech_contacts_visit(const struct mech *m, const double *q, double reach,
                         mech_contact_visitor *visit, void *data, struct mech_contacts *c) {
  c->visit = visit;
  c->visitor = data;
  ask(m, q, NULL, reach, c);
  show(c);
  c->visit = NULL;
}

void mech_contacts_visit_named(const struct mech *m, const double *q, int n, const long *id,
                               mech_contact_visitor *visit, void *data, struct mech_contacts *c) {
  c->n_only = n;
  c->only = id;
  mech_contacts_visit(m, q, INFINITY, visit, data, c);
  c->only = NULL;
}

void mech_contacts_clear(struct mech_contacts *c) { c->n = 0; }

void mech_contacts_reserve(struct mech_contacts *c, int n) {
  if (c->n == 0 && n > c->capacity && c->visit == NULL) {
    grow_all(c, n + n / CONTACTS_SLACK + CONTACTS_FIRST);
  }
}

int mech_contacts_extend(struct mech_contacts *c, int n) {
  const int first = c->n;
  if (n > c->capacity - first) {
    const int more = c->capacity > 0 ? c->capacity + c->capacity / 4 : CONTACTS_FIRST;
    grow_all(c, more > first + n ? more : first + n);
  }
  c->n += n;
  for (int i = first; c->friction_sets && i < c->n; ++i) {
    c->set[i] = (struct contact_set){.kind = CONTACT_SET_DISK};
  }
  const size_t from = (size_t)first, dim = (size_t)c->dim, count = (size_t)n;
  if (!c->rigid) {
    memset(mech_contacts_block(c, first, 0), 0, 2 * (size_t)c->nv * dim * count * sizeof *c->W);
  }
  if (c->with_bias) {
    memset(c->bias + dim * from, 0, dim * count * sizeof *c->bias);
    memset(c->piece + from, 0, count * sizeof *c->piece);
  }
  return first;
}

int mech_contacts_push(struct mech_contacts *c) {
  const int is_shown = c->visit != NULL;
  if (is_shown) {
    show(c);
  }
  const int i = mech_contacts_extend(c, 1);
  const size_t at = (size_t)i;
  c->id[i] = 0;
  c->gN[i] = c->mu[i] = c->eps_N[i] = c->eps_T[i] = 0;
  c->body[2 * at] = c->body[2 * at + 1] = -1;
  if (c->located && !is_shown) { /* who is shown contacts does not see where they act */
    memset(c->frame + 6 * at, 0, 6 * sizeof *c->frame);
    memset(c->arm + 6 * at, 0, 6 * sizeof *c->arm);
  }
  return i;
}

/* Entries of an array that index names; size: bytes an entry. NULL stays. */
static void *entries_of(const void *array, size_t size, int n, const int *index,
                        struct base_arena *arena) {
  if (array == NULL) {
    return NULL;
  }
  char *out = base_arena_room(arena, (size_t)n * size);
  for (int k = 0; k < n; ++k) {
    memcpy(out + (size_t)k * size, (const char *)array + (size_t)index[k] * size, size);
  }
  return out;
}

void mech_contacts_part(const struct mech_contacts *c, int n, const int *index,
                        struct base_arena *arena, struct mech_contacts *part) {
  struct array array[ARRAYS];
  *part = *c;
  if (n == c->n) { /* all of them, then */
    return;
  }
  part->n = part->capacity = n;
  arrays_of(part, array);
  for (int k = 0; k < ARRAYS; ++k) {
    array_set(array[k], entries_of(array_get(array[k]), array[k].size, n, index, arena));
  }
}

/* --- rigid bodies --- */

static inline int body_of(const struct mech_contacts *c, int i, int k) {
  return c->body[2 * (size_t)i + (size_t)k];
}
static inline const double *arm_of(const struct mech_contacts *c, int i, int k) {
  return c->arm + 6 * (size_t)i + 3 * (size_t)k;
}

/* Column d of W on body k: 6. */
static void rigid_direction(const struct mech_contacts *c, int i, int k, int d, double *w) {
  const double *axis = c->frame + 6 * (size_t)i + 3 * (size_t)(d % 2), sign = k == 0 ? -1 : 1;
  double t2[3], moment[3], own[3];
  if (d == 2) {
    mech_cross3(axis, axis + 3, t2);
    axis = t2;
  }
  mech_cross3(arm_of(c, i, k), axis, moment);
  mech_back3(c->turn + 9 * (size_t)body_of(c, i, k), moment, own);
  for (int j = 0; j < 3; ++j) {
    w[j] = sign * axis[j];
    w[3 + j] = sign * own[j];
  }
}

/* --- blocks --- */

void mech_contacts_block_velocity(const struct mech_contacts *c, int i, const double *u,
                                  double *v) {
  const int nv = c->nv, dim = c->dim;
  memset(v, 0, (size_t)dim * sizeof *v);
  for (int k = 0; k < 2; ++k) {
    const int body = body_of(c, i, k);
    if (body < 0) {
      continue;
    }
    const double *W = mech_contacts_block(c, i, k);
    const double *ub = u + (size_t)body * (size_t)nv;
    for (int d = 0; d < dim; ++d) {
      double sum = 0;
      for (int j = 0; j < nv; ++j) {
        sum += W[d * nv + j] * ub[j];
      }
      v[d] += sum;
    }
  }
}

void mech_contacts_block_force(const struct mech_contacts *c, int i, const double *r, double *f) {
  const int nv = c->nv;
  for (int k = 0; k < 2; ++k) {
    const int body = body_of(c, i, k);
    if (body < 0) {
      continue;
    }
    const double *W = mech_contacts_block(c, i, k);
    double *fb = f + (size_t)body * (size_t)nv;
    for (int d = 0; d < c->dim; ++d) {
      for (int j = 0; j < nv; ++j) {
        fb[j] += W[d * nv + j] * r[d];
      }
    }
  }
}

/* --- either --- */

void mech_contacts_directions(const struct mech_contacts *c, int i, int k, double *W) {
  const size_t size = (size_t)c->nv * (size_t)c->dim * sizeof *W;
  if (body_of(c, i, k) < 0) {
    memset(W, 0, size);
    return;
  }
  if (!c->rigid) {
    memcpy(W, mech_contacts_block(c, i, k), size);
    return;
  }
  for (int d = 0; d < 3; ++d) {
    rigid_direction(c, i, k, d, W + 6 * d);
  }
}

void mech_contacts_add_columns(const struct mech_contacts *c, int i, double *W) {
  const size_t nv = (size_t)c->nv, nu = (size_t)c->nb * nv;
  for (int k = 0; k < 2; ++k) {
    const int body = body_of(c, i, k);
    for (int d = 0; d < c->dim && body >= 0; ++d) {
      double own[6], *to = W + (size_t)d * nu + (size_t)body * nv;
      const double *w = own;
      if (c->rigid) {
        rigid_direction(c, i, k, d, own);
      } else {
        w = mech_contacts_block(c, i, k) + (size_t)d * nv;
      }
      for (size_t j = 0; j < nv; ++j) {
        to[j] += w[j];
      }
    }
  }
}

void mech_contacts_velocity(const struct mech_contacts *c, const double *u, double *v) {
  for (int i = 0; i < c->n; ++i) {
    mech_contacts_velocity_of(c, i, u, v + (size_t)i * (size_t)c->dim);
  }
}

void mech_contacts_force(const struct mech_contacts *c, const double *r, double *f) {
  for (int i = 0; i < c->n; ++i) {
    mech_contacts_force_of(c, i, r + (size_t)i * (size_t)c->dim, f);
  }
}
