/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coulomb's law in the plane patch by patch. Newton's method on many contacts ends near a solution
 * with a few of them in the wrong mode, from which no step along the whole vector helps. Around the
 * worst contact that is in no patch yet, the nearest `size` contacts by common bodies are a problem
 * of their own,
 *
 *   v_P = A_PP r_P + (b_P + A_PQ r_Q),   r_Q of all others as it is,
 *
 * which in the plane is an LCP: Lemke's method (solvers/lcp/lemke.c) solves it exactly wherever the
 * relaxed law has a solution there, since its matrix is copositive (Cottle, Pang, Stone, 4.4). A
 * sweep goes on until all contacts that are off lie in patches; what it breaks at their borders the
 * next Newton steps (ssn.c) mend. Where these two together did not halve the residual, patches grow
 * by half; else they shrink again.
 *
 * There is no proof that this ends. An iteration is a sweep or a step of Newton's.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/status.h"
#include "la/dense.h"
#include "problem/solver.h"

extern const struct problem_solver problem_solver_ssn, problem_solver_lemke;

/* Contacts off by less than this part of max|b| need no patch; a patch solved to less is kept. */
static const double OFF = 1e-9;
/* Newton steps that have to come in a row without a new least residual, to end them. */
enum { IDLE = 20, DIM = 2 };
static const double GROWTH = 1.5, HALVED = 0.5;

struct patches_options {
  int size, largest, steps;
};

static const struct base_option patches_table[] = {
    BASE_OPTION_INT(struct patches_options, size, 40, 1, 1000,
                    "smallest number of contacts of a patch"),
    BASE_OPTION_INT(struct patches_options, largest, 300, 1, 2000,
                    "largest number of contacts of a patch"),
    BASE_OPTION_INT(struct patches_options, steps, 40, 1, 100000, "Newton steps after a sweep"),
    BASE_OPTION_END};

struct patches {
  const struct problem *p;
  struct patches_options opt;
  struct base_arena *arena;
  struct problem_operator A; /* BLOCKS */
  double *diag;              /* nc blocks 2 x 2 [1/kg] */
  double *best, *v;          /* n: of these Newton steps [N s]; scratch [m/s] */
  double *off;               /* nc, residual of each contact [m/s] */
  int *members, *place;      /* nc: contacts of a patch, and where each is in it; -1: not */
  int *covered;              /* nc: is it in a patch of this sweep? */
  void *newton, *newton_options, *lemke_options;
  double least, before;  /* residual of best; least of all sweeps before [m/s] */
  int size, steps, idle; /* contacts of a patch; Newton steps taken, of them without gain */
  int is_sweep, sweeps, patches;
};

static int patches_check(const struct problem *p, const void *options) {
  (void)options;
  if (p->model.dim != DIM || p->model.law != CONTACT_LAW_NCP) {
    return base_fail(BASE_UNSUPPORTED, "patches: for Coulomb's law in the plane");
  }
  return BASE_OK;
}

static void *patches_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct patches *s = base_arena_push(arena, sizeof *s);
  const int n = problem_size(p), nc = p->model.nc;
  s->p = p;
  s->opt = *(const struct patches_options *)options;
  s->arena = arena;
  problem_operator_to_blocks(&p->A, &s->A, arena);
  s->diag = base_arena_matrix(arena, n, DIM);
  problem_operator_diagonal(&p->A, s->diag);
  BASE_ARENA_VECTORS(arena, n, &s->best, &s->v);
  s->off = base_arena_doubles(arena, nc);
  s->members = base_arena_ints(arena, nc);
  s->place = base_arena_ints(arena, nc);
  s->covered = base_arena_ints(arena, nc);
  s->newton_options = problem_solver_options(&problem_solver_ssn, "", arena);
  s->lemke_options = problem_solver_options(&problem_solver_lemke, "", arena);
  s->newton = problem_solver_ssn.alloc(p, s->newton_options, arena);
  return s;
}

/* Residual at r, of each contact too. */
static double measure(struct patches *s, const double *r) {
  double worst = 0;
  problem_velocity(s->p, r, s->v, s->arena);
  for (int i = 0; i < s->p->model.nc; ++i) {
    const struct contact_model one = {
        .law = CONTACT_LAW_NCP, .dim = DIM, .nc = 1, .mu = s->p->model.mu + i};
    s->off[i] = contact_residual(&one, s->diag + DIM * DIM * i, r + DIM * i, s->v + DIM * i,
                                 s->p->b + DIM * i)
                    .absolute;
    worst = fmax(worst, s->off[i]);
  }
  return worst;
}

static int patches_start(void *workspace, double *r) {
  struct patches *s = workspace;
  s->size = s->opt.size < s->opt.largest ? s->opt.size : s->opt.largest;
  s->is_sweep = 1;
  s->sweeps = s->patches = 0;
  s->before = measure(s, r);
  return BASE_OK;
}

/* The worst contact in no patch yet; -1: none is off. */
static int worst_contact(const struct patches *s, double off) {
  int worst = -1;
  for (int i = 0; i < s->p->model.nc; ++i) {
    if (!s->covered[i] && s->off[i] > off) {
      off = s->off[i];
      worst = i;
    }
  }
  return worst;
}

