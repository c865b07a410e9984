/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where impulses act on bodies with a gap between them (option point): at the middle of the gap
 * angular momentum is conserved to round-off and an oblique impact of a sphere converges to
 * Newton's law with first order; at each body's own surface the impact is exact and momentum of
 * first order.
 */
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/joint_model.h"
#include "tests/test.h"

#include "form/impulse/impulse.h"
#include "la/dense.h"
#include "mech/assembly/parts.h"
#include "mech/vector3.h"

static const char *const forms[] = {"moreau", "lcp-st", "lcp-ap", "ccp", "ncp"};
enum { FORMS = sizeof forms / sizeof *forms };

static const double R = 0.1, MU = 2, EPS_N = 0.8, EPS_T = 0.5;

static void add_ball(struct mech_assembly *a, int stuff, double mass, const double *x,
                     const double *v, const double *omega) {
  struct mech_body body = {.mass = mass, .inertia = {0, 0, 0}};
  for (int d = 0; d < 3; ++d) {
    body.inertia[d] = 0.4 * mass * R * R;
    body.position[d] = x[d];
    body.velocity[d] = v[d];
    body.omega[d] = omega[d];
  }
  add_sphere(a, mech_assembly_body(a, &body), R, stuff);
}

/* A ball with spin above the floor, or (pair) above a ball that hangs there freely. */
static struct mech *setting(int pair, double gap, struct base_arena *arena, double **q,
                            double **u) {
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "balls", arena);
  struct mech *m = NULL;
  const int stuff =
      mech_assembly_material(a, &(struct mech_material){.mu = MU, .eps_N = EPS_N, .eps_T = EPS_T});
  if (pair) {
    add_ball(a, stuff, 2, (double[]){0, 0, -R}, (double[]){0, 0.1, 0}, (double[]){0, 1, 2});
  } else {
    add_halfspace(a, -1, 0, stuff);
  }
  add_ball(a, stuff, 1.3, (double[]){0, 0, R + gap}, (double[]){1, 0.3, -2}, (double[]){3, 5, 1});
  mech_assembly_scales(a, 1, 1);
  CHECK_OK(mech_assembly_finish(a, &m, q, u, NULL));
  return m;
}

/* Largest error of the velocity of the ball's lowest point after the impact: -eps_T and -eps_N
 * times what it was, over impacts at eight parts of a step. */
static double oblique_error(const char *form, const char *point, double dt) {
  double worst = 0;
  for (int part = 0; part < 8; ++part) {
    double *q, *u, w[3], turn[9];
    const struct mech *m = setting(0, 2 * dt * (3 + (part + 0.37) / 8), test_arena(), &q, &u);
    struct run *run = run_begin(form, m, dt, q, u);
    run_set(run, "point=%s", point);
    for (int k = 0; k < 10; ++k) {
      run_step(run, dt);
    }
    CHECK_INT(run->onsets, 1);
    u = run->state.u;
    mech_assembly_rotation(run->state.q + 3, turn);
    mech_turn3(turn, u + 3, w);
    const double v[3] = {u[0] - R * w[1], u[1] + R * w[0], u[2]};
    worst = fmax(worst, hypot(v[0] + EPS_T * (1 - 5 * R), v[1] + EPS_T * (0.3 + 3 * R)));
    worst = fmax(worst, fabs(v[2] - EPS_N * 2));
  }
  return worst;
}

/* Not of ccp, whose relaxed contacts act before they close. */
TEST(oblique_impacts_have_their_order) {
  for (int f = 0; f < FORMS; ++f) {
    if (strcmp(forms[f], "ccp") == 0) {
      continue;
    }
    const double coarse = oblique_error(forms[f], "middle", 1e-3);
    const double fine = oblique_error(forms[f], "middle", 1e-3 / 16);
    CHECK_MESSAGE(fabs(log(coarse / fine) / log(16) - 1) < 0.1, "%s: %.3g, %.3g", forms[f], coarse,
                  fine);
    CHECK(coarse > 1e-3);
    CHECK_LE(oblique_error(forms[f], "body", 1e-3), 1e-10);
  }
}

static void momentum(const double *q, const double *u, double L[3]) {
  static const double mass[2] = {2, 1.3};
  L[0] = L[1] = L[2] = 0;
  for (int b = 0; b < 2; ++b) {
    double w[3], orbit[3], turn[9];
    mech_assembly_rotation(q + 7 * b + 3, turn);
    mech_turn3(turn, u + 6 * b + 3, w);
    mech_cross3(q + 7 * b, u + 6 * b, orbit);
    mech_add3(mass[b], orbit, L);
    mech_add3(0.4 * mass[b] * R * R, w, L);
  }
}

/* Change of angular momentum in an impact of two free balls. */
static double momentum_error(const char *form, const char *point, double dt) {
  double *q, *u, before[3], after[3];
  const struct mech *m = setting(1, 2 * dt * 3.4, test_arena(), &q, &u);
  struct run *run = run_begin(form, m, dt, q, u);
  run_set(run, "point=%s", point);
  momentum(q, u, before);
  for (int k = 0; k < 10; ++k) {
    run_step(run, dt);
  }
  CHECK_INT(run->onsets, 1);
  momentum(run->state.q, run->state.u, after);
  mech_add3(-1, before, after);
  return la_norm2(3, after);
}

TEST(angular_momentum_is_conserved_at_the_middle) {
  for (int f = 0; f < FORMS; ++f) {
    CHECK_LE(momentum_error(forms[f], "middle", 1e-3), 1e-14);
    const double coarse = momentum_error(forms[f], "body", 1e-3);
    const double fine = momentum_error(forms[f], "body", 1e-3 / 16);
    CHECK_MESSAGE(coarse > 1e-5 && fabs(log(coarse / fine) / log(16) - 1) < 0.2, "%s: %.3g, %.3g",
                  forms[f], coarse, fine);
  }
}

TEST(surfaces_are_asked_of_bodies_alone) {
  struct points p = {.n = 1, .dim = 2, .m = {1}};
  const struct mech m = points_mech(&p);
  struct run *run = run_begin("ncp", &m, 1e-3, (double[]){0, 1}, (double[]){0, 0});
  run_set(run, "point=body");
  CHECK_REFUSED(run->form->check(&run->setup), BASE_UNSUPPORTED,
                "says itself where its contacts act");
}
