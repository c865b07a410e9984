/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normal-cone inclusions beyond disks: contacts of four components with Coulomb-Contensou friction
 * (moeller 3.7.5), their residual and diagnostics, the solvers that take them, the transformation
 * of sets (2.52), and the projected Newton iteration (2.72) with the source's example (2.57).
 * Problems are built around solutions (r, v) that obey the law by construction: b = v - A r.
 */
#include "problem/ncp.h"
#include "problem/solver.h"
#include "tests/random_problem.h"
#include "tests/solve_with.h"
#include "tests/test.h"

#include <stdlib.h>

enum { DIM = 4, CONTACTS_MAX = 4, N_MAX = DIM * CONTACTS_MAX, KINDS = 3 };

static const enum contact_set_kind kinds[KINDS] = {CONTACT_SET_CYLINDER, CONTACT_SET_ELLIPSOID,
                                                   CONTACT_SET_CONTENSOU};

static struct base_rng *rng;

/* ---- Problems around known solutions --------------------------------------------------------- */

struct known {
  int nc;
  struct contact_set set[CONTACTS_MAX];
  double mu[CONTACTS_MAX];
  double A[N_MAX * N_MAX], diag[CONTACTS_MAX * DIM * DIM];
  double r[N_MAX], v[N_MAX], b[N_MAX];
  struct problem p;
};

/* A contact that obeys the law: open, sticking, or sliding and spinning. */
static void draw_contact(struct known *k, int i, int state) {
  double *r = k->r + DIM * i, *v = k->v + DIM * i, x[3];
  const struct contact_set *set = &k->set[i];
  if (state == 0) {
    v[0] = base_rng_uniform(rng, 0.1, 1);
    for (int d = 1; d < DIM; ++d) {
      v[d] = base_rng_normal(rng);
    }
    return;
  }
  r[0] = base_rng_uniform(rng, 0.5, 2);
  for (int d = 0; d < 3; ++d) {
    x[d] = base_rng_normal(rng) * r[0] * set->axis[d == 2] * (state == 1 ? 0.2 : 3);
  }
  contact_set_project(set, r[0], x, r + 1);
  for (int d = 0; d < 3; ++d) {
    v[1 + d] = x[d] - r[1 + d]; /* in the normal cone at the projection */
    r[1 + d] = -r[1 + d];
  }
}

/* Blocks dominate by `dominance`; normal and tangential components of a contact are not coupled, so
 * that its law has one solution. spin: size of the fourth component's own row and column. */
static void draw_problem(struct known *k, int nc, enum contact_set_kind kind, double spin,
                         double dominance) {
  *k = (struct known){.nc = nc};
  const int n = DIM * nc;
  for (int i = 0; i < nc; ++i) {
    k->mu[i] = base_rng_uniform(rng, 0.2, 0.8);
    k->set[i] = (struct contact_set){.kind = kind, .axis = {k->mu[i], k->mu[i] / spin}};
    draw_contact(k, i, (i + base_rng_below(rng, 3)) % 3);
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      const int same = i / DIM == j / DIM, normal = i % DIM == 0 || j % DIM == 0;
      const double scale = (i % DIM == 3 ? spin : 1) * (j % DIM == 3 ? spin : 1);
      const double x = i == j ? 1 + base_rng_uniform(rng, 0, 0.5)
                              : base_rng_uniform(rng, -1, 1) / (dominance * n);
      k->A[i * n + j] = k->A[j * n + i] = i != j && same && normal ? 0 : scale * x;
    }
  }
  for (int i = 0; i < n; ++i) {
    k->b[i] = k->v[i];
    for (int j = 0; j < n; ++j) {
      k->b[i] -= k->A[i * n + j] * k->r[j];
    }
  }
  k->p = dense_problem(CONTACT_LAW_CONE, DIM, nc, k->mu, k->A, k->b);
  k->p.model.set = k->set;
  problem_operator_diagonal(&k->p.A, k->diag);
}

/* ---- Yardsticks ------------------------------------------------------------------------------ */

