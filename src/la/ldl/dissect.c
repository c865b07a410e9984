/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nested dissection by the separators of a chordal graph. Elimination fills the graph in to a
 * chordal one. Let up(j) be the neighbours of j in it that are eliminated later; the first of them
 * is the parent of j in the elimination tree. What is below j meets the rest only in up(j), and
 * what is below one child of j meets what is below another only in j and up(j): both are
 * separators, as small as the columns of the factor are short. They are eliminated last, and what
 * falls apart without them is dissected in the same way, round by round for all parts at once.
 * Parts keep the order they came in, which is one without fill-in for any part of a chordal graph
 * (Rose, Tarjan and Lueker, SIAM J. Comput. 5 (1976)).
 *
 * A part of t nodes is cut at the shortest up(j) with t/3 to 2t/3 nodes below j; where no node has
 * so many, at the node and up(j) of the lowest j with at least t/2. Parts are at most 2t/3 either
 * way, so that there are O(log n) rounds, each as long as the filled graph is large.
 */
#include "la/ldl/dissect.h"

#include "base/memory/memory.h"

#include <string.h>

enum { SMALL = 8 }; /* nodes of a part that is not cut */

struct filled {
  int n;
  int *ptr, *up; /* n + 1; ptr[n], ascending: later neighbours of each node */
};

/* up(j): neighbours of j, and of its children in the elimination tree. */
static struct filled fill_in(int n, const int *ptr, const int *row, struct base_arena *arena) {
  struct filled f = {.n = n, .ptr = base_arena_ints(arena, n + 1)};
  int *parent = base_arena_ints(arena, n), *seen = base_arena_ints(arena, n);
  for (int pass = 0; pass < 2; ++pass) { /* rows of the factor by climbing the tree (Liu) */
    for (int j = 0; j < n; ++j) {
      parent[j] = pass == 0 ? -1 : parent[j];
      seen[j] = -1;
    }
    for (int j = 0; j < n; ++j) {
      seen[j] = j;
      for (int e = ptr[j]; e < ptr[j + 1]; ++e) {
        for (int i = row[e]; i < j && seen[i] != j; i = parent[i]) {
          seen[i] = j;
          if (parent[i] < 0) {
            parent[i] = j;
          }
          if (pass == 0) {
            ++f.ptr[i + 1];
          } else {
            f.up[f.ptr[i]++] = j;
          }
        }
      }
    }
    if (pass == 0) {
      for (int j = 0; j < n; ++j) {
        f.ptr[j + 1] = base_memory_int((long)f.ptr[j] + f.ptr[j + 1]);
      }
      f.up = base_arena_ints(arena, f.ptr[n]);
    }
  }
  memmove(f.ptr + 1, f.ptr, (size_t)n * sizeof *f.ptr); /* each is where the next begins now */
  f.ptr[0] = 0;
  return f;
}

/* All n; of nodes that are not cut out yet. */
struct parts {
  const struct filled *f;
  int *round;        /* in which a node was cut out; -1: not yet */
  int *parent;       /* in the part's elimination tree; -1: its root */
  int *root, *below; /* of its part; nodes from it downwards, itself included */
  int *later;        /* how many of up(j) are not cut out */
  int *cut,
      *middle; /* of roots: the node whose up(j) is the cut; that to cut with up(j); -1: none */
};

static void find_trees(struct parts *p) {
  for (int j = p->f->n - 1; j >= 0; --j) {
    p->below[j] = 1;
    p->parent[j] = p->cut[j] = p->middle[j] = -1;
    p->later[j] = 0;
    for (int e = p->f->ptr[j + 1] - 1; e >= p->f->ptr[j] && p->round[j] < 0; --e) {
      if (p->round[p->f->up[e]] < 0) {
        p->parent[j] = p->f->up[e]; /* the first of them in the end */
        ++p->later[j];
      }
    }
    p->root[j] = p->parent[j] < 0 ? j : p->root[p->parent[j]];
  }
  for (int j = 0; j < p->f->n; ++j) {
    if (p->parent[j] >= 0) {
      p->below[p->parent[j]] += p->below[j];
    }
  }
}

static void find_cuts(struct parts *p) {
  for (int j = 0; j < p->f->n; ++j) {
    const int root = p->root[j], total = p->below[root];
    if (p->round[j] >= 0) {
      continue;
    }
    if (3L * p->below[j] >= total && 3L * p->below[j] <= 2L * total &&
        (p->cut[root] < 0 || p->later[j] < p->later[p->cut[root]])) {
      p->cut[root] = j;
    }
    if (2L * p->below[j] >= total && p->middle[root] < 0) {
      p->middle[root] = j;
    }
  }
}

/* Cuts every part, or takes it as a whole; how many nodes that were. */
static int cut_all(struct parts *p, int round) {
  int count = 0;
  for (int j = 0; j < p->f->n; ++j) {
    const int root = p->root[j];
    if (p->round[j] >= 0 && p->round[j] < round) {
      continue;
    }
    if (p->below[root] <= SMALL) {
      count += p->round[j] < 0;
      p->round[j] = round;
      continue;
    }
    const int is_cut = p->cut[root] == j, is_middle = p->cut[root] < 0 && p->middle[root] == j;
    if (is_middle && p->round[j] < 0) {
      p->round[j] = round;
      ++count;
    }
    for (int e = p->f->ptr[j]; e < p->f->ptr[j + 1] && (is_cut || is_middle); ++e) {
      const int i = p->f->up[e];
      count += p->round[i] < 0;
      p->round[i] = p->round[i] < 0 ? round : p->round[i];
    }
  }
  return count;
}

void la_dissect(int n, const int *ptr, const int *row, int *order, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const struct filled f = fill_in(n, ptr, row, arena);
  struct parts p = {.f = &f,
                    .round = base_arena_ints(arena, n),
                    .parent = base_arena_ints(arena, n),
                    .root = base_arena_ints(arena, n),
                    .below = base_arena_ints(arena, n),
                    .later = base_arena_ints(arena, n),
                    .cut = base_arena_ints(arena, n),
                    .middle = base_arena_ints(arena, n)};
  int rounds = 0;
  memset(p.round, -1, (size_t)n * sizeof *p.round);
  for (int left = n; left > 0; ++rounds) {
    find_trees(&p);
    find_cuts(&p);
    left -= cut_all(&p, rounds);
  }
  int *start = base_arena_ints(arena, rounds + 1); /* of rounds, the last one first */
  for (int j = 0; j < n; ++j) {
    ++start[rounds - p.round[j]];
  }
  for (int k = 0; k < rounds; ++k) {
    start[k + 1] += start[k];
  }
  for (int j = 0; j < n; ++j) {
    order[start[rounds - 1 - p.round[j]]++] = j;
  }
  base_arena_release(arena, mark);
}
