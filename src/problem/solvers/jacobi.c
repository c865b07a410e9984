/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Projected Jacobi on normal-cone inclusions (moeller 2.45):
 *   r_i <- -prox_{C_i}(-r_i + rho_i v_i),  v = A r + b with the r of the last iteration.
 * The step of moeller 2.44, omega over the largest diagonal element of A_ii (rho=diagonal),
 * converges where plain Jacobi does, that is for a dominant diagonal; contacts that share bodies
 * have none. The default divides by row sums of |A| instead: diag(row sums) - A is then positive
 * semidefinite, and the iteration converges for every symmetric A and every convex law. It is slow;
 * it is the parallel baseline.
 *
 * recover (moeller 2.63) takes the step of each row where nothing is projected; with rho=diagonal
 * this is the example (2.57), done in one step.
 *
 * Projected Newton iteration on normal-cone inclusions (moeller 2.69 to 2.73):
 *   g_i(x) in N_{C_i}(-lambda_i),  f(x, lambda) = 0
 *   x <- x - (df/dx)^-1 f(x, lambda),  lambda_i <- -prox_{C_i}(-lambda_i + r_i g_i(x))
 *   r_i = alpha / max_k [dg_i/dx (df/dx)^-1 df/dlambda_i]_kk, once, at the start        (2.73)
 * In a one-step problem f = v - A r - b is linear in x = v, and Newton's step gives v exactly. What
 * g and C are depends on the law:
 *
 *   ncp        the constant cone K_mu and the nonlinear g = (v_N + mu |v_T|, v_T) (moeller 3.110);
 *              the diagonal of (2.73) is A_NN + mu A_NT v_T / |v_T| and that of A_TT
 *   ccp        K_mu and g = v
 *   cone, lcp  half-line and friction set scaled by the new r_N, g = v
 *
 * For g = v this is the projected Jacobi iteration (2.45), as the source notes at (2.74); unlike in
 * pjacobi the tangential velocity does not follow the new r_N. It converges as Jacobi does, for
 * blocks that dominate. The iterations that integrators need for their nonlinear f are their own.
 */
#include "la/dense.h"
#include "problem/solver.h"
#include "problem/solvers/step.h"

#include <math.h>
#include <string.h>

static const struct base_option pjacobi_table[] =
    PROBLEM_STEP_TABLE(PROBLEM_STEP_ROW_SUM, "moeller 2.44");

struct pnewton_options {
  double alpha;
  int recover;
};

static const struct base_option pnewton_table[] = {
    BASE_OPTION_REAL(struct pnewton_options, alpha, 1, 1e-3, 2, "",
                     "factor of the steps (moeller 2.73)"),
    BASE_OPTION_BOOL(
        struct pnewton_options, recover, 0,
        "steps by rows if the projection changes nothing (moeller 2.63); not for law ncp"),
    BASE_OPTION_END};

struct pnewton {
  const struct problem *p;
  double alpha;
  struct base_arena *arena;
  struct problem_step *step;
  double *v; /* n */
  double *r; /* nc, steps of law ncp by (3.110) [kg]; NULL: projected Jacobi */
};

static struct pnewton *new_steps(const struct problem *p, const struct problem_step_choice *choice,
                                 int sequential, struct base_arena *arena) {
  struct pnewton *s = base_arena_push(arena, sizeof *s);
  s->p = p;
  s->arena = arena;
  s->step = problem_step_alloc(p, choice, sequential, arena);
  s->v = base_arena_doubles(arena, problem_size(p));
  return s;
}

static void *pjacobi_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  return new_steps(p, options, 1, arena);
}

static void *pnewton_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  const struct pnewton_options *o = options;
  const struct problem_step_choice step = {
      .rho = PROBLEM_STEP_DIAGONAL, .omega = o->alpha, .recover = o->recover};
  struct pnewton *s = new_steps(p, &step, 0, arena);
  if (p->model.law == CONTACT_LAW_NCP && p->model.dim > 1) { /* cone and velocity of (3.110) */
    s->alpha = o->alpha;
    s->r = base_arena_doubles(arena, p->model.nc);
  }
  return s;
}

