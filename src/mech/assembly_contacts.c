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

static void multiply3(const double A[9], const double B[9], double AB[9]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      AB[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    }
  }
}

static struct mech_pose shape_pose(const struct mech_assembly *a, const struct mech_pose *body,
                                   int shape) {
  const struct mech_assembly_shape *s = &a->shape[shape];
  struct mech_pose pose;
  mech_turn3(body->R, s->given.offset, pose.x);
  mech_add3(1, body->x, pose.x);
  multiply3(body->R, s->R, pose.R);
  return pose;
}

struct mech_pose mech_assembly_shape_pose(const struct mech_assembly *a, const double *q,
                                          int shape) {
  const struct mech_pose body = mech_assembly_pose(a, q, a->shape[shape].given.body);
  return shape_pose(a, &body, shape);
}

void mech_assembly_contacts_prepare(struct mech_assembly *a) {
  const size_t n = (size_t)a->n_shapes;
  a->shapes = base_arena_push(a->arena, n * sizeof *a->shapes);
  a->pose = base_arena_push(a->arena, n * sizeof *a->pose);
  a->bound = base_arena_doubles(a->arena, a->n_shapes);
  a->group = base_arena_ints(a->arena, a->n_shapes);
  a->broad = mech_broad_alloc(base_arena_child(a->arena));
  for (int i = 0; i < a->n_shapes; ++i) {
    a->shapes[i] = a->shape[i].given;
    a->bound[i] = mech_shape_bound(&a->shapes[i]);
  }
  mech_assembly_near_prepare(a);
}

