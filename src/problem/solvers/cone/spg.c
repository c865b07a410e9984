/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spectral projected gradient for cone complementarity (negrut 7) as the minimum of
 * f(y) = y^T S A S y / 2 + (S b)^T y on the cones (problem/convex.h), after Birgin, Martinez,
 * Raydan, SIAM J. Optim. 10 (2000), algorithm SPG2:
 *
 *   d = P(y - alpha g) - y,   y <- y + lambda d,   g <- g + lambda S A S d,
 *
 * alpha the step of Barzilai and Borwein (IMA J. Numer. Anal. 8 (1988)),
 *
 *   BB1 = d.d / d.SAS d,   BB2 = d.SAS d / |SAS d|^2,
 *
 * lambda = 1, shortened until f is below the largest of the last `memory` values (Grippo,
 * Lampariello, Lucidi, SIAM J. Numer. Anal. 23 (1986)):
 *
 *   f(y + lambda d) <= max f + decrease lambda g.d.
 *
 * The first reference value is f at the start. f is quadratic, so that S A S d serves every lambda,
 * the gradient and the next alpha: one product an iteration. f is kept as its change since the
 * start, whose terms are small near the solution, and compared to round-off of these.
 */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/convex.h"
#include "problem/solver.h"

enum { SPG_MEMORY_MAX = 100, SPG_TRIALS = 60, SPG_REFRESH = 50 };
enum spg_step { STEP_BB1, STEP_BB2, STEP_ALTERNATE };

/* Largest alpha. The least is 1/n: no eigenvalue of S A S is above its trace, which is n. */
#define SPG_ALPHA_MAX 1e12
/* Round-off of a sum against the size of its terms, with a margin for long sums. */
#define SPG_ROUND_OFF (16 * DBL_EPSILON)

struct spg_options {
  int step, memory;
  double decrease;
};

static const struct base_option spg_table[] = {
    BASE_OPTION_CHOICE(struct spg_options, step, STEP_BB1, "bb1|bb2|alternate",
                       "step length of Barzilai and Borwein"),
    BASE_OPTION_INT(
        struct spg_options, memory, 50, 1, SPG_MEMORY_MAX,
        "number of last values of the objective whose largest bounds the next one; 1: monotone"),
    BASE_OPTION_REAL(struct spg_options, decrease, 1e-4, 0, 0.5, "",
                     "fraction of the predicted decrease required of a step"),
    BASE_OPTION_END};

struct spg {
  const struct problem *p;
  struct spg_options opt;
  struct base_arena *arena;
  int n, k;
  double *s, *b;         /* n each: scale, scaled free velocity */
  double *y, *g, *d, *q; /* n each: iterate, gradient, direction, S A S d */
  double alpha;
  double past[SPG_MEMORY_MAX]; /* ring of f - f(start) */
};

static int spg_check(const struct problem *p, const void *options) {
  (void)options;
  return problem_convex_check(p, "spg", PROBLEM_CONVEX_ASYMMETRY_MAX);
}

static void *spg_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct spg *a = base_arena_push(arena, sizeof *a);
  a->p = p;
  a->opt = *(const struct spg_options *)options;
  a->arena = arena;
  a->n = problem_size(p);
  BASE_ARENA_VECTORS(arena, a->n, &a->s, &a->b, &a->y, &a->g, &a->d, &a->q);
  problem_convex_scales(p, a->s, a->b, arena);
  return a;
}

static void refresh_gradient(struct spg *a) {
  problem_convex_apply(a->p, a->s, a->y, a->g, a->arena);
  la_axpy(a->n, 1, a->b, a->g);
}

/* d = P(y - alpha g) - y */
static void direction(struct spg *a) {
  for (int j = 0; j < a->n; ++j) {
    a->d[j] = a->y[j] - a->alpha * a->g[j];
  }
  problem_convex_project(a->p, a->d);
  la_axpy(a->n, -1, a->y, a->d);
}

