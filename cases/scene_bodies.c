/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies and shapes of scene files.
 *
 * A body's frame in the file is the one its shapes are given in. With mass and inertia given it is
 * central and principal, as the assembly wants it. Filled evenly (density, or mass alone) the
 * assembly gets the centre c and the principal axes B of the filling instead, and everything given
 * in the file's frame goes there: x + R c, R B, B^T omega, B^T (p - c).
 */
#include "cases/scene_parts.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Refuse repeated names and, of bodies, the one that means the world. */
static int sort_names(const struct scene *s, int n, struct scene_name *list) {
  qsort(list, (size_t)n, sizeof *list, scene_compare_named);
  for (int i = 0; i < n; ++i) {
    if (strcmp(list[i].name, "world") == 0) {
      return base_fail(BASE_E_INPUT, "%s: bodies[%d].name: 'world' is what does not move", s->file,
                       list[i].index);
    }
    if (i > 0 && strcmp(list[i].name, list[i - 1].name) == 0) {
      const int a = list[i].index, b = list[i - 1].index;
      return base_fail(BASE_E_INPUT, "%s: bodies[%d].name: '%s' is the name of bodies[%d] already",
                       s->file, a > b ? a : b, list[i].name, a > b ? b : a);
    }
  }
  return BASE_OK;
}

/* A unit quaternion, or an angle in the plane. */
static void orientation(const cJSON *object, double A[4]) {
  const cJSON *given = scene_get(object, "orientation");
  const double phi = scene_real(object, "phi", 0);
  double size = 0;
  memcpy(A, (double[4]){cos(0.5 * phi), 0, 0, sin(0.5 * phi)}, 4 * sizeof *A);
  if (given != NULL) {
    int i = 0;
    for (const cJSON *item = given->child; item != NULL; item = item->next) {
      A[i++] = item->valuedouble;
      size = hypot(size, item->valuedouble);
    }
    for (i = 0; i < 4; ++i) {
      A[i] /= size;
    }
  }
}

/* A half-space: its z axis along the normal, its origin on the surface. */
static int place_halfspace(const cJSON *item, struct mech_shape *shape) {
  double n[3];
  scene_vector(item, "normal", n);
  const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (!(size > 0)) {
    return base_fail(BASE_E_INPUT, "must not be zero");
  }
  for (int i = 0; i < 3; ++i) {
    n[i] /= size;
    shape->offset[i] = n[i] * scene_real(item, "offset", 0);
  }
  /* (1 + z . n, z x n): half-way from z to n */
  const double half[4] = {1 + n[2], -n[1], n[0], 0};
  const double length = sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
  for (int i = 0; i < 4; ++i) {
    shape->orientation[i] = length > 0 ? half[i] / length : (i == 1);
  }
  return BASE_OK;
}

static int read_shape(const struct scene *s, const cJSON *item, const char *path,
                      struct mech_shape *shape) {
  static const double lying[4] = {M_SQRT1_2, -M_SQRT1_2, 0, 0}; /* z axis onto y */
  const char *type = scene_text(item, "type");
  *shape = (struct mech_shape){.radius = scene_real(item, "radius", 0),
                               .half_length = scene_real(item, "half_length", 0)};
  while (strcmp(mech_shape_name(shape->kind), type) != 0) {
    ++shape->kind;
  }
  shape->material =
      scene_find(s, "material", scene_text(item, "material"), s->n_materials, s->materials);
  if (shape->material < 0) {
    const char *message = base_arena_copy(s->arena, base_message() + strlen(s->file) + 2);
    return base_fail(BASE_E_INPUT, "%s: %s.material: %s", s->file, path, message);
  }
  if (shape->kind == MECH_SHAPE_HALFSPACE) {
    const int status = place_halfspace(item, shape);
    if (status != BASE_OK) {
      base_message_prefix("%s: %s.normal: ", s->file, path);
    }
    return status;
  }
  scene_vector(item, "offset", shape->offset);
  scene_vector(item, "half", shape->half);
  orientation(item, shape->orientation);
  if (s->dim == 2) {
    shape->half[2] = fmin(shape->half[0], shape->half[1]);
    if (shape->kind == MECH_SHAPE_CAPSULE || shape->kind == MECH_SHAPE_CYLINDER) {
      scene_quaternion_product(shape->orientation, lying, shape->orientation);
    }
  }
  return BASE_OK;
}

