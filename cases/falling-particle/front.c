/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * penalty-front: penalty against the rigid limit, and both families by their work. Derived for a
 * contact of mass m met at the speed s, omega = sqrt(K/m), viscous damping for the restitution
 * eps = exp(-2 zeta arccos(zeta)/sqrt(1 - zeta^2)) (src/form/penalty/restitution.c):
 *
 *   depth  g = s exp(-zeta omega t) sin(w t)/w is deepest at w t = arccos zeta, where it is
 *          (s/omega) exp(-zeta arccos(zeta)/sqrt(1 - zeta^2)) = s sqrt(eps m/K)
 *   rest   m g/K
 *   step   RK4: dt D/m < 2.785 for large D = 2 zeta sqrt(K m), that is dt < 2.785 sqrt(eps m/K),
 *          where the depth is s dt/2.785: an explicit stepper at its limit is as far off as an
 *          impulse scheme of this step is, by a part of s dt
 *
 * The error so falls as K^-1/2 while the particle is deep, as K^-1 at rest, as (s^2 m/K)^(2/5) for
 * Hertz; the work of explicit steppers rises as K^1/2, that of implicit ones hardly. The limit of
 * the step is measured as well: a particle laid on the ground comes to rest at m g/K below it, or
 * does not.
 */
#include "cases/falling-particle/figures.h"

#include "base/status.h"
#include "cases/body_kit.h"
#include "cases/figure/front.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PHASE = 0.3; /* of the impact in its step, as in yu-8 */
static const double EPS = 1e-3;  /* rebounds by eps^2 y0 = 1e-6 m */

/* Runs of the depth, at well-resolved steps, and of the limit of the step. */
enum { DAMPINGS = 3, DEPTHS = 2, LIMIT_EPS = 2, LIMITS = 3, STEPPERS = 2, FACTORS = 4 };
static const double depth_eps[DAMPINGS] = {1e-3, 0.1, 0.5}, depth_K[DEPTHS] = {1e6, 1e8};
static const double RESOLVED = 0.01; /* of the stable step */
static const double limit_eps[LIMIT_EPS] = {1e-3, 0.1}, limit_K[LIMITS] = {1e4, 1e6, 1e8};
static const char *const steppers[STEPPERS] = {"rk4", "verlet"};
static const double LIMIT_STEPS = 1e4;

static const double ORDER = 0.1; /* half-width of the interval of an order */
static const double NEAR = 0.02; /* relative */

static double impact_speed(const struct case_parameters *p) {
  const double vy = case_real(p, "vy0");
  return sqrt(vy * vy + 2 * case_real(p, "g") * case_real(p, "y0"));
}

static void fill_scheme(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  const double impact = (case_real(p, "vy0") + impact_speed(p)) / case_real(p, "g");
  run->dt = impact / (case_place_real(place, "step") + PHASE);
}

static void fill_spring(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  const struct case_front_springs springs = {
      .m = case_real(p, "m"), .eps = EPS, .options = "", .chosen = 5e-3};
  case_front_fill_spring(&springs, place, run);
}

/* From a little above the ground at the speed of the fall until the spring turns back. */
static void fill_depth(const struct case_parameters *p, const struct case_place *place,
                       struct case_run *run) {
  const double turn = sqrt(case_real(p, "m") / case_place_real(place, "K")); /* 1/omega */
  const double s = impact_speed(p);
  snprintf(run->label, sizeof run->label, "depth-%d", place->at[0] * DEPTHS + place->at[1]);
  snprintf(run->set, sizeof run->set, "y0=%.17g vy0=%.17g vx0=0", 0.1 * turn * s, -s);
  run->dt = RESOLVED * sqrt(case_place_real(place, "eps")) * turn;
  run->t_end = 2 * turn;
}

/* Steps on either side of where trials found the limit, in units of 1/omega: for small eps 2.785
 * and 2 over 2 zeta. */
static void fill_limit(const struct case_parameters *p, const struct case_place *place,
                       struct case_run *run) {
  const int i = (place->at[0] * LIMITS + place->at[1]) * FACTORS + place->at[2];
  const double turn = sqrt(case_real(p, "m") / case_place_real(place, "K"));
  snprintf(run->label, sizeof run->label, "limit-%d", i);
  run->dt = case_place_real(place, "factor") * case_place_real(place, "found") * turn;
  run->t_end = LIMIT_STEPS * run->dt;
}

