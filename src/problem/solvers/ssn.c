/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Semismooth Newton iteration on the equations F(x, A x + b) = 0 of a contact law (problem/ncp.h;
 * for friction first by Alart and Curnier, Comput. Methods Appl. Mech. Eng. 92, 1991), in the
 * scaled unknowns of problem/newton.h:
 *
 *   (P + Q (A + lambda 1)) d = -F,   x <- x + t d,   lambda = regularise l min(1, |F| / |b|)
 *
 * with t the first of 1, shrink, shrink^2 ... for which |F(x + t d)| <= (1 - decrease t) times the
 * largest of the last `memory` values of |F| (Grippo, Lampariello, Lucidi 1986: kinks make a
 * monotone search creep). The factor l adapts: a tenth after a full step, ten times after a short
 * or a failed one. Where no lambda helps, Levenberg's step is taken, along which the merit falls
 * wherever it has a slope. Without one the iteration fails: it stands in a local minimum of |F|.
 *
 * The equation alart-curnier decides by r - rho v whether a contact is open, sticks or slides. Its
 * solutions are the same for any rho. That of a contact alone, dim/trace A_ii, weighs v too much
 * where many contacts share a body: with 0.05 of it four packings of capsules (some 300 contacts)
 * take 26 to 55 iterations in place of 131 to 224, boxes and spheres about as many as before.
 *
 * lambda falls with |F|, so that steps become Newton's and the convergence superlinear, while
 * contacts that share a null direction of A, whose impulses are not unique, leave the matrix
 * regular.
 */
#include "problem/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/newton.h"

enum { MEMORY_MAX = 32, NEWTON_TRIES = 4 };

/* Bounds and factor of l: eight decades to lose while steps are full, six to win. */
static const double FACTOR_LEAST = 1e-8, FACTOR_MOST = 1e6, FACTOR_CHANGE = 10;
/* A step shorter than this asks for a larger lambda. */
static const double SHORT_STEP = 0.1;
/* Levenberg's first lambda over |F| / |b|, and its growth from one try to the next. */
static const double LEVENBERG_FIRST = 1e-3, LEVENBERG_GROWTH = 100;

struct ssn_options {
  int function; /* enum problem_ncp_function */
  double rho, regularise, decrease, shrink;
  int memory, trials, rescue;
};

static const struct base_option ssn_table[] = {
    BASE_OPTION_CHOICE(
        struct ssn_options, function, PROBLEM_NCP_FISCHER_BURMEISTER,
        "alart-curnier|fischer-burmeister|natural",
        "equation of a contact (alart-curnier: laws ncp and cone, the others: ncp and ccp)"),
    BASE_OPTION_REAL(struct ssn_options, rho, 0.05, 1e-12, 1e12, "",
                     "alart-curnier of law ncp: its rho times the mean diagonal of a contact; with "
                     "many contacts a body it should be below 1"),
    BASE_OPTION_REAL(struct ssn_options, regularise, 1e-4, 0, 1, "",
                     "shift of the operator over the relative size of F, at the start"),
    BASE_OPTION_REAL(struct ssn_options, decrease, 1e-4, 0, 0.5, "",
                     "fraction of the predicted decrease required of a step"),
    BASE_OPTION_REAL(struct ssn_options, shrink, 0.5, 0.05, 0.95, "",
                     "step factor when a trial fails"),
    BASE_OPTION_INT(
        struct ssn_options, memory, 6, 1, MEMORY_MAX,
        "number of last iterations whose largest |F| a step must undercut; 1: monotone search"),
    BASE_OPTION_INT(struct ssn_options, trials, 12, 1, 100, "steps tried along one direction"),
    BASE_OPTION_INT(struct ssn_options, rescue, 4, 0, 100,
                    "number of Levenberg's directions after a failure of Newton's"),
    BASE_OPTION_END};

struct ssn {
  struct ssn_options opt;
  int de_saxce; /* law ncp; else ccp */
  struct problem_newton *newton;
  double *x, *w;                 /* n: scaled impulses and velocities */
  double *d, *A_d;               /* n: a direction, and the change of w along it */
  double *x_new, *w_new, *F_new; /* n */
  double unit;                   /* |b| [sqrt(J)] */
  double merit;                  /* |F| at x, same unit */
  double merits[MEMORY_MAX];
  double factor; /* l */
  int iterations;
};

static int ssn_check(const struct problem *p, const void *options) {
  const struct ssn_options *o = options;
  return problem_ncp_check(p, (enum problem_ncp_function)o->function, "ssn");
}

