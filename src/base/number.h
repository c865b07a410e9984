/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers from text and as text. A text must be one decimal number: blanks, units and a second
 * number are refused. So is a number too large for a double: "1e999" is a mistake, "inf" is
 * intended.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

/* Remove the padding of the exponent that printf writes, in place: 1.17e-04 becomes 1.17e-4. */
void base_number_unpad(char *text);

/* *x: the whole text as a double, decimal or "inf". BASE_E_INPUT if the text is empty or anything
 * is left over. */
int base_parse_real(const char *text, double *x);
/* *x: the number at the start of a text; *rest: the text after it. */
int base_read_real(const char *text, const char **rest, double *x);

#endif
