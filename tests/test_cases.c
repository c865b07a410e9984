/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cases: the registry, parameters and what they refuse, and the three first models against each
 * other, against closed forms and against an independent smooth integrator (GSL's rk8pd on
 * M udot = h, with the rods' forces from gamma_Sdot = 0).
 */
#include "tests/test.h"

#include "base/json/json.h"
#include "cases/case.h"
#include "la/dense.h"
#include "tests/case_model.h"
#include "tests/scratch.h"
#include "tests/worked.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- registry and parameters ---- */

TEST(every_case_says_what_it_is_and_builds) {
  struct base_arena *arena = test_arena();
  CHECK(case_count() >= 3);
  for (int i = 0; i < case_count(); ++i) {
    const struct case_type *type = case_get(i);
    CHECK(type->summary[0] != '\0' && type->source[0] != '\0');
    struct case_parameters *p = case_parameters_load(type, arena);
    CHECK_MESSAGE(p != NULL, "%s", base_message());
    struct case_instance instance = {0};
    CHECK_OK(type->build(p, arena, &instance));
    CHECK_TEXT(instance.mech->name, type->name);
    CHECK(instance.mech->length > 0 && instance.mech->speed > 0);
    CHECK_INT(instance.mech->nb * instance.mech->nv, instance.mech->nu);
    CHECK(base_json_real_at(case_parameters_file(p), "t_end") > 0);
    CHECK(base_json_real_at(case_parameters_file(p), "dt") > 0);
  }
  CHECK(case_get(-1) == NULL && case_get(case_count()) == NULL);
  CHECK(case_find("falling-partikle") == NULL);
  CHECK_MESSAGE(strstr(base_message(), "falling-particle") != NULL, "%s", base_message());
}

TEST(parameters_have_the_sources_values_and_can_be_set) {
  struct base_arena *arena = test_arena();
  struct case_parameters *p = case_model_load("oscillator", "", arena);
  CHECK(case_real(p, "m1") == 10 && case_real(p, "m2") == 1e-3 && case_real(p, "c") == 4e5);
  CHECK(case_real(p, "l") == 0.1 && case_real(p, "g") == 9.81 && case_real(p, "eps") == 0);
  CHECK_OK(case_parameters_set(p, "m2", "2.5e-2"));
  const cJSON *json = test_json(case_parameters_to_json(p));
  CHECK(base_json_real_at(json, "m2") == 2.5e-2 && base_json_real_at(json, "m1") == 10);
  CHECK_INT(cJSON_GetArraySize(json), 10);
  struct case_parameters *d = case_model_load("double-pendulum", "coordinates=angles", arena);
  CHECK_TEXT(case_choice(d, "coordinates"), "angles");
  json = test_json(case_parameters_to_json(d));
  CHECK_TEXT(base_json_text_at(json, "coordinates"), "angles");
  CHECK(base_json_real_at(json, "vx2_0") == 5);
  /* the file itself stays what it was */
  CHECK_TEXT(base_json_text_at(case_parameters_file(d), "parameters.coordinates.value"), "xy");
  CHECK_TEXT(base_json_text_at(case_parameters_file(d), "reference.kind"), "event");
}

/* The case with parameters set, which keep their values where one is refused. */
static int try(const char *name, char *pairs) {
  struct base_arena *arena = test_arena();
  struct case_parameters *p = case_model_load(name, "", arena);
  struct case_instance instance = {0};
  for (char *pair = strsep(&pairs, " "); pair != NULL; pair = strsep(&pairs, " ")) {
    const cJSON *before = test_json(case_parameters_to_json(p));
    const char *key = strsep(&pair, "=");
    const int status = case_parameters_set(p, key, pair);
    if (status != BASE_OK) {
      const cJSON *after = test_json(case_parameters_to_json(p));
      CHECK_MESSAGE(cJSON_Compare(before, after, 1), "%s: '%s' changed a value", name, key);
      return status;
    }
  }
  return case_find(name)->build(p, arena, &instance);
}

TEST(what_cannot_be_is_refused_by_name) {
  for (struct worked w = worked_begin("cases.txt"); worked_next(&w);) {
    char *pairs = base_arena_copy(test_arena(), w.left);
    const char *name = strsep(&pairs, " ");
    worked_status(&w, try(name, pairs));
    CHECK_MESSAGE(strstr(base_message(), name) == base_message(), "%s: %s", w.left, base_message());
  }
}

/* ---- wrong files ---- */

/* Load a case from a data folder of its own in which one piece of the case's file is replaced. The
 * message is "" when that was accepted. */
static const char *load_edited(const char *from, const char *to) {
  scratch_data("cases/oscillator/oscillator.json", from, to);
  return case_parameters_load(case_find("oscillator"), test_arena()) == NULL ? base_message() : "";
}

TEST(wrong_files_are_refused_by_key) {
  static const struct {
    const char *from, *to, *names;
  } edits[] = {{"coulombench.case/1", "coulombench.case/2", "coulombench.case/2"},
               {"\"name\": \"oscillator\"", "\"name\": \"wheel\"", "'wheel'"},
               {"\"value\": 10", "\"value\": 0", "m1"},
               {"\"value\": 10", "\"value\": \"ten\"", "parameters.m1"},
               {", \"source\": \"moeller table 6.1\"", "", "parameters.m1.source"},
               {"\"source\": \"moeller table 6.1\"", "\"source\": \"chosen\"",
                "parameters.m1: must have a 'reason'"},
               {"\"moreau\": {\"dt\": 1e-5}", "\"moreau\": 1e-5", "formulations.moreau"},
               {"\"m2\": {", "\"m1\": {", "m1"},
               {"\"t_end\": 1,", "\"t_end\": 1", "oscillator.json"}};
  const char *message = load_edited("\"value\": 10", "\"value\": 11");
  CHECK_MESSAGE(message[0] == '\0', "a good file is refused: %s", message);
  for (size_t i = 0; i < sizeof edits / sizeof edits[0]; ++i) {
    message = load_edited(edits[i].from, edits[i].to);
    CHECK_MESSAGE(strstr(message, edits[i].names) != NULL && strstr(message, "oscillator.json"),
                  "%s -> %s gives: '%s'", edits[i].from, edits[i].to, message);
  }
}

/* ---- contacts ---- */

static const struct {
  const char *name, *set;
} models[] = {{"falling-particle", ""},
              {"falling-particle", "m=3.5 g=1.62 mu=0.7"},
              {"oscillator", ""},
              {"oscillator", "m2=2 c=30 eps=0.5"},
              {"double-pendulum", "coordinates=xy"},
              {"double-pendulum", "coordinates=angles"}};
enum { MODELS = (int)(sizeof models / sizeof models[0]) };

/* The reach leaves out what is farther and nothing else. */
TEST(contacts_respect_the_reach) {
  for (int k = 0; k < MODELS; ++k) {
    struct base_arena *arena = test_arena();
    const struct case_instance c = case_model_build(models[k].name, models[k].set, arena);
    struct mech_contacts all, near;
    double q[4] = {0.7, 0.1, 0.2, 0.4}; /* as angles, xy and heights: gaps of both sizes */
    mech_contacts_init(&all, c.mech, arena);
    mech_contacts_init(&near, c.mech, arena);
    mech_contacts_find(c.mech, q, NULL, INFINITY, &all);
    for (int i = 0; i < all.n; ++i) {
      int count = 0;
      for (int j = 0; j < all.n; ++j) {
        count += all.gN[j] <= all.gN[i];
      }
      mech_contacts_find(c.mech, q, NULL, all.gN[i], &near);
      CHECK_INT(near.n, count);
    }
    mech_contacts_find(c.mech, q, NULL, -10, &near);
    CHECK_INT(near.n, 0);
  }
}

/* ---- falling particle: the closed form ---- */

TEST(falling_particle_has_the_catalogued_numbers) {
  const struct case_parameters *p = case_model_load("falling-particle", "", test_arena());
  const struct case_type *type = case_find("falling-particle");
  double q[2], u[2];
  /* the impact by bisection on v_y, which jumps to 0 there */
  double lo = 0.1, hi = 1;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (lo + hi);
    type->reference(p, t, q, u);
    *(u[1] < 0 ? &lo : &hi) = t;
  }
  CHECK_NEAR(hi, 0.4515236, 5e-8);
  type->reference(p, hi, q, u);
  CHECK_NEAR(u[0], 1.1141106, 5e-8);
  CHECK_LE(type->reference(p, 1.5, q, u), 1e-13);
  CHECK_NEAR(q[0], 1.2193680, 5e-8);
  CHECK(q[1] == 0 && u[0] == 0 && u[1] == 0);
}

