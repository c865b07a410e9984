/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A rectangular block, half width b and half height h, rocks from corner to corner on a plane that
 * is rough enough for it not to slide (Housner 1963). With R = sqrt(b^2 + h^2), tan alpha = b/h and
 * I_O = 4/3 m R^2 about a corner, it turns about the left corner while phi > 0 and about the right
 * one while phi < 0:
 *
 *   I_O phi'' = -m g R sin(alpha - |phi|) sgn(phi)
 *
 * From rest at phi0 energy gives phi'^2 = k [cos(alpha - phi0) - cos(alpha - |phi|)], k = 2 m g R /
 * I_O, and the fall takes
 *
 *   t(phi0) = int_0^phi0 dphi / sqrt(k [cos(alpha - phi0) - cos(alpha - phi)]).
 *
 * At phi = 0 the other corner strikes, inelastic and without slip; the corner that was carrying
 * lifts, so that the angular momentum about the new corner stays. Before the impact the centre
 * moves with R phi' across the old arm, which makes an angle of 2 alpha with the new one:
 *
 *   I_O phi'+ = (I_C + m R^2 cos 2 alpha) phi'-,   I_C = 1/3 m R^2
 *   phi'+ = e phi'-,   e = 1 - 2 m R^2 sin^2(alpha) / I_O = 1 - 3/2 sin^2 alpha
 *
 * and e^2 of the energy is left. The slender approximation is in the equation of motion only
 * (sin(alpha - phi) for alpha - phi); e holds for every block that does not bounce (e > 0, or alpha
 * < 54.7 degrees) nor slide. The next amplitude follows from e^2, the rise is the fall reversed.
 */
#include "cases/rocking-block/rocking_block.h"

#include "base/status.h"
#include "cases/body_kit.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>

struct rocking_block rocking_block_of(const struct case_parameters *p) {
  const double b = case_real(p, "b"), h = case_real(p, "h"), R = hypot(b, h);
  return (struct rocking_block){.R = R, .alpha = atan2(b, h), .k = 1.5 * case_real(p, "g") / R};
}

double rocking_block_impact(const struct rocking_block *b) {
  const double s = sin(b->alpha);
  return 1 - 1.5 * s * s;
}

/* cos(alpha - phi) - cos(alpha), without cancellation for small phi. */
static double rise(const struct rocking_block *b, double phi) {
  return 2 * sin(b->alpha - 0.5 * phi) * sin(0.5 * phi);
}

double rocking_block_energy(const struct rocking_block *b, double phi, double g) {
  return g * b->R * rise(b, phi);
}

double rocking_block_next(const struct rocking_block *b, double phi0) {
  const double e = rocking_block_impact(b);
  /* cos(alpha - phi1) = cos(alpha) + e^2 rise(phi0), as a difference of angles: with x = alpha -
   * phi1/2, sin(x) sin(alpha - x) = half the new rise; Newton from the linear estimate */
  const double goal = e * e * rise(b, phi0);
  double phi = phi0 * e * e;
  for (int i = 0; i < 50; ++i) {
    const double step = (rise(b, phi) - goal) / sin(b->alpha - phi);
    phi -= step;
    if (fabs(step) <= 2 * DBL_EPSILON * phi) {
      break;
    }
  }
  return phi;
}

struct fall {
  const struct rocking_block *b;
  double phi0;
};

/* The integrand with phi = phi0 - w^2, which is smooth in w up to the rest. */
static double fall_rate(double w, void *data) {
  const struct fall *f = data;
  /* cos(alpha - phi0) - cos(alpha - phi) = 2 sin(alpha - phi0 + w^2/2) sin(w^2/2) */
  const double half = 0.5 * w * w;
  const double s = half > 0 ? sqrt(sin(half) / half) : 1;
  return 2 / (s * sqrt(f->b->k * sin(f->b->alpha - f->phi0 + half)));
}

double rocking_block_fall(const struct rocking_block *b, double phi0, double *error) {
  struct fall f = {.b = b, .phi0 = phi0};
  const gsl_function g = {.function = fall_rate, .params = &f};
  double t = 0;
  size_t evaluations;
  gsl_integration_cquad_workspace *w = gsl_integration_cquad_workspace_alloc(100);
  gsl_error_handler_t *before = gsl_set_error_handler_off();
  gsl_integration_cquad(&g, 0, sqrt(phi0), 0, 1e-13, w, &t, error, &evaluations);
  gsl_set_error_handler(before);
  gsl_integration_cquad_workspace_free(w);
  return t;
}

