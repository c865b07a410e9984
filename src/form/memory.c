/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contacts from one step to the next; see memory.h. Lists are ascending in id, so that a pass over
 * the contacts of a step meets the remembered ones by merging.
 */
#include "form/memory.h"

#include <limits.h>
#include <string.h>

void form_memory_reserve(struct form_memory *memory, int dim, int n, struct base_arena *arena) {
  memory->n = 0;
  memory->dim = dim;
  if (n <= memory->capacity) {
    return;
  }
  memory->capacity = n > 2 * memory->capacity ? n : 2 * memory->capacity;
  memory->id = base_arena_longs(arena, memory->capacity);
  memory->age = base_arena_ints(arena, memory->capacity);
  memory->v_begin = base_arena_doubles(arena, memory->capacity);
  memory->r = base_arena_doubles(arena, dim * memory->capacity);
}

int form_memory_find(const struct form_memory *memory, long id, int *cursor) {
  while (*cursor < memory->n && memory->id[*cursor] < id) {
    ++*cursor;
  }
  return *cursor < memory->n && memory->id[*cursor] == id ? *cursor : -1;
}

void form_memory_push(struct form_memory *memory, long id, int age, double v_begin,
                      const double *r) {
  const int k = memory->n++;
  memory->id[k] = id;
  memory->age[k] = age;
  memory->v_begin[k] = v_begin;
  memcpy(memory->r + (size_t)k * (size_t)memory->dim, r, (size_t)memory->dim * sizeof *r);
}

void form_memory_pass(struct form_memory *memory, int dim, struct base_arena *arena,
                      struct base_blob *blob) {
  const int n = (int)base_blob_count(blob, memory->n, INT_MAX / dim);
  const size_t count = (size_t)n;
  if (blob->reading) {
    if (count > (blob->n - blob->at) / sizeof(double)) {
      return; /* cut short: the first array says so */
    }
    form_memory_reserve(memory, dim, n, arena);
    memory->n = n;
  }
  base_blob_pass(blob, memory->id, count * sizeof *memory->id);
  base_blob_pass(blob, memory->age, count * sizeof *memory->age);
  base_blob_pass(blob, memory->v_begin, count * sizeof *memory->v_begin);
  base_blob_pass(blob, memory->r, count * (size_t)dim * sizeof *memory->r);
}
