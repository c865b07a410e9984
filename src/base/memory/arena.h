/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scratch memory with mark and release. Blocks are kept when released, so that a time step that
 * marks at its start and releases at its end allocates from the system only while it is the largest
 * step so far. Memory handed out stays where it is until released (blocks never move) and is
 * aligned to 64 bytes. A piece that does not fit into memory, or whose size overflows, ends what is
 * under way as base/memory/memory.h says; nobody gets NULL.
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
/* An arena of its own that goes with its parent: freed with it, or when the parent is released to a
 * mark from before. For what has to stay while others mark and release in the parent. */
struct base_arena *base_arena_child(struct base_arena *parent);

/* size bytes, zeroed. size 0 gives a valid, unusable address. */
void *base_arena_push(struct base_arena *arena, size_t size);
/* size bytes, uninitialised: pages never written to take no memory. */
void *base_arena_room(struct base_arena *arena, size_t size);
/* rows x cols elements of size bytes, zeroed: for every number of elements that is a product. */
void *base_arena_array(struct base_arena *arena, size_t rows, size_t cols, size_t size);
double *base_arena_matrix(struct base_arena *arena, int rows, int cols); /* zeroed */
double *base_arena_doubles(struct base_arena *arena, int n);             /* n doubles, zeroed */
/* An array of n elements of `size` bytes, which grows by one after the other, with room for one more:
 * where it is full, a copy of it that can hold twice as many. It is NULL at first. */
void *base_arena_more(struct base_arena *arena, void *array, int n, size_t size);
/* As base_arena_doubles for each of the places, of which the last is NULL. */
void base_arena_vectors(struct base_arena *arena, int n, double **const *vectors);
#define BASE_ARENA_VECTORS(arena, n, ...)                                                          \
  base_arena_vectors(arena, n, (double **const[]){__VA_ARGS__, NULL})
int *base_arena_ints(struct base_arena *arena, int n);   /* n ints, zeroed */
long *base_arena_longs(struct base_arena *arena, int n); /* n longs, zeroed */
char *base_arena_copy(struct base_arena *arena, const char *text);
char *base_arena_printf(struct base_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

struct base_arena_mark base_arena_mark(const struct base_arena *arena);
void base_arena_release(struct base_arena *arena, struct base_arena_mark mark);
/* For arenas whose pieces all come from here, and grow: the first `kept` bytes of a piece (NULL:
 * none yet) move to one of `size` bytes, whose rest is not initialised, so that room in reserve
 * costs addresses only. The old piece goes back to the system. */
void *base_arena_resize(struct base_arena *arena, const void *piece, size_t kept, size_t size);
/* Give all memory back to the system; nothing of the arena, nor of its children, may be in use. Not
 * to be called on an arena with marks that are still to be released. */
void base_arena_empty(struct base_arena *arena);
size_t base_arena_peak(const struct base_arena *arena); /* largest use so far [bytes] */

#endif
