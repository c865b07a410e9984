/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the tippe top's motion (moeller 6.5).
 *
 *   moeller-6.24  a sequence of attitudes
 *   moeller-6.25  gap functions at dt = 1e-3 s: the drift of the midpoint rule and of the one-step
 *                 quaternion scheme, and the two-step scheme, which has none
 *
 * The inclination is phi = acos(n . R n) = acos(a_0^2 + a_3^2 - a_1^2 - a_2^2), the gaps (6.59).
 */
#include "cases/tippe-top/tippe-top.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NQ = 7 };

static double cosine(const double *q) {
  const double c = q[3] * q[3] + q[6] * q[6] - q[4] * q[4] - q[5] * q[5];
  return isnan(c) ? NAN : fmax(-1, fmin(1, c));
}

double tippe_top_inclination(const struct case_series *s, int k) {
  return acos(cosine(s->q + (size_t)NQ * (size_t)k));
}

/* ---- moeller-6.24 ---- */

static const double attitude_times[] = {0, 0.5, 0.8, 1, 1.2, 1.4, 2, 4.4, 8}; /* [s] */
enum { ATTITUDES = sizeof attitude_times / sizeof *attitude_times, OUTLINE = 96 };
static const double SPACING = 0.045; /* of the outlines [m] */

static const struct case_runs fig624_runs[] = {{.label = "E",
                                                .formulation = "moreau",
                                                .set = "friction_set=E",
                                                .dt = "1e-4",
                                                .sample = "1e-2"},
                                               {0}};

static int sample_at(const struct case_series *s, double t) {
  int nearest = 0;
  for (int k = 0; k < s->n; ++k) {
    if (fabs(s->t[k] - t) < fabs(s->t[nearest] - t)) {
      nearest = k;
    }
  }
  return nearest;
}

/* Outlines of both spheres in the vertical plane of the axis, beside the i-th place. */
static void write_outlines(const struct case_parameters *p, const double *q, int i,
                           struct case_plot *plot) {
  static const char *const c_keys[] = {"c1", "c2"}, *const r_keys[] = {"r1", "r2"};
  const double c_phi = cosine(q), s_phi = sqrt(1 - c_phi * c_phi);
  for (int sphere = 0; sphere < 2; ++sphere) {
    const double c = case_real(p, c_keys[sphere]), r = case_real(p, r_keys[sphere]);
    double rows[OUTLINE + 1][2];
    for (int k = 0; k <= OUTLINE; ++k) {
      rows[k][0] = 1e3 * (SPACING * i + c * s_phi + r * cos(2 * M_PI * k / OUTLINE));
      rows[k][1] = 1e3 * (q[2] + c * c_phi + r * sin(2 * M_PI * k / OUTLINE));
    }
    case_plot_table(plot, sphere == 0 ? "main" : "handle", "x[mm] z[mm]", OUTLINE + 1, 2, rows[0]);
  }
}

static int fig624_make(const struct case_parameters *p, const struct case_series *series, int n,
                       struct case_plot *plot) {
  const struct case_series *s = case_series_ok(series, n, "E", NQ);
  if (s == NULL) {
    return BASE_FAILED;
  }
  double centres[ATTITUDES][5], highest = 0;
  for (int i = 0; i < ATTITUDES; ++i) {
    const int k = sample_at(s, attitude_times[i]);
    const double *q = s->q + (size_t)NQ * (size_t)k;
    const double phi = tippe_top_inclination(s, k);
    const double centre[5] = {1e3 * SPACING * i, 1e3 * q[2], s->t[k], phi, 8 * sin(phi)};
    memcpy(centres[i], centre, sizeof centre);
    write_outlines(p, q, i, plot);
  }
  case_plot_table(plot, "centres", "x[mm] z[mm] t[s] phi[rad] axis[mm]", ATTITUDES, 5, centres[0]);
  for (int k = 0; k < s->n; ++k) {
    highest = fmax(highest, s->q[(size_t)NQ * (size_t)k + 2]);
  }
  const double standing = case_real(p, "c2") + case_real(p, "r2");
  case_plot_check(plot,
                  "greatest height of the centre of mass over c2 + r2, standing on the handle",
                  highest / standing, (struct case_claim){0.99, 1.001, .expected = "1"});
  case_plot_check(plot, "rise of the centre of mass from the start [mm]", 1e3 * (highest - s->q[2]),
                  (struct case_claim){.lo = 8.5, .hi = 9.5});
  return BASE_OK;
}

/* ---- moeller-6.25 ---- */

