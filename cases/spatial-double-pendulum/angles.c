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
#include "cases/spatial-double-pendulum/spatial-double-pendulum.h"

#include "cases/figure/series.h"

#include <math.h>
#include <string.h>

enum { ANGLES = 6 };

void spatial_double_pendulum_near(const double near[3], double angles[3]) {
  double best = INFINITY, out[3] = {0};
  for (int flip = 0; flip < 2; ++flip) { /* (q1 + pi, pi - q2, q3 + pi) is the same rotation */
    double way = 0, other[3];
    for (int j = 0; j < 3; ++j) {
      other[j] = !flip ? angles[j] : j == 1 ? M_PI - angles[j] : angles[j] + M_PI;
      other[j] = near[j] + remainder(other[j] - near[j], 2 * M_PI);
      way = fmax(way, fabs(other[j] - near[j]));
    }
    if (way < best) {
      best = way;
      memcpy(out, other, sizeof out);
    }
  }
  memcpy(angles, out, sizeof out);
}

/* Angles of sample k, each triple the one nearest to those given; angles: overwritten. */
static void angles_near(const struct case_series *s, int k, double angles[ANGLES]) {
  const double *own = s->q + (long)k * s->nq + SPATIAL_DOUBLE_PENDULUM_ANGLES;
  for (int i = 0; i < ANGLES; i += 3) {
    double triple[3];
    memcpy(triple, own + i, sizeof triple);
    spatial_double_pendulum_near(angles + i, triple);
    memcpy(angles + i, triple, sizeof triple);
  }
}

static const char *const names[] = {"qa1", "qa2", "qa3", "qb1", "qb2", "qb3", NULL};

/* Of run `event` angles are followed from the start, of others they are the nearest to those. */
static const double *angle(const struct case_results *r, const struct case_series *s, int *n) {
  const struct case_series *event = case_series_find(r, "event");
  double exact[ANGLES], angles[ANGLES];
  if (event == NULL) {
    return NULL;
  }
  double *x = base_arena_matrix(r->arena, s->n, ANGLES);
  for (int i = 0; i < ANGLES; ++i) {
    exact[i] = case_real(r->p, names[i]);
  }
  for (int k = 0; k < s->n; ++k) {
    if (k < event->n) {
      angles_near(event, k, exact);
    }
    memcpy(angles, exact, sizeof angles);
    if (s != event) {
      angles_near(s, k, angles);
    }
    for (int i = 0; i < ANGLES; ++i) {
      x[(long)i * s->n + k] = angles[i];
    }
  }
  *n = s->n;
  return x;
}

const struct case_function spatial_double_pendulum_angles_functions[] = {
    {"angle", .lists = angle, .words = names}, {0}};
