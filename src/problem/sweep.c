/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Row-wise access to v = A r + b while single blocks of r change: the inner loop of every
 * relaxation.
 *
 *   DENSE, BLOCKS  keep r; velocity i is row i of A times r, a change costs nothing. A dense A is
 *                  transposed once, for rows that are contiguous.
 *   BODIES         keeps u_k = sum_j M_k^-1 W_jk r_j of each body; v_i = sum_k W_ik^T u_k + b_i and
 *                  a change touches two bodies: O(1) a contact, however many there are.
 *   RIGID          the same with V and Omega of each body in world axes, kept beside its inverse
 *                  mass and inertia (rigid.h); of central contacts A_ii is at hand from these.
 *
 * Rounding in u grows with the number of changes; solvers start the sweep afresh now and then.
 */
#include "problem/problem.h"
#include "problem/rigid.h"

#include <string.h>

/* The shapes with loops of their own: dim and nv known to the compiler; of RIGID central contacts,
 * spheres and bodies, with friction or without. */
enum shape {
  SHAPE_GENERIC,
  SHAPE_SPATIAL,
  SHAPE_PLANAR,
  SHAPE_NORMAL,
  SHAPE_CENTRAL,
  SHAPE_SPHERES,
  SHAPE_RIGID,
  SHAPE_CENTRAL_NORMAL,
  SHAPE_SPHERES_NORMAL,
  SHAPE_RIGID_NORMAL
};

struct problem_sweep {
  const struct problem_operator *A;
  const double *b;
  enum shape shape; /* BODIES, RIGID */
  double *rows;     /* DENSE: n x n row-major */
  double *r;        /* DENSE, BLOCKS: n */
  double *u;        /* BODIES: nb x nv; RIGID: (nb + 1) x stride, the last one the world at rest */
  int stride;
};

static void alloc_bodies(struct problem_sweep *s, struct base_arena *arena) {
  const struct problem_operator *A = s->A;
  s->u = base_arena_matrix(arena, A->nb, A->nv);
  s->shape = A->dim == 3 && A->nv == 6   ? SHAPE_SPATIAL
             : A->dim == 2 && A->nv == 3 ? SHAPE_PLANAR
             : A->dim == 1               ? SHAPE_NORMAL
                                         : SHAPE_GENERIC;
}

static void alloc_rigid(struct problem_sweep *s, struct base_arena *arena) {
  const struct problem_operator *A = s->A;
  const int spheres = problem_rigid_spheres(A), normal = A->dim == 1;
  s->stride = spheres ? RIGID_SPHERE_STRIDE : RIGID_BODY_STRIDE;
  s->shape = A->central ? (normal ? SHAPE_CENTRAL_NORMAL : SHAPE_CENTRAL)
             : spheres  ? (normal ? SHAPE_SPHERES_NORMAL : SHAPE_SPHERES)
                        : (normal ? SHAPE_RIGID_NORMAL : SHAPE_RIGID);
  s->u = base_arena_matrix(arena, A->nb + 1, s->stride);
  for (int k = 0; k < A->nb; ++k) {
    double inverse[7];
    rigid_inverse(A, k, inverse);
    memcpy(s->u + (size_t)k * (size_t)s->stride + 6, inverse, (spheres ? 2 : 7) * sizeof *s->u);
  }
}

struct problem_sweep *problem_sweep_alloc(const struct problem *p, struct base_arena *arena) {
  const struct problem_operator *A = &p->A;
  const int n = A->dim * A->nc;
  struct problem_sweep *s = base_arena_push(arena, sizeof *s);
  s->A = A;
  s->b = p->b;
  if (A->kind == PROBLEM_OPERATOR_BODIES) {
    alloc_bodies(s, arena);
    return s;
  }
  if (A->kind == PROBLEM_OPERATOR_RIGID) {
    alloc_rigid(s, arena);
    return s;
  }
  s->r = base_arena_doubles(arena, n);
  if (A->kind == PROBLEM_OPERATOR_DENSE) {
    s->rows = base_arena_push(arena, (size_t)n * (size_t)n * sizeof *s->rows);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        s->rows[(size_t)i * (size_t)n + (size_t)j] = A->a[(size_t)j * (size_t)n + (size_t)i];
      }
    }
  }
  return s;
}

