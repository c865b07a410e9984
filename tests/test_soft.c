/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Soft contacts: what sticks creeps, and what rests sinks, by the closed forms of the three models;
 * a fall under MuJoCo's contact by its recursion written out here; the rigid limit of sap, to the
 * bit where R is zero and in the order of R near it; and what is refused.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

static const double G = 9.81, MASS = 0.7;

/* A point mass, or a cube of half edge 0.05 m, on a plane that is as steep as gravity says, with a
 * velocity v at an angle turn to t1. */
static const char *launched(const char *shape, double angle, double height, double v, double turn,
                            double mu) {
  return scratch_scene(
      "slope",
      "'dt': 1e-3, 't_end': 1, 'allow_start': true, 'gravity': [%.17g, 0, %.17g],'materials': "
      "{'m': {'mu': %.17g}}, 'bodies': [{'name': 'floor', 'fixed': true, 'shapes': [{'type': "
      "'halfspace', 'normal': [0, 0, 1],'material': 'm'}]},{'name': 'body', 'mass': %.17g, %s "
      "'position': [0, 0, %.17g], 'velocity': [%.17g, %.17g, 0],'shapes': [{%s, 'material': "
      "'m'}]}]",
      G * sin(angle), -G * cos(angle), mu, MASS,
      strcmp(shape, "cube") == 0 ? "" : "\"rotates\": false,", height, v * cos(turn), v * sin(turn),
      strcmp(shape, "cube") == 0 ? "\"type\": \"box\", \"half\": [0.05, 0.05, 0.05]"
                                 : "\"type\": \"point\"");
}

static const char *slope(const char *shape, double angle, double height, double v, double mu) {
  return launched(shape, angle, height, v, 0, mu);
}

static struct bench_request asked(const char *form, const char *scene, double dt, double t_end) {
  return (struct bench_request){.case_name = scene,
                                .formulation = form,
                                .solver =
                                    strcmp(form, "ccp") == 0 ? "ssn" : NULL, /* as sap has it */
                                .dt = dt,
                                .t_end = t_end,
                                .is_tight = 1};
}

/* Final velocity or coordinate, NaN with a failed check where the run did not end. */
static double final(const char *form, const char *opt, const char *scene, double dt, double t_end,
                    const char *name) {
  struct trial t;
  double x = NAN;
  if (trial_run(&t, asked(form, scene, dt, t_end), "", opt, TRIAL_WITHOUT_ERRORS) == BASE_OK) {
    const int velocity = strstr(name, ".v") != NULL;
    x = velocity ? trial_u(&t.out, name) : trial_q(&t.out, name);
  }
  CHECK_MESSAGE(!isnan(x), "%s with %s: no result", form, opt);
  return x;
}

/* R_T dt f_T with R_T = sigma |1/m|_F/3, |1|_F = sqrt(3). The depth at rest: (dt + tau_d) R_N dt
 * f_N. */
TEST(a_point_under_sap_creeps_and_sinks_as_its_compliance_has_it) {
  const double alpha = 0.2, dt = 1e-3, weight = G * cos(alpha), push = G * sin(alpha);
  const char *scene = slope("point", alpha, 0, 0, 0.5);
  const double creep = final("sap", "", scene, dt, 0.2, "body.vx");
  CHECK_NEAR(creep, 1e-3 / sqrt(3) * push * dt, 1e-9 * creep);
  CHECK_NEAR(final("sap", "sigma=0.1", scene, dt, 0.2, "body.vx"), 100 * creep, 1e-7 * creep);
  const double depth = -final("sap", "tau_d=0.01", scene, dt, 0.5, "body.z");
  CHECK_NEAR(depth, (dt + 0.01) * weight * dt / (4 * M_PI * M_PI * sqrt(3)), 1e-8 * depth);
  /* a spring in earnest: m g/k */
  const double sunk = -final("sap", "stiffness=1e4 tau_d=0.01", scene, dt, 1, "body.z");
  CHECK_NEAR(sunk, MASS * weight / 1e4, 1e-8 * sunk);
}

/* Depth of a contact of the cube that carries f [N], and R = (1 - d)/d/m, of which R_N is a part:
 * R_N f = k d depth. */
static double depth_under(double f, double k, double part, double *R) {
  double d = 0.9, depth = 0;
  for (int n = 0; n < 100; ++n) {
    *R = (1 - d) / d / MASS;
    depth = part * *R * f / (k * d);
    d = 0.9 + 0.05 * 2 * pow(depth / 1e-3, 2);
  }
  return depth;
}

