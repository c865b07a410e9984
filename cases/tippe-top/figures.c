/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the tippe top's motion (moeller 6.5).
 *
 *   moeller-6.24  a sequence of attitudes
 *   moeller-6.25  gap functions at dt = 1e-3 s: the drift of the midpoint rule and of the one-step
 *                 quaternion scheme, and the two-step scheme, which has none
 *
 * The inclination is phi = acos(n . R n) = acos(a_0^2 + a_3^2 - a_1^2 - a_2^2), the gaps (6.59).
 */
#include "cases/tippe-top/tippe-top.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NQ = 7 };

static double cosine(const double *q) {
  const double c = q[3] * q[3] + q[6] * q[6] - q[4] * q[4] - q[5] * q[5];
  return isnan(c) ? NAN : fmax(-1, fmin(1, c));
}

double tippe_top_inclination(const struct case_series *s, int k) {
  return acos(cosine(s->q + (size_t)NQ * (size_t)k));
}

/* ---- moeller-6.24 ---- */

static const double attitude_times[] = {0, 0.5, 0.8, 1, 1.2, 1.4, 2, 4.4, 8}; /* [s] */
enum { ATTITUDES = sizeof attitude_times / sizeof *attitude_times, OUTLINE = 96 };
static const double SPACING = 0.045; /* of the outlines [m] */

static int sample_at(const struct case_series *s, double t) {
  int nearest = 0;
  for (int k = 0; k < s->n; ++k) {
    if (fabs(s->t[k] - t) < fabs(s->t[nearest] - t)) {
      nearest = k;
    }
  }
  return nearest;
}

/* Outlines of both spheres in the vertical plane of the axis, beside the i-th place. */
static void write_outlines(const struct case_parameters *p, const double *q, int i,
                           struct case_plot *plot) {
  static const char *const c_keys[] = {"c1", "c2"}, *const r_keys[] = {"r1", "r2"};
  const double c_phi = cosine(q), s_phi = sqrt(1 - c_phi * c_phi);
  for (int sphere = 0; sphere < 2; ++sphere) {
    const double c = case_real(p, c_keys[sphere]), r = case_real(p, r_keys[sphere]);
    double rows[OUTLINE + 1][2];
    for (int k = 0; k <= OUTLINE; ++k) {
      rows[k][0] = 1e3 * (SPACING * i + c * s_phi + r * cos(2 * M_PI * k / OUTLINE));
      rows[k][1] = 1e3 * (q[2] + c * c_phi + r * sin(2 * M_PI * k / OUTLINE));
    }
    case_plot_table(plot, sphere == 0 ? "main" : "handle", "x[mm] z[mm]", OUTLINE + 1, 2, rows[0]);
  }
}

static int fig624_make(const struct case_parameters *p, const struct case_series *series, int n,
                       struct case_plot *plot) {
  const struct case_series *s = case_series_ok(series, n, "E", NQ);
  if (s == NULL) {
    return BASE_FAILED;
  }
  double centres[ATTITUDES][5], highest = 0;
  for (int i = 0; i < ATTITUDES; ++i) {
    const int k = sample_at(s, attitude_times[i]);
    const double *q = s->q + (size_t)NQ * (size_t)k;
    const double phi = tippe_top_inclination(s, k);
    const double centre[5] = {1e3 * SPACING * i, 1e3 * q[2], s->t[k], phi, 8 * sin(phi)};
    memcpy(centres[i], centre, sizeof centre);
    write_outlines(p, q, i, plot);
  }
  case_plot_table(plot, "centres", "x[mm] z[mm] t[s] phi[rad] axis[mm]", ATTITUDES, 5, centres[0]);
  for (int k = 0; k < s->n; ++k) {
    highest = fmax(highest, s->q[(size_t)NQ * (size_t)k + 2]);
  }
  const double standing = case_real(p, "c2") + case_real(p, "r2");
  case_plot_check(plot,
                  "greatest height of the centre of mass over c2 + r2, standing on the handle",
                  highest / standing, (struct case_claim){0.99, 1.001, .expected = "1"});
  case_plot_check(plot, "rise of the centre of mass from the start [mm]", 1e3 * (highest - s->q[2]),
                  (struct case_claim){.lo = 8.5, .hi = 9.5});
  return BASE_OK;
}

/* ---- moeller-6.25 ---- */

static double gap(const struct case_parameters *p, const double *q, int sphere) {
  return sphere == 0 ? q[2] + case_real(p, "c1") * cosine(q) - case_real(p, "r1")
                     : q[2] + case_real(p, "c2") * cosine(q) - case_real(p, "r2");
}

/* [mm] */
static double gap_main(const struct case_results *r, const struct case_series *s, int k) {
  return 1e3 * gap(r->p, s->q + (size_t)NQ * (size_t)k, 0);
}

static double gap_handle(const struct case_results *r, const struct case_series *s, int k) {
  return 1e3 * gap(r->p, s->q + (size_t)NQ * (size_t)k, 1);
}

/* What closed gaps lost, the larger sum over all steps of the two [m]. */
double tippe_top_closed_loss(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (int sphere = 0; sphere < 2; ++sphere) {
    double sum = 0;
    for (k = 0; k + 1 < s->n; ++k) {
      const double *q = s->q + (size_t)NQ * (size_t)k, before = gap(r->p, q, sphere);
      const double loss = before - gap(r->p, q + NQ, sphere);
      sum += before > 0 || loss <= 0 ? 0 : loss; /* NaN remains one */
    }
    worst = case_worst(worst, sum);
  }
  return worst;
}

const struct case_function tippe_top_functions[] = {{"fig624_make", .make = fig624_make},
                                                    {"gap_main", .value = gap_main},
                                                    {"gap_handle", .value = gap_handle},
                                                    {"closed_loss", .value = tippe_top_closed_loss},
                                                    {0}};
