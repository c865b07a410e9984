/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one loop around every solver: it alone decides when to stop. After each check_every-th
 * iteration it computes v = A r + b afresh and asks contact_residual(); the iteration ends when
 * relative_free <= tol. Iteration 0 is checked too, before the solver is even set up: a warm start
 * may be the solution. The best iterate of all checks is kept and returned where the last one is
 * not good enough. What a solver says about itself (PROBLEM_DONE, a breakdown) ends the loop, but
 * the residual decides whether the result is ok.
 *
 * A check of a large problem costs as much as some sweeps. Where a solver tells how much its last
 * iteration changed, that times the quotient of both at the last check foretells the residual; a
 * check is made when this meets the tolerance, and otherwise after an eighth of the iterations so
 * far, so that the best iterate is known and the quotient is not too old.
 *
 * Velocities are computed and judged a few contacts at a time, and no array of all of them is made
 * unless the caller wants it or the law has an objective, which is computed from it.
 *
 * A solver may have a relief, `auto`, which goes on from the best iterate where the solver ends
 * without a solution, or where at the pace of its residual more than PATIENCE iterations are
 * missing. Sweeps that arrive are left alone. What the solver costs in vain is bounded: of towers
 * of 20 boxes the time is at most twice that of auto by itself.
 *
 * Time spent in the solver and in checks is measured apart; no result depends on it, except that
 * the time limit and the deadline of the work around end the loop with status timeout. They cover
 * both.
 */
#include "problem/solver.h"

#include "base/clock.h"
#include "base/status.h"
#include "la/dense.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct base_option problem_loop_options[] = {
    BASE_OPTION_REAL(struct problem_loop, tol, 1e-10, 0, INFINITY, "",
                     "tolerance of the residual over that of zero impulses; default of a run: 0.01 "
                     "over the number of its steps, from 1e-10 to 1e-6"),
    BASE_OPTION_INT(struct problem_loop, max_iter, 10000, 0, INT_MAX - 1,
                    "largest number of iterations"),
    BASE_OPTION_INT(struct problem_loop, check_every, 1, 1, INT_MAX,
                    "iterations from one residual check to the next"),
    BASE_OPTION_BOOL(struct problem_loop, relief, 0,
                     "auto continues if the solver ends without a solution or is too slow; default "
                     "of a run that names neither solver nor max_iter: yes"),
    BASE_OPTION_REAL(struct problem_loop, time_limit, INFINITY, 0, INFINITY, "s",
                     "limit of wall time"),
    BASE_OPTION_END};

struct problem_loop problem_loop_default(void) {
  return (struct problem_loop){
      .tol = 1e-10, .max_iter = 10000, .check_every = 1, .time_limit = INFINITY};
}

enum { FEW = 32 }; /* contacts, whose velocities fit into the nearest cache */
/* Iterations between two looks at the pace; so many more are worth their while, for auto needs
 * about as much; and contacts beyond which it costs more than it gains: of poured spheres 1200 take
 * as long with as without, 2400 three times as long for one step in 300. */
enum { PACE = 100, PATIENCE = 600, RELIEF_CONTACTS = 1000 };

struct loop {
  const struct problem *p; /* the caller's, then `known` */
  struct problem known;    /* the same with A_ii, which checks and solvers share, and deadline */
  const struct problem_loop *settings;
  struct base_arena *arena;
  struct problem_result *result;
  double *r;          /* n, the caller's */
  double *v;          /* n, of the last r checked; NULL: not wanted */
  double *best;       /* n, the best iterate so far */
  int best_iteration; /* -1: none */
  struct contact_residual best_residual;
  double demand;   /* of p [m/s] */
  double quotient; /* of relative_free over the solver's change, at the last check [s/m] */
  int next_check;  /* iteration, whatever the change says */
  double deadline; /* of the settings, both of them; 0: none */
  double began;    /* time_of [s] */
  int paced_at;    /* iteration of the last look at the pace; 0: there was none */
  double paced;    /* relative_free of the best iterate there */
};

static void give_reason(struct problem_result *result, int status, const char *reason) {
  result->status = status;
  snprintf(result->reason, sizeof result->reason, "%s", reason);
}

