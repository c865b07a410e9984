/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scene files against theory, in one figure of three parts:
 *
 *   sphere   speed of the centre and of the rim: rolling from t* = 2 v0 / (7 mu g) on, at 5/7 v0
 *   block    path down the incline: at rest for mu > tan alpha, thrown it stops after
 *            v0^2 / (2 g (mu cos alpha - sin alpha)), below tan alpha it slides as g (sin - mu cos)
 *   top      tilt of its axis, which steady precession keeps, and angle of precession W t
 *
 * Errors are bounded by twice what a scheme of first order with step h makes: h a t / 2 of a path
 * with acceleration a. The CCP lifts off as it begins to slide and gets the friction of the flight
 * when it lands, which costs it two steps more. Under maximum dissipation the corners of the block
 * push each other sideways: friction is DEFICIT short of Coulomb's, at any step. The one-step
 * quaternion scheme holds closed contacts at half a step of the other forces: a block at rest
 * creeps downhill at h/2 g sin alpha, and the first step of sliding has half its friction. Of the
 * top the limit of steps to zero is asserted, from two steps: impulse stepping drives a nutation of
 * size h.
 */
#include "cases/closed-forms/closed-forms.h"

#include "cases/figure/series.h"

#include <math.h>
#include <string.h>

static const double STEP = 1e-3; /* [s] */

static const double HORIZON = 0.9;  /* [s], of the block: it stops at 0.80 */
static const double SLIPPERY = 0.2; /* below tan(20 deg) = 0.364 */
static const double GAIN = 2;       /* of the bound over the estimate */
static const double DEFICIT = 0.02; /* of the path, maximum dissipation */

static int is(const struct case_series *s, const char *name) {
  return strcmp(s->run->formulation, name) == 0;
}

static const double *q_at(const struct case_series *s, int k) {
  return s->q + (size_t)k * (size_t)s->nq;
}

static const double *u_at(const struct case_series *s, int k) {
  return s->u + (size_t)k * (size_t)s->nu;
}

static void around(double centre, double tolerance, double *lo, double *hi) {
  *lo = centre - tolerance;
  *hi = centre + tolerance;
}

/* --- sphere --- */

static double rim_speed(const struct case_results *r, const struct case_series *s, int k) {
  return case_real(r->p, "R") * u_at(s, k)[4];
}

static double final_speed(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return u_at(s, s->n - 1)[0] / case_real(r->p, "v0");
}

static double friction(const struct case_results *r) {
  return case_real(r->p, "mu") * case_real(r->p, "g");
}

static void near_rolling_speed(const struct case_results *r, const struct case_series *s,
                               double *lo, double *hi) {
  (void)s;
  around(5.0 / 7, GAIN * friction(r) * STEP / case_real(r->p, "v0"), lo, hi);
}

/* When it slips less than it loses in GAIN steps, and these. */
static double rolls_at(const struct case_results *r, const struct case_series *s, int k) {
  const double slip = GAIN * 3.5 * friction(r) * STEP;
  for (k = 0; k < s->n - 1 && !(fabs(u_at(s, k)[0] - rim_speed(r, s, k)) <= slip);) {
    ++k;
  }
  return s->t[k] + GAIN * STEP;
}

static void near_rolling_time(const struct case_results *r, const struct case_series *s, double *lo,
                              double *hi) {
  const double late = is(s, "ccp") ? 2 * STEP : 0;
  around(2 * case_real(r->p, "v0") / (7 * friction(r)), GAIN * STEP + late, lo, hi);
}

/* --- block --- */

static double path(const struct case_results *r, const struct case_series *s, int k) {
  const double alpha = case_real(r->p, "alpha");
  const double *q = q_at(s, k), *start = q_at(s, 0);
  return q[0] * cos(alpha) - q[2] * sin(alpha) - (start[0] * cos(alpha) - start[2] * sin(alpha));
}

static double whole_path(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return path(r, s, s->n - 1);
}

static double none(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)s, (void)k;
  return 0;
}

/* Down the incline, sliding downhill. */
static double acceleration(const struct case_results *r, double mu) {
  const double alpha = case_real(r->p, "alpha");
  return case_real(r->p, "g") * (sin(alpha) - mu * cos(alpha));
}

/* About a path [m] on which it slides for so long [s]. */
static void near_path(const struct case_results *r, const struct case_series *s, double exact,
                      double sliding, double mu, double *lo, double *hi) {
  const double alpha = case_real(r->p, "alpha"), g = case_real(r->p, "g"), t = s->t[s->n - 1];
  const double creep =
      0.5 * STEP * g * (sin(alpha) * (t - sliding) + mu * cos(alpha) * sliding); /* one step */
  around(exact + (is(s, "consistent-quaternion") ? creep : 0),
         GAIN * 0.5 * fabs(acceleration(r, mu)) * t * STEP + (is(s, "mdp") ? DEFICIT * exact : 0),
         lo, hi);
}

