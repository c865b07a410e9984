/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory from the system. Callers need not check: a piece that cannot be had ends the innermost
 * base_memory_try() under way, or else the program, with one line that says how many bytes were
 * needed for what, and which limit is in the way.
 *
 * Linux grants more than it has and ends the process when the pages are written to. Arenas and JSON
 * therefore count what they hand out (claim) and keep it below the limit: the memory the machine
 * has available, or that of the control group, whichever is tighter. Limits on addresses (ulimit
 * -v) the system enforces itself; `ulimit -v` is also the way to set a lower limit.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Carry out work(data). BASE_OK, or with a message BASE_UNSUPPORTED when memory was wanting, or
 * what base_leave was given: work was then left where it stood, as by longjmp. What it took from
 * arenas goes when these are released; what it holds otherwise the caller has to free, or to lose.
 * Calls may nest. No work done in parallel may ask for memory. */
int base_memory_try(void (*work)(void *data), void *data);
/* rows x cols elements of size bytes cannot be had. */
void base_memory_end(size_t rows, size_t cols, size_t size) __attribute__((noreturn));
/* The same with the last message as it stands, e.g. after a file's name was put before it. */
void base_memory_leave(void) __attribute__((noreturn));

/* The same for another error that may come up where no status can be handed upwards; without a
 * base_memory_try() the program ends, for BASE_E_INPUT with exit status 2. */
void base_leave(int status) __attribute__((noreturn));

/* n as an int; what counts more ends in the same way. For lists with int indices, as the sparse
 * libraries have them. */
int base_memory_int(long n);

/* size bytes, not initialised; never NULL. Released with free(). */
void *base_memory_alloc(size_t size);
/* The block resized, as realloc; never NULL. */
void *base_memory_resize(void *block, size_t size);

/* Count size bytes as handed out: 1, or 0 and nothing counted when that is more than there is. */
int base_memory_claim(size_t size);
void base_memory_unclaim(size_t size);
/* Is there room for rows x cols elements of size bytes? For what a library is about to take. */
int base_memory_fits(size_t rows, size_t cols, size_t size);

/* The tightest limit on the memory of this process. */
struct base_memory_limit {
  double total, used; /* [bytes]; total is infinite when no limit is known */
  const char *source; /* what sets it */
};
/* claimed: bytes counted as handed out, of which some may not have been written to yet;
 * with_addresses: also the limits on addresses. */
struct base_memory_limit base_memory_limit(size_t claimed, int with_addresses);

#endif
