/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forces and modes that the event-driven solution chooses: Coulomb's law itself on random problems,
 * forces of redundant contacts against the springs they are the limit of and against brute force.
 */
#include "tests/test.h"

#include "form/event/event.h"
#include "la/dense.h"

/* ---- choice of modes ---- */

enum { MOST = 24 };

/* Modes of n contacts, any allowed; slides: (dim - 1) x n, directions in which they slide already,
 * or NULL. r: dim n forces and w: dim n, A r + b, that come with them. */
static int choose(int dim, int n, const double *A, const double *b, const double *mu,
                  const double *slides, enum event_mode *mode, double *r, double *w) {
  unsigned allowed[MOST];
  int fixed[MOST];
  double direction[2 * MOST] = {0};
  for (int i = 0; i < n; ++i) {
    allowed[i] = EVENT_ANY;
    fixed[i] = slides != NULL;
  }
  if (slides != NULL) {
    la_copy((dim - 1) * n, slides, direction);
  }
  struct event_choice choice = {.dim = dim,
                                .n = n,
                                .A = A,
                                .b = b,
                                .mu = mu,
                                .fixed = fixed,
                                .allowed = allowed,
                                .direction = direction,
                                .mode = mode,
                                .r = r};
  const int status = event_choose(&choice, test_arena());
  la_copy(dim * n, b, w);
  la_gemv(dim * n, dim * n, 1, A, r, 1, w);
  return status;
}

/* Signorini's and Coulomb's laws of what is chosen; off: allowed, of w_N and r_N. */
static void check_coulomb(int dim, int n, const double *A, const double *b, const double *mu,
                          double off) {
  double r[MOST], w[MOST];
  enum event_mode mode[MOST];
  CHECK_OK(choose(dim, n, A, b, mu, NULL, mode, r, w));
  for (int i = 0; i < n; ++i) {
    const double *ri = r + dim * i, *wi = w + dim * i, speed = la_norm2(dim - 1, wi + 1);
    CHECK_NEAR(fmin(ri[0], wi[0]), 0, off);
    CHECK_LE(la_norm2(dim - 1, ri + 1), mu[i] * ri[0] + off);
    CHECK_NEAR(mu[i] * ri[0] * speed + la_dot(dim - 1, ri + 1, wi + 1), 0, off * fmax(1, speed));
  }
}

/* Small friction: a solution exists and is unique. */
TEST(modes_chosen_satisfy_coulombs_law) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 3000; ++trial) {
    enum { DIM = 2, N = 2, SIZE = DIM * N };
    double B[SIZE * SIZE], A[SIZE * SIZE], b[SIZE];
    base_rng_uniforms(rng, SIZE * SIZE, -1, 1, B);
    base_rng_uniforms(rng, SIZE, -1, 1, b);
    const double mu[N] = {0.15 * fabs(base_rng_uniform(rng, -1, 1)),
                          0.15 * fabs(base_rng_uniform(rng, -1, 1))};
    la_gemm_t(SIZE, SIZE, SIZE, 1, B, B, 0, A);
    for (int k = 0; k < SIZE; ++k) {
      A[k * SIZE + k] += 0.5;
    }
    check_coulomb(DIM, N, A, b, mu, 1e-10);
  }
}

/* An impact of a rigid body with n places of contact, b = W^T u: four on the floor, and four on
 * walls at right angles to it with n = 8. off: allowed, with relative of the size of b too. */
enum { CORNERS = 8, ALL = 3 * CORNERS, BODY = 6 };
static void knock(int n, double height, const double u[BODY], double off, double relative) {
  double W[BODY * ALL], A[ALL * ALL], b[ALL], mu[CORNERS];
  const double corner[3] = {0.3, 0.2, height}, mass[2] = {1, 0.02};
  for (int i = 0; i < n; ++i) {
    const int wall = i >= 4, first = i & 1 ? 1 : -1, second = i & 2 ? 1 : -1;
    const double x[3] = {wall ? -corner[0] : first * corner[0],
                         wall ? first * corner[1] : second * corner[1],
                         wall ? second * corner[2] : -corner[2]};
    for (int d = 0; d < 3; ++d) { /* normal z, or x on the wall */
      const int axis = wall ? d : (d + 2) % 3;
      const double e[3] = {axis == 0, axis == 1, axis == 2};
      double *column = W + (3 * i + d) * BODY;
      const double turn[3] = {x[1] * e[2] - x[2] * e[1], x[2] * e[0] - x[0] * e[2],
                              x[0] * e[1] - x[1] * e[0]};
      for (int j = 0; j < 3; ++j) {
        column[j] = e[j] / sqrt(mass[0]);
        column[3 + j] = turn[j] / sqrt(mass[1]);
      }
    }
    mu[i] = 0.4;
  }
  la_gemm_t(3 * n, 3 * n, BODY, 1, W, W, 0, A);
  la_gemv_t(BODY, 3 * n, 1, W, u, 0, b);
  check_coulomb(3, n, A, b, mu, off + relative * la_norm_inf(3 * n, b));
}

