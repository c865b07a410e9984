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
 *
 * granular_chains.steps('pairs') is a number a step, here of pairs that carry; other words below.
 */
#include "cases/granular-chains/granular-chains.h"

#include "base/status.h"
#include "cases/figure/series.h"
#include "la/dense.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { COLUMNS = 3, DIM = 2, DISC = 10 /* the end of the left branch */ };
static const double APART = 0.01; /* [s] */

/* What a step tells; a pair are two discs, or a disc and the ground. */
enum {
  PAIRS,    /* that carry */
  ONSETS,   /* of them: did not in the step before */
  ROPES,    /* that carry and did not in the step before */
  NEW,      /* pairs that carry for the first time */
  EPISODES, /* pairs that have not carried for APART */
  NORMAL,   /* normal impulses of pairs on DISC, summed [N s] */
  GIVEN,    /* by stabilisation, - sum r_N Phi/dt [J] */
  OF_A_STEP,
  /* from the start to its end */
  FRICTION = OF_A_STEP, /* work, impulse times mean velocity [J] */
  IMPACT,               /* the same [J] */
  STABILISATION,        /* of all contacts to which it gives energy [J] */
  CONE,                 /* largest |r_T| - mu r_N, 0 at least [N s] */
  LARGEST,              /* normal impulse [N s] */
  MOMENTUM,             /* largest change of a component [N s] */
  UNEXPLAINED,          /* largest part of it that impulses leave [N s] */
  WORDS
};
static const char *const words[] = {"pairs",  "onsets",  "ropes",    "new",         "episodes",
                                    "normal", "given",   "friction", "impact",      "stabilisation",
                                    "cone",   "largest", "momentum", "unexplained", NULL};

struct follower {
  const struct mech *m;
  double mass, dt; /* [kg], [s] */
  struct mech_contacts contacts;
  int n_pairs;               /* that have carried */
  long *pair;                /* their ids */
  int *last;                 /* the step in which each did last */
  double *L;                 /* factors of M */
  double *h, *left, *Wr, *W; /* nu, nu, nu, nu x DIM */
  double told[WORDS];
};

static int follower_init(struct follower *f, const struct case_parameters *p,
                         struct base_arena *arena) {
  struct case_instance instance = {0};
  if (granular_chains_build(p, arena, &instance) != BASE_OK) {
    return BASE_FAILED;
  }
  const struct mech *m = instance.mech;
  *f = (struct follower){.m = m, .mass = case_real(p, "m")};
  f->L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
  const int bodies = m->nu / COLUMNS, pairs = bodies * (bodies + 1) / 2; /* and the ground */
  f->pair = base_arena_push(arena, (size_t)pairs * sizeof *f->pair);
  f->last = base_arena_ints(arena, pairs);
  BASE_ARENA_VECTORS(arena, m->nu, &f->h, &f->left, &f->Wr);
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
static void count_pair(struct follower *f, long id, int l) {
  int i = 0;
  while (i < f->n_pairs && f->pair[i] != id) {
    ++i;
  }
  if (i == f->n_pairs) {
    f->pair[f->n_pairs++] = id;
    f->last[i] = INT_MIN / 2;
    f->told[NEW]++;
  }
  f->told[PAIRS]++;
  f->told[EPISODES] += (l - f->last[i]) * f->dt > APART;
  f->last[i] = l;
}

/* Accounts of contact i with impulse r in the step from sample l. */
static void account(struct follower *f, const struct case_series *s, int l, int i,
                    const double r[DIM]) {
  const struct mech_contacts *c = &f->contacts;
  const double *u = s->u + (long)l * s->nu, gives = -r[0] * c->gN[i] / f->dt;
  const int is_pair = c->mu[i] > 0, begins = !case_series_carried(s, l, c->id[i]);
  double v0[DIM], v1[DIM];
  mech_contacts_block_velocity(c, i, u, v0);
  mech_contacts_block_velocity(c, i, u + s->nu, v1);
  f->told[IMPACT] += 0.5 * r[0] * (v0[0] + v1[0]);
  f->told[FRICTION] += 0.5 * r[1] * (v0[1] + v1[1]);
  f->told[CONE] = case_worst(f->told[CONE], fabs(r[1]) - c->mu[i] * r[0]);
  f->told[LARGEST] = case_worst(f->told[LARGEST], r[0]);
  f->told[GIVEN] += gives;
  f->told[STABILISATION] += fmax(gives, 0);
  f->told[is_pair ? ONSETS : ROPES] += begins;
  if (is_pair) {
    count_pair(f, c->id[i], l);
  }
  if (is_pair && (c->body[DIM * i] == DISC - 1 || c->body[DIM * i + 1] == DISC - 1)) {
    f->told[NORMAL] += r[0];
  }
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

static int follow_step(struct follower *f, const struct case_series *s, int l) {
  const struct mech *m = f->m;
  const double *q0 = s->q + (long)l * s->nq, *u0 = s->u + (long)l * s->nu, *u1 = u0 + s->nu;
  f->dt = s->t[l + 1] - s->t[l];
  memset(f->told, 0, OF_A_STEP * sizeof *f->told);
  mech_contacts_find(m, q0, NULL, 2 * m->ops->bodies.approach(m, q0, u1, f->dt), &f->contacts);
  m->ops->force(m, q0, u0, s->t[l], f->h);
  mech_mass_solve(m, f->L, 1, f->h);
  for (int i = 0; i < m->nu; ++i) {
    f->left[i] = u1[i] - u0[i] - f->dt * f->h[i];
  }
  f->told[MOMENTUM] = case_worst(f->told[MOMENTUM], f->mass * la_norm_inf(m->nu, f->left));
  for (int k = s->first[l + 1]; k < s->first[l + 2]; ++k) {
    const int i = contact_of(&f->contacts, s->contact[k]);
    if (i < 0) {
      return base_fail(BASE_FAILED, "contact %ld of the record is none of the model's at %g s",
                       s->contact[k], s->t[l]);
    }
    account(f, s, l, i, s->impulse + (long)DIM * k);
    explain(f, i, s->impulse + (long)DIM * k);
  }
  f->told[UNEXPLAINED] = case_worst(f->told[UNEXPLAINED], f->mass * la_norm_inf(m->nu, f->left));
  return BASE_OK;
}

static const double *steps(const struct case_results *r, const struct case_series *s, int *n) {
  struct follower f;
  if (follower_init(&f, r->p, r->arena) != BASE_OK) {
    return NULL;
  }
  if (s->nq != f.m->nq || s->n < 2) {
    base_fail(BASE_FAILED, "the run has no trajectory of %d coordinates", f.m->nq);
    return NULL;
  }
  if (s->first == NULL || s->dim != DIM) {
    base_fail(BASE_FAILED, "the record of run '%s' tells no impulses", s->run->label);
    return NULL;
  }
  *n = s->n - 1;
  double *told = base_arena_matrix(r->arena, *n, WORDS);
  for (int l = 0; l < *n; ++l) {
    if (follow_step(&f, s, l) != BASE_OK) {
      return NULL;
    }
    for (int i = 0; i < WORDS; ++i) {
      told[(long)i * *n + l] = f.told[i];
    }
  }
  return told;
}

const struct case_function granular_chains_steps_functions[] = {
    {"steps", .lists = steps, .words = words}, {0}};
