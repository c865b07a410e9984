/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * relaxation-cost: how far the convex relaxation (negrut 5d) moves a ball that slides and rolls,
 * and how far a polygon of friction directions does, beside exact Coulomb friction with the same
 * step. z: height of the gap, slip = 1 + 1/k, v_T decelerates at a = slip mu g, t_r = v0/a.
 *
 * Every step that slides has m dv = - mu r_N and m dvz = r_N - m g dt: v + mu vz + mu g t keeps,
 * and for semi-implicit Euler x + mu z less a function of t, flight included. Two schemes on the
 * same steps thus differ by x_a - x_b = - mu (z_a - z_b) + mu (z_a - z_b)(0). Hence
 *
 *   laid    at z = mu dt v0: floats at mu dt |v_T|, presses with m g (1 - (s/(1 + s))^l) in
 *           step l, s = slip mu^2, and has gained mu^2 v0 dt when it begins to roll
 *   rolls   friction half-way across the gap has the lever R + z/2, turns the ball more, and
 *           leaves it too fast by k mu v0^2 dt/(4 R (1 + k)^2)
 *   thrown  from z = 0: lifts off by h = (mu v_T)^2/(2 g), v_T = v0/(1 + slip mu^2), and is mu h
 *           behind on top of it, at any dt; without stabilisation it rebounds again and again
 *
 * Semi-implicit Euler itself leaves x too short by v0 dt/(2 slip) at t_r. A polygon of n
 * directions, thrown alpha off one of them: friction opposes that one, v_T turns to the middle
 * of the edge, pi/n off, after t_1 = (cos alpha - sin alpha/tan(pi/n)) v0/a, and goes on along it
 * from v_1 = v0 sin alpha/sin(pi/n), decelerating at a cos(pi/n). The way then differs by k/(1 + k)
 * times the difference of the integral of v_T, at any dt.
 */
#include "cases/thrown-ball/thrown-ball.h"

#include "base/status.h"
#include "cases/body_kit.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum sweep { BY_DT, BY_MU, BY_V0, SWEEPS };
static const char *const sweep_names[SWEEPS] = {"dt", "mu", "v0"};
/* Steps until t_r. */
static const int until_rolling[] = {72, 144, 288, 576, 1152};
enum { POINTS = sizeof until_rolling / sizeof *until_rolling, SHOWN = 2, FINEST = POINTS - 1 };
static const double STEP = 1e-3; /* [s], of the sweeps over mu and v0 */

/* What is run. The first two in every sweep, the others over dt. */
struct variant {
  const char *label, *form, *opt;
  int laid;  /* at z = mu dt v0, else at 0 */
  int facet; /* thrown pi/(2 facet) off the first axis; 0: along it */
};
static const struct variant variants[] = {
    {.label = "ccp", .form = "ccp", .opt = "", .laid = 1},
    {.label = "ncp", .form = "ncp", .opt = ""},
    {.label = "thrown", .form = "ccp", .opt = ""},
    {.label = "unstabilised", .form = "impulse", .opt = "law=ccp scheme=velocity"},
    {.label = "unrelaxed", .form = "impulse", .opt = "law=ncp scheme=gap"},
    {.label = "mdp", .form = "mdp", .opt = ""},
    {.label = "lcp-st", .form = "lcp-st", .opt = ""},
    {.label = "lcp-ap", .form = "lcp-ap", .opt = ""},
    {.label = "ncp-turned", .form = "ncp", .opt = "", .facet = 8},
    {.label = "lcp-8", .form = "lcp-st", .opt = "n_dir=8", .facet = 8},
    {.label = "lcp-16", .form = "lcp-st", .opt = "n_dir=16", .facet = 16},
    {.label = "lcp-32", .form = "lcp-st", .opt = "n_dir=32", .facet = 32}};
enum { VARIANTS = sizeof variants / sizeof *variants, PAIR = 2, POLYGONS = 3 };
enum { THROWN = 2, UNSTABILISED, SAME, POLYGON = VARIANTS - POLYGONS };

