/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * diagonal-push: the box pushed just above mu m g along x, y, the diagonal, and for each polygon in
 * the direction it serves worst: at the angle asin(sin(pi/n)/push) from the normal of an edge, a
 * little less, it slides along that normal. Directions of the LCP formulations against those of
 * the polygon (pushed-box.c), which falls as 1/n; all others must go where they are pushed. One
 * does not, on four feet: mdp, whose friction forces at redundant contacts need not be parallel.
 */
#include "cases/pushed-box/pushed-box.h"

#include "base/status.h"
#include "cases/body_kit.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int facets[] = {3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
static const char *const polygons[] = {"lcp-st", "lcp-ap", "lcp-dca"};
enum { FACETS = (int)(sizeof facets / sizeof *facets), POLYGONS = 3, PUSHES = 4 };
enum { POLYGON_RUNS = POLYGONS * FACETS * PUSHES, CONES = 9, RUNS = POLYGON_RUNS + CONES * PUSHES };
/* The others; the two-step scheme takes the scalable body. */
static const struct body_form cones[CONES] = {{"moreau", "quaternion"},
                                              {"ccp", "quaternion"},
                                              {"ncp", "quaternion"},
                                              {"mdp", "quaternion"},
                                              {"penalty", "quaternion"},
                                              {"consistent-twostep", "scalable"},
                                              {"consistent-quaternion", "quaternion"},
                                              {"consistent-quaternion-twostep", "quaternion"},
                                              {"event", "quaternion"}};
static const double PENALTY_STEP = 1e-5; /* [s] */
static const double INSIDE = 0.999;      /* of the angle at which the polygon's edge gives way */
static const double OTHER = 0.3;         /* [rad], the fourth direction of the cone laws */
/* Velocities are known to 1e-13 of g dt a step, and are 1e-2 of it. */
static const double DIRECTION = 1e-8; /* [rad] */
static const double ORDER_MISS = 0.05;

static double worst_angle(int n, double push) {
  return INSIDE * asin(fmin(1, sin(M_PI / n) / push)) + pushed_box_normal(n);
}

static double angle_of(int push, int n, double factor) {
  static const double named[] = {0, 0.5 * M_PI, 0.25 * M_PI};
  return push < 3 ? named[push] : n > 0 ? worst_angle(n, factor) : OTHER;
}

static void fill_polygon(const struct case_parameters *p, const struct case_place *place,
                         struct case_run *run) {
  const double angle =
      angle_of(place->at[2], (int)case_place_real(place, "n_dir"), case_real(p, "push"));
  snprintf(run->set, sizeof run->set, "angle=%.17g", angle);
}

static void fill_cone(const struct case_parameters *p, const struct case_place *place,
                      struct case_run *run) {
  const struct body_form *form = &cones[place->at[0]];
  const int soft = strcmp(form->name, "penalty") == 0, event = strcmp(form->name, "event") == 0;
  snprintf(run->label, sizeof run->label, "%s-%s-%d", form->name, form->body, place->at[1]);
  snprintf(run->formulation, sizeof run->formulation, "%s", form->name);
  snprintf(run->set, sizeof run->set, "angle=%.17g body=%s",
           angle_of(place->at[1], 0, case_real(p, "push")), form->body);
  snprintf(run->opt, sizeof run->opt, "%s", soft || event ? "" : "tol=1e-13 max_iter=100000");
  run->dt = soft ? PENALTY_STEP : run->dt;
}

const struct case_runs diagonal_push_runs[] = {
    {.label = "{form}-{n_dir}-{#push}",
     .formulation = "{form}",
     .opt = "n_dir={n_dir}",
     .dt = "1e-3",
     .t_end = "0.02",
     .over = {{"form", "lcp-st lcp-ap lcp-dca"},
              {"n_dir", "3 4 6 8 12 16 24 32 48 64"},
              {.names = "push", .count = PUSHES}},
     .fill = fill_polygon},
    {.label = "",
     .dt = "1e-3",
     .t_end = "0.02",
     .over = {{.names = "cone", .count = CONES}, {.names = "push", .count = PUSHES}},
     .fill = fill_cone},
    {0}};

/* Angle between the velocity at the end and a direction; NaN for a box at rest. */
static double off_direction(const struct case_series *s, double angle) {
  const double vx = body_final(s, "u", 0), vy = body_final(s, "u", 1);
  return body_ran(s) && hypot(vx, vy) > 0 ? fabs(remainder(atan2(vy, vx) - angle, 2 * M_PI)) : NAN;
}

static int make_polygons(const struct case_parameters *p, const struct case_series *series,
                         struct case_plot *plot) {
  const double factor = case_real(p, "push");
  for (int form = 0; form < POLYGONS; ++form) {
    double rows[FACETS][6], inverse[FACETS], worst[FACETS], off = 0;
    char what[CASE_TEXT];
    for (int k = 0; k < FACETS; ++k) {
      const int n = facets[k];
      rows[k][0] = n;
      rows[k][5] = INSIDE * asin(fmin(1, sin(M_PI / n) / factor));
      for (int push = 0; push < PUSHES; ++push) {
        const struct case_series *s = &series[(form * FACETS + k) * PUSHES + push];
        const double angle = angle_of(push, n, factor);
        rows[k][1 + push] = off_direction(s, angle);
        off = case_worst(off, off_direction(s, pushed_box_polygon(n, factor, angle)));
      }
      inverse[k] = 1.0 / n;
      worst[k] = rows[k][PUSHES];
    }
    case_plot_table(plot, polygons[form],
                    "n_dir x[rad] y[rad] diagonal[rad] worst[rad] expected[rad]", FACETS, 6,
                    rows[0]);
    snprintf(what, sizeof what, "%s: direction against the polygon's, 3 to 64 facets [rad]",
             polygons[form]);
    case_plot_check(plot, what, off, (struct case_claim){0, DIRECTION, .expected = "0"});
    snprintf(what, sizeof what, "%s: order in 1/n_dir of the worst direction's error, from 8 on",
             polygons[form]);
    case_plot_check(plot, what, case_order(FACETS - 3, inverse + 3, worst + 3, FACETS - 3),
                    (struct case_claim){1 - ORDER_MISS, 1 + ORDER_MISS, .expected = "1, pi/n"});
  }
  return BASE_OK;
}

int diagonal_push_make(const struct case_parameters *p, const struct case_series *series, int n,
                       struct case_plot *plot) {
  if (n != RUNS) {
    return base_fail(BASE_FAILED, "diagonal-push: %d runs of %d", n, RUNS);
  }
  double rows[CONES][PUSHES + 1];
  for (int i = 0; i < CONES; ++i) {
    double off = 0;
    char what[CASE_TEXT];
    rows[i][0] = i;
    for (int push = 0; push < PUSHES; ++push) {
      rows[i][1 + push] =
          off_direction(&series[POLYGON_RUNS + i * PUSHES + push], angle_of(push, 0, 0));
      off = case_worst(off, rows[i][1 + push]);
    }
    snprintf(what, sizeof what, "%s (%s): direction along x, y, the diagonal and %g rad [rad]",
             cones[i].name, cones[i].body, OTHER);
    if (strcmp(cones[i].name, "mdp") == 0) {
      case_plot_report(plot, what, off, "its friction forces need not be parallel");
    } else {
      case_plot_check(plot, what, off, (struct case_claim){0, DIRECTION, .expected = "0"});
    }
  }
  case_plot_table(plot, "cones", "formulation x[rad] y[rad] diagonal[rad] other[rad]", CONES,
                  PUSHES + 1, rows[0]);
  return make_polygons(p, series, plot);
}
