/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packings from a seed; see packing_problem.h.
 */
#include "tests/packing_problem.h"

#include "contact/law.h"
#include "problem/operator/rigid.h"

#include <math.h>
#include <string.h>

/* Reach of a contact in lattice spacings: with centres moved by up to JITTER along each axis 3.3
 * pairs a body lie nearer, the floor's among them. */
static const double REACH = 1.235, JITTER = 0.2;
static const double GRAVITY = 9.81, DT = 1e-3; /* [m/s^2], [s] */

struct lattice {
  const struct packing_problem *shape;
  int nb;
  int *name;      /* nb: number of the body at a place */
  double *centre; /* 3 x nb, by place [m] */
  double *u;      /* 6 x nb, by number: free velocities, world axes */
  double *turn, *mass;
};

static void place_bodies(struct lattice *x, struct base_rng *rng, struct base_arena *arena) {
  const int side = x->shape->side;
  x->nb = side * side * side;
  x->name = base_arena_ints(arena, x->nb);
  x->centre = base_arena_doubles(arena, 3 * x->nb);
  x->u = base_arena_doubles(arena, 6 * x->nb);
  x->turn = base_arena_doubles(arena, 9 * x->nb);
  x->mass = base_arena_doubles(arena, 6 * x->nb);
  for (int k = 0; k < x->nb; ++k) {
    const int at[3] = {k % side, k / side % side, k / side / side};
    const int other = x->shape->shuffled ? base_rng_below(rng, k + 1) : k;
    x->name[k] = x->name[other];
    x->name[other] = k;
    for (int c = 0; c < 3; ++c) {
      x->centre[3 * k + c] = at[c] + base_rng_uniform(rng, -JITTER, JITTER);
      x->u[6 * k + c] = base_rng_normal(rng) * GRAVITY * DT / 2 - (c == 2 ? GRAVITY * DT : 0);
      x->u[6 * k + 3 + c] = base_rng_normal(rng) * GRAVITY * DT;
    }
    const double radius = base_rng_uniform(rng, 0.4, 0.6), mass = 8 * pow(radius, 3);
    double *R = x->turn + 9 * k, *moment = x->mass + 6 * k + 3;
    for (int c = 0; c < 3; ++c) {
      x->mass[6 * k + c] = mass;
      moment[c] = 0.4 * mass * radius * radius;
      R[4 * c] = 1;
    }
    if (x->shape->bodies == PACKING_BOXES) { /* inverse inertia over that: 1 + w w^T, w anywhere */
      const double w[3] = {base_rng_normal(rng), base_rng_normal(rng), base_rng_normal(rng)};
      const double length = sqrt(rigid_dot(w, w)),
                   axis[3] = {w[0] / length, w[1] / length, w[2] / length};
      double t1[3], t2[3];
      contact_frame(axis, t1, t2);
      moment[0] /= 1 + length * length;
      for (int c = 0; c < 3; ++c) {
        R[3 * c] = axis[c];
        R[3 * c + 1] = t1[c];
        R[3 * c + 2] = t2[c];
      }
    }
  }
}

struct list {
  int n, room;
  int *body;
  double *frame, *arm, *b;
};

static void add_contact(struct list *list, const struct lattice *x, int from, int to,
                        const double *offset, double distance, struct base_rng *rng) {
  double *frame = list->frame + 6 * (size_t)list->n, *arm = list->arm + 6 * (size_t)list->n;
  double d[3] = {0, 0, 0}, t2[3];
  for (int c = 0; c < 3; ++c) {
    frame[c] = offset[c] / distance;
  }
  contact_frame(frame, frame + 3, t2);
  for (int c = 0; c < 3; ++c) {
    const double off =
        x->shape->bodies == PACKING_BOXES ? 0.4 * base_rng_uniform(rng, -0.5, 0.5) : 0;
    arm[c] = 0.5 * offset[c] + off;
    arm[3 + c] = -0.5 * offset[c] + off;
  }
  const int names[2] = {from < 0 ? -1 : x->name[from], x->name[to]};
  for (int side = 0; side < 2; ++side) {
    list->body[2 * list->n + side] = names[side];
    if (names[side] >= 0) {
      rigid_add_motion(side == 0 ? -1 : 1, x->u + 6 * names[side], arm + 3 * side, d);
    }
  }
  rigid_to_frame(3, frame, d, list->b + 3 * (size_t)list->n);
  ++list->n;
}

/* Contacts of the body at place k with the floor and with later places. */
static void touch(struct list *list, const struct lattice *x, int k, struct base_rng *rng) {
  const int side = x->shape->side, at[3] = {k % side, k / side % side, k / side / side};
  const double *here = x->centre + 3 * k;
  if (at[2] == 0) {
    const double up[3] = {0, 0, 1};
    add_contact(list, x, -1, k, up, 1, rng);
  }
  for (int m = 14; m < 27; ++m) { /* half of the 26 neighbours */
    const int step[3] = {m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1};
    int inside = 1;
    for (int c = 0; c < 3; ++c) {
      inside &= at[c] + step[c] >= 0 && at[c] + step[c] < side;
    }
    if (!inside) {
      continue;
    }
    const int other = k + step[0] + side * (step[1] + side * step[2]);
    double offset[3];
    for (int c = 0; c < 3; ++c) {
      offset[c] = x->centre[3 * other + c] - here[c];
    }
    const double distance = sqrt(rigid_dot(offset, offset));
    if (distance < REACH && list->n < list->room) {
      add_contact(list, x, k, other, offset, distance, rng);
    }
  }
}

struct problem packing_problem_build(const struct packing_problem *shape, struct base_rng *rng,
                                     struct base_arena *arena) {
  struct lattice x = {.shape = shape};
  place_bodies(&x, rng, arena);
  struct list list = {.room = 5 * x.nb};
  list.body = base_arena_ints(arena, 2 * list.room);
  list.frame = base_arena_doubles(arena, 6 * list.room);
  list.arm = base_arena_doubles(arena, 6 * list.room);
  list.b = base_arena_doubles(arena, 3 * list.room);
  int *place = base_arena_ints(arena, x.nb);
  for (int k = 0; k < x.nb; ++k) {
    place[x.name[k]] = k;
  }
  for (int k = 0; k < x.nb; ++k) {
    touch(&list, &x, place[k], rng);
  }
  double *mu = base_arena_doubles(arena, list.n);
  for (int i = 0; i < list.n; ++i) {
    mu[i] = 0.5;
  }
  return (struct problem){.name = "packing",
                          .model = {.law = CONTACT_LAW_NCP, .dim = 3, .nc = list.n, .mu = mu},
                          .A = {.kind = PROBLEM_OPERATOR_BODIES,
                                .dim = 3,
                                .nc = list.n,
                                .nb = x.nb,
                                .nv = 6,
                                .body = list.body,
                                .frame = list.frame,
                                .arm = list.arm,
                                .turn = x.turn,
                                .mass = x.mass},
                          .b = list.b};
}

struct problem packing_problem_written_out(const struct problem *p, struct base_arena *arena) {
  struct problem bodies = *p;
  problem_rigid_write_out(&p->A, &bodies.A, arena);
  return bodies;
}
