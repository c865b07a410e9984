/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes with closed forms under every formulation there is, at two steps: each is as near as its
 * order promises, or refuses the scene and says why. What differs by formulation stands in one
 * table: refusals by a word of their reason, and deviations that a law or a regularisation has by
 * itself, whatever the step.
 *
 *   plate    starts at V under a block at rest and stops at T < V / (mu g): the block slides all
 *            the time and comes to rest, x = mu g T^2
 *   bounce   oblique, of a solid ball: v_N' = -eps_N v_N and v_T' = -eps_T v_T at the point in
 *            contact, whose mass along the plane is 2 m / 7; within the cone
 *   holds    a block on an incline with mu = tan alpha: rest
 *   slides   the same with less: x = g (sin alpha - mu cos alpha) t^2 / 2 without turning
 *   tumbles  a free box: |J w| and the energy stay
 *   spring   with Coulomb friction: half cycles pi sqrt(m / k) about +-mu m g / k
 *   turntable  a ball rolls on a turntable 1e12 times as heavy: circles with 2/7 of its speed of
 *            rotation Omega, v' = 2/7 Omega x v
 *   drive    the same of a half-space on a light body whose angle is prescribed
 *   rail     a slider on an incline, and a pendulum at right angles to it: g sin alpha
 */
#include "tests/test.h"
#include "tests/trial.h"

#include <stdlib.h>

#include "bench/run/run.h"
#include "form/simulator/simulator.h"

static const double G = 9.81;

/* --- the scenes: how far a final state is off --- */

#define PLATE_V 0.7
#define PLATE_T 0.12
#define PLATE_MU 0.45
static double plate_off(const struct bench_outcome *out) {
  const double x = PLATE_MU * G * PLATE_T * PLATE_T;
  return fmax(fabs(trial_q(out, "b.x") - x), fabs(trial_q(out, "p.x") - PLATE_V * PLATE_T));
}

#define BOUNCE_EPS_N 0.7
#define BOUNCE_EPS_T 0.4
#define BOUNCE_R 0.2
static const double bounce_v[3] = {0.8, -0.5, -3}, bounce_w[3] = {2, 4, -1};
static double bounce_off(const struct bench_outcome *out) {
  /* velocity of the lowest point: v + w x (0, 0, -R); impulse -(1 + eps_T) 2/7 m of that */
  const double part = 2.0 / 7 * (1 + BOUNCE_EPS_T);
  const double x = part * (bounce_v[0] - BOUNCE_R * bounce_w[1]);
  const double y = part * (bounce_v[1] + BOUNCE_R * bounce_w[0]);
  /* torque (0, 0, -R) x impulse over 2/5 m R^2 */
  const double wx = bounce_w[0] - 2.5 / BOUNCE_R * y, wy = bounce_w[1] + 2.5 / BOUNCE_R * x;
  double spin = 0;
  static const char *const w[] = {"b.wx", "b.wy", "b.wz"};
  for (int d = 0; d < 3; ++d) {
    spin += trial_u(out, w[d]) * trial_u(out, w[d]);
  }
  double off = fabs(trial_u(out, "b.vz") + BOUNCE_EPS_N * bounce_v[2]);
  off = fmax(off, fabs(trial_u(out, "b.vx") - (bounce_v[0] - x)));
  off = fmax(off, fabs(trial_u(out, "b.vy") - (bounce_v[1] - y)));
  return fmax(off,
              BOUNCE_R * fabs(sqrt(spin) - sqrt(wx * wx + wy * wy + bounce_w[2] * bounce_w[2])));
}

/* tan alpha = 0.75: normal (0.6, 0, 0.8), the block's half height 0.08 along it, less 1e-14 m so
 * that it is closed whatever rounding does; turned by alpha about y. */
static double incline_off(const struct bench_outcome *out, double mu) {
  const double x = 0.5 * G * (0.6 - mu * 0.8) * out->t * out->t;
  const double at[] = {0.048 + 0.8 * x, 0, 0.064 - 0.6 * x, sqrt(0.9), 0, sqrt(0.1), 0};
  static const char *const names[] = {"b.x", "b.y", "b.z", "b.a0", "b.a1", "b.a2", "b.a3"};
  double off = 0;
  for (int k = 0; k < 7; ++k) {
    off = fmax(off, fabs(trial_q(out, names[k]) - at[k]));
  }
  return off;
}
static double holds_off(const struct bench_outcome *out) { return incline_off(out, 0.75); }
static double slides_off(const struct bench_outcome *out) { return incline_off(out, 0.7); }