TEST(impacts_of_a_box_on_many_corners_satisfy_coulombs_law) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 2000; ++trial) {
    double u[BODY];
    base_rng_uniforms(rng, BODY, -1, 1, u);
    u[2] -= 1;
    knock(trial % 2 == 0 ? 4 : 8, base_rng_uniform(rng, 0.05, 0.15), u, 1e-7, 1e-7);
  }
}

/* However fast a body slides, of a landing with next to no speed nothing is left. */
TEST(slow_impacts_of_fast_bodies_are_impacts) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 200; ++trial) {
    const double slow = 1e-8, angle = base_rng_uniform(rng, -3, 3);
    const double u[BODY] = {1.6 * cos(angle),
                            1.6 * sin(angle),
                            -slow,
                            slow * base_rng_uniform(rng, -1, 1),
                            slow * base_rng_uniform(rng, -1, 1),
                            0};
    knock(4, base_rng_uniform(rng, 0.05, 0.15), u, 1e-6 * slow, 0);
  }
}

/* More contacts than can be enumerated, redundant ones among them (A has half its rank). */
TEST(many_frictionless_contacts_satisfy_complementarity) {
  enum { N = 20, RANK = 10 };
  struct base_rng *rng = test_rng(0);
  const double mu[N] = {0};
  for (int trial = 0; trial < 2000; ++trial) {
    double B[RANK * N], c[RANK], A[N * N], b[N], r[N], w[N];
    enum event_mode mode[N];
    base_rng_uniforms(rng, RANK * N, -1, 1, B);
    base_rng_uniforms(rng, RANK, -1, 1, c);
    la_gemm_t(N, N, RANK, 1, B, B, 0, A);
    la_gemv_t(RANK, N, 1, B, c, 0, b); /* b in the range of A: a solution exists */
    CHECK_OK(choose(1, N, A, b, mu, NULL, mode, r, w));
    for (int i = 0; i < N; ++i) {
      CHECK_NEAR(fmin(r[i], w[i]), 0, 1e-10 + 1e-13 * la_norm_inf(N, r));
    }
  }
}

/* Contacts that slide in directions which are known are open or closed and nothing else. */
TEST(many_sliding_contacts_satisfy_complementarity) {
  enum { DIM = 2, N = 20, SIZE = DIM * N, RANK = 30 };
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 200; ++trial) {
    double B[RANK * SIZE], A[SIZE * SIZE], b[SIZE], mu[N], direction[N], r[SIZE], w[SIZE];
    enum event_mode mode[N];
    base_rng_uniforms(rng, RANK * SIZE, -1, 1, B);
    base_rng_uniforms(rng, SIZE, -1, 1, b);
    base_rng_uniforms(rng, N, 0, 0.1, mu);
    for (int i = 0; i < N; ++i) {
      direction[i] = i % 3 == 0 ? -1 : 1;
    }
    la_gemm_t(SIZE, SIZE, RANK, 1, B, B, 0, A);
    CHECK_OK(choose(DIM, N, A, b, mu, direction, mode, r, w));
    for (int i = 0; i < N; ++i) {
      CHECK_NEAR(fmin(r[DIM * i], w[DIM * i]), 0, 1e-10 + 1e-13 * la_norm_inf(SIZE, r));
      CHECK_NEAR(r[DIM * i + 1], -mu[i] * direction[i] * r[DIM * i], 1e-13 * la_norm_inf(SIZE, r));
    }
  }
}

/* Nine frictionless contacts, their directions alike but for 1e-4: sweeps over contacts would crawl
 * (A has eigenvalues 9 and 1e-8); combinations of open and closed are few enough to try them all.
 */
