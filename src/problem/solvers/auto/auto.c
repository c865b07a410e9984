/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Automatic choice of a solver: other solvers one after the other, each from the best impulses so
 * far or from nothing, until the loop is content. Block relaxation with momentum comes first: it is
 * the cheapest wherever it gains, and gets another share of sweeps as long as each leaves 2 %
 * of the residual. Then come Newton's method and the proximal point around it, and what remains for
 * the law. A stage ends after its share of iterations or when its solver gives up or leaves the
 * numbers. When all have had their turn they go round again without the first, with `longer` times
 * the iterations, from impulses disturbed by a fixed sequence of random numbers in place of
 * nothing: Newton's method on the exact law, which is not monotone, finds from one start what it
 * misses from another. After `rounds` it fails and says so.
 *
 *   ncp        relaxation, patches (in the plane), ssn, fixed-point (the interior point method on
 *              De Saxce's shift); more of relaxation, ssn; prox; ssn and prox on other equations
 *              and from nothing, plain relaxation, ssn, fixed-point, ssn
 *   ccp        relaxation, ipm, ssn, prox
 *   lcp        lcp-newton, lemke, lcp-pgs; before them pgs unless the problem is a raw LCP
 *   mdp        plain relaxation, as long as a share of sweeps halves the residual; all of the
 *              stages of ncp, on Coulomb's law, whose solutions without sliding are those of
 *              maximum dissipation, and near which the others are; from there nncg, relaxation
 *              less and less bold
 *   cone       plain relaxation as of mdp; ssn, nncg, relaxation less and less bold
 *
 * Outside problems (FCLIB, at 1e-8): the first stage alone solves 26 of 28 in space and in the
 * plane, in a third of the time that sweeps without momentum, Newton and the proximal point take.
 * Towers of boxes gain too little from its first sweeps, and Newton's method on them often ends in
 * a local minimum. Where nothing slides the relaxed law has their solution, so that the first
 * problem of fixed-point is as good as the last: a tower of 160 contacts takes 740 iterations, and
 * 6654 where thousands of sweeps come first. Those come next, and cost what forty steps of Newton's
 * method do.
 *
 * Newton's method on the equation alart-curnier starts from nothing: capsules that it solves so in
 * some 50 iterations it does not solve from where momentum ended.
 *
 * Coulomb's law need not have a solution where the relaxed law has none (Acary, Cadoux, Lemarechal,
 * Malick 2011): a body pushed into a wedge and held there by friction. In the plane a certificate
 * of that is sought, once, when the first stages have failed: from the contacts whose impulses grow
 * most where the interior point method fails on the relaxed law, problem_certify_infeasible() tries
 * to prove that there is no solution. A proof ends the solve.
 *
 * What it chose stands in the solution and in the record. It grades nothing: "best" only says where
 * the next stage starts.
 */
#include "problem/solver.h"
#include "problem/solvers/auto/infeasible.h"
#include "problem/solvers/cone/ipm.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory/memory.h"
#include "base/rng.h"
#include "base/status.h"
#include "la/dense.h"

/* Spread of a disturbed start over the largest impulse, and seed of its sequence. */
static const double DISTURBANCE = 0.1;
/* Impulses so many times the best ones have left every physical bound. */
static const double LEFT_BEHIND = 1e12;
/* Residual over max|b| with which the relaxed law counts as solved: one without solution leaves
 * tenths of it. */
static const double RELAXED = 1e-6;
enum { SEED = 20, RESIDUAL_EVERY = 10, IPM_STEPS = 80, STARTS = 8 };

struct auto_options {
  int sweeps, rounds;
  double longer;
};

static const struct base_option auto_table[] = {
    BASE_OPTION_INT(struct auto_options, sweeps, 250, 1, 100000000,
                    "sweeps of the first relaxation"),
    BASE_OPTION_INT(struct auto_options, rounds, 5, 1, 100, "rounds of every stage"),
    BASE_OPTION_REAL(struct auto_options, longer, 1.5, 1, 100, "",
                     "iterations of a round over those of the previous round"),
    BASE_OPTION_END};

