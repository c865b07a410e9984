/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The question of a run read, the answer written; see kit.h. The question is ours and complete, so
 * its types are not checked again. States are printed as they come.
 */
#include "peers/kit.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/json/keys.h"
#include "base/memory/arena.h"

static const char shape_words[] = "point|sphere|box|capsule|cylinder|halfspace";
static const char joint_words[] = "spherical|revolute|fixed|prismatic|rod|rope|spring";

static struct {
  const struct kit_engine *engine;
  struct base_arena *arena;
  const cJSON *question, *scene;
  cJSON *told; /* of the engine itself */
  struct kit k;
  int n_moving, *moving; /* bodies by their columns */
  int n_materials, collides_joined;
  struct kit_law *law; /* n_materials x n_materials */
  char *joined;        /* n_bodies x n_bodies: held together */
  char *still;         /* n_bodies: nothing moves it */
} kit;

/* ---- rotations ---- */

void kit_turn(const double A[4], const double x[3], double y[3]) {
  const double t[3] = {2 * (A[2] * x[2] - A[3] * x[1]), 2 * (A[3] * x[0] - A[1] * x[2]),
                       2 * (A[1] * x[1] - A[2] * x[0])};
  const double z[3] = {x[0] + A[0] * t[0] + A[2] * t[2] - A[3] * t[1],
                       x[1] + A[0] * t[1] + A[3] * t[0] - A[1] * t[2],
                       x[2] + A[0] * t[2] + A[1] * t[1] - A[2] * t[0]};
  memcpy(y, z, sizeof z);
}

void kit_turn_back(const double A[4], const double x[3], double y[3]) {
  kit_turn((const double[]){A[0], -A[1], -A[2], -A[3]}, x, y);
}

void kit_product(const double A[4], const double B[4], double C[4]) {
  const double D[4] = {A[0] * B[0] - A[1] * B[1] - A[2] * B[2] - A[3] * B[3],
                       A[0] * B[1] + A[1] * B[0] + A[2] * B[3] - A[3] * B[2],
                       A[0] * B[2] - A[1] * B[3] + A[2] * B[0] + A[3] * B[1],
                       A[0] * B[3] + A[1] * B[2] - A[2] * B[1] + A[3] * B[0]};
  memcpy(C, D, sizeof D);
}

/* ---- what is told ---- */

static void print_value(const char *key, const cJSON *value) {
  char *text = cJSON_PrintUnformatted(value);
  printf("\"%s\": %s", key, text);
  cJSON_free(text);
}

void kit_refuse(const char *reason, const char *key, ...) {
  char place[256];
  va_list arguments;
  va_start(arguments, key);
  vsnprintf(place, sizeof place, key, arguments);
  va_end(arguments);
  cJSON *answer = cJSON_CreateObject();
  cJSON_AddItemToObject(answer, "simulator", kit.told);
  cJSON_AddStringToObject(answer, "status", "unsupported");
  cJSON_AddStringToObject(answer, "key", place);
  cJSON_AddStringToObject(answer, "reason", reason);
  char *text = cJSON_PrintUnformatted(answer);
  puts(text);
  exit(0);
}

void kit_note(const char *note) {
  cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(kit.told, "notes"),
                       cJSON_CreateString(note));
}

static const cJSON *get(const cJSON *item, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(item, key);
}

double kit_option(const char *key) {
  const cJSON *option = get(get(kit.question, "options"), key);
  return cJSON_IsString(option) ? INFINITY
         : cJSON_IsBool(option) ? cJSON_IsTrue(option)
                                : option->valuedouble;
}

const char *kit_choice(const char *key) {
  return get(get(kit.question, "options"), key)->valuestring;
}

const cJSON *kit_options(void) { return get(kit.question, "options"); }

int kit_can_touch(int first, int second) {
  const int a = kit.k.shape[first].body, b = kit.k.shape[second].body;
  return a != b && !(kit.still[a] && kit.still[b]) &&
         (kit.collides_joined || !kit.joined[a * kit.k.n_bodies + b]);
}

