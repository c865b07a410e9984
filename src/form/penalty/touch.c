/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts of a configuration and which of them are active. The implicit steppers take differences
 * of the derivative; they hold the set of active contacts meanwhile (frozen), so that the
 * differences are those of one smooth function.
 */
#include "base/sort.h"
#include "form/penalty/penalty.h"
#include "la/dense.h"

/* A gap changes by at most this times the increment of a coordinate: an active contact is found
 * again, without asking for every potential one. */
static const double FROZEN_REACH = 1024;

void penalty_touch_forget(struct penalty_flow *flow) { flow->touch.found.known = 0; }

void penalty_touch_freeze(struct penalty_flow *flow, double increment) {
  const struct mech_contacts *c = &flow->touch.contacts;
  flow->touch.frozen.reach = FROZEN_REACH * increment;
  flow->touch.frozen.id = base_arena_longs(flow->arena, c->n);
  flow->touch.frozen.n = 0;
  for (int i = 0; i < c->n; ++i) {
    if (flow->touch.active[i]) {
      flow->touch.frozen.id[flow->touch.frozen.n++] = c->id[i];
    }
  }
  flow->touch.frozen.on = 1;
}

static void find_active(struct penalty_flow *flow) {
  const struct mech_contacts *c = &flow->touch.contacts;
  flow->touch.n_active = 0;
  for (int i = 0, k = 0; i < c->n; ++i) {
    flow->touch.active[i] =
        flow->touch.frozen.on
            ? base_sorted_find(flow->touch.frozen.n, flow->touch.frozen.id, c->id[i], &k) >= 0
            : c->gN[i] < 0;
    flow->touch.n_active += flow->touch.active[i];
  }
}

static void make_room(struct penalty_flow *flow) {
  const struct mech_contacts *c = &flow->touch.contacts;
  if (c->capacity > flow->touch.capacity) {
    flow->touch.capacity = c->capacity;
    flow->touch.active = penalty_flow_renew(flow, flow->touch.active, sizeof *flow->touch.active);
    penalty_law_reserve(flow);
    penalty_place_reserve(flow);
  }
}

/* The law of other bodies, and that with constraints eliminated, takes scratch. */
static int has_parts(const struct penalty_flow *flow) {
  return flow->touch.contacts.rigid &&
         (flow->m->ns == 0 || flow->options->bilateral != PENALTY_MULTIPLIER);
}

void penalty_touch_find(struct penalty_flow *flow, double t, const double *q) {
  const struct mech *m = flow->m;
  const double reach = flow->touch.frozen.on ? flow->touch.frozen.reach : 0;
  if (m->ops->contacts == NULL) {
    return;
  }
  if (flow->touch.found.known && flow->touch.found.frozen == flow->touch.frozen.on &&
      flow->touch.found.reach == reach && (m->clock == NULL || flow->touch.found.t == t) &&
      la_same(m->nq, flow->touch.found.q, q)) {
    return;
  }
  mech_contacts_find(m, q, NULL, reach, &flow->touch.contacts);
  make_room(flow);
  find_active(flow);
  flow->touch.parts = has_parts(flow) ? base_parts_of(flow->touch.contacts.n, BASE_PART_LEAST)
                                      : base_parts_whole(flow->touch.contacts.n);
  if (flow->touch.contacts.rigid) {
    penalty_world_collect(&flow->world, &flow->touch.contacts, &flow->touch.parts, flow->store);
  }
  flow->place.known = flow->place.slotted = flow->place.turned = 0;
  la_copy(m->nq, q, flow->touch.found.q);
  flow->touch.found.t = t;
  flow->touch.found.reach = reach;
  flow->touch.found.frozen = flow->touch.frozen.on;
  flow->touch.found.known = 1;
}