static const double EXACTLY = 1e-8;    /* relative (catalogue); the solver's tolerance is 1e-10 */
static const double SAME_PATH = 1e-12; /* [m], rounding of ways of a metre over 2000 steps */
static const double ORDER = 0.05;      /* half-width of the interval of an order */
static const double NEAR = 0.02;       /* relative, of a limit at the finest step */

/* A ball at one point of a sweep. */
struct point {
  struct thrown_ball b;
  double dt, a, t_r; /* [s], [m/s^2], [s] */
  int n;             /* steps until t_r */
};

static double slip_of(const struct thrown_ball *b) { return 1 + 1 / b->k; }

static struct point point_of(const struct case_parameters *p, enum sweep sweep, int k) {
  struct point at = {.b = thrown_ball_of(p), .dt = STEP, .n = until_rolling[k]};
  const double slip = slip_of(&at.b), t_r = at.n * STEP;
  if (sweep == BY_MU) {
    at.b.mu = at.b.v0 / (slip * at.b.g * t_r);
  } else if (sweep == BY_V0) {
    at.b.v0 = slip * at.b.mu * at.b.g * t_r;
  }
  at.a = slip * at.b.mu * at.b.g;
  at.t_r = at.b.v0 / at.a;
  at.dt = at.t_r / at.n;
  return at;
}

static double angle_of(const struct variant *v) { return v->facet > 0 ? M_PI / (2 * v->facet) : 0; }

static const struct case_series *run_of(const struct case_series *series, int n, const char *label,
                                        enum sweep sweep, int k) {
  char name[CASE_TEXT];
  snprintf(name, sizeof name, "%s-%s-%d", label, sweep_names[sweep], k);
  const struct case_series *s = case_series_ok(series, n, name, 7);
  if (s != NULL && s->n <= until_rolling[k]) {
    base_fail(BASE_FAILED, "run '%s' ends before the ball rolls", name);
    return NULL;
  }
  return s;
}

static const double *q_at(const struct case_series *s, int l) { return s->q + (long)s->nq * l; }
static const double *u_at(const struct case_series *s, int l) { return s->u + (long)s->nu * l; }

/* v_T of sample l, at the point of contact of the sample before, half-way between the surfaces. */
static double slip_speed(const struct point *at, const struct case_series *s, int l) {
  const double *u = u_at(s, l), gap = q_at(s, l > 0 ? l - 1 : 0)[2] - at->b.R;
  return u[0] - (at->b.R + 0.5 * gap) * u[4];
}

/* Sliding until a step before the end of it. */
static int slides(const struct point *at, const struct case_series *s, int l) {
  return slip_speed(at, s, l) > at->a * at->dt;
}

/* ---- one point: laid down against ncp ---- */

struct cost {
  double way, speed; /* gained at t_r [m], at the end [m/s] */
  double afloat;     /* worst |gap/(mu dt v_T) - 1| while it slides */
  double kept;       /* worst |x + mu z - ncp's - the same at 0| [m] */
  double pressed;    /* worst |N/(m g) - 1 + (s/(1 + s))^l| while it slides */
};

static struct cost cost_of(const struct point *at, const struct case_series *ccp,
                           const struct case_series *ncp) {
  const struct thrown_ball *b = &at->b;
  const double s = slip_of(b) * b->mu * b->mu;
  const double start = b->mu * (q_at(ccp, 0)[2] - q_at(ncp, 0)[2]);
  struct cost c = {.way = q_at(ccp, at->n)[0] - q_at(ncp, at->n)[0],
                   .speed = u_at(ccp, ccp->n - 1)[0] - u_at(ncp, ncp->n - 1)[0]};
  int seen = 0;
  for (int l = 1; l <= at->n && slides(at, ccp, l) && slides(at, ncp, l); ++l) {
    const double z = q_at(ccp, l)[2] - q_at(ncp, l)[2], x = q_at(ccp, l)[0] - q_at(ncp, l)[0];
    const double z_float = b->mu * at->dt * slip_speed(at, ccp, l);
    const double N = 1 + (u_at(ccp, l)[2] - u_at(ccp, l - 1)[2]) / (b->g * at->dt);
    c.afloat = case_worst(c.afloat, fabs((q_at(ccp, l)[2] - b->R) / z_float - 1));
    c.kept = case_worst(c.kept, fabs(x + b->mu * z - start));
    c.pressed = case_worst(c.pressed, fabs(N - 1 + pow(s / (1 + s), l)));
    ++seen;
  }
  c.afloat = seen > 1 ? c.afloat : NAN;
  c.kept = seen > 1 ? c.kept : NAN;
  return c;
}

