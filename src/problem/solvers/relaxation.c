/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Non-linear block relaxation (preclik 3.2 and 5): one contact after another is solved by a local
 * solver with all others held fixed,
 *   r_i <- r_i + omega (local(A_ii, v_i - A_ii r_i) - r_i),
 * where v_i is a blend of the newest velocity (Gauss-Seidel) and that at the beginning of the sweep
 * (Jacobi): v_i = (1 - jacobi) v_i^new + jacobi v_i^old. preclik blends by processor border,
 * Jacobi across it and Gauss-Seidel within; here the blend is one number for all contacts, so that
 * results do not depend on a partition.
 *
 * Local solvers: the analytic ones of problem/local.h for maximum dissipation, exact Coulomb and
 * the convex law; or `inner` projected steps (problem/step.h). Forward, backward, or one after the
 * other in each iteration (symmetric: costs two sweeps).
 *
 * For maximum dissipation and exact Coulomb no proof of convergence is known. Where a contact has
 * several solutions, or none but a jump, the iteration may cycle; omega < 1 or jacobi > 0 damp it.
 */
#include "base/status.h"
#include "problem/local.h"
#include "problem/solver.h"
#include "problem/step.h"

#include <string.h>

enum local { LOCAL_AUTO, LOCAL_MDP, LOCAL_COULOMB, LOCAL_PROX, LOCAL_CCP };
enum order { ORDER_FORWARD, ORDER_BACKWARD, ORDER_SYMMETRIC };

struct relaxation_options {
  int local;
  double omega;
  double jacobi;
  int order;
  int inner;
};

/* Maximum dissipation minimises an energy, which knows the symmetric part of A alone. Problems
 * written out with few digits are symmetric up to this, relative to their largest entry. */
static const double MDP_ASYMMETRY_MAX = 1e-3;

#define LOCAL_NAMES "auto|mdp|coulomb|prox|ccp"

static const struct base_option relaxation_table[] = {
    BASE_OPTION_CHOICE(struct relaxation_options, local, LOCAL_AUTO, LOCAL_NAMES,
                       "solver of one contact; auto: analytic where the law has one, else prox"),
    BASE_OPTION_REAL(struct relaxation_options, omega, 1, 1e-3, 1.999, "", "relaxation"),
    BASE_OPTION_REAL(struct relaxation_options, jacobi, 0, 0, 1, "",
                     "share of Jacobi in the blend; 0 is Gauss-Seidel"),
    BASE_OPTION_CHOICE(struct relaxation_options, order, ORDER_FORWARD,
                       "forward|backward|symmetric", "order of contacts"),
    BASE_OPTION_INT(struct relaxation_options, inner, 1, 1, 1000,
                    "projected steps a visit (local=prox)"),
    BASE_OPTION_END};

/* Body velocities are summed afresh after so many sweeps, lest rounding piles up. */
enum { REFRESH_EVERY = 256 };

struct relaxation {
  const struct problem *p;
  struct relaxation_options options; /* local: resolved */
  struct base_arena *arena;
  struct problem_sweep *sweep;
  struct problem_step *step; /* also holds the diagonal blocks */
  double *v_old;             /* n, jacobi > 0 only */
  int sweeps;
};

static enum local choose_local(const struct problem *p, const struct relaxation_options *o) {
  if (p->model.dim == 1) {
    return LOCAL_PROX; /* exact in one step */
  }
  if (o->local != LOCAL_AUTO) {
    return (enum local)o->local;
  }
  switch (p->model.law) {
  case CONTACT_LAW_MDP:
    return LOCAL_MDP;
  case CONTACT_LAW_NCP:
    return LOCAL_COULOMB;
  case CONTACT_LAW_CCP:
    return LOCAL_CCP;
  default:
    return LOCAL_PROX;
  }
}

static int relaxation_check(const struct problem *p, const void *options) {
  const enum contact_law law = p->model.law;
  const enum local local = choose_local(p, options);
  const int fits = p->model.dim == 1 || (local == LOCAL_MDP && law == CONTACT_LAW_MDP) ||
                   (local == LOCAL_COULOMB && law == CONTACT_LAW_NCP) ||
                   (local == LOCAL_CCP && law == CONTACT_LAW_CCP) ||
                   (local == LOCAL_PROX && law != CONTACT_LAW_MDP);
  if (!fits) {
    static const char *const names[] = {"auto", "mdp", "coulomb", "prox", "ccp"};
    return base_fail(BASE_UNSUPPORTED, "local solver '%s' does not solve law '%s'", names[local],
                     contact_law_name(law));
  }
  if (p->model.dim > 1 && law == CONTACT_LAW_MDP) {
    const double asymmetry = problem_operator_asymmetry(&p->A, NULL);
    if (!(asymmetry <= MDP_ASYMMETRY_MAX)) {
      return base_fail(
          BASE_UNSUPPORTED,
          "law 'mdp' minimises an energy, and the operator is not symmetric (by %.1e of "
          "its largest entry)",
          asymmetry);
    }
  }
  return problem_step_check(p);
}

