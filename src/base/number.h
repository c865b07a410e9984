/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers from text: decimal and read whole, so that blanks, units and a second number are refused,
 * as is one too large for a double ("1e999" is a slip, "inf" a wish). And numbers as text.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

/* A number as printf wrote it loses the padding of its exponent: 1.17e-4 for 1.17e-04. In place. */
void base_number_unpad(char *text);

/* Read a whole text as a double, decimal or "inf": BASE_E_INPUT if anything is left over or the
 * text is empty. */
int base_parse_real(const char *text, double *x);
/* The same of the start of a text; *rest gets what follows. */
int base_read_real(const char *text, const char **rest, double *x);

#endif