static const struct case_runs fig625_runs[] = {
    {.label = "moreau-{dt}",
     .formulation = "moreau",
     .set = "friction_set=E",
     .dt = "{dt}",
     .sample = "{sample}",
     .over = {{"dt/sample", "0.001/1e-3 0.0005/1e-2 0.0002/1e-2 0.0001/1e-2"}}},
    {.label = "{label}",
     .formulation = "{form}",
     .set = "friction_set=E",
     .opt = "W=discrete", /* as in (6.69) */
     .dt = "1e-3",
     .sample = "1e-3", /* every step */
     .over = {{"label/form",
               "onestep/consistent-quaternion twostep/consistent-quaternion-twostep"}}},
    {.label = "onestep-half",
     .formulation = "consistent-quaternion",
     .set = "friction_set=E",
     .opt = "W=discrete",
     .dt = "5e-4"},
    {.label = "elastic-{W}",
     .formulation = "consistent-quaternion",
     .set = "friction_set=E eps_N=1",
     .opt = "W={W}",
     .dt = "1e-3",
     .sample = "1e-3",
     .over = {{"W", "discrete partial"}}},
    {.label = "partial",
     .formulation = "consistent-quaternion-twostep",
     .set = "friction_set=E",
     .opt = "W=partial",
     .dt = "1e-3",
     .sample = "1e-3"},
    {.label = "shifted",
     .formulation = "moreau",
     .set = "friction_set=E shift=yes",
     .dt = "1e-3",
     .sample = "1e-3"},
    {0}};

static double gap(const struct case_parameters *p, const double *q, int sphere) {
  return sphere == 0 ? q[2] + case_real(p, "c1") * cosine(q) - case_real(p, "r1")
                     : q[2] + case_real(p, "c2") * cosine(q) - case_real(p, "r2");
}

/* [mm] */
static double gap_main(const struct case_results *r, const struct case_series *s, int k) {
  return 1e3 * gap(r->p, s->q + (size_t)NQ * (size_t)k, 0);
}

static double gap_handle(const struct case_results *r, const struct case_series *s, int k) {
  return 1e3 * gap(r->p, s->q + (size_t)NQ * (size_t)k, 1);
}

/* What closed gaps lost, the larger sum over all steps of the two [m]. */
double tippe_top_closed_loss(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (int sphere = 0; sphere < 2; ++sphere) {
    double sum = 0;
    for (k = 0; k + 1 < s->n; ++k) {
      const double *q = s->q + (size_t)NQ * (size_t)k, before = gap(r->p, q, sphere);
      const double loss = before - gap(r->p, q + NQ, sphere);
      sum += before > 0 || loss <= 0 ? 0 : loss; /* NaN remains one */
    }
    worst = case_worst(worst, sum);
  }
  return worst;
}

#define GAPS(NAME, RUNS)                                                                           \
  {                                                                                                \
    .name = NAME, .runs = RUNS, .columns = {                                                       \
      {"t[s]", "t"},                                                                               \
      {"g_N1[mm]", .value = gap_main},                                                             \
      {"g_N2[mm]", .value = gap_handle}                                                            \
    }                                                                                              \
  }
static const struct case_table fig625_tables[] = {
    GAPS("moreau", "moreau-0.001"),
    {.name = "drift",
     .runs = "moreau-{dt}",
     .along = "dt",
     .columns = {{"dt[s]", "dt"}, {"penetration[m]", "constraints.penetration_max"}}},
    GAPS("{label}", "{label}"),
    {0}};

