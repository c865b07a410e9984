/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums shared by the kernels for vectors (vector.c) and for matrices (dense.c). Inner products do
 * not use OpenBLAS: its order of summation depends on the alignment of the data to 16 bytes, so
 * that equal numbers at another address give other last digits.
 */
#ifndef LA_KERNELS_H
#define LA_KERNELS_H

#include <string.h>

/* Two adjacent doubles of any alignment. */
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

/* Add the products of eight elements. */
static inline void dense_add(struct dense_sums *s, const double *x, const double *y) {
  s->a += dense_load(x) * dense_load(y);
  s->b += dense_load(x + 2) * dense_load(y + 2);
  s->c += dense_load(x + 4) * dense_load(y + 4);
  s->d += dense_load(x + 6) * dense_load(y + 6);
}

/* The total, after the remaining n < 8 products have been added. */
static inline double dense_end(struct dense_sums *s, long n, const double *x, const double *y) {
  long i = 0;
  for (; i + 2 <= n; i += 2) {
    s->a += dense_load(x + i) * dense_load(y + i);
  }
  const dense_pair sum = (s->a + s->b) + (s->c + s->d);
  return sum[0] + sum[1] + (i < n ? x[i] * y[i] : 0);
}

static inline double dense_dot(long n, const double *x, const double *y) {
  struct dense_sums s = {0};
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    dense_add(&s, x + i, y + i);
  }
  return dense_end(&s, n - i, x + i, y + i);
}

/* z = x + alpha y; z may be x or y. */
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

#endif
