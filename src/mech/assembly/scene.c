/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An assembly at a state as a scene (coulombench.scene/1), for programs of others. What a scene
 * file may leave to be worked out is written out: mass and principal moments of inertia, body
 * frames at the centres of mass along the principal axes, mu and eps of every pair of materials,
 * points and axes of joints in the world at the state given, lengths of rods and ropes. Read again
 * it is the same system.
 *
 * Shapes of the world itself belong to a fixed body of the name "ground".
 */
#include "mech/assembly/parts.h"

#include "base/json/json.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

static const char *const ground = "ground";

struct writing {
  const struct mech_assembly *a;
  const double *q, *u;
  cJSON *scene;
  struct base_arena *arena;
  int dim;
};

static cJSON *reals(int n, const double *x) { return base_json_reals(n, x); }

static void add_vector(const struct writing *w, cJSON *item, const char *key, const double x[3]) {
  cJSON_AddItemToObject(item, key, reals(w->dim, x));
}

/* Of the plane the third alone. */
static void add_spin(const struct writing *w, cJSON *item, const char *key, const double x[3]) {
  if (w->dim == 2) {
    base_json_add_real(item, key, x[2]);
  } else {
    cJSON_AddItemToObject(item, key, reals(3, x));
  }
}

static void add_table(cJSON *item, const struct mech_table *table) {
  cJSON *rows = table->n > 0 ? cJSON_AddArrayToObject(item, "table") : NULL;
  for (int i = 0; i < table->n; ++i) {
    cJSON_AddItemToArray(rows, reals(2, (double[]){table->t[i], table->value[i]}));
  }
}

/* ---- names ---- */

static const char *material_name(const struct writing *w, int i) {
  const char *name = w->a->material[i].name;
  for (int j = 0; j < w->a->n_materials; ++j) {
    if (name == NULL || name[0] == '\0' ||
        (j != i && w->a->material[j].name != NULL && strcmp(name, w->a->material[j].name) == 0)) {
      return base_arena_printf(w->arena, "material%d", i);
    }
  }
  return name;
}

static const char *body_name(const struct writing *w, int i) {
  const char *name = i < 0 ? "world" : w->a->name_of != NULL ? w->a->name_of[i] : NULL;
  return name != NULL && name[0] != '\0' ? name : base_arena_printf(w->arena, "body%d", i);
}

/* ---- materials ---- */

static void add_materials(const struct writing *w) {
  const struct mech_assembly *a = w->a;
  cJSON *materials = cJSON_AddObjectToObject(w->scene, "materials");
  cJSON *pairs = cJSON_AddArrayToObject(w->scene, "pairs");
  for (int i = 0; i < a->n_materials; ++i) {
    const struct mech_material *m = &a->material[i];
    cJSON *item = cJSON_AddObjectToObject(materials, material_name(w, i));
    base_json_add_real(item, "mu", m->mu);
    base_json_add_real(item, "eps_N", m->eps_N);
    base_json_add_real(item, "eps_T", m->eps_T);
    for (int j = 0; j <= i; ++j) {
      const struct mech_contact_law *law = &a->law[i * a->n_materials + j];
      cJSON *pair = cJSON_CreateObject(), *between = cJSON_AddArrayToObject(pair, "between");
      cJSON_AddItemToArray(between, cJSON_CreateString(material_name(w, j)));
      cJSON_AddItemToArray(between, cJSON_CreateString(material_name(w, i)));
      base_json_add_real(pair, "mu", law->mu);
      base_json_add_real(pair, "eps_N", law->eps_N);
      base_json_add_real(pair, "eps_T", law->eps_T);
      cJSON_AddItemToArray(pairs, pair);
    }
  }
}

/* ---- bodies ---- */

/* In the plane the axis of capsules and cylinders lies along y, that of scene files. */
static void add_turn(const struct writing *w, cJSON *item, const struct mech_shape *shape) {
  const double *A = shape->orientation;
  const int is_long = shape->kind == MECH_SHAPE_CAPSULE || shape->kind == MECH_SHAPE_CYLINDER;
  double R[9];
  mech_assembly_rotation(A, R);
  if (w->dim == 3) {
    cJSON_AddItemToObject(item, "orientation", reals(4, A));
  } else if (is_long) { /* R e_z = (-sin phi, cos phi, 0) */
    base_json_add_real(item, "phi", atan2(-R[2], R[5]));
  } else {
    base_json_add_real(item, "phi", atan2(R[3], R[0]));
  }
}

