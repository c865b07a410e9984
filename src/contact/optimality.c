/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Objective and duality gap of the convex laws; see optimality.h. With v = A r + b the objective is
 * (r.v + r.b) / 2: no product with A.
 */
#include "contact/optimality.h"

#include <math.h>

static double dot(int n, const double *x, const double *y) {
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += x[k] * y[k];
  }
  return sum;
}

static double euclidean_distance(int n, const double *x, const double *y) {
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += (x[k] - y[k]) * (x[k] - y[k]);
  }
  return sqrt(sum);
}

static double gap_of(int dim, double mu, double rho, const double *r, const double *v) {
  double r_in[3], v_in[3];
  contact_project_cone(dim, mu, r, r_in);
  contact_project_dual(dim, mu, v, v_in);
  const double e = euclidean_distance(dim, r, r_in), d = euclidean_distance(dim, v, v_in);
  return dot(dim, r_in, v_in) + sqrt(dot(dim, r_in, r_in)) * d + rho * d * d +
         sqrt(dot(dim, v, v)) * e + e * e / rho;
}

struct contact_optimality contact_optimality(const struct contact_model *model, const double *diag,
                                             const double *r, const double *v, const double *b) {
  const int dim = model->dim, n = dim * model->nc;
  struct contact_optimality result = {NAN, NAN};
  if (dim > 3 || (dim > 1 && model->law != CONTACT_LAW_CCP)) {
    return result;
  }
  result.objective = (dot(n, r, v) + dot(n, r, b)) / 2;
  result.gap = 0;
  for (int i = 0; i < model->nc; ++i) {
    double trace = 0;
    for (int k = 0; k < dim; ++k) {
      trace += diag[(size_t)(dim * i + k) * (size_t)dim + (size_t)k];
    }
    const double rho = trace > 0 ? dim / trace : 1, mu = dim > 1 ? model->mu[i] : 0;
    result.gap += gap_of(dim, mu, rho, r + (size_t)dim * (size_t)i, v + (size_t)dim * (size_t)i);
  }
  return result;
}
