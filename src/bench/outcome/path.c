/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States in published names, and lists of them; see path.h.
 */
#include "bench/outcome/path.h"

#include "la/dense.h"

void bench_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                   double *u_out) {
  if (m->ops->observe != NULL) {
    m->ops->observe(m, q, u, q_out, u_out);
  } else {
    la_copy(m->nq, q, q_out);
    la_copy(m->nu, u, u_out);
  }
}

void bench_path_alloc(struct bench_path *path, long capacity, const struct mech *m,
                      struct base_arena *arena) {
  const size_t n = (size_t)capacity;
  const int nq = m->nq_out, nu = m->nu_out;
  *path = (struct bench_path){.nq = nq,
                              .nu = nu,
                              .nq_compared = m->nq_compared > 0 ? m->nq_compared : nq,
                              .capacity = capacity};
  path->t = base_arena_push(arena, n * sizeof(double));
  path->q = base_arena_array(arena, n, (size_t)nq, sizeof(double));
  path->u = base_arena_array(arena, n, (size_t)nu, sizeof(double));
}

void bench_path_add(struct bench_path *path, double t, const double *q, const double *u,
                    double energy) {
  if (path->n == path->capacity) {
    return; /* only after a restart from a file that somebody changed */
  }
  const size_t k = (size_t)path->n++;
  path->t[k] = t;
  la_copy(path->nq, q, path->q + k * (size_t)path->nq);
  la_copy(path->nu, u, path->u + k * (size_t)path->nu);
  if (path->energy != NULL) {
    path->energy[k] = energy;
  }
}

void bench_path_alloc_energies(struct bench_path *path, struct base_arena *arena) {
  path->energy = base_arena_push(arena, (size_t)path->capacity * sizeof(double));
  path->work = base_arena_array(arena, (size_t)path->capacity, BENCH_CHANNELS, sizeof(double));
}
