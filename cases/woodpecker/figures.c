/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the woodpecker (moeller 6.4):
 *
 *   moeller-6.16      solution at dt = 1e-5 s, consistent two-step and Moreau; event as reference
 *   moeller-6.17, 18  phase planes of sleeve and woodpecker over three periods, contact limits
 *   moeller-6.19      two-step at dt = 1e-3 s: ydot oscillates while the sleeve sticks
 *   moeller-6.20      energies of both at dt = 1e-3 s from sticking to sliding
 *   woodpecker-cycle  period, drop and lowest phi against dt (ours; cycle.c)
 *
 * Curves are compared as they are drawn: the distance of a point of one from the other's polyline,
 * both axes as fractions of the panel. A jump that comes one step later is near then, while the
 * difference at equal times would be the whole jump.
 */
#include "cases/woodpecker/figures.h"

#include "cases/figure/series.h"

#include <math.h>

static const double COARSE = 1e-3; /* [s], of moeller-6.19 and 6.20 */
static const double SAMPLE = 1e-4; /* [s] */
/* A line of 0.7 mm in a panel 7 cm high. */
#define LINE_WIDTH 0.01
#define NEAR_EVENT 0.003 /* as near as the steps of 1e-5 s and the samples of 1e-4 s allow */

/* t and all components. */
#define MOTION(RUNS)                                                                               \
  {                                                                                                \
    .name = RUNS, .runs = RUNS, .columns = {                                                       \
      {"t[s]", "t"},                                                                               \
      {"y[m]", "q[0]"},                                                                            \
      {"alpha[rad]", "q[1]"},                                                                      \
      {"phi[rad]", "q[2]"},                                                                        \
      {"y_dot[m/s]", "u[0]"},                                                                      \
      {"alpha_dot[rad/s]", "u[1]"},                                                                \
      {"phi_dot[rad/s]", "u[2]"}                                                                   \
    }                                                                                              \
  }
static const struct case_table motion_tables[] = {MOTION("{label}"), {0}};

/* ---- moeller-6.16 ---- */

/* Distance of the point (x, y) from the segment a b. */
static double segment_distance(double x, double y, const double *a, const double *b) {
  const double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
  double part = square > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0;
  part = fmin(fmax(part, 0), 1);
  return hypot(x - a[0] - part * dx, y - a[1] - part * dy);
}

/* Neighbours in time among which the nearest piece of the other curve is sought, in samples. */
enum { NEAR_SAMPLES = 30 };

/* Largest distance of a's points from b's curve, as a fraction of the panel. */
static double drawn_distance(const struct case_series *a, const struct case_series *b,
                             enum woodpecker_component c) {
  double lo = INFINITY, hi = -INFINITY, worst = 0;
  for (int k = 0; k < a->n; ++k) {
    lo = fmin(lo, woodpecker_value(a, k, c));
    hi = fmax(hi, woodpecker_value(a, k, c));
  }
  const double width = a->t[a->n - 1], height = hi - lo;
  for (int k = 0; k < a->n; ++k) {
    double nearest = INFINITY;
    for (int j = k - NEAR_SAMPLES; j < k + NEAR_SAMPLES; ++j) {
      if (j >= 0 && j + 1 < b->n) {
        const double p[2] = {b->t[j] / width, woodpecker_value(b, j, c) / height};
        const double q[2] = {b->t[j + 1] / width, woodpecker_value(b, j + 1, c) / height};
        const double d =
            segment_distance(a->t[k] / width, woodpecker_value(a, k, c) / height, p, q);
        nearest = d < nearest ? d : nearest;
      }
    }
    worst = case_worst(worst, nearest);
  }
  return a->n == b->n ? worst : NAN;
}

/* The largest over all components, both ways, from the run that it is set against. */
static double drawn_distance_all(const struct case_results *r, const struct case_series *a, int k) {
  const struct case_series *b = r->against;
  double worst = 0;
  (void)k;
  for (int c = 0; c < WOODPECKER_COMPONENTS; ++c) {
    const double there = drawn_distance(a, b, (enum woodpecker_component)c);
    const double back = drawn_distance(b, a, (enum woodpecker_component)c);
    worst = case_worst(worst, there);
    worst = case_worst(worst, back);
  }
  return worst;
}

static const struct case_runs fig616_runs[] = {
    {.label = "{label}",
     .formulation = "{form}",
     .dt = "{dt}",
     .t_end = "0.2",
     .sample = "1e-4",
     .over = {{"label/form/dt",
               "twostep/consistent-twostep/1e-5 moreau/moreau/1e-5 event/event/1e-4"}}},
    {0}};

