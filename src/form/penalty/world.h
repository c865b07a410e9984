/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products with W of rigid bodies, over all contacts. Velocities u and forces f have their angular
 * part in the axes of each body (mech/contacts.h); a body of a packing has several contacts, and the
 * law visits each of them several times a step. So bodies that have contacts are turned once,
 *
 *   v, w = V, R omega         before         velocity of a contact   d . (v + w x a)
 *   f += (F, R^T T)           after          F += P, T += a x P
 *
 * and contacts see the world's axes alone.
 */
#ifndef FORM_PENALTY_WORLD_H
#define FORM_PENALTY_WORLD_H

#include "mech/mech.h"

struct penalty_world_body {
  double v[3], w[3];          /* of the centre, angular */
  double force[3], torque[3]; /* the sum over the contacts so far */
};
struct penalty_world {
  int n, *body;                  /* bodies that have contacts, ascending: n of nb */
  unsigned char *touched;        /* nb */
  struct penalty_world_body *of; /* nb; those of the list alone hold anything */
};

/* For rigid bodies; of others nothing is allocated. */
void penalty_world_init(struct penalty_world *world, const struct mech *m,
                        struct base_arena *arena);
/* The bodies of a new list of contacts. */
void penalty_world_collect(struct penalty_world *world, const struct mech_contacts *c);
/* u: nu, velocities or accelerations, to v and w; forces to zero. */
void penalty_world_move(struct penalty_world *world, const struct mech_contacts *c,
                        const double *u);
/* f: nu, += the forces of all contacts. */
void penalty_world_load(const struct penalty_world *world, const struct mech_contacts *c,
                        double *f);

/* v: 3 = W^T u of contact i, frame: its own. */
static inline void penalty_world_velocity(const struct penalty_world *world,
                                          const struct mech_contacts *c, int i,
                                          const double frame[9], double v[3]) {
  double apart[3] = {0};
  for (int k = 0; k < 2; ++k) {
    const int body = c->body[2 * (size_t)i + (size_t)k];
    const double *a = c->arm + 6 * (size_t)i + 3 * (size_t)k, sign = k == 0 ? -1 : 1;
    if (body >= 0) {
      const struct penalty_world_body *at = &world->of[body];
      apart[0] += sign * (at->v[0] + at->w[1] * a[2] - at->w[2] * a[1]);
      apart[1] += sign * (at->v[1] + at->w[2] * a[0] - at->w[0] * a[2]);
      apart[2] += sign * (at->v[2] + at->w[0] * a[1] - at->w[1] * a[0]);
    }
  }
  for (int d = 0; d < 3; ++d) {
    v[d] = mech_dot3(frame + 3 * d, apart);
  }
}

/* W r of contact i onto its bodies; r: 3. */
static inline void penalty_world_push(struct penalty_world *world, const struct mech_contacts *c,
                                      int i, const double frame[9], const double r[3]) {
  double P[3];
  for (int j = 0; j < 3; ++j) {
    P[j] = frame[j] * r[0] + frame[3 + j] * r[1] + frame[6 + j] * r[2];
  }
  for (int k = 0; k < 2; ++k) {
    const int body = c->body[2 * (size_t)i + (size_t)k];
    if (body >= 0) {
      const double sign = k == 0 ? -1 : 1;
      struct penalty_world_body *at = &world->of[body];
      double moment[3];
      mech_cross3(c->arm + 6 * (size_t)i + 3 * (size_t)k, P, moment);
      mech_add3(sign, P, at->force);
      mech_add3(sign, moment, at->torque);
    }
  }
}

#endif