/* Two contacts below and two above share the weight by the moment of friction about the centre,
 * half an edge up; all creep alike, v = R_T f_T/b. Pyramids: four edges push, of R_e = 2 mu^2/ratio
 * (1 + mu^2) R, so that R_N = R_e/4 and R_T = R_e/(2 mu^2). */
TEST(a_cube_under_mujoco_creeps_by_its_impedance) {
  static const double ratios[] = {1, 10, 1, 10};
  const double alpha = M_PI / 18, dt = 2e-3, b = 2 / (0.95 * 0.02), k = b * b / 4;
  const double weight = MASS * G * cos(alpha), push = MASS * G * sin(alpha);
  const char *scene = slope("cube", alpha, 0.05, 0, 0.5);
  for (int i = 0; i < 4; ++i) {
    const int is_pyramidal = i >= 2;
    const double mu = 0.5, edges = is_pyramidal ? 1 + mu * mu : 1;
    const double normal = is_pyramidal ? edges * mu * mu / (2 * ratios[i]) : 1;
    double R[2];
    const double below = depth_under((weight + push) / 4, k, normal, &R[0]);
    const double above = depth_under((weight - push) / 4, k, normal, &R[1]);
    const double creep = push * edges / (b * ratios[i] * (2 / R[0] + 2 / R[1]));
    char opt[64];
    snprintf(opt, sizeof opt, "impratio=%g cone=%s", ratios[i],
             is_pyramidal ? "pyramidal" : "elliptic");
    CHECK_NEAR(final("mujoco-soft", opt, scene, dt, 1, "body.vx"), creep, 1e-5 * creep);
    CHECK_NEAR(final("mujoco-soft", opt, scene, dt, 1, "body.z"), 0.05 - (below + above) / 2,
               1e-3 * below);
    printf("  creep %.4g um/s with %s\n", 1e6 * creep, opt);
  }
  CHECK_LE(fabs(final("ncp", "", scene, dt, 1, "body.vx")), 1e-12);
  CHECK_LE(fabs(final("mujoco-soft", "noslip=100", scene, dt, 1, "body.vx")), 1e-9);
}

/* What slides loses mu of its normal impulse along t1, mu/sqrt(2) between t1 and t2, where the
 * square is nearest; the normal impulse is m (g t + v_N). */
TEST(pyramids_of_mujoco_brake_less_between_their_axes) {
  static const double angles[] = {0, M_PI / 4, M_PI / 2};
  const double dt = 1e-3, t_end = 0.1, mu = 0.3;
  for (int i = 0; i < 3; ++i) {
    const char *scene = launched("point", 0, 0, 2, angles[i], mu);
    static const char opt[] = "cone=pyramidal";
    const double vx = final("mujoco-soft", opt, scene, dt, t_end, "body.vx");
    const double vy = final("mujoco-soft", opt, scene, dt, t_end, "body.vy");
    const double normal = G * t_end + final("mujoco-soft", opt, scene, dt, t_end, "body.vz");
    CHECK_NEAR((2 - hypot(vx, vy)) / normal, i == 1 ? mu / sqrt(2) : mu, 1e-9);
  }
}

/* m = 1/A: f = (a_ref - g - ...)/(A + R) where that pushes; a_ref = -b v - k d z. */
TEST(a_fall_under_mujoco_is_its_recursion) {
  const double dt = 1e-3, b = 2 / (0.95 * 0.02), k = b * b / 4;
  const int steps = 400;
  double z = 0.05, v = 0;
  int touched = 0;
  for (int n = 0; n < steps; ++n) {
    double a = -G;
    if (z <= 0) {
      const double x = fmin(1, -z / 1e-3), y = x <= 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x);
      const double d = 0.9 + 0.05 * y, A = 1 / MASS, R = (1 - d) / d * A;
      a += A * fmax(0, (-b * v - k * d * z + G) / (A + R));
      ++touched;
    }
    v += dt * a;
    z += dt * v;
  }
  CHECK_LE(20, touched);
  const char *scene = slope("point", 0, 0.05, 0, 0);
  CHECK_NEAR(final("mujoco-soft", "", scene, dt, steps * dt, "body.z"), z, 1e-11);
  CHECK_NEAR(final("mujoco-soft", "", scene, dt, steps * dt, "body.vz"), v, 1e-9);
}

