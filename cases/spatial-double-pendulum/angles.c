/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bhalerao-8: relative Euler-123 angles while P1 slides, against event in place of the source's
 * Autolev model, and the order of their errors in dt. The horizon ends before P1 comes to rest
 * (0.98 s). Angles are compared as rotations are: modulo 2 pi, and by the triple nearest to the
 * reference of the two that mean the same rotation.
 *
 * A polyhedral cone has friction off the sliding direction by up to pi/n_dir whatever the step, so
 * that with eight directions lcp-st, lcp-ap and lcp-dca have no order. They have one where P1
 * slides along a direction, which t1 is: the same pendulum in the xz plane. In space their error
 * falls with n_dir: 64 directions leave a tenth of it.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include <math.h>
#include <string.h>

/* Angles of sample k, each triple the one nearest to those given; angles: 6, overwritten. */
static void angles_near(const struct case_series *s, int k, double *angles) {
  for (int body = 0; body < 2; ++body) {
    double triple[3];
    for (int j = 0; j < 3; ++j) {
      triple[j] = spatial_double_pendulum_q(s, k, SPATIAL_DOUBLE_PENDULUM_ANGLES + 3 * body + j);
    }
    spatial_double_pendulum_near(angles + 3 * body, triple);
    memcpy(angles + 3 * body, triple, sizeof triple);
  }
}

static void angles_at_start(const struct case_parameters *p, double *angles) {
  const double start[6] = {case_real(p, "qa1"), case_real(p, "qa2"), case_real(p, "qa3"),
                           case_real(p, "qb1"), case_real(p, "qb2"), case_real(p, "qb3")};
  memcpy(angles, start, sizeof start);
}

/* Largest difference of the three angles of a body; NaN where one is. */
static double difference(const double *a, const double *b, int body) {
  double worst = 0;
  for (int j = 3 * body; j < 3 * body + 3; ++j) {
    worst = case_worst(worst, fabs(a[j] - b[j]));
  }
  return worst;
}

/* t, six angles, error of A and of B. */
static void angles_row(const struct case_results *r, const struct case_series *s, int k,
                       double *out) {
  const struct case_series *event = case_result(r, NULL, "event");
  double exact[6], angles[6];
  angles_at_start(r->p, exact);
  for (int j = 0; j <= k && k < event->n; ++j) { /* followed from the start */
    angles_near(event, j, exact);
  }
  memcpy(angles, exact, sizeof angles);
  if (s != event) {
    angles_near(s, k, angles);
  }
  out[0] = s->t[k];
  memcpy(out + 1, angles, sizeof angles);
  out[7] = difference(angles, exact, 0);
  out[8] = difference(angles, exact, 1);
}

const struct case_function spatial_double_pendulum_angles_functions[] = {
    {"angles_row", .row = angles_row}, {0}};
