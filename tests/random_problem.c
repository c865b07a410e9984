/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random one-step problems; see random_problem.h.
 */
#include "tests/random_problem.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "tests/test.h"

void random_block(struct base_rng *rng, int dim, double decades, double *A) {
  memset(A, 0, (size_t)(dim * dim) * sizeof *A);
  for (int k = 0; k < dim + 1; ++k) {
    double g[CONTACT_DIM_MAX];
    base_rng_normals(rng, dim, g);
    const double w = pow(10, base_rng_uniform(rng, -decades, decades));
    for (int i = 0; i < dim * dim; ++i) {
      A[i] += w * g[i / dim] * g[i % dim];
    }
  }
}

void random_unit(struct base_rng *rng, int n, double *x) {
  double length = 0;
  base_rng_normals(rng, n, x);
  for (int k = 0; k < n; ++k) {
    length += x[k] * x[k];
  }
  for (int k = 0; k < n; ++k) {
    x[k] /= sqrt(length);
  }
}

/* Orthonormal axes, columns of R: normal, t1, t2 (the plane: normal, t1). */
static void random_frame(int space, struct base_rng *rng, double R[3][3]) {
  memset(R, 0, 9 * sizeof(double));
  if (space == 2) {
    const double angle = base_rng_uniform(rng, -3, 3);
    R[0][0] = R[1][1] = cos(angle);
    R[1][0] = sin(angle);
    R[0][1] = -sin(angle);
    R[2][2] = 1;
    return;
  }
  double a[4];
  random_unit(rng, 4, a); /* a quaternion */
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    R[i][i] = 1 - 2 * (a[1 + j] * a[1 + j] + a[1 + k] * a[1 + k]);
    R[i][j] = 2 * (a[1 + i] * a[1 + j] - a[0] * a[1 + k]);
    R[j][i] = 2 * (a[1 + i] * a[1 + j] + a[0] * a[1 + k]);
  }
}

/* w: nv x dim column-major for a contact at lever arm p with axes R. */
static void fill_w(int dim, int nv, double sign, const double p[3], double R[3][3], double *w) {
  const int linear = nv == 6 ? 3 : nv == 3 && dim == 3 ? 3 : nv == 1 ? 1 : 2;
  for (int c = 0; c < dim; ++c) {
    const double d[3] = {R[0][c], R[1][c], R[2][c]};
    for (int k = 0; k < linear; ++k) {
      w[c * nv + k] = sign * d[k];
    }
    if (nv == 3 && linear == 2) {
      w[c * nv + 2] = sign * (p[0] * d[1] - p[1] * d[0]);
    }
    if (nv == 6) {
      w[c * nv + 3] = sign * (p[1] * d[2] - p[2] * d[1]);
      w[c * nv + 4] = sign * (p[2] * d[0] - p[0] * d[2]);
      w[c * nv + 5] = sign * (p[0] * d[1] - p[1] * d[0]);
    }
  }
}

/* Minv: nv x nv of one body, symmetric positive definite, block diagonal in translation and
 * turning.
 */
static void random_inverse_mass(int nv, int isotropic, struct base_rng *rng, double *Minv) {
  memset(Minv, 0, (size_t)(nv * nv) * sizeof *Minv);
  const double mass = base_rng_uniform(rng, 0.5, 3), turning = base_rng_uniform(rng, 0.3, 2);
  for (int k = 0; k < nv; ++k) {
    const int turns = (nv == 6 && k >= 3) || (nv == 3 && k == 2);
    Minv[k * nv + k] = turns ? 1 / turning : 1 / mass;
  }
  if (nv == 6 && !isotropic) {
    double G[3][3];
    base_rng_normals(rng, 9, G[0]);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) {
          Minv[(3 + i) * nv + 3 + j] += G[i][k] * G[j][k];
        }
      }
    }
  }
}

/* turn: 3 x 3, columns the principal axes; mass: 6 along them. What does not turn has no axes. */
static void principal_axes(const double *Minv, double *turn, double *mass) {
  double V[9], w[3];
  for (int k = 0; k < 9; ++k) {
    V[k] = Minv[(3 + k / 3) * 6 + 3 + k % 3];
  }
  CHECK_OK(la_eigen_symmetric(3, V, w, 1));
  for (int k = 0; k < 3; ++k) {
    mass[k] = 1 / Minv[0];
    mass[3 + k] = w[k] > 0 ? 1 / w[k] : 1;
    for (int i = 0; i < 3; ++i) {
      turn[3 * i + k] = w[k] > 0 ? V[3 * k + i] : 0;
    }
  }
}

