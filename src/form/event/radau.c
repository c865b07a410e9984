/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Radau IIA with five stages, order 9, as a step of GSL, and when to take it (Hairer and Wanner,
 * Solving Ordinary Differential Equations II, IV.5 and IV.8). Friction on a light inertia is stiff:
 * the spin of a rod about its axis follows v_T over I |v_T| / (mu N r^2), 1e-7 s for
 * I = 1e-9 kg m^2, and an explicit method takes steps of that length for as long as the rod slides.
 *
 *   Z_i = h sum_j a_ij f(t + c_j h, y + Z_j),   y_1 = y + Z_5,
 *
 * collocation at the roots c of P_5 - P_4, by a simplified Newton method with the Jacobian by
 * forward differences. The error is that of an embedded formula of order 5 with f(t, y) as a
 * further stage,
 *
 *   err = (1 - h g J)^-1 (h g f(t, y) + sum_i e_i Z_i).
 *
 * An explicit method is given up for the rest of a smooth phase where it has been limited by
 * stability for STIFF_STEPS steps: its error estimate is then in the direction of the fastest mode,
 * and the derivative along it says how fast that decays.
 */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_legendre.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/status.h"
#include "form/event/event.h"
#include "la/dense.h"

enum { STAGES = 5, ORDER = 5, NEWTON_STEPS = 15 };
static const double EMBEDDED = 0.16; /* g: near the real eigenvalue of A, for damping */
/* Newton's method ends at this part of the error allowed, or where it no longer gains below 1. */
static const double NEWTON_ENDS = 1e-3;
/* Explicit steps in a phase before stiffness is looked for, and in a row that must show it; and the
 * step over the time of decay beyond which one does. */
enum { STIFF_AFTER = 40, STIFF_STEPS = 15 };
static const double STIFF = 1;

struct radau {
  double c[STAGES], A[STAGES * STAGES], e[STAGES]; /* A row-major */
};

/* ---- the method ---- */

static double node_function(double x) {
  return gsl_sf_legendre_Pl(STAGES, x) - gsl_sf_legendre_Pl(STAGES - 1, x);
}

static void find_nodes(double *c) {
  enum { CELLS = 1000, HALVINGS = 60 };
  int n = 0;
  for (int k = 0; k + 1 < CELLS && n < STAGES - 1; ++k) { /* 1 itself is the last */
    double lo = 2.0 * k / CELLS - 1, hi = 2.0 * (k + 1) / CELLS - 1;
    const int rises = node_function(lo) < 0;
    if (rises == (node_function(hi) < 0)) {
      continue;
    }
    for (int i = 0; i < HALVINGS; ++i) {
      const double middle = 0.5 * (lo + hi);
      *((node_function(middle) < 0) == rises ? &lo : &hi) = middle;
    }
    c[n++] = 0.5 * (1 + lo);
  }
  c[STAGES - 1] = 1;
}

/* A_ij = integral of Lagrange's polynomial l_j from 0 to c_i. */
static void find_weights(const double *c, double *A) {
  for (int j = 0; j < STAGES; ++j) {
    double p[STAGES] = {1}; /* coefficients of l_j */
    for (int k = 0, degree = 0; k < STAGES; ++k) {
      if (k == j) {
        continue;
      }
      ++degree;
      for (int d = degree; d >= 0; --d) {
        p[d] = ((d > 0 ? p[d - 1] : 0) - c[k] * (d < degree ? p[d] : 0)) / (c[j] - c[k]);
      }
    }
    for (int i = 0; i < STAGES; ++i) {
      double sum = 0;
      for (int d = STAGES - 1; d >= 0; --d) {
        sum = (sum + p[d] / (d + 1)) * c[i];
      }
      A[i * STAGES + j] = sum;
    }
  }
}

/* e = A^-T (b^ - b), b^ with sum_i b^_i c_i^k = 1 / (k + 1) - g 0^k. */
static void find_error(const double *c, const double *A, double *e) {
  double V[STAGES * STAGES], T[STAGES * STAGES];
  int piv[STAGES];
  for (int k = 0; k < STAGES; ++k) {
    e[k] = 1.0 / (k + 1) - (k == 0 ? EMBEDDED : 0);
    for (int i = 0; i < STAGES; ++i) {
      V[i * STAGES + k] = pow(c[i], k);
      T[i * STAGES + k] = A[i * STAGES + k]; /* columns of A^T are rows of A */
    }
  }
  la_lu_factor(STAGES, V, piv);
  la_lu_solve(STAGES, 1, V, piv, e);
  la_axpy(STAGES, -1, A + (STAGES - 1) * STAGES, e);
  la_lu_factor(STAGES, T, piv);
  la_lu_solve(STAGES, 1, T, piv, e);
}

/* ---- a step ---- */

