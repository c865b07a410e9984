/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes: assemblies from files. A file whose keys are checked becomes materials, bodies, shapes,
 * joints and forces of src/mech/assembly/assembly.h; what is wrong between them is told with its
 * path.
 */
#include "cases/scene_parts.h"

#include "base/status.h"
#include "la/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A state moved by less than this part of length or speed by its joints was rounded, not wrong. */
static const double MOVED = 1e-9;

static int add_materials(struct scene *s) {
  const cJSON *all = scene_get(s->root, "materials");
  const int n = all != NULL ? cJSON_GetArraySize(all) : 0;
  s->materials = base_arena_push(s->arena, (size_t)n * sizeof *s->materials);
  for (const cJSON *item = n > 0 ? all->child : NULL; item != NULL; item = item->next) {
    const struct mech_material material = {.name = item->string,
                                           .mu = scene_real(item, "mu", 0),
                                           .eps_N = scene_real(item, "eps_N", 0),
                                           .eps_T = scene_real(item, "eps_T", 0)};
    const int index = mech_assembly_material(s->a, &material);
    if (index < 0) {
      base_message_prefix("%s: materials.%s: ", s->file, item->string);
      return index;
    }
    s->materials[s->n_materials++] = (struct scene_name){item->string, index};
  }
  qsort(s->materials, (size_t)s->n_materials, sizeof *s->materials, scene_compare_named);
  return BASE_OK;
}

static const cJSON *material_at(const struct scene *s, int index) {
  return cJSON_GetArrayItem(scene_get(s->root, "materials"), index);
}

static double combine(const struct scene *s, const int m[2], const char *key, int larger) {
  const double x = scene_real(material_at(s, m[0]), key, 0),
               y = scene_real(material_at(s, m[1]), key, 0);
  return larger ? fmax(x, y) : fmin(x, y);
}

/* listed: n_materials^2 flags, set for pairs that are given. */
static int add_pairs(struct scene *s, char *listed) {
  const cJSON *all = scene_get(s->root, "pairs");
  int i = 0;
  for (const cJSON *item = all != NULL ? all->child : NULL; item != NULL; item = item->next, ++i) {
    const cJSON *name = scene_get(item, "between")->child;
    int m[2];
    for (int k = 0; k < 2; ++k, name = name->next) {
      m[k] = scene_find(s, "material", name->valuestring, s->n_materials, s->materials);
      if (m[k] < 0) {
        return scene_at_place(s, "pairs", i, k == 0 ? ".between[0]" : ".between[1]");
      }
    }
    if (listed[m[0] * s->n_materials + m[1]]) {
      return base_fail(BASE_E_INPUT, "%s: pairs[%d].between: is given twice", s->file, i);
    }
    listed[m[0] * s->n_materials + m[1]] = listed[m[1] * s->n_materials + m[0]] = 1;
    const int status =
        mech_assembly_pair(s->a, m[0], m[1], scene_real(item, "mu", combine(s, m, "mu", 1)),
                           scene_real(item, "eps_N", combine(s, m, "eps_N", 0)),
                           scene_real(item, "eps_T", combine(s, m, "eps_T", 0)));
    if (status < 0) {
      return scene_at_place(s, "pairs", i, "");
    }
  }
  return BASE_OK;
}

static void note(struct scene *s, const char *text) {
  s->notes = s->notes[0] != '\0' ? base_arena_printf(s->arena, "%s; %s", s->notes, text) : text;
}

/* Tell what was assumed of pairs nobody gave, where shapes of both are about. */
static void note_pairs(struct scene *s, const char *listed) {
  const int n = s->n_materials;
  char *used = base_arena_push(s->arena, (size_t)n + 1);
  for (int i = 0; i < mech_assembly_shapes(s->a); ++i) {
    used[mech_assembly_get_shape(s->a, i).material] = 1;
  }
  for (int x = 0; x < n; ++x) {
    for (int y = x + 1; y < n; ++y) {
      if (used[x] && used[y] && !listed[x * n + y]) {
        const int m[2] = {x, y};
        note(s,
             base_arena_printf(
                 s->arena, "%s on %s, not listed: the larger mu %g, the smaller eps_N %g, eps_T %g",
                 material_at(s, x)->string, material_at(s, y)->string, combine(s, m, "mu", 1),
                 combine(s, m, "eps_N", 0), combine(s, m, "eps_T", 0)));
      }
    }
  }
}

/* Tell what became of the state given: what joints moved, which velocities are those prescribed,
 * and whether the others make the run begin with an impact. */
