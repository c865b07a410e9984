/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Three scene files whose motions have closed forms (cases/scenes/<scene>.json), here with their
 * numbers as parameters, so that every formulation is measured against the exact motion.
 *
 *   rolling-sphere  thrown at v0 along a plane: a = mu g until t* = 2 v0 / (7 a), then 5/7 v0
 *   incline         a block thrown down an incline: a = g (sin alpha - mu cos alpha) as long as it
 *                   moves; it stops where a < 0, and stays where it lies for mu >= tan alpha
 *   heavy-top       steady precession W about a fixed point at tilt theta:
 *                   (I3 w3 - (I1 + m l^2) W cos theta) W = m g l gives the spin w3 it needs
 *
 * with R = Rz(W t) Ry(theta) Rz(psi), psidot = w3 - W cos theta, for the top. Rolling resistance
 * and the block's tipping (half sides against mu) do not occur for the values allowed.
 */
#include "cases/closed-forms/closed-forms.h"

#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "cases/scene_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Roundings of numbers as large as the largest coordinate or velocity. */
static const double ROUNDINGS = 64;

static int is_scene(const struct case_parameters *p, const char *name) {
  return strcmp(case_choice(p, "scene"), name) == 0;
}

double closed_forms_spin(const struct case_parameters *p) {
  const double m = case_real(p, "m_top"), l = case_real(p, "l_top"), W = case_real(p, "W_top");
  return (m * case_real(p, "g") * l / W +
          (case_real(p, "I1_top") + m * l * l) * W * cos(case_real(p, "theta_top"))) /
         case_real(p, "I3_top");
}

/* --- closed forms --- */

static void rolling_sphere(const struct case_parameters *p, double t, double *q, double *u) {
  const double R = case_real(p, "R"), v0 = case_real(p, "v0"),
               a = case_real(p, "mu") * case_real(p, "g");
  const double slides = a > 0 ? fmin(t, 2 * v0 / (7 * a)) : t, rolls = t - slides;
  const double v = v0 - a * slides, w = 2.5 * a * slides / R;
  const double phi = (0.5 * slides + rolls) * w;
  q[0] = (v0 - 0.5 * a * slides) * slides + v * rolls;
  q[2] = R;
  q[3] = cos(0.5 * phi);
  q[5] = sin(0.5 * phi);
  u[0] = v;
  u[4] = w;
}

/* The time for which the block has moved at time t, and its way. */
static double incline_way(const struct case_parameters *p, double t, double *moves) {
  const double alpha = case_real(p, "alpha"), v0 = case_real(p, "v0");
  const double a = case_real(p, "g") * (sin(alpha) - case_real(p, "mu") * cos(alpha));
  *moves = a < 0 ? fmin(t, v0 / -a) : t;
  return (v0 + 0.5 * a * *moves) * *moves;
}

static void incline(const struct case_parameters *p, double t, double *q, double *u) {
  const double alpha = case_real(p, "alpha"), c = cos(alpha), s = sin(alpha);
  const double mu = case_real(p, "mu"), v0 = case_real(p, "v0"), h = case_real(p, "h");
  const double a = case_real(p, "g") * (s - mu * c);
  double moves;
  const double path = incline_way(p, t, &moves);
  const double v = moves < t ? 0 : v0 + a * moves;
  q[0] = h * s + path * c;
  q[2] = h * c - path * s;
  q[3] = cos(0.5 * alpha);
  q[5] = sin(0.5 * alpha);
  u[0] = v * c;
  u[2] = -v * s;
}

static void heavy_top(const struct case_parameters *p, double t, double *q, double *u) {
  const double l = case_real(p, "l_top"), W = case_real(p, "W_top"),
               theta = case_real(p, "theta_top"), c = cos(theta), s = sin(theta);
  const double psi = (closed_forms_spin(p) - W * c) * t;
  const double turn[4] = {cos(0.5 * W * t), 0, 0, sin(0.5 * W * t)},
               tilt[4] = {cos(0.5 * theta), 0, sin(0.5 * theta), 0},
               spin[4] = {cos(0.5 * psi), 0, 0, sin(0.5 * psi)};
  q[0] = l * s * cos(W * t);
  q[1] = l * s * sin(W * t);
  q[2] = l * c;
  scene_quaternion_product(turn, tilt, q + 3);
  scene_quaternion_product(q + 3, spin, q + 3);
  u[0] = -W * q[1];
  u[1] = W * q[0];
  u[3] = -W * s * cos(psi); /* of the precession W e_z, in the body's frame */
  u[4] = W * s * sin(psi);
  u[5] = closed_forms_spin(p);
}

double closed_forms_reference(const struct case_parameters *p, double t, double *q, double *u) {
  double size = 1;
  memset(q, 0, 7 * sizeof *q);
  memset(u, 0, 6 * sizeof *u);
  if (is_scene(p, "rolling-sphere")) {
    rolling_sphere(p, t, q, u);
    size = fabs(u[4]) * t;
  } else if (is_scene(p, "incline")) {
    incline(p, t, q, u);
  } else {
    heavy_top(p, t, q, u);
    size = fabs(closed_forms_spin(p)) * t; /* angles lose the digits of their turns */
  }
  for (int i = 0; i < 3; ++i) {
    size = fmax(size, fabs(q[i]));
  }
  return ROUNDINGS * DBL_EPSILON * fmax(size, 1);
}

