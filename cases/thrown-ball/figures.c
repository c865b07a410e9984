/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * negrut-liftoff: what the relaxation term of negrut (5d) does to a ball that slides and rolls.
 *
 *   floating   ball laid down at the gap mu dt v0: it floats at mu dt |v_T| while it slides (ccp)
 *   thrown     ball at gap 0: the same law asks for v_N >= mu |v_T| at once, and the ball lifts
 *              off; after that it floats
 *   steps      every formulation from gap 0: speed at the end, and the time at which it rolls
 *
 * The moment of momentum about the line of contact decides on the speed at the end, so that it is
 * 5/7 v0 also after a lift-off; and since the normal impulses add up to m g t wherever the ball is
 * down, so does the time. That is where |v_T| falls below ROLLING v0, less what is left of the
 * sliding.
 */
#include "cases/thrown-ball/thrown-ball.h"

#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PENALTY_PART = 0.1; /* of the others' steps: its springs */
static const double ROLLING = 0.01;     /* of v0 */
#define FLOATS 1e-8                     /* relative (catalogue) */
#define ON_PLANE 1e-13                  /* [m], rounding of R + gap over some steps */
/* Rolls a step early or late, and a part of one. */
#define STEPS_OFF 2

static void fill_step(const struct case_parameters *p, const struct case_place *place,
                      struct case_run *run) {
  (void)p, (void)place;
  run->dt *= strcmp(run->formulation, "penalty") == 0 ? PENALTY_PART : 1;
}

static void fill_gap(const struct case_parameters *p, const struct case_place *place,
                     struct case_run *run) {
  const struct thrown_ball b = thrown_ball_of(p);
  (void)place;
  snprintf(run->set, sizeof run->set, "gap=%.17g", b.mu * run->dt * b.v0);
}

static const struct case_runs liftoff_runs[] = {
    {.label = "{form}-{dt}",
     .formulation = "{form}",
     .set = "body={body}",
     .dt = "{dt}",
     .sample = "{dt}",
     .over = {{"dt", "0.004 0.002 0.001 0.0005"},
              {"form/body",
               "moreau/quaternion lcp-st/quaternion lcp-ap/quaternion lcp-dca/quaternion "
               "ccp/quaternion ncp/quaternion mdp/quaternion penalty/quaternion "
               "consistent-twostep/planar consistent-quaternion/quaternion "
               "consistent-quaternion-twostep/quaternion event/quaternion"}},
     .fill = fill_step},
    {.label = "ccp-laid-{dt}",
     .formulation = "ccp",
     .dt = "{dt}",
     .sample = "{dt}",
     .over = {{"dt", "0.001 0.0001"}},
     .fill = fill_gap},
    {.label = "ncp-laid-{dt}",
     .formulation = "ncp",
     .dt = "{dt}",
     .sample = "{dt}",
     .over = {{"dt", "0.001 0.0001"}}},
    {0}};

/* What one sample says. v_T as the contact has it: its point lies half-way between the surfaces, in
 * the configuration of the sample before, with which the step began. */
struct sample {
  double gap, v, vz, w, v_T; /* [m], [m/s], [m/s], [rad/s], [m/s] */
};

static double gap_of(const struct thrown_ball *b, const struct case_series *s, int k) {
  return s->q[(size_t)k * (size_t)s->nq + (s->nq == 3 ? 1 : 2)] - b->R;
}

static struct sample sample_of(const struct thrown_ball *b, const struct case_series *s, int k) {
  const double *u = s->u + (size_t)k * (size_t)s->nu;
  const int planar = s->nq == 3;
  struct sample out = {
      .gap = gap_of(b, s, k), .v = u[0], .vz = u[planar ? 1 : 2], .w = planar ? -u[2] : u[4]};
  out.v_T = out.v - (b->R + 0.5 * gap_of(b, s, k > 0 ? k - 1 : 0)) * out.w;
  return out;
}

/* ---- gap and normal force ---- */

/* From the second sample on: t, gap, mu dt |v_T|, N/(m g) as the change of momentum over the time
 * between samples. */
static double not_the_first(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)s;
  return k > 0;
}

static void gap_row(const struct case_results *r, const struct case_series *s, int k, double *out) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  const struct sample now = sample_of(&b, s, k), before = sample_of(&b, s, k - 1);
  out[0] = s->t[k];
  out[1] = now.gap;
  out[2] = b.mu * s->run->dt * fabs(now.v_T);
  out[3] = ((now.vz - before.vz) / (s->t[k] - s->t[k - 1]) + b.g) / b.g;
}

/* Largest |gap - mu dt |v_T|| over mu dt |v_T| while the ball slides, from `from` on. */
static double float_error(const struct thrown_ball *b, const struct case_series *s, double from) {
  double worst = 0;
  int seen = 0;
  for (int k = 1; k < s->n; ++k) {
    const struct sample now = sample_of(b, s, k);
    const double expected = b->mu * s->run->dt * now.v_T;
    if (s->t[k] >= from && now.v_T > ROLLING * b->v0) {
      worst = case_worst(worst, fabs(now.gap - expected) / expected);
      ++seen;
    }
  }
  return seen > 1 ? worst : NAN;
}

