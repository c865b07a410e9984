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
#include "mech/assembly/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"

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

/* What is asked for: u may be NULL. */
struct query {
  const struct mech_assembly *a;
  const double *q, *u;
  double reach;
};

/* From the centre of the body of a block to a point; of what has no coordinates, -1, from the
 * origin. */
static inline void arm_to(const struct query *x, int block, const double point[3], double arm[3]) {
  static const double origin[3] = {0};
  const double *centre = block >= 0 ? x->q + (long)block * x->a->body_nq : origin;
  arm[0] = point[0] - centre[0];
  arm[1] = point[1] - centre[1];
  arm[2] = point[2] - (x->a->kind == MECH_PLANAR ? 0 : centre[2]);
}

/* W of contact i on its body k, which has coordinates. */
static void put_block(const struct query *x, int body, const double frame[9],
                      struct mech_contacts *out, int i, int k) {
  const struct mech_motion motion = mech_assembly_motion(x->a, x->q, x->u, body);
  const double *arm = out->arm + 6L * i + 3L * k;
  double *W = mech_contacts_block(out, i, k);
  for (int d = 0; d < out->dim; ++d) {
    double world[3], torque[3];
    mech_cross3(arm, frame + 3 * d, world);
    mech_back3(motion.R, world, torque);
    mech_assembly_put_u(x->a, &motion, body, k == 0 ? -1 : 1, frame + 3 * d, torque,
                        W + d * out->nv);
  }
}

static void put_bodies(const struct query *x, const int body[2], struct mech_contacts *out, int i) {
  for (int k = 0; k < 2; ++k) {
    out->body[2 * i + k] = body[k] < 0 ? -1 : mech_body_block(x->a, body[k]);
  }
}

/* Geometry of contact i, whose bodies are known, for a place on each; points: 2, the same twice for
 * a touch. */
