/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The libraries behind la/, as they are at run time: their versions, and what else of them decides
 * the last digits of a result.
 */
#ifndef LA_LIBRARY_H
#define LA_LIBRARY_H

enum { LA_LIBRARY_TEXT = 160 };

/* Name and version of the BLAS, with the kernel it has chosen for this processor. */
const char *la_library_blas(void);
/* Threads it works with; 0: it does not tell. */
int la_library_blas_threads(void);
/* Into a text of LA_LIBRARY_TEXT bytes, which is returned. */
const char *la_library_lapack(char *text);
const char *la_library_suitesparse(char *text);

#endif
