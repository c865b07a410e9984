/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Block relaxation on packings: blocks and colours by their definition, the same bits for any
 * number of threads, the same solution in every order; its short local ways against the quartic and
 * against scans.
 */
#include <stdlib.h>

#include "base/threads.h"
#include "contact/law.h"
#include "la/dense.h"
#include "problem/blocks.h"
#include "problem/local/kit.h"
#include "problem/local/local.h"
#include "problem/solver.h"
#include "tests/packing_problem.h"
#include "tests/random_problem.h"
#include "tests/solve_with.h"
#include "tests/test.h"

static struct base_rng *rng;

/* Contact i once, blocks of a colour without a common body. */
static void check_blocks(const struct problem_operator *A, const struct problem_blocks *x) {
  int *times = calloc((size_t)A->nc, sizeof *times);
  int *owner = malloc((size_t)A->nb * sizeof *owner);
  CHECK_INT(x->colour_start[0], 0);
  CHECK_INT(x->colour_start[x->n_colours], x->n_blocks);
  CHECK_INT(x->block_start[x->n_blocks], A->nc);
  for (int colour = 0; colour < x->n_colours; ++colour) {
    for (int k = 0; k < A->nb; ++k) {
      owner[k] = -1;
    }
    for (int k = x->colour_start[colour]; k < x->colour_start[colour + 1]; ++k) {
      for (int m = x->block_start[k]; m < x->block_start[k + 1]; ++m) {
        const int i = x->order[m];
        ++times[i];
        CHECK(m == x->block_start[k] || i > x->order[m - 1]);
        for (int side = 0; side < 2; ++side) {
          const int body = A->body[2 * i + side];
          CHECK(body < 0 || owner[body] < 0 || owner[body] == k);
          if (body >= 0) {
            owner[body] = k;
          }
        }
      }
    }
  }
  for (int i = 0; i < A->nc; ++i) {
    CHECK_INT(times[i], 1);
  }
  free(times);
  free(owner);
}

TEST(blocks_of_a_colour_share_no_body) {
  rng = test_rng(0);
  for (int shuffled = 0; shuffled < 2; ++shuffled) {
    struct base_arena *arena = test_arena();
    const struct packing_problem shape = {.side = 18, .shuffled = shuffled};
    const struct problem p = packing_problem_build(&shape, rng, arena);
    const struct problem_blocks *x = problem_blocks_build(&p.A, arena);
    check_blocks(&p.A, x);
    CHECK_MESSAGE(x->n_colours < 20 && x->n_blocks > 3 * x->n_colours, "%d blocks, %d colours",
                  x->n_blocks, x->n_colours);
  }
}

/* Nothing can be relaxed at the same time then, and nothing is. */
TEST(a_body_that_all_touch_leaves_one_block_a_colour) {
  rng = test_rng(0);
  struct base_arena *arena = test_arena();
  const struct packing_problem shape = {.side = 20};
  struct problem p = packing_problem_build(&shape, rng, arena);
  int *body = base_arena_ints(arena, 2 * p.A.nc);
  for (int e = 0; e < 2 * p.A.nc; ++e) {
    body[e] = e % 2 == 0 ? 0 : p.A.body[e];
  }
  p.A.body = body;
  const struct problem_blocks *x = problem_blocks_build(&p.A, arena);
  check_blocks(&p.A, x);
  CHECK_INT(x->n_colours, x->n_blocks);
}

static const struct {
  const char *options;
  enum contact_law law;
} locals[] = {
#define BLOCKS " order=blocks jacobi=0.1 omega=0.9"
    {"local=mdp" BLOCKS, CONTACT_LAW_MDP},
    {"local=coulomb" BLOCKS, CONTACT_LAW_NCP},
    {"local=decoupled" BLOCKS, CONTACT_LAW_NCP},
    {"local=prox" BLOCKS, CONTACT_LAW_NCP},
    {"local=ccp" BLOCKS, CONTACT_LAW_CCP}};
enum { LOCALS = sizeof locals / sizeof *locals };

