/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-2.5: the projected iterations of moeller 2.5 on one-step problems in which up to ten
 * contacts are coupled, those of the wheel by Moreau's midpoint rule (5.7), each from zero to 1e-8:
 * Jacobi's with the source's factor and less of it (2.45), Gauss-Seidel's (2.67), and Newton's
 * (2.72), which for linear functions (2.74) is Jacobi's to the last bit. Of linear equations with
 * eigenvalues 1 - rho of the slowest mode, half the factor takes twice the iterations or, where the
 * full one ends modes at once, more, and
 * Gauss-Seidel for two groups of unknowns half of them, as its radius is rho^2.
 */
#include "cases/overbalanced-wheel/figures.h"

#include "cases/figure/series.h"

#include <math.h>

/* Of the coordinates, from the run that it is set against; [m], [rad]. */
static double difference(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *other = r->against;
  double worst = s->n == other->n ? 0 : NAN;
  for (k = 0; k < s->n * s->nq && s->n == other->n; ++k) {
    worst = case_worst(worst, fabs(s->q[k] - other->q[k]));
  }
  return worst;
}

static double variant(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return (double)(s - r->series);
}

const struct case_function overbalanced_wheel_iterations_functions[] = {
    {"variant", .value = variant}, {"difference", .value = difference}, {0}};
