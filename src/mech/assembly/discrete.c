/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Discrete derivatives of joints and gaps between bodies: Gonzalez' formula (moeller 5.19) on
 * gradients by the coordinates, which follow from the directions in u-space.
 *
 * Joints and gaps look at a quaternion through R(A/|A|): they do not change along A, so that their
 * gradient by A is the one vector normal to A with F^T dA = torque, dA = 2 A (0, torque) / |A|^2,
 * at the midpoint of a step too, which is not of unit length. Rates of joints between scalable
 * bodies do: w is that of omega / |A|^2, which adds -2 A / |A|^2 times what w does. |A|^2 = 1 is
 * quadratic, its discrete derivative A^B + A^E, and its rate does not depend on q.
 *
 * Whether the formula's bracket is more than rounding is asked of the terms of gaps and joints, and
 * an arm along the force is one that no gradient shows: without it the noise of bodies that stand
 * still, over a way of 1e-17, would turn their forces.
 */
#include "mech/assembly/parts.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

/* Operations that round on the way to a gap or to a rate, each by its terms. */
static const double ROUNDINGS = 4;

/* Block of a joint's body; -1: the world. */
static int block_of(const struct mech_assembly *a, const struct mech_assembly_joint *j, int k) {
  return j->given.body[k] >= 0 ? mech_body_block(a, j->given.body[k]) : -1;
}

/* The blocks of coordinates of two bodies, one after the other; of the world: zeros. */
static void gather(const struct mech_assembly *a, const int block[2], const double *q,
                   double *local) {
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < a->body_nq; ++i) {
      local[k * a->body_nq + i] = block[k] >= 0 ? q[(long)block[k] * a->body_nq + i] : 0;
    }
  }
}

/* relative: what a function of two bodies depends on that does not change where both move alike, of
 * their coordinates local: 2 body_nq; first their relative place, n_place numbers along e, then
 * both orientations. Returns how many. */
static int relative_of(const struct mech_assembly *a, int n_place, double e[3][3],
                       const double *local, double *relative) {
  const int n = a->body_nq, d = a->kind == MECH_PLANAR ? 2 : 3;
  for (int k = 0; k < n_place; ++k) {
    relative[k] = la_dot(d, e[k], local) - la_dot(d, e[k], local + n);
  }
  la_copy(n - d, local + d, relative + n_place);
  la_copy(n - d, local + n + d, relative + n_place + n - d);
  return n_place + 2 * (n - d);
}

void mech_assembly_gonzalez(const struct mech_assembly *a, const int block[2], int whole_place,
                            const struct mech_chord *chord, double *row) {
  const int n = a->body_nq, d = a->kind == MECH_PLANAR ? 2 : 3;
  double at_a[14], at_b[14], from[14], to[14], D[14], force[14];
  double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  gather(a, block, chord->a, at_a);
  gather(a, block, chord->b, at_b);
  const double size = chord->size + mech_gap_size(2 * n, at_a, at_b, chord->fa, chord->fb, row);
  la_copy(2 * n, row, force);
  for (int i = 0; i < d && block[0] < 0; ++i) { /* the world's part, by the other's */
    force[i] = -row[n + i];
    force[n + i] = row[n + i];
  }
  const double length = la_norm2(d, force);
  const int n_place = whole_place ? d : length > 0;
  for (int i = 0; i < d && !whole_place && length > 0; ++i) {
    e[0][i] = force[i] / length;
  }
  relative_of(a, n_place, e, at_a, from);
  const int many = relative_of(a, n_place, e, at_b, to);
  for (int k = 0; k < n_place; ++k) {
    D[k] = la_dot(d, e[k], force);
  }
  la_copy(n - d, force + d, D + n_place);
  la_copy(n - d, force + n + d, D + n_place + n - d);
  mech_gonzalez(many, &(struct mech_chord){from, to, chord->fa, chord->fb, ROUNDINGS * size}, D, 1);
  memset(row, 0, 2 * (size_t)n * sizeof *row);
  for (int k = 0; k < n_place; ++k) {
    la_axpy(d, D[k], e[k], row);
    la_axpy(d, -D[k], e[k], row + n);
  }
  la_copy(n - d, D + n_place, row + d);
  la_copy(n - d, D + n_place + n - d, row + n + d);
}

