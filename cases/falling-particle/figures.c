/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the falling particle (yu, figs 6 to 8). The source's numbers are lost in its text; the
 * values beside ours are those of the closed form (falling-particle.c).
 *
 *   yu-6  x(t), y(t), impact and stop. From one sample (t, x, v_x) of the sliding phase follow
 *
 *             tau = t - t_i, the smaller root of
 *             mu g tau^2/2 + (v_x - v_x0) tau + x0 + v_x0 t - x = 0,   w = v_x + mu g tau:
 *
 *         t_i, w and x_f are measured on the run, not taken from theory.
 *   yu-7  y(t) of the CCP for dt from 0.1 s to 1e-4 s
 *   yu-8  largest error of y against dt (order.c)
 */
#include "cases/falling-particle/figures.h"

#include "cases/figure/series.h"

#include <math.h>

struct landing {
  double t_i, x_i, w, t_stop, x_f; /* [s], [m], [m/s], [s], [m] */
};

static struct landing landing_exact(const struct case_parameters *p) {
  const double g = case_real(p, "g"), mu = case_real(p, "mu"), vx0 = case_real(p, "vx0");
  const double vy0 = case_real(p, "vy0"), s = sqrt(vy0 * vy0 + 2 * g * case_real(p, "y0"));
  struct landing out = {.t_i = (vy0 + s) / g, .w = fmax(0, fabs(vx0) - mu * s)};
  out.x_i = case_real(p, "x0") + vx0 * out.t_i;
  out.t_stop = out.t_i + out.w / (mu * g);
  out.x_f = out.x_i + out.w * out.w / (2 * mu * g);
  return out;
}

double falling_particle_impact(const struct case_parameters *p) { return landing_exact(p).t_i; }

/* ---- yu-6 ---- */

/* Gaps below this part of the initial height are contact: far above rounding, far below a step. */
static const double LANDED = 1e-9;
#define PRINTED 5e-8 /* half a unit of the seventh decimal */

static const struct case_runs yu6_runs[] = {
    {.label = "event", .formulation = "event", .dt = "1e-2", .sample = "1e-2"},
    {.label = "ccp", .formulation = "ccp", .dt = "1e-3", .sample = "1e-3"},
    /* By an interior-point method, as the optimisation that the source compares with. */
    {.label = "ipm",
     .formulation = "ccp",
     .solver = "ipm",
     .opt = "tol=1e-10",
     .dt = "1e-3",
     .sample = "1e-3"},
    {0}};

/* From the first sample after the impact; NaN where there is none that slides. */
static struct landing landing_measured(const struct case_parameters *p,
                                       const struct case_series *s) {
  const double g = case_real(p, "g"), mu = case_real(p, "mu"), vx0 = case_real(p, "vx0");
  const double x0 = case_real(p, "x0"), contact = LANDED * case_real(p, "y0");
  struct landing out = {NAN, NAN, NAN, NAN, NAN};
  int k = 1;
  while (k < s->n && s->q[2 * k + 1] > contact) {
    ++k;
  }
  if (k >= s->n) {
    return out;
  }
  const double a = 0.5 * mu * g, b = s->u[2 * k] - vx0, c = x0 + vx0 * s->t[k] - s->q[2 * k];
  const double tau = 2 * c / (-b + sqrt(b * b - 4 * a * c));
  out.t_i = s->t[k] - tau;
  out.x_i = x0 + vx0 * out.t_i;
  out.w = s->u[2 * k] + mu * g * tau;
  out.t_stop = out.t_i + out.w / (mu * g);
  out.x_f = s->q[2 * (s->n - 1)];
  return out;
}

static double time_of_impact(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return landing_measured(r->p, s).t_i;
}

static double sliding_speed(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return landing_measured(r->p, s).w;
}

static double place_of_rest(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return s->n > 0 ? s->q[2 * (s->n - 1)] : NAN;
}

static double off_closed_form(const struct case_results *r, const struct case_series *s, int k) {
  const struct landing exact = landing_exact(r->p), found = landing_measured(r->p, s);
  (void)k;
  return fabs(found.t_i - exact.t_i) + fabs(found.w - exact.w) + fabs(found.x_f - exact.x_f);
}

/* Largest distance of the coordinates of two runs, at the samples of both [m]. */
static double apart(const struct case_results *r, const struct case_series *s, int k) {
  double worst = s->n > 1 && s->n == r->against->n ? 0 : NAN;
  for (k = 0; k < s->n * s->nq && !isnan(worst); ++k) {
    worst = case_worst(worst, fabs(s->q[k] - r->against->q[k]));
  }
  return worst;
}

