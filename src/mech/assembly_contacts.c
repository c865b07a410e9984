/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts of an assembly: what its shapes do with each other, and ropes.
 *
 *   W_d = c_d for v and R^T ((p - x) x c_d) for the torque, minus that for the first body,
 *
 * with the place p and the frame c = (n, t1, t2). Ids: (first shape) 2^29 + (second) 2^5 + feature,
 * shapes below 2^24; ropes after all shapes. A rope of length L between two points, d from the
 * first to the second, is the contact of gap L - |d| with n = -d/|d|: its impulse pulls the points
 * together. It has no friction (mu = 0), but W_T all the same, the relative velocity of the points
 * across the rope, so that A_ii is regular and every solver can take it.
 */
#include "mech/assembly_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct mech_assembly *of(const struct mech *m) { return m->data; }

int mech_compare_longs(const void *x, const void *y) {
  const long a = *(const long *)x, b = *(const long *)y;
  return (a > b) - (a < b);
}

static int are_joined(const struct mech_assembly *a, int first, int second) {
  if (a->n_joined == 0 || a->collide_joined || first < 0 || second < 0) {
    return 0;
  }
  const long lo = first < second ? first : second, hi = first < second ? second : first;
  const long key = lo * a->n_bodies + hi;
  return bsearch(&key, a->joined, (size_t)a->n_joined, sizeof key, mech_compare_longs) != NULL;
}

/* Blocks of W for a place on each body; points: 2, the same twice for a touch. */
static void fill_directions(const struct mech_assembly *a, const int body[2],
                            const struct mech_motion motion[2], const double point[2][3],
                            const double frame[9], struct mech_contacts *out, int i) {
  double *lever = out->compact ? out->lever + mech_contacts_stride(out) * (size_t)i : NULL;
  if (out->compact) {
    memcpy(lever, frame, 6 * sizeof *frame);
  }
  for (int k = 0; k < 2; ++k) {
    const int block = body[k] < 0 ? -1 : mech_body_block(a, body[k]);
    if (block < 0) {
      continue;
    }
    double arm[3];
    memcpy(arm, point[k], sizeof arm);
    mech_add3(-1, motion[k].x, arm);
    out->body[2 * i + k] = block;
    if (out->compact) { /* no arm: no torque */
      memset(arm, 0, mech_body_turns(a, body[k]) ? 0 : sizeof arm);
      memcpy(lever + 6 + 3 * k, arm, sizeof arm); /* ropes: not in central systems */
      continue;
    }
    double *W = mech_contacts_block(out, i, k);
    for (int d = 0; d < out->dim; ++d) {
      double world[3], torque[3];
      mech_cross3(arm, frame + 3 * d, world);
      mech_back3(motion[k].R, world, torque);
      mech_assembly_put_u(a, &motion[k], body[k], k == 0 ? -1 : 1, frame + 3 * d, torque,
                          W + d * out->nv);
    }
  }
}

static void locate(struct mech_contacts *out, int i, const double point[3], const double frame[9],
                   double radius) {
  if (!out->located) {
    return;
  }
  memcpy(out->point + 3L * i, point, 3 * sizeof *point);
  memcpy(out->frame + 9L * i, frame, 9 * sizeof *frame);
  out->radius[i] = radius;
}

/* --- shapes --- */

/* A shape of a pair, and its pose. */
struct side {
  struct mech_shape shape;
  struct mech_pose pose;
};

static struct side side_of(const struct mech_assembly *a, const double *q, int shape) {
  struct side s = {.shape = mech_assembly_get_shape(a, shape)};
  struct mech_pose body;
  mech_assembly_pose_of(a, q, s.shape.body, &body);
  s.pose = mech_shape_pose(a, &body, shape);
  return s;
}

static long id_of(int first, int second, int feature) {
  return (long)first << 29 | (long)second << 5 | feature;
}

static int law_of(const struct mech_assembly *a, int first, int second) {
  return mech_form_of(a, first)->given.material * a->n_materials +
         mech_form_of(a, second)->given.material;
}

