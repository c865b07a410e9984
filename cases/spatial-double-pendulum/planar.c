/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The planar pendulum: bhalerao-9, stick and slide of P1 with mu = 0.2, and bhalerao-10, rebounds
 * with eps_N = 0.7.
 *
 * Sticking is read from event: P1 slower than STICKS at a sample and its neighbours. What is
 * checked there is the distance of P1 from the plane, for schemes on gap level, and how much it
 * moves, for those that hold P1 where it touched; the former err by dt^2 and meet 1e-9 m at dt =
 * 2e-5 s, or at the step of all with their gaps corrected.
 *
 * The speed before an impact is the largest of the last samples before the sign change, the speed
 * after it the largest of those that follow, WINDOW each (LASTING for contact springs): a gap-level
 * scheme closes the contact in one step and lets it spring back in the next.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include <math.h>
#include <string.h>

/* ---- bhalerao-9 ---- */

static const double TOUCH = 0.16;   /* [s], after the impact */
static const double STICKS = 1e-10; /* [m/s] */
#define STUCK 1e-9                  /* [m], the source's z stays at 0 */
#define ROUNDING 1e-11              /* [m], where nothing but solvers errs */
#define PHASES 3 /* of sticking, and of sliding between them, within the horizon */

const struct case_runs spatial_double_pendulum_planar_runs[] = {
    {.label = "event",
     .formulation = "event",
     .set = SPATIAL_DOUBLE_PENDULUM_PLANAR,
     .dt = "0.02",
     .t_end = "6",
     .sample = "0.02"},
    {.label = "{form}-fine",
     .formulation = "{form}",
     .set = SPATIAL_DOUBLE_PENDULUM_PLANAR,
     .dt = "2e-5",
     .t_end = "6",
     .sample = "0.02",
     .over = {{"form", "lcp-st ncp"}}},
    {.label = "{form}-corrected",
     .formulation = "{form}",
     .set = SPATIAL_DOUBLE_PENDULUM_PLANAR,
     .opt = "corrections=2",
     .dt = "1e-3",
     .t_end = "6",
     .sample = "0.02",
     .over = {{"form", "lcp-st lcp-dca ccp ncp mdp"}}},
    SPATIAL_DOUBLE_PENDULUM_RUNS(SPATIAL_DOUBLE_PENDULUM_PLANAR, "1e-3", "6", "0.02"),
    {0}};

static double speed(const struct case_series *s, int k) {
  return hypot(spatial_double_pendulum_u(s, k, SPATIAL_DOUBLE_PENDULUM_V_P1),
               spatial_double_pendulum_u(s, k, SPATIAL_DOUBLE_PENDULUM_V_P1 + 1));
}

/* 1 where P1 sticks, at sample k of event. */
static int sticks(const struct case_series *event, int k) {
  int yes = event->t[k] > TOUCH;
  for (int j = k - 1; j <= k + 1; ++j) {
    yes = yes && j >= 0 && j < event->n && speed(event, j) < STICKS;
  }
  return yes;
}

static double height(const struct case_series *s, int k) {
  return spatial_double_pendulum_q(s, k, SPATIAL_DOUBLE_PENDULUM_P1 + 2);
}

/* Largest |z|, or largest change of z within a phase, while the run it is set against sticks. */
static double while_sticking(const struct case_results *r, const struct case_series *s, int gap) {
  const struct case_series *event = r->against;
  double worst = 0, z0 = 0;
  int seen = 0;
  for (int k = 0; k < event->n && event->n == s->n; ++k) {
    if (!sticks(event, k)) {
      continue;
    }
    ++seen;
    z0 = k == 0 || !sticks(event, k - 1) ? height(s, k) : z0;
    worst = case_worst(worst, fabs(gap ? height(s, k) : height(s, k) - z0));
  }
  return seen > 0 ? worst : NAN;
}

static double gap_sticking(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return while_sticking(r, s, 1);
}

static double change_sticking(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return while_sticking(r, s, 0);
}

/* Largest |z| once it has touched. */
static double largest_height(const struct case_results *r, const struct case_series *s, int k) {
  double worst = s->n > 0 ? 0 : NAN;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    worst = s->t[k] > TOUCH ? case_worst(worst, fabs(height(s, k))) : worst;
  }
  return worst;
}

static double count_sticking(const struct case_results *r, const struct case_series *s, int k) {
  int phases = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    phases += sticks(s, k) && !sticks(s, k - 1);
  }
  return phases;
}