/* Impact time as a time stepper has it: end of the first step that does not fall freely. */
static double first_impulse(const struct case_results *r, const struct case_series *s, int k) {
  const double g = case_real(r->p, "g"), vy0 = case_real(r->p, "vy0"), dt = s->run->dt;
  for (k = 1; k < s->n; ++k) {
    if (s->u[2 * k + 1] > vy0 - g * s->t[k] + 0.5 * g * dt) {
      return s->t[k];
    }
  }
  return NAN;
}

static void printed_time(const struct case_results *r, const struct case_series *s, double *lo,
                         double *hi) {
  (void)s;
  *lo = landing_exact(r->p).t_i - PRINTED;
  *hi = landing_exact(r->p).t_i + PRINTED;
}

static void printed_speed(const struct case_results *r, const struct case_series *s, double *lo,
                          double *hi) {
  (void)s;
  *lo = landing_exact(r->p).w - PRINTED;
  *hi = landing_exact(r->p).w + PRINTED;
}

static void printed_rest(const struct case_results *r, const struct case_series *s, double *lo,
                         double *hi) {
  (void)s;
  *lo = landing_exact(r->p).x_f - PRINTED;
  *hi = landing_exact(r->p).x_f + PRINTED;
}

/* Semi-implicit Euler runs half a step ahead, the cone's dual acts mu v_x/|v_n| of a step early,
 * and a step ends up to one later. */
static void step_of_the_impact(const struct case_results *r, const struct case_series *s,
                               double *lo, double *hi) {
  *lo = landing_exact(r->p).t_i - 2 * s->run->dt;
  *hi = landing_exact(r->p).t_i + s->run->dt;
}

static void rest_to_a_step(const struct case_results *r, const struct case_series *s, double *lo,
                           double *hi) {
  const double way = fabs(case_real(r->p, "vx0")) * s->run->dt;
  *lo = landing_exact(r->p).x_f - way;
  *hi = landing_exact(r->p).x_f + way;
}

/* Impact and stop. */
static void landing_row(const struct case_results *r, const struct case_series *s, int k,
                        double *out) {
  const struct landing found = landing_measured(r->p, s);
  out[0] = k == 0 ? found.t_i : found.t_stop;
  out[1] = k == 0 ? found.x_i : found.x_f;
  out[2] = 0;
}

#define PATH_COLUMNS                                                                               \
  {                                                                                                \
    {"t[s]", "t"}, {"x[m]", "q[0]"}, { "y[m]", "q[1]" }                                            \
  }
static const struct case_table yu6_tables[] = {
    {.name = "event", .runs = "event", .columns = PATH_COLUMNS},
    {.name = "ccp", .runs = "ccp", .columns = PATH_COLUMNS},
    {.name = "marks",
     .runs = "event",
     .rows = 2,
     .row = landing_row,
     .columns = {{"t[s]"}, {"x[m]"}, {"y[m]"}}},
    {0}};

static const struct case_check yu6_checks[] = {
    {.what = "event: time of impact t_i [s]",
     .runs = "event",
     .value = time_of_impact,
     .bounds = printed_time,
     .claim = {.expected = "0.4515236 (closed form)"}},
    {.what = "event: sliding speed after it w [m/s]",
     .runs = "event",
     .value = sliding_speed,
     .bounds = printed_speed,
     .claim = {.expected = "1.1141106 (closed form)"}},
    {.what = "event: place of rest x_f [m]",
     .runs = "event",
     .value = place_of_rest,
     .bounds = printed_rest,
     .claim = {.expected = "1.2193680 (closed form)"}},
    {.what = "event: t_i, w and x_f, sum of differences from the closed form [SI]",
     .runs = "event",
     .value = off_closed_form,
     .claim = {0, FALLING_PARTICLE_EVENT_ACCURACY, .expected = "0"}},
    {.what = "ccp, dt = 1e-3 s: first step with an impulse ends at [s]",
     .runs = "ccp",
     .value = first_impulse,
     .bounds = step_of_the_impact,
     .claim = {.expected = "0.4515236 (closed form), to a step"}},
    {.what = "ccp, dt = 1e-3 s: place of rest x_f [m]",
     .runs = "ccp",
     .value = place_of_rest,
     .bounds = rest_to_a_step,
     .claim = {.expected = "1.2193680 (closed form), to the way of one step"}},
    {.what = "ccp by an interior-point method less ccp by relaxation, largest |x|, |y| [m]",
     .runs = "ipm",
     .against = "ccp",
     .value = apart,
     .claim = {0, 1e-9, .expected = "0, to the tolerance of 1350 solves",
               .published = "compared with the optimization-based method of Kleinert et al. "
                            "(yu, fig. 6)"}},
    {0}};

