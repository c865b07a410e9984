/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From an assembly to a system: blocks of the bodies that move, laws of the pairs of materials,
 * joints numbered, names of the columns, scales, and a state that satisfies the joints.
 *
 * Scales where none are given: the length is the diagonal of the box that holds all bodies, shapes
 * and ends of joints at the start (1 m for nothing but a point), the speed the largest of a surface
 * at the start or sqrt(g length), that of a fall (1 m/s where nothing falls or moves).
 *
 * Everything is linear in the number of bodies, joints and shapes, and so is mech_project for
 * chains and trees, which is left out when the state given satisfies the joints to rounding. What
 * was needed to get here is given back: of a body that moves and turns 17 bytes stay when it is
 * round (33 else), and of each shape 16, beside q and u.
 */
#include "mech/assembly/parts.h"

#include "base/status.h"
#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Constraints and rates this many last places from zero, over the coordinates' or velocities'
 * scale, hold to rounding. */
static const double FINISH_LAST_PLACES = 16 * DBL_EPSILON;

/* Blocks of the bodies that move; the numbers are the bodies' own when all do. */
static void number_blocks(struct mech_assembly *a) {
  for (int b = 0; b < a->n_bodies; ++b) {
    a->n_blocks += !mech_given(a, b)->fixed;
  }
  if (a->n_blocks == a->n_bodies) {
    return;
  }
  a->block = base_arena_ints(a->arena, a->n_bodies);
  a->body_of_block = base_arena_ints(a->arena, a->n_blocks);
  for (int b = 0, block = 0; b < a->n_bodies; ++b) {
    a->block[b] = mech_given(a, b)->fixed ? -1 : block;
    if (!mech_given(a, b)->fixed) {
      a->body_of_block[block++] = b;
    }
  }
}

/* Whether bodies that turn have the same moment of inertia about every axis. */
static int all_round(const struct mech_assembly *a) {
  int round = 1;
  for (int b = 0; b < a->n_bodies; ++b) {
    const double *I = mech_given(a, b)->inertia;
    round &=
        mech_given(a, b)->fixed || mech_given(a, b)->no_rotation || (I[0] == I[1] && I[1] == I[2]);
  }
  return round;
}

static void keep_inertia(struct mech_assembly *a) {
  a->moments = all_round(a) ? 1 : 3;
  a->mass = base_arena_doubles(a->arena, a->n_bodies);
  a->inertia =
      base_arena_push(a->arena, (size_t)a->n_bodies * (size_t)a->moments * sizeof *a->inertia);
  a->traits = base_arena_push(a->arena, (size_t)a->n_bodies * sizeof *a->traits);
  for (int b = 0; b < a->n_bodies; ++b) {
    const struct mech_body *g = mech_given(a, b);
    a->mass[b] = g->mass;
    memcpy(a->inertia + (long)a->moments * b, g->inertia, (size_t)a->moments * sizeof *g->inertia);
    a->traits[b] =
        (unsigned char)((g->fixed ? MECH_FIXED : 0) | (g->no_rotation ? MECH_NO_ROTATION : 0));
  }
}

/* Poses of bodies that do not get theirs from q, or not all of it; names where there are any. */
static void keep_poses_and_names(struct mech_assembly *a) {
  int poses = 0, names = 0;
  for (int b = 0; b < a->n_bodies; ++b) {
    poses += mech_given(a, b)->fixed || mech_given(a, b)->no_rotation;
    names += mech_given(a, b)->name[0] != '\0';
  }
  if (names > 0) {
    a->name_of = base_arena_push(a->arena, (size_t)a->n_bodies * sizeof *a->name_of);
  }
  if (poses > 0) {
    a->pose_of = base_arena_ints(a->arena, a->n_bodies);
    a->pose = base_arena_push(a->arena, (size_t)poses * sizeof *a->pose);
  }
  for (int b = 0, k = 0; b < a->n_bodies; ++b) {
    const struct mech_body *g = mech_given(a, b);
    if (names > 0) {
      a->name_of[b] = g->name;
    }
    if (poses > 0) {
      a->pose_of[b] = g->fixed || g->no_rotation ? k++ : -1;
    }
    if (poses > 0 && a->pose_of[b] >= 0) {
      struct mech_assembly_pose *pose = &a->pose[a->pose_of[b]];
      memcpy(pose->x, g->position, sizeof pose->x);
      memcpy(pose->orientation, g->orientation, sizeof pose->orientation);
      pose->phi = g->phi;
      mech_assembly_rotation(g->orientation, pose->R);
    }
  }
}

