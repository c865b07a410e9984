/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * diagonal-push: the box pushed just above mu m g along x, y, the diagonal, and for each polygon in
 * the direction it serves worst: at the angle asin(sin(pi/n)/push) from the normal of an edge, a
 * little less, it slides along that normal. Directions of the LCP formulations against those of
 * the polygon (pushed-box.c), which falls as 1/n; all others must go where they are pushed. One
 * does not, on four feet: mdp, whose friction forces at redundant contacts need not be parallel.
 */
#include "cases/pushed-box/pushed-box.h"

#include "cases/body_kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double INSIDE = 0.999; /* of the angle at which the polygon's edge gives way */
/* Velocities are known to 1e-13 of g dt a step, and are 1e-2 of it. */
#define DIRECTION 1e-8 /* [rad] */
#define ORDER_MISS 0.05

#define FACETS "3 4 6 8 12 16 24 32 48 64"
#define FROM_8 "8 12 16 24 32 48 64"
/* 0, pi/2, pi/4. */
#define ALONG "x/0 y/1.5707963267948966 diagonal/0.78539816339744828"
/* The others; the two-step scheme takes the scalable body. */
#define CONES                                                                                      \
  "moreau/quaternion/1e-3/tol=1e-13/max_iter=100000 "                                              \
  "ccp/quaternion/1e-3/tol=1e-13/max_iter=100000 "                                                 \
  "ncp/quaternion/1e-3/tol=1e-13/max_iter=100000 "                                                 \
  "mdp/quaternion/1e-3/tol=1e-13/max_iter=100000 "                                                 \
  "penalty/quaternion/1e-5/K=1e6 "                                                                 \
  "consistent-twostep/scalable/1e-3/tol=1e-13/max_iter=100000 "                                    \
  "consistent-quaternion/quaternion/1e-3/tol=1e-13/max_iter=100000 "                               \
  "consistent-quaternion-twostep/quaternion/1e-3/tol=1e-13/max_iter=100000 "                       \
  "event/quaternion/1e-3"

/* From the normal of an edge, the worst push of a polygon of n facets [rad]. */
static double worst_of(const struct case_parameters *p, double n) {
  return INSIDE * asin(fmin(1, sin(M_PI / n) / case_real(p, "push")));
}

static void fill_worst(const struct case_parameters *p, const struct case_place *place,
                       struct case_run *run) {
  const double n = case_place_real(place, "n_dir");
  char push[CASE_TEXT];
  case_place_text(place, "push", push);
  if (strcmp(push, "worst") == 0) {
    snprintf(run->set, sizeof run->set, "angle=%.17g", worst_of(p, n) + pushed_box_normal((int)n));
  }
}

const struct case_runs diagonal_push_runs[] = {
    {.label = "{form}-{n_dir}-{#push}",
     .formulation = "{form}",
     .set = "angle={angle}",
     .opt = "n_dir={n_dir}",
     .dt = "1e-3",
     .t_end = "0.02",
     .over = {{"form", "lcp-st lcp-ap lcp-dca"}, {"n_dir", FACETS}, {"push/angle", ALONG " worst"}},
     .fill = fill_worst},
    {.label = "{form}-{body}-{#push}",
     .formulation = "{form}",
     .set = "angle={angle} body={body}",
     .opt = "{tol} {iterations}",
     .dt = "{dt}",
     .t_end = "0.02",
     .over = {{"form/body/dt/tol/iterations", CONES}, {"push/angle", ALONG " other/0.3"}}},
    {0}};

/* Angle between the velocity at the end and a direction; NaN for a box at rest. */
static double off(const struct case_series *s, double angle) {
  const double vx = body_final(s, "u", 0), vy = body_final(s, "u", 1);
  return hypot(vx, vy) > 0 ? fabs(remainder(atan2(vy, vx) - angle, 2 * M_PI)) : NAN;
}

static double off_push(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return off(s, case_number(s, "case.parameters.angle"));
}

static double off_polygon(const struct case_results *r, const struct case_series *s, int k) {
  const double angle = case_number(s, "case.parameters.angle");
  (void)k;
  return off(s, pushed_box_polygon((int)case_word(r, s, "n_dir"), case_real(r->p, "push"), angle));
}

