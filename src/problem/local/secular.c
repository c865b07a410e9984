/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The short ways to the solution of one contact in space: a few steps of Newton's method in one
 * unknown, where it can be shown that they end at the solution the quartic would give. What cannot
 * be shown is left to the quartic (local_mdp, local_coulomb, local_ccp).
 *
 * With r_N eliminated by v_N = 0, W = A_TT - A_TN A_NT / A_NN, g = b_T - A_TN b_N / A_NN,
 * e = mu A_NT / A_NN and R = -mu b_N / A_NN > 0 the cone is |r_T| <= R - e . r_T, and sliding
 *
 *   (W + tau Q) r_T = -(g + tau h),  |r_T| = R - e . r_T,  tau >= 0
 *     coulomb  Q = 1,            h = 0     v_T = -tau r_T
 *     mdp      Q = 1 - e e^T,    h = R e   v_T = -tau (r_T + e mu r_N), the gradient of the rim
 *
 * Let f(tau) = |r_T| - (R - e . r_T); f(0) > 0 unless the contact sticks, and f < 0 far away.
 *   coulomb  f' = -(d + e) . (W + tau)^-1 r_T, d = r_T / |r_T|. Between x and W^-1 x of a symmetric
 *            W lies at most the angle whose cosine is 2 sqrt(det W) / trace W (Kantorovich), and
 *            tau only lessens it: for |e| trace W < 2 sqrt(det W) f falls throughout, and its root
 *            is the only one.
 *   mdp      for |e| < 1 Q is positive: least energy on an ellipse, whose dual function is concave.
 * Newton's step is that for 1 / |r_T| - 1 / (R - e . r_T), nearly a straight line (as in trust
 * regions), kept within a bracket.
 *
 * ccp: r = x (1, mu d) with x = -(k . b) / (k . A k) the least on the ray k = (1, mu d), and the
 * unknown is the angle of d, with d x v_T = 0. The problem is convex: v_N >= 0 certifies it.
 *
 * A result counts only if all conditions hold to round-off when put into A and b themselves.
 */
#include "problem/local/kit.h"

#include <float.h>
#include <math.h>

/* Nearer than this to the rim of the cone, relative, -A^-1 b is computed with refinement before
 * anything is decided. */
static const double SURE = 1e-9;
/* det W over the product of the diagonal of A_TT: below, too many digits are lost in W for SURE. */
static const double WELL_CONDITIONED = 1e-5;
/* A is taken as symmetric up to this, relative to its trace: that of sums in another order. */
static const double SYMMETRIC = 1e-12;
/* Margin of the two certificates that compare |e| with a bound. */
static const double MARGIN = 1 - 1e-6;
/* Residual that counts as round-off, relative to the sum of the terms' magnitudes. */
static const double ROUND_OFF = 64 * DBL_EPSILON;
/* Longest turn of d in one step of the convex law [rad]. */
static const double TURN_MAX = 0.7;
enum { STEPS_MAX = 24 };

struct reduced {
  double W[3]; /* 11, 12, 22 */
  double g[2], e[2], R;
  double det, trace; /* of W */
};

static int is_symmetric(const double *A) {
  const double allowed = SYMMETRIC * (A[0] + A[4] + A[8]);
  return fabs(A[1] - A[3]) <= allowed && fabs(A[2] - A[6]) <= allowed &&
         fabs(A[5] - A[7]) <= allowed;
}

/* Without r_N; 0 where the reduction costs too many digits. */
static int reduce(double mu, const double *A, const double *b, struct reduced *x) {
  if (!(A[0] > 0) || !is_symmetric(A)) {
    return 0;
  }
  const double inverse = 1 / A[0], p = A[3] * inverse, q = A[6] * inverse;
  x->W[0] = A[4] - p * A[1];
  x->W[1] = A[5] - p * A[2];
  x->W[2] = A[8] - q * A[2];
  x->g[0] = b[1] - p * b[0];
  x->g[1] = b[2] - q * b[0];
  x->e[0] = mu * (A[1] * inverse);
  x->e[1] = mu * (A[2] * inverse);
  x->R = -mu * b[0] * inverse;
  x->det = x->W[0] * x->W[2] - x->W[1] * x->W[1];
  x->trace = x->W[0] + x->W[2];
  return x->det > WELL_CONDITIONED * (A[4] * A[8]);
}

