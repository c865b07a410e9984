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
 * Local solvers: the analytic ones of problem/local/local.h for maximum dissipation, exact Coulomb
 * and the convex law; normal and tangential part one after the other (decoupled); or `inner`
 * projected steps (problem/step.h). Forward, backward, or one after the other in each iteration
 * (symmetric: costs two sweeps).
 *
 * order=blocks: blocks of neighbouring contacts, coloured, of which threads relax those of one
 * colour at the same time (problem/blocks.h). The iterates are the same to the last bit for any
 * number of threads, one included; base/threads.h says how many there are. The blend with Jacobi
 * stays one number, so that nothing depends on who has computed what.
 *
 * For maximum dissipation and exact Coulomb no proof of convergence is known. Where a contact has
 * several solutions, or none but a jump, the iteration may cycle; omega < 1 or jacobi > 0 damp it.
 */
#include "base/status.h"
#include "base/threads.h"
#include "problem/blocks.h"
#include "problem/local/local.h"
#include "problem/solver.h"
#include "problem/step.h"

#include <string.h>

enum local { LOCAL_AUTO, LOCAL_MDP, LOCAL_COULOMB, LOCAL_PROX, LOCAL_CCP, LOCAL_DECOUPLED };
enum order { ORDER_FORWARD, ORDER_BACKWARD, ORDER_SYMMETRIC, ORDER_BLOCKS };

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

#define LOCAL_NAMES "auto|mdp|coulomb|prox|ccp|decoupled"