const struct case_runs falling_particle_front_runs[] = {
    {.label = "{scheme}-{#step}",
     .formulation = "{scheme}",
     .over = {{"scheme", "moreau ccp ncp lcp-st mdp"}, {"step", "14 45 143 451 1428 4515"}},
     .fill = fill_scheme},
    {.label = "{spring}-{#K}",
     .formulation = "penalty",
     .over = {{"spring", CASE_FRONT_SPRINGS}, {"K", "1e4 1e5 1e6 1e7"}},
     .fill = fill_spring},
    {.label = "",
     .formulation = "penalty",
     .opt = "K={K} eps_min={eps}",
     .over = {{"eps", "1e-3 0.1 0.5"}, {"K", "1e6 1e8"}},
     .fill = fill_depth},
    {.label = "",
     .formulation = "penalty",
     .set = "y0=0 vy0=0 vx0=0 mu=0",
     .opt = "K={K} eps_min={eps} stepper={stepper}",
     .over = {{"stepper/eps/found",
               "rk4/1e-3/0.0887 rk4/0.1/1.405 verlet/1e-3/0.0636 verlet/0.1/0.804"},
              {"K", "1e4 1e6 1e8"},
              {"factor", "0.95 0.98 1.02 1.05"}},
     .fill = fill_limit},
    {0}};
enum { DEPTH_RUNS = DAMPINGS * DEPTHS };

/* ---- depth and limit ---- */

static int make_depths(const struct case_parameters *p, const struct case_series *series, int n,
                       struct case_plot *plot) {
  enum { COLS = 4 };
  double rows[DEPTH_RUNS][COLS], worst = 0;
  for (int i = 0; i < DEPTH_RUNS; ++i) {
    char label[CASE_TEXT];
    snprintf(label, sizeof label, "depth-%d", i);
    const struct case_series *s = case_series_find(series, n, label);
    if (s == NULL) {
      return BASE_FAILED;
    }
    const double eps = depth_eps[i / DEPTHS], K = depth_K[i % DEPTHS];
    const double formula = impact_speed(p) * sqrt(eps * case_real(p, "m") / K);
    const double depth = case_series_ended(s) ? case_number(s, "constraints.penetration_max") : NAN;
    const double row[COLS] = {K, eps, depth, formula};
    memcpy(rows[i], row, sizeof row);
    worst = case_worst(worst, fabs(depth / formula - 1));
  }
  case_plot_check(plot, "penalty: deepest point against s sqrt(eps m/K), relative", worst,
                  (struct case_claim){0, NEAR, .expected = "0 (closed form)"});
  return case_plot_table(plot, "depth", "K[N/m] eps[-] depth[m] formula[m]", DEPTH_RUNS, COLS,
                         rows[0]);
}

/* At rest m g/K below the ground? A contact that only pushes turns a small growing oscillation into
 * a lasting one, of speeds g dt. */
static int settles(const struct case_parameters *p, const struct case_series *s, double K) {
  const double g = case_real(p, "g"), sink = case_real(p, "m") * g / K;
  return body_ran(s) && fabs(body_final(s, "q", 1) / sink + 1) < NEAR &&
         fabs(body_final(s, "u", 1)) < NEAR * g * s->run->dt;
}