static double speed_gained(const struct point *at) {
  const struct thrown_ball *b = &at->b;
  return b->k * b->mu * b->v0 * b->v0 * at->dt / (4 * b->R * (1 + b->k) * (1 + b->k));
}

/* Orders in the quantity of the sweep, of the way and of the speed gained. */
static const double way_order[SWEEPS] = {1, 2, 1}, speed_order[SWEEPS] = {1, 1, 2};

static int make_sweep(const struct case_parameters *p, const struct case_series *series, int n,
                      enum sweep sweep, struct case_plot *plot) {
  enum { COLS = 5 };
  double rows[POINTS][COLS], by[POINTS], way[POINTS], speed[POINTS], press[POINTS];
  double afloat = 0, kept = 0;
  struct point at = {0};
  struct cost c = {0};
  char what[2 * CASE_TEXT];
  for (int k = 0; k < POINTS; ++k) {
    const struct case_series *ccp = run_of(series, n, "ccp", sweep, k);
    const struct case_series *ncp = run_of(series, n, "ncp", sweep, k);
    if (ccp == NULL || ncp == NULL) {
      return BASE_FAILED;
    }
    at = point_of(p, sweep, k);
    c = cost_of(&at, ccp, ncp);
    by[k] = sweep == BY_DT ? at.dt : sweep == BY_MU ? at.b.mu : at.b.v0;
    way[k] = c.way;
    speed[k] = c.speed;
    press[k] = c.pressed;
    afloat = case_worst(afloat, c.afloat);
    kept = case_worst(kept, c.kept);
    const double row[COLS] = {by[k], c.way, at.b.mu * at.b.mu * at.b.v0 * at.dt, c.speed,
                              speed_gained(&at)};
    memcpy(rows[k], row, sizeof row);
  }
  const char *name = sweep_names[sweep];
  snprintf(what, sizeof what, "over %s: gap against mu dt |v_T| while it slides, relative", name);
  case_plot_check(plot, what, afloat, (struct case_claim){0, EXACTLY, .expected = "0"});
  snprintf(what, sizeof what, "over %s: change of x + mu z against ncp [m]", name);
  case_plot_check(plot, what, kept, (struct case_claim){0, SAME_PATH, .expected = "0"});
  snprintf(what, sizeof what, "order in %s of the way gained until it rolls", name);
  case_plot_check(plot, what, case_order(POINTS, by, way, POINTS),
                  (struct case_claim){way_order[sweep] - ORDER, way_order[sweep] + ORDER,
                                      .expected = way_order[sweep] > 1 ? "2" : "1"});
  snprintf(what, sizeof what, "order in %s of the speed gained in the end", name);
  case_plot_check(plot, what, case_order(POINTS, by, speed, POINTS),
                  (struct case_claim){speed_order[sweep] - ORDER, speed_order[sweep] + ORDER,
                                      .expected = speed_order[sweep] > 1 ? "2" : "1"});
  if (sweep == BY_DT) { /* c and `at` are those of the finest step */
    const double mu2 = at.b.mu * at.b.mu, own = at.b.v0 * at.dt / (2 * slip_of(&at.b));
    case_plot_check(plot, "way gained until it rolls over mu^2 v0 dt, shortest step",
                    c.way / (mu2 * at.b.v0 * at.dt),
                    (struct case_claim){1 - NEAR, 1 + NEAR, .expected = "1 (closed form)"});
    case_plot_check(plot, "speed gained over k mu v0^2 dt/(4 R (1 + k)^2), shortest step",
                    c.speed / speed_gained(&at),
                    (struct case_claim){1 - NEAR, 1 + NEAR, .expected = "1 (closed form)"});
    case_plot_check(
        plot, "way gained over the error v0 dt/(2 slip) of the Euler scheme",
        c.way / own / (2 * slip_of(&at.b) * mu2),
        (struct case_claim){1 - NEAR, 1 + NEAR, .expected = "2 slip mu^2, to a factor"});
    case_plot_check(
        plot, "order in dt of what N/(m g) differs from 1 - (s/(1 + s))^l",
        case_order(POINTS, by, press, POINTS),
        (struct case_claim){1 - 2 * ORDER, 1 + 2 * ORDER, .expected = "1: the lever's"});
  }
  return case_plot_table(plot, name, "by way[m] mu^2*v0*dt[m] speed[m/s] formula[m/s]", POINTS,
                         COLS, rows[0]);
}