static cJSON *shape_of(const struct writing *w, int i) {
  const struct mech_shape shape = mech_assembly_get_shape(w->a, i);
  cJSON *item = cJSON_CreateObject();
  cJSON_AddStringToObject(item, "type", mech_shape_name(shape.kind));
  cJSON_AddStringToObject(item, "material", material_name(w, shape.material));
  if (shape.kind == MECH_SHAPE_HALFSPACE) {
    double R[9];
    mech_assembly_rotation(shape.orientation, R);
    const double n[3] = {R[2], R[5], R[8]};
    add_vector(w, item, "normal", n);
    base_json_add_real(item, "offset", mech_dot3(n, shape.offset));
    return item;
  }
  add_vector(w, item, "offset", shape.offset);
  switch (shape.kind) {
  case MECH_SHAPE_BOX:
    add_vector(w, item, "half", shape.half);
    add_turn(w, item, &shape);
    break;
  case MECH_SHAPE_CAPSULE:
  case MECH_SHAPE_CYLINDER:
    base_json_add_real(item, "radius", shape.radius);
    base_json_add_real(item, "half_length", shape.half_length);
    add_turn(w, item, &shape);
    break;
  case MECH_SHAPE_SPHERE:
    base_json_add_real(item, "radius", shape.radius);
    break;
  case MECH_SHAPE_POINT:
  case MECH_SHAPE_HALFSPACE:
    break;
  }
  return item;
}

static void add_state(const struct writing *w, cJSON *item, int body) {
  const int block = mech_body_block(w->a, body);
  const double *q = block >= 0 ? w->q + (long)block * w->a->body_nq : NULL;
  const double *u = block >= 0 ? w->u + (long)block * w->a->body_nu : NULL;
  const struct mech_body given = mech_assembly_get_body(w->a, body);
  const int turns = block >= 0 && !given.no_rotation;
  add_vector(w, item, "position", q != NULL ? q : given.position);
  if (w->dim == 2) {
    base_json_add_real(item, "phi", turns ? q[2] : given.phi);
  } else {
    cJSON_AddItemToObject(item, "orientation", reals(4, turns ? q + 3 : given.orientation));
  }
  if (u != NULL) {
    add_vector(w, item, "velocity", u);
    add_spin(w, item, "angular_velocity", w->dim == 2 ? u : u + 3);
  }
}

static cJSON *body_of(const struct writing *w, int i) {
  const struct mech_body body = mech_assembly_get_body(w->a, i);
  cJSON *item = cJSON_CreateObject();
  cJSON_AddStringToObject(item, "name", body_name(w, i));
  if (body.fixed) {
    cJSON_AddBoolToObject(item, "fixed", 1);
  } else {
    base_json_add_real(item, "mass", body.mass);
    if (body.no_rotation) {
      cJSON_AddBoolToObject(item, "rotates", 0);
    } else {
      add_spin(w, item, "inertia", body.inertia);
    }
  }
  add_state(w, item, i);
  cJSON_AddArrayToObject(item, "shapes");
  return item;
}

static void add_bodies(const struct writing *w) {
  const struct mech_assembly *a = w->a;
  cJSON *bodies = cJSON_AddArrayToObject(w->scene, "bodies"), *world = NULL;
  cJSON **item = base_arena_push(w->arena, (size_t)a->n_bodies * sizeof(cJSON *));
  for (int i = 0; i < a->n_bodies; ++i) {
    cJSON_AddItemToArray(bodies, item[i] = body_of(w, i));
  }
  for (int i = 0; i < a->n_shapes; ++i) {
    const int body = a->shape[i].body;
    if (body < 0 && world == NULL) {
      cJSON_AddItemToArray(bodies, world = cJSON_CreateObject());
      cJSON_AddStringToObject(world, "name", ground);
      cJSON_AddBoolToObject(world, "fixed", 1);
      cJSON_AddArrayToObject(world, "shapes");
    }
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(body < 0 ? world : item[body], "shapes"),
                         shape_of(w, i));
  }
}

/* ---- joints and forces ---- */

/* The axis of a joint on its first body, in the world: given where nothing else holds it. */
static void axis_of(const struct mech_assembly_joint *j, const double R[9], double axis[3]) {
  double own[3];
  switch (j->given.kind) {
  case MECH_JOINT_REVOLUTE:
    mech_turn3(R, j->frame.axis[0], axis);
    return;
  case MECH_JOINT_PRISMATIC: /* normal to both directions on the first body */
    mech_cross3(j->frame.across[0], j->frame.across[1], own);
    mech_turn3(R, own, axis);
    return;
  default:
    memcpy(axis, j->frame.axis[0], 3 * sizeof *axis);
  }
}

