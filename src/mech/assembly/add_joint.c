/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adding a joint to an assembly: what its kind needs is there, and points and axes given in the
 * world at the start are kept in the frames of the bodies they belong to, rho = R^T (p - x).
 */
#include "mech/assembly/parts.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

static const char *body_name(const struct mech_assembly *a, int body) {
  return body < 0 ? "the world" : mech_given(a, body)->name;
}

static int fail_joint(const struct mech_assembly *a, const struct mech_joint *j, const char *why) {
  return base_fail(BASE_E_INPUT, "%s joint %s between %s and %s: %s", mech_joint_name(j->kind),
                   j->name != NULL ? j->name : "", body_name(a, j->body[0]),
                   body_name(a, j->body[1]), why);
}

static int ends_apart(const struct mech_joint *j) {
  return j->kind == MECH_JOINT_ROD || j->kind == MECH_JOINT_ROPE || j->kind == MECH_JOINT_SPRING;
}

static int check_bodies(const struct mech_assembly *a, const struct mech_joint *j) {
  int moving = 0;
  if ((int)j->kind < 0 || (int)j->kind >= MECH_JOINT_KINDS) {
    return base_fail(BASE_E_INPUT, "joint %d: no such kind, %d", a->n_joints, (int)j->kind);
  }
  for (int k = 0; k < 2; ++k) {
    if (j->body[k] < MECH_WORLD || j->body[k] >= a->n_bodies) {
      return base_fail(BASE_E_INPUT, "%s joint %s: there is no body %d", mech_joint_name(j->kind),
                       j->name != NULL ? j->name : "", j->body[k]);
    }
    moving += j->body[k] >= 0 && !mech_given(a, j->body[k])->fixed;
  }
  if (j->body[0] == j->body[1]) {
    return fail_joint(a, j, "a body cannot be joined to itself");
  }
  if (moving == 0) {
    return fail_joint(a, j, "neither of them moves");
  }
  if (mech_joint_is_driven(j->kind) &&
      (j->body[1] >= 0 || j->body[0] < 0 || mech_given(a, j->body[0])->fixed)) {
    return fail_joint(a, j, "a motion is that of a moving body against the world, in this order");
  }
  return BASE_OK;
}

/* Completes length and axis. */
static int complete(const struct mech_assembly *a, struct mech_joint *j) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += j->point[i] + j->axis[i] + (ends_apart(j) ? j->end[i] : 0);
  }
  if (!isfinite(sum)) {
    return fail_joint(a, j, "its points or axis are not finite");
  }
  if (mech_joint_is_driven(j->kind) || j->kind == MECH_JOINT_REVOLUTE ||
      j->kind == MECH_JOINT_PRISMATIC) {
    const double size = sqrt(mech_dot3(j->axis, j->axis));
    if (!(size > 0)) {
      return fail_joint(a, j, "it needs an axis");
    }
    for (int i = 0; i < 3; ++i) {
      j->axis[i] /= size;
    }
  }
  if (!ends_apart(j)) {
    return mech_joint_is_driven(j->kind)
               ? mech_assembly_check_table(mech_joint_name(j->kind), &j->motion)
               : BASE_OK;
  }
  const double d[3] = {j->end[0] - j->point[0], j->end[1] - j->point[1], j->end[2] - j->point[2]};
  j->length = j->length < 0 ? sqrt(mech_dot3(d, d)) : j->length;
  if (!isfinite(j->length) || (j->kind != MECH_JOINT_SPRING && !(j->length > 0))) {
    return fail_joint(a, j, "it needs a positive length");
  }
  if (j->kind == MECH_JOINT_ROD && !(mech_dot3(d, d) > 0)) {
    return fail_joint(a, j, "its two points coincide, which gives it no direction");
  }
  if (j->kind == MECH_JOINT_SPRING &&
      (!(j->stiffness >= 0) || !(j->damping >= 0) || !isfinite(j->stiffness + j->damping))) {
    return fail_joint(a, j, "stiffness and damping must not be negative");
  }
  if (j->kind == MECH_JOINT_ROPE && !(j->eps_N >= 0 && j->eps_N <= 1)) {
    return fail_joint(a, j, "restitution must be from 0 to 1");
  }
  return BASE_OK;
}

