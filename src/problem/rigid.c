/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operator kind RIGID where speed is no matter: its product, and W and M^-1 W written out. The
 * sweeps are in sweep.c; the equations in rigid.h.
 */
#include "problem/rigid.h"

#include <string.h>

int problem_rigid_spheres(const struct problem_operator *A) {
  for (int k = 0; k < A->nb && !A->central; ++k) {
    const double *S = A->inverse + 7 * (size_t)k + 1;
    if (S[0] != S[3] || S[0] != S[5] || S[1] != 0 || S[2] != 0 || S[4] != 0) {
      return 0;
    }
  }
  return 1;
}

/* Impulses and moments of impulses on the bodies; u: 6 x nb, zeroed before. */
static void add_impulses(const struct problem_operator *A, const double *r, double *u) {
  const int dim = A->dim;
  for (int i = 0; i < A->nc; ++i) {
    const double *contact = rigid_contact(A, i), *r_i = r + (size_t)dim * (size_t)i;
    double P[3], T[3], moment[3];
    rigid_from_frame(dim, contact, r_i, P);
    if (A->central) {
      rigid_central_moment(dim, contact, r_i, T);
    }
    for (int side = 0; side < 2; ++side) {
      const int k = A->body[2 * (size_t)i + (size_t)side];
      if (k < 0) {
        continue;
      }
      const double sign = side == 0 ? -1 : 1, turn = A->central ? sign * contact[6 + side] : sign;
      double *sum = u + 6 * (size_t)k;
      if (!A->central) {
        rigid_cross(contact + 6 + 3 * side, P, moment);
      }
      for (int c = 0; c < 3; ++c) {
        sum[c] += sign * P[c];
        sum[3 + c] += turn * (A->central ? T[c] : moment[c]);
      }
    }
  }
}

void problem_rigid_respond(const struct problem_operator *A, const double *r, double *u) {
  memset(u, 0, 6 * (size_t)A->nb * sizeof *u);
  add_impulses(A, r, u);
  for (int k = 0; k < A->nb; ++k) {
    double inverse[7], *u_k = u + 6 * (size_t)k, turning[3];
    rigid_inverse(A, k, inverse);
    rigid_turn(inverse + 1, u_k + 3, turning);
    for (int c = 0; c < 3; ++c) {
      u_k[c] *= inverse[0];
      u_k[3 + c] = turning[c];
    }
  }
}

void problem_rigid_velocity(const struct problem_operator *A, const double *u, int i, double *v_i) {
  static const double rest[6] = {0};
  const double *contact = rigid_contact(A, i);
  const int *body = A->body + 2 * (size_t)i;
  if (A->central) {
    rigid_central_velocity(A->dim, contact, body[0] < 0 ? rest : u + 6 * (size_t)body[0],
                           body[1] < 0 ? rest : u + 6 * (size_t)body[1], v_i);
    return;
  }
  double d[3] = {0, 0, 0};
  for (int side = 0; side < 2; ++side) {
    if (body[side] >= 0) {
      rigid_add_motion(side == 0 ? -1 : 1, u + 6 * (size_t)body[side], contact + 6 + 3 * side, d);
    }
  }
  rigid_to_frame(A->dim, contact, d, v_i);
}

void problem_rigid_apply(const struct problem_operator *A, const double *r, double *v,
                         struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *u = base_arena_matrix(arena, 6, A->nb);
  problem_rigid_respond(A, r, u);
  for (int i = 0; i < A->nc; ++i) {
    problem_rigid_velocity(A, u, i, v + (size_t)A->dim * (size_t)i);
  }
  base_arena_release(arena, mark);
}

void problem_rigid_directions(const struct problem_operator *A, int i, double *w, double *minv_w) {
  const int dim = A->dim;
  const double *contact = rigid_contact(A, i);
  memset(w, 0, (size_t)(12 * dim) * sizeof *w);
  memset(minv_w, 0, (size_t)(12 * dim) * sizeof *minv_w);
  for (int side = 0; side < 2; ++side) {
    const int k = A->body[2 * i + side];
    if (k < 0) {
      continue;
    }
    double inverse[7], arm[3];
    rigid_inverse(A, k, inverse);
    rigid_arm(A, contact, side, arm);
    for (int c = 0; c < dim; ++c) {
      double r[3] = {0, 0, 0}, P[3];
      double *column = w + 6 * (dim * side + c), *solved = minv_w + 6 * (dim * side + c);
      r[c] = side == 0 ? -1 : 1;
      rigid_from_frame(dim, contact, r, P);
      rigid_cross(arm, P, column + 3);
      rigid_turn(inverse + 1, column + 3, solved + 3);
      for (int m = 0; m < 3; ++m) {
        column[m] = P[m];
        solved[m] = inverse[0] * P[m];
      }
    }
  }
}

void problem_rigid_to_bodies(const struct problem_operator *A, struct problem_operator *bodies,
                             struct base_arena *arena) {
  const int block = 12 * A->dim;
  double *w = base_arena_matrix(arena, A->nc, block);
  double *minv_w = base_arena_matrix(arena, A->nc, block);
  for (int i = 0; i < A->nc; ++i) {
    problem_rigid_directions(A, i, w + (size_t)i * (size_t)block,
                             minv_w + (size_t)i * (size_t)block);
  }
  *bodies = (struct problem_operator){.kind = PROBLEM_OPERATOR_BODIES,
                                      .dim = A->dim,
                                      .nc = A->nc,
                                      .nb = A->nb,
                                      .nv = 6,
                                      .body = A->body,
                                      .w = w,
                                      .minv_w = minv_w};
}
