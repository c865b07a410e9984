/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers of the cases' figures; see series.h.
 */
#include "cases/figure/series.h"

#include "base/status.h"

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

/* Distance of the point (x, y) from the segment a b. */
static double segment_distance(double x, double y, const double *a, const double *b) {
  const double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
  double part = square > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0;
  part = fmin(fmax(part, 0), 1);
  return hypot(x - a[0] - part * dx, y - a[1] - part * dy);
}

/* Neighbours in time among which the nearest piece of the other curve is sought, in samples. */
enum { NEAR_SAMPLES = 30 };

/* Of a's points from b's curve. */
static double drawn_one_way(int n, const double *t, const double *y_a, const double *y_b,
                            double width, double height) {
  double worst = 0;
  for (int k = 0; k < n; ++k) {
    double nearest = INFINITY;
    for (int j = k - NEAR_SAMPLES; j < k + NEAR_SAMPLES; ++j) {
      if (j >= 0 && j + 1 < n) {
        const double p[2] = {t[j] / width, y_b[j] / height};
        const double q[2] = {t[j + 1] / width, y_b[j + 1] / height};
        const double d = segment_distance(t[k] / width, y_a[k] / height, p, q);
        nearest = d < nearest ? d : nearest;
      }
    }
    worst = case_worst(worst, isnan(y_a[k]) ? NAN : nearest);
  }
  return worst;
}

double case_drawn_distance(int n, const double *t, const double *y_a, const double *y_b) {
  double lo = INFINITY, hi = -INFINITY;
  for (int k = 0; k < n; ++k) {
    lo = fmin(lo, y_a[k]);
    hi = fmax(hi, y_a[k]);
  }
  const double width = t[n - 1] - t[0];
  return case_worst(drawn_one_way(n, t, y_a, y_b, width, hi - lo),
                    drawn_one_way(n, t, y_b, y_a, width, hi - lo));
}
