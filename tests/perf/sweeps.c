/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps of the block solvers over packings of some 1e5 contacts: time a contact and sweep, the
 * first SWEEPS from zero, where contacts separate, stick and slide in turn. What is timed is
 * iterate alone; residual checks are left to the loop around solvers.
 */
#include "tests/perf/perf.h"

#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/rng.h"
#include "problem/solver.h"
#include "tests/packing_problem.h"

enum { SIDE = 32, SWEEPS = 10, SEED = 20170131, OPTIONS_SIZE = 256 };

enum form { FORM_GEOMETRY, FORM_WRITTEN_OUT };

struct setting {
  enum packing_bodies bodies;
  enum form form;
  const char *solver, *local, *order; /* local, order: "" for solvers without */
  enum contact_law law;
};

struct work {
  struct base_arena *arena, *scratch;
  struct base_rng *rng;
  struct problem problem;
  const struct problem_solver *solver;
  void *workspace;
  double *r; /* 3 nc */
  _Alignas(16) char options[OPTIONS_SIZE];
};

/* Bytes of the problem's own arrays, b and mu and r included, over contacts. */
static double problem_bytes(const struct problem *p) {
  const double contact = (p->A.w == NULL ? 12 : 72) * sizeof(double);
  const double body = (p->A.w == NULL ? 9 + 6 : 0) * sizeof(double);
  return contact + 2 * sizeof(int) + (3 + 3 + 1) * sizeof(double) + body * p->A.nb / p->A.nc;
}

/* Bytes a contact and sweep that have to be moved where caches do not hold the problem but serve
 * each body until its contacts are done: all arrays of problem and workspace read once, impulses
 * and the bodies' velocities written. */
static double moved_bytes(const struct problem *p, const struct perf_memory *memory) {
  return memory->problem + memory->solver + 3 * sizeof(double) +
         6.0 * sizeof(double) * p->A.nb / p->A.nc;
}

static void *start(const void *setting, struct perf_memory *memory) {
  const struct setting *s = setting;
  const struct packing_problem shape = {.side = SIDE, .bodies = s->bodies};
  struct work *w = calloc(1, sizeof *w);
  if (w == NULL) {
    abort();
  }
  w->arena = base_arena_alloc();
  w->scratch = base_arena_alloc();
  w->rng = base_rng_alloc(SEED);
  w->problem = packing_problem_build(&shape, w->rng, w->arena);
  if (s->form == FORM_WRITTEN_OUT) {
    w->problem = packing_problem_written_out(&w->problem, w->arena);
  }
  w->problem.model.law = s->law;
  w->r = base_arena_doubles(w->arena, problem_size(&w->problem));
  w->solver = problem_solver_find(s->solver);
  base_options_default(w->solver->options, w->options);
  if (s->local[0] != '\0') {
    base_options_set(w->solver->options, w->options, "perf", "local", s->local);
    base_options_set(w->solver->options, w->options, "perf", "order", s->order);
  }
  w->workspace = w->solver->alloc(&w->problem, w->options, w->scratch);
  memory->problem = problem_bytes(&w->problem);
  memory->solver = (double)base_arena_peak(w->scratch) / w->problem.model.nc;
  memory->moved = moved_bytes(&w->problem, memory);
  return w;
}

static void reset(void *work) {
  struct work *w = work;
  memset(w->r, 0, (size_t)problem_size(&w->problem) * sizeof *w->r);
  w->solver->start(w->workspace, w->r);
}

static double run(void *work) {
  struct work *w = work;
  for (int k = 0; k < SWEEPS; ++k) {
    w->solver->iterate(w->workspace, w->r);
  }
  return (double)SWEEPS * w->problem.model.nc;
}

static void end(void *work) {
  struct work *w = work;
  base_rng_free(w->rng);
  base_arena_free(w->scratch);
  base_arena_free(w->arena);
  free(w);
}

#define SWEEP(name, n_threads, ...)                                                                \
  extern const struct perf perf_##name;                                                            \
  const struct perf perf_##name = {.unit = "contact and sweep",                                    \
                                   .threads = n_threads,                                           \
                                   .setting = &(const struct setting){__VA_ARGS__},                \
                                   .start = start,                                                 \
                                   .reset = reset,                                                 \
                                   .run = run,                                                     \
                                   .end = end};

#define SPHERES PACKING_SPHERES, FORM_GEOMETRY
#define BOXES PACKING_BOXES, FORM_GEOMETRY
#define RELAX(local, order) "relaxation", local, order

SWEEP(pgs_spheres, 1, SPHERES, "pgs", "", "", CONTACT_LAW_NCP)
SWEEP(pgs_spheres_bodies, 1, PACKING_SPHERES, FORM_WRITTEN_OUT, "pgs", "", "", CONTACT_LAW_NCP)
SWEEP(prox_spheres, 1, SPHERES, RELAX("prox", "forward"), CONTACT_LAW_NCP)
SWEEP(mdp_spheres, 1, SPHERES, RELAX("mdp", "forward"), CONTACT_LAW_MDP)
SWEEP(coulomb_spheres, 1, SPHERES, RELAX("coulomb", "forward"), CONTACT_LAW_NCP)
SWEEP(decoupled_spheres, 1, SPHERES, RELAX("decoupled", "forward"), CONTACT_LAW_NCP)
SWEEP(ccp_spheres, 1, SPHERES, RELAX("ccp", "forward"), CONTACT_LAW_CCP)
SWEEP(pgs_boxes, 1, BOXES, "pgs", "", "", CONTACT_LAW_NCP)
SWEEP(prox_boxes, 1, BOXES, RELAX("prox", "forward"), CONTACT_LAW_NCP)
SWEEP(mdp_boxes, 1, BOXES, RELAX("mdp", "forward"), CONTACT_LAW_MDP)
SWEEP(coulomb_boxes, 1, BOXES, RELAX("coulomb", "forward"), CONTACT_LAW_NCP)
SWEEP(decoupled_boxes, 1, BOXES, RELAX("decoupled", "forward"), CONTACT_LAW_NCP)
SWEEP(ccp_boxes, 1, BOXES, RELAX("ccp", "forward"), CONTACT_LAW_CCP)
SWEEP(coulomb_boxes_bodies, 1, PACKING_BOXES, FORM_WRITTEN_OUT, RELAX("coulomb", "forward"),
      CONTACT_LAW_NCP)
SWEEP(coulomb_spheres_blocks_1, 1, SPHERES, RELAX("coulomb", "blocks"), CONTACT_LAW_NCP)
SWEEP(coulomb_spheres_blocks_2, 2, SPHERES, RELAX("coulomb", "blocks"), CONTACT_LAW_NCP)
SWEEP(coulomb_boxes_blocks_1, 1, BOXES, RELAX("coulomb", "blocks"), CONTACT_LAW_NCP)
SWEEP(coulomb_boxes_blocks_2, 2, BOXES, RELAX("coulomb", "blocks"), CONTACT_LAW_NCP)
