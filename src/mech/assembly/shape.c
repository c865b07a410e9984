/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes of an assembly. A system of very many bodies holds few kinds of them: what shapes have in
 * common (kind, sizes, material, place in the body) is a form, held once, and a shape is its body,
 * its form and, for a sphere, its radius: 16 bytes. Forms are compared with the last few only, so
 * that adding a shape takes the same time however many there are.
 *
 * Poses are not held either. A shape that is neither moved nor turned in its body has its body's,
 * and the centre of the body is part of q.
 */
#include "mech/assembly/parts.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum { FORMS_COMPARED = 8, SHAPES_FIRST = 8 };

static int check_sizes(const char *what, const struct mech_shape *s) {
  const enum mech_shape_kind kind = s->kind;
  const int round = kind == MECH_SHAPE_SPHERE || kind == MECH_SHAPE_CAPSULE ||
                    kind == MECH_SHAPE_CYLINDER,
            box = kind == MECH_SHAPE_BOX;
  if (!mech_all_finite(3, s->offset) || !mech_all_finite(4, s->orientation)) {
    return base_fail(BASE_E_INPUT, "%s: its place is not finite", what);
  }
  if (round && (!(s->radius > 0) || !isfinite(s->radius))) {
    return base_fail(BASE_E_INPUT, "%s: radius %g is not positive", what, s->radius);
  }
  if (round && kind != MECH_SHAPE_SPHERE && (!(s->half_length > 0) || !isfinite(s->half_length))) {
    return base_fail(BASE_E_INPUT, "%s: half length %g is not positive", what, s->half_length);
  }
  for (int i = 0; i < 3 && box; ++i) {
    if (!(s->half[i] > 0) || !isfinite(s->half[i])) {
      return base_fail(BASE_E_INPUT, "%s: half side %d is %g, not positive", what, i + 1,
                       s->half[i]);
    }
  }
  return BASE_OK;
}

static int check_shape(const struct mech_assembly *a, struct mech_shape *s) {
  if ((int)s->kind < 0 || (int)s->kind >= MECH_SHAPE_KINDS) {
    return base_fail(BASE_E_INPUT, "shape %d: no such kind, %d", a->n_shapes, (int)s->kind);
  }
  const char *what = mech_shape_name(s->kind);
  int status = mech_known_body(a, what, s->body);
  if (status != BASE_OK) {
    return status;
  }
  if (s->material < 0 || s->material >= a->n_materials) {
    return base_fail(BASE_E_INPUT, "%s: there is no material %d", what, s->material);
  }
  status = check_sizes(what, s);
  return status != BASE_OK ? status : mech_unit_quaternion(what, s->orientation);
}

/* --- forms --- */

static int same_values(int n, const double *x, const double *y) {
  int i = 0;
  while (i < n && x[i] == y[i]) {
    ++i;
  }
  return i == n;
}

/* Without a tolerance: a shape must not become another one. */
static int same_form(const struct mech_shape *s, const struct mech_shape *t) {
  return s->kind == t->kind && s->material == t->material && s->radius == t->radius &&
         s->half_length == t->half_length && same_values(3, s->offset, t->offset) &&
         same_values(4, s->orientation, t->orientation) && same_values(3, s->half, t->half);
}

static int find_form(const struct mech_assembly *a, const struct mech_shape *s) {
  for (int k = a->n_forms - 1; k >= 0 && k >= a->n_forms - FORMS_COMPARED; --k) {
    if (same_form(s, &a->form[k].given)) {
      return k;
    }
  }
  return -1;
}

static int add_form(struct mech_assembly *a, const struct mech_shape *s) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, nothing[3] = {0, 0, 0};
  struct mech_assembly_form f = {.given = *s, .bound = mech_shape_bound(s)};
  mech_assembly_rotation(s->orientation, f.R);
  f.arm = sqrt(mech_dot3(s->offset, s->offset));
  f.in_place = same_values(9, f.R, unit) && same_values(3, s->offset, nothing);
  a->form = base_arena_more(a->draft, a->form, a->n_forms, sizeof f);
  a->form[a->n_forms] = f;
  return a->n_forms++;
}

int mech_assembly_shape(struct mech_assembly *a, const struct mech_shape *shape) {
  struct mech_shape s = *shape;
  int status = mech_still_open(a);
  status = status != BASE_OK ? status : check_shape(a, &s);
  status = status != BASE_OK ? status : mech_shapes_check(a, a->n_shapes + 1L);
  if (status != BASE_OK) {
    return status;
  }
  struct mech_assembly_shape kept = {.body = s.body};
  if (s.kind == MECH_SHAPE_SPHERE) {
    kept.radius = s.radius;
    s.radius = 0;
  }
  kept.form = find_form(a, &s);
  if (kept.form < 0) {
    kept.form = add_form(a, &s);
  }
  if (a->n_shapes == a->cap_shapes) {
    a->cap_shapes = 2 * a->n_shapes + SHAPES_FIRST;
    struct mech_assembly_shape *more =
        base_arena_push(a->draft, (size_t)a->cap_shapes * sizeof *more);
    if (a->n_shapes > 0) {
      memcpy(more, a->shape, (size_t)a->n_shapes * sizeof *more);
    }
    a->shape = more;
  }
  a->shape[a->n_shapes] = kept;
  return a->n_shapes++;
}

int mech_assembly_shapes(const struct mech_assembly *a) { return a->n_shapes; }

struct mech_shape mech_assembly_get_shape(const struct mech_assembly *a, int shape) {
  struct mech_shape s = mech_form_of(a, shape)->given;
  s.body = a->shape[shape].body;
  s.radius += a->shape[shape].radius;
  return s;
}

/* --- where they are --- */

double mech_shapes_farthest(const struct mech_assembly *a, const double *q, const double from[3]) {
  double farthest = 0;
  for (int i = 0; i < a->n_shapes; ++i) {
    double x[3];
    if (mech_shape_active(a, i) && isfinite(mech_shape_size(a, i))) {
      mech_shape_centre(a, q, i, x);
      mech_add3(-1, from, x);
      farthest = fmax(farthest, sqrt(mech_dot3(x, x)) + mech_shape_size(a, i));
    }
  }
  return farthest;
}

static void multiply3(const double A[9], const double B[9], double AB[9]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      AB[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    }
  }
}

struct mech_pose mech_shape_pose(const struct mech_assembly *a, const struct mech_pose *body,
                                 int shape) {
  const struct mech_assembly_form *form = mech_form_of(a, shape);
  struct mech_pose pose = *body;
  if (!form->in_place) {
    mech_turn3(body->R, form->given.offset, pose.x);
    mech_add3(1, body->x, pose.x);
    multiply3(body->R, form->R, pose.R);
  }
  return pose;
}

struct mech_pose mech_assembly_shape_pose(const struct mech_assembly *a, const double *q,
                                          int shape) {
  const struct mech_pose body = mech_assembly_pose(a, q, a->shape[shape].body);
  return mech_shape_pose(a, &body, shape);
}

void mech_shape_centre_of_pose(const struct mech_assembly *a, const double *q, int shape,
                               double x[3]) {
  const struct mech_pose pose = mech_assembly_shape_pose(a, q, shape);
  memcpy(x, pose.x, sizeof pose.x);
}

int mech_shape_holder(const struct mech_assembly *a, int shape) {
  const int body = a->shape[shape].body;
  return mech_body_immovable(a, body) ? a->n_bodies : body;
}

int mech_shape_group(const struct mech_assembly *a, int shape) {
  return mech_shape_active(a, shape) ? mech_shape_holder(a, shape) : MECH_GROUP_NONE;
}