/* Residual at A r + b, which goes to v where that is wanted. */
static struct contact_residual residual_of(struct loop *loop) {
  const struct problem *p = loop->p;
  const struct base_arena_mark mark = base_arena_mark(loop->arena);
  const struct problem_product product = problem_product_of(&p->A, loop->r, loop->arena);
  struct contact_worst worst = CONTACT_WORST_NONE;
  for (int first = 0; first < p->model.nc; first += FEW) {
    const int count = p->model.nc - first < FEW ? p->model.nc - first : FEW, dim = p->model.dim;
    const size_t at = (size_t)dim * (size_t)first;
    double few[FEW * CONTACT_DIM_MAX], *v = loop->v != NULL ? loop->v + at : few;
    problem_product_rows(&product, first, count, v);
    for (int i = 0; i < dim * count; ++i) {
      v[i] += p->b[at + (size_t)i];
    }
    contact_residual_add(&p->model, p->A.diagonal, loop->r, p->b, first, count, v, &worst);
  }
  base_arena_release(loop->arena, mark);
  return contact_residual_of(&worst, loop->demand);
}

/* NaN: nobody asks, and a look may cost as much as an iteration. */
static double time_of(const struct loop *loop) {
  return loop->settings->is_timed ? base_clock_work() : (double)NAN;
}

static double solver_seconds(const struct loop *loop) {
  return time_of(loop) - loop->began - loop->result->check_seconds;
}

static void add_check(const struct loop *loop, double residual) {
  struct problem_history *h = loop->settings->history;
  if (h == NULL) {
    return;
  }
  if (h->n == h->room) {
    h->room = 2 * h->room + 64;
    h->checks = base_arena_resize(h->arena, h->checks, (size_t)h->n * sizeof *h->checks,
                                  (size_t)h->room * sizeof *h->checks);
  }
  h->checks[h->n++] =
      (struct problem_check){loop->result->iterations, residual, solver_seconds(loop)};
}

/* Residual of the iterate r. Keeps it if it is the best. Returns its relative_free, infinite when
 * the iterate or its velocity is not finite. */
static double check(struct loop *loop) {
  const double began = time_of(loop);
  const int n = problem_size(loop->p), k = loop->result->iterations;
  struct contact_residual residual = CONTACT_RESIDUAL_UNKNOWN;
  if (la_all_finite(n, loop->r)) {
    residual = residual_of(loop);
    if (!isfinite(residual.relative_free)) {
      residual.relative_free = INFINITY;
    }
  }
  if (loop->best_iteration < 0 || residual.relative_free < loop->best_residual.relative_free) {
    loop->best_iteration = k;
    loop->best_residual = residual;
    la_copy(n, loop->r, loop->best);
  }
  loop->result->residual = residual;
  loop->result->check_seconds += time_of(loop) - began;
  add_check(loop, residual.relative_free);
  return residual.relative_free;
}

/* What the last status of the solver and the last residual mean together. */
static void judge(struct loop *loop, int status, int out_of_time) {
  struct problem_result *result = loop->result;
  const double residual = result->residual.relative_free;
  char text[sizeof result->reason];
  if (residual <= loop->settings->tol) {
    give_reason(result, BASE_OK, "");
  } else if (!isfinite(residual)) {
    snprintf(text, sizeof text, "iterate %d is not finite", result->iterations);
    give_reason(result, BASE_DIVERGED, text);
  } else if (status == PROBLEM_DONE) {
    snprintf(text, sizeof text, "direct method finished with residual %.3g > %.3g", residual,
             loop->settings->tol);
    give_reason(result, BASE_UNCONVERGED, text);
  } else if (status != BASE_OK) {
    give_reason(result, status, base_message());
  } else if (out_of_time) {
    snprintf(text, sizeof text, "time limit reached after %d iterations", result->iterations);
    give_reason(result, BASE_TIMEOUT, text);
  } else {
    snprintf(text, sizeof text, "residual %.3g > %.3g after %d iterations", residual,
             loop->settings->tol, result->iterations);
    give_reason(result, BASE_UNCONVERGED, text);
  }
}

/* A whole solve in another process: its answer is one iterate, checked as any. */
static void run_once(struct loop *loop, const struct problem_solver *solver) {
  struct problem_result *result = loop->result;
  const struct problem_loop *settings = loop->settings;
  const int status =
      solver->solve(solver, loop->p, settings, loop->r, loop->arena, &result->answer);
  result->iterations = result->answer.iterations;
  check(loop);
  judge(loop, status, 0);
  snprintf(result->chosen, sizeof result->chosen, "%s", result->answer.says);
}

