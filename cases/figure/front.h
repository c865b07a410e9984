/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-precision fronts of two families on one case: impulse formulations over the step, and
 * penalty over the stiffness K. A spring's fixed step goes with K as its stability asks,
 *
 *   dt = part 2.785 sqrt(eps m/K),
 *
 * since damping D = 2 zeta sqrt(K m) for a small restitution eps has zeta = 1/(2 sqrt(eps))
 * (src/form/penalty/restitution.c), and RK4 ends at dt D/m = 2.785. Error: errors.q_linf of the
 * record.
 * Work: evaluations of forces and sweeps or pivots of the solver, as far as records tell; and time,
 * as data alone.
 *
 * A figure's runs begin with these two:
 *   {.label = "{scheme}-{#step}", .over = {{"scheme", "moreau ..."}, {"step", "..."}}, ...},
 *   {.label = "{spring}-{#K}", .over = {{"spring", CASE_FRONT_SPRINGS}, {"K", "1e4 ..."}}, ...}
 */
#ifndef CASES_FIGURE_FRONT_H
#define CASES_FIGURE_FRONT_H

#include "cases/figure/figure.h"

/* Ways to integrate springs, each run at every K: explicit with fixed and chosen steps, the latter
 * with Hertz' law too, and implicit. */
#define CASE_FRONT_SPRINGS "rk4 verlet rkf45 hertz msbdf"
enum { CASE_RK4, CASE_VERLET, CASE_RKF45, CASE_HERTZ, CASE_MSBDF, CASE_SPRINGS };
extern const char *const case_front_springs[CASE_SPRINGS]; /* their names */

struct case_front_springs {
  double m, eps;       /* mass behind a contact [kg]; restitution of the damping [-] */
  const char *options; /* of the formulation, for all */
  double chosen;       /* dt of adaptive steppers: where their end is [s] */
};
/* The step and the options of a spring, of the second of the two families. */
void case_front_fill_spring(const struct case_front_springs *all, const struct case_place *place,
                            struct case_run *run);

/* What a front has measured, scheme after scheme and spring after spring, from the arena; NaN where
 * a run was not ok. */
struct case_front {
  const struct case_runs *runs;
  int n_schemes, n_steps, n_K;
  double *x;        /* dt [s] or K [N/m^n] */
  double *error;    /* [m or rad] */
  double *internal; /* steps, of adaptive steppers their own */
};
/* Measure it, from the first of the figure's series on. Table <scheme> or <spring> each: dt or K,
 * error, time [s], work, steps. BASE_FAILED with a message where a run is missing. */
int case_front_make(const struct case_runs *runs, const struct case_series *series, int n,
                    struct base_arena *arena, struct case_plot *plot, struct case_front *front);
/* Where a spring, by its number, begins in the arrays. */
static inline int case_front_row(const struct case_front *front, int spring) {
  return front->n_schemes * front->n_steps + spring * front->n_K;
}
/* Check the order of the error of scheme i in dt, 0 to 2 and how far it may be off, and that of
 * spring i in K. */
void case_front_check_scheme(const struct case_front *front, int i, int order, double miss,
                             struct case_plot *plot);
void case_front_check_spring(const struct case_front *front, int i, double lo, double hi,
                             const char *expected, struct case_plot *plot);

#endif