static const struct case_check fig616_checks[] = {
    {.what = "two-step against Moreau: largest distance of the curves over the panel",
     .runs = "twostep",
     .against = "moreau",
     .value = drawn_distance_all,
     .claim = {0, LINE_WIDTH,
               .published = "identical up to the precision of the figure (moeller 6.4)"}},
    {.what = "two-step against event: the same",
     .runs = "twostep",
     .against = "event",
     .value = drawn_distance_all,
     .claim = {.lo = 0, .hi = NEAR_EVENT}},
    {.what = "Moreau against event: the same",
     .runs = "moreau",
     .against = "event",
     .value = drawn_distance_all,
     .claim = {.lo = 0, .hi = NEAR_EVENT}},
    {0}};

/* ---- moeller-6.17, moeller-6.18: phase planes ---- */

static const struct case_runs phase_runs[] = {{.label = "twostep",
                                               .formulation = "consistent-twostep",
                                               .dt = "1e-5",
                                               .t_end = "0.45",
                                               .sample = "2e-5"}, /* jumps must look like jumps */
                                              {0}};
static const struct case_table phase_tables[] = {MOTION("twostep"), {0}};

/* Angle at which gap i closes [rad]. */
static double limit(const struct case_parameters *p, int beak) {
  return beak ? (case_real(p, "l_M") + case_real(p, "l_G") - case_real(p, "l_S") -
                 case_real(p, "r_O")) /
                    case_real(p, "h_S")
              : (case_real(p, "r_M") - case_real(p, "r_O")) / case_real(p, "h_M");
}

static double extreme(const struct case_series *s, enum woodpecker_component c, int sign) {
  double worst = -INFINITY;
  for (int k = 0; k < s->n; ++k) {
    worst = fmax(worst, sign * woodpecker_value(s, k, c));
  }
  return sign * worst;
}

/* Impacts are found within a step: an angle can pass its limit by what it moves in one of 1e-5 s,
 * at up to 33 rad/s (alpha) and 18 rad/s (phi). */
static const double ALPHA_PASSES = 33e-5, PHI_PASSES = 18e-5; /* [rad] */

/* A sample lies this close to a stop that is touched for a while [rad]; the beak strikes with 17
 * rad/s, and a sample lies within 17 times their distance of it. */
static const double LIMIT_NEAR = 1e-4, BEAK_NEAR = 4e-4;

static double largest_alpha(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return extreme(s, WOODPECKER_ALPHA, 1);
}

static double smallest_alpha(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return extreme(s, WOODPECKER_ALPHA, -1);
}

static double largest_phi(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return extreme(s, WOODPECKER_PHI, 1);
}

static void touches_above(const struct case_results *r, const struct case_series *s, double *lo,
                          double *hi) {
  *lo = limit(r->p, 0) - LIMIT_NEAR;
  *hi = limit(r->p, 0) + ALPHA_PASSES;
  (void)s;
}

static void touches_below(const struct case_results *r, const struct case_series *s, double *lo,
                          double *hi) {
  touches_above(r, s, hi, lo);
  *lo = -*lo;
  *hi = -*hi;
}

static void beak_touches(const struct case_results *r, const struct case_series *s, double *lo,
                         double *hi) {
  *lo = limit(r->p, 1) - BEAK_NEAR;
  *hi = limit(r->p, 1) + PHI_PASSES;
  (void)s;
}

static const struct case_check fig617_checks[] = {
    {.what = "largest alpha [rad]; upper end of the sleeve at the limit",
     .runs = "twostep",
     .value = largest_alpha,
     .bounds = touches_above,
     .claim = {.expected = "touches the limit"}},
    {.what = "smallest alpha [rad]; lower end of the sleeve at the limit",
     .runs = "twostep",
     .value = smallest_alpha,
     .bounds = touches_below,
     .claim = {.expected = "touches the limit"}},
    {0}};
static const struct case_check fig618_checks[] = {
    {.what = "largest phi [rad]; beak at the limit",
     .runs = "twostep",
     .value = largest_phi,
     .bounds = beak_touches,
     .claim = {.expected = "touches the limit"}},
    {.what = "period, mean of the last two [s]",
     .runs = "twostep",
     .value = woodpecker_last_period,
     .claim = {0.1455, 0.1465, .expected = "0.146, of the periodic solution"}},
    {0}};

/* Where the sleeve's ends and the beak touch, with the parameters of the case [rad]. */
#define SLEEVE_LIMIT (0.0006 / 0.0058)
#define BEAK_LIMIT 0.12
static const struct case_panel fig617_panels[] = {
    {.x = "α [rad]",
     .y = "dα/dt [rad/s]",
     .x_range = {-0.13, 0.13},
     .key = "left top",
     .curves = {{"two-step", "twostep", 3, 6, .look = "consistent-twostep", .width = 1.2},
                {"contact", .scale = SLEEVE_LIMIT, .look = "limit", .with = CASE_VERTICAL},
                {NULL, .scale = -SLEEVE_LIMIT, .look = "limit", .with = CASE_VERTICAL}}},
    {0}};