static void near_stop(const struct case_results *r, const struct case_series *s, double *lo,
                      double *hi) {
  const double mu = case_real(r->p, "mu"), v0 = case_real(r->p, "v0"), a = acceleration(r, mu);
  near_path(r, s, v0 * v0 / (-2 * a), v0 / -a, mu, lo, hi);
}

static void near_rest(const struct case_results *r, const struct case_series *s, double *lo,
                      double *hi) {
  near_path(r, s, 0, 0, case_real(r->p, "mu"), lo, hi);
}

static void near_slide(const struct case_results *r, const struct case_series *s, double *lo,
                       double *hi) {
  const double t = s->t[s->n - 1];
  near_path(r, s, 0.5 * acceleration(r, SLIPPERY) * t * t, t, SLIPPERY, lo, hi);
}

/* --- top: of the last samples with steps h and h/2 --- */

static double tilt_of(const double *q) { return atan2(hypot(q[0], q[1]), q[2]); }

static double tilt(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return tilt_of(q_at(s, k)) * 180 / M_PI;
}

static double tilt_to_zero(const struct case_results *r, const struct case_series *s, int k) {
  const double theta = case_real(r->p, "theta_top");
  const struct case_series *half = r->against;
  (void)k;
  return 2 * (tilt_of(q_at(half, half->n - 1)) - theta) - (tilt_of(q_at(s, s->n - 1)) - theta);
}

/* Angle of precession off W t at the last sample. */
static double turned(const struct case_results *r, const struct case_series *s) {
  const double *q = q_at(s, s->n - 1);
  return remainder(atan2(q[1], q[0]) - case_real(r->p, "W_top") * s->t[s->n - 1], 2 * M_PI);
}

static double turned_to_zero(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return 2 * turned(r, r->against) - turned(r, s);
}

/* The exact motions: v and R w of the sphere, the paths of the block that stops and that slides. */
enum { SPHERE_V, SPHERE_RIM, STOPS, SLIDES, EXACT_MOTIONS };
static void exact_at(const struct case_results *r, double t, double out[EXACT_MOTIONS]) {
  const double alpha = case_real(r->p, "alpha"), g = case_real(r->p, "g");
  const double v0 = case_real(r->p, "v0"), mu = case_real(r->p, "mu"), a = mu * g;
  const double slides = fmin(t, 2 * v0 / (7 * a));
  const double brake = g * (mu * cos(alpha) - sin(alpha)), moves = fmin(t, v0 / brake);
  out[SPHERE_V] = v0 - a * slides;
  out[SPHERE_RIM] = 2.5 * a * slides;
  out[STOPS] = (v0 - 0.5 * brake * moves) * moves;
  out[SLIDES] = 0.5 * g * (sin(alpha) - SLIPPERY * cos(alpha)) * t * t;
}

enum { POINTS = 181 };
static void exact_row(const struct case_results *r, const struct case_series *s, int k,
                      double *out) {
  (void)s;
  out[0] = HORIZON * k / (POINTS - 1);
  exact_at(r, out[0], out + 1);
}

/* Distances of a sample from them; what sticks has no path. */
static double speed_off(const struct case_results *r, const struct case_series *s, int k) {
  double exact[EXACT_MOTIONS];
  exact_at(r, s->t[k], exact);
  return fabs(u_at(s, k)[0] - exact[SPHERE_V]);
}

static double path_off(const struct case_results *r, const struct case_series *s, int k) {
  double exact[EXACT_MOTIONS];
  exact_at(r, s->t[k], exact);
  const int stops = strncmp(s->run->label, "stops", 5) == 0;
  const int slides = strncmp(s->run->label, "slides", 6) == 0;
  return fabs(path(r, s, k) - (stops ? exact[STOPS] : slides ? exact[SLIDES] : 0));
}

const struct case_function closed_forms_functions[] = {
    {"exact_row", .row = exact_row},
    {"rim_speed", .value = rim_speed},
    {"speed_off", .value = speed_off},
    {"path", .value = path},
    {"path_off", .value = path_off},
    {"tilt", .value = tilt},
    {"none", .value = none},
    {"final_speed", .value = final_speed},
    {"near_rolling_speed", .bounds = near_rolling_speed},
    {"rolls_at", .value = rolls_at},
    {"near_rolling_time", .bounds = near_rolling_time},
    {"whole_path", .value = whole_path},
    {"near_stop", .bounds = near_stop},
    {"near_rest", .bounds = near_rest},
    {"near_slide", .bounds = near_slide},
    {"tilt_to_zero", .value = tilt_to_zero},
    {"turned_to_zero", .value = turned_to_zero},
    {0}};