/* motion: of the two bodies. */
static void push_touch(const struct mech_assembly *a, const int shape[2], const struct side side[2],
                       const struct mech_motion motion[2], const struct mech_touch *touch,
                       int with_bias, struct mech_contacts *out) {
  const struct mech_contact_law *law = &a->law[law_of(a, shape[0], shape[1])];
  const int body[2] = {side[0].shape.body, side[1].shape.body}, i = mech_contacts_push(out);
  double frame[9], point[2][3];
  mech_contact_frame(touch->normal, frame);
  memcpy(point[0], touch->point, sizeof point[0]);
  memcpy(point[1], touch->point, sizeof point[1]);
  out->id[i] = id_of(shape[0], shape[1], touch->feature);
  out->gN[i] = touch->gap;
  out->mu[i] = law->mu;
  out->eps_N[i] = law->eps_N;
  out->eps_T[i] = law->eps_T;
  fill_directions(a, body, motion, (const double(*)[3])point, frame, out, i);
  locate(out, i, touch->point, frame, touch->radius);
  if (with_bias) {
    const struct mech_touching pair = {.shape = {&side[0].shape, &side[1].shape},
                                       .pose = {&side[0].pose, &side[1].pose},
                                       .body = {&motion[0], &motion[1]},
                                       .planar = a->kind == MECH_PLANAR};
    mech_touch_bias(&pair, touch, frame, out->dim, out->bias + (long)i * out->dim);
  }
}

/* The same for a compact list: all that is asked of a body is its centre. */
static void push_compact(const struct mech_assembly *a, const double *q, const int shape[2],
                         const struct mech_touch *touch, struct mech_contacts *out) {
  const long id = id_of(shape[0], shape[1], touch->feature);
  if (out->gaps_only) {
    mech_contacts_push_gap(out, id, touch->gap);
    return;
  }
  const int i = mech_contacts_push(out);
  out->id[i] = id;
  out->gN[i] = touch->gap;
  double *lever = out->lever + mech_contacts_stride(out) * (size_t)i, frame[9];
  out->law[i] = law_of(a, shape[0], shape[1]);
  out->mu[i] = a->law[out->law[i]].mu;
  mech_contact_frame(touch->normal, frame);
  memcpy(lever, frame, 6 * sizeof *frame);
  for (int k = 0; k < 2; ++k) {
    const int body = a->shape[shape[k]].body, block = body < 0 ? -1 : mech_body_block(a, body);
    out->body[2 * i + k] = block;
    double arm[3] = {0};
    for (int j = 0; j < 3 && block >= 0 && mech_body_turns(a, body); ++j) {
      arm[j] = touch->point[j] - q[(long)block * a->body_nq + j];
    }
    if (out->central) {
      lever[6 + k] = mech_dot3(touch->normal, arm);
    } else {
      memcpy(lever + 6 + 3 * k, arm, sizeof arm);
    }
  }
}

static int is_lean(const struct mech_contacts *out) { return out->compact || out->gaps_only; }

/* Contacts of a pair that may touch; side[0] is known. */
static void collide_pair(const struct mech_assembly *a, const double *q, const double *u,
                         double reach, const int shape[2], struct side side[2],
                         struct mech_contacts *out) {
  struct mech_touch touch[MECH_TOUCH_MAX];
  side[1] = side_of(a, q, shape[1]);
  const int n = mech_collide(&side[0].shape, &side[0].pose, &side[1].shape, &side[1].pose,
                             a->kind == MECH_PLANAR, reach, touch);
  if (n > 0 && !is_lean(out)) {
    const struct mech_motion motion[2] = {mech_assembly_motion(a, q, u, side[0].shape.body),
                                          mech_assembly_motion(a, q, u, side[1].shape.body)};
    for (int k = 0; k < n; ++k) {
      push_touch(a, shape, side, motion, &touch[k], u != NULL, out);
    }
  }
  for (int k = 0; k < n && is_lean(out); ++k) {
    push_compact(a, q, shape, &touch[k], out);
  }
}

/* Farther than reach by more than rounding, of squares. */
static const double SURELY = 1 + 1e-12;

/* Whether two spheres touch, by centres and radii alone; *touch is theirs then. */
static int spheres_touch(const struct mech_assembly *a, const double *q, double reach,
                         const int shape[2], const double x[3], struct mech_touch *touch) {
  const double far = a->shape[shape[0]].radius + a->shape[shape[1]].radius + reach;
  double y[3], d2 = 0;
  mech_shape_centre(a, q, shape[1], y);
  for (int k = 0; k < 3; ++k) {
    d2 += (y[k] - x[k]) * (y[k] - x[k]);
  }
  if (d2 > far * far * SURELY) { /* most pairs that are kept, and without a root */
    return 0;
  }
  return mech_collide_balls(x, a->shape[shape[0]].radius, y, a->shape[shape[1]].radius, reach,
                            touch) > 0;
}

