/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nested dissection: from an elimination order with little fill-in to one whose elimination tree is
 * also low. For chains and trees it has O(log n) levels, so the paths from two unknowns to their
 * common ancestor are short. Minimum degree eliminates a chain from its end, which gives n levels.
 */
#ifndef LA_DISSECT_H
#define LA_DISSECT_H

#include "base/memory/arena.h"

/* order: n, the nodes in the order of their elimination, for a graph with n nodes that are numbered
 * in an order with little fill-in. ptr: n + 1, row: ptr[n]: for each node, as a column, its
 * neighbours with a smaller number (the diagonal may be among them). Scratch is from the arena and
 * released. */
void la_dissect(int n, const int *ptr, const int *row, int *order, struct base_arena *arena);

#endif
