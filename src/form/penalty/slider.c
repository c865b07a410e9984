/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forces of tangential springs with their dampers and sliders, see spring.c, in a block of contacts
 * at a time: step by step over all of them, so that the roots and quotients of one contact do not
 * wait for those of another, and without a branch in between, because the processor cannot predict
 * which contacts slip.
 */
#include <math.h>
#include <string.h>

#include "form/penalty/penalty.h"
#include "form/penalty/slider.h"
#include "la/dense.h"

/* Springs of a block, component after component: of contacts without friction and of those that are
 * not active anything, which nobody asks for. */
struct sliders {
  double x[2][PENALTY_BLOCK], rate[2][PENALTY_BLOCK]; /* elongations and theirs, in the frames */
  double lossy[2][PENALTY_BLOCK];                     /* of the forces what is not stored [N] */
  double acts[PENALTY_BLOCK];                         /* 1: there is friction, else 0 */
  double loading[PENALTY_BLOCK]; /* xi' is less by this times xi, where k_T rises [1/s] */
  double growth[PENALTY_BLOCK];  /* of k_T [N/(m s)] */
  double slips[PENALTY_BLOCK];   /* 1 or 0 */
  double power[PENALTY_BLOCK];   /* of friction [W] */
  double stored[PENALTY_BLOCK];  /* of it what springs store [W] */
};

/* Elongations, zero where there is no slot, and which contacts have friction. */
static void read_springs(const struct penalty_flow *flow, const struct penalty_block *b, int width,
                         const double *xi, struct sliders *s) {
  const struct penalty_place *place = &flow->place;
  const int *slot = place->slot + b->first, *active = flow->touch.active + b->first;
  const double *mu = flow->touch.contacts.mu + b->first;
  const int turns = flow->history.frame != NULL;
  for (int k = 0; k < b->n; ++k) {
    double x[2] = {0};
    s->acts[k] = (active[k] != 0) & (mu[k] > 0);
    if (slot[k] >= 0) {
      for (int d = 0; d < width; ++d) {
        x[d] = xi[(long)slot[k] * width + d];
      }
      if (turns) {
        penalty_slider_turn(place->cos[b->first + k], place->sin[b->first + k], x, x);
      }
    }
    s->x[0][k] = x[0], s->x[1][k] = x[1];
  }
}

/* Where k_T changes with the penetration, the rates of that. */
static void find_loading(const struct penalty_flow *flow, const struct penalty_block *b, int width,
                         struct sliders *s) {
  const struct penalty_options *o = flow->options;
  const double n = penalty_exponent(o);
  memset(s->loading, 0, sizeof s->loading);
  memset(s->growth, 0, sizeof s->growth);
  for (int k = 0; k < b->n && n > 1; ++k) {
    const int i = b->first + k;
    const double pen = -flow->touch.contacts.gN[i], v_N = b->v[0][k], k_T = flow->place.k_T[i];
    if (s->acts[k] == 0 || pen <= 0) {
      continue;
    }
    if (v_N < 0) {
      const double x[2] = {s->x[0][k], s->x[1][k]};
      const double K_T = k_T / sqrt(pen), length = la_norm2(width, x);
      s->loading[k] = (n - 1) * -v_N / fmax(pen, K_T / o->K * length / flow->touch.contacts.mu[i]);
    }
    s->growth[k] = -(n - 1) * k_T * v_N / pen;
  }
}

/* Forces before and after Coulomb's limit: the trial forces are cut to mu f_N. Selections here and
 * below are between numbers that are there, so that several contacts go at a time. */
static inline void cut(int n, int width, const double *restrict k_T, const double *restrict d_T,
                       const double *restrict mu, const double *restrict f_N,
                       struct penalty_block *restrict b, struct sliders *restrict s) {
  for (int k = 0; k < n; ++k) {
    const double limit = mu[k] * f_N[k], bound = d_T[k] > 0 ? limit : INFINITY;
    double trial = 0;
    for (int d = 0; d < width; ++d) {
      const double f = -k_T[k] * s->x[d][k] - d_T[k] * b->v[1 + d][k];
      b->r[1 + d][k] = f;
      trial += f * f;
    }
    trial = sqrt(trial);
    const double part = limit / trial, share = trial > bound ? part : 1;
    s->slips[k] = trial > bound ? 1 : 0;
    for (int d = 0; d < width; ++d) {
      b->r[1 + d][k] *= share;
    }
  }
}

/* Rates of the elongations and powers under these forces. */
static inline void follow(int n, int width, const double *restrict k_T, const double *restrict d_T,
                          struct penalty_block *restrict b, struct sliders *restrict s) {
  for (int k = 0; k < n; ++k) {
    double power = 0, stored = 0, squares = 0;
    for (int d = 0; d < width; ++d) {
      const double x = s->x[d][k], v = b->v[1 + d][k], force = b->r[1 + d][k];
      const double lossy = force + k_T[k] * x, slipping = -lossy / d_T[k];
      const double rate = (s->slips[k] > 0 ? slipping : v) - s->loading[k] * x;
      power += force * v;
      stored += x * rate;
      squares += x * x;
      s->rate[d][k] = rate;
      s->lossy[d][k] = s->acts[k] > 0 ? lossy : 0;
      b->r[1 + d][k] = s->acts[k] > 0 ? force : 0;
    }
    s->power[k] = power;
    /* k_T |xi|^2 / 2 with k_T' = (n-1) k_T pen' / pen */
    s->stored[k] = k_T[k] * stored + 0.5 * s->growth[k] * squares;
  }
}

/* Rates to where the springs are, in the frames there; adds to the power. */
static void write_springs(struct penalty_flow *flow, const struct penalty_block *b, int width,
                          const struct sliders *s, double *dxi, double *power) {
  const struct penalty_place *place = &flow->place;
  const int turns = flow->history.frame != NULL;
  double sum = *power;
  for (int k = 0; k < b->n; ++k) {
    const int i = b->first + k, slot = place->slot[i];
    const double rate[2] = {s->rate[0][k], s->rate[1][k]};
    flow->force.slips[i] = s->slips[k] > 0;
    if (s->acts[k] == 0) {
      continue;
    }
    double *out = slot < 0 ? flow->force.fresh + (long)i * width : dxi + (long)slot * width;
    if (slot >= 0 && turns) {
      penalty_slider_turn(place->cos[i], -place->sin[i], rate, out);
    } else {
      memcpy(out, rate, (size_t)width * sizeof *out);
    }
    sum += slot >= 0 ? s->power[k] + s->stored[k] : s->power[k];
  }
  *power = sum;
}

void penalty_slider_force(struct penalty_flow *flow, struct penalty_block *b, const double *f_N,
                          const double *xi, double *dxi, double *power) {
  const int width = flow->history.width, n = b->n;
  const double *k_T = flow->place.k_T + b->first, *d_T = flow->place.d_T + b->first;
  const double *mu = flow->touch.contacts.mu + b->first;
  struct sliders s;
  read_springs(flow, b, width, xi, &s);
  find_loading(flow, b, width, &s);
  if (width == 2) { /* known to the compiler */
    cut(n, 2, k_T, d_T, mu, f_N, b, &s);
    follow(n, 2, k_T, d_T, b, &s);
  } else {
    cut(n, 1, k_T, d_T, mu, f_N, b, &s);
    follow(n, 1, k_T, d_T, b, &s);
  }
  for (int d = 0; d < width; ++d) {
    memcpy(flow->force.lossy[1 + d] + b->first, s.lossy[d], (size_t)n * sizeof **s.lossy);
  }
  write_springs(flow, b, width, &s, dxi, power);
}
