/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random one-step problems; see random_contacts.h. A body has a diagonal inertia 1/2 to 1/10 of its
 * mass times 1 m^2 and its contacts within 1 m; a state of rest is one of gravity over one step of
 * 1 ms, otherwise velocities are normal with variance one.
 */
#include "tests/random_contacts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "la/dense.h"
#include "tests/random_problem.h"

/* W^T of one contact on one body, velocities (linear, angular): 3 x 6 row-major; sign -1 or 1. */
static void contact_jacobian(const double frame[9], const double arm[3], double sign,
                             double *w /* 3 x 6 */) {
  for (int c = 0; c < 3; ++c) {
    const double *e = frame + (ptrdiff_t)(3 * c);
    double *row = w + (ptrdiff_t)(6 * c);
    row[0] = sign * e[0];
    row[1] = sign * e[1];
    row[2] = sign * e[2];
    row[3] = sign * (arm[1] * e[2] - arm[2] * e[1]);
    row[4] = sign * (arm[2] * e[0] - arm[0] * e[2]);
    row[5] = sign * (arm[0] * e[1] - arm[1] * e[0]);
  }
}

/* A = W^T M^-1 W, b = W^T u. */
static void assemble(int dim, int nc, double w[][RANDOM_BODIES][3 * 6], double minv[][6],
                     double u[][6], struct random_contacts *out) {
  const int rows = dim * nc;
  for (int i = 0; i < rows; ++i) {
    const int ci = i / dim, ri = i % dim;
    out->b[i] = 0;
    for (int k = 0; k < RANDOM_BODIES; ++k) {
      out->b[i] += la_dot(6, w[ci][k] + (ptrdiff_t)(6 * ri), u[k]);
    }
    for (int j = 0; j < rows; ++j) {
      double sum = 0;
      for (int k = 0; k < RANDOM_BODIES; ++k) {
        for (int c = 0; c < 6; ++c) {
          sum += w[ci][k][6 * ri + c] * minv[k][c] * w[j / dim][k][6 * (j % dim) + c];
        }
      }
      out->a[j * rows + i] = sum;
    }
  }
}

void random_contacts_fill(struct base_rng *rng, int dim, int nc, int n_dir, double decades,
                          struct random_contacts *out) {
  double w[RANDOM_CONTACTS][RANDOM_BODIES][3 * 6] = {{{0}}}, minv[RANDOM_BODIES][6],
                                               u[RANDOM_BODIES][6];
  const int resting = base_rng_below(rng, 4) == 0;
  for (int k = 0; k < RANDOM_BODIES; ++k) {
    const double fixed = base_rng_below(rng, 6) == 0 ? 0 : 1;
    const double mass = pow(10, base_rng_uniform(rng, -decades, decades) / 2);
    for (int c = 0; c < 6; ++c) {
      minv[k][c] = fixed * (c < 3 ? 1 : base_rng_uniform(rng, 2, 10)) / mass;
      u[k][c] = fixed * (resting ? (c == 2 ? -0.01 : 0) : base_rng_normal(rng));
    }
  }
  for (int i = 0; i < nc; ++i) {
    out->mu[i] = base_rng_below(rng, 5) == 0 ? 0 : base_rng_uniform(rng, 0, 2);
    if (i > 0 && base_rng_below(rng, 3) == 0) { /* the same contact once more */
      memcpy(w[i], w[base_rng_below(rng, i)], sizeof w[i]);
      continue;
    }
    double frame[9];
    random_unit(rng, 3, frame);
    contact_frame(frame, frame + 3, frame + 6);
    const int first = base_rng_below(rng, RANDOM_BODIES),
              second = base_rng_below(rng, RANDOM_BODIES + 1);
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? first : second;
      const double arm[3] = {base_rng_uniform(rng, -1, 1), base_rng_uniform(rng, -1, 1),
                             base_rng_uniform(rng, -1, 1)};
      if (body < RANDOM_BODIES && (side == 0 || body != first)) {
        contact_jacobian(frame, arm, side == 0 ? 1 : -1, w[i][body]);
      }
    }
  }
  assemble(dim, nc, w, minv, u, out);
  out->p = (struct problem){
      .name = "",
      .model = {.law = CONTACT_LAW_LCP, .dim = dim, .nc = nc, .mu = out->mu, .n_dir = n_dir},
      .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = dim, .nc = nc, .a = out->a},
      .b = out->b};
}
