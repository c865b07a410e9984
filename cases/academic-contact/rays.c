/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * preclik-rays: erratum of eq. (9). For b_N = 0 and A_NN <= mu |a|, a = A_TN, what the cone leaves
 * of the plane of maximum compression is a wedge, x = r_1 d_- + r_2 d_+, between the rays d_-+ at
 * alpha_0 -+ Delta alpha (6); with v = A r + b,
 *
 *   E(x) = (x - x_0) . H (x - x_0) / 2 + E_0,   H = A_TT - a a^T / A_NN.
 *
 * Where x_0 is outside, the minimum lies on one of the rays. Eq. (9) takes the one on whose side of
 * the wedge's axis x_0 is. That is the nearer one, and so right where H is a multiple of the
 * identity; in any other metric the nearest point of the wedge may be on the other ray.
 *
 * Counted on random blocks A = G G^T and b with b_N = 0, and again with A_TT such that H = h E: the
 * energy on the ray that (9) takes against the lesser of both, and both against a scan of the
 * wedge by directions, d, along each of which E is least at r = max(0, d . H x_0 / d . H d).
 */
#include "cases/academic-contact/academic-contact.h"

#include "base/rng.h"

#include <math.h>

enum { DRAWS = 20000, SEED = 9, DIRECTIONS = 400, BINS = 6 };
/* Energies that differ by less of |E_0| are those of the same point. */
static const double SAME = 1e-12;

/* The wedge and the energy in it. */
struct wedge {
  double H[2][2], x0[2];
  double middle, half; /* direction of its axis, half its opening [rad] */
};

static double form(const double H[2][2], const double x[2], const double y[2]) {
  return x[0] * (H[0][0] * y[0] + H[0][1] * y[1]) + x[1] * (H[1][0] * y[0] + H[1][1] * y[1]);
}

/* Least energy less that of the origin along a direction. */
static double along(const struct wedge *w, double angle) {
  const double d[2] = {cos(angle), sin(angle)};
  const double rate = form(w->H, d, w->x0), stiffness = form(w->H, d, d);
  const double r = fmax(0, rate / stiffness);
  return -0.5 * r * rate;
}

static int holds(const struct wedge *w, const double x[2]) {
  return x[0] * cos(w->middle) + x[1] * sin(w->middle) >= hypot(x[0], x[1]) * cos(w->half);
}

/* Angle of the ray that eq. (9) takes: alpha_0 - Delta alpha is the axis and half the opening. */
static double ray_of_9(const struct wedge *w, const double a[2]) {
  return a[1] * w->x0[0] - a[0] * w->x0[1] >= 0 ? w->middle + w->half : w->middle - w->half;
}

/* Least energy of a scan of the wedge. */
static double scan(const struct wedge *w) {
  double least = 0;
  for (int k = 0; k <= DIRECTIONS; ++k) {
    least = fmin(least, along(w, w->middle + w->half * (2. * k / DIRECTIONS - 1)));
  }
  return least;
}

static struct wedge wedge_of(double A_NN, double mu, const double a[2]) {
  return (struct wedge){.middle = atan2(a[1], a[0]) + M_PI,
                        .half = M_PI - acos(-A_NN / (mu * hypot(a[0], a[1])))};
}

/* A random block and velocity; 0 where (9) is not asked: another conic section, or x_0 in the cone.
 */
static int draw(struct base_rng *rng, int is_isotropic, double a[2], struct wedge *w) {
  double G[3][3], A[3][3] = {{0}};
  for (int i = 0; i < 9; ++i) {
    G[i / 3][i % 3] = base_rng_normal(rng);
  }
  for (int i = 0; i < 27; ++i) {
    A[i / 9][i / 3 % 3] += G[i / 9][i % 3] * G[i / 3 % 3][i % 3];
  }
  const double mu = pow(10, base_rng_uniform(rng, -1, 1)), h = base_rng_uniform(rng, 0.1, 2);
  a[0] = A[1][0], a[1] = A[2][0];
  const double b[2] = {base_rng_normal(rng), base_rng_normal(rng)};
  if (A[0][0] > mu * hypot(a[0], a[1])) {
    return 0;
  }
  *w = wedge_of(A[0][0], mu, a);
  for (int i = 0; i < 4; ++i) {
    w->H[i / 2][i % 2] =
        is_isotropic ? h * (i % 3 == 0) : A[i / 2 + 1][i % 2 + 1] - a[i / 2] * a[i % 2] / A[0][0];
  }
  const double determinant = w->H[0][0] * w->H[1][1] - w->H[0][1] * w->H[1][0];
  w->x0[0] = (w->H[0][1] * b[1] - w->H[1][1] * b[0]) / determinant;
  w->x0[1] = (w->H[1][0] * b[0] - w->H[0][0] * b[1]) / determinant;
  return !holds(w, w->x0);
}

