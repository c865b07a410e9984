/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The solvers by name. solvers/registry.h is read three times: to declare the objects, to list
 * them, and to name them. A name listed twice does not compile, because of the enumeration.
 */
#include "problem/solver.h"

#include "base/names.h"

#define SOLVER(name) extern const struct problem_solver problem_solver_##name;
#include "problem/solvers/registry.h"
#undef SOLVER

enum solver_id {
#define SOLVER(name) SOLVER_ID_##name,
#include "problem/solvers/registry.h"
#undef SOLVER
  SOLVER_COUNT
};

static const struct problem_solver *const solvers[SOLVER_COUNT] = {
#define SOLVER(name) [SOLVER_ID_##name] = &problem_solver_##name,
#include "problem/solvers/registry.h"
#undef SOLVER
};

static const char *const identifiers[SOLVER_COUNT] = {
#define SOLVER(name) [SOLVER_ID_##name] = #name,
#include "problem/solvers/registry.h"
#undef SOLVER
};

enum { NAME_SIZE = 48 };

/* A buffer a name and thread: names stay valid as long as the thread. */
static const char *name_of(int i) {
  static _Thread_local char names[SOLVER_COUNT][NAME_SIZE];
  return base_name_from_identifier(identifiers[i], names[i], NAME_SIZE);
}

int problem_solver_count(void) { return SOLVER_COUNT; }

const struct problem_solver *problem_solver_get(int i) {
  return i >= 0 && i < SOLVER_COUNT ? solvers[i] : NULL;
}

const char *problem_solver_name(const struct problem_solver *solver) {
  for (int i = 0; i < SOLVER_COUNT; ++i) {
    if (solvers[i] == solver) {
      return name_of(i);
    }
  }
  return "unregistered";
}

const struct problem_solver *problem_solver_find(const char *name) {
  const char *names[SOLVER_COUNT];
  for (int i = 0; i < SOLVER_COUNT; ++i) {
    names[i] = name_of(i);
  }
  const int i = base_name_find("solver", name, SOLVER_COUNT, names);
  return i >= 0 ? solvers[i] : NULL;
}
