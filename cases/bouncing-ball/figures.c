/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bouncing-ball: a hundred bounces without loss. The energy must stay; what is left of it, and how
 * many bounces there were in the time of a hundred, for every formulation that knows contacts.
 */
#include "cases/bouncing-ball/bouncing-ball.h"

#include "cases/figure/series.h"

#include <math.h>

enum { BOUNCES = 100 };
/* Of the energy: by construction, or to its tolerance (event); Moreau's midpoint rule is exact
 * here, as gravity is constant. */
#define CONSERVING                                                                                 \
  "moreau consistent-onestep consistent-twostep consistent-quaternion "                            \
  "consistent-quaternion-twostep"
#define OTHERS "lcp-st lcp-ap lcp-dca ccp ncp mdp penalty"
#define CONSERVED 1e-11 /* of E0 (catalogue) */
/* A contact found a step late, of 1/180 of a period, in every bounce: less than one in 100. */
#define LATE 1

static void until_the_last(const struct case_parameters *p, const struct case_place *place,
                           struct case_run *run) {
  (void)place;
  run->t_end = BOUNCES * bouncing_ball_period(p);
}

static const struct case_runs bounce_runs[] = {
    {.label = "{form}",
     .formulation = "{form}",
     .set = "eps=1",
     .dt = "{dt}",
     .sample = "0.05",
     .over = {{"form/dt", "moreau/5e-3 lcp-st/5e-3 lcp-ap/5e-3 lcp-dca/5e-3 ccp/5e-3 ncp/5e-3 "
                          "mdp/5e-3 penalty/5e-4 consistent-onestep/5e-3 consistent-twostep/5e-3 "
                          "consistent-quaternion/5e-3 consistent-quaternion-twostep/5e-3 "
                          "event/5e-3"}},
     .fill = until_the_last},
    {0}};

static double initial_energy(const struct case_results *r) {
  return case_real(r->p, "m") * case_real(r->p, "g") * case_real(r->p, "h0");
}

/* Gained by sample k, over m g h0. */
static double gain(const struct case_results *r, const struct case_series *s, int k) {
  return (s->energy[k] - s->energy[0]) / initial_energy(r);
}

static double gain_at_the_end(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return s->n > 0 ? gain(r, s, s->n - 1) : NAN;
}

static double largest_change(const struct case_results *r, const struct case_series *s, int k) {
  double change = 0;
  for (k = 0; k < s->n; ++k) {
    change = case_worst(change, fabs(gain(r, s, k)));
  }
  return change;
}

static double drift(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_number(s, "energy.max_numerical_drift") / initial_energy(r);
}

/* Of period k of the reference: its number, and the largest gain. */
static void largest_gain(const struct case_results *r, const struct case_series *s, int k,
                         double *out) {
  out[0] = k;
  out[1] = -HUGE_VAL;
  for (int j = 0; j < s->n; ++j) {
    if ((int)fmin(s->t[j] / bouncing_ball_period(r->p), BOUNCES - 1) == k) {
      out[1] = fmax(out[1], gain(r, s, j));
    }
  }
}

static const struct case_table bounce_tables[] = {
    {.name = "{form}",
     .runs = "{form}",
     .rows = BOUNCES,
     .row = largest_gain,
     .columns = {{"period"}, {"largest(E-E0)/E0"}}},
    {.name = "table",
     .runs = "{form}",
     .along = "form",
     .columns = {{"formulation", "{#form}"},
                 {"change-at-the-end", .value = gain_at_the_end},
                 {"drift", .value = drift},
                 {"bounces", "contacts.onsets"},
                 {"error[m]", "errors.q_linf"}}},
    {0}};

#define CHANGE                                                                                     \
  .what = "{form}: largest change of the energy over m g h0 in 100 bounces", .runs = "{form}",     \
  .value = largest_change
#define COUNT                                                                                      \
  .what = "{form}: bounces in the time of 100", .runs = "{form}", .path = "contacts.onsets"
static const struct case_check bounce_checks[] = {
    {CHANGE, .where = {{"form", CONSERVING " event"}},
     .claim = {0, CONSERVED, .expected = "0",
               .published = "preserved for elastic contacts (moeller 5.100, 5.115, 5.156), by "
                            "Moreau's rule for constant mass and forces (moeller 7)"}},
    {CHANGE, .where = {{"form", OTHERS}}, .report = 1},
    {.what = "{form}: gain (> 0) or loss at the end over m g h0",
     .runs = "{form}",
     .value = gain_at_the_end,
     .report = 1},
    {COUNT, .where = {{"form", CONSERVING}},
     .claim = {BOUNCES - LATE, BOUNCES + LATE, .expected = "100"}},
    {COUNT, .where = {{"form", "event"}}, .claim = {BOUNCES, BOUNCES, .expected = "100"}},
    {COUNT, .where = {{"form", OTHERS}}, .report = 1},
    {0}};

/* Largest energy in every period, of the schemes that do not keep it, and event; largest change of
 * all, with the number of bounces above. */
static const struct case_panel bounce_panels[] = {
    {.x = "t/T, bounces of the reference",
     .y = "(E - E_0)/E_0 [-]",
     .x_range = {0, 100},
     .y_range = {-0.13, 0.04},
     .key = "foot",
     .curves = {{"{}", "{}", 1, 2, .look = "{}", .over = "lcp-ap ncp penalty event"}}},
    {.y = "drift/E_0 [-], bounces above",
     .names = "moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-onestep "
              "consistent-twostep consistent-quaternion consistent-quaternion-twostep event",
     .log = "y",
     .y_range = {1e-17, 10},
     .least = 2e-17,
     .curves = {{NULL, "table", 1, 3, .look = "#909090", .with = CASE_BARS, .note = 4},
                {NULL, .scale = 1e-11, .look = "limit", .width = 1.2}}},
    {0}};

const struct case_figure bouncing_ball_figures[] = {
    {.id = "bouncing-ball",
     .title = "A hundred bounces without loss",
     .caption =
         "After a hundred bounces with eps = 1 moreau ({moreau: largest change}), the consistent "
         "schemes and event ({event: largest change} of m g h0) still have all of the energy. The "
         "schemes at gap and velocity level are off by up to {ncp: largest change}, the bounded "
         "swing of semi-implicit Euler, m g dt v/2, which does not grow (lcp-st, lcp-dca, ccp and "
         "mdp lie on ncp); penalty wanders by up to {penalty: largest change}.",
     .runs = bounce_runs,
     .tables = bounce_tables,
     .checks = bounce_checks,
     .panels = bounce_panels},
    {.id = NULL}};