static double tumbles_off(const struct bench_outcome *out) {
  static const double J[] = {0.1, 0.26, 0.34}, w0[] = {0.4, 3, 0.7};
  static const char *const names[] = {"b.wx", "b.wy", "b.wz"};
  double L = 0, L0 = 0, E = 0, E0 = 0;
  for (int d = 0; d < 3; ++d) {
    const double w = trial_u(out, names[d]);
    L += J[d] * J[d] * w * w;
    L0 += J[d] * J[d] * w0[d] * w0[d];
    E += J[d] * w * w;
    E0 += J[d] * w0[d] * w0[d];
  }
  return fmax(fabs(sqrt(L / L0) - 1), fabs(E / E0 - 1));
}

#define SPRING_K 80.0
#define SPRING_M 0.8
#define SPRING_MU 0.25
static double spring_off(const struct bench_outcome *out) {
  const double half = 3.14159265358979323846 * sqrt(SPRING_M / SPRING_K);
  const double shift = SPRING_MU * SPRING_M * G / SPRING_K;
  double x = 0.3, t = out->t, side = 1;
  for (; t > half && fabs(x) > shift; t -= half, side = -side) {
    x = 2 * side * shift - x;
  }
  if (fabs(x) > shift) {
    x = side * shift + (x - side * shift) * cos(t * sqrt(SPRING_K / SPRING_M));
  }
  return fmax(fabs(trial_q(out, "b.x") - x), fabs(trial_q(out, "b.z") - 0.05));
}

/* Rolling at the start: v + w x (0, 0, -R) = Omega x r. */
#define TABLE_OMEGA 2.0
static const double table_x[2] = {0.5, 0}, table_v[2] = {0.1, 0.4};
static double table_off(const struct bench_outcome *out) {
  const double w = 2.0 / 7 * TABLE_OMEGA, s = sin(w * out->t), c = 1 - cos(w * out->t);
  const double x = table_x[0] + (table_v[0] * s - table_v[1] * c) / w;
  const double y = table_x[1] + (table_v[0] * c + table_v[1] * s) / w;
  return hypot(trial_q(out, "b.x") - x, trial_q(out, "b.y") - y);
}

/* tan alpha = 0.75; the bob hangs at right angles to the rail. */
static double slider_off(const struct bench_outcome *out) {
  const double x = 0.5 * G * 0.6 * out->t * out->t;
  return fmax(hypot(trial_q(out, "s.x") - 0.8 * x, trial_q(out, "s.z") + 0.6 * x),
              hypot(trial_q(out, "b.x") - 0.8 * x + 0.3, trial_q(out, "b.z") + 0.6 * x + 0.4));
}

/* --- what is known of formulations --- */

enum {
  PLATE = 1,
  BOUNCE = 2,
  HOLDS = 4,
  SLIDES = 8,
  TUMBLES = 16,
  SPRING = 32,
  TABLE = 64,
  DRIVE = 128,
  SLIDER = 256,
  ALL = 511,
  DRIVEN = PLATE | DRIVE
};

