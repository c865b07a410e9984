/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prescribed motion: its breaks in time, and the initial velocities of bodies under it. A body held
 * by motions (rows W_k, rates -chi) without a given velocity gets the one they prescribe; of
 * several, and of the directions they leave open, the one of least kinetic energy. With P the
 * components that are free to choose,
 *
 *   u_P = v_P + M_P^-1 W_P (W_P^T M_P^-1 W_P)^-1 (-chi - W^T v),   v: as given, else zero.
 *
 * Components that were given stay. Where they differ from what is prescribed the run begins with an
 * impact, and that is the formulation's to resolve, contacts and all.
 */
#include "mech/assembly/parts.h"

#include "la/dense.h"

#include <math.h>

/* A pivot this much smaller than the largest: motions that prescribe the same. */
static const double SAME_MOTION = 1e-11;

enum { VELOCITY_GIVEN = 1, OMEGA_GIVEN = 2 };

static int is_motion(const struct mech_assembly *a, int joint) {
  const struct mech_joint *j = &a->joint[joint].given;
  return mech_joint_is_driven(j->kind) && mech_assembly_joints_act(a, j);
}

double mech_assembly_prescribed_rate(const struct mech_assembly *a, int joint, double t) {
  double s[3];
  mech_spline_at(&a->joint[joint].motion, t, s);
  return s[1];
}

double mech_assembly_next_break(const struct mech *m, double t) {
  const struct mech_assembly *a = m->data;
  double next = INFINITY;
  for (int i = 0; i < a->n_joints; ++i) {
    if (is_motion(a, i)) {
      next = fmin(next, mech_spline_break(&a->joint[i].motion, t));
    }
  }
  for (int i = 0; i < a->n_loads; ++i) {
    const struct mech_load *load = &a->load[i].given;
    if (!mech_assembly_moves(a, load->body)) {
      continue;
    }
    next = fmin(next, mech_spline_break(&a->load[i].factor, t));
    next = load->from > t ? fmin(next, load->from) : next;
    next = load->to > t ? fmin(next, load->to) : next;
  }
  return next;
}

int mech_assembly_is_driven(const struct mech_assembly *a) {
  int driven = 0;
  for (int i = 0; i < a->n_joints; ++i) {
    driven |= mech_joint_is_driven(a->joint[i].given.kind);
  }
  return driven;
}

unsigned char *mech_assembly_given(const struct mech_assembly *a, struct base_arena *arena) {
  unsigned char *given = base_arena_push(arena, (size_t)a->n_blocks);
  for (int k = 0; k < a->n_blocks; ++k) {
    const struct mech_body *b = mech_given(a, mech_block_body(a, k));
    const int v = b->velocity_given || la_norm_inf(3, b->velocity) > 0;
    const int w = b->omega_given || la_norm_inf(3, b->omega) > 0;
    given[k] = (unsigned char)((v ? VELOCITY_GIVEN : 0) | (w ? OMEGA_GIVEN : 0));
  }
  return given;
}

/* The column of a motion on the components of its body that are free, w: body_nu. Returns what u
 * misses of the rate prescribed; u: that of the body. */
static double free_row(const struct mech_assembly *a, const double *q, int joint, int given,
                       const double *u, double *w) {
  const int n = a->body_nu, spin = n - (a->kind == MECH_PLANAR ? 1 : 3);
  double s[3];
  mech_spline_at(&a->joint[joint].motion, a->clock, s);
  mech_assembly_joint_directions(a, q, joint, w, NULL);
  const double missed = s[1] - la_dot(n, w, u);
  for (int i = 0; i < n; ++i) {
    w[i] = (given & (i < spin ? VELOCITY_GIVEN : OMEGA_GIVEN)) != 0 ? 0 : w[i];
  }
  return missed;
}

/* M: the diagonal of the body's block; u: its velocity. */
static void take_motions(const struct mech_assembly *a, const double *q, int body, int rows,
                         int given, const double *M, double *u, struct base_arena *arena) {
  const int n = a->body_nu;
  double *W = base_arena_matrix(arena, n, rows), *Y = base_arena_matrix(arena, n, rows);
  double *G = base_arena_matrix(arena, rows, rows), *x = base_arena_doubles(arena, rows);
  int *perm = base_arena_ints(arena, rows), k = 0;
  for (int j = 0; j < a->n_joints; ++j) {
    if (is_motion(a, j) && a->joint[j].given.body[0] == body) {
      x[k] = free_row(a, q, j, given, u, W + (long)k * n);
      ++k;
    }
  }
  for (int i = 0; i < n * rows; ++i) {
    Y[i] = W[i] / M[i % n];
  }
  la_gemm_t(rows, rows, n, 1, W, Y, 0, G);
  la_pchol_solve(rows, la_pchol_factor(rows, G, perm, SAME_MOTION), 1, G, perm, x, arena);
  la_gemv(n, rows, 1, Y, x, 1, u);
}

void mech_assembly_take_motion(const struct mech *m, const double *q, const unsigned char *given,
                               double *u, struct base_arena *arena) {
  const struct mech_assembly *a = m->data;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *M = base_arena_doubles(arena, m->nu);
  int *rows = base_arena_ints(arena, a->n_blocks);
  m->ops->bodies.mass_diagonal(m, q, M);
  for (int i = 0; i < a->n_joints; ++i) {
    if (is_motion(a, i)) {
      ++rows[mech_body_block(a, a->joint[i].given.body[0])];
    }
  }
  for (int k = 0; k < a->n_blocks; ++k) {
    if (rows[k] > 0) {
      const struct base_arena_mark body = base_arena_mark(arena);
      const long at = (long)k * a->body_nu;
      take_motions(a, q, mech_block_body(a, k), rows[k], given[k], M + at, u + at, arena);
      base_arena_release(arena, body);
    }
  }
  base_arena_release(arena, mark);
}
