/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of Coulomb-Contensou friction: the boundary of B_F against a numerical integral of Coulomb
 * friction over the contact disk (what moeller 3.118, 3.119 condense), projections against the
 * variational inequality, against dense sampling of the boundary, and in their limits.
 */
#include "contact/contensou.h"
#include "contact/set.h"
#include "la/dense.h"
#include "tests/test.h"

#define EPS 2.3e-16

enum { DRAWS = 3000 };

static const enum contact_set_kind kinds[] = {CONTACT_SET_CYLINDER, CONTACT_SET_ELLIPSOID,
                                              CONTACT_SET_ELLIPSOID, CONTACT_SET_CONTENSOU};
enum { KINDS = 4, BALL = 2 };

static struct base_rng *rng;

static double decade(double lo, double hi) { return pow(10, base_rng_uniform(rng, lo, hi)); }

/* Set number k of a given size, the third being a ball. */
static struct contact_set make(int k, double force, double torque) {
  return (struct contact_set){.kind = kinds[k], .axis = {force, k == BALL ? force : torque}};
}

static double distance(const double *x, const double *y) {
  const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  return la_norm2(3, d);
}

/* Random set and point: on axes, inside, near and far; sizes of force and torque differ widely. */
static struct contact_set draw(int i, double *s, double x[3]) {
  const double force = decade(-2, 1), torque = force * decade(-4, 2);
  const struct contact_set set = make(i % KINDS, force, torque);
  *s = decade(-6, 2);
  const double size = decade(-1.5, i % 5 == 0 ? 4 : 0.7);
  for (int k = 0; k < 3; ++k) {
    x[k] = size * *s * (k < 2 ? set.axis[0] : set.axis[1]) * base_rng_normal(rng);
  }
  if (i % 11 == 0) {
    x[2] = 0;
  } else if (i % 13 == 0) {
    x[0] = x[1] = 0;
  }
  return set;
}

/* ---- The boundary of B_F --------------------------------------------------------------------- */

/* Force and torque of a disk of radius 1 with pressure 3/(2 pi) sqrt(1 - r^2) and mu = 1 that
 * slides with u and spins with 1, by the midpoint rule in s, r = sin s, and in the angle, about the
 * instantaneous centre of rotation excluded by the smooth integrand alone. */
static void integrate(double u, int n, double *force, double *torque) {
  *force = *torque = 0;
  for (int i = 0; i < n; ++i) {
    const double s = (i + 0.5) * M_PI / 2 / n, r = sin(s);
    const double pressure = 3 / (2 * M_PI) * cos(s) * cos(s) * r * (M_PI / 2 / n);
    for (int j = 0; j < n; ++j) {
      const double a = (j + 0.5) * 2 * M_PI / n;
      const double x = u - r * sin(a), y = r * cos(a), speed = hypot(x, y);
      if (speed > 0) {
        const double weight = pressure * 2 * M_PI / n / speed;
        *force += weight * x;
        *torque += weight * (r * cos(a) * y - r * sin(a) * x);
      }
    }
  }
}

TEST(contensou_boundary_condenses_coulomb_friction_of_a_disk) {
  static const double at[] = {0, 0.1, 0.5, 0.9, 1, 1.1, 1.5, 1.99, 2.01, 3, 10};
  for (size_t k = 0; k < sizeof at / sizeof *at; ++k) {
    double f, g, force, torque;
    contact_contensou_boundary(at[k], &f, &g);
    integrate(at[k], 1000, &force, &torque);
    /* the integrand jumps at one point: second order */
    CHECK_NEAR(f, force, 2e-5);
    CHECK_NEAR(g * 3 * M_PI / 16, torque, 2e-5);
  }
}

