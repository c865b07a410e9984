/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The longest stable step of the fixed steppers. On x'' + delta x' + omega^2 x = 0 one step is a
 * matrix R(dt), 2 x 2, and the step is stable while its spectral radius is not above one: omega dt
 * < 2.828 (rk4) and 2 (verlet) without damping, delta dt < 2.785 and 2 for delta alone.
 *
 * Of a system, with the contacts closed now: omega^2 and delta are the largest eigenvalues of P
 * M^-1 S and P M^-1 C by power iteration, S and C the sums of W_i k_i W_i^T and W_i d_i W_i^T over
 * the contacts (and constraints kept as springs), P the projection of velocities onto the
 * constraints kept by multipliers. They are then taken as those of one oscillator: exact for a
 * single contact, else an estimate, mostly on the safe side. A slipping tangential spring relaxes
 * at the rate k_T / d_T, which limits the step too. Forces of the system itself are not considered.
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "form/penalty/penalty.h"
#include "la/dense.h"

enum { POWER_STEPS = 200, BISECTIONS = 50 };
/* Of the eigenvalue, in one power iteration: then it is known to about a percent. */
static const double POWER_CHANGE = 1e-4;
/* Resolution and end of the search for the first unstable step, over the larger of omega and delta:
 * the regions of both methods end before 3 of the fastest rate, which is no less than half of that,
 * and have no finer structure. */
static const double SEARCH_STEP = 0.01, SEARCH_END = 6.5;
/* Radius above one that counts as unstable: above the round-off of a double eigenvalue. */
static const double UNSTABLE = 1e-6;

/* (x, v) after one step of length h. */
static void step_once(int stepper, double w2, double delta, double h, double *x, double *v) {
  if (stepper == PENALTY_VERLET) {
    const double a = -w2 * *x - delta * *v, half = *v + 0.5 * h * a;
    *x += h * half;
    *v = half + 0.5 * h * (-w2 * *x - delta * (*v + h * a));
    return;
  }
  double x_k = *x, v_k = *v, power = 1;
  for (int k = 1; k <= 4; ++k) { /* exp(h A) to the fourth order */
    const double dv = -w2 * x_k - delta * v_k;
    x_k = v_k;
    v_k = dv;
    power *= h / k;
    *x += power * x_k;
    *v += power * v_k;
  }
}

static int is_unstable(int stepper, double w2, double delta, double h) {
  double a = 1, c = 0, b = 0, d = 1; /* columns (a, c) and (b, d) */
  step_once(stepper, w2, delta, h, &a, &c);
  step_once(stepper, w2, delta, h, &b, &d);
  const double half = 0.5 * (a + d), det = a * d - b * c, disc = half * half - det;
  const double radius = disc > 0 ? fabs(half) + sqrt(disc) : sqrt(fmax(det, 0));
  return radius > 1 + UNSTABLE;
}

double penalty_limit_of(int stepper, double omega, double delta) {
  const double scale = fmax(omega, delta);
  if (!(scale > 0)) {
    return INFINITY;
  }
  const double w2 = (omega / scale) * (omega / scale), damping = delta / scale;
  double lo = 0, hi = SEARCH_STEP;
  while (hi < SEARCH_END && !is_unstable(stepper, w2, damping, hi)) {
    lo = hi;
    hi += SEARCH_STEP;
  }
  for (int k = 0; k < BISECTIONS; ++k) {
    const double middle = 0.5 * (lo + hi);
    *(is_unstable(stepper, w2, damping, middle) ? &hi : &lo) = middle;
  }
  return lo / scale;
}

struct operator{
  struct penalty_flow *flow;
  const struct mech_bilateral *b;       /* NULL without elimination */
  const struct mech_bilateral *springs; /* NULL without constraints kept as springs */
  const struct penalty_slopes *slopes;  /* n */
  double *v, *rate;                     /* dim n, ns */
  int damping;                          /* C in place of S */
};

/* p: nu = P M^-1 z. */
static void respond(const struct operator* op, const double *z, double *p) {
  const struct mech *m = op->flow->m;
  la_copy(m->nu, z, p);
  mech_mass_solve(m, op->flow->mass.L, 1, p);
  if (op->b != NULL) {
    mech_bilateral_velocity(op->b, p, op->rate);
    mech_bilateral_eliminate(op->b, 1, op->rate, p);
  }
}

