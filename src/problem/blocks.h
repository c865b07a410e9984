/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts in blocks that threads may relax at the same time. A block is a few hundred contacts of
 * neighbouring bodies; blocks of one colour share no body. A sweep goes through the colours one
 * after the other, through the blocks of a colour in any order or at once, and through the contacts
 * of a block in their order: Gauss-Seidel in a certain order of contacts, and the same bits for any
 * number of threads, since neither blocks nor colours depend on it. They depend on the numbers of
 * contacts and bodies alone, never on where those lie in memory.
 */
#ifndef PROBLEM_BLOCKS_H
#define PROBLEM_BLOCKS_H

#include "problem/problem.h"

struct problem_blocks {
  int n_colours, n_blocks;
  int *colour_start; /* n_colours + 1, into blocks */
  int *block_start;  /* n_blocks + 1, into order */
  int *order;        /* nc, contacts; ascending within a block */
};

/* Everything from the arena. An operator in another form than by bodies is one block. */
struct problem_blocks *problem_blocks_build(const struct problem_operator *A,
                                            struct base_arena *arena);

/* Contacts in n domains of equal size (up to one contact), which may share bodies. Contacts are
 * taken in the order of their numbers (is_grown = 0), which is spatial if a broad phase has
 * numbered them by cells, or in the order of blocks grown over neighbouring bodies. Contacts ascend
 * within a domain. An operator in another form than by bodies always has the order of numbers. */
struct problem_domains {
  int n;      /* no more than there are contacts */
  int *start; /* n + 1, into order */
  int *order; /* nc */
};
struct problem_domains problem_domains_build(const struct problem_operator *A, int n, int is_grown,
                                             struct base_arena *arena);

#endif
