/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * negrut-liftoff: what the relaxation term of negrut (5d) does to a ball that slides and rolls.
 *
 *   floating   ball laid down at the gap mu dt v0: it floats at mu dt |v_T| while it slides (ccp)
 *   thrown     ball at gap 0: the same law asks for v_N >= mu |v_T| at once, and the ball hops;
 * after that it floats steps      every formulation from gap 0: speed at the end, and the time at
 * which it rolls
 *
 * The moment of momentum about the line of contact decides on the speed at the end, so that it is
 * 5/7 v0 also after a lift-off; and since the normal impulses add up to m g t wherever the ball is
 * down, so does the time. That is where |v_T| falls below ROLLING v0, less what is left of the
 * sliding.
 */
#include "cases/thrown-ball/thrown-ball.h"

#include "base/status.h"
#include "cases/body_kit.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ball_dt[] = {4e-3, 2e-3, 1e-3, 5e-4}; /* [s] */
enum { STEPS = (int)(sizeof ball_dt / sizeof *ball_dt), LAID = 2 };
static const double laid_dt[LAID] = {1e-3, 1e-4}; /* [s] */
static const double PENALTY_PART = 0.1;           /* of the others' steps: its springs */
static const double ROLLING = 0.01;               /* of v0 */
static const double FLOATS = 1e-8;                /* relative (catalogue) */
static const double ON_PLANE = 1e-13;             /* [m], rounding of R + gap over some steps */
/* Rolls a step early or late, and a part of one. */
static const double STEPS_OFF = 2;

static void fill_body(const struct case_parameters *p, const struct case_place *place,
                      struct case_run *run) {
  const struct body_form *form = &body_forms[place->at[1]];
  (void)p;
  snprintf(run->label, sizeof run->label, "%s-%g", form->name, case_place_real(place, "dt"));
  snprintf(run->formulation, sizeof run->formulation, "%s", form->name);
  snprintf(run->set, sizeof run->set, "body=%s", form->body);
  run->dt *= strcmp(form->name, "penalty") == 0 ? PENALTY_PART : 1;
}

static void fill_gap(const struct case_parameters *p, const struct case_place *place,
                     struct case_run *run) {
  const struct thrown_ball b = thrown_ball_of(p);
  (void)place;
  snprintf(run->set, sizeof run->set, "gap=%.17g", b.mu * run->dt * b.v0);
}

