/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies that have contacts, in the world's axes; see world.h.
 */
#include "form/penalty/world.h"

#include <math.h>
#include <string.h>

void penalty_world_init(struct penalty_world *world, const struct mech *m,
                        struct base_arena *arena) {
  *world = (struct penalty_world){0};
  if (m->ops->bodies.rigid != NULL) {
    world->body = base_arena_ints(arena, m->nb);
    world->touched = base_arena_push(arena, (size_t)m->nb);
    world->of = base_arena_push(arena, ((size_t)m->nb + 1) * sizeof *world->of);
    world->on = base_arena_push(arena, ((size_t)m->nb + 1) * sizeof *world->on);
    ++world->of;
    ++world->on;
  }
}

void penalty_world_weigh(struct penalty_world *world, int nb, const double *inverse_mass) {
  for (int b = 0; b < nb; ++b) {
    const double *inverse = inverse_mass + 6L * b;
    const int is_same = inverse[3] == inverse[4] && inverse[4] == inverse[5];
    world->of[b].mass = inverse[0];
    world->of[b].inertia = is_same ? inverse[3] : NAN;
  }
}

void penalty_world_collect(struct penalty_world *world, const struct mech_contacts *c) {
  memset(world->touched, 0, (size_t)c->nb);
  for (int i = 0; i < 2 * c->n; ++i) {
    if (c->body[i] >= 0) {
      world->touched[c->body[i]] = 1;
    }
  }
  world->n = 0;
  for (int b = 0; b < c->nb; ++b) {
    world->body[world->n] = b;
    world->n += world->touched[b];
  }
}

void penalty_world_move(struct penalty_world *world, const struct mech_contacts *c,
                        const double *u) {
  for (int k = 0; k < world->n; ++k) {
    const size_t b = (size_t)world->body[k];
    struct penalty_world_body *at = &world->of[b];
    memcpy(at->v, u + 6 * b, sizeof at->v);
    mech_turn3(c->turn + 9 * b, u + 6 * b + 3, at->w);
  }
}

void penalty_world_unload(struct penalty_world *world) {
  for (int k = 0; k < world->n; ++k) {
    world->on[world->body[k]] = (struct penalty_world_load){0};
  }
}

void penalty_world_add_loads(const struct penalty_world *world, const struct mech_contacts *c,
                             double *f) {
  for (int k = 0; k < world->n; ++k) {
    const size_t b = (size_t)world->body[k];
    const struct penalty_world_load *at = &world->on[b];
    double own[3];
    mech_back3(c->turn + 9 * b, at->torque, own);
    mech_add3(1, at->force, f + 6 * b);
    mech_add3(1, own, f + 6 * b + 3);
  }
}
