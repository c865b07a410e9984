/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-precision fronts of impulses and springs; see front.h.
 */
#include "cases/figure/front.h"

#include <math.h>
#include <string.h>

/* Evaluations of forces in an accepted step of a spring; 0: not known. */
static const struct spring {
  const char *name;
  double evaluations;
} springs[] = {{"rk4", 4}, {"verlet", 2}, {"rkf45", 6}, {"hertz", 6}, {"msbdf", 0}};

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

double case_front_work(const struct case_results *r, const struct case_series *s, int k) {
  const struct spring *spring = spring_of(s->run->label);
  const double a_step = spring != NULL ? spring->evaluations : 1;
  (void)r, (void)k;
  return a_step > 0 ? a_step * case_number(s, "iterations.internal_steps") +
                          case_number(s, "iterations.total")
                    : NAN;
}