void problem_sweep_start(struct problem_sweep *s, const double *r) {
  const struct problem_operator *A = s->A;
  if (!problem_operator_by_bodies(A)) {
    memcpy(s->r, r, (size_t)A->dim * (size_t)A->nc * sizeof *r);
    return;
  }
  if (A->kind == PROBLEM_OPERATOR_BODIES) {
    memset(s->u, 0, (size_t)A->nb * (size_t)A->nv * sizeof *s->u);
  }
  for (int k = 0; A->kind == PROBLEM_OPERATOR_RIGID && k < A->nb; ++k) {
    memset(s->u + (size_t)k * (size_t)s->stride, 0, 6 * sizeof *s->u);
  }
  for (int i = 0; i < A->nc; ++i) {
    problem_sweep_change(s, i, r + (size_t)A->dim * (size_t)i);
  }
}

static void velocity_dense(const struct problem_sweep *s, int i, double *restrict v_i) {
  const int dim = s->A->dim, n = dim * s->A->nc;
  for (int k = 0; k < dim; ++k) {
    const double *row = s->rows + (size_t)(dim * i + k) * (size_t)n;
    double sum = s->b[dim * i + k];
    for (int j = 0; j < n; ++j) {
      sum += row[j] * s->r[j];
    }
    v_i[k] = sum;
  }
}

static inline __attribute__((always_inline)) void
velocity_blocks(const struct problem_sweep *s, int i, double *restrict v_i, int dim) {
  const struct problem_operator *A = s->A;
  double sum[CONTACT_DIM_MAX];
  for (int k = 0; k < dim; ++k) {
    sum[k] = s->b[(size_t)dim * (size_t)i + (size_t)k];
  }
  for (int e = A->row_ptr[i]; e < A->row_ptr[i + 1]; ++e) {
    const double *block = A->blocks + (size_t)e * (size_t)(dim * dim);
    const double *r_j = s->r + (size_t)dim * (size_t)A->col[e];
    for (int k = 0; k < dim; ++k) {
      for (int l = 0; l < dim; ++l) {
        sum[k] += block[k * dim + l] * r_j[l];
      }
    }
  }
  for (int k = 0; k < dim; ++k) {
    v_i[k] = sum[k];
  }
}

static inline __attribute__((always_inline)) void
velocity_bodies(const struct problem_sweep *s, int i, double *restrict v_i, int dim, int nv) {
  const struct problem_operator *A = s->A;
  double sum[CONTACT_DIM_MAX];
  for (int c = 0; c < dim; ++c) {
    sum[c] = s->b[(size_t)dim * (size_t)i + (size_t)c];
  }
  for (int side = 0; side < 2; ++side) {
    const size_t e = 2 * (size_t)i + (size_t)side;
    const int k = A->body[e];
    if (k < 0) {
      continue;
    }
    const double *w = A->w + e * (size_t)(nv * dim);
    const double *u = s->u + (size_t)k * (size_t)nv;
    for (int c = 0; c < dim; ++c) {
      double even = 0, odd = 0; /* two short chains of additions instead of one long one */
      for (int l = 0; l + 1 < nv; l += 2) {
        even += w[c * nv + l] * u[l];
        odd += w[c * nv + l + 1] * u[l + 1];
      }
      if (nv % 2 == 1) {
        even += w[c * nv + nv - 1] * u[nv - 1];
      }
      sum[c] += even + odd;
    }
  }
  for (int c = 0; c < dim; ++c) {
    v_i[c] = sum[c];
  }
}

