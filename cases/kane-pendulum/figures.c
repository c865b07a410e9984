/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kane-pendulum: the energy of the impact over friction and over restitution, by Newton's and by
 * Poisson's law, against the closed forms of kane-pendulum.c.
 */
#include "cases/kane-pendulum/kane-pendulum.h"

#include <math.h>

/* Directions at the end or the middle of a step of 1e-5 s differ by dt |u| = 2e-6 from those at the
 * impact, and gains of up to 2.5 by some of that. */
#define TURNED 1e-4

#define RATIOS "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"
static const struct case_runs kane_runs[] = {
    {.label = "mu-{law}-{#mu}",
     .formulation = "moreau",
     .set = "mu={mu}",
     .opt = "restitution={law}",
     .over = {{"law", "newton poisson"}, {"mu", RATIOS}}},
    {.label = "eps-{law}-{#eps}",
     .formulation = "moreau",
     .set = "eps={eps}",
     .opt = "restitution={law}",
     .over = {{"law", "newton poisson"}, {"eps", RATIOS}}},
    {.label = "newton-{form}",
     .formulation = "{form}",
     .over = {{"form", "moreau moreau-theta lcp-st lcp-ap lcp-dca ncp consistent-twostep "
                       "consistent-quaternion consistent-quaternion-twostep event"}}},
    {.label = "poisson-{form}",
     .formulation = "{form}",
     .opt = "restitution=poisson",
     .over = {{"form", "moreau lcp-st lcp-ap lcp-dca ncp"}}},
    {.label = "springs", .formulation = "penalty", .opt = "K=1e7 substeps=1", .t_end = "1e-3"},
    {0}};

static double gain(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return case_number(s, "energy.final") / case_number(s, "energy.initial") - 1;
}

static double part_of(const struct case_series *s, const char *path) {
  return case_number(s, path) / case_number(s, "energy.initial");
}

static double friction_work(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return part_of(s, "energy.budget.friction");
}

static double exact_of(const struct case_results *r, const struct case_series *s,
                       enum kane_law law) {
  return kane_pendulum_gain(r->p, law, case_number(s, "case.parameters.mu"),
                            case_number(s, "case.parameters.eps"));
}

static double off_newton(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(gain(r, s, k) - exact_of(r, s, KANE_NEWTON));
}

static double off_poisson(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(gain(r, s, k) - exact_of(r, s, KANE_POISSON));
}

enum { POINTS = 201 };

/* The ratio, and the gains by both laws with it for mu, and for eps. */
static void exact(const struct case_results *r, const struct case_series *s, int k, double *out) {
  const double x = (double)k / (POINTS - 1);
  const double mu = case_real(r->p, "mu"), eps = case_real(r->p, "eps");
  (void)s;
  out[0] = x;
  out[1] = kane_pendulum_gain(r->p, KANE_NEWTON, x, eps);
  out[2] = kane_pendulum_gain(r->p, KANE_POISSON, x, eps);
  out[3] = kane_pendulum_gain(r->p, KANE_NEWTON, mu, x);
  out[4] = kane_pendulum_gain(r->p, KANE_POISSON, mu, x);
}

static const struct case_table kane_tables[] = {
    {.name = "mu-{law}",
     .runs = "mu-{law}-{#mu}",
     .along = "mu",
     .columns = {{"mu", "{mu}"}, {"gain", .value = gain}, {"friction", .value = friction_work}}},
    {.name = "eps-{law}",
     .runs = "eps-{law}-{#eps}",
     .along = "eps",
     .columns = {{"eps", "{eps}"}, {"gain", .value = gain}, {"friction", .value = friction_work}}},
    {.name = "exact",
     .columns = {{"ratio"}, {"newton-mu"}, {"poisson-mu"}, {"newton-eps"}, {"poisson-eps"}},
     .row = exact,
     .rows = POINTS},
    {0}};