static double expected(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return worst_of(r->p, case_word(r, s, "n_dir"));
}

#define OFF(TITLE, LABEL)                                                                          \
  { TITLE "[rad]", .value = off_push, .of = LABEL }
#define POLYGON "{form}-{n_dir}-"
#define CONE "{form}-{body}-"
const struct case_table diagonal_push_tables[] = {
    {.name = "{form}",
     .runs = POLYGON "{#push}",
     .where = {{"push", "x"}},
     .along = "n_dir",
     .columns = {{"n_dir", "{n_dir}"},
                 OFF("x", POLYGON "0"),
                 OFF("y", POLYGON "1"),
                 OFF("diagonal", POLYGON "2"),
                 OFF("worst", POLYGON "3"),
                 {"expected[rad]", .value = expected}}},
    {.name = "cones",
     .runs = CONE "{#push}",
     .where = {{"push", "x"}},
     .along = "form",
     .columns = {{"formulation", "{#form}"},
                 OFF("x", CONE "0"),
                 OFF("y", CONE "1"),
                 OFF("diagonal", CONE "2"),
                 OFF("other", CONE "3")}},
    {0}};

#define OF_CONES                                                                                   \
  .what = "{form} ({body}): direction along x, y, the diagonal and 0.3 rad [rad]",                 \
  .runs = CONE "{#push}", .value = off_push, .along = "push", .reduce = CASE_WORST
const struct case_check diagonal_push_checks[] = {
    {OF_CONES,
     .where = {{"form", "moreau ccp ncp penalty consistent-twostep consistent-quaternion "
                        "consistent-quaternion-twostep event"}},
     .claim = {0, DIRECTION, .expected = "0"}},
    {OF_CONES, .where = {{"form", "mdp"}}, .report = 1,
     .claim = {.expected = "its friction forces need not be parallel"}},
    {.what = "{form}: direction against the polygon's, 3 to 64 facets [rad]",
     .runs = POLYGON "{#push}",
     .value = off_polygon,
     .along = "n_dir push",
     .reduce = CASE_WORST,
     .claim = {0, DIRECTION, .expected = "0"}},
    {.what = "{form}: order in 1/n_dir of the worst direction's error, from 8 on",
     .runs = POLYGON "{#push}",
     .where = {{"push", "worst"}, {"n_dir", FROM_8}},
     .value = off_push,
     .along = "n_dir",
     .by = "{n_dir}",
     .scale = -1,
     .claim = {1 - ORDER_MISS, 1 + ORDER_MISS, .expected = "1, pi/n"}},
    {0}};

#define DEGREES (180 / M_PI)
const struct case_panel diagonal_push_panels[] = {
    {.x = "facets of the cone, n_{dir}",
     .y = "error of the direction [deg]",
     .log = "xy",
     .x_range = {2.7, 72},
     .y_range = {1, 100},
     .key = "foot",
     .curves = {{"polygon, worst push, π/n", "lcp-st", 1, 6, DEGREES, "reference", 4},
                {"{}, worst push", "{}", 1, 5, DEGREES, "{}", .with = CASE_POINTS,
                 .over = "lcp-st lcp-ap lcp-dca"},
                {"pushed along y", "lcp-st", 1, 3, DEGREES, "#909090", .with = CASE_POINTS},
                {"along the diagonal", "lcp-st", 1, 4, DEGREES, "mark", .with = CASE_POINTS}}},
    {.y = "error of the direction [rad]",
     .names = "moreau ccp ncp mdp penalty consistent-twostep consistent-quaternion "
              "consistent-quaternion-twostep event",
     .log = "y",
     .y_range = {1e-17, 1},
     .least = 1e-17,
     .key = "right center",
     .curves = {{"along x", "cones", 1, 2, .look = "#202020", .with = CASE_POINTS},
                {"along y", "cones", 1, 3, .look = "#909090", .with = CASE_POINTS},
                {"along the diagonal", "cones", 1, 4, .look = "mark", .with = CASE_POINTS},
                {"along 0.3 rad", "cones", 1, 5, .look = "#606060", .with = CASE_POINTS}}},
    {0}};