/* Largest |gap| from a time on. */
static double largest_gap(const struct thrown_ball *b, const struct case_series *s, double from) {
  double worst = 0;
  for (int k = 1; k < s->n; ++k) {
    worst = s->t[k] >= from ? case_worst(worst, fabs(sample_of(b, s, k).gap)) : worst;
  }
  return worst;
}

static double floats(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  (void)k;
  return float_error(&b, s, 0);
}

static double gap_rolling(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  (void)k;
  return largest_gap(&b, s, b.t_roll + STEPS_OFF * s->run->dt);
}

static double gap_of_all(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  (void)k;
  return largest_gap(&b, s, 0);
}

/* Normal velocity that the law asks for in the first step [m/s]. */
static double first_rise(const struct thrown_ball *b, const struct case_series *s) {
  return b->mu * sample_of(b, s, 1).v_T;
}

static double rise_over_law(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  (void)k;
  return sample_of(&b, s, 1).vz / first_rise(&b, s);
}

static double height_over_law(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  double height = 0; /* (mu v_T)^2/(2 g) for dt to 0 */
  (void)k;
  for (double up = first_rise(&b, s); up > 0; up -= b.g * s->run->dt) {
    height += up * s->run->dt;
  }
  return largest_gap(&b, s, 0) / height;
}

static double floats_again(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  (void)k;
  return float_error(&b, s, 2 * first_rise(&b, s) / b.g + STEPS_OFF * s->run->dt);
}

/* ---- rolling ---- */

static double speed_of(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  return sample_of(&b, s, k).v;
}

static double rim_speed(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  return b.R * sample_of(&b, s, k).w;
}

static double end_error(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  (void)k;
  return fabs(sample_of(&b, s, s->n - 1).v / b.v_roll - 1);
}

/* Over what |v_T| loses in a step of the others. */
static double end_over_step(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  const double slip = (1 + 1 / b.k) * b.mu * b.g;
  return end_error(r, s, k) * b.v_roll / (slip * case_word(r, s, "dt"));
}

/* Of the time at which the ball rolls; NaN when it does not [s]. */
static double rolling_error(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  const double level = ROLLING * b.v0, rate = (1 + 1 / b.k) * b.mu * b.g;
  for (k = 1; k < s->n; ++k) {
    const struct sample at = sample_of(&b, s, k), last = sample_of(&b, s, k - 1);
    const double now = at.v - b.R * at.w, before = last.v - b.R * last.w;
    if (now <= level) {
      return fabs(s->t[k - 1] + (before - level) / rate + level / rate - b.t_roll);
    }
  }
  return NAN;
}

static double rolling_over_step(const struct case_results *r, const struct case_series *s, int k) {
  return rolling_error(r, s, k) / case_word(r, s, "dt");
}

/* What a formulation may be off, in steps: sliding is uniform, and impulses that act for whole
 * steps follow it exactly but for the one in which rolling begins. */
static void off_by(const struct case_results *r, const struct case_series *s, double *lo,
                   double *hi) {
  static const struct {
    const char *name;
    double steps;
  } others[] = {{"ccp", 0.1},                /* the flight */
                {"penalty", 0.5},            /* its springs */
                {"consistent-twostep", 0.5}, /* rolls in the mean of a step */
                {"consistent-quaternion-twostep", 0.5},
                {"consistent-quaternion", STEPS_OFF}}; /* the first step has half its friction */
  (void)r;
  *lo = 0;
  *hi = FLOATS;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    *hi = strcmp(others[i].name, s->run->formulation) == 0 ? others[i].steps : *hi;
  }
}

static void exact_row(const struct case_results *r, const struct case_series *s, int k,
                      double *out) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  const double rows[][3] = {
      {0, b.v0, 0}, {b.t_roll, b.v_roll, b.v_roll}, {0.5, b.v_roll, b.v_roll}};
  (void)s;
  memcpy(out, rows[k], sizeof rows[k]);
}

#define GAP(NAME, RUNS)                                                                            \
  {                                                                                                \
    .name = NAME, .runs = RUNS, .keep = not_the_first, .row = gap_row, .columns = {                \
      {"t[s]"},                                                                                    \
      {"gap[m]"},                                                                                  \
      {"mu*dt*|v_T|[m]"},                                                                          \
      {"N/(m*g)"}                                                                                  \
    }                                                                                              \
  }
static const struct case_table liftoff_tables[] = {
    GAP("ccp-laid-{dt}", "ccp-laid-{dt}"),
    GAP("ncp-laid-{dt}", "ncp-laid-{dt}"),
    GAP("ccp-thrown", "ccp-0.001"),
    {.name = "speed-{form}",
     .runs = "{form}-{dt}",
     .where = {{"dt", "0.001"}},
     .columns = {{"t[s]", "t"},
                 {"v[m/s]", .value = speed_of},
                 {"R*omega[m/s]", .value = rim_speed}}},
    {.name = "steps-{form}",
     .runs = "{form}-{dt}",
     .along = "dt",
     .columns = {{"dt[s]", "{dt}"},
                 {"v_end/(5/7*v0)-1", .value = end_error},
                 {"t_roll-error[s]", .value = rolling_error}}},
    {.name = "exact",
     .rows = 3,
     .row = exact_row,
     .columns = {{"t[s]"}, {"v[m/s]"}, {"R*omega[m/s]"}}},
    {0}};

