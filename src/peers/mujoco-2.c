/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MuJoCo 2.2.2 (DeepMind; Apache-2.0) as a peer; mjcf.h says how scenes become its own.
 */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers/mjcf.h"

static mjModel *model;
static mjData *data;
static int *id; /* n_bodies: MuJoCo's number */

static void fail(const char *reason) {
  fprintf(stderr, "%s\n", reason);
  exit(1);
}

static void ignore(const char *warning) { (void)warning; /* counted in data->warning */ }

static void find_poses(void) {
  mj_kinematics(model, data);
  mj_comPos(model, data);
  mj_comVel(model, data);
}

static void build(const struct kit *k) {
  static mjVFS files;
  static char error[1000];
  char *text = mjcf_write(k);
  mju_user_error = fail;
  mju_user_warning = ignore;
  mj_defaultVFS(&files);
  mj_makeEmptyFileVFS(&files, "scene.xml", (int)strlen(text));
  memcpy(files.filedata[0], text, strlen(text));
  model = mj_loadXML("scene.xml", &files, error, sizeof error);
  if (model == NULL) {
    kit_refuse(error, "bodies");
  }
  data = mj_makeData(model);
  mj_resetDataKeyframe(model, data, 0);
  id = calloc((size_t)k->n_bodies + 1, sizeof *id);
  for (int i = 0; i < k->n_bodies; ++i) {
    if (k->body[i].column >= 0) {
      char name[32];
      snprintf(name, sizeof name, "b%d", i);
      id[i] = mj_name2id(model, mjOBJ_BODY, name);
    }
  }
  find_poses();
  free(text);
}

static void step(const struct kit *k, double dt, struct kit_counts *counts) {
  mju_zero(data->xfrc_applied, 6 * model->nbody);
  for (int i = 0; i < k->n_forces; ++i) {
    const struct kit_force *f = &k->force[i];
    mjtNum *applied = data->xfrc_applied + 6 * id[f->body], arm[3], lever[3], torque[3];
    kit_turn(data->xquat + 4 * id[f->body], f->at, arm);
    kit_turn(data->xquat + 4 * id[f->body], f->torque, torque);
    mju_cross(lever, arm, f->force);
    mju_addTo3(applied, f->force);
    mju_addTo3(applied + 3, torque);
    mju_addTo3(applied + 3, lever);
  }
  model->opt.timestep = dt;
  mj_step(model, data);
  for (int i = 0; i < mjNWARNING; ++i) {
    if (data->warning[i].number > 0) {
      fail(mju_warningText(i, (size_t)data->warning[i].lastinfo));
    }
  }
  counts->contacts = data->ncon;
  counts->iterations = data->solver_iter;
  find_poses();
}

static void get(int i, struct kit_state *s) {
  mjtNum velocity[6];
  mj_objectVelocity(model, data, mjOBJ_BODY, id[i], velocity, 0);
  mju_copy3(s->x, data->xpos + 3 * id[i]);
  mju_copy4(s->A, data->xquat + 4 * id[i]);
  mju_copy3(s->w, velocity);
  mju_copy3(s->v, velocity + 3);
}

int main(int argc, char **argv) {
  return mjcf_main(
      argc, argv,
      (struct kit_engine){.version = mj_versionString(), .build = build, .step = step, .get = get});
}
