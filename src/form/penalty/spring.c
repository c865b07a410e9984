/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tangential springs with memory and Coulomb's limit (Cundall and Strack; Mindlin's stiffness with
 * the hertz law). Spring and damper in parallel, in series with a slider: with the elongation xi of
 * the spring,
 *
 *   f* = -k_T xi - d_T v_T,   k_T = K_T pen^(n-1)
 *   |f*| <= mu f_N:  f_T = f*,                 xi' = v_T                       (sticks)
 *   else:            f_T = mu f_N f* / |f*|,   xi' = -(f_T + k_T xi) / d_T     (slips)
 *
 * where xi' + slip = v_T and f_T = -k_T xi - d_T xi' in either case: a differential equation, whose
 * xi any method of integration carries along, in place of the usual cut of xi after a step (its
 * limit for small d_T). What sticks comes to rest and stays there.
 *
 * d_T follows from eps_T as D from eps_N, 2 zeta sqrt(k_T m_T). This decides about oblique impacts:
 * a spring alone stretches through the impact in place of sliding and throws back (Maw, Barber and
 * Fawcett), at any stiffness; with the strong damping of eps_T = 0 the contact slides as rigid ones
 * do.
 *
 * k_T of the hertz law changes with pen. While pen grows xi is shortened so that the force stays,
 * xi' -= (n-1) pen'/pen xi; while pen falls the force falls with k_T. Both lose energy; a force k_T
 * xi alone would gain it from loading (Elata and Berryman). pen is taken as no less than the K_T/K
 * |xi| / mu of a spring at Coulomb's limit, so that the rate stays bounded at the onset.
 *
 * A spring belongs to a contact's id and ends with the contact: what it holds then counts as
 * friction. Its components are those of the contact's frame when the internal step began; where
 * the system tells its frames, they are carried to the present frame by the rotation without spin
 * that takes one normal into the other. Otherwise frames are taken not to turn. A contact that
 * begins within a step has its spring from the end of this step on.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "form/penalty/penalty.h"
#include "form/penalty/slider.h"
#include "la/dense.h"

/* What eps_T = 1 takes: a slider needs a damper, and follows at omega / (2 zeta), ten times omega.
 */
static const double LEAST_ZETA = 0.05;

static inline double dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/* cos and sin of the angle from the first frame's tangents, carried over to the normal of the
 * second, to the tangents of the second; frames: n, t1, t2. */
static void turn_between(const double *from, const double *to, double *cs) {
  const double *n0 = from, *t0 = from + 3, *n = to;
  const double along = 1 + dot3(n0, n), share = along > 0 ? dot3(t0, n) / along : 0;
  double t[3];
  for (int d = 0; d < 3; ++d) {
    t[d] = t0[d] - share * (n0[d] + n[d]);
  }
  cs[0] = dot3(t, to + 3);
  cs[1] = dot3(t, to + 6);
}

static inline double stiffness_of(const struct penalty_flow *flow, double pen) {
  const struct penalty_options *o = flow->options;
  const double n = penalty_exponent(o), K_T = o->K_T >= 0 ? o->K_T : o->ratio_T * n * o->K;
  return n > 1 ? K_T * sqrt(pen > 0 ? pen : 0) : K_T;
}

/* Damping ratio of contact i, by eps_T where it is not given. */
static inline double ratio_of(const struct penalty_flow *flow, struct penalty_known *known, int i) {
  const struct penalty_options *o = flow->options;
  const double given = flow->touch.contacts.eps_T[i],
               eps_T = given > o->eps_min ? given : o->eps_min;
  if (o->zeta_T >= 0) {
    return o->zeta_T;
  }
  if (eps_T != known->eps_T) {
    known->eps_T = eps_T;
    known->ratio = fmax(penalty_damping_ratio(eps_T, 1), LEAST_ZETA);
  }
  return known->ratio;
}

void penalty_spring_place(struct penalty_flow *flow, struct penalty_known *known, int first, int n,
                          const double *inverse) {
  const double D_T = flow->options->D_T;
  double *k_T = flow->place.k_T + first, *d_T = flow->place.d_T + first, zeta[PENALTY_BLOCK];
  for (int k = 0; k < n; ++k) {
    k_T[k] = stiffness_of(flow, -flow->touch.contacts.gN[first + k]);
    zeta[k] = D_T >= 0 ? 0 : ratio_of(flow, known, first + k);
  }
  for (int k = 0; k < n; ++k) {
    const double damping = 2 * zeta[k] * sqrt(k_T[k] / inverse[k]);
    const double found = inverse[k] > 0 ? damping : 0;
    d_T[k] = D_T >= 0 ? D_T : found;
  }
}

/* Slots of n contacts from `first` on, whose ids ascend as those of the slots do; returns how many
 * have one. */
static int find_slots(struct penalty_flow *flow, int first, int n, int *cursor) {
  const struct penalty_history *h = &flow->history;
  int *slot = flow->place.slot, count = 0;
  for (int i = first; i < first + n; ++i) {
    slot[i] = flow->touch.active[i]
                  ? base_sorted_find(h->n, h->id, flow->touch.contacts.id[i], cursor)
                  : -1;
    count += slot[i] >= 0;
  }
  return count;
}

