/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Disc 10 of the chains, the end of the left branch (yu, figs 16 and 17):
 *
 *   yu-16  normal impulse of other discs on it, by the record of every step
 *   yu-17  its inertial force m (v_{l+1} - v_l)/dt
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
static const double FOLLOWS = 0.05; /* an impact spreads over two steps, 97 % to 3 */
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

/* ---- yu-16 ---- */

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

int granular_chains_yu16_make(const struct case_parameters *p, const struct case_series *series,
                              int n, struct case_plot *plot) {
  return granular_chains_make(p, series, n, yu16_of, plot);
}

/* ---- yu-17 ---- */

/* Largest inertial forces of disc 10 before the first contact, from it on and around it, there by
 * event too [N]; the largest distance from the event-driven ones before it [N], and the change of
 * momentum through it, over the event-driven one. */
struct forces {
  double before, after, around, event, off, change;
};

static int write_forces(const struct granular_chains_run *run, struct forces *out,
                        struct case_plot *plot) {
  const struct case_series *s = run->ccp, *event = run->event;
  double *rows = base_arena_matrix(run->arena, 4, run->steps.n), p[2][2] = {{0, 0}, {0, 0}};
  double *beside = base_arena_matrix(run->arena, 2, event->n);
  int count = 0;
  *out = (struct forces){0};
  for (int l = 0; l < run->steps.n; ++l) {
    const double dt = s->t[l + 1] - s->t[l];
    double *row = rows + 4L * l, F[2];
    inertial_force(run->p, s, l, row + 1);
    row[0] = s->t[l + 1];
    row[3] = hypot(row[1], row[2]);
    /* the first step is a jolt of its own: ropes get taut */
    out->before = l > 0 && s->t[l + 1] < FIRST_LO ? fmax(out->before, row[3]) : out->before;
    out->after = s->t[l] >= run->steps.first ? fmax(out->after, row[3]) : out->after;
    if (l + 1 < event->n) {
      inertial_force(run->p, event, l, F);
      beside[2 * count] = event->t[l + 1];
      beside[2 * count++ + 1] = hypot(F[0], F[1]);
      if (l > 0 && s->t[l + 1] < FIRST_LO) {
        out->off = case_worst(out->off, hypot(row[1] - F[0], row[2] - F[1]));
      }
      if (is_around(s, l)) {
        out->around = fmax(out->around, row[3]);
        out->event = fmax(out->event, beside[2 * count - 1]);
      }
      for (int i = 0; i < 2 && is_around(s, l); ++i) {
        p[0][i] += dt * row[1 + i];
        p[1][i] += dt * F[i];
      }
    }
  }
  out->change = hypot(p[0][0] - p[1][0], p[0][1] - p[1][1]) / hypot(p[1][0], p[1][1]);
  const int status =
      case_plot_table(plot, "force", "t[s] Fx[N] Fy[N] |F|[N]", run->steps.n, 4, rows);
  return status == BASE_OK ? case_plot_table(plot, "event", "t[s] |F|[N]", count, 2, beside)
                           : status;
}

static int yu17_of(const struct granular_chains_run *run, struct case_plot *plot) {
  const double weight = case_real(run->p, "m") * case_real(run->p, "g");
  struct forces found;
  if (run->event == NULL) {
    return base_fail(BASE_FAILED, "run 'event' has no trajectory");
  }
  const int status = write_forces(run, &found, plot);
  case_plot_check(plot, "first contact of discs [s]", run->steps.first,
                  (struct case_claim){FIRST_LO, FIRST_HI,
                                      .expected = "0.5233, event-driven, to a step or two"});
  case_plot_report(plot, "largest inertial force before it, over m g", found.before / weight, NULL);
  case_plot_check(plot, "before it: largest distance from the event-driven force, over m g",
                  found.off / weight, (struct case_claim){0, 0.05, .expected = "O(dt)"});
  case_plot_check(plot,
                  "change of momentum from 0.5 to 0.6 s, relative distance from the event-driven",
                  found.change, (struct case_claim){0, 0.02, .expected = "O(dt)"});
  const double rises = found.event / found.before;
  case_plot_check(
      plot, "largest at the first contact, over the largest before", found.around / found.before,
      (struct case_claim){
          rises * (1 - FOLLOWS), rises * (1 + FOLLOWS), .expected = "within 5 % of that by event",
          .published = "increases significantly at the first contact (yu, fig. 17)"});
  case_plot_report(plot, "largest from it on, over the largest before", found.after / found.before,
                   "in 8 s, by which time the motion is chaotic");
  return status;
}

int granular_chains_yu17_make(const struct case_parameters *p, const struct case_series *series,
                              int n, struct case_plot *plot) {
  return granular_chains_make(p, series, n, yu17_of, plot);
}

const struct case_function granular_chains_disc_functions[] = {
    {"yu16_make", .make = granular_chains_yu16_make},
    {"yu17_make", .make = granular_chains_yu17_make},
    {0}};
