/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs of the tippe top for tests, and what is looked at on the way.
 */
#ifndef TESTS_TIPPE_TOP_RUN_H
#define TESTS_TIPPE_TOP_RUN_H

enum { TIPPE_TOP_Q = 7 };

struct tippe_top_run {
  double stretch;    /* largest | |A| - 1 | */
  double highest;    /* largest inclination [rad] */
  double first;      /* time of inclination above 3 rad [s]; NaN: never */
  double gap[2];     /* of the two spheres before this step [m] */
  double loss[2];    /* what closed gaps lost, summed over the steps [m] */
  double deepest;    /* [m] */
  double energy;     /* before this step [J] */
  double rise;       /* largest, of a step [J] */
  double gain;       /* dt^2/2 h . M^-1 h at the velocity before, of gyroscopic forces [J] */
  double excess;     /* largest rise of the energy above it [J] */
  double friction;   /* largest work of a step [J] */
  double residual;   /* largest of the law, relative */
  double jellett[2]; /* Jellett's integral, first and last */
  int steps, unconverged;
  double q[TIPPE_TOP_Q], dt;
};

/* Must end well. */
struct tippe_top_run tippe_top_run(const char *formulation, const char *set, double dt,
                                   double t_end);
/* out = A x A^* by the vector formula, A = (a_0, a) of unit length. */
void tippe_top_rotate(const double *A, const double x[3], double out[3]);

#endif
