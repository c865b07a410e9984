/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sweep of block relaxation (relaxation.c): contact after contact,
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
 * order=blocks: blocks of neighbouring contacts, coloured, of which threads relax those of one
 * colour at the same time (problem/blocks.h). The iterates are the same to the last bit for any
 * number of threads, one included; base/threads.h says how many there are.
 */
#include "base/threads.h"
#include "problem/local/local.h"
#include "problem/solvers/relaxation.h"

#include <math.h>
#include <string.h>

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
  if (++s->sweeps % PROBLEM_SWEEP_REFRESH == 0) {
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

void relaxation_sweep(struct relaxation *s, double *r) {
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