TEST(contensou_boundary_is_continuous_where_its_formulas_meet) {
  static const double at[] = {1, 2}; /* the two formulas; closed form and series */
  for (int k = 0; k < 2; ++k) {
    double below[2], above[2];
    contact_contensou_boundary(at[k] * (1 - 1e-15), &below[0], &below[1]);
    contact_contensou_boundary(at[k] * (1 + 1e-15), &above[0], &above[1]);
    CHECK_NEAR(below[0], above[0], 8 * EPS);
    CHECK_NEAR(below[1], above[1], 8 * EPS);
  }
  double f, g;
  contact_contensou_boundary(INFINITY, &f, &g);
  CHECK_NEAR(f, 1, 0);
  CHECK_NEAR(g, 0, 0);
  contact_contensou_boundary(1e8, &f, &g); /* leading terms of the series */
  CHECK_NEAR(f, 1, EPS);
  CHECK_NEAR(g * 1e8, 16 / (15 * M_PI), 1e-15);
}

/* The closed form of moeller (3.118), (3.119) in long double, whose extra digits pay for the
 * cancellation. */
TEST(contensou_boundary_agrees_with_the_closed_form_in_higher_precision) {
  for (double u = 1.01; u < 12; u *= 1.07) {
    const long double v = u, s = asinl(1 / v), w = sqrtl(v * v - 1);
    const long double f = 3.0L / 16 * ((4 * v - v * v * v) * s + (v * v + 2) * w / v);
    const long double v2 = v * v;
    const long double g = ((3 * v2 * v2 - 8 * v2 + 8) * s + (6 - 3 * v2) * w) / (4 * acosl(-1.0L));
    double b_T, b_tau;
    contact_contensou_boundary(u, &b_T, &b_tau);
    CHECK_NEAR(b_T, (double)f, 8 * EPS);
    CHECK_NEAR(b_tau, (double)g, 16 * EPS);
  }
}

/* ---- Projections ----------------------------------------------------------------------------- */

/* p = prox(x) if and only if <x - p, q - p> <= 0 for all q of the set, that is
 * support(x - p) <= <x - p, p>. Rounding of x - p turns the support by the size of the set. */