/* Of the ball and the block [kg]. */
static const double BALL = 1, BLOCK = 2;

static void closed_forms_work(const struct case_parameters *p, double t, double work[4]) {
  if (is_scene(p, "rolling-sphere")) {
    const double R = case_real(p, "R"), v0 = case_real(p, "v0");
    double q[7] = {0}, u[6] = {0};
    rolling_sphere(p, t, q, u);
    work[0] = 0.5 * BALL * ((u[0] - v0) * (u[0] + v0) + 0.4 * R * R * u[4] * u[4]);
  } else if (is_scene(p, "incline")) {
    const double weight = BLOCK * case_real(p, "g") * cos(case_real(p, "alpha"));
    double moves;
    work[0] = -case_real(p, "mu") * weight * incline_way(p, t, &moves);
  }
}

/* --- the scene with these numbers --- */

struct editing {
  cJSON *root;
  const char *file;
  struct base_arena *arena;
  int status;
};

static void set(struct editing *e, const char *key, double x) {
  char number[BASE_JSON_NUMBER_SIZE];
  if (e->status == BASE_OK) {
    e->status = scene_set(e->root, e->file, key, base_json_number(x, number), e->arena);
  }
}

static void edit_sphere(struct editing *e, const struct case_parameters *p) {
  const double R = case_real(p, "R");
  set(e, "materials.rubber.mu", case_real(p, "mu"));
  set(e, "bodies.ball.velocity.0", case_real(p, "v0"));
  set(e, "bodies.ball.position.2", R);
  set(e, "bodies.ball.shapes.0.radius", R);
  set(e, "bodies.ball.mass", BALL);
  for (int i = 0; i < 3; ++i) {
    set(e, base_arena_printf(e->arena, "bodies.ball.inertia.%d", i), 0.4 * BALL * R * R);
  }
}

static void edit_incline(struct editing *e, const struct case_parameters *p) {
  const double alpha = case_real(p, "alpha"), c = cos(alpha), s = sin(alpha), h = case_real(p, "h"),
               v0 = case_real(p, "v0");
  set(e, "materials.wood.mu", case_real(p, "mu"));
  set(e, "bodies.block.mass", BLOCK);
  set(e, "bodies.hill.shapes.0.normal.0", s);
  set(e, "bodies.hill.shapes.0.normal.2", c);
  set(e, "bodies.block.shapes.0.half.2", h);
  set(e, "bodies.block.position.0", h * s);
  set(e, "bodies.block.position.2", h * c);
  set(e, "bodies.block.orientation.0", cos(0.5 * alpha));
  set(e, "bodies.block.orientation.2", sin(0.5 * alpha));
  set(e, "bodies.block.velocity.0", v0 * c);
  set(e, "bodies.block.velocity.2", -v0 * s);
}

static void edit_top(struct editing *e, const struct case_parameters *p) {
  static const char *const vectors[] = {"position", "velocity", "angular_velocity"};
  double q[7], u[6];
  closed_forms_reference(p, 0, q, u);
  set(e, "bodies.top.mass", case_real(p, "m_top"));
  for (int i = 0; i < 3; ++i) {
    const double values[] = {q[i], u[i], u[3 + i]};
    for (int k = 0; k < 3; ++k) {
      set(e, base_arena_printf(e->arena, "bodies.top.%s.%d", vectors[k], i), values[k]);
    }
    set(e, base_arena_printf(e->arena, "bodies.top.inertia.%d", i),
        case_real(p, i < 2 ? "I1_top" : "I3_top"));
  }
  for (int i = 0; i < 4; ++i) {
    set(e, base_arena_printf(e->arena, "bodies.top.orientation.%d", i), q[3 + i]);
  }
}

static int closed_forms_build(const struct case_parameters *p, struct base_arena *arena,
                              struct case_instance *out) {
  const char *scene = case_choice(p, "scene"),
             *path = base_data_path(arena, base_arena_printf(arena, "cases/scenes/%s.json", scene));
  const struct case_type *type = path != NULL ? case_open(path, NULL, arena) : NULL;
  if (type == NULL) {
    return BASE_E_INPUT;
  }
  struct editing e = {base_json_copy(type->scene, arena), path, arena, BASE_OK};
  set(&e, "gravity.2", -case_real(p, "g"));
  (is_scene(p, "rolling-sphere") ? edit_sphere
   : is_scene(p, "incline")      ? edit_incline
                                 : edit_top)(&e, p);
  if (e.status == BASE_OK) {
    e.status = scene_set(e.root, path, "coordinates", case_choice(p, "coordinates"), arena);
  }
  if (e.status == BASE_OK) {
    e.status = scene_build(e.root, path, arena, out);
  }
  if (e.status == BASE_OK) {
    out->mech->name = "closed-forms";
  }
  return e.status;
}

const struct case_type case_closed_forms = {
    .name = "closed-forms",
    .summary = "scenes with closed forms: a sphere that ends rolling, a block on an incline, a top",
    .source = "textbook mechanics",
    .build = closed_forms_build,
    .reference = closed_forms_reference,
    .work = closed_forms_work};
