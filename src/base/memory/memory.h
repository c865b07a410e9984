/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory from the system. Callers need not check for NULL: if an allocation fails, the innermost
 * running base_memory_try() ends, or else the program, with one line that gives the number of bytes
 * and the limit that was exceeded.
 *
 * Linux grants more memory than it has, and kills the process when the pages are written to. Arenas
 * and JSON therefore count the bytes they hand out (claim) and keep them below the available memory
 * of the machine or of the control group, whichever is less. A limit on addresses (ulimit -v) is
 * enforced by the system; it also serves to set a lower limit.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Call work(data). BASE_OK, or with a message BASE_UNSUPPORTED if memory ran out, or the status
 * given to base_leave. In these cases work was left by longjmp: its pieces of arenas are freed when
 * the arenas are released; other resources that it held must be freed by the caller or are lost.
 * Calls may nest. Parallel work must not allocate. */
int base_memory_try(void (*work)(void *data), void *data);
/* End the work because rows x cols elements of size bytes are not available. */
void base_memory_end(size_t rows, size_t cols, size_t size) __attribute__((noreturn));
/* The same with the last message, e.g. after base_message_prefix. */
void base_memory_leave(void) __attribute__((noreturn));

/* End the work with another error, in a function that cannot return a status. Without a
 * base_memory_try() the program ends, for BASE_E_INPUT with exit status 2. */
void base_leave(int status) __attribute__((noreturn));

/* n as an int; ends the work if it does not fit. For lists with int indices, as the sparse
 * libraries have them. */
int base_memory_int(long n);

/* size bytes, not initialised; never NULL. Released with free(). */
void *base_memory_alloc(size_t size);
/* The block resized, as realloc; never NULL. */
void *base_memory_resize(void *block, size_t size);

/* Count size bytes as handed out; returns 1, or 0 without counting if they exceed the limit. */
int base_memory_claim(size_t size);
/* Count size bytes as returned. */
void base_memory_unclaim(size_t size);
/* Are rows x cols elements of size bytes available? For memory that a library will allocate. */
int base_memory_fits(size_t rows, size_t cols, size_t size);

/* The lowest limit on the memory of this process. */
struct base_memory_limit {
  double total, used; /* [bytes]; total is infinite when no limit is known */
  const char *source; /* of the limit, in words */
};
/* claimed: bytes counted as handed out, of which some may not have been written to yet;
 * with_addresses: consider also the limits on addresses. */
struct base_memory_limit base_memory_limit(size_t claimed, int with_addresses);

#endif
