/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-precision fronts of two families on one case: impulse formulations over the step, and
 * penalty over the stiffness K. A spring's fixed step goes with K as its stability asks,
 *
 *   dt = part 2.785 sqrt(eps m/K),
 *
 * since damping D = 2 zeta sqrt(K m) for a small restitution eps has zeta = 1/(2 sqrt(eps))
 * (penalty/restitution.c), and RK4 ends at dt D/m = 2.785. Error: errors.q_linf of the record.
 * Work: evaluations of forces and sweeps or pivots of the solver, as far as records tell; and time,
 * as data alone.
 */
#ifndef CASES_FIGURE_FRONT_H
#define CASES_FIGURE_FRONT_H

#include "cases/case.h"

/* Ways to integrate springs, each run at every K: explicit with fixed and chosen steps, the latter
 * with Hertz' law too, and implicit. */
enum { CASE_RK4, CASE_VERLET, CASE_RKF45, CASE_HERTZ, CASE_MSBDF, CASE_SPRINGS };
struct case_spring {
  const char *label, *opt; /* "stepper=rk4 ..." */
  double part;             /* of the stable step; 0: the stepper chooses */
  double evaluations;      /* of forces in an accepted step; 0: not known */
};
extern const struct case_spring case_springs[CASE_SPRINGS];

struct case_front {
  const char *set; /* parameters, for all */
  double t_end;    /* [s] */
  int n_schemes, n_steps;
  const char *const *schemes; /* impulse formulations */
  const double *steps;        /* [s] */
  int n_K;
  const double *K;     /* [N/m^n] */
  double m, eps;       /* mass behind a contact [kg]; restitution of the damping [-] */
  const char *penalty; /* options for all springs */
  double chosen;       /* dt of adaptive steppers: where their end is [s] */
};

/* What a front has measured; arrays of n_schemes n_steps, then CASE_SPRINGS n_K, from the arena;
 * NaN where a run was not ok. */
struct case_front_result {
  double *error;    /* [m or rad] */
  double *internal; /* steps, of adaptive steppers their own */
};

int case_front_runs(const struct case_front *front);
/* Fill run i, labels <scheme>-<k> and <spring>-<k>; 0 from case_front_runs() on. */
int case_front_plan(const struct case_front *front, int i, struct case_run *run);
/* Table <scheme> or <spring> each: dt or K, error, time [s], work, steps. BASE_FAILED with a
 * message where a run is missing. */
int case_front_make(const struct case_front *front, const struct case_series *series, int n,
                    struct base_arena *arena, struct case_plot *plot,
                    struct case_front_result *result);
/* Row of a spring, by its number, in the arrays of the result. */
static inline int case_front_row(const struct case_front *front, int spring) {
  return front->n_schemes * front->n_steps + spring * front->n_K;
}
/* Check the order of the error of scheme i in dt, of spring i in K. */
void case_front_check_scheme(const struct case_front *front, const struct case_front_result *result,
                             int i, double lo, double hi, struct case_plot *plot);
void case_front_check_spring(const struct case_front *front, const struct case_front_result *result,
                             int i, double lo, double hi, const char *expected,
                             struct case_plot *plot);

#endif
