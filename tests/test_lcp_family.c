/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The polyhedral LCP of contacts (bhalerao 14) by its three solvers, against each other and against
 * closed forms: pivoting, semismooth Newton and block Gauss-Seidel agree in v and w where the
 * solution is one; one contact is solved exactly whatever its polygon; a basis that is still right
 * costs no pivot; the direction of friction is off by no more than pi / n_dir; elliptic polygons
 * slide where their half axes say. What an iteration cannot do it must say.
 */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "problem/local/local.h"
#include "problem/solver.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/random_contacts.h"
#include "tests/random_problem.h"
#include "tests/small_lcp.h"
#include "tests/solve_with.h"
#include "tests/test.h"

static const double TOL = 1e-12;

/* Largest |min(w, z)| of a contact problem at r, z from it by problem_lcp_unknowns, over max |q|;
 * w: n, gets M z + q. */
static double complementarity(const struct problem *p, const double *r, double *w,
                              struct base_arena *arena) {
  struct problem_lcp lcp;
  problem_lcp_build(p, &lcp, arena);
  double *z = base_arena_doubles(arena, lcp.n);
  problem_lcp_unknowns(p, r, z, arena);
  la_copy(lcp.n, lcp.q, w);
  la_gemv(lcp.n, lcp.n, 1, lcp.M, z, 1, w);
  return small_lcp_misfit(lcp.n, lcp.M, lcp.q, z, NULL, NULL);
}

/* ---- Three solvers, one LCP ---- */

/* Friction is held to this share of the value at which mu |A_NT| reaches A_NN: beyond there may be
 * several solutions. */
static const double COUPLING_MAX = 0.3;

/* Contacts of a chain of bodies: A is positive definite. */
static struct problem chain_problem(int dim, int nc, int n_dir, double ratio, int seed,
                                    struct base_arena *arena) {
  const struct random_problem shape = {.dim = dim,
                                       .nv = dim == 2 ? 3 : 6,
                                       .nb = nc,
                                       .nc = nc,
                                       .chain = 1,
                                       .mu_max = 1,
                                       .loading = 1};
  struct base_rng *rng = test_rng((unsigned long)seed);
  struct problem p = random_problem_build(&shape, rng, arena);
  double *mu = base_arena_doubles(arena, nc);
  double *diag = base_arena_doubles(arena, nc * dim * dim);
  problem_operator_diagonal(&p.A, diag);
  for (int i = 0; i < nc; ++i) {
    const double *block = diag + i * dim * dim;
    const double coupling = dim == 2 ? fabs(block[1]) : fmax(1, ratio) * hypot(block[1], block[2]);
    mu[i] = fmin(p.model.mu[i], COUPLING_MAX * block[0] / coupling);
  }
  p.model.law = CONTACT_LAW_LCP;
  p.model.mu = mu;
  p.model.n_dir = n_dir;
  if (ratio != 1) {
    double *dirs = base_arena_doubles(arena, 2 * n_dir);
    contact_directions_elliptic(n_dir, ratio, dirs);
    p.model.dirs = dirs;
  }
  return p;
}

TEST(solvers_of_the_lcp_agree) {
  static const char *const names[] = {"lemke", "lcp-newton", "lcp-pgs", "pgs"};
  static const char *const options[] = {"", "", "omega=1.1", ""};
  enum { SOLVERS = 4, SEEDS = 40 };
  for (int seed = 0; seed < SEEDS; ++seed) {
    const int dim = 2 + seed % 2, nc = 1 + seed % 9, n_dir = 3 + seed % 14;
    struct base_arena *arena = test_arena();
    const struct problem p = chain_problem(dim, nc, n_dir, seed % 3 == 2 ? 0.5 : 1, seed, arena);
    const int n = problem_size(&p), rows = problem_lcp_size(&p.model);
    const double speed = la_norm_inf(n, p.b);
    double *v[SOLVERS], *w[SOLVERS];
    for (int k = 0; k < SOLVERS; ++k) {
      double *r = base_arena_doubles(arena, n);
      v[k] = base_arena_doubles(arena, n);
      w[k] = base_arena_doubles(arena, rows);
      const struct problem_result result =
          solve_with(&p, names[k], options[k], TOL, 20000, r, v[k]);
      CHECK_MESSAGE(result.status == BASE_OK, "%s, seed %d: %s", names[k], seed, result.reason);
      CHECK_LE(complementarity(&p, r, w[k], arena), 1e-10);
      CHECK_LE(test_distance(n, v[k], v[0]), 1e-9 * speed);
      CHECK_LE(test_distance(rows, w[k], w[0]), 1e-9 * la_norm_inf(rows, w[0]));
    }
  }
}