TEST(residual_and_diagnostics_vanish_on_solutions_and_see_errors) {
  rng = test_rng(0);
  int disturbed = 0;
  for (int draw = 0; draw < 300; ++draw) {
    struct known k;
    draw_problem(&k, 3, kinds[draw % KINDS], 1, 2);
    struct contact_residual residual = contact_residual(&k.p.model, k.diag, k.r, k.v, k.b);
    CHECK_LE(residual.absolute, 2e-14);
    const struct contact_diagnostics seen = contact_diagnose(&k.p.model, k.diag, k.r, k.v, 0);
    CHECK_LE(fmax(seen.cone, seen.signorini), 1e-14);
    CHECK_NEAR(seen.dissipation_shortfall, 0, 1e-14);
    if (kinds[draw % KINDS] != CONTACT_SET_CYLINDER || k.v[1] == 0) {
      CHECK_LE(seen.angle, 1e-7); /* revolved sets: the force opposes sliding */
    }
    const int i = base_rng_below(rng, 3);
    const double *v_i = k.v + DIM * i;
    double *r_i = k.r + DIM * i;
    if (r_i[0] > 0 && fabs(v_i[1]) + fabs(v_i[3]) > 0) { /* it slides or spins: too large then */
      const double error = 0.1 * fmin(fabs(r_i[1]), fabs(r_i[3]));
      for (int d = 1; d < DIM; ++d) {
        r_i[d] *= 1.1;
      }
      residual = contact_residual(&k.p.model, k.diag, k.r, k.v, k.b);
      CHECK_LE(0.5 * error, residual.absolute);
      CHECK_INT(residual.at, i);
      CHECK_LE(0.5 * error, contact_diagnose(&k.p.model, k.diag, k.r, k.v, 0).cone);
      ++disturbed;
    }
  }
  CHECK(disturbed > 50);
}

/* ---- Solvers --------------------------------------------------------------------------------- */