struct kit_law kit_law_of(int first, int second) {
  return kit.law[kit.k.shape[first].material * kit.n_materials + kit.k.shape[second].material];
}

void kit_shape_place(const struct kit_shape *shape, double x[3], double A[4]) {
  const struct kit_state *at = &kit.k.body[shape->body].start;
  kit_turn(at->A, shape->x, x);
  kit_product(at->A, shape->A, A);
  for (int i = 0; i < 3; ++i) {
    x[i] += at->x[i];
  }
}

/* ---- the question ---- */

static void read_vector(const cJSON *item, const char *key, int n, double *x) {
  const cJSON *list = get(item, key), *number = list != NULL ? list->child : NULL;
  for (int i = 0; i < n && number != NULL; ++i, number = number->next) {
    x[i] = number->valuedouble;
  }
}

static double read_real(const cJSON *item, const char *key) {
  const cJSON *value = get(item, key);
  return cJSON_IsNumber(value) ? value->valuedouble : 0;
}

static int find_body(const char *name) {
  int i = 0;
  while (i < kit.k.n_bodies && strcmp(kit.k.body[i].name, name) != 0) {
    ++i;
  }
  return i < kit.k.n_bodies ? i : -1;
}

static int find_material(const char *name) {
  int i = 0;
  const cJSON *item = get(kit.scene, "materials")->child;
  for (; item != NULL && strcmp(item->string, name) != 0; item = item->next) {
    ++i;
  }
  return i;
}

/* A kind's number; refused where the engine has none. */
static int read_kind(const cJSON *item, const char *words, const char *known, const char *key) {
  const char *type = get(item, "type")->valuestring;
  if (base_word_find(known, type) < 0) {
    kit_refuse(base_arena_printf(kit.arena, "a %s has no equivalent", type), "%s", key);
  }
  return base_word_find(words, type);
}

static void read_shape(const cJSON *item, int body, int index, struct kit_shape *shape) {
  const char *key = base_arena_printf(kit.arena, "bodies[%d].shapes[%d].type", body, index);
  const struct kit_body *b = &kit.k.body[body];
  shape->kind = (enum kit_shape_kind)read_kind(item, shape_words, kit.engine->shapes, key);
  shape->body = body;
  shape->index = index;
  shape->material = find_material(get(item, "material")->valuestring);
  if (kit.engine->one_material && b->column >= 0 && index > 0 &&
      shape->material != shape[-1].material) {
    kit_refuse("a body has one material", "bodies[%d].shapes[%d].material", body, index);
  }
  shape->radius = read_real(item, "radius");
  shape->half_length = read_real(item, "half_length");
  shape->A[0] = 1;
  read_vector(item, "half", 3, shape->half);
  read_vector(item, "orientation", 4, shape->A);
  if (shape->kind != KIT_HALFSPACE) {
    read_vector(item, "offset", 3, shape->x);
    return;
  }
  if (b->column >= 0) {
    kit_refuse("planes are fixed", "%s", key);
  }
  read_vector(item, "normal", 3, shape->normal);
  kit_turn(b->start.A, shape->normal, shape->normal);
  shape->level = read_real(item, "offset");
  for (int i = 0; i < 3; ++i) {
    shape->level += shape->normal[i] * b->start.x[i];
  }
}

