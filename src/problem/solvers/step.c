/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The projected step of one contact; see step.h for the equations.
 *
 * Row sums. For DENSE and BLOCKS sum_j |A_ij| is taken as it stands: diag of it minus A is then
 * positive semidefinite (Gershgorin), and projected Jacobi converges for the convex laws. BODIES
 * forms no A; instead
 *   r^T A r = sum_k |M_k^-1/2 sum_i W_ik r_i|^2 <= sum_i r_i^T D_i r_i,
 *   D_i = sum_k n_k W_ik^T M_k^-1 W_ik,  n_k: number of contacts on body k,
 * by Cauchy-Schwarz, and the row sums of |D_i| serve: also an upper bound, at cost O(nc).
 */
#include "problem/solvers/step.h"

#include "base/status.h"
#include "problem/operator/rigid.h"

#include <math.h>
#include <string.h>

/* Of the symmetric part of a block n x n, n = 1 ... 4, leading dimension ld. */
static double largest_eigenvalue(int n, const double *block, int ld) {
  double s[CONTACT_DIM_MAX][CONTACT_DIM_MAX] = {{0}};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      s[i][j] = 0.5 * (block[i * ld + j] + block[j * ld + i]);
    }
  }
  if (n == 1) {
    return s[0][0];
  }
  if (n == 2) {
    return 0.5 * (s[0][0] + s[1][1]) + hypot(0.5 * (s[0][0] - s[1][1]), s[0][1]);
  }
  if (n == 3) { /* trigonometric solution of the characteristic cubic */
    const double mean = (s[0][0] + s[1][1] + s[2][2]) / 3;
    const double a = s[0][0] - mean, b = s[1][1] - mean, c = s[2][2] - mean;
    const double d = s[0][1], e = s[0][2], f = s[1][2];
    const double scale = sqrt((a * a + b * b + c * c + 2 * (d * d + e * e + f * f)) / 6);
    if (!(scale > 0)) {
      return mean;
    }
    const double det = a * (b * c - f * f) - d * (d * c - e * f) + e * (d * f - b * e);
    const double cosine = fmin(1, fmax(-1, det / (2 * scale * scale * scale)));
    return mean + 2 * scale * cos(acos(cosine) / 3);
  }
  double bound = 0; /* no closed form worth having: Gershgorin's bound */
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      sum += fabs(s[i][j]);
    }
    bound = fmax(bound, sum);
  }
  return bound;
}

/* Row sums of |D A D|, D = diag(weight), weight: dim nc. */
static void row_sums_dense(const struct problem_operator *A, const double *weight, double *sums) {
  const size_t n = (size_t)A->dim * (size_t)A->nc;
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) {
      sums[i] += weight[i] * fabs(A->a[i + j * n]) * weight[j];
    }
  }
}

static void row_sums_blocks(const struct problem_operator *A, const double *weight, double *sums) {
  const int dim = A->dim;
  for (int i = 0; i < A->nc; ++i) {
    for (int e = A->row_ptr[i]; e < A->row_ptr[i + 1]; ++e) {
      const double *weight_i = weight + dim * i, *weight_j = weight + dim * A->col[e];
      for (int k = 0; k < dim * dim; ++k) {
        sums[dim * i + k / dim] += weight_i[k / dim] * weight_j[k % dim] *
                                   fabs(A->blocks[(size_t)e * (size_t)(dim * dim) + (size_t)k]);
      }
    }
  }
}

/* Row sums of |D_i|. A contact with one body on both sides counts twice there, which keeps the
 * bound. */
static void row_sums_bodies(const struct problem_operator *A, const double *weight, double *sums,
                            struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int dim = A->dim, nv = A->nv, rigid = problem_is_rigid(A);
  int *count = base_arena_ints(arena, A->nb);
  for (int e = 0; e < 2 * A->nc; ++e) {
    if (A->body[e] >= 0) {
      ++count[A->body[e]];
    }
  }
  for (int i = 0; i < A->nc; ++i) {
    double D[CONTACT_DIM_MAX][CONTACT_DIM_MAX] = {{0}}, own[2][36];
    if (rigid) {
      problem_rigid_directions(A, i, own[0], own[1]);
    }
    for (int side = 0; side < 2; ++side) {
      const size_t e = 2 * (size_t)i + (size_t)side;
      if (A->body[e] < 0) {
        continue;
      }
      const size_t block = (size_t)(nv * dim);
      const double *w = rigid ? own[0] + block * (size_t)side : A->w + e * block;
      const double *minv_w = rigid ? own[1] + block * (size_t)side : A->minv_w + e * block;
      for (int k = 0; k < dim * dim; ++k) {
        double sum = 0;
        for (int m = 0; m < nv; ++m) {
          sum += w[(k / dim) * nv + m] * minv_w[(k % dim) * nv + m];
        }
        D[k / dim][k % dim] += count[A->body[e]] * sum;
      }
    }
    for (int k = 0; k < dim * dim; ++k) {
      sums[dim * i + k / dim] +=
          weight[dim * i + k / dim] * weight[dim * i + k % dim] * fabs(D[k / dim][k % dim]);
    }
  }
  base_arena_release(arena, mark);
}

