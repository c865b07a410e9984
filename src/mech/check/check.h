/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of mech_check: the state under check, the worst error so far, and one
 * comparison. Used inside mech only.
 */
#ifndef MECH_CHECK_H
#define MECH_CHECK_H

#include "la/dense.h"
#include "mech/difference.h"

struct mech_checking {
  const struct mech *m;
  const double *q, *u;
  double t;
  double tol, worst;
  int status; /* BASE_FAILED once something disagrees */
  char what[200];
  struct base_arena *arena;
  struct mech_check_visitor visitor; /* visit NULL: none */
  double *F;                         /* nq x nu, identity without kinematics */
  double *qdot;                      /* nq */
};

/* Compare n values; scale: size of the terms they are sums of, 0 when they are plain. Keeps the
 * worst relative error, and the first that is above the tolerance with what it was. */
void mech_check_compare(struct mech_checking *c, const char *what, int n, const double *a,
                        const double *b, double scale);
void mech_check_bilateral(struct mech_checking *c); /* W_S against g_S, its bias */
void mech_check_contacts(struct mech_checking *c);  /* W_N against g_N, biases, order of ids */
/* W of rigid bodies against their frames and arms, v = W^T u against f = W r (wrench.c). */
void mech_check_wrenches(struct mech_checking *c, const struct mech_contacts *list,
                         struct mech_contacts *other);
/* The list at q, every potential contact; u NULL: without bias. Do two lists hold the same? */
void mech_check_list(struct mech_checking *c, const double *q, const double *u,
                     struct mech_contacts *list);
int mech_check_same(const struct mech_contacts *a, const struct mech_contacts *b);
/* What is no comparison of numbers: the error is infinite. */
void mech_check_fail(struct mech_checking *c, const char *what, const char *why);
/* Gyroscopic matrices: H of (5.130) against p, the forces beside V; G and DT/Dq of (5.58). */
void mech_check_velocity_gyro(struct mech_checking *c, const double *p, double scale);
void mech_check_coordinates(struct mech_checking *c);
void mech_check_discrete(struct mech_checking *c);  /* directionality (moeller 5.15), limit a = b */
void mech_check_stiffness(struct mech_checking *c); /* how they change with their end point */

static inline double *mech_check_doubles(struct mech_checking *c, int n) {
  return base_arena_doubles(c->arena, n);
}

/* x = q + s along (nq). */
static inline void mech_check_shifted(const struct mech_checking *c, double s, const double *along,
                                      double *x) {
  la_copy(c->m->nq, c->q, x);
  la_axpy(c->m->nq, s, along, x);
}

/* Step that moves the coordinates by mech_difference_step along a direction; 0 for none. */
static inline double mech_check_step(const struct mech_checking *c, const double *along) {
  const double size = mech_largest(c->m->nq, along);
  return size > 0 ? mech_difference_step(c->m) / size : 0;
}

#endif