static inline void put_geometry(const struct query *x, const int body[2],
                                const double *const point[2], const double frame[9],
                                struct mech_contacts *out, int i) {
  memcpy(out->frame + 6L * i, frame, 6 * sizeof *frame);
  for (int k = 0; k < 2; ++k) {
    const int block = out->body[2 * i + k];
    arm_to(x, block, point[k], out->arm + 6L * i + 3L * k);
    if (block >= 0 && !out->rigid) {
      put_block(x, body[k], frame, out, i, k);
    }
  }
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

enum { FIRST_BIT = 29, SECOND_BIT = 5, SHAPE_MASK = (1 << 24) - 1 };

static long id_of(int first, int second, int feature) {
  return (long)first << FIRST_BIT | (long)second << SECOND_BIT | feature;
}

static const struct mech_contact_law *law_of(const struct mech_assembly *a, int first, int second) {
  return &a->law[mech_form_of(a, first)->given.material * a->n_materials +
                 mech_form_of(a, second)->given.material];
}

/* What is known of contact i of two shapes but where it acts. */
static void put_pair(const struct query *x, const int shape[2], int feature, double gap,
                     struct mech_contacts *out, int i) {
  const struct mech_contact_law *law = law_of(x->a, shape[0], shape[1]);
  out->id[i] = id_of(shape[0], shape[1], feature);
  out->gN[i] = gap;
  out->mu[i] = law->mu;
  out->eps_N[i] = law->eps_N;
  out->eps_T[i] = law->eps_T;
  put_bodies(x, (const int[2]){x->a->shape[shape[0]].body, x->a->shape[shape[1]].body}, out, i);
}

static int push_touch(const struct query *x, const int shape[2], const struct mech_touch *touch,
                      double frame[9], struct mech_contacts *out) {
  const int body[2] = {x->a->shape[shape[0]].body, x->a->shape[shape[1]].body};
  const int i = mech_contacts_push(out);
  put_pair(x, shape, touch->feature, touch->gap, out, i);
  if (out->visit != NULL) { /* nobody asks where it acts */
    return i;
  }
  mech_contact_frame(touch->normal, frame);
  double point[2][3];
  for (int k = 0; k < 2; ++k) {
    const double apart = out->own_points ? 0.5 * touch->gap : 0;
    memcpy(point[k], touch->point, sizeof point[k]);
    if (apart != 0) {
      mech_add3(k == 0 ? -apart : apart, touch->normal, point[k]);
    }
  }
  put_geometry(x, body, (const double *const[2]){point[0], point[1]}, frame, out, i);
  return i;
}

/* One number for the pieces that touch. */
static int number_of_pieces(const struct mech_piece piece[2]) {
  int number = 0;
  for (int k = 0; k < 2; ++k) {
    number = number << 9 | (int)piece[k].kind << 7 | piece[k].axis << 5 | piece[k].place;
  }
  return number;
}

/* The contacts of a pair, which come with their bias where velocities are known. */
static void push_touches(const struct query *x, const int shape[2], const struct side side[2],
                         struct mech_contacts *out) {
  struct mech_touch touch[MECH_TOUCH_MAX];
  struct mech_touching pair = {.a = x->a,
                               .q = x->q,
                               .number = {shape[0], shape[1]},
                               .shape = {&side[0].shape, &side[1].shape},
                               .pose = {&side[0].pose, &side[1].pose}};
  const int n = mech_touches(&pair, x->reach, touch);
  double frame[9];
  if (x->u == NULL || n == 0) {
    for (int k = 0; k < n; ++k) {
      push_touch(x, shape, &touch[k], frame, out);
    }
    return;
  }
  const struct mech_motion motion[2] = {mech_assembly_motion(x->a, x->q, x->u, side[0].shape.body),
                                        mech_assembly_motion(x->a, x->q, x->u, side[1].shape.body)};
  pair.body[0] = &motion[0];
  pair.body[1] = &motion[1];
  for (int k = 0; k < n; ++k) {
    const int i = push_touch(x, shape, &touch[k], frame, out);
    mech_touch_bias(&pair, &touch[k], frame, out->dim, out->bias + (long)i * out->dim);
    out->piece[i] = (struct mech_contact_piece){number_of_pieces(touch[k].piece), touch[k].inside};
  }
}

/* Geometry of contact `at` of a pair of balls. */
static void put_balls(const struct query *x, const struct mech_balls *s, int k, int at,
                      struct mech_contacts *out) {
  const double apart = out->own_points ? 0.5 * s->gap[k] : 0;
  const int body[2] = {x->a->shape[s->first[k]].body, x->a->shape[s->second[k]].body};
  double frame[9], point[2][3];
  for (int d = 0; d < 3; ++d) {
    frame[d] = s->normal[d][k];
    frame[3 + d] = s->tangent[d][k];
    point[0][d] = s->point[d][k] - apart * frame[d];
    point[1][d] = s->point[d][k] + apart * frame[d];
  }
  if (!out->rigid) {
    mech_cross3(frame, frame + 3, frame + 6);
  }
  put_geometry(x, body, (const double *const[2]){point[0], point[1]}, frame, out, at);
}

/* Contacts of the pairs of balls so far, of which there are none then. */
static void push_balls(const struct query *x, const struct mech_ball *ball, struct mech_balls *s,
                       struct mech_contacts *out) {
  if (s->n == 0) {
    return;
  }
  mech_balls_gaps(ball, x->reach, s);
  int first = 0;
  if (out->visit == NULL) {
    mech_balls_touch(ball, s);
    first = mech_contacts_extend(out, s->n);
  }
  for (int k = 0; k < s->n; ++k) {
    const int shape[2] = {s->first[k], s->second[k]}, at = first + k;
    if (out->visit != NULL) { /* the gap alone */
      const struct mech_touch seen = {.gap = s->gap[k]};
      double frame[9];
      push_touch(x, shape, &seen, frame, out);
      continue;
    }
    put_pair(x, shape, 0, s->gap[k], out, at);
    put_balls(x, s, k, at, out);
  }
  s->n = 0;
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

/* A shape of a pair: of a sphere, where nobody asks how it moves, the centre alone counts. */
static struct side side_at(const struct query *x, const struct mech_ball *ball, int shape) {
  if (x->u != NULL || isnan(ball[shape].radius) || x->a->kind == MECH_PLANAR) {
    return side_of(x->a, x->q, shape);
  }
  struct side s = {.shape = mech_assembly_get_shape(x->a, shape),
                   .pose.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  memcpy(s.pose.x, ball[shape].x, sizeof s.pose.x);
  return s;
}

/* Contacts of shape i with another. side: of shape i, found once where it is asked for (*seen). */
static void contacts_between(const struct query *x, const struct mech_ball *ball, int i, int other,
                             struct side *side, int *seen, struct mech_contacts *out) {
  const struct mech_assembly *a = x->a;
  const int shape[2] = {i, other};
  if (!mech_shape_active(a, other) || are_joined(a, a->shape[i].body, a->shape[other].body)) {
    return;
  }
  if (!(*seen)++) {
    side[0] = side_at(x, ball, i);
  }
  side[1] = side_at(x, ball, other);
  push_touches(x, shape, side, out);
}

/* Contacts of shape i with those after it; balls: pairs whose contacts come first, and may wait. */
static void contacts_of(const struct query *x, const struct mech_pairs *pairs,
                        const struct mech_ball *ball, int i, struct mech_balls *balls,
                        struct mech_contacts *out) {
  const struct mech_assembly *a = x->a;
  const int *end = pairs->second + pairs->start[pairs->n_shapes];
  const int is_ball = x->u == NULL && !isnan(ball[i].radius);
  struct side side[2];
  int near[MECH_BALLS] = {0}, seen = 0;
  for (int k = pairs->start[i]; k < pairs->start[i + 1]; k += MECH_BALLS) {
    const int left = pairs->start[i + 1] - k, n = left < MECH_BALLS ? left : MECH_BALLS;
    const int count = mech_balls_near(ball, i, x->reach, n, pairs->second + k, end, near);
    for (int c = 0; c < count; ++c) {
      if (!is_ball || isnan(ball[near[c]].radius)) {
        push_balls(x, ball, balls, out);
        contacts_between(x, ball, i, near[c], side, &seen, out);
      } else if (!are_joined(a, a->shape[i].body, a->shape[near[c]].body)) {
        balls->first[balls->n] = i;
        balls->second[balls->n++] = near[c];
      }
      if (balls->n == MECH_BALLS) {
        push_balls(x, ball, balls, out);
      }
    }
  }
}

/* Contacts of shapes first ... end - 1 with those after them. */
/* A look at the clock costs as much as the contact of two spheres. */
enum { ASKED_EACH = 64 };

static void contacts_from(const struct query *x, const struct mech_pairs *pairs,
                          const struct mech_ball *ball, int first, int end,
                          struct mech_contacts *out) {
  struct mech_balls balls;
  balls.n = 0;
  for (int i = first; i < end; ++i) {
    if (pairs->start[i] < pairs->start[i + 1] && mech_shape_active(x->a, i)) {
      contacts_of(x, pairs, ball, i, &balls, out);
    }
    if (i % ASKED_EACH == 0) {
      base_clock_ask();
    }
  }
  push_balls(x, ball, &balls, out);
}

/* With fewer pairs a thread threads wait for each other longer than they help. */
enum { THREADED = 4096 };

static int threads_for(const struct query *x, const struct mech_pairs *pairs,
                       const struct mech_contacts *out) {
  const int threads = base_threads() <= out->n_others ? base_threads() : out->n_others + 1;
  const int most = pairs->start[pairs->n_shapes] / THREADED;
  return out->visit != NULL || x->u != NULL || most < 2 ? 1 : most < threads ? most : threads;
}

/* Shapes first[k] ... first[k + 1] - 1 are the k-th thread's. */
struct shares {
  const struct query *x;
  const struct mech_pairs *pairs;
  const struct mech_ball *ball;
  const int *first;
  struct mech_contacts *out;
};

static void contacts_of_share(void *data, int k) {
  const struct shares *s = data;
  contacts_from(s->x, s->pairs, s->ball, s->first[k], s->first[k + 1],
                k == 0 ? s->out : &s->out->others[k - 1]);
}

/* The same of all shapes, each thread with a list of its own for some of them that follow each
 * other. A thread takes no memory: its list has room for whatever its pairs can give. */
static void contacts_by_threads(const struct query *x, const struct mech_pairs *pairs,
                                const struct mech_ball *ball, int threads,
                                struct mech_contacts *out) {
  const int *start = pairs->start;
  const long all = start[pairs->n_shapes];
  int *first = base_arena_ints(out->arena, threads + 1);
  first[threads] = pairs->n_shapes;
  for (int k = threads - 1, i = pairs->n_shapes; k >= 0; --k) {
    long room = 0;
    for (; i > 0 && (k == 0 || start[i] > all * k / threads); --i) {
      for (int j = start[i - 1]; j < start[i]; ++j) {
        room += isnan(ball[i - 1].radius + ball[pairs->second[j]].radius) ? MECH_TOUCH_MAX : 1;
      }
    }
    first[k] = i;
    struct mech_contacts *list = k == 0 ? out : &out->others[k - 1];
    mech_contacts_clear(list);
    list->own_points = out->own_points;
    mech_contacts_reserve(list, (int)room);
  }
  struct shares shares = {x, pairs, ball, first, out};
  base_threads_each(threads, threads, contacts_of_share, &shares);
  mech_contacts_join(out, threads - 1, out->others);
}

/* The pairs of the contacts that are asked for by name, in the arena of the list. */
static struct mech_pairs named_pairs(const struct mech_assembly *a,
                                     const struct mech_contacts *out) {
  int *start = base_arena_ints(out->arena, a->n_shapes + 1);
  int *second = base_arena_ints(out->arena, out->n_only), n = 0;
  for (int i = 0, k = 0; i < a->n_shapes; ++i) {
    start[i] = n;
    for (; k < out->n_only && out->only[k] >> FIRST_BIT == i; ++k) {
      const int other = (int)(out->only[k] >> SECOND_BIT & SHAPE_MASK);
      if (other < a->n_shapes && (n == start[i] || second[n - 1] != other)) {
        second[n++] = other;
      }
    }
  }
  start[a->n_shapes] = n;
  return (struct mech_pairs){
      .n_shapes = a->n_shapes, .is_new = 1, .start = start, .second = second};
}

static void shape_contacts(const struct query *x, struct mech_contacts *out) {
  const struct mech_assembly *a = x->a;
  const struct base_arena_mark mark = base_arena_mark(out->arena);
  struct mech_ball *ball = base_arena_room(out->arena, (size_t)a->n_shapes * sizeof *ball);
  mech_assembly_place(a, x->q, ball);
  const struct mech_pairs pairs =
      out->only != NULL ? named_pairs(a, out)
                        : mech_assembly_near_find(a, x->q, x->reach, ball, out->arena);
  const int is_list = out->visit == NULL, is_news = out->capacity == 0 || pairs.is_new;
  const int threads = threads_for(x, &pairs, out);
  if (threads > 1) {
    contacts_by_threads(x, &pairs, ball, threads, out);
  } else {
    if (is_list && is_news && pairs.start[pairs.n_shapes] > out->capacity) {
      mech_contacts_reserve(out, count_near(a, x->q, x->reach, &pairs));
    }
    contacts_from(x, &pairs, ball, 0, pairs.n_shapes, out);
  }
  base_arena_release(out->arena, mark);
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

static void push_rope(const struct query *x, int number, struct mech_contacts *out) {
  const struct mech_assembly_joint *j = &x->a->joint[x->a->rope[number]];
  struct mech_joint_reach r;
  if (!mech_assembly_joints_act(x->a, &j->given)) {
    return;
  }
  mech_joint_reach(x->a, j, x->q, x->u, &r);
  const double gap = j->given.length - r.length;
  if (gap > x->reach) {
    return;
  }
  const int i = mech_contacts_push(out);
  /* points that coincide: any direction, as long as it is always the same */
  double n[3] = {-r.e[0], -r.e[1], -r.e[2]}, frame[9], point[2][3];
  if (!(r.length > 0)) {
    n[1] = -1;
  }
  mech_contact_frame(n, frame);
  for (int k = 0; k < 2; ++k) {
    memcpy(point[k], r.body[k].x, sizeof point[k]);
    mech_add3(1, r.arm[k], point[k]);
  }
  out->id[i] = ((long)x->a->n_shapes << FIRST_BIT) + number;
  out->gN[i] = gap;
  out->eps_N[i] = j->given.eps_N;
  put_bodies(x, j->given.body, out, i);
  put_geometry(x, j->given.body, (const double *const[2]){point[0], point[1]}, frame, out, i);
  if (x->u != NULL) {
    rope_bias(&r, frame, out->dim, out->bias + (long)i * out->dim);
  }
}

static void assembly_contacts(const struct mech *m, const double *q, const double *u, double reach,
                              struct mech_contacts *out) {
  const struct query x = {.a = m->data, .q = q, .u = u, .reach = reach};
  if (x.a->n_shapes > 0) {
    shape_contacts(&x, out);
  }
  for (int k = 0; k < x.a->n_ropes; ++k) {
    push_rope(&x, k, out);
  }
}

/* Of pairs of materials that shapes of two bodies have, one of which moves, and of ropes. */
static void assembly_restitution(const struct mech *m, double *eps_N, double *eps_T) {
  const struct mech_assembly *a = m->data;
  const int n = a->n_materials;
  const struct base_arena_mark mark = base_arena_mark(a->scratch);
  int *first = base_arena_ints(a->scratch, n), *bodies = base_arena_ints(a->scratch, n);
  int *moves = base_arena_ints(a->scratch, n);
  for (int i = 0; i < a->n_shapes; ++i) {
    const int material = mech_form_of(a, i)->given.material, body = a->shape[i].body;
    if (bodies[material] == 0 || first[material] != body) {
      first[material] = body;
      ++bodies[material];
    }
    moves[material] = moves[material] || !mech_body_immovable(a, body);
  }
  for (int x = 0; x < n; ++x) {
    for (int y = 0; y < n; ++y) {
      const struct mech_contact_law *law = &a->law[x * n + y];
      if (moves[x] && bodies[y] > (x == y)) {
        *eps_N = fmax(*eps_N, law->eps_N);
        *eps_T = fmax(*eps_T, law->mu > 0 ? fabs(law->eps_T) : 0);
      }
    }
  }
  for (int k = 0; k < a->n_ropes; ++k) {
    *eps_N = fmax(*eps_N, a->joint[a->rope[k]].given.eps_N);
  }
  base_arena_release(a->scratch, mark);
}

void mech_assembly_contact_ops(const struct mech_assembly *a, struct mech_ops *ops) {
  if (a->n_shapes > 0 || a->n_ropes > 0) {
    ops->contacts = assembly_contacts;
    ops->bodies.restitution = assembly_restitution;
    mech_assembly_way_ops(ops);
  }
}