/* One contact: a sweep solves it. Positions move by the soft velocity, the relaxed one goes on. */
TEST(a_fall_under_tgs_soft_is_its_recursion) {
  static const double heights[] = {0.05, -0.01};
  const double dt = 4e-3, omega = 2 * M_PI * 30, a_1 = 20 + dt * omega, a_2 = dt * omega * a_1;
  const int steps = 40;
  for (int i = 0; i < 2; ++i) {
    double z = heights[i], v = 0;
    int pushed = 0;
    for (int n = 0; n < steps; ++n) {
      const double free = v - dt * G, bias = z < 0 ? fmax(omega / a_1 * z, -3) : z / dt;
      const double R = z < 0 ? 1 / a_2 : 0; /* over A */
      const double moves = free + fmax(0, -(free + bias) / (1 + R));
      v = fmax(free, z < 0 ? 0 : -z / dt);
      pushed += z < -1e-4 && moves > free;
      z += dt * moves;
    }
    CHECK_LE(i == 0 ? 0 : 10, pushed);
    const char *scene = slope("point", 0, heights[i], 0, 0);
    CHECK_NEAR(final("tgs-soft", "", scene, dt, steps * dt, "body.z"), z, 1e-14);
    CHECK_NEAR(final("tgs-soft", "", scene, dt, steps * dt, "body.vz"), v, 1e-14);
  }
}

/* One contact along its normal: a number of Newton steps of one body, each with its multiplier. */
TEST(a_fall_under_avbd_is_its_recursion) {
  const double dt = 4e-3, alpha = 0.95, gamma = 0.9, ramp = 2e4;
  const int steps = 60, iterations = 4;
  double z = 0.02, v = 0, lambda = 0, k = 0;
  int touched = 0;
  for (int n = 0; n < steps; ++n) {
    const double free = v - dt * G, depth = (1 - alpha) * z;
    if (z > 0) {
      lambda = k = 0;
      v = free;
    } else {
      lambda *= alpha * gamma;
      k = fmax(500, gamma * k);
      for (int i = 0; i < iterations; ++i) {
        const double f = fmax(0, lambda - k * (depth + dt * v));
        v += (MASS * (free - v) + dt * f) / (MASS + dt * dt * k);
        lambda = fmax(0, lambda - k * (depth + dt * v));
        k += lambda > 0 ? ramp * fabs(depth + dt * v) : 0;
      }
      k = lambda > 0 ? k : 0; /* what does not carry is forgotten */
      ++touched;
    }
    z += dt * v;
  }
  CHECK_LE(20, touched);
  const char *scene = slope("point", 0, 0.02, 0, 0);
  static const char opt[] = "alpha=0.95 gamma=0.9 ramp=2e4 k_min=500 sweeps=4";
  CHECK_NEAR(final("avbd", opt, scene, dt, steps * dt, "body.z"), z, 1e-12);
  CHECK_NEAR(final("avbd", opt, scene, dt, steps * dt, "body.vz"), v, 1e-11);
}

/* Along the slope a body sticks once its weight's part is carried, at an offset of the contact's
 * two points: with stiffnesses k_min = k_max = K and kappa = K dt^2/m, n iterations from alpha
 * gamma F end with F and v = 0 where
 *
 *   C_0 = (1 - alpha gamma) g sin(angle) dt^2/((1 - alpha) ((1 + kappa)^n - 1)).
 *
 * By the recursion this is reached from the start, where a body that does not turn sinks and slides
 * at first; by the closed form it is what the recursion ends with. */
