/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motion over a step: R(x, lambda) = 0 (equations.c) together with the contacts,
 *
 *   W^T us + Delta/2 W^T P lambda in N_C(-lambda),   delta_i = (1 - eps_i)/(1 + eps_i)
 *
 * (moeller 5.95, 5.107, 5.158 with Delta = 0; 5.141), with P = M^-1 W, the change of u by contact
 * impulses, taken with the bilateral constraints kept, and with C the half line, the disk, or
 * friction sets of the system's own (the inclusion over two). With W from the discrete derivative
 * closed gaps do not shrink where Delta is zero (5.103, 5.144).
 *
 * Newton's method (newton.h) with the matrix of matrix.c: how far from solved, and what the step
 * did. The work of contacts, damping and applied forces follows from us^T R1 = 0 (equations.c).
 */
#include "form/consistent/equations.h"

#include "base/status.h"
#include "form/consistent/newton.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

/* --- how far from solved --- */

/* R3 and R4 over their terms. */
static double measure_constraints(const struct form_consistent_equations *o, const double *x,
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
  }
  if (o->nr > 0) {
    la_blocks_size(&o->WSE, scale + o->nq, rate);
  }
  for (int i = 0; i < o->ns; ++i) {
    worst = R3[i] == 0 ? worst : fmax(worst, fabs(R3[i]) / position[i]);
  }
  for (int i = 0; i < o->nr; ++i) {
    worst = R3[o->ns + i] == 0 ? worst : fmax(worst, fabs(R3[o->ns + i]) / rate[i]);
  }
  base_arena_release(o->arena, mark);
  return worst;
}

/* way: F.n += the way of each body over the step that rounding matters of: of the velocities at
 * both ends, though their mean vanishes, and of those that the terms of its momentum balance make,
 * scale: F.n [sqrt(J)]: a resting body has no way of its own to measure R2 by. */
static void add_ways(const struct form_consistent_equations *o, const double *x,
                     const double *scale, double *way) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const struct la_blocks *M = &o->c->mass;
  double *speed = base_arena_doubles(o->arena, o->nu), *sum = base_arena_doubles(o->arena, o->nq);
  for (int j = 0; j < o->nu; ++j) {
    const double mass = la_blocks_at(M, j / M->rows)[(long)(j % M->rows) * (M->rows + 1)];
    speed[j] = 0.5 * (fabs(o->uC[j]) + fabs(x[o->nq + j])) + scale[j / o->F.cols] / sqrt(mass);
  }
  la_blocks_size(&o->F, speed, sum);
  for (int i = 0; i < o->nq; ++i) {
    double *own = &way[i / o->F.rows];
    *own = fmax(*own, fabs(x[i]) + o->dt * sum[i]);
  }
  base_arena_release(o->arena, mark);
}

/* Sizes of the joints' own forces, which along a chain of them cancel but for what accelerates a
 * body: rounding is that of each. */
static void add_joint_forces(const struct form_consistent_equations *o, const double *x,
                             double *size) {
  if (o->ns == 0) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *f = base_arena_doubles(o->arena, o->nq), *p = base_arena_doubles(o->arena, o->nu);
  la_blocks_size_t(&o->DgS, x + o->nq + o->nu, f);
  la_blocks_size_t(&o->F, f, p);
  form_consistent_add_sizes(o, 1, p, size);
  base_arena_release(o->arena, mark);
}

/* What rounding makes of R1: that of q^E by the slope, and that of a potential and of constraints
 * without discrete derivatives of their own over |dq| (5.19). */
static void put_noise(struct form_consistent_equations *o, const double *x) {
  const struct mech *m = o->c->mech;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *p = base_arena_doubles(o->arena, o->nu), *terms = base_arena_doubles(o->arena, o->ns);
  memset(o->noise, 0, (size_t)o->F.n * sizeof *o->noise);
  la_blocks_size(&o->c->slope, o->qE, p);
  form_consistent_add_sizes(o, 1, p, o->noise);
  const double square = la_dot(o->nq, x, x);
  double size = 0;
  if (m->ops->potential != NULL && m->ops->consistent.discrete_potential == NULL) {
    size += o->dt * (fabs(m->ops->potential(m, o->qB)) + fabs(m->ops->potential(m, o->qE)));
  }
  if (o->ns > 0 && m->ops->consistent.discrete_bilateral == NULL) {
    la_blocks_size(&o->DgS, o->qE, terms);
  }
  for (int i = 0; i < o->ns; ++i) {
    size += fabs(x[o->nq + o->nu + i]) * terms[i];
  }
  if (square > 0 && size > 0) {
    memset(p, 0, (size_t)o->nu * sizeof *p);
    la_blocks_apply_t(&o->F, 1, x, p);
    form_consistent_add_sizes(o, size / square, p, o->noise);
  }
  base_arena_release(o->arena, mark);
}