/* (2.73) for (3.110) at velocity v_i; without the nonlinear term where that would leave nothing. */
static double coulomb_step(const struct pnewton *s, int i, const double *v_i) {
  const int dim = s->p->model.dim;
  const double *A = s->step->diag + (size_t)i * (size_t)(dim * dim);
  const double sliding = la_norm2(dim - 1, v_i + 1);
  double normal = A[0];
  if (sliding > 0) {
    normal += s->p->model.mu[i] * la_dot(dim - 1, A + 1, v_i + 1) / sliding;
  }
  double largest = normal > 0 ? normal : A[0];
  for (int k = 1; k < dim; ++k) {
    largest = fmax(largest, A[k * (dim + 1)]);
  }
  return s->alpha / largest;
}

static int pnewton_start(void *workspace, double *r) {
  struct pnewton *s = workspace;
  if (s->r != NULL) {
    problem_velocity(s->p, r, s->v, s->arena);
    for (int i = 0; i < s->p->model.nc; ++i) {
      s->r[i] = coulomb_step(s, i, s->v + (size_t)s->p->model.dim * (size_t)i);
    }
  }
  return 0;
}

/* out = P_K(r_i - rho g(v_i)) */
static void apply_coulomb(const struct pnewton *s, int i, const double *r_i, const double *v_i,
                          double *out) {
  const int dim = s->p->model.dim;
  const double mu = s->p->model.mu[i];
  double x[CONTACT_DIM_MAX];
  for (int k = 0; k < dim; ++k) {
    const double g = v_i[k] + (k == 0 ? mu * la_norm2(dim - 1, v_i + 1) : 0);
    x[k] = r_i[k] - s->r[i] * g;
  }
  contact_project_cone(dim, mu, x, out);
}

static int pnewton_iterate(void *workspace, double *r) {
  struct pnewton *s = workspace;
  const int dim = s->p->model.dim;
  problem_velocity(s->p, r, s->v, s->arena);
  for (int i = 0; i < s->p->model.nc; ++i) {
    double *r_i = r + (size_t)dim * (size_t)i;
    const double *v_i = s->v + (size_t)dim * (size_t)i;
    double new_r[CONTACT_DIM_MAX];
    if (s->r != NULL) {
      apply_coulomb(s, i, r_i, v_i, new_r);
    } else {
      problem_step_apply(s->step, i, r_i, v_i, new_r);
    }
    memcpy(r_i, new_r, (size_t)dim * sizeof *r);
  }
  return 0;
}

const struct problem_solver problem_solver_pjacobi = {
    .name = "pjacobi",
    .look = {.colour = 0x56b4e9, .dashes = {5, 3}, .point = 6, .point_size = 0.9},
    .summary = "projected Jacobi on normal-cone inclusions",
    .source = "moeller 2.45",
    .laws = PROBLEM_STEP_LAWS,
    .options = pjacobi_table,
    .options_size = sizeof(struct problem_step_choice),
    .check = problem_step_check,
    .alloc = pjacobi_alloc,
    .start = pnewton_start,
    .iterate = pnewton_iterate,
};

const struct problem_solver problem_solver_pnewton = {
    .name = "pnewton",
    .look = {.colour = 0xcc79a7, .dashes = {3, 3}, .point = 1, .point_size = 0.9},
    .summary = "projected Newton iteration, on Coulomb's law with a constant cone",
    .source = "moeller 2.72, 2.73, 3.110",
    .laws = PROBLEM_STEP_LAWS,
    .options = pnewton_table,
    .options_size = sizeof(struct pnewton_options),
    .check = problem_step_check,
    .alloc = pnewton_alloc,
    .start = pnewton_start,
    .iterate = pnewton_iterate,
};