/* Of one stepper and damping: the longest step that settles, the shortest that does not. */
static int make_limit(const struct case_parameters *p, const struct case_series *series, int n,
                      int stepper, int eps, struct case_plot *plot) {
  enum { COLS = 4 };
  double rows[LIMITS][COLS], longest[LIMITS], below = 0, above = 0;
  char label[CASE_TEXT], what[2 * CASE_TEXT];
  for (int k = 0; k < LIMITS; ++k) {
    double estimate = NAN, holds = 0, fails = INFINITY;
    for (int f = 0; f < FACTORS; ++f) {
      const int i = ((stepper * LIMIT_EPS + eps) * LIMITS + k) * FACTORS + f;
      snprintf(label, sizeof label, "limit-%d", i);
      const struct case_series *s = case_series_find(series, n, label);
      if (s == NULL) {
        return BASE_FAILED;
      }
      const double dt = s->run->dt;
      if (settles(p, s, limit_K[k])) {
        holds = fmax(holds, dt);
      } else {
        fails = fmin(fails, dt);
      }
      estimate = f == 0 ? case_number(s, "formulation.stable_dt") : estimate;
    }
    const double row[COLS] = {limit_K[k], estimate, holds, fails};
    memcpy(rows[k], row, sizeof row);
    longest[k] = holds;
    below = case_worst(below, holds / estimate);
    above = case_worst(above, estimate / fails);
  }
  const char *name = steppers[stepper];
  snprintf(what, sizeof what, "%s, eps = %g: longest step that settles over the estimate", name,
           limit_eps[eps]);
  case_plot_check(plot, what, below,
                  (struct case_claim){1 - 2 * NEAR, 1, .expected = "just below 1"});
  snprintf(what, sizeof what, "%s, eps = %g: estimate over the shortest step that does not", name,
           limit_eps[eps]);
  case_plot_check(plot, what, above,
                  (struct case_claim){1 - 2 * NEAR, 1, .expected = "just below 1"});
  snprintf(what, sizeof what, "%s, eps = %g: order in K of the longest step", name, limit_eps[eps]);
  case_plot_check(plot, what, case_order(LIMITS, limit_K, longest, LIMITS),
                  (struct case_claim){-0.5 - NEAR, -0.5 + NEAR, .expected = "-1/2"});
  snprintf(label, sizeof label, "limit-%s-%d", name, eps);
  return case_plot_table(plot, label, "K[N/m] stable_dt[s] settles[s] does_not[s]", LIMITS, COLS,
                         rows[0]);
}

/* ---- fronts ---- */

/* Where the linear spring carries the particle in the end, and what the errors stand against. */
static int make_rest(const struct case_parameters *p, const struct case_front *front,
                     const struct case_series *series, struct base_arena *arena,
                     struct case_plot *plot) {
  enum { COLS = 3 };
  const double m = case_real(p, "m");
  const int first = case_front_row(front, CASE_RKF45);
  double *rows = base_arena_matrix(arena, COLS, front->n_K), worst = 0;
  for (int k = 0; k < front->n_K; ++k) {
    const double K = front->x[first + k], sink = m * case_real(p, "g") / K;
    const double row[COLS] = {K, impact_speed(p) * sqrt(EPS * m / K), sink};
    memcpy(rows + (long)COLS * k, row, sizeof row);
    worst = case_worst(worst, fabs(-body_final(&series[first + k], "q", 1) / sink - 1));
  }
  case_plot_check(plot, "penalty: depth at rest against m g/K, relative", worst,
                  (struct case_claim){0, NEAR, .expected = "0"});
  return case_plot_table(plot, "formula", "K[N/m] s*sqrt(eps*m/K)[m] m*g/K[m]", front->n_K, COLS,
                         rows);
}

static void check_springs(const struct case_front *front, struct case_plot *plot) {
  for (int i = 0; i < CASE_SPRINGS; ++i) {
    const double order = i == CASE_HERTZ ? -0.4 : -0.5;
    const int first = case_front_row(front, i), n = front->n_K;
    char what[CASE_TEXT];
    case_front_check_spring(front, i, order - ORDER, order + ORDER,
                            i == CASE_HERTZ ? "-2/5" : "-1/2", plot);
    snprintf(what, sizeof what, "penalty, %s: order in K of the number of steps",
             case_front_springs[i]);
    const double rises = case_order(n, front->x + first, front->internal + first, n);
    if (i == CASE_MSBDF) {
      case_plot_check(plot, what, rises,
                      (struct case_claim){-ORDER, ORDER, .expected = "0: implicit"});
    } else if (i <= CASE_RKF45) {
      case_plot_check(plot, what, rises,
                      (struct case_claim){0.5 - ORDER, 0.5 + ORDER, .expected = "1/2: explicit"});
    }
  }
}

int falling_particle_front_make(const struct case_parameters *p, const struct case_series *series,
                                int n, struct case_plot *plot) {
  struct base_arena *arena = base_arena_alloc();
  struct case_front front;
  int status = case_front_make(falling_particle_front_runs, series, n, arena, plot, &front);
  if (status == BASE_OK) {
    for (int i = 0; i < front.n_schemes; ++i) {
      case_front_check_scheme(&front, i, 1, ORDER, plot);
    }
    check_springs(&front, plot);
    status = make_rest(p, &front, series, arena, plot);
  }
  status = status == BASE_OK ? make_depths(p, series, n, plot) : status;
  for (int i = 0; i < STEPPERS * LIMIT_EPS && status == BASE_OK; ++i) {
    status = make_limit(p, series, n, i / LIMIT_EPS, i % LIMIT_EPS, plot);
  }
  base_arena_free(arena);
  return status;
}
