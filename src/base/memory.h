/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory from the system, or the end of the program: nothing here can go on without it, so callers
 * need not check. The program ends with exit status 3 (a fault of the system or the program) and
 * one line on standard error. Released with free().
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Say how many bytes could not be had and end the program. */
void base_memory_end(size_t size) __attribute__((noreturn));
/* size bytes, not initialised; never NULL. */
void *base_memory_alloc(size_t size);
/* The block resized, as realloc; never NULL. */
void *base_memory_resize(void *block, size_t size);

#endif
