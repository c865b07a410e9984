/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motion over a step with qdot = F(q) u (moeller 5.141, 5.158): the equations of
 * rigid_equations.c together with the contacts,
 *
 *   xi = W^T us + Delta/2 W^T P lambda in N_C(-lambda),   delta_i = (1 - eps_i)/(1 + eps_i)
 *
 * with P = M^-1 W, the change of u by contact impulses, taken with the bilateral constraints kept,
 * with C the half line, the disk, or friction sets of the system's own (the inclusion over two;
 * Delta = 0 in 5.158). With W from the discrete derivative closed gaps do not shrink where Delta is
 * zero (5.144).
 *
 * Newton's method to round-off, each iteration with the exact contact inclusion, as in
 * motion.c: with z = J^-1 R and Y = J^-1 [W; 0; 0; 0], x = x_k - z + Y (lambda -
 * lambda_k). J (rigid_matrix.c) is kept while it contracts. The work of a contact
 * impulse is lambda^T W^T us, exactly.
 */
#include "form/consistent/rigid_equations.h"

#include "base/clock.h"
#include "base/status.h"
#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  FORM_RIGID_ITERATIONS = 50, /* a step that needs more has a Jacobian that does not help */
  FORM_RIGID_IDLE = 2,        /* iterations near round-off without progress, then stop */
  FORM_RIGID_STUCK = 4        /* the same elsewhere, each with a new Jacobian */
};
/* Scaled residual below which rounding moves it about, and one that counts as solved. */
#define FORM_RIGID_NEAR (4 * DBL_EPSILON)
#define FORM_RIGID_SOLVED 1e-12
/* Slow progress above this is the matrix's doing, below it that of rounding, which is the larger
 * the more bodies there are. */
#define FORM_RIGID_RENEW (64 * DBL_EPSILON)
/* A kept Jacobian must gain one digit an iteration. */
#define FORM_RIGID_CONTRACTION 0.1
/* Steps of different length share a Jacobian up to this relative difference. */
#define FORM_RIGID_SAME_DT 1e-3

int form_consistent_rigid_check(const struct form_setup *setup) {
  const struct mech *m = setup->mech;
  const struct mech_ops *ops = m->ops;
  if (form_consistent_refuse(setup) != BASE_OK) {
    return BASE_UNSUPPORTED;
  }
  if (!m->constant_mass) {
    return base_fail(BASE_UNSUPPORTED, "needs a constant mass matrix (moeller 5.131)");
  }
  if (ops->kinematics != NULL && ops->consistent.velocity_gyro == NULL) {
    return base_fail(BASE_UNSUPPORTED,
                     "needs gyroscopic forces as a matrix of the velocities, -H(u) u (moeller "
                     "5.132)");
  }
  if (ops->damping != NULL && ops->consistent.damping_matrix == NULL) {
    return base_fail(BASE_UNSUPPORTED,
                     "needs damping forces as a matrix, f_q = -D qdot (moeller 5.123)");
  }
  return BASE_OK;
}

/* --- how far from solved --- */

/* R3 and R4 over their terms. */
static double measure_constraints(const struct form_consistent_rigid *o, const double *x,
                                  const double *R3) {
  const double q = la_norm_inf(o->nq, o->qE);
  const double speed = fmax(la_norm_inf(o->nu, x + o->nq), la_norm_inf(o->nu, o->uC));
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *position = base_arena_doubles(o->arena, o->ns),
         *rate = base_arena_doubles(o->arena, o->ns);
  double *scale = base_arena_doubles(o->arena, o->nq + o->nu);
  double worst = 0;
  for (int j = 0; j < o->nq + o->nu; ++j) {
    scale[j] = j < o->nq ? q : speed;
  }
  if (o->ns > 0) {
    la_blocks_size(&o->DgS, scale, position);
    la_blocks_size(&o->WSE, scale + o->nq, rate);
  }
  for (int i = 0; i < o->ns; ++i) {
    worst = R3[i] == 0 ? worst : fmax(worst, fabs(R3[i]) / position[i]);
    worst = R3[o->ns + i] == 0 ? worst : fmax(worst, fabs(R3[o->ns + i]) / rate[i]);
  }
  base_arena_release(o->arena, mark);
  return worst;
}

/* The way over the step that rounding matters of: of the velocities at both ends, though their mean
 * vanishes, and of those that the terms of the momentum balance make, scale [sqrt(J)]: a resting
 * body has no way of its own to measure R2 by. */
