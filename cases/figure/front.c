/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-precision fronts of impulses and springs; see front.h.
 */
#include "cases/figure/front.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double RK4_REAL = 2.785; /* where RK4's region of stability ends on the real axis */

static const struct spring {
  const char *name, *options;
  double part;        /* of the stable step; 0: the stepper chooses */
  double evaluations; /* of forces in an accepted step; 0: not known */
} springs[] = {{"rk4", .options = "stepper=rk4", .part = 0.5, .evaluations = 4},
               {"verlet", .options = "stepper=verlet", .part = 0.5, .evaluations = 2},
               {"rkf45", .options = "stepper=rkf45", .evaluations = 6},
               {"hertz", .options = "stepper=rkf45 normal=hertz", .evaluations = 6},
               {"msbdf", .options = "stepper=msbdf"}};

/* The spring that a label begins with; NULL: a formulation. */
static const struct spring *spring_of(const char *label) {
  const size_t length = strcspn(label, "-");
  for (size_t i = 0; i < sizeof springs / sizeof *springs; ++i) {
    if (strlen(springs[i].name) == length && strncmp(springs[i].name, label, length) == 0) {
      return &springs[i];
    }
  }
  return NULL;
}

void case_front_fill_spring(const struct case_front_springs *all, const struct case_place *place,
                            struct case_run *run) {
  const struct spring *spring = spring_of(run->label);
  const double K = case_place_real(place, "K");
  assert(spring != NULL);
  run->dt = spring->part > 0 ? spring->part * RK4_REAL * sqrt(all->eps * all->m / K) : all->chosen;
  snprintf(run->opt, sizeof run->opt, "K=%.17g substeps=1 eps_min=%.17g %s %s", K, all->eps,
           spring->options, all->options);
}

double case_front_work(const struct case_results *r, const struct case_series *s, int k) {
  const struct spring *spring = spring_of(s->run->label);
  const double a_step = spring != NULL ? spring->evaluations : 1;
  (void)r, (void)k;
  return a_step > 0 ? a_step * case_number(s, "iterations.internal_steps") +
                          case_number(s, "iterations.total")
                    : NAN;
}