static double count_sliding(const struct case_results *r, const struct case_series *s, int k) {
  int phases = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    phases += !sticks(s, k) && sticks(s, k - 1);
  }
  return phases;
}

static double x_of(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return spatial_double_pendulum_q(s, k, SPATIAL_DOUBLE_PENDULUM_P1);
}

static double z_of(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return height(s, k);
}

static double event_sticks(const struct case_results *r, const struct case_series *s, int k) {
  (void)s;
  return sticks(r->against, k);
}

#define PLANAR_TABLE(RUNS)                                                                         \
  {                                                                                                \
    .name = RUNS, .runs = RUNS, .columns = {                                                       \
      {"t[s]", "t"},                                                                               \
      {"x[m]", .value = x_of},                                                                     \
      {"z[m]", .value = z_of},                                                                     \
      {"sticks[-]", .value = event_sticks, .against = "event"}                                     \
    }                                                                                              \
  }
const struct case_table spatial_double_pendulum_planar_tables[] = {
    PLANAR_TABLE("event"), PLANAR_TABLE("{form}-corrected"), PLANAR_TABLE("{form}"), {0}};

#define STAYS .published = "stays at 0 (bhalerao 5.1, fig. 9)"
const struct case_check spatial_double_pendulum_planar_checks[] = {
    {.what = "phases of sticking",
     .runs = "event",
     .value = count_sticking,
     .claim = {PHASES, PHASES, .published = "enters the stiction regime (bhalerao 5.1)"}},
    {.what = "phases of sliding between them",
     .runs = "event",
     .value = count_sliding,
     .claim = {PHASES, PHASES, .published = "during the slide regime (bhalerao 5.1)"}},
    {.what = "event: work of friction over 6 s [J]",
     .runs = "event",
     .path = "energy.budget.friction",
     .claim = {-27.5, -0.1, .expected = "of the 27.5 J above hanging at rest",
               .published = "loses energy by friction (bhalerao 5.1)"}},
    {.what = "lcp-st: the same over that of event",
     .runs = "lcp-st",
     .over = "event",
     .path = "energy.budget.friction",
     .claim = {0.99, 1.01, .expected = "1"}},
    {.what = "event: largest |z| of P1 once it touched [m]",
     .runs = "event",
     .value = largest_height,
     .claim = {0, ROUNDING, STAYS}},
    {.what = "{form}: largest |z| of P1 while it sticks, dt = 2e-5 s [m]",
     .runs = "{form}-fine",
     .value = gap_sticking,
     .against = "event",
     .claim = {0, STUCK, STAYS}},
    {.what = "{form}: largest |z| of P1 while it sticks, dt = 1e-3 s, gaps corrected [m]",
     .runs = "{form}-corrected",
     .value = gap_sticking,
     .against = "event",
     .claim = {0, ROUNDING, STAYS}},
    {.what = "{form}: largest change of z of P1 while it sticks [m]",
     .runs = "{form}",
     .where = {{"form", "consistent-quaternion-twostep"}},
     .value = change_sticking,
     .against = "event",
     .claim = {0, ROUNDING, STAYS}},
    {0}};

const struct case_panel spatial_double_pendulum_planar_panels[] = {
    {.x = "t [s]",
     .y = "x of P_1 [m]",
     .x_range = {0, 6},
     .y_range = {-0.8, 1.2},
     .curves = {{NULL, "event", 1, 2, .look = "reference", .width = 4},
                {NULL, "{}", 1, 2, .look = "{}", .width = 1,
                 .over = SPATIAL_DOUBLE_PENDULUM_NAMES}}},
    {.x = "t [s]",
     .y = "event: P_1 sticks (1)",
     .x_range = {0, 6},
     .y_range = {-0.1, 1.1},
     .curves = {{NULL, "event", 1, 4, .look = "reference", .width = 4}}},
    {.x = "t [s]",
     .y = "|z| of P_1 [m]",
     .log = "y",
     .x_range = {0, 6},
     .y_range = {1e-16, 0.2},
     .least = 1e-16,
     .key = "foot",
     .curves = {{"event", "event", 1, 3, .look = "reference", .width = 4},
                {"{}", "{}", 1, 3, .look = "{}", .width = 1.5,
                 .over = SPATIAL_DOUBLE_PENDULUM_NAMES},
                {"ncp, gaps corrected", "ncp-corrected", 1, 3, .look = "#000000"}}},
    {0}};

/* ---- bhalerao-10 ---- */