static const struct case_runs liftoff_runs[] = {
    {.label = "",
     .dt = "{dt}",
     .sample = "{dt}",
     .over = {{"dt", "4e-3 2e-3 1e-3 5e-4"}, {.names = "form", .count = BODY_FORMS}},
     .fill = fill_body},
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

/* t, gap, mu dt |v_T|, N/(m g) as the change of momentum over the time between samples. */
static void write_gap(const struct thrown_ball *b, const struct case_series *s, double dt,
                      struct case_plot *plot, const char *name) {
  struct base_arena *arena = base_arena_alloc();
  double *rows = base_arena_matrix(arena, 4, s->n);
  for (int k = 1; k < s->n; ++k) {
    const struct sample now = sample_of(b, s, k), before = sample_of(b, s, k - 1);
    double *row = rows + (size_t)(k - 1) * 4;
    row[0] = s->t[k];
    row[1] = now.gap;
    row[2] = b->mu * dt * fabs(now.v_T);
    row[3] = ((now.vz - before.vz) / (s->t[k] - s->t[k - 1]) + b->g) / b->g;
  }
  case_plot_table(plot, name, "t[s] gap[m] mu*dt*|v_T|[m] N/(m*g)", s->n - 1, 4, rows);
  base_arena_free(arena);
}

/* Largest |gap - mu dt |v_T|| over mu dt |v_T| while the ball slides, from `from` on. */
static double float_error(const struct thrown_ball *b, const struct case_series *s, double dt,
                          double from) {
  double worst = 0;
  int seen = 0;
  for (int k = 1; k < s->n; ++k) {
    const struct sample now = sample_of(b, s, k);
    const double expected = b->mu * dt * now.v_T;
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

static int make_gaps(const struct thrown_ball *b, const struct case_series *series, int n,
                     struct case_plot *plot) {
  for (int i = 0; i < 2 * LAID; ++i) {
    const double dt = laid_dt[i % LAID];
    char label[CASE_TEXT], what[2 * CASE_TEXT];
    snprintf(label, sizeof label, "%s-laid-%g", i < LAID ? "ccp" : "ncp", dt);
    const struct case_series *s = case_series_ok(series, n, label, 7);
    if (s == NULL) {
      return BASE_FAILED;
    }
    write_gap(b, s, dt, plot, label);
    if (i < LAID) {
      snprintf(what, sizeof what, "ccp, dt = %g s: gap against mu dt |v_T| while sliding, relative",
               dt);
      case_plot_check(plot, what, float_error(b, s, dt, 0),
                      (struct case_claim){0, FLOATS, .expected = "0",
                                          .published = "a gap of mu dt |v_T| (negrut, after 6)"});
      snprintf(what, sizeof what, "ccp, dt = %g s: largest gap once it rolls [m]", dt);
      case_plot_check(plot, what, largest_gap(b, s, b->t_roll + STEPS_OFF * dt),
                      (struct case_claim){0, ON_PLANE, .expected = "0",
                                          .published = "vanishes once it rolls (negrut, after 6)"});
    } else {
      snprintf(what, sizeof what, "ncp, dt = %g s: largest gap [m]", dt);
      case_plot_check(plot, what, largest_gap(b, s, 0),
                      (struct case_claim){0, ON_PLANE, .expected = "0"});
    }
  }
  const struct case_series *hop = case_series_ok(series, n, "ccp-0.001", 7);
  if (hop == NULL) {
    return BASE_FAILED;
  }
  const double v_T = sample_of(b, hop, 1).v_T, up = b->mu * v_T;
  write_gap(b, hop, 1e-3, plot, "ccp-thrown");
  case_plot_check(plot, "ccp from gap 0: first normal velocity over mu |v_T|",
                  sample_of(b, hop, 1).vz / up,
                  (struct case_claim){1 - FLOATS, 1 + FLOATS, .expected = "1"});
  case_plot_check(plot, "ccp from gap 0: height of the lift-off over (mu v_T)^2/(2 g)",
                  largest_gap(b, hop, 0) / (up * up / (2 * b->g)),
                  (struct case_claim){0.97, 1.03, .expected = "1 for dt to 0"});
  case_plot_check(plot, "ccp from gap 0: gap against mu dt |v_T| after the lift-off, relative",
                  float_error(b, hop, 1e-3, 2 * up / b->g + STEPS_OFF * 1e-3),
                  (struct case_claim){0, FLOATS, .expected = "0",
                                      .published = "a gap of mu dt |v_T| (negrut, after 6)"});
  return BASE_OK;
}

/* ---- rolling ---- */

/* Time at which the ball rolls; NaN when it does not. */
static double rolls_at(const struct thrown_ball *b, const struct case_series *s) {
  const double level = ROLLING * b->v0, rate = (1 + 1 / b->k) * b->mu * b->g;
  for (int k = 1; k < s->n; ++k) {
    const struct sample at = sample_of(b, s, k), last = sample_of(b, s, k - 1);
    const double now = at.v - b->R * at.w, before = last.v - b->R * last.w;
    if (now <= level) {
      return s->t[k - 1] + (before - level) / rate + level / rate;
    }
  }
  return NAN;
}

static void write_speed(const struct thrown_ball *b, const struct case_series *s,
                        struct case_plot *plot, const char *name) {
  struct base_arena *arena = base_arena_alloc();
  double *rows = base_arena_matrix(arena, 3, s->n);
  for (int k = 0; k < s->n; ++k) {
    const struct sample now = sample_of(b, s, k);
    rows[3 * k] = s->t[k];
    rows[3 * k + 1] = now.v;
    rows[3 * k + 2] = b->R * now.w;
  }
  case_plot_table(plot, name, "t[s] v[m/s] R*omega[m/s]", s->n, 3, rows);
  base_arena_free(arena);
}

/* What a formulation may be off, in steps: sliding is uniform, and impulses that act for whole
 * steps follow it exactly but for the one in which rolling begins. */
static double off_by(const char *name) {
  static const struct {
    const char *name;
    double steps;
  } others[] = {{"ccp", 0.1},                /* the flight */
                {"penalty", 0.5},            /* its springs */
                {"consistent-twostep", 0.5}, /* the mean of the step is held */
                {"consistent-quaternion-twostep", 0.5},
                {"consistent-quaternion", STEPS_OFF}}; /* the first step has half its friction */
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    if (strcmp(others[i].name, name) == 0) {
      return others[i].steps;
    }
  }
  return FLOATS;
}

static int liftoff_make(const struct case_parameters *p, const struct case_series *series, int n,
                        struct case_plot *plot) {
  const struct thrown_ball b = thrown_ball_of(p);
  const double slip = (1 + 1 / b.k) * b.mu * b.g;
  int status = make_gaps(&b, series, n, plot);
  for (int form = 0; form < BODY_FORMS && status == BASE_OK; ++form) {
    const char *name = body_forms[form].name;
    double rows[STEPS][3], speed = 0, time = 0;
    char label[CASE_TEXT], what[2 * CASE_TEXT];
    for (int k = 0; k < STEPS && status == BASE_OK; ++k) {
      snprintf(label, sizeof label, "%s-%g", name, ball_dt[k]);
      const struct case_series *s =
          case_series_ok(series, n, label, strcmp(body_forms[form].body, "planar") == 0 ? 3 : 7);
      if (s == NULL) {
        return BASE_FAILED;
      }
      rows[k][0] = ball_dt[k];
      rows[k][1] = fabs(sample_of(&b, s, s->n - 1).v / b.v_roll - 1);
      rows[k][2] = fabs(rolls_at(&b, s) - b.t_roll);
      speed = case_worst(speed, rows[k][1] * b.v_roll / (slip * ball_dt[k]));
      time = case_worst(time, rows[k][2] / ball_dt[k]);
      if (ball_dt[k] == 1e-3) {
        snprintf(label, sizeof label, "speed-%s", name);
        write_speed(&b, s, plot, label);
      }
    }
    snprintf(what, sizeof what,
             "%s: error of the speed at the end over what |v_T| loses in dt, dt = %g to %g s", name,
             ball_dt[STEPS - 1], ball_dt[0]);
    case_plot_check(plot, what, speed,
                    (struct case_claim){0, off_by(name), .expected = "0: 5/7 v0"});
    snprintf(what, sizeof what, "%s: error of the time at which it rolls over dt", name);
    case_plot_check(plot, what, time,
                    (struct case_claim){0, off_by(name), .expected = "0: 2 v0/(7 mu g)"});
    snprintf(what, sizeof what, "steps-%s", name);
    status =
        case_plot_table(plot, what, "dt[s] v_end/(5/7*v0)-1 t_roll-error[s]", STEPS, 3, rows[0]);
  }
  const double exact[][3] = {
      {0, b.v0, 0}, {b.t_roll, b.v_roll, b.v_roll}, {0.5, b.v_roll, b.v_roll}};
  case_plot_table(plot, "exact", "t[s] v[m/s] R*omega[m/s]", 3, 3, exact[0]);
  return status;
}

const struct case_figure thrown_ball_figures[] = {
    {.id = "negrut-liftoff",
     .title = "A ball that slides and rolls (negrut 5d)",
     .caption =
         "The relaxation lets a sliding ball float at mu dt |v_T|, or hop where it starts at "
         "the plane; all formulations end at 5/7 of the speed at the same time.",
     .runs = liftoff_runs,
     .make = liftoff_make},
    {.id = "relaxation-cost",
     .title = "A ball that slides and rolls: what the relaxation costs",
     .caption = "Distance from exact Coulomb friction (ncp) with the same step. The convex "
                "relaxation moves a ball laid on its floating height by mu^2 v0 dt, and its speed "
                "in the end by k mu v0^2 dt/(4 R (1 + k)^2); thrown from the plane it hops, and a "
                "polygon of friction directions leads astray, both at any dt.",
     .runs = thrown_ball_relaxation_runs,
     .make = thrown_ball_relaxation_make},
    {.id = "penalty-front-sliding",
     .title = "A ball that slides and rolls: penalty against impulses",
     .caption = "Largest error of penalty against the stiffness, and of both families against time "
                "and work of a run. Nothing strikes: springs are of second order in their step, as "
                "midpoint rules, semi-implicit Euler of first, and the relaxation, which hops, of "
                "none.",
     .runs = thrown_ball_front_runs,
     .tables = thrown_ball_front_tables,
     .checks = thrown_ball_front_checks,
     .panels = thrown_ball_front_panels},
    {.id = NULL}};