#define GAP_OF_THE_LAW                                                                             \
  .claim = {0, FLOATS, .expected = "0", .published = "a gap of mu dt |v_T| (negrut, after 6)"}
static const struct case_check liftoff_checks[] = {
    {.what = "ccp, dt = {dt} s: gap against mu dt |v_T| while sliding, relative",
     .runs = "ccp-laid-{dt}",
     .value = floats,
     GAP_OF_THE_LAW},
    {.what = "ccp, dt = {dt} s: largest gap once it rolls [m]",
     .runs = "ccp-laid-{dt}",
     .value = gap_rolling,
     .claim = {0, ON_PLANE, .expected = "0",
               .published = "vanishes once it rolls (negrut, after 6)"}},
    {.what = "ncp, dt = {dt} s: largest gap [m]",
     .runs = "ncp-laid-{dt}",
     .value = gap_of_all,
     .claim = {0, ON_PLANE, .expected = "0"}},
    {.what = "ccp from gap 0: first normal velocity over mu |v_T|",
     .runs = "ccp-0.001",
     .value = rise_over_law,
     .claim = {1 - FLOATS, 1 + FLOATS, .expected = "1"}},
    {.what = "ccp from gap 0: height of the lift-off over that of a throw at mu |v_T|",
     .runs = "ccp-0.001",
     .value = height_over_law,
     .claim = {1 - FLOATS, 1 + FLOATS, .expected = "1, in steps of dt",
               .published = "lift-off forces at high sliding speed (negrut, conclusions)"}},
    {.what = "ccp from gap 0: gap against mu dt |v_T| after the lift-off, relative",
     .runs = "ccp-0.001",
     .value = floats_again,
     GAP_OF_THE_LAW},
    {.what = "{form}: error of the speed at the end over what |v_T| loses in dt, dt = 0.0005 to "
             "0.004 s",
     .runs = "{form}-{dt}",
     .value = end_over_step,
     .along = "dt",
     .reduce = CASE_WORST,
     .bounds = off_by,
     .claim = {.expected = "0: 5/7 v0"}},
    {.what = "{form}: error of the time at which it rolls over dt",
     .runs = "{form}-{dt}",
     .value = rolling_over_step,
     .along = "dt",
     .reduce = CASE_WORST,
     .bounds = off_by,
     .claim = {.expected = "0: 2 v0/(7 mu g)"}},
    {0}};

const struct case_figure thrown_ball_figures[] = {
    {.id = "negrut-liftoff",
     .title = "A ball that slides and rolls (negrut 5d)",
     .caption =
         "The relaxation lets a sliding ball float at mu dt |v_T| (to {ccp, dt = 0.001 s: "
         "gap against} of that), or lift off, as high as thrown at mu |v_T| (to {ccp from gap "
         "0: height} times), where it starts at the plane; ncp stays on it, to {ncp, dt = 0.001 s: "
         "largest gap} m. All formulations end at 5/7 of the speed at the same time.",
     .runs = liftoff_runs,
     .tables = liftoff_tables,
     .checks = liftoff_checks,
     .panels = thrown_ball_liftoff_panels,
     .abreast = 2},
    {.id = "relaxation-cost",
     .title = "A ball that slides and rolls: what the relaxation costs",
     .caption =
         "The convex relaxation moves a ball laid on its floating height by {way gained until it "
         "rolls over mu^2 v0 dt} mu^2 v0 dt, of order {order in dt of the way} in dt, and adds to "
         "its speed in the end {speed gained over} k mu v0^2 dt/(4 R (1 + k)^2); thrown from the "
         "plane it lifts off and lags, whatever the step (power of dt: {thrown from gap 0: "
         "order}), and a polygon of friction directions leads astray whatever the step too (power "
         "of dt: {lcp-8: order}). Distance from exact Coulomb friction (ncp) with the same step.",
     .runs = thrown_ball_relaxation_runs,
     .panels = thrown_ball_relaxation_panels,
     .abreast = 2,
     .make = thrown_ball_relaxation_make},
    {.id = "penalty-front-sliding",
     .title = "A ball that slides and rolls: penalty against impulses",
     .caption = "Where nothing strikes springs pay: their error goes with K to the power {penalty, "
                "rk4: order in K of the largest} and with the number of steps to the power "
                "{penalty, rk4: order of the error}, as by midpoint rules (order {moreau: order in "
                "dt} in dt, moreau), while semi-implicit Euler has order {ncp: order in dt} (ncp) "
                "and the relaxation, which lifts off, none. Largest error of penalty against the "
                "stiffness, and of both families against time and work of a run.",
     .runs = thrown_ball_front_runs,
     .tables = thrown_ball_front_tables,
     .checks = thrown_ball_front_checks,
     .panels = thrown_ball_front_panels},
    {.id = NULL}};
