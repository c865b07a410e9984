/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-3.12: the energy of the impact of a sprag clutch and an elastic contact, by law of
 * restitution, against the closed forms of sprag-clutch.c. u_2 = -1 m/s is slower and -3 m/s is
 * faster than mass 1. Energies over m u_1 |u_2|, what Newton's law makes of nothing for eps_2 = 1
 * (3.168).
 */
#include "cases/sprag-clutch/sprag-clutch.h"

#include <math.h>
#include <stdio.h>

/* All velocities in closed form, solved to 1e-10 of the free ones; twice for a square. */
#define SOLVED 1e-8

static const struct case_runs clutch_runs[] = {
    {.label = "{law}-{#u2}-{#eps2}",
     .formulation = "moreau",
     .set = "u2={u2} eps2={eps2}",
     .opt = "restitution={law}",
     .over = {{"law", "newton poisson step"}, {"u2", "-1 -3"}, {"eps2", "0 0.25 0.5 0.75 1"}}},
    {.label = "all-{law}-{form}",
     .formulation = "{form}",
     .opt = "restitution={law}",
     .over = {{"law", "newton poisson"}, {"form", "moreau lcp-st lcp-ap ccp ncp mdp"}}},
    {.label = "theta", .formulation = "moreau-theta"},
    {.label = "event", .formulation = "event"},
    {0}};

static double energy(double u1, double u2) { return 0.5 * (u1 * u1 + u2 * u2); }

/* T^+ - T^- over m u_1 |u_2| of velocities after the impact. */
static double gain_of(double u1, double u2, struct sprag_clutch_impact after) {
  return (energy(after.u1, after.u2) - energy(u1, u2)) / (u1 * fabs(u2));
}

/* The same of a run. */
static double gain(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return (case_number(s, "energy.final") - case_number(s, "energy.initial")) /
         (case_number(s, "case.parameters.m") * case_number(s, "case.parameters.u1") *
          fabs(case_number(s, "case.parameters.u2")));
}

/* Of what impacts did by the budget. */
static double impact_work(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_number(s, "energy.budget.impact") /
         (case_real(r->p, "m") * case_real(r->p, "u1") * fabs(case_real(r->p, "u2")));
}

/* Against the closed form of the law. */
static double off_newton(const struct case_results *r, const struct case_series *s, int k) {
  const double u1 = case_real(r->p, "u1"), u2 = case_word(r, s, "u2");
  return fabs(gain(r, s, k) -
              gain_of(u1, u2, sprag_clutch_newton(u1, u2, case_word(r, s, "eps2"))));
}

static double off_poisson(const struct case_results *r, const struct case_series *s, int k) {
  const double u1 = case_real(r->p, "u1"), u2 = case_word(r, s, "u2");
  return fabs(gain(r, s, k) -
              gain_of(u1, u2, sprag_clutch_poisson(u1, u2, case_word(r, s, "eps2"))));
}

/* By the closed form, a little to either side. */
static void of_newton(const struct case_results *r, const struct case_series *s, double *lo,
                      double *hi) {
  const double u1 = case_real(r->p, "u1"), u2 = case_word(r, s, "u2");
  const double exact = gain_of(u1, u2, sprag_clutch_newton(u1, u2, case_word(r, s, "eps2")));
  *lo = exact - SOLVED;
  *hi = exact + SOLVED;
}

enum { POINTS = 101 };

/* eps_2, and the gains by both laws for both velocities of mass 2. */
static void exact(const struct case_results *r, const struct case_series *s, int k, double *out) {
  const double u1 = case_real(r->p, "u1"), eps = (double)k / (POINTS - 1), faster = -3;
  const double u2[2] = {case_real(r->p, "u2"), faster};
  (void)s;
  out[0] = eps;
  for (int i = 0; i < 2; ++i) {
    out[1 + 2 * i] = gain_of(u1, u2[i], sprag_clutch_newton(u1, u2[i], eps));
    out[2 + 2 * i] = gain_of(u1, u2[i], sprag_clutch_poisson(u1, u2[i], eps));
  }
}

static const struct case_table clutch_tables[] = {
    {.name = "{law}-{#u2}",
     .runs = "{law}-{#u2}-{#eps2}",
     .along = "eps2",
     .columns = {{"eps_2", "{eps2}"}, {"gain", .value = gain}}},
    {.name = "exact",
     .columns = {{"eps_2"}, {"newton-0"}, {"poisson-0"}, {"newton-1"}, {"poisson-1"}},
     .row = exact,
     .rows = POINTS},
    {0}};

