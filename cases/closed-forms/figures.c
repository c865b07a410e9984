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

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double STEP = 1e-3;      /* [s] */
static const double TOP_LIMIT = 1e-4; /* [rad]: terms of order h^2 left */
static const double HORIZON = 0.9;    /* [s], of the block: it stops at 0.80 */
static const double SLIPPERY = 0.2;   /* below tan(20 deg) = 0.364 */
static const double GAIN = 2;         /* of the bound over the estimate */
static const double DEFICIT = 0.02;   /* of the path, maximum dissipation */

enum { SPHERE, STOPS, STICKS, SLIDES, TOP, TOP_HALF, MOTIONS };
static const char *const motions[MOTIONS] = {"sphere", "stops", "sticks",
                                             "slides", "top",   "top-half"};
static const char *const settings[MOTIONS] = {"scene=rolling-sphere", "scene=incline",
                                              "scene=incline v0=0",   "scene=incline v0=0 mu=0.2",
                                              "scene=heavy-top",      "scene=heavy-top"};

static const char *const forms[] = {"moreau",
                                    "lcp-st",
                                    "lcp-ap",
                                    "lcp-dca",
                                    "ccp",
                                    "ncp",
                                    "mdp",
                                    "penalty",
                                    "consistent-quaternion",
                                    "consistent-quaternion-twostep",
                                    "event"};
enum { FORMS = (int)(sizeof forms / sizeof *forms) };

static int is(int form, const char *name) { return strcmp(forms[form], name) == 0; }

static void fill_motion(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  (void)p;
  snprintf(run->set, sizeof run->set, "%s", settings[place->at[1]]);
  if (strcmp(run->formulation, "penalty") == 0 && place->at[1] < TOP) {
    run->dt = 0;
  }
}

static const struct case_runs scenes_runs[] = {
    {.label = "{motion}--{form}",
     .formulation = "{form}",
     .dt = "{dt}",
     .t_end = "{t_end}",
     .sample = "{sample}",
     .over = {{"form", "moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion "
                       "consistent-quaternion-twostep event"},
              {"motion/dt/t_end/sample",
               "sphere/1e-3/0/1e-3 stops/1e-3/0.9/1e-3 sticks/1e-3/0.9/1e-3 slides/1e-3/0.9/1e-3 "
               "top/1e-4/0.25/2.5e-3 top-half/5e-5/0.25/2.5e-3"}},
     .fill = fill_motion},
    {0}};

/* --- one motion of one formulation: a table t, x, y and its checks --- */

static void check(struct case_plot *plot, const char *name, const char *what, double measured,
                  double centre, double tolerance) {
  char text[CASE_TEXT];
  snprintf(text, sizeof text, "%s: %s", name, what);
  case_plot_check(plot, text, measured,
                  (struct case_claim){.lo = centre - tolerance, .hi = centre + tolerance});
}

static double path_of(const struct case_parameters *p, const struct case_series *s, int k) {
  const double *q = s->q + (size_t)k * (size_t)s->nq;
  const double alpha = case_real(p, "alpha");
  return q[0] * cos(alpha) - q[2] * sin(alpha);
}

static double tilt_of(const double *q) { return atan2(hypot(q[0], q[1]), q[2]); }

static void check_sphere(const struct case_parameters *p, const struct case_series *s, int form,
                         struct case_plot *plot) {
  const double v0 = case_real(p, "v0"), a = case_real(p, "mu") * case_real(p, "g"),
               R = case_real(p, "R"), slip = GAIN * 3.5 * a * STEP; /* lost in so many steps */
  const double late = is(form, "ccp") ? 2 * STEP : 0;
  const double *last = s->u + (size_t)(s->n - 1) * (size_t)s->nu;
  int k = 0;
  while (k < s->n - 1 && !(fabs(s->u[(size_t)k * (size_t)s->nu] -
                                R * s->u[(size_t)k * (size_t)s->nu + 4]) <= slip)) {
    ++k;
  }
  check(plot, forms[form], "final speed over v0", last[0] / v0, 5.0 / 7, GAIN * a * STEP / v0);
  check(plot, forms[form], "begins to roll at t [s]", s->t[k] + GAIN * STEP, 2 * v0 / (7 * a),
        GAIN * STEP + late);
}