static int rocking_rates(double t, const double y[], double dydt[], void *data) {
  const struct rocking_block *b = data;
  (void)t;
  dydt[0] = y[1];
  dydt[1] = -0.5 * b->k * sin(b->alpha - y[0]);
  return GSL_SUCCESS;
}

static const double TOLERANCE = 1e-13; /* of the integration from rest, a step */

/* phi and phi' a time tau after rest at phi0. */
static int fall_for(struct rocking_block *b, double phi0, double tau, double y[2]) {
  gsl_odeiv2_system system = {.function = rocking_rates, .dimension = 2, .params = b};
  gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3,
                                                            TOLERANCE * phi0, TOLERANCE);
  double t = 0;
  y[0] = phi0;
  y[1] = 0;
  const int status = tau > 0 ? gsl_odeiv2_driver_apply(driver, &t, tau, y) : GSL_SUCCESS;
  gsl_odeiv2_driver_free(driver);
  return status;
}

/* The rest next to time t: its amplitude and side, *tau = time since it, negative before it.
 * Returns the error of the times on the way. */
static double rest_near(const struct rocking_block *b, double t, double *phi0, double *side,
                        double *tau) {
  double sum = 0, error = 0;
  *side = 1;
  *tau = t;
  for (;;) {
    const double down = rocking_block_fall(b, *phi0, &error);
    sum += error;
    if (*tau <= down) {
      return sum;
    }
    *phi0 = rocking_block_next(b, *phi0);
    *side = -*side;
    const double up = rocking_block_fall(b, *phi0, &error);
    sum += error;
    *tau -= down + up;
    if (*tau <= 0) {
      return sum;
    }
  }
}

/* Amplitudes below this part of alpha are rest: times add up to less than rounding from there. */
static const double REST = 1e-12;
/* Errors of a step of the integration add up over some tens of steps a fall. */
static const double STEPS = 100;

static double block_reference(const struct case_parameters *p, double t, double *q, double *u) {
  struct rocking_block b = rocking_block_of(p);
  const double width = case_real(p, "b"), height = case_real(p, "h");
  double phi0 = case_real(p, "phi0"), side, tau, y[2] = {0, 0};
  if (!(phi0 > REST * b.alpha) || !(rocking_block_impact(&b) > 0) || case_real(p, "eps") > 0) {
    return NAN;
  }
  const double late = rest_near(&b, t, &phi0, &side, &tau);
  if (phi0 > REST * b.alpha && fall_for(&b, phi0, fabs(tau), y) != GSL_SUCCESS) {
    return NAN;
  }
  const double phi = side * y[0], w = tau < 0 ? -side * y[1] : side * y[1];
  const double arm = side * width; /* from the corner it turns about to the centre, body's x */
  q[0] = -arm + arm * cos(phi) - height * sin(phi);
  q[1] = arm * sin(phi) + height * cos(phi);
  q[2] = phi;
  u[0] = -(arm * sin(phi) + height * cos(phi)) * w;
  u[1] = (arm * cos(phi) - height * sin(phi)) * w;
  u[2] = w;
  return fmax(1, b.R) * (sqrt(b.k) * late + STEPS * TOLERANCE);
}

static int block_build(const struct case_parameters *p, struct base_arena *arena,
                       struct case_instance *out) {
  const double m = case_real(p, "m"), b = case_real(p, "b"), h = case_real(p, "h");
  const double g = case_real(p, "g"), phi = case_real(p, "phi0"), R = hypot(b, h);
  if (!(phi < atan2(b, h))) {
    return base_fail(
        BASE_E_INPUT,
        "rocking-block: phi0 = %.17g rad must be below atan(b/h) = %.17g rad: it would "
        "fall over",
        phi, atan2(b, h));
  }
  struct mech_assembly *a = body_plane_begin("rocking-block", MECH_PLANAR, g, case_real(p, "mu"),
                                             case_real(p, "eps"), arena);
  mech_assembly_body(a, &(struct mech_body){.name = "block",
                                            .mass = m,
                                            .inertia = {0, 0, m * R * R / 3},
                                            .position = {-b + b * cos(phi) - h * sin(phi),
                                                         b * sin(phi) + h * cos(phi)},
                                            .phi = phi});
  mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_BOX, .half = {b, h, b}});
  mech_assembly_scales(a, R, sqrt(g * R));
  return body_plane_finish(a, out);
}

const struct case_type case_rocking_block = {
    .summary = "a block rocks from corner to corner; period by quadrature, loss an impact known",
    .source = "Housner, Bull. Seismol. Soc. Am. 53 (1963); own values",
    .build = block_build,
    .reference = block_reference,
    .figures = rocking_block_figures};
