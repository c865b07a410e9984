/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulses and energy of the chains from a trajectory of `ccp` alone. In a step from l to l + 1 the
 * contacts that may carry at all have Phi/dt + v_N <= mu |v_T|, v = W^T u^{l+1}; their impulses are
 * the least-squares solution of
 *
 *   W r = M (u^{l+1} - u^l) - dt h,
 *
 * exact where they explain the motion (what is left over is reported). With K_mu containing r,
 * r . xi = 0, xi = (Phi/dt + v_N, v_T), and the potential linear in q, the scheme's energy changes
 * by
 *
 *   E^{l+1} - E^l = - sum r_N Phi/dt - |u^{l+1} - u^l|_M^2 / 2,
 *
 * that is, it rises only by what stabilisation gives where Phi < 0. In the budget gravity's
 * semi-implicit part is numerical, m g dt/2 (vy^{l+1} - vy^l) a disc.
 */
#include "cases/granular-chains/granular-chains.h"

#include "base/status.h"
#include "cases/figure/series.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 3 };
/* Slack of the condition to carry, and least impulse that counts, over the system's speed: far
 * above what solvers leave, far below a step's share of gravity (2e-3). */
static const double CARRY_SPEED = 1e-6, CARRY_IMPULSE = 1e-8;
/* Pivots of W^T M^-1 W, relative, below which directions are dependent. */
static const double RANK = 1e-11;

struct follower {
  const struct mech *m;
  double mass, mu, dt; /* [kg], [-], [s] */
  int disc;            /* block of interest */
  struct mech_contacts contacts;
  double *L;                 /* factors of M */
  double *h, *du, *M;        /* nu, nu, blocks */
  long *before, *now;        /* ids that carry */
  int n_before, n_now, room; /* room: of the two */
  double largest;            /* momentum [N s] */
  struct base_arena *arena;
};

static int follower_init(struct follower *f, const struct case_parameters *p, int disc,
                         struct base_arena *arena) {
  struct case_instance instance = {0};
  if (granular_chains_build(p, arena, &instance) != BASE_OK) {
    return BASE_FAILED;
  }
  const struct mech *m = instance.mech;
  *f = (struct follower){.m = m,
                         .mass = case_real(p, "m"),
                         .mu = case_real(p, "mu"),
                         .disc = disc - 1,
                         .room = 8 * m->nb,
                         .arena = arena};
  f->L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
  f->h = base_arena_doubles(arena, m->nu);
  f->du = base_arena_doubles(arena, m->nu);
  f->before = base_arena_push(arena, (size_t)f->room * sizeof *f->before);
  f->now = base_arena_push(arena, (size_t)f->room * sizeof *f->now);
  mech_contacts_init(&f->contacts, m, base_arena_child(arena));
  return mech_mass_factor(m, instance.q, f->L);
}

/* A step's contact that may carry: its number, its directions used (a rope: the normal alone). */
struct candidate {
  int contact, first, count;
};

static int find_candidates(const struct follower *f, const double *u1, struct candidate *list,
                           int *columns) {
  const struct mech_contacts *c = &f->contacts;
  int n = 0;
  *columns = 0;
  for (int i = 0; i < c->n; ++i) {
    double v[2];
    mech_contacts_velocity_of(c, i, u1, v);
    if (c->gN[i] / f->dt + v[0] <= c->mu[i] * fabs(v[1]) + CARRY_SPEED * f->m->speed) {
      list[n++] = (struct candidate){i, *columns, c->mu[i] > 0 ? 2 : 1};
      *columns += list[n - 1].count;
    }
  }
  return n;
}

/* W of the candidates: nu x columns, dense. */
static double *directions(const struct follower *f, int n, const struct candidate *list,
                          int columns) {
  const struct mech_contacts *c = &f->contacts;
  double *W = base_arena_matrix(f->arena, f->m->nu, columns);
  double *both = base_arena_matrix(f->arena, f->m->nu, c->dim);
  for (int j = 0; j < n; ++j) {
    memset(both, 0, (size_t)f->m->nu * (size_t)c->dim * sizeof *both);
    mech_contacts_add_columns(c, list[j].contact, both);
    la_copy((long)f->m->nu * list[j].count, both, W + (long)list[j].first * f->m->nu);
  }
  return W;
}

/* r: columns, so that W r = M du in the least-squares sense of M^-1; returns |W r - M du|. */
static double least_squares(struct follower *f, int columns, const double *W, double *r) {
  const int nu = f->m->nu;
  double *X = base_arena_matrix(f->arena, nu, columns);
  double *A = base_arena_matrix(f->arena, columns, columns);
  double *left = base_arena_doubles(f->arena, nu);
  int *perm = base_arena_ints(f->arena, columns);
  la_copy((long)nu * columns, W, X);
  mech_mass_solve(f->m, f->L, columns, X);
  la_gemm_t(columns, columns, nu, 1, W, X, 0, A);
  la_gemv_t(nu, columns, 1, W, f->du, 0, r);
  const int rank = la_pchol_factor(columns, A, perm, RANK);
  la_pchol_solve(columns, rank, 1, A, perm, r, f->arena);
  la_copy(nu, f->du, left);
  la_gemv(nu, columns, -1, X, r, 1, left);
  f->largest = fmax(f->largest, f->mass * la_norm_inf(nu, f->du));
  return f->mass * la_norm_inf(nu, left);
}