/* Out of the draft, with no room to spare; shapes stay where room was reserved for them. */
static void keep_shapes(struct mech_assembly *a) {
  const size_t shapes = (size_t)a->n_shapes, forms = (size_t)a->n_forms;
  struct mech_assembly_form *form = base_arena_push(a->arena, forms * sizeof *form);
  if (shapes > 0) {
    memcpy(form, a->form, forms * sizeof *form);
  }
  a->form = form;
  if (shapes > 0 && a->shape != a->reserved) {
    struct mech_assembly_shape *shape = base_arena_push(a->arena, shapes * sizeof *shape);
    memcpy(shape, a->shape, shapes * sizeof *shape);
    a->shape = shape;
  }
}

static void combine_materials(struct mech_assembly *a) {
  const int n = a->n_materials;
  a->law = base_arena_push(a->arena, (size_t)n * (size_t)n * sizeof *a->law);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const struct mech_material *x = &a->material[i], *y = &a->material[j];
      a->law[i * n + j] = (struct mech_contact_law){fmax(x->mu, y->mu), fmin(x->eps_N, y->eps_N),
                                                    fmin(x->eps_T, y->eps_T)};
    }
  }
  for (int k = 0; k < a->n_pairs; ++k) {
    const struct mech_assembly_pair *p = &a->pair[k];
    a->law[p->first * n + p->second] = a->law[p->second * n + p->first] =
        (struct mech_contact_law){p->mu, p->eps_N, p->eps_T};
  }
}

/* Rows of the joints, ropes, and who is joined; the number of rows. */
static int number_joints(struct mech_assembly *a) {
  int rows = 0;
  a->rope = base_arena_ints(a->arena, a->n_joints);
  a->joined = base_arena_longs(a->arena, a->n_joints);
  for (int i = 0; i < a->n_joints; ++i) {
    struct mech_assembly_joint *j = &a->joint[i];
    const long first = j->given.body[0], second = j->given.body[1];
    j->frame.first_row = rows;
    rows += j->frame.rows;
    if (j->given.kind == MECH_JOINT_ROPE) {
      a->rope[a->n_ropes++] = i;
    }
    if (j->frame.rows > 0 && first >= 0 && second >= 0) {
      a->joined[a->n_joined++] =
          first < second ? first * a->n_bodies + second : second * a->n_bodies + first;
    }
  }
  qsort(a->joined, (size_t)a->n_joined, sizeof *a->joined, mech_compare_longs);
  return rows;
}

/* --- names --- */

/* body.suffix for every moving body; suffixes: n of them. One piece of memory for all. */
static const char *const *column_names(const struct mech_assembly *a, int n,
                                       const char *const *suffixes) {
  size_t size = 0;
  for (int k = 0; k < a->n_blocks; ++k) {
    for (int i = 0; i < n; ++i) {
      size += strlen(mech_given(a, mech_block_body(a, k))->name) + strlen(suffixes[i]) + 2;
    }
  }
  const char **names = base_arena_push(a->arena, (size_t)a->n_blocks * (size_t)n * sizeof *names);
  char *text = base_arena_push(a->arena, size);
  for (int k = 0; k < a->n_blocks; ++k) {
    const char *body = mech_given(a, mech_block_body(a, k))->name;
    const size_t length = strlen(body);
    for (int i = 0; i < n; ++i) {
      const size_t more = strlen(suffixes[i]) + 1;
      names[(long)k * n + i] = text;
      memcpy(text, body, length); /* NOLINT: the end follows */
      text[length] = '.';
      memcpy(text + length + 1, suffixes[i], more);
      text += length + 1 + more;
    }
  }
  return names;
}

static void name_columns(const struct mech_assembly *a, struct mech *m) {
  static const char *const q_space[] = {"x", "y", "z", "a0", "a1", "a2", "a3"},
                           *const u_space[] = {"vx", "vy", "vz", "wx", "wy", "wz"},
                           *const q_plane[] = {"x", "y", "phi"},
                           *const u_plane[] = {"vx", "vy", "w"};
  const int planar = a->kind == MECH_PLANAR, nu_body = planar ? 3 : 6;
  if (a->published.observe != NULL) {
    m->nq_out = a->published.nq;
    m->nu_out = a->published.nu;
    m->q_names = a->published.q_names;
    m->u_names = a->published.u_names;
    return;
  }
  m->nq_out = m->nq;
  m->nu_out = a->n_blocks * nu_body;
  m->q_names = column_names(a, planar ? 3 : 7, planar ? q_plane : q_space);
  m->u_names = column_names(a, nu_body, planar ? u_plane : u_space);
}

