/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Families of scenes. Each says what is drawn, in which ranges, and how bodies are put together.
 * The ground is the plane z = 0; generate.c turns every scene as a whole afterwards.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/json/json.h"
#include "base/rng.h"
#include "bench/generate/draft.h"
#include "bench/generate/generate.h"

static const double up[3] = {0, 0, 1}, across[3] = {1, 0, 0}, along[3] = {0, 1, 0};

static void add_floor(struct draft *d) { draft_ground(d, 1, up, (const double[]){0}); }

static const char *name_of(const cJSON *body) { return base_json_text_at(body, "name"); }

/* A body by lot above the origin: the ball that holds it touches planes through the origin whose
 * normal is (n_x, 0, 1), |n_x| <= tangent, or is a gap away from them. */
static void throw_body(struct draft *d, double size, double density, double tangent, double gap,
                       const double velocity[3], double spin) {
  enum draft_kind kind;
  double half[3], turn[4], rate[3];
  const double z = draft_any_shape(d, size, &kind, half) * sqrt(1 + tangent * tangent) + gap;
  cJSON *body = draft_body(d, "body", 1, density, (const double[]){0, 0, z});
  draft_rotation(d, turn);
  draft_vector(d, spin, rate);
  draft_state(body, turn, velocity, rate);
  draft_shape(body, kind, half);
}

/* On three feet, whose loads are determined. Four corners that slide in different directions, as
 * those of a box that spins, share its weight in many ways, and with it the torque of friction. */
static void build_slope(struct draft *d, const double *p) {
  enum { FEET = 3 };
  const double tangent = p[0], mu = p[1], *half = p + 2, density = p[5], speed = p[6];
  const double foot = half[2] / 2;
  const double feet[FEET][3] = {{half[0], 0, -half[2]},
                                {-half[0] / 2, half[1], -half[2]},
                                {-half[0] / 2, -half[1], -half[2]}};
  double turn[4], velocity[3];
  draft_gravity(d, tangent);
  draft_material(d, mu, 0);
  add_floor(d);
  cJSON *block = draft_body(d, "block", 1, density, (const double[]){0, 0, half[2] + foot});
  draft_yaw(d, turn);
  draft_planar_vector(d, speed, velocity);
  draft_state(block, turn, velocity, (const double[]){0, 0, p[7]});
  draft_shape(block, DRAFT_BOX, half);
  for (int i = 0; i < FEET; ++i) {
    base_json_add_reals(draft_shape(block, DRAFT_SPHERE, &foot), "offset", 3, feet[i]);
  }
}

/* A sphere spins about any axis; a capsule or cylinder lies on its side, and about its own and
 * the vertical one. */
static void build_rolling(struct draft *d, const double *p) {
  const double tangent = p[0], mu = p[1], radius = p[2], half_length = p[3], density = p[4];
  static const enum draft_kind kinds[] = {DRAFT_SPHERE, DRAFT_CAPSULE, DRAFT_CYLINDER};
  const enum draft_kind kind = kinds[base_rng_below(d->rng, 3)];
  double direction[3], turn[4], velocity[3], spin[3];
  draft_gravity(d, tangent);
  draft_material(d, mu, 0);
  add_floor(d);
  cJSON *body = draft_body(d, "body", 1, density, (const double[]){0, 0, radius});
  draft_planar_vector(d, p[5], velocity);
  draft_planar_vector(d, 1, direction);
  draft_align(direction, turn);
  draft_vector(d, p[6], spin);
  if (kind != DRAFT_SPHERE) { /* body axes in the plane, across the axis: the one that lies flat */
    const double level[3] = {direction[1], -direction[0], 0};
    const double tilt = spin[0] * level[0] + spin[1] * level[1];
    spin[0] -= tilt * level[0];
    spin[1] -= tilt * level[1];
  }
  draft_state(body, turn, velocity, spin);
  draft_shape(body, kind, (const double[]){radius, half_length});
}

static void build_impact(struct draft *d, const double *p) {
  double velocity[3];
  draft_gravity(d, 0);
  draft_material(d, p[0], p[1]);
  add_floor(d);
  draft_planar_vector(d, p[5], velocity);
  velocity[2] = -p[6];
  throw_body(d, p[2], p[3], 0, p[4], velocity, p[7]);
}