static int carried_before(const struct follower *f, long id) {
  for (int i = 0; i < f->n_before; ++i) {
    if (f->before[i] == id) {
      return 1;
    }
  }
  return 0;
}

/* Accounts of one contact with impulse r; returns what stabilisation gives [J]. */
static double account(struct follower *f, const struct candidate *one, const double *r,
                      const double *u0, const double *u1, int step,
                      struct granular_chains_steps *out) {
  const struct mech_contacts *c = &f->contacts;
  const int i = one->contact, is_pair = one->count == 2;
  double work[2] = {0, 0}, v0[2], v1[2];
  mech_contacts_velocity_of(c, i, u0, v0);
  mech_contacts_velocity_of(c, i, u1, v1);
  for (int d = 0; d < one->count; ++d) {
    work[d] = 0.5 * r[d] * (v0[d] + v1[d]);
  }
  out->impact += work[0];
  out->friction += work[1];
  out->lowest = -case_worst(-out->lowest, -r[0]);
  if (r[0] > CARRY_IMPULSE * f->mass * f->m->speed && f->n_now < f->room) {
    const int closes = !carried_before(f, c->id[i]);
    f->now[f->n_now++] = c->id[i];
    out->pairs[step] += is_pair;
    out->closings += closes && is_pair;
    out->rope_closings += closes && !is_pair;
  }
  if (is_pair && (c->body[2 * i] == f->disc || c->body[2 * i + 1] == f->disc)) {
    out->normal[step] += r[0];
  }
  return -r[0] * c->gN[i] / f->dt;
}

static void follow_step(struct follower *f, const struct case_series *s, int l,
                        struct granular_chains_steps *out) {
  const struct mech *m = f->m;
  const struct base_arena_mark mark = base_arena_mark(f->arena);
  const double *q0 = s->q + (long)l * s->nq, *u0 = s->u + (long)l * s->nu, *u1 = u0 + s->nu;
  f->dt = s->t[l + 1] - s->t[l];
  mech_contacts_find(m, q0, NULL, 2 * m->ops->bodies.approach(m, q0, u1, f->dt), &f->contacts);
  struct candidate *list = base_arena_push(f->arena, (size_t)(f->contacts.n + 1) * sizeof *list);
  int columns;
  const int n = find_candidates(f, u1, list, &columns);
  double *r = base_arena_doubles(f->arena, columns + 1);
  m->ops->force(m, q0, u0, s->t[l], f->h);
  mech_mass_solve(m, f->L, 1, f->h);
  for (int i = 0; i < m->nu; ++i) {
    f->du[i] = u1[i] - u0[i] - f->dt * f->h[i];
  }
  out->residual =
      case_worst(out->residual, least_squares(f, columns, directions(f, n, list, columns), r));
  double given = 0, stabilisation = 0;
  f->n_now = 0;
  for (int j = 0; j < n; ++j) {
    const double gives = account(f, &list[j], r + list[j].first, u0, u1, l, out);
    given += gives;
    stabilisation += fmax(gives, 0);
  }
  out->stabilisation += stabilisation;
  out->rise = fmax(out->rise, out->energy[l + 1] - out->energy[l] - fmax(given, 0));
  if (out->pairs[l] > 0 && isnan(out->first)) {
    out->first = s->t[l];
  }
  long *swap = f->before;
  f->before = f->now;
  f->now = swap;
  f->n_before = f->n_now;
  base_arena_release(f->arena, mark);
}

int granular_chains_follow(const struct case_parameters *p, const struct case_series *s, int disc,
                           struct base_arena *arena, struct granular_chains_steps *out) {
  struct follower f;
  if (follower_init(&f, p, disc, arena) != BASE_OK) {
    return BASE_FAILED;
  }
  if (s->nq != f.m->nq || s->n < 2) {
    return base_fail(BASE_FAILED, "the run has no trajectory of %d coordinates", f.m->nq);
  }
  *out = (struct granular_chains_steps){.n = s->n - 1, .first = NAN, .rise = -INFINITY};
  out->energy = base_arena_doubles(arena, s->n);
  out->pairs = base_arena_ints(arena, s->n);
  out->normal = base_arena_doubles(arena, s->n);
  for (int l = 0; l < s->n; ++l) {
    out->energy[l] = granular_chains_kinetic(p, s->u + (long)l * s->nu) +
                     granular_chains_potential(p, s->q + (long)l * s->nq);
  }
  double vy[2] = {0, 0};
  for (int i = 1; i < s->nu; i += COLUMNS) {
    vy[0] += s->u[i];
    vy[1] += s->u[(long)(s->n - 1) * s->nu + i];
  }
  for (int l = 0; l < out->n; ++l) {
    follow_step(&f, s, l, out);
  }
  out->numerical = 0.5 * f.mass * case_real(p, "g") * f.dt * (vy[1] - vy[0]);
  out->residual /= f.largest;
  return BASE_OK;
}
