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

static const double STEP = 1e-3;    /* [s] */
#define TOP_LIMIT 1e-4              /* [rad]: terms of order h^2 left */
static const double HORIZON = 0.9;  /* [s], of the block: it stops at 0.80 */
static const double SLIPPERY = 0.2; /* below tan(20 deg) = 0.364 */
static const double GAIN = 2;       /* of the bound over the estimate */
static const double DEFICIT = 0.02; /* of the path, maximum dissipation */
#define ROUNDING 1e-15              /* [m, m/s]: what is below is drawn at it */

#define FORMS                                                                                      \
  "moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion "                        \
  "consistent-quaternion-twostep event"
/* Penalty takes its own step, but for the top. */
static void fill_step(const struct case_parameters *p, const struct case_place *place,
                      struct case_run *run) {
  char scene[CASE_TEXT];
  (void)p;
  case_place_text(place, "scene", scene);
  if (strcmp(run->formulation, "penalty") == 0 && strcmp(scene, "scene=heavy-top") != 0) {
    run->dt = 0;
  }
}

static const struct case_runs scenes_runs[] = {
    {.label = "{motion}--{form}",
     .formulation = "{form}",
     .set = "{scene} {v0} {mu}",
     .dt = "{dt}",
     .t_end = "{t_end}",
     .sample = "{sample}",
     .over = {{"form", FORMS},
              {"motion/dt/t_end/sample/scene/v0/mu",
               "sphere/1e-3/0/1e-3/scene=rolling-sphere "
               "stops/1e-3/0.9/1e-3/scene=incline "
               "sticks/1e-3/0.9/1e-3/scene=incline/v0=0 "
               "slides/1e-3/0.9/1e-3/scene=incline/v0=0/mu=0.2 "
               "top/1e-4/0.25/2.5e-3/scene=heavy-top "
               "top-half/5e-5/0.25/2.5e-3/scene=heavy-top"}},
     .fill = fill_step},
    {0}};

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

#define OF(MOTION) .runs = "{motion}--{form}", .where = {{"motion", MOTION}}
static const struct case_table scenes_tables[] = {
    {.name = "exact",
     .rows = POINTS,
     .row = exact_row,
     .columns = {{"t[s]"}, {"v[m/s]"}, {"Rw[m/s]"}, {"stops[m]"}, {"slides[m]"}}},
    {.name = "{motion}--{form}",
     OF("sphere"),
     .columns = {{"t[s]", "t"},
                 {"v[m/s]", "u[0]"},
                 {"Rw[m/s]", .value = rim_speed},
                 {"off[m/s]", .value = speed_off}}},
    {.name = "{motion}--{form}",
     OF("stops sticks slides"),
     .columns = {{"t[s]", "t"}, {"path[m]", .value = path}, {"off[m]", .value = path_off}}},
    {.name = "{motion}--{form}",
     OF("top top-half"),
     .columns = {{"t[s]", "t"}, {"tilt[deg]", .value = tilt}, {"-", .value = none}}},
    {0}};

static const struct case_check scenes_checks[] = {
    {.what = "{form}: final speed over v0",
     OF("sphere"),
     .value = final_speed,
     .bounds = near_rolling_speed},
    {.what = "{form}: begins to roll at t [s]",
     OF("sphere"),
     .value = rolls_at,
     .bounds = near_rolling_time},
    {.what = "{form}: stops after [m]", OF("stops"), .value = whole_path, .bounds = near_stop},
    {.what = "{form}: sticks: path [m]", OF("sticks"), .value = whole_path, .bounds = near_rest},
    {.what = "{form}: slides: path [m]", OF("slides"), .value = whole_path, .bounds = near_slide},
    {.what = "{form}: tilt off that of steady precession, dt to 0 [rad]",
     OF("top"),
     .against = "top-half--{form}",
     .value = tilt_to_zero,
     .claim = {-TOP_LIMIT, TOP_LIMIT}},
    {.what = "{form}: angle of precession off W t, dt to 0 [rad]",
     OF("top"),
     .against = "top-half--{form}",
     .value = turned_to_zero,
     .claim = {-TOP_LIMIT, TOP_LIMIT}},
    {0}};

#define EXACT(TITLE, COLUMN)                                                                       \
  { TITLE, "exact", 1, COLUMN, .look = "reference", .width = 5 }
/* Most formulations lie on the closed form: moreau for them, and ccp, that does not, are drawn upon
 * it, and beside it how far all are from it. */
static const struct case_panel scenes_panels[] = {
    {.head = "sphere thrown along a plane",
     .x = "t [s]",
     .y = "v and Rω (dashed) [m/s]",
     .x_range = {0, 0.1},
     .y_range = {0, 1.05},
     .key = "right bottom",
     .curves = {EXACT("closed form", 2),
                EXACT(NULL, 3),
                {"{}", "sphere--{}", 1, 2, .look = "{}", .over = "ccp moreau"},
                {NULL, "sphere--{}", 1, 3, .look = "{}", .with = CASE_DASHED,
                 .over = "ccp moreau"}}},
    {.head = "off the closed form",
     .x = "t [s]",
     .y = "|v − v_{exact}| [m/s]",
     .log = "y",
     .x_range = {0, 0.1},
     .y_range = {ROUNDING / 2, 1},
     .least = ROUNDING,
     .key = "foot",
     .curves = {{"{}", "sphere--{}", 1, 4, .look = "{}", .over = FORMS}}},
    {.head = "block stops, slides, sticks",
     .x = "t [s]",
     .y = "path down the incline [m]",
     .x_range = {0, 0.9},
     .y_range = {-0.1, 0.7},
     .curves = {EXACT(NULL, 4),
                EXACT(NULL, 5),
                {NULL, "{}--moreau", 1, 2, .look = "moreau", .over = "stops slides sticks"}}},
    {.head = "that stops: off it",
     .x = "t [s]",
     .y = "|path − exact| [m]",
     .log = "y",
     .x_range = {0, 0.9},
     .y_range = {ROUNDING / 2, 1},
     .least = ROUNDING,
     .curves = {{NULL, "stops--{}", 1, 3, .look = "{}", .over = FORMS}}},
    {.head = "top in steady precession",
     .x = "t [s]",
     .y = "tilt [deg]",
     .x_range = {0, 0.25},
     .curves = {{NULL, "top--{}", 1, 2, .look = "{}", .over = FORMS}}},
    {0}};

const struct case_figure closed_forms_figures[] = {
    {.id = "scenes",
     .title = "Scene files against theory",
     .caption = "Every formulation meets the closed forms of four scenes: a sphere thrown along a "
                "plane ends at {moreau: final speed} of its speed by moreau (5/7), a block thrown "
                "on an incline stops after {event: stops after} m by event and {mdp: stops after} "
                "m by mdp, whose friction on four feet need not be parallel. The sphere (speed of "
                "its centre, and of its rim, dashed), the block thrown, sliding (mu = 0.2) or "
                "sticking, the tilt of a top in steady precession: moreau, on which most others "
                "lie, and ccp, on the closed form; beside them how far all are from it, rounding "
                "below 1e-15 drawn at that. dt = 1e-3 s, top 1e-4 s, penalty 5e-5 s.",
     .runs = scenes_runs,
     .panels = scenes_panels,
     .abreast = 2,
     .tables = scenes_tables,
     .checks = scenes_checks},
    {.id = NULL}};
