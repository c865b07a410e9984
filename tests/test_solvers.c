/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The solvers of one-step problems against what is known without them, brute-force enumeration
 * without friction; against each other, by all laws; and on real problems where a folder of them is
 * given. Converged always means by contact_residual.
 */
#include "problem/solver.h"
#include "tests/outside.h"
#include "tests/random_problem.h"
#include "tests/small_lcp.h"
#include "tests/solve_with.h"
#include "tests/test.h"

static const double TOL = 1e-10;

/* ---- Every solver, law and dimension ---- */

static const struct {
  const char *name, *options;
  unsigned laws;
} variants[] = {
#define LAW(name) CONTACT_LAW_BIT(CONTACT_LAW_##name)
    {"pgs", "", LAW(NCP) | LAW(CCP) | LAW(LCP) | LAW(CONE)},
    {"pgs", "rho=row-sum omega=1.3", LAW(NCP) | LAW(CCP) | LAW(LCP) | LAW(CONE)},
    {"pgs", "recover=0", LAW(NCP) | LAW(LCP) | LAW(CONE)},
    {"pjacobi", "", LAW(NCP) | LAW(CCP) | LAW(LCP) | LAW(CONE)},
    {"psor", "", LAW(CCP)},
    {"psor", "omega=0.5 lambda=0.9", LAW(CCP)},
    {"relaxation", "", LAW(NCP) | LAW(CCP) | LAW(LCP) | LAW(MDP) | LAW(CONE)},
    {"relaxation", "local=prox", LAW(NCP) | LAW(CCP) | LAW(LCP) | LAW(CONE)},
    {"relaxation", "local=prox inner=5 order=symmetric", LAW(NCP) | LAW(CCP) | LAW(LCP)},
    {"relaxation", "order=backward omega=0.8", LAW(NCP) | LAW(CCP)},
    {"relaxation", "jacobi=1 omega=0.2", LAW(NCP) | LAW(CCP) | LAW(LCP)},
    {"relaxation", "jacobi=0.5 omega=0.5", LAW(NCP) | LAW(CCP)},
    {"nncg", "", LAW(NCP) | LAW(CCP) | LAW(LCP) | LAW(MDP) | LAW(CONE)},
    {"nncg", "order=symmetric", LAW(NCP) | LAW(CCP) | LAW(LCP) | LAW(MDP) | LAW(CONE)},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* Coulomb's law may have no solution, or several, where friction couples strongly into the normal
 * direction (Painleve); no relaxation settles then. Coefficients are held to this share of the
 * value at which mu |A_NT| reaches A_NN. */
static const double COUPLING_MAX = 0.5;

/* A is positive definite, though not well conditioned. */
static const struct random_problem definite[] = {
    {.dim = 3, .nv = 6, .nb = 7, .nc = 7, .chain = 1, .mu_max = 1.5, .loading = 1},
    {.dim = 3, .nv = 3, .nb = 5, .nc = 5, .chain = 1, .mu_max = 1.5, .loading = 1},
    {.dim = 2, .nv = 3, .nb = 7, .nc = 7, .chain = 1, .mu_max = 1.5, .loading = 1},
    {.dim = 1, .nv = 6, .nb = 3, .nc = 7, .chain = 1, .mu_max = 1, .loading = 1},
};
enum { DEFINITE = sizeof definite / sizeof *definite, SEEDS = 12, SWEEPS = 200000 };

static struct problem definite_problem(int shape, int seed, enum contact_law law,
                                       struct base_arena *arena) {
  struct base_rng *rng = test_rng((unsigned long)seed);
  struct problem p = random_problem_build(&definite[shape], rng, arena);
  p.model.law = law;
  p.model.n_dir = 5;
  const int dim = p.model.dim;
  double *mu = base_arena_doubles(arena, p.model.nc);
  double *diag = base_arena_doubles(arena, p.model.nc * dim * dim);
  problem_operator_diagonal(&p.A, diag);
  for (int i = 0; i < p.model.nc; ++i) {
    const double *block = diag + i * dim * dim;
    const double coupling = dim == 1 ? 0 : dim == 2 ? fabs(block[1]) : hypot(block[1], block[2]);
    mu[i] = p.model.mu[i];
    if (mu[i] * coupling > COUPLING_MAX * block[0]) {
      mu[i] = COUPLING_MAX * block[0] / coupling;
    }
  }
  p.model.mu = mu;
  return p;
}

/* Under the convex law velocities are unique: those of the interior point method. */
TEST(random_problems_are_solved_by_every_variant) {
  for (int s = 0; s < DEFINITE; ++s) {
    for (int seed = 0; seed < SEEDS; ++seed) {
      for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
        struct base_arena *arena = test_arena();
        const struct problem p = definite_problem(s, seed, (enum contact_law)law, arena);
        const int n = problem_size(&p), is_convex = law == CONTACT_LAW_CCP;
        double *v = base_arena_doubles(arena, n), *unique = base_arena_doubles(arena, n);
        if (is_convex) {
          CHECK_OK(
              solve_with(&p, "ipm", "", TOL, 100, base_arena_doubles(arena, n), unique).status);
        }
        for (int k = 0; k < VARIANTS; ++k) {
          double *r = base_arena_doubles(arena, n);
          if ((variants[k].laws & CONTACT_LAW_BIT(law)) == 0) {
            continue;
          }
          const struct problem_result result =
              solve_with(&p, variants[k].name, variants[k].options, TOL, SWEEPS, r, v);
          CHECK_MESSAGE(result.status == BASE_OK, "%s %s, dim %d, law %s, seed %d: %s",
                        variants[k].name, variants[k].options, p.model.dim,
                        contact_law_name(p.model.law), seed, result.reason);
          CHECK_LE(result.residual.relative_free, TOL);
          /* a residual of 1e-10 bounds the error of v through the condition number of A */
          CHECK_LE(is_convex ? test_distance(n, v, unique) : 0, 1e-7);
        }
      }
    }
  }
}