/* A configuration with its rows. */
struct end {
  const double *q;
  struct mech_joint_rows rows;
};

static struct end end_at(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                         const double *q, const double *u) {
  struct end e = {.q = q};
  mech_joint_rows_at(a, j, q, u, &e.rows);
  return e;
}

/* Value of row i: g, or its rate. size: += that of its terms. */
static double value_of(const struct mech_joint_rows *r, int i, double *size) {
  double rate = 0;
  *size += r->with_rates ? 0 : r->size[i];
  for (int k = 0; k < 2 && r->with_rates; ++k) {
    const double by_v = mech_dot3(r->force[i][k], r->body[k].v),
                 by_w = mech_dot3(r->torque[i][k], r->body[k].w);
    rate += by_v + by_w;
    *size += fabs(by_v) + fabs(by_w);
  }
  return r->with_rates ? rate : r->g[i];
}

/* What the scaling of w by 1 / |A|^2 adds to the gradient of a rate; y: 7, of body k. */
static void add_scaling(const struct end *middle, int i, int k, const double *A, double *y) {
  const struct mech_motion *body = &middle->rows.body[k];
  la_axpy(4, -2 / body->s * mech_dot3(middle->rows.torque[i][k], body->w), A, y + 3);
}

/* row: 2 body_nq = the discrete derivative of row i, of g or of its rate: Gonzalez' formula on the
 * coordinates of the joint's own bodies, which are all that it depends on. */
static void discrete_row(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                         const struct end *from, const struct end *to, const struct end *middle,
                         int i, double *row) {
  const struct mech_joint_rows *r = &middle->rows;
  const int block[2] = {block_of(a, j, 0), block_of(a, j, 1)};
  memset(row, 0, 2 * (size_t)a->body_nq * sizeof *row);
  for (int k = 0; k < 2; ++k) {
    const int body = j->given.body[k];
    if (block[k] >= 0) {
      double torque[3];
      mech_back3(r->body[k].R, r->with_rates ? r->rate_torque[i][k] : r->torque[i][k], torque);
      mech_assembly_put_q(a, middle->q, body, 1,
                          r->with_rates ? r->rate_force[i][k] : r->force[i][k], torque,
                          row + (long)k * a->body_nq);
      if (a->kind == MECH_SCALABLE && r->with_rates) {
        add_scaling(middle, i, k, middle->q + 7L * block[k] + 3, row + 7L * k);
      }
    }
  }
  struct mech_chord chord = {.a = from->q, .b = to->q};
  chord.fa = value_of(&from->rows, i, &chord.size);
  chord.fb = value_of(&to->rows, i, &chord.size);
  mech_assembly_gonzalez(a, block, r->with_rates, &chord, row);
}

static void discrete_by_body(const struct mech *m, const double *u, const double *qa,
                             const double *qb, int *body, double *D) {
  const struct mech_assembly *a = m->data;
  const struct base_arena_mark mark = base_arena_mark(a->scratch);
  const double *z = mech_midpoint(m, qa, qb, a->scratch);
  const int width = 2 * a->body_nq;
  memset(D, 0, (size_t)width * (size_t)m->ns * sizeof *D);
  memset(body, -1, 2 * (size_t)m->ns * sizeof *body);
  for (int k = 0; k < a->n_joints; ++k) {
    const struct mech_assembly_joint *j = &a->joint[k];
    for (int i = 0; i < 2 * j->frame.rows; ++i) {
      body[2 * j->frame.first_row + i] = block_of(a, j, i % 2);
    }
    if (!mech_joint_holds(a, j)) {
      continue;
    }
    const struct end from = end_at(a, j, qa, u), to = end_at(a, j, qb, u),
                     middle = end_at(a, j, z, u);
    for (int i = 0; i < middle.rows.n; ++i) {
      discrete_row(a, j, &from, &to, &middle, i, D + (long)(j->frame.first_row + i) * width);
    }
  }
  for (int k = 0, i = mech_first_norm(m); i < m->ns; ++k, ++i) {
    body[2 * i] = k;
    for (int l = 3; l < 7 && u == NULL; ++l) {
      D[(long)i * width + l] = qa[7L * k + l] + qb[7L * k + l];
    }
  }
  base_arena_release(a->scratch, mark);
}

static void discrete_bilateral(const struct mech *m, const double *qa, const double *qb, int *body,
                               double *D) {
  discrete_by_body(m, NULL, qa, qb, body, D);
}