/* ---- other variants, over dt ---- */

/* Where a variant is against ncp turned into its direction: largest distance of centres, that at
 * the end, the largest lag, largest gap once it has come down for the first time [m]. */
struct distance {
  double most, end, lag, later;
};

static struct distance distance_of(const struct point *at, const struct variant *v,
                                   const struct case_series *s, const struct case_series *ncp,
                                   double *rows) {
  const double c = cos(angle_of(v)), d = sin(angle_of(v));
  struct distance out = {0};
  int down = 0;
  for (int l = 0; l < s->n && l < ncp->n; ++l) {
    const double *q = q_at(s, l), *e = q_at(ncp, l), *last = q_at(s, l > 0 ? l - 1 : 0);
    const double x = q[0] - c * e[0], y = q[1] - d * e[0], z = q[2] - e[2];
    out.end = sqrt(x * x + y * y + z * z);
    out.most = case_worst(out.most, out.end);
    out.lag = fmax(out.lag, -x);
    down = down || (l > 1 && last[2] - at->b.R < at->b.mu * at->dt * at->b.v0 && q[2] <= last[2]);
    out.later = down ? fmax(out.later, q[2] - at->b.R) : 0;
    if (rows != NULL) {
      rows[2L * l] = s->t[l];
      rows[2L * l + 1] = out.end;
    }
  }
  return out;
}

/* End of a polygon's way against that of the circle, both rolling [m]. */
static double polygon_offset(const struct point *at, int n) {
  const double alpha = M_PI / (2 * n), half = M_PI / n, v0 = at->b.v0;
  const double t_1 = (cos(alpha) - sin(alpha) / tan(half)) * v0 / at->a;
  const double v_1 = v0 * sin(alpha) / sin(half), t_2 = v_1 / (at->a * cos(half));
  const double circle = v0 * v0 / (2 * at->a), edge = 0.5 * v_1 * t_2;
  const double x = cos(alpha) * (v0 * t_1 - circle) - 0.5 * at->a * t_1 * t_1 + edge * cos(half);
  const double y = sin(alpha) * (v0 * t_1 - circle) + edge * sin(half);
  return at->b.k / (1 + at->b.k) * hypot(x, y);
}

/* What must come out of variant i; far: its distances over dt; at: the finest step. */
static void check_variant(int i, const struct distance *far, const double *dt,
                          const struct point *at, struct case_plot *plot) {
  const struct variant *v = &variants[i];
  double most[POINTS], end[POINTS], lag[POINTS], later[POINTS], worst = 0;
  char what[2 * CASE_TEXT];
  for (int k = 0; k < POINTS; ++k) {
    most[k] = far[k].most, end[k] = far[k].end, lag[k] = far[k].lag, later[k] = far[k].later;
    worst = case_worst(worst, far[k].most);
  }
  if (i >= POLYGON) {
    snprintf(what, sizeof what, "%s: order in dt of the distance from ncp at the end", v->label);
    case_plot_check(plot, what, case_order(POINTS, dt, end, POINTS),
                    (struct case_claim){-ORDER, ORDER, .expected = "0"});
    snprintf(what, sizeof what, "%s: that distance over the closed form, shortest step", v->label);
    case_plot_check(plot, what, end[FINEST] / polygon_offset(at, v->facet),
                    (struct case_claim){1 - NEAR, 1 + NEAR, .expected = "1"});
  } else if (i >= SAME) {
    snprintf(what, sizeof what, "%s: largest distance from ncp at any step [m]", v->label);
    case_plot_check(plot, what, worst, (struct case_claim){0, SAME_PATH, .expected = "0"});
  } else if (i == THROWN) {
    const double up = at->b.mu * at->b.v0 / (1 + slip_of(&at->b) * at->b.mu * at->b.mu);
    case_plot_check(plot, "thrown from gap 0: order in dt of the largest distance from ncp",
                    case_order(POINTS, dt, most, POINTS),
                    (struct case_claim){-ORDER, ORDER, .expected = "0"});
    case_plot_check(plot,
                    "thrown: largest lag over mu times the height of the lift-off (mu v_T)^2/(2 g)",
                    lag[FINEST] / (at->b.mu * up * up / (2 * at->b.g)),
                    (struct case_claim){1 - NEAR, 1 + NEAR, .expected = "1"});
    case_plot_check(plot, "thrown: order in dt of the largest gap after the lift-off",
                    case_order(POINTS, dt, later, POINTS),
                    (struct case_claim){1 - 2 * ORDER, 1 + 2 * ORDER, .expected = "1"});
  } else if (i == UNSTABILISED) {
    case_plot_check(plot,
                    "without stabilisation: order in dt of the largest gap after the lift-off",
                    case_order(POINTS, dt, later, POINTS),
                    (struct case_claim){-2 * ORDER, 2 * ORDER, .expected = "0"});
  }
}

