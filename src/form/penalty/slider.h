/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small vectors of tangential springs, part of loops over the contacts.
 */
#ifndef FORM_PENALTY_SLIDER_H
#define FORM_PENALTY_SLIDER_H

/* A few numbers a contact: library calls would cost more than what they do. */
static inline double penalty_slider_dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int d = 0; d < n; ++d) {
    sum += a[d] * b[d];
  }
  return sum;
}

/* out: components in the second frame, by cosine and sine of the angle; with -sine the way back. */
static inline void penalty_slider_turn(double cosine, double sine, const double *x, double *out) {
  const double x0 = x[0], x1 = x[1];
  out[0] = cosine * x0 - sine * x1;
  out[1] = sine * x0 + cosine * x1;
}

#endif
