/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts from one step to the next; see memory.h. Lists are ascending in id, so that a
 * pass over the contacts of a step meets the remembered ones by merging.
 */
#include "form/impulse/memory.h"

#include <limits.h>
#include <string.h>

void form_memory_init(struct form_memory *memory, int dim, int with_velocities, int with_descent,
                      struct base_arena *arena) {
  *memory = (struct form_memory){.store = base_arena_child(arena),
                                 .dim = dim,
                                 .with_velocities = with_velocities,
                                 .with_descent = with_descent};
}

void form_memory_reserve(struct form_memory *memory, int n) {
  memory->n = 0;
  if (n <= memory->capacity) {
    return;
  }
  const size_t to = (size_t)n + (size_t)n / 8;
  struct base_arena *store = memory->store;
  memory->capacity = (int)to;
  memory->id = base_arena_resize(store, memory->id, 0, to * sizeof *memory->id);
  memory->age = base_arena_resize(store, memory->age, 0, to * sizeof *memory->age);
  memory->closed = base_arena_resize(store, memory->closed, 0, to * sizeof *memory->closed);
  const size_t block = (size_t)memory->dim * sizeof(double);
  if (memory->with_velocities) {
    memory->v_begin = base_arena_resize(store, memory->v_begin, 0, to * block);
  }
  memory->r = base_arena_resize(store, memory->r, 0, to * block);
  if (memory->with_descent) {
    memory->descent = base_arena_resize(store, memory->descent, 0, 2 * to * block);
  }
}

void form_memory_push(struct form_memory *memory, long id, int age, int closed,
                      const double *v_begin, const double *r, const double *descent) {
  const int k = memory->n++;
  const size_t dim = (size_t)memory->dim, at = (size_t)k * dim;
  memory->id[k] = id;
  memory->age[k] = (unsigned char)(age < UCHAR_MAX ? age : UCHAR_MAX);
  memory->closed[k] = closed != 0;
  if (memory->with_velocities) {
    memcpy(memory->v_begin + at, v_begin, dim * sizeof *v_begin);
  }
  memcpy(memory->r + at, r, dim * sizeof *r);
  if (memory->with_descent) {
    memcpy(memory->descent + 2 * at, descent, 2 * dim * sizeof *descent);
  }
}

void form_memory_pass(struct form_memory *memory, struct base_blob *blob) {
  const int dim = memory->dim;
  const int n = (int)base_blob_count(blob, memory->n, INT_MAX / 2 / dim, sizeof *memory->id);
  const size_t count = (size_t)n;
  if (blob->reading) {
    form_memory_reserve(memory, n);
    memory->n = n;
  }
  base_blob_pass(blob, memory->id, count * sizeof *memory->id);
  base_blob_pass(blob, memory->age, count * sizeof *memory->age);
  base_blob_pass(blob, memory->closed, count * sizeof *memory->closed);
  base_blob_reals(blob, memory->v_begin, memory->with_velocities ? count * (size_t)dim : 0);
  base_blob_reals(blob, memory->r, count * (size_t)dim);
  base_blob_reals(blob, memory->descent, memory->with_descent ? 2 * count * (size_t)dim : 0);
}
