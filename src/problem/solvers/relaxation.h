/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the two files of block relaxation: relaxation.c chooses the start of a sweep and
 * processes its result, relaxation_sweep.c visits the contacts. Internal to the solver.
 */
#ifndef PROBLEM_SOLVERS_RELAXATION_H
#define PROBLEM_SOLVERS_RELAXATION_H

#include "problem/blocks.h"
#include "problem/solver.h"
#include "problem/solvers/step.h"

enum local { LOCAL_AUTO, LOCAL_MDP, LOCAL_COULOMB, LOCAL_PROX, LOCAL_CCP, LOCAL_DECOUPLED };
enum shape { SHAPE_GROWN, SHAPE_NUMBERS };
enum order { ORDER_FORWARD, ORDER_BACKWARD, ORDER_SYMMETRIC, ORDER_BLOCKS };
#define RELAXATION_ORDERS "forward|backward|symmetric|blocks"

struct relaxation_options {
  int local;
  double omega;
  double jacobi;
  int domains, shape;
  int order;
  int inner;
  double momentum, growth;
};

struct relaxation {
  const struct problem *p;
  struct relaxation_options options; /* local: resolved */
  struct base_arena *arena;
  struct problem_sweep *sweep;
  struct problem_step *step;      /* local=prox only */
  struct problem_blocks *blocks;  /* order=blocks only */
  double *v_old;                  /* n, jacobi > 0 without domains only [m/s] */
  struct problem_domains domains; /* n = 0: each contact is one */
  double *old, *changed;          /* state_size, domains only: before the sweep; by it so far */
  int sweeps;
  double change; /* of the last iteration [m/s] */
  /* momentum > 0 only: */
  double theta, least; /* of sum_i trace(A_ii) |y - r|_i^2 so far */
  double *weight;      /* nc, trace A_ii [1/kg] */
  double *y, *r_last;  /* n, r at the begin of the sweep and at the end of the one before [N s] */
  double *state_last;
  /* momentum or domains */
  double *state;
  size_t state_size;
};

extern const struct problem_solver problem_solver_relaxation;

/* One sweep over all contacts from r (n [N s]), which is changed, or two in a symmetric order; sets
 * change, and keeps sweep and state those of r. */
void relaxation_sweep(struct relaxation *s, double *r);

/* Norm of changes of impulses: weight trace(A_ii) of each contact, nc from the arena, which weighs
 * an impulse by its effect on velocities; and the product sum_i weight_i x_i . y_i. */
double *relaxation_weight(const struct problem *p, struct base_arena *arena);
double relaxation_dot(const struct problem *p, const double *weight, const double *x,
                      const double *y);

#endif
