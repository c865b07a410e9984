/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spatial double pendulum: what it publishes against its own motion, sticking and sliding anew
 * by `event` against an integrator of its own kind, the number of friction directions as a
 * parameter.
 */
#include "bench/job/job.h"
#include "cases/spatial-double-pendulum/spatial-double-pendulum.h"
#include "la/dense.h"
#include "mech/check/check.h"
#include "tests/case_model.h"
#include "tests/test.h"

#include <stdio.h>

static const char CASE_NAME[] = "spatial-double-pendulum";
enum { NQ = SPATIAL_DOUBLE_PENDULUM_Q, NU = SPATIAL_DOUBLE_PENDULUM_U };

/* Angles of A and B given come back, P1 and the centre of mass are where they say. */
TEST(start_is_what_the_parameters_say) {
  static const char *const sets[] = {
      "", "bodies=scalable",
      "qa1=0.4 qa2=-1.1 qa3=2.2 qb1=-0.9 qb2=2.5 qb3=-3 x0=0.3 y0=-0.2 z0=0.7",
      "bodies=relative qa1=0.4 qa2=-1.1 qa3=2.2 qb1=-0.9 qb2=2.5 qb3=-3 x0=0.3 y0=-0.2 z0=0.7"};
  for (int i = 0; i < 4; ++i) {
    struct base_arena *arena = test_arena();
    const struct case_parameters *p = case_model_load(CASE_NAME, sets[i], arena);
    const struct case_instance c = case_model_build(CASE_NAME, sets[i], arena);
    double q[NQ], u[NU];
    c.mech->ops->observe(c.mech, c.q, c.u, q, u);
    const double given[6] = {case_real(p, "qa1"), case_real(p, "qa2"), case_real(p, "qa3"),
                             case_real(p, "qb1"), case_real(p, "qb2"), case_real(p, "qb3")};
    for (int body = 0; body < 2; ++body) {
      double *angles = q + SPATIAL_DOUBLE_PENDULUM_ANGLES + 3 * body;
      CHECK(fabs(angles[0]) <= M_PI / 2 + 1e-15);
      spatial_double_pendulum_near(given + 3 * body, angles);
      for (int j = 0; j < 3; ++j) {
        CHECK_NEAR(angles[j], given[3 * body + j], 1e-14);
      }
    }
    CHECK_NEAR(q[SPATIAL_DOUBLE_PENDULUM_P1], case_real(p, "x0"), 1e-15);
    CHECK_NEAR(q[SPATIAL_DOUBLE_PENDULUM_P1 + 1], case_real(p, "y0"), 1e-15);
    CHECK_NEAR(q[SPATIAL_DOUBLE_PENDULUM_P1 + 2], case_real(p, "z0"), 1e-15);
    for (int j = 0; j < 3; ++j) {
      CHECK_NEAR(q[SPATIAL_DOUBLE_PENDULUM_CENTRE + j], 0.5 * (q[j] + q[7 + j]), 1e-15);
      CHECK_NEAR(u[SPATIAL_DOUBLE_PENDULUM_V_P1 + j], j < 2 ? 1 : 0, 1e-15);
    }
  }
}

/* The system against itself off its start, and published velocities as rates of published places.
 */
TEST(system_agrees_with_itself) {
  static const char *const sets[] = {"z0=0.4", "z0=0.4 bodies=scalable",
                                     "z0=0.4 bodies=relative qa1=0.5 qb3=-0.7"};
  for (int i = 0; i < 3; ++i) {
    struct base_arena *arena = test_arena();
    const struct case_instance c = case_model_build(CASE_NAME, sets[i], arena);
    const struct mech *m = c.mech;
    struct base_rng *rng = base_rng_alloc(5);
    double worst = 0, dq[14], side[2][NQ], u[NU], ignored[NU];
    base_rng_uniforms(rng, m->nu, -1, 1, c.u);
    CHECK_OK(mech_check(m, c.q, c.u, 0, 1e-6, &worst, arena));
    if (i == 1) {
      c.u[3] = c.u[10] = 0; /* no strain: scalable bodies stay of unit size */
    }
    mech_qdot(m, c.q, c.u, dq, arena);
    const double h = 1e-5;
    m->ops->observe(m, c.q, c.u, side[0], u);
    for (int k = 0; k < 2; ++k) {
      double q[14];
      la_copy(m->nq, c.q, q);
      la_axpy(m->nq, k == 0 ? -h : h, dq, q);
      m->ops->observe(m, q, c.u, side[k], ignored);
    }
    for (int j = 0; j < 6; ++j) { /* P1, then the centre of mass */
      const double rate =
          (side[1][SPATIAL_DOUBLE_PENDULUM_P1 + j] - side[0][SPATIAL_DOUBLE_PENDULUM_P1 + j]) /
          (2 * h);
      CHECK_NEAR(rate, u[SPATIAL_DOUBLE_PENDULUM_V_P1 + j], 1e-8);
    }
    base_rng_free(rng);
  }
}

