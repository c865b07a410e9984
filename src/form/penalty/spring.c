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
#include "la/dense.h"

/* What eps_T = 1 takes: a slider needs a damper, and follows at omega / (2 zeta), ten times omega.
 */
static const double LEAST_ZETA = 0.05;

/* A few numbers a contact: library calls would cost more than what they do. */
static inline double dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double dot_few(int n, const double *a, const double *b) {
  double sum = 0;
  for (int d = 0; d < n; ++d) {
    sum += a[d] * b[d];
  }
  return sum;
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

/* out: components in the second frame; sign -1: the way back. */
static void turn(const double *cs, int sign, const double *x, double *out) {
  const double s = sign * cs[1], x0 = x[0], x1 = x[1];
  out[0] = cs[0] * x0 - s * x1;
  out[1] = s * x0 + cs[0] * x1;
}

/* Slot of contact i, -1 without; ids asked for ascend, *cursor goes along. */
static int slot_of(const struct penalty_flow *flow, int i, int *cursor) {
  const struct penalty_history *h = &flow->history;
  return base_sorted_find(h->n, h->id, flow->contacts.id[i], cursor);
}

static double stiffness_of(const struct penalty_flow *flow, double pen) {
  const struct penalty_options *o = flow->options;
  const double n = penalty_exponent(o), K_T = o->K_T >= 0 ? o->K_T : o->ratio_T * n * o->K;
  return n > 1 ? K_T * sqrt(fmax(pen, 0)) : K_T;
}

/* xi' of a spring that is loaded, k_T rising: less by this times xi [1/s]. */
static double shortening(const struct penalty_flow *flow, int i, double k, double pen,
                         const double *x) {
  const struct penalty_options *o = flow->options;
  const double n = penalty_exponent(o), v_N = flow->v[i * flow->contacts.dim];
  if (n == 1 || v_N >= 0 || pen <= 0) {
    return 0;
  }
  const double K_T = k / sqrt(pen), length = la_norm2(flow->contacts.dim - 1, x);
  return (n - 1) * -v_N / fmax(pen, K_T / o->K * length / flow->contacts.mu[i]);
}

/* d_T of contact i [N s/m], which depends on the configuration alone. */
static double damping_of(struct penalty_flow *flow, const struct mech_bilateral *b, int i,
                         double k) {
  const struct penalty_options *o = flow->options;
  double *there = flow->damping + 2L * i + 1;
  if (o->D_T >= 0) {
    return o->D_T;
  }
  if (isnan(*there)) {
    const double inverse = penalty_inverse_mass(flow, b, i, 1);
    const double eps_T = fmax(flow->contacts.eps_T[i], o->eps_min);
    double zeta = o->zeta_T;
    if (zeta < 0) {
      if (eps_T != flow->cached_eps_T) {
        flow->cached_eps_T = eps_T;
        flow->cached_zeta_T = fmax(penalty_damping_ratio(eps_T, 1), LEAST_ZETA);
      }
      zeta = flow->cached_zeta_T;
    }
    *there = inverse > 0 ? 2 * zeta * sqrt(k / inverse) : 0;
  }
  return *there;
}

double penalty_spring_force(struct penalty_flow *flow, const struct mech_bilateral *b, int i,
                            double f_N, const double *xi, double *dxi, int *cursor, double *r_T,
                            double *lossy) {
  const struct mech_contacts *c = &flow->contacts;
  const int width = c->dim - 1, slot = slot_of(flow, i, cursor);
  const double *v = flow->v + i * c->dim + 1, pen = -c->gN[i], k = stiffness_of(flow, pen);
  double x[2] = {0}, rate[2], cs[2] = {1, 0}, trial = 0, power = 0;
  if (slot >= 0) {
    for (int d = 0; d < width; ++d) {
      x[d] = xi[slot * width + d];
    }
    if (flow->history.frame != NULL) {
      double frame[9];
      mech_contacts_frame(c, i, frame);
      turn_between(flow->history.frame + 9 * slot, frame, cs);
      turn(cs, 1, x, x);
    }
  }
  const double d_T = damping_of(flow, b, i, k);
  for (int d = 0; d < width; ++d) {
    r_T[d] = -k * x[d] - d_T * v[d];
    trial += r_T[d] * r_T[d];
  }
  trial = sqrt(trial);
  const int slips = trial > c->mu[i] * f_N && d_T > 0;
  flow->slopes[i].k_T = slips ? 0 : k;
  flow->slopes[i].d_T = slips ? 0 : d_T;
  flow->slopes[i].slip = slips ? k / d_T : 0;
  const double loading = shortening(flow, i, k, pen, x);
  for (int d = 0; d < width; ++d) {
    r_T[d] *= slips ? c->mu[i] * f_N / trial : 1;
    rate[d] = (slips ? -(r_T[d] + k * x[d]) / d_T : v[d]) - loading * x[d];
    power += r_T[d] * v[d];
    lossy[d] = r_T[d] + k * x[d];
  }
  double *out = slot < 0 ? flow->fresh + (long)i * width : dxi + (long)slot * width;
  if (slot >= 0 && flow->history.frame != NULL) {
    double turned[2];
    turn(cs, -1, rate, turned);
    out[0] = turned[0];
    out[1] = turned[1];
  } else {
    memcpy(out, rate, (size_t)width * sizeof *out);
  }
  if (slot < 0) {
    return power;
  }
  /* what the spring stores: k_T |xi|^2 / 2 with k_T' = (n-1) k_T pen' / pen */
  const double n = penalty_exponent(flow->options);
  const double growth = n > 1 && pen > 0 ? -(n - 1) * k * flow->v[i * c->dim] / pen : 0;
  power += k * dot_few(width, x, rate) + 0.5 * growth * dot_few(width, x, x);
  return power;
}

void penalty_spring_predict(struct penalty_flow *flow, double dt, const double *u,
                            const double *dxi, double *xi) {
  const struct mech_contacts *c = &flow->contacts;
  const int width = flow->history.width, dim = c->dim;
  if (flow->history.n == 0) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  double *v = base_arena_matrix(flow->arena, dim, c->n);
  mech_contacts_velocity(c, u, v);
  la_axpy((long)width * flow->history.n, dt, dxi, xi);
  for (int i = 0, cursor = 0; i < c->n; ++i) {
    const int slot = flow->active[i] ? slot_of(flow, i, &cursor) : -1;
    const int sticks = slot >= 0 && flow->slopes[i].slip == 0 && c->mu[i] > 0;
    for (int d = 0; d < width && sticks; ++d) {
      xi[slot * width + d] += dt * (v[i * dim + 1 + d] - flow->v[i * dim + 1 + d]);
    }
  }
  base_arena_release(flow->arena, mark);
}

double penalty_spring_stored(const struct penalty_flow *flow, const double *xi) {
  const struct mech_contacts *c = &flow->contacts;
  const int width = flow->history.width;
  double stored = 0;
  for (int i = 0, cursor = 0; i < c->n && width > 0; ++i) {
    const int slot = flow->active[i] ? slot_of(flow, i, &cursor) : -1;
    if (slot >= 0) {
      const double *x = xi + slot * width;
      stored += 0.5 * stiffness_of(flow, -c->gN[i]) * dot_few(width, x, x);
    }
  }
  return stored;
}

int penalty_spring_count(const struct penalty_flow *flow) {
  int n = 0;
  for (int i = 0; i < flow->contacts.n && flow->history.width > 0; ++i) {
    n += flow->active[i] != 0;
  }
  return n;
}

void penalty_spring_reserve(struct penalty_flow *flow, int n) {
  struct penalty_history *h = &flow->history;
  if (n <= h->capacity) {
    return;
  }
  const struct penalty_history old = *h;
  h->capacity = 2 * n;
  h->id = base_arena_longs(flow->lists, h->capacity);
  memcpy(h->id, old.n > 0 ? old.id : h->id, (size_t)old.n * sizeof *h->id);
  if (flow->contacts.located && h->width == 2) {
    h->frame = base_arena_matrix(flow->lists, 9, h->capacity);
    la_copy(9L * old.n, old.n > 0 ? old.frame : h->frame, h->frame);
  }
}

void penalty_spring_checkpoint(struct penalty_flow *flow, struct base_blob *blob) {
  struct penalty_history *h = &flow->history;
  /* each slot has its components in the state that follows */
  const int capacity = (int)base_blob_count(blob, h->capacity, INT_MAX / 2, sizeof(double));
  if (blob->reading && capacity > h->capacity) {
    penalty_spring_reserve(flow, capacity / 2);
  }
  h->n = (int)base_blob_count(blob, h->n, h->capacity, sizeof *h->id);
  base_blob_pass(blob, h->id, (size_t)h->n * sizeof *h->id);
  base_blob_reals(blob, h->frame, h->frame != NULL ? 9 * (size_t)h->n : 0);
}

/* Slots as before: components to the present frames. */
static void carry_over(struct penalty_flow *flow, double *xi, double *dxi) {
  struct penalty_history *h = &flow->history;
  if (h->frame == NULL) {
    return;
  }
  for (int i = 0, cursor = 0; i < flow->contacts.n; ++i) {
    const int slot = flow->active[i] ? slot_of(flow, i, &cursor) : -1;
    if (slot >= 0) {
      double cs[2], frame[9];
      mech_contacts_frame(&flow->contacts, i, frame);
      turn_between(h->frame + 9 * slot, frame, cs);
      turn(cs, 1, xi + 2 * slot, xi + 2 * slot);
      turn(cs, 1, dxi + 2 * slot, dxi + 2 * slot);
      memcpy(h->frame + 9L * slot, frame, sizeof frame);
    }
  }
}

static int is_same_list(const struct penalty_flow *flow) {
  const struct mech_contacts *c = &flow->contacts;
  int k = 0;
  for (int i = 0; i < c->n; ++i) {
    if (flow->active[i] && (k >= flow->history.n || flow->history.id[k++] != c->id[i])) {
      return 0;
    }
  }
  return k == flow->history.n;
}

int penalty_spring_settle(struct penalty_flow *flow, double *xi, double *dxi, double *released) {
  struct penalty_history *h = &flow->history;
  const struct mech_contacts *c = &flow->contacts;
  const int width = h->width;
  *released = 0;
  if (width == 0) {
    return 0;
  }
  carry_over(flow, xi, dxi);
  if (is_same_list(flow)) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  double *x = base_arena_matrix(flow->arena, width, c->n), kept = 0;
  double *rate = base_arena_matrix(flow->arena, width, c->n);
  long *id = base_arena_longs(flow->arena, c->n);
  int n = 0;
  for (int i = 0, cursor = 0; i < c->n; ++i) {
    if (flow->active[i]) {
      const int slot = slot_of(flow, i, &cursor);
      if (slot >= 0) {
        memcpy(x + n * width, xi + slot * width, (size_t)width * sizeof *x);
        memcpy(rate + n * width, dxi + slot * width, (size_t)width * sizeof *rate);
        kept += dot_few(width, xi + slot * width, xi + slot * width);
      } else if (c->mu[i] > 0) {
        memcpy(rate + n * width, flow->fresh + (long)i * width, (size_t)width * sizeof *rate);
      }
      if (h->frame != NULL) {
        mech_contacts_frame(c, i, h->frame + 9 * n);
      }
      id[n++] = c->id[i];
    }
  }
  if (penalty_exponent(flow->options) == 1) { /* else k_T = 0 where the contact opens */
    const double all = la_dot((long)width * h->n, xi, xi);
    *released = 0.5 * stiffness_of(flow, 0) * fmax(all - kept, 0);
  }
  memset(xi, 0, (size_t)width * (size_t)h->n * sizeof *xi);
  memset(dxi, 0, (size_t)width * (size_t)h->n * sizeof *dxi);
  la_copy((long)width * n, x, xi);
  la_copy((long)width * n, rate, dxi);
  memcpy(h->id, id, (size_t)n * sizeof *id);
  h->n = n;
  base_arena_release(flow->arena, mark);
  return 1;
}