/* For throws of every kind: the equations of motion between the events, the impact law and friction
 * law across the impact, the energy balance over the whole motion. */
static void check_throw(const char *set) {
  const struct case_parameters *p = case_model_load("falling-particle", set, test_arena());
  const struct case_type *type = case_find("falling-particle");
  const double m = case_real(p, "m"), g = case_real(p, "g"), mu = case_real(p, "mu");
  const double vx0 = case_real(p, "vx0"), vy0 = case_real(p, "vy0"), y0 = case_real(p, "y0");
  double q[2], u[2], before[2], after[2], work = 0;
  type->reference(p, 0, q, u);
  CHECK_NEAR(q[0], case_real(p, "x0"), 1e-15);
  CHECK_NEAR(q[1], y0, 1e-15);
  double lo = 0, hi = 100; /* on the ground at hi, in flight at lo (or on the ground from 0) */
  for (int i = 0; i < 80; ++i) {
    const double t = 0.5 * (lo + hi);
    type->reference(p, t, q, u);
    *(u[1] != 0 || q[1] != 0 ? &lo : &hi) = t;
  }
  type->reference(p, lo, q, before);
  type->reference(p, hi, q, after);
  if (hi < 1e-15) { /* on the ground at once: the state before is the initial one */
    before[0] = vx0;
    before[1] = vy0;
  }
  CHECK_NEAR(q[1], 0, 1e-13);
  const double LN = m * (after[1] - before[1]), LT = m * (after[0] - before[0]);
  CHECK_LE(-1e-13, LN);
  CHECK_LE(fabs(LT), mu * LN + 1e-13); /* Coulomb */
  CHECK_LE(LT * before[0], 1e-13);     /* against the motion */
  CHECK_LE(0, after[0] * before[0]);   /* not beyond rest */
  if (fabs(after[0]) > 0) {
    CHECK_NEAR(fabs(LT), mu * LN, 1e-12); /* slides on: the full friction */
  }
  CHECK_NEAR(LN, m * sqrt(vy0 * vy0 + 2 * g * y0), 1e-12); /* energy of the flight */
  work += 0.5 * (LN * (before[1] + after[1]) + LT * (before[0] + after[0]));
  /* equations of motion, by differences; friction's power summed by Simpson's rule (v linear) */
  const double stop = mu > 0 ? fabs(after[0]) / (mu * g) : 1;
  const double x_i = q[0];
  for (int k = 1; k < 20; ++k) {
    const double s = 1e-4, t[2] = {k * hi / 20, hi + k * stop / 20};
    for (int phase = 0; phase < 2; ++phase) {
      const double span = phase == 0 ? hi : stop;
      if (span < 40 * s) {
        continue;
      }
      double qa[2], ua[2], qb[2], ub[2];
      type->reference(p, t[phase] - s, qa, ua);
      type->reference(p, t[phase] + s, qb, ub);
      type->reference(p, t[phase], q, u);
      /* everything is of second order at most: differences err by rounding alone */
      const double rounding_q = 8 * DBL_EPSILON * (1 + fabs(q[0]) + fabs(q[1])) / s;
      const double rounding_u = 8 * DBL_EPSILON * (1 + fabs(u[0]) + fabs(u[1])) / s;
      const double ax = phase == 0 ? 0 : -mu * g * (after[0] > 0 ? 1 : -1);
      CHECK_NEAR((qb[0] - qa[0]) / (2 * s), u[0], rounding_q);
      CHECK_NEAR((qb[1] - qa[1]) / (2 * s), u[1], rounding_q);
      CHECK_NEAR((ub[0] - ua[0]) / (2 * s), ax, rounding_u);
      CHECK_NEAR((ub[1] - ua[1]) / (2 * s), phase == 0 ? -g : 0, rounding_u);
    }
  }
  type->reference(p, hi + stop, q, u);
  work -= mu * m * g * fabs(q[0] - x_i);
  const double E0 = 0.5 * m * (vx0 * vx0 + vy0 * vy0) + m * g * y0;
  const double E1 = 0.5 * m * (u[0] * u[0] + u[1] * u[1]) + m * g * q[1];
  CHECK_NEAR(E1 - E0, work, 1e-12 * (1 + E0));
  if (mu > 0) {
    const double x_stop = q[0];
    CHECK_NEAR(u[0], 0, 1e-14);
    type->reference(p, hi + 2 * stop + 1, q, u);
    CHECK_NEAR(q[0], x_stop, 1e-14); /* stays */
  } else {
    CHECK_NEAR(u[0], vx0, 0);
  }
}