/* --- scales --- */

static void stretch(double box[2][3], const double x[3], double by) {
  for (int i = 0; i < 3; ++i) {
    box[0][i] = fmin(box[0][i], x[i] - by);
    box[1][i] = fmax(box[1][i], x[i] + by);
  }
}

static void choose_scales(struct mech_assembly *a) {
  double box[2][3] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  const struct base_arena_mark mark = base_arena_mark(a->draft);
  double *reach = base_arena_doubles(a->draft, a->n_bodies), diagonal = 0, fastest = 0;
  for (int i = 0; i < a->n_shapes; ++i) {
    const int body = a->shape[i].body;
    const double bound = mech_shape_size(a, i) + mech_form_of(a, i)->arm;
    if (body >= 0 && isfinite(bound)) {
      reach[body] = fmax(reach[body], bound);
    }
  }
  for (int b = 0; b < a->n_bodies; ++b) {
    const struct mech_body *body = mech_given(a, b);
    stretch(box, body->position, reach[b]);
    if (!body->fixed) {
      const double turn = body->no_rotation ? 0 : la_norm2(3, body->omega);
      fastest = fmax(fastest, la_norm2(3, body->velocity) + turn * reach[b]);
    }
  }
  base_arena_release(a->draft, mark);
  for (int i = 0; i < a->n_joints; ++i) {
    const struct mech_joint *j = &a->joint[i].given;
    stretch(box, j->point, 0);
    if (j->kind == MECH_JOINT_ROD || j->kind == MECH_JOINT_ROPE || j->kind == MECH_JOINT_SPRING) {
      stretch(box, j->end, 0);
    }
  }
  for (int i = 0; i < 3; ++i) {
    diagonal = hypot(diagonal, box[1][i] - box[0][i]);
  }
  if (!(a->length > 0)) {
    a->length = diagonal > 0 ? diagonal : 1;
  }
  if (!(a->speed > 0)) {
    a->speed = fmax(fastest, sqrt(la_norm2(3, a->gravity) * a->length));
    a->speed = a->speed > 0 ? a->speed : 1;
  }
}

/* --- the state --- */

/* Pieces of what was given go as soon as they are read. */
static void given_state(struct mech_assembly *a, double *q, double *u) {
  int read = 0;
  for (int k = 0; k < a->n_blocks; ++k) {
    for (; read < mech_block_body(a, k) / MECH_GIVEN; ++read) {
      base_arena_empty(a->given[read].arena);
    }
    const struct mech_body *b = mech_given(a, mech_block_body(a, k));
    double *qk = q + (long)k * a->body_nq, *uk = u + (long)k * a->body_nu;
    const int turns = !b->no_rotation;
    if (a->kind == MECH_PLANAR) {
      qk[0] = b->position[0], qk[1] = b->position[1], qk[2] = b->phi;
      uk[0] = b->velocity[0], uk[1] = b->velocity[1], uk[2] = turns ? b->omega[2] : 0;
      continue;
    }
    memcpy(qk, b->position, 3 * sizeof *qk);
    memcpy(qk + 3, b->orientation, 4 * sizeof *qk);
    memcpy(uk, b->velocity, 3 * sizeof *uk);
    if (turns) {
      memcpy(uk + a->body_nu - 3, b->omega, 3 * sizeof *uk);
    }
  }
  a->given = NULL;
}

/* Whether the joints hold to rounding on both levels. */
static int state_holds(const struct mech *m, const double *q, const double *u,
                       struct base_arena *scratch) {
  const struct base_arena_mark mark = base_arena_mark(scratch);
  double *g = base_arena_doubles(scratch, m->ns);
  m->ops->bilateral(m, q, g);
  int holds = la_norm_inf(m->ns, g) <= FINISH_LAST_PLACES * fmax(la_norm_inf(m->nq, q), m->length);
  mech_assembly_bilateral_rate(m, q, u, g);
  holds &= la_norm_inf(m->ns, g) <= FINISH_LAST_PLACES * fmax(la_norm_inf(m->nu, u), m->speed);
  base_arena_release(scratch, mark);
  return holds;
}