static void know_slots(struct penalty_flow *flow) {
  int cursor = 0;
  if (!flow->place.slotted) {
    flow->place.n_slotted = find_slots(flow, 0, flow->touch.contacts.n, &cursor);
    flow->place.slotted = 1;
  }
}

int penalty_spring_turn(struct penalty_flow *flow, int first, int n, int *cursor) {
  const struct penalty_history *h = &flow->history;
  const struct penalty_place *place = &flow->place;
  const int count = flow->place.slotted ? 0 : find_slots(flow, first, n, cursor);
  for (int i = first; i < first + n && h->frame != NULL; ++i) {
    if (place->slot[i] >= 0) {
      double frame[9], cs[2];
      mech_contacts_frame(&flow->touch.contacts, i, frame);
      turn_between(h->frame + 6L * place->slot[i], frame, cs);
      place->cos[i] = cs[0];
      place->sin[i] = cs[1];
    }
  }
  return count;
}

static void know_turns(struct penalty_flow *flow) {
  int cursor = 0;
  if (!flow->place.turned) {
    const int count = penalty_spring_turn(flow, 0, flow->touch.contacts.n, &cursor);
    flow->place.n_slotted = flow->place.slotted ? flow->place.n_slotted : count;
    flow->place.turned = flow->place.slotted = 1;
  }
}

/* Elongations and rates of the slots, and of what is asked for the sums of the parts. */
struct springs {
  struct penalty_flow *flow;
  const double *read; /* xi, where they are only read */
  double dt, *xi, *dxi;
  double *x, *rate;          /* width a contact: those of the slots to come */
  int count[BASE_PARTS + 1]; /* active contacts: of a part, then of those before it */
  double sum[BASE_PARTS];
};

static double sum_of(const struct springs *s) {
  double sum = 0;
  for (int g = 0; g < s->flow->touch.parts.n; ++g) {
    sum += s->sum[g];
  }
  return sum;
}

static void predict_part(void *data, struct base_part part) {
  const struct springs *s = data;
  const struct penalty_flow *flow = s->flow;
  const int width = flow->history.width;
  for (long i = part.first; i < part.end; ++i) {
    const long slot = flow->place.slot[i];
    if (slot >= 0 && !flow->force.slips[i] && flow->touch.contacts.mu[i] > 0) {
      for (int d = 0; d < width; ++d) {
        s->xi[slot * width + d] += 0.5 * s->dt * s->dt * flow->force.along[i * width + d];
      }
    }
  }
}

void penalty_spring_predict(struct penalty_flow *flow, double dt, const double *dxi, double *xi) {
  struct springs s;
  if (flow->history.n == 0) {
    return;
  }
  s.flow = flow, s.dt = dt, s.xi = xi;
  know_slots(flow);
  la_axpy((long)flow->history.width * flow->history.n, dt, dxi, xi);
  base_threads_parts(&flow->touch.parts, predict_part, &s);
}

static void stored_part(void *data, struct base_part part) {
  struct springs *s = data;
  const struct penalty_flow *flow = s->flow;
  const int width = flow->history.width;
  double sum = 0;
  for (long i = part.first; i < part.end; ++i) {
    const long slot = flow->place.slot[i];
    if (slot >= 0) {
      const double *x = s->read + slot * width;
      sum +=
          0.5 * stiffness_of(flow, -flow->touch.contacts.gN[i]) * penalty_slider_dot(width, x, x);
    }
  }
  s->sum[part.k] = sum;
}

double penalty_spring_stored(struct penalty_flow *flow, const double *xi) {
  struct springs s;
  if (flow->history.width == 0) {
    return 0;
  }
  s.flow = flow, s.read = xi;
  know_slots(flow);
  base_threads_parts(&flow->touch.parts, stored_part, &s);
  return sum_of(&s);
}

static void resize(struct penalty_flow *flow, int n) {
  struct penalty_history *h = &flow->history;
  const size_t kept = (size_t)h->n, capacity = (size_t)n;
  h->capacity = n;
  h->id = base_arena_resize(flow->store, h->id, kept * sizeof *h->id, capacity * sizeof *h->id);
  if (flow->touch.contacts.located && h->width == 2) {
    const size_t size = 6 * sizeof *h->frame;
    h->frame = base_arena_resize(flow->store, h->frame, kept * size, capacity * size);
  }
}

void penalty_spring_reserve(struct penalty_flow *flow, int n) {
  if (n > flow->history.capacity) {
    resize(flow, n + (n + 1) / 2);
  }
}