static double way_of_rounding(const struct form_consistent_rigid *o, const double *x,
                              double scale) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const struct la_blocks *M = &o->c->mass;
  double *speed = base_arena_doubles(o->arena, o->nu), *sum = base_arena_doubles(o->arena, o->nq);
  double way = 0;
  for (int j = 0; j < o->nu; ++j) {
    const double mass = la_blocks_at(M, j / M->rows)[(long)(j % M->rows) * (M->rows + 1)];
    speed[j] = 0.5 * (fabs(o->uC[j]) + fabs(x[o->nq + j])) + scale / sqrt(mass);
  }
  la_blocks_size(&o->F, speed, sum);
  for (int i = 0; i < o->nq; ++i) {
    way = fmax(way, fabs(x[i]) + o->dt * sum[i]);
  }
  base_arena_release(o->arena, mark);
  return way;
}

/* Size of the joints' own forces, which along a chain of them cancel but for what accelerates a
 * body: rounding is that of each. */
static double joint_forces(const struct form_consistent_rigid *o, const double *x) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *f = base_arena_doubles(o->arena, o->nq), *p = base_arena_doubles(o->arena, o->nu);
  if (o->ns > 0) {
    la_blocks_size_t(&o->DgS, x + o->nq + o->nu, f);
    la_blocks_size_t(&o->F, f, p);
  }
  const double size = form_consistent_rigid_norm(o, p);
  base_arena_release(o->arena, mark);
  return size;
}

/* Largest of the residuals: of R1, in the kinetic metric, and of R2 over their terms, and of the
 * constraints; evaluated last at x. Rounding of q^E reaches R1 by its slope, and that of
 * constraints and of a potential without its own discrete derivative over |dq| (5.19). */
static double measure(const struct form_consistent_rigid *o, const double *x, const double *R) {
  const struct mech *m = o->c->mech;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *p = base_arena_doubles(o->arena, o->nu);
  double scale = o->force_scale + joint_forces(o, x), worst = 0;
  la_blocks_apply(&o->c->mass, 1, x + o->nq, p);
  scale += form_consistent_rigid_norm(o, p);
  memset(p, 0, (size_t)o->nu * sizeof *p);
  la_blocks_apply(&o->c->mass, 1, o->uC, p);
  scale += form_consistent_rigid_norm(o, p);
  double *noise = base_arena_doubles(o->arena, o->nu);
  la_blocks_size(&o->c->slope, o->qE, noise);
  scale += form_consistent_rigid_norm(o, noise);
  const double square = la_dot(o->nq, x, x);
  double size = 0;
  if (m->ops->potential != NULL && m->ops->consistent.discrete_potential == NULL) {
    size += o->dt * (fabs(m->ops->potential(m, o->qB)) + fabs(m->ops->potential(m, o->qE)));
  }
  double *terms = base_arena_doubles(o->arena, o->ns);
  if (o->ns > 0) {
    la_blocks_size(&o->DgS, o->qE, terms);
  }
  for (int i = 0; i < o->ns; ++i) {
    size += fabs(x[o->nq + o->nu + i]) * terms[i];
  }
  if (square > 0) {
    memset(p, 0, (size_t)o->nu * sizeof *p);
    la_blocks_apply_t(&o->F, 1, x, p);
    scale += form_consistent_rigid_norm(o, p) / square * size;
  }
  const double first = form_consistent_rigid_norm(o, R), second = la_norm_inf(o->nq, R + o->nu);
  if (first > 0) {
    worst = first / scale;
  }
  if (second > 0) {
    worst = fmax(worst, second / (la_norm_inf(o->nq, o->way) + way_of_rounding(o, x, scale)));
  }
  worst = fmax(worst, measure_constraints(o, x, R + o->nu + o->nq));
  base_arena_release(o->arena, mark);
  return isfinite(worst) ? worst : INFINITY;
}

/* Contact residual over the speeds in it: those it is compared with, the terms of W^T um, and with
 * bilateral constraints, which fix q^E to machine precision of q only, that over the step. Discrete
 * normals make W^T us the change of the gap over dt: what rounding of q makes of that is none. */
static double measure_contacts(const struct form_consistent_rigid *o) {
  if (o->nk == 0) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const struct contact_model model = form_consistent_model(o->c);
  double *diag = base_arena_matrix(o->arena, model.dim * model.dim, model.nc);
  double terms = 0, noise = 0;
  const double rounded = la_norm_inf(o->nq, o->qE) / o->dt, fixed = o->ns > 0 ? rounded : 0;
  form_consistent_diagonal(o->c, o->A, diag);
  const struct contact_residual r = contact_residual(&model, diag, o->lambda, o->v, o->b);
  for (int k = 0; k < o->nk; ++k) {
    double sum = 0, slopes = 0;
    for (int j = 0; j < o->nu; ++j) {
      const double slope = fabs(o->W[(long)k * o->nu + j]);
      sum += slope * (fabs(o->uC[j]) + fabs(o->x[o->nq + j]) + fixed);
      slopes += slope;
    }
    terms = fmax(terms, sum);
    noise = fmax(noise, o->c->scheme.discrete_gap ? FORM_RIGID_NEAR * slopes * rounded : 0);
  }
  base_arena_release(o->arena, mark);
  return r.absolute <= noise ? 0 : r.absolute / (r.absolute / r.relative_max + terms);
}

