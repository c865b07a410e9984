/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solvers of Siconos (Acary, Bremond, Huber; Apache-2.0) as peers: the program coulombench-siconos,
 * which `make` builds where the library is (make PEERS=1 installs it), does the work in a process
 * of its own, for that library ends the process where it meets what it does not know, and prints.
 * The time stated is that of its driver alone.
 */
#include <string.h>

#include "base/data.h"
#include "base/status.h"
#include "problem/solvers/peers/peers.h"

#define PROGRAM "coulombench-siconos"
#define PREFIX "siconos-"

const char *peer_siconos_program(struct base_arena *arena) {
  return base_program_path(PROGRAM, arena);
}

static int is_there(void) {
  struct base_arena *arena = base_arena_alloc();
  const int found = peer_siconos_program(arena) != NULL;
  base_arena_free(arena);
  return found;
}

static int check_there(const char *name) {
  return is_there() ? BASE_OK
                    : base_fail(BASE_UNSUPPORTED,
                                "solver '%s': this build has no " PROGRAM
                                "; 'make PEERS=1' installs the library and builds it",
                                name);
}

static int solve(const struct problem_solver *self, const struct problem *p,
                 const struct problem_loop *settings, double *r, struct base_arena *arena,
                 struct problem_answer *answer) {
  const char *program = peer_siconos_program(arena);
  if (program == NULL) {
    return check_there(self->name);
  }
  const char *const argv[] = {program, self->name + strlen(PREFIX), NULL};
  return peer_ask(argv, self->name, p, settings, r, arena, answer);
}

static int check_planar_or_spatial(const struct problem *p, const void *options) {
  (void)options;
  return p->model.dim == 2 || p->model.dim == 3
             ? check_there(PREFIX "nsgs")
             : base_fail(BASE_UNSUPPORTED, PREFIX "nsgs: takes problems of 2 or 3 components");
}

static int check_spatial(const struct problem *p, const void *options) {
  (void)options;
  return p->model.dim == 3
             ? check_there(PREFIX "...")
             : base_fail(BASE_UNSUPPORTED, "Siconos has this solver for spatial problems alone");
}

static int check_lcp(const struct problem *p, const void *options) {
  (void)options;
  const int status = problem_lcp_check(p, "siconos");
  return status != BASE_OK ? status : check_there(PREFIX "...");
}

/* Enumeration looks at 2^n bases. */
static int check_enum(const struct problem *p, const void *options) {
  enum { MOST = 24 };
  const int n = problem_lcp_size(&p->model);
  const int status = check_lcp(p, options);
  return status != BASE_OK ? status
         : n <= MOST
             ? BASE_OK
             : base_fail(BASE_UNSUPPORTED,
                         PREFIX "enum: %d unknowns, more than the %d that can be enumerated", n,
                         (int)MOST);
}

#define SOLVER(id_, name_, what_, source_, law_, check_, ...)                                      \
  const struct problem_solver problem_solver_siconos_##id_ = {                                     \
      .name = PREFIX name_,                                                                        \
      .look = {0x7f3b08, __VA_ARGS__},                                                             \
      .summary = "Siconos' " what_ ", where it is installed",                                      \
      .source = "Siconos 4.4, " source_,                                                           \
      .laws = CONTACT_LAW_BIT(CONTACT_LAW_##law_),                                                 \
      .check = check_,                                                                             \
      .solve = solve};

SOLVER(nsgs, "nsgs", "nonsmooth Gauss-Seidel", "FRICTION_2D_NSGS, FRICTION_3D_NSGS", NCP,
       check_planar_or_spatial, {14, 5}, 4, 0.9)
SOLVER(nsn_ac, "nsn-ac", "nonsmooth Newton of Alart and Curnier", "FRICTION_3D_NSN_AC", NCP,
       check_spatial, {5, 4}, 6, 0.9)
SOLVER(prox, "prox", "proximal-point iteration", "FRICTION_3D_PROX", NCP, check_spatial, {3, 3}, 8,
       0.9)
SOLVER(admm, "admm", "alternating directions", "FRICTION_3D_ADMM", NCP, check_spatial, {8, 3, 2, 3},
       5, 0.9)
SOLVER(aclm, "aclm", "fixed point of convex problems",
       "FRICTION_3D_ACLMFP; Acary, Cadoux, Lemarechal, Malick 2011", NCP, check_spatial, {2, 3}, 7,
       0.9)
SOLVER(lemke, "lemke", "Lemke pivoting", "LCP_LEMKE", LCP, check_lcp, {0}, 10, 0.9)
SOLVER(enum, "enum", "enumeration of bases", "LCP_ENUM", LCP, check_enum, {14, 4, 3, 4}, 12, 0.9)