static int is_sphere(const struct mech_assembly *a, int shape) {
  return mech_form_of(a, shape)->given.kind == MECH_SHAPE_SPHERE;
}

/* Pairs whose balls are within reach, about as many as there will be contacts. */
static int count_near(const struct mech_assembly *a, const double *q, double reach,
                      const struct mech_pairs *pairs) {
  int count = 0;
  for (int i = 0; i < pairs->n_shapes; ++i) {
    double x[3], y[3];
    if (pairs->start[i] == pairs->start[i + 1]) {
      continue;
    }
    mech_shape_centre(a, q, i, x);
    for (int k = pairs->start[i]; k < pairs->start[i + 1]; ++k) {
      const int j = pairs->second[k];
      const double far = mech_shape_size(a, i) + mech_shape_size(a, j) + reach;
      mech_shape_centre(a, q, j, y);
      mech_add3(-1, x, y);
      count += mech_dot3(y, y) <= far * far;
    }
  }
  return count;
}

/* Contacts of shape i with those after it. */
static void contacts_of(const struct mech_assembly *a, const double *q, const double *u,
                        double reach, const struct mech_pairs *pairs, int i,
                        struct mech_contacts *out) {
  const int body = a->shape[i].body, sphere = is_sphere(a, i);
  struct side side[2];
  double x[3];
  int seen = 0;
  mech_shape_centre(a, q, i, x);
  for (int k = pairs->start[i]; k < pairs->start[i + 1]; ++k) {
    const int shape[2] = {i, pairs->second[k]}, other = a->shape[shape[1]].body;
    struct mech_touch touch;
    if ((other >= 0 && !mech_body_active(a, other)) || are_joined(a, body, other)) {
      continue;
    }
    if (sphere && is_sphere(a, shape[1])) {
      const int touches = spheres_touch(a, q, reach, shape, x, &touch);
      if (touches && is_lean(out)) {
        push_compact(a, q, shape, &touch, out);
      }
      if (!touches || is_lean(out)) {
        continue;
      }
    }
    if (!seen++) {
      side[0] = side_of(a, q, i);
    }
    collide_pair(a, q, u, reach, shape, side, out);
  }
}

static void shape_contacts(const struct mech_assembly *a, const double *q, const double *u,
                           double reach, struct mech_contacts *out) {
  const struct mech_pairs pairs = mech_assembly_near_find(a, q, reach, out->arena);
  if (out->take == NULL && pairs.start[pairs.n_shapes] > out->capacity) {
    mech_contacts_reserve(out, count_near(a, q, reach, &pairs));
  }
  for (int i = 0; i < pairs.n_shapes; ++i) {
    const int body = a->shape[i].body;
    if (pairs.start[i] < pairs.start[i + 1] && (body < 0 || mech_body_active(a, body))) {
      contacts_of(a, q, u, reach, &pairs, i, out);
    }
  }
}

/* --- ropes --- */

static void rope_bias(const struct mech_joint_reach *r, const double frame[9], int dim,
                      double *bias) {
  const double along = mech_dot3(r->e, r->rate);
  double ndot[3], turned[9], acc[3];
  memcpy(acc, r->turn, sizeof acc);
  for (int k = 0; k < 2; ++k) { /* scalable: w changes at constant u */
    const struct mech_motion *m = &r->body[k];
    double x[3];
    mech_cross3(m->w, r->arm[k], x);
    mech_add3((k == 0 ? 1 : -1) * m->sdot / m->s, x, acc);
  }
  for (int i = 0; i < 3; ++i) {
    ndot[i] = r->length > 0 ? -(r->rate[i] - along * r->e[i]) / r->length : 0;
  }
  mech_contact_frame_rate(frame, ndot, turned);
  for (int d = 0; d < dim; ++d) {
    bias[d] = mech_dot3(turned + 3 * d, r->rate) + mech_dot3(frame + 3 * d, acc);
  }
}

