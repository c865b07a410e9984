/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stiction-threshold: the smallest push that moves the box, between decades of pushes on either
 * side of what is expected: limit (1 -+ 10^-k). The limit is mu m g, and for a polyhedral cone
 * pushed along the normal of an edge cos(pi/n) times that (pushed-box.c). The box moves when its
 * speed rises from the middle of the horizon to the end by more than MOVES of what mu g gives in
 * that time; a push of limit (1 + 10^-k) gives it 10^-k. (A speed alone is none:
 * consistent-quaternion holds the mean of the velocities before and after a step, and keeps half a
 * step of the push.)
 *
 * Near the limit sweeps need thousands of iterations; Newton's method and the interior point do
 * not. The two-step scheme with quaternions and event-driven integration get the box of the plane:
 * with four feet the first finds contacts that cannot move, and the second follows the direction of
 * sliding in steps as short as the push is near the limit.
 *
 * Penalty forces have no sharp limit: regularised friction creeps under any push, and springs that
 * are pushed all of a sudden swing. Nor has mdp on redundant contacts: their friction forces need
 * not be parallel, and what is across the push is lost. What they do is in the figure.
 */
#include "cases/pushed-box/pushed-box.h"

#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

enum { DECADES = 7, PUSHES = 2 * DECADES };
/* n_dir: pushed along the normal of an edge of this polygon; none: along x. */
#define SUBJECTS                                                                                   \
  "moreau/moreau/prox/quaternion/1e-3/tol=1e-13 "                                                  \
  "lcp-st/lcp-st//quaternion/1e-3 "                                                                \
  "lcp-ap/lcp-ap//quaternion/1e-3 "                                                                \
  "lcp-dca/lcp-dca//quaternion/1e-3 "                                                              \
  "lcp-st-edge/lcp-st//quaternion/1e-3/n_dir=8/8 "                                                 \
  "ccp/ccp/ipm/quaternion/1e-3/tol=1e-12 "                                                         \
  "ncp/ncp/prox/quaternion/1e-3/tol=1e-13 "                                                        \
  "mdp/mdp//quaternion/1e-3/tol=1e-13 "                                                            \
  "penalty/penalty//quaternion/1e-4 "                                                              \
  "penalty-spring/penalty//quaternion/1e-4/tangential=spring "                                     \
  "consistent-twostep/consistent-twostep/prox/planar/1e-3/tol=1e-13 "                              \
  "consistent-quaternion/consistent-quaternion/prox/quaternion/1e-3/tol=1e-13 "                    \
  "consistent-quaternion-twostep/consistent-quaternion-twostep/prox/planar/1e-3/tol=1e-13 "        \
  "event/event//planar/1e-3"
/* The push over the limit, less one; pushes ascend. */
#define EXCESSES                                                                                   \
  "00/-1e-1 01/-1e-2 02/-1e-3 03/-1e-4 04/-1e-5 05/-1e-6 06/-1e-7 "                                \
  "07/1e-7 08/1e-6 09/1e-5 10/1e-4 11/1e-3 12/1e-2 13/1e-1"
#define VERTEX                                                                                     \
  "moreau lcp-st lcp-ap lcp-dca ccp ncp consistent-twostep consistent-quaternion "                 \
  "consistent-quaternion-twostep event"
#define EDGE_LIMIT 0.92387953251128674 /* cos(pi/8) */
static const double END = 0.02;        /* [s] */
static const double MOVES = 2e-8;      /* of mu g t, t half the horizon */
#define SHARP 1e-6                     /* of mu m g (catalogue) */

static double limit_of(double n_dir) { return n_dir > 0 ? cos(M_PI / n_dir) : 1; }

static void fill_push(const struct case_parameters *p, const struct case_place *place,
                      struct case_run *run) {
  const double n = case_place_real(place, "n_dir"), excess = case_place_real(place, "excess");
  char body[CASE_TEXT];
  (void)p;
  case_place_text(place, "body", body);
  snprintf(run->set, sizeof run->set, "push=%.17g angle=%.17g body=%.20s",
           limit_of(n) * (1 + excess), n > 0 ? M_PI / n : 0, body);
}

#define RUNS "{subject}-{no}"
const struct case_runs stiction_runs[] = {
    {.label = RUNS,
     .formulation = "{form}",
     .solver = "{solver}",
     .opt = "{opt}",
     .dt = "{dt}",
     .t_end = "0.02",
     .sample = "0.01",
     .over = {{"subject/form/solver/body/dt/opt/n_dir", SUBJECTS}, {"no/excess", EXCESSES}},
     .fill = fill_push},
    {0}};