static const struct case_panel fig618_panels[] = {
    {.x = "φ [rad]",
     .y = "dφ/dt [rad/s]",
     .x_range = {-0.6, 0.2},
     .key = "left top",
     .curves = {{"two-step", "twostep", 4, 7, .look = "consistent-twostep", .width = 1.2},
                {"contact", .scale = BEAK_LIMIT, .look = "limit", .with = CASE_VERTICAL}}},
    {0}};

/* ---- moeller-6.19 and 6.20: the coarse step ---- */

static const struct case_runs coarse_runs[] = {
    {.label = "{label}",
     .formulation = "{form}",
     .dt = "{dt}",
     .t_end = "0.2",
     .sample = "{dt}",
     .over = {{"label/form/dt",
               "twostep/consistent-twostep/1e-3 moreau/moreau/1e-3 event/event/1e-4"}}},
    {0}};

static const double STICKS_FROM = 0.025, STICKS_TO = 0.06; /* [s], the source's window */

static int in_window(double t) {
  return t > STICKS_FROM - 0.5 * COARSE && t < STICKS_TO + 0.5 * COARSE;
}

/* Of ydot while sticking: the part of successive samples that differ in sign. */
static double alternating(const struct case_results *r, const struct case_series *s, int k) {
  int pairs = 0, changes = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    if (in_window(s->t[k]) && in_window(s->t[k - 1])) {
      ++pairs;
      changes +=
          woodpecker_value(s, k, WOODPECKER_Y_DOT) * woodpecker_value(s, k - 1, WOODPECKER_Y_DOT) <
          0;
    }
  }
  return pairs > 0 ? (double)changes / pairs : NAN;
}

/* The largest |ydot| while sticking. */
static double speed_sticking(const struct case_results *r, const struct case_series *s, int k) {
  double speed = 0;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    speed = in_window(s->t[k]) ? case_worst(speed, fabs(woodpecker_value(s, k, WOODPECKER_Y_DOT)))
                               : speed;
  }
  return speed;
}

/* How far y moves while sticking. */
static double moved(const struct case_results *r, const struct case_series *s, int k) {
  double lo = INFINITY, hi = -INFINITY;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    if (in_window(s->t[k])) {
      lo = fmin(lo, woodpecker_value(s, k, WOODPECKER_Y));
      hi = fmax(hi, woodpecker_value(s, k, WOODPECKER_Y));
    }
  }
  return hi - lo;
}

/* First time phi differs from the run it is set against by 2 % of what that spans. */
static double deviates(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *exact = r->against;
  const double most =
      0.02 * (extreme(exact, WOODPECKER_PHI, 1) - extreme(exact, WOODPECKER_PHI, -1));
  for (int j = k = 0; k < s->n; ++k) {
    while (j + 1 < exact->n && exact->t[j] < s->t[k] - 0.5 * SAMPLE) {
      ++j;
    }
    const double off =
        fabs(woodpecker_value(s, k, WOODPECKER_PHI) - woodpecker_value(exact, j, WOODPECKER_PHI));
    if (isnan(off) || off > most) {
      return isnan(off) ? NAN : s->t[k];
    }
  }
  return INFINITY;
}

static const struct case_check fig619_checks[] = {
    {.what = "two-step, 0.025 to 0.06 s: steps after which ydot changes sign, of all",
     .runs = "twostep",
     .value = alternating,
     .claim = {0.9, 1, .published = "high frequency oscillation, 0.025 s to 0.06 s (moeller 6.4)"}},
    {.what = "two-step, 0.025 to 0.06 s: largest |ydot| [m/s]",
     .runs = "twostep",
     .value = speed_sticking,
     .claim = {2e-3, 1.5e-2, .expected = "about g dt: the change of a step as sticking begins"}},
    {.what = "two-step, 0.025 to 0.06 s: y moves by [m]",
     .runs = "twostep",
     .value = moved,
     .claim = {0, 1e-5, .expected = "below g dt^2",
               .published = "sticks on displacement level (moeller 6.4)"}},
    {.what = "Moreau, 0.025 to 0.06 s: largest |ydot| [m/s]",
     .runs = "moreau",
     .value = speed_sticking,
     .claim = {0, 1e-12, .published = "the remaining energy is dissipated (moeller 6.4)"}},
    {.what = "two-step: phi differs from event by 2 % of its span at [s]",
     .runs = "twostep",
     .against = "event",
     .value = deviates,
     .claim = {0.115, 0.125, .published = "visibly at 0.12 s (moeller 6.4, fig. 6.19)",
               .differs = "2 % of the span are two lines' widths; how much the source calls "
                          "visible it does not say"}},
    {0}};

