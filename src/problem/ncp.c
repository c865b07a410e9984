/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The laws of one contact as equations; see ncp.h.
 *
 * Alart-Curnier (Comput. Methods Appl. Mech. Eng. 92, 1991), with z = x - w:
 *   F_N = x_N - max(0, z_N),   F_T = x_T + prox_{s C}(-z_T),   s = max(0, z_N)
 *
 * (moeller 2.37, 2.38) with C the disk of radius mu, where this is the projection of z_T, or the
 * contact's own friction set. For general C the derivative D of prox_{s C} comes by central
 * differences: projections are exact to round-off, and an error of 1e-9 in a Jacobian gains nine
 * digits an iteration all the same. The projection p is homogeneous of degree one in (s, y), so
 * that dp/ds = (p - D y) / s needs no differences of its own.
 *
 * Natural map with De Saxce's y = w + mu |w_T| e_N (y = w for law ccp):
 *   F = x - P_K(x - y)
 *
 * Fischer-Burmeister on the cone (Fukushima, Luo, Tseng, SIAM J. Optim. 12, 2001): with
 *   X = (sqrt(mu) x_N, x_T / sqrt(mu)),   Y = (y_N / sqrt(mu), sqrt(mu) y_T),
 * K_mu and its dual both become the self-dual cone L of second order, and X . Y = x . y;
 *   F = X + Y - (X o X + Y o Y)^(1/2),   (s, t) o (s', t') = (s s' + t . t', s t' + s' t).
 * The square root Z of S = X o X + Y o Y has the eigenvalues sqrt(lambda_1), sqrt(lambda_2) with
 * lambda = S_0 -+ |S_1| and the frame of S; lambda_1 is computed as a sum of squares, since the
 * difference would cancel at every solution. L_Z dZ = L_X dX + L_Y dY with L_X t = X o t.
 *
 * mu = 0 leaves the half line: F_N = min(x_N, w_N) or x_N + w_N - sqrt(x_N^2 + w_N^2), F_T = x_T.
 * At kinks one element of the generalised Jacobian is taken.
 */
#include "problem/ncp.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/set.h"
#include "la/dense.h"

/* Least quotient lambda_1 / lambda_2 with which dZ is computed; below it S is on the boundary of L,
 * where the root has no derivative. The square of machine precision leaves sqrt(lambda_1) exact to
 * round-off of Z. */
static const double BOUNDARY = 1e-30;

/* Difference step over the size of the projected point: truncation grows with its square, rounding
 * with its inverse. */
static const double SET_STEP = 1e-6;

double problem_ncp_length(const struct contact_set *set) {
  const int has_length = contact_set_dim(set) == 3 && set->axis[0] > 0 && set->axis[1] > 0;
  return has_length ? set->axis[1] / set->axis[0] : 1;
}

struct contact_set problem_ncp_round(const struct contact_set *set) {
  struct contact_set scaled = *set;
  if (problem_ncp_length(set) != 1) {
    scaled.axis[1] = scaled.axis[0];
  }
  return scaled;
}

int problem_ncp_check(const struct problem *p, enum problem_ncp_function function,
                      const char *solver) {
  const struct contact_model *m = &p->model;
  if (m->dim == 1) {
    return BASE_OK;
  }
  if (m->law != CONTACT_LAW_NCP && m->law != CONTACT_LAW_CCP && m->law != CONTACT_LAW_CONE) {
    return base_fail(BASE_UNSUPPORTED, "%s: no equation for law %s", solver,
                     contact_law_name(m->law));
  }
  if (m->law == CONTACT_LAW_CONE && function != PROBLEM_NCP_ALART_CURNIER) {
    return base_fail(BASE_UNSUPPORTED,
                     "%s: friction sets (law cone) have the equation function=alart-curnier only",
                     solver);
  }
  if (m->law == CONTACT_LAW_CCP && function == PROBLEM_NCP_ALART_CURNIER) {
    return base_fail(BASE_UNSUPPORTED, "%s: function=alart-curnier is that of laws ncp and cone",
                     solver);
  }
  if (m->dim > 3 && (m->law != CONTACT_LAW_CONE || m->set == NULL)) {
    return base_fail(BASE_UNSUPPORTED, "%s: contacts with a spin torque need friction sets",
                     solver);
  }
  return BASE_OK;
}

