/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motion over a step: R(x, lambda) = 0 (equations.c) together with the contacts,
 *
 *   W^T dq in N_C(-lambda)   (moeller 5.95, 5.107),
 *
 * by Newton's method (newton.h): how far from solved, and what the step did.
 *
 * The work of contacts, damping and applied forces follows from dq^T R1 + (u^E - u^C)^T R2 = 0:
 * E^E - E^C = [dq^T W lambda - dq^T D dq] / dt + (Q dq)^T f   (5.111, 5.127).
 */
#include "form/consistent/equations.h"

#include "base/status.h"
#include "form/consistent/newton.h"
#include "la/dense.h"

#include <math.h>

/* --- how far from solved --- */

/* |p| in the metric of the inverse mass matrix [sqrt(J)]; p: nq, in q-space when in_q. */
static double momentum_norm(const struct form_consistent_equations *o, const double *p, int in_q) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const int nq = o->nq;
  double *a = base_arena_doubles(o->arena, nq), *b = base_arena_doubles(o->arena, nq);
  la_copy(nq, p, a);
  if (in_q && o->F != NULL) {
    la_gemv_t(nq, nq, 1, o->F, p, 0, a);
  }
  la_copy(nq, a, b);
  mech_mass_solve(o->c->mech, o->c->L, 1, b);
  const double square = la_dot(nq, a, b);
  base_arena_release(o->arena, mark);
  return sqrt(square);
}

static double product_norm(const struct form_consistent_equations *o, const double *A,
                           const double *x, int in_q) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *p = base_arena_doubles(o->arena, o->nq);
  la_gemv(o->nq, o->nq, 1, A, x, 0, p);
  const double norm = momentum_norm(o, p, in_q);
  base_arena_release(o->arena, mark);
  return norm;
}

static double ratio(double a, double scale) { return a == 0 ? 0 : fabs(a) / scale; }

/* Rounding that reaches R1 through its functions, over machine precision: that of q^E by their
 * slope, and that of V and g_S in discrete derivatives, divided by |dq| (5.19). In the kinetic
 * metric. */
static double noise_norm(const struct form_consistent_equations *o, const double *x) {
  const struct mech *m = o->c->mech;
  const int nq = o->nq, ns = o->ns;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *rounding = base_arena_doubles(o->arena, nq);
  for (int j = 0; j < nq; ++j) {
    la_axpy(nq, fabs(o->qE[j]), o->c->K + (long)j * nq, rounding);
  }
  double noise = momentum_norm(o, rounding, 1), size = 0;
  if (m->ops->potential != NULL && m->ops->discrete_potential == NULL) {
    size += o->dt * (fabs(m->ops->potential(m, o->qB)) + fabs(m->ops->potential(m, o->qE)));
  }
  for (int i = 0; i < ns && m->ops->discrete_bilateral == NULL; ++i) {
    for (int j = 0; j < nq; ++j) {
      size += fabs(x[2 * nq + i] * o->DgS[(long)j * ns + i] * o->qE[j]);
    }
  }
  const double square = la_dot(nq, x, x);
  if (square > 0) {
    noise += momentum_norm(o, x, 1) * size / square;
  }
  base_arena_release(o->arena, mark);
  return noise;
}

/* Largest of: momentum and kinematic residuals in the kinetic metric over their terms, constraint
 * residuals over theirs. R at x was evaluated last. */
static double norm(void *of, const double *x, const double *R) {
  const struct form_consistent_equations *o = of;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const int nq = o->nq, ns = o->ns;
  const double *dq = x, *u = x + nq;
  const double kick = o->dt * momentum_norm(o, o->DV, 1);
  const double rates = product_norm(o, o->c->M, o->uC, 0) + product_norm(o, o->c->M, u, 0);
  double forces =
      rates + kick + momentum_norm(o, o->pull, 1) + momentum_norm(o, o->held, 1) + noise_norm(o, x);
  if (o->HD != NULL) {
    forces += product_norm(o, o->HD, dq, 1);
  }
  if (o->pushed != NULL) {
    forces += momentum_norm(o, o->pushed, 1);
  }
  double worst = ratio(momentum_norm(o, R, 1), forces);
  const double way = product_norm(o, o->MQ, dq, 0) / o->dt;
  worst = fmax(worst, ratio(momentum_norm(o, R + nq, 0) / o->dt, way + 0.5 * rates + kick));
  const double q = la_norm_inf(nq, o->qE);
  const double speed = fmax(la_norm_inf(nq, u), la_norm_inf(nq, o->uC));
  for (int i = 0; i < ns; ++i) {
    double position = 0, rate = 0;
    for (int j = 0; j < nq; ++j) {
      position += fabs(o->DgS[(long)j * ns + i]) * q;
      rate += fabs(o->WSE[(long)i * nq + j]) * speed;
    }
    worst = fmax(worst, ratio(R[2 * nq + i], position));
    if (o->nr > 0) {
      worst = fmax(worst, ratio(R[2 * nq + ns + i], rate));
    }
  }
  base_arena_release(o->arena, mark);
  return worst;
}