/* --- Newton's method --- */

/* How us changes with x: change: nu; dx: nx. */
static void velocity_along(const struct form_consistent_rigid *o, const double *dx,
                           double *change) {
  for (int j = 0; j < o->nu; ++j) {
    change[j] = 0.5 * dx[o->nq + j];
  }
  la_blocks_apply_t(&o->MWS, -1 / o->dt, dx + o->nq + o->nu + o->ns, change);
}

/* Y and A, which stay while W and the matrix do. */
static int respond(struct form_consistent_rigid *o) {
  const struct form_consistent *c = o->c;
  const int nx = o->nx, nk = o->nk, nu = o->nu;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *change = base_arena_doubles(o->arena, nu);
  for (int k = 0; k < nk; ++k) {
    for (int j = 0; j < nx; ++j) {
      o->Y[(long)k * nx + j] = j < nu ? o->W[(long)k * nu + j] : 0;
    }
  }
  la_system_solve(c->system, nk, o->Y, o->arena);
  la_copy(nu * nk, o->W, o->PW);
  mech_mass_solve(c->mech, c->L, nk, o->PW);
  if (o->delta != NULL) {
    double *none = base_arena_doubles(o->arena, nu);
    if (form_consistent_eliminate(o->c, o->qB, nk, o->PW, none) != BASE_OK) {
      base_arena_release(o->arena, mark);
      return BASE_FAILED;
    }
  }
  for (int l = 0; l < nk; ++l) {
    velocity_along(o, o->Y + (long)l * nx, change);
    for (int k = 0; k < nk; ++k) {
      const double *Wk = o->W + (long)k * nu, *PWl = o->PW + (long)l * nu;
      o->S[(long)l * nk + k] = o->delta != NULL ? 0.5 * o->delta[k] * la_dot(nu, Wk, PWl) : 0;
      o->A[(long)l * nk + k] = la_dot(nu, Wk, change) + o->S[(long)l * nk + k];
    }
  }
  o->has_response = !c->scheme.discrete_gap;
  base_arena_release(o->arena, mark);
  return BASE_OK;
}

/* z, Y and the contact problem at x. */
static int linearise(struct form_consistent_rigid *o) {
  const int nk = o->nk, nu = o->nu;
  la_copy(o->nx, o->R, o->z);
  la_system_solve(o->c->system, 1, o->z, o->arena);
  if (nk == 0) {
    return BASE_OK;
  }
  if (!o->has_response && respond(o) != BASE_OK) {
    return BASE_FAILED;
  }
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *change = base_arena_doubles(o->arena, nu);
  velocity_along(o, o->z, change);
  la_gemv(nk, nk, 1, o->S, o->lambda, 0, o->v);
  for (int k = 0; k < nk; ++k) {
    const double *Wk = o->W + (long)k * nu;
    o->v[k] += la_dot(nu, Wk, o->us);
    o->b[k] = o->v[k] - la_dot(nu, Wk, change);
  }
  la_gemv(nk, nk, -1, o->A, o->lambda, 1, o->b);
  base_arena_release(o->arena, mark);
  return BASE_OK;
}

static int advance(struct form_consistent_rigid *o, int first, struct form_report *report) {
  int status = BASE_OK;
  la_axpy(o->nx, -1, o->z, o->x);
  if (o->nk > 0) {
    const struct base_arena_mark mark = base_arena_mark(o->arena);
    double *change = base_arena_doubles(o->arena, o->nk), *v = base_arena_doubles(o->arena, o->nk);
    la_axpy(o->nk, -1, o->lambda, change);
    const int guess = !first || o->c->setup.warm_start;
    status = form_consistent_include(o->c, guess, o->A, o->b, o->lambda, v, report);
    la_axpy(o->nk, 1, o->lambda, change);
    la_gemv(o->nx, o->nk, 1, o->Y, change, 1, o->x);
    base_arena_release(o->arena, mark);
  }
  return status;
}

