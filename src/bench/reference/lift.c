/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts that a run has open and its reference closed; see errors.h. A contact that has just
 * closed in the reference does not count: a run whose step has not ended yet is late, and does not
 * lift.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/sort.h"
#include "bench/reference/errors.h"

/* Gaps of the reference below this, over the system's length, are closed. */
static const double CLOSED = 1e-9;

struct closed {
  int n, capacity;
  long *id; /* n, ascending */
};

static void note(void *data, const struct mech_contacts *c, int i) {
  struct closed *x = data;
  if (x->n == x->capacity) {
    x->capacity = x->capacity == 0 ? 64 : 2 * x->capacity;
    x->id = base_memory_resize(x->id, (size_t)x->capacity * sizeof *x->id);
  }
  x->id[x->n++] = c->id[i];
}

struct lift {
  const struct closed *now, *before;
  int at, at_before; /* contacts already met */
  double largest;
};

static void look_at(void *data, const struct mech_contacts *c, int i) {
  struct lift *lift = data;
  const long id = c->id[i];
  if (base_sorted_find(lift->now->n, lift->now->id, id, &lift->at) >= 0 &&
      base_sorted_find(lift->before->n, lift->before->id, id, &lift->at_before) >= 0) {
    lift->largest = fmax(lift->largest, fmax(c->gN[i], 0));
  }
}

double bench_measure_lift(const struct mech *m, const struct bench_path *path, int n,
                          const struct bench_path *ref, struct base_arena *arena) {
  struct closed closed[2] = {{0}};
  struct mech_contacts contact;
  double largest = NAN;
  if (m->ops->contacts == NULL || m->ops->observe != NULL || m->ops->open.inflow_outflow != NULL) {
    return NAN;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  mech_contacts_init(&contact, m, arena);
  for (int k = 0; k < n; ++k) {
    struct closed *now = &closed[k % 2];
    struct lift lift = {.now = now, .before = &closed[(k + 1) % 2], .largest = largest};
    const size_t at = (size_t)k * (size_t)path->nq;
    now->n = 0;
    mech_set_time(m, path->t[k]);
    mech_contacts_visit(m, ref->q + at, CLOSED * m->length, note, now, &contact);
    if (now->n > 0 && lift.before->n > 0) {
      mech_contacts_visit_named(m, path->q + at, now->n, now->id, look_at, &lift, &contact);
    }
    largest = lift.largest;
  }
  for (int k = 0; k < 2; ++k) {
    free(closed[k].id);
  }
  base_arena_release(arena, mark);
  return largest;
}
