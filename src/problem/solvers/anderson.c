/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Block Gauss-Seidel accelerated by Anderson's mixing (Anderson 1965; Walker and Ni 2011, type II).
 * With g(r) what `every` sweeps of the solver `relaxation` make of r, and f = g(r) - r, the last
 * `depth` differences of f and g say
 *
 *   r <- g - dG gamma,   gamma = argmin |f - dF gamma|,
 *
 * projected onto the friction cones, where sweeps keep it too. The norm is that of the contacts'
 * own blocks, |f|^2 = sum_i trace(A_ii) |f_i|^2, so that contacts of heavy and of light bodies
 * weigh what they mean as velocities. Where a mixed step makes |f| grow by more than GROWTH, the
 * iteration goes back to the sweeps that it came from and drops the differences: there it is
 * relaxation, with its convergence.
 *
 * For exact Coulomb and the convex law, which are fixed points of g. An iteration is one sweep.
 */
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "contact/set.h"
#include "la/dense.h"
#include "problem/solvers/relaxation.h"

enum { DEPTH_MAX = 30 };
/* Growth of |f| by a mixed step that is still let pass: mixing is not monotone. Of 1, 1.2 and
 * 2, 1.2 takes the fewest sweeps on packings and on capsules. */
static const double GROWTH = 1.2;
/* Of the trace, added to the normal equations: differences that repeat each other. */
static const double RIDGE = 1e-14;

struct anderson_options {
  int depth, every;
};

static const struct base_option anderson_table[] = {
    BASE_OPTION_INT(struct anderson_options, depth, 10, 1, DEPTH_MAX, "stored differences"),
    BASE_OPTION_INT(struct anderson_options, every, 1, 1, 1000, "sweeps between two mixings"),
    BASE_OPTION_END};

struct anderson {
  const struct problem *p;
  struct anderson_options options;
  void *relaxation;
  int n, sweeps, stored, was_mixed, mixed, dropped;
  double *weight;     /* nc, trace(A_ii) [1/kg] */
  double *r;          /* n, where the sweeps began [N s] */
  double *f, *f_last; /* n [N s] */
  double *g_last;     /* n [N s] */
  double *dF, *dG;    /* n x depth, the oldest overwritten [N s] */
  double size_last;   /* |f| before */
};

static void *anderson_alloc(const struct problem *p, const void *options,
                            struct base_arena *arena) {
  struct anderson *s = base_arena_push(arena, sizeof *s);
  const int n = problem_size(p);
  s->p = p;
  s->options = *(const struct anderson_options *)options;
  s->n = n;
  s->relaxation = problem_solver_relaxation.alloc(
      p, problem_solver_options(&problem_solver_relaxation, "", arena), arena);
  s->weight = relaxation_weight(p, arena);
  BASE_ARENA_VECTORS(arena, n, &s->r, &s->f, &s->f_last, &s->g_last);
  s->dF = base_arena_matrix(arena, n, s->options.depth);
  s->dG = base_arena_matrix(arena, n, s->options.depth);
  return s->relaxation != NULL ? s : NULL;
}

static int anderson_start(void *workspace, double *r) {
  struct anderson *s = workspace;
  s->sweeps = s->stored = s->was_mixed = s->mixed = s->dropped = 0;
  s->size_last = INFINITY;
  const int status = problem_solver_relaxation.start(s->relaxation, r);
  la_copy(s->n, r, s->r);
  return status;
}

static double dot(const struct anderson *s, const double *x, const double *y) {
  return relaxation_dot(s->p, s->weight, x, y);
}

static double *column(const struct anderson *s, double *matrix, int k) {
  return matrix + (size_t)k * (size_t)s->n;
}

/* f and g = r against those before: a column of differences. */
static void remember(struct anderson *s, const double *r) {
  const int k = s->stored % s->options.depth;
  double *dF = column(s, s->dF, k), *dG = column(s, s->dG, k);
  for (int i = 0; i < s->n; ++i) {
    dF[i] = s->f[i] - s->f_last[i];
    dG[i] = r[i] - s->g_last[i];
  }
  ++s->stored;
}

