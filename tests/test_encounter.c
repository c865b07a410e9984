/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors before, at and after the first contact, against what theory says of each for a particle
 * that falls, slides and stops: by hand, without the program's own motions.
 */
#include "tests/test.h"
#include "tests/trial.h"

#include "bench/job/job.h"
#include "bench/run/run.h"

/* Of cases/falling-particle/falling-particle.json, a mass of its own. */
static const double M = 2.5, G = 9.81, MU = 0.2, Y0 = 1, VX0 = 2;

static void run(struct trial *t, const char *case_name, const char *formulation, double dt,
                const char *set, const char *opt) {
  const struct bench_request request = {
      .case_name = case_name, .formulation = formulation, .dt = dt};
  trial_run(t, request, set, opt, TRIAL_WITH_ERRORS);
}

/* Semi-implicit Euler at gap level: after n steps of free flight y is y0 - g dt^2 n (n+1)/2, below
 * the parabola by g t dt/2, and the velocity is exact. The step that would end below the ground
 * ends on it, with y' = -y_a/dt, and the next one takes that too. */
struct theory {
  double flight, impact, after; /* [kg^1/2 m] */
};

static struct theory gap_level(double dt) {
  const double t_i = sqrt(2 * Y0 / G);
  int k = 1; /* the step with the onset */
  while (Y0 - G * dt * dt * k * (k + 1) / 2 >= 0) {
    ++k;
  }
  const int a = (k - 1) * dt < t_i ? k - 1 : k - 2;
  CHECK_INT(a, k - 1); /* what follows is about one step from a on */
  const double t_a = a * dt, t_b = t_a + 2 * dt, y_a = Y0 - G * dt * dt * a * (a + 1) / 2;
  /* The exact motion from the run's state at a. */
  const double v = sqrt(G * G * t_a * t_a + 2 * G * y_a), s = (v - G * t_a) / G;
  const double vx = VX0 - MU * v, rest = 2 * dt - s;
  const double exact = VX0 * s + vx * rest - MU * G * rest * rest / 2;
  /* The run: friction mu times each step's normal impulse, g t_a + g dt - y_a/dt and y_a/dt + g dt.
   */
  const double v1 = VX0 - MU * (G * t_a + G * dt - y_a / dt), v2 = v1 - MU * (y_a / dt + G * dt);
  const double own = dt * (v1 + v2);
  /* From b on velocities are exact, each step moves by that of its end, and the last by nothing. */
  const double stop = VX0 / (MU * G) - t_b, u_b = MU * G * stop;
  const int n = (int)floor(stop / dt);
  const double u_n = u_b - MU * G * n * dt;
  const double moved = n * u_b * dt - MU * G * dt * dt * n * (n + 1) / 2;
  CHECK_NEAR(u_b, v2, 1e-12);
  CHECK(u_n >= 0 && u_n < MU * G * dt);
  return (struct theory){.flight = sqrt(M) * G * t_a * dt / 2,
                         .impact = sqrt(M) * fabs(own - exact),
                         .after = sqrt(M) * fabs(moved - u_b * u_b / (2 * MU * G))};
}

TEST(sources_of_the_error_of_a_falling_particle_are_those_of_theory) {
  static const double steps[] = {1e-3, 3.1e-3, 1.07e-2};
  for (int i = 0; i < 3; ++i) {
    const double dt = steps[i];
    const struct theory theory = gap_level(dt);
    struct trial t;
    run(&t, "falling-particle", "ncp", dt, "m=2.5", "");
    CHECK_MESSAGE(t.out.status == BASE_OK, "%s", t.out.reason);
    CHECK_NEAR(t.out.errors.flight_q_mass, theory.flight, 1e-11);
    CHECK_NEAR(t.out.errors.flight_u_mass, 0, 1e-11);
    CHECK_NEAR(t.out.errors.impact_q_mass, theory.impact, 1e-10);
    CHECK_NEAR(t.out.errors.impact_u_mass, 0, 1e-10);
    CHECK_NEAR(t.out.errors.after_q_mass, theory.after, 1e-7);
  }
}

/* Moreau's midpoint rule is exact in flight, with its impulse at the wrong place of the step; the
 * relaxation lets go with a normal velocity that exact Coulomb has not. */
TEST(each_scheme_and_law_has_its_error_where_it_is_made) {
  struct trial moreau, ccp, event;
  run(&moreau, "falling-particle", "moreau", 1e-3, "", "");
  CHECK_LE(moreau.out.errors.flight_q_mass, 1e-12);
  CHECK_NEAR(moreau.out.errors.impact_q_mass, moreau.out.errors.q_mass_final,
             1e-3 * moreau.out.errors.q_mass_final);
  CHECK_LE(moreau.out.errors.after_q_mass, 1e-6);
  run(&ccp, "falling-particle", "ccp", 1e-3, "", "");
  CHECK(ccp.out.errors.impact_u_mass > 1e-3);
  run(&event, "falling-particle", "event", 1e-3, "", "");
  CHECK_LE(event.out.errors.flight_q_mass, 1e-13);
  CHECK_LE(event.out.errors.impact_q_mass, 1e-13);
  CHECK_LE(event.out.errors.after_q_mass, 1e-13);
}

TEST(there_are_none_without_a_first_contact) {
  static const struct {
    const char *name, *formulation, *set, *opt;
  } none[] = {{"free-top", "ncp", "", ""},                    /* no contact */
              {"closed-forms", "ncp", "scene=incline", ""},   /* in contact from the start */
              {"falling-particle", "ncp", "y0=0.000001", ""}, /* within the first step */
              {"granular-chains", "ncp", "", ""},             /* no reference */
              /* Boxes as good as on each other, whose chatter `event` would follow for minutes. */
              {"box-stack", "impulse", "n=3",
               "scheme=velocity tol=1e-10 perturb=1e-9 phase=0.8255831419373862 seed=2145423171"}};
  for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
    struct trial t;
    run(&t, none[i].name, none[i].formulation, 0, none[i].set, none[i].opt);
    CHECK_MESSAGE(isnan(t.out.errors.flight_q_mass) && isnan(t.out.errors.flight_u_mass) &&
                      isnan(t.out.errors.impact_q_mass) && isnan(t.out.errors.impact_u_mass) &&
                      isnan(t.out.errors.after_q_mass) && isnan(t.out.errors.after_u_mass),
                  "%s: %.3g %.3g %.3g", none[i].name, t.out.errors.flight_q_mass,
                  t.out.errors.impact_q_mass, t.out.errors.after_q_mass);
  }
}