/* The next alpha from S A S d; unchanged where it says nothing. */
static void spectral_step(struct spg *a, double dd, double dq) {
  const double qq = la_dot(a->n, a->q, a->q);
  if (dq > 0 && dd > 0 && qq > 0) {
    const double bb1 = dd / dq, bb2 = dq / qq;
    const int second = a->opt.step == STEP_BB2 || (a->opt.step == STEP_ALTERNATE && a->k % 2 == 1);
    a->alpha = fmin(fmax(second ? bb2 : bb1, 1.0 / a->n), SPG_ALPHA_MAX);
  } else if (dd > 0 && qq == 0) {
    a->alpha = SPG_ALPHA_MAX; /* f is linear along d */
  }
}

static int spg_start(void *workspace, double *r) {
  struct spg *a = workspace;
  for (int j = 0; j < a->n; ++j) {
    a->y[j] = r[j] / a->s[j];
  }
  problem_convex_project(a->p, a->y);
  refresh_gradient(a);
  if (!la_all_finite(a->n, a->g)) {
    return base_fail(BASE_FAILED, "spg: the problem holds numbers that are not finite");
  }
  a->k = 0;
  la_zero(a->opt.memory, a->past);
  a->alpha = 1;
  direction(a); /* the curvature along the first projected step gives the first alpha */
  problem_convex_apply(a->p, a->s, a->d, a->q, a->arena);
  spectral_step(a, la_dot(a->n, a->d, a->d), la_dot(a->n, a->d, a->q));
  for (int j = 0; j < a->n; ++j) {
    r[j] = a->s[j] * a->y[j];
  }
  return BASE_OK;
}

/* Largest lambda of 1, and what a parabola through f makes of it, that the reference accepts; *f is
 * set to the value there. */
static double line_search(const struct spg *a, double slope, double dq, double noise, double *f) {
  const double now = a->past[a->k % a->opt.memory];
  double reference = now, lambda = 1;
  for (int k = 0; k < a->opt.memory; ++k) {
    reference = fmax(reference, a->past[k]);
  }
  for (int trial = 0; trial < SPG_TRIALS; ++trial) {
    *f = now + lambda * (slope + lambda * dq / 2);
    if (*f <= reference + a->opt.decrease * lambda * slope + noise) {
      return lambda;
    }
    const double best = dq > 0 ? -slope / dq : 0; /* minimum along d */
    lambda = best > 0.1 * lambda && best < 0.9 * lambda ? best : lambda / 2;
  }
  return 0;
}

static int spg_iterate(void *workspace, double *r) {
  struct spg *a = workspace;
  const int n = a->n;
  direction(a);
  problem_convex_apply(a->p, a->s, a->d, a->q, a->arena);
  const double slope = la_dot(n, a->g, a->d), dq = la_dot(n, a->d, a->q);
  double noise = 0, f;
  for (int j = 0; j < n; ++j) {
    noise += fabs(a->g[j] * a->d[j]) + fabs(a->d[j] * a->q[j]) +
             DBL_EPSILON * fabs(a->y[j]) * (fabs(a->g[j]) + fabs(a->b[j]));
  }
  const double lambda = line_search(a, slope, dq, SPG_ROUND_OFF * noise, &f);
  if (!(lambda > 0) || !isfinite(f)) {
    return base_fail(BASE_FAILED, "spg: no step of sufficient decrease; operator not positive "
                                  "semidefinite or not finite");
  }
  la_axpy(n, lambda, a->d, a->y);
  ++a->k;
  a->past[a->k % a->opt.memory] = f;
  if (a->k % SPG_REFRESH == 0) {
    refresh_gradient(a);
  } else {
    la_axpy(n, lambda, a->q, a->g);
  }
  spectral_step(a, la_dot(n, a->d, a->d), dq);
  for (int j = 0; j < n; ++j) {
    r[j] = a->s[j] * a->y[j];
  }
  return BASE_OK;
}

const struct problem_solver problem_solver_spg = {
    .name = "spg",
    .look = {.colour = 0xe69f00, .point = 13, .point_size = 1},
    .summary = "spectral projected gradient with non-monotone search, for the convex relaxation",
    .source = "Birgin, Martinez, Raydan 2000; Barzilai and Borwein 1988; negrut 7",
    .laws = (1u << CONTACT_LAW_COUNT) - 1, /* dim 1: all the same; see check */
    .options = spg_table,
    .options_size = sizeof(struct spg_options),
    .check = spg_check,
    .alloc = spg_alloc,
    .start = spg_start,
    .iterate = spg_iterate,
};
