/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The small cases on a plane: closed forms against event-driven integration, the polygon's
 * directions against projection, the null space in the plane, the push that moves a box by
 * bisection, and the figure of a lift-off, which must pass on real runs and fail on runs that are
 * exchanged.
 */
#include "tests/test.h"
#include "tests/trial.h"

#include "bench/record/record.h"
#include "bench/run/run.h"
#include "cases/body_kit.h"
#include "cases/pushed-box/pushed-box.h"
#include "cases/table/table.h"
#include "tests/case_model.h"
#include "tests/figure_run.h"

#include <stdio.h>

/* ---- runs ---- */

struct outcome {
  int status;
  double u[2][16]; /* half-way and at the end */
  double q_linf;   /* against the reference */
};

/* A run as the program does it; NULL solver: the default. */
static struct outcome run(const char *name, const char *set, const char *form, const char *solver,
                          const char *opt, double dt, double t_end) {
  const struct bench_request request = {.case_name = name,
                                        .formulation = form,
                                        .solver = solver,
                                        .dt = dt,
                                        .t_end = t_end,
                                        .sample = 0.5 * t_end};
  struct trial t;
  struct outcome result = {.status = trial_run(&t, request, set, opt, TRIAL_WITH_ERRORS)};
  result.q_linf = t.out.errors.q_linf;
  if (result.status >= BASE_OK && t.out.trajectory.n == 3 && t.out.nu <= 16) {
    for (int k = 0; k < 2; ++k) {
      memcpy(result.u[k], t.out.trajectory.u + (k + 1) * t.out.nu,
             (size_t)t.out.nu * sizeof(double));
    }
  }
  return result;
}

/* Closed forms, also away from the defaults, against event-driven integration, which knows none. */
TEST(references_are_what_event_finds) {
  static const struct {
    const char *name, *set;
    double t_end;
  } cells[] = {{"thrown-ball", "gap=0.02 k=0.7 v0=3 angle=0.4", 0.6},
               {"thrown-ball", "gap=0.2 mu=0.6 v0=1", 0.4}, /* rolls from the landing on */
               {"thrown-ball", "body=planar R=0.3", 0.5},
               {"table", "gap=0.01 v0=1.4 angle=0.5", 0.3},
               {"table", "body=planar shape=box", 0.4},
               {"pushed-box", "body=planar push=1.2", 0.2},
               {"pushed-box", "push=0.9 angle=0.5", 0.02},
               {"heavy-on-light", "body=planar ratio=3", 0.1},
               {"bouncing-ball", "eps=0.8", 2.5},
               {"bouncing-ball", "body=quaternion h0=0.3", 2.5}};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
    const struct outcome out =
        run(cells[i].name, cells[i].set, "event", NULL, "", cells[i].t_end / 20, cells[i].t_end);
    CHECK_OK(out.status);
    CHECK_MESSAGE(out.q_linf <= 1e-9, "%s %s: positions off by %g", cells[i].name, cells[i].set,
                  out.q_linf);
  }
}

/* A spinning table has no reference, and its record must not claim one. */
TEST(spinning_table_has_no_reference) {
  CHECK(isnan(run("table", "spin=2", "ccp", NULL, "", 1e-3, 0.01).q_linf));
}

/* ---- joints ---- */

/* Multipliers of joints as free unknowns of the problem, or eliminated: the same velocities, also
 * with joints that hold nothing new, and with no contact near. */
TEST(joints_in_the_problem_or_eliminated) {
  static const struct {
    const char *name, *set, *form, *solver;
  } cells[] = {{"table", "halves=two", "ccp", "ssn"},
               {"table", "halves=one spin=3", "ccp", "relaxation"},
               {"table", "halves=two", "ncp", "ssn"},
               {"table", "halves=two gap=0.05 spin=1", "ccp", "relaxation"},
               {"table", "halves=two body=scalable", "ccp", "ssn"},
               {"spatial-double-pendulum", "mu=0.2 z0=0", "ncp", "relaxation"},
               {"spatial-double-pendulum", "mu=0.2 z0=0", "lcp-st", "lemke"}};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
    struct outcome out[2];
    for (int k = 0; k < 2; ++k) {
      out[k] = run(cells[i].name, cells[i].set, cells[i].form, cells[i].solver,
                   k == 0 ? "tol=1e-9 max_iter=100000 joints=dense"
                          : "tol=1e-9 max_iter=100000 joints=free",
                   1e-3, 0.01);
      CHECK_OK(out[k].status);
    }
    for (int k = 0; k < 12; ++k) {
      CHECK_MESSAGE(fabs(out[0].u[1][k] - out[1].u[1][k]) <= 1e-9, "%s %s %s: u[%d]: %g, %g",
                    cells[i].name, cells[i].set, cells[i].form, k, out[0].u[1][k], out[1].u[1][k]);
    }
  }
}

/* Velocity-level schemes ask for a motion that the joints hold, and so do rebounds. */
TEST(joints_in_the_problem_are_refused_where_they_mean_something_else) {
  static const char *const forms[] = {"moreau", "lcp-ap", "moreau-theta", "mdp"};
  for (int k = 0; k < 4; ++k) {
    CHECK_INT(run("table", "halves=two", forms[k], NULL, "joints=free", 1e-3, 0.01).status,
              BASE_UNSUPPORTED);
  }
  CHECK_INT(run("table", "halves=two", "ccp", NULL, "joints=free corrections=1", 1e-3, 0.01).status,
            BASE_UNSUPPORTED);
  CHECK_INT(run("spatial-double-pendulum", "eps_N=0.5 z0=0", "ccp", NULL, "joints=free", 1e-3, 0.01)
                .status,
            BASE_UNSUPPORTED);
}

