/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Smooth motion under given contact modes (see event.h): accelerations and contact forces from
 *
 *   M du/dt = h + W_S lambda_S + sum_closed (W_N lambda_N + W_T lambda_T),
 *   d/dt (W_S^T u) = 0,  d/dt (W_N^T u) = 0 where closed,  d/dt (W_T^T u) = 0 where sticking,
 *   lambda_T = -mu lambda_N v_T / |v_T| where sliding,
 *
 * the index-one form of the equations of motion (moeller 3.31, 3.7). What integration lets drift
 * off the surfaces g_S = 0, g_N = 0, gamma_S = 0, gamma_N = 0 is put back after every step by the
 * mass-orthogonal projection event_project(), a correction of the size of the integration error.
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/law.h"
#include "form/delassus.h"
#include "form/event.h"
#include "la/dense.h"
#include "problem/local.h"

enum { START_SWEEPS = 100 }; /* over contacts that start to slide; of one alone two are enough */
/* Directions that move by less [-] are found: round-off. */
static const double START_TOLERANCE = 1e-14;
/* Friction this far inside its cone, relative, holds the contact: above what events are found to.
 */
static const double START_EDGE = 1e-8;

void event_flow_init(struct event_flow *flow, const struct mech *m, struct base_arena *arena) {
  memset(flow, 0, sizeof *flow);
  mech_contacts_init(&flow->contacts, m, arena);
  flow->qdot = base_arena_doubles(arena, m->nq);
  flow->du = base_arena_doubles(arena, m->nu);
}

/* W of contact i as dim dense columns, nu x dim. */
static void dense_columns(const struct mech *m, const struct mech_contacts *c, int i, double *W) {
  for (int k = 0; k < 2; ++k) {
    const int body = c->body[2 * i + k];
    const double *block = mech_contacts_block(c, i, k);
    for (int d = 0; body >= 0 && d < c->dim; ++d) {
      la_axpy(c->nv, 1, block + d * c->nv, W + (size_t)d * (size_t)m->nu + body * c->nv);
    }
  }
}

int event_respond(struct event_response *out, const struct mech *m, const struct mech_contacts *c,
                  int n, const int *index, int with_forces, double t, const double *q,
                  const double *u, struct base_arena *arena) {
  const int nu = m->nu, ns = m->ns, columns = m->dim * n;
  struct form_bilateral bilateral;
  mech_set_time(m, t);
  out->L = base_arena_doubles(arena, m->nb * m->nv * m->nv);
  out->W = base_arena_doubles(arena, nu * columns);
  out->X = base_arena_doubles(arena, nu * columns);
  out->A = base_arena_doubles(arena, columns * columns);
  out->a0 = with_forces ? base_arena_doubles(arena, nu) : NULL;
  if (mech_mass_factor(m, q, out->L) != BASE_OK) {
    return base_fail(BASE_FAILED, "the mass matrix is not positive definite");
  }
  form_bilateral_build(m, q, out->L, arena, &bilateral);
  for (int i = 0; i < n; ++i) {
    dense_columns(m, c, index[i], out->W + (size_t)i * (size_t)(m->dim * nu));
  }
  la_copy(nu * columns, out->W, out->X);
  mech_mass_solve(m, out->L, columns, out->X);
  double *rate = base_arena_doubles(arena, ns * (columns > 0 ? columns : 1));
  la_gemm_t(ns, columns, nu, 1, bilateral.WS, out->X, 0, rate);
  form_bilateral_eliminate(&bilateral, nu, columns, rate, out->X, arena);
  la_gemm_t(columns, columns, nu, 1, out->W, out->X, 0, out->A);
  if (with_forces) {
    m->ops->force(m, q, u, t, out->a0);
    mech_mass_solve(m, out->L, 1, out->a0);
    if (ns > 0) {
      mech_bilateral_bias(m, q, u, rate, arena);
      la_gemv_t(nu, ns, 1, bilateral.WS, out->a0, 1, rate);
      form_bilateral_eliminate(&bilateral, nu, 1, rate, out->a0, arena);
    }
  }
  return BASE_OK;
}

/* Direction in which contact i slides: its velocity's, or the given one while it has none. */
static void slide_direction(const struct mech *m, const double *v, const double *given, double *d) {
  /* In the plane the direction is part of the mode, so that the flow is smooth through v_T = 0. */
  const double speed = m->dim > 2 ? la_norm2(m->dim - 1, v + 1) : 0;
  for (int e = 0; e + 1 < m->dim; ++e) {
    d[e] = speed > 0 ? v[1 + e] / speed : given[e];
  }
}

/* A contact in this mode has its friction on the edge of the cone. */
static int slides(enum event_mode mode) { return mode == EVENT_SLIDE || mode == EVENT_START; }