/* Redundant contacts, bodies that cannot move, mu to 2: no solver promises to converge, but each
 * tells the truth: what it calls solved is, by the law's residual and by w and z. */
TEST(statuses_are_honest_on_degenerate_contacts) {
  static const char *const names[] = {"lemke", "lcp-newton", "lcp-pgs"};
  enum { SOLVERS = 3, TRIALS = 400 };
  int solved[SOLVERS] = {0};
  struct base_rng *rng = test_rng(1);
  for (int trial = 0; trial < TRIALS; ++trial) {
    struct random_contacts c;
    random_contacts_fill(rng, 2 + trial % 2, 1 + base_rng_below(rng, RANDOM_CONTACTS),
                         3 + base_rng_below(rng, 6), trial % 3, &c);
    for (int k = 0; k < SOLVERS; ++k) {
      double r[RANDOM_ROWS] = {0}, v[RANDOM_ROWS], w[RANDOM_CONTACTS * 10];
      const struct problem_result result =
          solve_with(&c.p, names[k], "", TOL, k == 2 ? 2000 : 500, r, v);
      if (result.status == BASE_OK) {
        ++solved[k];
        CHECK_LE(result.residual.relative_free, TOL);
        if (la_norm_inf(problem_size(&c.p), c.b) > 0) {
          CHECK_LE(complementarity(&c.p, r, w, test_arena()), 1e-9);
        }
      } else {
        CHECK(result.reason[0] != '\0');
      }
    }
  }
  CHECK_INT(solved[0], TRIALS);
  CHECK(10 * solved[1] >= 9 * TRIALS); /* 398 of 400 with the default seed */
}

/* Nothing solves a contact that cannot move and must; a raw LCP without diagonal is no thing to
 * relax. */
TEST(impossible_and_unfit_problems_are_told) {
  const double mu[1] = {0.5}, zero[9] = {0}, down[3] = {-1, 0.25, 0};
  struct problem p = dense_problem(CONTACT_LAW_LCP, 3, 1, mu, zero, down);
  p.model.n_dir = 4;
  double r[3] = {0};
  const struct problem_result lemke = solve_with(&p, "lemke", "", TOL, 1000, r, NULL);
  CHECK_INT(lemke.status, BASE_FAILED);
  CHECK(strstr(lemke.reason, "secondary ray") != NULL);
  const struct problem_result newton = solve_with(&p, "lcp-newton", "", TOL, 10000, r, NULL);
  CHECK_INT(newton.status, BASE_FAILED);
  CHECK(strstr(newton.reason, "stationary") != NULL);
  CHECK_INT(solve_with(&p, "lcp-pgs", "", TOL, 100, r, NULL).status, BASE_UNSUPPORTED);
  const double skew[4] = {0, -1, 1, 0}, q[2] = {-1, 1}; /* z = (1, 1) */
  const struct problem raw = dense_problem(CONTACT_LAW_LCP, 1, 2, NULL, skew, q);
  double z[2] = {0};
  CHECK_INT(solve_with(&raw, "lcp-pgs", "", TOL, 100, z, NULL).status, BASE_UNSUPPORTED);
  CHECK_OK(solve_with(&raw, "lcp-newton", "", TOL, 100, z, NULL).status);
  CHECK_NEAR(z[0], 1, 1e-10);
  CHECK_NEAR(z[1], 1, 1e-10);
  struct problem flat = p;
  flat.model.n_dir = 2;
  CHECK_INT(solve_with(&flat, "lcp-newton", "", TOL, 100, r, NULL).status, BASE_UNSUPPORTED);
}

/* ---- One contact ---- */

/* Regular, elliptic and out-of-order polygons; what meets no condition exactly must have no other
 * solution either: Lemke's method, which has all bases to go through, is asked. */
