/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operators of rigid bodies where speed is no matter: the product, diagonal blocks, W and M^-1 W
 * written out. The sweeps are in sweep.c; the equations in rigid.h.
 */
#include "problem/operator/rigid.h"

#include <string.h>

/* Impulses and moments of impulses on the bodies; u: 6 x nb, zeroed before. */
static void add_impulses(const struct problem_operator *A, const double *r, double *u) {
  const size_t dim = (size_t)A->dim;
  for (size_t i = 0; i < (size_t)A->nc; ++i) {
    double P[3], moment[3];
    rigid_from_frame(A->dim, A->frame + 6 * i, r + dim * i, P);
    for (size_t side = 0; side < 2; ++side) {
      const int k = A->body[2 * i + side];
      if (k < 0) {
        continue;
      }
      const double sign = side == 0 ? -1 : 1;
      double *sum = u + 6 * (size_t)k;
      rigid_cross(A->arm + 6 * i + 3 * side, P, moment);
      for (int c = 0; c < 3; ++c) {
        sum[c] += sign * P[c];
        sum[3 + c] += sign * moment[c];
      }
    }
  }
}

void problem_rigid_velocities(const struct problem_operator *A, const double *r, double *u) {
  add_impulses(A, r, u);
  for (size_t k = 0; k < (size_t)A->nb; ++k) {
    double *u_k = u + 6 * k, S[6], turning[3];
    rigid_inverse_inertia(A, k, S);
    rigid_turn(S, u_k + 3, turning);
    for (int c = 0; c < 3; ++c) {
      u_k[c] /= A->mass[6 * k];
      u_k[3 + c] = turning[c];
    }
  }
}

void problem_rigid_rows(const struct problem_operator *A, const double *u, int first, int count,
                        double *v) {
  for (size_t i = (size_t)first; i < (size_t)(first + count); ++i) {
    double d[3] = {0, 0, 0};
    for (size_t side = 0; side < 2; ++side) {
      const int k = A->body[2 * i + side];
      if (k >= 0) {
        rigid_add_motion(side == 0 ? -1 : 1, u + 6 * (size_t)k, A->arm + 6 * i + 3 * side, d);
      }
    }
    rigid_to_frame(A->dim, A->frame + 6 * i, d, v + (size_t)A->dim * (i - (size_t)first));
  }
}

/* Torque on body k, in its own axes, of a unit impulse at arm a along d. */
static inline void torque_of(const struct problem_operator *A, int k, const double *a,
                             const double *d, double *torque) {
  const double *R = A->turn + 9 * (size_t)k;
  double moment[3];
  rigid_cross(a, d, moment);
  for (int j = 0; j < 3; ++j) {
    torque[j] = R[j] * moment[0] + R[3 + j] * moment[1] + R[6 + j] * moment[2];
  }
}

void problem_rigid_block(const struct problem_operator *A, int i, double *block) {
  const int dim = A->dim, *body = A->body + 2 * (size_t)i, is_own = body[0] == body[1];
  const double *n = A->frame + 6 * (size_t)i, *arm = A->arm + 6 * (size_t)i;
  double axis[3][3];
  memcpy(axis, n, 6 * sizeof *n);
  rigid_cross(n, n + 3, axis[2]);
  memset(block, 0, (size_t)(dim * dim) * sizeof *block);
  for (int side = is_own; side < 2; ++side) { /* a body that touches itself: once, by both arms */
    if (body[side] < 0) {
      continue;
    }
    const double *mass = A->mass + 6 * (size_t)body[side];
    double a[3], inverse[3], torque[3][3];
    for (int k = 0; k < 3; ++k) {
      a[k] = arm[3 * side + k] - (is_own ? arm[k] : 0);
      inverse[k] = 1 / mass[3 + k];
    }
    for (int d = 0; d < dim; ++d) {
      torque_of(A, body[side], a, axis[d], torque[d]);
      block[d * (dim + 1)] += is_own ? 0 : 1 / mass[0];
      for (int e = 0; e <= d; ++e) {
        block[d * dim + e] += torque[d][0] * inverse[0] * torque[e][0] +
                              torque[d][1] * inverse[1] * torque[e][1] +
                              torque[d][2] * inverse[2] * torque[e][2];
      }
    }
  }
  for (int d = 0; d < dim; ++d) {
    for (int e = 0; e < d; ++e) {
      block[e * dim + d] = block[d * dim + e];
    }
  }
}

void problem_rigid_directions(const struct problem_operator *A, int i, double *w, double *minv_w) {
  const int dim = A->dim;
  memset(w, 0, (size_t)(12 * dim) * sizeof *w);
  memset(minv_w, 0, (size_t)(12 * dim) * sizeof *minv_w);
  for (int side = 0; side < 2; ++side) {
    const int k = A->body[2 * (size_t)i + (size_t)side];
    if (k < 0) {
      continue;
    }
    const double *arm = A->arm + 6 * (size_t)i + 3 * (size_t)side;
    for (int c = 0; c < dim; ++c) {
      double r[3] = {0, 0, 0};
      double *column = w + 6 * (dim * side + c), *solved = minv_w + 6 * (dim * side + c);
      r[c] = side == 0 ? -1 : 1;
      rigid_from_frame(dim, A->frame + 6 * (size_t)i, r, column);
      torque_of(A, k, arm, column, column + 3);
      for (int m = 0; m < 6; ++m) {
        solved[m] = column[m] / A->mass[6 * (size_t)k + (size_t)m];
      }
    }
  }
}

void problem_rigid_write_out(const struct problem_operator *A, struct problem_operator *out,
                             struct base_arena *arena) {
  const size_t block = 12 * (size_t)A->dim;
  double *w = base_arena_array(arena, (size_t)A->nc, block, sizeof *w);
  double *minv_w = base_arena_array(arena, (size_t)A->nc, block, sizeof *minv_w);
  for (int i = 0; i < A->nc; ++i) {
    problem_rigid_directions(A, i, w + (size_t)i * block, minv_w + (size_t)i * block);
  }
  *out = (struct problem_operator){.kind = PROBLEM_OPERATOR_BODIES,
                                   .dim = A->dim,
                                   .nc = A->nc,
                                   .nb = A->nb,
                                   .nv = 6,
                                   .body = A->body,
                                   .w = w,
                                   .minv_w = minv_w};
}