static const struct scene {
  int bit;
  const char *name;                               /* tests/scenes/NAME.json */
  double (*off)(const struct bench_outcome *out); /* [m], [m/s] or [-] */
  double dt[2], dt_penalty[2];
  double rate, floor; /* an error may be rate dt + floor */
} scenes[] = {
    {PLATE, "plate", plate_off, {4e-3, 1e-3}, {8e-5, 2e-5}, 1.4, 1e-12},
    {BOUNCE, "bounce", bounce_off, {4e-3, 1e-3}, {8e-5, 2e-5}, 8, 1e-13},
    {HOLDS, "holds", holds_off, {4e-3, 1e-3}, {8e-5, 2e-5}, 0, 1e-9},
    {SLIDES, "slides", slides_off, {4e-3, 1e-3}, {8e-5, 2e-5}, 0.1, 1e-9},
    {TUMBLES, "tumbles", tumbles_off, {2e-2, 5e-3}, {2e-2, 5e-3}, 0, 2e-14},
    {SPRING, "spring", spring_off, {4e-3, 1e-3}, {8e-5, 2e-5}, 2, 1e-9},
    {TABLE, "turntable", table_off, {1e-3, 2.5e-4}, {8e-5, 2e-5}, 0.2, 1e-12},
    {DRIVE, "drive", table_off, {4e-3, 1e-3}, {8e-5, 2e-5}, 0.2, 1e-12},
    {SLIDER, "rail", slider_off, {4e-3, 1e-3}, {4e-3, 1e-3}, 2, 1e-9},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* Refused with a reason that holds `because`. */
static const struct refusal {
  const char *formulation;
  int scenes;
  const char *because;
} refusals[] = {
    {"consistent-constant", ALL, "u = qdot"},
    {"consistent-constant-gear", ALL, "u = qdot"},
    {"consistent-coordinate", ALL, "as many velocities as coordinates"},
    {"consistent-decomposed", ALL & ~DRIVEN, "as many velocities as coordinates"},
    {"consistent-onestep", ALL & ~DRIVEN, "as many velocities as coordinates"},
    {"consistent-twostep", ALL & ~DRIVEN, "as many velocities as coordinates"},
    {"consistent-decomposed", DRIVEN, "constraints depend on time"},
    {"consistent-onestep", DRIVEN, "constraints depend on time"},
    {"consistent-twostep", DRIVEN, "constraints depend on time"},
    {"consistent-quaternion", DRIVEN, "constraints depend on time"},
    {"consistent-quaternion-twostep", DRIVEN, "constraints depend on time"},
    {"mdp", BOUNCE, "has no tangential restitution"},
    {"penalty", BOUNCE, "has no tangential restitution"},
    {"sap", BOUNCE, "not by a coefficient"},
    {"mujoco-soft", BOUNCE, "not by a coefficient"},
    {"tgs-soft", BOUNCE, "not by a coefficient"},
    {"avbd", BOUNCE, "not by a coefficient"},
    {"avbd", PLATE | TABLE | DRIVE | SLIDER, "joints are not known"},
};

/* Further from the closed form than the scene's own bound, by rate dt + floor. */
static const struct deviation {
  const char *formulation;
  int scenes;
  double rate, floor;
} deviations[] = {
    /* redundant corners push each other sideways: some of the friction is not downhill */
    {"mdp", HOLDS | SLIDES, 0, 3e-3},
    /* soft contacts creep, as sap has it in proportion to the step, as MuJoCo has it whatever the
       step: a body of one contact at some 1e-3 s of its acceleration by friction */
    {"sap", HOLDS, 2e-3, 0},
    {"mujoco-soft", HOLDS, 0, 4e-4},
    {"mujoco-soft", SPRING, 0, 8e-3},
    {"mujoco-soft", TABLE | DRIVE, 0, 2.5e-3},
    /* it sinks softly before it holds, and a sweep a step is not a solution */
    {"tgs-soft", HOLDS | SLIDES, 0, 1e-3},
    {"avbd", HOLDS | SLIDES | SPRING, 0, 5e-3},
    /* regularised friction creeps, and springs are pressed in by the weight */
    {"penalty", PLATE | SPRING, 0, 1e-4},
    {"penalty", HOLDS | SLIDES, 0, 1e-3},
    {"penalty", TABLE | DRIVE, 0, 5e-4},
    {"penalty", TUMBLES, 1e-6, 0},
    /* forces of the theta rule at the mean of the coordinates, of second order */
    {"moreau-theta", TUMBLES, 1e-3, 0},
    /* closed contacts at half a step of the other forces (moeller 5.141) */
    {"consistent-quaternion", HOLDS | SLIDES, 1, 0},
    {"consistent-quaternion", TABLE, 4, 0},
    {"consistent-quaternion", SPRING, 5, 0},
};

static const struct refusal *refusal_of(const char *form, const struct scene *scene) {
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
    if (strcmp(refusals[i].formulation, form) == 0 && (refusals[i].scenes & scene->bit) != 0) {
      return &refusals[i];
    }
  }
  return NULL;
}