TEST(nearly_parallel_frictionless_contacts_are_decided_exactly) {
  enum { N = 9 };
  struct base_rng *rng = test_rng(0);
  const double mu[N] = {0};
  for (int trial = 0; trial < 5; ++trial) {
    double B[N * N], c[N], A[N * N], b[N], r[N], w[N];
    enum event_mode mode[N];
    base_rng_uniforms(rng, N * N, -1, 1, B);
    base_rng_uniforms(rng, N, -1, 1, c);
    for (int k = 0; k < N * N; ++k) {
      B[k] = (k % N == 0) + 1e-4 * B[k];
    }
    la_gemm_t(N, N, N, 1, B, B, 0, A);
    la_gemv_t(N, N, 1, B, c, 0, b);
    CHECK_OK(choose(1, N, A, b, mu, NULL, mode, r, w));
    for (int i = 0; i < N; ++i) { /* forces of up to 1e4 |b| leave round-off of that size */
      CHECK_LE(-1e-9, r[i]);
      CHECK_LE(-1e-11, w[i]);
      CHECK_LE(fabs(mode[i] == EVENT_OPEN ? r[i] : w[i]), mode[i] == EVENT_OPEN ? 0 : 1e-11);
    }
  }
}

/* ---- redundant forces ---- */

/* Random contacts in space of rank less than their unknowns: A = B^T B, b = B^T c. */
enum { N = 4, SIZE = 3 * N, RANK = 6 };
struct contacts {
  double B[RANK * SIZE], c[RANK], A[SIZE * SIZE], b[SIZE], mu[N], direction[2 * N];
  enum event_mode mode[N];
  double r[SIZE], w[SIZE];
};

static struct event_closed make_contacts(struct contacts *x, struct base_rng *rng) {
  base_rng_uniforms(rng, RANK * SIZE, -1, 1, x->B);
  base_rng_uniforms(rng, RANK, -1, 1, x->c);
  for (int i = 0; i < N; ++i) {
    const double angle = 4 * base_rng_uniform(rng, -1, 1);
    x->mu[i] = 0.1 + 0.1 * fabs(base_rng_uniform(rng, -1, 1));
    x->direction[2 * i] = cos(angle);
    x->direction[2 * i + 1] = sin(angle);
    x->mode[i] = i % 2 == 0 ? EVENT_STICK : EVENT_SLIDE;
  }
  la_gemm_t(SIZE, SIZE, RANK, 1, x->B, x->B, 0, x->A);
  la_gemv_t(RANK, SIZE, 1, x->B, x->c, 0, x->b);
  return (struct event_closed){.dim = 3,
                               .n = N,
                               .A = x->A,
                               .b = x->b,
                               .mu = x->mu,
                               .mode = x->mode,
                               .direction = x->direction,
                               .r = x->r,
                               .w = x->w};
}

/* (K + eps 1) x = y by its own elimination, extrapolated to eps = 0 from two values. */
TEST(redundant_forces_are_those_of_springs_of_growing_stiffness) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 100; ++trial) {
    struct contacts x;
    struct event_closed closed = make_contacts(&x, rng);
    int row[SIZE], piv[SIZE];
    double F[SIZE * SIZE] = {0}, AF[SIZE * SIZE], K[SIZE * SIZE], limit[2][SIZE], r[SIZE];
    const int k = event_rows(&closed, row);
    event_columns(&closed, k, row, F);
    la_gemm(SIZE, k, SIZE, 1, x.A, F, 0, AF);
    for (int stiff = 0; stiff < 2; ++stiff) {
      const double eps = stiff ? 5e-6 : 1e-5;
      for (int j = 0; j < k; ++j) {
        for (int i = 0; i < k; ++i) {
          K[j * k + i] = AF[j * SIZE + row[i]] + (i == j ? eps : 0);
        }
      }
      for (int i = 0; i < k; ++i) {
        limit[stiff][i] = -x.b[row[i]];
      }
      CHECK_OK(la_lu_factor(k, K, piv));
      la_lu_solve(k, 1, K, piv, limit[stiff]);
    }
    double moved = 0; /* by halving eps; what extrapolation leaves is a small part of it */
    for (int i = 0; i < k; ++i) {
      moved = fmax(moved, fabs(limit[1][i] - limit[0][i]));
      limit[1][i] = 2 * limit[1][i] - limit[0][i];
    }
    la_gemv(SIZE, k, 1, F, limit[1], 0, r);
    event_forces(&closed, test_arena());
    CHECK(closed.redundant);
    const double scale = 1 + la_norm_inf(SIZE, r);
    for (int i = 0; i < SIZE; ++i) { /* rounding of the elimination is 1 / eps */
      CHECK_NEAR(x.r[i], r[i], 0.3 * moved + 1e-9 * scale);
    }
    for (int i = 0; i < k; ++i) {
      CHECK_NEAR(x.w[row[i]], 0, 1e-9 * scale);
    }
  }
}

