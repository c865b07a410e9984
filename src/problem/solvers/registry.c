/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The solvers of solvers/registry.h, by number and by name (base/registry.h); by name also
 * programs of anybody, exec:COMMAND, which are not listed.
 */
#include "base/registry.h"
#include "base/memory/arena.h"
#include "base/options.h"
#include "base/status.h"
#include "problem/solver.h"
#include "problem/solvers/peers/peers.h"

#define SOLVER(name)                                                                               \
  BASE_REGISTRY_ONCE(problem_solver, name)                                                         \
  extern const struct problem_solver problem_solver_##name;
#include "problem/solvers/registry.h"
#undef SOLVER

static const struct problem_solver *const solvers[] = {
#define SOLVER(name) &problem_solver_##name,
#include "problem/solvers/registry.h"
#undef SOLVER
};

BASE_REGISTRY_LIST(problem_solver, problem_solver, "solver", solvers)

const struct problem_solver *problem_solver_find(const char *name) {
  return peer_is_command(name) ? peer_of_command(name) : problem_solver_listed(name);
}

/* A friction set for contacts of dim components. */
static struct contact_set any_set(int dim) {
  static const enum contact_set_kind kinds[CONTACT_DIM_MAX + 1] = {
      CONTACT_SET_INTERVAL, CONTACT_SET_INTERVAL, CONTACT_SET_INTERVAL, CONTACT_SET_ELLIPSE,
      CONTACT_SET_CONTENSOU};
  return (struct contact_set){.kind = kinds[dim], .axis = {dim == 2 ? -1 : 1, 1}};
}

int problem_solver_check(const struct problem_solver *solver, const void *options,
                         enum contact_law law, int dim, int has_sets) {
  if ((solver->laws & CONTACT_LAW_BIT(law)) == 0) {
    return base_fail(BASE_UNSUPPORTED, "solver '%s' does not take law '%s'", solver->name,
                     contact_law_name(law));
  }
  const double mu = 1;
  const struct contact_set set = any_set(dim);
  double a[CONTACT_DIM_MAX * CONTACT_DIM_MAX] = {0}, b[CONTACT_DIM_MAX] = {0};
  for (int d = 0; d < dim; ++d) {
    a[d * dim + d] = 1;
  }
  const struct problem p = {
      .name = "",
      .model =
          {.law = law, .dim = dim, .nc = 1, .mu = &mu, .n_dir = 8, .set = has_sets ? &set : NULL},
      .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = dim, .nc = 1, .a = a},
      .b = b};
  return solver->check == NULL ? BASE_OK : solver->check(&p, options);
}

unsigned problem_solver_laws(const struct problem_solver *solver, int dim) {
  struct base_arena *arena = base_arena_alloc();
  void *options = base_arena_push(arena, solver->options_size);
  unsigned laws = 0;
  if (solver->options != NULL) {
    base_options_default(solver->options, options);
  }
  for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
    const int status = problem_solver_check(solver, options, (enum contact_law)law, dim, 0);
    laws |= status == BASE_OK ? CONTACT_LAW_BIT(law) : 0;
  }
  base_arena_free(arena);
  return laws != 0 ? laws : solver->laws; /* none: a check that wants more than one contact */
}
