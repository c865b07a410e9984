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
    world->part = base_arena_push(arena, (size_t)m->nb + 1);
    world->of = base_arena_push(arena, ((size_t)m->nb + 1) * sizeof *world->of);
    world->on = base_arena_push(arena, ((size_t)m->nb + 1) * sizeof *world->on);
    ++world->of;
    ++world->on;
    ++world->part;
    world->part[-1] = BASE_PARTS;
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

/* Where the bodies of each part begin: at the lesser body of its first contact of two. Lists mostly
 * ascend by it. */
static void share_bodies(struct penalty_world *world, const struct mech_contacts *c,
                         const struct base_parts *parts) {
  int begin = 0;
  for (int g = 0; g < parts->n; ++g) {
    const int *body = c->body + 2 * parts->each * g, *end = c->body + 2L * c->n;
    while (body < end && (body[0] < 0 || body[1] < 0)) {
      body += 2;
    }
    const int least = g == 0 ? 0 : body == end ? c->nb : body[0] < body[1] ? body[0] : body[1];
    begin = least > begin ? least : begin;
    memset(world->part + begin, g, (size_t)(c->nb - begin));
  }
}

/* Contacts or bodies of a loop; u or f. */
struct loop {
  struct penalty_world *world;
  const struct mech_contacts *c;
  const double *u;
  double *f;
};

/* post[part + 1].first: how much the part hands in. */
static void count_part(void *data, struct base_part part) {
  const struct loop *x = data;
  long count = 0;
  for (long i = 2 * part.first; i < 2 * part.end; ++i) {
    const int body = x->c->body[i];
    count += (body >= 0) & (x->world->part[body] != part.k);
  }
  x->world->post[part.k + 1].first = count;
}

void penalty_world_collect(struct penalty_world *world, const struct mech_contacts *c,
                           const struct base_parts *parts, struct base_arena *store) {
  world->parts = parts->n;
  share_bodies(world, c, parts);
  base_threads_parts(parts, count_part, &(struct loop){.world = world, .c = c});
  world->post[0].first = 0;
  for (int g = 0; g < parts->n; ++g) {
    world->post[g + 1].first += world->post[g].first;
  }
  const long n_late = world->post[parts->n].first;
  if (n_late > world->capacity) {
    world->capacity = (int)n_late + (int)n_late / 4;
    world->late =
        base_arena_resize(store, world->late, 0, (size_t)world->capacity * sizeof *world->late);
  }
}

static void for_bodies(int nb, base_part_fn *call, struct loop *x) {
  const struct base_parts parts = base_parts_of(nb, BASE_PART_LEAST);
  base_threads_parts(&parts, call, x);
}

static void move_part(void *data, struct base_part part) {
  const struct loop *x = data;
  for (long b = part.first; b < part.end; ++b) {
    struct penalty_world_body *at = &x->world->of[b];
    memcpy(at->v, x->u + 6 * b, sizeof at->v);
    mech_turn3(x->c->turn + 9 * b, x->u + 6 * b + 3, at->w);
  }
}

void penalty_world_move(struct penalty_world *world, const struct mech_contacts *c,
                        const double *u) {
  for_bodies(c->nb, move_part, &(struct loop){.world = world, .c = c, .u = u});
}

static void unload_part(void *data, struct base_part part) {
  const struct loop *x = data;
  memset(x->world->on + part.first, 0, (size_t)(part.end - part.first) * sizeof *x->world->on);
}

void penalty_world_unload(struct penalty_world *world, const struct mech_contacts *c) {
  for_bodies(c->nb, unload_part, &(struct loop){.world = world});
  for (int g = 0; g < world->parts; ++g) {
    world->post[g].next = world->post[g].first;
  }
}

static void add_part(void *data, struct base_part part) {
  const struct loop *x = data;
  for (long b = part.first; b < part.end; ++b) {
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
  for_bodies(c->nb, add_part, &(struct loop){.world = world, .c = c, .f = f});
}
