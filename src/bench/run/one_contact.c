/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one-contact problem of a case, posed and solved at the start; see outcome/one_contact.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "bench/outcome/one_contact.h"
#include "bench/run/listener.h"
#include "form/delassus.h"
#include "la/dense.h"
#include "problem/local/local.h"

static struct bench_contact_solution solution_of(const struct bench_one_contact *p,
                                                 const double *r) {
  struct bench_contact_solution s = {.energy = contact_energy(p->dim, p->A, p->b, r)};
  la_copy(p->dim, r, s.r);
  for (int i = 0; i < p->dim; ++i) {
    s.v[i] = p->b[i] + la_dot(p->dim, p->A + p->dim * i, r);
  }
  return s;
}

static int compare_energy(const void *x, const void *y) {
  const struct bench_contact_solution *a = x, *b = y;
  return (a->energy < b->energy) - (a->energy > b->energy);
}

static void solve_by_all_laws(struct bench_one_contact *p) {
  double rows[3 * BENCH_COULOMB_MAX], r[3] = {0};
  p->n_coulomb = problem_local_coulomb_all(p->dim, p->mu, p->A, p->b, BENCH_COULOMB_MAX, rows);
  for (int i = 0; i < p->n_coulomb; ++i) {
    p->coulomb[i] = solution_of(p, rows + p->dim * i);
  }
  qsort(p->coulomb, (size_t)p->n_coulomb, sizeof *p->coulomb, compare_energy);
  problem_local_mdp(p->dim, p->mu, p->A, p->b, r);
  p->max_dissipation = solution_of(p, r);
}

const struct bench_one_contact *bench_one_contact_of(const struct mech *m, const double *q,
                                                     const double *u, struct base_arena *arena) {
  struct bench_one_contact *p = base_arena_push(arena, sizeof *p);
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct mech_contacts closed;
  struct mech_bilateral *bilateral = mech_bilateral_alloc(m, MECH_BILATERAL_AUTO, arena);
  struct form_delassus delassus;
  double *L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
  mech_contacts_init(&closed, m, arena);
  mech_contacts_find(m, q, NULL, 0, &closed);
  if (closed.n != 1 || m->dim < 2 || m->dim > 3 || m->friction_sets) {
    base_fail(BASE_E_INPUT,
              "%s: %d contacts of %d components are closed at the start; a problem "
              "of one contact has 1 of 2 or 3",
              m->name, closed.n, m->dim);
    p = NULL;
  } else if (mech_mass_factor(m, q, L) != BASE_OK ||
             mech_bilateral_build(bilateral, q, L) != BASE_OK) {
    p = NULL;
  } else {
    form_delassus_build(m, L, bilateral, &closed, arena, &delassus);
    *p = (struct bench_one_contact){.dim = m->dim, .mu = closed.mu[0]};
    problem_operator_diagonal(&delassus.A, p->A);
    mech_contacts_velocity(&closed, u, p->b);
    solve_by_all_laws(p);
  }
  mech_bilateral_free(bilateral);
  base_arena_release(arena, mark);
  return p;
}

static int begin(void *data, struct bench_run *run) {
  (void)data;
  run->out->contact = bench_one_contact_of(run->m, run->state.q, run->state.u, run->arena);
  return run->out->contact != NULL ? BASE_OK : BASE_E_INPUT;
}

void bench_one_contact_listen(struct bench_run *run) {
  if (run->instance->one_contact) {
    bench_run_listen(run, (struct bench_listener){.on = {[BENCH_BEGIN] = begin}});
  }
}
