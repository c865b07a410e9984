/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nested dissection of a graph that has an order of elimination with little fill-in, to one whose
 * elimination tree is low as well: what one unknown has to do with another then meets after few
 * steps, for chains and trees O(log n) of them, where minimum degree eliminates a chain from its
 * end on and its tree has n levels.
 */
#ifndef LA_DISSECT_H
#define LA_DISSECT_H

#include "base/memory/arena.h"

/* Of the graph with n nodes numbered in an order with little fill-in; neighbours with a smaller
 * number by columns, ptr: n + 1, row: ptr[n] (the diagonal may be among them). order: n, nodes in
 * the order in which to eliminate them. Scratch from the arena, released. */
void la_dissect(int n, const int *ptr, const int *row, int *order, struct base_arena *arena);

#endif