TEST(one_contact_is_solved_exactly) {
  struct base_rng *rng = test_rng(2);
  int count[PROBLEM_LOCAL_BRANCH_COUNT] = {0};
  for (int trial = 0; trial < 20000; ++trial) {
    const int dim = 2 + (trial % 4 > 0), n_dir = 3 + base_rng_below(rng, 12);
    double A[9], b[3], r[3], v[3], dirs[2 * 16] = {1, -1};
    random_block(rng, dim, 0, A);
    for (int c = 0; c < dim; ++c) {
      b[c] = base_rng_normal(rng) - (c == 0);
    }
    const double mu = base_rng_uniform(rng, 0, 1.5);
    if (dim == 3) {
      contact_directions_elliptic(n_dir, trial % 4 == 2 ? base_rng_uniform(rng, 0.2, 2) : 1, dirs);
    }
    if (trial % 4 == 3) { /* corners in another order */
      for (int c = 0; c < 2; ++c) {
        const double keep = dirs[c];
        dirs[c] = dirs[4 + c];
        dirs[4 + c] = keep;
      }
    }
    const enum problem_local_branch branch =
        problem_local_lcp(dim, mu, dim == 2 ? 2 : n_dir, dirs, A, b, r);
    ++count[branch];
    const struct contact_model model = {
        .law = CONTACT_LAW_LCP, .dim = dim, .nc = 1, .mu = &mu, .n_dir = n_dir, .dirs = dirs};
    for (int c = 0; c < dim; ++c) {
      v[c] = b[c] + la_dot(dim, A + (ptrdiff_t)(dim * c), r);
    }
    const double residual = contact_residual(&model, A, r, v, b).relative_b;
    if (branch != PROBLEM_LOCAL_FALLBACK && branch != PROBLEM_LOCAL_NONE) {
      CHECK_LE(residual, 1e-11);
    } else {
      struct problem p = dense_problem(CONTACT_LAW_LCP, dim, 1, &mu, A, b);
      p.model = model;
      double other[3] = {0};
      CHECK(solve_with(&p, "lemke", "", 1e-10, 1000, other, NULL).status != BASE_OK);
    }
  }
  CHECK(count[PROBLEM_LOCAL_SEPARATING] > 0 && count[PROBLEM_LOCAL_STICKING] > 0 &&
        count[PROBLEM_LOCAL_SLIDING] > 0);
}

/* A ball that slides fast: friction is along the direction d_l nearest to -v_T, so that it is off
 * by the angle from there to it, and by pi / n_dir at most, half way between two directions.
 * (Within mu |b_N| / |b_T| of half way friction on the edge holds the motion there.) */
TEST(direction_error_is_half_the_angle_between_facets) {
  enum { HALF_WAY = 8 };
  const double mu = 0.3, speed = 1e6, aside = 1e-3, A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int n_dir = 3; n_dir <= 64; n_dir += n_dir < 12 ? 1 : 13) {
    const double sixteenth = M_PI / (HALF_WAY * n_dir);
    double worst = 0;
    for (int k = 0; k < 2 * HALF_WAY * n_dir; ++k) {
      const double angle = (k + aside) * sixteenth;
      const double b[3] = {-1, speed * cos(angle), speed * sin(angle)};
      struct problem p = dense_problem(CONTACT_LAW_LCP, 3, 1, &mu, A, b);
      p.model.n_dir = n_dir;
      double r[3] = {0}, v[3];
      CHECK_OK(solve_with(&p, k % 2 ? "lemke" : "lcp-pgs", "", TOL, 1000, r, v).status);
      const double off = remainder(atan2(r[2], r[1]) - angle - M_PI, 2 * M_PI);
      CHECK_NEAR(off, -remainder(angle + M_PI, 2 * M_PI / n_dir), 1e-12);
      CHECK_NEAR(r[0], 1, 1e-9);
      CHECK_NEAR(hypot(r[1], r[2]), mu * r[0], 1e-13);
      worst = fmax(worst, fabs(off));
    }
    CHECK_NEAR(worst, M_PI / n_dir - aside * sixteenth, 1e-12);
  }
}

/* ---- Warm start ---- */

/* Lemke's method by its own functions from r; its last status. */
static int lemke_from(const struct problem *p, double *r, int *pivots) {
  return solver_run(p, "lemke", "", 100000, r, pivots);
}