static void read_body(const cJSON *item, int i, struct kit_body *body) {
  const cJSON *name;
  body->name = get(item, "name")->valuestring;
  body->column = -1;
  int column = 0;
  cJSON_ArrayForEach(name, get(kit.question, "bodies")) {
    if (strcmp(name->valuestring, body->name) == 0) {
      body->column = column;
      kit.moving[column] = i;
    }
    ++column;
  }
  body->turns = !cJSON_IsFalse(get(item, "rotates"));
  if (!body->turns && !kit.engine->holds_turns) {
    kit_refuse("every body turns", "bodies[%d].rotates", i);
  }
  body->mass = read_real(item, "mass");
  read_vector(item, "inertia", 3, body->inertia);
  struct kit_state *start = &body->start;
  start->A[0] = 1;
  read_vector(item, "position", 3, start->x);
  read_vector(item, "orientation", 4, start->A);
  read_vector(item, "velocity", 3, start->v);
  read_vector(item, "angular_velocity", 3, start->w);
  kit_turn(start->A, start->w, start->w);
}

static void read_bodies(struct kit *k) {
  const cJSON *bodies = get(kit.scene, "bodies"), *item, *shape;
  k->n_bodies = cJSON_GetArraySize(bodies);
  kit.n_moving = cJSON_GetArraySize(get(kit.question, "bodies"));
  kit.moving = base_arena_ints(kit.arena, kit.n_moving);
  cJSON_ArrayForEach(item, bodies) { k->n_shapes += cJSON_GetArraySize(get(item, "shapes")); }
  k->body = base_arena_push(kit.arena, (size_t)k->n_bodies * sizeof *k->body);
  k->shape = base_arena_push(kit.arena, (size_t)k->n_shapes * sizeof *k->shape);
  int i = 0, s = 0;
  cJSON_ArrayForEach(item, bodies) {
    int index = 0;
    read_body(item, i, &k->body[i]);
    cJSON_ArrayForEach(shape, get(item, "shapes")) {
      read_shape(shape, i, index++, &k->shape[s++]);
    }
    ++i;
  }
}

static void read_joint(const cJSON *item, int i, struct kit_joint *joint) {
  const char *key = base_arena_printf(kit.arena, "joints[%d].type", i);
  joint->kind = (enum kit_joint_kind)read_kind(item, joint_words, kit.engine->joints, key);
  read_vector(item, "point", 3, joint->point);
  memcpy(joint->end, joint->point, sizeof joint->end);
  read_vector(item, "end", 3, joint->end);
  read_vector(item, "axis", 3, joint->axis);
  const double size = hypot(hypot(joint->axis[0], joint->axis[1]), joint->axis[2]);
  for (int d = 0; d < 3 && size > 0; ++d) {
    joint->axis[d] /= size;
  }
  joint->length = read_real(item, "length");
  joint->stiffness = read_real(item, "stiffness");
  joint->damping = read_real(item, "damping");
  if (joint->kind == KIT_ROPE && read_real(item, "eps_N") > 0) {
    kit_refuse("a rope has no restitution", "joints[%d].eps_N", i);
  }
  for (int e = 0; e < 2; ++e) {
    joint->body[e] = find_body(cJSON_GetArrayItem(get(item, "bodies"), e)->valuestring);
  }
  if (joint->body[0] < 0 || kit.k.body[joint->body[0]].column < 0) {
    const int second = joint->body[1];
    double end[3];
    memcpy(end, joint->end, sizeof end);
    joint->body[1] = joint->body[0];
    joint->body[0] = second;
    memcpy(joint->end, joint->point, sizeof end);
    memcpy(joint->point, end, sizeof end);
  }
}

static void read_joints(struct kit *k) {
  const cJSON *joints = get(kit.scene, "joints"), *item;
  k->n_joints = cJSON_GetArraySize(joints);
  k->joint = base_arena_push(kit.arena, (size_t)k->n_joints * sizeof *k->joint);
  int i = 0;
  cJSON_ArrayForEach(item, joints) {
    read_joint(item, i, &k->joint[i]);
    ++i;
  }
}