static inline __attribute__((always_inline)) void
change_bodies(struct problem_sweep *s, int i, const double *restrict dr_i, int dim, int nv) {
  const struct problem_operator *A = s->A;
  for (int side = 0; side < 2; ++side) {
    const size_t e = 2 * (size_t)i + (size_t)side;
    const int k = A->body[e];
    if (k < 0) {
      continue;
    }
    double *restrict u = s->u + (size_t)k * (size_t)nv;
    const double *minv_w = A->minv_w + e * (size_t)(nv * dim);
    for (int l = 0; l < nv; ++l) {
      double sum = 0;
      for (int c = 0; c < dim; ++c) {
        sum += minv_w[c * nv + l] * dr_i[c];
      }
      u[l] += sum;
    }
  }
}

static inline __attribute__((always_inline)) void
velocity_rigid(const struct problem_sweep *s, int i, double *restrict v_i, int dim, int stride) {
  const struct problem_operator *A = s->A;
  const double *contact = rigid_contact(A, i), *b = s->b + (size_t)dim * (size_t)i;
  double d[3] = {0, 0, 0};
  for (int side = 0; side < 2; ++side) {
    const int body = A->body[2 * (size_t)i + (size_t)side], k = body < 0 ? A->nb : body;
    rigid_add_motion(side == 0 ? -1 : 1, s->u + (size_t)k * (size_t)stride, contact + 6 + 3 * side,
                     d);
  }
  rigid_to_frame(dim, contact, d, v_i);
  for (int c = 0; c < dim; ++c) {
    v_i[c] += b[c];
  }
}

static inline __attribute__((always_inline)) void
change_rigid(struct problem_sweep *s, int i, const double *restrict dr_i, int dim, int stride) {
  const struct problem_operator *A = s->A;
  const double *contact = rigid_contact(A, i);
  double P[3];
  rigid_from_frame(dim, contact, dr_i, P);
  for (int side = 0; side < 2; ++side) {
    const int k = A->body[2 * (size_t)i + (size_t)side];
    if (k >= 0) {
      rigid_kick(stride, side == 0 ? -1 : 1, contact + 6 + 3 * side, P,
                 s->u + (size_t)k * (size_t)stride);
    }
  }
}

/* What the sweep holds of a body, the world included. */
static inline double *record(const struct problem_sweep *s, int body) {
  return s->u + (size_t)(body < 0 ? s->A->nb : body) * RIGID_SPHERE_STRIDE;
}

static inline __attribute__((always_inline)) void
velocity_central(const struct problem_sweep *s, int i, double *restrict v_i, int dim) {
  const struct problem_operator *A = s->A;
  const double *c = A->contact + RIGID_CENTRAL * rigid_entry(A, i);
  const double *b = s->b + (size_t)dim * (size_t)i;
  const double *x = record(s, A->body[2 * (size_t)i]), *y = record(s, A->body[2 * (size_t)i + 1]);
  rigid_central_velocity(dim, c, x, y, v_i);
  for (int k = 0; k < dim; ++k) {
    v_i[k] += b[k];
  }
}

static inline __attribute__((always_inline)) void
change_central(struct problem_sweep *s, int i, const double *restrict dr_i, int dim) {
  const struct problem_operator *A = s->A;
  const double *c = A->contact + RIGID_CENTRAL * rigid_entry(A, i);
  double P[3], T[3];
  rigid_from_frame(dim, c, dr_i, P);
  rigid_central_moment(dim, c, dr_i, T);
  for (int side = 0; side < 2; ++side) {
    const int body = A->body[2 * (size_t)i + (size_t)side];
    if (body >= 0) {
      double *x = record(s, body);
      const double sign = side == 0 ? -1 : 1;
      const double push = sign * x[6], turn = sign * x[7] * c[6 + side];
      for (int k = 0; k < 3; ++k) {
        x[k] += push * P[k];
        x[3 + k] += turn * T[k];
      }
    }
  }
}

