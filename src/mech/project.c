/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent initial states: q onto g_S = 0 by Newton's method with corrections that are orthogonal
 * in the mass metric,
 *
 *   (W_S^T M^-1 W_S) lambda = -g_S,   q <- q + F M^-1 W_S lambda,
 *
 * then u onto gamma_S = W_S^T u (+ chi of a prescribed motion) = 0 by the same matrix. Constraints
 * may be redundant as long as they do not contradict each other: the elimination (bilateral.h) then
 * solves for a basis of them, and the rest is checked. Quaternions keep their length only as far as
 * g_S holds them; a system that has them outside g_S normalises.
 */
#include "mech/bilateral.h"

#include "base/status.h"
#include "la/dense.h"
#include "mech/difference.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PROJECT_NEWTON_MAX = 50, PROJECT_VELOCITY_PASSES = 3 };
/* Newton is at round-off when a correction is a few last places of the coordinates ... */
static const double PROJECT_LAST_PLACES = 4 * DBL_EPSILON;
/* ... or when it is this small already [-] and does not shrink by half any more. */
static const double PROJECT_SMALL = 1e-9;
/* What a redundant constraint may miss after that [-, of coordinates or velocities]. */
static const double PROJECT_MISSED = 1e-10;

struct projection {
  const struct mech *m;
  struct base_arena *arena;
  struct mech_bilateral *bilateral;
  double *L;      /* nb blocks nv x nv */
  double *lambda; /* ns */
  double *du;     /* nu */
  double *dq;     /* nq */
};

static int projection_factor(struct projection *p, const double *q) {
  const int status = mech_mass_factor(p->m, q, p->L);
  if (status != BASE_OK || mech_bilateral_build(p->bilateral, q, p->L) != BASE_OK) {
    return BASE_FAILED;
  }
  if (p->bilateral->rank < 0) {
    return base_fail(BASE_FAILED, "%s: bilateral constraints are not finite here", p->m->name);
  }
  return BASE_OK;
}

/* du = -M^-1 WS (WS^T M^-1 WS)^-1 residual; residual: ns, overwritten. */
static void projection_correct(struct projection *p, double *residual) {
  memset(p->du, 0, (size_t)p->m->nu * sizeof *p->du);
  mech_bilateral_eliminate(p->bilateral, 1, residual, p->du);
}

/* gamma: ns = gamma_S at u. */
static void rate_at(const struct projection *p, const double *q, const double *u, double *gamma) {
  mech_bilateral_velocity(p->bilateral, u, gamma);
  if (p->m->ops->bilateral_drift != NULL) {
    const struct base_arena_mark mark = base_arena_mark(p->arena);
    double *chi = base_arena_doubles(p->arena, p->m->ns);
    p->m->ops->bilateral_drift(p->m, q, chi);
    la_axpy(p->m->ns, 1, chi, gamma);
    base_arena_release(p->arena, mark);
  }
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
    const double missed = mech_bilateral_largest(p->bilateral, p->lambda);
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
    rate_at(p, q, u, p->lambda);
    if (la_norm_inf(m->ns, p->lambda) == 0) {
      return BASE_OK;
    }
    projection_correct(p, p->lambda);
    la_axpy(m->nu, 1, p->du, u);
  }
  rate_at(p, q, u, p->lambda);
  const double missed = mech_bilateral_largest(p->bilateral, p->lambda);
  const double scale = fmax(la_norm_inf(m->nu, u), m->speed);
  if (!(missed <= PROJECT_MISSED * scale)) {
    return base_fail(BASE_FAILED, "%s: no velocity with gamma_S = 0 found (off by %.3g)", m->name,
                     missed);
  }
  return BASE_OK;
}

int mech_project_with(struct mech_bilateral *bilateral, double *q, double *u,
                      struct base_arena *arena) {
  const struct mech *m = bilateral->m;
  if (m->ns == 0) {
    return BASE_OK;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct projection p = {.m = m,
                         .arena = arena,
                         .bilateral = bilateral,
                         .L = base_arena_doubles(arena, m->nb * m->nv * m->nv),
                         .lambda = base_arena_doubles(arena, m->ns),
                         .du = base_arena_doubles(arena, m->nu),
                         .dq = base_arena_doubles(arena, m->nq)};
  int status = project_position(&p, q);
  if (status == BASE_OK) {
    status = project_velocity(&p, q, u);
  }
  base_arena_release(arena, mark);
  return status;
}

int mech_project(const struct mech *m, double *q, double *u, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct mech_bilateral *bilateral = mech_bilateral_alloc(m, MECH_BILATERAL_AUTO, arena);
  const int status = mech_project_with(bilateral, q, u, arena);
  mech_bilateral_free(bilateral);
  base_arena_release(arena, mark);
  return status;
}
