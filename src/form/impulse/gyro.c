/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gyroscopic forces of impulse stepping. Explicit ones, -H(u^B) u^B, feed energy to a body that
 * turns about no principal axis, without bound. With those of the mean velocity the free velocity u
 * of a body solves
 *
 *   M (u - u^B) = dt (h + H(u^B) u^B - H(u_m) u_m),   u_m = (u^B + u) / 2
 *
 * where h contains the explicit ones. H being skew, u_m . H(u_m) u_m = 0: kinetic energy is
 * conserved in free flight; for I (w - w^B) = -dt w_m x I w_m so is |I w|, as w_m . I w_m x w_m = 0
 * too. Solved body by body by Newton's method to round-off, from the explicit velocity. Where
 * gyroscopic forces are no more than round-off (isotropic inertia, or an axis that stays principal)
 * the free velocity remains the explicit one, bit for bit.
 *
 * Contacts and joints act on u as on any free velocity: their impulses over the step do not enter
 * u_m. Energy and |L| are then as good as the scheme is with forces that act between steps (energy
 * errs by O(dt^2) a step, which adds up to O(dt)); where impulses have no moment about the centre
 * of mass, a contact under it or none at all, both are kept to round-off.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "form/impulse/parts.h"
#include "la/dense.h"

enum { ITERATIONS = 30 };
static const double ROUND_OFF = 4 * DBL_EPSILON;

/* One body, n = nv. */
struct gyro {
  const struct impulse *w;
  int b, n;
  const double *begin; /* n, u^B */
  double dt;
  double *base;     /* n: H(u^B) u^B, then u + dt M^-1 of that for the explicit u */
  double *x, *mean; /* n */
  double *H, *J;    /* n x n */
  double *force, *step;
  int *pivots;
};

/* force: n = H(u) u, and H. */
static void evaluate(const struct gyro *g, const double *u, double *force) {
  const struct mech *m = g->w->setup.mech;
  m->ops->consistent.velocity_gyro(m, g->b, u, g->H);
  la_gemv(g->n, g->n, 1, g->H, u, 0, force);
}

static void divide(const struct gyro *g, double *x) {
  mech_mass_solve_block(g->w->setup.mech, g->w->L, g->b, 1, x);
}

/* Whether H(u) u, left in force: n, is more than the rounding of its terms. */
static int matters(const struct gyro *g, const double *u, double *force) {
  evaluate(g, u, force);
  const double terms = la_norm_inf(g->n * g->n, g->H) * la_norm_inf(g->n, u);
  return la_norm_inf(g->n, force) > ROUND_OFF * terms;
}

static void set_mean(const struct gyro *g) {
  for (int i = 0; i < g->n; ++i) {
    g->mean[i] = 0.5 * (g->begin[i] + g->x[i]);
  }
}

/* J = 1 + dt/2 M^-1 (H(u_m) + [H(e_j) u_m]_j); H holds H(u_m). */
static void build_matrix(const struct gyro *g) {
  const struct mech *m = g->w->setup.mech;
  const int n = g->n;
  la_copy(n * n, g->H, g->J);
  for (int j = 0; j < n; ++j) {
    memset(g->step, 0, (size_t)n * sizeof *g->step);
    g->step[j] = 1;
    m->ops->consistent.velocity_gyro(m, g->b, g->step, g->H);
    la_gemv(n, n, 1, g->H, g->mean, 1, g->J + (long)j * n);
  }
  for (int j = 0; j < n; ++j) {
    double *column = g->J + (long)j * n;
    divide(g, column);
    for (int i = 0; i < n; ++i) {
      column[i] = 0.5 * g->dt * column[i] + (i == j);
    }
  }
}

/* Rigid bodies of three equal moments of inertia have no gyroscopic forces (mech_body_ops.rigid: M
 * is diagonal, the moments come last): known without a look at H. */
static int is_isotropic(const struct gyro *g) {
  const struct mech *m = g->w->setup.mech;
  const double *L = g->w->L + (long)g->b * g->n;
  return m->ops->bodies.rigid != NULL && m->diagonal_mass && L[3] == L[4] && L[4] == L[5];
}

/* x of one body; whether Newton's method converged. */
static int solve_body(const struct gyro *g) {
  double last = INFINITY;
  for (int k = 0; k < ITERATIONS; ++k) {
    set_mean(g);
    evaluate(g, g->mean, g->force);
    divide(g, g->force);
    build_matrix(g);
    for (int i = 0; i < g->n; ++i) {
      g->step[i] = g->base[i] - g->x[i] - g->dt * g->force[i];
    }
    if (la_lu_factor(g->n, g->J, g->pivots) != 0) {
      return 0;
    }
    la_lu_solve(g->n, 1, g->J, g->pivots, g->step);
    const double size = la_norm_inf(g->n, g->step);
    const double scale = fmax(la_norm_inf(g->n, g->x), la_norm_inf(g->n, g->begin));
    la_axpy(g->n, 1, g->step, g->x);
    if (size <= ROUND_OFF * scale || (size >= last && size <= 64 * ROUND_OFF * scale)) {
      return 1;
    }
    last = size;
  }
  return 0;
}

int impulse_gyro(struct impulse *w, const double *u_begin, double t, double dt) {
  const struct mech *m = w->setup.mech;
  const int n = m->nv;
  struct base_arena *arena = w->setup.arena;
  if (w->scheme.gyro != FORM_GYRO_MIDPOINT || w->scheme.force == FORM_FORCE_IMPLICIT ||
      m->ops->consistent.velocity_gyro == NULL) {
    return BASE_OK;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct gyro g = {.w = w, .n = n, .dt = dt};
  int status = BASE_OK;
  g.base = base_arena_doubles(arena, n);
  g.mean = base_arena_doubles(arena, n);
  g.H = base_arena_matrix(arena, n, n);
  g.J = base_arena_matrix(arena, n, n);
  g.force = base_arena_doubles(arena, n);
  g.step = base_arena_doubles(arena, n);
  g.pivots = base_arena_ints(arena, n);
  for (g.b = 0; g.b < m->nb && status == BASE_OK; ++g.b) {
    if (is_isotropic(&g)) {
      continue;
    }
    g.begin = u_begin + (long)g.b * n;
    g.x = w->u_free + (long)g.b * n;
    set_mean(&g);
    if (!matters(&g, g.begin, g.base) && !matters(&g, g.mean, g.force)) {
      continue;
    }
    divide(&g, g.base);
    for (int i = 0; i < n; ++i) {
      g.base[i] = g.x[i] + dt * g.base[i];
    }
    if (!solve_body(&g)) {
      status = base_fail(BASE_FAILED,
                         "block %d at t = %g s: the midpoint equation of gyroscopic forces has not "
                         "converged: shorten the step, or take gyro=explicit",
                         g.b, t);
    }
  }
  base_arena_release(arena, mark);
  return status;
}
