/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Disc 10 of the chains, the end of the left branch (yu, figs 16 and 17):
 *
 *   yu-16  normal impulse of other discs on it, by the record of every step
 *   yu-17  its inertial force m (v_{l+1} - v_l)/dt, from when discs first meet
 *
 * Both beside `event`, through the first contacts; later the motion is chaotic. That formulation
 * tells no impulses, but the disc's momentum does: between two samples only gravity, disc 9, by the
 * rope or by pressing against it, and disc 20 act on it, the last as a mirror image, without
 * friction, so that
 *
 *   m (v_{l+1} - v_l) + m g dt e_y = r_N n + r_S e,
 *
 * n the normal from disc 20 and e from disc 9, are two equations for two impulses. r_S < 0 is the
 * rope's, r_S > 0 that of the contact. Directions are those half-way: an error of second order.
 */
#include "cases/granular-chains/granular-chains.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>

enum { COLUMNS = 3, DISC = GRANULAR_CHAINS_DISC };
static const double ROUND_OFF = 1e-11;
/* [s]: the first contact, with disc 20, is at 0.5233 s (chains-contact), the second, with disc 9,
 * at 0.5535 s. */
static const double FIRST_LO = 0.521, FIRST_HI = 0.525;
static const double AROUND_LO = 0.5, AROUND_HI = 0.6, BETWEEN = 0.545;

/* Mean force of inertia of disc 10 from sample l to the next [N]. */
static void inertial_force(const struct case_parameters *p, const struct case_series *s, int l,
                           double F[2]) {
  const double *u = s->u + (long)l * s->nu + (long)COLUMNS * (DISC - 1);
  for (int i = 0; i < 2; ++i) {
    F[i] = case_real(p, "m") * (u[s->nu + i] - u[i]) / (s->t[l + 1] - s->t[l]);
  }
}

/* Unit vector to disc 10 from disc `other`, half-way between sample l and the next. */
static void direction(const struct case_series *s, int l, int other, double n[2]) {
  const double *q0 = s->q + (long)l * s->nq, *q1 = q0 + s->nq;
  const int a = COLUMNS * (DISC - 1), b = COLUMNS * (other - 1);
  for (int i = 0; i < 2; ++i) {
    n[i] = 0.5 * (q0[a + i] + q1[a + i] - q0[b + i] - q1[b + i]);
  }
  const double d = hypot(n[0], n[1]);
  n[0] /= d;
  n[1] /= d;
}

/* The normal impulses of discs 20 and 9 on disc 10 from sample l to the next, from its momentum
 * [N s]. */
static double normal_impulse(const struct case_parameters *p, const struct case_series *s, int l) {
  const double dt = s->t[l + 1] - s->t[l], weight = case_real(p, "m") * case_real(p, "g");
  double F[2], n[2], e[2];
  inertial_force(p, s, l, F);
  direction(s, l, 2 * (int)case_real(p, "n"), n);
  direction(s, l, DISC - 1, e);
  F[1] += weight;
  const double det = n[0] * e[1] - n[1] * e[0];
  const double r_N = dt * (F[0] * e[1] - F[1] * e[0]) / det;
  const double r_S = dt * (n[0] * F[1] - n[1] * F[0]) / det;
  return r_N + fmax(r_S, 0);
}

/* Are samples l and l + 1 around the first contacts? */
static int is_around(const struct case_series *s, int l) {
  return s->t[l] >= AROUND_LO && s->t[l + 1] <= AROUND_HI;
}

/* Sums of r_N around the first contacts, by both; of the first and of the second. */
static int write_sums(const struct granular_chains_run *run, double ccp[2], double by_event[2],
                      struct case_plot *plot) {
  const struct case_series *s = run->ccp, *event = run->event;
  double *rows = base_arena_matrix(run->arena, 3, s->n);
  int count = 0;
  ccp[0] = ccp[1] = by_event[0] = by_event[1] = 0;
  for (int l = 0; l + 1 < s->n && l + 1 < event->n; ++l) {
    if (is_around(s, l)) {
      double *row = rows + 3L * count++;
      const int second = s->t[l] > BETWEEN;
      ccp[second] += run->steps.normal[l];
      by_event[second] += normal_impulse(run->p, event, l);
      row[0] = s->t[l + 1];
      row[1] = ccp[0] + ccp[1];
      row[2] = by_event[0] + by_event[1];
    }
  }
  return case_plot_table(plot, "sum", "t[s] ccp[Ns] event[Ns]", count, 3, rows);
}

