/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nesterov's momentum (Introductory Lectures on Convex Optimization, 2004, 2.2): the next step
 * begins at y = x + beta (x - x_last) in place of x, with beta from the sequence
 *
 *   theta_new^2 = (1 - theta_new) theta^2,   beta = theta (1 - theta) / (theta^2 + theta_new),
 *
 * theta = 1 at first and after each restart (O'Donoghue and Candes, Found. Comput. Math. 15, 2015).
 */
#ifndef PROBLEM_MOMENTUM_H
#define PROBLEM_MOMENTUM_H

#include <math.h>

/* beta, and the next theta. */
static inline double problem_momentum_next(double *theta) {
  const double old = *theta, square = old * old;
  *theta = (sqrt(square * square + 4 * square) - square) / 2;
  return old * (1 - old) / (square + *theta);
}

#endif
