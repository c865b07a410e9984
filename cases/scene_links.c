/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints and forces of scene files, and the columns a scene asks for.
 */
#include "cases/scene_parts.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

int scene_add_joint(struct scene *s, const cJSON *item, int index) {
  struct mech_joint joint = {.name = scene_text(item, "name"),
                             .length = scene_real(item, "length", -1),
                             .stiffness = scene_real(item, "stiffness", 0),
                             .damping = scene_real(item, "damping", 0),
                             .eps_N = scene_real(item, "eps_N", 0),
                             .motion = scene_table(s, item)};
  const cJSON *name = scene_get(item, "bodies")->child;
  while (strcmp(mech_joint_name(joint.kind), scene_text(item, "type")) != 0) {
    ++joint.kind;
  }
  for (int k = 0; k < 2; ++k, name = name->next) {
    const int is_world = strcmp(name->valuestring, "world") == 0;
    joint.body[k] =
        is_world ? -1 : scene_find(s, "body", name->valuestring, s->n_bodies, s->bodies);
    if (joint.body[k] < 0 && !is_world) {
      return scene_at_place(s, "joints", index, k == 0 ? ".bodies[0]" : ".bodies[1]");
    }
  }
  if (!scene_world_vector(s, item, "point", joint.point)) { /* fixed: any point will do */
    const int body = joint.body[joint.body[0] < 0];
    const struct mech_body at = mech_assembly_get_body(s->a, body < 0 ? 0 : body);
    memcpy(joint.point, at.position, sizeof joint.point);
  }
  scene_world_vector(s, item, "end", joint.end);
  scene_world_vector(s, item, "axis", joint.axis);
  return mech_assembly_joint(s->a, &joint) < 0 ? scene_at_place(s, "joints", index, "") : BASE_OK;
}

int scene_add_force(struct scene *s, const cJSON *item, int index) {
  struct mech_load load = {
      .body = scene_find(s, "body", scene_text(item, "body"), s->n_bodies, s->bodies),
      .from = scene_real(item, "from", 0),
      .factor = scene_table(s, item)};
  const cJSON *at = scene_get(item, "at");
  double torque[3], point[3];
  if (load.body < 0) {
    return scene_at_place(s, "forces", index, ".body");
  }
  if (scene_get(item, "force") == NULL && scene_get(item, "torque") == NULL) {
    return base_fail(BASE_E_INPUT, "%s: forces[%d]: neither force nor torque", s->file, index);
  }
  load.to = scene_real(item, "to", load.from > 0 ? INFINITY : 0);
  if (scene_get(item, "to") != NULL && !(load.to > load.from)) {
    return base_fail(BASE_E_INPUT, "%s: forces[%d].to: must be later than 'from', %g s", s->file,
                     index, load.from);
  }
  scene_world_vector(s, item, "force", load.force);
  scene_vector(item, "torque", torque);
  scene_into_frame(&s->frames[load.body], 0, torque, load.torque);
  if (cJSON_IsArray(at)) {
    load.at_point = 1;
    scene_numbers(at, point);
    scene_into_frame(&s->frames[load.body], 1, point, load.point);
  }
  return mech_assembly_load(s->a, &load) < 0 ? scene_at_place(s, "forces", index, "") : BASE_OK;
}

/* --- outputs: columns by name, by body, or by a part of a body's state --- */

static int column_of(const char *column, const char *output) {
  static const struct {
    const char *part, *columns;
  } parts[] = {{"position", "x y z "},
               {"orientation", "a0 a1 a2 a3 phi "},
               {"velocity", "vx vy vz "},
               {"angular_velocity", "wx wy wz w "}};
  const size_t n = strcspn(column, ".");
  if (strcmp(column, output) == 0) {
    return 1;
  }
  if (strncmp(column, output, n) != 0 || (output[n] != '\0' && output[n] != '.')) {
    return 0;
  }
  if (output[n] == '\0') {
    return 1;
  }
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    const char *word = strcmp(parts[i].part, output + n + 1) == 0
                           ? strstr(parts[i].columns, column + n + 1)
                           : NULL;
    if (word != NULL && word[strlen(column + n + 1)] == ' ' &&
        (word == parts[i].columns || word[-1] == ' ')) {
      return 1;
    }
  }
  return 0;
}

int scene_choose_outputs(struct scene *s, struct case_instance *out) {
  const cJSON *all = scene_get(s->root, "outputs");
  const struct mech *m = out->mech;
  int i = 0;
  if (all == NULL) {
    return BASE_OK;
  }
  char *q = base_arena_push(s->arena, (size_t)m->nq_out),
       *u = base_arena_push(s->arena, (size_t)m->nu_out);
  for (const cJSON *item = all->child; item != NULL; item = item->next, ++i) {
    int found = 0;
    for (int k = 0; k < m->nq_out; ++k) {
      const int is = column_of(m->q_names[k], item->valuestring);
      q[k] = (char)(q[k] | is), found |= is;
    }
    for (int k = 0; k < m->nu_out; ++k) {
      const int is = column_of(m->u_names[k], item->valuestring);
      u[k] = (char)(u[k] | is), found |= is;
    }
    if (!found) {
      return base_fail(BASE_E_INPUT,
                       "%s: outputs[%d]: '%s' is no column; known are body, body.position, "
                       "orientation, velocity, angular_velocity, and columns such as %s",
                       s->file, i, item->valuestring, m->q_names[0]);
    }
  }
  out->q_shown = q;
  out->u_shown = u;
  return BASE_OK;
}