static cJSON *joint_of(const struct writing *w, int i) {
  const struct mech_assembly_joint *j = &w->a->joint[i];
  const enum mech_joint_kind kind = j->given.kind;
  const int has_ends =
      kind == MECH_JOINT_ROD || kind == MECH_JOINT_ROPE || kind == MECH_JOINT_SPRING;
  struct mech_joint_reach reach;
  double point[2][3], axis[3];
  cJSON *item = cJSON_CreateObject();
  cJSON_AddStringToObject(item, "type", mech_joint_name(kind));
  if (j->given.name != NULL) {
    cJSON_AddStringToObject(item, "name", j->given.name);
  }
  cJSON *bodies = cJSON_AddArrayToObject(item, "bodies");
  mech_joint_reach(w->a, j, w->q, NULL, &reach);
  for (int k = 0; k < 2; ++k) {
    cJSON_AddItemToArray(bodies, cJSON_CreateString(body_name(w, j->given.body[k])));
    memcpy(point[k], reach.body[k].x, sizeof point[k]);
    mech_add3(1, reach.arm[k], point[k]);
  }
  if (kind != MECH_JOINT_FIXED && kind != MECH_JOINT_PRISMATIC && kind != MECH_JOINT_ROTATION) {
    add_vector(w, item, "point", point[0]);
  }
  if (has_ends) {
    add_vector(w, item, "end", point[1]);
    base_json_add_real(item, "length", j->given.length);
  }
  if (kind == MECH_JOINT_SPRING) {
    base_json_add_real(item, "stiffness", j->given.stiffness);
    base_json_add_real(item, "damping", j->given.damping);
  } else if (kind == MECH_JOINT_ROPE) {
    base_json_add_real(item, "eps_N", j->given.eps_N);
  }
  const int turns = kind == MECH_JOINT_REVOLUTE || kind == MECH_JOINT_ROTATION;
  if ((turns && w->dim == 3) || kind == MECH_JOINT_PRISMATIC || kind == MECH_JOINT_MOTION) {
    axis_of(j, reach.body[0].R, axis);
    add_vector(w, item, "axis", axis);
  }
  add_table(item, &j->given.motion);
  return item;
}

static cJSON *force_of(const struct writing *w, int i) {
  const struct mech_load *load = &w->a->load[i].given;
  cJSON *item = cJSON_CreateObject();
  cJSON_AddStringToObject(item, "body", body_name(w, load->body));
  add_vector(w, item, "force", load->force);
  add_spin(w, item, "torque", load->torque);
  if (load->at_point) {
    add_vector(w, item, "at", load->point);
  }
  if (load->from != 0 || load->to != 0) {
    base_json_add_real(item, "from", load->from);
  }
  if (isfinite(load->to) && load->to > load->from) {
    base_json_add_real(item, "to", load->to);
  }
  add_table(item, &load->factor);
  return item;
}

cJSON *mech_assembly_scene(const struct mech *m, const double *q, const double *u,
                           struct base_arena *arena) {
  const struct mech_assembly *a = mech_assembly_of(m);
  if (a == NULL || a->kind == MECH_SCALABLE || m->ops->open.inflow_outflow != NULL) {
    base_fail(BASE_UNSUPPORTED, "%s is no scene: %s", m->name,
              a == NULL                  ? "it is not made of rigid bodies"
              : a->kind == MECH_SCALABLE ? "its bodies are scalable"
                                         : "its bodies come and go");
    return NULL;
  }
  const struct writing w = {.a = a,
                            .q = q,
                            .u = u,
                            .scene = cJSON_CreateObject(),
                            .arena = arena,
                            .dim = a->kind == MECH_PLANAR ? 2 : 3};
  cJSON_AddStringToObject(w.scene, "name", a->name);
  base_json_add_real(w.scene, "dimension", w.dim);
  add_vector(&w, w.scene, "gravity", a->gravity);
  add_materials(&w);
  add_bodies(&w);
  cJSON *joints = cJSON_AddArrayToObject(w.scene, "joints");
  for (int i = 0; i < a->n_joints; ++i) {
    cJSON_AddItemToArray(joints, joint_of(&w, i));
  }
  cJSON *forces = cJSON_AddArrayToObject(w.scene, "forces");
  for (int i = 0; i < a->n_loads; ++i) {
    cJSON_AddItemToArray(forces, force_of(&w, i));
  }
  cJSON_AddBoolToObject(w.scene, "collide_joined", a->collide_joined);
  return w.scene;
}
