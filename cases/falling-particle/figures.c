/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the falling particle (yu, figs 6 to 8). The source's numbers are lost in its text; the
 * values beside ours are those of the closed form (falling-particle.c).
 *
 *   yu-6  x(t), y(t), impact and stop. From one sample (t, x, v_x) of the sliding phase follow
 *
 *             tau = t - t_i, the smaller root of
 *             mu g tau^2/2 + (v_x - v_x0) tau + x0 + v_x0 t - x = 0,   w = v_x + mu g tau:
 *
 *         t_i, w and x_f are measured on the run, not taken from theory.
 *   yu-7  y(t) of the CCP for dt from 0.1 s to 1e-4 s
 *   yu-8  largest error of y against dt (order.c)
 */
#include "cases/falling-particle/figures.h"

#include "cases/figure/series.h"

#include <math.h>

struct landing {
  double t_i, x_i, w, t_stop, x_f; /* [s], [m], [m/s], [s], [m] */
};

static struct landing landing_exact(const struct case_parameters *p) {
  const double g = case_real(p, "g"), mu = case_real(p, "mu"), vx0 = case_real(p, "vx0");
  const double vy0 = case_real(p, "vy0"), s = sqrt(vy0 * vy0 + 2 * g * case_real(p, "y0"));
  struct landing out = {.t_i = (vy0 + s) / g, .w = fmax(0, fabs(vx0) - mu * s)};
  out.x_i = case_real(p, "x0") + vx0 * out.t_i;
  out.t_stop = out.t_i + out.w / (mu * g);
  out.x_f = out.x_i + out.w * out.w / (2 * mu * g);
  return out;
}

double falling_particle_impact(const struct case_parameters *p) { return landing_exact(p).t_i; }

/* ---- yu-6 ---- */

/* Gaps below this part of the initial height are contact: far above rounding, far below a step. */
static const double LANDED = 1e-9;
#define PRINTED 5e-8 /* half a unit of the seventh decimal */

/* From the first sample after the impact; NaN where there is none that slides. */
static struct landing landing_measured(const struct case_parameters *p,
                                       const struct case_series *s) {
  const double g = case_real(p, "g"), mu = case_real(p, "mu"), vx0 = case_real(p, "vx0");
  const double x0 = case_real(p, "x0"), contact = LANDED * case_real(p, "y0");
  struct landing out = {NAN, NAN, NAN, NAN, NAN};
  int k = 1;
  while (k < s->n && s->q[2 * k + 1] > contact) {
    ++k;
  }
  if (k >= s->n) {
    return out;
  }
  const double a = 0.5 * mu * g, b = s->u[2 * k] - vx0, c = x0 + vx0 * s->t[k] - s->q[2 * k];
  const double tau = 2 * c / (-b + sqrt(b * b - 4 * a * c));
  out.t_i = s->t[k] - tau;
  out.x_i = x0 + vx0 * out.t_i;
  out.w = s->u[2 * k] + mu * g * tau;
  out.t_stop = out.t_i + out.w / (mu * g);
  out.x_f = s->q[2 * (s->n - 1)];
  return out;
}

static double time_of_impact(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return landing_measured(r->p, s).t_i;
}

static double sliding_speed(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return landing_measured(r->p, s).w;
}

static double place_of_rest(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return s->n > 0 ? s->q[2 * (s->n - 1)] : NAN;
}

static double off_closed_form(const struct case_results *r, const struct case_series *s, int k) {
  const struct landing exact = landing_exact(r->p), found = landing_measured(r->p, s);
  (void)k;
  return fabs(found.t_i - exact.t_i) + fabs(found.w - exact.w) + fabs(found.x_f - exact.x_f);
}

/* Largest distance of the coordinates of two runs, at the samples of both [m]. */
static double apart(const struct case_results *r, const struct case_series *s, int k) {
  double worst = s->n > 1 && s->n == r->against->n ? 0 : NAN;
  for (k = 0; k < s->n * s->nq && !isnan(worst); ++k) {
    worst = case_worst(worst, fabs(s->q[k] - r->against->q[k]));
  }
  return worst;
}

/* Impact time as a time stepper has it: end of the first step that does not fall freely. */
static double first_impulse(const struct case_results *r, const struct case_series *s, int k) {
  const double g = case_real(r->p, "g"), vy0 = case_real(r->p, "vy0"), dt = s->run->dt;
  for (k = 1; k < s->n; ++k) {
    if (s->u[2 * k + 1] > vy0 - g * s->t[k] + 0.5 * g * dt) {
      return s->t[k];
    }
  }
  return NAN;
}

