/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Algebra of second-order cones; see ipm_cone.h. The largest step in Q goes by its image under the
 * rotation that takes lambda to e: lambda + alpha d is in Q as long as e + alpha rho is, with
 *   rho_0 = lambda'^T J d / |lambda|_J,
 *   rho_1 = (d_1 - (rho_0 |lambda|_J + d_0) / (lambda'_0 + 1) lambda'_1) / |lambda|_J,
 * lambda' = lambda / |lambda|_J, |lambda|_J^2 = lambda^T J lambda.
 */
#include "problem/solvers/cone/ipm_cone.h"

#include <math.h>

static double tail_length(int dim, const double *x) {
  return dim == 1 ? 0 : dim == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

double ipm_cone_least(int dim, const double *x) { return x[0] - tail_length(dim, x); }

/* x^T J x by factors, so that nothing cancels but x_0 - |x_1| itself. */
static double determinant(int dim, const double *x) {
  const double tail = tail_length(dim, x);
  return (x[0] - tail) * (x[0] + tail);
}

/* y = factor [w_0, w_1^T; w_1, 1 + w_1 w_1^T / (1 + w_0)] x */
static void apply(int dim, const double *w, double factor, const double *x, double *y) {
  double tail = 0;
  for (int k = 1; k < dim; ++k) {
    tail += w[k] * x[k];
  }
  y[0] = factor * (w[0] * x[0] + tail);
  for (int k = 1; k < dim; ++k) {
    y[k] = factor * (x[k] + (x[0] + tail / (1 + w[0])) * w[k]);
  }
}

int ipm_cone_scaling(int dim, const double *x, const double *z, struct ipm_scaling *s) {
  const double dx = determinant(dim, x), dz = determinant(dim, z);
  if (!(dx > 0 && dz > 0 && x[0] > 0 && z[0] > 0)) {
    return 0;
  }
  const double rx = 1 / sqrt(dx), rz = 1 / sqrt(dz);
  double dot = 0, w[IPM_DIM] = {0};
  for (int k = 0; k < dim; ++k) {
    dot += x[k] * rx * z[k] * rz;
  }
  const double gamma = sqrt((1 + dot) / 2);
  for (int k = 0; k < dim; ++k) {
    w[k] = (x[k] * rx + (k == 0 ? 1 : -1) * z[k] * rz) / (2 * gamma);
  }
  w[0] = sqrt(1 + (dim > 1 ? w[1] * w[1] : 0) + (dim > 2 ? w[2] * w[2] : 0));
  s->eta = sqrt(sqrt(dx) / sqrt(dz));
  for (int k = 0; k < IPM_DIM; ++k) {
    s->w[k] = w[k];
  }
  apply(dim, s->w, s->eta, z, s->lambda);
  return isfinite(s->eta) && isfinite(s->w[0]) && determinant(dim, s->lambda) > 0;
}

/* y = U^T x, U the rotation in W_new = W W' U. With the half-rapidity vectors t = w_1 / (1 + w_0)
 * as complex numbers, its angle is twice the argument of 1 + conj(t) t'. */
static void rotate_back(const double *w, const double *w_step, const double *x, double *y) {
  const double a[2] = {w[1] / (1 + w[0]), w[2] / (1 + w[0])};
  const double c[2] = {w_step[1] / (1 + w_step[0]), w_step[2] / (1 + w_step[0])};
  const double re = 1 + a[0] * c[0] + a[1] * c[1], im = a[0] * c[1] - a[1] * c[0];
  const double size = re * re + im * im;
  const double cosine = (re * re - im * im) / size, sine = 2 * re * im / size;
  y[0] = x[0];
  y[1] = cosine * x[1] + sine * x[2];
  y[2] = cosine * x[2] - sine * x[1];
}

int ipm_cone_update(int dim, struct ipm_scaling *s, double alpha, const double *dx_scaled,
                    const double *dz_scaled) {
  double x[IPM_DIM] = {0}, z[IPM_DIM] = {0};
  struct ipm_scaling step, old = *s;
  for (int k = 0; k < dim; ++k) {
    x[k] = s->lambda[k] + alpha * dx_scaled[k];
    z[k] = s->lambda[k] + alpha * dz_scaled[k];
  }
  if (!ipm_cone_scaling(dim, x, z, &step)) {
    return 0;
  }
  apply(dim, old.w, 1, step.w, s->w);
  s->w[0] = sqrt(1 + (dim > 1 ? s->w[1] * s->w[1] : 0) + (dim > 2 ? s->w[2] * s->w[2] : 0));
  s->eta = old.eta * step.eta;
  for (int k = 0; k < dim; ++k) {
    s->lambda[k] = step.lambda[k];
  }
  if (dim == 3) {
    rotate_back(old.w, step.w, step.lambda, s->lambda);
  }
  return 1;
}

/* The eigenvectors of a boost: the two light-like directions of its plane, and what is across it.
 */
void ipm_cone_eigen(int dim, const struct ipm_scaling *s, double *V, double *g) {
  const double tail = tail_length(dim, s->w), half = sqrt(0.5);
  if (dim == 1) {
    V[0] = 1;
    g[0] = 1 / s->eta;
    return;
  }
  const double c = tail > 0 ? s->w[1] / tail : 1, d = tail > 0 && dim == 3 ? s->w[2] / tail : 0;
  const double columns[IPM_DIM][IPM_DIM] = {
      {half, half * c, half * d}, {half, -half * c, -half * d}, {0, -d, c}};
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      V[k * dim + l] = columns[l][k];
    }
  }
  g[0] = 1 / (s->eta * (s->w[0] + tail));
  g[1] = (s->w[0] + tail) / s->eta;
  if (dim == 3) {
    g[2] = 1 / s->eta;
  }
}

