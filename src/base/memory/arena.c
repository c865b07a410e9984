/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scratch memory as a chain of blocks. Everything before `current` in the chain is in use, nothing
 * after it is; a release only moves `current` back, so the same sequence of requests finds the same
 * addresses again and asks the system for nothing. A new block is at least as large as all others
 * together, which keeps the chain short, unless there is no memory for so much. Fresh pages of a
 * mapped block are zero and take no memory before they are written to; they count against the limit
 * (base/memory/memory.h) from the moment they are handed out.
 *
 * A mark holds the current block and what was used of it. A child is freed when its parent falls
 * back to where it was made, or before. Under AddressSanitizer what is not handed out is poisoned,
 * with a gap behind every piece, so that use after release and overruns are found.
 */
#include "base/memory/arena.h"

#include "base/clock.h"
#include "base/memory/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define ARENA_GAP 64
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ARENA_GAP 0
#endif

#define ARENA_ALIGNMENT 64            /* a cache line, and the widest vector register */
#define ARENA_FIRST_BLOCK (64 * 1024) /* holds the steps of small problems whole */
#define ARENA_MAPPED (128 * 1024)     /* blocks from here on are mapped and given back one by one */

struct arena_block {
  struct arena_block *next;
  unsigned char *bytes; /* size bytes, aligned */
  size_t size;
  size_t touched; /* zero from here on, as the system gave it [bytes] */
  size_t before;  /* used in the blocks before this one, when this one is current [bytes] */
};

struct base_arena {
  struct arena_block *first;   /* NULL as long as nothing was asked for */
  struct arena_block *current; /* NULL: nothing in use */
  size_t used;                 /* of the current block [bytes] */
  size_t total;                /* size of all blocks [bytes] */
  size_t peak;                 /* [bytes] */
  struct base_arena *children; /* the youngest first */
  struct base_arena *older;    /* next child of the same parent */
  size_t place;                /* use of the parent when this child was made [bytes] */
};

struct base_arena *base_arena_alloc(void) {
  struct base_arena *arena = base_memory_alloc(sizeof *arena);
  *arena = (struct base_arena){.first = NULL};
  return arena;
}

static size_t arena_use(const struct base_arena *arena) {
  return arena->current ? arena->current->before + arena->used : 0;
}

/* Free the children made when the use was at least this. */
static void arena_free_children(struct base_arena *arena, size_t use) {
  while (arena->children && arena->children->place >= use) {
    struct base_arena *child = arena->children;
    arena->children = child->older;
    base_arena_free(child);
  }
}

/* Aligned; NULL: there is none. malloc would keep large pieces that are freed, and fill the gaps
 * with what never fits. */
static void *arena_bytes_alloc(size_t size) {
  void *bytes = NULL;
  if (size >= ARENA_MAPPED) {
    bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
  }
  return posix_memalign(&bytes, ARENA_ALIGNMENT, size) == 0 ? bytes : NULL;
}

static void arena_bytes_free(void *bytes, size_t size) {
  if (bytes && size >= ARENA_MAPPED) {
    munmap(bytes, size);
  } else {
    free(bytes);
  }
}

static void arena_block_free(struct arena_block *block) {
  ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->size);
  arena_bytes_free(block->bytes, block->size);
  base_memory_unclaim(block->touched);
  free(block);
}

static void arena_free_blocks(struct base_arena *arena) {
  for (struct arena_block *block = arena->first, *next; block; block = next) {
    next = block->next;
    arena_block_free(block);
  }
}

void base_arena_free(struct base_arena *arena) {
  if (!arena) {
    return;
  }
  arena_free_children(arena, 0);
  arena_free_blocks(arena);
  free(arena);
}

void base_arena_empty(struct base_arena *arena) {
  arena_free_children(arena, 0);
  arena_free_blocks(arena);
  arena->first = arena->current = NULL;
  arena->used = arena->total = 0;
}

struct base_arena *base_arena_child(struct base_arena *parent) {
  struct base_arena *child = base_arena_alloc();
  child->place = arena_use(parent);
  base_arena_push(parent, 1); /* marks from now on lie behind the child */
  child->older = parent->children;
  parent->children = child;
  return child;
}