#define OFF(LAW, NAME, LIST)                                                                       \
  {                                                                                                \
    .what = NAME "'s law: largest distance from the closed form over " LIST,                       \
    .runs = LIST "-{law}-{#" LIST "}", .where = {{"law", #LAW}}, .value = off_##LAW,               \
    .along = LIST, .reduce = CASE_WORST, .claim = {                                                \
      0,                                                                                           \
      TURNED,                                                                                      \
      .expected = "0"                                                                              \
    }                                                                                              \
  }
static const struct case_check kane_checks[] = {
    {.what = "{form}, Newton's law: T+/T- - 1",
     .runs = "newton-{form}",
     .value = gain,
     .claim = {0.5875 - TURNED, 0.5875 + TURNED, .expected = "0.5875, closed form"}},
    {.what = "{form}, Poisson's law: T+/T- - 1",
     .runs = "poisson-{form}",
     .value = gain,
     .claim = {-0.4551 - TURNED, -0.4551 + TURNED, .expected = "-0.4551, closed form"}},
    OFF(newton, "Newton", "mu"),
    OFF(newton, "Newton", "eps"),
    OFF(poisson, "Poisson", "mu"),
    OFF(poisson, "Poisson", "eps"),
    {.what = "{form}, Newton's law: work of friction over T-",
     .runs = "newton-{form}",
     .value = friction_work,
     .claim = {1.3, 1.5, .expected = "above 0: friction drives"}},
    {.what = "{form}, Poisson's law: work of friction over T-",
     .runs = "poisson-{form}",
     .value = friction_work,
     .claim = {-1, 0, .expected = "0 or below"}},
    {.what = "Poisson's law: largest T+/T- - 1 over mu",
     .runs = "mu-{law}-{#mu}",
     .where = {{"law", "poisson"}},
     .value = gain,
     .along = "mu",
     .reduce = CASE_WORST,
     .claim = {-1, 0, .expected = "0 or below"}},
    {.what = "Poisson's law: largest T+/T- - 1 over eps",
     .runs = "eps-{law}-{#eps}",
     .where = {{"law", "poisson"}},
     .value = gain,
     .along = "eps",
     .reduce = CASE_WORST,
     .claim = {-1, 0, .expected = "0 or below"}},
    {.what = "penalty, springs of eps = 0.5: T+/T- - 1",
     .runs = "springs",
     .value = gain,
     .claim = {-0.47, -0.44, .expected = "near that of Poisson's law, -0.455"}},
    {0}};

#define PANEL(X, TOP, NAME, NEWTON, POISSON, KEY)                                                  \
  {                                                                                                \
    .x = X, .y = "T^+/T^- − 1", .x_range = {-0.03, 1.03}, .y_range = {-0.7, TOP}, .key = KEY,      \
    .curves = {                                                                                    \
      {"Newton, closed form", "exact", 1, NEWTON, .look = "red"},                                  \
      {"Poisson, closed form", "exact", 1, POISSON, .look = "violet"},                             \
      {"Newton, moreau", NAME "-newton", 1, 2, .look = "red", .with = CASE_POINTS},                \
      {"Poisson, moreau", NAME "-poisson", 1, 2, .look = "violet", .with = CASE_POINTS}            \
    }                                                                                              \
  }
static const struct case_panel kane_panels[] = {PANEL("μ, with ε = 0.5", 0.7, "mu", 2, 3, "foot"),
                                                PANEL("ε, with μ = 0.5", 2.6, "eps", 4, 5, NULL),
                                                {0}};

const struct case_figure kane_pendulum_figures[] = {
    {.id = "kane-pendulum",
     .title = "Kane's double pendulum: energy of an oblique impact with friction",
     .caption = "Newton's law of restitution with Coulomb friction raises the kinetic energy by "
                "{moreau, Newton's law: T+/T- - 1} of it, since friction that holds the tip takes "
                "normal velocity with it; Poisson's law changes it by {moreau, Poisson's law: "
                "T+/T- - 1}. Points: Moreau's midpoint rule with either law.",
     .runs = kane_runs,
     .tables = kane_tables,
     .checks = kane_checks,
     .panels = kane_panels,
     .abreast = 2},
    {.id = NULL}};
