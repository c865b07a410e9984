/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/small_lcp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"

#define ROUND_OFF (8 * DBL_EPSILON) /* of a sum of up to 40 terms, relative to their sizes */

double small_lcp_misfit(int n, const double *M, const double *q, const double *z, const double *x,
                        const double *y) {
  double worst = 0, largest = 0;
  for (int i = 0; i < n; ++i) {
    double w = q[i], size = 0;
    for (int j = 0; j < n; ++j) {
      const double term = M[(size_t)j * (size_t)n + (size_t)i] * z[j];
      w += term;
      size += fabs(term);
    }
    const double row = x != NULL ? x[i] : 1, column = y != NULL ? y[i] : 1;
    const double off = fmax(0, fabs(fmin(w * row, z[i] * column)) - ROUND_OFF * size * row);
    worst = off <= worst ? worst : off;
    largest = fmax(largest, fabs(q[i] * row));
  }
  return largest > 0 ? worst / largest : worst;
}

int small_lcp_enumerate(int n, const double *M, const double *q, double *z) {
  int found = 0;
  for (unsigned set = 0; set < 1u << n; ++set) {
    double sub[SMALL_LCP * SMALL_LCP], x[SMALL_LCP], trial[SMALL_LCP] = {0};
    int at[SMALL_LCP], piv[SMALL_LCP], m = 0;
    for (int i = 0; i < n; ++i) {
      if (set >> i & 1) {
        at[m++] = i;
      }
    }
    for (int j = 0; j < m; ++j) {
      x[j] = -q[at[j]];
      for (int i = 0; i < m; ++i) {
        sub[j * m + i] = M[at[j] * n + at[i]];
      }
    }
    if (m > 0 && la_lu_factor(m, sub, piv) != BASE_OK) {
      continue;
    }
    if (m > 0) {
      la_lu_solve(m, 1, sub, piv, x);
    }
    for (int j = 0; j < m; ++j) {
      trial[at[j]] = x[j];
    }
    if (la_all_finite(n, trial) && small_lcp_misfit(n, M, q, trial, NULL, NULL) < 1e-12) {
      ++found;
      memcpy(z, trial, (size_t)n * sizeof *z);
    }
  }
  return found;
}