/* From the solution of a like problem, b up to 1 in 10^`digits` different: always solved, and with
 * fewer pivots the nearer it is. The basis of the solution itself takes none (one iteration, which
 * finds that out), where it is one: not on doubled contacts of bodies that share their load. */
TEST(lemke_begins_at_the_last_basis) {
  enum { TRIALS = 200, KINDS = 4 };
  static const double change[KINDS] = {0, 1e-6, 1e-2, 0.3};
  struct base_arena *arena = test_arena();
  int cold = 0, warm[KINDS] = {0};
  for (int seed = 0; seed < TRIALS; ++seed) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    const int dim = 2 + seed % 2;
    struct problem p = chain_problem(dim, 12, 8, 1, seed, arena);
    struct base_rng *rng = test_rng(3 + (unsigned long)seed);
    const int n = problem_size(&p);
    double *r = base_arena_doubles(arena, n), *w = base_arena_doubles(arena, 12 * 10);
    int pivots;
    CHECK_INT(lemke_from(&p, r, &pivots), PROBLEM_DONE);
    cold += pivots;
    for (int kind = 0; kind < KINDS; ++kind) {
      struct problem q = p;
      double *b = base_arena_doubles(arena, n), *from = base_arena_doubles(arena, n);
      for (int i = 0; i < n; ++i) {
        b[i] = p.b[i] * (1 + change[kind] * base_rng_uniform(rng, -1, 1));
      }
      la_copy(n, r, from);
      q.b = b;
      CHECK_INT(lemke_from(&q, from, &pivots), PROBLEM_DONE);
      CHECK_LE(complementarity(&q, from, w, arena), 1e-10);
      CHECK_MESSAGE(kind > 0 || pivots == 1, "seed %d: %d pivots from the solution", seed, pivots);
      warm[kind] += pivots;
    }
    base_arena_release(arena, mark);
  }
  CHECK(10 * warm[1] < cold && 4 * warm[2] < cold && warm[3] < cold);
}

/* The same where contacts are redundant and A is singular: a little more load on the same basis. */
TEST(lemke_keeps_the_basis_of_redundant_contacts) {
  enum { TRIALS = 3000 };
  struct base_rng *rng = test_rng(5);
  struct base_arena *arena = test_arena();
  int loaded = 0, kept = 0;
  for (int trial = 0; trial < TRIALS; ++trial) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    struct random_contacts c;
    random_contacts_fill(rng, 2 + trial % 2, 1 + base_rng_below(rng, RANDOM_CONTACTS),
                         3 + base_rng_below(rng, 6), 3 * (trial % 3), &c);
    double r[RANDOM_ROWS] = {0};
    int pivots;
    CHECK_INT(lemke_from(&c.p, r, &pivots), PROBLEM_DONE);
    if (la_norm_inf(problem_size(&c.p), r) > 0) {
      for (int i = 0; i < problem_size(&c.p); ++i) {
        c.b[i] *= 1 + 1e-6;
      }
      CHECK_INT(lemke_from(&c.p, r, &pivots), PROBLEM_DONE);
      ++loaded;
      kept += pivots == 1;
    }
    base_arena_release(arena, mark);
  }
  CHECK(100 * kept >= 99 * loaded && loaded > TRIALS / 4);
}

/* Any start will do: nonsense is begun from or thrown away, redundant contacts too. */
TEST(lemke_solves_from_any_start) {
  struct base_rng *rng = test_rng(4);
  struct base_arena *arena = test_arena();
  for (int trial = 0; trial < 5000; ++trial) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    struct random_contacts c;
    random_contacts_fill(rng, 2 + trial % 2, 1 + base_rng_below(rng, RANDOM_CONTACTS),
                         3 + base_rng_below(rng, 6), 2, &c);
    double r[RANDOM_ROWS], w[RANDOM_CONTACTS * 10];
    for (int i = 0; i < RANDOM_ROWS; ++i) {
      r[i] = base_rng_below(rng, 3) == 0 ? 0 : base_rng_normal(rng);
    }
    int pivots;
    const int status = lemke_from(&c.p, r, &pivots);
    CHECK_MESSAGE(status == PROBLEM_DONE, "trial %d: %s", trial, base_message());
    CHECK_LE(complementarity(&c.p, r, w, arena), 1e-10);
    base_arena_release(arena, mark);
  }
}