/* In a step, over the energy at the start. */
static double largest_rise(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 1; k < s->n; ++k) {
    const double d = s->energy[k] - s->energy[k - 1];
    worst = case_worst(worst, d);
  }
  return worst / r->series[0].energy[0];
}

static const struct case_table fig620_tables[] = {
    {.name = "{label}", .runs = "{label}", .columns = {{"t[s]", "t"}, {"E[J]", "energy"}}}, {0}};

static const struct case_check fig620_checks[] = {
    {.what = "two-step: largest rise of the energy in a step over E(0)",
     .runs = "twostep",
     .value = largest_rise,
     .claim = {0, 1e-12, .published = "consistent: it does not rise (moeller 6.4, fig. 6.20)"}},
    {.what = "Moreau: largest rise of the energy in a step over E(0)",
     .runs = "moreau",
     .value = largest_rise,
     .claim = {1e-5, 5e-3, .published = "slightly increasing at times (moeller 6.4, fig. 6.20)"}},
    {0}};

#define MOTION_PANEL(Y_LABEL, COLUMN, SCALE, KEY, EVENT, TWOSTEP, MOREAU)                          \
  {                                                                                                \
    .x = "t [s]", .y = Y_LABEL, .x_range = {0, 0.2}, .key = KEY, .curves = {                       \
      {EVENT, "event", 1, COLUMN, SCALE, "reference", 5},                                          \
      {TWOSTEP, "twostep", 1, COLUMN, SCALE, "consistent-twostep"},                                \
      {MOREAU, "moreau", 1, COLUMN, SCALE, "moreau", .with = CASE_DASHED}                          \
    }                                                                                              \
  }
static const struct case_panel motion_panels[] = {
    MOTION_PANEL("y [mm]", 2, 1e3, "left bottom", "event", "two-step", "moreau"),
    MOTION_PANEL("dy/dt [m/s]", 5, 1, NULL, NULL, NULL, NULL),
    MOTION_PANEL("α [rad]", 3, 1, NULL, NULL, NULL, NULL),
    MOTION_PANEL("φ [rad]", 4, 1, NULL, NULL, NULL, NULL),
    {0}};

const struct case_figure woodpecker_figures[] = {
    {.id = "moeller-6.16",
     .title = "Woodpecker: solution at dt = 1e-5 s",
     .caption = "Consistent two-step integrator, Moreau's midpoint rule and event-driven "
                "integration; the curves coincide.",
     .runs = fig616_runs,
     .panels = motion_panels,
     .abreast = 2,
     .tables = motion_tables,
     .checks = fig616_checks},
    {.id = "moeller-6.17",
     .title = "Woodpecker: phase plane of the sleeve",
     .caption =
         "Three periods by the consistent two-step integrator, dt = 1e-5 s; dashed: the ends "
         "of the sleeve at the pole.",
     .runs = phase_runs,
     .tables = phase_tables,
     .checks = fig617_checks,
     .panels = fig617_panels},
    {.id = "moeller-6.18",
     .title = "Woodpecker: phase plane of the woodpecker",
     .caption =
         "Three periods by the consistent two-step integrator, dt = 1e-5 s; dashed: the beak "
         "at the pole.",
     .runs = phase_runs,
     .tables = phase_tables,
     .checks = fig618_checks,
     .panels = fig618_panels},
    {.id = "moeller-6.19",
     .title = "Woodpecker: two-step integrator at dt = 1e-3 s",
     .caption = "While the sleeve sticks the vertical velocity oscillates: the friction law of the "
                "second step (5.107) holds displacements, not velocities, and dissipates nothing.",
     .runs = coarse_runs,
     .panels = motion_panels,
     .abreast = 2,
     .tables = motion_tables,
     .checks = fig619_checks},
    {.id = "moeller-6.20",
     .title = "Woodpecker: energy at dt = 1e-3 s",
     .caption = "The consistent two-step integrator never gains energy; Moreau's midpoint rule "
                "does at times.",
     .runs = coarse_runs,
     .tables = fig620_tables,
     .checks = fig620_checks},
    {.id = "woodpecker-cycle",
     .title = "Woodpecker: limit cycle against dt",
     .caption =
         "Period and drop, means over the last four of seven periods, and lowest angle. With one "
         "impact a step gap level (ncp, restitution=newton) splits the sleeve's landing over two "
         "steps; friction makes the outcome depend on where in a step it falls, however short the "
         "step. Successive impacts in a step land it at once, and converge.",
     .runs = woodpecker_cycle_runs,
     .panels = woodpecker_cycle_panels,
     .tables = woodpecker_cycle_tables,
     .checks = woodpecker_cycle_checks},
    {.id = NULL}};
