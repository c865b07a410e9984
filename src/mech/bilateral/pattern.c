/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which bilateral constraints couple in G_SS = W_S^T M^-1 W_S: those that act on a common body, or
 * piece of a body (sparse.c). Entries of the lower triangle by columns, and for every
 * pair of constraints on a piece the entry it adds to, so that numbers are summed without a search.
 */
#include "mech/bilateral/parts.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

/* Constraints a body may have and stay in one piece, and of a piece: those of a few joints, whose
 * coupling fills in no more than joints in a chain do. */
enum { WHOLE_MAX = 24, PIECE_SIZE = 12 };

static int pieces_of(int items) {
  return items <= WHOLE_MAX ? 1 : (items + PIECE_SIZE - 1) / PIECE_SIZE;
}

/* Pieces, their bonds, and the pieces constraints act on. */
static void make_pieces(const struct mech *m, const int *body, struct base_arena *arena,
                        struct mech_bilateral_pattern *p) {
  const int ns = m->ns, nv = m->nv;
  int *items = base_arena_ints(arena, m->nb), *first = base_arena_ints(arena, m->nb + 1);
  int bonds = 0;
  p->first = first;
  for (int k = 0; k < 2 * ns; ++k) {
    items[body[k] >= 0 ? body[k] : 0] += body[k] >= 0;
  }
  p->root = base_arena_doubles(arena, m->nb);
  for (int b = 0; b < m->nb; ++b) {
    first[b] = p->n_pieces;
    p->n_pieces += pieces_of(items[b]);
    bonds += nv * (pieces_of(items[b]) - 1);
    p->root[b] = sqrt(pieces_of(items[b]));
  }
  first[m->nb] = p->n_pieces;
  p->n = ns + bonds;
  p->piece = base_arena_ints(arena, 2 * p->n);
  int *placed = base_arena_ints(arena, m->nb);
  for (int k = 0; k < 2 * ns; ++k) {
    const int b = body[k];
    p->piece[k] = -1;
    if (b >= 0) {
      p->piece[k] = first[b] + (pieces_of(items[b]) > 1 ? placed[b]++ / PIECE_SIZE : 0);
    }
  }
  int i = ns;
  for (int b = 0; b < m->nb; ++b) {
    for (int k = 1; k < pieces_of(items[b]); ++k) { /* a binary tree of them */
      for (int l = 0; l < nv; ++l, ++i) {
        p->piece[2 * i] = first[b] + k;
        p->piece[2 * i + 1] = first[b] + (k - 1) / 2;
      }
    }
  }
}

static void list_items(struct base_arena *arena, struct mech_bilateral_pattern *p) {
  p->start = base_arena_ints(arena, p->n_pieces + 2);
  p->item = base_arena_ints(arena, 2 * p->n);
  base_group(2 * p->n, p->piece, p->n_pieces, p->start, p->item);
}

/* Rows of column j, j first, ascending; into rows, or only counted (NULL). seen: n, > j where not
 * yet; cleared for every column by its number. */
static int column_rows(const struct mech_bilateral_pattern *p, int j, int *seen, int *rows) {
  int count = 1;
  seen[j] = j + 1;
  if (rows != NULL) {
    rows[0] = j;
  }
  for (int k = 2 * j; k < 2 * j + 2; ++k) {
    if (p->piece[k] < 0) {
      continue;
    }
    for (int e = p->start[p->piece[k]]; e < p->start[p->piece[k] + 1]; ++e) {
      const int i = p->item[e] / 2;
      if (i < j || seen[i] == j + 1) {
        continue;
      }
      seen[i] = j + 1;
      int at = count++;
      if (rows != NULL) {
        for (; at > 0 && rows[at - 1] > i; --at) { /* two ascending runs: a short merge */
          rows[at] = rows[at - 1];
        }
        rows[at] = i;
      }
    }
  }
  return count;
}

/* The entry of (i, j), i >= j, which is there. */
static int entry_of(const struct mech_bilateral_pattern *p, int i, int j) {
  int low = p->col_ptr[j], high = p->col_ptr[j + 1] - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (p->row[middle] < i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void mech_bilateral_pattern_build(const struct mech *m, const int *body, struct base_arena *arena,
                                  struct mech_bilateral_pattern *out) {
  struct mech_bilateral_pattern *p = out;
  *p = (struct mech_bilateral_pattern){0};
  make_pieces(m, body, arena, p);
  list_items(arena, p);
  int *seen = base_arena_ints(arena, p->n);
  p->col_ptr = base_arena_ints(arena, p->n + 1);
  for (int j = 0; j < p->n; ++j) {
    p->col_ptr[j + 1] = p->col_ptr[j] + column_rows(p, j, seen, NULL);
  }
  memset(seen, 0, (size_t)p->n * sizeof *seen);
  p->row = base_arena_ints(arena, p->col_ptr[p->n]);
  for (int j = 0; j < p->n; ++j) {
    column_rows(p, j, seen, p->row + p->col_ptr[j]);
  }
  size_t pairs = 0;
  for (int b = 0; b < p->n_pieces; ++b) {
    const size_t items = (size_t)(p->start[b + 1] - p->start[b]);
    pairs += items * (items + 1) / 2;
  }
  p->pair = base_arena_push(arena, pairs * sizeof *p->pair);
  int *pair = p->pair;
  for (int b = 0; b < p->n_pieces; ++b) {
    for (int e = p->start[b]; e < p->start[b + 1]; ++e) {
      for (int f = p->start[b]; f <= e; ++f) {
        *pair++ = entry_of(p, p->item[e] / 2, p->item[f] / 2);
      }
    }
  }
}
