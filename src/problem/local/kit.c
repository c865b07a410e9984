/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared parts of the analytic one-contact solvers: scaling, the quartic, its roots by GSL's
 * companion matrix, and Newton's method on the conditions themselves, which brings a root of the
 * quartic (accurate to a power of the rounding where roots crowd) to round-off.
 *
 * GSL's companion matrix lies on the stack here: its own workspace would come from the heap, one a
 * thread. GSL's error handler, which would end the program, is off from the first use on; its
 * status is looked at.
 */
#include "problem/local/kit.h"

#include "base/status.h"
#include "la/dense.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_poly.h>
#include <math.h>
#include <string.h>

/* Relative imaginary part up to which a root is tried as real: rounding splits a double root by
 * about its square root, a triple one by the cube root. What is not real fails the polish. */
static const double BLUR = 1e-3;
/* Coefficients below this part of the largest are rounding of zero; the roots they would add lie
 * beyond its inverse. */
static const double NEGLIGIBLE = 1e-300;
/* Residual that counts as round-off, relative to the sum of the terms' magnitudes. */
static const double ROUND_OFF = 64 * DBL_EPSILON;
enum { NEWTON_STEPS = 30, SEARCH_STARTS = 72, DEGREE_MAX = 4 };

double problem_local_scale(double mu, const double *A, const double *b, struct local_sliding *s) {
  const double unit_A = (A[0] + A[4] + A[8]) / 3;
  const double unit_b = fmax(fabs(b[0]), fmax(fabs(b[1]), fabs(b[2])));
  s->mu = mu;
  if (!(unit_A > 0) || !(unit_b > 0)) {
    return 0;
  }
  for (int k = 0; k < 9; k++) {
    s->A[k] = A[k] / unit_A;
    s->B[k] = 0;
  }
  for (int k = 0; k < 3; k++) {
    s->b[k] = b[k] / unit_b;
  }
  return unit_b / unit_A;
}

int problem_local_disk(double mu, const double *A, const double *b, double *r) {
  const double length = sqrt(b[1] * b[1] + b[2] * b[2]);
  r[0] = -b[0] / A[0];
  const double radius = mu * r[0];
  const int sticks = length <= radius * A[4];
  const double scale = sticks ? -1 / A[4] : -radius / length;
  r[1] = scale * b[1];
  r[2] = scale * b[2];
  return sticks;
}

/* Determinant of three columns. */
static double det3(const double x[3], const double y[3], const double z[3]) {
  return x[0] * (y[1] * z[2] - y[2] * z[1]) - y[0] * (x[1] * z[2] - x[2] * z[1]) +
         z[0] * (x[1] * y[2] - x[2] * y[1]);
}

static void columns(const double M[9], double c[3][3]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      c[j][i] = M[3 * i + j];
    }
  }
}

void problem_local_quartic(const struct local_sliding *s, double coefficients[5]) {
  double a[3][3], t[3][3];
  columns(s->A, a);
  columns(s->B, t);
  memset(coefficients, 0, 5 * sizeof *coefficients);
  for (int k = 0; k < 3; k++) { /* numerator of r_k: column k replaced by b */
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double p[3] = {det3(s->b, a[i], a[j]), det3(s->b, t[i], a[j]) + det3(s->b, a[i], t[j]),
                         det3(s->b, t[i], t[j])};
    const double sign = k == 0 ? -s->mu * s->mu : 1;
    for (int m = 0; m < 3; m++) {
      for (int n = 0; n < 3; n++) {
        coefficients[m + n] += sign * p[m] * p[n];
      }
    }
  }
}

int problem_local_real_roots(int n, const double *coefficients, double *roots) {
  double largest = 0, z[8];
  for (int k = 0; k <= n; k++) {
    if (!isfinite(coefficients[k])) {
      return 0;
    }
    largest = fmax(largest, fabs(coefficients[k]));
  }
  int low = 0, found = 0;
  while (n > 0 && !(fabs(coefficients[n]) > NEGLIGIBLE * largest)) {
    n--;
  }
  while (low < n && coefficients[low] == 0) {
    low++;
  }
  if (low > 0) {
    roots[found++] = 0;
  }
  if (n - low < 1) {
    return found;
  }
  double matrix[DEGREE_MAX * DEGREE_MAX];
  gsl_poly_complex_workspace workspace = {.nc = (size_t)(n - low), .matrix = matrix};
  if (gsl_poly_complex_solve(coefficients + low, (size_t)(n - low) + 1, &workspace, z) !=
      GSL_SUCCESS) {
    return found;
  }
  for (int k = 0; k < n - low; k++) {
    if (fabs(z[2 * k + 1]) <= BLUR * fabs(z[2 * k])) {
      roots[found++] = z[2 * k];
    }
  }
  return found;
}

int problem_local_at(const struct local_sliding *s, double tau, double r[3]) {
  double M[9], c[3][3];
  for (int k = 0; k < 9; k++) {
    M[k] = s->A[k] + tau * s->B[k];
  }
  columns(M, c);
  const double det = det3(c[0], c[1], c[2]);
  r[0] = -det3(s->b, c[1], c[2]) / det;
  r[1] = -det3(c[0], s->b, c[2]) / det;
  r[2] = -det3(c[0], c[1], s->b) / det;
  return isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]);
}