enum auto_from { FROM_BEST, FROM_NOTHING, FROM_BEST_AS_NCP /* exact Coulomb for the law */ };

struct stage {
  const char *solver, *options; /* NULL: a proof that there is no solution; "key=value key=value" */
  int iterations;               /* 0: sweeps */
  enum auto_from from;
  double gain; /* it gets another share as long as each leaves so much of the residual; 0: never */
};

static const struct stage stages_ncp[] = {
    {"relaxation", "momentum=1 growth=2", 0, FROM_BEST, 0.02},
    {"patches", "", 600, FROM_BEST, 0},
    {"ssn", "function=alart-curnier", 80, FROM_NOTHING, 0},
    {"ssn", "", 40, FROM_BEST, 0},
    {NULL, "", 0, FROM_BEST, 0},
    {"fixed-point", "", 60, FROM_BEST, 0},
    {"relaxation", "momentum=1 growth=2", 6000, FROM_BEST, 0},
    {"ssn", "", 40, FROM_BEST, 0},
    {"prox", "", 300, FROM_BEST, 0},
    {"ssn", "", 100, FROM_NOTHING, 0},
    {"ssn", "function=alart-curnier", 100, FROM_NOTHING, 0},
    {"prox", "function=alart-curnier", 300, FROM_NOTHING, 0},
    {"ssn", "function=natural", 100, FROM_NOTHING, 0},
    {"prox", "", 300, FROM_NOTHING, 0},
    {"relaxation", "", 300, FROM_BEST, 0},
    {"ssn", "", 40, FROM_BEST, 0},
    {"fixed-point", "", 400, FROM_BEST, 0},
    {"ssn", "", 40, FROM_BEST, 0},
};
static const struct stage stages_ccp[] = {
    {"relaxation", "momentum=1", 0, FROM_BEST, 0.1},
    {"ipm", "", 60, FROM_NOTHING, 0},
    {"ssn", "", 100, FROM_BEST, 0},
    {"prox", "", 300, FROM_BEST, 0},
    {"ssn", "", 100, FROM_NOTHING, 0},
};
static const struct stage stages_lcp[] = {
    {"pgs", "", 0, FROM_BEST, 0},
    {"lcp-newton", "", 60, FROM_BEST, 0},
    {"lemke", "", 100000, FROM_NOTHING, 0},
    {NULL, "", 0, FROM_BEST, 0},
    {"lcp-newton", "", 200, FROM_NOTHING, 0},
    {"lcp-pgs", "", 1000, FROM_BEST, 0},
};
static const struct stage stages_mdp[] = {
    {"relaxation", "", 0, FROM_BEST, 0.5},
    {"auto", "", 1000, FROM_BEST_AS_NCP, 0},
    {"nncg", "", 1000, FROM_BEST, 0},
    {"relaxation", "omega=0.7 order=symmetric", 500, FROM_BEST, 0},
    {"relaxation", "omega=0.3 jacobi=0.3", 1000, FROM_BEST, 0},
    {"relaxation", "order=backward", 1000, FROM_NOTHING, 0},
};
static const struct stage stages_cone[] = {
    {"relaxation", "", 0, FROM_BEST, 0.5},
    {"ssn", "function=alart-curnier", 40, FROM_BEST, 0},
    {"nncg", "", 1000, FROM_BEST, 0},
    {"relaxation", "omega=0.7 order=symmetric", 500, FROM_BEST, 0},
    {"relaxation", "omega=0.3 jacobi=0.3", 1000, FROM_BEST, 0},
    {"relaxation", "order=backward", 1000, FROM_NOTHING, 0},
    {"pgs", "", 1000, FROM_BEST, 0},
};

