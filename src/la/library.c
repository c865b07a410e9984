/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Versions of the libraries; see library.h. UMFPACK says its own to the compiler alone.
 */
#include "la/library.h"

#include <stdio.h>
#include <suitesparse/cholmod.h>
#include <suitesparse/umfpack.h>

#include "la/blas.h"

/* Of OpenBLAS alone; absent from other libraries. */
extern char *openblas_get_config(void) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));

const char *la_library_blas(void) {
  return openblas_get_config ? openblas_get_config() : "CBLAS of unknown make";
}

int la_library_blas_threads(void) {
  return openblas_get_num_threads ? openblas_get_num_threads() : 0;
}

const char *la_library_lapack(char *text) {
  lapack_int major, minor, patch;
  LAPACKE_ilaver(&major, &minor, &patch);
  snprintf(text, LA_LIBRARY_TEXT, "%d.%d.%d", (int)major, (int)minor, (int)patch);
  return text;
}

const char *la_library_suitesparse(char *text) {
  int version[3];
  cholmod_version(version);
  snprintf(text, LA_LIBRARY_TEXT, "CHOLMOD %d.%d.%d, %s", version[0], version[1], version[2],
           UMFPACK_VERSION);
  return text;
}