/* A run to its end: its state, and how often P1 came to rest and left it. */
struct motion {
  double q[NQ];
  int moves, rests, leaves;
  double lowest;
};

static int watch(const struct mech *m, const struct form_state *state,
                 const struct form_report *report, void *context) {
  struct motion *w = context;
  double u[NU];
  (void)report;
  m->ops->observe(m, state->q, state->u, w->q, u);
  const double *v = u + SPATIAL_DOUBLE_PENDULUM_V_P1;
  const int moves = hypot(v[0], v[1]) > 1e-9;
  w->rests += w->moves && !moves;
  w->leaves += !w->moves && moves && state->t > 0.5;
  w->moves = moves;
  w->lowest = fmin(w->lowest, w->q[SPATIAL_DOUBLE_PENDULUM_P1 + 2]);
  return 0;
}

static double distance(const struct motion *a, const struct motion *b) {
  double worst = 0;
  for (int j = 0; j < SPATIAL_DOUBLE_PENDULUM_ANGLES; ++j) {
    worst = fmax(worst, fabs(a->q[j] - b->q[j]));
  }
  return worst;
}

/* Two sets of equations of motion, one with a joint and one without, and one motion: it slides, and
 * falls, turns and strikes. */
TEST(relative_angles_are_the_same_pendulum) {
  static const char *const sets[] = {"", "mu=0 z0=1 vx0=0.3 vy0=-0.2 qa1=0.4 qa3=0.3"};
  for (int i = 0; i < 2; ++i) {
    struct motion out[2];
    for (int k = 0; k < 2; ++k) {
      char set[128];
      snprintf(set, sizeof set, "%s bodies=%s", sets[i], k == 0 ? "quaternion" : "relative");
      out[k] = (struct motion){.moves = 1};
      CHECK_OK(case_model_run(CASE_NAME, set, "event", 0.01, 0.8, watch, &out[k]));
    }
    CHECK_LE(distance(&out[0], &out[1]), 1e-9);
  }
}

/* P1 slides, sticks from 0.98 s on, and slides anew from rest in a direction of its own, several
 * times within 3 s. The end does not depend on where `event` puts its steps, and the two-step
 * quaternion integrator converges to it in first order. */
TEST(sticks_and_slides_anew_in_space) {
  struct motion event[2], step[2];
  memset(event, 0, sizeof event);
  memset(step, 0, sizeof step);
  for (int i = 0; i < 2; ++i) {
    const int status =
        case_model_run(CASE_NAME, "", "event", i == 0 ? 0.01 : 0.012, 3, watch, &event[i]);
    CHECK_OK(status);
    CHECK_OK(case_model_run(CASE_NAME, "", "consistent-quaternion-twostep", 8e-3 / (1 + i), 3,
                            watch, &step[i]));
  }
  CHECK(event[0].rests >= 2 && event[0].leaves >= 2);
  CHECK_LE(-event[0].lowest, 1e-9);
  CHECK_LE(distance(&event[0], &event[1]), 1e-11);
  const double error[2] = {distance(&step[0], &event[0]), distance(&step[1], &event[0])};
  CHECK_LE(error[0], 1e-2);
  CHECK_MESSAGE(error[1] < 0.65 * error[0], "errors %g, %g", error[0], error[1]);
}

/* n_dir of the case is the option of the formulations with facets; --opt overrules it. */
TEST(directions_are_a_parameter) {
  static const struct {
    const char *set, *opt;
    int n_dir;
  } runs[] = {{"", "", 8}, {"n_dir=16", "", 16}, {"n_dir=16", "n_dir=5", 5}};
  for (int i = 0; i < 3; ++i) {
    struct base_arena *arena = test_arena();
    struct bench_job job;
    struct bench_request request = {.case_name = CASE_NAME, .formulation = "lcp-st"};
    base_words_split(&request.set, runs[i].set, arena);
    base_words_split(&request.opt, runs[i].opt, arena);
    CHECK_OK(bench_job_resolve(&request, arena, &job));
    const struct base_option *entry = base_options_find(job.form->options, "n_dir");
    int value = 0;
    memcpy(&value, (const char *)job.form_options + entry->offset, sizeof value);
    CHECK(value == runs[i].n_dir);
  }
}
