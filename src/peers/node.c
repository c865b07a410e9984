/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kit's structs as JSON for a script, and its lines; see node.h. A line of a step is the time
 * it took [s], contacts and iterations (-1: not told), then of every body that moves x y z a0 a1 a2
 * a3 wx wy wz vx vy vz, all in the world.
 */
#include "peers/node.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/process/child.h"
#include "base/status.h"

enum { NUMBER_SIZE = 32, NUMBERS_A_BODY = 13, COUNTS = 3, LINES_MORE = 1 };

static struct base_arena *arena;
static struct kit_state *states; /* n_bodies, after the last step */
static char *told;               /* what the script printed, from the next step on */

static const char *own_path(void) {
  char own[4096];
  const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  arena = arena != NULL ? arena : base_arena_alloc();
  own[length > 0 ? length : 0] = '\0';
  return base_arena_copy(arena, own);
}

const char *node_version(const char *package) {
  const char *own = own_path();
  const char *path = base_arena_printf(arena, "%.*s/node_modules/%s/package.json",
                                       (int)(strrchr(own, '/') - own), own, package);
  cJSON *about = base_json_read(path);
  const char *version =
      about != NULL ? base_arena_copy(arena, base_json_text_at(about, "version")) : "absent";
  cJSON_Delete(about);
  return version;
}

/* ---- the question ---- */

static void add_bodies(const struct kit *k, cJSON *asked) {
  cJSON *list = cJSON_AddArrayToObject(asked, "bodies");
  for (int i = 0; i < k->n_bodies; ++i) {
    const struct kit_body *b = &k->body[i];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddBoolToObject(item, "moves", b->column >= 0);
    cJSON_AddBoolToObject(item, "turns", b->turns);
    base_json_add_real(item, "mass", b->mass);
    base_json_add_reals(item, "inertia", 3, b->inertia);
    base_json_add_reals(item, "x", 3, b->start.x);
    base_json_add_reals(item, "A", 4, b->start.A);
    base_json_add_reals(item, "v", 3, b->start.v);
    base_json_add_reals(item, "w", 3, b->start.w);
    cJSON_AddItemToArray(list, item);
  }
}

/* Poses of shapes are those in the body's frame, of fixed bodies in the world. */
static void add_shapes(const struct kit *k, cJSON *asked) {
  static const char *const kinds[] = {
      [KIT_POINT] = "point",     [KIT_SPHERE] = "sphere",     [KIT_BOX] = "box",
      [KIT_CAPSULE] = "capsule", [KIT_CYLINDER] = "cylinder", [KIT_HALFSPACE] = "halfspace"};
  cJSON *list = cJSON_AddArrayToObject(asked, "shapes");
  for (int i = 0; i < k->n_shapes; ++i) {
    const struct kit_shape *s = &k->shape[i];
    double x[3], A[4];
    memcpy(x, s->x, sizeof x);
    memcpy(A, s->A, sizeof A);
    if (k->body[s->body].column < 0 && s->kind != KIT_HALFSPACE) {
      kit_shape_place(s, x, A);
    }
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "kind", kinds[s->kind]);
    cJSON_AddNumberToObject(item, "body", s->body);
    base_json_add_real(item, "radius", s->radius);
    base_json_add_real(item, "half_length", s->half_length);
    base_json_add_reals(item, "half", 3, s->half);
    base_json_add_reals(item, "x", 3, x);
    base_json_add_reals(item, "A", 4, A);
    base_json_add_reals(item, "normal", 3, s->normal);
    base_json_add_real(item, "level", s->level);
    cJSON_AddItemToArray(list, item);
  }
}

/* Those that may touch. */
static void add_pairs(const struct kit *k, cJSON *asked) {
  cJSON *list = cJSON_AddArrayToObject(asked, "pairs");
  for (int i = 0; i < k->n_shapes; ++i) {
    for (int j = i + 1; j < k->n_shapes; ++j) {
      if (kit_can_touch(i, j)) {
        const struct kit_law law = kit_law_of(i, j);
        const double pair[4] = {i, j, law.mu, law.eps_N};
        cJSON_AddItemToArray(list, base_json_reals(4, pair));
      }
    }
  }
}