/* Boxes on one another, turned and shifted a little; the lowest is struck. */
static void build_stack(struct draft *d, const double *p) {
  const int n = (int)p[0];
  const double size = p[2], density = p[3], ratio = p[4], shift = p[5];
  double z = 0;
  draft_gravity(d, 0);
  draft_material(d, p[1], 0);
  add_floor(d);
  for (int i = 0; i < n; ++i) {
    double half[3], offset[3], turn[4], velocity[3];
    for (int k = 0; k < 3; ++k) {
      half[k] = size * draft_number(d, 0.6, 1);
    }
    draft_planar_vector(d, shift * size, offset);
    draft_yaw(d, turn);
    draft_planar_vector(d, i == 0 ? p[6] : 0, velocity);
    cJSON *box = draft_body(d, "box", i + 1, density * (n > 1 ? 1 + (ratio - 1) * i / (n - 1) : 1),
                            (const double[]){offset[0], offset[1], z + half[2]});
    draft_state(box, turn, velocity, NULL);
    draft_shape(box, DRAFT_BOX, half);
    z += 2 * half[2];
  }
}

/* A chain of capsules from a pivot, by hinges of any axes, which swings onto the ground. */
static void build_mechanism(struct draft *d, const double *p) {
  const int n = (int)p[0];
  const double radius = p[3], half_length = p[4], density = p[5];
  const double height = p[6] * 2 * n * half_length + radius;
  double end[3] = {0, 0, height};
  const char *last = "world";
  draft_gravity(d, 0);
  draft_material(d, p[1], p[2]);
  add_floor(d);
  for (int i = 0; i < n; ++i) {
    double direction[3] = {1, draft_number(d, -0.6, 0.6), draft_number(d, -0.2, 0.5)};
    double turn[4], centre[3], axis[3], start[3];
    const double length = sqrt(1 + direction[1] * direction[1] + direction[2] * direction[2]);
    for (int k = 0; k < 3; ++k) {
      direction[k] /= length;
      start[k] = end[k];
      centre[k] = start[k] + half_length * direction[k];
      end[k] = centre[k] + half_length * direction[k];
    }
    draft_align(direction, turn);
    draft_vector(d, 1, axis);
    cJSON *link = draft_body(d, "link", i + 1, density, centre);
    draft_state(link, turn, NULL, NULL);
    draft_shape(link, DRAFT_CAPSULE, (const double[]){radius, half_length});
    draft_joint(d, "revolute", last, name_of(link), start, NULL, axis);
    last = name_of(link);
  }
}

/* Balls on ropes that are slack at the start, one hung from the other; the lowest may reach the
 * ground. */
static void build_rope(struct draft *d, const double *p) {
  const int n = (int)p[0];
  const double radius = p[3], gap = p[5], slack = p[6];
  double top[3] = {0, 0, n * (2 * radius + p[8] * gap)}; /* more than half of a gap a ball */
  const char *last = "world";
  draft_gravity(d, 0);
  draft_material(d, p[1], p[2]);
  add_floor(d);
  for (int i = 0; i < n; ++i) {
    double velocity[3], down[3];
    draft_vector(d, gap, down);
    down[2] = -fabs(down[2]) / 2;
    const double point[3] = {top[0] + down[0], top[1] + down[1], top[2] + down[2]};
    const double length = sqrt(down[0] * down[0] + down[1] * down[1] + down[2] * down[2]);
    const double centre[3] = {point[0], point[1], point[2] - radius};
    cJSON *ball = draft_body(d, "ball", i + 1, p[4], centre);
    draft_vector(d, p[7], velocity);
    draft_state(ball, NULL, velocity, NULL);
    draft_shape(ball, DRAFT_SPHERE, &radius);
    cJSON *rope = draft_joint(d, "rope", name_of(ball), last, point, top, NULL);
    base_json_add_real(rope, "length", length * slack);
    base_json_add_real(rope, "eps_N", p[2]);
    last = name_of(ball);
    top[0] = centre[0];
    top[1] = centre[1];
    top[2] = centre[2] - radius;
  }
}

/* Bodies of any shape poured into a square box, in layers of a lattice. */
static void build_pile(struct draft *d, const double *p) {
  enum { GAPS = 5 };
  const int n = (int)p[0];
  const double size = p[3], density = p[4], cell = 2 * sqrt(3) * size * 1.05;
  int side = 1;
  while (side * side * side < n) {
    ++side;
  }
  const double wall = side * cell / 2;
  const double normals[3 * GAPS] = {0, 0, 1, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0};
  draft_gravity(d, 0);
  draft_material(d, p[1], p[2]);
  draft_ground(d, GAPS, normals, (const double[GAPS]){0, -wall, -wall, -wall, -wall});
  for (int i = 0; i < n; ++i) {
    enum draft_kind kind;
    double half[3], turn[4], velocity[3];
    const int row = i / side, layer = row / side;
    draft_any_shape(d, size, &kind, half);
    const double place[3] = {(i % side + 0.5) * cell - wall, (row % side + 0.5) * cell - wall,
                             (layer + 0.5) * cell};
    cJSON *body = draft_body(d, "body", i + 1, density, place);
    draft_rotation(d, turn);
    draft_vector(d, p[5], velocity);
    draft_state(body, turn, velocity, NULL);
    draft_shape(body, kind, half);
  }
}

