/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Physical diagnostics of a pair (r, v), whatever law it was computed for. Friction is measured
 * against the set the model names (its own set, the polygon of directions of its own, or the disk
 * of radius mu, which the regular polygon of the polyhedral law stands for): the cone violation is
 * the distance of -r_T from that set scaled by r_N (of r_T from the polygon), and the dissipation
 * Coulomb's law would have is r_N times the support of the set at v_T, mu r_N |v_T| for the disk.
 *
 * Round-off must not decide whether a contact slides, so the angle between friction and velocity is
 * computed only if |v_T| is well above the noise of v = A r + b. Velocities of sticking contacts
 * that an iteration has not finished count as noise up to the same bound.
 */
#include "contact/law.h"

#include <math.h>

/* |v_T| that counts as sliding, relative to the largest of |v| and |A_ii| |r_i|: far above
 * round-off and usual tolerances, far below speeds of interest. */
static const double SLIDING = 1e-7;

struct block {
  int dim;
  double mu;
  const double *A, *r, *v;
};

static double dot(int n, const double *x, const double *y) {
  double sum = 0;
  for (int k = 0; k < n; k++) {
    sum += x[k] * y[k];
  }
  return sum;
}

/* Velocities below this do not slide [m/s]. */
static double noise_of(const struct contact_model *model, const double *diag, const double *r,
                       const double *v) {
  const int dim = model->dim;
  double largest = 0;
  for (int i = 0; i < model->nc; i++) {
    const size_t at = (size_t)dim * (size_t)i;
    const double *A = diag + (size_t)dim * at;
    largest = fmax(largest, sqrt(dot(dim, v + at, v + at)));
    largest = fmax(largest, sqrt(dot(dim * dim, A, A) * dot(dim, r + at, r + at)));
  }
  return SLIDING * largest;
}

/* Has the polyhedral law directions of its own? Else they stand for the disk. */
static int has_polygon(const struct contact_model *model) {
  return model->law == CONTACT_LAW_LCP && model->dim == 3 && model->dirs != NULL;
}

/* max of -x . v_T over the polygon of unit radius. */
static double polygon_support(const struct contact_model *model, const double *v_T) {
  double support = 0;
  for (int k = 0; k < model->n_dir; k++) {
    support = fmax(support, -dot(2, model->dirs + 2 * (size_t)k, v_T));
  }
  return support;
}

/* Distance of -r_T from the scaled set. */
static double outside(const struct contact_model *model, int i, const struct block *c) {
  const double r_N = fmax(0, c->r[0]);
  if (has_polygon(model)) {
    double x[2];
    contact_project_polygon(model->n_dir, model->dirs, c->mu * r_N, c->r + 1, x);
    return hypot(x[0] - c->r[1], x[1] - c->r[2]);
  }
  if (model->set == NULL) {
    return fmax(0, sqrt(dot(c->dim - 1, c->r + 1, c->r + 1)) - c->mu * r_N);
  }
  double x[CONTACT_DIM_MAX - 1] = {0}, p[CONTACT_DIM_MAX - 1] = {0};
  for (int k = 1; k < c->dim; k++) {
    x[k - 1] = -c->r[k];
  }
  contact_set_project(&model->set[i], r_N, x, p);
  for (int k = 1; k < c->dim; k++) {
    p[k - 1] -= x[k - 1];
  }
  return sqrt(dot(c->dim - 1, p, p));
}

/* Power friction would have on the set, less what it has. */
static double shortfall(const struct contact_model *model, int i, const struct block *c) {
  const double *v_T = c->v + 1, r_N = fmax(0, c->r[0]);
  const double support = model->set != NULL   ? contact_set_support(&model->set[i], r_N, v_T)
                         : has_polygon(model) ? c->mu * r_N * polygon_support(model, v_T)
                                              : c->mu * r_N * sqrt(dot(c->dim - 1, v_T, v_T));
  return support + dot(c->dim - 1, v_T, c->r + 1);
}

/* Angle between -r_T and v_T, 0 where one of them is missing. Spin is left out: torque and force
 * do not oppose spin and sliding as one vector, but forces oppose sliding. */
static double angle_of(const struct block *c, double noise) {
  const int n = c->dim > 3 ? 2 : c->dim - 1;
  const double vv = dot(n, c->v + 1, c->v + 1), rr = dot(n, c->r + 1, c->r + 1);
  if (!(c->r[0] > 0) || !(sqrt(vv) > noise) || !(rr > 0)) {
    return 0;
  }
  /* 2 atan2(|p - q|, |p + q|) of the unit vectors is accurate at 0 and at pi */
  double difference = 0, sum = 0;
  for (int k = 1; k <= n; k++) {
    const double p = -c->r[k] / sqrt(rr), q = c->v[k] / sqrt(vv);
    difference += (p - q) * (p - q);
    sum += (p + q) * (p + q);
  }
  return 2 * atan2(sqrt(difference), sqrt(sum));
}

static double energy_excess(const struct block *c) {
  double b[3] = {0}, minimiser[3];
  if (c->dim > 3) {
    return NAN;
  }
  for (int k = 0; k < c->dim; k++) {
    b[k] = c->v[k] - dot(c->dim, c->A + c->dim * k, c->r);
  }
  return contact_energy(c->dim, c->A, b, c->r) -
         contact_minimum_energy(c->dim, c->mu, c->A, b, minimiser);
}

static double step_of(int dim, const double *A) {
  double trace = 0;
  for (int k = 0; k < dim; k++) {
    trace += A[dim * k + k];
  }
  return trace > 0 ? dim / trace : 1;
}

struct contact_diagnostics contact_diagnose(const struct contact_model *model, const double *diag,
                                            const double *r, const double *v, int excess) {
  struct contact_diagnostics worst = {.energy_excess = excess ? -INFINITY : NAN, .at = -1};
  const double noise = noise_of(model, diag, r, v);
  const int dim = model->dim;
  for (int i = 0; i < model->nc; i++) {
    const size_t at = (size_t)dim * (size_t)i;
    const struct block c = {.dim = dim,
                            .mu = dim > 1 && model->mu != NULL ? model->mu[i] : 0,
                            .A = diag + (size_t)dim * at,
                            .r = r + at,
                            .v = v + at};
    const double rho = step_of(dim, c.A);
    /* |r_N - max(0, r_N - rho v_N)| / rho, without a difference that a large r_N swallows */
    const double signorini = c.r[0] >= rho * c.v[0] ? fabs(c.v[0]) : fabs(c.r[0]) / rho;
    worst.signorini = fmax(worst.signorini, signorini);
    worst.cone = fmax(worst.cone, fmax(-c.r[0], outside(model, i, &c)));
    worst.angle = fmax(worst.angle, angle_of(&c, noise));
    const double short_of = shortfall(model, i, &c);
    if (worst.at < 0 || short_of > worst.dissipation_shortfall) {
      worst.dissipation_shortfall = short_of;
      worst.at = i;
    }
    if (excess) {
      worst.energy_excess = fmax(worst.energy_excess, energy_excess(&c));
    }
  }
  if (excess && worst.at < 0) {
    worst.energy_excess = 0;
  }
  return worst;
}