static void add_joints(const struct kit *k, cJSON *asked) {
  static const char *const kinds[] = {
      [KIT_SPHERICAL] = "spherical", [KIT_REVOLUTE] = "revolute", [KIT_FIXED] = "fixed",
      [KIT_PRISMATIC] = "prismatic", [KIT_ROD] = "rod",           [KIT_ROPE] = "rope",
      [KIT_SPRING] = "spring"};
  cJSON *list = cJSON_AddArrayToObject(asked, "joints");
  for (int i = 0; i < k->n_joints; ++i) {
    const struct kit_joint *j = &k->joint[i];
    const double bodies[2] = {j->body[0], j->body[1]};
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "kind", kinds[j->kind]);
    base_json_add_reals(item, "body", 2, bodies);
    base_json_add_reals(item, "point", 3, j->point);
    base_json_add_reals(item, "end", 3, j->end);
    base_json_add_reals(item, "axis", 3, j->axis);
    base_json_add_real(item, "length", j->length);
    base_json_add_real(item, "stiffness", j->stiffness);
    base_json_add_real(item, "damping", j->damping);
    cJSON_AddItemToArray(list, item);
  }
}

static void add_forces(const struct kit *k, cJSON *asked) {
  cJSON *list = cJSON_AddArrayToObject(asked, "forces");
  for (int i = 0; i < k->n_forces; ++i) {
    const struct kit_force *f = &k->force[i];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddNumberToObject(item, "body", f->body);
    base_json_add_reals(item, "force", 3, f->force);
    base_json_add_reals(item, "torque", 3, f->torque);
    base_json_add_reals(item, "at", 3, f->at);
    cJSON_AddItemToArray(list, item);
  }
}

static char *question_of(const struct kit *k, const char *model) {
  cJSON *asked = cJSON_CreateObject();
  if (model != NULL) {
    cJSON_AddStringToObject(asked, "model", model);
  }
  cJSON_AddItemToObject(asked, "options", cJSON_Duplicate(kit_options(), 1));
  base_json_add_reals(asked, "gravity", 3, k->gravity);
  base_json_add_reals(asked, "times", k->n_times, k->time);
  add_bodies(k, asked);
  add_shapes(k, asked);
  add_pairs(k, asked);
  add_joints(k, asked);
  add_forces(k, asked);
  char *text = base_json_text(asked);
  cJSON_Delete(asked);
  return text;
}

/* ---- the engine ---- */

void node_build(const struct kit *k, const char *model) {
  const char *script = base_arena_printf(arena, "%s.mjs", own_path());
  const char *const argv[] = {"node", script, NULL};
  const size_t line = (size_t)(COUNTS + NUMBERS_A_BODY * k->n_bodies);
  char *text = question_of(k, model);
  const struct base_child node = {.argv = argv,
                                  .input = text,
                                  .input_size = strlen(text),
                                  .output_most =
                                      NUMBER_SIZE * line * ((size_t)k->n_times + LINES_MORE),
                                  .limit = INFINITY};
  struct base_child_end end;
  if (base_child_run(&node, strrchr(script, '/') + 1, arena, &end) != BASE_OK) {
    fprintf(stderr, "%s\n", base_message());
    exit(1);
  }
  told = end.output;
  states = base_arena_push(arena, ((size_t)k->n_bodies + 1) * sizeof *states);
  free(text);
}

static void read_reals(int n, double *x) {
  for (int i = 0; i < n; ++i) {
    x[i] = strtod(told, &told);
  }
}

void node_step(const struct kit *k, double dt, struct kit_counts *counts) {
  double number[COUNTS];
  (void)dt;
  read_reals(COUNTS, number);
  counts->time = number[0];
  counts->contacts = (int)number[1];
  counts->iterations = (int)number[2];
  for (int i = 0; i < k->n_bodies; ++i) {
    if (k->body[i].column >= 0) {
      struct kit_state *s = &states[i];
      read_reals(3, s->x);
      read_reals(4, s->A);
      read_reals(3, s->w);
      read_reals(3, s->v);
    }
  }
}

void node_get(int body, struct kit_state *state) { *state = states[body]; }
