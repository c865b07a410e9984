/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Newton's method; see newton.h. J is kept over iterations and steps while it contracts well: the
 * answer does not depend on it.
 */
#include "form/consistent/newton.h"

#include "base/clock.h"
#include "base/status.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS_MAX = 50 }; /* a step that needs more has a Jacobian that does not help */
/* Rounding of a sum grows as the root of the number of its terms. */
static double rounding_of(int nx) { return sqrt(nx) * DBL_EPSILON; }
/* Slow progress above four times that, or 64 machine precisions, is the matrix's doing. */
static double renew_above(int nx) { return fmax(64 * DBL_EPSILON, 4 * rounding_of(nx)); }
/* A kept Jacobian must gain two digits an iteration, or it is made anew. */
static const double CONTRACTION = 0.01;
/* An iteration that does not halve the residual gains nothing. */
static const double GAIN = 0.5;
/* A contact direction that turns by no more keeps its response: a hundredth of what a kept Jacobian
 * may cost. */
static const double SAME_DIRECTION = 1e-3;
/* Steps of different length share a Jacobian up to this relative difference. */
static const double SAME_DT = 1e-3;

/* No floor: over thousands of steps energy and the length of quaternions profit from every digit.
 */
const struct form_consistent_stop form_consistent_stop_motion = {.near = FORM_CONSISTENT_NEAR,
                                                                 .patience = 4};

void form_consistent_newton_alloc(struct form_consistent_newton *w) {
  struct base_arena *arena = w->arena;
  BASE_ARENA_VECTORS(arena, w->nx, &w->x, &w->best_x, &w->R, &w->z);
  BASE_ARENA_VECTORS(arena, w->nk, &w->lambda, &w->best_lambda, &w->b, &w->rate, &w->v);
  w->Y = base_arena_matrix(arena, w->nx, w->nk);
  w->W_Y = base_arena_matrix(arena, w->rows, w->nk);
  w->A = base_arena_matrix(arena, w->nk, w->nk);
  w->best = INFINITY;
}

/* Is a direction near enough to another one for its response? What is wrong with a response is
 * corrected by the next iteration, as with a kept Jacobian, but where contacts are nearly singular
 * (a rod that jams): after an iteration that gained little none is. */
static int is_near(const struct form_consistent_newton *w, const double *direction,
                   const double *other) {
  const size_t n = (size_t)w->rows;
  double apart = 0, size = 0;
  for (size_t i = 0; i < n; ++i) {
    apart = fmax(apart, fabs(direction[i] - other[i]));
    size = fmax(size, fabs(other[i]));
  }
  return apart <= (w->gains_little ? 0 : SAME_DIRECTION) * size;
}

static int is_same_set(int n, const int *first, const int *second) {
  return n == 0 || memcmp(first, second, (size_t)n * sizeof *first) == 0;
}
static int is_same(int n, const double *first, const double *second) {
  return n == 0 || memcmp(first, second, (size_t)n * sizeof *first) == 0;
}

/* Columns of Y whose column of W has turned, all without a response; returns how many. */
static int renew_columns(struct form_consistent_newton *w, int *status) {
  const size_t nx = (size_t)w->nx, rows = (size_t)w->rows;
  int changed = 0;
  *status = BASE_OK;
  for (int k = 0; k < w->nk && *status == BASE_OK; ++k) {
    const double *from = w->W + (size_t)k * rows;
    double *to = w->W_Y + (size_t)k * rows, *column = w->Y + (size_t)k * nx;
    if (w->has_response && is_near(w, from, to)) {
      continue;
    }
    memcpy(to, from, rows * sizeof *to);
    memcpy(column, from, rows * sizeof *to);
    memset(column + rows, 0, (nx - rows) * sizeof *column);
    *status = w->system->solve(w->of, 1, column);
    ++changed;
  }
  return changed;
}

/* Y and A. */
static int respond(struct form_consistent_newton *w) {
  const int nx = w->nx, nk = w->nk;
  int status;
  if (renew_columns(w, &status) == 0) {
    return status;
  }
  for (int k = 0; k < nk; ++k) {
    w->system->rate(w->of, w->Y + (long)k * nx, w->A + (long)k * nk);
  }
  if (w->S != NULL) {
    la_axpy((long)nk * nk, 1, w->S, w->A);
  }
  w->has_response = status == BASE_OK;
  return status;
}