static void read_forces(struct kit *k) {
  const cJSON *forces = get(kit.scene, "forces"), *item;
  k->n_forces = cJSON_GetArraySize(forces);
  k->force = base_arena_push(kit.arena, (size_t)k->n_forces * sizeof *k->force);
  int i = 0;
  cJSON_ArrayForEach(item, forces) {
    struct kit_force *force = &k->force[i];
    for (const char *const *key = (const char *const[]){"from", "to", "table", NULL}; *key; ++key) {
      if (get(item, *key) != NULL) {
        kit_refuse("forces act constantly", "forces[%d].%s", i, *key);
      }
    }
    force->body = find_body(get(item, "body")->valuestring);
    read_vector(item, "force", 3, force->force);
    read_vector(item, "torque", 3, force->torque);
    read_vector(item, "at", 3, force->at);
    ++i;
  }
}

/* Bodies held together, and those that nothing moves: fixed ones, and what is welded to them. */
static void find_groups(const struct kit *k) {
  const int n = k->n_bodies;
  kit.joined = base_arena_push(kit.arena, (size_t)n * (size_t)n);
  kit.still = base_arena_push(kit.arena, (size_t)n);
  for (int i = 0; i < n; ++i) {
    kit.still[i] = k->body[i].column < 0;
  }
  for (int pass = 0; pass < k->n_joints; ++pass) {
    for (int i = 0; i < k->n_joints; ++i) {
      const struct kit_joint *j = &k->joint[i];
      const int a = j->body[0], b = j->body[1];
      if (b >= 0 && j->kind != KIT_ROPE && j->kind != KIT_SPRING) {
        kit.joined[a * n + b] = kit.joined[b * n + a] = 1;
      }
      if (j->kind == KIT_FIXED && (b < 0 || kit.still[a] || kit.still[b])) {
        kit.still[a] = 1;
        kit.still[b < 0 ? a : b] = 1;
      }
    }
  }
}

/* Do bodies meet by these materials? */
static int is_pair_used(const struct kit *k, int first, int second) {
  for (int i = 0; i < k->n_shapes; ++i) {
    for (int j = 0; j < k->n_shapes; ++j) {
      if (k->shape[i].material == first && k->shape[j].material == second && kit_can_touch(i, j)) {
        return 1;
      }
    }
  }
  return 0;
}

static void read_pairs(const struct kit *k) {
  kit.n_materials = cJSON_GetArraySize(get(kit.scene, "materials"));
  const size_t n = (size_t)kit.n_materials;
  kit.law = base_arena_push(kit.arena, n * n * sizeof *kit.law);
  const cJSON *pair;
  int i = 0;
  cJSON_ArrayForEach(pair, get(kit.scene, "pairs")) {
    const cJSON *names = get(pair, "between");
    const int a = find_material(cJSON_GetArrayItem(names, 0)->valuestring);
    const int b = find_material(cJSON_GetArrayItem(names, 1)->valuestring);
    const struct kit_law law = {read_real(pair, "mu"), read_real(pair, "eps_N")};
    const int is_used = is_pair_used(k, a, b);
    kit.law[a * kit.n_materials + b] = kit.law[b * kit.n_materials + a] = law;
    if (is_used && read_real(pair, "eps_T") != 0) {
      kit_refuse("there is no tangential restitution", "pairs[%d].eps_T", i);
    }
    if (is_used && law.eps_N > 0 && !kit.engine->rebounds) {
      kit_refuse("there is no law of restitution", "pairs[%d].eps_N", i);
    }
    ++i;
  }
}

static void read_question(struct kit *k) {
  if (read_real(kit.scene, "dimension") != 3) {
    kit_refuse("takes scenes in space", "dimension");
  }
  read_vector(kit.scene, "gravity", 3, k->gravity);
  k->n_times = cJSON_GetArraySize(get(kit.question, "times"));
  k->time = base_arena_doubles(kit.arena, k->n_times);
  read_vector(kit.question, "times", k->n_times, k->time);
  kit.collides_joined = cJSON_IsTrue(get(kit.scene, "collide_joined"));
  read_bodies(k);
  read_joints(k);
  read_forces(k);
  find_groups(k);
  read_pairs(k);
}

/* ---- the run ---- */

