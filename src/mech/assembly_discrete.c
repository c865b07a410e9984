/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Discrete derivatives of joints and gaps between bodies with unit quaternions: Gonzalez' formula
 * (moeller 5.19) on gradients by the coordinates, which follow from the directions in u-space.
 *
 * Joints and gaps look at a quaternion through R(A/|A|): they do not change along A, so that their
 * gradient by A is the one vector normal to A with F^T dA = torque, dA = 2 A (0, torque) / |A|^2,
 * at the midpoint of a step too, which is not of unit length.
 */
#include "mech/assembly_parts.h"

#include "la/dense.h"
#include "mech/difference.h"

#include <math.h>
#include <string.h>

/* row: nq, += the gradient of which w: nu is the direction. */
static void add_gradient(const struct mech *m, const double *z, const double *w, double *row) {
  const struct mech_assembly *a = m->data;
  for (int k = 0; k < m->nb; ++k) {
    const double *wk = w + (long)k * m->nv;
    mech_assembly_put_q(a, z, mech_block_body(a, k), 1, wk, wk + 3, row + (long)k * a->body_nq);
  }
}

static double *midpoint(const struct mech *m, const double *a, const double *b,
                        struct base_arena *arena) {
  double *z = base_arena_doubles(arena, m->nq);
  for (int j = 0; j < m->nq; ++j) {
    z[j] = 0.5 * (a[j] + b[j]);
  }
  return z;
}

static void discrete_bilateral(const struct mech *m, const double *qa, const double *qb,
                               double *DgS) {
  struct base_arena *scratch = ((struct mech_assembly *)m->data)->scratch;
  const struct base_arena_mark mark = base_arena_mark(scratch);
  const double *z = midpoint(m, qa, qb, scratch);
  double *WS = base_arena_doubles(scratch, m->nu * m->ns),
         *row = base_arena_doubles(scratch, m->nq);
  double *ga = base_arena_doubles(scratch, m->ns), *gb = base_arena_doubles(scratch, m->ns);
  m->ops->bilateral_directions(m, z, WS);
  m->ops->bilateral(m, qa, ga);
  m->ops->bilateral(m, qb, gb);
  for (int i = 0; i < m->ns; ++i) {
    memset(row, 0, (size_t)m->nq * sizeof *row);
    add_gradient(m, z, WS + (long)i * m->nu, row);
    mech_gonzalez(m->nq, qa, qb, ga[i], gb[i], row, 1);
    for (int j = 0; j < m->nq; ++j) {
      DgS[(long)j * m->ns + i] = row[j];
    }
  }
  base_arena_release(scratch, mark);
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
  struct span s = {.m = m, .a = qa, .b = qb, .z = midpoint(m, qa, qb, scratch)};
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
  for (int k = 0; k < 2; ++k) {
    const int block = s->at_z.body[2 * z + k];
    if (block >= 0) {
      double w[18];
      mech_contacts_directions(&s->at_z, z, k, w);
      mech_assembly_put_q(a, s->z, mech_block_body(a, block), 1, w, w + 3,
                          DgN + (long)block * a->body_nq);
    }
  }
  mech_gonzalez_gap(m->nq, s->a, s->b, ga, s->at_b.gN[b], DgN);
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
  ops->discrete_bilateral = discrete_bilateral;
  ops->discrete_gap = discrete_gap;
  ops->discrete_gaps = discrete_gaps;
}
