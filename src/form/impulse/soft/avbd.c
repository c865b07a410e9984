/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Augmented vertex block descent (Giles, Diaz, Yuksel, ACM Trans. Graph. 44, 2025) of contacts: a
 * number of iterations over bodies and multipliers, in velocities,
 *
 *   C = (1 - alpha) C_0 + dt v,   C_0N = Phi,   v = W^T u
 *   f_N = max(0, lambda_N - k_N C_N),   f_T = lambda_T - k_T C_T within the disk of radius mu
 *   lambda_N
 *   a body at a time:  (M + dt^2 sum W k W^T) du = M (u_f - u) + dt sum W f,   u <- u + du
 *   then a contact at a time:  lambda <- f,   k <- min(k_max, k + ramp |C|) where f is within
 *   bounds
 *
 * C_0T is how far the two points of a contact slipped apart since they were joined: dt v_T is added
 * up as long as friction is within its disk and |C_0T| within `stick`; else they are joined anew
 * and C_0T is 0. So what sticks comes to rest (test_soft has the closed form), where without it
 * the part of lambda_T that a step gives up would be a creep. C_0T keeps to t1 and t2 as they turn.
 *
 * A step begins with u^B and with lambda and k of the step before times alpha gamma and gamma, k
 * not below k_min. A
 * contact is there as long as bodies overlap. So many iterations are its definition: no step is
 * unconverged, law.residual is that of exact Coulomb at the velocities of the end. These are what
 * the descent arrives at, not those of the impulses dt lambda: momentum is as exact as it has
 * converged. The source's terms of second order, which keep it stable where contacts turn, are left
 * out, since W is that of the beginning of the step, and its boxes of friction are disks here.
 * ramp is the source's beta. It is no pure number but a stiffness a length, N/m^2: the paper has
 * values from 1 to 1000, the authors' code 1e5, the default here. Systems with joints are refused.
 */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "base/status.h"
#include "form/impulse/parts.h"
#include "la/dense.h"

/* What an attempt works on: rows of the step. */
struct descent {
  struct impulse *w;
  const struct impulse_step *s;
  const struct form_impulse_options *o;
  int dim, nv, n;
  double *W;         /* 2 x n blocks nv x dim, of each contact on its bodies */
  double *M;         /* nb blocks nv x nv */
  double *lambda;    /* dim x n [N] */
  double *own;       /* 2 dim x n, as in struct form_memory */
  int *start, *list; /* contacts of each body: list[start[b] ...) holds 2 row + side */
  int *sticks;       /* n, friction was within its disk in the last iteration */
  double *u;         /* nu */
};

static const double *direction(const struct descent *d, int e) {
  return d->W + (size_t)e * (size_t)(d->nv * d->dim);
}

/* k of contact i, and C_0 behind it, of which the normal one is not used: dim each. */
static double *own_of(const struct descent *d, int i) { return d->own + 2 * d->dim * i; }

/* The blocks of M, a column of all of them at a time. */
static void put_masses(struct descent *d) {
  const struct mech *m = d->w->setup.mech;
  const struct base_arena_mark mark = base_arena_mark(d->w->setup.arena);
  double *x = base_arena_doubles(d->w->setup.arena, m->nu);
  for (int c = 0; c < d->nv; ++c) {
    for (int i = 0; i < m->nu; ++i) {
      x[i] = i % d->nv == c;
    }
    mech_mass_apply(m, d->w->L, x);
    for (int i = 0; i < m->nu; ++i) {
      d->M[(size_t)(i / d->nv) * (size_t)(d->nv * d->nv) + (size_t)(c * d->nv + i % d->nv)] = x[i];
    }
  }
  base_arena_release(d->w->setup.arena, mark);
}

/* Multipliers and stiffnesses of the step before. */
static void warm_up(struct descent *d) {
  const struct form_memory *memory = &d->w->memory;
  const struct form_impulse_options *o = d->o;
  int cursor = 0;
  for (int i = 0; i < d->n; ++i) {
    const int known = base_sorted_find(memory->n, memory->id, d->s->solved.contacts.id[i], &cursor);
    double *k = own_of(d, i), *offset = k + d->dim;
    for (int c = 0; c < d->dim; ++c) {
      const size_t at = (size_t)(d->dim * known + c), own = (size_t)(d->dim * known) + at;
      d->lambda[d->dim * i + c] = known >= 0 ? o->alpha * o->gamma * memory->r[at] / d->s->dt : 0;
      k[c] = fmax(o->k_min, known >= 0 ? o->gamma * memory->descent[own] : 0);
      offset[c] = known >= 0 ? memory->descent[own + (size_t)d->dim] : 0;
    }
  }
}