/* ---- how they change with b ---- */

/* p: 2 body_nq = dt DV - DgS^T lambda - Dgamma^T kappa of one joint; z: half-way; DV: nq,
 * scratch. */
static void joint_gradient(const struct mech_assembly *a, const struct mech_assembly_joint *j,
                           const struct mech_step *step, const double *z, double *DV, double *p) {
  const int block[2] = {block_of(a, j, 0), block_of(a, j, 1)};
  double row[14];
  memset(p, 0, 2 * (size_t)a->body_nq * sizeof *p);
  if (mech_assembly_is_spring(a, &j->given)) {
    for (int k = 0; k < 2; ++k) {
      if (block[k] >= 0) {
        memset(DV + (long)block[k] * a->body_nq, 0, (size_t)a->body_nq * sizeof *DV);
      }
    }
    mech_assembly_spring_discrete(a, j, step->a, step->b, z, DV);
    gather(a, block, DV, row);
    la_axpy(2 * a->body_nq, step->dt, row, p);
  }
  for (int level = 0; level < 2 && mech_joint_holds(a, j); ++level) {
    const double *factor = level == 0 ? step->lambda : step->kappa;
    const double *u = level == 0 ? NULL : step->u;
    if (factor == NULL) {
      continue;
    }
    const struct end from = end_at(a, j, step->a, u), to = end_at(a, j, step->b, u),
                     middle = end_at(a, j, z, u);
    for (int i = 0; i < middle.rows.n; ++i) {
      discrete_row(a, j, &from, &to, &middle, i, row);
      la_axpy(2 * a->body_nq, -factor[j->frame.first_row + i], row, p);
    }
  }
}

/* Joint by joint, by differences (difference.h) in the coordinates of its own bodies. */
static void discrete_stiffness(const struct mech *m, const struct mech_step *step,
                               struct la_blocks *S) {
  const struct mech_assembly *a = m->data;
  const struct base_arena_mark mark = base_arena_mark(a->scratch);
  const int n = a->body_nq;
  const double h = mech_difference_step(m), *qa = step->a, *qb = step->b;
  double *z = mech_midpoint(m, qa, qb, a->scratch), *x = base_arena_doubles(a->scratch, m->nq);
  double *DV = base_arena_doubles(a->scratch, m->nq), p[14];
  struct mech_step moved = *step;
  moved.b = x;
  la_copy(m->nq, qb, x);
  for (int k = 0; k < a->n_joints; ++k) {
    const struct mech_assembly_joint *j = &a->joint[k];
    if (j->frame.rows == 0 && !mech_assembly_is_spring(a, &j->given)) {
      continue;
    }
    for (int c = 0; c < 2; ++c) { /* columns of one body */
      const int block = block_of(a, j, c), other = block_of(a, j, 1 - c);
      if (block < 0) {
        continue;
      }
      double column[7][14];
      for (int l = 0; l < n; ++l) {
        const long at = (long)block * n + l;
        memset(column[l], 0, sizeof column[l]);
        for (int s = 0; s < MECH_STENCIL; ++s) {
          x[at] = qb[at] + mech_stencil_at[s] * h;
          z[at] = 0.5 * (qa[at] + x[at]);
          joint_gradient(a, j, &moved, z, DV, p);
          la_axpy(2 * n, mech_stencil_weight[s] / h, p, column[l]);
        }
        x[at] = qb[at];
        z[at] = 0.5 * (qa[at] + qb[at]);
      }
      for (int side = 0; side < 2; ++side) {
        const int row = side == c ? block : other;
        double *S_k = row >= 0 ? la_blocks_push(S, row, block) : NULL;
        for (int l = 0; l < n && row >= 0; ++l) {
          la_copy(n, column[l] + side * n, S_k + (long)l * n);
        }
      }
    }
  }
  for (int k = 0, i = mech_first_norm(m); i < m->ns; ++k, ++i) {
    double *S_k = la_blocks_push(S, k, k);
    for (int l = 3; l < 7; ++l) {
      S_k[l * (7 + 1)] = -step->lambda[i];
    }
  }
  base_arena_release(a->scratch, mark);
}

