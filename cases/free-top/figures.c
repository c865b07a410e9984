/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the free top (moeller 5.2).
 *
 *   moeller-rigid  every consistent integrator on the description of the body it is made for:
 *                  energy, orthogonality of the directors, error against the step
 *   moeller-5.2    velocities of (5.31) about the constraints, those of (5.49) on them
 *
 * What can be shown of figure 5.2 is what it illustrates: (5.31) holds the rates of the constraints
 * in the mean of each step only (5.39), so that they alternate; here the shear rate e12, half the
 * rate of d1 . d2.
 */
#include "cases/free-top/free-top.h"

#include "cases/figure/series.h"

#include <math.h>

static const double STEP = 0.01; /* [s] */

/* The larger; NaN if either is. */
static double larger(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmax(a, b); }

/* ---- moeller-rigid ---- */

/* Largest |d_i . d_j - delta_ij| of sample k. */
static double off_orthogonal(const struct case_results *r, const struct case_series *s, int k) {
  const double *d = s->q + (size_t)k * (size_t)s->nq + 3;
  double worst = 0;
  (void)r;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double *a = d + 3 * i, *b = d + 3 * j;
      worst = larger(worst, fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - (i == j)));
    }
  }
  return worst;
}

static double most_off_orthogonal(const struct case_results *r, const struct case_series *s,
                                  int k) {
  double worst = 0;
  for (k = 0; k < s->n; ++k) {
    worst = larger(worst, off_orthogonal(r, s, k));
  }
  return worst;
}

static double energy_change(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return fabs(s->energy[k] / s->energy[0] - 1);
}

static double energy_drift(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return case_number(s, "energy.max_numerical_drift") / case_number(s, "energy.initial");
}

/* Unknowns of Newton's method in the order of SCHEMES (what it does solve for is tested): 2 (nq +
 * ns) with multipliers on both levels, 2 nq + ns with one, nq + nu without constraints. */
static void count_unknowns(const struct case_results *r, const struct case_series *s, int k,
                           double *out) {
  static const enum mech_rigid_body_kind kinds[] = {
      MECH_RIGID_BODY_AFFINE,     MECH_RIGID_BODY_AFFINE,    MECH_RIGID_BODY_SCALABLE,
      MECH_RIGID_BODY_SCALABLE,   MECH_RIGID_BODY_SCALABLE,  MECH_RIGID_BODY_SCALABLE,
      MECH_RIGID_BODY_QUATERNION, MECH_RIGID_BODY_QUATERNION};
  struct base_arena *arena = base_arena_alloc();
  (void)r, (void)s, (void)k;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    const struct mech_rigid_body any = {
        .kind = kinds[i], .mass = 1, .Theta = {2, 3, 4}, .length = 1, .speed = 1};
    const struct mech *m = mech_rigid_body_build(&any, arena);
    const int levels = i == 0 ? 1 : 2; /* consistent-constant has the multipliers of one */
    out[i] = m->nq + m->nu + levels * m->ns;
  }
  base_arena_free(arena);
}

static double unknowns_of(const struct case_results *r, const struct case_series *s, int k) {
  double all[8];
  count_unknowns(r, s, k, all);
  return all[(int)case_word(r, s, "#scheme")];
}

/* ---- moeller-5.2 ---- */

enum { SHEAR = 11 };            /* e12 among the published velocities */
static const double PART = 0.2; /* of the horizon, at its start and at its end */

static double shear(const struct case_series *s, int k) {
  return s->u[(size_t)k * (size_t)s->nu + SHEAR];
}

/* Largest |e12| of the samples up to t. */
static double largest_until(const struct case_series *s, double t) {
  double worst = 0;
  for (int k = 0; k < s->n && s->t[k] < t + 0.5 * STEP; ++k) {
    worst = larger(worst, fabs(shear(s, k)));
  }
  return worst;
}

static double largest(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return largest_until(s, s->run->t_end);
}

/* Largest |e12| of the last part of the samples over that of the first: follows the tumbling. */
static double growth(const struct case_results *r, const struct case_series *s, int k) {
  double first = 0, last = 0;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    const double part = s->t[k] / s->run->t_end, e = fabs(shear(s, k));
    first = part <= PART ? larger(first, e) : first;
    last = part >= 1 - PART ? larger(last, e) : last;
  }
  return last / first;
}

/* Part of the samples at which e12 turns around. */
static double turning(const struct case_results *r, const struct case_series *s, int k) {
  int turns = 0;
  (void)r;
  for (k = 2; k < s->n; ++k) {
    turns += (shear(s, k) - shear(s, k - 1)) * (shear(s, k - 1) - shear(s, k - 2)) < 0;
  }
  return (double)turns / (s->n - 2);
}

/* Of the run at half the step. */
static double order(const struct case_results *r, const struct case_series *s, int k) {
  return log2(largest(r, s, k) / largest(r, r->against, k));
}

static double e12(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return shear(s, k);
}

static double e12_gear(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *gear = case_result(r, NULL, "gear");
  return gear != NULL && gear->n == s->n ? shear(gear, k) : NAN;
}

/* From rest on the constraint: gamma^B = 0, and the first step leaves gamma^E = dt/4 of the change
 * of 2 d1' . d2' (see moeller-5.31), of which e12 is half; d1' . d2' = -omega_1 omega_2, with
 * omega_2 = 0 and I2 omega_2' = (I3 - I1) omega_3 omega_1. */
static void first_shear(const struct case_results *r, const struct case_series *s, double *lo,
                        double *hi) {
  const double w1 = case_real(r->p, "w1_0"), w3 = case_real(r->p, "w3_0");
  const double rate =
      (case_real(r->p, "I3") - case_real(r->p, "I1")) / case_real(r->p, "I2") * w3 * w1;
  const double e12 = 0.25 * s->run->dt * s->run->dt * fabs(w1 * rate);
  *lo = 0.98 * e12;
  *hi = 1.02 * e12;
}

/* Largest of the coordinates, from the run that it is set against. */
static double difference(const struct case_results *r, const struct case_series *s, int k) {
  double worst = s->n == r->against->n ? 0 : NAN;
  for (k = 0; k < s->n * s->nq && s->n == r->against->n; ++k) {
    worst = larger(worst, fabs(s->q[k] - r->against->q[k]));
  }
  return worst;
}

const struct case_function free_top_functions[] = {
    {"energy_change", .value = energy_change},
    {"off_orthogonal", .value = off_orthogonal},
    {"count_unknowns", .row = count_unknowns},
    {"energy_drift", .value = energy_drift},
    {"most_off_orthogonal", .value = most_off_orthogonal},
    {"unknowns_of", .value = unknowns_of},
    {"e12", .value = e12},
    {"e12_gear", .value = e12_gear},
    {"turning", .value = turning},
    {"largest", .value = largest},
    {"first_shear", .bounds = first_shear},
    {"order", .value = order},
    {"growth", .value = growth},
    {"difference", .value = difference},
    {0}};
