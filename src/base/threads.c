/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Number of threads; see threads.h.
 */
#include "base/threads.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

static int chosen; /* 0: not yet */

static int from_environment(void) {
  const char *text = getenv("OMP_NUM_THREADS");
  const long n =
      text != NULL ? strtol(text, NULL, 10) : 1; /* "4,2" names nested levels: the first */
  return n < 1 ? 1 : n > BASE_THREADS_MAX ? BASE_THREADS_MAX : (int)n;
}

int base_threads(void) {
#ifdef _OPENMP
  if (chosen == 0) {
    chosen = from_environment();
  }
  return chosen;
#else
  (void)from_environment;
  return 1;
#endif
}

int base_threads_processors(void) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > BASE_THREADS_MAX ? BASE_THREADS_MAX : (int)n;
}

void base_threads_set(int n) { chosen = n < 0 ? 0 : n > BASE_THREADS_MAX ? BASE_THREADS_MAX : n; }

void base_threads_each(int threads, int n, void (*call)(void *data, int k), void *data) {
  if (threads > 1) {
    const double watched = base_clock_watch(0); /* none may leave the others behind */
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int k = 0; k < n; ++k) {
      call(data, k);
    }
    base_clock_watch(watched);
    return;
  }
  for (int k = 0; k < n; ++k) {
    call(data, k);
  }
}

struct part_loop {
  const struct base_parts *parts;
  base_part_fn *call;
  void *data;
};

static void call_part(void *data, int k) {
  const struct part_loop *loop = data;
  const struct base_parts *p = loop->parts;
  const long end = k + 1 < p->n ? p->each * (k + 1) : p->size;
  loop->call(loop->data, (struct base_part){k, p->each * k, end});
}

void base_threads_parts_of(const struct base_parts *parts, base_part_fn *call, void *data) {
  struct part_loop loop = {parts, call, data};
  base_threads_each(base_threads(), parts->n, call_part, &loop);
}