static const struct {
  const char *name, *options;
} variants[] = {
    {"pgs", ""},
    {"pgs", "transform=0"},
    {"pgs", "recover=0 rho=row-sum"},
    {"pjacobi", ""},
    {"pjacobi", "transform=0 rho=diagonal omega=0.5"},
    {"relaxation", ""},
    {"relaxation", "inner=4"},
    {"nncg", ""},
    {"pnewton", "alpha=0.6"},
    {"pnewton", "alpha=0.6 recover=1"},
    {"ssn", "function=alart-curnier"},
    {"prox", "function=alart-curnier"},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

TEST(solvers_find_the_solutions_with_spin) {
  rng = test_rng(0);
  for (int draw = 0; draw < 90; ++draw) {
    struct known k;
    draw_problem(&k, 1 + draw % CONTACTS_MAX, kinds[draw % KINDS], 1, 2);
    for (int s = 0; s < VARIANTS; ++s) {
      double r[N_MAX] = {0};
      const struct problem_result result =
          solve_with(&k.p, variants[s].name, variants[s].options, 1e-12, 20000, r, NULL);
      CHECK_MESSAGE(result.status == BASE_OK, "draw %d, %s %s: %s", draw, variants[s].name,
                    variants[s].options, result.reason);
      CHECK_LE(test_distance(DIM * k.nc, r, k.r), 2e-10);
    }
  }
}

/* Newton's method rounds the sets by itself: forces in newtons and torques in newton metres.
 * Angular velocities of 3000 rad/s are rounded to 1e-12. */
TEST(newton_takes_torques_in_their_own_unit) {
  rng = test_rng(0);
  for (int draw = 0; draw < 60; ++draw) {
    const double spin = draw % 2 ? 3000 : 30;
    struct known k;
    draw_problem(&k, 1 + draw % CONTACTS_MAX, kinds[draw % KINDS], spin, 2);
    double r[N_MAX] = {0};
    const struct problem_result result =
        solve_with(&k.p, "ssn", "function=alart-curnier", 1e-8, 30, r, NULL);
    CHECK_MESSAGE(result.status == BASE_OK, "draw %d: %s", draw, result.reason);
    CHECK_LE(test_distance(DIM * k.nc, r, k.r), 2e-10);
  }
}

TEST(newton_says_which_equation_sets_have) {
  rng = test_rng(0);
  struct known k;
  double r[N_MAX] = {0};
  draw_problem(&k, 1, CONTACT_SET_CONTENSOU, 1, 2);
  static const char *const names[] = {"ssn", "prox"};
  for (int s = 0; s < 2; ++s) {
    const struct problem_result result = solve_with(&k.p, names[s], "", 1e-12, 30, r, NULL);
    CHECK_INT(result.status, BASE_UNSUPPORTED);
    CHECK(strstr(result.reason, names[s]) == result.reason);
    CHECK(strstr(result.reason, "function=alart-curnier") != NULL);
  }
}

/* (2.50 to 2.52): iterating the ellipsoid with transform=1 is iterating the ball in A^-1 r. */
TEST(transformed_iteration_is_the_iteration_on_the_ball) {
  static const double SPIN = 3000; /* 1 / R_bar of the tippe top, about */
  static const char *const names[] = {"pgs", "pjacobi", "relaxation"};
  rng = test_rng(0);
  for (int draw = 0; draw < 30; ++draw) {
    struct known k, ball;
    draw_problem(&k, 3, CONTACT_SET_ELLIPSOID, SPIN, 2);
    ball = k;
    ball.p.model.set = ball.set;
    ball.p.b = ball.b;
    ball.p.A.a = ball.A;
    const int n = DIM * k.nc;
    for (int i = 0; i < n; ++i) {
      const double a_i = i % DIM == 3 ? 1 / SPIN : 1;
      ball.set[i / DIM].axis[1] = ball.set[i / DIM].axis[0];
      ball.b[i] *= a_i;
      for (int j = 0; j < n; ++j) {
        ball.A[i * n + j] *= a_i * (j % DIM == 3 ? 1 / SPIN : 1);
      }
    }
    for (int s = 0; s < 3; ++s) {
      double r[N_MAX] = {0}, r_hat[N_MAX] = {0};
      solver_run(&k.p, names[s], "", 5, r, NULL);
      solver_run(&ball.p, names[s], "", 5, r_hat, NULL);
      for (int i = 3; i < n; i += DIM) {
        r[i] *= SPIN;
      }
      CHECK_LE(test_distance(n, r, r_hat), 1e-13);
    }
  }
}

/* Forces in newtons and torques in newton metres do not share a step (2.44) well: what the
 * transformation is for. */
TEST(transformation_saves_iterations_where_torques_are_small) {
  rng = test_rng(0);
  long plain = 0, transformed = 0;
  for (int draw = 0; draw < 10; ++draw) {
    struct known k;
    draw_problem(&k, 2, CONTACT_SET_CONTENSOU, 30, 2);
    for (int transform = 0; transform < 2; ++transform) {
      double r[N_MAX] = {0};
      const struct problem_result result = solve_with(
          &k.p, "pgs", transform ? "recover=0" : "recover=0 transform=0", 1e-10, 100000, r, NULL);
      CHECK_OK(result.status);
      *(transform ? &transformed : &plain) += result.iterations;
    }
  }
  CHECK_MESSAGE(10 * transformed <= plain, "%ld iterations, %ld without", transformed, plain);
}

/* Row sums of a transformed operator, in its three forms: projected Jacobi converges with each, to
 * what Gauss-Seidel finds without transformation. */
TEST(anisotropic_friction_is_solved_in_every_form_of_the_operator) {
  static const struct random_problem shape = {
      .dim = 3, .nv = 6, .nb = 5, .nc = 5, .chain = 1, .mu_max = 0.3, .loading = 1};
  rng = test_rng(0);
  for (int draw = 0; draw < 10; ++draw) {
    struct base_arena *arena = test_arena();
    struct problem forms[3];
    struct contact_set set[5];
    forms[0] = random_problem_build(&shape, rng, arena);
    for (int i = 0; i < shape.nc; ++i) {
      const double mu = forms[0].model.mu[i] + 0.01;
      set[i] = (struct contact_set){.kind = CONTACT_SET_ELLIPSE,
                                    .axis = {mu, mu * base_rng_uniform(rng, 0.2, 1.5)}};
    }
    forms[0].model.law = CONTACT_LAW_CONE;
    forms[0].model.set = set;
    forms[1] = random_problem_dense(&forms[0], arena);
    forms[2] = forms[0];
    problem_operator_to_blocks(&forms[0].A, &forms[2].A, arena);
    double expected[15] = {0};
    CHECK_OK(solve_with(&forms[0], "pgs", "transform=0", 1e-12, 100000, expected, NULL).status);
    for (int k = 0; k < 3; ++k) {
      double r[15] = {0};
      const struct problem_result result =
          solve_with(&forms[k], "pjacobi", "", 1e-11, 400000, r, NULL);
      CHECK_MESSAGE(result.status == BASE_OK, "form %d: %s", k, result.reason);
      CHECK_LE(test_distance(15, r, expected), 1e-6);
    }
  }
}

/* The set holds -r_T (moeller 3.105): against v_T > 0 friction reaches the interval's upper end,
 * against v_T < 0 its lower one. A = I, r_N = 1. */
TEST(an_interval_that_is_not_symmetric_opposes_sliding_by_its_own_end) {
  static const double lo = -0.2, hi = 0.7;
  static const double free_v[] = {2, -2, 0.1, -0.1, 0.5, -0.5}; /* of the tangent [m/s] */
  const struct contact_set set = {.kind = CONTACT_SET_INTERVAL, .axis = {lo, hi}};
  const double A[] = {1, 0, 0, 1}, mu[] = {0};
  int solvers = 0;
  for (int s = 0; s < problem_solver_count(); ++s) {
    const struct problem_solver *solver = problem_solver_get(s);
    int solved = 0;
    for (size_t k = 0; k < sizeof free_v / sizeof *free_v; ++k) {
      const double b[] = {-1, free_v[k]};
      struct problem p = dense_problem(CONTACT_LAW_CONE, 2, 1, mu, A, b);
      p.model.set = &set;
      double r[2] = {0}, v[2];
      const struct problem_result result = solve_with(&p, solver->name, "", 1e-10, 10000, r, v);
      if (result.status == BASE_UNSUPPORTED) {
        continue;
      }
      ++solved;
      CHECK_OK(result.status);
      CHECK_NEAR(r[0], 1, 1e-9);
      CHECK_NEAR(r[1], -fmax(lo, fmin(hi, b[1])), 1e-8);
      CHECK_NEAR(v[1], b[1] + r[1], 1e-15);
      CHECK_LE(result.residual.absolute, 1e-8);
    }
    CHECK(solved == 0 || solved == 6);
    solvers += solved == 6;
  }
  CHECK_LE(4, solvers); /* Jacobi, Gauss-Seidel and their kin */
}

TEST(four_components_without_sets_are_refused) {
  const double A[DIM * DIM] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const double b[DIM] = {-1, 0, 0, 0}, mu = 1;
  const struct problem p = dense_problem(CONTACT_LAW_CONE, DIM, 1, &mu, A, b);
  static const char *const names[] = {"pgs", "pjacobi", "relaxation", "pnewton"};
  for (int s = 0; s < 4; ++s) {
    double r[DIM] = {0};
    const struct problem_result result = solve_with(&p, names[s], "", 1e-10, 10, r, NULL);
    CHECK_INT(result.status, BASE_UNSUPPORTED);
    CHECK(strstr(result.reason, "friction set") != NULL);
  }
}

/* ---- Rows of Newton's method ----------------------------------------------------------------- */

static const struct contact_set rounded[] = {
    {.kind = CONTACT_SET_ELLIPSOID, .axis = {0.3, 0.3}},
    {.kind = CONTACT_SET_CONTENSOU, .axis = {0.3, 0.3}},
    {.kind = CONTACT_SET_CYLINDER, .axis = {0.3, 0.3}},
    {.kind = CONTACT_SET_ELLIPSOID, .axis = {0.3, 0.1}},
    {.kind = CONTACT_SET_ELLIPSE, .axis = {0.3, 0.5}},
    {.kind = CONTACT_SET_INTERVAL, .axis = {-0.2, 0.7}},
};
enum { ROUNDED = sizeof rounded / sizeof *rounded };

static void evaluate_rows(const struct contact_set *set, const double *x, const double *w,
                          double *F, double *P, double *Q) {
  const struct problem_ncp law = {.function = PROBLEM_NCP_ALART_CURNIER,
                                  .de_saxce = 1,
                                  .dim = 1 + contact_set_dim(set),
                                  .set = set};
  problem_ncp_evaluate(&law, x, w, F, P, Q);
}

/* Sliding: -x_T the point of x_N C farthest along w_T, so x_T . w_T = -support, and F = 0 there but
 * not beside it. */
TEST(rows_vanish_where_dissipation_is_greatest) {
  rng = test_rng(0);
  for (int s = 0; s < ROUNDED; ++s) {
    const int k = contact_set_dim(&rounded[s]);
    for (int draw = 0; draw < 50; ++draw) {
      double x[DIM] = {1 + base_rng_normal(rng) * 0.1}, w[DIM] = {0}, far[3], F[DIM], along = 0;
      for (int j = 0; j < k; ++j) {
        w[1 + j] = base_rng_normal(rng);
        far[j] = 1e9 * w[1 + j]; /* what is nearest to a point that far is the farthest along it */
      }
      contact_set_project(&rounded[s], x[0], far, far);
      for (int j = 0; j < k; ++j) {
        x[1 + j] = -far[j];
        along += far[j] * w[1 + j];
      }
      CHECK_NEAR(along, contact_set_support(&rounded[s], x[0], w + 1), 1e-12);
      evaluate_rows(&rounded[s], x, w, F, NULL, NULL);
      CHECK_LE(test_distance(1 + k, F, (const double[DIM]){0}), 1e-7);
      x[1] += 0.1;
      evaluate_rows(&rounded[s], x, w, F, NULL, NULL);
      CHECK_LE(1e-3, test_distance(1 + k, F, (const double[DIM]){0}));
    }
  }
}

/* P and Q against differences of F along random directions, the normal ones among them. */
TEST(rows_are_derivatives) {
  static const double STEP = 1e-5;
  rng = test_rng(0);
  for (int s = 0; s < ROUNDED; ++s) {
    const int dim = 1 + contact_set_dim(&rounded[s]);
    for (int draw = 0; draw < 50; ++draw) {
      double at[3][2][DIM], along[2][DIM], F[3][DIM], P[DIM * DIM] = {0}, Q[DIM * DIM] = {0};
      for (int j = 0; j < 2 * dim; ++j) { /* x, w; draws on both sides of x_N = w_N */
        const int part = j / dim, i = j % dim;
        along[part][i] = base_rng_normal(rng);
        at[0][part][i] = base_rng_normal(rng);
        for (int side = 1; side < 3; ++side) {
          at[side][part][i] = at[0][part][i] + (side == 1 ? STEP : -STEP) * along[part][i];
        }
      }
      for (int side = 0; side < 3; ++side) {
        evaluate_rows(&rounded[s], at[side][0], at[side][1], F[side], side == 0 ? P : NULL,
                      side == 0 ? Q : NULL);
      }
      for (int i = 0; i < dim; ++i) {
        double change = 0;
        for (int j = 0; j < dim; ++j) {
          change += P[dim * i + j] * along[0][j] + Q[dim * i + j] * along[1][j];
        }
        CHECK_NEAR(change, (F[1][i] - F[2][i]) / (2 * STEP), 1e-5);
      }
    }
  }
}

/* ---- Projected Newton ------------------------------------------------------------------------ */

/* moeller 2.57, G = diag(1e4, 1), c = (1, 1), as the tangential part of a contact pressed on hard
 * enough to stick: more than 1e5 iterations for nine digits, one with recovered steps, or two where
 * the impulses of a step are bounded by the last r_N. */
TEST(recovered_steps_solve_the_slow_example_at_once) {
  static const struct {
    const char *name, *options[2];
    int iterations;
  } ways[] = {{"pnewton", {"recover=0", "recover=1"}, 2},
              {"pjacobi", {"rho=diagonal recover=0", "rho=diagonal recover=1"}, 1},
              {"pgs", {"rho=diagonal recover=0", "rho=diagonal recover=1"}, 1}};
  const double A[] = {1, 0, 0, 0, 1e4, 0, 0, 0, 1}, b[] = {-1, 1, 1}, mu = 10;
  const struct problem p = dense_problem(CONTACT_LAW_CONE, 3, 1, &mu, A, b);
  for (int k = 0; k < 3; ++k) {
    double r[3] = {0}, slow[3] = {0};
    CHECK_INT(solve_with(&p, ways[k].name, ways[k].options[0], 1e-9, 100000, slow, NULL).status,
              BASE_UNCONVERGED);
    const struct problem_result result =
        solve_with(&p, ways[k].name, ways[k].options[1], 1e-9, 100000, r, NULL);
    CHECK_OK(result.status);
    CHECK_LE(result.iterations, ways[k].iterations);
    CHECK_NEAR(r[1], -1e-4, 1e-15);
    CHECK_NEAR(r[2], -1, 1e-12);
  }
}

/* (2.74): with g = x the iteration is the projected Jacobi iteration, to the bit. */
TEST(pnewton_reduces_to_projected_jacobi) {
  rng = test_rng(0);
  for (int draw = 0; draw < 50; ++draw) {
    enum { N = 6 };
    double A[N * N], b[N], mu[N] = {0}, r[N] = {0}, r_jacobi[N] = {0};
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) {
        A[i * N + j] = A[j * N + i] =
            i == j ? 1 + base_rng_uniform(rng, 0, 1) : 0.3 * base_rng_uniform(rng, -1, 1);
      }
      b[i] = base_rng_normal(rng);
    }
    const struct problem p = dense_problem(CONTACT_LAW_NCP, 1, N, mu, A, b);
    solve_with(&p, "pnewton", "", 0, 9, r, NULL);
    solve_with(&p, "pjacobi", "rho=diagonal recover=0", 0, 9, r_jacobi, NULL);
    CHECK_NEAR(test_distance(N, r, r_jacobi), 0, 0);
  }
}

