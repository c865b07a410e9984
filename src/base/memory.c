/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory from the system, or the end of the program. A size of 0 is taken as 1, so that the answer
 * of malloc is never NULL for any reason but want of memory.
 */
#include "base/memory.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>

#define MEMORY_EXIT_STATUS 3 /* that of a fault of the program: shells see no negative status */

void base_memory_end(size_t size) {
  fprintf(stderr, "%s: %zu bytes could not be had\n", base_status_name(BASE_E_MEMORY), size);
  exit(MEMORY_EXIT_STATUS);
}

void *base_memory_alloc(size_t size) { return base_memory_resize(NULL, size); }

void *base_memory_resize(void *block, size_t size) {
  void *resized = realloc(block, size > 0 ? size : 1);
  if (!resized) {
    base_memory_end(size);
  }
  return resized;
}
