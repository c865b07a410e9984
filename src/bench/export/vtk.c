/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames for ParaView; see vtk.h. Frame i belongs to step i stride, the last one to the end of the
 * run. Lists are written again after every frame, in long series after every sixty-fourth part of
 * them, and at the end, so that an interrupted run leaves readable files.
 */
#include "bench/export/vtk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/options.h"
#include "base/sort.h"
#include "base/status.h"
#include "bench/export/contact.h"
#include "bench/export/vtk_file.h"
#include "bench/run/listener.h"
#include "la/dense.h"
#include "mech/assembly/assembly.h"
#include "mech/vector3.h"

enum { FRAMES = 100 /* of a run, unless DT is given */, LIST_PARTS = 64 };
/* Contacts that carried are looked for this far, over the way that surfaces can make in a step. */
static const double REACH = 2;

struct bench_vtk {
  const struct mech *m;
  const struct mech_assembly *a;
  const char *folder;
  struct base_arena *arena; /* scratch, marked and released in a frame */
  struct bench_vtk_shapes *shapes;
  struct mech_contacts contacts;
  const struct bench_job *job;
  long steps, stride;
  int first, next; /* frames: the first of the lists, the one to be written next */
  int status;
  char message[256];
};

/* --- bodies --- */

struct bodies {
  int n;
  int *id;
  double *point, *radius, *mass, *velocity, *omega, *orientation;
};

/* Body b at place i of the arrays. */
static void put_body(const struct bench_vtk *vtk, const struct form_state *state, int b,
                     const struct bodies *to, int i) {
  const struct mech_body body = mech_assembly_get_body(vtk->a, b);
  const struct mech_pose pose = mech_assembly_pose(vtk->a, state->q, b);
  const enum mech_assembly_kind kind = mech_assembly_kind_of(vtk->a);
  const int block = mech_assembly_block(vtk->a, b);
  const int nq = kind == MECH_PLANAR ? 3 : 7;
  double *A = to->orientation + 4L * i, *v = to->velocity + 3L * i, *w = to->omega + 3L * i;
  to->id[i] = b;
  to->radius[i] = bench_vtk_radius(vtk->shapes, b);
  to->mass[i] = body.mass;
  memcpy(to->point + 3L * i, pose.x, sizeof pose.x);
  memcpy(A, body.orientation, sizeof body.orientation);
  if (block < 0) {
    return;
  }
  const double *q = state->q + (long)block * nq, *u = state->u + (long)block * vtk->m->nv;
  if (kind == MECH_PLANAR) {
    A[0] = cos(0.5 * q[2]), A[1] = A[2] = 0, A[3] = sin(0.5 * q[2]);
    v[0] = u[0], v[1] = u[1];
    w[2] = u[2];
  } else { /* of a scalable body the speed of the length comes in between */
    memcpy(A, q + 3, 4 * sizeof *A);
    memcpy(v, u, 3 * sizeof *v);
    mech_turn3(pose.R, u + (kind == MECH_SCALABLE ? 4 : 3), w);
  }
}

static int write_bodies(struct bench_vtk *vtk, const struct form_state *state, double *speed) {
  const int n = mech_assembly_bodies(vtk->a);
  struct base_arena *arena = vtk->arena;
  struct bodies b = {.id = base_arena_ints(arena, n),
                     .point = base_arena_matrix(arena, 3, n),
                     .radius = base_arena_doubles(arena, n),
                     .mass = base_arena_doubles(arena, n),
                     .velocity = base_arena_matrix(arena, 3, n),
                     .omega = base_arena_matrix(arena, 3, n),
                     .orientation = base_arena_matrix(arena, 4, n)};
  for (int i = 0; i < n; ++i) {
    if (mech_assembly_active(vtk->a, i)) {
      put_body(vtk, state, i, &b, b.n);
      speed[i] = la_norm2(3, b.velocity + 3L * b.n++);
    }
  }
  const struct bench_vtk_array arrays[] = {{"id", 1, BENCH_VTK_INT, b.id},
                                           {"radius", 1, BENCH_VTK_REAL, b.radius},
                                           {"mass", 1, BENCH_VTK_REAL, b.mass},
                                           {"velocity", 3, BENCH_VTK_REAL, b.velocity},
                                           {"angular_velocity", 3, BENCH_VTK_REAL, b.omega},
                                           {"orientation", 4, BENCH_VTK_REAL, b.orientation}};
  const struct bench_vtk_poly poly = {.t = state->t,
                                      .n_points = b.n,
                                      .point = b.point,
                                      .n_arrays = sizeof arrays / sizeof *arrays,
                                      .array = arrays};
  return bench_vtk_write(bench_vtk_path(vtk->folder, "bodies", vtk->next, arena), &poly, arena);
}