/* z: nu = S p or C p. */
static void stiffen(const struct operator* op, const double *p, double *z) {
  const struct penalty_flow *flow = op->flow;
  const struct mech *m = flow->m;
  const struct mech_contacts *c = &flow->touch.contacts;
  mech_contacts_velocity(c, p, op->v);
  for (int i = 0; i < c->n; ++i) {
    const struct penalty_slopes *s = op->slopes + i;
    for (int d = 0; d < c->dim; ++d) {
      const double k = d == 0 ? s->k : s->k_T, rate = d == 0 ? s->d : s->d_T;
      op->v[i * c->dim + d] *= op->damping ? rate : k;
    }
  }
  memset(z, 0, (size_t)m->nu * sizeof *z);
  mech_contacts_force(c, op->v, z);
  if (op->springs != NULL) {
    const double k = op->damping ? flow->options->D_S : flow->options->K_S;
    mech_bilateral_velocity(op->springs, p, op->rate);
    for (int i = 0; i < m->ns; ++i) {
      op->rate[i] *= k;
    }
    mech_bilateral_force(op->springs, op->rate, z);
  }
}

/* Largest eigenvalue of P M^-1 S: z -> S P M^-1 z is symmetric in the metric of M^-1. */
static double largest(const struct operator* op) {
  struct base_arena *arena = op->flow->arena;
  const int nu = op->flow->m->nu;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *z = base_arena_doubles(arena, nu), *p = base_arena_doubles(arena, nu), value = 0;
  for (int j = 0; j < nu; ++j) { /* no symmetry that an eigenvector could be orthogonal to */
    const double x = (j + 1) * 0.6180339887498949;
    p[j] = 1 + (x - (double)(long)x);
  }
  stiffen(op, p, z);
  for (int k = 0; k < POWER_STEPS; ++k) {
    respond(op, z, p);
    const double norm = la_dot(nu, z, p), last = value;
    if (!(norm > 0)) {
      break;
    }
    stiffen(op, p, z);
    value = la_dot(nu, p, z) / norm;
    for (int j = 0; j < nu; ++j) {
      z[j] /= sqrt(norm);
    }
    if (fabs(value - last) <= POWER_CHANGE * value) {
      break;
    }
  }
  base_arena_release(arena, mark);
  return value;
}

/* n; zero where no contact is active. */
static struct penalty_slopes *slopes_at(struct penalty_flow *flow, const double *u) {
  const struct mech_contacts *c = &flow->touch.contacts;
  struct penalty_slopes *slopes = base_arena_push(flow->arena, (size_t)c->n * sizeof *slopes);
  for (int i = 0; i < c->n; ++i) {
    double v[CONTACT_DIM_MAX];
    if (flow->touch.active[i]) {
      mech_contacts_velocity_of(c, i, u, v);
      penalty_law_slopes(flow, &flow->place.numbers[0], i, v, &slopes[i]);
    }
  }
  return slopes;
}

double penalty_limit_friction(struct penalty_flow *flow, const double *y) {
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  const struct penalty_slopes *slopes = slopes_at(flow, y + flow->m->nq);
  double steepest = 0;
  for (int i = 0; i < flow->touch.contacts.n; ++i) {
    steepest = fmax(steepest, slopes[i].d_T);
  }
  base_arena_release(flow->arena, mark);
  return steepest;
}

double penalty_limit_estimate(struct penalty_flow *flow, const double *y) {
  const struct mech *m = flow->m;
  const struct mech_contacts *c = &flow->touch.contacts;
  const int springs = m->ns > 0 && flow->options->bilateral == PENALTY_SPRING;
  const int stepper = flow->options->stepper;
  if (!penalty_is_fixed(flow->options)) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  struct operator op = {.flow = flow, .slopes = slopes_at(flow, y + m->nq)};
  op.v = base_arena_matrix(flow->arena, c->dim, c->n);
  op.rate = base_arena_doubles(flow->arena, m->ns);
  if (m->ns > 0) {
    const int status = springs ? mech_bilateral_place(flow->bilateral, y)
                               : mech_bilateral_build(flow->bilateral, y, flow->mass.L);
    if (status != BASE_OK) {
      base_arena_release(flow->arena, mark);
      return 0;
    }
    op.springs = springs ? flow->bilateral : NULL;
    op.b = springs ? NULL : flow->bilateral;
  }
  const double omega2 = largest(&op);
  op.damping = 1;
  const double delta = largest(&op);
  double limit = penalty_limit_of(stepper, sqrt(omega2), delta);
  for (int i = 0; i < c->n; ++i) {
    if (op.slopes[i].slip > 0) {
      limit = fmin(limit, penalty_limit_of(stepper, 0, op.slopes[i].slip));
    }
  }
  base_arena_release(flow->arena, mark);
  return limit;
}
