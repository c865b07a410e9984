/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the machine can move: McCalpin's STREAM triad, a_i = b_i + s c_i, over arrays far larger
 * than caches. Counted are three numbers an element, as STREAM does; that a line of a is read
 * before it is written is left out. Time is that of the busiest thread, as of the measurements; the
 * best of TRIES is the number, and each thread works on what it has written first.
 */
#include "tests/perf/perf.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { ELEMENTS = 1 << 23, TRIES = 8, THREADS = 64 }; /* 64 MB an array */

static double busy_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Elements from ... to - 1; returns how long the thread was busy [s]. */
static double part_of_triad(long from, long to, double *restrict a, const double *b,
                            const double *c) {
  const double begin = busy_time();
  for (long i = from; i < to; ++i) {
    a[i] = b[i] + 3 * c[i];
  }
  return busy_time() - begin;
}

double perf_triad(int threads) {
  double *a = malloc(3 * (size_t)ELEMENTS * sizeof *a), took[THREADS], best = INFINITY;
  if (a == NULL || threads > THREADS) {
    free(a);
    return NAN;
  }
  double *b = a + ELEMENTS, *c = b + ELEMENTS;
  for (int k = -1; k < TRIES; ++k) {
    double longest = 0;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int part = 0; part < threads; ++part) {
      const long from = (long)ELEMENTS * part / threads, to = (long)ELEMENTS * (part + 1) / threads;
      for (long i = from; i < to && k < 0; ++i) {
        b[i] = c[i] = 1;
      }
      took[part] = part_of_triad(from, to, a, b, c);
    }
    for (int part = 0; part < threads; ++part) {
      longest = fmax(longest, took[part]);
    }
    best = k < 0 ? best : fmin(best, longest);
  }
  const int is_right = a[0] == 4 && a[ELEMENTS - 1] == 4;
  free(a);
  return is_right ? 3 * sizeof(double) * (double)ELEMENTS / best : NAN;
}