TEST(bits_are_the_same_for_any_number_of_threads) {
  rng = test_rng(0);
  for (int kind = 0; kind < 4; ++kind) {
    struct base_arena *arena = test_arena();
    const struct packing_problem shape = {.side = 12,
                                          .bodies = kind % 2 == 0 ? PACKING_SPHERES : PACKING_BOXES,
                                          .shuffled = kind / 2};
    struct problem p = packing_problem_build(&shape, rng, arena);
    const int n = problem_size(&p);
    for (int k = 0; k < LOCALS; ++k) {
      double *r[6];
      p.model.law = locals[k].law;
      for (int threads = 1; threads <= 5; ++threads) {
        r[threads] = base_arena_doubles(arena, n);
        base_threads_set(threads);
        solver_run(&p, "relaxation", locals[k].options, 5, r[threads], NULL);
        CHECK_MESSAGE(test_same_bits(r[1], r[threads], n), "%s with %d threads", locals[k].options,
                      threads);
      }
      base_threads_set(0);
    }
  }
}

TEST(every_order_and_blend_ends_at_the_same_velocities) {
  static const char *const ways[] = {"order=forward",
                                     "order=backward",
                                     "order=blocks",
                                     "order=blocks omega=0.8 jacobi=0.2",
                                     "order=symmetric",
                                     "domains=5 jacobi=0.5",
                                     "domains=5 momentum=0.8",
                                     "momentum=1",
                                     "momentum=0.8 order=symmetric",
                                     "momentum=1 order=blocks"};
  struct base_arena *arena = test_arena();
  rng = test_rng(0);
  const struct packing_problem shape = {.side = 3, .bodies = PACKING_BOXES};
  struct problem p = packing_problem_build(&shape, rng, arena);
  p.model.law = CONTACT_LAW_CCP; /* convex: velocities are unique */
  const int n = problem_size(&p);
  double *first = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
  for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
    const struct problem_result result = solve_with(
        &p, "relaxation", ways[k], 1e-10, 10000, base_arena_doubles(arena, n), k == 0 ? first : v);
    CHECK_MESSAGE(result.status == BASE_OK, "%s: %s", ways[k], result.reason);
    CHECK_LE(k == 0 ? 0 : test_distance(n, v, first), 1e-7);
  }
}

/* One sweep of the convex law over dense rows, by the definition: contact i sees what is new of its
 * own domain and, of others, the part 1 - jacobi of it. r: n, from zero. */
static void sweep_by_definition(const struct problem *p, const double *a, int domains,
                                double jacobi, double *r) {
  const int dim = p->model.dim, nc = p->model.nc, n = dim * nc;
  for (int i = 0; i < nc; ++i) {
    double v[3], block[9], out[3];
    for (int k = 0; k < dim; ++k) {
      v[k] = p->b[dim * i + k];
      for (int j = 0; j < n; ++j) {
        const int other = j / dim;
        const int is_own = domains > 0 ? (long)other * domains / nc == (long)i * domains / nc : 0;
        const double seen = is_own ? 1 : 1 - jacobi; /* of the change, r being zero before */
        v[k] += other == i ? 0 : seen * a[(size_t)j * (size_t)n + (size_t)(dim * i + k)] * r[j];
      }
      for (int l = 0; l < dim; ++l) {
        block[k * dim + l] = a[(size_t)(dim * i + l) * (size_t)n + (size_t)(dim * i + k)];
      }
    }
    problem_local_ccp(dim, p->model.mu[i], block, v, out);
    memcpy(r + dim * i, out, (size_t)dim * sizeof *out);
  }
}

TEST(subdomains_see_their_own_changes_and_a_share_of_the_others) {
  static const struct {
    int domains;
    double jacobi;
  } ways[] = {{0, 0}, {0, 0.3}, {0, 1}, {1, 1}, {3, 1}, {7, 0.4}};
  rng = test_rng(0);
  for (int kind = 0; kind < 2; ++kind) {
    struct base_arena *arena = test_arena();
    const struct packing_problem shape = {.side = 3,
                                          .bodies = kind == 0 ? PACKING_SPHERES : PACKING_BOXES};
    struct problem p = packing_problem_build(&shape, rng, arena);
    p.model.law = CONTACT_LAW_CCP;
    const int n = problem_size(&p);
    double *a = base_arena_matrix(arena, n, n), *expected = base_arena_doubles(arena, n);
    double *r = base_arena_doubles(arena, n);
    problem_operator_dense(&p.A, a, arena);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
      const char *options = base_arena_printf(arena, "domains=%d jacobi=%g shape=numbers",
                                              ways[k].domains, ways[k].jacobi);
      memset(r, 0, (size_t)n * sizeof *r);
      memset(expected, 0, (size_t)n * sizeof *expected);
      solver_run(&p, "relaxation", options, 1, r, NULL);
      sweep_by_definition(&p, a, ways[k].domains, ways[k].jacobi, expected);
      CHECK_LE(test_distance(n, r, expected), 1e-10 * la_norm_inf(n, expected));
    }
  }
}