TEST(what_sticks_under_avbd_comes_to_rest) {
  const double angle = 0.2, mu = 0.5, dt = 4e-3, alpha = 0.95, gamma = 0.9, K = 2000;
  const int steps = 500, iterations = 4;
  double x = 0, z = -1e-3, u[2] = {0}, lambda[2] = {0}, offset = 0;
  for (int n = 0; n < steps; ++n) {
    const double free[2] = {u[0] - dt * G * cos(angle), u[1] + dt * G * sin(angle)};
    int sticks = 0;
    lambda[0] *= alpha * gamma;
    lambda[1] *= alpha * gamma;
    for (int i = 0; i < iterations; ++i) {
      const double C_0[2] = {(1 - alpha) * z, (1 - alpha) * offset}, most = mu * lambda[0];
      double f[2];
      for (int k = 0; k < 2; ++k) {
        const double pull = lambda[k] - K * (C_0[k] + dt * u[k]);
        f[k] = k == 0 ? fmax(0, pull) : fmax(-most, fmin(most, pull));
        u[k] += (MASS * (free[k] - u[k]) + dt * f[k]) / (MASS + dt * dt * K);
      }
      f[0] = fmax(0, lambda[0] - K * (C_0[0] + dt * u[0]));
      f[1] = lambda[1] - K * (C_0[1] + dt * u[1]);
      sticks = fabs(f[1]) <= most;
      lambda[0] = f[0];
      lambda[1] = fmax(-most, fmin(most, f[1]));
    }
    offset = sticks && fabs(offset) < 0.01 ? offset + dt * u[1] : 0;
    z += dt * u[0];
    x += dt * u[1];
  }
  const double kappa = K * dt * dt / MASS, rest = (1 - alpha * gamma) * G * sin(angle) * dt * dt /
                                                  ((1 - alpha) * (pow(1 + kappa, iterations) - 1));
  CHECK_NEAR(offset, rest, 1e-9 * rest);
  const char *scene = slope("point", angle, -1e-3, 0, mu);
  static const char opt[] = "alpha=0.95 gamma=0.9 k_min=2000 k_max=2000 sweeps=4";
  CHECK_NEAR(final("avbd", opt, scene, dt, steps * dt, "body.x"), x, 1e-12);
  CHECK_NEAR(final("avbd", opt, scene, dt, steps * dt, "body.vx"), 0, 1e-10);
  const char *cube = slope("cube", angle, 0.05, 0, mu);
  const double creep = final("avbd", "", cube, dt, 8, "body.vx");
  CHECK_NEAR(creep, 0, 1e-6);
  printf("  a cube at %.3g m/s after 8 s\n", creep);
}

/* R r + erp Phi/dt = 0 with r = m g dt; friction: R r_T. */
TEST(a_point_under_cfm_rests_where_mixing_and_error_reduction_balance) {
  const double alpha = 0.2, dt = 1e-3;
  const char *scene = slope("point", alpha, 0, 0, 0.5);
  static const char opt[] = "softness=cfm law=ccp scheme=gap cfm=2e-5 erp=0.2";
  CHECK_NEAR(final("impulse", opt, scene, dt, 0.2, "body.z"),
             -2e-5 * MASS * G * cos(alpha) * dt / 0.2, 1e-14);
  CHECK_NEAR(final("impulse", opt, scene, dt, 0.2, "body.vx"), 2e-5 * MASS * G * sin(alpha), 1e-13);
}

/* A chain of `links` points, each held to the one before by a spherical joint, the first to the
 * world: all joints at the origin, W_S = 1. */
static const char *hung(int links) {
  static char bodies[4096], joints[4096];
  int b = 0, j = 0;
  for (int i = 0; i < links; ++i) {
    b += snprintf(bodies + b, sizeof bodies - (size_t)b,
                  "%s{'name': 'b%d', 'mass': %.17g, 'rotates': false, 'position': [0, 0, 0], "
                  "'shapes': [{'type': 'point', 'material': 'm'}]}",
                  i > 0 ? ", " : "", i, MASS);
    j += snprintf(joints + j, sizeof joints - (size_t)j,
                  "%s{'type': 'spherical', 'bodies': ['%s%d', 'b%d'], 'point': [0, 0, 0]}",
                  i > 0 ? ", " : "", i > 0 ? "b" : "world", i - 1, i);
  }
  char *first = strstr(joints, "world-1");
  if (first != NULL) { /* the world has no number */
    memmove(first + 5, first + 7, strlen(first + 7) + 1);
  }
  return scratch_scene("hung",
                       "'dt': 1e-3, 't_end': 1, 'allow_start': true, 'gravity': [0, 0, %.17g], "
                       "'materials': {'m': {'mu': 0.5}}, 'bodies': [%s], 'joints': [%s]",
                       -G, bodies, joints);
}

/* One joint along its load: (1/m + cfm/dt) Lambda = -(v_f + erp g/dt), and at rest erp g = cfm dt
 * m g. A chain of them: each carries what hangs below, by dense factors and sparse ones. */
TEST(joints_under_cfm_stretch_by_their_load) {
  enum { LINKS = 12 };
  const double dt = 1e-3, cfm = 2e-4, erp = 0.3;
  double z = 0, v = 0;
  for (int n = 0; n < 20; ++n) {
    v -= dt * G;
    v -= (v + erp * z / dt) / (1 / MASS + cfm / dt) / MASS;
    z += dt * v;
  }
  static const char one[] = "softness=cfm scheme=gap cfm=2e-4 erp=0.3";
  CHECK_NEAR(final("impulse", one, hung(1), dt, 20 * dt, "b0.z"), z, 1e-15);
  CHECK_NEAR(final("impulse", one, hung(1), dt, 20 * dt, "b0.vz"), v, 1e-13);
  static const char *const forms[] = {"dense", "sparse"};
  for (int i = 0; i < 2; ++i) {
    char opt[96], last[16];
    double depth = 0;
    for (int k = 0; k < LINKS; ++k) {
      depth += cfm * dt * (LINKS - k) * MASS * G / erp;
    }
    snprintf(opt, sizeof opt, "%s joints=%s", one, forms[i]);
    snprintf(last, sizeof last, "b%d.z", LINKS - 1);
    CHECK_NEAR(final("impulse", opt, hung(LINKS), dt, 2, last), -depth, 1e-10 * depth);
  }
  CHECK_NEAR(final("impulse", "softness=cfm scheme=gap cfm=0", hung(1), dt, 0.1, "b0.z"), 0, 1e-15);
}