/* z, Y and the inclusion at x, evaluated last, with the matrix there is. */
static int linearise(struct form_consistent_newton *w) {
  const int nk = w->nk;
  la_copy(w->nx, w->R, w->z);
  int status = w->system->solve(w->of, 1, w->z);
  if (nk == 0 || status != BASE_OK) {
    return status;
  }
  status = respond(w);
  la_copy(nk, w->rate, w->v);
  if (w->S != NULL) {
    la_gemv(nk, nk, 1, w->S, w->lambda, 1, w->v);
  }
  w->system->rate(w->of, w->z, w->b);
  for (int k = 0; k < nk; ++k) {
    w->b[k] = w->v[k] - w->b[k];
  }
  la_gemv(nk, nk, -1, w->A, w->lambda, 1, w->b);
  return status;
}

/* Residual of the inclusion over the speeds in it and those whose rounding gets there; what may be
 * nothing but rounding asks for no iteration, but tells the better point. */
static double contact_norm(const struct form_consistent_newton *w) {
  if (w->nk == 0) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(w->arena);
  const struct contact_model model = form_consistent_model(w->c);
  double *diag = base_arena_matrix(w->arena, model.dim * model.dim, model.nc), floor = 0;
  form_consistent_diagonal(w->c, w->A, diag);
  const struct contact_residual r = contact_residual(&model, diag, w->lambda, w->v, w->b);
  const double resolved = w->system->resolution(w->of, w->x, w->Y, &floor);
  base_arena_release(w->arena, mark);
  if (r.absolute == 0) {
    return 0;
  }
  const double scaled = r.absolute / (r.absolute / r.relative_max + resolved);
  return r.absolute <= floor ? fmin(scaled, w->stop.near) : scaled;
}

/* The same, with a new matrix where one is due. */
static int prepare(struct form_consistent_newton *w) {
  int status = BASE_OK;
  if (!w->has_matrix) {
    w->has_response = 0;
    status = w->system->matrix(w->of, w->x, w->lambda);
    w->has_matrix = status == BASE_OK;
  }
  return status == BASE_OK ? linearise(w) : status;
}

/* R at x, and its scaled size, that of the inclusion included. */
static int evaluate_residual(struct form_consistent_newton *w, int k, double last, double *now) {
  int status = w->system->evaluate(w->of, w->x, w->lambda, w->R, w->rate);
  ++w->evaluations;
  *now = status == BASE_OK ? w->system->norm(w->of, w->x, w->R) : NAN;
  if (!isfinite(*now)) {
    return status;
  }
  const int slow = k > 1 && *now > CONTRACTION * last && *now > renew_above(w->nx);
  w->has_matrix = w->has_matrix && !slow && !w->stop.every_time;
  if (w->nk > 0) {
    status = prepare(w);
    *now = status == BASE_OK ? fmax(*now, contact_norm(w)) : NAN;
  }
  w->gains_little = k > 0 && *now > CONTRACTION * last;
  return status;
}

/* The next x and lambda. */
static int advance(struct form_consistent_newton *w, int guess, struct form_report *report) {
  const int nx = w->nx, nk = w->nk;
  int status = nk == 0 ? prepare(w) : BASE_OK;
  if (status != BASE_OK) {
    return status;
  }
  la_axpy(nx, -1, w->z, w->x);
  if (nk > 0) {
    const struct base_arena_mark mark = base_arena_mark(w->arena);
    double *change = base_arena_doubles(w->arena, nk), *v = base_arena_doubles(w->arena, nk);
    la_axpy(nk, -1, w->lambda, change);
    status = form_consistent_include(w->c, guess, w->A, w->b, w->lambda, v, report);
    la_axpy(nk, 1, w->lambda, change);
    la_gemv(nx, nk, 1, w->Y, change, 1, w->x);
    base_arena_release(w->arena, mark);
  }
  return status;
}

/* To round-off, from x; the best point goes to best_x. Near it one iteration without progress is
 * the last, and so is one that rounds to where it began. */
