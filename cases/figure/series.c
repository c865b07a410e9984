/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers of the cases' figures; see series.h.
 */
#include "cases/figure/series.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

const struct case_series *case_series_find(const struct case_results *r, const char *label) {
  for (int i = 0; i < r->n; ++i) {
    if (r->series[i].run != NULL && strcmp(r->series[i].run->label, label) == 0) {
      return &r->series[i];
    }
  }
  base_fail(BASE_FAILED, "there is no run '%s'", label);
  return NULL;
}

int case_series_ended(const struct case_series *s) {
  return s->status == BASE_OK || s->status == BASE_UNSTABLE;
}

int case_series_carried(const struct case_series *s, int k, long id) {
  for (int i = s->first[k]; i < s->first[k + 1]; ++i) {
    if (s->contact[i] == id) {
      return 1;
    }
  }
  return 0;
}

double case_worst(double worst, double deviation) {
  return isnan(worst) || deviation <= worst ? worst : deviation;
}
