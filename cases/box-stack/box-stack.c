/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Boxes stacked on a floor z = 0: the impulses are not unique and errors add up from layer to
 * layer, while the motion is known: nothing moves.
 *
 *   tower    n boxes on top of each other
 *   wall     n courses in bond: `width` bricks, and every other course shifted by half a brick
 *            with half bricks at its ends
 *   pyramid  n courses of n, n - 1, ... 1 bricks, each on the joint of the two below
 *
 * Bricks of a course stand side = 2 half_x + clearance apart and do not touch. All corners of the
 * faces that touch are closed contacts at the start (gap 0). A brick of a wall or pyramid rests on
 * two others, half on either, so that the state of rest is an equilibrium with pushing forces for
 * every mu, the smallest too, and however much heavier each course is than the one below.
 */
#include "cases/body_kit.h"
#include "cases/case.h"

#include "base/status.h"
#include "mech/assembly/assembly.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct stack {
  const char *layout;
  int n, width;
  double half[3], step, mass; /* step: from brick to brick [m]; of a brick of the first course */
  double heavier;             /* bricks of a course over those of the course below */
  int material;
};

static struct stack stack_of(const struct case_parameters *p) {
  struct stack s = {
      .layout = case_choice(p, "layout"),
      .n = (int)case_real(p, "n"),
      .width = (int)case_real(p, "width"),
      .half = {case_real(p, "half_x"), case_real(p, "half_y"), case_real(p, "half_z")}};
  s.step = 2 * s.half[0] + case_real(p, "clearance");
  s.mass = case_real(p, "density") * 8 * s.half[0] * s.half[1] * s.half[2];
  s.heavier = case_real(p, "heavier");
  return s;
}

/* Bricks of a course, counted from the floor. */
static int course(const struct stack *s, int k) {
  if (strcmp(s->layout, "tower") == 0) {
    return 1;
  }
  if (strcmp(s->layout, "wall") == 0) {
    return k % 2 == 1 ? s->width + 1 : s->width;
  }
  return s->n - k;
}

static long count_bricks(const struct stack *s) {
  long n = 0;
  for (int k = 0; k < s->n; ++k) {
    n += course(s, k);
  }
  return n;
}

/* Middle and half length of brick j of course k. */
static void brick(const struct stack *s, int k, int j, double *x, double *half) {
  const double shift = strcmp(s->layout, "pyramid") == 0 ? 0.5 * s->step * k : 0;
  *x = shift + j * s->step;
  *half = s->half[0];
  if (strcmp(s->layout, "wall") == 0 && k % 2 == 1) { /* half bricks at both ends */
    const double gap = s->step - 2 * s->half[0], middle = 0.25 * s->step;
    *x = (j - 0.5) * s->step;
    if (j == 0 || j == s->width) {
      *half = 0.5 * (s->half[0] - 0.5 * gap);
      *x += j == 0 ? 0.5 * s->step - middle : middle - 0.5 * s->step;
    }
  }
}

static int add_brick(const struct stack *s, struct mech_assembly *a, int k, int j) {
  char name[32];
  double x, h[3] = {0, s->half[1], s->half[2]};
  brick(s, k, j, &x, &h[0]);
  const double mass = s->mass * (h[0] / s->half[0]) * pow(s->heavier, k), third = mass / 3;
  snprintf(name, sizeof name, "b%d.%d", k, j);
  const int body =
      mech_assembly_body(a, &(struct mech_body){.name = name,
                                                .mass = mass,
                                                .inertia = {third * (h[1] * h[1] + h[2] * h[2]),
                                                            third * (h[0] * h[0] + h[2] * h[2]),
                                                            third * (h[0] * h[0] + h[1] * h[1])},
                                                .position = {x, 0, (2 * k + 1) * h[2]}});
  if (body < 0) {
    return body;
  }
  return mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_BOX,
                                                     .body = body,
                                                     .half = {h[0], h[1], h[2]},
                                                     .material = s->material});
}

static int add_bricks(const struct stack *s, struct mech_assembly *a) {
  int status = mech_assembly_shape(
      a, &(struct mech_shape){.kind = MECH_SHAPE_HALFSPACE, .body = -1, .material = s->material});
  for (int k = 0; k < s->n; ++k) {
    for (int j = 0; j < course(s, k) && status >= 0; ++j) {
      status = add_brick(s, a, k, j);
    }
  }
  return status;
}

static int stack_build(const struct case_parameters *p, struct base_arena *arena,
                       struct case_instance *out) {
  const int scalable = strcmp(case_choice(p, "bodies"), "scalable") == 0;
  struct stack s = stack_of(p);
  struct mech_assembly *a =
      mech_assembly_alloc(scalable ? MECH_SCALABLE : MECH_SPATIAL, "box-stack", arena);
  if (!(s.step < 4 * s.half[0])) {
    return base_fail(BASE_E_INPUT, "box-stack: clearance = %g m must be shorter than a brick",
                     s.step - 2 * s.half[0]);
  }
  mech_assembly_gravity(a, (double[]){0, 0, -case_real(p, "g")});
  s.material = mech_assembly_material(a, &(struct mech_material){.name = "brick",
                                                                 .mu = case_real(p, "mu"),
                                                                 .eps_N = case_real(p, "eps_N")});
  int status = s.material < 0 ? s.material : mech_assembly_reserve(a, 1 + count_bricks(&s));
  status = status < 0 ? status : add_bricks(&s, a);
  return body_finish(a, status, out, "box-stack");
}

/* As at the start. */
static double stack_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const struct stack s = stack_of(p);
  int b = 0;
  (void)t;
  for (int k = 0; k < s.n; ++k) {
    for (int j = 0; j < course(&s, k); ++j, ++b) {
      double at[7] = {0, 0, (2 * k + 1) * s.half[2], 1, 0, 0, 0}, half;
      brick(&s, k, j, &at[0], &half);
      memcpy(q + 7L * b, at, sizeof at);
      memset(u + 6L * b, 0, 6 * sizeof *u);
    }
  }
  return 0;
}

static void stack_work(const struct case_parameters *p, double t, double work[4]) {
  (void)p, (void)t, (void)work; /* nothing moves */
}

const struct case_type case_box_stack = {
    .name = "box-stack",
    .summary = "boxes on top of each other: many redundant contacts that must keep still",
    .source = "own case, for redundant contacts",
    .build = stack_build,
    .reference = stack_reference,
    .work = stack_work};