static const struct stage *stages_of(const struct problem *p, int *count) {
#define STAGES(list) (*count = (int)(sizeof(list) / sizeof *(list)), (list))
  const enum contact_law law = p->model.law;
  if (law == CONTACT_LAW_LCP && p->is_raw) {
    const struct stage *stages = STAGES(stages_lcp);
    --*count; /* all but the relaxation of contacts */
    return stages + 1;
  }
  return law == CONTACT_LAW_NCP   ? STAGES(stages_ncp)
         : law == CONTACT_LAW_CCP ? STAGES(stages_ccp)
         : law == CONTACT_LAW_LCP ? STAGES(stages_lcp)
         : law == CONTACT_LAW_MDP ? STAGES(stages_mdp)
                                  : STAGES(stages_cone);
#undef STAGES
}

struct automatic {
  const struct problem *p;
  struct auto_options opt;
  struct base_arena *arena;
  const struct stage *stages;
  int count;
  double *diag;         /* nc blocks dim x dim, A_ii [1/kg] */
  double *best;         /* n, where stages start [N s] */
  double *v;            /* n, scratch */
  double least;         /* residual of best [m/s] */
  int stage, round;     /* from 0 */
  struct problem posed; /* to the stage's solver */
  int used, most;       /* iterations of this stage */
  double before;        /* residual of best when its last share began [m/s] */
  struct base_rng *rng;
  const struct problem_solver *solver; /* NULL: between stages */
  void *workspace;                     /* of solver, above the mark */
  struct base_arena_mark mark;
};

static void *auto_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct automatic *s = base_arena_push(arena, sizeof *s);
  const int n = problem_size(p);
  s->p = p;
  s->opt = *(const struct auto_options *)options;
  s->arena = arena;
  s->stages = stages_of(p, &s->count);
  s->diag = base_arena_matrix(arena, n, p->model.dim);
  s->best = base_arena_doubles(arena, n);
  s->v = base_arena_doubles(arena, n);
  problem_operator_diagonal(&p->A, s->diag);
  s->rng = base_rng_alloc(SEED);
  return s;
}

static void remember(struct automatic *s, const double *r) {
  const int n = problem_size(s->p);
  if (la_all_finite(n, r)) {
    problem_velocity(s->p, r, s->v, s->arena);
    const double now = contact_residual(&s->p->model, s->diag, r, s->v, s->p->b).absolute;
    if (now < s->least) {
      s->least = now;
      la_copy(n, r, s->best);
    }
  }
}

/* r: n, zero, or in later rounds zero disturbed, the same in every run. */
static void start_anew(const struct automatic *s, double *r) {
  const int n = problem_size(s->p);
  memset(r, 0, (size_t)n * sizeof *r);
  if (s->round > 0) {
    const double size = DISTURBANCE * la_norm_inf(n, s->best);
    for (int i = 0; i < n; ++i) {
      r[i] = size * base_rng_normal(s->rng);
    }
  }
}

static void end_stage(struct automatic *s) {
  if (s->solver != NULL) {
    if (s->solver->free != NULL) {
      s->solver->free(s->workspace);
    }
    base_arena_release(s->arena, s->mark);
    s->solver = NULL;
  }
}

struct stage_alloc {
  struct automatic *s;
  const struct problem_solver *solver;
  const void *options;
};

static void try_alloc(void *data) {
  const struct stage_alloc *a = data;
  a->s->workspace = a->solver->alloc(&a->s->posed, a->options, a->s->arena);
}

/* Start the stage that is due. BASE_OK, or why its solver does not take the problem, be it for its
 * size: others may need less memory. */
