/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames of contacts and how they move. At constant u the velocities v of the centres and w of the
 * bodies are constant in the world (but for the scalable body, wdot = -sdot/s w), so that for the
 * relative velocity in the frame, c_d . (v_1(p) - v_0(p)), the bias is
 *
 *   cdot_d . (v_1 - v_0) + c_d . (acc_1 - acc_0),   acc = w x (pdot - v) - sdot/s w x (p - x)
 *
 * with the rates of the frame c = (n, t1, t2) and of the place p, which slides over both bodies:
 *
 *   two balls              ndot = (I - n n^T) cdot / |c|, c between the centres
 *   a corner or ball       n fixed, p half-way between the material corner (centre) and the plane
 *   over a half-space
 *   all others             n and p differenced along the motion, fourth order (difference.h); where
 *                          the feature does not last that long, n is taken as fixed and p as going
 *                          along with the bodies
 */
#include "mech/assembly/parts.h"

#include <string.h>

/* A step of differencing over the size of the smaller shape [-]. */
static const double TOUCH_STEP = 1e-3;

/* First world axis less than 80 degrees off the tangent plane. */
static int frame_axis(const double n[3]) {
  int axis = 0;
  while (axis < 2 && !mech_frame_has_axis(n, axis)) {
    ++axis;
  }
  return axis;
}

void mech_contact_frame(const double n[3], double frame[9]) {
  const int axis = frame_axis(n);
  const double x = n[0], y = n[1], z = n[2], along = n[axis];
  const double a = (axis == 0) - along * x, b = (axis == 1) - along * y,
               c = (axis == 2) - along * z;
  const double size = sqrt(a * a + b * b + c * c), ta = a / size, tb = b / size, tc = c / size;
  frame[0] = x, frame[1] = y, frame[2] = z;
  frame[3] = ta, frame[4] = tb, frame[5] = tc;
  frame[6] = y * tc - z * tb, frame[7] = z * ta - x * tc, frame[8] = x * tb - y * ta;
}

void mech_contact_frame_rate(const double frame[9], const double ndot[3], double rate[9]) {
  const double *n = frame, *t1 = frame + 3;
  const int axis = frame_axis(n);
  double pdot[3], second[3];
  for (int i = 0; i < 3; ++i) { /* t1 = p/|p|, p = e - n (n . e) */
    pdot[i] = -ndot[axis] * n[i] - n[axis] * ndot[i];
  }
  const double size = sqrt(fmax(1 - n[axis] * n[axis], 0)), along = mech_dot3(t1, pdot);
  memcpy(rate, ndot, 3 * sizeof *rate);
  for (int i = 0; i < 3; ++i) {
    rate[3 + i] = (pdot[i] - along * t1[i]) / size;
  }
  mech_cross3(ndot, t1, rate + 6);
  mech_cross3(n, rate + 3, second);
  mech_add3(1, second, rate + 6);
}

/* How place and normal move. */
struct touch_rate {
  double pdot[3], ndot[3];
};

static int is_ball(const struct mech_shape *s) {
  return s->kind == MECH_SHAPE_POINT || s->kind == MECH_SHAPE_SPHERE;
}
static double ball_radius(const struct mech_shape *s) {
  return s->kind == MECH_SHAPE_SPHERE || s->kind == MECH_SHAPE_CAPSULE ? s->radius : 0;
}
/* Touches a half-space with points that are balls or corners fixed to it. */
static int has_corners(const struct mech_shape *s) {
  return is_ball(s) || s->kind == MECH_SHAPE_BOX || s->kind == MECH_SHAPE_CAPSULE;
}

