/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory of contacts from one step to the next, by contact id: the impulse (for warm starts), the
 * number of consecutive steps with one, whether it ended the step closed, and its velocity at the
 * beginning of the step (for bhalerao 16). Only contacts that carried a normal impulse are in it.
 */
#ifndef FORM_MEMORY_H
#define FORM_MEMORY_H

#include "base/bytes/blob.h"
#include "base/memory/arena.h"

struct form_memory {
  struct base_arena *store; /* of the arrays */
  int n, capacity, dim;
  long *id;              /* n, ascending */
  unsigned char *age;    /* n, consecutive steps with r_N > 0, this one included; 255: or more */
  unsigned char *closed; /* n, 1: it carried without a rebound */
  int with_velocities;
  double *v_begin; /* dim x n, W^T u at the beginning of the step [m/s]; NULL: not wanted */
  double *r;       /* dim x n [N s] */
  int with_descent;
  double
      *descent; /* 2 dim x n, of soft/avbd.c: stiffnesses [N/m] and offsets [m]; NULL: not wanted */
};
/* An empty memory of contacts with dim components; its arrays are the arena's. */
void form_memory_init(struct form_memory *memory, int dim, int with_velocities, int with_descent,
                      struct base_arena *arena);
/* Empty, with capacity n; contents are lost. */
void form_memory_reserve(struct form_memory *memory, int n);
/* Append a contact that carried in `age` consecutive steps; ids ascend. v_begin, r: dim; descent: 2
 * dim, NULL if not wanted. */
void form_memory_push(struct form_memory *memory, long id, int age, int closed,
                      const double *v_begin, const double *r, const double *descent);
/* Save or restore all of it, for checkpoints. */
void form_memory_pass(struct form_memory *memory, struct base_blob *blob);

#endif
