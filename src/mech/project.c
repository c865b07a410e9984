/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent initial states: q onto g_S = 0 by Newton's method with corrections that are orthogonal
 * in the mass metric,
 *
 *   (W_S^T M^-1 W_S) lambda = -g_S,   q <- q + F M^-1 W_S lambda,
 *
 * then u onto gamma_S = W_S^T u (+ chi of a prescribed motion) = 0 by the same matrix. Constraints
 * may be redundant as long as they do not contradict each other: the pivoted factorisation then
 * solves for a basis of them, and the rest is checked. The matrix is dense, ns x ns: this is for
 * starts, not for steps. Quaternions keep their length only as far as g_S holds them; a system that
 * has them outside g_S normalises.
 */
#include "mech/mech.h"

#include "base/status.h"
#include "la/dense.h"
#include "mech/difference.h"

#include <float.h>
#include <math.h>

enum { PROJECT_NEWTON_MAX = 50, PROJECT_VELOCITY_PASSES = 3 };
/* A pivot this much smaller than the largest belongs to a redundant constraint: far above round-off
 * (1e-16 ns), far below the spread of masses in one mechanism. */
static const double PROJECT_RANK = 1e-11;
/* Newton is at round-off when a correction is a few last places of the coordinates ... */
static const double PROJECT_LAST_PLACES = 4 * DBL_EPSILON;
/* ... or when it is this small already [-] and does not shrink by half any more. */
static const double PROJECT_SMALL = 1e-9;
/* What a redundant constraint may miss after that [-, of coordinates or velocities]. */
static const double PROJECT_MISSED = 1e-10;

struct projection {
  const struct mech *m;
  struct base_arena *arena;
  double *L;      /* nb blocks nv x nv */
  double *WS, *Y; /* nu x ns, Y = M^-1 WS */
  double *G;      /* ns x ns, factored */
  int *perm;      /* ns */
  int rank;
  double *lambda; /* ns */
  double *du;     /* nu */
  double *dq;     /* nq */
};

static void projection_alloc(struct projection *p, const struct mech *m, struct base_arena *arena) {
  *p = (struct projection){.m = m, .arena = arena};
  p->L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
  p->WS = base_arena_doubles(arena, m->nu * m->ns);
  p->Y = base_arena_doubles(arena, m->nu * m->ns);
  p->G = base_arena_doubles(arena, m->ns * m->ns);
  p->perm = base_arena_ints(arena, m->ns);
  p->lambda = base_arena_doubles(arena, m->ns);
  p->du = base_arena_doubles(arena, m->nu);
  p->dq = base_arena_doubles(arena, m->nq);
}

static int projection_factor(struct projection *p, const double *q) {
  const struct mech *m = p->m;
  const int status = mech_mass_factor(m, q, p->L);
  if (status != BASE_OK) {
    return status;
  }
  m->ops->bilateral_directions(m, q, p->WS);
  la_copy(m->nu * m->ns, p->WS, p->Y);
  mech_mass_solve(m, p->L, m->ns, p->Y);
  la_gemm_t(m->ns, m->ns, m->nu, 1, p->WS, p->Y, 0, p->G);
  if (!la_all_finite(m->ns * m->ns, p->G)) {
    return base_fail(BASE_FAILED, "%s: bilateral constraints are not finite here", m->name);
  }
  p->rank = la_pchol_factor(m->ns, p->G, p->perm, PROJECT_RANK);
  return BASE_OK;
}

/* du = -M^-1 WS (WS^T M^-1 WS)^-1 residual; residual: ns, overwritten. */
static void projection_correct(struct projection *p, double *residual) {
  const struct mech *m = p->m;
  la_pchol_solve(m->ns, p->rank, 1, p->G, p->perm, residual, p->arena);
  la_gemv(m->nu, m->ns, -1, p->Y, residual, 0, p->du);
}

/* Largest residual over the length of its column of WS: how far the coordinates or velocities are
 * off. A constraint without direction (all zero) counts by itself. */
static double scaled_residual(const struct projection *p, const double *residual) {
  double worst = 0;
  for (int i = 0; i < p->m->ns; ++i) {
    const double w = la_norm2(p->m->nu, p->WS + (long)i * p->m->nu);
    worst = fmax(worst, fabs(residual[i]) / (w > 0 ? w : 1));
  }
  return worst;
}

static int project_position(struct projection *p, double *q) {
  const struct mech *m = p->m;
  double before = INFINITY;
  for (int it = 0; it < PROJECT_NEWTON_MAX; ++it) {
    m->ops->bilateral(m, q, p->lambda);
    if (!la_all_finite(m->ns, p->lambda)) {
      break;
    }
    if (la_norm_inf(m->ns, p->lambda) == 0) {
      return BASE_OK;
    }
    const int status = projection_factor(p, q);
    if (status != BASE_OK) {
      return status;
    }
    const double missed = scaled_residual(p, p->lambda);
    projection_correct(p, p->lambda);
    mech_qdot(m, q, p->du, p->dq, p->arena);
    const double size = la_norm_inf(m->nq, p->dq);
    const double scale = fmax(la_norm_inf(m->nq, q), m->length);
    if (size <= PROJECT_LAST_PLACES * scale ||
        (size <= PROJECT_SMALL * scale && size > before / 2)) {
      if (missed <= PROJECT_MISSED * scale) {
        return BASE_OK;
      }
      return base_fail(BASE_FAILED, "%s: bilateral constraints contradict each other (off by %.3g)",
                       m->name, missed);
    }
    la_axpy(m->nq, 1, p->dq, q);
    before = size;
  }
  return base_fail(BASE_FAILED,
                   "%s: no configuration with g_S = 0 found in %d Newton iterations from here",
                   m->name, PROJECT_NEWTON_MAX);
}

static int project_velocity(struct projection *p, const double *q, double *u) {
  const struct mech *m = p->m;
  const int status = projection_factor(p, q);
  if (status != BASE_OK) {
    return status;
  }
  /* One pass is exact but for rounding; the others refine it. */
  for (int pass = 0; pass < PROJECT_VELOCITY_PASSES; ++pass) {
    mech_bilateral_rate(m, q, p->WS, u, p->lambda);
    if (la_norm_inf(m->ns, p->lambda) == 0) {
      return BASE_OK;
    }
    projection_correct(p, p->lambda);
    la_axpy(m->nu, 1, p->du, u);
  }
  mech_bilateral_rate(m, q, p->WS, u, p->lambda);
  const double missed = scaled_residual(p, p->lambda);
  const double scale = fmax(la_norm_inf(m->nu, u), m->speed);
  if (!(missed <= PROJECT_MISSED * scale)) {
    return base_fail(BASE_FAILED, "%s: no velocity with gamma_S = 0 found (off by %.3g)", m->name,
                     missed);
  }
  return BASE_OK;
}

int mech_project(const struct mech *m, double *q, double *u, struct base_arena *arena) {
  if (m->ns == 0) {
    return BASE_OK;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct projection p;
  projection_alloc(&p, m, arena);
  int status = project_position(&p, q);
  if (status == BASE_OK) {
    status = project_velocity(&p, q, u);
  }
  base_arena_release(arena, mark);
  return status;
}