#define YU6_CURVES(COLUMN, EVENT, CCP, MARKS)                                                      \
  {                                                                                                \
    {EVENT, "event", 1, COLUMN, .look = "reference", .width = 5},                                  \
        {CCP, "ccp", 1, COLUMN, .look = "ccp"}, {                                                  \
      MARKS, "marks", 1, COLUMN, .look = "mark", .with = CASE_POINTS                               \
    }                                                                                              \
  }
static const struct case_panel yu6_panels[] = {
    {.x = "t [s]",
     .y = "x [m]",
     .x_range = {0, 1.5},
     .y_range = {0, 1.4},
     .key = "right bottom",
     .curves = YU6_CURVES(2, "event", "ccp, dt = 1e-3 s", "impact, stop")},
    {.x = "t [s]",
     .y = "y [m]",
     .x_range = {0, 1.5},
     .y_range = {-0.08, 1.1},
     .curves = YU6_CURVES(3, NULL, NULL, NULL)},
    {0}};

/* ---- deviations from the closed form ---- */

double falling_particle_y_error(const struct case_results *r, const struct case_series *s, int k) {
  double worst = s->n > 1 && s->nq == 2 ? 0 : NAN;
  for (k = 0; k < s->n && s->nq == 2; ++k) {
    double q[2], u[2];
    falling_particle_reference(r->p, s->t[k], q, u);
    const double error = fabs(s->q[2 * k + 1] - q[1]);
    worst = case_worst(worst, error);
  }
  return worst;
}

/* ---- yu-7 ---- */

static const struct case_runs yu7_runs[] = {
    {.label = "dt{dt}",
     .formulation = "ccp",
     .dt = "{dt}",
     .t_end = "0.8",
     .sample = "{sample}",
     .over = {{"dt/sample", "0.1/0.1 0.05/0.05 0.01/0.01 0.001/1e-3 0.0001/1e-3"}}},
    {0}};

/* The closed form at a sample [m]. */
static double exact_height(const struct case_results *r, const struct case_series *s, int k) {
  double q[2], u[2];
  falling_particle_reference(r->p, s->t[k], q, u);
  return q[1];
}

static const struct case_table yu7_tables[] = {
    {.name = "dt{dt}", .runs = "dt{dt}", .columns = PATH_COLUMNS},
    {.name = "exact",
     .runs = "dt0.001",
     .columns = {{"t[s]", "t"}, {"y[m]", .value = exact_height}}},
    {.name = "deviation",
     .runs = "dt{dt}",
     .along = "dt",
     .columns = {{"dt[s]", "dt"}, {"max|y-y_exact|[m]", .value = falling_particle_y_error}}},
    {0}};

/* Of the deviation to that of the next longer step. */
static double largest_ratio(const struct case_results *r, const struct case_series *s, int k) {
  double largest = 0;
  (void)s;
  for (k = 1; k < r->n; ++k) {
    const double longer = falling_particle_y_error(r, &r->series[k - 1], -1);
    largest = case_worst(largest, falling_particle_y_error(r, &r->series[k], -1) / longer);
  }
  return largest;
}

/* The rest is the gap that the relaxation holds, and what is of second order. */
static void fall_of_half_a_step(const struct case_results *r, const struct case_series *s,
                                double *lo, double *hi) {
  const double half = 0.5 * s->run->dt * case_real(r->p, "g") * landing_exact(r->p).t_i;
  *lo = 0.9 * half;
  *hi = 1.1 * half;
}

static const struct case_check yu7_checks[] = {
    {.what = "largest ratio of the deviation in y to that of the next longer step",
     .runs = "dt0.1",
     .value = largest_ratio,
     .claim = {0, 0.6, .expected = "0.5, that of the steps"}},
    {.what = "order of the deviation in y, dt = 0.1 s to 1e-4 s",
     .runs = "dt{dt}",
     .value = falling_particle_y_error,
     .along = "dt",
     .claim = {FALLING_PARTICLE_ORDER_LO, FALLING_PARTICLE_ORDER_HI, .expected = "1"}},
    {.what = "largest deviation in y at dt = 1e-4 s [m]",
     .runs = "dt0.0001",
     .value = falling_particle_y_error,
     .bounds = fall_of_half_a_step,
     .claim = {.expected = "g t_i dt/2: semi-implicit Euler is half a step ahead"}},
    {0}};