static int begin_stage(struct automatic *s, double *r) {
  const struct stage *stage = &s->stages[s->stage];
  const struct problem_solver *solver = problem_solver_find(stage->solver);
  s->mark = base_arena_mark(s->arena);
  void *options = problem_solver_options(solver, stage->options, s->arena);
  s->posed = *s->p;
  s->posed.model.law = stage->from == FROM_BEST_AS_NCP ? CONTACT_LAW_NCP : s->p->model.law;
  int status =
      (solver->laws & CONTACT_LAW_BIT(s->posed.model.law)) != 0 ? BASE_OK : BASE_UNSUPPORTED;
  if (status == BASE_OK && solver->check != NULL) {
    status = solver->check(&s->posed, options);
  }
  if (status == BASE_OK) {
    s->workspace = NULL;
    status = base_memory_try(try_alloc, &(struct stage_alloc){s, solver, options});
    status = status != BASE_OK || s->workspace != NULL ? status : BASE_FAILED;
  }
  if (status != BASE_OK) {
    base_arena_release(s->arena, s->mark);
    return status;
  }
  s->solver = solver;
  const double share = stage->iterations > 0 ? stage->iterations : s->opt.sweeps;
  s->most = (int)fmin(1e9, share * pow(s->opt.longer, s->round));
  if (stage->from == FROM_NOTHING) {
    start_anew(s, r);
  } else {
    la_copy(problem_size(s->p), s->best, r);
  }
  s->used = 0;
  s->before = s->least;
  status = solver->start(s->workspace, r);
  if (status != BASE_OK) {
    end_stage(s);
  }
  return status;
}

/* The contacts with the largest impulses, largest first, where the interior point method ends on
 * the relaxed law; 0: that has a solution. Returns how many. */
static int find_wedged(struct automatic *s, int *at) {
  const struct problem *p = s->p;
  const int dim = p->model.dim;
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  const struct problem_ipm_options options = problem_ipm_default_options();
  struct problem_ipm *ipm = problem_ipm_alloc(p, &options, s->arena);
  double *r = base_arena_doubles(s->arena, problem_size(p));
  struct contact_model relaxed = p->model;
  relaxed.law = CONTACT_LAW_CCP;
  int count = 0, solved = ipm == NULL;
  int status = solved ? BASE_FAILED : problem_ipm_start(ipm, NULL, r);
  for (int k = 0; k < IPM_STEPS && status == BASE_OK && !solved; ++k) {
    status = problem_ipm_iterate(ipm, r);
    problem_velocity(p, r, s->v, s->arena);
    solved = contact_residual(&relaxed, s->diag, r, s->v, p->b).relative_b < RELAXED ||
             base_clock_passed(p->deadline); /* no time for a proof */
  }
  for (; count < STARTS && count < p->model.nc && !solved; ++count) {
    at[count] = 0;
    for (int i = 1; i < p->model.nc; ++i) {
      at[count] = r[dim * i] > r[dim * at[count]] ? i : at[count];
    }
    r[dim * at[count]] = -INFINITY;
  }
  problem_ipm_free(ipm);
  base_arena_release(s->arena, mark);
  return count;
}

/* BASE_FAILED where there is a proof that the law has no solution, else BASE_OK. */
static int certify(struct automatic *s) {
  struct problem_certificate found;
  int at[STARTS];
  const int count = s->p->model.dim == 2 ? find_wedged(s, at) : 0;
  for (int k = 0; k < count; ++k) {
    if (problem_certify_infeasible(s->p, at[k], s->arena, &found)) {
      return base_fail(
          BASE_FAILED,
          "auto: no solution: infeasible at contact %d, certificate of %d cases of at most %d "
          "contacts (below %.0e of the free velocity)",
          at[k], found.cases, found.contacts, found.least);
    }
  }
  return BASE_OK;
}

/* The next stage whose solver takes the problem. */
static int next_stage(struct automatic *s, double *r) {
  for (int tried = 0; tried < s->count; ++tried) {
    if (++s->stage == s->count) {
      s->stage = 1; /* the first relaxation has had its chance */
      ++s->round;
    }
    if (s->round == s->opt.rounds) {
      break;
    }
    if (s->stages[s->stage].solver == NULL) {
      if (s->round == 0 && certify(s) != BASE_OK) {
        la_copy(problem_size(s->p), s->best, r);
        return BASE_FAILED;
      }
    } else if (begin_stage(s, r) == BASE_OK) {
      return BASE_OK;
    }
  }
  la_copy(problem_size(s->p), s->best, r);
  return base_fail(BASE_FAILED, "auto: residual %.3g m/s, and no stage of %d rounds did better",
                   s->least, s->round);
}

