/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dense kernels over CBLAS. Problems here are often tiny (three rows a contact, six a body), where
 * plain loops do it: they cost less than a library call, and add in an order of their own, without
 * products fused to sums, so that last digits are the same whatever kernel the library has for a
 * processor. Which of the two runs depends on the sizes alone, so the same input always gives the
 * same result.
 *
 * Inner products, and with them la_gemv_t, are written out: those of OpenBLAS add in an order that
 * depends on whether the data lie on an even multiple of 8 bytes, so that the same numbers gave
 * different last digits at another place.
 *
 * As in the BLAS, beta = 0 means that the output is only written: it may hold anything before, NaN
 * included. Unlike the BLAS, an empty sum still scales the output by beta.
 */
#include "la/dense.h"

#include "base/threads.h"
#include "la/blas.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Multiplications up to which plain loops do it: blocks of two bodies in space, 12 rows. A library
 * call costs 20 ns, 80 ns for gemm (OpenBLAS 0.3.21 on x86-64), and breaks even at 40 and 128
 * multiplications; up to here it saves at most a microsecond. */
#define DENSE_SMALL_GEMV (12 * 12)
#define DENSE_SMALL_GEMM (12 * 12 * 12)

/* Of OpenBLAS alone; absent from other libraries. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

void la_init(void) {
  if (openblas_set_num_threads) {
    openblas_set_num_threads(1);
  }
}

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

/* Two doubles side by side, wherever they lie. */
typedef double dense_pair __attribute__((vector_size(16)));

static inline dense_pair dense_load(const double *x) {
  dense_pair pair;
  memcpy(&pair, x, sizeof pair);
  return pair;
}

/* Eight partial sums, added in a fixed order. */
struct dense_sums {
  dense_pair a, b, c, d;
};

static inline void dense_add(struct dense_sums *s, const double *x, const double *y) {
  s->a += dense_load(x) * dense_load(y);
  s->b += dense_load(x + 2) * dense_load(y + 2);
  s->c += dense_load(x + 4) * dense_load(y + 4);
  s->d += dense_load(x + 6) * dense_load(y + 6);
}

/* The rest, n < 8, and all together. */
static inline double dense_end(struct dense_sums *s, long n, const double *x, const double *y) {
  long i = 0;
  for (; i + 2 <= n; i += 2) {
    s->a += dense_load(x + i) * dense_load(y + i);
  }
  const dense_pair sum = (s->a + s->b) + (s->c + s->d);
  return sum[0] + sum[1] + (i < n ? x[i] * y[i] : 0);
}

static double dense_dot(long n, const double *x, const double *y) {
  struct dense_sums s = {0};
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    dense_add(&s, x + i, y + i);
  }
  return dense_end(&s, n - i, x + i, y + i);
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

static inline void dense_sum(long n, const double *x, double alpha, const double *y, double *z) {
  const dense_pair factor = {alpha, alpha};
  long i = 0;
  for (; i + 2 <= n; i += 2) {
    const dense_pair sum = dense_load(x + i) + factor * dense_load(y + i);
    memcpy(z + i, &sum, sizeof sum);
  }
  if (i < n) {
    z[i] = x[i] + alpha * y[i];
  }
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

/* y = beta y, with nothing read when beta = 0 */
static void dense_scale(int n, double beta, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = beta == 0 ? 0 : beta * y[i];
  }
}

void la_gemv(int m, int n, double alpha, const double *A, const double *x, double beta, double *y) {
  if (m > 0 && n > 0 && (size_t)m * (size_t)n > DENSE_SMALL_GEMV) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, n, alpha, A, m, x, 1, beta, y, 1);
    return;
  }
  dense_scale(m, beta, y);
  for (int j = 0; j < n; j++) {
    dense_sum(m, y, alpha * x[j], A + (long)j * m, y);
  }
}

void la_gemv_t(int m, int n, double alpha, const double *A, const double *x, double beta,
               double *y) {
  for (int j = 0; j < n; j++) {
    const double sum = dense_dot(m, A + (size_t)j * (size_t)m, x);
    y[j] = alpha * sum + (beta == 0 ? 0 : beta * y[j]);
  }
}

static int dense_is_small(int m, int n, int k) {
  return m <= 0 || n <= 0 || k <= 0 || (size_t)m * (size_t)n * (size_t)k <= DENSE_SMALL_GEMM;
}

void la_gemm(int m, int n, int k, double alpha, const double *A, const double *B, double beta,
             double *C) {
  if (!dense_is_small(m, n, k)) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, alpha, A, m, B, k, beta, C, m);
    return;
  }
  for (int j = 0; j < n; j++) {
    double *column = C + (long)j * m;
    dense_scale(m, beta, column);
    for (int l = 0; l < k; l++) {
      dense_sum(m, column, alpha * B[l + (long)j * k], A + (long)l * m, column);
    }
  }
}

void la_gemm_t(int m, int n, int k, double alpha, const double *A, const double *B, double beta,
               double *C) {
  if (!dense_is_small(m, n, k)) {
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, n, k, alpha, A, k, B, k, beta, C, m);
    return;
  }
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < m; i++) {
      double sum = 0;
      for (int l = 0; l < k; l++) {
        sum += A[l + (long)i * k] * B[l + (long)j * k];
      }
      C[i + (long)j * m] = alpha * sum + (beta == 0 ? 0 : beta * C[i + (long)j * m]);
    }
  }
}
