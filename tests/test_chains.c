/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two balls and granular chains: the assembly against the formulas of the source, two balls against
 * their closed form, the time of the first contact by every formulation, the impulses of a record's
 * samples against its accounts and against trajectories that were tampered with.
 */
#include "cases/granular-chains/granular-chains.h"
#include "cases/two-balls/two-balls.h"
#include "tests/case_model.h"
#include "tests/figure_run.h"
#include "tests/test.h"

#include <gsl/gsl_sf_ellint.h>

enum { COLUMNS = 3 };

TEST(chains_begin_straight_on_taut_ropes_with_published_names) {
  const struct case_instance c =
      case_model_build("granular-chains", "n=4 angle=30 dx=0.5", test_arena());
  const double ceiling = 4 * 0.12 + 0.05 + 0.1;
  for (int i = 0; i < 8; ++i) {
    const int side = i < 4 ? -1 : 1, k = i % 4 + 1;
    CHECK_NEAR(c.q[COLUMNS * i], side * (0.25 + k * 0.12 * 0.5), 1e-14);
    CHECK_NEAR(c.q[COLUMNS * i + 1], ceiling - k * 0.12 * sqrt(0.75), 1e-14);
  }
  CHECK_TEXT(c.mech->q_names[COLUMNS * 4 + 2], "phi5");
  CHECK_TEXT(c.mech->u_names[1], "vy1");
  CHECK_TEXT(c.mech->u_names[COLUMNS * 7 + 2], "omega8");
}

/* Gap and |v| of the contact of discs i and j (j < 0: the ground) by the source's formulas; the
 * place of contact is half-way between the surfaces, an arm of R only where they touch. */
static void source_contact(const double *q, const double *u, double R, int i, int j, double *out) {
  const double *a = q + (long)COLUMNS * i, *va = u + (long)COLUMNS * i;
  if (j < 0) {
    out[0] = a[1] - R;
    out[1] = va[1];
    out[2] = va[0] + (R + 0.5 * out[0]) * va[2];
    return;
  }
  const double *b = q + (long)COLUMNS * j, *vb = u + (long)COLUMNS * j;
  const double dx = b[0] - a[0], dy = b[1] - a[1], d = hypot(dx, dy), n[2] = {dx / d, dy / d};
  out[0] = d - 2 * R;
  out[1] = n[0] * (vb[0] - va[0]) + n[1] * (vb[1] - va[1]);
  const double arm = R + 0.5 * out[0];
  out[2] = -n[1] * (vb[0] - va[0]) + n[0] * (vb[1] - va[1]) - arm * (va[2] + vb[2]);
}

/* Contacts come pairs first (their order is the model's), then ropes: every gap and velocity of the
 * source must be among them, as often as there are any. */
TEST(contacts_are_those_of_the_source) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  const struct case_instance c = case_model_build("granular-chains", "n=3", arena);
  const struct mech *m = c.mech;
  const int discs = 6;
  struct mech_contacts contacts;
  for (int i = 0; i < m->nu; ++i) {
    c.q[i] += base_rng_uniform(rng, -0.02, 0.02);
    c.u[i] = base_rng_uniform(rng, -2, 2);
  }
  mech_contacts_init(&contacts, m, arena);
  mech_contacts_find(m, c.q, NULL, INFINITY, &contacts);
  CHECK_INT(contacts.n, discs * (discs - 1) / 2 + discs + discs);
  double *v = base_arena_doubles(arena, 2 * contacts.n), expected[3];
  mech_contacts_velocity(&contacts, c.u, v);
  for (int k = 0; k < contacts.n - discs; ++k) {
    const int *body = contacts.body + 2 * k;
    const int i = body[0] < 0 ? body[1] : body[0], j = body[0] < 0 || body[1] < 0 ? -1 : body[1];
    source_contact(c.q, c.u, 0.05, i, j, expected);
    CHECK_NEAR(contacts.gN[k], expected[0], 1e-14);
    CHECK_NEAR(v[2 * k], expected[1], 1e-13);
    CHECK_NEAR(fabs(v[2 * k + 1]), fabs(expected[2]), 1e-13); /* t may point the other way */
    CHECK_NEAR(contacts.mu[k], 0.3, 0);
  }
  for (int k = 0; k < discs; ++k) { /* ropes, from the ceiling down */
    const int i = contacts.n - discs + k;
    const double *q = c.q + (long)COLUMNS * k, *above = q - COLUMNS;
    const double ceiling[2] = {k < 3 ? -0.2 : 0.2, 3 * 0.12 + 0.05 + 0.1};
    above = k % 3 == 0 ? ceiling : above;
    CHECK_NEAR(contacts.gN[i], 0.12 - hypot(q[0] - above[0], q[1] - above[1]), 1e-14);
    CHECK_NEAR(contacts.mu[i], 0, 0);
  }
}

