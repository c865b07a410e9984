/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monotonic wall-clock time, for measurements and time limits only; no result may depend on it.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double base_clock_now(void); /* [s], from an arbitrary origin */

#endif
