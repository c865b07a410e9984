/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MuJoCo 3 (DeepMind; Apache-2.0) as a peer, from its package for Node: mujoco.mjs beside this
 * program takes the model (mjcf.h) and all steps, and prints a line for each.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/process/child.h"
#include "base/status.h"
#include "peers/mjcf.h"

enum { NUMBER_SIZE = 32, NUMBERS_A_BODY = 13, COUNTS = 3 };

static struct kit_state *states; /* n_bodies, after the last step */
static char *told;               /* what mujoco.mjs printed, from the next step on */

static const char *script_path(struct base_arena *arena) {
  char own[4096];
  const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  own[length > 0 ? length : 0] = '\0';
  return base_arena_printf(arena, "%s.mjs", own);
}

static cJSON *forces_of(const struct kit *k, struct base_arena *arena) {
  cJSON *list = cJSON_CreateArray();
  for (int i = 0; i < k->n_forces; ++i) {
    const struct kit_force *f = &k->force[i];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "body", base_arena_printf(arena, "b%d", f->body));
    base_json_add_reals(item, "force", 3, f->force);
    base_json_add_reals(item, "torque", 3, f->torque);
    base_json_add_reals(item, "at", 3, f->at);
    cJSON_AddItemToArray(list, item);
  }
  return list;
}

static void build(const struct kit *k) {
  struct base_arena *arena = base_arena_alloc();
  char *model = mjcf_write(k);
  cJSON *asked = cJSON_CreateObject(), *bodies = cJSON_AddArrayToObject(asked, "bodies");
  cJSON_AddStringToObject(asked, "xml", model);
  base_json_add_reals(asked, "times", k->n_times, k->time);
  cJSON_AddItemToObject(asked, "forces", forces_of(k, arena));
  for (int i = 0; i < k->n_bodies; ++i) {
    if (k->body[i].column >= 0) {
      cJSON_AddItemToArray(bodies, cJSON_CreateString(base_arena_printf(arena, "b%d", i)));
    }
  }
  const size_t line = (size_t)(COUNTS + NUMBERS_A_BODY * cJSON_GetArraySize(bodies));
  char *text = base_json_text(asked);
  const char *const argv[] = {"node", script_path(arena), NULL};
  const struct base_child node = {.argv = argv,
                                  .input = text,
                                  .input_size = strlen(text),
                                  .output_most = NUMBER_SIZE * line * ((size_t)k->n_times + 1),
                                  .limit = INFINITY};
  struct base_child_end end;
  if (base_child_run(&node, "mujoco.mjs", arena, &end) != BASE_OK) {
    fprintf(stderr, "%s\n", base_message());
    exit(1);
  }
  told = end.output;
  states = base_arena_push(arena, ((size_t)k->n_bodies + 1) * sizeof *states);
  cJSON_Delete(asked);
  free(text);
  free(model);
}

static void read_reals(int n, double *x) {
  for (int i = 0; i < n; ++i) {
    x[i] = strtod(told, &told);
  }
}

static void step(const struct kit *k, double dt, struct kit_counts *counts) {
  double number[COUNTS];
  (void)dt;
  read_reals(COUNTS, number);
  counts->contacts = (int)number[0];
  counts->iterations = (int)number[1];
  counts->time = number[2];
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

static void get(int body, struct kit_state *s) { *s = states[body]; }

int main(int argc, char **argv) {
  return mjcf_main(argc, argv,
                   (struct kit_engine){.version = MUJOCO_VERSION, /* the package's: Makefile */
                                       .build = build,
                                       .step = step,
                                       .get = get});
}
