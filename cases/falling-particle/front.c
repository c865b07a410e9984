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

enum { SCHEMES = 5, SCHEME_STEPS = 6, STIFFNESSES = 4 };
static const char *const schemes[SCHEMES] = {"moreau", "ccp", "ncp", "lcp-st", "mdp"};
static const int until_impact[SCHEME_STEPS] = {14, 45, 143, 451, 1428, 4515};
static const double PHASE = 0.3; /* of the impact in its step, as in yu-8 */
static const double stiffness[STIFFNESSES] = {1e4, 1e5, 1e6, 1e7}; /* [N/m] */
static const double EPS = 1e-3; /* rebounds by eps^2 y0 = 1e-6 m */

/* Runs of the depth, at well-resolved steps, and of the limit of the step. */
enum { DAMPINGS = 3, DEPTHS = 2, LIMIT_EPS = 2, LIMITS = 3, STEPPERS = 2, FACTORS = 4 };
static const double depth_eps[DAMPINGS] = {1e-3, 0.1, 0.5}, depth_K[DEPTHS] = {1e6, 1e8};
static const double RESOLVED = 0.01; /* of the stable step */
static const double limit_eps[LIMIT_EPS] = {1e-3, 0.1}, limit_K[LIMITS] = {1e4, 1e6, 1e8};
static const char *const steppers[STEPPERS] = {"rk4", "verlet"};
/* Where trials found the limit, in units of 1/omega; for small eps 2.785 and 2 over 2 zeta. */
static const double limit_found[STEPPERS][LIMIT_EPS] = {{0.0887, 1.405}, {0.0636, 0.804}};
static const double factors[FACTORS] = {0.95, 0.98, 1.02, 1.05};
static const double LIMIT_STEPS = 1e4;

static const double ORDER = 0.1; /* half-width of the interval of an order */
static const double NEAR = 0.02; /* relative */

static struct case_front front_of(const struct case_parameters *p, double steps[SCHEME_STEPS]) {
  double q[2], u[2];
  falling_particle_reference(p, 0, q, u);
  const double g = case_real(p, "g"), s = sqrt(u[1] * u[1] + 2 * g * q[1]);
  for (int k = 0; k < SCHEME_STEPS; ++k) {
    steps[k] = (u[1] + s) / g / (until_impact[k] + PHASE);
  }
  return (struct case_front){.set = "",
                             .n_schemes = SCHEMES,
                             .n_steps = SCHEME_STEPS,
                             .schemes = schemes,
                             .steps = steps,
                             .n_K = STIFFNESSES,
                             .K = stiffness,
                             .m = case_real(p, "m"),
                             .eps = EPS,
                             .penalty = "",
                             .chosen = 5e-3};
}

static double impact_speed(const struct case_parameters *p) {
  const double vy = case_real(p, "vy0");
  return sqrt(vy * vy + 2 * case_real(p, "g") * case_real(p, "y0"));
}

/* From a little above the ground at the speed of the fall until the spring turns back. */
static void depth_plan(const struct case_parameters *p, int i, struct case_run *run) {
  const double s = impact_speed(p), eps = depth_eps[i / DEPTHS], K = depth_K[i % DEPTHS];
  const double turn = sqrt(case_real(p, "m") / K); /* 1/omega */
  char set[CASE_TEXT];
  snprintf(set, sizeof set, "y0=%.17g vy0=%.17g vx0=0", 0.1 * turn * s, -s);
  case_run_fill(run, "penalty", set, RESOLVED * sqrt(eps) * turn, 2 * turn, 0, "depth-%d", i);
  snprintf(run->opt, sizeof run->opt, "K=%.17g eps_min=%.17g", K, eps);
}

struct limit {
  int stepper, eps, K, factor;
};

static struct limit limit_of(int i) {
  return (struct limit){.stepper = i / (FACTORS * LIMITS * LIMIT_EPS),
                        .eps = i / (FACTORS * LIMITS) % LIMIT_EPS,
                        .K = i / FACTORS % LIMITS,
                        .factor = i % FACTORS};
}

static double limit_step(const struct case_parameters *p, struct limit at) {
  const double turn = sqrt(case_real(p, "m") / limit_K[at.K]);
  return factors[at.factor] * limit_found[at.stepper][at.eps] * turn;
}

static void limit_plan(const struct case_parameters *p, int i, struct case_run *run) {
  const struct limit at = limit_of(i);
  const double dt = limit_step(p, at);
  case_run_fill(run, "penalty", "y0=0 vy0=0 vx0=0 mu=0", dt, LIMIT_STEPS * dt, 0, "limit-%d", i);
  snprintf(run->opt, sizeof run->opt, "K=%.17g eps_min=%.17g stepper=%s", limit_K[at.K],
           limit_eps[at.eps], steppers[at.stepper]);
}

enum { DEPTH_RUNS = DAMPINGS * DEPTHS, LIMIT_RUNS = STEPPERS * LIMIT_EPS * LIMITS * FACTORS };

