/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numerical libraries at run time: their versions, and the kernel and number of threads of the
 * BLAS, which affect the last digits of results.
 */
#ifndef LA_LIBRARY_H
#define LA_LIBRARY_H

enum { LA_LIBRARY_TEXT = 160 };

/* Name and version of the BLAS, and the kernel it chose for this processor. */
const char *la_library_blas(void);
/* Number of threads of the BLAS; 0: unknown. */
int la_library_blas_threads(void);
/* Name and version, written to text: LA_LIBRARY_TEXT bytes; returns text. */
const char *la_library_lapack(char *text);
const char *la_library_suitesparse(char *text);

#endif