/* A body falls into a groove between two planes, which runs along y. */
static void build_wedge(struct draft *d, const double *p) {
  const double left = p[2], right = p[3];
  const double normals[6] = {left, 0, 1, -right, 0, 1};
  draft_gravity(d, 0);
  draft_material(d, p[0], p[1]);
  draft_ground(d, 2, normals, (const double[]){0, 0});
  throw_body(d, p[4], p[5], fmax(left, right), 0, (const double[]){0, p[6], 0}, p[7]);
}

/* A joint that drives a body against the world. samples: n pairs [t, displacement or angle]. */
static void add_drive(struct draft *d, const char *type, const char *body, const double *axis,
                      int n, const double (*samples)[2]) {
  const double origin[3] = {0};
  cJSON *drive =
      draft_joint(d, type, body, "world", strcmp(type, "motion") == 0 ? origin : NULL, NULL, axis);
  cJSON *table = cJSON_AddArrayToObject(drive, "table");
  for (int i = 0; i < n; ++i) {
    cJSON_AddItemToArray(table, base_json_reals(2, samples[i]));
  }
}

/* Two circles, by a spline through eight quarters of it; the height is kept. */
static void add_circles(struct draft *d, const char *body, double radius, double period) {
  enum { QUARTERS = 8 };
  static const double circle[2][4] = {{0, 1, 0, -1}, {0, -1, -2, -1}};
  for (int k = 0; k < 2; ++k) {
    double samples[QUARTERS + 1][2];
    for (int i = 0; i <= QUARTERS; ++i) {
      samples[i][0] = i * period / 4;
      samples[i][1] = radius * circle[k][i % 4];
    }
    add_drive(d, "motion", body, k == 0 ? across : along, QUARTERS + 1, samples);
  }
  add_drive(d, "motion", body, up, 1, (const double[1][2]){{0, 0}});
}

/* A table that turns at a constant rate, or goes in circles without turning, with bodies on it. */
static void build_table(struct draft *d, const double *p) {
  enum { BODIES_MAX = 3 };
  static const double places[BODIES_MAX][2] = {{0.5, 0}, {-0.3, 0.5}, {-0.4, -0.6}};
  const int n = (int)p[0];
  const double radius = 2, thickness = 0.05, horizon = 10, size = p[2];
  const int turns = base_rng_below(d->rng, 2);
  draft_gravity(d, 0);
  draft_material(d, p[1], 0);
  cJSON *table = draft_body(d, "table", 1, 1000, (const double[]){0, 0, -thickness});
  draft_shape(table, DRAFT_CYLINDER, (const double[]){radius, thickness});
  const char *name = name_of(table);
  if (turns) {
    draft_joint(d, "revolute", name, "world", (const double[]){0, 0, 0}, NULL, up);
    add_drive(d, "rotation", name, up, 2, (const double[2][2]){{0, 0}, {horizon, horizon * p[4]}});
  } else {
    cJSON_AddFalseToObject(table, "rotates");
    add_circles(d, name, p[5], p[6]);
  }
  for (int i = 0; i < n; ++i) {
    const int is_ball = base_rng_below(d->rng, 2);
    double half[3], turn[4], velocity[3];
    for (int k = 0; k < 3; ++k) {
      half[k] = size * draft_number(d, 0.5, 1);
    }
    const double place[3] = {places[i][0], places[i][1], is_ball ? half[0] : half[2]};
    cJSON *body = draft_body(d, "body", i + 1, p[3], place);
    draft_yaw(d, turn);
    draft_planar_vector(d, p[7], velocity);
    draft_state(body, turn, velocity, NULL);
    draft_shape(body, is_ball ? DRAFT_SPHERE : DRAFT_BOX, half);
  }
}

#define TANGENT(hi_)                                                                               \
  { "slope", "-", 0, hi_, 0 }
#define MU(lo_, hi_)                                                                               \
  { "mu", "-", lo_, hi_, 0 }
#define EPS(hi_)                                                                                   \
  { "eps_N", "-", 0, hi_, 0 }
