/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes while they are put together; see draft.h.
 */
#include "bench/generate/draft.h"

#include <math.h>
#include <stdio.h>

#include "base/json/json.h"
#include "base/rng.h"

int draft_is_wide(double lo, double hi) { return lo > 0 && hi > 10 * lo; }

double draft_number(struct draft *d, double lo, double hi) {
  static const double DIGITS = 1e4;
  const double u = base_rng_uniform(d->rng, 0, 1);
  const double x = lo + (hi - lo) * (draft_is_wide(lo, hi) ? u * u * u : u);
  return rint(x * DIGITS) / DIGITS;
}

int draft_whole(struct draft *d, int lo, int hi) {
  const int n = (int)draft_number(d, lo, hi + 1);
  return n < hi ? n : hi;
}

/* Evenly over the directions of n dimensions: points of the ball, by rejection from its cube. */
static void draw_direction(struct draft *d, int n, double *v) {
  double square;
  do {
    square = 0;
    for (int i = 0; i < n; ++i) {
      v[i] = base_rng_uniform(d->rng, -1, 1);
      square += v[i] * v[i];
    }
  } while (square > 1 || square < 0.01);
  for (int i = 0; i < n; ++i) {
    v[i] /= sqrt(square);
  }
}

void draft_vector(struct draft *d, double length, double v[3]) {
  draw_direction(d, 3, v);
  for (int i = 0; i < 3; ++i) {
    v[i] *= length;
  }
}

void draft_planar_vector(struct draft *d, double length, double v[3]) {
  draw_direction(d, 2, v);
  v[0] *= length;
  v[1] *= length;
  v[2] = 0;
}

void draft_rotation(struct draft *d, double a[4]) { draw_direction(d, 4, a); }

void draft_yaw(struct draft *d, double a[4]) {
  double half[2];
  draw_direction(d, 2, half);
  a[0] = half[0];
  a[1] = a[2] = 0;
  a[3] = half[1];
}

void draft_align(const double direction[3], double a[4]) {
  const double length = sqrt(2 + 2 * direction[2]);
  a[0] = (1 + direction[2]) / length;
  a[1] = -direction[1] / length;
  a[2] = direction[0] / length;
  a[3] = 0;
}

void draft_material(struct draft *d, double mu, double eps_N) {
  cJSON *stuff = cJSON_AddObjectToObject(cJSON_AddObjectToObject(d->scene, "materials"), "stuff");
  base_json_add_real(stuff, "mu", mu);
  base_json_add_real(stuff, "eps_N", eps_N);
}

void draft_gravity(struct draft *d, double tangent) {
  const double g = 9.81 / sqrt(1 + tangent * tangent);
  base_json_add_reals(d->scene, "gravity", 3, (double[]){g * tangent, 0, -g});
}

static cJSON *list_of(struct draft *d, const char *key) {
  cJSON *list = cJSON_GetObjectItemCaseSensitive(d->scene, key);
  return list != NULL ? list : cJSON_AddArrayToObject(d->scene, key);
}

static cJSON *add_to(cJSON *list) {
  cJSON *item = cJSON_CreateObject();
  cJSON_AddItemToArray(list, item);
  return item;
}

static cJSON *add_shape(cJSON *body, const char *type) {
  cJSON *shapes = cJSON_GetObjectItemCaseSensitive(body, "shapes");
  cJSON *shape = add_to(shapes != NULL ? shapes : cJSON_AddArrayToObject(body, "shapes"));
  cJSON_AddStringToObject(shape, "type", type);
  cJSON_AddStringToObject(shape, "material", "stuff");
  return shape;
}

void draft_ground(struct draft *d, int n, const double *normals, const double *offsets) {
  cJSON *ground = add_to(list_of(d, "bodies"));
  cJSON_AddStringToObject(ground, "name", "ground");
  cJSON_AddTrueToObject(ground, "fixed");
  for (int i = 0; i < n; ++i) {
    cJSON *shape = add_shape(ground, "halfspace");
    base_json_add_reals(shape, "normal", 3, normals + 3 * i);
    base_json_add_real(shape, "offset", offsets[i]);
  }
}

struct cJSON *draft_body(struct draft *d, const char *name, int number, double density,
                         const double position[3]) {
  char full[32];
  snprintf(full, sizeof full, "%s-%d", name, number);
  cJSON *body = add_to(list_of(d, "bodies"));
  cJSON_AddStringToObject(body, "name", full);
  base_json_add_real(body, "density", density);
  base_json_add_reals(body, "position", 3, position);
  return body;
}

void draft_state(struct cJSON *body, const double orientation[4], const double velocity[3],
                 const double spin[3]) {
  if (orientation != NULL) {
    base_json_add_reals(body, "orientation", 4, orientation);
  }
  if (velocity != NULL) {
    base_json_add_reals(body, "velocity", 3, velocity);
  }
  if (spin != NULL) {
    base_json_add_reals(body, "angular_velocity", 3, spin);
  }
}

cJSON *draft_shape(struct cJSON *body, enum draft_kind kind, const double *size) {
  static const char *const names[DRAFT_KINDS] = {"sphere", "box", "capsule", "cylinder"};
  cJSON *shape = add_shape(body, names[kind]);
  if (kind == DRAFT_BOX) {
    base_json_add_reals(shape, "half", 3, size);
    return shape;
  }
  base_json_add_real(shape, "radius", size[0]);
  if (kind != DRAFT_SPHERE) {
    base_json_add_real(shape, "half_length", size[1]);
  }
  return shape;
}

double draft_reach(enum draft_kind kind, const double *size) {
  switch (kind) {
  case DRAFT_SPHERE:
    return size[0];
  case DRAFT_CAPSULE:
    return size[0] + size[1];
  case DRAFT_CYLINDER:
    return sqrt(size[0] * size[0] + size[1] * size[1]);
  default:
    return sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
  }
}

double draft_any_shape(struct draft *d, double size, enum draft_kind *kind, double half[3]) {
  *kind = (enum draft_kind)base_rng_below(d->rng, DRAFT_KINDS);
  for (int i = 0; i < 3; ++i) {
    half[i] = draft_number(d, size / 3, size);
  }
  return draft_reach(*kind, half);
}

struct cJSON *draft_joint(struct draft *d, const char *type, const char *first, const char *second,
                          const double *point, const double *end, const double *axis) {
  cJSON *joint = add_to(list_of(d, "joints"));
  cJSON_AddStringToObject(joint, "type", type);
  cJSON *bodies = cJSON_AddArrayToObject(joint, "bodies");
  cJSON_AddItemToArray(bodies, cJSON_CreateString(first));
  cJSON_AddItemToArray(bodies, cJSON_CreateString(second));
  const struct {
    const char *key;
    const double *x;
  } vectors[] = {{"point", point}, {"end", end}, {"axis", axis}};
  for (int i = 0; i < 3; ++i) {
    if (vectors[i].x != NULL) {
      base_json_add_reals(joint, vectors[i].key, 3, vectors[i].x);
    }
  }
  return joint;
}