static struct touch_rate rate_of_balls(const struct mech_touching *pair,
                                       const struct mech_touch *touch) {
  struct touch_rate rate;
  const double *n = touch->normal;
  const double ra = ball_radius(pair->shape[0]), rb = ball_radius(pair->shape[1]);
  const double distance = touch->gap + ra + rb;
  double ca[3], cb[3], va[3], vb[3], apart[3];
  memcpy(ca, touch->point, sizeof ca);
  memcpy(cb, touch->point, sizeof cb);
  mech_add3(-(ra + 0.5 * touch->gap), n, ca);
  mech_add3(rb + 0.5 * touch->gap, n, cb);
  mech_motion_point(pair->body[0], ca, va);
  mech_motion_point(pair->body[1], cb, vb);
  for (int i = 0; i < 3; ++i) {
    apart[i] = vb[i] - va[i];
  }
  const double closing = mech_dot3(n, apart);
  for (int i = 0; i < 3; ++i) {
    rate.ndot[i] = distance > 0 ? (apart[i] - closing * n[i]) / distance : 0;
    rate.pdot[i] = va[i] + rate.ndot[i] * (ra + 0.5 * touch->gap) + 0.5 * closing * n[i];
  }
  return rate;
}

/* other: 0, 1, the one that is not the half-space. */
static struct touch_rate rate_on_plane(const struct mech_touching *pair,
                                       const struct mech_touch *touch, int other) {
  struct touch_rate rate = {.ndot = {0}};
  const double *n = touch->normal, sign = other == 1 ? 1 : -1;
  double c[3];
  memcpy(c, touch->point, sizeof c);
  mech_add3(sign * (0.5 * touch->gap + ball_radius(pair->shape[other])), n, c);
  mech_motion_point(pair->body[other], c, rate.pdot);
  mech_add3(-0.5 * mech_dot3(n, rate.pdot), n, rate.pdot);
  return rate;
}

/* The pose after a time s of the body's motion (Rodrigues' formula). */
struct mech_pose mech_moved_pose(const struct mech_pose *pose, const struct mech_motion *body,
                                 double s) {
  struct mech_pose out;
  const double turn[3] = {s * body->w[0], s * body->w[1], s * body->w[2]};
  const double angle = sqrt(mech_dot3(turn, turn));
  const double f = angle > 0 ? sin(angle) / angle : 1,
               g = angle > 0 ? 2 * sin(0.5 * angle) * sin(0.5 * angle) / (angle * angle) : 0.5;
  for (int j = 0; j < 4; ++j) { /* three axes and the arm to the centre */
    double x[3], once[3], twice[3];
    for (int i = 0; i < 3; ++i) {
      x[i] = j < 3 ? pose->R[3 * i + j] : pose->x[i] - body->x[i];
    }
    mech_cross3(turn, x, once);
    mech_cross3(turn, once, twice);
    for (int i = 0; i < 3; ++i) {
      const double y = x[i] + f * once[i] + g * twice[i];
      *(j < 3 ? &out.R[3 * i + j] : &out.x[i]) = j < 3 ? y : y + body->x[i] + s * body->v[i];
    }
  }
  return out;
}

int mech_touches(const struct mech_touching *pair, double after, double reach,
                 struct mech_touch *touch) {
  const struct mech_pose *pose[2] = {pair->pose[0], pair->pose[1]};
  struct mech_pose moved[2];
  for (int k = 0; k < 2 && after != 0; ++k) {
    moved[k] = mech_moved_pose(pose[k], pair->body[k], after);
    pose[k] = &moved[k];
  }
  const int n = mech_collide(pair->shape[0], pose[0], pair->shape[1], pose[1],
                             pair->a->kind == MECH_PLANAR, reach, touch);
  return pair->a->beside != NULL ? mech_seams_trim(pair, pose, after, n, touch) : n;
}

/* Time step for differences [s]; 0: nothing moves. */
static double difference_time(const struct mech_touching *pair) {
  double size = INFINITY, rate = 0;
  for (int k = 0; k < 2; ++k) {
    const double bound = mech_shape_bound(pair->shape[k]);
    const struct mech_motion *m = pair->body[k];
    double arm[3];
    memcpy(arm, pair->pose[k]->x, sizeof arm);
    mech_add3(-1, m->x, arm);
    size = bound > 0 ? fmin(size, bound) : size;
    rate = fmax(rate, sqrt(mech_dot3(m->v, m->v)));
    if (isfinite(bound)) {
      rate = fmax(rate, sqrt(mech_dot3(m->w, m->w)) * (bound + sqrt(mech_dot3(arm, arm))));
    }
  }
  return rate > 0 && isfinite(size) ? TOUCH_STEP * size / rate : 0;
}

