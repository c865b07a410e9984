/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers of the cases' figures; see series.h.
 */
#include "cases/figure/series.h"

#include "base/status.h"
#include "la/statistics.h"

#include <math.h>
#include <string.h>

const struct case_series *case_series_find(const struct case_series *series, int n,
                                           const char *label) {
  for (int i = 0; i < n; ++i) {
    if (series[i].run != NULL && strcmp(series[i].run->label, label) == 0) {
      return &series[i];
    }
  }
  base_fail(BASE_FAILED, "there is no run '%s'", label);
  return NULL;
}

int case_series_ended(const struct case_series *s) {
  return s->status == BASE_OK || s->status == BASE_UNSTABLE;
}

const struct case_series *case_series_ok(const struct case_series *series, int n, const char *label,
                                         int nq) {
  const struct case_series *s = case_series_find(series, n, label);
  if (s == NULL) {
    return NULL;
  }
  if (!case_series_ended(s)) {
    base_fail(BASE_FAILED, "run '%s' ended %s: %s", label, base_status_name(s->status),
              s->reason != NULL ? s->reason : "");
    return NULL;
  }
  if (s->n < 2 || s->nq != nq) {
    base_fail(BASE_FAILED, "run '%s' has no trajectory of %d coordinates", label, nq);
    return NULL;
  }
  return s;
}

double case_order(int n, const double *dt, const double *error, int needed) {
  enum { POINTS_MIN = 3 }; /* two points have a slope whatever they are */
  const struct la_power fit = la_fit_power(n, dt, error);
  return fit.points < POINTS_MIN || fit.points < needed ? NAN : fit.p;
}

double case_value_energy_deviation(const struct case_results *r, const struct case_series *s,
                                   int k) {
  double worst = 0;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    worst = case_worst(worst, fabs(s->energy[k] / s->energy[0] - 1));
  }
  return worst;
}

double case_value_energy_change(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return s->energy[k] - s->energy[0];
}

double case_worst(double worst, double deviation) {
  return isnan(worst) || deviation <= worst ? worst : deviation;
}