/* Least speed of sliding over the system's, from what counts as slow up to 1: the direction of
 * sliding changes as velocities do by so much. */
static double slowest(const struct event *e) {
  const int dim = e->m->dim;
  double least = e->m->speed;
  for (int i = 0; i < e->flow.nc && dim > 2; ++i) {
    if (e->flow.mode[i] == EVENT_SLIDE || e->flow.mode[i] == EVENT_STOP) {
      least = fmin(least, la_norm2(dim - 1, e->flow.v + i * dim + 1));
    }
  }
  return fmax(least, 0.5 * e->flow.slow) / e->m->speed;
}

/* J: n x n, column-major, at (t, y). */
static int differentiate(const gsl_odeiv2_system *system, double t, const double *y, double *J) {
  struct event *e = system->params;
  const int n = (int)system->dimension;
  const struct base_arena_mark mark = base_arena_mark(e->arena);
  double *near = base_arena_doubles(e->arena, n), *f = base_arena_doubles(e->arena, n);
  const int stays = e->stays; /* a difference may go a little beyond */
  int status = system->function(t, y, f, system->params);
  e->stays = 0;
  const double part[] = {sqrt(DBL_EPSILON), sqrt(DBL_EPSILON) * slowest(e)};
  la_copy(n, y, near);
  for (int j = 0; j < e->m->nq + e->m->nu && status == GSL_SUCCESS; ++j) { /* not of works */
    double *column = J + (size_t)j * (size_t)n;
    const int is_speed = j >= e->m->nq;
    const double own = is_speed ? e->m->speed : e->m->length;
    near[j] = y[j] + part[is_speed] * fmax(fabs(y[j]), own);
    status = system->function(t, near, column, system->params);
    la_axpy(n, -1, f, column);
    for (int i = 0; i < n; ++i) {
      column[i] /= near[j] - y[j];
    }
    near[j] = y[j];
  }
  e->stays = stays;
  base_arena_release(e->arena, mark);
  return status;
}

/* LU of 1 - h (a x J) for k x k weights a, row-major. */
static int factor(const struct event *e, int n, int k, const double *a, double h, const double *J,
                  double **LU, int **piv) {
  const int size = k * n;
  *LU = base_arena_matrix(e->arena, size, size);
  *piv = base_arena_ints(e->arena, size);
  for (int cj = 0; cj < size; ++cj) {
    for (int ri = 0; ri < size; ++ri) {
      (*LU)[event_at(cj, size, ri)] =
          (ri == cj) - h * a[(ri / n) * k + cj / n] * J[event_at(cj % n, n, ri % n)];
    }
  }
  return la_lu_factor(size, *LU, *piv) == BASE_OK ? GSL_SUCCESS : GSL_FAILURE;
}

/* Largest component over the error allowed. */
static double weigh(const struct event *e, int k, const double *y, const double *z) {
  double largest = 0;
  for (int i = 0; i < k * e->ny; ++i) {
    const int j = i % e->ny;
    const double allowed = e->options->atol * e->scale[j] + e->options->rtol * fabs(y[j]);
    largest = fmax(largest, isfinite(z[i]) ? fabs(z[i]) / allowed : INFINITY);
  }
  return largest;
}

/* Z: STAGES x n. */
static int find_stages(const struct radau *s, const gsl_odeiv2_system *system, double t, double h,
                       const double *y, const double *LU, const int *piv, double *Z) {
  const struct event *e = system->params;
  const int n = e->ny, size = STAGES * n;
  double *F = base_arena_doubles(e->arena, size), *R = base_arena_doubles(e->arena, size);
  double *at = base_arena_doubles(e->arena, n), last = INFINITY;
  for (int step = 0; step < NEWTON_STEPS; ++step) {
    for (int i = 0; i < STAGES; ++i) {
      la_copy(n, y, at);
      la_axpy(n, 1, Z + i * n, at);
      const int status = system->function(t + s->c[i] * h, at, F + i * n, system->params);
      if (status != GSL_SUCCESS) {
        return status;
      }
    }
    for (int i = 0; i < STAGES; ++i) {
      for (int k = 0; k < n; ++k) {
        double sum = 0;
        for (int j = 0; j < STAGES; ++j) {
          sum += s->A[i * STAGES + j] * F[j * n + k];
        }
        R[i * n + k] = h * sum - Z[i * n + k];
      }
    }
    la_lu_solve(size, 1, LU, piv, R);
    la_axpy(size, 1, R, Z);
    const double change = weigh(e, STAGES, y, R);
    if (change <= NEWTON_ENDS || (change < 1 && change > 0.5 * last)) {
      return GSL_SUCCESS;
    }
    if (!(change < 2 * last)) {
      break;
    }
    last = change;
  }
  return GSL_FAILURE;
}

