/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenBLAS under a limit on addresses (ulimit -v). It maps a buffer of BUFFER_BYTES at its first
 * product, and tries again without end where the system refuses: hence the program takes that
 * buffer at once, or says that it does not fit.
 */
#include <sys/resource.h>

#include "base/memory/memory.h"
#include "base/status.h"
#include "la/dense.h"

/* Of OpenBLAS alone; absent from other libraries. */
extern void *blas_memory_alloc(int position) __attribute__((weak));
extern void blas_memory_free(void *buffer) __attribute__((weak));

enum { BUFFER_BYTES = 1 << 27 }; /* of OpenBLAS 0.3 on x86-64 */

void la_start(void) {
  struct rlimit set;
  if (!blas_memory_alloc || !blas_memory_free || getrlimit(RLIMIT_AS, &set) != 0 ||
      set.rlim_cur == RLIM_INFINITY) {
    return;
  }
  const struct base_memory_limit limit = base_memory_limit(0, 1);
  if (limit.total - limit.used < BUFFER_BYTES) {
    base_fail(BASE_UNSUPPORTED,
              "the BLAS needs %.0f MB; the limit is %.0f MB, %s, of which %.0f MB are in use",
              1e-6 * BUFFER_BYTES, 1e-6 * limit.total, limit.source, 1e-6 * limit.used);
    base_memory_leave();
  }
  blas_memory_free(blas_memory_alloc(0));
}
