/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulse stepping over long times and in mirrors: boxes at rest stay for 1e5 steps, whatever their
 * gaps are to rounding, and a motion seen in a mirror is that of the mirrored start, to the bit.
 */
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/test.h"

#include "form/impulse/impulse.h"

static const double G = 9.81;

static const char *const forms[] = {"moreau", "moreau-theta", "lcp-ap", "ncp",
                                    "lcp-st", "mdp",          "ccp"};
enum { FORMS = sizeof forms / sizeof *forms, VELOCITY_LEVEL = 3, STEPS = 20000 };

static struct mech make(struct box *p, double mu, double eps_N, int mirrored) {
  *p = (struct box){.m = 2, .J = 0.3, .a = 0.4, .b = 0.25, .mu = mu, .g = G, .eps_N = eps_N};
  for (int k = 0; k < 4; ++k) {
    p->order[k] = mirrored ? k ^ 1 : k; /* bit 0: the side along x */
  }
  return box_mech(p);
}

/* A box on an incline that friction holds. What the solver leaves of velocities opens and closes
 * its contacts by 1e-17 m all the time: were they dropped where open, at velocity level, the box
 * would sink by g dt^2 or turn, now and then. */
TEST(a_box_at_rest_stays) {
  const struct case_instance c = case_model_scene(
      "'dimension': 2, 'gravity': [%.17g, %.17g], 'materials': {'m': {'mu': 0.5}}, 'bodies': "
      "[{'name': 'incline', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 1], "
      "'material': 'm'}]}, {'name': 'b', 'mass': 2, 'inertia': 0.3, 'position': [0.1, 0.25], "
      "'shapes': [{'type': 'box', 'half': [0.4, 0.25], 'material': 'm'}]}]",
      G * sin(0.3), -G * cos(0.3));
  for (int f = 0; f < VELOCITY_LEVEL; ++f) {
    struct run *run = run_begin(forms[f], c.mech, 1e-3, c.q, c.u);
    double worst = 0;
    for (int k = 0; k < STEPS && worst < 1e-3; ++k) {
      run_step(run, 1e-3);
      worst = fmax(worst, test_distance(3, run->state.q, c.q));
    }
    CHECK_MESSAGE(worst <= 2e-10, "%s: moved by %.3g", forms[f], worst);
  }
}

/* A box put down a rounding error above the plane rests on it from the first step: it neither falls
 * for a step, as an open gap would have it, nor does one above the rounding carry. */
TEST(a_gap_within_rounding_is_closed) {
  static const double gap[] = {1e-16, 1e-9};
  for (int k = 0; k < 2; ++k) {
    const struct case_instance c = case_model_scene(
        "'dimension': 2, 'gravity': [0, %.17g], 'materials': {'m': {'mu': 0.5}}, 'bodies': "
        "[{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 1], "
        "'material': 'm'}]}, {'name': 'b', 'mass': 2, 'inertia': 0.3, 'position': [3, %.17g], "
        "'shapes': [{'type': 'box', 'half': [0.4, 0.25], 'material': 'm'}]}]",
        -G, 0.25 + gap[k]);
    for (int f = 0; f < VELOCITY_LEVEL; ++f) {
      struct run *run = run_begin(forms[f], c.mech, 1e-3, c.q, c.u);
      run_step(run, 1e-3);
      const double fallen = k == 0 ? 0 : -G * 1e-3;
      CHECK_MESSAGE(fabs(run->state.u[1] - fallen) <= 1e-14, "%s: %g m/s with a gap of %g m",
                    forms[f], run->state.u[1], gap[k]);
    }
  }
}

/* Lands on a corner, tumbles, slides: q and u of the mirrored start with contacts in the mirrored
 * order are the mirrored ones. */
TEST(mirror_images_stay_mirror_images) {
  for (int f = 0; f < FORMS; ++f) {
    struct box p[2];
    struct mech m[2];
    struct run *run[2];
    for (int k = 0; k < 2; ++k) {
      const double s = k == 0 ? 1 : -1;
      m[k] = make(&p[k], 0.3, 0.2, k);
      run[k] =
          run_begin(forms[f], &m[k], 2e-3, (double[]){0, 0.5, 0.2 * s}, (double[]){s, 0, -2 * s});
    }
    double worst = 0;
    for (int i = 0; i < 1000; ++i) {
      for (int k = 0; k < 2; ++k) {
        run_step(run[k], 2e-3);
      }
      for (int d = 0; d < 3; ++d) {
        const double s = d == 1 ? 1 : -1;
        worst = fmax(worst, fabs(run[0]->state.q[d] - s * run[1]->state.q[d]));
        worst = fmax(worst, fabs(run[0]->state.u[d] - s * run[1]->state.u[d]));
      }
    }
    CHECK(run[0]->onsets > 3);
    CHECK_INT(run[0]->onsets, run[1]->onsets);
    CHECK_MESSAGE(worst == 0, "%s: differ by %.3g", forms[f], worst);
  }
}