static void check_block(const struct case_parameters *p, const struct case_series *s, int motion,
                        int form, struct case_plot *plot) {
  const double alpha = case_real(p, "alpha"), g = case_real(p, "g"), v0 = case_real(p, "v0");
  const double mu = motion == SLIDES ? SLIPPERY : case_real(p, "mu");
  const double a = g * (sin(alpha) - mu * cos(alpha)), t = s->t[s->n - 1];
  const double path = path_of(p, s, s->n - 1) - path_of(p, s, 0);
  const double exact = motion == STOPS    ? v0 * v0 / (-2 * a)
                       : motion == STICKS ? 0
                                          : 0.5 * a * t * t;
  const double sliding = motion == STOPS ? v0 / -a : motion == STICKS ? 0 : t;
  const double creep =
      0.5 * STEP * g * (sin(alpha) * (t - sliding) + mu * cos(alpha) * sliding); /* one step */
  const char *const what[] = {"", "stops after [m]", "sticks: path [m]", "slides: path [m]"};
  check(plot, forms[form], what[motion], path,
        exact + (is(form, "consistent-quaternion") ? creep : 0),
        GAIN * 0.5 * fabs(a) * t * STEP + (is(form, "mdp") ? DEFICIT * exact : 0));
}

/* Of the last samples with steps h and h/2. */
static void check_top(const struct case_parameters *p, const struct case_series *s,
                      const struct case_series *half, int form, struct case_plot *plot) {
  const double W = case_real(p, "W_top"), theta = case_real(p, "theta_top");
  double tilt[2], turned[2];
  for (int k = 0; k < 2; ++k) {
    const struct case_series *x = k == 0 ? s : half;
    const double *q = x->q + (size_t)(x->n - 1) * (size_t)x->nq;
    tilt[k] = tilt_of(q) - theta;
    turned[k] = remainder(atan2(q[1], q[0]) - W * x->t[x->n - 1], 2 * M_PI);
  }
  check(plot, forms[form], "tilt off that of steady precession, dt to 0 [rad]",
        2 * tilt[1] - tilt[0], 0, TOP_LIMIT);
  check(plot, forms[form], "angle of precession off W t, dt to 0 [rad]", 2 * turned[1] - turned[0],
        0, TOP_LIMIT);
}

static int tabulate(const struct case_parameters *p, const struct case_series *s, int motion,
                    const char *table, struct case_plot *plot, struct base_arena *arena) {
  double *rows = base_arena_matrix(arena, 3, s->n);
  for (int k = 0; k < s->n; ++k) {
    const double *q = s->q + (size_t)k * (size_t)s->nq, *u = s->u + (size_t)k * (size_t)s->nu;
    rows[3 * k] = s->t[k];
    rows[3 * k + 1] = motion == SPHERE ? u[0]
                      : motion >= TOP  ? tilt_of(q) * 180 / M_PI
                                       : path_of(p, s, k) - path_of(p, s, 0);
    rows[3 * k + 2] = motion == SPHERE ? case_real(p, "R") * u[4] : 0;
  }
  static const char *const columns[] = {"t[s] v[m/s] Rw[m/s]", "t[s] path[m] -",
                                        "t[s] tilt[deg] -"};
  return case_plot_table(plot, table,
                         columns[motion == SPHERE ? 0
                                 : motion >= TOP  ? 2
                                                  : 1],
                         s->n, 3, rows);
}

