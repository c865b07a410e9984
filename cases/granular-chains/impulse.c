/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Energy and momentum of the chains from a run of `ccp` sampled at every step: the impulses r that
 * the record tells of each, with the directions W that the model has at its beginning, must explain
 * the motion,
 *
 *   M (u^{l+1} - u^l) - dt h = W r,
 *
 * and what they do makes the accounts. With K_mu containing r, r . xi = 0, xi = (Phi/dt + v_N,
 * v_T), and the potential linear in q, the scheme's energy changes by
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

#include <limits.h>
#include <math.h>
#include <string.h>

enum { COLUMNS = 3, DIM = 2 };

struct follower {
  const struct mech *m;
  double mass, mu, dt; /* [kg], [-], [s] */
  int disc;            /* block of interest */
  struct mech_contacts contacts;
  long *pair;                /* ids of pairs that have carried, out->counts.distinct of them */
  int *last;                 /* the step in which each did last */
  double *L;                 /* factors of M */
  double *h, *left, *Wr, *W; /* nu, nu, nu, nu x DIM */
  double momentum, impulse;  /* largest change of momentum, normal impulse [N s] */
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
                         .arena = arena};
  f->L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
  const int bodies = m->nu / COLUMNS, pairs = bodies * (bodies + 1) / 2; /* and the ground */
  f->pair = base_arena_push(arena, (size_t)pairs * sizeof *f->pair);
  f->last = base_arena_ints(arena, pairs);
  f->h = base_arena_doubles(arena, m->nu);
  f->left = base_arena_doubles(arena, m->nu);
  f->Wr = base_arena_doubles(arena, m->nu);
  f->W = base_arena_matrix(arena, m->nu, DIM);
  mech_contacts_init(&f->contacts, m, base_arena_child(arena));
  return mech_mass_factor(m, instance.q, f->L);
}

/* The contact of this id; -1: the model has none near. */
static int contact_of(const struct mech_contacts *c, long id) {
  int i = 0;
  while (i < c->n && c->id[i] != id) {
    ++i;
  }
  return i < c->n ? i : -1;
}

/* Count pair `id` that carries in step l. */
static void count_pair(struct follower *f, long id, int l, struct granular_chains_counts *counts) {
  int i = 0;
  while (i < counts->distinct && f->pair[i] != id) {
    ++i;
  }
  if (i == counts->distinct) {
    f->pair[counts->distinct++] = id;
    f->last[i] = INT_MIN / 2;
  }
  counts->episodes += (l - f->last[i]) * f->dt > GRANULAR_CHAINS_APART;
  counts->carried++;
  f->last[i] = l;
}

/* Accounts of contact i with impulse r in the step from sample l; returns what stabilisation gives
 * [J]. */
static double account(struct follower *f, const struct case_series *s, int l, int i,
                      const double r[DIM], struct granular_chains_steps *out) {
  const struct mech_contacts *c = &f->contacts;
  const double *u = s->u + (long)l * s->nu;
  const int is_pair = c->mu[i] > 0, begins = !case_series_carried(s, l, c->id[i]);
  double v0[DIM], v1[DIM];
  mech_contacts_block_velocity(c, i, u, v0);
  mech_contacts_block_velocity(c, i, u + s->nu, v1);
  out->impact += 0.5 * r[0] * (v0[0] + v1[0]);
  out->friction += 0.5 * r[1] * (v0[1] + v1[1]);
  out->off_cone = case_worst(out->off_cone, fabs(r[1]) - c->mu[i] * r[0]);
  f->impulse = case_worst(f->impulse, r[0]);
  if (is_pair) {
    count_pair(f, c->id[i], l, &out->counts);
  }
  out->pairs[l] += is_pair;
  out->onsets += begins && is_pair;
  out->rope_onsets += begins && !is_pair;
  if (is_pair && (c->body[DIM * i] == f->disc || c->body[DIM * i + 1] == f->disc)) {
    out->normal[l] += r[0];
  }
  return -r[0] * c->gN[i] / f->dt;
}