/* Square root of the ratio of H's eigenvalues: axes of an ellipse of equal energy. */
static double ratio_of_axes(const struct wedge *w) {
  const double mean = 0.5 * (w->H[0][0] + w->H[1][1]);
  const double apart = hypot(0.5 * (w->H[0][0] - w->H[1][1]), w->H[0][1]);
  return sqrt((mean + apart) / fmax(mean - apart, 1e-300));
}

struct counts {
  int met, wrong, bin[BINS], bin_wrong[BINS];
  double loss; /* largest part of |E_0| that (9) leaves */
  double
      scan; /* largest energy of a scan over the lesser of both rays', where that was asked for */
};

/* Bins of the ratio by octaves. */
static void count(const struct wedge *w, const double a[2], int has_scan, struct counts *c) {
  const double taken = along(w, ray_of_9(w, a)), unit = 0.5 * form(w->H, w->x0, w->x0);
  const double least = fmin(along(w, w->middle - w->half), along(w, w->middle + w->half));
  const int bin = (int)fmin(BINS - 1, log2(ratio_of_axes(w)));
  const int is_wrong = taken > least + SAME * unit;
  ++c->met, ++c->bin[bin];
  c->wrong += is_wrong, c->bin_wrong[bin] += is_wrong;
  c->loss = fmax(c->loss, (taken - least) / unit);
  c->scan = fmax(c->scan, has_scan && least < 0 ? scan(w) / least : 0);
}

static struct counts enumerate(int is_isotropic, int has_scan) {
  struct counts c = {0};
  struct base_rng *rng = base_rng_alloc(SEED);
  for (int k = 0; k < DRAWS; ++k) {
    struct wedge w;
    double a[2];
    if (draw(rng, is_isotropic, a, &w)) {
      count(&w, a, has_scan, &c);
    }
  }
  base_rng_free(rng);
  return c;
}

/* ---- functions of figures, of the random blocks or (1) the isotropic ones among them ---- */

/* Cases in which (9) is asked. */
static double met(const struct case_parameters *p, const double *is_isotropic) {
  (void)p;
  return enumerate(*is_isotropic != 0, 0).met;
}

/* Cases in which it takes the ray of more energy. */
static double wrong(const struct case_parameters *p, const double *is_isotropic) {
  (void)p;
  return enumerate(*is_isotropic != 0, 0).wrong;
}

static double loss(const struct case_parameters *p, const double *is_isotropic) {
  (void)p;
  return enumerate(*is_isotropic != 0, 0).loss;
}

static double scanned(const struct case_parameters *p, const double *is_isotropic) {
  (void)p;
  return enumerate(*is_isotropic != 0, 1).scan;
}

/* Cases of an octave k = 0, 1, ... of the ratio of axes, and those of them that are wrong. */
static double met_in(const struct case_parameters *p, const double *k) {
  (void)p;
  return *k >= 0 && *k < BINS ? (double)enumerate(0, 0).bin[(int)*k] : NAN;
}

static double wrong_in(const struct case_parameters *p, const double *k) {
  (void)p;
  return *k >= 0 && *k < BINS ? (double)enumerate(0, 0).bin_wrong[(int)*k] : NAN;
}

const struct case_function academic_contact_rays_functions[] = {
    {"met", .formula = met, .n_numbers = 1},
    {"wrong", .formula = wrong, .n_numbers = 1},
    {"loss", .formula = loss, .n_numbers = 1},
    {"scan", .formula = scanned, .n_numbers = 1},
    {"met_in", .formula = met_in, .n_numbers = 1},
    {"wrong_in", .formula = wrong_in, .n_numbers = 1},
    {0}};