/* ---- Formulations ---- */

/* Velocity after 0.2 s of a block pushed along t1 (axis 0) or t2 with a force in units of m g. */
static double push_velocity(const char *form, int axis, double force, const char *ratio) {
  const double g = 10;
  struct points p = {.n = 1, .dim = 3, .m = {2}, .gravity = {0, 0, -g}, .mu = 0.5};
  p.push[axis] = force * p.m[0] * g;
  const struct mech m = points_mech(&p);
  struct run *run = run_begin(form, &m, 1e-2, (double[]){0, 0, 0}, (double[]){0, 0, 0});
  run_set(run, "mu_ratio=%s", ratio);
  run_until(run, 0.2);
  CHECK_OK(run->status);
  CHECK_LE(run->last.diagnostics.cone, 1e-12);
  CHECK_LE(fabs(run->last.diagnostics.dissipation_shortfall), 1e-12);
  return run->state.u[axis];
}

/* Friction mu m g along t1 and mu_ratio mu m g along t2: the block stays below and slides with what
 * is left of the push above. */
TEST(elliptic_polygons_slide_where_their_axes_say) {
  static const char *const forms[] = {"lcp-st", "lcp-ap"};
  for (int f = 0; f < 2; ++f) {
    for (int k = 0; k < 3; ++k) {
      static const char *const texts[] = {"0.5", "1", "1.6"};
      static const double ratios[] = {0.5, 1, 1.6};
      for (int axis = 0; axis < 2; ++axis) {
        const double limit = axis == 0 ? 0.5 : 0.5 * ratios[k];
        CHECK_NEAR(push_velocity(forms[f], axis, 0.99 * limit, texts[k]), 0, 1e-12);
        CHECK_NEAR(push_velocity(forms[f], axis, limit + 0.1, texts[k]), 0.1 * 10 * 0.2, 1e-11);
      }
    }
  }
}

/* A particle above delta feels nothing, below it lands as with all contacts looked at. */
TEST(contacts_beyond_delta_take_no_part) {
  for (int k = 0; k < 2; ++k) {
    double z[2];
    for (int with = 0; with < 2; ++with) {
      struct points p = {.n = 1, .dim = 2, .m = {1}, .gravity = {0, 0}, .mu = 0.5};
      const struct mech m = points_mech(&p);
      struct run *run = run_begin("lcp-st", &m, 0.1, (double[]){0, 0.05}, (double[]){0, -1});
      if (with) {
        run_set(run, "delta=%s", k == 0 ? "0.06" : "0.04");
      }
      run_step(run, 0.1);
      z[with] = run->state.q[1];
    }
    CHECK_NEAR(z[0], 0, 1e-15);
    CHECK_NEAR(z[1], k == 0 ? 0 : -0.05, 1e-15);
  }
}

/* (16) step by step: lands inelastically in the step in which its gap closes, and leaves in the
 * next one with eps_N times the velocity it had one step before it landed. */
TEST(restitution_comes_one_step_after_landing) {
  const double eps = 0.7, dt = 0.01, speed = 2;
  struct points p = {.n = 1, .dim = 2, .m = {3}, .gravity = {0, 0}, .mu = 0.2, .eps_N = eps};
  const struct mech m = points_mech(&p);
  struct run *run = run_begin("lcp-st", &m, dt, (double[]){0, 0.05}, (double[]){0, -speed});
  run_set(run, "restitution=source");
  double before = -speed; /* u_N at the beginning of the step */
  int landed = -1;
  for (int step = 0; step < 6; ++step) {
    const double gap = run->state.q[1];
    run_step(run, dt);
    const double u = run->state.u[1];
    if (landed < 0 && gap / dt + before < 0) {
      landed = step;
      CHECK_NEAR(u, -gap / dt, 1e-12);
    } else if (landed < 0) {
      CHECK_NEAR(u, -speed, 1e-15);
    } else {
      CHECK_NEAR(u, eps * speed, 1e-12);
    }
    before = u;
  }
  CHECK(landed > 0 && landed < 4);
}
