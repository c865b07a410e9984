/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Row-wise access to v = A r + b while single blocks of r change: the inner loop of every
 * relaxation.
 *
 *   DENSE, BLOCKS  keep r; velocity i is row i of A times r, a change costs nothing. A dense A is
 *                  transposed once, for rows that are contiguous.
 *   BODIES         keeps u_k = sum_j M_k^-1 W_jk r_j of each body; v_i = sum_k W_ik^T u_k + b_i and
 *                  a change touches two bodies: O(1) a contact, however many there are. Of rigid
 *                  bodies u_k is V and Omega in world axes, beside the inverse mass and inertia by
 *                  which impulses are divided (rigid.h).
 *
 *   JOINTED        keeps z = Z r beside u: v_i = sum_k W_ik^T u_k - Z_i^T z + b_i, and a change
 *                  goes along the path of its contact too.
 *
 * Spheres have kernels of their own, chosen where all inverse inertias are multiples of one and all
 * arms lie along their normals, a_k = alpha_k n. A body then is one line of the cache, a contact 64
 * bytes, and A_ii = diag(A_N, A_T, A_T) with A_N = 1/m_0 + 1/m_1, A_T = A_N + alpha_0^2/I_0 +
 * alpha_1^2/I_1 is at hand from these.
 *
 * Of compliant contacts r is kept as well, whatever else is, for R r.
 *
 * Rounding in u grows with the number of changes; solvers start the sweep afresh now and then.
 */
#include "problem/operator/rigid.h"
#include "problem/problem.h"

#include <math.h>
#include <string.h>

enum kernel {
  KERNEL_ROWS,
  KERNEL_BLOCKS,
  KERNEL_DIRECTIONS,
  KERNEL_JOINTED,
  KERNEL_RIGID,
  KERNEL_SPHERES
};

/* V, Omega of a body, then 1/m and its inverse inertia, one number (spheres) or six. Padded to
 * whole lines of the cache: 64 or 128 bytes. */
enum { SPHERE_STRIDE = 8, BODY_STRIDE = 16 };

/* An arm is along the normal when what is across is less than this part of it, which leaves room
 * for the rounding of positions far from the origin. */
static const double ALONG = 1e-12;

struct problem_sweep {
  const struct problem_operator *A;
  const double *b, *diag; /* diag: as problem_operator.diagonal; NULL: spheres */
  enum kernel kernel;
  double *rows; /* DENSE: n x n row-major */
  double *r;    /* DENSE, BLOCKS, and of compliant contacts, behind all else: n; else NULL */
  double *z;    /* JOINTED: n_nodes, behind u */
  double *u;    /* BODIES, JOINTED: nb x nv; of rigid bodies (nb + 1) x stride, the last the world
                   at rest */
  int stride;
  int sweeps;    /* since it was started */
  double *alpha; /* spheres: nc x 2, arms over their normals [m] */
};

/* Records of all bodies; returns whether all inverse inertias are multiples of one. */
static int put_inverses(struct problem_sweep *s, int stride) {
  const struct problem_operator *A = s->A;
  int isotropic = 1;
  for (size_t k = 0; k < (size_t)A->nb; ++k) {
    double *x = s->u + k * (size_t)stride + 6, S[6];
    rigid_inverse_inertia(A, k, S);
    isotropic &= S[0] == S[3] && S[0] == S[5] && S[1] == 0 && S[2] == 0 && S[4] == 0;
    x[0] = 1 / A->mass[6 * k];
    memcpy(x + 1, S, (stride == SPHERE_STRIDE ? 1 : 6) * sizeof *x);
  }
  return isotropic;
}