static void push_rope(const struct mech_assembly *a, int number, const double *q, const double *u,
                      double reach, struct mech_contacts *out) {
  const struct mech_assembly_joint *j = &a->joint[a->rope[number]];
  struct mech_joint_reach r;
  if (!mech_assembly_joints_act(a, &j->given)) {
    return;
  }
  mech_joint_reach(a, j, q, u, &r);
  const long id = ((long)a->n_shapes << 29) + number;
  const double gap = j->given.length - r.length;
  if (gap > reach) {
    return;
  }
  if (out->gaps_only) {
    mech_contacts_push_gap(out, id, gap);
    return;
  }
  const int i = mech_contacts_push(out);
  /* points that coincide: any direction, as long as it is always the same */
  double n[3] = {-r.e[0], -r.e[1], -r.e[2]}, frame[9], point[2][3], middle[3];
  if (!(r.length > 0)) {
    n[1] = -1;
  }
  mech_contact_frame(n, frame);
  for (int k = 0; k < 2; ++k) {
    memcpy(point[k], r.body[k].x, sizeof point[k]);
    mech_add3(1, r.arm[k], point[k]);
  }
  for (int k = 0; k < 3; ++k) {
    middle[k] = 0.5 * (point[0][k] + point[1][k]);
  }
  out->id[i] = id;
  out->gN[i] = gap;
  if (out->compact) {
    out->law[i] = a->n_materials * a->n_materials + number;
  } else {
    out->eps_N[i] = j->given.eps_N;
  }
  fill_directions(a, j->given.body, r.body, (const double(*)[3])point, frame, out, i);
  locate(out, i, middle, frame, INFINITY);
  if (u != NULL && !out->compact) {
    rope_bias(&r, frame, out->dim, out->bias + (long)i * out->dim);
  }
}

static void assembly_contacts(const struct mech *m, const double *q, const double *u, double reach,
                              struct mech_contacts *out) {
  const struct mech_assembly *a = of(m);
  out->laws = a->law;
  if (a->n_shapes > 0) {
    shape_contacts(a, q, u, reach, out);
  }
  for (int k = 0; k < a->n_ropes; ++k) {
    push_rope(a, k, q, u, reach, out);
  }
}

/* The two largest speeds of surfaces on different bodies, and of the ends of a rope. */
static double assembly_approach(const struct mech *m, const double *q, const double *u, double dt) {
  const struct mech_assembly *a = of(m);
  double first = 0, second = 0, rope = 0;
  int fastest = MECH_WORLD;
  for (int i = 0; i < a->n_shapes; ++i) {
    const int body = a->shape[i].body;
    if (!mech_assembly_moves(a, body)) {
      continue;
    }
    const double *v = u + (long)mech_body_block(a, body) * a->body_nu;
    const double v2 = v[0] * v[0] + v[1] * v[1] + (a->kind == MECH_PLANAR ? 0 : v[2] * v[2]);
    const double speed = sqrt(v2) + mech_assembly_turning(a, q, u, body) *
                                        (mech_form_of(a, i)->arm + mech_shape_size(a, i));
    if (body == fastest || speed > first) {
      second = body == fastest ? second : first;
      first = fmax(first, speed);
      fastest = body;
    } else {
      second = fmax(second, speed);
    }
  }
  for (int k = 0; k < a->n_ropes; ++k) {
    struct mech_joint_reach r;
    double speed = 0;
    mech_joint_reach(a, &a->joint[a->rope[k]], q, u, &r);
    for (int i = 0; i < 2; ++i) {
      speed += sqrt(mech_dot3(r.body[i].v, r.body[i].v)) +
               sqrt(mech_dot3(r.body[i].w, r.body[i].w) * mech_dot3(r.arm[i], r.arm[i]));
    }
    rope = fmax(rope, speed);
  }
  return dt * fmax(first + second, rope);
}

int mech_assembly_is_central(const struct mech_assembly *a) {
  int central = a->kind == MECH_SPATIAL && a->n_ropes == 0 && a->moments == 1;
  for (int i = 0; i < a->n_shapes && central; ++i) {
    const struct mech_assembly_form *form = mech_form_of(a, i);
    const int body = a->shape[i].body, kind = (int)form->given.kind;
    const int moves = body >= 0 && mech_body_block(a, body) >= 0 && mech_body_turns(a, body);
    central = !moves || ((kind == MECH_SHAPE_SPHERE || kind == MECH_SHAPE_POINT) && form->arm == 0);
  }
  return central;
}

void mech_assembly_contact_ops(const struct mech_assembly *a, struct mech_ops *ops) {
  if (a->n_shapes > 0 || a->n_ropes > 0) {
    ops->contacts = assembly_contacts;
    ops->approach = assembly_approach;
  }
}