/* Is the residual of iteration k to be computed? */
static int is_due(const struct loop *loop, int k, double change) {
  return k % loop->settings->check_every == 0 &&
         (loop->settings->history != NULL || k >= loop->next_check ||
          !(change * loop->quotient > loop->settings->tol));
}

/* At a check of a solver that has a relief: at the pace of the last iterations, does the way to the
 * tolerance take more of them than the relief is worth? Of a solver that does not tell its change
 * nothing is foretold: a direct method's residual falls at its end. */
static int is_too_slow(struct loop *loop, double change) {
  const int k = loop->result->iterations, since = k - loop->paced_at;
  if (isnan(change) || since < PACE) {
    return 0;
  }
  const double now = loop->best_residual.relative_free, before = loop->paced;
  const double missing = log(now / loop->settings->tol), gained = log(before / now);
  const int is_first = loop->paced_at == 0;
  loop->paced_at = k;
  loop->paced = now;
  return !is_first && missing * since > PATIENCE * gained;
}

/* Start and iterate until something ends it, `most` iterations at the latest. */
static void run(struct loop *loop, const struct problem_solver *solver, const void *options,
                int most, int has_relief) {
  const struct problem_loop *settings = loop->settings;
  struct problem_result *result = loop->result;
  void *workspace = solver->alloc(loop->p, options, loop->arena);
  if (workspace == NULL) {
    give_reason(result, BASE_FAILED, base_message());
    return;
  }
  int status = solver->start(workspace, loop->r), out_of_time = 0;
  if (status != BASE_OK) {
    check(loop);
  }
  while (status == BASE_OK && !out_of_time && result->iterations < most) {
    status = solver->iterate(workspace, loop->r);
    const int k = ++result->iterations;
    const double change = solver->change != NULL ? solver->change(workspace) : NAN;
    out_of_time = base_clock_passed(loop->deadline);
    if (status != BASE_OK || out_of_time || k == most || is_due(loop, k, change)) {
      const double residual = check(loop);
      loop->quotient = residual / change;
      loop->next_check = k + 1 + k / 8;
      if (residual <= settings->tol || !isfinite(residual) ||
          (has_relief && is_too_slow(loop, change))) {
        break;
      }
    }
  }
  judge(loop, status, out_of_time);
  if (solver->describe != NULL) {
    solver->describe(workspace, result->chosen, sizeof result->chosen);
  }
  if (solver->chosen != NULL) {
    result->by = solver->chosen(workspace, &result->round);
  } else if (settings->relief) {
    result->by = solver;
    result->round = 1;
  }
  if (solver->free != NULL) {
    solver->free(workspace);
  }
}

/* The solver, and where it does not get through its relief, from the best iterate. Where that does
 * not either, the status is the solver's, and the reason that of the relief, which has tried
 * more. */
static void run_with_relief(struct loop *loop, const struct problem_solver *solver,
                            const void *options) {
  const struct problem_loop *settings = loop->settings;
  struct problem_result *result = loop->result;
  const struct problem_solver *relief = settings->relief ? problem_solver_find("auto") : NULL;
  const int has_relief = relief != NULL && relief != solver && loop->p->model.nc <= RELIEF_CONTACTS;
  const struct base_arena_mark mark = base_arena_mark(loop->arena);
  run(loop, solver, options, settings->max_iter, has_relief);
  base_arena_release(loop->arena, mark);
  const int status = result->status;
  if (!has_relief || status == BASE_OK || status == BASE_TIMEOUT) {
    return;
  }
  la_copy(problem_size(loop->p), loop->best, loop->r);
  run(loop, relief, problem_solver_options(relief, "", loop->arena),
      result->iterations + settings->max_iter, 0);
  if (result->status != BASE_OK && result->status != BASE_TIMEOUT) {
    result->status = status;
  }
}

/* Can the solver take the problem? 0 with status and reason in the result when not. */
static int is_supported(const struct problem *p, const struct problem_solver *solver,
                        const void *options, struct problem_result *result) {
  char text[sizeof result->reason];
  if ((solver->laws & CONTACT_LAW_BIT(p->model.law)) == 0) {
    snprintf(text, sizeof text, "solver '%s' does not take law '%s'", solver->name,
             contact_law_name(p->model.law));
    give_reason(result, BASE_UNSUPPORTED, text);
    return 0;
  }
  if (p->model.nc > 0 && solver->check != NULL) {
    const int status = solver->check(p, options);
    if (status != BASE_OK) {
      give_reason(result, status, base_message());
      return 0;
    }
  }
  return 1;
}

