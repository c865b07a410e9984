/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scratch memory with mark and release. Released blocks are kept for later use: a time step that
 * marks at its start and releases at its end allocates from the system only if it needs more than
 * every step before. Pieces are aligned to 64 bytes and do not move until released. If memory runs
 * out, or the size of a piece overflows, the work ends as described in base/memory/memory.h;
 * functions never return NULL.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct base_arena;
struct base_arena_mark {
  void *block;
  size_t used;
};

struct base_arena *base_arena_alloc(void);
void base_arena_free(struct base_arena *arena); /* takes NULL */
/* A child arena, with marks independent of those of its parent. It is freed with the parent, or
 * when the parent is released to an earlier mark. For data that must survive later releases in the
 * parent. */
struct base_arena *base_arena_child(struct base_arena *parent);

/* size bytes, zeroed. For size 0 a valid address that must not be used. */
void *base_arena_push(struct base_arena *arena, size_t size);
/* size bytes, uninitialised: pages never written to take no memory. */
void *base_arena_room(struct base_arena *arena, size_t size);
/* rows x cols elements of size bytes, zeroed; checks the product for overflow. */
void *base_arena_array(struct base_arena *arena, size_t rows, size_t cols, size_t size);
double *base_arena_matrix(struct base_arena *arena, int rows, int cols); /* zeroed */
double *base_arena_doubles(struct base_arena *arena, int n);             /* n doubles, zeroed */
/* Make room for element n of an array that grows one element at a time: returns the array, or, if
 * it is full, a copy with twice the capacity. n elements of `size` bytes are in use; at first array
 * is NULL. */
void *base_arena_more(struct base_arena *arena, void *array, int n, size_t size);
/* base_arena_doubles for each of a NULL-terminated list of pointers. */
void base_arena_vectors(struct base_arena *arena, int n, double **const *vectors);
#define BASE_ARENA_VECTORS(arena, n, ...)                                                          \
  base_arena_vectors(arena, n, (double **const[]){__VA_ARGS__, NULL})
int *base_arena_ints(struct base_arena *arena, int n);   /* n ints, zeroed */
long *base_arena_longs(struct base_arena *arena, int n); /* n longs, zeroed */
/* A copy of a text, and a text made by printf. */
char *base_arena_copy(struct base_arena *arena, const char *text);
char *base_arena_printf(struct base_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The present use of an arena, and the release of all pieces pushed since. */
struct base_arena_mark base_arena_mark(const struct base_arena *arena);
void base_arena_release(struct base_arena *arena, struct base_arena_mark mark);
/* Enlarge a piece (NULL: none yet): the first `kept` bytes are copied to a new piece of `size`
 * bytes, and the old one is returned to the system. The rest is not initialised, so unused capacity
 * takes address space but no memory. Only for arenas whose pieces all come from this function. */
void *base_arena_resize(struct base_arena *arena, const void *piece, size_t kept, size_t size);
/* Return all memory to the system. No piece of the arena or its children may be in use, and no mark
 * may be released afterwards. */
void base_arena_empty(struct base_arena *arena);
size_t base_arena_peak(const struct base_arena *arena); /* largest use so far [bytes] */

#endif
