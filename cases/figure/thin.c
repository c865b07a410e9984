/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thinning of tables (Jugel et al., M4: a visualization-oriented time series data aggregation, VLDB
 * 7, 2014, 797-808), of all columns at once; see thin.h.
 */
#include "cases/figure/thin.h"

#include <math.h>
#include <string.h>

struct axis {
  double lo, hi; /* of the first column */
};

static struct axis axis_of(int rows, int cols, const double *values) {
  struct axis axis = {INFINITY, -INFINITY};
  for (long i = 0; i < rows; ++i) {
    axis.lo = fmin(axis.lo, values[i * cols]);
    axis.hi = fmax(axis.hi, values[i * cols]);
  }
  return axis;
}

static double place(double x, double lo, double hi) {
  return floor((x - lo) / (hi - lo) * CASE_THIN_COLUMNS);
}

/* Do two first values, which differ, fall into one column of either axis? */
static int is_near(const struct axis *axis, double a, double b) {
  return a != b && place(a, axis->lo, axis->hi) == place(b, axis->lo, axis->hi) &&
         (axis->lo <= 0 || place(log(a), log(axis->lo), log(axis->hi)) ==
                               place(log(b), log(axis->lo), log(axis->hi)));
}

/* Of the rows [begin, end) the first, the last, and the first with the least and the largest value
 * of each other column; their number. */
static int extremes(int begin, int end, int cols, const double *values, int *at) {
  int n = 0;
  at[n++] = begin;
  at[n++] = end - 1;
  for (int j = 1; j < cols; ++j) {
    int least = begin, most = begin;
    for (int i = begin; i < end; ++i) {
      const double x = values[(long)i * cols + j];
      least =
          x < values[(long)least * cols + j] || isnan(values[(long)least * cols + j]) ? i : least;
      most = x > values[(long)most * cols + j] || isnan(values[(long)most * cols + j]) ? i : most;
    }
    at[n++] = least;
    at[n++] = most;
  }
  return n;
}

static int is_among(int n, const int *at, int i) {
  int k = 0;
  while (k < n && at[k] != i) {
    ++k;
  }
  return k < n;
}

int case_thin(int rows, int cols, const double *values, double *thinned) {
  enum { COLS_MAX = 64 }; /* wider tables are none of curves */
  const struct axis axis = axis_of(rows, cols, values);
  const int is_long = rows > CASE_THIN_COLUMNS && cols <= COLS_MAX;
  int kept = 0, at[2 * COLS_MAX];
  for (int begin = 0, end; begin < rows; begin = end) {
    end = begin + 1;
    while (is_long && end < rows &&
           is_near(&axis, values[(long)(end - 1) * cols], values[(long)end * cols])) {
      ++end;
    }
    const int n = end - begin > 2 ? extremes(begin, end, cols, values, at) : 0;
    for (int i = begin; i < end; ++i) {
      if (end - begin <= 2 || is_among(n, at, i)) {
        memcpy(thinned + (long)kept++ * cols, values + (long)i * cols,
               (size_t)cols * sizeof *values);
      }
    }
  }
  return kept;
}
