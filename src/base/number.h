/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as text.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

/* A number as printf wrote it loses the padding of its exponent: 1.17e-4 for 1.17e-04. In place. */
void base_number_unpad(char *text);

#endif