/* Arms over their normals; returns whether that is all of them, wherever a body can turn. */
static int put_alphas(struct problem_sweep *s) {
  const struct problem_operator *A = s->A;
  int along = 1;
  for (size_t e = 0; e < 2 * (size_t)A->nc && along; ++e) {
    const double *n = A->frame + 6 * (e / 2), *a = A->arm + 3 * e;
    const int k = A->body[e];
    double across[3];
    rigid_cross(n, a, across);
    s->alpha[e] = k < 0 ? 0 : rigid_dot(n, a);
    along = k < 0 || s->u[(size_t)k * SPHERE_STRIDE + 7] == 0 ||
            rigid_dot(across, across) <= ALONG * ALONG * rigid_dot(a, a);
  }
  return along;
}

/* Room for what changes with r, zeroed, with r itself behind it where that is asked for. */
static double *changing(struct problem_sweep *s, size_t n, struct base_arena *arena) {
  const size_t n_r = s->A->compliance != NULL ? (size_t)s->A->dim * (size_t)s->A->nc : 0;
  double *u = base_arena_array(arena, n + n_r, 1, sizeof *u);
  s->r = n_r > 0 ? u + n : NULL;
  return u;
}

static void alloc_rigid(struct problem_sweep *s, struct base_arena *arena) {
  const size_t nb = (size_t)s->A->nb, nc = (size_t)s->A->nc, d = sizeof *s->u;
  const struct base_arena_mark mark = base_arena_mark(arena);
  s->stride = SPHERE_STRIDE;
  s->u = changing(s, (nb + 1) * SPHERE_STRIDE, arena);
  s->alpha = base_arena_room(arena, 2 * nc * d);
  s->kernel = KERNEL_SPHERES;
  if (!put_inverses(s, SPHERE_STRIDE) || !put_alphas(s)) {
    base_arena_release(arena, mark);
    s->stride = BODY_STRIDE;
    s->u = changing(s, (nb + 1) * BODY_STRIDE, arena);
    s->kernel = KERNEL_RIGID;
    put_inverses(s, BODY_STRIDE);
  }
}

static void alloc_rows(struct problem_sweep *s, struct base_arena *arena) {
  const struct problem_operator *A = s->A;
  const size_t n = (size_t)A->dim * (size_t)A->nc;
  s->kernel = A->kind == PROBLEM_OPERATOR_DENSE ? KERNEL_ROWS : KERNEL_BLOCKS;
  s->r = base_arena_push(arena, n * sizeof *s->r);
  if (s->kernel == KERNEL_ROWS) {
    s->rows = base_arena_array(arena, n, n, sizeof *s->rows);
    for (size_t j = 0; j < n; ++j) {
      for (size_t i = 0; i < n; ++i) {
        s->rows[i * n + j] = A->a[j * n + i];
      }
    }
  }
}