/* Coulomb by the constant cone and the nonlinear g of (3.110), and by scaled disks: the same law.
 */
TEST(pnewton_solves_coulomb_with_the_constant_cone) {
  rng = test_rng(0);
  for (int draw = 0; draw < 60; ++draw) {
    const int dim = 2 + draw % 2, nc = 1 + draw % 4, n = dim * nc;
    static const enum contact_law laws[] = {CONTACT_LAW_NCP, CONTACT_LAW_CCP, CONTACT_LAW_CONE};
    double A[12 * 12], b[12], mu[4] = {0.2, 0.5, 0.3, 0.6};
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        A[i * n + j] = A[j * n + i] =
            i == j ? 1 + base_rng_uniform(rng, 0, 1) : base_rng_uniform(rng, -1, 1) / (2 * n);
      }
      b[i] = base_rng_normal(rng) - (i % dim == 0);
    }
    double expected[2][12] = {{0}};
    for (int law = 0; law < 3; ++law) {
      const struct problem p = dense_problem(laws[law], dim, nc, mu, A, b);
      double r[12] = {0};
      struct problem_result result = solve_with(&p, "pnewton", "alpha=0.8", 1e-12, 5000, r, NULL);
      CHECK_MESSAGE(result.status == BASE_OK, "law %s: %s", contact_law_name(laws[law]),
                    result.reason);
      if (law < 2) {
        result = solve_with(&p, "relaxation", "", 1e-12, 5000, expected[law], NULL);
        CHECK_OK(result.status);
      }
      CHECK_LE(test_distance(n, r, expected[law % 2]), 1e-10);
    }
  }
}