/* Poses and groups of all shapes at q. What cannot move is one group. */
static void place_shapes(const struct mech_assembly *a, const double *q) {
  int last = MECH_WORLD - 1;
  struct mech_pose body = {.x = {0}};
  for (int i = 0; i < a->n_shapes; ++i) {
    const int b = a->shape[i].given.body;
    if (b != last) {
      mech_assembly_pose_of(a, q, b, &body);
      last = b;
    }
    a->pose[i] = shape_pose(a, &body, i);
    if (b >= 0 && !a->active[b]) {
      a->group[i] = MECH_GROUP_NONE;
    } else {
      a->group[i] = b >= 0 && a->block[b] >= 0 ? b : a->n_bodies;
    }
  }
}

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
  if (out->gaps_only) {
    return;
  }
  if (out->compact) {
    memcpy(out->lever + 12L * i, frame, 6 * sizeof *frame);
  }
  for (int k = 0; k < 2; ++k) {
    if (body[k] < 0 || a->block[body[k]] < 0) {
      continue;
    }
    double arm[3];
    memcpy(arm, point[k], sizeof arm);
    mech_add3(-1, motion[k].x, arm);
    out->body[2 * i + k] = a->block[body[k]];
    if (out->compact) { /* no arm: no torque */
      memset(arm, 0, a->body[body[k]].no_rotation ? sizeof arm : 0);
      memcpy(out->lever + 12L * i + 6 + 3L * k, arm, sizeof arm);
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

static void push_touch(const struct mech_assembly *a, int first, int second,
                       const struct mech_motion motion[2], const struct mech_touch *touch,
                       int with_bias, struct mech_contacts *out) {
  const struct mech_shape *s[2] = {&a->shapes[first], &a->shapes[second]};
  const struct mech_assembly_pair *law =
      &a->law[(long)s[0]->material * a->n_materials + s[1]->material];
  const int body[2] = {s[0]->body, s[1]->body}, i = mech_contacts_push(out);
  double frame[9], point[2][3];
  mech_contact_frame(touch->normal, frame);
  memcpy(point[0], touch->point, sizeof point[0]);
  memcpy(point[1], touch->point, sizeof point[1]);
  out->id[i] = (long)first << 29 | (long)second << 5 | touch->feature;
  out->gN[i] = touch->gap;
  out->mu[i] = law->mu;
  out->eps_N[i] = law->eps_N;
  out->eps_T[i] = law->eps_T;
  fill_directions(a, body, motion, (const double(*)[3])point, frame, out, i);
  locate(out, i, touch->point, frame, touch->radius);
  if (with_bias && !out->compact) {
    const struct mech_touching pair = {.shape = {s[0], s[1]},
                                       .pose = {&a->pose[first], &a->pose[second]},
                                       .body = {&motion[0], &motion[1]},
                                       .planar = a->kind == MECH_PLANAR};
    mech_touch_bias(&pair, touch, frame, out->dim, out->bias + (long)i * out->dim);
  }
}

/* The same for a compact list: all that is asked of a body is its centre. */
static void push_compact(const struct mech_assembly *a, const double *q, int first, int second,
                         const struct mech_touch *touch, struct mech_contacts *out) {
  const struct mech_shape *s[2] = {&a->shapes[first], &a->shapes[second]};
  const struct mech_assembly_pair *law =
      &a->law[(long)s[0]->material * a->n_materials + s[1]->material];
  const int i = mech_contacts_push(out);
  out->id[i] = (long)first << 29 | (long)second << 5 | touch->feature;
  out->gN[i] = touch->gap;
  if (out->gaps_only) {
    return;
  }
  double *lever = out->lever + 12L * i, frame[9];
  out->mu[i] = law->mu;
  out->eps_N[i] = law->eps_N;
  out->eps_T[i] = law->eps_T;
  mech_contact_frame(touch->normal, frame);
  memcpy(lever, frame, 6 * sizeof *frame);
  for (int k = 0; k < 2; ++k) {
    const int body = s[k]->body, block = body < 0 ? -1 : a->block[body];
    out->body[2 * i + k] = block;
    for (int j = 0; j < 3 && block >= 0 && !a->body[body].no_rotation; ++j) {
      lever[6 + 3 * k + j] = touch->point[j] - q[(long)block * a->body_nq + j];
    }
  }
}

static void shape_contacts(const struct mech_assembly *a, const double *q, const double *u,
                           double reach, struct mech_contacts *out) {
  const int planar = a->kind == MECH_PLANAR;
  place_shapes(a, q);
  const struct mech_pairs pairs = mech_assembly_near_find(a, reach);
  for (long p = 0; p < pairs.n; ++p) {
    const int i = pairs.first[p], j = pairs.second[p];
    const int bi = a->shapes[i].body, bj = a->shapes[j].body;
    struct mech_touch touch[MECH_TOUCH_MAX];
    if (a->group[i] == MECH_GROUP_NONE || a->group[j] == MECH_GROUP_NONE || are_joined(a, bi, bj)) {
      continue;
    }
    const int n =
        mech_collide(&a->shapes[i], &a->pose[i], &a->shapes[j], &a->pose[j], planar, reach, touch);
    if (n == 0) {
      continue;
    }
    if (out->compact) {
      for (int k = 0; k < n; ++k) {
        push_compact(a, q, i, j, &touch[k], out);
      }
      continue;
    }
    const struct mech_motion motion[2] = {mech_assembly_motion(a, q, u, bi),
                                          mech_assembly_motion(a, q, u, bj)};
    for (int k = 0; k < n; ++k) {
      push_touch(a, i, j, motion, &touch[k], u != NULL, out);
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
  if (j->given.length - r.length > reach) {
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
  out->id[i] = ((long)a->n_shapes << 29) + number;
  out->gN[i] = j->given.length - r.length;
  if (!out->gaps_only) {
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
    const int body = a->shapes[i].body;
    if (!mech_assembly_moves(a, body)) {
      continue;
    }
    const double *v = u + (long)a->block[body] * a->body_nu, *x = a->shapes[i].offset;
    const double v2 = v[0] * v[0] + v[1] * v[1] + (a->kind == MECH_PLANAR ? 0 : v[2] * v[2]);
    const double speed =
        sqrt(v2) + mech_assembly_turning(a, q, u, body) * (sqrt(mech_dot3(x, x)) + a->bound[i]);
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

void mech_assembly_contact_ops(const struct mech_assembly *a, struct mech_ops *ops) {
  if (a->n_shapes > 0 || a->n_ropes > 0) {
    ops->contacts = assembly_contacts;
    ops->approach = assembly_approach;
  }
}
