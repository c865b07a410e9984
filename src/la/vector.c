/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels for vectors (dense.h). Long ones are gone through by parts, for several threads; how a
 * vector is divided depends on its length alone, and so does the result.
 */
#include "la/dense.h"

#include "base/threads.h"
#include "la/kernels.h"

#include <math.h>
#include <string.h>

/* Longer vectors than DENSE_LONG are gone through by parts (base/threads.h), each of them some ten
 * microseconds of work; sums are of the parts. */
enum { DENSE_PART = 4096, DENSE_LONG = BASE_PARTS * DENSE_PART };

struct dense_vectors {
  double alpha;
  const double *x, *y, *z;
  double *out;
  double sum[BASE_PARTS][3];
};

static void dense_by_parts(long n, base_part_fn *call, struct dense_vectors *v) {
  const struct base_parts parts = base_parts_of(n, DENSE_PART);
  base_threads_parts(&parts, call, v);
}

/* Sum number i of all parts. */
static double dense_total(const struct dense_vectors *v, int i) {
  double sum = 0;
  for (int k = 0; k < BASE_PARTS; k++) {
    sum += v->sum[k][i];
  }
  return sum;
}

static void dense_dot_part(void *data, struct base_part part) {
  struct dense_vectors *v = data;
  v->sum[part.k][0] = dense_dot(part.end - part.first, v->x + part.first, v->y + part.first);
}

double la_dot(long n, const double *x, const double *y) {
  if (n < DENSE_LONG) {
    return dense_dot(n, x, y);
  }
  struct dense_vectors v = {.x = x, .y = y};
  dense_by_parts(n, dense_dot_part, &v);
  return dense_total(&v, 0);
}

void la_dots(long n, const double *x, const double *y, const double *z, double *xy, double *xz) {
  struct dense_sums s = {0}, t = {0};
  if (n >= DENSE_LONG) {
    *xy = la_dot(n, x, y);
    *xz = la_dot(n, x, z);
    return;
  }
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    dense_add(&s, x + i, y + i);
    dense_add(&t, x + i, z + i);
  }
  *xy = dense_end(&s, n - i, x + i, y + i);
  *xz = dense_end(&t, n - i, x + i, z + i);
}

/* Squares neither overflow nor lose digits between these. */
static const double SQUARES_MIN = 1e-280, SQUARES_MAX = 1e280;

double la_norm2(int n, const double *x) {
  const double squares = dense_dot(n, x, x);
  if (squares >= SQUARES_MIN && squares <= SQUARES_MAX) {
    return sqrt(squares);
  }
  const double largest = la_norm_inf(n, x);
  if (!(largest > 0) || !isfinite(largest)) {
    return largest;
  }
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double part = x[i] / largest;
    sum += part * part;
  }
  return largest * sqrt(sum);
}

static inline double dense_larger(double size, double largest) {
  return size > largest ? size : largest;
}

/* The largest size, as four, since one would wait for itself at every number; true where all are
 * finite: inf - inf is no number. */
static int dense_largest(long n, const double *x, double *largest) {
  double a = 0, b = 0, c = 0, d = 0;
  dense_pair odd = {0, 0}, even = {0, 0};
  long i = 0;
  for (; i + 4 <= n; i += 4) {
    const dense_pair p = dense_load(x + i), q = dense_load(x + i + 2);
    a = dense_larger(fabs(p[0]), a);
    b = dense_larger(fabs(p[1]), b);
    c = dense_larger(fabs(q[0]), c);
    d = dense_larger(fabs(q[1]), d);
    odd += p - p;  /* no number where p is none, NOLINT(misc-redundant-expression) */
    even += q - q; /* NOLINT(misc-redundant-expression) */
  }
  for (; i < n; i++) {
    a = dense_larger(fabs(x[i]), a);
    odd[0] += x[i] - x[i];
  }
  *largest = dense_larger(dense_larger(a, b), dense_larger(c, d));
  odd += even;
  return odd[0] + odd[1] == 0;
}

double la_norm_inf(long n, const double *x) {
  double largest;
  if (dense_largest(n, x, &largest)) {
    return largest;
  }
  largest = 0;
  for (long i = 0; i < n; i++) {
    const double size = fabs(x[i]);
    if (!(size <= largest)) { /* true for NaN, which then stays */
      largest = size;
    }
    if (isnan(largest)) {
      break;
    }
  }
  return largest;
}

static void dense_sum_part(void *data, struct base_part part) {
  const struct dense_vectors *v = data;
  dense_sum(part.end - part.first, v->x + part.first, v->alpha, v->y + part.first,
            v->out + part.first);
}

void la_sum(long n, const double *x, double alpha, const double *y, double *z) {
  if (n < DENSE_LONG) {
    dense_sum(n, x, alpha, y, z);
  } else {
    dense_by_parts(n, dense_sum_part,
                   &(struct dense_vectors){.x = x, .alpha = alpha, .y = y, .out = z});
  }
}

static inline void dense_sum_of_two(long n, const double *x, double alpha, const double *y,
                                    const double *z, double *out) {
  const dense_pair factor = {alpha, alpha};
  long i = 0;
  for (; i + 2 <= n; i += 2) {
    const dense_pair first = dense_load(x + i) + factor * dense_load(y + i);
    const dense_pair sum = first + factor * dense_load(z + i);
    memcpy(out + i, &sum, sizeof sum);
  }
  if (i < n) {
    out[i] = (x[i] + alpha * y[i]) + alpha * z[i];
  }
}

static void dense_sum_of_two_part(void *data, struct base_part part) {
  const struct dense_vectors *v = data;
  dense_sum_of_two(part.end - part.first, v->x + part.first, v->alpha, v->y + part.first,
                   v->z + part.first, v->out + part.first);
}

