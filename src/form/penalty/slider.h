/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Force of a tangential spring with its damper and slider, see spring.c: part of the loop over the
 * contacts, which visits each of them several times a step.
 */
#ifndef FORM_PENALTY_SLIDER_H
#define FORM_PENALTY_SLIDER_H

#include <math.h>
#include <string.h>

#include "form/penalty/penalty.h"
#include "la/dense.h"

/* A few numbers a contact: library calls would cost more than what they do. */
static inline double penalty_slider_dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int d = 0; d < n; ++d) {
    sum += a[d] * b[d];
  }
  return sum;
}

/* Without a branch: which contacts slip nobody can predict, least of all the processor. What is not
 * picked may be no number. */
static inline double penalty_slider_pick(int is_first, double first, double second) {
  const double of[2] = {second, first};
  return of[is_first];
}

/* out: components in the second frame, by cosine and sine of the angle; sign -1: the way back. */
static inline void penalty_slider_turn(const double *cs, int sign, const double *x, double *out) {
  const double s = sign * cs[1], x0 = x[0], x1 = x[1];
  out[0] = cs[0] * x0 - s * x1;
  out[1] = s * x0 + cs[0] * x1;
}

/* xi' of a spring that is loaded, k_T rising: less by this times xi [1/s]. v_N: gamma_N. */
static inline double penalty_slider_shortening(const struct penalty_flow *flow, int i, double k,
                                               double pen, double v_N, const double *x) {
  const struct penalty_options *o = flow->options;
  const double n = penalty_exponent(o);
  if (n == 1 || v_N >= 0 || pen <= 0) {
    return 0;
  }
  const double K_T = k / sqrt(pen), length = la_norm2(flow->contacts.dim - 1, x);
  return (n - 1) * -v_N / fmax(pen, K_T / o->K * length / flow->contacts.mu[i]);
}

/* Tangential force of contact i at velocities v: 1 + width, under the normal force f_N: r_T, width,
 * and what of it the spring does not store; its rate into dxi, or among those of contacts that have
 * no slot yet. Returns the power of friction, net of what the spring stores [W]. */
static inline double penalty_slider_force(struct penalty_flow *flow, int i, int width, double f_N,
                                          const double *velocity, const double *xi, double *dxi,
                                          double *r_T, double *lossy) {
  const struct penalty_place at = flow->place[i];
  const double *v = velocity + 1, k = at.k_T, d_T = at.d_T, mu = flow->contacts.mu[i];
  const double n = penalty_exponent(flow->options), pen = -flow->contacts.gN[i];
  const int is_turned = at.slot >= 0 && flow->history.frame != NULL;
  double x[2] = {0}, rate[2] = {0}, trial = 0, power = 0;
  for (int d = 0; d < width && at.slot >= 0; ++d) {
    x[d] = xi[(long)at.slot * width + d];
  }
  if (is_turned) {
    penalty_slider_turn(at.cs, 1, x, x);
  }
  for (int d = 0; d < width; ++d) {
    r_T[d] = -k * x[d] - d_T * v[d];
    trial += r_T[d] * r_T[d];
  }
  trial = sqrt(trial);
  const int slips = (trial > mu * f_N) & (d_T > 0);
  const double share = penalty_slider_pick(slips, mu * f_N / trial, 1);
  flow->slips[i] = (unsigned char)slips;
  const double loading = penalty_slider_shortening(flow, i, k, pen, velocity[0], x);
  for (int d = 0; d < width; ++d) {
    r_T[d] *= share;
    lossy[d] = r_T[d] + k * x[d];
    rate[d] = penalty_slider_pick(slips, -lossy[d] / d_T, v[d]) - loading * x[d];
    power += r_T[d] * v[d];
  }
  double *out = at.slot < 0 ? flow->fresh + (long)i * width : dxi + (long)at.slot * width;
  if (is_turned) {
    penalty_slider_turn(at.cs, -1, rate, out);
  } else {
    memcpy(out, rate, (size_t)width * sizeof *out);
  }
  if (at.slot < 0) {
    return power;
  }
  /* what the spring stores: k_T |xi|^2 / 2 with k_T' = (n-1) k_T pen' / pen */
  const double growth = n > 1 && pen > 0 ? -(n - 1) * k * velocity[0] / pen : 0;
  power += k * penalty_slider_dot(width, x, rate) + 0.5 * growth * penalty_slider_dot(width, x, x);
  return power;
}

#endif
