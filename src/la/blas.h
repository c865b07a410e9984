/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The library's headers as these files need them: private to la/. LAPACKE offers C99 complex types,
 * which nothing here uses.
 */
#ifndef LA_BLAS_H
#define LA_BLAS_H

#include <cblas.h>
#include <lapacke.h>

#endif