TEST(subdomains_hold_each_contact_once_and_grown_ones_have_fewer_neighbours) {
  struct base_arena *arena = test_arena();
  rng = test_rng(0);
  const struct packing_problem shape = {.side = 12, .shuffled = 1};
  const struct problem p = packing_problem_build(&shape, rng, arena);
  const int nc = p.model.nc;
  int border[2] = {0};
  for (int grown = 0; grown < 2; ++grown) {
    const struct problem_domains x = problem_domains_build(&p.A, 10, grown, arena);
    int *domain = base_arena_ints(arena, nc), *owner = base_arena_ints(arena, p.A.nb);
    int *times = base_arena_ints(arena, nc);
    CHECK_INT(x.n, 10);
    for (int d = 0; d < x.n; ++d) {
      CHECK(abs(x.start[d + 1] - x.start[d] - nc / 10) <= 1);
      for (int k = x.start[d]; k < x.start[d + 1]; ++k) {
        CHECK(k == x.start[d] || x.order[k] > x.order[k - 1]);
        ++times[x.order[k]];
        domain[x.order[k]] = d;
      }
    }
    for (int i = 0; i < nc; ++i) { /* bodies of several domains */
      CHECK_INT(times[i], 1);
      for (int side = 0; side < 2; ++side) {
        const int b = p.A.body[2 * i + side];
        border[grown] += b >= 0 && owner[b] > 0 && owner[b] != domain[i] + 1;
        owner[b >= 0 ? b : 0] = b >= 0 ? domain[i] + 1 : owner[0];
      }
    }
  }
  CHECK_MESSAGE(2 * border[1] < border[0], "%d and %d", border[1], border[0]);
}

/* Of a packing of the convex law by spheres or boxes. */
static struct problem convex_packing(int kind, int side, struct base_arena *arena) {
  const struct packing_problem shape = {.side = side,
                                        .bodies = kind == 0 ? PACKING_SPHERES : PACKING_BOXES};
  struct problem p = packing_problem_build(&shape, rng, arena);
  p.model.law = CONTACT_LAW_CCP;
  return p;
}

/* Without it relaxation has three times the sweeps, and must not get there. */
TEST(momentum_takes_a_fraction_of_the_sweeps) {
  rng = test_rng(0);
  for (int kind = 0; kind < 2; ++kind) {
    struct base_arena *arena = test_arena();
    const struct problem p = convex_packing(kind, 5, arena);
    const int n = problem_size(&p);
    const struct problem_result two =
        solve_with(&p, "relaxation", "momentum=1", 1e-9, 10000, base_arena_doubles(arena, n), NULL);
    const struct problem_result one = solve_with(&p, "relaxation", "", 1e-9, 3 * two.iterations,
                                                 base_arena_doubles(arena, n), NULL);
    CHECK_OK(two.status);
    CHECK_MESSAGE(one.status != BASE_OK && one.iterations == 3 * two.iterations, "%d and %d sweeps",
                  one.iterations, two.iterations);
  }
}

/* What a sweep keeps beside r is extrapolated with it: over hundreds of sweeps it must not part
 * from r, as rows of A written out by blocks cannot. */