/* The contacts nearest to one, itself first; returns their number. */
static int gather(struct patches *s, int first) {
  int count = 1;
  s->members[0] = first;
  s->place[first] = 0;
  for (int head = 0; head < count; ++head) {
    const int i = s->members[head];
    for (int e = s->A.row_ptr[i]; e < s->A.row_ptr[i + 1] && count < s->size; ++e) {
      if (s->place[s->A.col[e]] < 0) {
        s->place[s->A.col[e]] = count;
        s->members[count++] = s->A.col[e];
      }
    }
  }
  return count;
}

/* The problem of a patch: a (2 m x 2 m column-major), b (2 m) and mu (m). */
static void pose(const struct patches *s, int m, const double *r, double *a, double *b,
                 double *mu) {
  for (int k = 0; k < m; ++k) {
    const int i = s->members[k];
    mu[k] = s->p->model.mu[i];
    la_copy(DIM, s->p->b + DIM * i, b + DIM * k);
    for (int e = s->A.row_ptr[i]; e < s->A.row_ptr[i + 1]; ++e) {
      const int j = s->A.col[e], l = s->place[j];
      for (int c = 0; c < DIM * DIM; ++c) {
        const int row = DIM * k + c / DIM;
        const double value = s->A.blocks[(long)e * DIM * DIM + c];
        if (l >= 0) {
          a[(long)DIM * m * (DIM * l + c % DIM) + row] = value;
        } else {
          b[row] += value * r[DIM * j + c % DIM];
        }
      }
    }
  }
}

static void solve_patch(struct patches *s, int m, double *r) {
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  const int n = DIM * m;
  double *a = base_arena_matrix(s->arena, n, n), *b = base_arena_doubles(s->arena, n);
  double *mu = base_arena_doubles(s->arena, m);
  double *x = base_arena_doubles(s->arena, n), *w = base_arena_doubles(s->arena, n);
  pose(s, m, r, a, b, mu);
  const struct problem patch = {.name = "",
                                .model = {.law = CONTACT_LAW_LCP, .dim = DIM, .nc = m, .mu = mu},
                                .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = DIM, .nc = m, .a = a},
                                .b = b};
  struct problem_loop loop = problem_loop_default();
  loop.deadline = s->p->deadline;
  struct problem_result result;
  problem_solve(&patch, &problem_solver_lemke, s->lemke_options, &loop, x, w, s->arena, &result);
  for (int k = 0; k < m && result.residual.relative_b <= OFF; ++k) {
    la_copy(DIM, x + DIM * k, r + DIM * s->members[k]);
  }
  ++s->patches;
  base_arena_release(s->arena, mark);
}

static void sweep(struct patches *s, double *r) {
  const int n = problem_size(s->p), nc = s->p->model.nc;
  const double off = OFF * la_norm_inf(n, s->p->b);
  measure(s, r);
  for (int i = 0; i < nc; ++i) {
    s->covered[i] = 0;
    s->place[i] = -1;
  }
  for (int i = worst_contact(s, off); i >= 0 && !base_clock_passed(s->p->deadline);
       i = worst_contact(s, off)) {
    const int m = gather(s, i);
    solve_patch(s, m, r);
    for (int k = 0; k < m; ++k) {
      s->covered[s->members[k]] = 1;
      s->place[s->members[k]] = -1;
    }
  }
  ++s->sweeps;
}

/* The next sweep begins at the best of the Newton steps. */
static void end_steps(struct patches *s, double *r) {
  la_copy(problem_size(s->p), s->best, r);
  const double size = s->size * (s->least > HALVED * s->before ? GROWTH : 1 / GROWTH);
  s->size = (int)fmin(s->opt.largest, fmax(fmin(s->opt.size, s->opt.largest), size));
  s->before = fmin(s->before, s->least);
  s->is_sweep = 1;
}

static int patches_iterate(void *workspace, double *r) {
  struct patches *s = workspace;
  const int n = problem_size(s->p);
  if (s->is_sweep) {
    sweep(s, r);
    s->is_sweep = 0;
    s->steps = s->idle = 0;
    s->least = measure(s, r);
    la_copy(n, r, s->best);
    return problem_solver_ssn.start(s->newton, r);
  }
  const int status = problem_solver_ssn.iterate(s->newton, r);
  const double now = status == BASE_OK && la_all_finite(n, r) ? measure(s, r) : INFINITY;
  s->idle = now < s->least ? 0 : s->idle + 1;
  if (now < s->least) {
    s->least = now;
    la_copy(n, r, s->best);
  }
  if (status != BASE_OK || ++s->steps >= s->opt.steps || s->idle >= IDLE) {
    end_steps(s, r);
  }
  return BASE_OK;
}

static void patches_describe(const void *workspace, char *text, size_t size) {
  const struct patches *s = workspace;
  snprintf(text, size, "%d sweeps, %d patches", s->sweeps, s->patches);
}

const struct problem_solver problem_solver_patches = {
    .name = "patches",
    .look = {.colour = 0x882255, .dashes = {5, 3}, .point = 14, .point_size = 1},
    .summary = "planar patches of contacts by Lemke's method, and Newton's over all",
    .source =
        "Cottle, Pang, Stone: The Linear Complementarity Problem, 4.4; the solvers lemke, ssn",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_NCP),
    .options = patches_table,
    .options_size = sizeof(struct patches_options),
    .check = patches_check,
    .alloc = patches_alloc,
    .start = patches_start,
    .iterate = patches_iterate,
    .describe = patches_describe,
};
