/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the woodpecker (moeller 6.4):
 *
 *   moeller-6.16      solution at dt = 1e-5 s, consistent two-step and Moreau; event as reference
 *   moeller-6.17, 18  phase planes of sleeve and woodpecker over three periods, contact limits
 *   moeller-6.19      two-step at dt = 1e-3 s: ydot oscillates while the sleeve sticks
 *   moeller-6.20      energies of both at dt = 1e-3 s from sticking to sliding
 *   woodpecker-cycle  period, drop and lowest phi against dt (ours)
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

enum component { Y, ALPHA, PHI, Y_DOT, ALPHA_DOT, PHI_DOT, COMPONENTS };

static double value(const struct case_series *s, int k, enum component c) {
  return c < Y_DOT ? s->q[3 * k + (int)c] : s->u[3 * k + (int)c - 3];
}

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
                             enum component c) {
  double lo = INFINITY, hi = -INFINITY, worst = 0;
  for (int k = 0; k < a->n; ++k) {
    lo = fmin(lo, value(a, k, c));
    hi = fmax(hi, value(a, k, c));
  }
  const double width = a->t[a->n - 1], height = hi - lo;
  for (int k = 0; k < a->n; ++k) {
    double nearest = INFINITY;
    for (int j = k - NEAR_SAMPLES; j < k + NEAR_SAMPLES; ++j) {
      if (j >= 0 && j + 1 < b->n) {
        const double p[2] = {b->t[j] / width, value(b, j, c) / height};
        const double q[2] = {b->t[j + 1] / width, value(b, j + 1, c) / height};
        const double d = segment_distance(a->t[k] / width, value(a, k, c) / height, p, q);
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
  for (int c = 0; c < COMPONENTS; ++c) {
    const double there = drawn_distance(a, b, (enum component)c);
    const double back = drawn_distance(b, a, (enum component)c);
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

static double extreme(const struct case_series *s, enum component c, int sign) {
  double worst = -INFINITY;
  for (int k = 0; k < s->n; ++k) {
    worst = fmax(worst, sign * value(s, k, c));
  }
  return sign * worst;
}

/* Times when phidot passes zero upwards while the woodpecker hangs down, with y and phi there. */
struct turns {
  int n;
  double t[16], y[16], phi[16];
};
enum { TURNS_MAX = 16 };

static struct turns find_turns(const struct case_series *s) {
  static const double HANGS = -0.4; /* [rad]: below, phidot changes sign once a period */
  struct turns w = {0};
  for (int k = 0; k + 1 < s->n && w.n < TURNS_MAX; ++k) {
    const double a = value(s, k, PHI_DOT), b = value(s, k + 1, PHI_DOT);
    if (a < 0 && b >= 0 && value(s, k, PHI) < HANGS) {
      const double part = a / (a - b);
      w.t[w.n] = s->t[k] + part * (s->t[k + 1] - s->t[k]);
      w.y[w.n] = value(s, k, Y) + part * (value(s, k + 1, Y) - value(s, k, Y));
      w.phi[w.n++] = fmin(value(s, k, PHI), value(s, k + 1, PHI));
    }
  }
  return w;
}

/* Mean of the last n periods (or drops), even: deviations from the cycle alternate. */
static double last_mean(const struct turns *w, const double *x, int n) {
  return w->n > n ? (x[w->n - 1] - x[w->n - 1 - n]) / n : NAN;
}

/* Impacts are found within a step: an angle can pass its limit by what it moves in one of 1e-5 s,
 * at up to 33 rad/s (alpha) and 18 rad/s (phi). */
static const double ALPHA_PASSES = 33e-5, PHI_PASSES = 18e-5; /* [rad] */

/* A sample lies this close to a stop that is touched for a while [rad]; the beak strikes with 17
 * rad/s, and a sample lies within 17 times their distance of it. */
static const double LIMIT_NEAR = 1e-4, BEAK_NEAR = 4e-4;

static double largest_alpha(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return extreme(s, ALPHA, 1);
}

static double smallest_alpha(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return extreme(s, ALPHA, -1);
}

static double largest_phi(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return extreme(s, PHI, 1);
}

static double last_period(const struct case_results *r, const struct case_series *s, int k) {
  const struct turns turns = find_turns(s);
  (void)r, (void)k;
  return last_mean(&turns, turns.t, 2);
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
     .value = last_period,
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
      changes += value(s, k, Y_DOT) * value(s, k - 1, Y_DOT) < 0;
    }
  }
  return pairs > 0 ? (double)changes / pairs : NAN;
}

/* The largest |ydot| while sticking. */
static double speed_sticking(const struct case_results *r, const struct case_series *s, int k) {
  double speed = 0;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    speed = in_window(s->t[k]) ? case_worst(speed, fabs(value(s, k, Y_DOT))) : speed;
  }
  return speed;
}

/* How far y moves while sticking. */
static double moved(const struct case_results *r, const struct case_series *s, int k) {
  double lo = INFINITY, hi = -INFINITY;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    if (in_window(s->t[k])) {
      lo = fmin(lo, value(s, k, Y));
      hi = fmax(hi, value(s, k, Y));
    }
  }
  return hi - lo;
}

/* First time phi differs from the run it is set against by 2 % of what that spans. */
static double deviates(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *exact = r->against;
  const double most = 0.02 * (extreme(exact, PHI, 1) - extreme(exact, PHI, -1));
  for (int j = k = 0; k < s->n; ++k) {
    while (j + 1 < exact->n && exact->t[j] < s->t[k] - 0.5 * SAMPLE) {
      ++j;
    }
    const double off = fabs(value(s, k, PHI) - value(exact, j, PHI));
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

/* ---- woodpecker-cycle ---- */

/* What the periods of a converged scheme still vary by, relative. `ncp` lands the sleeve in two
 * halves, gap / dt and the rest, and friction turns around between them: what comes out depends on
 * where in a step the landing falls, for any dt. */
#define CYCLE_STEADY 2e-3

static const struct case_runs cycle_runs[] = {
    {.label = "event", .formulation = "event", .dt = "1e-4", .t_end = "1.05", .sample = "1e-4"},
    {.label = "{form} {dt}",
     .formulation = "{form}",
     .dt = "{dt}",
     .t_end = "1.05", /* seven periods */
     .sample = "1e-4",
     .over = {{"form", "moreau lcp-ap ncp consistent-twostep"}, {"dt", "0.0001 3e-05 1e-05"}}},
    {0}};

/* Means over the last four periods [s], [m]. */
static double period(const struct case_results *r, const struct case_series *s, int k) {
  const struct turns w = find_turns(s);
  (void)r, (void)k;
  return last_mean(&w, w.t, 4);
}

static double drop(const struct case_results *r, const struct case_series *s, int k) {
  const struct turns w = find_turns(s);
  (void)r, (void)k;
  return -last_mean(&w, w.y, 4);
}

/* Of the last two periods [rad]. */
static double lowest_phi(const struct case_results *r, const struct case_series *s, int k) {
  const struct turns w = find_turns(s);
  (void)r, (void)k;
  return w.n >= 2 ? 0.5 * (w.phi[w.n - 1] + w.phi[w.n - 2]) : NAN;
}

/* Largest deviation of a mean over two periods from the period of `event`, relative. */
static double unsteady(const struct case_results *r, const struct case_series *s, int k) {
  const struct turns w = find_turns(s);
  const double exact = period(r, r->against, k);
  double worst = w.n >= 7 ? 0 : NAN;
  for (int i = 0; i + 2 < w.n; ++i) {
    worst = case_worst(worst, fabs((w.t[i + 2] - w.t[i]) / 2 / exact - 1));
  }
  return worst;
}

#define CYCLE_COLUMNS                                                                              \
  {                                                                                                \
    {"dt[s]", "dt"}, {"period[s]", .value = period}, {"drop[m]", .value = drop}, {                 \
      "phi_min[rad]", .value = lowest_phi                                                          \
    }                                                                                              \
  }
static const struct case_table cycle_tables[] = {
    {.name = "event", .runs = "event", .along = "", .columns = CYCLE_COLUMNS},
    {.name = "{form}", .runs = "{form} {dt}", .along = "dt", .columns = CYCLE_COLUMNS},
    {0}};

#define CYCLE_OFF                                                                                  \
  .what = "{form} at dt = 1e-5 s: two periods off those of event by at most",                      \
  .runs = "{form} {dt}", .value = unsteady, .against = "event"
static const struct case_check cycle_checks[] = {
    {.what = "event: period [s]",
     .runs = "event",
     .value = period,
     .claim = {0.1455, 0.1465, .expected = "0.146, of the periodic solution"}},
    {.what = "event: drop a period [m]",
     .runs = "event",
     .value = drop,
     .claim = {.lo = 0.019, .hi = 0.02}},
    {.what = "event: lowest phi [rad]",
     .runs = "event",
     .value = lowest_phi,
     .claim = {.lo = -0.535, .hi = -0.525}},
    {CYCLE_OFF, .where = {{"form", "moreau lcp-ap consistent-twostep"}, {"dt", "1e-05"}},
     .claim = {0, CYCLE_STEADY, .expected = "converged"}},
    {CYCLE_OFF, .where = {{"form", "ncp"}, {"dt", "1e-05"}},
     .claim = {CYCLE_STEADY, 0.1, .expected = "not converged"}},
    {0}};

#define CYCLE_PANEL(Y_LABEL, COLUMN, SCALE, KEY, EVENT, FORM)                                      \
  {                                                                                                \
    .x = "dt [s]", .head = Y_LABEL, .log = "x", .x_range = {8e-6, 1.25e-4}, .key = KEY,            \
    .curves = {                                                                                    \
      {EVENT, "event", 1, COLUMN, SCALE, "reference", 3, .with = CASE_LEVEL},                      \
      {FORM, "{}", 1, COLUMN, SCALE, "{}", .with = CASE_LINESPOINTS,                               \
       .over = "moreau lcp-ap ncp consistent-twostep"}                                             \
    }                                                                                              \
  }
static const struct case_panel cycle_panels[] = {
    CYCLE_PANEL("period [ms]", 2, 1e3, "foot", "event", "{}"),
    CYCLE_PANEL("drop [mm]", 3, 1e3, NULL, NULL, NULL),
    CYCLE_PANEL("lowest φ [mrad]", 4, 1e3, NULL, NULL, NULL),
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
         "Period and drop, means over the last four of seven periods, and lowest angle. Gap "
         "level (ncp) splits the sleeve's landing over two steps; friction makes the outcome "
         "depend on where in a step it falls, however short the step.",
     .runs = cycle_runs,
     .panels = cycle_panels,
     .tables = cycle_tables,
     .checks = cycle_checks},
    {.id = NULL}};
