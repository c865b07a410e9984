/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gaps at the end of a step of impulse stepping in place of their linearisation (corrections): one
 * step against the nonlinear equation solved by bisection; how far each correction goes; an end
 * that sticks, joints, ropes that become taut by turning, and the corners of a box in space; and
 * that trajectories keep their order.
 */
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/test.h"

#include <string.h>

#include "cases/spatial-double-pendulum/spatial-double-pendulum.h"
#include "la/dense.h"
#include "tests/case_model.h"

static const char *const FORMS[] = {"lcp-st", "ccp", "ncp", "mdp"};
enum { FORM_COUNT = sizeof FORMS / sizeof FORMS[0] };

static const double G = 9.81;

/* --- one step --- */

static const struct box BOX = {
    .m = 2, .J = 0.3, .a = 0.4, .b = 0.25, .mu = 0, .g = 9.81, .order = {0, 1, 2, 3}};

/* Height of the lowest corner, that at (a, -b) of a box turned clockwise. */
static double corner(const struct box *p, const double q[3]) {
  return q[1] + sin(q[2]) * p->a - cos(q[2]) * p->b;
}

/* Velocities with which the corner ends a step at `height`, without friction: one unknown, the
 * normal impulse, by bisection. */
static void bisect(const struct box *p, double dt, const double q[3], const double u[3],
                   double height, double out[3]) {
  const double lever = cos(q[2]) * p->a + sin(q[2]) * p->b; /* of the force, d corner / d phi */
  double low = 0, high = 20;                                /* [N s] */
  for (int i = 0; i < 200; ++i) {
    const double r = 0.5 * (low + high);
    double end[3];
    out[0] = u[0];
    out[1] = u[1] - dt * p->g + r / p->m;
    out[2] = u[2] + lever * r / p->J;
    for (int k = 0; k < 3; ++k) {
      end[k] = q[k] + dt * out[k];
    }
    *(corner(p, end) < height ? &low : &high) = r;
  }
}

/* A step of 10 ms at 3 rad/s; gap: at its beginning. Largest difference from `exact`. */
static double miss(const char *form, int corrections, const char *options, struct box *p,
                   const double q[3], const double u[3], const double exact[3]) {
  const struct mech m = box_mech(p);
  struct run *run = run_begin(form, &m, 1e-2, q, u);
  double worst = 0;
  run_set(run, "corrections=%d %s", corrections, options);
  run_step(run, 1e-2);
  CHECK_OK(run->status);
  CHECK_INT(run->last.n_carrying, 1);
  for (int k = 0; k < 3; ++k) {
    worst = fmax(worst, fabs(run->state.u[k] - exact[k]));
  }
  return worst;
}

/* Corrected steps go where they say: onto the surface, to the part of a depth that erp leaves, up
 * by v_max, and to the height of a rebound; linearised ones miss that. */
TEST(one_step_solves_the_nonlinear_equation) {
  static const struct {
    const char *options;
    double gap, eps, height; /* [m], [-], [m] at the end */
  } runs[] = {{"", 2e-3, 0, 0},
              {"", -2e-3, 0, 0},
              {"erp=0.3", -2e-3, 0, -1.4e-3},
              {"v_max=0.05", -2e-3, 0, -1.5e-3},
              {"restitution=newton", 2e-3, 0.5, NAN}};
  const double phi = -0.4, u[3] = {0.5, -1, -3};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    struct box p = BOX;
    p.eps_N = runs[i].eps;
    double q[3] = {0, 0, phi}, exact[3];
    q[1] = runs[i].gap - corner(&p, q);
    const double v_N = u[1] + u[2] * (cos(phi) * p.a + sin(phi) * p.b);
    const double height =
        isnan(runs[i].height) ? runs[i].gap - 1e-2 * runs[i].eps * v_N : runs[i].height;
    bisect(&p, 1e-2, q, u, height, exact);
    for (int f = runs[i].options[0] == '\0' ? 0 : 1; f < FORM_COUNT; ++f) { /* not lcp-st */
      const double linear = miss(FORMS[f], 0, runs[i].options, &p, q, u, exact);
      const double curved = miss(FORMS[f], 20, runs[i].options, &p, q, u, exact);
      CHECK_MESSAGE(curved <= 1e-12, "%s, row %zu: off by %g m/s", FORMS[f], i, curved);
      CHECK_MESSAGE(linear >= 1e-4, "%s, row %zu: off by %g m/s", FORMS[f], i, linear);
    }
  }
}

