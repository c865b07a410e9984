/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers from text: decimal and read whole, so that blanks, units and a second number are refused,
 * as is one too large for a double ("1e999" is a slip, "inf" a wish). And measured ones as text: no
 * digits beyond what their interval says is known.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include "base/memory/arena.h"

/* A number as printf wrote it loses the padding of its exponent: 1.17e-4 for 1.17e-04. In place. */
void base_number_unpad(char *text);

/* "0.0123 (0.0119 to 0.0131)": the value and the ends of its interval. The last digit is at the
 * largest power of ten that is no more than half of the distance from the value to the nearer end
 * (and never less than a tenth of that from the middle), which rounding changes by a quarter at the
 * most. Where the interval is without 0 each number has a digit of its own at least: 0.01 (0.0002
 * to 1.53). An end may be infinite. NaN for an end: "0.0123 (no interval)"; a value that is NaN:
 * "none". */
const char *base_number_interval(struct base_arena *arena, double x, double lo, double hi);
/* The value alone, to the same digit; three digits without an interval. */
const char *base_number_within(struct base_arena *arena, double x, double lo, double hi);

/* Read a whole text as a double, decimal or "inf": BASE_E_INPUT if anything is left over or the
 * text is empty. */
int base_parse_real(const char *text, double *x);
/* The same of the start of a text; *rest gets what follows. */
int base_read_real(const char *text, const char **rest, double *x);

#endif
