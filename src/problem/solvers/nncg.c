/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe, Erleben: A nonsmooth nonlinear
 * conjugate gradient method for interactive contact force problems, Visual Computer 26, 2010). The
 * step of a sweep is taken for the gradient of an unknown merit function, and the rule of Fletcher
 * and Reeves makes directions of it. With G(y) what a sweep of `relaxation` makes of y,
 *
 *   r_k = G(y_k),   g_k = y_k - r_k,   beta_k = |g_k|^2 / |g_k-1|^2, or 0 where this is above 1,
 *   p_k = beta_k p_k-1 - g_k,   y_k+1 = r_k + beta_k p_k,
 *
 * and beta_k = 0, a restart, leaves the plain sweep. It deviates from the source in two places. The
 * source begins at r_k + beta_k p_k-1, which leaves out the step just made, and on packings of
 * capsules takes almost the sweeps of relaxation. And |g|^2 is sum_i trace(A_ii) |g_i|^2 where the
 * source's norm is Euclidean, so that contacts of heavy and of light bodies count as what they mean
 * in velocities.
 *
 * y may leave the friction cones. The sweep brings each contact back by its local solver or
 * projection, given the others as they are; the iterate that is graded and returned is r, of which
 * every contact lies in its cone.
 *
 * All laws that `relaxation` takes, with its local solvers. No proof of convergence is known. Of 39
 * outside problems (FCLIB's and Siconos', from nothing, to 1e-6, at most 20,000 sweeps) it solves
 * the 28 with contacts of friction, by a median of a sixth of the sweeps of relaxation where that
 * takes more than 100, and six of eleven raw LCPs; five have rows with A_ii = 0, for which there is
 * no sweep. One packing of capsules takes 18,989 sweeps and restarts after every other one: its
 * residual stands at 5e-6 for all methods that sweep, until Newton's takes over (auto).
 *
 * The rule of Polak and Ribiere gains nothing here (988 sweeps where this one takes 144 and
 * relaxation 990): steps of successive sweeps are nearly the same.
 */
#include "problem/solvers/relaxation.h"

#include "base/status.h"
#include "la/dense.h"

#include <math.h>
#include <stdio.h>

struct nncg_options {
  int order;
};

static const struct base_option nncg_table[] = {
    BASE_OPTION_CHOICE(struct nncg_options, order, ORDER_FORWARD, RELAXATION_ORDERS,
                       "order of contacts; blocks: for several threads"),
    BASE_OPTION_END};

struct nncg {
  struct relaxation *sweep;
  double *weight;   /* nc, trace A_ii [1/kg] */
  double *y, *p;    /* n, where the last sweep began; the direction that led there [N s] */
  double *g;        /* n, y - r [N s] */
  double size_last; /* |g|^2 [m^2 kg/s^2] */
  double beta;      /* weight of p in the start of the next sweep */
  int restarts;
};

static struct relaxation_options sweep_options(const struct nncg_options *o) {
  struct relaxation_options plain;
  base_options_default(problem_solver_relaxation.options, &plain);
  plain.order = o->order;
  return plain;
}

static int nncg_check(const struct problem *p, const void *options) {
  const struct relaxation_options plain = sweep_options(options);
  return problem_solver_relaxation.check(p, &plain);
}

static void *nncg_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct nncg *s = base_arena_push(arena, sizeof *s);
  const struct relaxation_options plain = sweep_options(options);
  s->sweep = problem_solver_relaxation.alloc(p, &plain, arena);
  s->weight = relaxation_weight(p, arena);
  BASE_ARENA_VECTORS(arena, problem_size(p), &s->y, &s->p, &s->g);
  return s;
}

static int nncg_start(void *workspace, double *r) {
  struct nncg *s = workspace;
  const int n = problem_size(s->sweep->p);
  s->restarts = 0;
  s->beta = 0;
  s->size_last = INFINITY;
  la_zero(n, s->p);
  la_zero(n, s->g);
  return problem_solver_relaxation.start(s->sweep, r);
}

static int nncg_iterate(void *workspace, double *r) {
  struct nncg *s = workspace;
  const int n = problem_size(s->sweep->p);
  for (int j = 0; j < n; ++j) {
    s->p[j] = s->beta * s->p[j] - s->g[j];
    s->y[j] = r[j] += s->beta * s->p[j];
  }
  if (s->beta > 0) {
    problem_sweep_start(s->sweep->sweep, r);
  }
  relaxation_sweep(s->sweep, r);
  la_sum(n, s->y, -1, r, s->g);
  const double size = relaxation_dot(s->sweep->p, s->weight, s->g, s->g);
  const int grows = size > s->size_last;
  s->restarts += grows;
  s->beta = grows || size == 0 ? 0 : size / s->size_last;
  s->size_last = size;
  return BASE_OK;
}

static double nncg_change(const void *workspace) {
  const struct nncg *s = workspace;
  return s->sweep->change;
}

static void nncg_describe(const void *workspace, char *text, size_t size) {
  const struct nncg *s = workspace;
  snprintf(text, size, "restarted %d times", s->restarts);
}

const struct problem_solver problem_solver_nncg = {
    .name = "nncg",
    .look = {.colour = 0x009e73, .dashes = {5, 3}, .point = 5, .point_size = 0.8},
    .summary = "nonsmooth nonlinear conjugate gradients on the sweeps of block relaxation",
    .source = "Silcowitz, Niebe, Erleben, Visual Computer 26 (2010), on preclik 3.2",
    .laws = (1u << CONTACT_LAW_COUNT) - 1,
    .options = nncg_table,
    .options_size = sizeof(struct nncg_options),
    .check = nncg_check,
    .alloc = nncg_alloc,
    .start = nncg_start,
    .iterate = nncg_iterate,
    .change = nncg_change,
    .describe = nncg_describe,
};