static int auto_start(void *workspace, double *r) {
  struct automatic *s = workspace;
  s->least = INFINITY;
  s->stage = -1;
  s->round = 0;
  s->solver = NULL;
  remember(s, r);
  return BASE_OK;
}

/* The stage's iterations are used up: does it get as many once more? */
static int goes_on(struct automatic *s, const double *r) {
  const double gain = s->stages[s->stage].gain, before = s->before;
  if (gain == 0) {
    return 0;
  }
  remember(s, r);
  s->before = s->least;
  s->most = (int)fmin(1e9, (double)s->most + s->opt.sweeps);
  return s->least <= gain * before;
}

static int auto_iterate(void *workspace, double *r) {
  struct automatic *s = workspace;
  if (s->solver == NULL) { /* only now: what the last stage ended with had to be graded first */
    const int status = next_stage(s, r);
    if (status != BASE_OK || s->solver == NULL) {
      return status;
    }
  }
  const int status = s->solver->iterate(s->workspace, r);
  const double size = la_norm_inf(problem_size(s->p), r);
  const int whole = size < LEFT_BEHIND * fmax(1, la_norm_inf(problem_size(s->p), s->best));
  const int ended = status != BASE_OK || (++s->used == s->most && !goes_on(s, r)) || !whole;
  if (ended || (s->solver->change == NULL && s->used % RESIDUAL_EVERY == 0)) {
    remember(s, r);
  }
  if (ended) {
    end_stage(s);
  }
  if (!whole) {
    la_copy(problem_size(s->p), s->best, r);
  }
  return BASE_OK;
}

static double auto_change(const void *workspace) {
  const struct automatic *s = workspace;
  return s->solver != NULL && s->solver->change != NULL ? s->solver->change(s->workspace) : NAN;
}

static void auto_free(void *workspace) {
  struct automatic *s = workspace;
  end_stage(s);
  base_rng_free(s->rng);
}

static void auto_describe(const void *workspace, char *text, size_t size) {
  const struct automatic *s = workspace;
  if (s->solver != NULL && s->solver->chosen != NULL) {
    s->solver->describe(s->workspace, text, size);
  } else if (s->stage >= 0) {
    const struct stage *stage = &s->stages[s->stage];
    if (stage->solver == NULL) {
      snprintf(text, size, "proof that there is no solution, stage %d of round %d", s->stage + 1,
               s->round + 1);
      return;
    }
    snprintf(text, size, "%s%s%s, stage %d of round %d", stage->solver, *stage->options ? " " : "",
             stage->options, s->stage + 1, s->round + 1);
  }
}

static const struct problem_solver *auto_chosen(const void *workspace, int *round) {
  const struct automatic *s = workspace;
  if (s->solver != NULL && s->solver->chosen != NULL) {
    return s->solver->chosen(s->workspace, round);
  }
  const char *name = s->stage >= 0 ? s->stages[s->stage].solver : NULL;
  *round = name != NULL ? s->round + 1 : 0;
  return name != NULL ? problem_solver_find(name) : NULL;
}

const struct problem_solver problem_solver_auto = {
    .name = "auto",
    .look = {.colour = 0x000000, .dashes = {14, 4, 3, 4}, .point = 2, .point_size = 1},
    .summary =
        "relaxation, Newton, proximal point, interior point or pivots, in turn until one succeeds",
    .source = "the other solvers, in turn",
    .laws = (1u << CONTACT_LAW_COUNT) - 1,
    .options = auto_table,
    .options_size = sizeof(struct auto_options),
    .alloc = auto_alloc,
    .start = auto_start,
    .iterate = auto_iterate,
    .change = auto_change,
    .free = auto_free,
    .describe = auto_describe,
    .chosen = auto_chosen,
};
