/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Non-linear block relaxation (preclik 3.1 and 5): one contact after another is solved by a local
 * solver with all others held fixed,
 *   r_i <- r_i + omega (local(A_ii, v_i - A_ii r_i) - r_i),
 * Gauss-Seidel, Jacobi or between the two (relaxation_sweep.c); here are the options, the choice of
 * the local solver and the momentum from one sweep to the next.
 *
 * Local solvers: the analytic ones of problem/local/local.h for maximum dissipation, exact Coulomb
 * and the convex law; normal and tangential part one after the other (decoupled); or `inner`
 * projected steps (step.h). Forward, backward, or one after the other in each iteration
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
 * For maximum dissipation and exact Coulomb no proof of convergence is known. Where a contact has
 * several solutions, or none but a jump, the iteration may cycle; omega < 1 or jacobi > 0 damp it.
 */
#include "problem/solvers/relaxation.h"

#include "base/status.h"
#include "problem/momentum.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Maximum dissipation minimises an energy, which knows the symmetric part of A alone. Problems
 * written out with few digits are symmetric up to this, relative to their largest entry. */
static const double MDP_ASYMMETRY_MAX = 1e-3;

#define LOCAL_NAMES "auto|mdp|coulomb|prox|ccp|decoupled"

static const struct base_option relaxation_table[] = {
    BASE_OPTION_CHOICE(struct relaxation_options, local, LOCAL_AUTO, LOCAL_NAMES,
                       "solver of one contact; auto: analytic where the law has one, else prox"),
    BASE_OPTION_REAL(struct relaxation_options, omega, 1, 1e-3, 1.999, "", "relaxation"),
    BASE_OPTION_REAL(struct relaxation_options, jacobi, 0, 0, 1, "",
                     "weight of Jacobi across subdomains; 0: Gauss-Seidel"),
    BASE_OPTION_INT(struct relaxation_options, domains, 0, 0, INT_MAX,
                    "number of subdomains; 0: each contact is one"),
    BASE_OPTION_CHOICE(struct relaxation_options, shape, SHAPE_GROWN, "grown|numbers",
                       "subdomains: grown over neighbouring bodies, or contacts as numbered"),
    BASE_OPTION_CHOICE(struct relaxation_options, order, ORDER_FORWARD, RELAXATION_ORDERS,
                       "order of contacts; blocks: for several threads"),
    BASE_OPTION_INT(struct relaxation_options, inner, 1, 1, 1000,
                    "projected steps per visit of a contact (local=prox)"),
    BASE_OPTION_REAL(struct relaxation_options, momentum, 0, 0, 1, "",
                     "largest weight of the last change in the start of a sweep; 0: none"),
    BASE_OPTION_REAL(
        struct relaxation_options, growth, 3, 1, INFINITY, "",
        "momentum is dropped if the change of a sweep exceeds the least so far by this factor"),
    BASE_OPTION_END};

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
  return problem_step_check(p, options);
}

double *relaxation_weight(const struct problem *p, struct base_arena *arena) {
  const int dim = p->model.dim;
  double *weight = base_arena_doubles(arena, p->model.nc);
  for (int i = 0; i < p->model.nc; ++i) {
    double block[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
    problem_operator_block(&p->A, i, block);
    for (int k = 0; k < dim; ++k) {
      weight[i] += block[k * (dim + 1)];
    }
  }
  return weight;
}

double relaxation_dot(const struct problem *p, const double *weight, const double *x,
                      const double *y) {
  const size_t dim = (size_t)p->model.dim;
  double sum = 0;
  for (size_t i = 0; i < (size_t)p->model.nc; ++i) {
    double own = 0;
    for (size_t j = dim * i; j < dim * (i + 1); ++j) {
      own += x[j] * y[j];
    }
    sum += weight[i] * own;
  }
  return sum;
}

static void alloc_momentum(struct relaxation *s) {
  const int n = problem_size(s->p);
  s->weight = relaxation_weight(s->p, s->arena);
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
    const struct problem_step_choice step = {
        .rho = PROBLEM_STEP_BLOCK, .omega = 1, .recover = 1, .transform = 1};
    s->step = problem_step_alloc(p, &step, 1, arena);
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
    relaxation_sweep(s, r);
    return 0;
  }
  const size_t n = (size_t)problem_size(s->p);
  const double beta = fmin(s->options.momentum, problem_momentum_next(&s->theta));
  extrapolate(n, beta, r, s->r_last);
  extrapolate(s->state_size, beta, s->state, s->state_last);
  memcpy(s->y, r, n * sizeof *r);
  relaxation_sweep(s, r);
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