#define DENSITY                                                                                    \
  { "density", "kg/m^3", 300, 2900, 0 }
#define COUNT(lo_, hi_)                                                                            \
  { "n", "-", lo_, hi_, 1 }

const struct generate_family generate_families[] = {
    {"slope",
     "a block on three feet thrown on a slope in any direction, and spun",
     1e-3,
     0.8,
     "event",
     {TANGENT(0.6),
      MU(0.2, 0.8),
      {"a", "m", 0.05, 0.3, 0},
      {"b", "m", 0.05, 0.3, 0},
      {"c", "m", 0.03, 0.1, 0},
      DENSITY,
      {"speed", "m/s", 0.5, 3, 0},
      {"spin", "rad/s", -8, 8, 0}},
     build_slope},
    {"rolling",
     "a sphere, capsule or cylinder thrown and spun on a slope, until it rolls",
     1e-3,
     0.8,
     "event",
     {TANGENT(0.2),
      MU(0.05, 0.5),
      {"radius", "m", 0.03, 0.2, 0},
      {"half_length", "m", 0.05, 0.3, 0},
      DENSITY,
      {"speed", "m/s", 0.5, 3, 0},
      {"spin", "rad/s", 2, 40, 0}},
     build_rolling},
    {"impact",
     "a body of any shape thrown at the ground with spin",
     1e-3,
     0.5,
     "event",
     {MU(0.1, 0.8),
      EPS(0.8),
      {"size", "m", 0.05, 0.2, 0},
      DENSITY,
      {"gap", "m", 0.02, 0.1, 0},
      {"speed_T", "m/s", 0, 3, 0},
      {"speed_N", "m/s", 0.5, 3, 0},
      {"spin", "rad/s", 0, 30, 0}},
     build_impact},
    {"stack",
     "boxes on one another, of which the lowest is struck",
     1e-3,
     0.6,
     "none",
     {COUNT(2, 8),
      MU(0.2, 0.8),
      {"size", "m", 0.1, 0.3, 0},
      DENSITY,
      {"density_ratio", "-", 0.2, 5, 0},
      {"shift", "-", 0, 0.3, 0},
      {"speed", "m/s", 0.2, 1.5, 0}},
     build_stack},
    {"mechanism",
     "links on hinges of any axes, which swing onto the ground",
     1e-3,
     0.8,
     "event",
     {COUNT(2, 4),
      MU(0.1, 0.7),
      EPS(0.6),
      {"radius", "m", 0.02, 0.05, 0},
      {"half_length", "m", 0.1, 0.3, 0},
      DENSITY,
      {"height", "-", 0.4, 0.8, 0}},
     build_mechanism},
    {"rope",
     "balls hung from one another by ropes that are slack at first",
     1e-3,
     0.8,
     "event",
     {COUNT(1, 4),
      MU(0.1, 0.7),
      EPS(0.6),
      {"radius", "m", 0.03, 0.08, 0},
      DENSITY,
      {"gap", "m", 0.2, 0.5, 0},
      {"slack", "-", 1.1, 1.6, 0},
      {"speed", "m/s", 0, 2, 0},
      {"height", "-", 0.51, 0.75, 0}},
     build_rope},
    {"pile",
     "bodies of any shape poured into a box",
     2e-3,
     0.6,
     "none",
     {COUNT(5, 200),
      MU(0.1, 0.7),
      EPS(0.4),
      {"size", "m", 0.03, 0.1, 0},
      DENSITY,
      {"speed", "m/s", 0, 1, 0}},
     build_pile},
    {"wedge",
     "a body of any shape falls into a groove of two planes",
     1e-3,
     0.5,
     "event",
     {MU(0.1, 0.8),
      EPS(0.6),
      {"left", "-", 0.4, 2.5, 0},
      {"right", "-", 0.4, 2.5, 0},
      {"size", "m", 0.05, 0.2, 0},
      DENSITY,
      {"speed", "m/s", 0, 2, 0},
      {"spin", "rad/s", 0, 15, 0}},
     build_wedge},
    {"table",
     "boxes and balls on a table that turns, or goes in circles",
     1e-3,
     0.8,
     "event",
     {COUNT(1, 3),
      MU(0.1, 0.8),
      {"size", "m", 0.05, 0.15, 0},
      DENSITY,
      {"rate", "rad/s", 0.5, 4, 0},
      {"amplitude", "m", 0.01, 0.1, 0},
      {"period", "s", 0.3, 0.8, 0},
      {"speed", "m/s", 0, 1, 0}},
     build_table},
};
const int generate_family_count = sizeof generate_families / sizeof *generate_families;