/* --- contacts --- */

/* Closed contacts, and those that carried in the step, which may have opened since. */
static void find_contacts(struct bench_vtk *vtk, double dt, const struct form_state *state,
                          const struct form_report *report) {
  const struct mech *m = vtk->m;
  struct mech_contacts *c = &vtk->contacts;
  const double reach = report->n_carrying > 0 && m->ops->bodies.approach != NULL
                           ? REACH * m->ops->bodies.approach(m, state->q, state->u, dt)
                           : 0;
  mech_set_time(m, state->t);
  mech_contacts_find(m, state->q, NULL, reach, c);
}

static int body_of(const struct bench_vtk *vtk, int block) {
  return block < 0 ? -1 : mech_assembly_body_of_block(vtk->a, block);
}

static int write_contacts(struct bench_vtk *vtk, double dt, const struct form_state *state,
                          const struct form_report *report) {
  struct base_arena *arena = vtk->arena;
  struct mech_contacts *c = &vtk->contacts;
  find_contacts(vtk, dt, state, report);
  long *id = base_arena_longs(arena, c->n);
  int *bodies = base_arena_array(arena, 2, (size_t)c->n, sizeof(int)), n = 0;
  double *point = base_arena_matrix(arena, 3, c->n), *gap = base_arena_doubles(arena, c->n);
  double *mu = base_arena_doubles(arena, c->n), *normal = base_arena_matrix(arena, 3, c->n);
  double *force = base_arena_matrix(arena, 3, c->n);
  const int is_told = report->impulses != NULL || report->n_carrying == 0;
  for (int i = 0, cursor = 0; i < c->n; ++i) {
    const int k = base_sorted_find(report->n_carrying, report->carrying, c->id[i], &cursor);
    if (k < 0 && c->gN[i] > 0) {
      continue;
    }
    id[n] = c->id[i];
    gap[n] = c->gN[i];
    mu[n] = c->mu[i];
    double frame[9];
    mech_contacts_frame(c, i, frame);
    bench_contact_point(vtk->a, c, state->q, i, point + 3L * n);
    memcpy(normal + 3L * n, frame, 3 * sizeof *normal);
    for (int side = 0; side < 2; ++side) {
      bodies[2 * n + side] = body_of(vtk, c->body[2 * i + side]);
    }
    if (k >= 0 && report->impulses != NULL) {
      bench_contact_force(c->dim, report->impulses + (long)k * c->dim, dt, frame, force + 3L * n);
    }
    ++n;
  }
  const struct bench_vtk_array arrays[] = {
      {"id", 1, BENCH_VTK_LONG, id},         {"bodies", 2, BENCH_VTK_INT, bodies},
      {"gap", 1, BENCH_VTK_REAL, gap},       {"mu", 1, BENCH_VTK_REAL, mu},
      {"normal", 3, BENCH_VTK_REAL, normal}, {"force", 3, BENCH_VTK_REAL, force}};
  const struct bench_vtk_poly poly = {.t = state->t,
                                      .n_points = n,
                                      .point = point,
                                      .n_arrays = (int)(sizeof arrays / sizeof *arrays) - !is_told,
                                      .array = arrays};
  return bench_vtk_write(bench_vtk_path(vtk->folder, "contacts", vtk->next, arena), &poly, arena);
}

/* --- series --- */

static int write_lists(struct bench_vtk *vtk) {
  static const char *const names[] = {"shapes", "bodies", "contacts"};
  const int n = vtk->next - vtk->first;
  const struct base_arena_mark mark = base_arena_mark(vtk->arena);
  double *t = base_arena_doubles(vtk->arena, n);
  for (int i = 0; i < n; ++i) {
    const long k = (vtk->first + i) * vtk->stride;
    t[i] = k == 0 ? 0 : k < vtk->steps ? bench_step_end(vtk->job, k) : vtk->job->t_end;
  }
  int status = BASE_OK;
  for (int i = bench_vtk_has_polygons(vtk->shapes) ? 0 : 1; i < 3 && status == BASE_OK; ++i) {
    status = bench_vtk_write_series(vtk->folder, names[i], vtk->first, n, t, vtk->arena);
  }
  base_arena_release(vtk->arena, mark);
  return status;
}

