/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many threads a parallel loop may use. It is no option of a solver, since no result depends on
 * it: OMP_NUM_THREADS from the environment, 1 where that says nothing (jobs of a suite run side by
 * side already) and where the program was built without OpenMP.
 */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

enum { BASE_THREADS_MAX = 1024 };

int base_threads(void);
/* Another number from now on, for tests and measurements; 0: what the environment says. */
void base_threads_set(int n);
/* call(data, k) for k = 0 ... n - 1, by so many threads. With one, in order and at the price of a
 * call: a parallel region costs more than a step of a small system. */
void base_threads_each(int threads, int n, void (*call)(void *data, int k), void *data);

#endif
