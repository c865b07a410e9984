/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * preclik-painleve-edge: at mu = mu_* Coulomb's law has infinitely many impulses (preclik 4.2).
 * With r_0 the one that stops the end, A r_0 = (0, v0), every s r_0, 0 <= s <= 1, leaves the end
 * with
 *
 *   v_N = 0,   v_T = -(1 - s) v0,   |r_T| = mu r_N,   friction against the sliding:
 *
 * on the rim of the cone, along which A maps to pure sliding. Checked with the A and b of the
 * records of the case, at several angles; maximum dissipation alone picks one of them, s = 1. Where
 * the formulations' answers lie is read off the velocity of the end after one short step.
 */
#include "cases/painleve-rod/painleve-rod.h"

#include "base/json/json.h"
#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

enum { FORMS_COUNT = 6, ANGLES = 5, PARTS = 21, MDP = 4 };
static const double SHORT = 1e-6; /* the step [s], in which gravity does next to nothing */

static double angle_of(int k) { return 0.5 * M_PI * (k + 1) / (ANGLES + 1); } /* theta [rad] */

/* A (row-major), b and mu of the record; 0 where it has none. */
static int read_contact(const struct case_series *s, double A[4], double b[2]) {
  for (int k = 0; k < 6; ++k) {
    char path[32];
    snprintf(path, sizeof path, "contact.%c", k < 4 ? 'A' : 'b');
    const cJSON *x = cJSON_GetArrayItem(base_json_at(s->record, path), k < 4 ? k : k - 4);
    if (!cJSON_IsNumber(x)) {
      return 0;
    }
    *(k < 4 ? &A[k] : &b[k - 4]) = x->valuedouble;
  }
  return 1;
}

/* Largest violation of Coulomb's law along s r_0, velocities over v0 and impulses over m v0; rows:
 * r_N, r_T over m v0. */
static double follow(const double A[4], const double b[2], double mu, double momentum, double v0,
                     double rows[PARTS][2]) {
  const double determinant = A[0] * A[3] - A[1] * A[2];
  const double r0[2] = {-(A[3] * b[0] - A[1] * b[1]) / determinant,
                        -(A[0] * b[1] - A[2] * b[0]) / determinant};
  double worst = 0;
  for (int k = 0; k < PARTS; ++k) {
    const double s = (double)k / (PARTS - 1), r[2] = {s * r0[0], s * r0[1]};
    const double v[2] = {A[0] * r[0] + A[1] * r[1] + b[0], A[2] * r[0] + A[3] * r[1] + b[1]};
    worst = case_worst(worst, fabs(v[0]) / v0);
    worst = case_worst(worst, fabs(v[1] + (1 - s) * v0) / v0);
    worst = case_worst(worst, fabs(fabs(r[1]) - mu * r[0]) / momentum);
    worst = case_worst(worst, fmax(0, r[1] * v[1]) / (momentum * v0));
    rows[k][0] = r[0] / momentum;
    rows[k][1] = r[1] / momentum;
  }
  return worst;
}

/* Where on the segment the end's velocity is: s = 1 + v_T / v0. */
static double part_of(const struct case_series *s, double l, double v0) {
  double v[2];
  if (s->status != BASE_OK || s->n < 2 || s->nq != 3) {
    return NAN;
  }
  painleve_rod_end(l, s->q + (size_t)(s->n - 1) * 3, s->u + (size_t)(s->n - 1) * 3, v);
  return 1 + v[1] / v0;
}

int painleve_rod_edge_make(const struct case_parameters *p, const struct case_series *series, int n,
                           struct case_plot *plot) {
  const double v0 = case_real(p, "v0"), l = case_real(p, "l"), momentum = case_real(p, "m") * v0;
  double answers[ANGLES][1 + FORMS_COUNT], worst = 0, best = 0;
  if (n != ANGLES * FORMS_COUNT) {
    return base_fail(BASE_FAILED, "preclik-painleve-edge: %d runs", n);
  }
  for (int k = 0; k < ANGLES; ++k) {
    double A[4], b[2], rows[PARTS][2];
    const struct case_series *s = &series[k * FORMS_COUNT];
    if (!read_contact(s, A, b)) {
      return base_fail(BASE_FAILED, "%s: the record has no problem of one contact", s->run->label);
    }
    worst = case_worst(worst, follow(A, b, painleve_rod_limit(angle_of(k)), momentum, v0, rows));
    case_plot_table(plot, "segments", "r_N/(m*v0) r_T/(m*v0)", PARTS, 2, rows[0]);
    answers[k][0] = angle_of(k) * 180 / M_PI;
    for (int f = 0; f < FORMS_COUNT; ++f) {
      answers[k][1 + f] = part_of(&s[f], l, v0);
    }
    best = case_worst(best, fabs(answers[k][1 + MDP] - 1));
  }
  case_plot_table(plot, "answers", "theta[deg] moreau lcp-st lcp-ap ncp mdp ccp", ANGLES,
                  1 + FORMS_COUNT, answers[0]);
  case_plot_check(
      plot, "violation of Coulomb's law by s r_0, 0 <= s <= 1, relative", worst,
      (struct case_claim){0, 1e-12, .expected = "0",
                          .published = "all convex combinations of 0 and r_0 are solutions (4.2)"});
  case_plot_check(plot, "mdp: s of its answer, off 1", best,
                  (struct case_claim){0, 100 * SHORT, .expected = "0, but for gravity in a step",
                                      .published = "the unique solution is r_0 (preclik 4.2)"});
  return BASE_OK;
}

const struct case_function painleve_rod_edge_functions[] = {
    {"edge_make", .make = painleve_rod_edge_make}, {0}};
