/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The solvers of solvers/registry.h, by number and by name (base/registry.h); by name also
 * programs of anybody, exec:COMMAND, which are not listed.
 */
#include "base/registry.h"
#include "base/process/command.h"
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
  return base_command_of(name) != NULL ? peer_of_command(name) : problem_solver_listed(name);
}