/* What closed gaps may lose by rounding in 8000 steps (catalogue) [m]. */
#define NO_LOSS 1e-12
static const struct case_check fig625_checks[] = {
    {.what = "penetration of the midpoint rule at dt = 1e-3 s [mm]",
     .runs = "moreau-0.001",
     .path = "constraints.penetration_max",
     .scale = 1e3,
     .claim = {1, 4, .published = "drifts (moeller 6.5, fig. 6.25)"}},
    {.what = "order of the penetration in dt",
     .runs = "moreau-{dt}",
     .path = "constraints.penetration_max",
     .along = "dt",
     .claim = {.lo = 0.8, .hi = 1.2}},
    {.what = "penetration of the one-step scheme at dt = 1e-3 s [mm]",
     .runs = "onestep",
     .path = "constraints.penetration_max",
     .scale = 1e3,
     .claim = {30, 40, .expected = "below dt g/2 over 8 s, 39.2",
               .published = "drifts (moeller 6.5, fig. 6.25)"}},
    {.what = "what closed gaps lose in all steps of the two-step scheme [m]",
     .runs = "twostep",
     .value = tippe_top_closed_loss, /* catalogue */
     .claim = {0, NO_LOSS, .published = "the only one without drift (moeller 6.5)"}},
    {.what = "two-step: the same with W at the start of a step [mm]",
     .runs = "partial",
     .value = tippe_top_closed_loss,
     .scale = 1e3,
     .claim = {0.5, 5, .expected = "as much as the midpoint rule",
               .published = "the discrete derivative is what keeps gaps (moeller 5.116)"}},
    {.what = "two-step: largest rise of the energy with either W [J]",
     .runs = "partial",
     .path = "energy.max_increase",
     .claim = {-1e-12, 1e-15, .expected = "none",
               .published = "W does not affect the energy (moeller 5.116)"}},
    {.what = "one-step, eps_N = 1: what closed gaps lose in all steps [m]",
     .runs = "elastic-discrete",
     .value = tippe_top_closed_loss,
     .claim = {0, NO_LOSS, .published = "consistent on velocity level (moeller 5.144, 6.5)"}},
    {.what = "one-step, eps_N = 1: the same with W at the start of a step [mm]",
     .runs = "elastic-partial",
     .value = tippe_top_closed_loss,
     .scale = 1e3,
     .claim = {0.5, 5, .expected = "it is not; needs (5.143)"}},
    {.what = "one-step: penetration at 5e-4 s over that at 1e-3 s",
     .runs = "onestep-half",
     .over = "onestep",
     .path = "constraints.penetration_max",
     .claim = {0.3, 0.7, .expected = "1/2, of first order",
               .published = "a smaller time step improves it (moeller 6.5)"}},
    {.what = "midpoint rule, shifted back to the floor: penetration [m]",
     .runs = "shifted",
     .path = "constraints.penetration_max",
     .claim = {0, NO_LOSS, .published = "removed by shifting back (moeller 6.5)"}},
    {.what = "midpoint rule, shifted back: largest inclination [rad]",
     .runs = "shifted",
     .value = tippe_top_most_inclined,
     .claim = {3, 3.1416, .expected = "it still inverts"}},
    {0}};

#define GAP_PANEL(TABLE, HEAD, LO, HI, KEY, MAIN, HANDLE)                                          \
  {                                                                                                \
    .head = HEAD, .x = "t [s]", .y = "gap [mm]", .x_range = {0, 8}, .y_range = {LO, HI},           \
    .key = KEY, .curves = {                                                                        \
      {MAIN, TABLE, 1, 2, .look = "violet"},                                                       \
      {HANDLE, TABLE, 1, 3, .look = "red"}                                                         \
    }                                                                                              \
  }
static const struct case_panel fig625_panels[] = {
    GAP_PANEL("moreau", "moreau", -3, 3, NULL, NULL, NULL),
    GAP_PANEL("onestep", "consistent-quaternion", -40, 25, "left bottom", "main sphere", "handle"),
    GAP_PANEL("twostep", "consistent-quaternion-twostep", -3, 3, NULL, NULL, NULL),
    {.x = "dt [s]",
     .y = "penetration [m]",
     .log = "xy",
     .x_range = {7e-5, 1.5e-3},
     .y_range = {5e-5, 5e-3},
     .key = "right bottom",
     .curves = {{"moreau", "drift", 1, 2, .look = "moreau", .with = CASE_LINESPOINTS},
                {"slope 1", .scale = 2, .power = 1, .look = "limit"}}},
    {0}};

static const struct case_panel sets_panels[] = {
    {.x = "force over μ r_N",
     .y = "torque over R_{bar} μ r_N",
     .x_range = {-1.15, 1.15},
     .y_range = {-1.15, 1.15},
     .key = "foot",
     .curves = {{"B_F, exact", "sets", 1, 2, .look = "violet"},
                {"E_F, ellipsoid", "sets", 3, 4, .look = "red", .with = CASE_DASHED},
                {"Z_F, cylinder", "sets", 5, 6, .look = "limit"}}},
    {0}};

