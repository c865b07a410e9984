/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parallel loops. No result depends on the number of threads, so it is no option of a solver but
 * OMP_NUM_THREADS of the environment. It is 1 without that variable (runs of a suite are already
 * parallel) and in a program built without OpenMP.
 */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

enum { BASE_THREADS_MAX = 1024 };

/* The number of threads to be used. */
int base_threads(void);
/* The number of processors of the machine, at least one. */
int base_threads_processors(void);
/* Set the number of threads, for tests and measurements; 0: that of the environment. */
void base_threads_set(int n);
/* call(data, k) for k = 0 ... n - 1, by this many threads. With one thread the calls are in order
 * and without a parallel region, which would cost more than a step of a small system. */
void base_threads_each(int threads, int n, void (*call)(void *data, int k), void *data);

/* A long loop is divided into parts, which the threads take in turn. Sums are formed for each part
 * and then over the parts in order. The number of parts (BASE_PARTS or one) and their limits depend
 * only on the length of the loop, and so do all results. Parts begin at multiples of
 * BASE_PART_UNIT. */
enum { BASE_PARTS = 16, BASE_PART_UNIT = 32 };
struct base_parts {
  int n;           /* number of parts */
  long each, size; /* length of each part except the last; of the whole loop */
};
struct base_part {
  int k;           /* number of the part, 0 ... n - 1 */
  long first, end; /* it has the turns first ... end - 1 of the loop */
};
/* One part: the whole loop. */
static inline struct base_parts base_parts_whole(long size) {
  return (struct base_parts){1, size, size};
}
/* The shortest part of a loop over contacts or bodies for which threads pay. */
enum { BASE_PART_LEAST = 256 };
/* The parts of a loop of length `size`; least: the shortest part for which threads pay. */
static inline struct base_parts base_parts_of(long size, long least) {
  const long each = size / BASE_PARTS / BASE_PART_UNIT * BASE_PART_UNIT;
  return size >= BASE_PARTS * least ? (struct base_parts){BASE_PARTS, each, size}
                                    : base_parts_whole(size);
}
/* call(data, part) for every part, by base_threads() threads. */
typedef void base_part_fn(void *data, struct base_part part);
void base_threads_parts_of(const struct base_parts *parts, base_part_fn *call, void *data);
static inline void base_threads_parts(const struct base_parts *parts, base_part_fn *call,
                                      void *data) {
  if (parts->n > 1) {
    base_threads_parts_of(parts, call, data);
  } else {
    call(data, (struct base_part){0, 0, parts->size}); /* small systems, at the price of a call */
  }
}

#endif
