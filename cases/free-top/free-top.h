/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of this case: the closed form of the rotation, and the figures.
 */
#ifndef CASES_FREE_TOP_H
#define CASES_FREE_TOP_H

#include "cases/case.h"
#include "mech/rigid/rigid_body.h"

/* Torque-free rotation from R = I and omega = (w1, 0, w3) about principal axes. Axes a, b, c: c is
 * the one that momentum goes round, a the other extreme one, b the middle one. */
struct free_top_motion {
  double I[3];              /* of the principal axes, ascending [kg m^2] */
  int a, c;                 /* 0 and 2, or 2 and 0 */
  double wa, wb, wc;        /* amplitudes of cn, sn, dn [rad/s] */
  double L;                 /* momentum [N m s] */
  double rate, modulus, nu; /* lambda [1/s], k [-], characteristic of Pi [-] */
};

/* Largest modulus that is accepted: the period still is a number. */
#define FREE_TOP_MODULUS_MAX 0.9999999
/* Error of the closed form, of round-off in the elliptic functions (tested to 1e-12). */
#define FREE_TOP_BOUND 1e-12

void free_top_motion_init(struct free_top_motion *m, const double I[3], double w1, double w3);
/* directors: d1, d2, d3, 9; omega: 3, in the body's frame. */
void free_top_motion_at(const struct free_top_motion *m, double t, double directors[9],
                        double omega[3]);

/* What the files of its figures call by name. */
extern const struct case_function free_top_functions[];

#endif