/* rigid: NULL, or gets the operator by geometry, contacts with either side first. */
static struct problem build(const struct random_problem *shape, struct base_rng *rng,
                            struct base_arena *arena, struct problem_operator *rigid) {
  const int dim = shape->dim, nv = shape->nv, nc = shape->nc, nb = shape->nb;
  double *Minv = base_arena_doubles(arena, nb * nv * nv);
  for (int k = 0; k < nb; ++k) {
    random_inverse_mass(nv, shape->isotropic, rng, Minv + k * nv * nv);
    for (int i = 3 * nv; rigid != NULL && k == nb - 1 && i < nv * nv; ++i) {
      Minv[k * nv * nv + i] = 0; /* translation and turning are not coupled */
    }
  }
  int *body = base_arena_ints(arena, 2 * nc);
  double *w = base_arena_doubles(arena, 2 * nc * nv * dim);
  double *minv_w = base_arena_doubles(arena, 2 * nc * nv * dim);
  double *mu = base_arena_doubles(arena, nc), *b = base_arena_doubles(arena, nc * dim);
  double *frame = base_arena_doubles(arena, 6 * nc), *arm = base_arena_doubles(arena, 6 * nc);
  int *sides = base_arena_ints(arena, 2 * nc); /* first and second body of the rigid operator */
  for (int i = 0; i < nc; ++i) {
    double R[3][3];
    random_frame(nv == 6 || dim == 3 ? 3 : 2, rng, R);
    body[2 * i] = base_rng_below(rng, nb);
    body[2 * i + 1] = base_rng_below(rng, nb + 1) - 1;
    if (shape->chain) {
      body[2 * i] = i % nb;
      body[2 * i + 1] = i % nb - 1;
    }
    if (rigid != NULL && i == 0) {
      body[1] = body[0];
    } else if (body[2 * i + 1] == body[2 * i]) {
      body[2 * i + 1] = -1;
    }
    const int is_turned = rigid != NULL && i % 2; /* the normal points from the first body */
    for (int k = 0; k < 6; ++k) {
      frame[6 * i + k] = R[k % 3][k / 3];
    }
    for (int side = 0; side < 2; ++side) {
      const int e = 2 * i + side, at = 2 * i + (is_turned ? side : 1 - side);
      sides[at] = body[e];
      if (body[e] < 0) { /* what stands there must not matter */
        for (int k = 0; k < nv * dim; ++k) {
          w[e * nv * dim + k] = minv_w[e * nv * dim + k] = 1e3;
        }
        continue;
      }
      double p[3];
      base_rng_uniforms(rng, 3, -1, 1, p);
      for (int k = 2; shape->central && k >= 0; --k) {
        p[k] = p[0] * R[k][0];
      }
      memcpy(arm + 3 * at, p, sizeof p);
      fill_w(dim, nv, (side == 0) != is_turned ? 1 : -1, p, R, w + e * nv * dim);
      for (int c = 0; c < dim; ++c) {
        for (int k = 0; k < nv * nv; ++k) {
          minv_w[(e * dim + c) * nv + k / nv] +=
              Minv[body[e] * nv * nv + k] * w[(e * dim + c) * nv + k % nv];
        }
      }
    }
    mu[i] = base_rng_uniform(rng, 0, shape->mu_max);
    for (int c = 0; c < dim; ++c) {
      b[dim * i + c] = base_rng_uniform(rng, -1, 1) - (c == 0 ? shape->loading : 0);
    }
  }
  if (rigid != NULL) {
    double *turn = base_arena_doubles(arena, 9 * nb), *mass = base_arena_doubles(arena, 6 * nb);
    for (int k = 0; k < nb; ++k) {
      principal_axes(Minv + 36 * k, turn + 9 * k, mass + 6 * k);
    }
    *rigid = (struct problem_operator){.kind = PROBLEM_OPERATOR_BODIES,
                                       .dim = dim,
                                       .nc = nc,
                                       .nb = nb,
                                       .nv = nv,
                                       .body = sides,
                                       .frame = frame,
                                       .arm = arm,
                                       .turn = turn,
                                       .mass = mass};
  }
  return (struct problem){.name = "random",
                          .model = {.law = CONTACT_LAW_NCP, .dim = dim, .nc = nc, .mu = mu},
                          .A = {.kind = PROBLEM_OPERATOR_BODIES,
                                .dim = dim,
                                .nc = nc,
                                .nb = nb,
                                .nv = nv,
                                .body = body,
                                .w = w,
                                .minv_w = minv_w},
                          .b = b};
}

struct problem random_problem_build(const struct random_problem *shape, struct base_rng *rng,
                                    struct base_arena *arena) {
  return build(shape, rng, arena, NULL);
}

struct problem random_problem_rigid(const struct random_problem *shape, struct base_rng *rng,
                                    struct base_arena *arena, struct problem *written) {
  struct problem_operator A;
  *written = build(shape, rng, arena, &A);
  struct problem rigid = *written;
  rigid.A = A;
  return rigid;
}

struct problem random_problem_dense(const struct problem *p, struct base_arena *arena) {
  const struct problem_operator *A = &p->A;
  const int dim = A->dim, nv = A->nv, n = dim * A->nc, nu = A->nb * nv;
  double *W = base_arena_doubles(arena, nu * n), *Minv_W = base_arena_doubles(arena, nu * n);
  for (int e = 0; e < 2 * A->nc; ++e) {
    for (int k = 0; A->body[e] >= 0 && k < nv * dim; ++k) {
      const int at = A->body[e] * nv + k % nv + (dim * (e / 2) + k / nv) * nu;
      W[at] += A->w[e * nv * dim + k];
      Minv_W[at] += A->minv_w[e * nv * dim + k];
    }
  }
  double *a = base_arena_doubles(arena, n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < nu; ++k) {
        a[i + j * n] += W[k + i * nu] * Minv_W[k + j * nu];
      }
    }
  }
  struct problem dense = *p;
  dense.A =
      (struct problem_operator){.kind = PROBLEM_OPERATOR_DENSE, .dim = dim, .nc = A->nc, .a = a};
  return dense;
}