#define GAIN "(T+ - T-) over m u_1 |u_2|"
static const struct case_check clutch_checks[] = {
    {.what = "{form}, Newton's law, both at once, eps_2 = 1: " GAIN,
     .runs = "all-{law}-{form}",
     .where = {{"law", "newton"}},
     .value = gain,
     .claim = {1 - SOLVED, 1 + SOLVED, .expected = "1",
               .published = "T+ - T- = -m u_1 u_2 > 0 (moeller 3.168)"}},
    {.what = "theta rule, Newton's law, eps_2 = 1: " GAIN,
     .runs = "theta",
     .value = gain,
     .claim = {1 - SOLVED, 1 + SOLVED, .expected = "1",
               .published = "T+ - T- = -m u_1 u_2 > 0 (moeller 3.168)"}},
    {.what = "event, eps_2 = 1: " GAIN,
     .runs = "event",
     .value = gain,
     .claim = {1 - SOLVED, 1 + SOLVED, .expected = "1",
               .published = "T+ - T- = -m u_1 u_2 > 0 (moeller 3.168)"}},
    {.what = "event: the same as work of impacts in the budget",
     .runs = "event",
     .value = impact_work,
     .claim = {1 - SOLVED, 1 + SOLVED, .expected = "1"}},
    {.what = "{form}, Poisson's law, eps_2 = 1: " GAIN,
     .runs = "all-{law}-{form}",
     .where = {{"law", "poisson"}},
     .value = gain,
     .claim = {-0.25 - SOLVED, -0.25 + SOLVED,
               .expected = "-min(u_1^2, u_2^2)/(2 u_1 |u_2|) = -1/4",
               .published = "solved by Poisson's impact law (moeller 3.9)"}},
    {.what = "Newton's law: largest distance from the closed form over eps_2 and u_2",
     .runs = "{law}-{#u2}-{#eps2}",
     .where = {{"law", "newton"}},
     .value = off_newton,
     .along = "u2 eps2",
     .reduce = CASE_WORST,
     .claim = {0, SOLVED, .expected = "0"}},
    {.what = "Poisson's law: largest distance from the closed form over eps_2 and u_2",
     .runs = "{law}-{#u2}-{#eps2}",
     .where = {{"law", "poisson"}},
     .value = off_poisson,
     .along = "u2 eps2",
     .reduce = CASE_WORST,
     .claim = {0, SOLVED, .expected = "0"}},
    {.what = "eps_2 = 0, equal restitutions, Newton's law, u_2 = {u2}: " GAIN,
     .runs = "{law}-{#u2}-{#eps2}",
     .where = {{"law", "newton"}, {"eps2", "0"}},
     .value = gain,
     .bounds = of_newton,
     .claim = {.expected = "both at rest against each other: below 0",
               .published = "does not increase for eps_2 = 0 (moeller 3.9)"}},
    {.what = "one impact after the other, Newton's law: largest " GAIN " over eps_2 and u_2",
     .runs = "{law}-{#u2}-{#eps2}",
     .where = {{"law", "step"}},
     .value = gain,
     .along = "u2 eps2",
     .reduce = CASE_WORST,
     .claim = {-0.25 - SOLVED, -0.25 + SOLVED,
               .expected = "-|u_2|/(2 u_1) = -1/4 for eps_2 = 1 and the slower mass: no gain, as "
                           "each impact has a restitution of its own"}},
    {0}};

#define PANEL(HEAD, I, NEWTON, POISSON, KEY)                                                       \
  {                                                                                                \
    .head = HEAD, .x = "ε_2", .y = "gain of energy over m u_1 |u_2|", .x_range = {-0.03, 1.03},    \
    .key = KEY, .curves = {                                                                        \
      {"Newton, closed form", "exact", 1, NEWTON, .look = "red"},                                  \
      {"Poisson, closed form", "exact", 1, POISSON, .look = "violet"},                             \
      {"Newton, both at once", "newton-" I, 1, 2, .look = "red", .with = CASE_POINTS},             \
      {"Poisson", "poisson-" I, 1, 2, .look = "violet", .with = CASE_POINTS},                      \
      {"Newton, one after the other", "step-" I, 1, 2, .look = "leaf", .with = CASE_POINTS}        \
    }                                                                                              \
  }
static const struct case_panel clutch_panels[] = {
    PANEL("velocities 2 and −1 m/s", "0", 2, 3, "foot"),
    PANEL("velocities 2 and −3 m/s", "1", 4, 5, NULL),
    {0}};

const struct case_figure sprag_clutch_figures[] = {
    {.id = "moeller-3.12",
     .title = "Sprag clutch and elastic contact: energy of the impact by law of restitution",
     .caption =
         "Newton's law for clutch (restitution 0) and contact (restitution ε_2) at once makes "
         "{moreau, Newton's law, both at once, eps_2 = 1} m u_1 |u_2| of energy at ε_2 = 1; by "
         "Poisson's law the change is {moreau, Poisson's law, eps_2 = 1} of that, and Newton's law "
         "for one impact after the other makes none either. Points: Moreau's midpoint rule.",
     .runs = clutch_runs,
     .tables = clutch_tables,
     .checks = clutch_checks,
     .panels = clutch_panels,
     .abreast = 2},
    {.id = NULL}};