/* theta'' = -g/L sin theta on both sides of the impact, half the speed behind it, and the quarter
 * of a period by another way to the elliptic integral. */
TEST(closed_form_of_two_balls_is_a_motion) {
  const struct case_parameters *p = case_model_load("two-balls", "angle=70 L=0.7", test_arena());
  const double t_i = two_balls_impact(p), h = 1e-4, rate = 9.81 / 0.7;
  const double k = sin(35 * M_PI / 180);
  CHECK_NEAR(t_i, gsl_sf_ellint_F(M_PI_2, k, GSL_PREC_DOUBLE) / sqrt(rate), 1e-14);
  for (double t = 0.05; t < 2; t += 0.0371) {
    if (fabs(t - t_i) > h) {
      for (int ball = 0; ball < 2; ++ball) {
        const double x = two_balls_angle(p, t, ball);
        const double acc =
            (two_balls_angle(p, t + h, ball) - 2 * x + two_balls_angle(p, t - h, ball)) / (h * h);
        CHECK_NEAR(acc, -rate * sin(x), 1e-6 * rate);
      }
    }
  }
  const double before = -two_balls_angle(p, t_i - h, 0) / h;
  CHECK_NEAR(two_balls_angle(p, t_i + h, 0) / h, 0.5 * before, 1e-6 * fabs(before));
  CHECK_NEAR(two_balls_angle(p, t_i + h, 1), -two_balls_angle(p, t_i + h, 0), 1e-15);
}

struct follow {
  const struct case_parameters *p;
  double worst;
};

static int compare(const struct mech *m, const struct form_state *state,
                   const struct form_report *report, void *context) {
  struct follow *f = context;
  (void)m, (void)report;
  for (int ball = 0; ball < 2; ++ball) {
    const double theta = two_balls_angle(f->p, state->t, ball), out = ball == 0 ? -1 : 1;
    const double *q = state->q + (long)COLUMNS * ball;
    f->worst = fmax(f->worst, fabs(q[0] - out * (0.1 + sin(theta))));
    f->worst = fmax(f->worst, fabs(q[1] - (1 + 0.1 + 0.2 - cos(theta))));
  }
  return 0;
}

TEST(two_balls_follow_their_closed_form) {
  static const struct {
    const char *form;
    double dt, error;
  } runs[] = {{"event", 0.05, 1e-9}, {"ccp", 1e-3, 2e-3},    {"ncp", 1e-3, 2e-3},
              {"mdp", 1e-3, 2e-3},   {"lcp-st", 1e-3, 2e-3}, {"lcp-ap", 1e-3, 2e-3},
              {"moreau", 1e-3, 2e-3}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; ++k) {
    struct follow f = {.p = case_model_load("two-balls", "", test_arena())};
    CHECK_OK(case_model_run("two-balls", "", runs[k].form, runs[k].dt, 2, compare, &f));
    CHECK_MESSAGE(f.worst <= runs[k].error, "%s: %g", runs[k].form, f.worst);
  }
}

struct meeting {
  double t, gap, last_t, last_gap;
};

/* When the smallest gap of two discs passes 1 mm. */
static int meet(const struct mech *m, const struct form_state *state,
                const struct form_report *report, void *context) {
  static const double NEAR = 1e-3; /* [m] */
  struct meeting *s = context;
  double out[3], least = INFINITY;
  (void)report;
  for (int i = 0; i < m->nb; ++i) {
    for (int j = i + 1; j < m->nb; ++j) {
      source_contact(state->q, state->u, 0.05, i, j, out);
      least = fmin(least, out[0]);
    }
  }
  s->last_t = s->t;
  s->last_gap = s->gap;
  s->t = state->t;
  s->gap = least;
  if (least > NEAR) {
    return 0;
  }
  s->t -= (s->t - s->last_t) * (NEAR - least) / (s->last_gap - least);
  return 1;
}

