/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One-contact problems of cases; see one_contact.h. The block in the record:
 *
 *   contact { mu, A[dim dim], b[dim], coulomb[{r[], v[], energy}], max_dissipation{r[], v[],
 * energy}, impulse[dim] }
 *
 * normal component first. `impulse` is the r of the maximally dissipative solution. Solutions of
 * Coulomb's law come in the order of preclik's table 1, the least dissipative first.
 */
#include "bench/run/one_contact.h"

#include <math.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/status.h"
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

static void solve(struct bench_one_contact *p) {
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
    solve(p);
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

static void add_solution(cJSON *block, int dim, const struct bench_contact_solution *s) {
  base_json_add_reals(block, "r", dim, s->r);
  base_json_add_reals(block, "v", dim, s->v);
  base_json_add_real(block, "energy", s->energy);
}

void bench_one_contact_add(cJSON *block, const struct bench_one_contact *p) {
  base_json_add_real(block, "mu", p->mu);
  base_json_add_reals(block, "A", p->dim * p->dim, p->A);
  base_json_add_reals(block, "b", p->dim, p->b);
  cJSON *list = cJSON_AddArrayToObject(block, "coulomb");
  for (int i = 0; i < p->n_coulomb; ++i) {
    cJSON *item = cJSON_CreateObject();
    add_solution(item, p->dim, &p->coulomb[i]);
    cJSON_AddItemToArray(list, item);
  }
  add_solution(cJSON_AddObjectToObject(block, "max_dissipation"), p->dim, &p->max_dissipation);
  base_json_add_reals(block, "impulse", p->dim, p->max_dissipation.r);
}

/* Numbers, or where they may have overflown null too. */
static int is_number(const cJSON *item, int is_finite) {
  return cJSON_IsNumber(item) || (!is_finite && cJSON_IsNull(item));
}

static int is_list(const cJSON *list, int n, int is_finite) {
  const cJSON *item;
  int count = 0;
  cJSON_ArrayForEach(item, list) {
    if (!is_number(item, is_finite)) {
      return 0;
    }
    ++count;
  }
  return cJSON_IsArray(list) && count == n;
}

static int is_solution(const cJSON *block, int dim, int is_finite) {
  return is_list(base_json_at(block, "r"), dim, is_finite) &&
         is_list(base_json_at(block, "v"), dim, is_finite) &&
         is_number(base_json_at(block, "energy"), is_finite);
}

int bench_one_contact_check(const cJSON *block, int is_finite, const char *file) {
  const int dim = cJSON_GetArraySize(base_json_at(block, "b"));
  const cJSON *list = base_json_at(block, "coulomb"), *item;
  const char *wrong = dim < 2 || dim > 3 || !is_list(base_json_at(block, "b"), dim, is_finite) ? "b"
                      : !is_list(base_json_at(block, "A"), dim * dim, is_finite)               ? "A"
                      : !cJSON_IsNumber(base_json_at(block, "mu"))               ? "mu"
                      : !is_list(base_json_at(block, "impulse"), dim, is_finite) ? "impulse"
                      : !is_solution(base_json_at(block, "max_dissipation"), dim, is_finite)
                          ? "max_dissipation"
                      : !cJSON_IsArray(list) ? "coulomb"
                                             : NULL;
  cJSON_ArrayForEach(item, list) {
    wrong = wrong == NULL && !is_solution(item, dim, is_finite) ? "coulomb" : wrong;
  }
  return wrong == NULL ? BASE_OK
                       : base_fail(BASE_E_INPUT,
                                   "%s: key 'contact.%s': missing, or not of the numbers it is for",
                                   file, wrong);
}