/* Sizes of the momentum of u: nu. */
static void add_momentum(const struct form_consistent_equations *o, const double *u, double *size) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *p = base_arena_doubles(o->arena, o->nu);
  la_blocks_apply(&o->c->mass, 1, u, p);
  form_consistent_add_sizes(o, 1, p, size);
  base_arena_release(o->arena, mark);
}

/* Largest of the residuals: of R1, in the kinetic metric, and of R2 over their terms, body by body,
 * and of the constraints; evaluated last at x. */
static double norm(void *of, const double *x, const double *R) {
  struct form_consistent_equations *o = of;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const int n = o->F.n, rows = o->F.rows;
  double *scale = base_arena_doubles(o->arena, n), *first = base_arena_doubles(o->arena, n);
  double *way = base_arena_doubles(o->arena, n), worst = 0;
  put_noise(o, x);
  la_axpy(n, 1, o->force_scale, scale);
  la_axpy(n, 1, o->noise, scale);
  add_joint_forces(o, x, scale);
  add_momentum(o, x + o->nq, scale);
  add_momentum(o, o->uC, scale);
  form_consistent_add_sizes(o, 1, R, first);
  add_ways(o, x, scale, way);
  for (int b = 0; b < n; ++b) {
    const double second = la_norm_inf(rows, R + o->nu + (long)b * rows);
    worst = first[b] == 0 ? worst : fmax(worst, first[b] / scale[b]);
    worst = second == 0
                ? worst
                : fmax(worst, second / (la_norm_inf(rows, o->way + (long)b * rows) + way[b]));
    if (!isfinite(first[b] + second)) {
      worst = INFINITY;
    }
  }
  worst = fmax(worst, measure_constraints(o, x, R + o->nu + o->nq));
  base_arena_release(o->arena, mark);
  return worst;
}

/* --- the system of Newton's method --- */

/* S = Delta/2 W^T P, P = M^-1 W with the bilateral constraints kept. */
static void put_inelastic(struct form_consistent_equations *o) {
  const struct form_consistent *c = o->c;
  const int nk = o->nk, nu = o->nu;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *P = base_arena_matrix(o->arena, nu, nk), *none = base_arena_doubles(o->arena, nu);
  la_copy((long)nu * nk, o->W, P);
  mech_mass_solve(c->mech, c->L, nk, P);
  form_consistent_eliminate(c, nk, P, none);
  for (int l = 0; l < nk; ++l) {
    for (int k = 0; k < nk; ++k) {
      o->S[(long)l * nk + k] =
          0.5 * o->delta[k] * la_dot(nu, o->W + (long)k * nu, P + (long)l * nu);
    }
  }
  o->has_S = 1;
  base_arena_release(o->arena, mark);
}

static int evaluate(void *of, const double *x, const double *lambda, double *R, double *rate) {
  struct form_consistent_equations *o = of;
  form_consistent_evaluate(o, x, lambda, R);
  for (int k = 0; k < o->nk; ++k) {
    rate[k] = la_dot(o->nu, o->W + (long)k * o->nu, o->us);
  }
  if (o->S != NULL && (o->c->scheme.discrete_gap || !o->has_S)) {
    put_inelastic(o);
  }
  return BASE_OK;
}

static int matrix(void *of, const double *x, const double *lambda) {
  return form_consistent_renew(of, x, lambda);
}

static int solve_newton(void *of, int n, double *X) {
  const struct form_consistent_equations *o = of;
  for (int k = 0; k < n * (o->ns > 0); ++k) {
    for (int i = 0; i < o->ns + o->nr; ++i) { /* looked at by the norm, not solved */
      double *row = X + (long)k * o->nx + o->nu + o->nq + i;
      *row = o->c->left_out[i % o->ns] ? 0 : *row;
    }
  }
  la_system_solve(o->c->system, n, X, o->arena);
  return BASE_OK;
}