enum { WINDOW = 4, LASTING = 25, IMPACTS = 5 };
static const double SLOW = 1e-3; /* [m/s], no impact */
static const double EPS = 0.7;   /* of the source */
/* Gravity over WINDOW steps moves a speed by WINDOW g dt, the joint about as much: of a speed of
 * 1 m/s, at dt = 1e-3 s, four parts in a hundred; proportional to dt. */
static const double RATIO_MISS = 40; /* [1/s] */

const struct case_runs spatial_double_pendulum_elastic_runs[] = {
    {.label = "event",
     .formulation = "event",
     .set = SPATIAL_DOUBLE_PENDULUM_ELASTIC,
     .dt = "2e-4",
     .t_end = "1.5",
     .sample = "2e-4"},
    SPATIAL_DOUBLE_PENDULUM_STEPPED(SPATIAL_DOUBLE_PENDULUM_ELASTIC, "0.001 0.0002", "1.5", "{dt}"),
    {0}};

static double vertical(const struct case_series *s, int k) {
  return k >= 0 && k < s->n ? spatial_double_pendulum_u(s, k, SPATIAL_DOUBLE_PENDULUM_V_P1 + 2) : 0;
}

/* The first impacts: speed after over speed before; IMPACTS. Returns their number. */
static int find_impacts(const struct case_series *s, double *ratios) {
  const int window = strcmp(s->run->formulation, "penalty") == 0 ? LASTING : WINDOW;
  int found = 0;
  for (int k = 1; k < s->n && found < IMPACTS; ++k) {
    if (!(vertical(s, k) > SLOW && vertical(s, k - 1) <= SLOW)) {
      continue;
    }
    double before = 0, after = 0;
    for (int j = 0; j < window; ++j) {
      before = fmin(before, vertical(s, k - 1 - j));
      after = fmax(after, vertical(s, k + j));
    }
    if (-before > SLOW) {
      ratios[found++] = after / -before;
    }
  }
  return found;
}

static double is_impact(const struct case_results *r, const struct case_series *s, int k) {
  double ratios[IMPACTS];
  (void)r;
  return k < find_impacts(s, ratios);
}

static void impact_row(const struct case_results *r, const struct case_series *s, int k,
                       double *out) {
  double ratios[IMPACTS];
  (void)r;
  find_impacts(s, ratios);
  out[0] = k + 1;
  out[1] = ratios[k];
}

static double vertical_speed(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return vertical(s, k);
}

static double ratio_error(const struct case_results *r, const struct case_series *s, int k) {
  double ratios[IMPACTS], worst = 0;
  const int found = find_impacts(s, ratios);
  (void)r;
  for (k = 0; k < found; ++k) {
    worst = case_worst(worst, fabs(ratios[k] - EPS));
  }
  return found == IMPACTS ? worst : NAN;
}

static void a_few_steps(const struct case_results *r, const struct case_series *s, double *lo,
                        double *hi) {
  (void)r;
  *lo = 0;
  *hi = RATIO_MISS * s->run->dt;
}

#define REBOUNDS(NAME, RUNS, WHERE)                                                                \
  {.name = NAME,                                                                                   \
   .runs = RUNS,                                                                                   \
   .where = {WHERE},                                                                               \
   .columns = {{"t[s]", "t"}, {"vz[m/s]", .value = vertical_speed}}},                              \
  {                                                                                                \
    .name = "ratio-" NAME, .runs = RUNS, .where = {WHERE}, .rows = IMPACTS, .keep = is_impact,     \
    .row = impact_row, .columns = {                                                                \
      {"impact[-]"},                                                                               \
      {"ratio[-]"}                                                                                 \
    }                                                                                              \
  }
#define COARSE                                                                                     \
  { "dt", "0.001" }
#define ANY                                                                                        \
  { 0 }
const struct case_table spatial_double_pendulum_elastic_tables[] = {
    REBOUNDS("event", "event", ANY), REBOUNDS("{form}", "{form}-{dt}", COARSE), {0}};

/* Those that restore Newton's restitution whatever the tangential velocity. */
const struct case_check spatial_double_pendulum_elastic_checks[] = {
    {.what = "{form}: first five impacts, largest |ratio - 0.7|, dt = {dt} s",
     .runs = "{form}-{dt}",
     .where = {{"form", "moreau lcp-st lcp-ap lcp-dca ncp mdp consistent-quaternion "
                        "consistent-quaternion-twostep consistent-twostep"}},
     .value = ratio_error,
     .bounds = a_few_steps,
     .claim = {.expected = "0", .published = "eps_N = 0.7 (bhalerao 5.2)"}},
    {0}};