/* C of contact i, and f by the multipliers and stiffnesses at hand. Returns whether friction is
 * within its disk. */
static int force_of(const struct descent *d, int i, double *C, double *f) {
  const struct mech_contacts *c = &d->s->solved.contacts;
  const double *lambda = d->lambda + d->dim * i, *k = own_of(d, i), *offset = k + d->dim;
  double v[CONTACT_DIM_MAX], size = 0;
  mech_contacts_velocity_of(c, i, d->u, v);
  C[0] = d->s->dt * v[0] + (1 - d->o->alpha) * c->gN[i];
  f[0] = fmax(0, lambda[0] - k[0] * C[0]);
  for (int x = 1; x < d->dim; ++x) {
    C[x] = d->s->dt * v[x] + (1 - d->o->alpha) * offset[x];
    f[x] = lambda[x] - k[x] * C[x];
    size = hypot(size, f[x]);
  }
  const double most = c->mu[i] * lambda[0], part = size > most ? most / size : 1;
  for (int x = 1; x < d->dim; ++x) {
    f[x] *= part;
  }
  return part == 1;
}

static int descend_body(struct descent *d, int b) {
  const int nv = d->nv;
  const double dt = d->s->dt;
  const struct base_arena_mark mark = base_arena_mark(d->w->setup.arena);
  double *H = base_arena_matrix(d->w->setup.arena, nv, nv),
         *g = base_arena_doubles(d->w->setup.arena, nv);
  double *u = d->u + nv * b;
  const double *M = d->M + (size_t)(nv * nv) * (size_t)b;
  la_copy((long)nv * nv, M, H);
  for (int i = 0; i < nv; ++i) {
    for (int j = 0; j < nv; ++j) {
      g[i] += M[j * nv + i] * (d->w->u_free[nv * b + j] - u[j]);
    }
  }
  for (int e = d->start[b]; e < d->start[b + 1]; ++e) {
    const int i = d->list[e] / 2;
    double C[CONTACT_DIM_MAX], f[CONTACT_DIM_MAX];
    force_of(d, i, C, f);
    for (int x = 0; x < d->dim; ++x) {
      const double *W = direction(d, d->list[e]) + nv * x, k = own_of(d, i)[x];
      la_axpy(nv, dt * f[x], W, g);
      for (int j = 0; j < nv; ++j) {
        la_axpy(nv, dt * dt * k * W[j], W, H + nv * j);
      }
    }
  }
  const int status = la_chol_factor(nv, H);
  if (status == BASE_OK) {
    la_chol_solve(nv, 1, H, g);
    la_axpy(nv, 1, g, u);
  }
  base_arena_release(d->w->setup.arena, mark);
  return status;
}

static void update_multipliers(struct descent *d) {
  const struct form_impulse_options *o = d->o;
  for (int i = 0; i < d->n; ++i) {
    double C[CONTACT_DIM_MAX], *lambda = d->lambda + d->dim * i, *k = own_of(d, i);
    double f[CONTACT_DIM_MAX];
    d->sticks[i] = force_of(d, i, C, f);
    for (int x = 0; x < d->dim; ++x) {
      if (x == 0 ? f[0] > 0 : d->sticks[i]) {
        k[x] = fmin(o->k_max, k[x] + o->ramp * fabs(C[x]));
      }
      lambda[x] = f[x];
    }
  }
}

/* C_0 of the next step. */
static void move_anchors(struct descent *d) {
  for (int i = 0; i < d->n; ++i) {
    double v[CONTACT_DIM_MAX], *offset = own_of(d, i) + d->dim;
    const int stays = d->sticks[i] && la_norm2(d->dim - 1, offset + 1) < d->o->stick;
    mech_contacts_velocity_of(&d->s->solved.contacts, i, d->u, v);
    for (int x = 1; x < d->dim; ++x) {
      offset[x] = stays ? offset[x] + d->s->dt * v[x] : 0;
    }
  }
}

