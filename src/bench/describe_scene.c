/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `describe scene.json`: the scene as the program has understood it, with what it computed (mass,
 * centre and inertia of bodies filled evenly, laws of pairs, lengths of joints).
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/commands.h"
#include "cases/case.h"
#include "mech/assembly/assembly.h"

static void print_numbers(const char *words, int n, const double *x, const char *unit) {
  printf("%s", words);
  for (int i = 0; i < n; ++i) {
    printf("%s%.6g", i > 0 ? " " : "", x[i]);
  }
  printf("%s", unit);
}

static const char *body_name(const struct mech_assembly *a, int body) {
  return body < 0 ? "world" : mech_assembly_get_body(a, body).name;
}

static void print_bodies(const struct mech_assembly *a, int width, const double *q,
                         const double *u) {
  const int planar = mech_assembly_kind_of(a) == MECH_PLANAR;
  printf("bodies:\n");
  for (int i = 0; i < mech_assembly_bodies(a); ++i) {
    const struct mech_body b = mech_assembly_get_body(a, i);
    const struct mech_pose pose = mech_assembly_pose(a, q, i);
    const double *velocity = u + (long)mech_assembly_block(a, i) * width;
    printf("  %-16s ", b.name);
    if (b.fixed) {
      printf("fixed\n");
      continue;
    }
    printf("%.6g kg", b.mass);
    if (b.no_rotation) {
      printf(", does not turn");
    } else {
      print_numbers(", inertia ", planar ? 1 : 3, planar ? b.inertia + 2 : b.inertia, " kg m^2");
    }
    print_numbers(", centre at ", planar ? 2 : 3, pose.x, " m");
    print_numbers(", velocity ", planar ? 2 : 3, velocity, " m/s\n");
  }
}

static void print_shapes(const struct mech_assembly *a) {
  if (mech_assembly_shapes(a) > 0) {
    printf("shapes:\n");
  }
  for (int i = 0; i < mech_assembly_shapes(a); ++i) {
    const struct mech_shape shape = mech_assembly_get_shape(a, i), *s = &shape;
    printf("  %-16s %s", body_name(a, s->body), mech_shape_name(s->kind));
    if (s->radius > 0) {
      printf(", radius %.6g m", s->radius);
    }
    if (s->half_length > 0) {
      printf(", half length %.6g m", s->half_length);
    }
    if (s->kind == MECH_SHAPE_BOX) {
      print_numbers(", half sides ", mech_assembly_kind_of(a) == MECH_PLANAR ? 2 : 3, s->half,
                    " m");
    }
    printf("\n");
  }
}

/* What a table prescribes, and how it begins and ends. chi: ns, scratch. */
static void print_motion(const struct mech *m, const struct mech_joint *j, int row, const double *q,
                         double *chi) {
  const struct mech_table *table = &j->motion;
  if (table->n < 2) {
    printf(", held in its place");
    return;
  }
  const double first = table->t[0], last = table->t[table->n - 1];
  mech_set_time(m, first);
  m->ops->driven.bilateral_drift(m, q, chi);
  printf(", %d samples from %.6g to %.6g s: begins with %.6g m/s", table->n, first, last,
         -chi[row]);
  mech_set_time(m, nextafter(last, first));
  m->ops->driven.bilateral_drift(m, q, chi);
  printf(", ends with %.6g m/s, stands still before and after", -chi[row]);
}

static void print_joints(const struct mech_assembly *a, const struct mech *m, const double *q,
                         struct base_arena *arena) {
  double *chi = base_arena_doubles(arena, m->ns);
  if (mech_assembly_joints(a) > 0) {
    printf("joints:\n");
  }
  for (int i = 0; i < mech_assembly_joints(a); ++i) {
    struct mech_joint_frame frame;
    const struct mech_joint *j = mech_assembly_get_joint(a, i, &frame);
    printf("  %-16s %s, %s and %s", j->name != NULL ? j->name : "", mech_joint_name(j->kind),
           body_name(a, j->body[0]), body_name(a, j->body[1]));
    if (j->kind == MECH_JOINT_ROD || j->kind == MECH_JOINT_ROPE || j->kind == MECH_JOINT_SPRING) {
      printf(", length %.6g m", j->length);
    } else if (j->kind == MECH_JOINT_MOTION) {
      print_motion(m, j, frame.first_row, q, chi);
    }
    printf("\n");
  }
}

static void print_columns(const char *words, int n, const char *const *names) {
  printf("%s", words);
  for (int i = 0; i < n; ++i) {
    printf(" %s", names[i]);
  }
  printf("\n");
}

int bench_describe_scene(const char *path) {
  struct base_arena *arena = base_arena_alloc();
  const struct case_type *type = case_open(path, NULL, arena);
  const struct case_parameters *p = type != NULL ? case_parameters_load(type, arena) : NULL;
  struct case_instance instance = {0};
  const int status = p != NULL ? type->build(p, arena, &instance) : BASE_E_INPUT;
  if (status == BASE_OK) {
    const cJSON *file = case_parameters_file(p);
    const struct mech *m = instance.mech;
    const struct mech_assembly *a = mech_assembly_of(m);
    const char *kind = base_json_text_at(file, "reference.kind");
    printf("scene %s: %s\nfile: %s\n", type->name,
           base_text_clean(base_json_text_at(file, "title"), arena), base_text_clean(path, arena));
    printf("default dt %g s, t_end %g s, reference: %s\n", base_json_real_at(file, "dt"),
           base_json_real_at(file, "t_end"), kind[0] != '\0' ? kind : "none");
    print_bodies(a, m->nv, instance.q, instance.u);
    print_shapes(a);
    print_joints(a, m, instance.q, arena);
    print_columns("q:", m->nq_out, m->q_names);
    print_columns("u:", m->nu_out, m->u_names);
    if (instance.notes[0] != '\0') {
      printf("notes: %s\n", instance.notes);
    }
    printf("--set takes paths into the file: bodies.%s.position.0=1\n",
           mech_assembly_get_body(a, 0).name);
  }
  base_arena_free(arena);
  return status;
}