/* Slides, where ccp lifts off and ncp does not: sap tends to the former, in the order of 1/k. */
TEST(sap_tends_to_ccp_and_not_to_ncp) {
  const double dt = 1e-3, t_end = 0.1;
  const char *scene = slope("cube", 0, 0.05, 1, 0.3);
  const double ccp = final("ccp", "", scene, dt, t_end, "body.z");
  const double ncp = final("ncp", "", scene, dt, t_end, "body.z");
  CHECK_LE(1e-5, fabs(ccp - ncp));
  const double rigid = final("sap", "beta=0 sigma=0", scene, dt, t_end, "body.z");
  CHECK_NEAR(rigid, ccp, 0);
  double off[2];
  for (int i = 0; i < 2; ++i) {
    char opt[64];
    snprintf(opt, sizeof opt, "beta=0 sigma=0 stiffness=1e%d", 7 + i);
    off[i] = fabs(final("sap", opt, scene, dt, t_end, "body.z") - ccp);
    CHECK_LE(off[i], 0.1 * fabs(ccp - ncp));
  }
  CHECK_NEAR(off[0] / off[1], 10, 0.5);
}

/* A law at a time, and every scheme: what sticks creeps, by softness and not by the law. */
TEST(any_law_and_scheme_can_be_soft) {
  static const char *const laws[] = {"ncp", "ccp", "mdp", "lcp"};
  static const char *const schemes[] = {"gap", "velocity", "midpoint", "theta"};
  const double alpha = 0.2, dt = 1e-3;
  const char *scene = slope("point", alpha, 0, 0, 0.5);
  for (int l = 0; l < 4; ++l) {
    for (int s = 0; s < 4; ++s) {
      char opt[96];
      snprintf(opt, sizeof opt, "softness=sap law=%s scheme=%s", laws[l], schemes[s]);
      const double creep = 1e-3 / sqrt(3) * G * sin(alpha) * dt;
      CHECK_MESSAGE(fabs(final("impulse", opt, scene, dt, 0.2, "body.vx") - creep) <= 1e-6 * creep,
                    "%s", opt);
    }
  }
}

static void check_refused(const char *form, const char *opt, const char *scene, const char *says) {
  struct trial t;
  const int status =
      trial_resolve(&t, asked(form, scene, 1e-3, 0.01), "", opt, TRIAL_WITHOUT_ERRORS);
  const int refused = status != BASE_OK ? status : trial_go(&t);
  CHECK_INT(refused, BASE_UNSUPPORTED);
  CHECK_MESSAGE(status != BASE_OK ? strstr(base_message(), says) != NULL
                                  : strstr(t.out.reason, says) != NULL,
                "%s: %s", says, status != BASE_OK ? base_message() : t.out.reason);
}

TEST(what_soft_contacts_do_not_know_is_refused) {
  const char *scene = slope("point", 0, 0, 0, 0.5);
  check_refused("sap", "", "bouncing-ball", "not by a coefficient");
  check_refused("impulse", "sigma=0.1", scene, "softness sap only");
  check_refused("impulse", "softness=sap restitution=newton", scene, "rigid contacts only");
  check_refused("impulse", "softness=sap erp=0.5", scene, "softness cfm only");
  check_refused("mujoco-soft", "dmin=0.96", scene, "dmin = 0.96 above dmax = 0.95");
  check_refused("impulse", "softness=mujoco dmax=0.5", scene, "dmin = 0.9 above dmax = 0.5");
  check_refused("mujoco-soft", "cone=pyramidal noslip=1", scene, "over disks");
  check_refused("impulse", "softness=mujoco law=ncp cone=pyramidal", scene, "law ccp alone");
  check_refused("avbd", "k_min=2e7", scene, "k_min = 2e+07 N/m above k_max = 1e+07 N/m");
}