/* The same feature of the pair at time k of the formula, steps of s apart; NULL when it is gone. */
static const struct mech_touch *touch_at(const struct mech_touching *pair, double s, int k,
                                         int feature) {
  struct mech_touch_stencil *stencil = pair->stencil;
  for (; stencil->n_times <= k; ++stencil->n_times) {
    const int time = stencil->n_times;
    const double after = mech_stencil_at[time] * s;
    stencil->n[time] = mech_touches(pair, after, INFINITY, stencil->touch[time]);
  }
  for (int i = 0; i < stencil->n[k]; ++i) {
    if (stencil->touch[k][i].feature == feature) {
      return &stencil->touch[k][i];
    }
  }
  return NULL;
}

static struct touch_rate rate_differenced(const struct mech_touching *pair,
                                          const struct mech_touch *touch) {
  struct touch_rate rate = {.ndot = {0}};
  const double s = difference_time(pair);
  int lasts = s > 0;
  for (int k = 0; k < MECH_STENCIL && lasts; ++k) {
    const struct mech_touch *there = touch_at(pair, s, k, touch->feature);
    lasts = there != NULL;
    if (lasts) {
      mech_add3(mech_stencil_weight[k] / s, there->point, rate.pdot);
      mech_add3(mech_stencil_weight[k] / s, there->normal, rate.ndot);
    }
  }
  if (!lasts) {
    double first[3], second[3];
    mech_motion_point(pair->body[0], touch->point, first);
    mech_motion_point(pair->body[1], touch->point, second);
    rate = (struct touch_rate){.ndot = {0}};
    mech_add3(0.5, first, rate.pdot);
    mech_add3(0.5, second, rate.pdot);
  }
  return rate;
}

static struct touch_rate rate_of(const struct mech_touching *pair, const struct mech_touch *touch) {
  const struct mech_shape *a = pair->shape[0], *b = pair->shape[1];
  if (is_ball(a) && is_ball(b)) {
    return rate_of_balls(pair, touch);
  }
  if (a->kind == MECH_SHAPE_HALFSPACE && has_corners(b)) {
    return rate_on_plane(pair, touch, 1);
  }
  if (b->kind == MECH_SHAPE_HALFSPACE && has_corners(a)) {
    return rate_on_plane(pair, touch, 0);
  }
  return rate_differenced(pair, touch);
}

void mech_touch_bias(const struct mech_touching *pair, const struct mech_touch *touch,
                     const double frame[9], int dim, double *bias) {
  const struct touch_rate rate = rate_of(pair, touch);
  double v[3] = {0}, acc[3] = {0}, turned[9];
  for (int k = 0; k < 2; ++k) {
    const struct mech_motion *m = pair->body[k];
    const double sign = k == 0 ? -1 : 1;
    double slide[3], x[3], arm[3];
    mech_motion_point(m, touch->point, x);
    mech_add3(sign, x, v);
    memcpy(slide, rate.pdot, sizeof slide);
    mech_add3(-1, m->v, slide);
    mech_cross3(m->w, slide, x);
    mech_add3(sign, x, acc);
    memcpy(arm, touch->point, sizeof arm);
    mech_add3(-1, m->x, arm);
    mech_cross3(m->w, arm, x);
    mech_add3(-sign * m->sdot / m->s, x, acc);
  }
  mech_contact_frame_rate(frame, rate.ndot, turned);
  for (int d = 0; d < dim; ++d) {
    bias[d] = mech_dot3(turned + 3 * d, v) + mech_dot3(frame + 3 * d, acc);
  }
}