void ipm_cone_point(int dim, const struct ipm_scaling *s, double *x, double *z) {
  double V[IPM_DIM * IPM_DIM], g[IPM_DIM];
  ipm_cone_eigen(dim, s, V, g);
  for (int k = 0; k < dim; ++k) {
    x[k] = z[k] = 0;
  }
  for (int l = 0; l < dim; ++l) {
    double part = 0;
    for (int k = 0; k < dim; ++k) {
      part += V[k * dim + l] * s->lambda[k];
    }
    for (int k = 0; k < dim; ++k) {
      x[k] += V[k * dim + l] * part / g[l];
      z[k] += V[k * dim + l] * part * g[l];
    }
  }
}

void ipm_cone_product(int dim, const double *x, const double *z, double *y) {
  y[0] = 0;
  for (int k = 0; k < dim; ++k) {
    y[0] += x[k] * z[k];
  }
  for (int k = 1; k < dim; ++k) {
    y[k] = x[0] * z[k] + z[0] * x[k];
  }
}

void ipm_cone_divide(int dim, const double *lambda, const double *x, double *y) {
  double tail = 0;
  for (int k = 1; k < dim; ++k) {
    tail += lambda[k] * x[k];
  }
  y[0] = (lambda[0] * x[0] - tail) / determinant(dim, lambda);
  for (int k = 1; k < dim; ++k) {
    y[k] = (x[k] - y[0] * lambda[k]) / lambda[0];
  }
}

double ipm_cone_step(int dim, const double *lambda, const double *d) {
  const double norm = sqrt(determinant(dim, lambda));
  double unit[IPM_DIM] = {0}, dot = 0, rho[IPM_DIM] = {0};
  for (int k = 0; k < dim; ++k) {
    unit[k] = lambda[k] / norm;
    dot += (k == 0 ? 1 : -1) * unit[k] * d[k];
  }
  rho[0] = dot / norm;
  for (int k = 1; k < dim; ++k) {
    rho[k] = (d[k] - (dot + d[0]) / (unit[0] + 1) * unit[k]) / norm;
  }
  const double worst = tail_length(dim, rho) - rho[0];
  return worst > 0 ? 1 / worst : INFINITY;
}