/* omega / x, and no step at all where A_ii has nothing. */
static double step_size(double omega, double x) { return x > 0 ? omega / x : 0; }

static double largest_diagonal(int n, const double *block, int ld) {
  double largest = 0;
  for (int k = 0; k < n; ++k) {
    largest = fmax(largest, block[k * ld + k]);
  }
  return largest;
}

/* Scales of A_ii that the steps divide by: normal and tangential. sums: dim, row sums or NULL. */
static void contact_scales(const struct problem_step *step, enum problem_step_rule rule,
                           const double *block, const double *sums, double scale[2]) {
  const int dim = step->model->dim;
  scale[0] = sums != NULL ? sums[0] : block[0];
  scale[1] = 0;
  if (sums != NULL) {
    for (int k = 1; k < dim; ++k) {
      scale[1] = fmax(scale[1], sums[k]);
    }
  } else if (dim > 1) {
    const double *tangential = block + dim + 1;
    scale[1] = rule == PROBLEM_STEP_BLOCK ? largest_eigenvalue(dim - 1, tangential, dim)
                                          : largest_diagonal(dim - 1, tangential, dim);
  }
  if (step->model->law == CONTACT_LAW_CCP) {
    scale[0] = sums == NULL && rule == PROBLEM_STEP_BLOCK ? largest_eigenvalue(dim, block, dim)
                                                          : fmax(scale[0], scale[1]);
    scale[1] = scale[0];
  }
}

/* Row steps this little longer than the common one are not worth a second projection. */
static const double GAIN_MIN = 1.01;

/* Steps of the single rows, for recover; the last is 0 where there is nothing to gain, as for
 * spheres. rho: the common step. */
