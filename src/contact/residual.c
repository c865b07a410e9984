/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Residuals of the contact laws: natural maps |r - P(r - rho y)| / rho, zero exactly where the law
 * holds, with rho = dim / trace A_ii.
 *
 *   ncp, ccp   P onto K_mu; y = v + mu |v_T| e_N (De Saxce) and y = v (negrut 7)
 *   lcp, cone  P onto r_N >= 0 for the normal part; onto the polygon or set scaled by max(r_N, 0)
 *              for the tangential one (bhalerao 14, moeller 3.7)
 *   mdp        preclik 5. Where v_N = 0 the feasible set is a plane cut by a cone, hence convex,
 *              and so is the energy: r is the minimiser if and only if for some k >= 0
 *                K_mu contains r, perpendicular to y = v + k a_N in K*_mu,   a_N = A e_N.
 *              In sliding v_T opposes r_T / |r_T| + mu A_TN / A_NN where Coulomb's opposes r_T. For
 *              y on the boundary of K*_mu k is a root of  k A_NN = mu |v_T + k A_TN|, which for
 *              A_TN = 0 is De Saxce's term. With b_N = v_N - a_N . r > 0 the pressure condition
 *              leaves r = 0 alone.
 *
 * Where a branch of the projection leaves r as it is, the map is written without the difference
 * r - (r - rho y): with |r| beyond rho |y| / epsilon that would be zero whatever y, and reactions
 * that grow without end, as on a contact that cannot move and yet must, would look like a solution.
 *
 * For mdp a multiplier is used and not the energy above the minimum: an energy is flat at its
 * minimum, so that round-off in it would hide errors of the size of its square root. The energy
 * decides only next to the one case without a multiplier (b_N = 0, plane tangent to the cone).
 */
#include "contact/law.h"

#include "la/dense.h"

#include <assert.h>
#include <math.h>

/* Nearness, relative to A_NN and to |b|, of the case of mdp that has no multiplier. Wider costs
 * time only: the lesser of two residuals is taken, and both are zero at solutions alone. */
static const double TANGENT_PLANE = 1e-6;

struct block {
  int dim;
  double mu, rho;
  const double *A, *r, *v;
};

static double length_of(int n, const double *x) {
  double sum = 0;
  for (int k = 0; k < n; k++) {
    sum += x[k] * x[k];
  }
  return sqrt(sum);
}

static double trace_of(int dim, const double *A) {
  double trace = 0;
  for (int k = 0; k < dim; k++) {
    trace += A[dim * k + k];
  }
  return trace;
}

static double signorini(const struct block *c) {
  return c->r[0] >= c->rho * c->v[0] ? fabs(c->v[0]) : fabs(c->r[0]) / c->rho;
}

/* Natural map on K_mu with y = v + k a for a vector a: with x = r - rho y, it is |y| for x in K_mu,
 * |r| / rho for x in the polar cone, and else made of y along the ray e of the projection, of r
 * across e within the plane of e and the normal, and of y across that plane. */
static double cone_map(const struct block *c, double k, const double *a) {
  double x[3] = {0}, y[3] = {0}, r_T = 0, y_T = 0, across = 0;
  for (int j = 0; j < c->dim; j++) {
    y[j] = c->v[j] + k * a[j];
    x[j] = c->r[j] - c->rho * y[j];
  }
  const double length = length_of(c->dim - 1, x + 1);
  if (length <= c->mu * x[0] && x[0] >= 0) {
    return length_of(c->dim, y);
  }
  if (c->mu * length <= -x[0]) {
    return length_of(c->dim, c->r) / c->rho;
  }
  for (int j = 1; j < c->dim; j++) {
    r_T += c->r[j] * x[j] / length;
    y_T += y[j] * x[j] / length;
  }
  for (int j = 1; j < c->dim; j++) {
    const double part = y[j] - y_T * x[j] / length;
    across += part * part;
  }
  const double along = y[0] + c->mu * y_T, off = (c->mu * c->r[0] - r_T) / c->rho;
  return sqrt((along * along + off * off) / (1 + c->mu * c->mu) + across);
}

static double residual_ncp(const struct block *c) {
  static const double normal[3] = {1, 0, 0};
  return cone_map(c, c->mu * length_of(c->dim - 1, c->v + 1), normal);
}

static double residual_ccp(const struct block *c) {
  static const double nothing[3] = {0, 0, 0};
  return cone_map(c, 0, nothing);
}

/* Normal part and a tangential part |r_T - x| / rho, x the projection of r_T - rho v_T; where that
 * lies in the set it is |v_T|. */
static double join_parts(const struct block *c, const double *x) {
  const double normal = signorini(c);
  double tangential = 0;
  int inside = 1;
  for (int k = 1; k < c->dim; k++) {
    const double difference = c->r[k] - x[k - 1];
    tangential += difference * difference;
    inside = inside && x[k - 1] == c->r[k] - c->rho * c->v[k];
  }
  return hypot(normal, inside ? length_of(c->dim - 1, c->v + 1) : sqrt(tangential) / c->rho);
}