static double length_of(int n, const double *x) {
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += x[k] * x[k];
  }
  return sqrt(sum);
}

/* m: n x n row-major */
static void set_diagonal(int n, double value, double *m) {
  memset(m, 0, (size_t)(n * n) * sizeof *m);
  for (int k = 0; k < n; ++k) {
    m[k * (n + 1)] = value;
  }
}

/* F = x: nothing acts. */
static void open_contact(int dim, const double *x, double *F, double *P, double *Q) {
  memcpy(F, x, (size_t)dim * sizeof *F);
  if (P != NULL) {
    set_diagonal(dim, 1, P);
    set_diagonal(dim, 0, Q);
  }
}

/* Rows 1 ... dim - 1: F_T = x_T - R t with t = z_T / |z_T| and R = mu z_N. */
static void sliding_rows(int dim, double mu, const double *z, double length, double *P, double *Q) {
  const double R = mu * z[0];
  for (int k = 1; k < dim; ++k) {
    const double t_k = z[k] / length;
    for (int l = 0; l < dim; ++l) {
      const double t_l = z[l] / length;
      const double dz = l == 0 ? mu * t_k : R / length * ((k == l) - t_k * t_l);
      P[k * dim + l] = (k == l) - dz;
      Q[k * dim + l] = dz;
    }
  }
}

static void alart_curnier(int dim, double mu, const double *x, const double *w, double *F,
                          double *P, double *Q) {
  double z[3] = {0};
  for (int k = 0; k < dim; ++k) {
    z[k] = x[k] - w[k];
  }
  if (z[0] <= 0) {
    open_contact(dim, x, F, P, Q);
    return;
  }
  const double length = length_of(dim - 1, z + 1), R = mu * z[0];
  const int slides = length > R;
  for (int k = 0; k < dim; ++k) {
    F[k] = k > 0 && slides ? x[k] - R * z[k] / length : w[k];
  }
  if (P != NULL) {
    set_diagonal(dim, 0, P);
    set_diagonal(dim, 1, Q);
    if (slides) {
      sliding_rows(dim, mu, z, length, P, Q);
    }
  }
}

/* D: k x k row-major, the derivative of prox_{s C} at y: k; s > 0. */
static void set_derivative(const struct contact_set *set, double s, const double *y, int k,
                           double *D) {
  double size = s * fmax(fabs(set->axis[0]), fabs(set->axis[1]));
  double x[CONTACT_DIM_MAX] = {0}, above[CONTACT_DIM_MAX], below[CONTACT_DIM_MAX];
  for (int i = 0; i < k; ++i) {
    size = fmax(size, fabs(y[i]));
    x[i] = y[i];
  }
  for (int j = 0; j < k; ++j) {
    const double h = SET_STEP * size;
    x[j] = y[j] + h;
    contact_set_project(set, s, x, above);
    x[j] = y[j] - h;
    contact_set_project(set, s, x, below);
    x[j] = y[j];
    for (int i = 0; i < k; ++i) {
      D[i * k + j] = (above[i] - below[i]) / (2 * h);
    }
  }
}

