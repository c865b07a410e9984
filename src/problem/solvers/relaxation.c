/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Non-linear block relaxation (preclik 3.1 and 5): one contact after another is solved by a local
 * solver with all others held fixed,
 *   r_i <- r_i + omega (local(A_ii, v_i - A_ii r_i) - r_i),
 * where v_i is a blend of the newest velocity (Gauss-Seidel) and that at the beginning of the sweep
 * (Jacobi). Contacts see all that the sweep has changed in their own subdomain, and the part
 * 1 - jacobi of what it has changed in others:
 *   jacobi = 0                Gauss-Seidel
 * jacobi = 1, domains = n   Gauss-Seidel within and Jacobi across n subdomains, as preclik does it
 *                             with one subdomain a process, weighted by omega
 *   jacobi = 1, domains = 0   each contact is a subdomain of its own: Jacobi
 * Subdomains (problem/blocks.h) are a matter of the solver, not of threads, on which no result
 * depends. The larger the share of contacts at their borders, the smaller omega has to be.
 *
 * Local solvers: the analytic ones of problem/local/local.h for maximum dissipation, exact Coulomb
 * and the convex law; normal and tangential part one after the other (decoupled); or `inner`
 * projected steps (problem/step.h). Forward, backward, or one after the other in each iteration
 * (symmetric: costs two sweeps).
 *
 * momentum > 0: a sweep begins at y = x + beta (x - x_last), beta from Nesterov's sequence as far
 * as `momentum` lets it grow. For the convex law, where a sweep is a step of descent, the number of
 * sweeps then grows with the root of the condition number. The sequence begins anew when the sweep
 * goes back, sum_i trace(A_ii) (y - x_new)_i . (x_new - x)_i > 0, or when its step |y - x_new|, in
 * that norm, is `growth` times the least so far: a sweep in one order is no gradient, and its rate
 * may be complex. A thousand equal spheres, all alike, never come to rest with growth = 10 (plain
 * sweeps take 242, growth = 3 takes 605), which in poured packings takes a half to three quarters
 * of the sweeps of growth = 3. The exact law couples sliding to the normal impulse without
 * symmetry, which a large beta feeds: there growth = 2 is the safer, and in a packing that slides
 * at 650 of 2600 contacts momentum = 0.8 leads to the solution where 0.95 goes round in circles of
 * 1e-3 |b|.
 *
 * order=blocks: blocks of neighbouring contacts, coloured, of which threads relax those of one
 * colour at the same time (problem/blocks.h). The iterates are the same to the last bit for any
 * number of threads, one included; base/threads.h says how many there are.
 *
 * For maximum dissipation and exact Coulomb no proof of convergence is known. Where a contact has
 * several solutions, or none but a jump, the iteration may cycle; omega < 1 or jacobi > 0 damp it.
 */
#include "base/status.h"
#include "base/threads.h"
#include "problem/blocks.h"
#include "problem/local/local.h"
#include "problem/momentum.h"
#include "problem/solver.h"
#include "problem/step.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum local { LOCAL_AUTO, LOCAL_MDP, LOCAL_COULOMB, LOCAL_PROX, LOCAL_CCP, LOCAL_DECOUPLED };
enum shape { SHAPE_GROWN, SHAPE_NUMBERS };
enum order { ORDER_FORWARD, ORDER_BACKWARD, ORDER_SYMMETRIC, ORDER_BLOCKS };

struct relaxation_options {
  int local;
  double omega;
  double jacobi;
  int domains, shape;
  int order;
  int inner;
  double momentum, growth;
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
                     "share of Jacobi across subdomains; 0 is Gauss-Seidel"),
    BASE_OPTION_INT(struct relaxation_options, domains, 0, 0, INT_MAX,
                    "number of subdomains; 0: each contact is one"),
    BASE_OPTION_CHOICE(struct relaxation_options, shape, SHAPE_GROWN, "grown|numbers",
                       "subdomains: grown over neighbouring bodies, or contacts as numbered"),
    BASE_OPTION_CHOICE(struct relaxation_options, order, ORDER_FORWARD,
                       "forward|backward|symmetric|blocks",
                       "order of contacts; blocks: for several threads"),
    BASE_OPTION_INT(struct relaxation_options, inner, 1, 1, 1000,
                    "projected steps a visit (local=prox)"),
    BASE_OPTION_REAL(struct relaxation_options, momentum, 0, 0, 1, "",
                     "largest weight of the last change in the start of a sweep; 0 is none"),
    BASE_OPTION_REAL(struct relaxation_options, growth, 3, 1, INFINITY, "",
                     "growth of a sweep's step over the least so far at which momentum is dropped"),
    BASE_OPTION_END};

