/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monotonic wall-clock time: CLOCK_MONOTONIC, which no change of the system's date disturbs.
 */
#include "base/clock.h"

#include <time.h>

double base_clock_now(void) {
  struct timespec now = {.tv_sec = 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