/* --- the system of Newton's method --- */

/* W^T dq / dt. */
static void contact_rate(const void *of, const double *dx, double *dv) {
  const struct form_consistent_equations *o = of;
  for (int k = 0; k < o->nk; ++k) {
    dv[k] = la_dot(o->nq, o->W + (long)k * o->nq, dx) / o->dt;
  }
}

static int evaluate(void *of, const double *x, const double *lambda, double *R, double *rate) {
  struct form_consistent_equations *o = of;
  form_consistent_evaluate(o, x, lambda, R);
  contact_rate(o, x, rate);
  return BASE_OK;
}

/* Differences leave the parts of another point behind. */
static int matrix(void *of, const double *x, const double *lambda) {
  struct form_consistent_equations *o = of;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const int status = form_consistent_renew(o, x, lambda);
  if (status == BASE_OK && !form_consistent_is_exact(o->c)) {
    form_consistent_evaluate(o, x, lambda, base_arena_doubles(o->arena, o->nx));
  }
  base_arena_release(o->arena, mark);
  return status;
}

static int solve(void *of, int n, double *X) {
  const struct form_consistent_equations *o = of;
  la_lu_solve(o->nx, n, o->c->LU, o->c->piv, X);
  return BASE_OK;
}

/* A noise p of the momentum moves v by up to |W| |p| in the kinetic metric, and with bilateral
 * constraints q^E is fixed by g_S to machine precision of q only. */
static double resolution(const void *of, const double *x, const double *A, double *floor) {
  const struct form_consistent_equations *o = of;
  const double noise = noise_norm(o, x), q = o->ns > 0 ? la_norm_inf(o->nq, o->qE) : 0;
  double resolved = 0;
  for (int k = 0; k < o->nk; ++k) {
    double sum = 0;
    for (int j = 0; j < o->nq; ++j) {
      sum += fabs(o->W[(long)k * o->nq + j]);
    }
    resolved = fmax(resolved, sum * q / o->dt + sqrt(fabs(A[(long)k * o->nk + k])) * noise);
  }
  *floor = 0;
  return resolved;
}

static const struct form_consistent_system motion = {.evaluate = evaluate,
                                                     .matrix = matrix,
                                                     .solve = solve,
                                                     .norm = norm,
                                                     .rate = contact_rate,
                                                     .resolution = resolution};

/* --- a step --- */

/* Work of damping and applied forces. */
static void count_work(const struct form_consistent_equations *o, const double *x,
                       struct form_report *report) {
  const int nq = o->nq;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  if (o->D != NULL) {
    double *p = base_arena_doubles(o->arena, nq);
    la_gemv(nq, nq, 1, o->D, x, 0, p);
    report->work.damping -= la_dot(nq, p, x) / o->dt;
  }
  if (o->pushed != NULL) {
    report->work.applied += la_dot(nq, o->pushed, x) / o->dt;
  }
  base_arena_release(o->arena, mark);
}

int form_consistent_motion(struct form_consistent *c, double t, double dt, double *q, double *u,
                           struct form_report *report) {
  struct base_arena *arena = c->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct form_consistent_equations o = {.c = c, .dt = dt, .qB = q, .uC = u, .arena = arena};
  int status = form_consistent_prepare(&o, t);
  if (status == BASE_OK) {
    struct form_consistent_newton w = {.system = &motion,
                                       .of = &o,
                                       .c = c,
                                       .stop = form_consistent_stop_motion,
                                       .nx = o.nx,
                                       .nk = o.nk,
                                       .rows = o.nq,
                                       .W = o.W,
                                       .W_moves = c->scheme.discrete_gap,
                                       .arena = arena};
    form_consistent_newton_alloc(&w);
    status = form_consistent_newton_move(&w, dt, q, u, report);
    if (status == BASE_OK || status == BASE_UNCONVERGED) {
      count_work(&o, w.x, report);
    }
  }
  base_arena_release(arena, mark);
  return status;
}
