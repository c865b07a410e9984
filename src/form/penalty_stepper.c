/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Integration of the penalty flow: the classical Runge-Kutta method of order four with the step
 * given, or one of GSL's adaptive methods, explicit (rkf45, rk8pd) or implicit (rk4imp, bsimp,
 * msbdf), under control of the error a step.
 *
 * RK4 is written out: GSL's rk4 takes every step twice, whole and in halves, for an error estimate
 * that a fixed step has no use for. It is stable for w dt < 2.785 for real rates w (an overdamped
 * contact: about 2 zeta sqrt(K/m)) and w dt < 2.83 for undamped oscillations (sqrt(K/m)); beyond,
 * the run diverges and is reported so.
 *
 * The implicit methods take a Jacobian by forward differences with increments sqrt(DBL_EPSILON)
 * times the larger of the entry and the system's scale (length, speed, their quotient for time);
 * the set of contacts is held, so that the jump of the damping force at the onset of contact is not
 * taken for a slope.
 *
 * The control of the error a step does not see what begins after the last stage of a step, and can
 * be fooled by stages on both sides of a jump. A step in which contacts or their forces begin or
 * end, at its end or at a stage, is therefore repeated, shorter, until the change of acceleration
 * and power over it changes velocities and works by no more than rtol of their scales.
 *
 * At the jump the step an adaptive method asks for can fall below what the time can resolve. It is
 * then crossed by one RK4 step of SHORTEST nominal steps.
 */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "form/penalty.h"
#include "la/dense.h"

/* Of the nominal step: below any step that smooth motion asks for, and short enough that the jump
 * of a force over it changes velocities by no more than 1e-12 of what the force does in a step. */
static const double SHORTEST = 1e-12;
/* A step that runs over the onset or end of a contact is repeated with this part of it. */
static const double SHORTER = 0.25;
/* The present time resolves steps of this many times DBL_EPSILON of it. */
static const double RESOLVED = 8;

/* Where contacts or their forces are others than at the start of the step: note how far
 * accelerations and powers differ from those at the start, in the scales of velocities and works.
 */
static void note_change(struct penalty_stepper *s, const double *dy) {
  const struct mech *m = s->flow->m;
  if (s->flow->frozen || penalty_flow_modes(s->flow) == s->modes) {
    return;
  }
  for (int i = m->nq; i < s->ny; ++i) {
    const double scale = i < m->nq + m->nu ? m->speed : s->scale_work;
    s->change = fmax(s->change, fabs(dy[i] - s->dstart[i]) / scale);
  }
}

static int system_rhs(double t, const double y[], double dydt[], void *params) {
  struct penalty_stepper *s = params;
  if (penalty_flow_evaluate(s->flow, t, y, dydt) != BASE_OK || !la_all_finite(s->ny, dydt)) {
    return GSL_FAILURE; /* a shorter step may do */
  }
  note_change(s, dydt);
  return GSL_SUCCESS;
}

/* dfdy: ny x ny, row-major. */
static int system_jacobian(double t, const double y[], double *dfdy, double dfdt[], void *params) {
  struct penalty_stepper *s = params;
  const struct mech *m = s->flow->m;
  const int ny = s->ny, n = m->nq + m->nu;
  const double small = sqrt(DBL_EPSILON);
  const struct base_arena_mark mark = base_arena_mark(s->flow->arena);
  double *f0 = base_arena_doubles(s->flow->arena, ny), *f1 = base_arena_doubles(s->flow->arena, ny);
  int status = system_rhs(t, y, f0, s);
  penalty_flow_freeze(s->flow);
  memset(dfdy, 0, (size_t)ny * (size_t)ny * sizeof *dfdy);
  la_copy(ny, y, s->trial);
  for (int j = 0; j < n && status == GSL_SUCCESS; ++j) { /* nothing depends on the works */
    const double step = small * fmax(fabs(y[j]), j < m->nq ? m->length : m->speed);
    s->trial[j] = y[j] + step;
    status = system_rhs(t, s->trial, f1, s);
    for (int i = 0; i < ny; ++i) {
      dfdy[(size_t)i * (size_t)ny + (size_t)j] = (f1[i] - f0[i]) / (s->trial[j] - y[j]);
    }
    s->trial[j] = y[j];
  }
  const double later = t + small * fmax(fabs(t), m->length / m->speed);
  if (status == GSL_SUCCESS) {
    status = system_rhs(later, y, f1, s);
  }
  for (int i = 0; i < ny; ++i) {
    dfdt[i] = (f1[i] - f0[i]) / (later - t);
  }
  s->flow->frozen = 0;
  base_arena_release(s->flow->arena, mark);
  return status;
}

static const gsl_odeiv2_step_type *stepper_type(int choice) {
  switch (choice) {
  case PENALTY_RKF45:
    return gsl_odeiv2_step_rkf45;
  case PENALTY_RK8PD:
    return gsl_odeiv2_step_rk8pd;
  case PENALTY_RK4IMP:
    return gsl_odeiv2_step_rk4imp;
  case PENALTY_BSIMP:
    return gsl_odeiv2_step_bsimp;
  default:
    return gsl_odeiv2_step_msbdf;
  }
}