/* ---- Without friction: enumeration of all active sets ---- */

TEST(frictionless_problems_agree_with_enumeration) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 12; ++trial) {
    struct base_arena *arena = test_arena();
    const struct random_problem shape = {
        .dim = 1, .nv = 6, .nb = 3, .nc = 1 + trial % 8, .mu_max = 1, .loading = 0.5};
    struct problem p = random_problem_build(&shape, rng, arena);
    const struct problem dense = random_problem_dense(&p, arena);
    const int n = p.model.nc;
    double *expected = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
    CHECK(small_lcp_enumerate(n, dense.A.a, p.b, expected) > 0);
    static const char *const names[] = {"pgs", "pjacobi", "psor", "relaxation", "nncg"};
    for (int k = 0; k < 5; ++k) {
      for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
        if ((problem_solver_find(names[k])->laws & CONTACT_LAW_BIT(law)) == 0) {
          continue;
        }
        double *r = base_arena_doubles(arena, n);
        p.model.law = (enum contact_law)law;
        const struct problem_result result = solve_with(&p, names[k], "", 1e-12, SWEEPS, r, v);
        CHECK_MESSAGE(result.status == BASE_OK, "%s: %s", names[k], result.reason);
        CHECK_LE(test_distance(n, r, expected), 1e-8);
      }
    }
  }
}

/* What is listed of a solver is what it takes with friction: without, the laws are all the same. */
TEST(laws_that_are_taken_with_friction_are_told_from_those_without) {
  const unsigned all = CONTACT_LAW_BIT(CONTACT_LAW_COUNT) - 1;
  const unsigned ccp = CONTACT_LAW_BIT(CONTACT_LAW_CCP);
  const unsigned ncp = CONTACT_LAW_BIT(CONTACT_LAW_NCP);
  static const char *const convex[] = {"psor", "apgd", "spg", "ipm"};
  for (int k = 0; k < 4; ++k) {
    const struct problem_solver *solver = problem_solver_find(convex[k]);
    for (int dim = 1; dim <= 3; ++dim) {
      CHECK_INT(problem_solver_laws(solver, dim), dim == 1 ? all : ccp);
    }
  }
  CHECK_INT(problem_solver_laws(problem_solver_find("ssn"), 3), ncp | ccp);
  CHECK_INT(problem_solver_laws(problem_solver_find("relaxation"), 3), all);
  CHECK_INT(problem_solver_laws(problem_solver_find("patches"), 3), ncp); /* wants many contacts */
}