/* Each correction leaves a part of the error, of the size of dt |omega|: half of it at dt / 2. */
TEST(corrections_contract_with_the_step) {
  double rate[2];
  for (int h = 0; h < 2; ++h) {
    struct box p = BOX;
    const struct mech m = box_mech(&p);
    const double dt = h == 0 ? 1e-3 : 5e-4, u[3] = {0.5, -1, -3};
    double q[3] = {0, 0, -0.4}, gap[2];
    q[1] = -corner(&p, q);
    for (int n = 0; n < 2; ++n) {
      struct run *run = run_begin("ncp", &m, dt, q, u);
      run_set(run, "corrections=%d", n + 1);
      run_step(run, dt);
      CHECK_INT(run->last.solves, n + 2);
      gap[n] = fabs(corner(&p, run->state.q));
    }
    rate[h] = gap[1] / gap[0];
  }
  CHECK_LE(rate[0], 3e-3);
  CHECK_NEAR(rate[0] / rate[1], 2, 0.1);
}

/* Nothing to correct where gaps are linear: one solve. */
TEST(nothing_to_correct_changes_nothing) {
  struct points p = {.n = 1, .dim = 3, .m = {1}, .gravity = {0, 0, -G}, .mu = 0.3};
  const struct mech m = points_mech(&p);
  struct run *run = run_begin("ncp", &m, 1e-3, (double[]){0, 0, 0}, (double[]){1, 0, 0});
  run_set(run, "corrections=5");
  run_until(run, 0.1);
  CHECK_INT(run->last.solves, 1);
}

/* --- systems --- */

/* Largest |g_N| of contacts that carry, at the end of the step made last. */
static double off_surface(const struct run *run, struct mech_contacts *contacts) {
  const struct mech *m = run->setup.mech;
  double worst = 0;
  mech_contacts_find(m, run->state.q, NULL, INFINITY, contacts);
  for (int k = 0; k < run->last.n_carrying; ++k) {
    for (int i = 0; i < contacts->n; ++i) {
      worst = contacts->id[i] == run->last.carrying[k] ? fmax(worst, fabs(contacts->gN[i])) : worst;
    }
  }
  return worst;
}

/* Largest |g_S|. */
static double off_joints(const struct mech *m, const double *q, struct base_arena *arena) {
  double *gS = base_arena_doubles(arena, m->ns);
  m->ops->bilateral(m, q, gS);
  return la_norm_inf(m->ns, gS);
}

/* P1 falls by 0.1 m and sticks from 0.18 to 0.40 s, on the end of a rod that turns. Linearised, it
 * and the joint are 1e-9 m off at dt = 1e-4 s. */
TEST(end_that_sticks_stays_on_the_plane) {
  static const char *const forms[] = {"lcp-st", "lcp-dca", "ccp", "ncp", "mdp"};
  const double dt = 1e-4;
  for (int f = 0; f < 5; ++f) {
    for (int corrected = 0; corrected < 2; ++corrected) {
      struct base_arena *arena = test_arena();
      const struct case_instance c = case_model_build(
          "spatial-double-pendulum", "qa2=1 qb1=0 qb2=1 vx0=0 vy0=0 z0=0.1", arena);
      struct run *run = run_begin(forms[f], c.mech, dt, c.q, c.u);
      double q[SPATIAL_DOUBLE_PENDULUM_Q], u[SPATIAL_DOUBLE_PENDULUM_U], z = 0, joint = 0;
      run_set(run, "corrections=%d", corrected ? 2 : 0);
      for (int k = 1; k <= 4000; ++k) {
        const struct base_arena_mark mark = base_arena_mark(arena);
        run_step(run, dt);
        c.mech->ops->observe(c.mech, run->state.q, run->state.u, q, u);
        z = k > 1800 ? fmax(z, fabs(q[SPATIAL_DOUBLE_PENDULUM_P1 + 2])) : z;
        joint = fmax(joint, off_joints(c.mech, run->state.q, arena));
        base_arena_release(arena, mark);
      }
      CHECK_OK(run->status);
      CHECK_MESSAGE(corrected ? z <= 1e-14 : z >= 1e-9, "%s: off the plane by %g m", forms[f], z);
      CHECK_MESSAGE(corrected ? joint <= 1e-13 : joint >= 1e-9, "%s: g_S = %g m", forms[f], joint);
    }
  }
}