static int iterate(struct form_consistent_newton *w, struct form_report *report) {
  double last = INFINITY, now;
  int idle = 0, status = BASE_OK;
  for (int k = 0; k < ITERATIONS_MAX; ++k) {
    const int seen = evaluate_residual(w, k, last, &now);
    if (seen != BASE_OK || !isfinite(now)) {
      return seen != BASE_OK ? seen : status;
    }
    idle = k > 1 && now > GAIN * w->best ? idle + 1 : 0;
    w->is_at_best = now <= w->best;
    if (w->is_at_best) {
      w->best = now;
      la_copy(w->nx, w->x, w->best_x);
      la_copy(w->nk, w->lambda, w->best_lambda);
    }
    const int rounds = w->best <= fmax(w->stop.near, rounding_of(w->nx));
    if (w->best <= w->stop.floor || idle >= (rounds ? 1 : w->stop.patience)) {
      break;
    }
    last = now;
    status = base_clock_check(w->deadline);
    const int guess = k > 0 || (w->c != NULL && w->c->setup.warm_start);
    status = status != BASE_OK ? status : advance(w, guess, report);
    if (status != BASE_OK && status != BASE_UNCONVERGED) {
      return status;
    }
    if (w->is_at_best && is_same(w->nx, w->x, w->best_x) &&
        is_same(w->nk, w->lambda, w->best_lambda)) {
      break;
    }
  }
  return status;
}

int form_consistent_newton_solve(struct form_consistent_newton *w, struct form_report *report) {
  const int status = iterate(w, report);
  if (status != BASE_OK && status != BASE_UNCONVERGED) {
    return status;
  }
  if (!isfinite(w->best)) {
    return base_fail(BASE_FAILED, "Newton's method left the finite numbers");
  }
  la_copy(w->nx, w->best_x, w->x);
  la_copy(w->nk, w->best_lambda, w->lambda);
  if (w->is_at_best) {
    return status;
  }
  const int end = w->system->evaluate(w->of, w->x, w->lambda, w->R, w->rate);
  ++w->evaluations;
  const int seen = end == BASE_OK && w->nk > 0 ? linearise(w) : end;
  return seen != BASE_OK ? seen : status;
}

/* Work of the contact impulses, exactly: lambda^T rate. */
static void count_work(const struct form_consistent_newton *w, struct form_report *report) {
  const int dim = w->c->mech->dim;
  for (int k = 0; k < w->nk; ++k) {
    *(k % dim == 0 ? &report->work.impact : &report->work.friction) += w->lambda[k] * w->rate[k];
  }
}

int form_consistent_newton_move(struct form_consistent_newton *w, double dt, double *q, double *u,
                                struct form_report *report) {
  struct form_consistent *c = w->c;
  const int nq = c->nq, nu = c->nu, ns = c->ns;
  mech_qdot(c->mech, q, u, w->x, w->arena);
  for (int j = 0; j < nq; ++j) {
    w->x[j] *= dt;
  }
  la_copy(nu, u, w->x + nq);
  for (int i = 0; i < ns; ++i) {
    w->x[nq + nu + i] = c->left_out[i] ? 0 : dt * c->force_S[i];
  }
  la_copy(w->nk, c->motion, w->lambda);
  w->deadline = c->setup.loop.deadline;
  w->has_matrix = fabs(c->J_dt - dt) <= SAME_DT * dt && is_same_set(ns, c->left_out, c->J_left_out);
  w->evaluations = 0;
  int status = form_consistent_newton_solve(w, report);
  report->evaluations += w->evaluations;
  if (status != BASE_OK && status != BASE_UNCONVERGED) {
    return status;
  }
  report->newton = fmax(report->newton, w->best);
  if (!(w->best <= FORM_CONSISTENT_SOLVED)) {
    status = BASE_UNCONVERGED;
  }
  report->unconverged += status == BASE_UNCONVERGED; /* with or without contacts */
  if (w->nk > 0) {
    count_work(w, report);
    form_consistent_grade(c, w->A, w->b, w->lambda, w->v, report);
    ++report->solves;
    la_copy(w->nk, w->lambda, c->motion);
  }
  for (int i = 0; i < ns; ++i) {
    c->force_S[i] = w->x[nq + nu + i] / dt;
  }
  la_axpy(nq, 1, w->x, q);
  la_copy(nu, w->x + nq, u);
  return status;
}