static int make_variant(const struct case_parameters *p, const struct case_series *series, int n,
                        int i, double *offset, struct case_plot *plot) {
  enum { COLS = 3 };
  const struct variant *v = &variants[i];
  struct base_arena *arena = base_arena_alloc();
  struct distance far[POINTS];
  double dt[POINTS], rows[POINTS][COLS];
  struct point at = {0};
  int status = BASE_OK;
  for (int k = 0; k < POINTS && status == BASE_OK; ++k) {
    const struct case_series *s = run_of(series, n, v->label, BY_DT, k);
    const struct case_series *ncp = run_of(series, n, "ncp", BY_DT, k);
    if (s == NULL || ncp == NULL) {
      status = BASE_FAILED;
      break;
    }
    double *path = k == SHOWN ? base_arena_matrix(arena, 2, s->n) : NULL;
    at = point_of(p, BY_DT, k);
    dt[k] = at.dt;
    far[k] = distance_of(&at, v, s, ncp, path);
    const double row[COLS] = {dt[k], far[k].most, far[k].end};
    memcpy(rows[k], row, sizeof row);
    if (path != NULL) {
      char name[CASE_TEXT];
      snprintf(name, sizeof name, "time-%s", v->label);
      status = case_plot_table(plot, name, "t[s] distance[m]", s->n, 2, path);
    }
  }
  if (status == BASE_OK) {
    check_variant(i, far, dt, &at, plot);
    *offset = far[FINEST].end;
    char name[CASE_TEXT];
    snprintf(name, sizeof name, "far-%s", v->label);
    status = case_plot_table(plot, name, "dt[s] largest[m] end[m]", POINTS, COLS, rows[0]);
  }
  base_arena_free(arena);
  return status;
}

int thrown_ball_relaxation_make(const struct case_parameters *p, const struct case_series *series,
                                int n, struct case_plot *plot) {
  double offset[VARIANTS], facets[POLYGONS];
  int status = BASE_OK;
  for (int sweep = 0; sweep < SWEEPS && status == BASE_OK; ++sweep) {
    status = make_sweep(p, series, n, (enum sweep)sweep, plot);
  }
  for (int i = 0; i < VARIANTS && status == BASE_OK; ++i) {
    status = i == 1 ? BASE_OK : make_variant(p, series, n, i, &offset[i], plot);
  }
  if (status == BASE_OK) {
    for (int i = 0; i < POLYGONS; ++i) {
      facets[i] = variants[POLYGON + i].facet;
    }
    case_plot_check(plot, "polygons: order in n_dir of the distance from ncp at the end",
                    case_order(POLYGONS, facets, offset + POLYGON, POLYGONS),
                    (struct case_claim){-1 - 3 * ORDER, -1 + 3 * ORDER, .expected = "-1 for many"});
  }
  return status;
}

const struct case_function thrown_ball_relaxation_functions[] = {
    {"relaxation_make", .make = thrown_ball_relaxation_make}, {0}};
