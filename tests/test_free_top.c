/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The free top: its closed form against an integration of Euler's equations on both sides of the
 * separatrix, conserved quantities, and the case in every description by every formulation.
 */
#include "tests/test.h"

#include "cases/free-top/free-top.h"
#include "la/dense.h"
#include "tests/case_model.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <stdio.h>

/* y = (d1, d2, d3, omega): d_i' = R (omega x e_i), Euler's equations. */
static int equations(double t, const double *y, double *dy, void *data) {
  const double *I = data, *w = y + 9;
  (void)t;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3; /* omega x e_i = w_k e_j - w_j e_k */
    for (int l = 0; l < 3; ++l) {
      dy[3 * i + l] = w[k] * y[3 * j + l] - w[j] * y[3 * k + l];
    }
    dy[9 + i] = (I[j] - I[k]) * w[j] * w[k] / I[i];
  }
  return GSL_SUCCESS;
}

static void compare(const double I[3], double w1, double w3) {
  struct free_top_motion m;
  double moments[3] = {I[0], I[1], I[2]};
  double y[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, w1, 0, w3}, d[9], w[3], t = 0;
  gsl_odeiv2_system system = {equations, NULL, 12, moments};
  gsl_odeiv2_driver *driver =
      gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-14, 1e-14);
  free_top_motion_init(&m, I, w1, w3);
  for (int k = 1; k <= 40; ++k) {
    CHECK_INT(gsl_odeiv2_driver_apply(driver, &t, 0.5 * k, y), GSL_SUCCESS);
    free_top_motion_at(&m, t, d, w);
    for (int i = 0; i < 9; ++i) {
      CHECK_NEAR(d[i], y[i], 3e-11); /* what rk8pd gathers in 20 s */
    }
    for (int i = 0; i < 3; ++i) {
      CHECK_NEAR(w[i], y[9 + i], 3e-11);
    }
  }
  gsl_odeiv2_driver_free(driver);
}

TEST(closed_form_solves_eulers_equations) {
  const double I[3] = {0.3, 0.5, 0.7};
  compare(I, 3, 2.1); /* about the third axis */
  compare(I, 3, -2.1);
  compare(I, -3, 1.2); /* about the first */
  compare(I, 2, 0.3);
  compare((const double[]){0.31, 0.4, 0.69}, 0.1, 4);
}

/* Momentum and energy of the closed form stay put to round-off, over many periods. */
TEST(closed_form_conserves) {
  const double I[3] = {0.3, 0.5, 0.7};
  struct free_top_motion m;
  free_top_motion_init(&m, I, 3, 2.1);
  for (int k = 0; k <= 200; ++k) {
    double d[9], w[3], L[3] = {0}, E = 0;
    free_top_motion_at(&m, 0.37 * k, d, w);
    for (int i = 0; i < 3; ++i) {
      la_axpy(3, I[i] * w[i], d + 3 * i, L);
      E += 0.5 * I[i] * w[i] * w[i];
      for (int j = 0; j < 3; ++j) {
        CHECK_NEAR(la_dot(3, d + 3 * i, d + 3 * j), i == j, 1e-14);
      }
    }
    CHECK_NEAR(L[0], 0.9, FREE_TOP_BOUND);
    CHECK_NEAR(L[1], 0, FREE_TOP_BOUND);
    CHECK_NEAR(L[2], 0.7 * 2.1, FREE_TOP_BOUND);
    CHECK_NEAR(E, 0.5 * (0.3 * 9 + 0.7 * 2.1 * 2.1), FREE_TOP_BOUND);
  }
}

static int keep_last(const struct mech *m, const struct form_state *state,
                     const struct form_report *report, void *context) {
  double *out = context, u_out[MECH_RIGID_BODY_U_OUT];
  (void)report;
  m->ops->observe(m, state->q, state->u, out, u_out);
  return 0;
}

/* Every formulation runs the heavy top in some description, or says what it lacks; what runs comes
 * to the closed form. */
TEST(formulations_run_or_refuse) {
  static const char *const bodies[] = {"affine", "scalable", "quaternion"};
  double q[MECH_RIGID_BODY_Q_OUT], exact[9], w[3];
  struct free_top_motion m;
  free_top_motion_init(&m, (const double[]){0.3, 0.5, 0.7}, 3, 2.1);
  free_top_motion_at(&m, 0.5, exact, w);
  for (int f = 0; f < form_count(); ++f) {
    const char *form = form_get(f)->name;
    int ran = form_get(f)->is_family; /* engines need not be there */
    for (int b = 0; b < 3; ++b) {
      char set[64];
      snprintf(set, sizeof set, "body=%s g=9.81", bodies[b]);
      const int status = case_model_run("free-top", set, form, 1e-3, 0.5, keep_last, q);
      CHECK_MESSAGE(status == BASE_OK || status == BASE_UNSUPPORTED, "%s %s: %s (%s)", form,
                    bodies[b], base_status_name(status), base_message());
      if (status == BASE_OK) {
        ran = 1;
        double worst = fabs(q[2] - (2 * 0.5 - 0.5 * 9.81 * 0.25));
        for (int i = 0; i < 9; ++i) {
          worst = fmax(worst, fabs(q[3 + i] - exact[i]));
        }
        CHECK_MESSAGE(worst <= 0.02, "%s %s: error %.3g", form, bodies[b], worst);
      } else {
        CHECK(strlen(base_message()) > 20);
      }
    }
    /* divide and conquer needs an assembly: said above, by every description */
    CHECK_MESSAGE(ran || strcmp(form, "lcp-dca") == 0, "%s runs no description", form);
  }
}