static void *relaxation_alloc(const struct problem *p, const void *options,
                              struct base_arena *arena) {
  struct relaxation *s = base_arena_push(arena, sizeof *s);
  s->p = p;
  s->options = *(const struct relaxation_options *)options;
  s->options.local = (int)choose_local(p, options);
  s->arena = arena;
  s->sweep = problem_sweep_alloc(p, arena);
  const struct problem_step_options step = {
      .rule = PROBLEM_STEP_BLOCK, .omega = 1, .recover = 1, .transform = 1, .sequential = 1};
  s->step = problem_step_alloc(p, step, arena);
  s->v_old = s->options.jacobi > 0 ? base_arena_doubles(arena, problem_size(p)) : NULL;
  return s;
}

static int relaxation_start(void *workspace, double *r) {
  struct relaxation *s = workspace;
  s->sweeps = 0;
  problem_sweep_start(s->sweep, r);
  return 0;
}

/* v_i += A_ii dr */
static void add_own(const struct relaxation *s, int i, const double *dr, double *v_i) {
  const int dim = s->p->model.dim;
  const double *block = s->step->diag + (size_t)i * (size_t)(dim * dim);
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      v_i[k] += block[k * dim + l] * dr[l];
    }
  }
}

/* `inner` projected steps; v_i is used up. */
static void solve_prox(const struct relaxation *s, int i, const double *r_i, double *v_i,
                       double *out) {
  const int dim = s->p->model.dim;
  double from[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX];
  memcpy(from, r_i, (size_t)dim * sizeof *from);
  for (int inner = 1;; ++inner) {
    problem_step_apply(s->step, i, from, v_i, out);
    if (inner == s->options.inner) {
      return;
    }
    for (int k = 0; k < dim; ++k) {
      change[k] = out[k] - from[k];
      from[k] = out[k];
    }
    add_own(s, i, change, v_i);
  }
}

static void solve_local(const struct relaxation *s, int i, const double *r_i, double *v_i,
                        double *out) {
  const int dim = s->p->model.dim;
  if (s->options.local == LOCAL_PROX) {
    solve_prox(s, i, r_i, v_i, out);
    return;
  }
  double minus_r[CONTACT_DIM_MAX];
  for (int k = 0; k < dim; ++k) {
    minus_r[k] = -r_i[k];
  }
  add_own(s, i, minus_r, v_i); /* now the velocity without the own impulse */
  const double *block = s->step->diag + (size_t)i * (size_t)(dim * dim);
  const double mu = s->p->model.mu[i];
  switch (s->options.local) {
  case LOCAL_MDP:
    problem_local_mdp(dim, mu, block, v_i, out);
    break;
  case LOCAL_COULOMB:
    problem_local_coulomb(dim, mu, block, v_i, out);
    break;
  default:
    problem_local_ccp(dim, mu, block, v_i, out);
    break;
  }
}

static void visit(struct relaxation *s, int i, double *r) {
  const int dim = s->p->model.dim;
  const double jacobi = s->options.jacobi;
  double *r_i = r + (size_t)dim * (size_t)i;
  double v_i[CONTACT_DIM_MAX], new_r[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX];
  problem_sweep_velocity(s->sweep, i, v_i);
  for (int k = 0; s->v_old != NULL && k < dim; ++k) {
    v_i[k] = (1 - jacobi) * v_i[k] + jacobi * s->v_old[(size_t)dim * (size_t)i + (size_t)k];
  }
  solve_local(s, i, r_i, v_i, new_r);
  int moved = 0;
  for (int k = 0; k < dim; ++k) {
    change[k] = s->options.omega * (new_r[k] - r_i[k]);
    moved |= change[k] != 0;
    r_i[k] += change[k];
  }
  if (moved) {
    problem_sweep_change(s->sweep, i, change);
  }
}

static void sweep_contacts(struct relaxation *s, double *r, int backward) {
  const int nc = s->p->model.nc;
  if (++s->sweeps % REFRESH_EVERY == 0) {
    problem_sweep_start(s->sweep, r);
  }
  if (s->v_old != NULL) {
    problem_velocity(s->p, r, s->v_old, s->arena);
  }
  for (int i = 0; i < nc; ++i) {
    visit(s, backward ? nc - 1 - i : i, r);
  }
}

static int relaxation_iterate(void *workspace, double *r) {
  struct relaxation *s = workspace;
  if (s->options.order != ORDER_BACKWARD) {
    sweep_contacts(s, r, 0);
  }
  if (s->options.order != ORDER_FORWARD) {
    sweep_contacts(s, r, 1);
  }
  return 0;
}

const struct problem_solver problem_solver_relaxation = {
    .summary = "block relaxation with an exact or projected solver of each contact",
    .source = "preclik 3.2, 3.3",
    .laws = (1u << CONTACT_LAW_COUNT) - 1,
    .options = relaxation_table,
    .options_size = sizeof(struct relaxation_options),
    .check = relaxation_check,
    .alloc = relaxation_alloc,
    .start = relaxation_start,
    .iterate = relaxation_iterate,
};