/* Do b + A r + tau B r = 0 hold to round-off? extra: tau B r. */
static int holds(const double *A, const double *b, const double *r, const double extra[3]) {
  int yes = 1;
  for (int i = 0; i < 3; ++i) {
    const double x = A[3 * i] * r[0], y = A[3 * i + 1] * r[1], z = A[3 * i + 2] * r[2];
    const double magnitude = fabs(b[i]) + fabs(x) + fabs(y) + fabs(z) + fabs(extra[i]);
    yes &= fabs(b[i] + x + y + z + extra[i]) <= ROUND_OFF * magnitude;
  }
  return yes;
}

/* r = -A^-1 b: 1 if surely in the cone, 0 if surely not, -1 if neither is sure. */
static int stick(double mu, const double *A, const double *b, const struct reduced *x, double *r) {
  const double inverse = 1 / x->det;
  r[1] = (x->W[1] * x->g[1] - x->W[2] * x->g[0]) * inverse;
  r[2] = (x->W[1] * x->g[0] - x->W[0] * x->g[1]) * inverse;
  r[0] = -(b[0] + A[1] * r[1] + A[2] * r[2]) / A[0];
  const double length = sqrt(r[1] * r[1] + r[2] * r[2]), radius = mu * r[0];
  const double unsure = SURE * (length + fabs(radius) + mu * fabs(b[0]) / A[0]);
  if (length - radius > unsure) {
    return 0;
  }
  const double none[3] = {0, 0, 0};
  return length - radius < -unsure && holds(A, b, r, none) ? 1 : -1;
}

/* Newton's step of 1 / |r_T| - 1 / rho, or of |r_T| - rho where rho is not positive. */
static double newton_step(const struct reduced *x, const double d[2], const double s[2],
                          double length, double rho) {
  const double along = d[0] * s[0] + d[1] * s[1], coupled = x->e[0] * s[0] + x->e[1] * s[1];
  if (rho > 0) {
    const double ratio = length / rho;
    return length * (ratio - 1) / (along + coupled * ratio * ratio);
  }
  return (length - rho) / (along + coupled);
}

/* The root of f from tau = 0, where f > 0 and a single root are known. Returns tau, or -1; r_T. */
static double secular_root(const struct reduced *x, int is_mdp, double *r_T) {
  const double *e = x->e;
  const double off = is_mdp ? -e[0] * e[1] : 0;
  const double Q[3] = {is_mdp ? 1 - e[0] * e[0] : 1, off, is_mdp ? 1 - e[1] * e[1] : 1};
  const double h[2] = {is_mdp ? x->R * e[0] : 0, is_mdp ? x->R * e[1] : 0};
  double tau = 0, low = 0, high = INFINITY;
  for (int k = 0; k < STEPS_MAX; ++k) {
    const double S[3] = {x->W[0] + tau * Q[0], x->W[1] + tau * Q[1], x->W[2] + tau * Q[2]};
    const double inverse = 1 / (S[0] * S[2] - S[1] * S[1]);
    const double y[2] = {x->g[0] + tau * h[0], x->g[1] + tau * h[1]};
    r_T[0] = (S[1] * y[1] - S[2] * y[0]) * inverse;
    r_T[1] = (S[1] * y[0] - S[0] * y[1]) * inverse;
    const double length = sqrt(r_T[0] * r_T[0] + r_T[1] * r_T[1]);
    const double coupled = e[0] * r_T[0] + e[1] * r_T[1], rho = x->R - coupled;
    const double f = length - rho;
    if (fabs(f) <= 4 * DBL_EPSILON * (length + x->R + fabs(coupled))) {
      return tau;
    }
    low = f > 0 ? tau : low;
    high = f > 0 ? high : tau;
    const double z[2] = {h[0] + Q[0] * r_T[0] + Q[1] * r_T[1],
                         h[1] + Q[1] * r_T[0] + Q[2] * r_T[1]};
    const double s[2] = {(S[2] * z[0] - S[1] * z[1]) * inverse,
                         (S[0] * z[1] - S[1] * z[0]) * inverse};
    const double d[2] = {r_T[0] / length, r_T[1] / length};
    double next = tau + newton_step(x, d, s, length, rho);
    if (!(next > low && next < high)) {
      if (next == tau) {
        return tau; /* as near as doubles come; the conditions decide */
      }
      next = isinf(high) ? 2 * tau + x->trace : 0.5 * (low + high);
      if (next == low || next == high) {
        return tau;
      }
    }
    tau = next;
  }
  return -1;
}