/* All curves are the CCP's, lighter for longer steps. */
#define YU7_CURVES(NAMED)                                                                          \
  {                                                                                                \
    {NAMED("closed form"), "exact", 1, 2, .look = "reference", .width = 5},                        \
        {NAMED("ccp, dt = 0.1 s"), "dt0.1", 1, 3, .look = "#f5c8a6"},                              \
        {NAMED("0.05 s"), "dt0.05", 1, 3, .look = "#eda06a"},                                      \
        {NAMED("0.01 s"), "dt0.01", 1, 3, .look = "colour of ccp"},                                \
        {NAMED("1e-3 s"), "dt0.001", 1, 3, .look = "#953f00"}, {                                   \
      NAMED("1e-4 s"), "dt0.0001", 1, 3, .look = "#4a1f00"                                         \
    }                                                                                              \
  }
#define TITLE(TEXT) TEXT
#define NO_TITLE(TEXT) NULL
static const struct case_panel yu7_panels[] = {{.x = "t [s]",
                                                .y = "y [m]",
                                                .x_range = {0, 0.8},
                                                .y_range = {-0.05, 1.05},
                                                .key = "right top",
                                                .curves = YU7_CURVES(TITLE)},
                                               {.x = "t, around the impact [s]",
                                                .y = "y [m]",
                                                .x_range = {0.38, 0.5},
                                                .y_range = {-0.01, 0.12},
                                                .curves = YU7_CURVES(NO_TITLE)},
                                               {0}};

const struct case_figure falling_particle_figures[] = {
    {.id = "yu-6",
     .title = "Falling particle: displacements",
     .caption = "The particle lands after {event: time of impact} s, slides at {event: sliding "
                "speed} m/s and stops at {event: place of rest} m; the CCP with dt = 1e-3 s stops "
                "it at {ccp, dt = 1e-3 s: place of rest} m. Position by the CCP and event-driven; "
                "points mark the impact and the stop.",
     .runs = yu6_runs,
     .panels = yu6_panels,
     .tables = yu6_tables,
     .checks = yu6_checks},
    {.id = "yu-7",
     .title = "Falling particle: height with different time steps",
     .caption =
         "Halving the step halves the error of the height: its order in dt is {order of the "
         "deviation in y}, and at 1e-4 s it is {largest deviation in y at} m, half a step of the "
         "fall. Height by the CCP with time steps from 0.1 s to 1e-4 s, and the closed form; the "
         "particle comes to rest on the gap dt mu |v_x| that the relaxation holds while it slides.",
     .runs = yu7_runs,
     .tables = yu7_tables,
     .checks = yu7_checks,
     .panels = yu7_panels},
    {.id = "yu-8",
     .title = "Falling particle: error against time step",
     .caption = "Every time stepper is of first order across the impact: {moreau: order of the "
                "largest error in y} (moreau), {ccp: order of the largest error in y} (ccp), "
                "{consistent-twostep: order of the largest error in y} (consistent-twostep); event "
                "is off by {event: largest error} m at any step. Largest error against the closed "
                "form over 1.5 s: of y, as in the source (left), and of x and y (right). Every "
                "step is t_i/(k + 0.3), so that the impact falls on the same fraction of a step.",
     .runs = falling_particle_order_runs,
     .tables = falling_particle_order_tables,
     .checks = falling_particle_order_checks,
     .panels = falling_particle_order_panels,
     .abreast = 2},
    {.id = "ccp-hop",
     .title = "Falling particle: rebound of the convex relaxation",
     .caption = "A particle placed a gap Phi above the ground with the velocity of the fall "
                "rebounds under the CCP where Phi/dt < mu |v_t+|, as high at every step: from Phi "
                "= 0 by {ccp, placed at Phi = 0: climb} v_n+^2/(2 g); under exact Coulomb friction "
                "(ncp) by {ncp: largest climb} m. In a fall that the scheme itself computes no "
                "phase rebounds ({ccp, falls computed} m): the dual cone stops the particle one "
                "step earlier, at Phi/dt >= mu |v_x|.",
     .runs = falling_particle_rebound_runs,
     .tables = falling_particle_rebound_tables,
     .checks = falling_particle_rebound_checks,
     .panels = falling_particle_rebound_panels,
     .abreast = 2},
    {.id = "penalty-front",
     .title = "Falling particle: penalty against the rigid limit",
     .caption =
         "The error of penalty goes with its stiffness K to the power {penalty, rk4: order in K of "
         "the largest error}, the number of its steps to the power {penalty, rk4: order in K of "
         "the number}: a digit costs about ten times the steps, as it does by time steppers, whose "
         "order in dt is {moreau: order in dt} (moreau). Largest error against the stiffness; the "
         "longest stable step, estimated (lines), and the longest of some steps about it at which "
         "springs settle (points; those 2 % longer than the limit found do not); the error of both "
         "families against time and work of a run.",
     .runs = falling_particle_front_runs,
     .tables = falling_particle_front_tables,
     .checks = falling_particle_front_checks,
     .panels = falling_particle_front_panels,
     .abreast = 2},
    {.id = NULL}};