/* The same on a set of the contact's own. */
static void alart_curnier_set(const struct contact_set *set, int dim, const double *x,
                              const double *w, double *F, double *P, double *Q) {
  enum { K = CONTACT_DIM_MAX - 1 };
  const int k = dim - 1;
  const double s = x[0] - w[0];
  double y[K] = {0}, p[K] = {0}, D[K * K] = {0};
  if (s <= 0) {
    open_contact(dim, x, F, P, Q);
    return;
  }
  for (int i = 0; i < k; ++i) {
    y[i] = w[1 + i] - x[1 + i];
  }
  contact_set_project(set, s, y, p);
  F[0] = w[0];
  for (int i = 0; i < k; ++i) {
    F[1 + i] = x[1 + i] + p[i];
  }
  if (P == NULL) {
    return;
  }
  set_diagonal(dim, 0, P);
  set_diagonal(dim, 1, Q);
  set_derivative(set, s, y, k, D);
  for (int i = 0; i < k; ++i) {
    double along = 0;
    for (int j = 0; j < k; ++j) {
      along += D[i * k + j] * y[j];
      P[(1 + i) * dim + 1 + j] = (i == j) - D[i * k + j];
      Q[(1 + i) * dim + 1 + j] = D[i * k + j];
    }
    P[(1 + i) * dim] = (p[i] - along) / s;
    Q[(1 + i) * dim] = -(p[i] - along) / s;
  }
}

/* D: dim x dim row-major, the derivative of the projection onto K_mu at z. */
static void cone_derivative(int dim, double mu, const double *z, double *D) {
  const double length = length_of(dim - 1, z + 1);
  if (length <= mu * z[0] && z[0] >= 0) {
    set_diagonal(dim, 1, D);
    return;
  }
  if (mu * length <= -z[0]) {
    set_diagonal(dim, 0, D);
    return;
  }
  const double share = 1 / (1 + mu * mu), along = share * (z[0] + mu * length);
  for (int k = 0; k < dim; ++k) {
    const double e_k = k == 0 ? 1 : mu * z[k] / length;
    for (int l = 0; l < dim; ++l) {
      const double e_l = l == 0 ? 1 : mu * z[l] / length;
      const double turn =
          k > 0 && l > 0 ? along * mu / length * ((k == l) - z[k] * z[l] / (length * length)) : 0;
      D[k * dim + l] = share * e_k * e_l + turn;
    }
  }
}

static void natural(int dim, double mu, const double *x, const double *y, double *F, double *P,
                    double *Q) {
  double z[3] = {0}, projected[3];
  for (int k = 0; k < dim; ++k) {
    z[k] = x[k] - y[k];
  }
  contact_project_cone(dim, mu, z, projected);
  for (int k = 0; k < dim; ++k) {
    F[k] = x[k] - projected[k];
  }
  if (P != NULL) {
    cone_derivative(dim, mu, z, Q);
    for (int k = 0; k < dim * dim; ++k) {
      P[k] = (k % (dim + 1) == 0) - Q[k];
    }
  }
}

/* out: dim x dim row-major, L_Z^-1 L_X. */
static void quotient(int dim, const double *Z, const double *X, double *out) {
  double L_Z[9], column[3], solved[3];
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      L_Z[k * dim + l] = k == l ? Z[0] : k == 0 ? Z[l] : l == 0 ? Z[k] : 0;
    }
  }
  for (int l = 0; l < dim; ++l) {
    for (int k = 0; k < dim; ++k) {
      column[k] = k == l ? X[0] : k == 0 ? X[l] : l == 0 ? X[k] : 0;
    }
    la_solve_small(dim, L_Z, column, solved);
    for (int k = 0; k < dim; ++k) {
      out[k * dim + l] = solved[k];
    }
  }
}

/* Z = (X o X + Y o Y)^(1/2), its smaller eigenvalue kept off zero by `boundary` times the larger;
 * returns the larger one. */
