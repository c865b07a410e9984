/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A rectangular block, half width b and half height h, rocks from corner to corner on a plane that
 * is rough enough for it not to slide (Housner 1963). With R = sqrt(b^2 + h^2), tan alpha = b/h and
 * I_O = 4/3 m R^2 about a corner, it turns about the left corner while phi > 0 and about the right
 * one while phi < 0:
 *
 *   I_O phi'' = -m g R sin(alpha - |phi|) sgn(phi)
 *
 * With psi = alpha - |phi|, an inverted pendulum's angle, and w^2 = m g R / I_O, the motion from
 * rest at psi_0 and the time it takes to the impact, psi = alpha, are
 *
 *   sin(psi/2) = sin(psi_0/2) / dn(w t, k),   k = cos(psi_0/2)
 *   t = F(chi, k) / w,   k sin(chi) = sqrt(1 - (sin(psi_0/2) / sin(alpha/2))^2),
 *
 * elliptic functions and integral, the quadrature of the energy's equation.
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
#include "cases/rocking-block/rocking-block.h"

#include "base/status.h"
#include "cases/body_kit.h"
#include "la/elliptic.h"

#include <float.h>
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

double rocking_block_fall(const struct rocking_block *b, double phi0) {
  const double psi0 = b->alpha - phi0, ratio = sin(0.5 * psi0) / sin(0.5 * b->alpha);
  const double k = cos(0.5 * psi0), sine = sqrt((1 - ratio) * (1 + ratio)) / k;
  return la_elliptic_first(asin(fmin(1, sine)), k) / sqrt(0.5 * b->k);
}

/* phi and phi' a time tau after rest at phi0, both > 0. */
static void fall_for(const struct rocking_block *b, double phi0, double tau, double y[2]) {
  const double psi0 = b->alpha - phi0, k = cos(0.5 * psi0);
  double sn, cn, dn, Pi;
  la_elliptic(k, 0, sqrt(0.5 * b->k) * tau, &sn, &cn, &dn, &Pi);
  y[0] = b->alpha - 2 * asin(sin(0.5 * psi0) / dn);
  /* energy: phi'^2 = k [cos(alpha - phi0) - cos(alpha - phi)], a product of sines */
  y[1] = -sqrt(fmax(0, 2 * b->k * sin(0.5 * (psi0 + b->alpha - y[0])) * sin(0.5 * (phi0 - y[0]))));
}

/* Amplitudes below this part of alpha are rest: times add up to less than rounding from there. */
static const double REST = 1e-12;

/* The rest next to time t: its amplitude and side, *tau = time since it, negative before it. Where
 * the block lies for good the amplitude is below REST. */
static void rest_near(const struct rocking_block *b, double t, double *phi0, double *side,
                      double *tau) {
  *side = 1;
  *tau = t;
  while (*phi0 > REST * b->alpha) {
    const double down = rocking_block_fall(b, *phi0);
    if (*tau <= down) {
      return;
    }
    *phi0 = rocking_block_next(b, *phi0);
    *side = -*side;
    *tau -= down + rocking_block_fall(b, *phi0);
    if (*tau <= 0) {
      return;
    }
  }
}

/* Roundings of times and angles, in double precision functions of GSL. */
static const double ROUNDINGS = 1e3;

static double block_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const struct rocking_block b = rocking_block_of(p);
  const double width = case_real(p, "b"), height = case_real(p, "h");
  double phi0 = case_real(p, "phi0"), side, tau, y[2] = {0, 0};
  if (!(phi0 > REST * b.alpha) || !(rocking_block_impact(&b) > 0) || case_real(p, "eps") > 0) {
    return NAN;
  }
  rest_near(&b, t, &phi0, &side, &tau);
  if (phi0 > REST * b.alpha) {
    fall_for(&b, phi0, fabs(tau), y);
  }
  const double phi = side * y[0], w = tau < 0 ? -side * y[1] : side * y[1];
  const double arm = side * width; /* from the corner it turns about to the centre, body's x */
  q[0] = -arm + arm * cos(phi) - height * sin(phi);
  q[1] = arm * sin(phi) + height * cos(phi);
  q[2] = phi;
  u[0] = -(arm * sin(phi) + height * cos(phi)) * w;
  u[1] = (arm * cos(phi) - height * sin(phi)) * w;
  u[2] = w;
  return fmax(1, b.R) * ROUNDINGS * DBL_EPSILON * (1 + sqrt(b.k) * t);
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
  return body_finish(a, BASE_OK, out, NULL);
}

/* The corner that strikes comes along the normal: all that is lost, normal impulses take. */
static void block_work(const struct case_parameters *p, double t, double work[4]) {
  const struct rocking_block b = rocking_block_of(p);
  const double first = case_real(p, "phi0"), g = case_real(p, "g");
  double phi0 = first, side, tau;
  rest_near(&b, t, &phi0, &side, &tau);
  work[1] =
      case_real(p, "m") * (rocking_block_energy(&b, phi0, g) - rocking_block_energy(&b, first, g));
}

/* Four times the first fall of a block of half width and height b, h from phi0 [s]. */
static double period(const struct case_parameters *p, const double *x) {
  const double R = hypot(x[0], x[1]);
  const struct rocking_block b = {
      .R = R, .alpha = atan2(x[0], x[1]), .k = 1.5 * case_real(p, "g") / R};
  return 4 * rocking_block_fall(&b, x[2]);
}

static const struct case_function own_functions[] = {{"period", .formula = period, .n_numbers = 3},
                                                     {0}};
static const struct case_function *const functions[] = {own_functions, NULL};

const struct case_type case_rocking_block = {
    .name = "rocking-block",
    .summary = "a block rocks from corner to corner; period and loss an impact in closed form",
    .source = "Housner, Bull. Seismol. Soc. Am. 53 (1963); own values",
    .build = block_build,
    .reference = block_reference,
    .work = block_work,
    .functions = functions};
