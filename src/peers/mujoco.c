/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MuJoCo 3 (DeepMind; Apache-2.0) as a peer, from its package for Node: mujoco.mjs beside this
 * program steps the model (mjcf.h) and is asked over two pipes, a line a step.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory/arena.h"
#include "peers/mjcf.h"

static struct {
  struct base_arena *arena;
  const char *folder; /* of this program */
  FILE *to, *from;
  pid_t node;
  int n;                   /* bodies that move */
  struct kit_state *state; /* n_bodies */
} own;

static void find_folder(void) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  char *slash = strrchr(path, '/');
  own.folder =
      slash != NULL ? base_arena_printf(own.arena, "%.*s", (int)(slash - path), path) : ".";
}

static void start_node(void) {
  const char *script = base_arena_printf(own.arena, "%s/mujoco.mjs", own.folder);
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0 || (own.node = fork()) < 0) {
    perror("mujoco");
    exit(1);
  }
  if (own.node == 0) {
    dup2(to[0], 0);
    dup2(from[1], 1);
    for (int i = 0; i < 2; ++i) {
      close(to[i]);
      close(from[i]);
    }
    execlp("node", "node", script, (char *)NULL);
    perror("node");
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  own.to = fdopen(to[1], "w");
  own.from = fdopen(from[0], "r");
}

static void add_forces(const struct kit *k, cJSON *list) {
  for (int i = 0; i < k->n_forces; ++i) {
    const struct kit_force *f = &k->force[i];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "body", base_arena_printf(own.arena, "b%d", f->body));
    cJSON_AddItemToObject(item, "force", cJSON_CreateDoubleArray(f->force, 3));
    cJSON_AddItemToObject(item, "torque", cJSON_CreateDoubleArray(f->torque, 3));
    cJSON_AddItemToObject(item, "at", cJSON_CreateDoubleArray(f->at, 3));
    cJSON_AddItemToArray(list, item);
  }
}

static void build(const struct kit *k) {
  char *model = mjcf_write(k);
  cJSON *asked = cJSON_CreateObject(), *bodies = cJSON_AddArrayToObject(asked, "bodies");
  cJSON_AddStringToObject(asked, "xml", model);
  for (int i = 0; i < k->n_bodies; ++i) {
    if (k->body[i].column >= 0) {
      cJSON_AddItemToArray(bodies, cJSON_CreateString(base_arena_printf(own.arena, "b%d", i)));
      ++own.n;
    }
  }
  add_forces(k, cJSON_AddArrayToObject(asked, "forces"));
  own.state = base_arena_push(own.arena, ((size_t)k->n_bodies + 1) * sizeof *own.state);
  char *text = cJSON_PrintUnformatted(asked);
  start_node();
  fprintf(own.to, "%s\n", text);
  cJSON_free(text);
  cJSON_Delete(asked);
  free(model);
  kit_note("contacts are soft and convex");
}

static void read_reals(int n, double *x) {
  for (int i = 0; i < n; ++i) {
    if (fscanf(own.from, "%lf", &x[i]) != 1) {
      fprintf(stderr, "mujoco.mjs ended\n"); /* it has said why */
      waitpid(own.node, NULL, 0);
      exit(1);
    }
  }
}

static void step(const struct kit *k, double dt, struct kit_counts *counts) {
  double told[2];
  fprintf(own.to, "%.17g\n", dt);
  fflush(own.to);
  read_reals(2, told);
  counts->contacts = (int)told[0];
  counts->iterations = (int)told[1];
  for (int i = 0; i < k->n_bodies; ++i) {
    if (k->body[i].column >= 0) {
      struct kit_state *s = &own.state[i];
      read_reals(3, s->x);
      read_reals(4, s->A);
      read_reals(3, s->w);
      read_reals(3, s->v);
    }
  }
}

static void get(int body, struct kit_state *s) { *s = own.state[body]; }

static const char *velocities(void) {
  return strcmp(kit_choice("integrator"), "RK4") == 0 ? "end" : "half-step";
}

int main(int argc, char **argv) {
  own.arena = base_arena_alloc();
  find_folder();
  const struct kit_engine engine = {.name = "MuJoCo",
                                    .version = MUJOCO_VERSION, /* the package's, by the Makefile */
                                    .shapes = "point|sphere|box|capsule|cylinder|halfspace",
                                    .joints = "spherical|revolute|fixed|prismatic|rod|rope|spring",
                                    .holds_turns = 1,
                                    .velocities = velocities,
                                    .build = build,
                                    .step = step,
                                    .get = get};
  return kit_main(argc, argv, &engine);
}