/* NULL: there is no memory for it. What is touched is claimed. */
static struct arena_block *arena_block_alloc(size_t size) {
  const size_t touched = size >= ARENA_MAPPED ? 0 : size;
  struct arena_block *block = base_memory_alloc(sizeof *block);
  void *bytes = arena_bytes_alloc(size);
  if (!bytes || !base_memory_claim(touched)) {
    arena_bytes_free(bytes, size);
    free(block);
    return NULL;
  }
  ASAN_POISON_MEMORY_REGION(bytes, size);
  *block = (struct arena_block){.bytes = bytes, .size = size, .touched = touched};
  return block;
}

/* Claim the bytes of a block up to `end`: 1, or 0 when there is no memory for them. */
static int arena_block_touch(struct arena_block *block, size_t end) {
  if (end > block->touched) {
    if (!base_memory_claim(end - block->touched)) {
      return 0;
    }
    block->touched = end;
  }
  return 1;
}

/* Take the block that holds this piece alone out of the chain from `link` on and free it. */
static void arena_drop_block(struct base_arena *arena, struct arena_block **link,
                             const void *piece) {
  while ((*link)->bytes != piece) {
    link = &(*link)->next;
  }
  struct arena_block *block = *link;
  *link = block->next;
  arena->total -= block->size;
  arena_block_free(block);
}

void *base_arena_resize(struct base_arena *arena, const void *piece, size_t kept, size_t size) {
  struct arena_block *block =
      size <= PTRDIFF_MAX - ARENA_ALIGNMENT ? arena_block_alloc(size > 0 ? size : 1) : NULL;
  if (block && !arena_block_touch(block, block->size)) {
    arena_block_free(block);
    block = NULL;
  }
  if (!block) {
    base_memory_end(1, size, 1);
  }
  ASAN_UNPOISON_MEMORY_REGION(block->bytes, size);
  block->next = arena->first;
  arena->first = block;
  arena->total += block->size;
  arena->peak = arena->total > arena->peak ? arena->total : arena->peak;
  if (kept > 0) {
    memcpy(block->bytes, piece, kept);
  }
  if (piece != NULL) {
    arena_drop_block(arena, &block->next, piece);
  }
  arena->current = block; /* all blocks are in use, whatever their order */
  arena->used = block->size;
  block->before = arena->total - block->size;
  return block->bytes;
}

/* Make a block with room for size bytes the current one: the first unused one that is large enough,
 * moved to the front of the unused ones, or a new one. 1, or 0 when there is no memory for it. */
static int arena_advance(struct base_arena *arena, size_t size) {
  struct arena_block **place = arena->current ? &arena->current->next : &arena->first;
  struct arena_block **link = place;
  while (*link && (*link)->size < size) {
    link = &(*link)->next;
  }
  struct arena_block *block = *link;
  if (block) {
    *link = block->next;
  } else {
    base_clock_ask();
    size_t wanted = arena->total > ARENA_FIRST_BLOCK ? arena->total : ARENA_FIRST_BLOCK;
    block = arena_block_alloc(size > wanted ? size : wanted);
    block = block || size > wanted ? block : arena_block_alloc(size); /* with nothing in reserve */
    if (!block) {
      return 0;
    }
    arena->total += block->size;
  }
  block->next = *place;
  *place = block;
  block->before = arena_use(arena);
  arena->current = block;
  arena->used = 0;
  return 1;
}

/* The place of a piece that ends where nothing of the current block was handed out yet, or that
 * needs the next block; NULL when there is no memory for it. */
static unsigned char *arena_take_fresh(struct base_arena *arena, size_t taken, size_t *dirty) {
  if ((!arena->current || arena->current->size - arena->used < taken) &&
      !arena_advance(arena, taken)) {
    return NULL;
  }
  struct arena_block *block = arena->current;
  unsigned char *piece = block->bytes + arena->used;
  *dirty = block->touched > arena->used ? block->touched - arena->used : 0;
  return arena_block_touch(block, arena->used + taken) ? piece : NULL;
}

/* The next piece, NULL when there is no memory for it; *dirty: how much of it may have been written
 * to. */
