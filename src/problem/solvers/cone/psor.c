/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Projected successive over-relaxation for cone complementarity, after Tasora and Anitescu (2011),
 * "A matrix-free cone complementarity approach for solving large-scale, nonsmooth, rigid body
 * dynamics", Comput. Methods Appl. Mech. Eng. 200:
 *   r_i <- lambda P_K(r_i - omega eta_i v_i) + (1 - lambda) r_i,  eta_i = dim / trace A_ii,
 * contact by contact with the newest v. It converges for the convex law when omega eta_i stays
 * below 2 over the largest eigenvalue of A_ii; since that eigenvalue is at most the trace, omega <
 * 2/3 is always safe in space, and the default is just below. For dim 1 every law is the same.
 * Contacts that cannot move keep the r that they start with.
 */
#include <math.h>

#include "base/status.h"
#include "problem/solver.h"
#include "problem/solvers/step.h"

struct psor_options {
  double omega;
  double lambda;
};

static const struct base_option psor_table[] = {
    BASE_OPTION_REAL(struct psor_options, omega, 0.6, 1e-3, 1.999, "",
                     "step over the mean diagonal element"),
    BASE_OPTION_REAL(struct psor_options, lambda, 1, 1e-3, 1, "",
                     "weight of the projected value in the new one"),
    BASE_OPTION_END};

struct psor {
  const struct problem *p;
  double lambda;
  struct problem_sweep *sweep;
  double *step; /* nc, omega eta_i [kg] */
};

/* Is every contact without a diagonal one that cannot move, its whole row zero? Then no step is
 * needed there; else no step is defined. Semidefinite operators have no other. */
static int rows_are_steady(const struct problem *p) {
  struct base_arena *arena = base_arena_alloc();
  struct problem_operator B;
  problem_operator_to_blocks(&p->A, &B, arena);
  const int size = B.dim * B.dim;
  int steady = 1;
  for (int i = 0; i < B.nc; ++i) {
    double trace = 0, largest = 0;
    for (int e = B.row_ptr[i]; e < B.row_ptr[i + 1]; ++e) {
      const double *block = B.blocks + (size_t)e * (size_t)size;
      for (int k = 0; k < size; ++k) {
        largest = fmax(largest, fabs(block[k]));
        trace += B.col[e] == i && k % (B.dim + 1) == 0 ? block[k] : 0;
      }
    }
    steady = steady && (trace > 0 || largest == 0);
  }
  base_arena_free(arena);
  return steady;
}

static int psor_check(const struct problem *p, const void *options) {
  if (p->model.law != CONTACT_LAW_CCP && p->model.dim != 1) {
    return base_fail(BASE_UNSUPPORTED,
                     "solver 'psor' takes law '%s' only without friction; its variant for law "
                     "'ncp' is 'pgs'",
                     contact_law_name(p->model.law));
  }
  const int status = problem_step_check(p, options);
  return status != BASE_OK && p->model.dim <= 3 && rows_are_steady(p) ? BASE_OK : status;
}

static void *psor_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  const struct psor_options *o = options;
  const int dim = p->model.dim, nc = p->model.nc;
  struct psor *s = base_arena_push(arena, sizeof *s);
  s->p = p;
  s->lambda = o->lambda;
  s->sweep = problem_sweep_alloc(p, arena);
  s->step = base_arena_doubles(arena, nc);
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *diag = base_arena_matrix(arena, dim * dim, nc);
  problem_operator_diagonal(&p->A, diag);
  for (int i = 0; i < nc; ++i) {
    double trace = 0;
    for (int k = 0; k < dim; ++k) {
      trace += diag[(size_t)i * (size_t)(dim * dim) + (size_t)(k * dim + k)];
    }
    s->step[i] = trace > 0 ? o->omega * dim / trace : 0;
  }
  base_arena_release(arena, mark);
  return s;
}

static int psor_start(void *workspace, double *r) {
  struct psor *s = workspace;
  problem_sweep_start(s->sweep, r);
  return 0;
}

static int psor_iterate(void *workspace, double *r) {
  struct psor *s = workspace;
  const int dim = s->p->model.dim;
  problem_sweep_again(s->sweep, r);
  for (int i = 0; i < s->p->model.nc; ++i) {
    double *r_i = r + (size_t)dim * (size_t)i;
    double v_i[CONTACT_DIM_MAX], x[CONTACT_DIM_MAX], projected[CONTACT_DIM_MAX],
        change[CONTACT_DIM_MAX];
    problem_sweep_velocity(s->sweep, i, v_i);
    for (int k = 0; k < dim; ++k) {
      x[k] = r_i[k] - s->step[i] * v_i[k];
    }
    if (dim == 1) {
      projected[0] = x[0] < 0 ? 0 : x[0];
    } else {
      contact_project_cone(dim, s->p->model.mu[i], x, projected);
    }
    for (int k = 0; k < dim; ++k) {
      const double new_r = s->lambda * projected[k] + (1 - s->lambda) * r_i[k];
      change[k] = new_r - r_i[k];
      r_i[k] = new_r;
    }
    problem_sweep_change(s->sweep, i, change);
  }
  return 0;
}

const struct problem_solver problem_solver_psor = {
    .name = "psor",
    .look = {.colour = 0x009e73, .point = 9, .point_size = 0.9},
    .summary = "projected successive over-relaxation for cone complementarity",
    .source = "Tasora and Anitescu 2011",
    .laws = (1u << CONTACT_LAW_COUNT) - 1, /* dim 1; with friction ccp alone, see check */
    .options = psor_table,
    .options_size = sizeof(struct psor_options),
    .check = psor_check,
    .alloc = psor_alloc,
    .start = psor_start,
    .iterate = psor_iterate,
};