static double jordan_root(int dim, const double *X, const double *Y, double boundary, double *Z) {
  double S_1[2] = {0}, unit[2] = {0}, lambda_1 = 0;
  for (int k = 1; k < dim; ++k) {
    S_1[k - 1] = 2 * (X[0] * X[k] + Y[0] * Y[k]);
  }
  const double length = length_of(dim - 1, S_1);
  double X_e = 0, Y_e = 0;
  for (int k = 1; k < dim; ++k) {
    unit[k - 1] = length > 0 ? S_1[k - 1] / length : k == 1;
    X_e += X[k] * unit[k - 1];
    Y_e += Y[k] * unit[k - 1];
  }
  lambda_1 = (X[0] - X_e) * (X[0] - X_e) + (Y[0] - Y_e) * (Y[0] - Y_e);
  for (int k = 1; k < dim; ++k) {
    const double X_k = X[k] - X_e * unit[k - 1], Y_k = Y[k] - Y_e * unit[k - 1];
    lambda_1 += X_k * X_k + Y_k * Y_k;
  }
  const double lambda_2 = lambda_1 + 2 * length;
  const double low = sqrt(fmax(lambda_1, boundary * lambda_2)), high = sqrt(lambda_2);
  Z[0] = (high + low) / 2;
  for (int k = 1; k < dim; ++k) {
    Z[k] = (high - low) / 2 * unit[k - 1];
  }
  return high;
}

static void fischer_burmeister(int dim, double mu, const double *x, const double *y, double *F,
                               double *P, double *Q) {
  const double root = dim > 1 ? sqrt(mu) : 1;
  double X[3] = {0}, Y[3] = {0}, Z[3];
  for (int k = 0; k < dim; ++k) {
    const double stretch = k == 0 ? root : 1 / root;
    X[k] = x[k] * stretch;
    Y[k] = y[k] / stretch;
  }
  jordan_root(dim, X, Y, 0, Z);
  for (int k = 0; k < dim; ++k) {
    F[k] = X[k] + Y[k] - Z[k];
  }
  if (P == NULL) {
    return;
  }
  if (jordan_root(dim, X, Y, BOUNDARY, Z) > 0) {
    quotient(dim, Z, X, P);
    quotient(dim, Z, Y, Q);
  } else { /* X = Y = 0: the limit along X = Y in the interior */
    set_diagonal(dim, sqrt(0.5), P);
    set_diagonal(dim, sqrt(0.5), Q);
  }
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      const double stretch = l == 0 ? root : 1 / root;
      P[k * dim + l] = ((k == l) - P[k * dim + l]) * stretch;
      Q[k * dim + l] = ((k == l) - Q[k * dim + l]) / stretch;
    }
  }
}

/* The half line for the normal part, nothing for the tangential one. */
static void frictionless(enum problem_ncp_function function, int dim, const double *x,
                         const double *w, double *F, double *P, double *Q) {
  open_contact(dim, x, F, P, Q);
  if (function == PROBLEM_NCP_FISCHER_BURMEISTER) {
    fischer_burmeister(1, 0, x, w, F, P, Q);
  } else {
    natural(1, 0, x, w, F, P, Q);
  }
}

void problem_ncp_evaluate(const struct problem_ncp *law, const double *x, const double *w,
                          double *F, double *P, double *Q) {
  const int dim = law->dim, de_saxce = law->de_saxce;
  const double mu = law->mu;
  if (dim > 1 && law->set != NULL) {
    alart_curnier_set(law->set, dim, x, w, F, P, Q);
    return;
  }
  if (dim == 1 || mu == 0) {
    frictionless(law->function, dim, x, w, F, P, Q);
    return;
  }
  if (law->function == PROBLEM_NCP_ALART_CURNIER) {
    alart_curnier(dim, mu, x, w, F, P, Q);
    return;
  }
  const double slip = length_of(dim - 1, w + 1);
  double y[3] = {0};
  for (int k = 0; k < dim; ++k) {
    y[k] = w[k] + (k == 0 && de_saxce ? mu * slip : 0);
  }
  if (law->function == PROBLEM_NCP_NATURAL) {
    natural(dim, mu, x, y, F, P, Q);
  } else {
    fischer_burmeister(dim, mu, x, y, F, P, Q);
  }
  for (int l = 1; P != NULL && de_saxce && slip > 0 && l < dim; ++l) {
    for (int k = 0; k < dim; ++k) { /* dy_N = dw_N + mu w_T . dw_T / |w_T| */
      Q[k * dim + l] += Q[k * dim] * mu * w[l] / slip;
    }
  }
}