/* The same motion against event: first order, as without corrections. */
TEST(trajectory_keeps_its_order) {
  static const char set[] = "qa2=1 qb1=0 qb2=1 vx0=0 vy0=0 z0=0.1";
  double exact[14], error[2][2];
  CHECK_OK(
      case_model_run("spatial-double-pendulum", set, "event", 0.1, 0.4, case_model_keep_q, exact));
  for (int h = 0; h < 2; ++h) {
    for (int corrected = 0; corrected < 2; ++corrected) {
      const struct case_instance c = case_model_build("spatial-double-pendulum", set, test_arena());
      const double dt = h == 0 ? 4e-4 : 1e-4;
      struct run *run = run_begin("ncp", c.mech, dt, c.q, c.u);
      run_set(run, "corrections=%d", corrected ? 3 : 0);
      for (int k = 0; k < lrint(0.4 / dt); ++k) {
        run_step(run, dt);
      }
      error[h][corrected] = 0;
      for (int k = 0; k < 14; ++k) {
        error[h][corrected] = fmax(error[h][corrected], fabs(run->state.q[k] - exact[k]));
      }
    }
    CHECK_NEAR(error[h][1] / error[h][0], 1, 1e-2);
  }
  CHECK_NEAR(log2(error[0][1] / error[1][1]), 2, 0.1); /* four times the step */
}

/* A rope of 1 m, slack by 1e-6 m, whose end moves across it at 1 m/s: linearised, nothing holds it
 * in the step that makes it 5e-5 m too long. */
TEST(rope_becomes_taut_by_turning) {
  const struct case_instance b = case_model_scene(
      "'gravity': [0, 0, 0], 'bodies': [{'name': 'b', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], "
      "'position': [0.999999, 0, 0], 'velocity': [0, 1, 0]}], 'joints': [{'type': 'rope', "
      "'bodies': ['world', 'b'], 'point': [0, 0, 0], 'end': [0.999999, 0, 0], 'length': 1}]");
  for (int f = 0; f < FORM_COUNT; ++f) {
    for (int corrected = 0; corrected < 2; ++corrected) {
      struct run *run = run_begin(FORMS[f], b.mech, 1e-2, b.q, b.u);
      run_set(run, "corrections=%d", corrected ? 20 : 0);
      run_step(run, 1e-2);
      const double too_long = la_norm2(3, run->state.q) - 1;
      CHECK_INT(run->last.n_carrying, corrected);
      CHECK_MESSAGE(corrected ? fabs(too_long) <= 1e-14 : too_long >= 4e-5, "%s: too long by %g m",
                    FORMS[f], too_long);
    }
  }
}

/* Corners of a box that tumbles: contacts as lever arms, gaps at the end as a list of their own. */
TEST(corners_of_a_tumbling_box_touch) {
  const struct case_instance b = case_model_scene(
      "'gravity': [0, 0, -9.81], 'materials': {'m': {'mu': 0.5}}, 'bodies': [{'name': 'floor', "
      "'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 0, 1], 'material': 'm'}]}, "
      "{'name': 'b', 'mass': 1, 'inertia': [0.3, 0.4, 0.5], 'position': [0, 0, 0.6], 'velocity': "
      "[1, 0.5, 0], 'angular_velocity': [3, -2, 1], 'shapes': [{'type': 'box', 'half': [0.3, 0.2, "
      "0.1], 'material': 'm'}]}]");
  for (int f = 0; f < FORM_COUNT; ++f) {
    double off[2] = {0};
    int carried = 0;
    for (int corrected = 0; corrected < 2; ++corrected) {
      struct run *run = run_begin(FORMS[f], b.mech, 1e-3, b.q, b.u);
      struct mech_contacts contacts;
      size_t peak = 0;
      mech_contacts_init(&contacts, b.mech, test_arena());
      run_set(run, "corrections=%d", corrected ? 6 : 0);
      for (int k = 1; k <= 800; ++k) {
        run_step(run, 1e-3);
        off[corrected] = fmax(off[corrected], off_surface(run, &contacts));
        carried += run->last.n_carrying;
        peak = k == 600 ? base_arena_peak(run->arena) : peak;
      }
      CHECK_OK(run->status);
      CHECK_INT(base_arena_peak(run->arena), peak);
    }
    CHECK_LE(100, carried);
    if (strcmp(FORMS[f], "ccp") != 0) { /* there gaps of contacts that slide float */
      CHECK_MESSAGE(off[0] >= 1e-7 && off[1] <= 1e-12, "%s: off by %g, corrected %g m", FORMS[f],
                    off[0], off[1]);
    }
  }
}