int impulse_descend(struct impulse *w, struct impulse_step *s, struct form_report *report) {
  const struct mech *m = w->setup.mech;
  const struct form_impulse_options *o = w->setup.options;
  struct base_arena *arena = w->setup.arena;
  const int dim = w->contacts.dim, n = w->rows.n;
  struct descent d = {.w = w, .s = s, .o = o, .dim = dim, .nv = m->nv, .n = n};
  d.W = base_arena_array(arena, 2 * (size_t)n, (size_t)(m->nv * dim), sizeof *d.W);
  d.M = base_arena_array(arena, (size_t)m->nb, (size_t)(m->nv * m->nv), sizeof *d.M);
  d.own = base_arena_matrix(arena, 2 * dim, n);
  d.lambda = base_arena_matrix(arena, dim, n);
  d.sticks = base_arena_ints(arena, n);
  d.start = base_arena_ints(arena, m->nb + 2);
  d.list = base_arena_ints(arena, 2 * n);
  impulse_own_velocity(w, s);
  d.u = s->solved.u;
  la_copy(m->nu, s->u_begin, d.u);
  for (int e = 0; e < 2 * n; ++e) {
    mech_contacts_directions(&s->solved.contacts, e / 2, e % 2,
                             d.W + (size_t)e * (size_t)(m->nv * dim));
  }
  put_masses(&d);
  base_group(2 * d.n, s->solved.contacts.body, w->setup.mech->nb, d.start, d.list);
  warm_up(&d);
  for (int iteration = 0; iteration < o->sweeps; ++iteration) {
    for (int b = 0; b < m->nb; ++b) {
      const int status = descend_body(&d, b);
      if (status != BASE_OK) {
        return status;
      }
    }
    update_multipliers(&d);
  }
  for (int i = 0; i < dim * n; ++i) {
    w->rows.r[i] = s->dt * d.lambda[i];
  }
  move_anchors(&d);
  w->rows.descent = d.own;
  s->u = d.u;
  report->iterations += o->sweeps;
  ++report->solves;
  return BASE_OK;
}

static const struct base_option avbd_options[] = {
    FORM_IMPULSE_PAIR(CONTACT_LAW_NCP, FORM_SCHEME_GAP),
    FORM_SOFTNESS_FIXED(FORM_SOFTNESS_AVBD),
    BASE_OPTION_INT(struct form_impulse_options, sweeps, 10, 1, 1000000,
                    "iterations a step, over bodies and multipliers"),
    BASE_OPTION_REAL(struct form_impulse_options, alpha, 0.99, 0, 1, "",
                     "overlap that a step does not correct"),
    BASE_OPTION_REAL(struct form_impulse_options, gamma, 0.99, 0, 1, "",
                     "fraction of multipliers and stiffnesses at the start of the next step"),
    BASE_OPTION_REAL(struct form_impulse_options, ramp, 1e5, 0, INFINITY, "N/m^2",
                     "beta: growth of a stiffness in an iteration over the violation C"),
    BASE_OPTION_REAL(struct form_impulse_options, k_min, 1000, 1e-300, INFINITY, "N/m",
                     "least stiffness"),
    BASE_OPTION_REAL(struct form_impulse_options, k_max, 1e7, 1e-300, INFINITY, "N/m",
                     "largest stiffness"),
    BASE_OPTION_REAL(struct form_impulse_options, stick, 0.01, 0, INFINITY, "m",
                     "largest slip of the points of a sticking contact before it gets new points"),
    FORM_SOFTNESS_STEP,
    BASE_OPTION_END};

const struct form form_avbd = {
    .name = "avbd",
    .look = {.colour = 0x817a25, .dashes = {6, 2}, .point = 16, .point_size = 0.9},
    FORM_IMPULSE_SWEEPS,
    .summary = "augmented vertex block descent of contacts, a number of iterations",
    .source = "Giles, Diaz, Yuksel 2025 (ACM Trans. Graph. 44)",
    .law = CONTACT_LAW_NCP,
    .options = avbd_options};
