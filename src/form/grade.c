/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Grades of a step; see grade.h.
 */
#include "form/grade.h"

#include <math.h>

static long place_of(long at, const long *id) { return at >= 0 && id != NULL ? id[at] : at; }

void form_grade(const struct contact_residual *residual,
                const struct contact_diagnostics *diagnostics, const long *id,
                struct form_report *report) {
  struct contact_diagnostics *worst = &report->diagnostics;
  const int is_first = report->graded++ == 0;
  if (is_first || (!isnan(report->residual.relative_free) &&
                   !(residual->relative_free <= report->residual.relative_free))) {
    report->residual = *residual;
    report->residual.at = place_of(residual->at, id);
  }
  if (is_first) {
    *worst = *diagnostics;
    worst->at = place_of(diagnostics->at, id);
    return;
  }
  if (diagnostics->dissipation_shortfall > worst->dissipation_shortfall) {
    worst->at = place_of(diagnostics->at, id);
  }
  worst->signorini = fmax(worst->signorini, diagnostics->signorini);
  worst->cone = fmax(worst->cone, diagnostics->cone);
  worst->angle = fmax(worst->angle, diagnostics->angle);
  worst->dissipation_shortfall =
      fmax(worst->dissipation_shortfall, diagnostics->dissipation_shortfall);
}

struct contact_residual form_grade_problem(const struct contact_model *model, const double *diag,
                                           const double *r, const double *v, const double *b,
                                           const long *id, struct form_report *report) {
  const struct contact_residual residual = contact_residual(model, diag, r, v, b);
  const struct contact_diagnostics diagnostics = contact_diagnose(model, diag, r, v, 0);
  form_grade(&residual, &diagnostics, id, report);
  return residual;
}
