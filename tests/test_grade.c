/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the grade of a step: the worst of its problems by the residual relative to |b|, whatever
 * their order and their units, and the same rule in every family of formulations.
 */
#include "tests/test.h"

#include <math.h>

#include "form/grade.h"

static struct contact_residual residual_of(double absolute, double relative, long at) {
  return (struct contact_residual){.absolute = absolute, .relative_free = relative, .at = at};
}

/* The impact of a step has velocities of m/s, its motion of dt times forces: the larger residual in
 * m/s is the smaller one relative to |b|. */
TEST(the_worst_relative_problem_is_the_step) {
  const struct contact_residual residuals[] = {
      residual_of(1e-9, 1e-10, 0), residual_of(1e-12, 1e-6, 1), residual_of(1e-8, 1e-9, 2)};
  const struct contact_diagnostics d[] = {
      {.signorini = 1, .cone = 5, .dissipation_shortfall = 2, .at = 0},
      {.signorini = 3, .angle = 1, .dissipation_shortfall = 7, .at = 1},
      {.signorini = 2, .dissipation_shortfall = 4, .at = 2}};
  const long id[] = {40, 50, 60};
  static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}};
  for (int k = 0; k < 4; ++k) {
    struct form_report report = {0};
    for (int i = 0; i < 3; ++i) {
      form_grade(&residuals[orders[k][i]], &d[orders[k][i]], id, &report);
    }
    CHECK_INT(report.graded, 3);
    CHECK_NEAR(report.residual.relative_free, 1e-6, 0);
    CHECK_NEAR(report.residual.absolute, 1e-12, 0);
    CHECK_INT(report.residual.at, 50);
    CHECK_NEAR(report.diagnostics.signorini, 3, 0);
    CHECK_NEAR(report.diagnostics.cone, 5, 0);
    CHECK_NEAR(report.diagnostics.angle, 1, 0);
    CHECK_NEAR(report.diagnostics.dissipation_shortfall, 7, 0);
    CHECK_INT(report.diagnostics.at, 50);
  }
}

/* One that is no number is the worst, wherever it comes. */
TEST(a_residual_that_is_no_number_stays) {
  const struct contact_diagnostics d = {.at = -1};
  for (int place = 0; place < 3; ++place) {
    struct form_report report = {0};
    for (int i = 0; i < 3; ++i) {
      const struct contact_residual r = residual_of(1, i == place ? (double)NAN : 1 + i, -1);
      form_grade(&r, &d, NULL, &report);
    }
    CHECK(isnan(report.residual.relative_free));
    CHECK_INT(report.residual.at, -1);
  }
}
