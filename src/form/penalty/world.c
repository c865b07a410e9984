/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies that have contacts, in the world's axes; see world.h.
 */
#include "form/penalty/world.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"

void penalty_world_init(struct penalty_world *world, const struct mech *m,
                        struct base_arena *arena) {
  *world = (struct penalty_world){0};
  if (m->ops->bodies.rigid != NULL) {
    world->body = base_arena_ints(arena, m->nb);
    world->part = base_arena_push(arena, (size_t)m->nb + 1);
    world->of = base_arena_push(arena, ((size_t)m->nb + 1) * sizeof *world->of);
    world->on = base_arena_push(arena, ((size_t)m->nb + 1) * sizeof *world->on);
    ++world->of;
    ++world->on;
    ++world->part;
    world->part[-1] = PENALTY_PARTS;
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

/* Which part has the sum of each body; post[g + 1].first: how much part g hands in. */
static void share_bodies(struct penalty_world *world, const struct mech_contacts *c, int each) {
  memset(world->part, PENALTY_PARTS, (size_t)c->nb);
  for (int g = 0; g < world->parts; ++g) {
    const int end = g + 1 < world->parts ? (g + 1) * each : c->n;
    long count = 0;
    for (int i = 2 * g * each; i < 2 * end; ++i) {
      const int body = c->body[i];
      if (body >= 0) {
        unsigned char *part = &world->part[body];
        *part = *part == PENALTY_PARTS ? (unsigned char)g : *part;
        count += *part != g;
      }
    }
    world->post[g + 1].first = count;
  }
}

void penalty_world_collect(struct penalty_world *world, const struct mech_contacts *c, int parts,
                           int each, struct base_arena *store) {
  world->parts = parts;
  share_bodies(world, c, each);
  world->post[0].first = 0;
  for (int g = 0; g < parts; ++g) {
    world->post[g + 1].first += world->post[g].first;
  }
  const long n_late = world->post[parts].first;
  if (n_late > world->capacity) {
    world->capacity = (int)n_late + (int)n_late / 4;
    world->late =
        base_arena_resize(store, world->late, 0, (size_t)world->capacity * sizeof *world->late);
  }
  world->n = 0;
  for (int b = 0; b < c->nb; ++b) {
    world->body[world->n] = b;
    world->n += world->part[b] != PENALTY_PARTS;
  }
}

/* A loop over the bodies that have contacts, as many of them a part; u or f. */
struct bodies {
  struct penalty_world *world;
  const struct mech_contacts *c;
  const double *u;
  double *f;
};

static void for_bodies(struct bodies *bodies, void (*part)(void *bodies, int part)) {
  const int parts = bodies->world->parts;
  base_threads_each(parts > 1 ? base_threads() : 1, parts, part, bodies);
}

/* First body of a part. */
static int first_of(const struct penalty_world *world, int part) {
  return (int)((long)world->n * part / world->parts);
}

static void move_part(void *data, int part) {
  const struct bodies *x = data;
  for (int k = first_of(x->world, part); k < first_of(x->world, part + 1); ++k) {
    const size_t b = (size_t)x->world->body[k];
    struct penalty_world_body *at = &x->world->of[b];
    memcpy(at->v, x->u + 6 * b, sizeof at->v);
    mech_turn3(x->c->turn + 9 * b, x->u + 6 * b + 3, at->w);
  }
}

void penalty_world_move(struct penalty_world *world, const struct mech_contacts *c,
                        const double *u) {
  for_bodies(&(struct bodies){.world = world, .c = c, .u = u}, move_part);
}

void penalty_world_unload(struct penalty_world *world) {
  for (int k = 0; k < world->n; ++k) {
    world->on[world->body[k]] = (struct penalty_world_load){0};
  }
  for (int g = 0; g < world->parts; ++g) {
    world->post[g].next = world->post[g].first;
  }
}

static void add_part(void *data, int part) {
  const struct bodies *x = data;
  for (int k = first_of(x->world, part); k < first_of(x->world, part + 1); ++k) {
    const size_t b = (size_t)x->world->body[k];
    const struct penalty_world_load *at = &x->world->on[b];
    double own[3];
    mech_back3(x->c->turn + 9 * b, at->torque, own);
    mech_add3(1, at->force, x->f + 6 * b);
    mech_add3(1, own, x->f + 6 * b + 3);
  }
}

void penalty_world_add_loads(struct penalty_world *world, const struct mech_contacts *c,
                             double *f) {
  for (long k = 0; k < world->post[world->parts].first; ++k) {
    const struct penalty_world_late *late = &world->late[k];
    mech_add3(1, late->force, world->on[late->body].force);
    mech_add3(1, late->torque, world->on[late->body].torque);
  }
  for_bodies(&(struct bodies){.world = world, .c = c, .f = f}, add_part);
}