TEST(falling_particle_obeys_its_laws) {
  static const char *const throws[] = {"",
                                       "vx0=-2",
                                       "mu=0",
                                       "mu=0 vx0=-3",
                                       "vx0=0",
                                       "mu=0.8", /* stops in the impact */
                                       "mu=0.8 vx0=-1 vy0=2",
                                       "vy0=3",
                                       "vy0=-3",
                                       "y0=0",
                                       "y0=0 vx0=-1.5",
                                       "y0=0 vy0=2.5",
                                       "y0=0 vy0=-2.5", /* impact at once */
                                       "y0=0 vx0=0",
                                       "m=4 g=1.62 x0=-7 y0=0.3 mu=0.05 vx0=5 vy0=1"};
  for (size_t i = 0; i < sizeof throws / sizeof throws[0]; ++i) {
    check_throw(throws[i]);
  }
}

/* ---- smooth motion by an independent integrator ---- */

TEST(pendulum_moves_alike_in_both_coordinates) {
  struct base_arena *arena = test_arena();
  const struct case_instance xy = case_model_build("double-pendulum", "", arena);
  const struct case_instance angles =
      case_model_build("double-pendulum", "coordinates=angles", arena);
  double y[8], z[4], q[4], u[4];
  memcpy(y, xy.q, 4 * sizeof *y);
  memcpy(y + 4, xy.u, 4 * sizeof *y);
  memcpy(z, angles.q, 2 * sizeof *z);
  memcpy(z + 2, angles.u, 2 * sizeof *z);
  const double E0 = mech_energy(xy.mech, xy.q, xy.u, arena);
  CHECK_NEAR(E0, 0.5 * 0.2 * (2.5 * 2.5 + 5 * 5), 1e-14); /* hangs straight: V = 0 (6.11) */
  for (int k = 0; k <= 10; ++k) {
    angles.mech->ops->observe(angles.mech, z, z + 2, q, u);
    for (int j = 0; j < 4; ++j) {
      CHECK_NEAR(y[j], q[j], k == 0 ? 1e-15 : 1e-9);
      CHECK_NEAR(y[4 + j], u[j], k == 0 ? 1e-14 : 1e-9);
    }
    CHECK_LE(0, y[0]); /* no contact on the way: the motion is smooth */
    CHECK_LE(0, y[2]);
    CHECK_NEAR(mech_energy(xy.mech, y, y + 4, arena), E0, 1e-10);
    CHECK_NEAR(mech_energy(angles.mech, z, z + 2, arena), E0, 1e-10);
    CHECK_NEAR(mech_kinetic(angles.mech, z, z + 2, arena), mech_kinetic(xy.mech, y, y + 4, arena),
               1e-9);
    case_model_integrate(xy.mech, 0.03 * k, 0.03 * (k + 1), y, arena);
    case_model_integrate(angles.mech, 0.03 * k, 0.03 * (k + 1), z, arena);
  }
}

