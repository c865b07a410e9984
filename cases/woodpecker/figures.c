/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the woodpecker (moeller 6.4):
 *
 *   moeller-6.16      solution at dt = 1e-5 s, consistent two-step and Moreau; event as reference
 *   moeller-6.17, 18  phase planes of sleeve and woodpecker over three periods, contact limits
 *   moeller-6.19      two-step at dt = 1e-3 s: ydot oscillates while the sleeve sticks
 *   moeller-6.20      energies of both at dt = 1e-3 s from sticking to sliding (both: coarse.c)
 *   woodpecker-cycle  period, drop and lowest phi against dt (ours; cycle.c)
 *
 * Curves are compared as they are drawn (case_drawn_distance).
 */
#include "cases/woodpecker/figures.h"

#include "cases/figure/series.h"

#include <math.h>

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

/* Largest distance of a's curve from b's, both ways, as a fraction of the panel. */
static double drawn_distance(const struct case_series *a, const struct case_series *b,
                             enum woodpecker_component c) {
  struct base_arena *arena = base_arena_alloc();
  double *y_a = base_arena_doubles(arena, a->n), *y_b = base_arena_doubles(arena, b->n);
  for (int k = 0; k < a->n; ++k) {
    y_a[k] = woodpecker_value(a, k, c);
  }
  for (int k = 0; k < b->n; ++k) {
    y_b[k] = woodpecker_value(b, k, c);
  }
  const double worst = a->n == b->n ? case_drawn_distance(a->n, a->t, y_a, y_b) : NAN;
  base_arena_free(arena);
  return worst;
}

/* The largest over all components, from the run that it is set against. */
static double drawn_distance_all(const struct case_results *r, const struct case_series *a, int k) {
  double worst = 0;
  (void)k;
  for (int c = 0; c < WOODPECKER_COMPONENTS; ++c) {
    worst = case_worst(worst, drawn_distance(a, r->against, (enum woodpecker_component)c));
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
     .claim = {0, CASE_LINE_WIDTH,
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

double woodpecker_extreme(const struct case_series *s, enum woodpecker_component c, int sign) {
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
  return woodpecker_extreme(s, WOODPECKER_ALPHA, 1);
}

static double smallest_alpha(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return woodpecker_extreme(s, WOODPECKER_ALPHA, -1);
}

static double largest_phi(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return woodpecker_extreme(s, WOODPECKER_PHI, 1);
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

/* ---- panels ---- */

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
     .caption = "At dt = 1e-5 s the three solutions are one: two-step integrator and Moreau's rule "
                "are apart by {two-step against Moreau} of the panel, and from event by {two-step "
                "against event} and {Moreau against event}. Consistent two-step integrator, "
                "Moreau's midpoint rule and event-driven integration.",
     .runs = fig616_runs,
     .panels = motion_panels,
     .abreast = 2,
     .tables = motion_tables,
     .checks = fig616_checks},
    {.id = "moeller-6.17",
     .title = "Woodpecker: phase plane of the sleeve",
     .caption = "The sleeve tilts from {smallest alpha} to {largest alpha} rad, until one of its "
                "ends touches the pole. Three periods by the consistent two-step integrator, dt = "
                "1e-5 s; dashed: the ends of the sleeve at the pole.",
     .runs = phase_runs,
     .tables = phase_tables,
     .checks = fig617_checks,
     .panels = fig617_panels},
    {.id = "moeller-6.18",
     .title = "Woodpecker: phase plane of the woodpecker",
     .caption = "The bird swings up until its beak strikes the pole at {largest phi} rad, and "
                "repeats itself every {period, mean} s. Three periods by the consistent two-step "
                "integrator, dt = 1e-5 s; dashed: the beak at the pole.",
     .runs = phase_runs,
     .tables = phase_tables,
     .checks = fig618_checks,
     .panels = fig618_panels},
    {.id = "moeller-6.19",
     .title = "Woodpecker: two-step integrator at dt = 1e-3 s",
     .caption = "While the sleeve sticks its vertical velocity swings by up to {two-step, 0.025 to "
                "0.06 s: largest |ydot|} m/s, changing sign after {two-step, 0.025 to 0.06 s: "
                "steps after which} of the steps, by Moreau's rule by {Moreau, 0.025 to 0.06 s: "
                "largest |ydot|} m/s: the friction law of the second step (5.107) holds "
                "displacements, not velocities, and dissipates nothing. The sleeve moves by "
                "{two-step, 0.025 to 0.06 s: y moves by} m. With the contact law of Moreau's rule "
                "and the forces of the two-step integrator it swings by {weaker consistency, "
                "0.025} m/s. Two-step integrator at dt = 1e-3 s.",
     .runs = woodpecker_coarse_runs,
     .panels = motion_panels,
     .abreast = 2,
     .tables = motion_tables,
     .checks = woodpecker_sticking_checks},
    {.id = "moeller-6.20",
     .title = "Woodpecker: energy at dt = 1e-3 s",
     .caption =
         "The consistent two-step integrator never gains energy (in a step at most "
         "{two-step: largest rise} of it); Moreau's midpoint rule does at times, up to "
         "{Moreau: largest rise} of it in a step. With Moreau's contact law alone it stays, to "
         "{weaker consistency: largest change}, in steps without contact. Energy at dt = "
         "1e-3 s.",
     .runs = woodpecker_coarse_runs,
     .tables = woodpecker_energy_tables,
     .checks = woodpecker_energy_checks},
    {.id = "woodpecker-cycle",
     .title = "Woodpecker: limit cycle against dt",
     .caption = "With successive impacts in a step every formulation converges to event's cycle, a "
                "period of {event: period} s and a drop of {event: drop} m: two periods are off by "
                "at most {moreau at dt = 1e-5 s} (moreau) and {ncp at dt = 1e-5 s} (ncp). With one "
                "impact a step gap level (ncp, restitution=newton) does not, off by {ncp, one "
                "impact a step}: it splits the sleeve's landing over two steps, and friction makes "
                "the outcome depend on where in a step it falls, however short the step. Period "
                "and drop, means over the last four of seven periods, and lowest angle.",
     .runs = woodpecker_cycle_runs,
     .panels = woodpecker_cycle_panels,
     .tables = woodpecker_cycle_tables,
     .checks = woodpecker_cycle_checks},
    {.id = NULL}};