static enum problem_local_short secular(double mu, const double *A, const double *b, int is_mdp,
                                        double *r) {
  struct reduced x;
  double y[3];
  if (!(b[0] < 0) || !reduce(mu, A, b, &x)) {
    return PROBLEM_LOCAL_SHORT_UNSURE;
  }
  const int sticks = stick(mu, A, b, &x, y);
  if (sticks == 1) {
    r[0] = y[0];
    r[1] = y[1];
    r[2] = y[2];
    return PROBLEM_LOCAL_SHORT_STICKS;
  }
  const double coupling = x.e[0] * x.e[0] + x.e[1] * x.e[1];
  const int is_unique =
      is_mdp ? coupling < MARGIN : coupling * x.trace * x.trace < MARGIN * 4 * x.det;
  if (sticks != 0 || !is_unique) {
    return PROBLEM_LOCAL_SHORT_UNSURE;
  }
  const double tau = secular_root(&x, is_mdp, y + 1);
  y[0] = -(b[0] + A[1] * y[1] + A[2] * y[2]) / A[0];
  const double mu_r = is_mdp ? mu * y[0] : 0;
  const double extra[3] = {0, tau * (y[1] + mu_r * x.e[0]), tau * (y[2] + mu_r * x.e[1])};
  const double length = sqrt(y[1] * y[1] + y[2] * y[2]), radius = mu * y[0];
  if (!(tau >= 0) || !(y[0] > 0) || !holds(A, b, y, extra) ||
      !(fabs(length - radius) <= ROUND_OFF * (length + radius))) {
    return PROBLEM_LOCAL_SHORT_UNSURE;
  }
  r[0] = y[0];
  r[1] = y[1];
  r[2] = y[2];
  return PROBLEM_LOCAL_SHORT_SLIDES;
}

enum problem_local_short problem_local_short_coulomb(double mu, const double *A, const double *b,
                                                     double *r) {
  return secular(mu, A, b, 0, r);
}

enum problem_local_short problem_local_short_mdp(double mu, const double *A, const double *b,
                                                 double *r) {
  return secular(mu, A, b, 1, r);
}

/* A point of the rim: the least on the ray (1, mu d), and d x v_T there with its derivative. */
struct rim_point {
  double x, v[3], cross, slope;
};

static struct rim_point rim_point(double mu, const double *A, const double *b, const double d[2]) {
  struct rim_point p;
  const double k[3] = {1, mu * d[0], mu * d[1]}, t[2] = {-d[1], d[0]};
  double Ak[3], At[2];
  for (int i = 0; i < 3; ++i) {
    Ak[i] = A[3 * i] * k[0] + A[3 * i + 1] * k[1] + A[3 * i + 2] * k[2];
  }
  for (int i = 0; i < 2; ++i) {
    At[i] = A[3 * i + 4] * t[0] + A[3 * i + 5] * t[1];
  }
  const double inverse = 1 / (Ak[0] + k[1] * Ak[1] + k[2] * Ak[2]);
  const double bt = b[1] * t[0] + b[2] * t[1], tAk = t[0] * Ak[1] + t[1] * Ak[2];
  p.x = -(b[0] + k[1] * b[1] + k[2] * b[2]) * inverse;
  for (int i = 0; i < 3; ++i) {
    p.v[i] = b[i] + p.x * Ak[i];
  }
  const double change = -mu * (bt + 2 * p.x * tAk) * inverse; /* of x with the angle */
  p.cross = bt + p.x * tAk;
  p.slope =
      -(d[0] * p.v[1] + d[1] * p.v[2]) + change * tAk + p.x * mu * (t[0] * At[0] + t[1] * At[1]);
  return p;
}

