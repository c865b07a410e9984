/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The event-driven truth with redundant contacts: boxes on four feet, packings, scenes. Shares of
 * forces against the springs they are the limit of and against brute force, motions against closed
 * forms.
 */
#include "tests/test.h"
#include "tests/trial.h"

#include <dirent.h>

#include "base/data.h"
#include "base/status.h"
#include "bench/run/run.h"
#include "cases/case.h"
#include "form/event/event.h"
#include "la/dense.h"
#include "tests/case_model.h"

static double draw(unsigned long *seed) { /* (-1, 1) */
  *seed = *seed * 6364136223846793005UL + 1442695040888963407UL;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* ---- forces ---- */

/* Random contacts in space of rank less than their unknowns: A = B^T B, b = B^T c. */
enum { N = 4, SIZE = 3 * N, RANK = 6 };
struct contacts {
  double B[RANK * SIZE], c[RANK], A[SIZE * SIZE], b[SIZE], mu[N], direction[2 * N];
  enum event_mode mode[N];
  double r[SIZE], w[SIZE];
};

static struct event_closed make_contacts(struct contacts *x, unsigned long *seed) {
  for (int i = 0; i < RANK * SIZE; ++i) {
    x->B[i] = draw(seed);
  }
  for (int i = 0; i < RANK; ++i) {
    x->c[i] = draw(seed);
  }
  for (int i = 0; i < N; ++i) {
    const double angle = 4 * draw(seed);
    x->mu[i] = 0.1 + 0.1 * fabs(draw(seed));
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
  struct base_arena *arena = test_arena();
  unsigned long seed = test_seed();
  for (int trial = 0; trial < 100; ++trial) {
    struct contacts x;
    struct event_closed closed = make_contacts(&x, &seed);
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
      CHECK_INT(la_lu_factor(k, K, piv), BASE_OK);
      la_lu_solve(k, 1, K, piv, limit[stiff]);
    }
    for (int i = 0; i < k; ++i) {
      limit[1][i] = 2 * limit[1][i] - limit[0][i];
    }
    la_gemv(SIZE, k, 1, F, limit[1], 0, r);
    event_forces(&closed, arena);
    CHECK(closed.redundant);
    const double scale = 1 + la_norm_inf(SIZE, r);
    for (int i = 0; i < SIZE; ++i) { /* stiffnesses differ by 1 / eps^2: what extrapolation left */
      CHECK_NEAR(x.r[i], r[i], 1e-4 * scale * scale);
    }
    for (int i = 0; i < k; ++i) {
      CHECK_NEAR(x.w[row[i]], 0, 1e-9 * scale);
    }
  }
}

/* Two feet in the plane share one horizontal force in one way only: brute force over it. */
TEST(the_best_self_stress_is_that_of_a_search) {
  struct base_arena *arena = test_arena();
  unsigned long seed = test_seed();
  for (int trial = 0; trial < 200; ++trial) {
    enum { FEET = 2, P = 4, DOF = 3 };
    /* a box of half width 1 and height h: rows of (normal, tangential) by (x, z, turn) */
    const double h = 0.5 + 0.4 * draw(&seed);
    const double B[DOF * P] = {0, 1, 1, 1, 0, h, 0, 1, -1, 1, 0, h};
    const double c[DOF] = {0.4 * draw(&seed), -1, 0.3 * draw(&seed)};
    const double mu[FEET] = {0.3 + 0.2 * draw(&seed), 0.3 + 0.2 * draw(&seed)};
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
    const double margin = event_margin(&closed, shared, 0, arena);
    CHECK_LE(margin, best / scale + 1e-12);
    if (margin < 1e-3) { /* beyond, nobody looks for the best */
      CHECK_NEAR(margin, best / scale, 1e-9);
    }
    CHECK_NEAR(shared[1] + shared[3], r[1] + r[3], 1e-13 * scale);
  }
}

/* Impacts of a rigid body with up to eight places of contact, b = W^T u: Coulomb's law holds. */
TEST(impacts_of_a_box_on_many_corners_satisfy_coulombs_law) {
  struct base_arena *arena = test_arena();
  unsigned long seed = test_seed();
  for (int trial = 0; trial < 200; ++trial) {
    enum { CORNERS = 8, ALL = 3 * CORNERS, DOF = 6 };
    double W[DOF * ALL], A[ALL * ALL], b[ALL], u[DOF], mu[CORNERS];
    double direction[2 * CORNERS] = {0}, r[ALL], w[ALL];
    const double corner[3] = {0.3, 0.2, 0.1 + 0.05 * draw(&seed)}, mass[2] = {1, 0.02};
    int fixed[CORNERS] = {0};
    unsigned allowed[CORNERS];
    enum event_mode mode[CORNERS];
    const int n = trial % 2 == 0 ? 4 : 8; /* the floor alone, and two walls at right angles */
    for (int i = 0; i < n; ++i) {
      const int wall = i >= 4, first = i & 1 ? 1 : -1, second = i & 2 ? 1 : -1;
      const double x[3] = {wall ? -corner[0] : first * corner[0],
                           wall ? first * corner[1] : second * corner[1],
                           wall ? second * corner[2] : -corner[2]};
      for (int d = 0; d < 3; ++d) { /* normal z, or x on the wall */
        const int axis = wall ? d : (d + 2) % 3;
        const double e[3] = {axis == 0, axis == 1, axis == 2};
        double *column = W + (3 * i + d) * DOF;
        const double turn[3] = {x[1] * e[2] - x[2] * e[1], x[2] * e[0] - x[0] * e[2],
                                x[0] * e[1] - x[1] * e[0]};
        for (int k = 0; k < 3; ++k) {
          column[k] = e[k] / sqrt(mass[0]);
          column[3 + k] = turn[k] / sqrt(mass[1]);
        }
      }
      mu[i] = 0.4;
      allowed[i] = EVENT_ANY;
    }
    for (int k = 0; k < DOF; ++k) {
      u[k] = draw(&seed);
    }
    u[2] -= 1;
    la_gemm_t(3 * n, 3 * n, DOF, 1, W, W, 0, A);
    la_gemv_t(DOF, 3 * n, 1, W, u, 0, b);
    struct event_choice choice = {.dim = 3,
                                  .n = n,
                                  .A = A,
                                  .b = b,
                                  .mu = mu,
                                  .fixed = fixed,
                                  .allowed = allowed,
                                  .direction = direction,
                                  .mode = mode,
                                  .r = r};
    const int status = event_choose(&choice, arena);
    CHECK_MESSAGE(status == BASE_OK, "trial %d: %s", trial, base_message());
    la_copy(3 * n, b, w);
    la_gemv(3 * n, 3 * n, 1, A, r, 1, w);
    const double scale = 1 + la_norm_inf(3 * n, b);
    for (int i = 0; i < n; ++i) {
      const double *ri = r + 3 * i, *wi = w + 3 * i, speed = la_norm2(2, wi + 1);
      CHECK_NEAR(fmin(ri[0], wi[0]), 0, 1e-7 * scale);
      CHECK_LE(la_norm2(2, ri + 1), mu[i] * ri[0] + 1e-7 * scale);
      CHECK_NEAR(mu[i] * ri[0] * speed + la_dot(2, ri + 1, wi + 1), 0, 1e-7 * scale);
    }
  }
}

/* ---- motions ---- */

struct path {
  const struct case_type *type;
  const struct case_parameters *p;
  double error, spin; /* largest, of all coordinates and of the angular velocity */
  int internal;
};

static int watch_path(const struct mech *m, const struct form_state *state,
                      const struct form_report *report, void *context) {
  struct path *path = context;
  double q[64], u[64];
  path->internal += report->internal_steps;
  if (!isnan(path->type->reference(path->p, state->t, q, u))) {
    for (int i = 0; i < m->nq; ++i) {
      path->error = fmax(path->error, fabs(state->q[i] - q[i]));
    }
  }
  for (int i = 0; i < m->nu; ++i) { /* blocks of v and omega */
    path->spin = fmax(path->spin, i % m->nv >= 3 ? fabs(state->u[i]) : 0);
  }
  return 0;
}

/* A box that must follow its closed form without turning, in few steps of the integrator. */
static void follow(const char *name, const char *set, double dt, double t_end) {
  struct base_arena *arena = test_arena();
  struct path path = {.type = case_find(name), .p = case_model_load(name, set, arena)};
  const int status = case_model_run(name, set, "event", dt, t_end, watch_path, &path);
  CHECK_MESSAGE(status == BASE_OK, "%s %s: %s", name, set, base_message());
  CHECK_MESSAGE(path.error <= 1e-9, "%s %s: off its path by %.2e m", name, set, path.error);
  CHECK_MESSAGE(path.spin <= 1e-9, "%s %s: turns by %.2e rad/s", name, set, path.spin);
  CHECK_MESSAGE(path.internal <= 1000, "%s %s: %d steps", name, set, path.internal);
}

TEST(a_block_on_an_incline_sticks_slides_and_stops_where_the_closed_form_says) {
  /* tan of the slope is 0.36397 */
  follow("closed-forms", "scene=incline", 0.02, 1);
  follow("closed-forms", "scene=incline v0=0", 0.02, 1);
  follow("closed-forms", "scene=incline v0=0 mu=0.2", 0.02, 1);
  follow("closed-forms", "scene=incline v0=0 mu=0.364", 0.02, 1);
  follow("closed-forms", "scene=incline v0=0 mu=0.36", 0.02, 1);
}

TEST(boxes_on_redundant_feet_go_straight) {
  static const char *const pushes[] = {"push=0.9999", "push=1.01", "push=0.999 angle=0.4",
                                       "push=1.5 angle=0.4"};
  for (size_t i = 0; i < sizeof pushes / sizeof *pushes; ++i) {
    follow("pushed-box", pushes[i], 0.01, 0.2);
  }
  follow("table", "", 0.01, 1);
  follow("table", "angle=0.7 shape=box", 0.01, 1);
  follow("heavy-on-light", "", 0.01, 0.3);
  follow("box-stack", "n=3", 0.01, 0.1);
  follow("box-stack", "layout=pyramid n=3", 0.01, 0.1);
}

/* A table that only turns: every foot carries m g / 4 at the same distance rho from the axis, so
 * that I dw/dt = -mu m g rho. */
static int watch_turn(const struct mech *m, const struct form_state *state,
                      const struct form_report *report, void *context) {
  double *out = context, M[36];
  (void)report;
  m->ops->mass(m, state->q, M);
  out[0] = state->t;
  out[1] = state->u[5];
  out[2] = M[35];
  out[3] = fmax(out[3], fmax(fabs(state->q[0]), fabs(state->q[1])));
  return state->t > 0.0999;
}

TEST(a_table_that_turns_on_the_spot_is_braked_by_all_four_feet) {
  const double mu = 0.3, m = 10, g = 9.81, rho = hypot(0.6, 0.4), spin = 2;
  double out[4] = {0};
  CHECK_INT(case_model_run("table", "v0=0 spin=2", "event", 0.01, 0.1, watch_turn, out), BASE_OK);
  CHECK_NEAR(out[1], spin - mu * m * g * rho / out[2] * out[0], 1e-10);
  CHECK_NEAR(out[3], 0, 1e-12);
}

/* ---- runs ---- */

/* Energy the run made or lost over the largest there was. */
static double made(const struct bench_request *request, struct bench_outcome *out) {
  struct trial t;
  const int status = trial_run(&t, *request, "", "", TRIAL_WITHOUT_ERRORS);
  CHECK_MESSAGE(status == BASE_OK, "%s: %s", request->case_name, t.out.reason);
  *out = t.out;
  return status == BASE_OK ? out->energy.max_numerical_drift / fmax(fabs(out->energy.initial), 1)
                           : NAN;
}

TEST(eight_spheres_of_a_packing_run_to_the_end) {
  const struct bench_request request = {.case_name = "packing",
                                        .formulation = "event",
                                        .dt = 0.01,
                                        .t_end = 0.1,
                                        .n_set = 1,
                                        .set = {"n=8"}};
  struct bench_outcome out;
  CHECK_LE(made(&request, &out), 1e-10);
  CHECK(out.contacts.onsets > 10);
  CHECK_LE(out.constraints.penetration_max, 1e-12);
}

TEST(every_scene_runs_event_driven) {
  struct base_arena *arena = test_arena();
  DIR *folder = opendir(base_data_path(arena, "cases/scenes"));
  int n = 0;
  CHECK(folder != NULL);
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
    const size_t length = strlen(entry->d_name);
    if (length <= 5 || strcmp(entry->d_name + length - 5, ".json") != 0 ||
        strcmp(entry->d_name, "schema.json") == 0) {
      continue;
    }
    const struct bench_request request = {
        .case_name = base_arena_printf(arena, "cases/scenes/%s", entry->d_name),
        .formulation = "event",
        .dt = 0.02};
    struct bench_outcome out;
    const double drift = made(&request, &out);
    if (strcmp(entry->d_name, "motion.json") != 0) { /* what moves as prescribed gives energy */
      CHECK_MESSAGE(drift <= 1e-10, "%s: energy changed by %.2e", entry->d_name, drift);
    }
    ++n;
  }
  CHECK(n > 10);
  if (folder != NULL) {
    closedir(folder);
  }
}

TEST_MAIN()