static inline void *arena_take(struct base_arena *arena, size_t size, size_t *dirty) {
  if (size > PTRDIFF_MAX - (ARENA_GAP + ARENA_ALIGNMENT)) {
    return NULL;
  }
  const size_t taken = (size + ARENA_GAP + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
  const struct arena_block *block = arena->current;
  unsigned char *piece;
  if (block && arena->used + taken <= block->touched) {
    piece = block->bytes + arena->used;
    *dirty = taken;
  } else if (!(piece = arena_take_fresh(arena, taken, dirty))) {
    return NULL;
  }
  arena->used += taken;
  const size_t in_use = arena_use(arena);
  if (in_use > arena->peak) {
    arena->peak = in_use;
  }
  ASAN_UNPOISON_MEMORY_REGION(piece, size);
  return piece;
}

void *base_arena_array(struct base_arena *arena, size_t rows, size_t cols, size_t size) {
  size_t bytes, dirty;
  const int fits =
      !__builtin_mul_overflow(rows, cols, &bytes) && !__builtin_mul_overflow(bytes, size, &bytes);
  void *piece = fits ? arena_take(arena, bytes, &dirty) : NULL;
  if (!piece) {
    base_memory_end(rows, cols, size);
  }
  return memset(piece, 0, bytes < dirty ? bytes : dirty);
}

void *base_arena_push(struct base_arena *arena, size_t size) {
  return base_arena_array(arena, 1, size, 1);
}

void *base_arena_room(struct base_arena *arena, size_t size) {
  size_t dirty;
  void *piece = arena_take(arena, size, &dirty);
  if (!piece) {
    base_memory_end(1, size, 1);
  }
  return piece;
}

double *base_arena_matrix(struct base_arena *arena, int rows, int cols) {
  assert(rows >= 0 && cols >= 0);
  return base_arena_array(arena, (size_t)rows, (size_t)cols, sizeof(double));
}

double *base_arena_doubles(struct base_arena *arena, int n) {
  return base_arena_matrix(arena, n, 1);
}

void base_arena_vectors(struct base_arena *arena, int n, double **const *vectors) {
  for (; *vectors != NULL; ++vectors) {
    **vectors = base_arena_doubles(arena, n);
  }
}

void *base_arena_more(struct base_arena *arena, void *array, int n, size_t size) {
  if (n > 0 && (n & (n - 1)) != 0) { /* full where it holds a power of two */
    return array;
  }
  void *bigger = base_arena_array(arena, n > 0 ? 2 * (size_t)n : 1, 1, size);
  if (n > 0) {
    memcpy(bigger, array, (size_t)n * size);
  }
  return bigger;
}

int *base_arena_ints(struct base_arena *arena, int n) {
  assert(n >= 0);
  return base_arena_array(arena, (size_t)n, 1, sizeof(int));
}

long *base_arena_longs(struct base_arena *arena, int n) {
  assert(n >= 0);
  return base_arena_array(arena, (size_t)n, 1, sizeof(long));
}

char *base_arena_copy(struct base_arena *arena, const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = base_arena_push(arena, size);
  memcpy(copy, text, size);
  return copy;
}

char *base_arena_printf(struct base_arena *arena, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  assert(length >= 0);
  char *text = base_arena_push(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

struct base_arena_mark base_arena_mark(const struct base_arena *arena) {
  return (struct base_arena_mark){.block = arena->current, .used = arena->used};
}

void base_arena_release(struct base_arena *arena, struct base_arena_mark mark) {
#if defined(__SANITIZE_ADDRESS__)
  struct arena_block *from = mark.block ? mark.block : arena->first;
  for (struct arena_block *block = from; block; block = block->next) {
    const size_t keep = block == mark.block ? mark.used : 0;
    ASAN_POISON_MEMORY_REGION(block->bytes + keep, block->size - keep);
  }
#endif
  arena->current = mark.block;
  arena->used = mark.used;
  arena_free_children(arena, arena_use(arena));
}

size_t base_arena_peak(const struct base_arena *arena) {
  size_t peak = arena->peak;
  for (const struct base_arena *child = arena->children; child; child = child->older) {
    peak += base_arena_peak(child);
  }
  return peak;
}
