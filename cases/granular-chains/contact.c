/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * chains-contact: when two discs first meet, by every formulation at several steps. Up to then the
 * motion is not chaotic and may be compared. The time is the root of the parabola through the
 * smallest gap of two discs at the last three samples from which a step cannot close it, an error
 * of O(dt^3) on top of the formulation's own.
 */
#include "cases/granular-chains/granular-chains.h"

#include <math.h>

enum { COLUMNS = 3 };

/* Smallest gap of two discs [m]. */
static double least_gap(int discs, double R, const double *q) {
  double least = INFINITY;
  for (int i = 0; i < discs; ++i) {
    for (int j = i + 1; j < discs; ++j) {
      const double *a = q + (long)COLUMNS * i, *b = q + (long)COLUMNS * j;
      least = fmin(least, hypot(b[0] - a[0], b[1] - a[1]) - 2 * R);
    }
  }
  return least;
}

/* [s]; NaN where the discs do not meet. */
static double first_contact(const struct case_results *r, const struct case_series *s) {
  const int discs = 2 * (int)case_real(r->p, "n");
  const double R = case_real(r->p, "R");
  double g[3] = {0, 0, 0};
  for (int l = 0; l < s->n; ++l) {
    g[0] = g[1];
    g[1] = g[2];
    g[2] = least_gap(discs, R, s->q + (long)l * s->nq);
    /* slope and curvature per step at the last sample; the next step comes within half of one */
    const double slope = 0.5 * (3 * g[2] - 4 * g[1] + g[0]), bend = g[2] - 2 * g[1] + g[0];
    if (l >= 2 && slope < 0 && g[2] + 1.5 * slope <= 0) {
      const double root = -2 * g[2] / (slope - sqrt(fmax(slope * slope - 2 * bend * g[2], 0)));
      return s->t[l] + root * (s->t[l] - s->t[l - 1]);
    }
  }
  return NAN;
}

const struct case_function granular_chains_contact_functions[] = {
    {"first_contact", .value = first_contact}, {0}};