static double residual_lcp(const struct contact_model *model, const struct block *c) {
  double x[2] = {0};
  const double radius = c->mu * fmax(0, c->r[0]);
  for (int k = 1; k < c->dim; k++) {
    x[k - 1] = c->r[k] - c->rho * c->v[k];
  }
  if (c->dim == 2) {
    x[0] = fmax(-radius, fmin(radius, x[0]));
  } else if (model->dirs != NULL) {
    contact_project_polygon(model->n_dir, model->dirs, radius, x, x);
  } else {
    contact_project_regular(model->n_dir, radius, x, x);
  }
  return join_parts(c, x);
}

/* The set of contact i: its own, or the interval or disk of radius mu. */
static struct contact_set friction_set(const struct contact_model *model, int i) {
  if (model->set != NULL) {
    return model->set[i];
  }
  const double mu = model->mu[i];
  return model->dim == 2 ? (struct contact_set){.kind = CONTACT_SET_INTERVAL, .axis = {-mu, mu}}
                         : (struct contact_set){.kind = CONTACT_SET_DISK, .axis = {mu}};
}

/* v_T in N_{r_N C}(-r_T): the set holds -r_T. */
static double residual_cone(const struct contact_model *model, int i, const struct block *c) {
  const struct contact_set set = friction_set(model, i);
  assert(contact_set_dim(&set) == c->dim - 1);
  double x[CONTACT_DIM_MAX - 1] = {0};
  for (int k = 1; k < c->dim; k++) {
    x[k - 1] = c->rho * c->v[k] - c->r[k];
  }
  contact_set_project(&set, fmax(0, c->r[0]), x, x);
  for (int k = 1; k < c->dim; k++) {
    x[k - 1] = -x[k - 1];
  }
  return join_parts(c, x);
}

/* Natural map of mdp with the best multiplier: the roots k of k A_NN = mu |v_T + k A_TN|, and the
 * one that fits v_T = -s (r_T / |r_T| + mu A_TN / A_NN), k = s mu / A_NN, in least squares. */
static double multiplier_map(const struct block *c) {
  double a[3] = {0}, v2 = 0, va = 0, a2 = 0, ve = 0, e2 = 0;
  const double A_NN = c->A[0], mu = c->mu, length = length_of(c->dim - 1, c->r + 1);
  for (int k = 0; k < c->dim; k++) {
    a[k] = c->A[c->dim * k];
  }
  double best = cone_map(c, 0, a);
  if (!(A_NN > 0)) {
    return best;
  }
  for (int k = 1; k < c->dim; k++) {
    const double e = (length > 0 ? c->r[k] / length : 0) + mu * a[k] / A_NN;
    v2 += c->v[k] * c->v[k];
    va += c->v[k] * a[k];
    a2 += a[k] * a[k];
    ve += c->v[k] * e;
    e2 += e * e;
  }
  if (length > 0 && ve < 0) {
    best = fmin(best, cone_map(c, -ve / e2 * mu / A_NN, a));
  }
  /* p k^2 - 2 q k - s = 0 */
  const double p = A_NN * A_NN - mu * mu * a2, q = mu * mu * va, s = mu * mu * v2;
  const double discriminant = q * q + p * s;
  if (discriminant >= 0) {
    const double w = q + copysign(sqrt(discriminant), q);
    const double roots[2] = {w / p, -s / w};
    for (int k = 0; k < 2; k++) {
      if (roots[k] > 0 && isfinite(roots[k])) {
        best = fmin(best, cone_map(c, roots[k], a));
      }
    }
  }
  return best;
}

/* Energy above the minimum as a velocity, sqrt(2 excess / rho), or the distance from the minimiser
 * over rho, whichever is less: the first does not see errors below the root of round-off, the
 * second is wrong where there are two minimisers. */
static double energy_map(const struct block *c, const double *b) {
  double minimiser[3];
  const double least = contact_minimum_energy(c->dim, c->mu, c->A, b, minimiser);
  const double excess = contact_energy(c->dim, c->A, b, c->r) - least;
  const double outside = length_of(c->dim - 1, c->r + 1) - c->mu * c->r[0];
  for (int k = 0; k < c->dim; k++) {
    minimiser[k] -= c->r[k];
  }
  return fmin(fmax(sqrt(2 * fmax(0, excess) / c->rho), fmax(0, outside) / c->rho),
              length_of(c->dim, minimiser) / c->rho);
}

static double residual_mdp(const struct block *c) {
  double b[3] = {0}, a2 = 0;
  for (int k = 0; k < c->dim; k++) {
    b[k] = c->v[k];
    for (int j = 0; j < c->dim; j++) {
      b[k] -= c->A[c->dim * k + j] * c->r[j];
    }
    a2 += k > 0 ? c->A[k] * c->A[k] : 0;
  }
  double map = multiplier_map(c);
  const double gap = fabs(c->A[0] - c->mu * sqrt(a2));
  if (gap <= TANGENT_PLANE * c->A[0] && fabs(b[0]) <= TANGENT_PLANE * length_of(c->dim, b)) {
    map = fmin(map, energy_map(c, b));
  }
  map = fmax(map, signorini(c));
  if (b[0] > 0) { /* r = 0 is the solution; else a_N . r = v_N - b_N < 0 breaks the pressure */
    const double pressure = length_of(c->dim, c->r) > 0 ? b[0] : 0;
    map = fmin(fmax(map, pressure), length_of(c->dim, c->r) / c->rho);
  }
  return map;
}

