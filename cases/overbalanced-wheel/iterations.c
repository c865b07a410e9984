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

const struct case_runs overbalanced_wheel_iteration_runs[] = {
    {.label = "{label}",
     .formulation = "moreau",
     .solver = "{solver}",
     .set = "eps=0",
     .opt = "warm_start=no tol=1e-8 max_iter=100000 {rho} {omega}",
     .dt = "1e-3",
     .t_end = "1",
     .sample = "1e-3",
     .over = {{"label/solver/rho/omega",
               "jacobi/pjacobi/rho=diagonal/omega=1 half/pjacobi/rho=diagonal/omega=0.5 "
               "quarter/pjacobi/rho=diagonal/omega=0.25 seidel/pgs/rho=diagonal/omega=1 "
               "newton/pnewton"}}},
    {0}};

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

const struct case_table overbalanced_wheel_iteration_tables[] = {
    {.name = "iterations",
     .runs = "{label}",
     .along = "label",
     .columns = {{"variant", .value = variant}, {"iterations[-]", "iterations.mean"}}},
    {0}};

#define OVER_JACOBI(LABEL) .runs = LABEL, .over = "jacobi", .path = "iterations.total"
const struct case_check overbalanced_wheel_iteration_checks[] = {
    {.what = "projected Jacobi, half the factor: iterations over those with all of it",
     OVER_JACOBI("half"),
     .claim = {1.5, 4, .expected = "2 and more",
               .published = "a smaller factor is slower (moeller 2.5.1)"}},
    {.what = "projected Jacobi, a quarter: the same",
     OVER_JACOBI("quarter"),
     .claim = {3, 8, .expected = "4 and more",
               .published = "a smaller factor is slower (moeller 2.5.1)"}},
    {.what = "{label}: steps that were not solved",
     .runs = "{label}",
     .path = "iterations.unconverged_steps",
     .claim = {0, 0, .published = "expected to converge (moeller 2.5.1, 2.5.4)"}},
    {.what = "projected Gauss-Seidel: iterations over those of projected Jacobi",
     OVER_JACOBI("seidel"),
     .claim = {0.35, 0.8, .expected = "about 1/2",
               .published = "usually requires less iteration steps (moeller 2.5.4)"}},
    {.what = "projected Newton: iterations over those of projected Jacobi",
     OVER_JACOBI("newton"),
     .claim = {1, 1, .published = "reduces exactly to it for linear functions (moeller 2.5.5)"}},
    {.what = "projected Newton: largest difference of coordinates from projected Jacobi",
     .runs = "newton",
     .against = "jacobi",
     .value = difference,
     .claim = {0, 0, .published = "reduces exactly to it for linear functions (moeller 2.5.5)"}},
    {0}};

const struct case_panel overbalanced_wheel_iteration_panels[] = {
    {.y = "iterations a step",
     .names = "Jacobi 'half of r' 'a quarter' Gauss-Seidel Newton",
     .curves = {{NULL, "iterations", 1, 2, .look = "violet", .with = CASE_BARS}}},
    {0}};
