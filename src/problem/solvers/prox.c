/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Proximal-point iteration (Rockafellar, SIAM J. Control Optim. 14, 1976): r_{k+1} solves, from
 * r_k, the problem of the same law with
 *
 *   A + alpha D,   b - alpha D r_k,   D = diag(trace A_ii / dim)
 *
 * in place of A and b. Its fixed points are the solutions of the problem itself, and its operator
 * is regular however few bodies the contacts share: A may lack rank, impulses need not be unique.
 * For the exact law, which is not monotone, there is no proof of convergence, only practice.
 *
 * An inner problem is solved to `accuracy` times the residual of the outer one; then alpha falls,
 * the faster the fewer inner iterations it took, and with it the rate at which the outer iteration
 * converges. An inner problem that is not solved in inner_max iterations counts for nothing: the
 * next starts from the same r_k with a larger alpha, alpha falls more slowly from then on, and
 * after several such failures more inner iterations are allowed. Newton's method is the inner
 * solver; above ALPHA_MOST, where each contact is nearly on its own, block relaxation takes over
 * until the next success.
 *
 * One iteration is one of the inner solver; the outer ones are told apart in what the solver says
 * of itself.
 */
#include "problem/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/ncp.h"
#include "problem/solvers/step.h"

extern const struct problem_solver problem_solver_ssn, problem_solver_relaxation;

/* Least and largest alpha for Newton's method, and where to go on after a relaxation, over the mean
 * diagonal. Below the least the shift is lost in the rounding of impulses not unique. */
static const double ALPHA_LEAST = 1e-10, ALPHA_MOST = 100, ALPHA_AFTER = 1;
/* Factor by which alpha falls: at first and at most, and least after failures. */
static const double FALL_MOST = 10, FALL_LEAST = 1.2;
static const double RISE = 3;
/* Inner iterations up to which the next alpha may fall by the full factor; else by its root. */
enum { FEW_ITERATIONS = 5, RELAXATION_MAX = 200 };
/* After so many failures Newton's method gets inner_max steps more, up to so many times in all: at
 * large mass ratios no alpha is both easy and fast. */
enum { FAILURES_FOR_MORE = 4, PATIENCE_MAX = 20 };

enum prox_inner { INNER_SSN, INNER_RELAXATION };

struct prox_options {
  double alpha, accuracy;
  int inner, function, inner_max;
};

static const struct base_option prox_table[] = {
    BASE_OPTION_REAL(struct prox_options, alpha, 0.1, 1e-12, 1e6, "",
                     "first alpha, over the mean diagonal of each contact"),
    BASE_OPTION_REAL(struct prox_options, accuracy, 1e-2, 1e-12, 0.9, "",
                     "residual of the inner problem over that of the outer one"),
    BASE_OPTION_CHOICE(struct prox_options, inner, INNER_SSN, "ssn|relaxation",
                       "solver of the inner problems"),
    BASE_OPTION_CHOICE(struct prox_options, function, PROBLEM_NCP_FISCHER_BURMEISTER,
                       "alart-curnier|fischer-burmeister|natural", "equation of ssn"),
    BASE_OPTION_INT(struct prox_options, inner_max, 12, 1, 1000000,
                    "Newton steps on an inner problem; failures raise this number"),
    BASE_OPTION_END};

struct prox {
  const struct problem *p;
  struct prox_options opt;
  struct base_arena *arena;
  struct problem inner; /* BLOCKS */
  double *blocks;       /* those of inner */
  int *at;              /* nc: number of the diagonal block of a row */
  double *b;            /* n, of inner [m/s] */
  double *diag;         /* nc blocks dim x dim, A_ii; inner_diag: of inner [1/kg] */
  double *inner_diag;
  double *centre; /* n, r_k [N s] */
  double *v;      /* n, scratch [m/s] */
  double alpha, fall;
  double target; /* residual of the inner problem to be reached [m/s] */
  const struct problem_solver *solver;
  void *ssn_options, *relaxation_options;
  void *workspace; /* of solver, above the mark */
  struct base_arena_mark mark;
  int inner_iterations, iterations, outer, failures;
};

static int prox_check(const struct problem *p, const void *options) {
  const struct prox_options *o = options;
  const int status = problem_ncp_check(p, (enum problem_ncp_function)o->function, "prox");
  return status != BASE_OK ? status : problem_step_check(p, options);
}

static void *prox_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct prox *s = base_arena_push(arena, sizeof *s);
  const int n = problem_size(p), nc = p->model.nc, size = p->model.dim * p->model.dim;
  s->p = p;
  s->opt = *(const struct prox_options *)options;
  s->arena = arena;
  s->diag = base_arena_matrix(arena, nc, size);
  s->inner_diag = base_arena_matrix(arena, nc, size);
  problem_operator_diagonal(&p->A, s->diag);
  s->inner = *p;
  problem_operator_to_blocks(&p->A, &s->inner.A, arena);
  const struct problem_operator *A = &s->inner.A;
  s->blocks = base_arena_matrix(arena, A->row_ptr[nc], size);
  la_copy(A->row_ptr[nc] * size, A->blocks, s->blocks);
  s->inner.A.blocks = s->blocks;
  s->at = base_arena_ints(arena, nc);
  for (int i = 0; i < nc; ++i) {
    for (int e = A->row_ptr[i]; e < A->row_ptr[i + 1]; ++e) {
      s->at[i] = A->col[e] == i ? e : s->at[i];
    }
  }
  s->inner.b = s->b = base_arena_doubles(arena, n);
  s->centre = base_arena_doubles(arena, n);
  s->v = base_arena_doubles(arena, n);
  char buffer[32];
  const struct base_option *function = base_options_find(prox_table, "function");
  const char *chosen = base_options_choice(function, s->opt.function, buffer, sizeof buffer);
  s->ssn_options = problem_solver_options(
      &problem_solver_ssn, base_arena_printf(arena, "function=%s rescue=0", chosen), arena);
  s->relaxation_options = problem_solver_options(&problem_solver_relaxation, "", arena);
  return s;
}