/* Three discs a branch; event without the modes of frictionless ropes would not get off the start.
 */
TEST(formulations_agree_on_the_first_contact_to_a_step) {
  static const char *const forms[] = {
      "moreau", "lcp-st", "lcp-ap", "ccp", "ncp", "mdp", "consistent-twostep"};
  static const double steps[] = {2e-3, 5e-4};
  struct meeting truth = {0}, found;
  CHECK_OK(case_model_run("granular-chains", "n=3", "event", 2e-4, 0.5, meet, &truth));
  CHECK(truth.t > 0.3 && truth.t < 0.4);
  for (size_t k = 0; k < sizeof forms / sizeof *forms; ++k) {
    for (int s = 0; s < 2; ++s) {
      found = (struct meeting){0};
      CHECK_OK(case_model_run("granular-chains", "n=3", forms[k], steps[s], 0.5, meet, &found));
      CHECK_MESSAGE(fabs(found.t - truth.t) <= steps[s], "%s, dt = %g: %.9g, event %.9g", forms[k],
                    steps[s], found.t, truth.t);
    }
  }
}

TEST(energies_and_impulses_of_the_chains_close_the_budget) {
  struct figure_run run = figure_run_until("yu-14", 2); /* 95 % of the loss */
  figure_run_passes(&run);
  /* A velocity that no impulse explains, and one step's energy from nowhere, must show. */
  struct case_series *s = &run.series[0];
  double *u = (double *)s->u + (long)700 * s->nu;
  struct case_plot plot;
  const double kept = u[COLUMNS + 1];
  u[COLUMNS + 1] += 1e-3;
  CHECK_OK(figure_run_judge(&run, &plot));
  CHECK(plot.n_failed > 0);
  u[COLUMNS + 1] = kept;
  figure_run_free(&run);
}

static const struct case_series *series_of(const struct figure_run *run, const char *label) {
  int i = 0;
  while (i < run->n && strcmp(run->series[i].run->label, label) != 0) {
    ++i;
  }
  CHECK_MESSAGE(i < run->n, "no run %s", label);
  return &run->series[i < run->n ? i : 0];
}

TEST(disc_10_is_struck_as_event_says) {
  struct figure_run run = figure_run_until("yu-16", 1); /* what it judges is over by 0.6 s */
  figure_run_passes(&run);
  const struct figure_plan force = figure_plan_of("yu-17", run.arena); /* of the same runs */
  const struct figure *both[] = {run.figure, &force.figure};
  run.figure = both[1];
  figure_run_passes(&run);
  /* Another speed of the event-driven impact must show in both. */
  double *u = (double *)series_of(&run, "event")->u;
  const int nu = run.series[0].nu, vx = COLUMNS * 9;
  for (int l = 500; l < 524; ++l) {
    u[(long)l * nu + vx] *= 0.95;
  }
  for (int k = 0; k < 2; ++k) {
    struct case_plot plot;
    run.figure = both[k];
    CHECK_OK(figure_run_judge(&run, &plot));
    CHECK(plot.n_failed > 0);
  }
  figure_run_free(&run);
}

/* One branch lower than the other: friction works, by the impulses as by the record, through the
 * first second and a half of contacts. An impulse of friction that the record's budget does not
 * know must show. */
TEST(friction_works_without_mirror_symmetry) {
  struct figure_run run = figure_run_until("chains-skew", 1);
  struct case_plot plot;
  figure_run_passes(&run);
  const struct case_series *s = series_of(&run, "ccp");
  CHECK(case_number(s, "energy.budget.friction") < -0.01);
  double *r = (double *)s->impulse;
  for (int i = 0; i < s->first[s->n]; ++i) {
    r[(long)s->dim * i + 1] *= 1.01;
  }
  CHECK_OK(figure_run_judge(&run, &plot));
  CHECK(plot.n_failed >= 2);
  figure_run_free(&run);
}