static void row_steps(const struct problem_step *step, enum problem_step_rule rule, double omega,
                      const double *block, const double *sums, double rho, double *rho_rows) {
  const int dim = step->model->dim;
  /* rows that step together: all of them for ccp, else the tangential ones */
  const int first = step->model->law == CONTACT_LAW_CCP ? 0 : 1;
  double coupling = 1;
  if (rule == PROBLEM_STEP_BLOCK) {
    double scaled[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
    for (int k = 0; k < dim * dim; ++k) {
      const double product = block[(k / dim) * (dim + 1)] * block[(k % dim) * (dim + 1)];
      scaled[k] = product > 0 ? block[k] / sqrt(product) : 0;
    }
    if (first < dim) {
      coupling = fmax(1, largest_eigenvalue(dim - first, scaled + first * (dim + 1), dim));
    }
  }
  double longest = 0;
  for (int k = 0; k < dim; ++k) {
    rho_rows[k] = step_size(omega, sums != NULL ? sums[k] : coupling * block[k * (dim + 1)]);
    longest = k >= first ? fmax(longest, rho_rows[k]) : longest;
  }
  if (longest <= GAIN_MIN * rho) {
    rho_rows[dim - 1] = 0;
  }
}

static inline int is_same(int n, const double *x, const double *y) {
  int same = 1;
  for (int k = 0; k < n; ++k) {
    same &= x[k] == y[k];
  }
  return same;
}

/* Has contact i row steps of its own? */
static inline int recovers(const struct problem_step *step, int i) {
  const int dim = step->model->dim;
  return step->rho_rows != NULL && step->rho_rows[(size_t)dim * (size_t)i + (size_t)dim - 1] > 0;
}

/* Diagonal of A_i (dim) and the set A_i^-1 C_i. A flat set stays as it is. */
static struct contact_set stretch_set(const struct contact_set *set, int dim, double *stretch) {
  struct contact_set round = *set;
  for (int k = 0; k < dim; ++k) {
    stretch[k] = 1;
  }
  if (set->kind == CONTACT_SET_INTERVAL || set->kind == CONTACT_SET_DISK || !(set->axis[0] > 0) ||
      !(set->axis[1] > 0)) {
    return round;
  }
  stretch[dim - 1] = set->axis[1] / set->axis[0];
  round.axis[1] = set->axis[0];
  if (set->kind == CONTACT_SET_ELLIPSE) {
    round.kind = CONTACT_SET_DISK;
  }
  return round;
}

/* The sets projected onto, transformed or not. */
static void choose_sets(struct problem_step *step, int transform, struct base_arena *arena) {
  const struct contact_model *model = step->model;
  step->set = model->law == CONTACT_LAW_CONE && model->dim > 1 ? model->set : NULL;
  if (step->set == NULL || !transform) {
    return;
  }
  struct contact_set *round = base_arena_push(arena, (size_t)model->nc * sizeof *round);
  step->stretch = base_arena_matrix(arena, model->dim, model->nc);
  for (int i = 0; i < model->nc; ++i) {
    round[i] = stretch_set(&model->set[i], model->dim, step->stretch + model->dim * i);
  }
  step->set = round;
}

/* Row sums of |A|, transformed if the step is: dim nc from the arena. */
static double *row_sums(const struct problem *p, const struct problem_step *step,
                        struct base_arena *arena) {
  const int n = problem_size(p);
  double *sums = base_arena_doubles(arena, n), *weight = base_arena_doubles(arena, n);
  for (int k = 0; k < n; ++k) {
    weight[k] = step->stretch != NULL ? step->stretch[k] : 1;
  }
  switch (p->A.kind) {
  case PROBLEM_OPERATOR_DENSE:
    row_sums_dense(&p->A, weight, sums);
    break;
  case PROBLEM_OPERATOR_BLOCKS:
    row_sums_blocks(&p->A, weight, sums);
    break;
  case PROBLEM_OPERATOR_BODIES:
    row_sums_bodies(&p->A, weight, sums, arena);
    break;
  case PROBLEM_OPERATOR_JOINTED: {
    struct problem_operator blocks;
    problem_operator_to_blocks(&p->A, &blocks, arena);
    row_sums_blocks(&blocks, weight, sums);
    return sums; /* R is in the blocks */
  }
  }
  for (int k = 0; p->A.compliance != NULL && k < n; ++k) {
    sums[k] += weight[k] * p->A.compliance[k] * weight[k];
  }
  return sums;
}

struct problem_step *problem_step_alloc(const struct problem *p,
                                        const struct problem_step_choice *choice, int sequential,
                                        struct base_arena *arena) {
  const enum problem_step_rule rule = (enum problem_step_rule)choice->rho;
  const struct contact_model *model = &p->model;
  const int dim = model->dim, nc = model->nc;
  struct problem_step *step = base_arena_push(arena, sizeof *step);
  step->model = model;
  step->diag = problem_operator_diagonal_of(&p->A, arena);
  step->rho = base_arena_matrix(arena, 2, nc);
  step->rho_rows = choice->recover ? base_arena_matrix(arena, dim, nc) : NULL;
  step->sequential = sequential;
  step->dirs = model->dirs;
  if (model->law == CONTACT_LAW_LCP && dim == 3 && model->dirs == NULL) {
    double *dirs = base_arena_matrix(arena, 2, model->n_dir);
    contact_directions(model->n_dir, dirs);
    step->dirs = dirs;
  }
  choose_sets(step, choice->transform, arena);
  const struct base_arena_mark mark = base_arena_mark(arena);
  const double *sums = rule == PROBLEM_STEP_ROW_SUM ? row_sums(p, step, arena) : NULL;
  for (int i = 0; i < nc; ++i) {
    double block[CONTACT_DIM_MAX * CONTACT_DIM_MAX], scale[2];
    const double *sums_i = sums != NULL ? sums + dim * i : NULL;
    const double *stretch = step->stretch != NULL ? step->stretch + dim * i : NULL;
    memcpy(block, step->diag + (size_t)i * (size_t)(dim * dim),
           (size_t)(dim * dim) * sizeof *block);
    for (int k = 0; k < dim * dim; ++k) {
      block[k] *= stretch != NULL ? stretch[k / dim] * stretch[k % dim] : 1;
    }
    contact_scales(step, rule, block, sums_i, scale);
    step->rho[2 * i] = step_size(choice->omega, scale[0]);
    step->rho[2 * i + 1] = step_size(choice->omega, scale[1]);
    if (choice->recover) {
      row_steps(step, rule, choice->omega, block, sums_i, step->rho[2 * i + 1],
                step->rho_rows + dim * i);
    }
  }
  base_arena_release(arena, mark);
  return step;
}

int problem_step_check(const struct problem *p, const void *options) {
  (void)options;
  const struct problem_operator *A = &p->A;
  const int dim = p->model.dim;
  if (dim > 3 && (p->model.law != CONTACT_LAW_CONE || p->model.set == NULL)) {
    return base_fail(BASE_UNSUPPORTED,
                     "contacts of %d components need law 'cone' and a friction set each", dim);
  }
  for (int i = 0; i < p->model.nc && A->kind != PROBLEM_OPERATOR_BODIES; ++i) {
    double block[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
    problem_operator_block(A, i, block);
    const double normal = block[0];
    if (!(normal > 0)) {
      return base_fail(BASE_UNSUPPORTED,
                       "contact %d has A_NN = %g: a projected step needs it positive", i, normal);
    }
  }
  for (int i = 0; p->model.set != NULL && i < p->model.nc; ++i) {
    if (p->model.law == CONTACT_LAW_CONE && contact_set_dim(&p->model.set[i]) != dim - 1) {
      return base_fail(BASE_UNSUPPORTED, "contact %d has a friction set of dimension %d, not %d", i,
                       contact_set_dim(&p->model.set[i]), dim - 1);
    }
  }
  return BASE_OK;
}

/* out = prox of x onto the tangential set of contact i at normal impulse r_N: minus that set, which
 * holds -r_T (moeller 3.105). Only an interval need not be symmetric. */
static inline void project_tangential(const struct problem_step *step, int i, double r_N,
                                      const double *x, double *out) {
  const struct contact_model *model = step->model;
  if (step->set != NULL) {
    const struct contact_set *set = &step->set[i];
    if (set->kind == CONTACT_SET_INTERVAL) {
      const double minus = -x[0];
      contact_set_project(set, r_N, &minus, out);
      out[0] = -out[0];
    } else {
      contact_set_project(set, r_N, x, out);
    }
    return;
  }
  const double radius = model->mu[i] * r_N;
  if (model->dim == 2) {
    out[0] = x[0] < -radius ? -radius : x[0] > radius ? radius : x[0];
    return;
  }
  if (model->law == CONTACT_LAW_LCP) {
    contact_project_polygon(model->n_dir, step->dirs, radius, x, out);
    return;
  }
  const double length2 = x[0] * x[0] + x[1] * x[1];
  const double factor = length2 > radius * radius ? radius / sqrt(length2) : 1;
  out[0] = factor * x[0];
  out[1] = factor * x[1];
}

static void apply_ccp(const struct problem_step *step, int i, const double *r_i, const double *v_i,
                      double *out) {
  const int dim = step->model->dim;
  const double mu = step->model->mu[i], rho = step->rho[2 * i];
  double x[CONTACT_DIM_MAX];
  for (int k = 0; k < dim; ++k) {
    x[k] = r_i[k] - rho * v_i[k];
  }
  contact_project_cone(dim, mu, x, out);
  if (recovers(step, i) && is_same(dim, x, out)) {
    double recovered[CONTACT_DIM_MAX];
    for (int k = 0; k < dim; ++k) {
      x[k] = r_i[k] - step->rho_rows[dim * i + k] * v_i[k];
    }
    contact_project_cone(dim, mu, x, recovered);
    if (is_same(dim, x, recovered)) {
      memcpy(out, x, (size_t)dim * sizeof *x);
    }
  }
}

void problem_step_apply(const struct problem_step *step, int i, const double *r_i,
                        const double *v_i, double *out) {
  const int dim = step->model->dim;
  if (dim > 1 && step->model->law == CONTACT_LAW_CCP) {
    apply_ccp(step, i, r_i, v_i, out);
    return;
  }
  const double *rho = step->rho + 2 * (size_t)i;
  const double x_N = r_i[0] - rho[0] * v_i[0];
  const double r_N = x_N < 0 ? 0 : x_N; /* not fmax: NaN is to stay visible, and it is a call */
  out[0] = r_N;
  if (dim == 1) {
    return;
  }
  const double *block = step->diag + (size_t)i * (size_t)(dim * dim);
  const double *stretch = step->stretch != NULL ? step->stretch + (size_t)dim * (size_t)i : NULL;
  const double change = step->sequential ? r_N - r_i[0] : 0;
  double v_T[CONTACT_DIM_MAX - 1], r_T[CONTACT_DIM_MAX - 1], x[CONTACT_DIM_MAX - 1];
  for (int k = 1; k < dim; ++k) {
    v_T[k - 1] = v_i[k] + block[k * dim] * change;
    r_T[k - 1] = r_i[k];
    if (stretch != NULL) { /* moeller 2.50 */
      v_T[k - 1] *= stretch[k];
      r_T[k - 1] /= stretch[k];
    }
    x[k - 1] = r_T[k - 1] - rho[1] * v_T[k - 1];
  }
  project_tangential(step, i, r_N, x, out + 1);
  if (recovers(step, i) && is_same(dim - 1, x, out + 1)) {
    for (int k = 1; k < dim; ++k) {
      x[k - 1] = r_T[k - 1] - step->rho_rows[dim * i + k] * v_T[k - 1];
    }
    double recovered[CONTACT_DIM_MAX - 1];
    project_tangential(step, i, r_N, x, recovered);
    if (is_same(dim - 1, x, recovered)) {
      memcpy(out + 1, x, (size_t)(dim - 1) * sizeof *x);
    }
  }
  for (int k = 1; k < dim && stretch != NULL; ++k) {
    out[k] *= stretch[k]; /* moeller 2.53 */
  }
}