/* What is not finite becomes null, which fails the run. */
static void print_state(void) {
  char number[BASE_JSON_NUMBER_SIZE];
  for (int part = 0; part < 2; ++part) {
    const char *before = part == 0 ? "\n{\"q\": [" : "], \"u\": [";
    for (int c = 0; c < kit.n_moving; ++c) {
      struct kit_state s;
      kit.engine->get(kit.moving[c], &s);
      kit_turn_back(s.A, s.w, s.w);
      const double q[7] = {s.x[0], s.x[1], s.x[2], s.A[0], s.A[1], s.A[2], s.A[3]};
      const double u[6] = {s.v[0], s.v[1], s.v[2], s.w[0], s.w[1], s.w[2]};
      for (int d = 0; d < (part == 0 ? 7 : 6); ++d) {
        printf("%s%s", before, base_json_number(part == 0 ? q[d] : u[d], number));
        before = ", ";
      }
    }
  }
  printf("]}");
}

static void print_counts(const char *key, const cJSON *counts) {
  if (cJSON_GetArraySize(counts) > 0) {
    printf(",\n");
    print_value(key, counts);
  }
}

static void run(void) {
  cJSON *contacts = cJSON_CreateArray(), *iterations = cJSON_CreateArray();
  cJSON *times = cJSON_CreateArray();
  printf("{");
  print_value("simulator", kit.told);
  printf(",\n\"velocities\": \"%s\",\n\"states\": [", kit.engine->velocities());
  for (int i = 0; i < kit.k.n_times; ++i) {
    struct kit_counts counts = {-1, -1, -1};
    const double before = base_clock_now();
    kit.engine->step(&kit.k, kit.k.time[i] - (i > 0 ? kit.k.time[i - 1] : 0), &counts);
    const double time = counts.time >= 0 ? counts.time : base_clock_now() - before;
    cJSON_AddItemToArray(times, cJSON_CreateNumber(time));
    fputs(i > 0 ? "," : "", stdout);
    print_state();
    if (counts.contacts >= 0) {
      cJSON_AddItemToArray(contacts, cJSON_CreateNumber(counts.contacts));
    }
    if (counts.iterations >= 0) {
      cJSON_AddItemToArray(iterations, cJSON_CreateNumber(counts.iterations));
    }
  }
  printf("]");
  print_counts("contacts", contacts);
  print_counts("iterations", iterations);
  print_counts("step_times", times);
  printf("}\n");
}

static char *read_input(void) {
  size_t room = (size_t)1 << 16, size = 0, got;
  char *text = base_arena_room(kit.arena, room);
  while ((got = fread(text + size, 1, room - size - 1, stdin)) > 0) {
    size += got;
    if (size + 1 == room) {
      char *larger = base_arena_room(kit.arena, 2 * room);
      memcpy(larger, text, size);
      text = larger;
      room *= 2;
    }
  }
  text[size] = '\0';
  return text;
}

int kit_main(int argc, char **argv, const struct kit_engine *engine) {
  if (argc == 2 && strcmp(argv[1], "version") == 0) {
    return puts(engine->version) < 0;
  }
  kit.engine = engine;
  kit.arena = base_arena_alloc();
  kit.question = base_json_parse(read_input(), "question");
  if (kit.question == NULL) {
    fprintf(stderr, "%s: no question on standard input\n", engine->name);
    return 2;
  }
  kit.scene = get(kit.question, "scene");
  kit.told = cJSON_CreateObject();
  cJSON_AddStringToObject(kit.told, "name", engine->name);
  cJSON_AddStringToObject(kit.told, "version", engine->version);
  cJSON_AddItemToObject(kit.told, "options", cJSON_Duplicate(get(kit.question, "options"), 1));
  cJSON_AddArrayToObject(kit.told, "notes");
  read_question(&kit.k);
  engine->build(&kit.k);
  run();
  return fflush(stdout) != 0;
}
