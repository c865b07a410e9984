/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inclusions v_T in N_{r_N C}(-r_T) on general sets, for Newton's method on the natural map
 * (moeller 2.37, 2.38),
 *
 *   Phi = r_T + P,   P = prox_{r_N C}(y),   y = rho v_T - r_T.
 *
 * One step rho for forces and torques would be bound by the stiffer of them, so that the spin is
 * transformed as in (2.52), (3.123): r' = r_tau / R_bar, v' = R_bar v_tau, which turns E_F into the
 * ball and leaves B_F and Z_F with equal half-axes.
 *
 * dP/dy comes by central differences: projections are exact to round-off, and an error of 1e-9 in a
 * Jacobian gains nine digits an iteration all the same. P is homogeneous of degree one in (r_N, y),
 * so that dP/dr_N = (P - dP/dy y) / r_N needs no differences of its own.
 */
#include "form/consistent/sets.h"

#include <math.h>

enum { DIM_MAX = 3 };
/* Of the size of the projected point: truncation grows with its square, rounding with its inverse.
 */
#define FORM_CONSISTENT_SET_STEP 1e-6

double form_consistent_set_length(const struct contact_set *set) {
  const int has_length = contact_set_dim(set) == 3 && set->axis[0] > 0 && set->axis[1] > 0;
  return has_length ? set->axis[1] / set->axis[0] : 1;
}

struct contact_set form_consistent_set_scale(const struct contact_set *set) {
  struct contact_set scaled = *set;
  if (form_consistent_set_length(set) != 1) {
    scaled.axis[1] = scaled.axis[0];
  }
  return scaled;
}

/* dP/dy: k x k row-major, at s > 0. */
static void differentiate(const struct contact_set *set, double s, const double *y, int k,
                          double *P_y) {
  double size = s * fmax(fabs(set->axis[0]), fabs(set->axis[1])), above[DIM_MAX], below[DIM_MAX];
  double x[DIM_MAX] = {0};
  for (int i = 0; i < k; ++i) {
    size = fmax(size, fabs(y[i]));
    x[i] = y[i];
  }
  for (int j = 0; j < k; ++j) {
    const double h = FORM_CONSISTENT_SET_STEP * size;
    x[j] = y[j] + h;
    contact_set_project(set, s, x, above);
    x[j] = y[j] - h;
    contact_set_project(set, s, x, below);
    x[j] = y[j];
    for (int i = 0; i < k; ++i) {
      P_y[i * k + j] = (above[i] - below[i]) / (2 * h);
    }
  }
}

void form_consistent_set_rows(const struct contact_set *set, double rho, const double *r,
                              const double *v_T, double *Phi, double *R, double *V) {
  const int k = contact_set_dim(set);
  const double s = fmax(r[0], 0);
  double y[DIM_MAX] = {0}, P[DIM_MAX] = {0}, P_y[DIM_MAX * DIM_MAX] = {0};
  for (int i = 0; i < k; ++i) {
    y[i] = rho * v_T[i] - r[1 + i];
  }
  if (s > 0) {
    contact_set_project(set, s, y, P);
    differentiate(set, s, y, k, P_y);
  }
  for (int i = 0; i < k; ++i) {
    double along = 0;
    for (int j = 0; j < k; ++j) {
      along += P_y[i * k + j] * y[j];
      R[i * (1 + k) + 1 + j] = (i == j) - P_y[i * k + j];
      V[i * k + j] = rho * P_y[i * k + j];
    }
    R[i * (1 + k)] = s > 0 ? (P[i] - along) / s : 0;
    Phi[i] = r[1 + i] + P[i];
  }
}

void form_consistent_set_tidy(const struct contact_set *set, double r_N, double *r_T) {
  const int k = contact_set_dim(set);
  double x[DIM_MAX] = {0};
  for (int i = 0; i < k; ++i) {
    x[i] = -r_T[i];
  }
  contact_set_project(set, r_N, x, x);
  for (int i = 0; i < k; ++i) {
    r_T[i] = -x[i];
  }
}