/* Apart, the heavy mass falls and the light one swings about its own rest position. */
TEST(oscillator_moves_as_its_closed_form) {
  struct base_arena *arena = test_arena();
  const struct case_instance c =
      case_model_build("oscillator", "x2_0=0.0995 u1_0=0.3 u2_0=-2", arena);
  double y[4] = {c.q[0], c.q[1], c.u[0], c.u[1]};
  const double w = sqrt(4e5 / 1e-3), rest = 0.1 - 9.81 * 1e-3 / 4e5, t = 0.003;
  const double E0 = mech_energy(c.mech, y, y + 2, arena);
  case_model_integrate(c.mech, 0, t, y, arena);
  CHECK_NEAR(y[0], 0.11 + 0.3 * t - 0.5 * 9.81 * t * t, 1e-12);
  CHECK_NEAR(y[2], 0.3 - 9.81 * t, 1e-11);
  CHECK_NEAR(y[1], rest + (0.0995 - rest) * cos(w * t) - 2 / w * sin(w * t), 1e-10);
  CHECK_NEAR(y[3], -(0.0995 - rest) * w * sin(w * t) - 2 * cos(w * t), 1e-6);
  CHECK_NEAR(mech_energy(c.mech, y, y + 2, arena), E0, 1e-9 * E0);
}

