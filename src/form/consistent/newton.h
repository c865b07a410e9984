/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Newton's method of the consistent integrators: one loop, one stopping rule, for every system of
 * equations that they solve to round-off,
 *
 *   R(x, lambda) = 0,   v(x, lambda) in N_C(-lambda).
 *
 * Each iteration solves the linearised equations together with the exact contact inclusion: with
 * J = dR/dx, z = J^-1 R and Y = J^-1 [W; 0],
 *
 *   x = x_k - z + Y (lambda - lambda_k),   v = A lambda + b,
 *
 * A = dv/dx Y + S, S = dv/dlambda, which is a one-step problem (form_consistent_include). This
 * replaces the projected Newton iteration (moeller 2.72), which moves lambda by one projection a
 * step and stalls far from round-off. Steps are full ones: without contacts R is smooth and starts
 * near its root, and with them the inclusion is solved exactly, so that a shorter step would leave
 * the cone.
 *
 * Without contacts R = 0 conserves energy for any dt (5.77): only the residual reached limits the
 * drift, so the iteration goes on until round-off stops it.
 */
#ifndef FORM_CONSISTENT_NEWTON_H
#define FORM_CONSISTENT_NEWTON_H

#include <float.h>

#include "form/consistent/consistent.h"

/* Scaled residual below which it is mostly rounding: the rounding of a few operations. */
#define FORM_CONSISTENT_NEAR (4 * DBL_EPSILON)
/* Scaled residual that counts as solved: round-off with room for models whose functions cancel. */
#define FORM_CONSISTENT_SOLVED 1e-12

/* A system of equations as the method sees it; `of` is the system's own data. */
struct form_consistent_system {
  /* R: nx at x: nx and lambda: nk, and rate: nk, the part of v that depends on x alone [m/s];
   * stores its parts in `of`. BASE_OK, or a failure with a message. */
  int (*evaluate)(void *of, const double *x, const double *lambda, double *R, double *rate);
  /* J at x and lambda, evaluated last there, ready for `solve`; BASE_FAILED with a message when it
   * is singular. The evaluated quantities stay valid. */
  int (*matrix)(void *of, const double *x, const double *lambda);
  /* X: nx x n overwritten by J^-1 X. BASE_OK or BASE_FAILED. */
  int (*solve)(void *of, int n, double *X);
  /* R at x, evaluated last there, over the size of its terms [-]; not finite: x is outside the
   * domain. */
  double (*norm)(void *of, const double *x, const double *R);
  /* Of systems with contacts: dv: nk = dv/dx dx. */
  void (*rate)(const void *of, const double *dx, double *dv);
  /* Largest speed whose rounding enters v at x [m/s]; floor: the residual of the inclusion due to
   * rounding alone [m/s]. Y: nx x nk, J^-1 [W; 0]. */
  double (*resolution)(const void *of, const double *x, const double *Y, double *floor);
};

/* When to stop and when to renew the matrix. */
struct form_consistent_stop {
  double floor;   /* scaled residual with nothing left to improve */
  double near;    /* and below which rounding decides whether an iteration gains */
  int patience;   /* iterations without gain elsewhere, each with a new matrix */
  int every_time; /* the matrix is renewed in every iteration: R is only piecewise smooth */
};
/* Of equations of motion. */
extern const struct form_consistent_stop form_consistent_stop_motion;

struct form_consistent_newton {
  const struct form_consistent_system *system;
  void *of;
  struct form_consistent *c; /* whose closed contacts the inclusion is about; else nk = 0 */
  struct form_consistent_stop stop;
  int nx, nk, rows;             /* rows: of W */
  const double *W, *S;          /* rows x nk at the last evaluation; nk x nk, NULL: zero */
  int has_matrix, has_response; /* J is that of some x nearby; Y and A are those of J and W_Y */
  int gains_little;             /* the last iteration, inclusions included */
  int is_at_best;               /* evaluated last at best_x and best_lambda */
  double deadline;              /* base/clock.h; 0: none */
  double *x, *best_x;           /* nx: start -> solution */
  double *lambda, *best_lambda; /* nk */
  double *R, *z, *Y;            /* nx, nx, nx x nk */
  double *W_Y;      /* rows x nk, W that Y was solved for: a column lasts while W stays near it */
  double *A, *b;    /* nk x nk [1/kg], nk [m/s]: the inclusion at x */
  double *rate, *v; /* nk: v = rate + S lambda [m/s] */
  long evaluations; /* of R, in this step */
  double best;      /* scaled residual of best_x; infinite: there is none */
  struct base_arena *arena;
};

/* Arrays from the arena; system, of, nx, nk, rows, c, stop and arena are set. */
void form_consistent_newton_alloc(struct form_consistent_newton *w);
/* From x and lambda to the best point seen, with the inclusion there; `best` is its scaled
 * residual. BASE_OK; BASE_UNCONVERGED where the last inclusion was; a failure with a message. */
int form_consistent_newton_solve(struct form_consistent_newton *w, struct form_report *report);

/* The same for the motion of a step over dt, x = (dq, u^E, lambda_S, kappa), R beginning with the
 * balance of momentum: q, u: start -> end, with what the report says of solution and contacts.
 * Status as for form_consistent_motion. */
int form_consistent_newton_move(struct form_consistent_newton *w, double dt, double *q, double *u,
                                struct form_report *report);

#endif
