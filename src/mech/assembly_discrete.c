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

/* Gap of contact id at q, NaN when it is not listed; w: nu += its normal direction, or NULL. */
static double gap_of(const struct mech *m, long id, const double *q, double *w,
                     struct base_arena *scratch) {
  struct mech_contacts list;
  double gap = NAN;
  mech_contacts_init(&list, m, scratch);
  m->ops->contacts(m, q, NULL, INFINITY, &list);
  for (int i = 0; i < list.n; ++i) {
    gap = list.id[i] == id ? list.gN[i] : gap;
    for (int k = 0; k < 2 && w != NULL && list.id[i] == id; ++k) {
      const int block = list.body[2 * i + k];
      if (block >= 0) {
        la_axpy(m->nv, 1, mech_contacts_block(&list, i, k), w + (long)block * m->nv);
      }
    }
  }
  return gap;
}

static void discrete_gap(const struct mech *m, long id, const double *qa, const double *qb,
                         double *DgN) {
  struct base_arena *scratch = ((struct mech_assembly *)m->data)->scratch;
  const struct base_arena_mark mark = base_arena_mark(scratch);
  const double *z = midpoint(m, qa, qb, scratch);
  double *w = base_arena_doubles(scratch, m->nu);
  gap_of(m, id, z, w, scratch);
  memset(DgN, 0, (size_t)m->nq * sizeof *DgN);
  add_gradient(m, z, w, DgN);
  mech_gonzalez(m->nq, qa, qb, gap_of(m, id, qa, NULL, scratch), gap_of(m, id, qb, NULL, scratch),
                DgN, 1);
  base_arena_release(scratch, mark);
}

void mech_assembly_discrete_ops(struct mech_ops *ops) {
  ops->discrete_bilateral = discrete_bilateral;
  ops->discrete_gap = discrete_gap;
}