/* W^T dus: how us changes with x. */
static void contact_rate(const void *of, const double *dx, double *dv) {
  const struct form_consistent_equations *o = of;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *change = base_arena_doubles(o->arena, o->nu);
  for (int j = 0; j < o->nu; ++j) {
    change[j] = 0.5 * dx[o->nq + j];
  }
  la_blocks_apply_t(&o->MWS, -1 / o->dt, dx + o->nq + o->nu + o->ns, change);
  for (int k = 0; k < o->nk; ++k) {
    dv[k] = la_dot(o->nu, o->W + (long)k * o->nu, change);
  }
  base_arena_release(o->arena, mark);
}

/* The terms of W^T um, what a noise of the momentum makes of v by way of what unit impulses change
 * of u, and with bilateral constraints, which fix q^E to machine precision of q only, that over the
 * step. Discrete normals make W^T us the change of the gap over dt: what rounding of q makes of
 * that is none. */
static double resolution(const void *of, const double *x, const double *Y, double *floor) {
  const struct form_consistent_equations *o = of;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double terms = 0, *response = base_arena_doubles(o->arena, o->F.n);
  const double rounded = la_norm_inf(o->nq, o->qE) / o->dt, fixed = o->ns > 0 ? rounded : 0;
  *floor = 0;
  for (int k = 0; k < o->nk; ++k) {
    double sum = 0, slopes = 0;
    for (int j = 0; j < o->nu; ++j) {
      const double slope = fabs(o->W[(long)k * o->nu + j]);
      sum += slope * (fabs(o->uC[j]) + fabs(x[o->nq + j]) + fixed);
      slopes += slope;
    }
    memset(response, 0, (size_t)o->F.n * sizeof *response);
    add_momentum(o, Y + (long)k * o->nx + o->nq, response);
    terms = fmax(terms, sum + 0.5 * la_dot(o->F.n, response, o->noise));
    *floor = fmax(*floor, o->c->scheme.discrete_gap ? FORM_CONSISTENT_NEAR * slopes * rounded : 0);
  }
  base_arena_release(o->arena, mark);
  return terms;
}

static const struct form_consistent_system motion = {.evaluate = evaluate,
                                                     .matrix = matrix,
                                                     .solve = solve_newton,
                                                     .norm = norm,
                                                     .rate = contact_rate,
                                                     .resolution = resolution};

/* --- a step --- */

/* Work of damping and applied forces. */
static void count_work(const struct form_consistent_equations *o, const double *x,
                       struct form_report *report) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  if (o->D.n > 0) {
    double *p = base_arena_doubles(o->arena, o->nq);
    la_blocks_apply(&o->D, 1, x, p);
    report->work.damping -= la_dot(o->nq, p, x) / o->dt;
  }
  if (o->applied != NULL) {
    report->work.applied += la_dot(o->nu, o->applied, o->us);
  }
  base_arena_release(o->arena, mark);
}

int form_consistent_motion(struct form_consistent *c, double t, double dt, double *q, double *u,
                           int inelastic, struct form_report *report) {
  struct base_arena *arena = c->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct form_consistent_equations *o = form_consistent_prepare(c, t, dt, q, u, inelastic);
  c->is_placed = 0;
  if (o == NULL) {
    base_arena_release(arena, mark);
    return BASE_FAILED;
  }
  report->eliminates = c->ns > 0;
  report->dependent = c->bilateral->dependent;
  struct form_consistent_newton w = {.system = &motion,
                                     .of = o,
                                     .c = c,
                                     .stop = form_consistent_stop_motion,
                                     .nx = o->nx,
                                     .nk = o->nk,
                                     .rows = o->nu,
                                     .W = o->W,
                                     .S = o->S,
                                     .arena = arena};
  form_consistent_newton_alloc(&w);
  const int status = form_consistent_newton_move(&w, dt, q, u, report);
  if (status == BASE_OK || status == BASE_UNCONVERGED) {
    count_work(o, w.x, report);
  }
  base_arena_release(arena, mark);
  return status;
}