static double residual_of(const struct contact_model *model, int i, const struct block *c) {
  if (!la_all_finite(c->dim, c->r) || !la_all_finite(c->dim, c->v)) {
    return INFINITY;
  }
  double residual = INFINITY;
  if (c->dim == 1) {
    residual = signorini(c);
  } else {
    switch (model->law) {
    case CONTACT_LAW_NCP:
      residual = residual_ncp(c);
      break;
    case CONTACT_LAW_CCP:
      residual = residual_ccp(c);
      break;
    case CONTACT_LAW_LCP:
      residual = residual_lcp(model, c);
      break;
    case CONTACT_LAW_MDP:
      residual = residual_mdp(c);
      break;
    case CONTACT_LAW_CONE:
      residual = residual_cone(model, i, c);
      break;
    case CONTACT_LAW_COUNT:
      break;
    }
  }
  return isnan(residual) ? INFINITY : residual;
}

/* Step of a block whose trace is not positive: from the mean trace, else 1. */
static double fallback_rho(const struct contact_model *model, const double *diag) {
  double sum = 0;
  for (int i = 0; i < model->nc; i++) {
    sum += trace_of(model->dim, diag + (size_t)model->dim * (size_t)model->dim * (size_t)i);
  }
  return sum > 0 ? model->dim * model->nc / sum : 1;
}

/* Contact i at r_i, v_i; fallback: as in struct contact_worst. */
static struct block block_of(const struct contact_model *model, const double *diag, int i,
                             const double *r_i, const double *v_i, double *fallback) {
  const int dim = model->dim;
  const double *A = diag + (size_t)(dim * dim) * (size_t)i, trace = trace_of(dim, A);
  if (!(trace > 0) && *fallback == 0) {
    *fallback = fallback_rho(model, diag);
  }
  return (struct block){.dim = dim,
                        .mu = dim > 1 && model->mu != NULL ? model->mu[i] : 0,
                        .rho = trace > 0 ? dim / trace : *fallback,
                        .A = A,
                        .r = r_i,
                        .v = v_i};
}

double contact_demand(const struct contact_model *model, const double *diag, const double *b) {
  static const double none[CONTACT_DIM_MAX] = {0};
  double demand = 0, fallback = 0;
  for (int i = 0; i < model->nc; i++) {
    const double *b_i = b + (size_t)model->dim * (size_t)i;
    const struct block c = block_of(model, diag, i, none, b_i, &fallback);
    demand = fmax(demand, residual_of(model, i, &c));
  }
  return demand;
}

void contact_residual_add(const struct contact_model *model, const double *diag, const double *r,
                          const double *b, int first, int count, const double *v,
                          struct contact_worst *worst) {
  const int dim = model->dim;
  assert(dim <= 3 || model->law == CONTACT_LAW_CONE);
  for (int i = first; i < first + count; i++) {
    const size_t at = (size_t)dim * (size_t)i;
    const double *v_i = v + (size_t)dim * (size_t)(i - first);
    const struct block c = block_of(model, diag, i, r + at, v_i, &worst->fallback);
    const double residual = residual_of(model, i, &c);
    if (worst->at < 0 || residual > worst->residual) {
      worst->residual = residual;
      worst->at = i;
    }
    worst->largest = fmax(worst->largest, length_of(dim * dim, c.A) * length_of(dim, c.r));
    for (int k = 0; k < dim; k++) {
      worst->largest_b = fmax(worst->largest_b, fabs(b[at + (size_t)k]));
      worst->largest = fmax(worst->largest, fabs(c.v[k]));
    }
  }
}

struct contact_residual contact_residual_of(const struct contact_worst *worst, double demand) {
  const double absolute = worst->residual, b = worst->largest_b, all = fmax(worst->largest, b);
  const double rounding = CONTACT_ROUNDING * b, scale = fmax(demand, rounding);
  const int whole = isfinite(absolute);
  return (struct contact_residual){.absolute = absolute,
                                   .relative_free = !whole                 ? absolute
                                                    : absolute <= rounding ? 0
                                                    : scale > 0            ? absolute / scale
                                                                           : absolute,
                                   .relative_b = whole && b > 0 ? absolute / b : absolute,
                                   .relative_max = whole && all > 0 ? absolute / all : absolute,
                                   .at = worst->at};
}

struct contact_residual contact_residual(const struct contact_model *model, const double *diag,
                                         const double *r, const double *v, const double *b) {
  struct contact_worst worst = CONTACT_WORST_NONE;
  contact_residual_add(model, diag, r, b, 0, model->nc, v, &worst);
  return contact_residual_of(&worst, contact_demand(model, diag, b));
}
