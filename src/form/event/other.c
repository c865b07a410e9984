/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether contacts have another solution beside the one chosen (see event.h).
 */
#include "base/status.h"
#include "form/event/event.h"
#include "la/dense.h"

/* Sweeps after which there is no other solution. */
enum { OTHER_SWEEPS = 64 };
/* Accelerations that are others, over the largest without forces. */
static const double OTHER_MOTION = 1e-6;

int event_choose_other(const struct event_choice *c, const int *sticks, struct event_choice *other,
                       struct base_arena *arena) {
  int n = 0;
  *other = *c;
  unsigned *allowed = base_arena_push(arena, (size_t)c->n * sizeof *allowed);
  for (int i = 0; i < c->n; ++i) {
    n += sticks[i];
    allowed[i] = sticks[i] ? c->allowed[i] & ~EVENT_BIT(EVENT_STICK) : c->allowed[i];
  }
  other->allowed = allowed;
  other->mode = base_arena_push(arena, (size_t)c->n * sizeof *other->mode);
  other->r = base_arena_matrix(arena, c->dim, c->n);
  other->direction = base_arena_matrix(arena, c->dim - 1, c->n);
  la_copy((long)c->n * (c->dim - 1), c->direction, other->direction);
  other->sweeps = OTHER_SWEEPS;
  return c->dim > 1 && n > 1 && event_choose(other, arena) == BASE_OK;
}

int event_moves_otherwise(const struct event_choice *c, struct base_arena *arena) {
  const int size = c->dim * c->n;
  const struct base_arena_mark mark = base_arena_mark(arena);
  int *sticks = base_arena_ints(arena, c->n), differs = 0;
  struct event_choice other;
  for (int i = 0; i < c->n; ++i) {
    sticks[i] = c->mode[i] == EVENT_STICK && !c->fixed[i];
  }
  if (event_choose_other(c, sticks, &other, arena)) {
    double *w = base_arena_doubles(arena, size);
    la_axpy(size, -1, c->r, other.r);
    la_gemv(size, size, 1, c->A, other.r, 0, w);
    differs = la_norm_inf(size, w) > OTHER_MOTION * la_norm_inf(size, c->b);
  }
  base_arena_release(arena, mark);
  return differs;
}
