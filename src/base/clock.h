/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monotonic wall-clock time and processor time, for measurements and time limits only; no result
 * may depend on them.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double base_clock_now(void); /* [s], from an arbitrary origin */
/* Time that the processors spent on this process, all threads together [s]. */
double base_clock_cpu(void);

#endif
