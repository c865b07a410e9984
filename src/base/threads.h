/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops by threads. How many there may be is no option of a solver, since no result depends on it:
 * OMP_NUM_THREADS from the environment, 1 where that says nothing (jobs of a suite run side by side
 * already) and where the program was built without OpenMP.
 */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

enum { BASE_THREADS_MAX = 1024 };

int base_threads(void);
/* Processors of the machine, one at least. */
int base_threads_processors(void);
/* Another number from now on, for tests and measurements; 0: what the environment says. */
void base_threads_set(int n);
/* call(data, k) for k = 0 ... n - 1, by so many threads. With one, in order and at the price of a
 * call: a parallel region costs more than a step of a small system. */
void base_threads_each(int threads, int n, void (*call)(void *data, int k), void *data);

/* A long loop is divided into parts, of which each thread takes the next; sums are of the parts,
 * then over them in order. How many there are, BASE_PARTS or one, and where they begin depends on
 * the loop alone, and so does every result. Parts begin at multiples of BASE_PART_UNIT. */
enum { BASE_PARTS = 16, BASE_PART_UNIT = 32 };
struct base_parts {
  int n;           /* of parts */
  long each, size; /* of all parts but the last, of the whole loop */
};
struct base_part {
  int k;           /* of 0 ... n - 1 */
  long first, end; /* first ... end - 1 of the loop */
};
static inline struct base_parts base_parts_whole(long size) {
  return (struct base_parts){1, size, size};
}
/* The shortest part of a loop over contacts or bodies that is worth a thread. */
enum { BASE_PART_LEAST = 256 };
/* least: the shortest part of this loop. */
static inline struct base_parts base_parts_of(long size, long least) {
  const long each = size / BASE_PARTS / BASE_PART_UNIT * BASE_PART_UNIT;
  return size >= BASE_PARTS * least ? (struct base_parts){BASE_PARTS, each, size}
                                    : base_parts_whole(size);
}
/* call(data, part) for every part, by base_threads(). */
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