int problem_local_stick(int n, const double *A, const double *b, double *r) {
  double columns_of_A[9], residual[3], change[3];
  for (int k = 0; k < n; k++) {
    r[k] = 0;
    for (int j = 0; j < n; j++) {
      columns_of_A[k + n * j] = A[n * k + j];
    }
  }
  for (int step = 0; step < 2; step++) { /* the second time on the residual */
    for (int i = 0; i < n; i++) {
      residual[i] = -b[i];
      for (int j = 0; j < n; j++) {
        residual[i] -= A[n * i + j] * r[j];
      }
    }
    if (la_solve_small(n, columns_of_A, residual, change) != BASE_OK) {
      return 0;
    }
    for (int k = 0; k < n; k++) {
      r[k] += change[k];
    }
  }
  return isfinite(r[0]) && isfinite(r[1]) && (n < 3 || isfinite(r[2]));
}

/* Roundings of an impulse -A^-1 b that may tip it off the rim of the cone: a few of its own, times
 * the condition of a common A. */
static const double RIM = 16 * DBL_EPSILON;

int problem_local_in_cone(int dim, double mu, const double *r) {
  const double r_T = dim == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
  return r[0] >= 0 && r_T <= (1 + RIM) * mu * r[0];
}

double problem_local_fit(const struct local_sliding *s, const double r[3]) {
  double along = 0, square = 0;
  for (int i = 0; i < 3; i++) {
    double v = s->b[i], e = 0;
    for (int j = 0; j < 3; j++) {
      v += s->A[3 * i + j] * r[j];
      e += s->B[3 * i + j] * r[j];
    }
    along -= v * e;
    square += e * e;
  }
  return along > 0 && square > 0 ? along / square : 0;
}

/* Newton's system in (dr / |r|, d tau |r|): J 4 x 4 column-major, f the negative residual. Returns
 * the worst residual relative to the magnitude of its terms. */
static double newton_system(const struct local_sliding *s, const double r[3], double tau,
                            double size, double J[16], double f[4]) {
  double worst = 0;
  for (int i = 0; i < 3; i++) {
    double value = s->b[i], magnitude = fabs(s->b[i]), e = 0;
    for (int j = 0; j < 3; j++) {
      const double B = s->B[3 * i + j], a = s->A[3 * i + j] + tau * B;
      J[i + 4 * j] = a * size;
      value += a * r[j];
      magnitude += (fabs(s->A[3 * i + j]) + tau * fabs(B)) * fabs(r[j]);
      e += B * r[j];
    }
    J[i + 12] = e / size;
    f[i] = -value;
    worst = fmax(worst, fabs(value) / fmax(magnitude, DBL_MIN));
  }
  const double length = hypot(r[1], r[2]), radius = s->mu * r[0];
  J[3] = -s->mu;
  J[7] = length > 0 ? r[1] / length : 0;
  J[11] = length > 0 ? r[2] / length : 0;
  J[15] = 0;
  f[3] = -(length - radius) / size;
  return fmax(worst, fabs(length - radius) / fmax(length + fabs(radius), DBL_MIN));
}

int problem_local_polish(const struct local_sliding *s, double r[3], double *tau) {
  double best = INFINITY, best_r[3] = {r[0], r[1], r[2]}, best_tau = *tau, J[16], f[4], step[4];
  int worse = 0;
  for (int k = 0; k < NEWTON_STEPS && best > DBL_EPSILON; k++) {
    const double size = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (!(size > 0) || !isfinite(size) || !isfinite(*tau)) {
      break;
    }
    const double worst = newton_system(s, r, *tau, size, J, f);
    if (worst < best) {
      best = worst;
      memcpy(best_r, r, sizeof best_r);
      best_tau = *tau;
      worse = 0;
    } else if (best <= ROUND_OFF || ++worse > 2) {
      break; /* as good as it gets, or lost */
    }
    if (la_solve_small(4, J, f, step) != BASE_OK) {
      break;
    }
    for (int j = 0; j < 3; j++) {
      r[j] += step[j] * size;
    }
    *tau += step[3] / size;
  }
  memcpy(r, best_r, sizeof best_r);
  *tau = best_tau;
  return best <= ROUND_OFF && r[0] > 0 && *tau >= 0;
}

int problem_local_search(const struct local_sliding *s, double r[3]) {
  for (int k = 0; k < SEARCH_STARTS; k++) {
    const double alpha = 2 * M_PI * k / SEARCH_STARTS;
    const double ray[3] = {1, s->mu * cos(alpha), s->mu * sin(alpha)};
    double rate = 0, stiffness = 0;
    for (int i = 0; i < 3; i++) { /* least energy along the ray */
      rate += ray[i] * s->b[i];
      for (int j = 0; j < 3; j++) {
        stiffness += ray[i] * s->A[3 * i + j] * ray[j];
      }
    }
    const double along = rate < 0 && stiffness > 0 ? -rate / stiffness : 1;
    for (int i = 0; i < 3; i++) {
      r[i] = along * ray[i];
    }
    double tau = problem_local_fit(s, r);
    if (problem_local_polish(s, r, &tau)) {
      return 1;
    }
  }
  return 0;
}