/* The exact motions, in the same columns. */
static int tabulate_exact(const struct case_parameters *p, struct case_plot *plot) {
  enum { POINTS = 181 };
  const double alpha = case_real(p, "alpha"), g = case_real(p, "g"), v0 = case_real(p, "v0");
  double rows[POINTS * 5];
  for (int k = 0; k < POINTS; ++k) {
    const double t = HORIZON * k / (POINTS - 1), a = case_real(p, "mu") * g;
    const double slides = fmin(t, 2 * v0 / (7 * a));
    const double brake = g * (case_real(p, "mu") * cos(alpha) - sin(alpha)),
                 moves = fmin(t, v0 / brake);
    rows[5 * k] = t;
    rows[5 * k + 1] = v0 - a * slides;
    rows[5 * k + 2] = 2.5 * a * slides;
    rows[5 * k + 3] = (v0 - 0.5 * brake * moves) * moves;
    rows[5 * k + 4] = 0.5 * g * (sin(alpha) - SLIPPERY * cos(alpha)) * t * t;
  }
  return case_plot_table(plot, "exact", "t[s] v[m/s] Rw[m/s] stops[m] slides[m]", POINTS, 5, rows);
}

static int make(const struct case_parameters *p, const struct case_series *series, int n,
                struct case_plot *plot) {
  struct base_arena *arena = base_arena_alloc();
  int status = tabulate_exact(p, plot);
  const struct case_series *last = NULL;
  for (int f = 0; f < FORMS && status == BASE_OK; ++f) {
    for (int k = 0; k < MOTIONS && status == BASE_OK; ++k) {
      char label[CASE_TEXT];
      snprintf(label, sizeof label, "%s--%s", motions[k], forms[f]);
      const struct case_series *s = case_series_ok(series, n, label, 7);
      if (s == NULL) {
        status = BASE_FAILED;
        break;
      }
      status = tabulate(p, s, k, label, plot, arena);
      if (k == SPHERE) {
        check_sphere(p, s, f, plot);
      } else if (k == TOP_HALF) {
        check_top(p, last, s, f, plot);
      } else if (k != TOP) {
        check_block(p, s, k, f, plot);
      }
      last = s;
    }
  }
  base_arena_free(arena);
  return status;
}

#define ALL                                                                                        \
  "moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-quaternion "                        \
  "consistent-quaternion-twostep event"
#define EXACT(TITLE, COLUMN)                                                                       \
  { TITLE, "exact", 1, COLUMN, .look = "reference", .width = 5 }
static const struct case_panel scenes_panels[] = {
    {.head = "sphere thrown along a plane",
     .x = "t [s]",
     .y = "v and Rω (dashed) [m/s]",
     .x_range = {0, 0.1},
     .y_range = {0, 1.05},
     .key = "foot",
     .curves = {EXACT("closed form", 2),
                EXACT(NULL, 3),
                {"{}", "sphere--{}", 1, 2, .look = "{}", .over = ALL},
                {NULL, "sphere--{}", 1, 3, .look = "{}", .with = CASE_DASHED, .over = ALL}}},
    {.head = "block on an incline: thrown and stops, slides (μ = 0.2), sticks",
     .x = "t [s]",
     .y = "path down the incline [m]",
     .x_range = {0, 0.9},
     .y_range = {-0.1, 0.7},
     .curves = {EXACT(NULL, 4),
                EXACT(NULL, 5),
                {NULL, "stops--{}", 1, 2, .look = "{}", .over = ALL},
                {NULL, "slides--{}", 1, 2, .look = "{}", .over = ALL},
                {NULL, "sticks--{}", 1, 2, .look = "{}", .over = ALL}}},
    {.head = "top in steady precession",
     .x = "t [s]",
     .y = "tilt [deg]",
     .x_range = {0, 0.25},
     .curves = {{NULL, "top--{}", 1, 2, .look = "{}", .over = ALL}}},
    {0}};

const struct case_figure closed_forms_figures[] = {
    {.id = "scenes",
     .title = "Scene files against theory",
     .caption =
         "A sphere thrown along a plane (speed of its centre, and of its rim, dashed), a block on "
         "an incline, the tilt of a top in steady precession. dt = 1e-3 s, top 1e-4 s, penalty "
         "5e-5 s.",
     .runs = scenes_runs,
     .panels = scenes_panels,
     .make = make},
    {.id = NULL}};