static int write_impulses(const struct granular_chains_run *run, double *begin,
                          struct case_plot *plot) {
  const struct case_series *s = run->ccp;
  const double *normal = run->steps.normal;
  double *rows = base_arena_matrix(run->arena, 2, run->steps.n), largest = 0, at = NAN;
  int count = 0;
  *begin = NAN;
  for (int l = 0; l < run->steps.n; ++l) {
    if (normal[l] > ROUND_OFF) { /* the rest is a line at zero */
      rows[2 * count] = s->t[l + 1];
      rows[2 * count + 1] = normal[l];
      *begin = isnan(*begin) ? s->t[l] : *begin;
      at = normal[l] > largest ? s->t[l + 1] : at;
      largest = fmax(largest, normal[l]);
      ++count;
    }
  }
  case_plot_report(plot, "largest normal impulse on disc 10 [N s]", largest, NULL);
  case_plot_report(plot, "at [s]", at, NULL);
  case_plot_report(plot, "steps in which disc 10 is pressed", count, NULL);
  return case_plot_table(plot, "impulse", "t[s] r_N[Ns]", count, 2, rows);
}

static int yu16_of(const struct granular_chains_run *run, struct case_plot *plot) {
  double begin, ccp[2], event[2];
  if (run->event == NULL) {
    return base_fail(BASE_FAILED, "run 'event' has no trajectory");
  }
  int status = write_impulses(run, &begin, plot);
  status = status == BASE_OK ? write_sums(run, ccp, event, plot) : status;
  if (status != BASE_OK) {
    return status;
  }
  case_plot_check(plot, "first contact of disc 10 [s]", begin,
                  (struct case_claim){FIRST_LO, FIRST_HI,
                                      .expected = "0.5233, event-driven, to a step or two"});
  case_plot_report(plot, "event: normal impulse of the first contact, with disc 20 [N s]", event[0],
                   NULL);
  case_plot_check(plot, "normal impulse of the first contact on disc 10 over the event-driven one",
                  ccp[0] / event[0], (struct case_claim){0.99, 1.01, .expected = "1"});
  case_plot_check(plot, "the same of the second, with disc 9", ccp[1] / event[1],
                  (struct case_claim){0.85, 1.05, .expected = "1 + O(dt): 0.98 at dt/4"});
  case_plot_check(plot, "largest |r_T| - mu r_N of any contact over the largest impulse",
                  run->steps.off_cone,
                  (struct case_claim){0, GRANULAR_CHAINS_CONE, .expected = "0"});
  case_plot_check(plot, "momentum not explained by impulses, relative", run->steps.residual,
                  (struct case_claim){0, GRANULAR_CHAINS_MOMENTUM, .expected = "0"});
  return BASE_OK;
}

static int yu16_make(const struct case_parameters *p, const struct case_series *series, int n,
                     struct case_plot *plot) {
  return granular_chains_make(p, series, n, yu16_of, plot);
}

/* ---- yu-17 ---- */

/* Begin of the first step in which a pair carries [s]; NaN: none does. */
static double first_step(const struct case_results *r, const struct case_series *s, int k) {
  struct base_arena *arena = base_arena_alloc();
  struct granular_chains_steps steps;
  const int status = granular_chains_follow(r->p, s, DISC, arena, &steps);
  (void)k;
  base_arena_free(arena);
  return status == BASE_OK ? steps.first : NAN;
}

const struct case_function granular_chains_disc_functions[] = {
    {"yu16_make", .make = yu16_make}, {"first_step", .value = first_step}, {0}};
