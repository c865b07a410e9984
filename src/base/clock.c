/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monotonic wall-clock time: CLOCK_MONOTONIC, which no change of the system's date disturbs.
 * Processor time: CLOCK_PROCESS_CPUTIME_ID, which other processes disturb through the caches alone.
 */
#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t clock) {
  struct timespec now = {.tv_sec = 0};
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double base_clock_now(void) { return read_clock(CLOCK_MONOTONIC); }

double base_clock_cpu(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