/* ---- Forms, warm starts, refusals ---- */

TEST(results_do_not_depend_on_the_form_of_the_operator) {
  for (int k = 0; k < VARIANTS; ++k) {
    struct base_arena *arena = test_arena();
    struct problem forms[3];
    forms[0] = definite_problem(0, 1, CONTACT_LAW_CCP, arena);
    forms[1] = random_problem_dense(&forms[0], arena);
    forms[2] = forms[0];
    problem_operator_to_blocks(&forms[0].A, &forms[2].A, arena);
    const int n = problem_size(&forms[0]);
    if ((variants[k].laws & LAW(CCP)) == 0 || strstr(variants[k].options, "row-sum") != NULL ||
        strcmp(variants[k].name, "pjacobi") == 0) {
      continue; /* row sums differ by form, and so do the iterates */
    }
    double *r[3], *v = base_arena_doubles(arena, n);
    for (int f = 0; f < 3; ++f) {
      r[f] = base_arena_doubles(arena, n);
      solve_with(&forms[f], variants[k].name, variants[k].options, 0, 12, r[f], v);
    }
    CHECK_LE(test_distance(n, r[0], r[1]), 1e-12);
    CHECK_LE(test_distance(n, r[0], r[2]), 1e-12);
  }
}

TEST(warm_starts_go_on_where_they_stopped) {
  struct base_arena *arena = test_arena();
  const struct problem p = definite_problem(0, 2, CONTACT_LAW_NCP, arena);
  const int n = problem_size(&p);
  double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
  double *whole = base_arena_doubles(arena, n);
  for (int k = 0; k < 3; ++k) {
    static const char *const names[] = {"pgs", "pjacobi", "relaxation"};
    memset(r, 0, (size_t)n * sizeof *r);
    memset(whole, 0, (size_t)n * sizeof *r);
    const struct problem_result cold = solve_with(&p, names[k], "", TOL, SWEEPS, whole, v);
    CHECK(cold.iterations > 4);
    const int first = cold.iterations / 2;
    const struct problem_result part = solve_with(&p, names[k], "", TOL, first, r, v);
    CHECK_INT(part.status, BASE_UNCONVERGED);
    const struct problem_result rest = solve_with(&p, names[k], "", TOL, SWEEPS, r, v);
    /* the best iterate is the last one of a contraction; rounding may cost a sweep or two */
    CHECK_LE(rest.iterations, cold.iterations - first + 2);
    CHECK_LE(test_distance(n, r, whole), 1e-8);
  }
}

TEST(what_does_not_fit_is_refused) {
  static const struct {
    const char *name, *options, *word;
    enum contact_law law;
  } cases[] = {
      {"psor", "", "'pgs'", CONTACT_LAW_NCP},
      {"pgs", "", "'mdp'", CONTACT_LAW_MDP},
      {"relaxation", "local=mdp", "'mdp'", CONTACT_LAW_NCP},
      {"relaxation", "local=prox", "'mdp'", CONTACT_LAW_MDP},
      {"relaxation", "local=coulomb", "'ccp'", CONTACT_LAW_CCP},
  };
  double v[64], r[64] = {0};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    const struct problem p = definite_problem(0, 0, cases[k].law, test_arena());
    const struct problem_result result =
        solve_with(&p, cases[k].name, cases[k].options, TOL, 10, r, v);
    CHECK_INT(result.status, BASE_UNSUPPORTED);
    CHECK_MESSAGE(strstr(result.reason, cases[k].word) != NULL, "%s", result.reason);
  }
  const double a[] = {1, 1, 1, 0}, b[] = {-1, -1};
  const struct problem raw = dense_problem(CONTACT_LAW_LCP, 1, 2, NULL, a, b);
  static const char *const names[] = {"pgs", "pjacobi", "psor", "relaxation"};
  for (int k = 0; k < 4; ++k) {
    const struct problem_result result = solve_with(&raw, names[k], "", TOL, 10, r, v);
    CHECK_INT(result.status, BASE_UNSUPPORTED);
    CHECK_MESSAGE(strstr(result.reason, "contact 1") != NULL, "%s", result.reason);
  }
}

