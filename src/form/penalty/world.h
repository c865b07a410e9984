/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products with W of rigid bodies, over all contacts. Velocities u and forces f have their angular
 * part in the axes of each body (mech/contacts.h); a body of a packing has several contacts, and
 * the law visits each of them several times a step. So bodies are turned once,
 *
 *   v, w = V, R omega         before         velocity of a contact   d . (v + w x a)
 *   f += (F, R^T T)           after          F += P, T += a x P
 *
 * and contacts see the world's axes alone.
 */
#ifndef FORM_PENALTY_WORLD_H
#define FORM_PENALTY_WORLD_H

#include "base/threads.h"
#include "mech/mech.h"

/* Data read and sums written take a cache line each, because contacts access bodies at random. */
struct penalty_world_body {
  double v[3], w[3];    /* of the centre, angular */
  double mass, inertia; /* inverse [1/kg], [1/(kg m^2)]; NaN: not the same about all axes */
};
struct penalty_world_load {
  double force[3], torque[3]; /* the sum over the contacts so far */
  double unused[2];
};
/* Parts of the list run in parallel, and each body belongs to one part, which adds to its sum.
 * Other parts store their forces in a queue, which is added at the end in the order of the
 * contacts. */
struct penalty_world_late {
  int body;
  double force[3], torque[3];
};
struct penalty_world_post { /* of a part; a cache line */
  long first, next;         /* in `late`: first entry of the part, and the next free one */
  long unused[6];
};
struct penalty_world {
  unsigned char *part; /* nb, and [-1], the world: the part with the sum, of the world none */
  int parts, capacity; /* number of parts of the present list; capacity of `late` */
  struct penalty_world_post post[BASE_PARTS + 1];
  struct penalty_world_late *late;
  /* nb, and [-1], the world, at rest */
  struct penalty_world_body *of;
  struct penalty_world_load *on;
};

/* For rigid bodies; of others nothing is allocated. */
void penalty_world_init(struct penalty_world *world, const struct mech *m,
                        struct base_arena *arena);
/* Inverse masses and moments of the bodies, from those of u: nu. */
void penalty_world_weigh(struct penalty_world *world, int nb, const double *inverse_mass);
/* The parts of a new list of contacts, and the bodies of each. store: of arrays that grow
 * (base_arena_resize). */
void penalty_world_collect(struct penalty_world *world, const struct mech_contacts *c,
                           const struct base_parts *parts, struct base_arena *store);
/* u: nu, velocities or accelerations, to v and w. */
void penalty_world_move(struct penalty_world *world, const struct mech_contacts *c,
                        const double *u);
/* Forces to zero. */
void penalty_world_unload(struct penalty_world *world, const struct mech_contacts *c);
/* f: nu, += the forces of all contacts, the queued ones included. */
void penalty_world_add_loads(struct penalty_world *world, const struct mech_contacts *c, double *f);

/* Prefetch the second bodies of contacts first ... first + n - 1, up to the end of the list. The
 * first body of a pair is mostly that of the contact before, since lists ascend. */
static inline void penalty_world_prefetch(const struct penalty_world *world,
                                          const struct mech_contacts *c, int first, int n) {
  const int end = first + n < c->n ? first + n : c->n;
  for (int i = first; i < end; ++i) {
    const int body = c->body[2 * (size_t)i + 1];
    __builtin_prefetch(&world->of[body]);
    __builtin_prefetch(&world->on[body], 1);
  }
}

/* Velocity of the point of a body at the arm a. */
static inline void penalty_world_point(const struct penalty_world_body *at, const double a[3],
                                       double v[3]) {
  v[0] = at->v[0] + at->w[1] * a[2] - at->w[2] * a[1];
  v[1] = at->v[1] + at->w[2] * a[0] - at->w[0] * a[2];
  v[2] = at->v[2] + at->w[0] * a[1] - at->w[1] * a[0];
}

/* v: 3 = W^T u of contact i, frame: its own. */
static inline void penalty_world_velocity(const struct penalty_world *world,
                                          const struct mech_contacts *c, int i,
                                          const double frame[9], double v[3]) {
  const double *a = c->arm + 6 * (size_t)i;
  const int *body = c->body + 2 * (size_t)i;
  double first[3], second[3];
  penalty_world_point(&world->of[body[0]], a, first);
  penalty_world_point(&world->of[body[1]], a + 3, second);
  const double x = second[0] - first[0], y = second[1] - first[1], z = second[2] - first[2];
  v[0] = frame[0] * x + frame[1] * y + frame[2] * z;
  v[1] = frame[3] * x + frame[4] * y + frame[5] * z;
  v[2] = frame[6] * x + frame[7] * y + frame[8] * z;
}

/* A force and its torque, times sign, onto a body. */
static inline void penalty_world_add(struct penalty_world *world, int part, int body, double sign,
                                     const double P[3], const double T[3]) {
  if (world->part[body] == part) {
    mech_add3(sign, P, world->on[body].force);
    mech_add3(sign, T, world->on[body].torque);
  } else if (body >= 0) {
    struct penalty_world_late *late = &world->late[world->post[part].next++];
    late->body = body;
    for (int j = 0; j < 3; ++j) {
      late->force[j] = sign * P[j];
      late->torque[j] = sign * T[j];
    }
  }
}

/* Add W r of contact i, in a part, to its bodies; r: 3. */
static inline void penalty_world_push(struct penalty_world *world, const struct mech_contacts *c,
                                      int part, int i, const double frame[9], const double r[3]) {
  const double *a = c->arm + 6 * (size_t)i;
  const int *body = c->body + 2 * (size_t)i;
  double P[3], T[2][3];
  mech_back3(frame, r, P);
  mech_cross3(a, P, T[0]);
  mech_cross3(a + 3, P, T[1]);
  penalty_world_add(world, part, body[0], -1, P, T[0]);
  penalty_world_add(world, part, body[1], 1, P, T[1]);
}

#endif