/* Body velocities are summed afresh after so many sweeps, lest rounding piles up. */
enum { REFRESH_EVERY = 256 };

struct relaxation {
  const struct problem *p;
  struct relaxation_options options; /* local: resolved */
  struct base_arena *arena;
  struct problem_sweep *sweep;
  struct problem_step *step;      /* local=prox only */
  struct problem_blocks *blocks;  /* order=blocks only */
  double *v_old;                  /* n, jacobi > 0 without domains only [m/s] */
  struct problem_domains domains; /* n = 0: each contact is one */
  double *old, *changed;          /* state_size, domains only: before the sweep; by it so far */
  int sweeps;
  double change; /* of the last iteration [m/s] */
  /* momentum > 0 only: */
  double theta, least; /* of sum_i trace(A_ii) |y - r|_i^2 so far */
  double *weight;      /* nc, trace A_ii [1/kg] */
  double *y, *r_last;  /* n, where the sweep began, where the one before ended [N s] */
  double *state_last;
  /* momentum or domains */
  double *state;
  size_t state_size;
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
  const struct relaxation_options *o = options;
  if (o->domains > 0 && o->order == ORDER_BLOCKS) {
    return base_fail(BASE_UNSUPPORTED,
                     "domains=%d go one after the other in their own order: "
                     "order=blocks is of sweeps without them",
                     o->domains);
  }
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

static void alloc_momentum(struct relaxation *s) {
  const int n = problem_size(s->p), dim = s->p->model.dim;
  s->weight = base_arena_doubles(s->arena, s->p->model.nc);
  for (int i = 0; i < s->p->model.nc; ++i) {
    double block[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
    problem_operator_block(&s->p->A, i, block);
    for (int k = 0; k < dim; ++k) {
      s->weight[i] += block[k * (dim + 1)];
    }
  }
  s->y = base_arena_doubles(s->arena, n);
  s->r_last = base_arena_doubles(s->arena, n);
  s->state_last = base_arena_array(s->arena, s->state_size, 1, sizeof *s->state_last);
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
  s->state = problem_sweep_state(s->sweep, &s->state_size);
  if (s->options.domains > 0) {
    s->domains =
        problem_domains_build(&p->A, s->options.domains, s->options.shape == SHAPE_GROWN, arena);
    s->old = base_arena_array(arena, s->state_size, 1, sizeof *s->old);
    s->changed = base_arena_array(arena, s->state_size, 1, sizeof *s->changed);
  } else if (s->options.jacobi > 0) {
    s->v_old = base_arena_doubles(arena, problem_size(p));
  }
  if (s->options.momentum > 0) {
    alloc_momentum(s);
  }
  return s;
}

static int relaxation_start(void *workspace, double *r) {
  struct relaxation *s = workspace;
  s->sweeps = 0;
  s->theta = 1;
  s->least = INFINITY;
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
static void solve_prox(const struct relaxation *s, int i, const double *block, const double *r_i,
                       double *v_i, double *out) {
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
    add_own(block, dim, change, v_i);
  }
}

/* block: A_ii; local and dim are known to the compiler. */
static inline __attribute__((always_inline)) void
solve_local(const struct relaxation *s, int i, const double *block, const double *r_i, double *v_i,
            double *out, enum local local, int dim) {
  if (local == LOCAL_PROX) {
    solve_prox(s, i, block, r_i, v_i, out);
    return;
  }
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

/* Returns (trace(A_ii) |dr_i|)^2. */
static inline __attribute__((always_inline)) double visit(struct relaxation *s, int i, double *r,
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
  double own[CONTACT_DIM_MAX * CONTACT_DIM_MAX], size2 = 0, trace = 0;
  const double *block = problem_sweep_block(s->sweep, i, own);
  solve_local(s, i, block, r_i, v_i, new_r, local, dim);
  int moved = 0;
  for (int k = 0; k < dim; ++k) {
    change[k] = s->options.omega * (new_r[k] - r_i[k]);
    moved |= change[k] != 0;
    size2 += change[k] * change[k];
    r_i[k] += change[k];
  }
  if (!moved) {
    return 0;
  }
  problem_sweep_change(s->sweep, i, change);
  for (int k = 0; k < dim; ++k) {
    trace += block[k * (dim + 1)];
  }
  return trace * trace * size2;
}

/* Contacts first, first + step ... (count of them), or those entries of order. */
struct range {
  const int *order; /* NULL: the numbers themselves */
  int first, step, count;
};

/* Largest of what visits return. */
static inline __attribute__((always_inline)) double
visit_range(struct relaxation *s, double *r, struct range x, enum local local, int dim) {
  double largest = 0;
  for (int k = 0, at = x.first; k < x.count; ++k, at += x.step) {
    const double size = visit(s, x.order != NULL ? x.order[at] : at, r, local, dim);
    largest = size > largest ? size : largest;
  }
  return largest;
}

static double relax_range(struct relaxation *s, double *r, struct range x) {
  const int dim = s->p->model.dim;
  const enum local local = (enum local)s->options.local;
  if (dim != 3) {
    return visit_range(s, r, x, local, dim);
  }
  switch (local) {
  case LOCAL_MDP:
    return visit_range(s, r, x, LOCAL_MDP, 3);
  case LOCAL_COULOMB:
    return visit_range(s, r, x, LOCAL_COULOMB, 3);
  case LOCAL_CCP:
    return visit_range(s, r, x, LOCAL_CCP, 3);
  case LOCAL_DECOUPLED:
    return visit_range(s, r, x, LOCAL_DECOUPLED, 3);
  default:
    return visit_range(s, r, x, LOCAL_PROX, 3);
  }
}

/* Blocks of one colour share no body and write to nothing in common. */
static double relax_blocks(struct relaxation *s, double *r) {
  const struct problem_blocks *x = s->blocks;
  const int threads = base_threads();
  double largest = 0;
  (void)threads;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(max : largest)
  for (int colour = 0; colour < x->n_colours; ++colour) {
#pragma omp for schedule(dynamic, 1)
    for (int k = x->colour_start[colour]; k < x->colour_start[colour + 1]; ++k) {
      const int first = x->block_start[k], count = x->block_start[k + 1] - first;
      const double size = relax_range(
          s, r, (struct range){.order = x->order, .first = first, .step = 1, .count = count});
      largest = size > largest ? size : largest;
    }
  }
  return largest;
}

/* One domain after the other, in either direction. The state is linear in r: each begins at the old
 * one and the part 1 - jacobi of what the others have changed. */
static double relax_domains(struct relaxation *s, double *r, int backward) {
  const struct problem_domains *x = &s->domains;
  const double newest = 1 - s->options.jacobi;
  double largest = 0;
  memcpy(s->old, s->state, s->state_size * sizeof *s->old);
  memset(s->changed, 0, s->state_size * sizeof *s->changed);
  for (int k = 0; k < x->n; ++k) {
    const int d = backward ? x->n - 1 - k : k, count = x->start[d + 1] - x->start[d];
    for (size_t j = 0; j < s->state_size; ++j) {
      s->state[j] = s->old[j] + newest * s->changed[j];
    }
    const double size =
        relax_range(s, r,
                    (struct range){.order = x->order,
                                   .first = backward ? x->start[d + 1] - 1 : x->start[d],
                                   .step = backward ? -1 : 1,
                                   .count = count});
    for (size_t j = 0; j < s->state_size; ++j) {
      s->changed[j] += s->state[j] - (s->old[j] + newest * s->changed[j]);
    }
    largest = size > largest ? size : largest;
  }
  for (size_t j = 0; j < s->state_size; ++j) {
    s->state[j] = s->old[j] + s->changed[j];
  }
  return largest;
}

/* All contacts in the order of their numbers, or backward. */
static double relax_all(struct relaxation *s, double *r, int backward) {
  const int nc = s->p->model.nc;
  return s->domains.n > 0 ? relax_domains(s, r, backward)
                          : relax_range(s, r,
                                        (struct range){.first = backward ? nc - 1 : 0,
                                                       .step = backward ? -1 : 1,
                                                       .count = nc});
}

static void begin_sweep(struct relaxation *s, const double *r) {
  if (++s->sweeps % REFRESH_EVERY == 0) {
    if (s->options.momentum > 0) { /* both states: a difference left in them would add up */
      problem_sweep_start(s->sweep, s->r_last);
      memcpy(s->state_last, s->state, s->state_size * sizeof *s->state);
    }
    problem_sweep_start(s->sweep, r);
  }
  if (s->v_old != NULL) {
    problem_velocity(s->p, r, s->v_old, s->arena);
  }
}

/* One sweep, or two in a symmetric order; leaves the change behind. */
static void relax(struct relaxation *s, double *r) {
  const int order = s->options.order;
  double forward = 0, backward = 0;
  begin_sweep(s, r);
  if (order == ORDER_BLOCKS) {
    forward = relax_blocks(s, r);
  } else if (order != ORDER_BACKWARD) {
    forward = relax_all(s, r, 0);
  }
  if (order == ORDER_SYMMETRIC) {
    begin_sweep(s, r);
  }
  if (order == ORDER_BACKWARD || order == ORDER_SYMMETRIC) {
    backward = relax_all(s, r, 1);
  }
  s->change = sqrt(fmax(forward, backward)) / s->p->model.dim;
}

static double relaxation_change(const void *workspace) {
  const struct relaxation *s = workspace;
  return s->change;
}

/* x <- x + beta (x - last), last <- x; n each. */
static void extrapolate(size_t n, double beta, double *restrict x, double *restrict last) {
  for (size_t j = 0; j < n; ++j) {
    const double here = x[j];
    x[j] = here + beta * (here - last[j]);
    last[j] = here;
  }
}

/* Is the sequence to begin anew? y - r is the sweep's step, r - r_last the way. */
static int restart_wanted(struct relaxation *s, const double *r) {
  const size_t dim = (size_t)s->p->model.dim;
  double back = 0, size = 0;
  for (size_t i = 0; i < (size_t)s->p->model.nc; ++i) {
    double own = 0, own_size = 0;
    for (size_t j = dim * i; j < dim * (i + 1); ++j) {
      const double step = s->y[j] - r[j];
      own += step * (r[j] - s->r_last[j]);
      own_size += step * step;
    }
    back += s->weight[i] * own;
    size += s->weight[i] * own_size;
  }
  const int grows = size > s->options.growth * s->options.growth * s->least;
  s->least = fmin(s->least, size);
  return back > 0 || grows;
}

static int relaxation_iterate(void *workspace, double *r) {
  struct relaxation *s = workspace;
  if (s->options.momentum == 0) {
    relax(s, r);
    return 0;
  }
  const size_t n = (size_t)problem_size(s->p);
  const double beta = fmin(s->options.momentum, problem_momentum_next(&s->theta));
  extrapolate(n, beta, r, s->r_last);
  extrapolate(s->state_size, beta, s->state, s->state_last);
  memcpy(s->y, r, n * sizeof *r);
  relax(s, r);
  if (restart_wanted(s, r)) {
    s->theta = 1;
  }
  return 0;
}

const struct problem_solver problem_solver_relaxation = {
    .name = "relaxation",
    .look = {.colour = 0x0072b2, .point = 7, .point_size = 0.8},
    .summary = "block relaxation with an exact or projected solver of each contact",
    .source = "preclik 3.1, 3.2, 5",
    .laws = (1u << CONTACT_LAW_COUNT) - 1,
    .options = relaxation_table,
    .options_size = sizeof(struct relaxation_options),
    .check = relaxation_check,
    .alloc = relaxation_alloc,
    .start = relaxation_start,
    .iterate = relaxation_iterate,
    .change = relaxation_change,
};
