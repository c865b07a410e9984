/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motion over a step: R(x, lambda) = 0 (equations.c) together with the contacts,
 *
 *   xi = W^T dq in N_C(-lambda)   (moeller 5.95, 5.107).
 *
 * Without contacts R = 0 conserves energy for any dt (5.77), so only the residual reached limits
 * the drift, and Newton's method goes on until round-off stops it.
 *
 * Each iteration solves the linearised system together with the exact contact inclusion: with
 * z = J^-1 R and Y = J^-1 [W; 0; 0; 0], x = x_k - z + Y (lambda - lambda_k), hence
 * v = W^T dq / dt = A lambda + b, a one-step problem. This replaces the projected Newton iteration
 * (2.72), which moves lambda by one projection a step and stalls far from round-off. J is kept over
 * iterations and steps while it contracts well (the answer does not depend on it).
 *
 * The work of contacts, damping and applied forces follows from dq^T R1 + (u^E - u^C)^T R2 = 0:
 * E^E - E^C = [dq^T W lambda - dq^T D dq] / dt + (Q dq)^T f   (5.111, 5.127).
 */
#include "form/consistent/equations.h"

#include "base/clock.h"
#include "base/status.h"
#include "la/dense.h"

#include <float.h>
#include <math.h>

enum {
  FORM_CONSISTENT_ITERATIONS = 50, /* a step that needs more has a Jacobian that does not help */
  FORM_CONSISTENT_IDLE = 2,        /* iterations near round-off without progress, then stop */
  FORM_CONSISTENT_STUCK = 4        /* the same elsewhere, each with a new Jacobian */
};
/* Scaled residual of round-off: nothing left to improve. */
#define FORM_CONSISTENT_ROUNDOFF DBL_EPSILON
/* Below this the residual is dominated by rounding in the functions, not by the Jacobian. */
#define FORM_CONSISTENT_NEAR (4 * DBL_EPSILON)
/* Scaled residual that counts as solved: round-off with room for models whose functions cancel. */
#define FORM_CONSISTENT_SOLVED 1e-12
/* A kept Jacobian must gain one digit an iteration. */
#define FORM_CONSISTENT_CONTRACTION 0.1
/* Steps of different length share a Jacobian up to this relative difference. */
#define FORM_CONSISTENT_SAME_DT 1e-3
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
  if (m->ops->potential != NULL && m->ops->consistent.discrete_potential == NULL) {
    size += o->dt * (fabs(m->ops->potential(m, o->qB)) + fabs(m->ops->potential(m, o->qE)));
  }
  for (int i = 0; i < ns && m->ops->consistent.discrete_bilateral == NULL; ++i) {
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
static double measure(const struct form_consistent_equations *o, const double *x, const double *R) {
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
  return isfinite(worst) ? worst : INFINITY;
}

/* Contact residual over the speeds in it and the speeds whose rounding gets there: a noise p of the
 * momentum moves v by up to |W| |p| in the kinetic metric, and with bilateral constraints q^E is
 * fixed by g_S to machine precision of q only. */
static double measure_contacts(const struct form_consistent_equations *o, const double *x,
                               const double *A, const double *b, const double *lambda,
                               const double *v) {
  if (o->nk == 0) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const struct contact_model model = form_consistent_model(o->c);
  double *diag = base_arena_matrix(o->arena, model.dim * model.dim, model.nc);
  form_consistent_diagonal(o->c, A, diag);
  const struct contact_residual r = contact_residual(&model, diag, lambda, v, b);
  const double noise = noise_norm(o, x), q = o->ns > 0 ? la_norm_inf(o->nq, o->qE) : 0;
  double resolved = 0;
  for (int k = 0; k < o->nk; ++k) {
    double sum = 0;
    for (int j = 0; j < o->nq; ++j) {
      sum += fabs(o->W[(long)k * o->nq + j]);
    }
    resolved = fmax(resolved, sum * q / o->dt + sqrt(fabs(A[(long)k * o->nk + k])) * noise);
  }
  base_arena_release(o->arena, mark);
  if (r.absolute == 0) {
    return 0;
  }
  return r.absolute / (r.absolute / r.relative_max + resolved);
}

/* --- Newton's method --- */

struct newton {
  double *x, *lambda, *best_x, *best_lambda; /* nx, nk */
  double *R, *z, *Y;                         /* nx, nx, nx x nk */
  double *A, *b, *v;                         /* nk x nk, nk, nk: contact problem and W^T dq / dt */
  double best;
};

static struct newton *newton_alloc(const struct form_consistent_equations *o) {
  struct base_arena *arena = o->arena;
  struct newton *w = base_arena_push(arena, sizeof *w);
  w->x = base_arena_doubles(arena, o->nx);
  w->best_x = base_arena_doubles(arena, o->nx);
  w->lambda = base_arena_doubles(arena, o->nk);
  w->best_lambda = base_arena_doubles(arena, o->nk);
  w->R = base_arena_doubles(arena, o->nx);
  w->z = base_arena_doubles(arena, o->nx);
  w->Y = base_arena_matrix(arena, o->nx, o->nk);
  w->A = base_arena_matrix(arena, o->nk, o->nk);
  w->b = base_arena_doubles(arena, o->nk);
  w->v = base_arena_doubles(arena, o->nk);
  w->best = INFINITY;
  return w;
}

/* z, Y and the contact problem at x. */
static void linearise(const struct form_consistent_equations *o, struct newton *w) {
  const struct form_consistent *c = o->c;
  const int nx = o->nx, nk = o->nk, nq = o->nq;
  la_copy(nx, w->R, w->z);
  la_lu_solve(nx, 1, c->LU, c->piv, w->z);
  if (nk == 0) {
    return;
  }
  for (int k = 0; k < nk; ++k) {
    for (int j = 0; j < nx; ++j) {
      w->Y[(long)k * nx + j] = j < nq ? o->W[(long)k * nq + j] : 0;
    }
  }
  la_lu_solve(nx, nk, c->LU, c->piv, w->Y);
  for (int k = 0; k < nk; ++k) {
    const double *Wk = o->W + (long)k * nq;
    for (int l = 0; l < nk; ++l) {
      w->A[(long)l * nk + k] = la_dot(nq, Wk, w->Y + (long)l * nx) / o->dt;
    }
    w->v[k] = la_dot(nq, Wk, w->x) / o->dt;
    w->b[k] = w->v[k] - la_dot(nq, Wk, w->z) / o->dt;
  }
  la_gemv(nk, nk, -1, w->A, w->lambda, 1, w->b);
}

static int advance(const struct form_consistent_equations *o, struct newton *w, int first,
                   struct form_report *report) {
  const int nx = o->nx, nk = o->nk;
  int status = BASE_OK;
  la_axpy(nx, -1, w->z, w->x);
  if (nk > 0) {
    const struct base_arena_mark mark = base_arena_mark(o->arena);
    double *change = base_arena_doubles(o->arena, nk), *v = base_arena_doubles(o->arena, nk);
    la_axpy(nk, -1, w->lambda, change);
    const int guess = !first || o->c->setup.warm_start;
    status = form_consistent_include(o->c, guess, w->A, w->b, w->lambda, v, report);
    la_axpy(nk, 1, w->lambda, change);
    la_gemv(nx, nk, 1, w->Y, change, 1, w->x);
    base_arena_release(o->arena, mark);
  }
  return status;
}

/* To round-off, from w->x; the best point goes to w->best_x. BASE_OK, BASE_UNCONVERGED (from
 * contacts), BASE_FAILED. */
static int iterate(struct form_consistent_equations *o, struct newton *w,
                   struct form_report *report) {
  double last = INFINITY;
  int idle = 0, status = BASE_OK;
  const int stale = fabs(o->c->LU_dt - o->dt) > FORM_CONSISTENT_SAME_DT * o->dt;
  if (stale && form_consistent_renew(o, w->x, w->lambda) != BASE_OK) {
    return BASE_FAILED;
  }
  for (int k = 0; k < FORM_CONSISTENT_ITERATIONS; ++k) {
    form_consistent_evaluate(o, w->x, w->lambda, w->R);
    double now = measure(o, w->x, w->R);
    if (!isfinite(now)) {
      break;
    }
    const int slow = k > 1 && now > FORM_CONSISTENT_CONTRACTION * last;
    if (slow && now > FORM_CONSISTENT_NEAR) {
      if (form_consistent_renew(o, w->x, w->lambda) != BASE_OK) {
        return BASE_FAILED;
      }
      form_consistent_evaluate(o, w->x, w->lambda, w->R);
    }
    linearise(o, w);
    now = fmax(now, measure_contacts(o, w->x, w->A, w->b, w->lambda, w->v));
    idle = slow && now > 0.5 * w->best ? idle + 1 : 0;
    if (now < w->best) {
      w->best = now;
      la_copy(o->nx, w->x, w->best_x);
      la_copy(o->nk, w->lambda, w->best_lambda);
    }
    const int patience =
        w->best <= FORM_CONSISTENT_NEAR ? FORM_CONSISTENT_IDLE : FORM_CONSISTENT_STUCK;
    if (w->best <= FORM_CONSISTENT_ROUNDOFF || idle >= patience) {
      break;
    }
    last = now;
    status = base_clock_check(o->c->setup.loop.deadline);
    status = status != BASE_OK ? status : advance(o, w, k == 0, report);
    if (status != BASE_OK && status != BASE_UNCONVERGED) {
      return status;
    }
  }
  return status;
}

/* --- end of the step --- */

static void count_work(const struct form_consistent_equations *o, const double *x,
                       const double *lambda, struct form_report *report) {
  const int nq = o->nq, dim = o->c->mech->dim;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  for (int k = 0; k < o->nk; ++k) {
    const double work = lambda[k] * la_dot(nq, o->W + (long)k * nq, x) / o->dt;
    if (k % dim == 0) {
      report->work.impact += work;
    } else {
      report->work.friction += work;
    }
  }
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

static int motion_close(struct form_consistent_equations *o, struct newton *w, int status,
                        double *q, double *u, struct form_report *report) {
  struct form_consistent *c = o->c;
  const int nq = o->nq;
  form_consistent_evaluate(o, w->best_x, w->best_lambda, w->R);
  la_copy(o->nx, w->best_x, w->x);
  la_copy(o->nk, w->best_lambda, w->lambda);
  linearise(o, w); /* the contact problem at the solution, to be graded */
  count_work(o, w->x, w->lambda, report);
  report->newton = fmax(report->newton, w->best);
  if (!(w->best <= FORM_CONSISTENT_SOLVED)) {
    status = BASE_UNCONVERGED;
  }
  report->unconverged += status == BASE_UNCONVERGED; /* with or without contacts */
  if (o->nk > 0) {
    form_consistent_grade(c, w->A, w->b, w->lambda, w->v, report);
    ++report->solves;
    la_copy(o->nk, w->lambda, c->motion);
  }
  for (int i = 0; i < o->ns; ++i) {
    c->force_S[i] = w->x[2 * nq + i] / o->dt;
  }
  la_copy(nq, o->qE, q);
  la_copy(nq, w->x + nq, u);
  return status;
}

int form_consistent_motion(struct form_consistent *c, double t, double dt, double *q, double *u,
                           struct form_report *report) {
  struct base_arena *arena = c->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct form_consistent_equations o = {.c = c, .dt = dt, .qB = q, .uC = u, .arena = arena};
  o.nq = c->nq;
  o.ns = c->ns;
  o.nr = c->nr;
  o.nx = c->unknowns;
  o.nk = c->mech->dim * c->closed.n;
  int status = form_consistent_prepare(&o, t);
  if (status != BASE_OK) {
    base_arena_release(arena, mark);
    return status;
  }
  struct newton *w = newton_alloc(&o);
  mech_qdot(c->mech, q, u, w->x, arena);
  for (int j = 0; j < o.nq; ++j) {
    w->x[j] *= dt;
    w->x[o.nq + j] = u[j];
  }
  for (int i = 0; i < o.ns; ++i) {
    w->x[2 * o.nq + i] = dt * c->force_S[i];
  }
  la_copy(o.nk, c->motion, w->lambda);
  status = iterate(&o, w, report);
  if (status == BASE_OK || status == BASE_UNCONVERGED) {
    if (isfinite(w->best)) {
      status = motion_close(&o, w, status, q, u, report);
    } else {
      status = base_fail(BASE_FAILED, "Newton's method left the finite numbers");
    }
  }
  base_arena_release(arena, mark);
  return status;
}
