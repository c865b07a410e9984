/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies that no impulse moves: joints to what is immovable itself (the world, fixed bodies) leave
 * them no velocity of their own, so that they stand still or move as prescribed. Welds, chains of
 * welds, two hinges about different axes, motions along every direction are found alike: the rows w
 * of a body's joints to immovable ones, over their size in the metric of its mass, have the rank
 * of
 *
 *   C = sum M^-1/2 w w^T M^-1/2 / (w^T M^-1 w)
 *
 * and the body is immovable when that is the number of its degrees of freedom. Loops that hold
 * themselves, of bodies none of which is immovable by the others, are not found.
 */
#include "mech/assembly/parts.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

/* A pivot of C this much smaller than the largest is rounding. */
static const double SAME_ROW = 1e-11;
enum { NU_MAX = 7 };

static int freedoms(const struct mech_assembly *a, int body) {
  const int planar = a->kind == MECH_PLANAR;
  return (planar ? 2 : 3) + (mech_body_turns(a, body) ? (planar ? 1 : 3) : 0);
}

/* C += what joint j says of its body k. M: diagonal of the body's block. */
static void add_joint(const struct mech_assembly *a, const double *q, int joint, int k,
                      const double *M, double *C) {
  double W[2][NU_MAX * MECH_JOINT_ROWS_MAX], x[NU_MAX];
  const int n = a->body_nu, rows = mech_assembly_joint_directions(a, q, joint, W[0], W[1]);
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < n; ++i) {
      x[i] = W[k][row * n + i] / sqrt(M[i]);
    }
    const double square = la_dot(n, x, x);
    for (int i = 0; i < n && square > 0; ++i) {
      la_axpy(n, x[i] / square, x, C + (long)i * n);
    }
  }
}

static int rank_of(int n, const double *C) {
  double L[NU_MAX * NU_MAX];
  int perm[NU_MAX];
  la_copy(n * n, C, L);
  return la_pchol_factor(n, L, perm, SAME_ROW);
}

void mech_assembly_find_immovable(struct mech_assembly *a, const double *q, const double *M,
                                  struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = a->body_nu, joints = a->n_joints;
  double *C = joints > 0 ? base_arena_matrix(arena, n * n, a->n_blocks) : NULL;
  int *added = base_arena_ints(arena, joints), more = joints > 0;
  while (more) { /* twice, where joints are given from the world outwards */
    more = 0;
    for (int i = 0; i < joints; ++i) {
      const int *pair = a->joint[i].given.body, k = mech_body_immovable(a, pair[0]), body = pair[k];
      if (added[i] || mech_body_immovable(a, pair[1 - k]) == mech_body_immovable(a, body)) {
        continue;
      }
      const long block = mech_body_block(a, body);
      double *C_k = C + block * n * n;
      add_joint(a, q, i, k, M + block * n, C_k);
      added[i] = 1;
      if (rank_of(n, C_k) == freedoms(a, body)) {
        a->traits[body] |= MECH_IMMOVABLE;
        more = 1;
      }
    }
  }
  base_arena_release(arena, mark);
}