/* A + alpha D and b - alpha D r_k. */
static void shift_problem(struct prox *s) {
  const int dim = s->p->model.dim, size = dim * dim;
  for (int i = 0; i < s->p->model.nc; ++i) {
    const double *A_ii = s->diag + (size_t)i * (size_t)size;
    double *block = s->blocks + (size_t)s->at[i] * (size_t)size, trace = 0;
    for (int k = 0; k < dim; ++k) {
      trace += A_ii[k * (dim + 1)];
    }
    memcpy(block, A_ii, (size_t)size * sizeof *block);
    for (int k = 0; k < dim; ++k) {
      const double add = s->alpha * trace / dim;
      block[k * (dim + 1)] += add;
      s->b[dim * i + k] = s->p->b[dim * i + k] - add * s->centre[dim * i + k];
    }
    memcpy(s->inner_diag + (size_t)i * (size_t)size, block, (size_t)size * sizeof *block);
  }
}

static double residual(const struct prox *s, const struct problem *p, const double *diag,
                       const double *r) {
  problem_velocity(p, r, s->v, s->arena);
  return contact_residual(&p->model, diag, r, s->v, p->b).absolute;
}

/* The next inner problem, from r = r_k. */
static int begin_inner(struct prox *s, double *r) {
  la_copy(problem_size(s->p), s->centre, r);
  s->target = s->opt.accuracy * residual(s, s->p, s->diag, r);
  shift_problem(s);
  s->solver = s->opt.inner == INNER_RELAXATION || s->alpha >= ALPHA_MOST
                  ? &problem_solver_relaxation
                  : &problem_solver_ssn;
  s->mark = base_arena_mark(s->arena);
  s->workspace = s->solver->alloc(
      &s->inner, s->solver == &problem_solver_ssn ? s->ssn_options : s->relaxation_options,
      s->arena);
  s->inner_iterations = 0;
  return s->solver->start(s->workspace, r);
}

static int prox_start(void *workspace, double *r) {
  struct prox *s = workspace;
  s->alpha = s->opt.alpha;
  s->fall = FALL_MOST;
  s->iterations = s->outer = s->failures = 0;
  la_copy(problem_size(s->p), r, s->centre);
  return begin_inner(s, r);
}

/* r_{k+1} and alpha after an inner problem ended with r. */
static void end_inner(struct prox *s, int solved, int nearer, const double *r) {
  const int by_newton = s->solver == &problem_solver_ssn;
  if (solved || (!by_newton && nearer)) { /* a relaxation need not be done */
    la_copy(problem_size(s->p), r, s->centre);
    ++s->outer;
  }
  if (solved || (!by_newton && s->opt.inner == INNER_SSN)) {
    const int few = s->inner_iterations <= FEW_ITERATIONS;
    s->alpha = by_newton ? s->alpha / (few ? s->fall : sqrt(s->fall)) : ALPHA_AFTER;
    s->alpha = fmax(ALPHA_LEAST, s->alpha);
    s->fall = fmin(FALL_MOST, s->fall * s->fall);
  } else {
    s->alpha = fmin(ALPHA_MOST, RISE * s->alpha);
    s->fall = fmax(FALL_LEAST, sqrt(s->fall));
    ++s->failures;
  }
}

static int prox_iterate(void *workspace, double *r) {
  struct prox *s = workspace;
  const int status = s->solver->iterate(s->workspace, r);
  const int patience = 1 + s->failures / FAILURES_FOR_MORE;
  const int most = s->solver == &problem_solver_ssn
                       ? s->opt.inner_max * (patience < PATIENCE_MAX ? patience : PATIENCE_MAX)
                       : RELAXATION_MAX;
  ++s->iterations;
  const double reached = residual(s, &s->inner, s->inner_diag, r);
  const int solved = reached <= s->target;
  if (!solved && status == BASE_OK && ++s->inner_iterations < most) {
    return BASE_OK;
  }
  base_arena_release(s->arena, s->mark);
  end_inner(s, solved, reached < s->target / s->opt.accuracy, r);
  return begin_inner(s, r);
}

static void prox_describe(const void *workspace, char *text, size_t size) {
  const struct prox *s = workspace;
  snprintf(text, size, "%d outer, %d inner iterations; %d inner problems given up", s->outer,
           s->iterations, s->failures);
}

const struct problem_solver problem_solver_prox = {
    .name = "prox",
    .look = {.colour = 0x999933, .dashes = {14, 5}, .point = 2, .point_size = 1},
    .summary = "proximal-point iteration with Newton's method inside, for operators without rank",
    .source = "Rockafellar 1976; the solvers of ssn and relaxation",
    .laws = (1u << CONTACT_LAW_COUNT) - 1, /* dim 1: all the same; see check */
    .options = prox_table,
    .options_size = sizeof(struct prox_options),
    .check = prox_check,
    .alloc = prox_alloc,
    .start = prox_start,
    .iterate = prox_iterate,
    .describe = prox_describe,
};
