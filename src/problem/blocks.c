/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks and their colours; see blocks.h. Where contacts are numbered along with their place, as
 * after a broad phase by cells, blocks are cut from the list as it stands: a sweep then reads
 * memory in order. Where that takes too many colours, since numbers say nothing about places,
 * blocks grow breadth first over bodies: from the unvisited body of lowest number, which takes
 * along all its contacts that have no block yet, until there are enough. Colours are given
 * greedily, in order of blocks: the lowest that no block with a common body has; a body keeps the
 * colours of its blocks as bits. A body that has used them all (a drum that all the others touch)
 * gives its further blocks colours of their own. Cost O(nc).
 */
#include "problem/blocks.h"

#include "base/sort.h"

#include <stdint.h>

/* Contacts a block: long enough that handing it out costs nothing beside relaxing it (some 15
 * microseconds), short enough for many blocks a colour. */
enum { BLOCK_CONTACTS = 256, COLOURS_SHARED = 64 };
/* Cut blocks will do with so few colours, or so many blocks in each. */
enum { CUT_COLOURS_MAX = 16, BLOCKS_A_COLOUR = 32 };

struct growth {
  const struct problem_operator *A;
  int *start; /* nb + 1, into list */
  int *list;  /* contacts of each body, ascending */
  int *block; /* nc, -1: none yet */
  int *queue; /* nb */
  int *seen;  /* nb, 1: visited; else 0 */
};

static void list_contacts(struct growth *g, struct base_arena *arena) {
  const struct problem_operator *A = g->A;
  g->start = base_arena_ints(arena, A->nb + 2);
  g->list = base_arena_array(arena, 2, (size_t)A->nc, sizeof(int));
  base_group(2 * A->nc, A->body, A->nb, g->start, g->list);
  for (int k = 0; k < g->start[A->nb]; ++k) {
    g->list[k] /= 2; /* sides of contacts */
  }
}

/* The contacts of a body into a block, its neighbours into the queue; returns how many contacts
 * were new. */
static int take_body(struct growth *g, int k, int block, int *queued) {
  int taken = 0;
  for (int e = g->start[k]; e < g->start[k + 1]; ++e) {
    const int i = g->list[e];
    if (g->block[i] >= 0) {
      continue;
    }
    g->block[i] = block;
    ++taken;
    for (int side = 0; side < 2; ++side) {
      const int other = g->A->body[2 * i + side];
      if (other >= 0 && !g->seen[other]) {
        g->seen[other] = 1;
        g->queue[(*queued)++] = other;
      }
    }
  }
  return taken;
}

/* Blocks of all contacts with a body, of `least` contacts or a few more where there are as many;
 * returns their number. */
static int grow_blocks(struct growth *g, int least) {
  int n = 0;
  for (int seed = 0; seed < g->A->nb;) {
    if (g->seen[seed]) {
      ++seed;
      continue;
    }
    int queued = 0, size = 0, at = 0;
    g->seen[seed] = 1;
    g->queue[queued++] = seed;
    for (; at < queued && size < least; ++at) {
      size += take_body(g, g->queue[at], n, &queued);
    }
    for (; at < queued; ++at) {
      g->seen[g->queue[at]] = 0; /* left to later blocks; all have higher numbers than the seed */
    }
    n += size > 0;
  }
  return n;
}

/* Lowest colour that no body of the block has; a new one of its own if all are taken. */
static int choose_colour(const struct problem_operator *A, const int *order, int from, int to,
                         uint64_t *used, int *n_colours) {
  uint64_t taken = 0;
  for (int m = 2 * from; m < 2 * to; ++m) {
    const int k = A->body[2 * order[m / 2] + m % 2];
    taken |= k >= 0 ? used[k] : 0;
  }
  const int shared = taken != UINT64_MAX;
  const int colour = shared                        ? __builtin_ctzll(~taken)
                     : *n_colours > COLOURS_SHARED ? *n_colours
                                                   : COLOURS_SHARED;
  for (int m = 2 * from; shared && m < 2 * to; ++m) {
    const int k = A->body[2 * order[m / 2] + m % 2];
    if (k >= 0) {
      used[k] |= (uint64_t)1 << colour;
    }
  }
  *n_colours = colour + 1 > *n_colours ? colour + 1 : *n_colours;
  return colour;
}

/* Stable sort of n items by key 0 ... m - 1: start (m + 1) and the items in order. */
static void sort_by_key(int n, const int *key, int m, int *start, int *items) {
  for (int i = 0; i < n; ++i) {
    ++start[key[i] + 1];
  }
  for (int k = 0; k < m; ++k) {
    start[k + 1] += start[k];
  }
  for (int i = 0; i < n; ++i) {
    items[start[key[i]]++] = i;
  }
  for (int k = m; k > 0; --k) {
    start[k] = start[k - 1];
  }
  start[0] = 0;
}

static struct problem_blocks *one_block(int nc, struct base_arena *arena) {
  struct problem_blocks *x = base_arena_push(arena, sizeof *x);
  x->n_colours = x->n_blocks = 1;
  x->colour_start = base_arena_ints(arena, 2);
  x->block_start = base_arena_ints(arena, 2);
  x->order = base_arena_ints(arena, nc);
  x->colour_start[1] = 1;
  x->block_start[1] = nc;
  for (int i = 0; i < nc; ++i) {
    x->order[i] = i;
  }
  return x;
}