/* Take W r of contact i from what is left to explain. */
static void explain(struct follower *f, int i, const double r[DIM]) {
  const int nu = f->m->nu;
  memset(f->W, 0, (size_t)nu * DIM * sizeof *f->W);
  mech_contacts_add_columns(&f->contacts, i, f->W);
  la_gemv(nu, DIM, 1, f->W, r, 0, f->Wr);
  mech_mass_solve(f->m, f->L, 1, f->Wr);
  la_axpy(nu, -1, f->Wr, f->left);
}

static int follow_step(struct follower *f, const struct case_series *s, int l,
                       struct granular_chains_steps *out) {
  const struct mech *m = f->m;
  const double *q0 = s->q + (long)l * s->nq, *u0 = s->u + (long)l * s->nu, *u1 = u0 + s->nu;
  double given = 0;
  f->dt = s->t[l + 1] - s->t[l];
  mech_contacts_find(m, q0, NULL, 2 * m->ops->bodies.approach(m, q0, u1, f->dt), &f->contacts);
  m->ops->force(m, q0, u0, s->t[l], f->h);
  mech_mass_solve(m, f->L, 1, f->h);
  for (int i = 0; i < m->nu; ++i) {
    f->left[i] = u1[i] - u0[i] - f->dt * f->h[i];
  }
  f->momentum = case_worst(f->momentum, f->mass * la_norm_inf(m->nu, f->left));
  const long onsets = out->onsets;
  for (int k = s->first[l + 1]; k < s->first[l + 2]; ++k) {
    const int i = contact_of(&f->contacts, s->contact[k]);
    if (i < 0) {
      return base_fail(BASE_FAILED, "contact %ld of the record is none of the model's at %g s",
                       s->contact[k], s->t[l]);
    }
    const double gives = account(f, s, l, i, s->impulse + (long)DIM * k, out);
    explain(f, i, s->impulse + (long)DIM * k);
    given += gives;
    out->stabilisation += fmax(gives, 0);
  }
  out->residual = case_worst(out->residual, f->mass * la_norm_inf(m->nu, f->left));
  const double rise = out->energy[l + 1] - out->energy[l] - fmax(given, 0);
  out->rise = case_worst(out->rise, rise);
  out->counts.instants += out->onsets > onsets;
  out->counts.falls += out->onsets > onsets && rise < -GRANULAR_CHAINS_BUDGET;
  out->counts.most = out->pairs[l] > out->counts.most ? out->pairs[l] : out->counts.most;
  out->friction_so_far[l] = out->friction;
  out->impact_so_far[l] = out->impact;
  if (out->pairs[l] > 0 && isnan(out->first)) {
    out->first = s->t[l];
  }
  return BASE_OK;
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
  if (s->first == NULL || s->dim != DIM) {
    return base_fail(BASE_FAILED, "the record of run '%s' tells no impulses", s->run->label);
  }
  *out = (struct granular_chains_steps){.n = s->n - 1, .first = NAN, .rise = -INFINITY};
  out->energy = base_arena_doubles(arena, s->n);
  out->pairs = base_arena_ints(arena, s->n);
  out->normal = base_arena_doubles(arena, s->n);
  out->friction_so_far = base_arena_doubles(arena, s->n);
  out->impact_so_far = base_arena_doubles(arena, s->n);
  for (int l = 0; l < s->n; ++l) {
    out->energy[l] = granular_chains_kinetic(p, s->u + (long)l * s->nu) +
                     granular_chains_potential(p, s->q + (long)l * s->nq);
  }
  double vy[2] = {0, 0};
  for (int i = 1; i < s->nu; i += COLUMNS) {
    vy[0] += s->u[i];
    vy[1] += s->u[(long)(s->n - 1) * s->nu + i];
  }
  int status = BASE_OK;
  for (int l = 0; l < out->n && status == BASE_OK; ++l) {
    status = follow_step(&f, s, l, out);
  }
  out->numerical = 0.5 * f.mass * case_real(p, "g") * f.dt * (vy[1] - vy[0]);
  out->residual /= f.momentum;
  out->off_cone /= f.impulse;
  return status;
}
