/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent initial states: q onto g_S = 0 by Newton's method with corrections that are orthogonal
 * in the mass metric,
 *
 *   (W_S^T M^-1 W_S) lambda = -g_S,   q <- q + F M^-1 W_S lambda,
 *
 * then u onto gamma_S = W_S^T u (+ chi of a prescribed motion) = 0 by the same matrix. Constraints
 * may be redundant as long as they do not contradict each other: the elimination
 * (bilateral/bilateral.h) then solves for a basis of them, and the rest is checked. What
 * integration lets drift is put back by the same, as long as it is drift: a velocity that misses a
 * constraint by more has jumped, and a jump is an impact, not a correction. Quaternions keep their
 * length only as far as g_S holds them; a system that has them outside g_S normalises.
 */
#include "mech/bilateral/bilateral.h"

#include "base/status.h"
#include "la/dense.h"
#include "mech/difference.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PROJECT_NEWTON_MAX = 50, PROJECT_VELOCITY_PASSES = 3 };
/* Newton is at round-off when a correction is a few last places of the coordinates ... */
static const double PROJECT_LAST_PLACES = 4 * DBL_EPSILON;
/* ... or when it is this small already [-] and does not shrink by half any more. */
static const double PROJECT_SMALL = 1e-9;
/* What a redundant constraint may miss after that [-, of coordinates or velocities]. */
static const double PROJECT_MISSED = 1e-10;

/* What rates miss by more has jumped. */
static const double PROJECT_JUMP = 1e-9;

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

void mech_bilateral_name(const struct mech *m, int row, char text[MECH_NAME]) {
  if (m->ops->bodies.bilateral_name != NULL) {
    m->ops->bodies.bilateral_name(m, row, text, MECH_NAME);
  } else {
    snprintf(text, MECH_NAME, "bilateral constraint %d", row);
  }
}

double mech_rate_missed(const struct mech *m, const double *q, const double *u, int *row,
                        struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct mech_bilateral *b = mech_bilateral_alloc(m, MECH_BILATERAL_AUTO, arena);
  double *rate = base_arena_doubles(arena, m->ns);
  double missed = 0;
  if (row != NULL) {
    *row = -1;
  }
  if (m->ns > 0 && mech_bilateral_place(b, q) == BASE_OK) {
    mech_bilateral_gamma(b, q, u, rate);
    missed = mech_bilateral_largest(b, rate, row);
  }
  mech_bilateral_free(b);
  base_arena_release(arena, mark);
  return missed;
}

int mech_rates_jump(const struct mech *m, const double *q, const double *u,
                    struct base_arena *arena) {
  return mech_rate_missed(m, q, u, NULL, arena) >
         PROJECT_JUMP * fmax(m->speed, la_norm_inf(m->nu, u));
}

/* BASE_FAILED, and which, when a constraint misses more than integration lets drift. */
static int check_drift(const struct projection *p, const double *residual, double most,
                       const char *unit) {
  int row;
  const double missed = mech_bilateral_largest(p->bilateral, residual, &row);
  char name[MECH_NAME];
  if (missed <= most) {
    return BASE_OK;
  }
  mech_bilateral_name(p->m, row, name);
  return base_fail(BASE_FAILED,
                   "%s: %s is missed by %.3g %s; integration lets drift no more than %.3g",
                   p->m->name, name, missed, unit, most);
}

/* most: what the first correction may be [m, -]. */
static int project_position(struct projection *p, double *q, double most) {
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
    int status = projection_factor(p, q);
    if (status == BASE_OK && it == 0) {
      status = check_drift(p, p->lambda, most, "m (rad)");
    }
    if (status != BASE_OK) {
      return status;
    }
    const double missed = mech_bilateral_largest(p->bilateral, p->lambda, NULL);
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

/* most: what the first correction may be [m/s, ...]. */
static int project_velocity(struct projection *p, const double *q, double *u, double most) {
  const struct mech *m = p->m;
  int status = projection_factor(p, q);
  /* One pass is exact but for rounding; the others refine it. */
  for (int pass = 0; pass < PROJECT_VELOCITY_PASSES && status == BASE_OK; ++pass) {
    mech_bilateral_gamma(p->bilateral, q, u, p->lambda);
    if (la_norm_inf(m->ns, p->lambda) == 0) {
      return BASE_OK;
    }
    status = pass == 0 ? check_drift(p, p->lambda, most, "m/s (rad/s)") : BASE_OK;
    if (status == BASE_OK) {
      projection_correct(p, p->lambda);
      la_axpy(m->nu, 1, p->du, u);
    }
  }
  if (status != BASE_OK) {
    return status;
  }
  mech_bilateral_gamma(p->bilateral, q, u, p->lambda);
  const double missed = mech_bilateral_largest(p->bilateral, p->lambda, NULL);
  const double scale = fmax(la_norm_inf(m->nu, u), m->speed);
  if (!(missed <= PROJECT_MISSED * scale)) {
    return base_fail(BASE_FAILED, "%s: no velocity with gamma_S = 0 found (off by %.3g)", m->name,
                     missed);
  }
  return BASE_OK;
}

int mech_project_with(struct mech_bilateral *bilateral, struct mech_drift most, double *q,
                      double *u, struct base_arena *arena) {
  const struct mech *m = bilateral->m;
  if (m->ns == 0) {
    return BASE_OK;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct projection p = {.m = m,
                         .arena = arena,
                         .bilateral = bilateral,
                         .L = base_arena_push(arena, mech_mass_size(m) * sizeof(double)),
                         .lambda = base_arena_doubles(arena, m->ns),
                         .du = base_arena_doubles(arena, m->nu),
                         .dq = base_arena_doubles(arena, m->nq)};
  int status = project_position(&p, q, most.q);
  if (status == BASE_OK && u != NULL) {
    status = project_velocity(&p, q, u, most.u);
  }
  base_arena_release(arena, mark);
  return status;
}

const struct mech_drift mech_any_drift = {INFINITY, INFINITY};

int mech_project(const struct mech *m, double *q, double *u, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct mech_bilateral *bilateral = mech_bilateral_alloc(m, MECH_BILATERAL_AUTO, arena);
  const int status = mech_project_with(bilateral, mech_any_drift, q, u, arena);
  mech_bilateral_free(bilateral);
  base_arena_release(arena, mark);
  return status;
}

int mech_project_position(const struct mech *m, double *q, struct base_arena *arena) {
  return mech_project(m, q, NULL, arena);
}