/* Blocks in order of their colours. first: n_blocks + 1 and order: nc, of the blocks as grown. */
static void arrange(struct problem_blocks *x, const int *colour, const int *first, const int *order,
                    struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  int *blocks = base_arena_ints(arena, x->n_blocks);
  sort_by_key(x->n_blocks, colour, x->n_colours, x->colour_start, blocks);
  int at = 0;
  for (int k = 0; k < x->n_blocks; ++k) {
    for (int m = first[blocks[k]]; m < first[blocks[k] + 1]; ++m) {
      x->order[at++] = order[m];
    }
    x->block_start[k + 1] = at;
  }
  base_arena_release(arena, mark);
}

/* What becomes the result: blocks in the order of their numbers, with their colours. */
struct coloured {
  int n_blocks, n_colours;
  int *first, *order, *colour; /* n_blocks + 1; nc; n_blocks */
};

/* block: nc, numbers of blocks 0 ... n_blocks - 1 */
static struct coloured colour_blocks(const struct problem_operator *A, int n_blocks,
                                     const int *block, struct base_arena *scratch) {
  struct coloured x = {.n_blocks = n_blocks,
                       .first = base_arena_ints(scratch, n_blocks + 1),
                       .order = base_arena_ints(scratch, A->nc),
                       .colour = base_arena_ints(scratch, n_blocks)};
  uint64_t *used = base_arena_push(scratch, (size_t)A->nb * sizeof *used);
  sort_by_key(A->nc, block, n_blocks, x.first, x.order);
  for (int k = 0; k < n_blocks; ++k) {
    x.colour[k] = choose_colour(A, x.order, x.first[k], x.first[k + 1], used, &x.n_colours);
  }
  return x;
}

/* Contacts as they are numbered, BLOCK_CONTACTS at a time. */
static struct coloured cut(const struct problem_operator *A, struct base_arena *scratch) {
  int *block = base_arena_ints(scratch, A->nc);
  for (int i = 0; i < A->nc; ++i) {
    block[i] = i / BLOCK_CONTACTS;
  }
  return colour_blocks(A, (A->nc + BLOCK_CONTACTS - 1) / BLOCK_CONTACTS, block, scratch);
}

/* The number of the block of each contact (nc), and their number. */
static int grow_all(const struct problem_operator *A, int least, struct base_arena *scratch,
                    int **block) {
  struct growth g = {.A = A,
                     .block = base_arena_ints(scratch, A->nc),
                     .queue = base_arena_ints(scratch, A->nb),
                     .seen = base_arena_ints(scratch, A->nb)};
  for (int i = 0; i < A->nc; ++i) {
    g.block[i] = -1;
  }
  list_contacts(&g, scratch);
  const int n = grow_blocks(&g, least);
  int lone = 0; /* contacts of the world with itself */
  for (int i = 0; i < A->nc; ++i) {
    if (g.block[i] < 0) {
      g.block[i] = n;
      lone = 1;
    }
  }
  *block = g.block;
  return n + lone;
}

static struct coloured grow(const struct problem_operator *A, struct base_arena *scratch) {
  int *block;
  const int n = grow_all(A, BLOCK_CONTACTS, scratch, &block);
  return colour_blocks(A, n, block, scratch);
}

struct problem_blocks *problem_blocks_build(const struct problem_operator *A,
                                            struct base_arena *arena) {
  if (A->kind != PROBLEM_OPERATOR_BODIES || A->nc == 0) {
    return one_block(A->nc, arena);
  }
  struct base_arena *scratch = base_arena_alloc();
  struct coloured made = cut(A, scratch);
  if (made.n_colours > CUT_COLOURS_MAX && made.n_colours > made.n_blocks / BLOCKS_A_COLOUR) {
    made = grow(A, scratch);
  }
  struct problem_blocks *x = base_arena_push(arena, sizeof *x);
  x->n_blocks = made.n_blocks;
  x->n_colours = made.n_colours;
  x->colour_start = base_arena_ints(arena, x->n_colours + 1);
  x->block_start = base_arena_ints(arena, x->n_blocks + 1);
  x->order = base_arena_ints(arena, A->nc);
  arrange(x, made.colour, made.first, made.order, scratch);
  base_arena_free(scratch);
  return x;
}

struct problem_domains problem_domains_build(const struct problem_operator *A, int n, int is_grown,
                                             struct base_arena *arena) {
  const int nc = A->nc;
  struct problem_domains x = {.n = n < nc ? n : nc};
  x.start = base_arena_ints(arena, x.n + 1);
  x.order = base_arena_ints(arena, nc);
  struct base_arena *scratch = base_arena_alloc();
  int *domain = base_arena_ints(scratch, nc), *by_block = base_arena_ints(scratch, nc);
  for (int i = 0; i < nc; ++i) {
    by_block[i] = i;
  }
  if (is_grown && A->kind == PROBLEM_OPERATOR_BODIES && nc > 0) {
    int *block;
    const int blocks = grow_all(A, (nc + x.n - 1) / x.n, scratch, &block);
    sort_by_key(nc, block, blocks, base_arena_ints(scratch, blocks + 1), by_block);
  }
  for (int k = 0; k < nc; ++k) {
    domain[by_block[k]] = (int)((long)k * x.n / nc);
  }
  sort_by_key(nc, domain, x.n, x.start, x.order);
  base_arena_free(scratch);
  return x;
}