static const struct base_option relaxation_table[] = {
    BASE_OPTION_CHOICE(struct relaxation_options, local, LOCAL_AUTO, LOCAL_NAMES,
                       "solver of one contact; auto: analytic where the law has one, else prox"),
    BASE_OPTION_REAL(struct relaxation_options, omega, 1, 1e-3, 1.999, "", "relaxation"),
    BASE_OPTION_REAL(struct relaxation_options, jacobi, 0, 0, 1, "",
                     "share of Jacobi in the blend; 0 is Gauss-Seidel"),
    BASE_OPTION_CHOICE(struct relaxation_options, order, ORDER_FORWARD,
                       "forward|backward|symmetric|blocks",
                       "order of contacts; blocks: for several threads"),
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
  struct problem_step *step;     /* local=prox only */
  struct problem_blocks *blocks; /* order=blocks only */
  double *v_old;                 /* n, jacobi > 0 only [m/s] */
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
                   (local == LOCAL_DECOUPLED && law == CONTACT_LAW_NCP) ||
                   (local == LOCAL_CCP && law == CONTACT_LAW_CCP) ||
                   (local == LOCAL_PROX && law != CONTACT_LAW_MDP);
  if (!fits) {
    static const char *const names[] = {"auto", "mdp", "coulomb", "prox", "ccp", "decoupled"};
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
  if (s->options.local == LOCAL_PROX) {
    const struct problem_step_options step = {
        .rule = PROBLEM_STEP_BLOCK, .omega = 1, .recover = 1, .transform = 1, .sequential = 1};
    s->step = problem_step_alloc(p, step, arena);
  }
  s->blocks = s->options.order == ORDER_BLOCKS ? problem_blocks_build(&p->A, arena) : NULL;
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
static inline void add_own(const double *block, int dim, const double *dr, double *v_i) {
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
  double own[CONTACT_DIM_MAX * CONTACT_DIM_MAX], from[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX];
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
    add_own(problem_sweep_block(s->sweep, i, own), dim, change, v_i);
  }
}

/* local and dim are known to the compiler. */
static inline __attribute__((always_inline)) void solve_local(const struct relaxation *s, int i,
                                                              const double *r_i, double *v_i,
                                                              double *out, enum local local,
                                                              int dim) {
  if (local == LOCAL_PROX) {
    solve_prox(s, i, r_i, v_i, out);
    return;
  }
  double own[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
  const double *block = problem_sweep_block(s->sweep, i, own);
  double minus_r[CONTACT_DIM_MAX];
  for (int k = 0; k < dim; ++k) {
    minus_r[k] = -r_i[k];
  }
  add_own(block, dim, minus_r, v_i); /* now the velocity without the own impulse */
  const double mu = s->p->model.mu[i];
  if (local == LOCAL_MDP) {
    problem_local_mdp(dim, mu, block, v_i, out);
  } else if (local == LOCAL_COULOMB) {
    problem_local_coulomb(dim, mu, block, v_i, out);
  } else if (local == LOCAL_DECOUPLED) {
    problem_local_decoupled(dim, mu, block, v_i, r_i, out);
  } else {
    problem_local_ccp(dim, mu, block, v_i, out);
  }
}

static inline __attribute__((always_inline)) void visit(struct relaxation *s, int i, double *r,
                                                        enum local local, int dim) {
  double *r_i = r + (size_t)dim * (size_t)i;
  double v_i[CONTACT_DIM_MAX], new_r[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX];
  problem_sweep_velocity(s->sweep, i, v_i);
  if (s->v_old != NULL) {
    const double jacobi = s->options.jacobi;
    for (int k = 0; k < dim; ++k) {
      v_i[k] = (1 - jacobi) * v_i[k] + jacobi * s->v_old[(size_t)dim * (size_t)i + (size_t)k];
    }
  }
  solve_local(s, i, r_i, v_i, new_r, local, dim);
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

/* Contacts first, first + step ... (count of them), or those entries of order. */
struct range {
  const int *order; /* NULL: the numbers themselves */
  int first, step, count;
};

static inline __attribute__((always_inline)) void
visit_range(struct relaxation *s, double *r, struct range x, enum local local, int dim) {
  for (int k = 0, at = x.first; k < x.count; ++k, at += x.step) {
    visit(s, x.order != NULL ? x.order[at] : at, r, local, dim);
  }
}

static void relax_range(struct relaxation *s, double *r, struct range x) {
  const int dim = s->p->model.dim;
  const enum local local = (enum local)s->options.local;
  if (dim != 3) {
    visit_range(s, r, x, local, dim);
    return;
  }
  switch (local) {
  case LOCAL_MDP:
    visit_range(s, r, x, LOCAL_MDP, 3);
    break;
  case LOCAL_COULOMB:
    visit_range(s, r, x, LOCAL_COULOMB, 3);
    break;
  case LOCAL_CCP:
    visit_range(s, r, x, LOCAL_CCP, 3);
    break;
  case LOCAL_DECOUPLED:
    visit_range(s, r, x, LOCAL_DECOUPLED, 3);
    break;
  default:
    visit_range(s, r, x, LOCAL_PROX, 3);
    break;
  }
}

/* Blocks of one colour share no body and write to nothing in common. */
static void relax_blocks(struct relaxation *s, double *r) {
  const struct problem_blocks *x = s->blocks;
  const int threads = base_threads();
  (void)threads;
#pragma omp parallel num_threads(threads) if (threads > 1)
  for (int colour = 0; colour < x->n_colours; ++colour) {
#pragma omp for schedule(dynamic, 1)
    for (int k = x->colour_start[colour]; k < x->colour_start[colour + 1]; ++k) {
      const int first = x->block_start[k], count = x->block_start[k + 1] - first;
      relax_range(s, r,
                  (struct range){.order = x->order, .first = first, .step = 1, .count = count});
    }
  }
}

static void begin_sweep(struct relaxation *s, const double *r) {
  if (++s->sweeps % REFRESH_EVERY == 0) {
    problem_sweep_start(s->sweep, r);
  }
  if (s->v_old != NULL) {
    problem_velocity(s->p, r, s->v_old, s->arena);
  }
}

static int relaxation_iterate(void *workspace, double *r) {
  struct relaxation *s = workspace;
  const int nc = s->p->model.nc, order = s->options.order;
  if (order == ORDER_BLOCKS) {
    begin_sweep(s, r);
    relax_blocks(s, r);
    return 0;
  }
  if (order != ORDER_BACKWARD) {
    begin_sweep(s, r);
    relax_range(s, r, (struct range){.first = 0, .step = 1, .count = nc});
  }
  if (order != ORDER_FORWARD) {
    begin_sweep(s, r);
    relax_range(s, r, (struct range){.first = nc - 1, .step = -1, .count = nc});
  }
  return 0;
}

const struct problem_solver problem_solver_relaxation = {
    .name = "relaxation",
    .look = {.colour = 0x0072b2, .point = 7, .point_size = 0.8},
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