/* Two feet in the plane share one horizontal force in one way only: brute force over it. */
TEST(the_best_self_stress_is_that_of_a_search) {
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 200; ++trial) {
    enum { FEET = 2, P = 4, DOF = 3 };
    /* a box of half width 1 and height h: rows of (normal, tangential) by (x, z, turn) */
    const double h = 0.5 + 0.4 * base_rng_uniform(rng, -1, 1);
    const double B[DOF * P] = {0, 1, 1, 1, 0, h, 0, 1, -1, 1, 0, h};
    const double c[DOF] = {0.4 * base_rng_uniform(rng, -1, 1), -1,
                           0.3 * base_rng_uniform(rng, -1, 1)};
    const double mu[FEET] = {0.3 + 0.2 * base_rng_uniform(rng, -1, 1),
                             0.3 + 0.2 * base_rng_uniform(rng, -1, 1)};
    const enum event_mode mode[FEET] = {EVENT_STICK, EVENT_STICK};
    double A[P * P], b[P], r[P], w[P], direction[FEET] = {1, 1};
    la_gemm_t(P, P, DOF, 1, B, B, 0, A);
    la_gemv_t(DOF, P, 1, B, c, 0, b);
    struct event_closed closed = {.dim = 2,
                                  .n = FEET,
                                  .A = A,
                                  .b = b,
                                  .mu = mu,
                                  .mode = mode,
                                  .direction = direction,
                                  .r = r,
                                  .w = w};
    event_forces(&closed, arena);
    const double scale = la_norm_inf(P, r);
    double lo = -2 * scale, hi = 2 * scale, best = -INFINITY;
    for (int level = 0; level < 12; ++level) { /* concave: closer about the best */
      double at = lo;
      best = -INFINITY;
      for (int i = 0; i <= 100; ++i) {
        const double z = lo + (hi - lo) * i / 100;
        const double s = fmin(mu[0] * r[0] - fabs(r[1] + z), mu[1] * r[2] - fabs(r[3] - z));
        at = s > best ? z : at;
        best = fmax(best, s);
      }
      const double width = (hi - lo) / 50;
      lo = at - width;
      hi = at + width;
    }
    double shared[P];
    la_copy(P, r, shared);
    const double lacks = -fmin(event_slack(&closed, 0, r), event_slack(&closed, 1, r)) / scale;
    const double margin = event_margin(&closed, shared, 0, arena);
    CHECK_LE(margin, best / scale + 1e-12);
    if (lacks <= 0) { /* nothing is looked for */
      CHECK_NEAR(margin, -lacks, 1e-15);
    } else if (margin < 1e-3) { /* beyond, nobody looks for the best */
      CHECK_NEAR(margin, best / scale, 1e-9);
    }
    CHECK_NEAR(shared[1] + shared[3], r[1] + r[3], 1e-13 * scale);
  }
}

/* A contact that slides and is pressed harder by its own friction (Painlevé): no force is a solution.
 * In space not all combinations can be tried, and none was found. */
TEST(no_solution_is_told_from_none_found) {
  static const double A2[4] = {1, -2, -2, 5}, A3[9] = {1, -2, 0, -2, 5, 0, 0, 0, 5};
  static const double b[3] = {-1, 1, 0}, mu = 1;
  static const double slides[2] = {-1, 0}; /* friction along +1 takes 2 r_N from the gap */
  for (int dim = 2; dim <= 3; ++dim) {
    enum event_mode mode;
    double r[3], w[3];
    CHECK_INT(choose(dim, 1, dim == 2 ? A2 : A3, b, &mu, slides, &mode, r, w),
              dim == 2 ? BASE_UNSUPPORTED : BASE_FAILED);
  }
}