static void *ssn_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct ssn *s = base_arena_push(arena, sizeof *s);
  s->opt = *(const struct ssn_options *)options;
  s->de_saxce = p->model.law == CONTACT_LAW_NCP;
  const int has_rho = s->de_saxce && s->opt.function == PROBLEM_NCP_ALART_CURNIER;
  s->newton = problem_newton_alloc(p, has_rho ? s->opt.rho : 1, arena);
  BASE_ARENA_VECTORS(arena, s->newton->n, &s->x, &s->w, &s->d, &s->A_d, &s->x_new, &s->w_new,
                     &s->F_new);
  s->unit = fmax(la_norm2(s->newton->n, s->newton->b), DBL_MIN);
  return s;
}

/* F: n at x, w: n; returns |F|. derive: P and Q of the linear systems too. */
static double evaluate(struct ssn *s, const double *x, const double *w, double *F, int derive) {
  return problem_newton_evaluate(s->newton, (enum problem_ncp_function)s->opt.function, s->de_saxce,
                                 x, w, F, derive);
}

static int ssn_start(void *workspace, double *r) {
  struct ssn *s = workspace;
  problem_newton_scale(s->newton, r, s->x);
  problem_newton_velocity(s->newton, s->x, s->w);
  s->merit = evaluate(s, s->x, s->w, s->newton->F, 1);
  for (int k = 0; k < s->opt.memory; ++k) {
    s->merits[k] = s->merit;
  }
  s->factor = 1;
  s->iterations = 0;
  return BASE_OK;
}

/* Step length along d that passes; 0: none. x_new, w_new are there. */
static double search(struct ssn *s) {
  const int n = s->newton->n;
  double reference = 0, t = 1;
  for (int k = 0; k < s->opt.memory; ++k) {
    reference = fmax(reference, s->merits[k]);
  }
  problem_operator_apply(&s->newton->A, s->d, s->A_d, s->newton->arena);
  for (int trial = 0; trial < s->opt.trials; ++trial, t *= s->opt.shrink) {
    for (int i = 0; i < n; ++i) {
      s->x_new[i] = s->x[i] + t * s->d[i];
      s->w_new[i] = s->w[i] + t * s->A_d[i];
    }
    if (evaluate(s, s->x_new, s->w_new, s->F_new, 0) <= (1 - s->opt.decrease * t) * reference) {
      return t;
    }
  }
  return 0;
}

static double try_step(struct ssn *s, enum problem_newton_kind kind, double lambda) {
  const int status = problem_newton_step(s->newton, kind, lambda, s->d);
  return status == BASE_OK && la_all_finite(s->newton->n, s->d) ? search(s) : 0;
}

/* Length of the step found, 0: none. */
static double find_step(struct ssn *s) {
  const double size = fmin(1, s->merit / s->unit);
  double t = 0, lambda = LEVENBERG_FIRST * size;
  for (int k = 0; k < NEWTON_TRIES && t == 0; ++k) {
    t = try_step(s, PROBLEM_NEWTON_PLAIN, fmin(1, s->opt.regularise * s->factor * size));
    if (t == 1) {
      s->factor = fmax(FACTOR_LEAST, s->factor / FACTOR_CHANGE);
    } else if (t <= SHORT_STEP) {
      s->factor = fmin(FACTOR_MOST, s->factor * FACTOR_CHANGE);
    }
  }
  for (int k = 0; k < s->opt.rescue && t == 0; ++k, lambda *= LEVENBERG_GROWTH) {
    t = try_step(s, PROBLEM_NEWTON_LEVENBERG, lambda);
  }
  return t;
}

static int ssn_iterate(void *workspace, double *r) {
  struct ssn *s = workspace;
  if (find_step(s) == 0) {
    return base_fail(BASE_FAILED, "ssn: |F| = %.3g |b| has a local minimum here, or no slope",
                     s->merit / s->unit);
  }
  la_copy(s->newton->n, s->x_new, s->x);
  problem_newton_velocity(s->newton, s->x, s->w); /* afresh, lest rounding piles up */
  s->merit = evaluate(s, s->x, s->w, s->newton->F, 1);
  s->merits[++s->iterations % s->opt.memory] = s->merit;
  problem_newton_unscale(s->newton, s->x, r);
  return BASE_OK;
}

const struct problem_solver problem_solver_ssn = {
    .name = "ssn",
    .look = {.colour = 0xcc79a7, .point = 8, .point_size = 1},
    .summary = "semismooth Newton with line search, for exact Coulomb and the convex relaxation",
    .source = "Alart and Curnier 1991; Fukushima, Luo, Tseng 2001; De Saxce",
    .laws = (1u << CONTACT_LAW_COUNT) - 1, /* dim 1: all the same; see check */
    .options = ssn_table,
    .options_size = sizeof(struct ssn_options),
    .check = ssn_check,
    .alloc = ssn_alloc,
    .start = ssn_start,
    .iterate = ssn_iterate,
};