/* Rotation and place of a body at the start. */
static struct mech_pose start_of(const struct mech_assembly *a, int body) {
  struct mech_pose pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (body >= 0) {
    memcpy(pose.x, mech_given(a, body)->position, sizeof pose.x);
    mech_assembly_rotation(mech_given(a, body)->orientation, pose.R);
  }
  return pose;
}

static void place(const struct mech_assembly *a, struct mech_assembly_joint *joint) {
  const struct mech_joint *j = &joint->given;
  struct mech_joint_frame *f = &joint->frame;
  double across[9];
  const int has_across = j->kind == MECH_JOINT_REVOLUTE || j->kind == MECH_JOINT_ROTATION ||
                         j->kind == MECH_JOINT_PRISMATIC;
  if (has_across) {
    mech_contact_frame(j->axis, across);
  }
  for (int k = 0; k < 2; ++k) {
    double from[3];
    const struct mech_pose start = start_of(a, j->body[k]);
    const double *R = start.R;
    memcpy(from, k == 1 && ends_apart(j) ? j->end : j->point, sizeof from);
    mech_add3(-1, start.x, from);
    mech_back3(R, from, f->point[k]);
    if (j->kind == MECH_JOINT_REVOLUTE) {
      mech_back3(R, j->axis, f->axis[k]);
    }
    for (int i = 0; i < 3; ++i) { /* the world's axes in the body's frame: R^T */
      for (int l = 0; l < 3; ++l) {
        f->triad[k][3 * i + l] = R[3 * l + i];
      }
    }
    if (j->kind == MECH_JOINT_ROTATION) {
      mech_back3(R, across + 3 + 3L * k, f->across[k]);
    } else if (has_across && k == (j->kind == MECH_JOINT_REVOLUTE)) {
      mech_back3(R, across + 3, f->across[0]);
      mech_back3(R, across + 6, f->across[1]);
    }
  }
  if (mech_joint_is_driven(j->kind)) {
    memcpy(f->axis[0], j->axis, sizeof f->axis[0]);
  }
}

int mech_assembly_joint(struct mech_assembly *a, const struct mech_joint *joint) {
  struct mech_assembly_joint j = {.given = *joint};
  if (a->closed) {
    return base_fail(BASE_E_INPUT, "%s: finished already, nothing can be added", a->name);
  }
  if (a->kind == MECH_PLANAR) {
    j.given.point[2] = j.given.end[2] = 0;
    memcpy(j.given.axis, (double[3]){0, 0, 1}, sizeof j.given.axis);
    if (j.given.kind == MECH_JOINT_MOTION || j.given.kind == MECH_JOINT_PRISMATIC) {
      memcpy(j.given.axis, (double[3]){joint->axis[0], joint->axis[1], 0}, sizeof j.given.axis);
    }
  }
  int status = check_bodies(a, &j.given);
  status = status != BASE_OK ? status : complete(a, &j.given);
  if (status != BASE_OK) {
    return status;
  }
  place(a, &j);
  j.given.name = j.given.name != NULL ? base_arena_copy(a->arena, j.given.name) : NULL;
  j.motion = mech_spline_build(&j.given.motion, a->arena);
  j.given.motion = (struct mech_table){j.motion.n, j.motion.t, j.motion.value};
  j.frame.rows = mech_assembly_joint_rows(a, j.given.kind);
  a->joint = base_arena_more(a->arena, a->joint, a->n_joints, sizeof j);
  a->joint[a->n_joints] = j;
  return a->n_joints++;
}