/* Index of contact id in a list, -1 when it is not there. */
static int find(const struct mech_contacts *list, long id) {
  int first = 0, end = list->n;
  while (first < end) {
    const int middle = (first + end) / 2;
    if (list->id[middle] < id) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first < list->n && list->id[first] == id ? first : -1;
}

/* The lists that gaps between two configurations are taken from. */
struct span {
  const struct mech *m;
  const double *a, *b, *z; /* nq; z half-way */
  struct mech_contacts at_z, at_b;
};

static struct span open_span(const struct mech *m, const double *qa, const double *qb,
                             struct base_arena *scratch) {
  struct span s = {.m = m, .a = qa, .b = qb, .z = mech_midpoint(m, qa, qb, scratch)};
  mech_contacts_init(&s.at_z, m, scratch);
  mech_contacts_init(&s.at_b, m, scratch);
  mech_contacts_find(m, s.z, NULL, INFINITY, &s.at_z);
  mech_contacts_find(m, qb, NULL, INFINITY, &s.at_b);
  return s;
}

/* DgN: nq of contact id with the gap ga at a; NaN where it does not last. */
static void put_gap(const struct span *s, long id, double ga, double *DgN) {
  const struct mech *m = s->m;
  const struct mech_assembly *a = m->data;
  const int z = find(&s->at_z, id), b = find(&s->at_b, id);
  for (int j = 0; j < m->nq; ++j) {
    DgN[j] = z < 0 || b < 0 ? NAN : 0;
  }
  if (z < 0 || b < 0) {
    return;
  }
  const int *block = s->at_z.body + 2L * z;
  const double *n = s->at_z.frame + 6L * z;
  struct mech_chord chord = {.a = s->a, .b = s->b, .fa = ga, .fb = s->at_b.gN[b]};
  double row[14] = {0};
  for (int k = 0; k < 2; ++k) {
    const double *arm = s->at_z.arm + 6L * z + 3L * k;
    chord.size += 2 * (fabs(n[0] * arm[0]) + fabs(n[1] * arm[1]) + fabs(n[2] * arm[2]));
    if (block[k] >= 0) {
      const int body = mech_block_body(a, block[k]);
      const struct mech_motion at = mech_assembly_motion(a, s->z, NULL, body);
      double turn[3], torque[3];
      mech_cross3(arm, n, turn);
      mech_back3(at.R, turn, torque);
      mech_assembly_put_q(a, s->z, body, k == 0 ? -1 : 1, n, torque, row + (long)k * a->body_nq);
    }
  }
  mech_assembly_gonzalez(a, block, 0, &chord, row);
  for (int k = 0; k < 2; ++k) {
    if (block[k] >= 0) {
      la_copy(a->body_nq, row + (long)k * a->body_nq, DgN + (long)block[k] * a->body_nq);
    }
  }
}

static void discrete_gaps(const struct mech *m, const struct mech_contacts *at_a, const double *qa,
                          const double *qb, double *DgN) {
  struct base_arena *scratch = ((struct mech_assembly *)m->data)->scratch;
  const struct base_arena_mark mark = base_arena_mark(scratch);
  const struct span s = open_span(m, qa, qb, scratch);
  for (int i = 0; i < at_a->n; ++i) {
    put_gap(&s, at_a->id[i], at_a->gN[i], DgN + (long)i * m->nq);
  }
  base_arena_release(scratch, mark);
}

static void discrete_gap(const struct mech *m, long id, const double *qa, const double *qb,
                         double *DgN) {
  struct base_arena *scratch = ((struct mech_assembly *)m->data)->scratch;
  const struct base_arena_mark mark = base_arena_mark(scratch);
  struct mech_contacts at_a;
  mech_contacts_init(&at_a, m, scratch);
  mech_contacts_find(m, qa, NULL, INFINITY, &at_a);
  const struct span s = open_span(m, qa, qb, scratch);
  const int i = find(&at_a, id);
  put_gap(&s, id, i < 0 ? NAN : at_a.gN[i], DgN);
  base_arena_release(scratch, mark);
}

void mech_assembly_discrete_ops(struct mech_ops *ops) {
  ops->consistent.discrete_bilateral_by_body = discrete_bilateral;
  ops->consistent.discrete_rate_by_body = discrete_by_body;
  ops->consistent.discrete_stiffness_by_body = discrete_stiffness;
  ops->consistent.discrete_gap = discrete_gap;
  ops->consistent.discrete_gaps = discrete_gaps;
}