/* Contact forces of the closed contacts by the rows their modes prescribe; lambda: dim x n. */
static void closed_forces(const struct mech *m, const struct event_flow *flow,
                          const struct event_response *response, int n, const int *index,
                          const enum event_mode *mode, const double *direction, const double *start,
                          double *lambda, struct base_arena *arena) {
  const int dim = m->dim, size = dim * n;
  const struct mech_contacts *c = &flow->contacts;
  int *row = base_arena_ints(arena, size), k = 0;
  double *force = base_arena_doubles(arena, size * size); /* columns: unit unknowns as forces */
  for (int i = 0; i < n; ++i) {
    const int edge = slides(mode[index[i]]);
    for (int d = 0; d < (edge ? 1 : dim); ++d) {
      force[k * size + i * dim + d] = 1;
      if (edge) {
        double along[CONTACT_DIM_MAX];
        if (mode[index[i]] == EVENT_START) {
          la_copy(dim - 1, start + i * (dim - 1), along);
        } else {
          slide_direction(m, flow->v + index[i] * dim, direction + index[i] * (dim - 1), along);
        }
        for (int e = 1; e < dim; ++e) {
          force[k * size + i * dim + e] = -c->mu[index[i]] * along[e - 1];
        }
      }
      row[k++] = i * dim + d;
    }
  }
  double *a = base_arena_doubles(arena, size), *AF = base_arena_doubles(arena, size * size);
  double *K = base_arena_doubles(arena, k * k), *y = base_arena_doubles(arena, k);
  double *x = base_arena_doubles(arena, k);
  la_gemv_t(m->nu, size, 1, response->W, response->a0, 0, a);
  la_gemm(size, k, size, 1, response->A, force, 0, AF);
  for (int i = 0; i < k; ++i) {
    y[i] = -a[row[i]] - c->bias[index[row[i] / dim] * dim + row[i] % dim];
    for (int j = 0; j < k; ++j) {
      K[j * k + i] = AF[j * size + row[i]];
    }
  }
  event_solve_rows(k, K, y, x, arena);
  la_gemv(size, k, 1, force, x, 0, lambda);
}

/* Directions of the contacts that start to slide, (dim - 1) x n: against the friction that solves
 * Coulomb's law between accelerations and forces, one contact at a time. flow->sticks: one of them
 * would rather stick. */
static void start_directions(const struct mech *m, struct event_flow *flow,
                             const struct event_response *response, int n, const int *index,
                             const enum event_mode *mode, const double *direction, double *start,
                             double *lambda, struct base_arena *arena) {
  const int dim = m->dim, size = dim * n;
  const struct mech_contacts *c = &flow->contacts;
  double *a = base_arena_doubles(arena, size), moved = 1;
  for (int i = 0; i < n; ++i) {
    la_copy(dim - 1, direction + index[i] * (dim - 1), start + i * (dim - 1));
  }
  for (int sweep = 0; sweep < START_SWEEPS && moved > START_TOLERANCE; ++sweep) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    closed_forces(m, flow, response, n, index, mode, direction, start, lambda, arena);
    base_arena_release(arena, mark);
    la_gemv_t(m->nu, size, 1, response->W, response->a0, 0, a);
    la_gemv(size, size, 1, response->A, lambda, 1, a);
    moved = 0;
    flow->sticks = 0;
    for (int i = 0; i < n; ++i) {
      double A[CONTACT_DIM_MAX * CONTACT_DIM_MAX], b[CONTACT_DIM_MAX], r[CONTACT_DIM_MAX];
      if (mode[index[i]] != EVENT_START) {
        continue;
      }
      for (int d = 0; d < dim; ++d) {
        r[d] = lambda[i * dim + d];
        b[d] = a[i * dim + d] + c->bias[index[i] * dim + d];
        for (int e = 0; e < dim; ++e) {
          A[d * dim + e] =
              response->A[(size_t)(i * dim + e) * (size_t)size + (size_t)(i * dim + d)];
          b[d] -= A[d * dim + e] * lambda[i * dim + e];
        }
      }
      problem_local_coulomb(dim, c->mu[index[i]], A, b, r);
      const double friction = la_norm2(dim - 1, r + 1);
      flow->sticks |= friction < c->mu[index[i]] * r[0] * (1 - START_EDGE);
      for (int e = 1; e < dim && friction > 0; ++e) {
        double *along = start + i * (dim - 1) + e - 1;
        moved = fmax(moved, fabs(*along + r[e] / friction));
        *along = -r[e] / friction;
      }
    }
  }
}

/* Power of an optional force f(q, u, t). */
static double power_of(void (*force)(const struct mech *, const double *, const double *, double,
                                     double *),
                       const struct mech *m, const double *q, const double *u, double t,
                       struct base_arena *arena) {
  if (force == NULL) {
    return 0;
  }
  double *f = base_arena_doubles(arena, m->nu);
  force(m, q, u, t, f);
  return la_dot(m->nu, f, u);
}