/* To round-off, from x; the best point goes to best_x. */
static int iterate(struct form_consistent_rigid *o, struct form_report *report) {
  double last = INFINITY;
  int idle = 0, status = BASE_OK;
  o->best = INFINITY;
  for (int k = 0; k < FORM_RIGID_ITERATIONS; ++k) {
    form_consistent_rigid_evaluate(o, o->x, o->lambda, o->R);
    double now = measure(o, o->x, o->R);
    if (!isfinite(now)) {
      break;
    }
    const int slow = k > 1 && now > FORM_RIGID_CONTRACTION * last;
    const int stale = k == 0 && fabs(o->c->LU_dt - o->dt) > FORM_RIGID_SAME_DT * o->dt;
    if ((stale || (slow && now > FORM_RIGID_RENEW)) && form_consistent_rigid_renew(o) != BASE_OK) {
      return BASE_FAILED;
    }
    if (linearise(o) != BASE_OK) {
      return BASE_FAILED;
    }
    now = fmax(now, measure_contacts(o));
    idle = k > 1 && now > 0.5 * o->best ? idle + 1 : 0;
    if (now < o->best) {
      o->best = now;
      la_copy(o->nx, o->x, o->best_x);
      la_copy(o->nk, o->lambda, o->best_lambda);
    }
    const int patience = o->best <= FORM_RIGID_NEAR ? FORM_RIGID_IDLE : FORM_RIGID_STUCK;
    if (o->best == 0 || idle >= patience) {
      break;
    }
    last = now;
    status = base_clock_check(o->c->setup.loop.deadline);
    status = status != BASE_OK ? status : advance(o, k == 0, report);
    if (status != BASE_OK && status != BASE_UNCONVERGED) {
      return status;
    }
  }
  return status;
}

/* --- a step --- */

static void count_work(const struct form_consistent_rigid *o, struct form_report *report) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const int dim = o->c->mech->dim;
  for (int k = 0; k < o->nk; ++k) {
    const double work = o->lambda[k] * la_dot(o->nu, o->W + (long)k * o->nu, o->us);
    if (k % dim == 0) {
      report->work.impact += work;
    } else {
      report->work.friction += work;
    }
  }
  if (o->has_damping) {
    double *p = base_arena_doubles(o->arena, o->nq);
    la_blocks_apply(&o->D, 1, o->x, p);
    report->work.damping -= la_dot(o->nq, p, o->x) / o->dt;
  }
  if (o->push != NULL) {
    report->work.applied += la_dot(o->nu, o->push, o->us);
  }
  base_arena_release(o->arena, mark);
}

static int finish(struct form_consistent_rigid *o, int status, double *q, double *u,
                  struct form_report *report) {
  struct form_consistent *c = o->c;
  la_copy(o->nx, o->best_x, o->x);
  la_copy(o->nk, o->best_lambda, o->lambda);
  form_consistent_rigid_evaluate(o, o->x, o->lambda, o->R);
  if (linearise(o) != BASE_OK) { /* the contact problem at the solution, to be graded */
    return BASE_FAILED;
  }
  count_work(o, report);
  report->newton = fmax(report->newton, o->best);
  if (!(o->best <= FORM_RIGID_SOLVED)) {
    status = BASE_UNCONVERGED;
  }
  report->unconverged += status == BASE_UNCONVERGED;
  if (o->nk > 0) {
    form_consistent_grade(c, o->A, o->b, o->lambda, o->v, report);
    ++report->solves;
    la_copy(o->nk, o->lambda, c->motion);
  }
  for (int i = 0; i < o->ns; ++i) {
    c->force_S[i] = o->x[o->nq + o->nu + i] / o->dt;
  }
  la_copy(o->nq, o->qE, q);
  la_copy(o->nu, o->x + o->nq, u);
  return status;
}

int form_consistent_rigid_motion(struct form_consistent *c, double t, double dt, double *q,
                                 double *u, int inelastic, struct form_report *report) {
  struct base_arena *arena = c->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct form_consistent_rigid *o = form_consistent_rigid_prepare(c, t, dt, q, u, inelastic);
  mech_qdot(c->mech, q, u, o->x, arena);
  for (int j = 0; j < o->nq; ++j) {
    o->x[j] *= dt;
  }
  la_copy(o->nu, u, o->x + o->nq);
  for (int i = 0; i < o->ns; ++i) {
    o->x[o->nq + o->nu + i] = dt * c->force_S[i];
  }
  la_copy(o->nk, c->motion, o->lambda);
  int status = iterate(o, report);
  if (status == BASE_OK || status == BASE_UNCONVERGED) {
    if (isfinite(o->best)) {
      status = finish(o, status, q, u, report);
    } else {
      status = base_fail(BASE_FAILED, "Newton's method left the finite numbers");
    }
  }
  base_arena_release(arena, mark);
  return status;
}