/* ---- null space ---- */

/* In the plane two legs have four components on three equations. */
TEST(null_space_in_the_plane) {
  const struct case_instance table = case_model_build("table", "body=planar", test_arena());
  struct table_ranks ranks;
  CHECK_OK(table_ranks_of(&table, &ranks));
  CHECK_INT(ranks.size, 4);
  CHECK_INT(ranks.of_N, 3);
  CHECK_INT(ranks.of_normals, 2);
  CHECK(ranks.gap[1] < 1e-14 && ranks.gap[0] > 1e-3);
}

/* ---- polygons ---- */

/* One step from rest under the polyhedral law leaves v = P e - f dt with f of least |v| in the
 * polygon: the nearest point, here of all edges. */
static void nearest(int n, double push, double angle, double v[2]) {
  const double x = push * cos(angle), y = push * sin(angle);
  double least = HUGE_VAL;
  for (int k = 0; k < n; ++k) {
    const double a = M_PI + 2 * M_PI * k / n, b = M_PI + 2 * M_PI * (k + 1) / n;
    const double dx = cos(b) - cos(a), dy = sin(b) - sin(a);
    const double t = ((x - cos(a)) * dx + (y - sin(a)) * dy) / (dx * dx + dy * dy);
    const double s = fmin(fmax(t, 0), 1), rx = x - cos(a) - s * dx, ry = y - sin(a) - s * dy;
    if (hypot(rx, ry) < least) {
      least = hypot(rx, ry);
      v[0] = rx;
      v[1] = ry;
    }
  }
}

TEST(polygons_let_go_where_projection_says) {
  struct base_rng *rng = test_rng(0);
  int moved = 0, stayed = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const int n = 3 + trial % 30;
    const double angle = base_rng_uniform(rng, -M_PI, M_PI);
    const double push = base_rng_uniform(rng, 0.4, 1.6);
    const double direction = pushed_box_polygon(n, push, angle);
    double v[2] = {0, 0};
    nearest(n, push, angle, v);
    if (push > pushed_box_polygon_limit(n, angle)) {
      CHECK_NEAR(remainder(direction - atan2(v[1], v[0]), 2 * M_PI), 0, 1e-6);
      ++moved;
    } else {
      CHECK(isnan(direction));
      /* inside: what is left points back to the middle */
      CHECK(v[0] * cos(angle) + v[1] * sin(angle) <= 0);
      ++stayed;
    }
  }
  CHECK(moved > 500 && stayed > 500);
}

/* ---- the push that moves a box ---- */

static int moves(const char *form, const char *solver, const char *opt, double push, double angle) {
  char set[100];
  snprintf(set, sizeof set, "push=%.17g angle=%.17g", push, angle);
  const struct outcome out = run("pushed-box", set, form, solver, opt, 1e-3, 0.01);
  CHECK_MESSAGE(out.status == BASE_OK, "%s, %s: status %s", form, set,
                base_status_name(out.status));
  const double rise = hypot(out.u[1][0], out.u[1][1]) - hypot(out.u[0][0], out.u[0][1]);
  return rise > 2e-8 * 0.5 * 9.81 * 0.005;
}

TEST(smallest_push_by_bisection) {
  static const struct {
    const char *form, *solver, *opt;
    double angle, limit;
  } cells[] = {{"moreau", "prox", "tol=1e-13", 0.7, 1},
               {"ncp", "prox", "tol=1e-13", 0.7, 1},
               {"ncp", "ssn", "tol=1e-13", 0, 1},
               {"ccp", "ipm", "tol=1e-12", 0.7, 1},
               {"consistent-quaternion", "prox", "tol=1e-13", 0.7, 1},
               {"lcp-st", NULL, "", 0, 1},
               {"lcp-ap", NULL, "n_dir=6", M_PI / 6, 0.86602540378443865}};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
    double stays = 0.32, goes = 1.7;
    while (goes - stays > 1e-7) {
      const double push = 0.5 * (stays + goes);
      if (moves(cells[i].form, cells[i].solver, cells[i].opt, push, cells[i].angle)) {
        goes = push;
      } else {
        stays = push;
      }
    }
    CHECK_MESSAGE(fabs(goes - cells[i].limit) < 1e-6, "%s, %s: moves from %.9f mu m g on",
                  cells[i].form, cells[i].solver != NULL ? cells[i].solver : "default", goes);
  }
}

/* ---- figures ---- */

/* The relaxed law's runs under the name of the exact one's, and the other way round. */
TEST(liftoff_finds_laws_that_are_exchanged) {
  struct figure_run figure = figure_run_of("negrut-liftoff");
  struct case_plot plot;
  figure_run_passes(&figure);
  const int n = figure.n; /* the last four: ccp, ccp, ncp, ncp, laid down */
  for (int k = 0; k < 2; ++k) {
    const struct case_series kept = figure.series[n - 4 + k];
    const struct case_run *ccp = kept.run, *ncp = figure.series[n - 2 + k].run;
    figure.series[n - 4 + k] = figure.series[n - 2 + k];
    figure.series[n - 2 + k] = kept;
    figure.series[n - 4 + k].run = ccp;
    figure.series[n - 2 + k].run = ncp;
  }
  CHECK_OK(figure_run_judge(&figure, &plot));
  CHECK_INT(plot.n_failed, 4); /* floating, and staying down, at either step */
  figure_run_free(&figure);
}