int event_flow_evaluate(struct event_flow *flow, const struct mech *m, const enum event_mode *mode,
                        const double *direction, double t, const double *q, const double *u,
                        struct base_arena *arena) {
  struct mech_contacts *c = &flow->contacts;
  mech_contacts_clear(c);
  if (m->ops->contacts != NULL) {
    m->ops->contacts(m, q, u, INFINITY, c);
  }
  if (flow->v == NULL) {
    flow->nc = c->n;
    flow->v = base_arena_doubles(c->arena, m->dim * c->n);
    flow->force = base_arena_doubles(c->arena, m->dim * c->n);
  }
  if (c->n != flow->nc) {
    return base_fail(BASE_FAILED, "the list of potential contacts changed from %d to %d", flow->nc,
                     c->n);
  }
  mech_contacts_velocity(c, u, flow->v);
  memset(flow->force, 0, (size_t)(m->dim * flow->nc) * sizeof *flow->force);
  const struct base_arena_mark mark = base_arena_mark(arena);
  int *closed = base_arena_ints(arena, flow->nc), n = 0;
  for (int i = 0; mode != NULL && i < flow->nc; ++i) {
    if (mode[i] != EVENT_OPEN) {
      closed[n++] = i;
    }
  }
  struct event_response response;
  const int status = event_respond(&response, m, c, n, closed, 1, t, q, u, arena);
  if (status == BASE_OK) {
    double *lambda = base_arena_doubles(arena, m->dim * n);
    double *start = base_arena_doubles(arena, (m->dim - 1) * n);
    flow->sticks = 0;
    for (int i = 0, found = 0; i < n && !found; ++i) {
      if ((found = mode[closed[i]] == EVENT_START) != 0) {
        start_directions(m, flow, &response, n, closed, mode, direction, start, lambda, arena);
      }
    }
    if (n > 0) {
      closed_forces(m, flow, &response, n, closed, mode, direction, start, lambda, arena);
    }
    la_copy(m->nu, response.a0, flow->du);
    la_gemv(m->nu, m->dim * n, 1, response.X, lambda, 1, flow->du);
    mech_qdot(m, q, u, flow->qdot, arena);
    flow->power[0] = 0;
    for (int i = 0; i < n; ++i) {
      la_copy(m->dim, lambda + i * m->dim, flow->force + closed[i] * m->dim);
      if (slides(mode[closed[i]])) {
        flow->power[0] +=
            la_dot(m->dim - 1, lambda + i * m->dim + 1, flow->v + closed[i] * m->dim + 1);
      }
    }
    flow->power[1] = power_of(m->ops->damping, m, q, u, t, arena);
    flow->power[2] = power_of(m->ops->applied, m, q, u, t, arena);
  }
  base_arena_release(arena, mark);
  return status;
}

int event_project(const struct mech *m, struct event_flow *flow, const enum event_mode *mode,
                  double *q, double *u, struct base_arena *arena) {
  const int dim = m->dim;
  const double t = m->clock != NULL ? *m->clock : 0;
  int status = m->ns > 0 ? mech_project(m, q, u, arena) : BASE_OK;
  struct mech_contacts *c = &flow->contacts;
  const struct base_arena_mark mark = base_arena_mark(arena);
  int *closed = base_arena_ints(arena, flow->nc), n = 0;
  for (int i = 0; i < flow->nc; ++i) {
    if (mode[i] != EVENT_OPEN) {
      closed[n++] = i;
    }
  }
  /* The correction is of the order of round-off: one step each for gaps and for velocities. */
  for (int level = 0; level < 2 && n > 0 && status == BASE_OK; ++level) {
    struct event_response response;
    mech_contacts_clear(c);
    m->ops->contacts(m, q, u, INFINITY, c);
    mech_contacts_velocity(c, u, flow->v);
    status = event_respond(&response, m, c, n, closed, 0, t, q, u, arena);
    if (status != BASE_OK) {
      break;
    }
    int *row = base_arena_ints(arena, dim * n), k = 0;
    double *y = base_arena_doubles(arena, dim * n), *x = base_arena_doubles(arena, dim * n);
    double *r = base_arena_doubles(arena, dim * n),
           *K = base_arena_doubles(arena, dim * n * dim * n);
    for (int i = 0; i < n; ++i) {
      const int rows = level == 1 && mode[closed[i]] == EVENT_STICK ? dim : 1;
      for (int d = 0; d < rows; ++d) {
        y[k] = level == 0 ? -c->gN[closed[i]] : -flow->v[closed[i] * dim + d];
        row[k++] = i * dim + d;
      }
    }
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i < k; ++i) {
        K[j * k + i] = response.A[row[j] * dim * n + row[i]];
      }
    }
    event_solve_rows(k, K, y, x, arena);
    for (int j = 0; j < k; ++j) {
      r[row[j]] = x[j];
    }
    double *du = base_arena_doubles(arena, m->nu), *dq = base_arena_doubles(arena, m->nq);
    la_gemv(m->nu, dim * n, 1, response.X, r, 0, du);
    if (level == 0) {
      mech_qdot(m, q, du, dq, arena);
      la_axpy(m->nq, 1, dq, q);
    } else {
      la_axpy(m->nu, 1, du, u);
    }
  }
  base_arena_release(arena, mark);
  return status;
}