void la_sum_of_two(long n, const double *x, double alpha, const double *y, const double *z,
                   double *out) {
  if (n < DENSE_LONG) {
    dense_sum_of_two(n, x, alpha, y, z, out);
  } else {
    dense_by_parts(n, dense_sum_of_two_part,
                   &(struct dense_vectors){.x = x, .alpha = alpha, .y = y, .z = z, .out = out});
  }
}

void la_axpy(long n, double alpha, const double *x, double *y) { la_sum(n, y, alpha, x, y); }

static inline void dense_divide(long n, const double *d, double *x) {
  long i = 0;
  for (; i + 2 <= n; i += 2) {
    const dense_pair part = dense_load(x + i) / dense_load(d + i);
    memcpy(x + i, &part, sizeof part);
  }
  if (i < n) {
    x[i] /= d[i];
  }
}

static inline void dense_multiply(long n, const double *x, const double *y, double *xy) {
  for (long i = 0; i < n; i++) {
    xy[i] = x[i] * y[i];
  }
}

void la_divide(long n, const double *d, double *x) { dense_divide(n, d, x); }

static void dense_divide_dots(long n, const double *d, const double *y, double *x, double dots[3]) {
  struct dense_sums s = {0}, t = {0}, r = {0};
  double first[8], scaled[8]; /* x as it was, d y */
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    memcpy(first, x + i, sizeof first);
    dense_divide(8, d + i, x + i);
    dense_add(&s, first, y + i);
    dense_add(&t, first, x + i);
    dense_multiply(8, d + i, y + i, scaled);
    dense_add(&r, scaled, y + i);
  }
  const long rest = n - i;
  memcpy(first, x + i, (size_t)rest * sizeof *x);
  dense_divide(rest, d + i, x + i);
  dense_multiply(rest, d + i, y + i, scaled);
  dots[0] = dense_end(&s, rest, first, y + i);
  dots[1] = dense_end(&t, rest, first, x + i);
  dots[2] = dense_end(&r, rest, scaled, y + i);
}

static void dense_divide_dots_part(void *data, struct base_part part) {
  struct dense_vectors *v = data;
  dense_divide_dots(part.end - part.first, v->x + part.first, v->y + part.first,
                    v->out + part.first, v->sum[part.k]);
}

void la_divide_dots(long n, const double *d, const double *y, double *x, double dots[3]) {
  if (n < DENSE_LONG) {
    dense_divide_dots(n, d, y, x, dots);
    return;
  }
  struct dense_vectors v = {.x = d, .y = y, .out = x};
  dense_by_parts(n, dense_divide_dots_part, &v);
  for (int i = 0; i < 3; i++) {
    dots[i] = dense_total(&v, i);
  }
}

static void dense_copy_part(void *data, struct base_part part) {
  const struct dense_vectors *v = data;
  memcpy(v->out + part.first, v->x + part.first, (size_t)(part.end - part.first) * sizeof *v->x);
}

/* Whether threads share what moves memory alone: one does it fastest in one go. */
static int dense_is_shared(long n) { return n >= DENSE_LONG && base_threads() > 1; }

void la_copy(long n, const double *x, double *y) {
  if (dense_is_shared(n) && (y >= x + n || x >= y + n)) { /* apart from each other */
    dense_by_parts(n, dense_copy_part, &(struct dense_vectors){.x = x, .out = y});
  } else if (n > 0) {
    memmove(y, x, (size_t)n * sizeof *y);
  }
}

static void dense_zero_part(void *data, struct base_part part) {
  const struct dense_vectors *v = data;
  memset(v->out + part.first, 0, (size_t)(part.end - part.first) * sizeof *v->out);
}

void la_zero(long n, double *x) {
  if (dense_is_shared(n)) {
    dense_by_parts(n, dense_zero_part, &(struct dense_vectors){.out = x});
  } else if (n > 0) {
    memset(x, 0, (size_t)n * sizeof *x);
  }
}

static int dense_differ(long n, const double *x, const double *y) {
  return n > 0 && memcmp(x, y, (size_t)n * sizeof *x) != 0;
}

static void dense_differ_part(void *data, struct base_part part) {
  struct dense_vectors *v = data;
  v->sum[part.k][0] = dense_differ(part.end - part.first, v->x + part.first, v->y + part.first);
}

int la_same(long n, const double *x, const double *y) {
  if (n < DENSE_LONG) {
    return !dense_differ(n, x, y);
  }
  struct dense_vectors v = {.x = x, .y = y};
  dense_by_parts(n, dense_differ_part, &v);
  return dense_total(&v, 0) == 0;
}

static int dense_all_finite(long n, const double *x) {
  dense_pair odd = {0, 0}, even = {0, 0}; /* inf - inf is no number */
  long i = 0;
  for (; i + 4 <= n; i += 4) {
    const dense_pair p = dense_load(x + i), q = dense_load(x + i + 2);
    odd += p - p;  /* NOLINT(misc-redundant-expression) */
    even += q - q; /* NOLINT(misc-redundant-expression) */
  }
  for (; i < n; i++) {
    odd[0] += x[i] - x[i];
  }
  odd += even;
  return odd[0] + odd[1] == 0;
}

static void dense_finite_part(void *data, struct base_part part) {
  struct dense_vectors *v = data;
  v->sum[part.k][0] = dense_all_finite(part.end - part.first, v->x + part.first) ? 0 : 1;
}

int la_all_finite(long n, const double *x) {
  if (n < DENSE_LONG) {
    return dense_all_finite(n, x);
  }
  struct dense_vectors v = {.x = x};
  dense_by_parts(n, dense_finite_part, &v);
  return dense_total(&v, 0) == 0;
}
