/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which laws a solver takes, asked of itself; see solver.h. No part of the registry, which a
 * program may replace by its own.
 */
#include "problem/solver.h"

#include "base/memory/arena.h"
#include "base/options.h"
#include "base/status.h"

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

void *problem_solver_options(const struct problem_solver *solver, const char *text,
                             struct base_arena *arena) {
  return base_options_new(solver->options, solver->options_size, text, arena);
}

unsigned problem_solver_laws(const struct problem_solver *solver, int dim) {
  struct base_arena *arena = base_arena_alloc();
  const void *options = problem_solver_options(solver, "", arena);
  unsigned laws = 0;
  for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
    const int status = problem_solver_check(solver, options, (enum contact_law)law, dim, 0);
    laws |= status == BASE_OK ? CONTACT_LAW_BIT(law) : 0;
  }
  base_arena_free(arena);
  return laws != 0 ? laws : solver->laws; /* none: a check that wants more than one contact */
}
