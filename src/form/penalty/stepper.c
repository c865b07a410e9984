/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Integration of the penalty flow: by fixed steps (fixed.c), or by one of GSL's adaptive
 * methods, explicit (rkf45, rk8pd) or implicit (rk4imp, bsimp, msbdf), under control of the error a
 * step.
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

#include "base/memory/memory.h"
#include "base/status.h"
#include "form/penalty/penalty.h"
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
  if (s->flow->touch.frozen.on || penalty_flow_modes(s->flow) == s->modes) {
    return;
  }
  for (int i = m->nq; i < penalty_flow_xi(s->flow); ++i) {
    const double scale = i < m->nq + m->nu ? m->speed : s->scale_work;
    s->change = fmax(s->change, fabs(dy[i] - s->dstart[i]) / scale);
  }
}

/* What is large for an entry of y. */
static double scale_of(const struct penalty_stepper *s, int i) {
  const struct mech *m = s->flow->m;
  const struct penalty_options *o = s->flow->options;
  const double K_T = o->K_T >= 0 ? o->K_T : o->ratio_T * o->K;
  return i < m->nq                      ? m->length
         : i < m->nq + m->nu            ? m->speed
         : i < penalty_flow_xi(s->flow) ? s->scale_work
         /* the elongation that holds this work, as far as a linear spring tells */
         : K_T > 0 ? sqrt(2 * s->scale_work / K_T)
                   : m->length;
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
  const int ny = s->ny, n = m->nq + m->nu, at_xi = penalty_flow_xi(s->flow);
  const double small = sqrt(DBL_EPSILON);
  const struct base_arena_mark mark = base_arena_mark(s->flow->arena);
  double *f0 = base_arena_doubles(s->flow->arena, ny), *f1 = base_arena_doubles(s->flow->arena, ny);
  int status = system_rhs(t, y, f0, s);
  penalty_touch_freeze(s->flow, small * fmax(m->length, la_norm_inf(m->nq, y)));
  memset(dfdy, 0, (size_t)ny * (size_t)ny * sizeof *dfdy);
  la_copy(ny, y, s->trial);
  for (int j = 0; j < ny && status == GSL_SUCCESS; ++j) {
    if (j >= n && j < at_xi) {
      continue; /* nothing depends on the works */
    }
    const double step = small * fmax(fabs(y[j]), scale_of(s, j));
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
  s->flow->touch.frozen.on = 0;
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

/* Driver and arrays for ny = those of the flow; y and dy keep what they hold. */
static void resize(struct penalty_stepper *s) {
  const struct penalty_options *o = s->flow->options;
  const int ny = penalty_flow_size(s->flow), old = s->ny;
  double **const array[] = {&s->y, &s->dy, &s->k, &s->stage, &s->trial, &s->start, &s->dstart};
  for (int a = 0; a < (int)(sizeof array / sizeof *array); ++a) {
    const size_t kept = (size_t)old * sizeof **array[a], size = (size_t)ny * sizeof **array[a];
    *array[a] = base_arena_resize(s->store, *array[a], kept, size);
    memset(*array[a] + old, 0, size - kept);
  }
  s->ny = ny;
  if (penalty_is_fixed(o)) {
    return;
  }
  const double h = s->driver != NULL ? s->driver->h : s->dt;
  penalty_stepper_free(s);
  double *scale = base_arena_doubles(s->lists, ny);
  for (int i = 0; i < ny; ++i) {
    scale[i] = scale_of(s, i);
  }
  s->system = (gsl_odeiv2_system){
      .function = system_rhs, .jacobian = system_jacobian, .dimension = (size_t)ny, .params = s};
  s->driver = gsl_odeiv2_driver_alloc_scaled_new(&s->system, stepper_type(o->stepper), h, o->atol,
                                                 o->rtol, 1, 0, scale);
  if (s->driver == NULL) {
    base_memory_end(1, s->system.dimension, sizeof *scale);
  }
}

void penalty_stepper_init(struct penalty_stepper *s, struct penalty_flow *flow, double dt,
                          double scale_work, struct base_arena *lists) {
  const struct mech *m = flow->m;
  *s = (struct penalty_stepper){.flow = flow,
                                .lists = lists,
                                .store = base_arena_child(lists),
                                .dt = dt,
                                .scale_work = scale_work,
                                .kinetic = NAN};
  resize(s);
  /* Works are used as differences only. Beginning at their scale keeps them away from zero, where
   * bsimp, which judges a step by its change relative to |y|, finds none short enough. */
  for (int i = 0; flow->options->stepper == PENALTY_BSIMP && i < PENALTY_WORKS; ++i) {
    s->y[m->nq + m->nu + i] = scale_work;
  }
}

void penalty_stepper_free(struct penalty_stepper *s) {
  if (s->driver != NULL) {
    gsl_odeiv2_driver_free(s->driver);
    s->driver = NULL; /* want of memory may come up before there is another */
  }
}

/* The derivative is to be taken anew. */
static void forget_derivative(struct penalty_stepper *s) {
  s->evaluated = 0;
  if (s->driver != NULL) {
    gsl_odeiv2_driver_reset(s->driver);
  }
}

void penalty_stepper_reset(struct penalty_stepper *s) {
  forget_derivative(s);
  s->kinetic = NAN;
}

static int evaluate(struct penalty_stepper *s, double t, const double *y, double *dy) {
  const int status = penalty_flow_evaluate(s->flow, t, y, dy);
  return status != BASE_OK && !la_all_finite(s->ny, y)
             ? base_fail(BASE_DIVERGED, "t = %.9g s: the state is not finite any more", t)
             : status;
}

/* Slots for the contacts closed at the present point, where dy holds; it holds after. */
static void settle(struct penalty_stepper *s) {
  const struct mech *m = s->flow->m;
  const int n = s->flow->history.width > 0 ? s->flow->touch.n_active : 0,
            at_xi = penalty_flow_xi(s->flow);
  double released;
  if (n > s->flow->history.capacity) {
    penalty_spring_reserve(s->flow, n);
    resize(s);
    forget_derivative(s);
  }
  if (n > 0 && s->flow->history.frame != NULL) {
    forget_derivative(s); /* components will be those of the present frames */
  }
  if (penalty_spring_settle(s->flow, s->y + at_xi, s->dy + at_xi, &released)) {
    forget_derivative(s);
  }
  s->y[m->nq + m->nu + PENALTY_FRICTION] -= released;
}

int penalty_stepper_evaluate(struct penalty_stepper *s) {
  const int status = evaluate(s, s->t, s->y, s->dy);
  if (status == BASE_OK) {
    settle(s);
  }
  s->evaluated = status == BASE_OK;
  return status;
}

/* Kinetic energy of the present point, where the flow was evaluated last. */
static double kinetic_of(const struct penalty_stepper *s) {
  const struct mech *m = s->flow->m;
  return isnan(s->flow->kinetic) ? mech_kinetic(m, s->y, s->y + m->nq, s->flow->arena)
                                 : s->flow->kinetic;
}

/* One fixed step, redundant coordinates back where they belong, and dy there. */
static int fixed(struct penalty_stepper *s, double t_end) {
  const struct mech *m = s->flow->m;
  const int is_verlet = s->flow->options->stepper == PENALTY_VERLET;
  const double dt = t_end - s->t;
  double before[PENALTY_WORKS];
  int status = s->evaluated ? BASE_OK : evaluate(s, s->t, s->y, s->dy);
  if (isnan(s->kinetic)) {
    s->kinetic = kinetic_of(s);
  }
  la_copy(PENALTY_WORKS, s->y + m->nq + m->nu, before);
  if (status == BASE_OK) {
    status = is_verlet ? penalty_fixed_verlet(s, dt) : penalty_fixed_rk4(s, dt);
  }
  if (status == BASE_OK && m->ops->normalise != NULL && !is_verlet) {
    m->ops->normalise(m, s->y);
  }
  if (status == BASE_OK) {
    s->t = t_end;
    status = evaluate(s, s->t, s->y, s->dy);
  }
  if (status == BASE_OK) {
    const double kinetic = kinetic_of(s);
    penalty_balance_works(dt, kinetic - s->kinetic, before, s->y + m->nq + m->nu);
    s->kinetic = m->constant_mass ? kinetic : NAN; /* q may yet be put back where it belongs */
  }
  if (status != BASE_OK && !la_all_finite(s->ny, s->y)) {
    return base_fail(BASE_DIVERGED, "t = %.9g s: the state is not finite any more", s->t);
  }
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
    status = penalty_fixed_rk4(s, t1 - t0);
    s->t = t1;
    s->evaluated = 0;
  }
  return status == BASE_OK ? evaluate(s, s->t, s->y, s->dy) : status;
}

int penalty_stepper_advance(struct penalty_stepper *s, double t_end) {
  int status = s->driver != NULL ? adaptive(s, t_end) : fixed(s, t_end);
  if (status == BASE_OK && !la_all_finite(s->ny, s->y)) {
    status = base_fail(BASE_DIVERGED, "t = %.9g s: the state is not finite any more", s->t);
  }
  if (status == BASE_OK) {
    settle(s);
  }
  s->evaluated = status == BASE_OK;
  return status;
}

/* What drives an adaptive method: its next step, and the derivative that the explicit ones take
 * over from the step before. What the implicit ones keep they keep to themselves (GSL): they begin
 * anew, now and when it is read. */
static void checkpoint_driver(struct penalty_stepper *s, struct base_blob *blob) {
  gsl_odeiv2_evolve *e = s->driver->e;
  if (penalty_is_implicit(s->flow->options)) {
    gsl_odeiv2_driver_reset(s->driver);
  }
  base_blob_reals(blob, &s->driver->h, 1);
  base_blob_pass(blob, &e->count, sizeof e->count);
  base_blob_reals(blob, &e->last_step, 1);
  base_blob_reals(blob, e->dydt_out, (size_t)s->ny);
}

void penalty_stepper_checkpoint(struct penalty_stepper *s, struct base_blob *blob) {
  penalty_spring_checkpoint(s->flow, blob);
  if (penalty_flow_size(s->flow) > s->ny) {
    resize(s);
  }
  base_blob_reals(blob, &s->t, 1);
  base_blob_pass(blob, &s->evaluated, sizeof s->evaluated);
  base_blob_reals(blob, s->y, (size_t)s->ny);
  base_blob_reals(blob, s->dy, (size_t)s->ny);
  if (s->driver != NULL) {
    checkpoint_driver(s, blob);
  }
  s->kinetic = blob->reading ? NAN : s->kinetic;
  if (blob->reading && blob->status == BASE_OK) { /* for the contacts; dy is there */
    blob->status = evaluate(s, s->t, s->y, s->trial);
    if (penalty_is_fixed(s->flow->options)) { /* accelerations are those of dy to the last bit */
      double works[PENALTY_BALANCE] = {0};
      penalty_balance_contacts(s->flow, s->dy + s->flow->m->nq, works);
    }
  }
}