/* Mass and inertia, and the frame they ask for. */
static int weigh(const struct scene *s, const cJSON *item, const char *path, int n,
                 const struct mech_shape *shapes, struct mech_body *body,
                 struct scene_frame *frame) {
  const int has_mass = scene_get(item, "mass") != NULL,
            has_density = scene_get(item, "density") != NULL,
            has_inertia = scene_vector(item, "inertia", body->inertia);
  *frame = (struct scene_frame){{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0}};
  body->mass = scene_real(item, "mass", 0);
  if (body->fixed) {
    return BASE_OK;
  }
  if (has_density && (has_mass || has_inertia)) {
    return base_fail(BASE_E_INPUT, "%s: %s.density: stands in place of mass and inertia", s->file,
                     path);
  }
  if (!has_mass && !has_density) {
    return base_fail(BASE_E_INPUT, "%s: %s.mass: is missing, and so is a density", s->file, path);
  }
  if (has_mass && (has_inertia || body->no_rotation)) {
    return BASE_OK;
  }
  const struct scene_filling filling = scene_fill(s->dim == 2, n, shapes);
  if (!(filling.volume > 0)) {
    return base_fail(BASE_E_INPUT, "%s: %s.%s: without shapes that have a volume, %s", s->file,
                     path, has_density ? "density" : "inertia",
                     has_density ? "there is no mass" : "an inertia is needed");
  }
  const double density = has_density ? scene_real(item, "density", 0) : body->mass / filling.volume;
  body->mass = density * filling.volume;
  for (int i = 0; i < 3; ++i) {
    body->inertia[i] = density * filling.moment[i];
  }
  memcpy(frame->centre, filling.centre, sizeof frame->centre);
  memcpy(frame->axes, filling.axes, sizeof frame->axes);
  memcpy(frame->turn, filling.turn, sizeof frame->turn);
  return BASE_OK;
}

/* Place and velocity from the file's frame into the assembly's. */
static void place_body(const struct scene *s, const cJSON *item, const struct scene_frame *frame,
                       struct mech_body *body) {
  double A[4], R[9], spin[3];
  scene_world_vector(s, item, "position", body->position);
  body->velocity_given = scene_world_vector(s, item, "velocity", body->velocity);
  body->omega_given = scene_vector(item, "angular_velocity", spin);
  orientation(item, A);
  scene_quaternion_product(s->turn, A, A);
  scene_quaternion_matrix(A, R);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      body->position[i] += R[3 * i + j] * frame->centre[j];
    }
  }
  scene_into_frame(frame, 0, spin, body->omega);
  body->phi = scene_real(item, "phi", 0) + s->phi;
  if (s->dim == 3) {
    scene_quaternion_product(A, frame->turn, body->orientation);
  }
}

static int add_shapes(struct scene *s, int n, struct mech_shape *shapes, int body, const char *path,
                      const struct scene_frame *frame) {
  const double back[4] = {frame->turn[0], -frame->turn[1], -frame->turn[2], -frame->turn[3]};
  for (int i = 0; i < n; ++i) {
    shapes[i].body = body;
    scene_into_frame(frame, 1,
                     (double[3]){shapes[i].offset[0], shapes[i].offset[1], shapes[i].offset[2]},
                     shapes[i].offset);
    scene_quaternion_product(back, shapes[i].orientation, shapes[i].orientation);
    if (mech_assembly_shape(s->a, &shapes[i]) < 0) {
      base_message_prefix("%s: %s.shapes[%d]: ", s->file, path, i);
      return BASE_E_INPUT;
    }
  }
  return BASE_OK;
}

static int add_body(struct scene *s, const cJSON *item, int index) {
  const char *path = base_arena_printf(s->arena, "bodies[%d]", index);
  const cJSON *list = scene_get(item, "shapes");
  const int n = list != NULL ? cJSON_GetArraySize(list) : 0;
  struct mech_shape *shapes = base_arena_push(s->arena, (size_t)n * sizeof *shapes);
  struct mech_body body = {.name = scene_text(item, "name"),
                           .fixed = cJSON_IsTrue(scene_get(item, "fixed")),
                           .no_rotation = cJSON_IsFalse(scene_get(item, "rotates"))};
  int i = 0, status = BASE_OK;
  for (const cJSON *shape = n > 0 ? list->child : NULL; shape != NULL && status == BASE_OK;
       shape = shape->next, ++i) {
    status =
        read_shape(s, shape, base_arena_printf(s->arena, "%s.shapes[%d]", path, i), &shapes[i]);
  }
  status = status != BASE_OK ? status : weigh(s, item, path, n, shapes, &body, &s->frames[index]);
  if (status != BASE_OK) {
    return status;
  }
  if (body.fixed &&
      (scene_get(item, "velocity") != NULL || scene_get(item, "angular_velocity") != NULL)) {
    return base_fail(BASE_E_INPUT, "%s: %s.%s: a fixed body has none", s->file, path,
                     scene_get(item, "velocity") != NULL ? "velocity" : "angular_velocity");
  }
  place_body(s, item, &s->frames[index], &body);
  if (mech_assembly_body(s->a, &body) < 0) {
    base_message_prefix("%s: %s: ", s->file, path);
    return BASE_E_INPUT;
  }
  return add_shapes(s, n, shapes, index, path, &s->frames[index]);
}

int scene_add_bodies(struct scene *s) {
  const cJSON *all = scene_get(s->root, "bodies");
  const int n = cJSON_GetArraySize(all);
  s->bodies = base_arena_push(s->arena, (size_t)n * sizeof *s->bodies);
  s->frames = base_arena_push(s->arena, (size_t)n * sizeof *s->frames);
  for (const cJSON *item = all->child; item != NULL; item = item->next, ++s->n_bodies) {
    s->bodies[s->n_bodies] = (struct scene_name){scene_text(item, "name"), s->n_bodies};
  }
  int i = 0, status = sort_names(s, n, s->bodies);
  for (const cJSON *item = all->child; item != NULL && status == BASE_OK; item = item->next) {
    status = add_body(s, item, i++);
  }
  return status;
}