static double bound_of(const char *form, const struct scene *scene, double dt) {
  double bound = scene->rate * dt + scene->floor;
  for (size_t i = 0; i < sizeof deviations / sizeof *deviations; ++i) {
    const struct deviation *d = &deviations[i];
    if (strcmp(d->formulation, form) == 0 && (d->scenes & scene->bit) != 0) {
      bound = d->rate * dt + fmax(d->floor, scene->floor);
    }
  }
  return bound;
}

/* Relaxation comes to a limit of sticking as 1 / k, and would end unconverged: auto goes on. */
static const char *solver_of(const struct form *form) {
  return form->solver != NULL && strcmp(form->solver, "relaxation") == 0 ? "auto" : NULL;
}

/* How far off it ends, NaN where its status is not ok; that and the reason in *out. */
static double run(const struct form *form, const struct scene *scene, double dt, const char *option,
                  struct bench_outcome *out) {
  const char *path = base_arena_printf(test_arena(), "tests/scenes/%s.json", scene->name);
  struct bench_request request = {
      .case_name = path, .formulation = form->name, .solver = solver_of(form), .dt = dt};
  if (request.solver != NULL) { /* at the limit of sticking speeds are roots of residuals */
    base_words_add(&request.opt, "tol=1e-13", test_arena());
  }
  struct trial t;
  const int status = trial_run(&t, request, "", option, TRIAL_WITHOUT_ERRORS);
  const double off = status == BASE_OK ? scene->off(&t.out) : NAN;
  *out = t.out;
  return off;
}

static void try_scene(const struct form *form, const struct scene *scene) {
  const struct refusal *refusal = refusal_of(form->name, scene);
  const int is_penalty = strcmp(form->name, "penalty") == 0;
  const double *dt = is_penalty ? scene->dt_penalty : scene->dt;
  const char *option = is_penalty ? "K=1e5 substeps=1" : ""; /* about one spring and step for all */
  for (int k = 0; k < 2; ++k) {
    struct bench_outcome out;
    const double off = run(form, scene, dt[k], option, &out),
                 bound = bound_of(form->name, scene, dt[k]);
    if (refusal != NULL) {
      CHECK_INT(out.status, BASE_UNSUPPORTED);
      CHECK_INT((int)out.steps, 0);
      CHECK_MESSAGE(strstr(out.reason, refusal->because) != NULL, "%s, %s: %s", form->name,
                    scene->name, out.reason);
    } else {
      CHECK_MESSAGE(off <= bound, "%s, %s, dt %g: off by %.3g > %.3g %s", form->name, scene->name,
                    dt[k], off, bound, out.reason);
    }
  }
}

TEST(every_formulation_meets_the_closed_form_or_says_why_not) {
  for (int s = 0; s < SCENES; ++s) {
    for (int f = 0; f < form_count(); ++f) {
      if (!form_is_simulator(form_get(f))) { /* tests/cli/engines.sh has theirs */
        try_scene(form_get(f), &scenes[s]);
      }
    }
  }
}

/* The same with an option that leaves out what a scene is about: ten times the bound, at least. */
TEST(bounds_tell_what_is_wrong) {
  static const struct {
    int scene;
    const char *formulation, *option;
  } wrong[] = {{TUMBLES, "moreau", "gyro=explicit"},
               {BOUNCE, "ncp", "restitution=none"},
               {BOUNCE, "lcp-ap", "restitution=none"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    for (int s = 0; s < SCENES; ++s) {
      if (scenes[s].bit == wrong[i].scene) {
        struct bench_outcome out;
        const double dt = scenes[s].dt[1];
        const double off =
            run(form_find(wrong[i].formulation), &scenes[s], dt, wrong[i].option, &out);
        CHECK_MESSAGE(off >= 10 * bound_of(wrong[i].formulation, &scenes[s], dt),
                      "%s with %s: off by %.3g alone", wrong[i].formulation, wrong[i].option, off);
      }
    }
  }
}
