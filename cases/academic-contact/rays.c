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
  base_rng_normals(rng, 9, G[0]);
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

/* What is counted by octaves of the ratio of axes. */
enum {
  MET,   /* cases in which (9) is asked */
  WRONG, /* of them: it takes the ray of more energy */
  LOSS,  /* largest part of |E_0| that it leaves */
  SCAN,  /* largest energy of a scan over the lesser of both rays' */
  COUNTS
};

static void count(const struct wedge *w, const double a[2], double c[COUNTS][BINS]) {
  const double taken = along(w, ray_of_9(w, a)), unit = 0.5 * form(w->H, w->x0, w->x0);
  const double least = fmin(along(w, w->middle - w->half), along(w, w->middle + w->half));
  const int bin = (int)fmin(BINS - 1, log2(ratio_of_axes(w)));
  ++c[MET][bin];
  c[WRONG][bin] += taken > least + SAME * unit;
  c[LOSS][bin] = fmax(c[LOSS][bin], (taken - least) / unit);
  c[SCAN][bin] = fmax(c[SCAN][bin], least < 0 ? scan(w) / least : 0);
}

static void enumerate(int is_isotropic, double c[COUNTS][BINS]) {
  struct base_rng *rng = base_rng_alloc(SEED);
  for (int k = 0; k < DRAWS; ++k) {
    struct wedge w;
    double a[2];
    if (draw(rng, is_isotropic, a, &w)) {
      count(&w, a, c);
    }
  }
  base_rng_free(rng);
}

/* Of the random blocks, and of those that are isotropic in the plane. */
static const char *const words[] = {"met",
                                    "wrong",
                                    "loss",
                                    "scan",
                                    "isotropic met",
                                    "isotropic wrong",
                                    "isotropic loss",
                                    "isotropic scan",
                                    NULL};

static const double *rays(const struct case_results *r, const struct case_series *s, int *n) {
  double *lists = base_arena_matrix(r->arena, BINS, 2 * COUNTS);
  (void)s;
  for (int is_isotropic = 0; is_isotropic < 2; ++is_isotropic) {
    enumerate(is_isotropic, (double(*)[BINS])lists + (long)is_isotropic * COUNTS);
  }
  *n = BINS;
  return lists;
}

const struct case_function academic_contact_rays_functions[] = {
    {"rays", .lists = rays, .words = words}, {0}};