static void set_velocity(const struct loop *loop) {
  if (loop->v != NULL) {
    problem_velocity(loop->p, loop->r, loop->v, loop->arena);
  }
}

/* The best iterate back into r and v, unless the last one was it. */
static void restore_best(struct loop *loop) {
  const int n = problem_size(loop->p);
  if (loop->best_iteration >= 0 && isfinite(loop->best_residual.relative_free)) {
    la_copy(n, loop->best, loop->r);
    loop->result->residual = loop->best_residual;
  } else {
    memset(loop->r, 0, (size_t)n * sizeof *loop->r); /* nothing finite was ever seen */
  }
  set_velocity(loop);
}

/* Refusals and trivial ends come first; the solver runs only where there is something to do. */
static void run_solver(struct loop *loop, const struct problem_solver *solver,
                       const void *options) {
  struct problem_result *result = loop->result;
  const int n = problem_size(loop->p);
  if (!is_supported(loop->p, solver, options, result)) {
    set_velocity(loop);
    return;
  }
  if (n == 0) {
    result->residual = (struct contact_residual){.at = -1};
    result->optimality = (struct contact_optimality){0, 0};
    add_check(loop, 0);
    return;
  }
  loop->best = base_arena_doubles(loop->arena, n);
  loop->known = *loop->p;
  loop->known.deadline = loop->deadline;
  loop->known.A.diagonal = problem_operator_diagonal_of(&loop->p->A, loop->arena);
  loop->p = &loop->known;
  loop->demand = contact_demand(&loop->p->model, loop->p->A.diagonal, loop->p->b);
  double residual = check(loop);
  if (loop->demand == 0 && residual > loop->settings->tol) { /* and no impulse is a solution */
    memset(loop->r, 0, (size_t)n * sizeof *loop->r);
    residual = check(loop);
  }
  if (residual <= loop->settings->tol) {
    return;
  }
  if (!isfinite(residual)) {
    give_reason(result, BASE_DIVERGED, "the start, or the problem itself, is not finite");
    restore_best(loop);
    return;
  }
  if (solver->solve != NULL) {
    run_once(loop, solver);
  } else {
    run_with_relief(loop, solver, options);
  }
  if (result->status != BASE_OK) {
    restore_best(loop);
  }
}

static int has_objective(const struct contact_model *model) {
  return model->dim == 1 || model->law == CONTACT_LAW_CCP;
}

/* Objective and gap of laws that have them. */
static struct contact_optimality optimality(const struct loop *loop) {
  const struct problem *p = loop->p;
  if (!has_objective(&p->model)) {
    return (struct contact_optimality){NAN, NAN};
  }
  return contact_optimality(&p->model, p->A.diagonal, loop->r, loop->v, p->b);
}

void problem_solve(const struct problem *p, const struct problem_solver *solver,
                   const void *options, const struct problem_loop *loop, double *r, double *v,
                   struct base_arena *arena, struct problem_result *result) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const struct problem_loop defaults = problem_loop_default();
  struct loop state = {.p = p,
                       .settings = loop != NULL ? loop : &defaults,
                       .arena = arena,
                       .result = result,
                       .r = r,
                       .v = v,
                       .best_iteration = -1};
  state.began = time_of(&state);
  if (v == NULL && has_objective(&p->model)) {
    state.v = base_arena_doubles(arena, problem_size(p));
  }
  const double limit = state.settings->time_limit;
  state.deadline =
      base_clock_earlier(isfinite(limit) ? base_clock_now() + limit : 0, state.settings->deadline);
  *result = (struct problem_result){.status = BASE_OK,
                                    .residual = CONTACT_RESIDUAL_UNKNOWN,
                                    .answer = {.stated = NAN, .wall = NAN, .cpu = NAN},
                                    .optimality = {NAN, NAN}};
  if (options == NULL && solver->options != NULL) {
    options = problem_solver_options(solver, "", arena);
  }
  run_solver(&state, solver, options);
  if (state.best != NULL) {
    result->optimality = optimality(&state);
  }
  const struct problem_answer *answer = &result->answer;
  result->seconds = isfinite(answer->stated) ? answer->stated
                    : isfinite(answer->cpu)  ? answer->cpu
                                             : solver_seconds(&state);
  base_arena_release(arena, mark);
}
