/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Differencing inside mech: the central formula of fourth order,
 *
 *   f'(0) = [ f(-2s) - 8 f(-s) + 8 f(s) - f(2s) ] / (12 s) + O(s^4),
 *
 * whose truncation (s^4 / 30) and round-off (1.5 eps / s) meet near 1e-13 relative for s = 1e-3.
 */
#ifndef MECH_DIFFERENCE_H
#define MECH_DIFFERENCE_H

#include "mech/mech.h"

#include <math.h>

enum { MECH_STENCIL = 4 };
static const double mech_stencil_at[MECH_STENCIL] = {-2, -1, 1, 2};
static const double mech_stencil_weight[MECH_STENCIL] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

/* Length of a difference step in coordinates: 1e-3 of what the coordinates vary over, which is the
 * problem's length for lengths and 1 for angles and quaternions; the smaller of the two. */
static inline double mech_difference_step(const struct mech *m) {
  return 1e-3 * (m->length > 0 && m->length < 1 ? m->length : 1.0);
}

/* Largest absolute value of x: n. */
static inline double mech_largest(int n, const double *x) {
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    largest = fmax(largest, fabs(x[i]));
  }
  return largest;
}

/* (a + b) / 2: nq, from the arena. */
double *mech_midpoint(const struct mech *m, const double *a, const double *b,
                      struct base_arena *arena);

/* A scalar f at two points. */
struct mech_chord {
  const double *a, *b; /* n */
  double fa, fb;
  double size; /* of the terms that both are made of, for their rounding */
};
/* Gonzalez' discrete derivative of it (moeller 5.19); row: n, stride; holds df/dx at the midpoint
 * on entry and Df/Dx on return. */
void mech_gonzalez(int n, const struct mech_chord *chord, double *row, int stride);
/* Size of the terms of a gap: those that the coordinates make of it with its gradient row: n. */
double mech_gap_size(int n, const double *a, const double *b, double ga, double gb,
                     const double *row);

#endif