int falling_particle_front_plan(const struct case_parameters *p, int i, struct case_run *run) {
  double steps[SCHEME_STEPS];
  const struct case_front front = front_of(p, steps);
  const int runs = case_front_runs(&front);
  if (case_front_plan(&front, i, run)) {
    return 1;
  }
  if (i < runs + DEPTH_RUNS) {
    depth_plan(p, i - runs, run);
  } else if (i < runs + DEPTH_RUNS + LIMIT_RUNS) {
    limit_plan(p, i - runs - DEPTH_RUNS, run);
  } else {
    return 0;
  }
  return 1;
}

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
    const double depth = s->status == BASE_OK ? case_number(s, "constraints.penetration_max") : NAN;
    const double row[COLS] = {K, eps, depth, formula};
    memcpy(rows[i], row, sizeof row);
    worst = case_worst(worst, fabs(depth / formula - 1));
  }
  case_plot_check(plot, "penalty: deepest point against s sqrt(eps m/K), relative", worst, 0, NEAR,
                  "0 (closed form)");
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
      const double dt = limit_step(p, limit_of(i));
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
  case_plot_check(plot, what, below, 1 - 2 * NEAR, 1, "just below 1");
  snprintf(what, sizeof what, "%s, eps = %g: estimate over the shortest step that does not", name,
           limit_eps[eps]);
  case_plot_check(plot, what, above, 1 - 2 * NEAR, 1, "just below 1");
  snprintf(what, sizeof what, "%s, eps = %g: order in K of the longest step", name, limit_eps[eps]);
  case_plot_check(plot, what, case_order(LIMITS, limit_K, longest, LIMITS), -0.5 - NEAR,
                  -0.5 + NEAR, "-1/2");
  snprintf(label, sizeof label, "limit-%s-%d", name, eps);
  return case_plot_table(plot, label, "K[N/m] stable_dt[s] settles[s] does_not[s]", LIMITS, COLS,
                         rows[0]);
}

/* ---- fronts ---- */

/* Where the linear spring carries the particle in the end, and what the errors stand against. */
static int make_rest(const struct case_parameters *p, const struct case_series *series, int n,
                     struct case_plot *plot) {
  enum { COLS = 3 };
  const double m = case_real(p, "m");
  double rows[STIFFNESSES][COLS], worst = 0;
  for (int k = 0; k < STIFFNESSES; ++k) {
    char label[CASE_TEXT];
    snprintf(label, sizeof label, "%s-%d", case_springs[CASE_RKF45].label, k);
    const struct case_series *s = case_series_find(series, n, label);
    if (s == NULL) {
      return BASE_FAILED;
    }
    const double sink = m * case_real(p, "g") / stiffness[k];
    const double row[COLS] = {stiffness[k], impact_speed(p) * sqrt(EPS * m / stiffness[k]), sink};
    memcpy(rows[k], row, sizeof row);
    worst = case_worst(worst, fabs(-body_final(s, "q", 1) / sink - 1));
  }
  case_plot_check(plot, "penalty: depth at rest against m g/K, relative", worst, 0, NEAR, "0");
  return case_plot_table(plot, "formula", "K[N/m] s*sqrt(eps*m/K)[m] m*g/K[m]", STIFFNESSES, COLS,
                         rows[0]);
}

int falling_particle_front_make(const struct case_parameters *p, const struct case_series *series,
                                int n, struct case_plot *plot) {
  double steps[SCHEME_STEPS];
  const struct case_front front = front_of(p, steps);
  struct base_arena *arena = base_arena_alloc();
  struct case_front_result result;
  int status = case_front_make(&front, series, n, arena, plot, &result);
  for (int i = 0; i < SCHEMES && status == BASE_OK; ++i) {
    case_front_check_scheme(&front, &result, i, 1 - ORDER, 1 + ORDER, plot);
  }
  for (int i = 0; i < CASE_SPRINGS && status == BASE_OK; ++i) {
    const double order = i == CASE_HERTZ ? -0.4 : -0.5;
    const double *internal = result.internal + case_front_row(&front, i);
    char what[CASE_TEXT];
    case_front_check_spring(&front, &result, i, order - ORDER, order + ORDER,
                            i == CASE_HERTZ ? "-2/5" : "-1/2", plot);
    snprintf(what, sizeof what, "penalty, %s: order in K of the number of steps",
             case_springs[i].label);
    const double rises = case_order(STIFFNESSES, stiffness, internal, STIFFNESSES);
    if (i == CASE_MSBDF) {
      case_plot_check(plot, what, rises, -ORDER, ORDER, "0: implicit");
    } else if (i <= CASE_RKF45) {
      case_plot_check(plot, what, rises, 0.5 - ORDER, 0.5 + ORDER, "1/2: explicit");
    }
  }
  status = status == BASE_OK ? make_rest(p, series, n, plot) : status;
  status = status == BASE_OK ? make_depths(p, series, n, plot) : status;
  for (int i = 0; i < STEPPERS * LIMIT_EPS && status == BASE_OK; ++i) {
    status = make_limit(p, series, n, i / LIMIT_EPS, i % LIMIT_EPS, plot);
  }
  base_arena_free(arena);
  return status;
}