/* ---- initial states ---- */

/* Typed decimals are put onto the rods to round-off; what fits is not touched. */
TEST(initial_states_lie_on_the_constraints) {
  static const char *const sets[] = {
      "", "x1_0=0.3 y1_0=0.4 x2_0=0.6 y2_0=0.8 vx1_0=0.8 vy1_0=-0.6 vx2_0=0.8 vy2_0=-0.6",
      "x1_0=0.25 y1_0=0.4330127019 x2_0=0.6035533906 y2_0=0.7865660925 vx1_0=0 vx2_0=0"};
  for (int k = 0; k < 3; ++k) {
    struct base_arena *arena = test_arena();
    struct case_parameters *p = case_model_load("double-pendulum", sets[k], arena);
    const struct case_instance c = case_model_build("double-pendulum", sets[k], arena);
    char text[512];
    snprintf(text, sizeof text, "%s%scoordinates=angles", sets[k], k > 0 ? " " : "");
    const struct case_instance angles = case_model_build("double-pendulum", text, arena);
    double g[2], WS[8], rate[2], q[4], u[4];
    c.mech->ops->bilateral(c.mech, c.q, g);
    c.mech->ops->bilateral_directions(c.mech, c.q, WS);
    la_gemv_t(4, 2, 1, WS, c.u, 0, rate);
    angles.mech->ops->observe(angles.mech, angles.q, angles.u, q, u);
    CHECK_LE(fmax(la_norm_inf(2, g), la_norm_inf(2, rate)), 1e-15);
    CHECK_NEAR(c.q[0], case_real(p, "x1_0"), k == 0 ? 0 : 1e-9);
    CHECK_NEAR(c.q[3], case_real(p, "y2_0"), k == 0 ? 0 : 1e-9);
    CHECK_NEAR(c.u[2], case_real(p, "vx2_0"), k == 0 ? 0 : 1e-9);
    for (int j = 0; j < 4; ++j) {
      CHECK_NEAR(q[j], c.q[j], 1e-15);
      CHECK_NEAR(u[j], c.u[j], 1e-14);
    }
  }
}
