/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Divide and conquer over a chain of links on ball joints: time a link of what a step of lcp-dca
 * does with the tree, one assembly and twice the impulses of the joints (free velocities, response
 * to contacts), by subtrees on one thread and on two.
 */
#include <stdlib.h>
#include <string.h>

#include "form/dca/dca.h"
#include "tests/perf/perf.h"

enum { STEPS = 5 };
static const double LENGTH = 0.2; /* of a link [m] */

struct setting {
  int links, threads;
};

struct chain {
  struct base_arena *arena;
  int links;
  struct mech *m;
  double *q, *u, *L, *du;
  struct form_dca *dca;
};

static void *start(const void *setting, struct perf_memory *memory) {
  const struct setting *s = setting;
  struct chain *w = calloc(1, sizeof *w);
  if (w == NULL) {
    abort();
  }
  w->arena = base_arena_alloc();
  w->links = s->links;
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "chain", w->arena);
  for (int k = 0; k < s->links; ++k) {
    mech_assembly_body(a, &(struct mech_body){.mass = 1,
                                              .inertia = {0.1, 0.1, 0.02},
                                              .position = {LENGTH * (k + 0.5), 0, 0}});
  }
  for (int k = 0; k < s->links; ++k) {
    mech_assembly_joint(a, &(struct mech_joint){.body = {k - 1, k}, .point = {LENGTH * k, 0, 0}});
  }
  if (mech_assembly_finish(a, &w->m, &w->q, &w->u, NULL) != 0) {
    abort();
  }
  w->L = base_arena_doubles(w->arena, w->m->nb * w->m->nv * w->m->nv);
  w->du = base_arena_doubles(w->arena, w->m->nu);
  for (int i = 0; i < w->m->nu; ++i) {
    w->u[i] = i % 7; /* anything: projecting so many velocities beforehand would be dense */
  }
  mech_mass_factor(w->m, w->q, w->L);
  const size_t before = base_arena_peak(w->arena);
  w->dca = form_dca_alloc(w->m, s->threads, w->arena);
  memory->solver = (double)(base_arena_peak(w->arena) - before) / s->links;
  return w;
}

static void reset(void *work) { (void)work; }

static double run(void *work) {
  struct chain *w = work;
  const size_t size = (size_t)w->m->nu * sizeof *w->du;
  for (int k = 0; k < STEPS; ++k) {
    form_dca_assemble(w->dca, w->q, w->L);
    for (int i = 0; i < 2; ++i) {
      memcpy(w->du, w->u, size);
      form_dca_constrain(w->dca, NULL, w->du);
    }
  }
  return (double)STEPS * w->links;
}

static void end(void *work) {
  struct chain *w = work;
  base_arena_free(w->arena);
  free(w);
}

#define CHAIN(name, n_links, n_threads)                                                            \
  extern const struct perf perf_##name;                                                            \
  const struct perf perf_##name = {.unit = "link and step",                                        \
                                   .threads = n_threads,                                           \
                                   .setting = &(const struct setting){n_links, n_threads},         \
                                   .start = start,                                                 \
                                   .reset = reset,                                                 \
                                   .run = run,                                                     \
                                   .end = end};

CHAIN(dca_1024_1, 1024, 1)
CHAIN(dca_1024_2, 1024, 2)
CHAIN(dca_4096_1, 4096, 1)
CHAIN(dca_4096_2, 4096, 2)
CHAIN(dca_16384_1, 16384, 1)
CHAIN(dca_16384_2, 16384, 2)