static double largest_change(int n, const double *x, double *y) {
  la_axpy(n, -1, x, y);
  return la_norm_inf(n, y);
}

/* The constraint that a state misses most. */
static void note_missed(const struct mech *m, const double *q, struct base_arena *scratch,
                        struct mech_assembly_start *start) {
  const struct base_arena_mark mark = base_arena_mark(scratch);
  double *g = base_arena_doubles(scratch, m->ns);
  m->ops->bilateral(m, q, g);
  for (int i = 0; i < m->ns; ++i) {
    if (fabs(g[i]) > start->missed) {
      start->missed = fabs(g[i]);
      start->row = i;
    }
  }
  base_arena_release(scratch, mark);
}

static int start_state(struct mech_assembly *a, const struct mech *m, double *q, double *u,
                       struct mech_assembly_start *start) {
  const unsigned char *given = m->clock != NULL ? mech_assembly_given(a, a->draft) : NULL;
  int status = BASE_OK;
  *start = (struct mech_assembly_start){{0, 0}, 0, 0};
  given_state(a, q, u);
  if (m->ns > 0 && !state_holds(m, q, u, a->draft)) {
    note_missed(m, q, a->draft, start);
    double *q0 = base_arena_doubles(a->draft, m->nq), *u0 = base_arena_doubles(a->draft, m->nu);
    la_copy(m->nq, q, q0);
    la_copy(m->nu, u, u0);
    status =
        given != NULL ? mech_project_position(m, q, a->draft) : mech_project(m, q, u, a->draft);
    if (m->ops->normalise != NULL) {
      m->ops->normalise(m, q);
    }
    start->moved = (struct mech_drift){largest_change(m->nq, q, q0), largest_change(m->nu, u, u0)};
  }
  if (status == BASE_OK && given != NULL) {
    mech_assembly_take_motion(m, q, given, u, a->draft);
  }
  return status;
}

int mech_assembly_finish(struct mech_assembly *a, struct mech **system, double **q, double **u,
                         struct mech_assembly_start *start) {
  struct mech_assembly_start unasked;
  if (a->closed) {
    return base_fail(BASE_E_INPUT, "%s: finished already", a->name);
  }
  number_blocks(a);
  if (a->n_blocks == 0) {
    return base_fail(BASE_E_INPUT, "%s: no body moves", a->name);
  }
  a->closed = 1;
  const int rows = number_joints(a);
  combine_materials(a);
  choose_scales(a);
  keep_inertia(a);
  keep_poses_and_names(a);
  keep_shapes(a);
  mech_assembly_near_prepare(a);
  struct mech *m = base_arena_push(a->arena, sizeof *m);
  *m = (struct mech){.name = a->name,
                     .ops = &a->ops,
                     .data = a,
                     .nq = a->n_blocks * a->body_nq,
                     .nu = a->n_blocks * a->body_nu,
                     .ns = rows + (a->kind == MECH_SCALABLE ? a->n_blocks : 0),
                     .dim = a->kind == MECH_PLANAR ? 2 : 3,
                     .nb = a->n_blocks,
                     .nv = a->body_nu,
                     .constant_mass = 1,
                     .diagonal_mass = 1,
                     .located = 1,
                     .length = a->length,
                     .speed = a->speed};
  mech_assembly_body_ops(a, &a->ops);
  mech_assembly_load_ops(a, &a->ops);
  mech_assembly_joint_ops(a, m->ns, &a->ops);
  mech_assembly_contact_ops(a, &a->ops);
  if (a->published.observe != NULL) {
    a->ops.observe = a->published.observe;
  }
  if (mech_assembly_is_driven(a) || a->n_loads > 0) {
    a->ops.driven.next_break = mech_assembly_next_break;
  }
  m->clock = mech_assembly_is_driven(a) ? &a->clock : NULL;
  name_columns(a, m);
  *system = m;
  *q = base_arena_doubles(a->arena, m->nq);
  *u = base_arena_doubles(a->arena, m->nu);
  const int status = start_state(a, m, *q, *u, start != NULL ? start : &unasked);
  double *M = base_arena_doubles(a->draft, m->nu);
  m->ops->bodies.mass_diagonal(m, *q, M);
  mech_assembly_find_immovable(a, *q, M, a->draft);
  mech_assembly_find_beside(a, *q);
  base_arena_empty(a->draft);
  return status;
}