void penalty_stepper_init(struct penalty_stepper *s, struct penalty_flow *flow, double dt,
                          double scale_work, struct base_arena *arena) {
  const struct mech *m = flow->m;
  const struct penalty_options *o = flow->options;
  *s = (struct penalty_stepper){
      .flow = flow, .ny = m->nq + m->nu + PENALTY_WORKS, .dt = dt, .scale_work = scale_work};
  s->y = base_arena_doubles(arena, s->ny);
  s->dy = base_arena_doubles(arena, s->ny);
  s->k = base_arena_doubles(arena, s->ny);
  s->stage = base_arena_doubles(arena, s->ny);
  s->trial = base_arena_doubles(arena, s->ny);
  s->start = base_arena_doubles(arena, s->ny);
  s->dstart = base_arena_doubles(arena, s->ny);
  /* Works are used as differences only. Beginning at their scale keeps them away from zero, where
   * bsimp, which judges a step by its change relative to |y|, finds none short enough. */
  for (int i = m->nq + m->nu; o->stepper == PENALTY_BSIMP && i < s->ny; ++i) {
    s->y[i] = scale_work;
  }
  if (o->stepper == PENALTY_RK4) {
    return;
  }
  double *scale = base_arena_doubles(arena, s->ny);
  for (int i = 0; i < s->ny; ++i) {
    scale[i] = i < m->nq ? m->length : i < m->nq + m->nu ? m->speed : scale_work;
  }
  gsl_set_error_handler_off();
  s->system = (gsl_odeiv2_system){
      .function = system_rhs, .jacobian = system_jacobian, .dimension = (size_t)s->ny, .params = s};
  s->driver = gsl_odeiv2_driver_alloc_scaled_new(&s->system, stepper_type(o->stepper), dt, o->atol,
                                                 o->rtol, 1, 0, scale);
}

void penalty_stepper_free(struct penalty_stepper *s) {
  if (s->driver != NULL) {
    gsl_odeiv2_driver_free(s->driver);
  }
}

void penalty_stepper_reset(struct penalty_stepper *s) {
  s->evaluated = 0;
  if (s->driver != NULL) {
    gsl_odeiv2_driver_reset(s->driver);
  }
}

static int evaluate(struct penalty_stepper *s, double t, const double *y, double *dy) {
  const int status = penalty_flow_evaluate(s->flow, t, y, dy);
  return status != BASE_OK && !la_all_finite(s->ny, y)
             ? base_fail(BASE_DIVERGED, "t = %.9g s: the state is not finite any more", t)
             : status;
}

static int rk4(struct penalty_stepper *s, double dt) {
  static const double at[3] = {0.5, 0.5, 1}, weight[3] = {2. / 6, 2. / 6, 1. / 6};
  int status = s->evaluated ? BASE_OK : evaluate(s, s->t, s->y, s->dy);
  la_copy(s->ny, s->y, s->trial);
  la_axpy(s->ny, dt / 6, s->dy, s->trial);
  la_copy(s->ny, s->dy, s->k);
  for (int i = 0; i < 3 && status == BASE_OK; ++i) {
    la_copy(s->ny, s->y, s->stage);
    la_axpy(s->ny, at[i] * dt, s->k, s->stage);
    status = evaluate(s, s->t + at[i] * dt, s->stage, s->k);
    la_axpy(s->ny, weight[i] * dt, s->k, s->trial);
  }
  la_copy(s->ny, s->trial, s->y);
  return status;
}

static void restart(struct penalty_stepper *s, double t, double h) {
  la_copy(s->ny, s->start, s->y);
  la_copy(s->ny, s->dstart, s->dy);
  s->t = t;
  penalty_stepper_reset(s);
  s->evaluated = 1;
  s->driver->h = h;
}

/* One step of an adaptive method, or the shortest RK4 step where it finds none. */
static int adaptive(struct penalty_stepper *s, double t_end) {
  gsl_odeiv2_driver *d = s->driver;
  const double t0 = s->t, shortest = fmax(SHORTEST * s->dt, RESOLVED * DBL_EPSILON * fabs(t0));
  int status = s->evaluated ? BASE_OK : evaluate(s, t0, s->y, s->dy);
  s->modes = penalty_flow_modes(s->flow);
  la_copy(s->ny, s->y, s->start);
  la_copy(s->ny, s->dy, s->dstart);
  while (status == BASE_OK && d->h >= shortest) {
    s->change = 0;
    const int code =
        gsl_odeiv2_evolve_apply(d->e, d->c, d->s, &s->system, &s->t, t_end, &d->h, s->y);
    if (code != GSL_SUCCESS) {
      break;
    }
    const double h = s->t - t0;
    status = evaluate(s, s->t, s->y, s->dy);
    s->evaluated = 1;
    if (status != BASE_OK) {
      return status;
    }
    note_change(s, s->dy);
    if (s->change * h <= s->flow->options->rtol) {
      return BASE_OK;
    }
    if (SHORTER * h <= shortest) {
      break;
    }
    restart(s, t0, SHORTER * h);
  }
  if (status == BASE_OK) {
    const double t1 = fmin(t0 + shortest, t_end);
    restart(s, t0, shortest / SHORTER);
    status = rk4(s, t1 - t0);
    s->t = t1;
    s->evaluated = 0;
  }
  return status == BASE_OK ? evaluate(s, s->t, s->y, s->dy) : status;
}

int penalty_stepper_advance(struct penalty_stepper *s, double t_end) {
  int status;
  if (s->driver != NULL) {
    status = adaptive(s, t_end);
  } else {
    status = rk4(s, t_end - s->t);
    s->t = t_end;
    status = status == BASE_OK ? evaluate(s, s->t, s->y, s->dy) : status;
  }
  s->evaluated = status == BASE_OK;
  if (status == BASE_OK && !la_all_finite(s->ny, s->y)) {
    status = base_fail(BASE_DIVERGED, "t = %.9g s: the state is not finite any more", s->t);
  }
  return status;
}