TEST(projections_obey_the_variational_inequality) {
  rng = test_rng(0);
  int outside = 0;
  for (int i = 0; i < 4 * DRAWS; ++i) {
    double s, x[3], p[3];
    const struct contact_set set = draw(i, &s, x);
    contact_set_project(&set, s, x, p);
    const double normal[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
    const double gain = contact_set_support(&set, s, normal) - la_dot(3, normal, p);
    const double width = s * hypot(set.axis[0], set.axis[1]);
    CHECK_MESSAGE(fabs(gain) <=
                      16 * EPS * (la_norm2(3, x) + la_norm2(3, p)) * (la_norm2(3, normal) + width),
                  "draw %d, kind %d, axes %g %g: gain %g of %g", i, (int)set.kind, set.axis[0],
                  set.axis[1], gain, la_norm2(3, x) * width);
    outside += la_norm2(3, normal) > 0;
    contact_set_project(&set, s, x, x); /* in place */
    CHECK(test_same_bits(x, p, 3));
  }
  CHECK(outside > DRAWS && outside < 4 * DRAWS);
}

/* A point of the set by two parameters in [0, 1], its boundary where the second is 1. */
static void sample(const struct contact_set *set, double s, double t, double angle, double q[3]) {
  double f = fmin(1, 2 * t), g = fmin(1, 2 - 2 * t); /* cylinder */
  if (set->kind == CONTACT_SET_ELLIPSOID) {
    f = sin(t * M_PI / 2);
    g = cos(t * M_PI / 2);
  } else if (set->kind == CONTACT_SET_CONTENSOU) {
    contact_contensou_boundary(tan(t * M_PI / 2), &f, &g);
  }
  q[0] = s * set->axis[0] * f * cos(angle);
  q[1] = s * set->axis[0] * f * sin(angle);
  q[2] = s * set->axis[1] * g;
}

/* No sampled point is nearer than the projection, and the nearest sampled one is about as near. */
TEST(projections_are_nearest_by_brute_force) {
  enum { ACROSS = 2000, AROUND = 12 };
  rng = test_rng(0);
  for (int i = 0; i < 120; ++i) {
    double s, x[3], p[3], q[3], nearest = INFINITY;
    struct contact_set set = draw(i, &s, x);
    contact_set_project(&set, s, x, p);
    const double here = distance(x, p);
    const double angle = atan2(x[1], x[0]);
    for (int j = 0; j <= ACROSS; ++j) {
      for (int k = 0; k < AROUND; ++k) {
        sample(&set, s, (double)j / ACROSS, angle + 2 * M_PI * k / AROUND, q);
        q[2] = copysign(q[2], x[2]);
        nearest = fmin(nearest, distance(x, q));
      }
    }
    const double width = s * fmax(set.axis[0], set.axis[1]);
    CHECK_LE(here, nearest * (1 + 4 * EPS) + 4 * EPS * width);
    if (here > 0) { /* a sample lies within half a spacing of p, on either side of its tangent */
      CHECK_LE(nearest, hypot(here + 2e-6 * width, 3e-3 * width));
    }
  }
}

TEST(points_inside_are_left_as_they_are) {
  rng = test_rng(0);
  for (int i = 0; i < DRAWS; ++i) {
    double s, x[3], q[3], p[3];
    const struct contact_set set = draw(i, &s, x);
    sample(&set, s, base_rng_uniform(rng, 0, 1), base_rng_uniform(rng, 0, 6), q);
    const double shrink = base_rng_uniform(rng, 0, 1 - 1e-12);
    for (int k = 0; k < 3; ++k) {
      q[k] *= shrink;
    }
    contact_set_project(&set, s, q, p);
    CHECK(p[0] == q[0] && p[1] == q[1] && p[2] == q[2]);
  }
}

/* Pure sliding and pure spinning: the friction force mu r_N, the torque R_bar mu r_N, and nothing
 * of the other kind, whatever the set. */
TEST(pure_sliding_and_pure_spinning_are_the_ends_of_every_set) {
  for (int k = 0; k < KINDS; ++k) {
    const struct contact_set set = make(k, 0.3, 0.3 * 2.945e-4);
    const double slide[3] = {0.3, -0.4, 0}, spin[3] = {0, 0, -7};
    double p[3];
    CHECK_NEAR(contact_set_support(&set, 2, slide), 2 * 0.3 * 0.5, 4 * EPS);
    CHECK_NEAR(contact_set_support(&set, 2, spin), 2 * set.axis[1] * 7, 8 * EPS);
    contact_set_project(&set, 0.1, slide, p);
    CHECK_NEAR(p[0], 0.03 * 0.6, 2 * EPS);
    CHECK_NEAR(p[1], -0.03 * 0.8, 2 * EPS);
    CHECK_NEAR(p[2], 0, 0);
    contact_set_project(&set, 0.1, spin, p);
    CHECK_NEAR(hypot(p[0], p[1]), 0, 0);
    CHECK_NEAR(p[2], -0.1 * set.axis[1], 2 * EPS * set.axis[1]);
  }
}

TEST(degenerate_sets_and_points_are_sound) {
  for (int k = 0; k < KINDS; ++k) {
    const double x[3] = {3, 4, -2};
    double p[3];
    const struct contact_set set = make(k, 0.5, 0.25), flat = {.kind = kinds[k], .axis = {0.5, 0}};
    contact_set_project(&set, 0, x, p);
    CHECK_NEAR(la_norm2(3, p), 0, 0);
    contact_set_project(&flat, 1, x, p);
    CHECK_NEAR(p[0], 0.3, 2 * EPS);
    CHECK_NEAR(p[2], 0, 0);
    const double none[3] = {NAN, 0, 1};
    contact_set_project(&set, 1, none, p);
    CHECK(isnan(p[0]));
    const double far[3] = {3e100, 0, 4e100};
    contact_set_project(&set, 1e-100, far, p);
    CHECK(isfinite(p[0]) && p[0] >= 0 && p[2] > 0);
    CHECK_NEAR(contact_set_support(&set, 1, far), la_dot(3, far, p) * 1e100,
               1e-13 * contact_set_support(&set, 1, far));
  }
}