struct problem_sweep *problem_sweep_alloc(const struct problem *p, struct base_arena *arena) {
  const struct problem_operator *A = &p->A;
  struct problem_sweep *s = base_arena_push(arena, sizeof *s);
  s->A = A;
  s->b = p->b;
  if (A->kind == PROBLEM_OPERATOR_JOINTED) {
    s->kernel = KERNEL_JOINTED;
    const size_t velocities = (size_t)A->nb * (size_t)A->nv;
    s->u = changing(s, velocities + (size_t)A->n_nodes, arena);
    s->z = s->u + velocities;
  } else if (A->kind != PROBLEM_OPERATOR_BODIES) {
    alloc_rows(s, arena);
  } else if (problem_is_rigid(A)) {
    alloc_rigid(s, arena);
  } else {
    s->kernel = KERNEL_DIRECTIONS;
    s->u = changing(s, (size_t)A->nb * (size_t)A->nv, arena);
  }
  s->diag = s->kernel == KERNEL_SPHERES ? NULL : problem_operator_diagonal_of(A, arena);
  return s;
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

/* v_i -= Z_i^T z */
static inline __attribute__((always_inline)) void take_path(const struct problem_sweep *s, int i,
                                                            double *restrict v_i, int dim) {
  const struct problem_operator *A = s->A;
  double sum[CONTACT_DIM_MAX] = {0};
  for (int e = A->path_ptr[i]; e < A->path_ptr[i + 1]; ++e) {
    const double *z_i = A->path_z + (size_t)dim * (size_t)e, z = s->z[A->path[e]];
    for (int c = 0; c < dim; ++c) {
      sum[c] += z_i[c] * z;
    }
  }
  for (int c = 0; c < dim; ++c) {
    v_i[c] -= sum[c];
  }
}

/* z += Z_i dr_i */
static inline __attribute__((always_inline)) void
change_path(struct problem_sweep *s, int i, const double *restrict dr_i, int dim) {
  const struct problem_operator *A = s->A;
  for (int e = A->path_ptr[i]; e < A->path_ptr[i + 1]; ++e) {
    const double *z_i = A->path_z + (size_t)dim * (size_t)e;
    double sum = 0;
    for (int c = 0; c < dim; ++c) {
      sum += z_i[c] * dr_i[c];
    }
    s->z[A->path[e]] += sum;
  }
}

/* What the sweep holds of a rigid body, the world included. */
static inline double *record(const struct problem_sweep *s, int body, int stride) {
  return s->u + (size_t)(body < 0 ? s->A->nb : body) * (size_t)stride;
}

/* Bodies lie in memory as they are numbered, contacts meet them as they lie in space: what a
 * contact some way ahead reads is asked for now. */
static inline void fetch_ahead(const struct problem_sweep *s, size_t i, int stride) {
  enum { AHEAD = 8 };
  const size_t last = (size_t)s->A->nc - 1, ahead = i + AHEAD < last ? i + AHEAD : last;
  for (size_t side = 0; side < 2; ++side) {
    __builtin_prefetch(record(s, s->A->body[2 * ahead + side], stride), 1);
  }
}

static inline __attribute__((always_inline)) void
velocity_rigid(const struct problem_sweep *s, size_t i, double *restrict v_i, int dim) {
  const struct problem_operator *A = s->A;
  const double *b = s->b + (size_t)dim * i;
  double d[3] = {0, 0, 0};
  for (size_t side = 0; side < 2; ++side) {
    rigid_add_motion(side == 0 ? -1 : 1, record(s, A->body[2 * i + side], BODY_STRIDE),
                     A->arm + 6 * i + 3 * side, d);
  }
  rigid_to_frame(dim, A->frame + 6 * i, d, v_i);
  for (int c = 0; c < dim; ++c) {
    v_i[c] += b[c];
  }
}

static inline __attribute__((always_inline)) void
change_rigid(struct problem_sweep *s, size_t i, const double *restrict dr_i, int dim) {
  const struct problem_operator *A = s->A;
  double P[3];
  rigid_from_frame(dim, A->frame + 6 * i, dr_i, P);
  for (size_t side = 0; side < 2; ++side) {
    if (A->body[2 * i + side] < 0) {
      continue;
    }
    const double sign = side == 0 ? -1 : 1;
    double *x = record(s, A->body[2 * i + side], BODY_STRIDE), torque[3], turning[3];
    rigid_cross(A->arm + 6 * i + 3 * side, P, torque);
    rigid_turn(x + 7, torque, turning);
    for (int k = 0; k < 3; ++k) {
      x[k] += sign * (x[6] * P[k]);
      x[3 + k] += sign * turning[k];
    }
  }
}

/* With d = V_1 - V_0 and w = alpha_1 Omega_1 - alpha_0 Omega_0, where a_k = alpha_k n,
 *   v_i = (n . d, t1 . d + t2 . w, t2 . d - t1 . w),   a_k x P = alpha_k (t2 r_1 - t1 r_2) */
static inline __attribute__((always_inline)) void
velocity_spheres(const struct problem_sweep *s, size_t i, double *restrict v_i, int dim) {
  const struct problem_operator *A = s->A;
  const double *n = A->frame + 6 * i, *t1 = n + 3, *alpha = s->alpha + 2 * i;
  const double *b = s->b + (size_t)dim * i;
  const double *x = record(s, A->body[2 * i], SPHERE_STRIDE);
  const double *y = record(s, A->body[2 * i + 1], SPHERE_STRIDE);
  fetch_ahead(s, i, SPHERE_STRIDE);
  const double d[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
  v_i[0] = rigid_dot(n, d) + b[0];
  if (dim == 3) {
    const double w[3] = {alpha[1] * y[3] - alpha[0] * x[3], alpha[1] * y[4] - alpha[0] * x[4],
                         alpha[1] * y[5] - alpha[0] * x[5]};
    double t2[3];
    rigid_cross(n, t1, t2);
    v_i[1] = rigid_dot(t1, d) + rigid_dot(t2, w) + b[1];
    v_i[2] = rigid_dot(t2, d) - rigid_dot(t1, w) + b[2];
  }
}

static inline __attribute__((always_inline)) void
change_spheres(struct problem_sweep *s, size_t i, const double *restrict dr_i, int dim) {
  const struct problem_operator *A = s->A;
  const double *n = A->frame + 6 * i, *t1 = n + 3;
  double P[3], t2[3], T[3];
  rigid_from_frame(dim, n, dr_i, P);
  rigid_cross(n, t1, t2);
  for (int k = 0; k < 3; ++k) {
    T[k] = dim == 3 ? t2[k] * dr_i[1] - t1[k] * dr_i[2] : 0;
  }
  for (size_t side = 0; side < 2; ++side) {
    if (A->body[2 * i + side] < 0) {
      continue;
    }
    double *x = record(s, A->body[2 * i + side], SPHERE_STRIDE);
    const double sign = side == 0 ? -1 : 1;
    const double push = sign * x[6], turn = sign * x[7] * s->alpha[2 * i + side];
    for (int k = 0; k < 3; ++k) {
      x[k] += push * P[k];
      x[3 + k] += turn * T[k];
    }
  }
}

static void block_spheres(const struct problem_sweep *s, size_t i, double *block) {
  const struct problem_operator *A = s->A;
  const double *alpha = s->alpha + 2 * i;
  if (A->body[2 * i] == A->body[2 * i + 1]) { /* a body that touches itself */
    problem_operator_block(A, (int)i, block);
    return;
  }
  const double *x = record(s, A->body[2 * i], SPHERE_STRIDE);
  const double *y = record(s, A->body[2 * i + 1], SPHERE_STRIDE);
  const double normal = x[6] + y[6];
  block[0] = normal;
  if (A->dim == 3) {
    block[4] = block[8] = normal + (alpha[0] * alpha[0] * x[7] + alpha[1] * alpha[1] * y[7]);
    block[1] = block[2] = block[3] = block[5] = block[6] = block[7] = 0;
  }
  for (size_t k = 0; A->compliance != NULL && k < (size_t)A->dim; ++k) {
    block[k * (size_t)A->dim + k] += A->compliance[(size_t)A->dim * i + k];
  }
}

const double *problem_sweep_block(const struct problem_sweep *s, int i, double *own) {
  if (s->diag == NULL) {
    block_spheres(s, (size_t)i, own);
    return own;
  }
  return s->diag + (size_t)i * (size_t)s->A->dim * (size_t)s->A->dim;
}

/* Sizes that the compiler is to know have loops of their own. */
#define BY_DIM(kernel, s, i, x, other)                                                             \
  ((s)->A->dim == 3 ? kernel(s, i, x, 3) : kernel(s, i, x, other))
#define BY_DIM_AND_NV(kernel, s, i, x)                                                             \
  ((s)->A->dim == 3 && (s)->A->nv == 6   ? kernel(s, i, x, 3, 6)                                   \
   : (s)->A->dim == 2 && (s)->A->nv == 3 ? kernel(s, i, x, 2, 3)                                   \
                                         : kernel(s, i, x, (s)->A->dim, (s)->A->nv))

/* v_i = (A r + b)_i, R apart */
static void velocity_of(const struct problem_sweep *s, int i, double *v_i) {
  switch (s->kernel) {
  case KERNEL_ROWS:
    velocity_dense(s, i, v_i);
    return;
  case KERNEL_BLOCKS:
    BY_DIM(velocity_blocks, s, i, v_i, s->A->dim);
    return;
  case KERNEL_DIRECTIONS:
    BY_DIM_AND_NV(velocity_bodies, s, i, v_i);
    return;
  case KERNEL_JOINTED:
    BY_DIM_AND_NV(velocity_bodies, s, i, v_i);
    BY_DIM(take_path, s, i, v_i, s->A->dim);
    return;
  case KERNEL_RIGID:
    BY_DIM(velocity_rigid, s, (size_t)i, v_i, 1);
    return;
  case KERNEL_SPHERES:
    BY_DIM(velocity_spheres, s, (size_t)i, v_i, 1);
    return;
  }
}

void problem_sweep_velocity(const struct problem_sweep *s, int i, double *v_i) {
  velocity_of(s, i, v_i);
  const double *R = s->A->compliance;
  if (R != NULL) {
    const int dim = s->A->dim;
    const size_t at = (size_t)dim * (size_t)i;
    for (int k = 0; k < dim; ++k) {
      v_i[k] += R[at + (size_t)k] * s->r[at + (size_t)k];
    }
  }
}

/* What is kept of the motion, by a change of r_i. */
static void change_motion(struct problem_sweep *s, int i, const double *dr_i) {
  switch (s->kernel) {
  case KERNEL_ROWS:
  case KERNEL_BLOCKS:
    return;
  case KERNEL_DIRECTIONS:
    BY_DIM_AND_NV(change_bodies, s, i, dr_i);
    return;
  case KERNEL_JOINTED:
    BY_DIM_AND_NV(change_bodies, s, i, dr_i);
    BY_DIM(change_path, s, i, dr_i, s->A->dim);
    return;
  case KERNEL_RIGID:
    BY_DIM(change_rigid, s, (size_t)i, dr_i, 1);
    return;
  case KERNEL_SPHERES:
    BY_DIM(change_spheres, s, (size_t)i, dr_i, 1);
    return;
  }
}

void problem_sweep_change(struct problem_sweep *s, int i, const double *dr_i) {
  const int dim = s->A->dim;
  for (int k = 0; s->r != NULL && k < dim; ++k) {
    s->r[(size_t)dim * (size_t)i + (size_t)k] += dr_i[k];
  }
  change_motion(s, i, dr_i);
}

void problem_sweep_start(struct problem_sweep *s, const double *r) {
  const struct problem_operator *A = s->A;
  const size_t dim = (size_t)A->dim;
  s->sweeps = 0;
  if (s->r != NULL) {
    memcpy(s->r, r, dim * (size_t)A->nc * sizeof *r);
  }
  if (s->u == NULL) {
    return;
  }
  const size_t stride = s->stride == 0 ? (size_t)A->nv : (size_t)s->stride;
  for (size_t k = 0; k < (size_t)A->nb; ++k) {
    memset(s->u + k * stride, 0, (size_t)A->nv * sizeof *s->u);
  }
  if (s->z != NULL) {
    memset(s->z, 0, (size_t)A->n_nodes * sizeof *s->z);
  }
  for (int i = 0; i < A->nc; ++i) {
    change_motion(s, i, r + dim * (size_t)i);
  }
}

void problem_sweep_again(struct problem_sweep *s, const double *r) {
  if (++s->sweeps == PROBLEM_SWEEP_REFRESH) {
    problem_sweep_start(s, r);
  }
}

double *problem_sweep_state(struct problem_sweep *s, size_t *n) {
  const struct problem_operator *A = s->A;
  if (s->u == NULL) {
    *n = (size_t)A->dim * (size_t)A->nc;
    return s->r;
  }
  *n = s->stride > 0 ? ((size_t)A->nb + 1) * (size_t)s->stride
                     : (size_t)A->nb * (size_t)A->nv + (s->z != NULL ? (size_t)A->n_nodes : 0);
  *n += s->r != NULL ? (size_t)A->dim * (size_t)A->nc : 0;
  return s->u;
}