static void printed_time(const struct case_results *r, const struct case_series *s, double *lo,
                         double *hi) {
  (void)s;
  *lo = landing_exact(r->p).t_i - PRINTED;
  *hi = landing_exact(r->p).t_i + PRINTED;
}

static void printed_speed(const struct case_results *r, const struct case_series *s, double *lo,
                          double *hi) {
  (void)s;
  *lo = landing_exact(r->p).w - PRINTED;
  *hi = landing_exact(r->p).w + PRINTED;
}

static void printed_rest(const struct case_results *r, const struct case_series *s, double *lo,
                         double *hi) {
  (void)s;
  *lo = landing_exact(r->p).x_f - PRINTED;
  *hi = landing_exact(r->p).x_f + PRINTED;
}

/* Semi-implicit Euler runs half a step ahead, the cone's dual acts mu v_x/|v_n| of a step early,
 * and a step ends up to one later. */
static void step_of_the_impact(const struct case_results *r, const struct case_series *s,
                               double *lo, double *hi) {
  *lo = landing_exact(r->p).t_i - 2 * s->run->dt;
  *hi = landing_exact(r->p).t_i + s->run->dt;
}

static void rest_to_a_step(const struct case_results *r, const struct case_series *s, double *lo,
                           double *hi) {
  const double way = fabs(case_real(r->p, "vx0")) * s->run->dt;
  *lo = landing_exact(r->p).x_f - way;
  *hi = landing_exact(r->p).x_f + way;
}

/* Impact and stop. */
static void landing_row(const struct case_results *r, const struct case_series *s, int k,
                        double *out) {
  const struct landing found = landing_measured(r->p, s);
  out[0] = k == 0 ? found.t_i : found.t_stop;
  out[1] = k == 0 ? found.x_i : found.x_f;
  out[2] = 0;
}

/* ---- deviations from the closed form ---- */

double falling_particle_y_error(const struct case_results *r, const struct case_series *s, int k) {
  double worst = s->n > 1 && s->nq == 2 ? 0 : NAN;
  for (k = 0; k < s->n && s->nq == 2; ++k) {
    double q[2], u[2];
    falling_particle_reference(r->p, s->t[k], q, u);
    const double error = fabs(s->q[2 * k + 1] - q[1]);
    worst = case_worst(worst, error);
  }
  return worst;
}

/* ---- yu-7 ---- */

/* The closed form at a sample [m]. */
static double exact_height(const struct case_results *r, const struct case_series *s, int k) {
  double q[2], u[2];
  falling_particle_reference(r->p, s->t[k], q, u);
  return q[1];
}

/* Of the deviation to that of the next longer step. */
static double largest_ratio(const struct case_results *r, const struct case_series *s, int k) {
  double largest = 0;
  (void)s;
  for (k = 1; k < r->n; ++k) {
    const double longer = falling_particle_y_error(r, &r->series[k - 1], -1);
    largest = case_worst(largest, falling_particle_y_error(r, &r->series[k], -1) / longer);
  }
  return largest;
}

/* The rest is the gap that the relaxation holds, and what is of second order. */
static void fall_of_half_a_step(const struct case_results *r, const struct case_series *s,
                                double *lo, double *hi) {
  const double half = 0.5 * s->run->dt * case_real(r->p, "g") * landing_exact(r->p).t_i;
  *lo = 0.9 * half;
  *hi = 1.1 * half;
}

const struct case_function falling_particle_functions[] = {
    {"landing_row", .row = landing_row},
    {"time_of_impact", .value = time_of_impact},
    {"printed_time", .bounds = printed_time},
    {"sliding_speed", .value = sliding_speed},
    {"printed_speed", .bounds = printed_speed},
    {"place_of_rest", .value = place_of_rest},
    {"printed_rest", .bounds = printed_rest},
    {"off_closed_form", .value = off_closed_form},
    {"first_impulse", .value = first_impulse},
    {"step_of_the_impact", .bounds = step_of_the_impact},
    {"rest_to_a_step", .bounds = rest_to_a_step},
    {"apart", .value = apart},
    {"exact_height", .value = exact_height},
    {"y_error", .value = falling_particle_y_error},
    {"largest_ratio", .value = largest_ratio},
    {"fall_of_half_a_step", .bounds = fall_of_half_a_step},
    {0}};