TEST(momentum_is_the_same_for_every_form_of_the_operator) {
  enum { SWEEPS = 700 };
  rng = test_rng(0);
  for (int kind = 0; kind < 2; ++kind) {
    struct base_arena *arena = test_arena();
    const struct problem p = convex_packing(kind, 6, arena);
    struct problem forms[3] = {p, packing_problem_written_out(&p, arena), p};
    problem_operator_to_blocks(&p.A, &forms[2].A, arena);
    const int n = problem_size(&p);
    double *r[3];
    for (int form = 0; form < 3; ++form) {
      r[form] = base_arena_doubles(arena, n);
      solver_run(&forms[form], "relaxation", "momentum=1", SWEEPS, r[form], NULL);
    }
    for (int form = 0; form < 2; ++form) {
      CHECK_LE(test_distance(n, r[form], r[2]), 1e-11 * la_norm_inf(n, r[2]));
    }
  }
}

TEST(decoupled_obeys_coulombs_law) {
  rng = test_rng(0);
  for (int kind = 0; kind < 2; ++kind) {
    struct base_arena *arena = test_arena();
    const struct packing_problem shape = {.side = 5,
                                          .bodies = kind == 0 ? PACKING_SPHERES : PACKING_BOXES};
    struct problem p = packing_problem_build(&shape, rng, arena);
    double *r = base_arena_doubles(arena, problem_size(&p));
    const struct problem_result result =
        solve_with(&p, "relaxation", "local=decoupled", 1e-9, 10000, r, NULL);
    CHECK_MESSAGE(result.status == BASE_OK, "%s", result.reason);
    p.model.law = CONTACT_LAW_CCP;
    CHECK_INT(solve_with(&p, "relaxation", "local=decoupled", 1e-9, 10000, r, NULL).status,
              BASE_UNSUPPORTED);
  }
}

TEST(short_ways_end_where_the_quartic_does) {
  enum { DRAWS = 20000, MOST = 8 };
  int sure = 0, slides = 0, asked = 0;
  rng = test_rng(0);
  for (int draw = 0; draw < DRAWS; ++draw) {
    double A[9], r[3], all[3 * MOST];
    random_block(rng, 3, 1, A);
    const double mu = base_rng_uniform(rng, 0.05, 1);
    const double b[3] = {-fabs(base_rng_normal(rng)), base_rng_normal(rng), base_rng_normal(rng)};
    const enum problem_local_short way = problem_local_short_coulomb(mu, A, b, r);
    ++asked;
    if (way == PROBLEM_LOCAL_SHORT_UNSURE) {
      continue;
    }
    ++sure;
    slides += way == PROBLEM_LOCAL_SHORT_SLIDES;
    const int count = problem_local_coulomb_all(3, mu, A, b, MOST, all);
    double least = INFINITY;
    int best = 0;
    for (int k = 0; k < count; ++k) {
      if (contact_energy(3, A, b, all + 3 * k) < least) {
        least = contact_energy(3, A, b, all + 3 * k);
        best = k;
      }
    }
    CHECK(count > 0);
    const double size = fabs(all[3 * best]) + fabs(all[3 * best + 1]) + fabs(all[3 * best + 2]);
    for (int c = 0; c < 3; ++c) {
      CHECK_NEAR(r[c], all[3 * best + c], 1e-8 * size);
    }
  }
  CHECK_MESSAGE(sure > asked / 2 && slides > sure / 5, "of %d sure %d, of which %d slide", asked,
                sure, slides);
}

TEST(least_energy_on_a_disk_beats_a_scan) {
  enum { DRAWS = 2000, ANGLES = 200 };
  rng = test_rng(0);
  for (int draw = 0; draw < DRAWS; ++draw) {
    double A[9], r[3] = {0, 0, 0};
    random_block(rng, 3, 1, A);
    const double g[2] = {base_rng_normal(rng), base_rng_normal(rng)};
    const double b[3] = {0, g[0], g[1]}, radius = pow(10, base_rng_uniform(rng, -3, 1));
    problem_local_disk_minimum(A, g, radius, r + 1);
    CHECK_LE(hypot(r[1], r[2]), radius * (1 + 1e-14));
    const double mine = contact_energy(3, A, b, r);
    for (int k = 0; k < ANGLES; ++k) {
      const double share = 0.25 * (1 + k % 4), angle = 2 * M_PI * k / ANGLES;
      const double other[3] = {0, share * radius * cos(angle), share * radius * sin(angle)};
      CHECK_LE(mine, contact_energy(3, A, b, other) + 1e-14 * fabs(mine));
    }
  }
}
