/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every solver, one line each: SOLVER(name) for `problem_solver_name` in name.c, here or in one of
 * the rooms: lcp/ has what needs a linear complementarity problem, cone/ what solves cone
 * complementarity problems, by themselves or inside the exact law, auto/ what tries several and
 * what proves that there is no solution, peers/ programs of others. The order is that of lists and
 * tables. Included with SOLVER defined.
 */
SOLVER(lemke)
SOLVER(lcp_newton)
SOLVER(lcp_pgs)
SOLVER(pgs)
SOLVER(pjacobi)
SOLVER(pnewton)
SOLVER(psor)
SOLVER(apgd)
SOLVER(spg)
SOLVER(padmm)
SOLVER(ipm)
SOLVER(ssn)
SOLVER(prox)
SOLVER(fixed_point)
SOLVER(fbf)
SOLVER(patches)
SOLVER(relaxation)
SOLVER(anderson)
SOLVER(nncg)
SOLVER(auto)
SOLVER(siconos_nsgs)
SOLVER(siconos_nsn_ac)
SOLVER(siconos_prox)
SOLVER(siconos_admm)
SOLVER(siconos_aclm)
SOLVER(siconos_lemke)
SOLVER(siconos_enum)
SOLVER(exec)
#include "base/extra.h"