/* r = g less what the differences explain of f, on the cones. Returns whether they could be told
 * apart. */
static int mix(struct anderson *s, double *r) {
  const struct contact_model *model = &s->p->model;
  const int m = s->stored < s->options.depth ? s->stored : s->options.depth, dim = model->dim;
  double G[DEPTH_MAX * DEPTH_MAX], gamma[DEPTH_MAX], trace = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j <= i; ++j) {
      G[j * m + i] = G[i * m + j] = dot(s, column(s, s->dF, i), column(s, s->dF, j));
    }
    gamma[i] = dot(s, column(s, s->dF, i), s->f);
    trace += G[i * m + i];
  }
  for (int i = 0; i < m; ++i) {
    G[i * m + i] += RIDGE * trace;
  }
  if (!(trace > 0) || la_chol_factor(m, G) != BASE_OK) {
    s->stored = 0;
    return 0;
  }
  la_chol_solve(m, 1, G, gamma);
  for (int k = 0; k < m; ++k) {
    la_axpy(s->n, -gamma[k], column(s, s->dG, k), r);
  }
  for (int i = 0; i < model->nc; ++i) {
    double projected[CONTACT_DIM_MAX];
    contact_project_cone(dim, model->mu[i], r + dim * i, projected);
    la_copy(dim, projected, r + dim * i);
  }
  ++s->mixed;
  return 1;
}

/* The mixed iterate was worse than the plain one it came from: go on from that, without memory. */
static int go_back(struct anderson *s, double *r) {
  la_copy(s->n, s->g_last, r);
  la_copy(s->n, r, s->r);
  s->stored = s->was_mixed = 0;
  s->size_last = INFINITY;
  ++s->dropped;
  return problem_solver_relaxation.start(s->relaxation, r);
}

static int anderson_iterate(void *workspace, double *r) {
  struct anderson *s = workspace;
  int status = problem_solver_relaxation.iterate(s->relaxation, r);
  if (status != BASE_OK || ++s->sweeps % s->options.every != 0) {
    return status;
  }
  for (int i = 0; i < s->n; ++i) {
    s->f[i] = r[i] - s->r[i];
  }
  const double size = sqrt(dot(s, s->f, s->f));
  if (s->was_mixed && !(size <= GROWTH * s->size_last)) {
    return go_back(s, r);
  }
  if (isfinite(s->size_last)) {
    remember(s, r);
  }
  la_copy(s->n, s->f, s->f_last);
  la_copy(s->n, r, s->g_last);
  s->size_last = size;
  s->was_mixed = s->stored > 0 && size > 0 && mix(s, r);
  if (s->was_mixed) {
    status = problem_solver_relaxation.start(s->relaxation, r);
  }
  la_copy(s->n, r, s->r);
  return status;
}

static double anderson_change(const void *workspace) {
  const struct anderson *s = workspace;
  return problem_solver_relaxation.change(s->relaxation);
}

static void anderson_describe(const void *workspace, char *text, size_t size) {
  const struct anderson *s = workspace;
  snprintf(text, size, "mixed %d times, memory dropped %d times", s->mixed, s->dropped);
}

const struct problem_solver problem_solver_anderson = {
    .name = "anderson",
    .look = {.colour = 0x0072b2, .dashes = {5, 3}, .point = 6, .point_size = 0.9},
    .summary = "block relaxation accelerated by Anderson's mixing",
    .source = "Walker and Ni, SIAM J. Numer. Anal. 49 (2011), on preclik 3.2",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_NCP) | CONTACT_LAW_BIT(CONTACT_LAW_CCP),
    .options = anderson_table,
    .options_size = sizeof(struct anderson_options),
    .alloc = anderson_alloc,
    .start = anderson_start,
    .iterate = anderson_iterate,
    .change = anderson_change,
    .describe = anderson_describe,
};
