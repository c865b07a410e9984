/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ccp-hop: what the convex relaxation does to a landing. One CCP step of the sliding particle in
 * closed form, b = (Phi/dt + v_N - g dt, v_x), s the speed of the fall, w_N, w_T unit vectors:
 *
 *   gamma_n = m (mu |b_t| - b_n)/(1 + mu^2),   |v_t+| = (|b_t| + mu b_n)/(1 + mu^2),
 *   v_n+ = mu |v_t+| - Phi/dt,                 Phi+ = dt mu |v_t+|        (if b_n < mu |b_t|)
 *
 * so that steady sliding floats at dt mu |v_t|, and the particle rebounds where Phi/dt < mu |v_t+|:
 * it then flies, climbing dt sum_j (v_n+ - j g dt) over all positive terms, v_n+^2/(2 g) for dt ->
 * 0 at the same Phi/dt. Nothing there goes to zero with dt.
 *
 * A free step ends with Phi/dt >= mu |v_x| > mu |v_t+|: a fall that the scheme computes itself
 * never meets the condition, whatever the phase. It takes a state the scheme has not made: a start
 * at the ground, a shorter step followed by a longer one, a sudden tangential velocity. Both are
 * shown:
 *
 *   placed   starts at Phi = P dt with v = (v_x0, -s); P in units of mu w
 *   falling  starts higher up, shifted by PHASES parts of the way of a step
 */
#include "cases/falling-particle/figures.h"

#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PHASES = 8 };
static const double placed_gap[PHASES] = {0,   0.2, 0.4, 0.6,
                                          0.8, 1.2, 1.6, 2.0}; /* P/(mu w) [-], by phase */

static const double UNTOUCHED = 1e-12; /* of v_x in free flight: rounding */

struct fall {
  double g, mu, vx, s, w; /* s: speed of the impact, w: sliding speed after it [m/s] */
};

static struct fall fall_of(const struct case_parameters *p) {
  struct fall f = {
      .g = case_real(p, "g"), .mu = case_real(p, "mu"), .vx = fabs(case_real(p, "vx0"))};
  const double vy0 = case_real(p, "vy0");
  f.s = sqrt(vy0 * vy0 + 2 * f.g * case_real(p, "y0"));
  f.w = fmax(0, f.vx - f.mu * f.s);
  return f;
}

/* Largest climb of y over any earlier sample [m]. */
static double climb(const struct case_results *r, const struct case_series *s, int k) {
  double low = s->n > 0 ? s->q[1] : NAN, worst = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    const double y = s->q[2 * k + 1];
    worst = case_worst(worst, y - low);
    low = fmin(low, y);
  }
  return worst;
}

/* Rebound v_n+ of the impact step from the gap P dt; dt = 0: its limit. */
static double rebound(const struct fall *f, double P, double dt) {
  const double b_n = P - f->s - f->g * dt;
  return f->mu * (f->vx + f->mu * b_n) / (1 + f->mu * f->mu) - P;
}

static double climb_exact(const struct fall *f, double P, double dt) {
  double sum = 0;
  for (double v = rebound(f, P, dt); v > 0; v -= f->g * dt) {
    sum += dt * v;
  }
  return sum;
}

/* P at the start of a placed run, over mu w. */
static double gap_at_start(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return placed_gap[(int)case_word(r, s, "phase")];
}

/* Of the climb from the closed form, over the largest there is. */
static double climb_error(const struct case_results *r, const struct case_series *s, int k) {
  const struct fall f = fall_of(r->p);
  const double P = gap_at_start(r, s, k) * f.mu * f.w, dt = s->run->dt;
  return fabs(climb(r, s, k) - climb_exact(&f, P, dt)) / climb_exact(&f, 0, dt);
}

/* Over v_n+^2/(2 g), its limit. */
static double climb_over_limit(const struct case_results *r, const struct case_series *s, int k) {
  const struct fall f = fall_of(r->p);
  const double v = rebound(&f, 0, 0);
  return climb(r, s, k) / (v * v / (2 * f.g));
}

static void near_the_limit(const struct case_results *r, const struct case_series *s, double *lo,
                           double *hi) {
  const struct fall f = fall_of(r->p);
  const double slack = 2 * f.g * s->run->dt / rebound(&f, 0, 0);
  *lo = 1 - slack;
  *hi = 1 + slack;
}

/* The largest climb of all phases at a step, of which this run is the first. */
static double largest_climb(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < PHASES; ++k) {
    worst = case_worst(worst, climb(r, s + k, -1));
  }
  return worst;
}

/* Worst relative distance of the gap from dt mu |v_t| over the samples below what a free step can
 * leave, but for the first of them; NaN where there is none. */
static double float_error(const struct case_results *r, const struct case_series *s, int k) {
  const struct fall f = fall_of(r->p);
  const double dt = s->run->dt;
  double worst = 0;
  int found = 0;
  for (k = 2; k < s->n; ++k) {
    const double y = s->q[2 * k + 1], rest = dt * f.mu * fabs(s->u[2 * k]);
    if (s->q[2 * k - 1] < dt * f.mu * f.vx) {
      worst = case_worst(worst, fabs(y - rest) / rest);
      found = 1;
    }
  }
  return found ? worst : NAN;
}

/* Phi/dt over mu |v_x| at the end of the last free step of a fall: the least that was met. */
static double last_free_gap(const struct case_results *r, const struct case_series *s, int k) {
  const struct fall f = fall_of(r->p);
  for (k = 1; k < s->n; ++k) {
    if (fabs(s->u[2 * k]) < f.vx * (1 - UNTOUCHED)) { /* an impulse has acted */
      return s->q[2 * k - 1] / (s->run->dt * f.mu * f.vx);
    }
  }
  return NAN;
}

/* At most by a phase of the longest step's way, that of the first run. */
static void about_a_phase(const struct case_results *r, const struct case_series *s, double *lo,
                          double *hi) {
  const struct fall f = fall_of(r->p);
  *lo = 1;
  *hi = 1 + (f.s + f.g * s->run->dt) / (PHASES * f.mu * f.vx);
}

/* v_n+^2/(2 g) over the gap. */
enum { POINTS = 101 };
static void limit_row(const struct case_results *r, const struct case_series *s, int k,
                      double *out) {
  const struct fall f = fall_of(r->p);
  const double part = placed_gap[PHASES - 1] * k / (POINTS - 1);
  const double v = fmax(0, rebound(&f, part * f.mu * f.w, 0));
  (void)s;
  out[0] = part;
  out[1] = v * v / (2 * f.g);
}

const struct case_function falling_particle_rebound_functions[] = {
    {"gap_at_start", .value = gap_at_start},
    {"climb", .value = climb},
    {"limit_row", .row = limit_row},
    {"largest_climb", .value = largest_climb},
    {"float_error", .value = float_error},
    {"climb_error", .value = climb_error},
    {"climb_over_limit", .value = climb_over_limit},
    {"near_the_limit", .bounds = near_the_limit},
    {"last_free_gap", .value = last_free_gap},
    {"about_a_phase", .bounds = about_a_phase},
    {0}};
