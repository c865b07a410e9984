/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * yu-8: the particle's largest error of y against dt, by every formulation that knows impacts and
 * friction (the other consistent-* schemes refuse them). The steps are t_i/(k + PHASE), so that the
 * impact falls on the same fraction of a step for all of them: what is left is the order, not the
 * luck of the phase, which alone changes errors several times.
 */
#include "cases/falling-particle/figures.h"

#include <math.h>

#define FIRST_ORDER                                                                                \
  "moreau moreau-theta lcp-st lcp-ap ccp ncp mdp consistent-twostep consistent-quaternion "        \
  "consistent-quaternion-twostep"

/* Away from 0 and 1/2, where rounding would decide in which step the impact is. */
static const double PHASE = 0.3;

static void fill_phase(const struct case_parameters *p, const struct case_place *place,
                       struct case_run *run) {
  run->dt = falling_particle_impact(p) / (case_place_real(place, "steps") + PHASE);
  run->sample = fmax(run->dt, 5e-3);
}

/* Those of order one, then the others, with whole steps before the impact: dt from 0.105 s to 1e-4
 * s in half decades. */
#define YU8_RUNS(LABEL, FORMS, OPT)                                                                \
  {                                                                                                \
    .label = LABEL "-{steps}", .formulation = "{form}", .opt = OPT,                                \
    .over = {{"form", FORMS}, {"steps", "4 14 45 143 451 1428 4515"}}, .fill = fill_phase          \
  }
const struct case_runs falling_particle_order_runs[] = {
    YU8_RUNS("{form}", FIRST_ORDER, ""),
    YU8_RUNS("penalty", "penalty", "K=1e6 substeps=1"),
    YU8_RUNS("event", "event", ""),
    {0}};

#define YU8_TABLE(NAME)                                                                            \
  {                                                                                                \
    .name = NAME, .runs = NAME "-{steps}", .along = "steps", .columns = {                          \
      {"dt[s]", "dt"},                                                                             \
      {"max|y-y_exact|[m]", .value = falling_particle_y_error},                                    \
      {"max|q-q_exact|[m]", "errors.q_linf"}                                                       \
    }                                                                                              \
  }
const struct case_table falling_particle_order_tables[] = {
    YU8_TABLE("{form}"), YU8_TABLE("penalty"), YU8_TABLE("event"), {0}};

/* What no step removes: the particle rests on the spring, m g/K below the ground. */
static double depth_at_rest(const struct case_results *r, const struct case_series *s, int k) {
  const double sink =
      case_real(r->p, "m") * case_real(r->p, "g") / case_number(s, "formulation.options.K");
  (void)k;
  return s->n > 0 && s->nq == 2 ? -s->q[2 * s->n - 1] / sink : NAN;
}

const struct case_check falling_particle_order_checks[] = {
    {.what = "{form}: order of the largest error in y",
     .runs = "{form}-{steps}",
     .value = falling_particle_y_error,
     .along = "steps",
     .claim = {FALLING_PARTICLE_ORDER_LO, FALLING_PARTICLE_ORDER_HI, .expected = "1",
               .published = "one in general, with impacts (moeller 1.3)"}},
    {.what = "{form}: order of the largest error in x and y",
     .runs = "{form}-{steps}",
     .path = "errors.q_linf",
     .along = "steps",
     .claim = {FALLING_PARTICLE_ORDER_LO, FALLING_PARTICLE_ORDER_HI, .expected = "1"}},
    {.what = "penalty: depth at rest over m g/K, shortest step",
     .runs = "penalty-4515",
     .value =
         depth_at_rest, /* the spring has been at rest for a hundred of its periods: rounding */
     .claim = {1 - 1e-6, 1 + 1e-6, .expected = "1 (static)"}},
    {.what = "event: largest error in x and y at any step [m]",
     .runs = "event-{steps}",
     .path = "errors.q_linf",
     .along = "steps",
     .reduce = CASE_WORST,
     .claim = {0, FALLING_PARTICLE_EVENT_ACCURACY, .expected = "0 (exact)"}},
    {0}};

#define YU8_PANEL(LABEL, COLUMN, KEY, TITLES)                                                      \
  {                                                                                                \
    .x = "dt [s]", .y = LABEL, .log = "xy", .x_range = {7e-5, 0.15}, .y_range = {1e-17, 10},       \
    .key = KEY, .curves = {                                                                        \
      {TITLES, "{}", 1, COLUMN, .look = "{}", .with = CASE_LINESPOINTS,                            \
       .over = FIRST_ORDER " penalty event"},                                                      \
      {NULL, .scale = 0.1, .power = 1, .look = "limit"}                                            \
    }                                                                                              \
  }
const struct case_panel falling_particle_order_panels[] = {
    YU8_PANEL("largest error of y [m]", 2, "foot", "{}"),
    YU8_PANEL("largest error of x and y [m]", 3, NULL, NULL),
    {0}};
