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

static const double ROLLING = 0.01; /* of v0 */
#define FLOATS 1e-8                 /* relative (catalogue) */

/* Rolls a step early or late, and a part of one. */
#define STEPS_OFF 2

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

const struct case_function thrown_ball_functions[] = {
    {"gap_row", .row = gap_row},
    {"not_the_first", .value = not_the_first},
    {"speed_of", .value = speed_of},
    {"rim_speed", .value = rim_speed},
    {"end_error", .value = end_error},
    {"rolling_error", .value = rolling_error},
    {"exact_row", .row = exact_row},
    {"floats", .value = floats},
    {"gap_rolling", .value = gap_rolling},
    {"gap_of_all", .value = gap_of_all},
    {"rise_over_law", .value = rise_over_law},
    {"height_over_law", .value = height_over_law},
    {"floats_again", .value = floats_again},
    {"end_over_step", .value = end_over_step},
    {"off_by", .bounds = off_by},
    {"rolling_over_step", .value = rolling_over_step},
    {0}};