static void note_start(struct scene *s, const struct case_instance *start,
                       const struct mech_drift *moved) {
  const struct mech *m = start->mech;
  if (moved->q > MOVED * m->length) {
    note(s, base_arena_printf(s->arena, "the joints moved the coordinates given by up to %.3g",
                              moved->q));
  }
  if (moved->u > MOVED * m->speed) {
    note(s, base_arena_printf(s->arena, "the joints moved the velocities given by up to %.3g",
                              moved->u));
  }
  if (m->clock == NULL) {
    return;
  }
  const cJSON *body = scene_get(s->root, "bodies")->child;
  for (int i = 0; body != NULL; body = body->next, ++i) {
    const int k = mech_assembly_block(s->a, i);
    if (k >= 0 && scene_get(body, "velocity") == NULL &&
        la_norm_inf(m->nv, start->u + (long)k * m->nv) > 0) {
      note(s, base_arena_printf(s->arena, "velocity of %s, not given: as prescribed",
                                scene_text(body, "name")));
    }
  }
  int row;
  const double missed = mech_rate_missed(m, start->q, start->u, &row, s->arena);
  if (missed > MOVED * m->speed) {
    char name[MECH_NAME];
    mech_bilateral_name(m, row, name);
    note(s, base_arena_printf(s->arena,
                              "velocities given miss %s by %.3g m/s (rad/s): an impact at t = 0",
                              name, missed));
  }
}

/* Joints that are apart in the state given are a mistake of the file, not for them to mend. */
static int judge_start(const struct scene *s, const struct mech *m,
                       const struct mech_assembly_start *start) {
  const double most = CASE_START_PART * m->length;
  char name[MECH_NAME];
  if (!(start->missed > most) || cJSON_IsTrue(scene_get(s->root, "allow_start"))) {
    return BASE_OK;
  }
  mech_bilateral_name(m, start->row, name);
  return base_fail(BASE_E_INPUT,
                   "%s: %s is off by %.3g m (rad) in the state given, more than %.3g, %g of the "
                   "system's length; \"allow_start\": true lets the joints move it",
                   s->file, name, start->missed, most, CASE_START_PART);
}

static int add_list(struct scene *s, const char *key,
                    int (*add)(struct scene *s, const cJSON *item, int index)) {
  const cJSON *all = scene_get(s->root, key);
  int i = 0, status = BASE_OK;
  for (const cJSON *item = all != NULL ? all->child : NULL; item != NULL && status == BASE_OK;
       item = item->next) {
    status = add(s, item, i++);
  }
  return status;
}

/* Identity to the last bit without a rotation. */
static void turn_scene(struct scene *s) {
  double w[3];
  scene_vector(s->root, "rotation", w);
  const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const double part = angle > 0 ? sin(0.5 * angle) / angle : 0;
  s->phi = s->dim == 2 ? w[2] : 0;
  s->turn[0] = cos(0.5 * angle);
  for (int i = 0; i < 3; ++i) {
    s->turn[1 + i] = part * w[i];
  }
  scene_quaternion_matrix(s->turn, s->R);
}

int scene_build(const cJSON *root, const char *file, struct base_arena *arena,
                struct case_instance *out) {
  struct scene s = {.root = root, .file = file, .arena = arena, .notes = ""};
  int status = scene_check_keys(root, file);
  if (status != BASE_OK) {
    return status;
  }
  const char *coordinates = scene_text(root, "coordinates");
  const int scalable = coordinates != NULL && strcmp(coordinates, "scalable") == 0;
  double gravity[3];
  struct mech_assembly_start start = {{0, 0}, 0, 0};
  s.dim = (int)scene_real(root, "dimension", 3);
  s.a = mech_assembly_alloc(s.dim == 2 ? MECH_PLANAR
                            : scalable ? MECH_SCALABLE
                                       : MECH_SPATIAL,
                            scene_text(root, "name"), arena);
  turn_scene(&s);
  scene_world_vector(&s, root, "gravity", gravity);
  mech_assembly_gravity(s.a, gravity);
  mech_assembly_collide_joined(s.a, cJSON_IsTrue(scene_get(root, "collide_joined")));
  status = add_materials(&s);
  char *listed = base_arena_push(arena, (size_t)s.n_materials * (size_t)s.n_materials + 1);
  status = status != BASE_OK ? status : add_pairs(&s, listed);
  status = status != BASE_OK ? status : scene_add_bodies(&s);
  status = status != BASE_OK ? status : add_list(&s, "joints", scene_add_joint);
  status = status != BASE_OK ? status : add_list(&s, "forces", scene_add_force);
  if (status != BASE_OK) {
    return status;
  }
  status = mech_assembly_finish(s.a, &out->mech, &out->q, &out->u, &start);
  if (status != BASE_OK) {
    base_message_prefix("%s: ", file);
    return BASE_E_INPUT;
  }
  note_pairs(&s, listed);
  status = judge_start(&s, out->mech, &start);
  if (status != BASE_OK) {
    return status;
  }
  note_start(&s, out, &start.moved);
  out->notes = s.notes;
  out->t_end = scene_real(root, "t_end", 0);
  return scene_choose_outputs(&s, out);
}
