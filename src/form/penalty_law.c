/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contact law of `penalty`. With pen = -g_N > 0 and pen' = -gamma_N,
 *
 *   f_N = K pen + D pen'            (linear spring and damper, as in yu), max(f_N, 0) with clamp
 *   f_T = -mu max(f_N, 0) tanh(|v_T| / v_reg) v_T / |v_T|
 *
 * No force acts at pen <= 0. Friction never takes part in attraction.
 *
 * Where D is not given it follows from eps_N, D = 2 zeta sqrt(K m) with the effective mass m = 1 /
 * (W_N^T M^-1 W_N) of the single contact, for which m pen'' + D pen' + K pen = 0, pen(0) = 0 has
 *
 *   pen = pen'(0) exp(-zeta w t) sin(s w t) / (s w),   w = sqrt(K/m), s = sqrt(1 - zeta^2).
 *
 * Unclamped, contact ends at pen = 0, half a period later:  eps = exp(-pi zeta / s), for zeta < 1;
 * zeta = 1 is its limit eps = 0.
 * Clamped, force ends where f_N = -m pen'' = 0, at tan(s w t) = 2 zeta s / (2 zeta^2 - 1), that is
 * s w t = 2 arccos zeta, with pen' = -pen'(0) exp(-zeta w t):
 *
 *   eps = exp(-2 zeta arccos(zeta) / s),   zeta > 1: exp(-2 zeta arcosh(zeta) / sqrt(zeta^2 - 1)),
 *
 * e^-2 = 0.135 at zeta = 1 and about 1 / (2 zeta)^2 for large zeta: eps = 0 takes an infinite D, so
 * contacts of less restitution than eps_min get the damping of eps_min.
 */
#include <math.h>
#include <string.h>

#include "form/penalty.h"
#include "la/dense.h"

/* Nearer to zeta = 1 than this, arccos(zeta) / s is replaced by its series 1 + (1 - zeta) / 3,
 * whose next term is then below round-off. */
static const double CRITICAL = 1e-8;
enum { BISECTIONS = 60 }; /* of an interval of a few units: to round-off */

/* arccos(zeta) / sqrt(1 - zeta^2), continued analytically beyond 1. */
static double angle_ratio(double zeta) {
  if (fabs(zeta - 1) < CRITICAL) {
    return 1 + (1 - zeta) / 3;
  }
  return zeta < 1 ? acos(zeta) / sqrt((1 - zeta) * (1 + zeta))
                  : acosh(zeta) / sqrt((zeta - 1) * (zeta + 1));
}

double penalty_restitution(double zeta, int clamp) {
  if (clamp) {
    return exp(-2 * zeta * angle_ratio(zeta));
  }
  return zeta < 1 ? exp(-M_PI * zeta / sqrt((1 - zeta) * (1 + zeta))) : 0;
}

double penalty_damping_ratio(double eps, int clamp) {
  if (eps >= 1) {
    return 0;
  }
  if (!clamp) {
    return eps > 0 ? 1 / hypot(1, M_PI / log(eps)) : 1;
  }
  /* eps falls as zeta grows, faster than 1 / (1 + 4 zeta^2) at large zeta. */
  double lo = 0, hi = 1;
  while (penalty_restitution(hi, 1) > eps) {
    lo = hi;
    hi *= 2;
  }
  for (int k = 0; k < BISECTIONS; ++k) {
    const double middle = 0.5 * (lo + hi);
    *(penalty_restitution(middle, 1) > eps ? &lo : &hi) = middle;
  }
  return 0.5 * (lo + hi);
}

/* W_N^T M^-1 W_N of contact i, bilateral constraints eliminated where b has them [1/kg]. */
static double inverse_mass(struct penalty_flow *flow, const struct form_bilateral *b, int i) {
  const struct mech *m = flow->m;
  const struct mech_contacts *c = &flow->contacts;
  const int nv = m->nv;
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  double sum = 0;
  if (b == NULL) {
    double *x = base_arena_doubles(flow->arena, nv);
    for (int k = 0; k < 2; ++k) {
      const int body = c->body[2 * i + k];
      if (body >= 0) {
        const double *w = mech_contacts_block(c, i, k);
        la_copy(nv, w, x);
        la_chol_solve(nv, 1, flow->L + (size_t)body * (size_t)(nv * nv), x);
        sum += la_dot(nv, w, x);
      }
    }
  } else {
    double *w = base_arena_doubles(flow->arena, m->nu), *x = base_arena_doubles(flow->arena, m->nu);
    double *rate = base_arena_doubles(flow->arena, m->ns);
    for (int k = 0; k < 2; ++k) {
      const int body = c->body[2 * i + k];
      if (body >= 0) {
        la_axpy(nv, 1, mech_contacts_block(c, i, k), w + (size_t)body * (size_t)nv);
      }
    }
    la_copy(m->nu, w, x);
    mech_mass_solve(m, flow->L, 1, x);
    la_gemv_t(m->nu, m->ns, 1, b->WS, x, 0, rate);
    form_bilateral_eliminate(b, m->nu, 1, rate, x, flow->arena);
    sum = la_dot(m->nu, w, x);
  }
  base_arena_release(flow->arena, mark);
  return sum;
}

static double damping_of(struct penalty_flow *flow, const struct form_bilateral *b, int i) {
  const struct penalty_options *o = flow->options;
  double eps = flow->contacts.eps_N[i];
  if (o->D >= 0) {
    return o->D;
  }
  if (eps >= 1) {
    return 0;
  }
  eps = o->clamp ? fmax(eps, o->eps_min) : eps;
  if (eps != flow->cached_eps) {
    flow->cached_eps = eps;
    flow->cached_zeta = penalty_damping_ratio(eps, o->clamp);
  }
  const double inverse = inverse_mass(flow, b, i);
  /* A contact whose bodies cannot move has no effective mass, and no speed to damp. */
  return inverse > 0 ? 2 * flow->cached_zeta * sqrt(o->K / inverse) : 0;
}

void penalty_law_apply(struct penalty_flow *flow, const struct form_bilateral *b, double *f,
                       double *power) {
  const struct penalty_options *o = flow->options;
  const struct mech_contacts *c = &flow->contacts;
  const int dim = c->dim;
  for (int i = 0; i < c->n; ++i) {
    const double pen = -c->gN[i], *v = flow->v + i * dim;
    double *r = flow->r + i * dim;
    memset(r, 0, (size_t)dim * sizeof *r);
    if (!flow->active[i]) {
      continue;
    }
    const double spring = o->K * pen;
    r[0] = spring - damping_of(flow, b, i) * v[0];
    if (o->clamp) {
      r[0] = fmax(r[0], 0);
    }
    power[PENALTY_IMPACT] += (r[0] - spring) * v[0];
    const double speed = la_norm2(dim - 1, v + 1);
    const double share = speed > 0 ? tanh(speed / o->v_reg) / speed : 0;
    for (int d = 1; d < dim; ++d) {
      r[d] = -c->mu[i] * fmax(r[0], 0) * share * v[d];
      power[PENALTY_FRICTION] += r[d] * v[d];
    }
  }
  mech_contacts_force(c, flow->r, f);
}