/* How much faster the box is at the end than half-way, over mu g t. */
static double rise(const struct case_results *r, const struct case_series *s, int k) {
  const double unit = 0.5 * END * case_real(r->p, "mu") * case_real(r->p, "g");
  (void)k;
  if (!case_series_ended(s) || s->n != 3) {
    return NAN;
  }
  const double *half = s->u + s->nu, *end = half + s->nu;
  const double y = s->nu > 3 ? 1 : 0; /* in the plane the second component is up */
  return (hypot(end[0], y * end[1]) - hypot(half[0], y * half[1])) / unit;
}

/* Of all pushes of a subject, of which this run is the first: the smallest that moves the box;
 * NaN where one has no rise. */
static double moves(const struct case_results *r, const struct case_series *s, int k) {
  double smallest = INFINITY;
  for (k = PUSHES - 1; k >= 0; --k) {
    const double risen = rise(r, s + k, -1);
    if (isnan(risen)) {
      return NAN;
    }
    smallest = risen > MOVES ? case_number(s + k, "case.parameters.push") : smallest;
  }
  return smallest;
}

/* The largest push below that. */
static double stays(const struct case_results *r, const struct case_series *s, int k) {
  const double smallest = moves(r, s, -1);
  double largest = 0;
  for (k = 0; k < PUSHES; ++k) {
    const double push = case_number(s + k, "case.parameters.push");
    largest = push < smallest ? push : largest;
  }
  return isnan(smallest) ? NAN : largest;
}

static double limit(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return limit_of(case_word(r, s, "n_dir"));
}

const struct case_table stiction_tables[] = {
    {.name = "{subject}",
     .runs = RUNS,
     .along = "no",
     .columns = {{"push/limit-1", "{excess}"}, {"rise/(mu*g*t)", .value = rise}}},
    {.name = "threshold",
     .runs = RUNS,
     .where = {{"no", "00"}},
     .along = "subject",
     .columns = {{"subject", "{#subject}"},
                 {"expected", .value = limit},
                 {"stays", .value = stays},
                 {"moves", .value = moves}}},
    {0}};

#define STAYS                                                                                      \
  .what = "{subject}: largest push that leaves the box at rest, over mu m g", .runs = RUNS,        \
  .value = stays
#define GOES                                                                                       \
  .what = "{subject}: smallest push that moves it, over mu m g", .runs = RUNS, .value = moves
#define OF(LIST)                                                                                   \
  {                                                                                                \
    {"no", "00"}, { "subject", LIST }                                                              \
  }
#define SOFT                                                                                       \
  .where = OF("mdp penalty penalty-spring"), .report = 1,                                          \
  .claim = {.expected = "it has no sharp limit"}
const struct case_check stiction_checks[] = {
    {STAYS, .where = OF(VERTEX), .claim = {1 - SHARP, 1, .expected = "1"}},
    {GOES, .where = OF(VERTEX), .claim = {1, 1 + SHARP, .expected = "1"}},
    {STAYS, .where = OF("lcp-st-edge"),
     .claim = {EDGE_LIMIT - SHARP, EDGE_LIMIT, .expected = "cos(pi/8)"}},
    {GOES, .where = OF("lcp-st-edge"),
     .claim = {EDGE_LIMIT, EDGE_LIMIT + SHARP, .expected = "cos(pi/8)"}},
    {STAYS, SOFT},
    {GOES, SOFT},
    {0}};

/* Pushes below the limit to the left, whose distance from it is drawn, and above it to the right.
 */
#define SIDE(LABEL, Y, KEY)                                                                        \
  .x = LABEL, .y = Y, .log = "xy", .x_range = {3e-8, 0.3}, .y_range = {3e-18, 1}, .least = 1e-17,  \
  .key = KEY
#define SUBJECT(SIGN)                                                                              \
  {"{}",                                                                                           \
   "{}",                                                                                           \
   1,                                                                                              \
   2,                                                                                              \
   .look = "{}",                                                                                   \
   .with = CASE_LINESPOINTS,                                                                       \
   .x_scale = SIGN,                                                                                \
   .over = "moreau lcp-st lcp-ap lcp-dca ccp ncp consistent-twostep consistent-quaternion "        \
           "consistent-quaternion-twostep event mdp penalty"},                                     \
      {"penalty, tangential=spring", "penalty-spring", 1, 2, .look = "red",                        \
       .with = CASE_LINESPOINTS,     .x_scale = SIGN},                                             \
  {                                                                                                \
    "lcp-st, n_{dir}=8, edge", "lcp-st-edge", 1, 2, .look = "brown", .with = CASE_LINESPOINTS,     \
                                                    .x_scale = SIGN                                \
  }
const struct case_panel stiction_panels[] = {
    {SIDE("1 - P/limit [-]", "rise of the speed/(μ g t) [-]", NULL), .curves = {SUBJECT(-1)}},
    {SIDE("P/limit - 1 [-]", NULL, "foot"),
     .curves = {SUBJECT(1),
                {"closed form", .scale = 1, .power = 1, .look = "reference", .width = 5}}},
    {0}};
