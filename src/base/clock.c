/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monotonic wall-clock time: CLOCK_MONOTONIC, which no change of the system's date disturbs.
 * Processor time: CLOCK_PROCESS_CPUTIME_ID, which other processes disturb through the caches alone.
 */
#include "base/clock.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

#include "base/memory/memory.h"
#include "base/status.h"
#include "base/threads.h"

static _Thread_local double watched; /* deadline; 0: none */

static double read_clock(clockid_t clock) {
  struct timespec now = {.tv_sec = 0};
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double base_clock_now(void) { return read_clock(CLOCK_MONOTONIC); }

double base_clock_processes_cpu(void) {
  struct rusage usage = {0};
  getrusage(RUSAGE_CHILDREN, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double base_clock_work(void) {
  return base_threads() > 1 ? base_clock_now()
                            : read_clock(CLOCK_PROCESS_CPUTIME_ID) + base_clock_processes_cpu();
}

double base_clock_deadline(double limit) {
  return limit > 0 && isfinite(limit) ? base_clock_now() + limit : 0;
}

double base_clock_earlier(double one, double other) {
  return one > 0 && !(other > 0 && other < one) ? one : other;
}

int base_clock_passed(double deadline) { return deadline > 0 && base_clock_now() > deadline; }

int base_clock_check(double deadline) {
  return base_clock_passed(deadline) ? base_fail(BASE_TIMEOUT, "the time limit was reached")
                                     : BASE_OK;
}

double base_clock_watch(double deadline) {
  const double before = watched;
  watched = deadline;
  return before;
}

void base_clock_ask(void) {
  if (watched > 0 && base_clock_check(watched) != BASE_OK) {
    base_leave(BASE_TIMEOUT);
  }
}