/* No energy belongs to an operator without symmetry: what is called its minimum is not one. */
TEST(maximum_dissipation_is_refused_without_symmetry) {
  const double mu[] = {0.5}, b[] = {-1, 0.7, 0.2};
  double a[] = {1, -0.4, 0.1, 0.3, 1, 0, 0, 0.2, 1}, v[3], r[3] = {0};
  struct problem p = dense_problem(CONTACT_LAW_MDP, 3, 1, mu, a, b);
  struct problem_result result = solve_with(&p, "relaxation", "", TOL, 1000, r, v);
  CHECK_INT(result.status, BASE_UNSUPPORTED);
  CHECK(strstr(result.reason, "not symmetric") != NULL);
  p.model.law = CONTACT_LAW_NCP; /* Coulomb's law needs no energy */
  CHECK_OK(solve_with(&p, "relaxation", "", TOL, 1000, r, v).status);
  p.model.law = CONTACT_LAW_MDP;
  a[1] = a[3], a[2] = a[6], a[5] = a[7];
  CHECK_OK(solve_with(&p, "relaxation", "", TOL, 1000, r, v).status);
}

/* ---- Real problems ---- */

/* Exact Coulomb problems that pgs must solve to 1e-8 within so many sweeps: about twice what was
 * measured when this was written. Not in the list, because they stay above it for 20000 sweeps
 * (1.03e-8 and 9.8e-8): Capsules-i122-1617 and fc2d_granularflowonwall_07002_00801; and
 * Capsules-i103-990, which stagnates at 2.3e-7 of what it asks for, 0.0087 m/s of max|b| = 2
 * m/s. */
static const struct {
  const char *name;
  int sweeps;
} solvable[] = {
    {"Box_Stacks-i0122-82-5", 80},
    {"Capsules-i100-1090", 9610},
    {"Capsules-i100-889", 8470},
    {"Confeti-ex03-Fc3D-SBM", 170},
    {"CubeH8", 10},
    {"FC2D_SliderCrankLagrangian00001", 780},
    {"FC3D_Example1", 10},
    {"FrictionContact3D_1c", 10},
    {"FrictionContact3D_RR_1c", 20},
    {"FrictionContactProblem00071", 130},
    {"FrictionContactProblem00394", 10},
    {"FrictionContactProblem00727", 1410},
    {"LMGC_100_PR_PerioBox-i00361-60-03000", 4730},
    {"LMGC_GFC3D-i00501-4-00000", 40},
    {"LMGC_GlobalFrictionContactProblem00046", 20},
    {"NESpheres_30_1", 10},
    {"OneObject-i1028-138", 2160},
    {"Rover1040", 100},
    {"Rover1041", 90},
    {"Rover11211", 30},
    {"Rover4396", 50},
    {"Rover4493", 30},
    {"Rover4609", 30},
    {"Rover4613", 40},
    {"Rover9770", 20},
};

TEST(outside_problems_that_gauss_seidel_solves) {
  enum { SOLVABLE = sizeof solvable / sizeof *solvable };
  int count = 0;
  for (struct outside o = outside_begin("*"); outside_next(&o);) {
    for (int k = 0; k < SOLVABLE; ++k) {
      if (strcmp(solvable[k].name, o.name) == 0) {
        double *r = base_arena_doubles(o.arena, problem_size(&o.p));
        const struct problem_result result =
            solve_with(&o.p, "pgs", "", 1e-8, solvable[k].sweeps, r, NULL);
        CHECK_MESSAGE(result.status == BASE_OK, "%s: %s", o.name, result.reason);
        ++count;
      }
    }
  }
  CHECK_INT(count, SOLVABLE);
}