void problem_sweep_block(const struct problem_sweep *s, int i, double *block) {
  const struct problem_operator *A = s->A;
  const int dim = A->dim;
  if (A->body[2 * (size_t)i] == A->body[2 * (size_t)i + 1]) {
    problem_operator_block(A, i, block);
    return;
  }
  const double *alpha = rigid_contact(A, i) + 6;
  const double *x = record(s, A->body[2 * (size_t)i]), *y = record(s, A->body[2 * (size_t)i + 1]);
  const double normal = x[6] + y[6];
  block[0] = normal;
  if (dim == 3) {
    block[4] = block[8] = normal + (alpha[0] * alpha[0] * x[7] + alpha[1] * alpha[1] * y[7]);
    block[1] = block[2] = block[3] = block[5] = block[6] = block[7] = 0;
  }
}

void problem_sweep_velocity(const struct problem_sweep *s, int i, double *v_i) {
  const struct problem_operator *A = s->A;
  switch (A->kind) {
  case PROBLEM_OPERATOR_DENSE:
    velocity_dense(s, i, v_i);
    return;
  case PROBLEM_OPERATOR_BLOCKS:
    if (A->dim == 3) {
      velocity_blocks(s, i, v_i, 3);
    } else if (A->dim == 2) {
      velocity_blocks(s, i, v_i, 2);
    } else {
      velocity_blocks(s, i, v_i, A->dim);
    }
    return;
  case PROBLEM_OPERATOR_BODIES:
  case PROBLEM_OPERATOR_RIGID:
    switch (s->shape) {
    case SHAPE_SPATIAL:
      velocity_bodies(s, i, v_i, 3, 6);
      return;
    case SHAPE_PLANAR:
      velocity_bodies(s, i, v_i, 2, 3);
      return;
    case SHAPE_NORMAL:
      velocity_bodies(s, i, v_i, 1, A->nv);
      return;
    case SHAPE_GENERIC:
      velocity_bodies(s, i, v_i, A->dim, A->nv);
      return;
    case SHAPE_CENTRAL:
      velocity_central(s, i, v_i, 3);
      return;
    case SHAPE_CENTRAL_NORMAL:
      velocity_central(s, i, v_i, 1);
      return;
    case SHAPE_SPHERES:
      velocity_rigid(s, i, v_i, 3, RIGID_SPHERE_STRIDE);
      return;
    case SHAPE_RIGID:
      velocity_rigid(s, i, v_i, 3, RIGID_BODY_STRIDE);
      return;
    case SHAPE_SPHERES_NORMAL:
      velocity_rigid(s, i, v_i, 1, RIGID_SPHERE_STRIDE);
      return;
    case SHAPE_RIGID_NORMAL:
      velocity_rigid(s, i, v_i, 1, RIGID_BODY_STRIDE);
      return;
    }
  }
}

void problem_sweep_change(struct problem_sweep *s, int i, const double *dr_i) {
  const struct problem_operator *A = s->A;
  if (!problem_operator_by_bodies(A)) {
    for (int k = 0; k < A->dim; ++k) {
      s->r[(size_t)A->dim * (size_t)i + (size_t)k] += dr_i[k];
    }
    return;
  }
  switch (s->shape) {
  case SHAPE_SPATIAL:
    change_bodies(s, i, dr_i, 3, 6);
    return;
  case SHAPE_PLANAR:
    change_bodies(s, i, dr_i, 2, 3);
    return;
  case SHAPE_NORMAL:
    change_bodies(s, i, dr_i, 1, A->nv);
    return;
  case SHAPE_GENERIC:
    change_bodies(s, i, dr_i, A->dim, A->nv);
    return;
  case SHAPE_CENTRAL:
    change_central(s, i, dr_i, 3);
    return;
  case SHAPE_CENTRAL_NORMAL:
    change_central(s, i, dr_i, 1);
    return;
  case SHAPE_SPHERES:
    change_rigid(s, i, dr_i, 3, RIGID_SPHERE_STRIDE);
    return;
  case SHAPE_RIGID:
    change_rigid(s, i, dr_i, 3, RIGID_BODY_STRIDE);
    return;
  case SHAPE_SPHERES_NORMAL:
    change_rigid(s, i, dr_i, 1, RIGID_SPHERE_STRIDE);
    return;
  case SHAPE_RIGID_NORMAL:
    change_rigid(s, i, dr_i, 1, RIGID_BODY_STRIDE);
    return;
  }
}