const struct case_figure tippe_top_figures[] = {
    {.id = "moeller-3.11",
     .title = "Coulomb-Contensou friction sets",
     .caption = "B_F lies within the ellipsoid E_F, touches it at the ends and has {volume of B_F} "
                "of its volume; nowhere is its radius less than {the same, least} of that of E_F. "
                "Cross-sections of B_F, E_F and Z_F; the torque is drawn in units of R_bar.",
     .panels = sets_panels,
     .square = 1,
     .make = tippe_top_sets_make},
    {.id = "moeller-6.23",
     .title = "Tippe top: inclination with the exact set and with the ellipsoid",
     .caption =
         "With the exact set and with the ellipsoid the top inverts alike, at {B_F: first "
         "inclined} and {E_F: first inclined} s, and tumbles back; small differences grow later. "
         "The energy falls from sample to sample; single steps gain what explicit gyroscopic "
         "forces give. Moreau's midpoint rule, dt = 1e-5 s; the two-step quaternion scheme with "
         "E_F is on its curve, to {twostep quaternion scheme} of the panel.",
     .runs = tippe_top_inclination_runs,
     .panels = tippe_top_inclination_panels,
     .tables = tippe_top_inclination_tables,
     .checks = tippe_top_inclination_checks},
    {.id = "moeller-6.24",
     .title = "Tippe top: attitudes",
     .caption = "The top rises by {rise of the centre} mm and stands on its handle, its centre of "
                "mass at {greatest height} of the height that it has there. Outlines of both "
                "spheres in the vertical plane of the axis, ellipsoid E_F, dt = 1e-4 s, from the "
                "start over the inversion to the tumbling back.",
     .runs = fig624_runs,
     .make = fig624_make},
    {.id = "moeller-6.25",
     .title = "Tippe top: gap functions at dt = 1e-3 s",
     .caption = "Only the two-step scheme keeps closed gaps as they are: it loses {what closed "
                "gaps lose} m in all steps. Moreau's midpoint rule holds the velocities of closed "
                "contacts and lets their gaps drift, by {penetration of the midpoint rule} mm at "
                "dt = 1e-3 s, of order {order of the penetration} in dt; the one-step quaternion "
                "scheme sinks by {penetration of the one-step} mm, at up to dt g / 2 with eps_N = "
                "0; with eps_N = 1 its closed gaps lose {one-step, eps_N = 1: what} m. Gap "
                "functions at dt = 1e-3 s over 8 s.",
     .runs = fig625_runs,
     .panels = fig625_panels,
     .abreast = 2,
     .tables = fig625_tables,
     .checks = fig625_checks},
    {.id = "tippe-top-cost",
     .title = "Cost of an iteration and of a step by friction set",
     .caption =
         "The exact set B_F takes {iterations a step with B_F over} times the iterations of "
         "S_F, because forces and torques share one unscaled step, which is lost to R_bar = "
         "3e-4 m; in scaled torques, the transformation (2.52), it takes {iterations a step "
         "with B_F in scaled} times those of S_F, and with E_F the projection wins them "
         "back too. A bare iteration with B_F costs {timing: bare iteration with B_F} times "
         "one with S_F, with E_F {timing: bare iteration with E_F} times, in Octave {timing: "
         "iteration with B_F} and {timing: iteration with E_F} times (published, in MATLAB: "
         "10.5 and 2.7). Projected Jacobi with the source's step to a residual of 1e-10, 5e4 "
         "steps of 1e-5 s. Bare: processor time of an iteration alone.",
     .is_timed = 1,
     .runs = tippe_top_cost_runs,
     .tables = tippe_top_cost_tables,
     .checks = tippe_top_cost_checks,
     .panels = tippe_top_cost_panels,
     .abreast = 2},
    {.id = "tippe-top-inversion",
     .title = "Tippe top: time of inversion against dt",
     .caption = "The time of inversion converges with the step, with order {B_F: order of the "
                "differences} (B_F) and {E_F: order of the differences} (E_F) in dt, and is {B_F: "
                "time of inversion at} s (B_F) and {E_F: time of inversion at} s (E_F) at the "
                "smallest; at 1e-3 s the top stays below 3 rad until 1.6 s. First time the "
                "inclination exceeds 3 rad, Moreau's midpoint rule.",
     .runs = tippe_top_inversion_runs,
     .tables = tippe_top_inversion_tables,
     .checks = tippe_top_inversion_checks,
     .panels = tippe_top_inversion_panels,
     .abreast = 2},
    {.id = "tippe-top-scalable",
     .title = "Tippe top as a scalable body",
     .caption =
         "Neither the scalable body nor the quaternion drifts, closed gaps losing {decomposed: "
         "what closed gaps lose} and {quaternion: what closed gaps lose} m in 8 s; but with Q and "
         "H of the start of a step the scalable body errs {error at 1e-3 s, decomposed} times as "
         "much as the quaternion at 1e-3 s, and by the midpoint rule {error at 1e-3 s, Q and H} of "
         "that. Two-step schemes for the scalable body with Q and H of the start of a step (5.107) "
         "and by the midpoint rule, and for the unit quaternion (5.158).",
     .runs = tippe_top_scalable_runs,
     .tables = tippe_top_scalable_tables,
     .checks = tippe_top_scalable_checks,
     .panels = tippe_top_scalable_panels,
     .abreast = 2},
    {.id = NULL}};