static enum problem_local_short slide_ccp(double mu, const double *A, const double *b, double d[2],
                                          double *r) {
  for (int k = 0; k < STEPS_MAX; ++k) {
    const struct rim_point p = rim_point(mu, A, b, d);
    if (!(p.x > 0)) {
      return PROBLEM_LOCAL_SHORT_UNSURE;
    }
    const double size = fabs(b[1]) + fabs(b[2]) + fabs(p.v[1]) + fabs(p.v[2]);
    if (fabs(p.cross) <= 4 * DBL_EPSILON * size) {
      const double y[3] = {p.x, mu * p.x * d[0], mu * p.x * d[1]};
      const double tau = -(d[0] * p.v[1] + d[1] * p.v[2]) / (mu * p.x);
      const double extra[3] = {-mu * mu * tau * y[0], tau * y[1], tau * y[2]};
      if (!(tau >= 0) || !holds(A, b, y, extra)) {
        return PROBLEM_LOCAL_SHORT_UNSURE;
      }
      r[0] = y[0];
      r[1] = y[1];
      r[2] = y[2];
      return PROBLEM_LOCAL_SHORT_SLIDES;
    }
    const double newton = p.slope > 0 ? -p.cross / p.slope : p.cross > 0 ? -TURN_MAX : TURN_MAX;
    const double turn = newton > TURN_MAX ? TURN_MAX : newton < -TURN_MAX ? -TURN_MAX : newton;
    const double c = d[0] - turn * d[1], s = d[1] + turn * d[0], inverse = 1 / sqrt(c * c + s * s);
    d[0] = c * inverse;
    d[1] = s * inverse;
  }
  return PROBLEM_LOCAL_SHORT_UNSURE;
}

enum problem_local_short problem_local_short_ccp(double mu, const double *A, const double *b,
                                                 double *r) {
  struct reduced x;
  double y[3];
  if (!reduce(mu, A, b, &x)) {
    return PROBLEM_LOCAL_SHORT_UNSURE;
  }
  const int sticks = stick(mu, A, b, &x, y);
  if (sticks == 1) {
    r[0] = y[0];
    r[1] = y[1];
    r[2] = y[2];
    return PROBLEM_LOCAL_SHORT_STICKS;
  }
  const double length = sqrt(b[1] * b[1] + b[2] * b[2]);
  if (sticks != 0 || !(length > 0)) {
    return PROBLEM_LOCAL_SHORT_UNSURE;
  }
  double d[2] = {-b[1] / length, -b[2] / length};
  return slide_ccp(mu, A, b, d, r);
}

void problem_local_disk_minimum(const double *A, const double g[2], double radius, double *r_T) {
  struct reduced x = {.W = {A[4], 0.5 * (A[5] + A[7]), A[8]}, .g = {g[0], g[1]}, .R = radius};
  x.det = x.W[0] * x.W[2] - x.W[1] * x.W[1];
  x.trace = x.W[0] + x.W[2];
  const double size = sqrt(g[0] * g[0] + g[1] * g[1]);
  if (!(radius > 0) || !(size > 0)) {
    r_T[0] = r_T[1] = 0;
    return;
  }
  if (x.W[1] == 0 && x.W[0] == x.W[2]) { /* spheres */
    const double factor = size <= radius * x.W[0] ? 1 / x.W[0] : radius / size;
    r_T[0] = -factor * g[0];
    r_T[1] = -factor * g[1];
    return;
  }
  r_T[0] = (x.W[1] * g[1] - x.W[2] * g[0]) / x.det;
  r_T[1] = (x.W[1] * g[0] - x.W[0] * g[1]) / x.det;
  if (x.det > WELL_CONDITIONED * (A[4] * A[8])) {
    if (hypot(r_T[0], r_T[1]) <= radius) {
      return;
    }
    secular_root(&x, 0, r_T); /* if it stops short, r_T is near the rim all the same */
  } else {
    r_T[0] = -g[0]; /* hardly any resistance along one direction: full friction against g */
    r_T[1] = -g[1];
  }
  const double scale = radius / hypot(r_T[0], r_T[1]);
  r_T[0] *= scale;
  r_T[1] *= scale;
}

void problem_local_decoupled(int dim, double mu, const double *A, const double *b,
                             const double *old, double *r) {
  double v_N = b[0], g[2];
  for (int k = 1; k < dim; ++k) {
    v_N += A[k] * old[k];
  }
  const double r_N = v_N < 0 && A[0] > 0 ? -v_N / A[0] : 0, radius = mu * r_N;
  r[0] = r_N;
  for (int k = 1; k < dim; ++k) {
    g[k - 1] = b[k] + A[dim * k] * r_N;
  }
  if (dim == 2) {
    const double x = A[3] > 0 ? -g[0] / A[3] : 0;
    r[1] = x < -radius ? -radius : x > radius ? radius : x;
  } else if (dim == 3) {
    problem_local_disk_minimum(A, g, radius, r + 1);
  }
}