void penalty_spring_checkpoint(struct penalty_flow *flow, struct base_blob *blob) {
  struct penalty_history *h = &flow->history;
  /* each slot has its components in the state that follows */
  const int capacity = (int)base_blob_count(blob, h->capacity, INT_MAX / 2, sizeof(double));
  if (blob->reading && capacity > h->capacity) {
    resize(flow, capacity);
  }
  h->n = (int)base_blob_count(blob, h->n, h->capacity, sizeof *h->id);
  base_blob_pass(blob, h->id, (size_t)h->n * sizeof *h->id);
  base_blob_reals(blob, h->frame, h->frame != NULL ? 6 * (size_t)h->n : 0);
  flow->place.slotted = flow->place.turned = 0;
}

/* Whether the slots are those of the active contacts already. */
static int is_same_list(struct penalty_flow *flow) {
  know_slots(flow);
  return flow->place.n_slotted == flow->touch.n_active && flow->place.n_slotted == flow->history.n;
}

/* Elongation and rate of active contact i, which is given a slot: those of the slot it had, else of
 * a spring that begins. */
static inline void take_over(const struct penalty_flow *flow, int i, const double *xi,
                             const double *dxi, double *x, double *rate) {
  const int width = flow->history.width;
  const long slot = flow->place.slot[i];
  for (int d = 0; d < width; ++d) {
    x[d] = slot >= 0 ? xi[slot * width + d] : 0;
    rate[d] = slot >= 0                        ? dxi[slot * width + d]
              : flow->touch.contacts.mu[i] > 0 ? flow->force.fresh[(long)i * width + d]
                                               : 0;
  }
}

/* Both components of the slot of contact i to its present frame. */
static inline void turn_slot(const struct penalty_place *place, int i, double *xi, double *dxi) {
  const long at = 2L * place->slot[i];
  penalty_slider_turn(place->cos[i], place->sin[i], xi + at, xi + at);
  penalty_slider_turn(place->cos[i], place->sin[i], dxi + at, dxi + at);
}

/* x: width n in the place of those of `old` slots, with zeros behind. */
static void replace(int width, int n, int old, const double *from, double *x) {
  const long end = (long)width * n, end_old = (long)width * old;
  la_copy(end, from, x);
  if (end < end_old) {
    memset(x + end, 0, (size_t)(end_old - end) * sizeof *x);
  }
}

static void count_part(void *data, struct base_part part) {
  struct springs *s = data;
  int count = 0;
  for (long i = part.first; i < part.end; ++i) {
    count += s->flow->touch.active[i] != 0;
  }
  s->count[part.k + 1] = count;
}

/* The slots to come of a part: frames and ids; where the list changes, also what they take over. */
static void settle_part(void *data, struct base_part part) {
  struct springs *s = data;
  struct penalty_flow *flow = s->flow;
  struct penalty_history *h = &flow->history;
  const struct mech_contacts *c = &flow->touch.contacts;
  const int width = h->width, changes = s->x != NULL;
  double kept = 0;
  long n = s->count[part.k];
  for (int i = (int)part.first; i < part.end; ++i) {
    const long slot = flow->place.slot[i];
    if (!flow->touch.active[i]) {
      continue;
    }
    if (h->frame != NULL) {
      if (slot >= 0) {
        turn_slot(&flow->place, i, s->xi, s->dxi);
      }
      memcpy(h->frame + 6L * n, c->frame + 6L * i, 6 * sizeof *h->frame);
    }
    if (changes) {
      const double *x = s->x + n * width;
      take_over(flow, i, s->xi, s->dxi, s->x + n * width, s->rate + n * width);
      kept += penalty_slider_dot(width, x, x); /* 0 of a spring that begins */
      flow->place.slot[i] = (int)n;
      h->id[n] = c->id[i];
    }
    ++n;
  }
  s->sum[part.k] = kept;
}

int penalty_spring_settle(struct penalty_flow *flow, double *xi, double *dxi, double *released) {
  struct penalty_history *h = &flow->history;
  const struct base_parts *parts = &flow->touch.parts;
  const int width = h->width, changes = width > 0 && !is_same_list(flow);
  const size_t size = (size_t)flow->touch.contacts.n * (size_t)width * sizeof *xi;
  struct springs s;
  *released = 0;
  if (!changes && h->frame == NULL) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  know_turns(flow);
  s.flow = flow, s.xi = xi, s.dxi = dxi;
  s.x = s.rate = NULL;
  s.count[0] = 0;
  base_threads_parts(parts, count_part, &s);
  for (int g = 0; g < parts->n; ++g) {
    s.count[g + 1] += s.count[g];
  }
  if (changes) {
    s.x = base_arena_room(flow->arena, size);
    s.rate = base_arena_room(flow->arena, size);
  }
  base_threads_parts(parts, settle_part, &s);
  if (changes) {
    const int n = s.count[parts->n];
    if (penalty_exponent(flow->options) == 1) { /* else k_T = 0 where the contact opens */
      const double all = la_dot((long)width * h->n, xi, xi);
      *released = 0.5 * stiffness_of(flow, 0) * fmax(all - sum_of(&s), 0);
    }
    replace(width, n, h->n, s.x, xi);
    replace(width, n, h->n, s.rate, dxi);
    h->n = flow->place.n_slotted = n;
  }
  flow->place.turned = 0;
  base_arena_release(flow->arena, mark);
  return changes;
}