static int apply_in_arena(const struct radau *s, double t, double h, double *y, double *yerr,
                          const double *f0, const gsl_odeiv2_system *system) {
  const struct event *e = system->params;
  const int n = e->ny;
  const double g = EMBEDDED;
  double *J = base_arena_matrix(e->arena, n, n), *Z = base_arena_doubles(e->arena, STAGES * n);
  double *LU;
  int *piv, status = differentiate(system, t, y, J);
  status = status != GSL_SUCCESS ? status : factor(e, n, STAGES, s->A, h, J, &LU, &piv);
  for (int i = 0; i < STAGES; ++i) {
    la_axpy(n, s->c[i] * h, f0, Z + i * n);
  }
  status = status != GSL_SUCCESS ? status : find_stages(s, system, t, h, y, LU, piv, Z);
  status = status != GSL_SUCCESS ? status : factor(e, n, 1, &g, h, J, &LU, &piv);
  if (status != GSL_SUCCESS) {
    return status;
  }
  for (int k = 0; k < n; ++k) {
    yerr[k] = h * g * f0[k];
    for (int i = 0; i < STAGES; ++i) {
      yerr[k] += s->e[i] * Z[i * n + k];
    }
  }
  la_lu_solve(n, 1, LU, piv, yerr);
  la_axpy(n, 1, Z + (STAGES - 1) * n, y);
  return GSL_SUCCESS;
}

static int radau_apply(void *state, size_t dim, double t, double h, double y[], double yerr[],
                       const double dydt_in[], double dydt_out[], const gsl_odeiv2_system *system) {
  const struct event *e = system->params;
  const struct base_arena_mark mark = base_arena_mark(e->arena);
  double *f0 = base_arena_doubles(e->arena, (int)dim);
  int status = GSL_SUCCESS;
  if (dydt_in != NULL) {
    la_copy((long)dim, dydt_in, f0);
  } else {
    status = system->function(t, y, f0, system->params);
  }
  status = status != GSL_SUCCESS ? status : apply_in_arena(state, t, h, y, yerr, f0, system);
  if (status == GSL_SUCCESS && dydt_out != NULL) {
    status = system->function(t + h, y, dydt_out, system->params);
  }
  base_arena_release(e->arena, mark);
  return status;
}

static void *radau_alloc(size_t dim) {
  struct radau *s = base_memory_alloc(sizeof *s);
  (void)dim;
  find_nodes(s->c);
  find_weights(s->c, s->A);
  find_error(s->c, s->A, s->e);
  return s;
}

static int radau_set_driver(void *state, const gsl_odeiv2_driver *d) {
  (void)state, (void)d;
  return GSL_SUCCESS;
}

static int radau_reset(void *state, size_t dim) {
  (void)state, (void)dim;
  return GSL_SUCCESS;
}

static unsigned radau_order(void *state) {
  (void)state;
  return ORDER;
}

const gsl_odeiv2_step_type event_radau = {.name = "radau",
                                          .can_use_dydt_in = 1,
                                          .gives_exact_dydt_out = 1,
                                          .alloc = radau_alloc,
                                          .apply = radau_apply,
                                          .set_driver = radau_set_driver,
                                          .reset = radau_reset,
                                          .order = radau_order,
                                          .free = free};

/* ---- when ---- */

void event_watch_stiffness(struct event *e, double h) {
  if (e->step == e->implicit || ++e->phase_steps < STIFF_AFTER) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(e->arena);
  const int n = e->m->nq + e->m->nu;
  const double *yerr = e->evolve->yerr, *f = e->evolve->dydt_out;
  double *near = base_arena_doubles(e->arena, e->ny), *slope = base_arena_doubles(e->arena, e->ny);
  double size = 0, along = 0; /* within what the derivative changes little over, as for J */
  for (int i = 0; i < n; ++i) {
    size = fmax(size, fabs(yerr[i]) / (i < e->m->nq ? e->m->length : e->m->speed));
  }
  const double step = sqrt(DBL_EPSILON) / size;
  la_copy(e->ny, e->y, near);
  la_axpy(n, step, yerr, near);
  double squares = 0;
  if (size > 0 && e->system.function(e->t, near, slope, e) == GSL_SUCCESS) {
    for (int i = 0; i < n; ++i) {
      const double v = yerr[i] / e->scale[i], w = (slope[i] - f[i]) / (step * e->scale[i]);
      along += v * w;
      squares += v * v;
    }
  }
  const int is_stiff = squares > 0 && -along / squares * h > STIFF;
  e->stiff_steps = is_stiff ? e->stiff_steps + 1 : 0;
  if (e->stiff_steps >= STIFF_STEPS) {
    e->step = e->implicit;
    gsl_odeiv2_evolve_reset(e->evolve);
  }
  base_arena_release(e->arena, mark);
}

void event_forget_stiffness(struct event *e) {
  e->step = e->explicit;
  e->phase_steps = e->stiff_steps = 0;
}