static int write_frame(struct bench_vtk *vtk, double dt, const struct form_state *state,
                       const struct form_report *report) {
  const struct base_arena_mark mark = base_arena_mark(vtk->arena);
  double *speed = base_arena_doubles(vtk->arena, mech_assembly_bodies(vtk->a));
  int status = write_bodies(vtk, state, speed);
  if (status == BASE_OK && bench_vtk_has_polygons(vtk->shapes)) {
    const char *path = bench_vtk_path(vtk->folder, "shapes", vtk->next, vtk->arena);
    status = bench_vtk_write_shapes(vtk->shapes, state->t, state->q, speed, path, vtk->arena);
  }
  if (status == BASE_OK) {
    status = write_contacts(vtk, dt, state, report);
  }
  base_arena_release(vtk->arena, mark);
  vtk->next += status == BASE_OK;
  return status != BASE_OK || vtk->next % (1 + vtk->next / LIST_PARTS) != 0 ? status
                                                                            : write_lists(vtk);
}

static void note(struct bench_vtk *vtk, int status) {
  vtk->status = status;
  if (status != BASE_OK) {
    strncpy(vtk->message, base_message(), sizeof vtk->message - 1);
  }
}

/* The first frames of a run that goes on: those of its beginning, where they are in the folder. */
static void continue_series(struct bench_vtk *vtk, long taken) {
  const struct base_arena_mark mark = base_arena_mark(vtk->arena);
  vtk->next = (int)(taken / vtk->stride) + 1;
  vtk->first = vtk->next;
  while (vtk->first > 0 &&
         access(bench_vtk_path(vtk->folder, "contacts", vtk->first - 1, vtk->arena), R_OK) == 0) {
    --vtk->first;
  }
  base_arena_release(vtk->arena, mark);
}

/* The first frame, or the place in the series where a restarted run goes on. */
static int start(void *data, struct bench_run *run) {
  struct bench_vtk *vtk = data;
  const struct bench_job *job = run->job;
  vtk->a = mech_assembly_of(run->m);
  if (vtk->a == NULL) {
    return base_fail(BASE_E_INPUT,
                     "--vtk: %s is a model in coordinates of its own; only assemblies of bodies "
                     "have shapes to show",
                     run->m->name);
  }
  vtk->m = run->m;
  vtk->arena = base_arena_child(run->arena);
  vtk->shapes = bench_vtk_shapes_alloc(vtk->a, run->arena);
  mech_contacts_init(&vtk->contacts, run->m, run->arena);
  int status = base_file_make_folder(vtk->folder);
  if (status == BASE_OK && run->taken > 0) {
    continue_series(vtk, run->taken);
  } else if (status == BASE_OK) {
    const struct form_report none = {0};
    status = bench_vtk_write_planes(vtk->shapes, run->state.t, run->state.q,
                                    base_arena_printf(run->arena, "%s/planes.vtp", vtk->folder),
                                    run->arena);
    status = status != BASE_OK ? status : write_frame(vtk, job->dt, &run->state, &none);
  }
  run->out->vtk = vtk;
  return status;
}

/* A frame where one is due. The first failure stays. */
static int step(void *data, struct bench_run *run) {
  struct bench_vtk *vtk = data;
  if (vtk->status == BASE_OK && (run->taken % vtk->stride == 0 || run->taken == vtk->steps)) {
    note(vtk, write_frame(vtk, run->dt, &run->state, run->report));
  }
  return BASE_OK;
}

void bench_vtk_listen(struct bench_run *run) {
  const struct bench_job *job = run->job;
  if (job->vtk_folder == NULL) {
    return;
  }
  struct bench_vtk *vtk = base_arena_push(run->arena, sizeof *vtk);
  const double every = job->vtk_every > 0 ? job->vtk_every : job->t_end / FRAMES;
  *vtk = (struct bench_vtk){.folder = job->vtk_folder,
                            .job = job,
                            .steps = run->steps,
                            .stride = lrint(fmin(fmax(1, every / job->dt), (double)run->steps))};
  bench_run_listen(run, (struct bench_listener){
                            .data = vtk, .on = {[BENCH_START] = start, [BENCH_STEP] = step}});
}

int bench_vtk_end(struct bench_vtk *vtk) {
  if (vtk->status == BASE_OK) {
    return write_lists(vtk);
  }
  return base_fail(vtk->status, "%s", vtk->message);
}
