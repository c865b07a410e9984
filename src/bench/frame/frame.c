/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows, columns and values of a frame; see frame.h.
 */
#include "bench/frame/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/arena.h"
#include "base/names.h"
#include "base/status.h"

struct frame_value frame_word(const char *text) {
  return (struct frame_value){.kind = FRAME_TEXT, .text = text};
}

struct frame_value frame_number(double x) {
  return (struct frame_value){.kind = FRAME_NUMBER, .number = x};
}

double *frame_vector(struct base_arena *arena, int n, struct frame_value *value) {
  struct frame_list *list = base_arena_push(arena, sizeof *list);
  double *x = base_arena_doubles(arena, n);
  *list = (struct frame_list){.n = n, .x = x};
  *value = (struct frame_value){.kind = FRAME_LIST, .list = list};
  return x;
}

double *frame_vector_or_number(struct base_arena *arena, int n, struct frame_value *value) {
  if (n >= 0) {
    return frame_vector(arena, n, value);
  }
  *value = frame_number(NAN);
  return &value->number;
}

const double *frame_entries(const struct frame_value *v, int *n) {
  static const double none = NAN;
  *n = v->kind == FRAME_LIST ? v->list->n : 1;
  return v->kind == FRAME_LIST ? v->list->x : v->kind == FRAME_NUMBER ? &v->number : &none;
}

struct frame *frame_new(struct base_arena *arena) {
  struct frame *f = base_arena_push(arena, sizeof *f);
  *f = (struct frame){.arena = arena};
  return f;
}

int frame_find(const struct frame *f, const char *name) {
  for (int i = 0; i < f->n_columns; ++i) {
    if (strcmp(f->columns[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

const char **frame_names(const struct frame *f, struct base_arena *arena) {
  const char **names = base_arena_push(arena, (size_t)(f->n_columns + 1) * sizeof *names);
  for (int i = 0; i < f->n_columns; ++i) {
    names[i] = f->columns[i].name;
  }
  return names;
}

const char *frame_hint(const char *name, int n, const char *const *names) {
  static _Thread_local char hint[BASE_NAME_MAX + 32];
  const int near = base_name_nearest(name, n, names);
  snprintf(hint, sizeof hint, near >= 0 ? "; did you mean '%.*s'?" : "", BASE_NAME_MAX,
           near >= 0 ? names[near] : "");
  return hint;
}

int frame_need(const struct frame *f, const char *name, const char *file) {
  const int found = frame_find(f, name);
  if (found >= 0) {
    return found;
  }
  const struct base_arena_mark mark = base_arena_mark(f->arena);
  base_fail(BASE_E_INPUT, "%s: no column '%s' at this place%s", file, name,
            frame_hint(name, f->n_columns, frame_names(f, f->arena)));
  base_arena_release(f->arena, mark);
  return -1;
}

static const struct frame_value missing = {.kind = FRAME_NUMBER, .number = NAN};

/* Values of so many bytes have an arena of their own, given back as soon as others stand for
 * them. */
enum { LARGE = 1 << 20 };

void frame_drop_values(struct frame *f) {
  if (f->store != NULL) {
    base_arena_empty(f->store);
  }
  f->store = NULL;
  f->values = NULL;
  f->n_rows = f->capacity = 0;
}

/* Room for so many columns and rows, no fewer than there are. */
static void resize(struct frame *f, int width, long capacity) {
  const size_t row_size = (size_t)width * sizeof *f->values;
  const int is_large = row_size > 0 && (size_t)capacity > LARGE / row_size;
  struct frame before = *f;
  f->store = is_large ? base_arena_child(f->arena) : NULL;
  f->columns = base_arena_push(f->arena, (size_t)width * sizeof *f->columns);
  f->values = base_arena_array(is_large ? f->store : f->arena, (size_t)capacity, row_size, 1);
  f->width = width;
  f->capacity = capacity;
  if (f->n_columns > 0) {
    memcpy(f->columns, before.columns, (size_t)f->n_columns * sizeof *f->columns);
  }
  for (long row = 0; row < f->n_rows; ++row) {
    for (int i = 0; i < f->n_columns; ++i) {
      *frame_at(f, row, i) = *frame_at(&before, row, i);
    }
  }
  frame_drop_values(&before);
}

int frame_add(struct frame *f, const char *name, const char *unit) {
  const int found = frame_find(f, name);
  if (found >= 0) {
    return found;
  }
  const int before = f->n_columns;
  if (before == f->width) { /* many, so that many are added in little time */
    resize(f, before < 8 ? 8 : before + before / 2, f->capacity);
  }
  f->columns[before] = (struct frame_column){.name = base_arena_copy(f->arena, name),
                                             .unit = base_arena_copy(f->arena, unit)};
  ++f->n_columns;
  for (long row = 0; row < f->n_rows; ++row) {
    *frame_at(f, row, before) = missing;
  }
  return before;
}

void frame_reserve(struct frame *f, long rows) {
  if (f->capacity < rows) {
    resize(f, f->width, rows);
  }
}

long frame_push(struct frame *f) {
  if (f->n_rows == f->capacity) {
    resize(f, f->width, f->capacity == 0 ? 64 : 2 * f->capacity);
  }
  const long row = f->n_rows++;
  for (int i = 0; i < f->n_columns; ++i) {
    *frame_at(f, row, i) = missing;
  }
  return row;
}

struct frame *frame_like(const struct frame *f, long capacity) {
  struct frame *made = frame_new(f->arena);
  resize(made, f->n_columns, capacity);
  memcpy(made->columns, f->columns, (size_t)f->n_columns * sizeof *f->columns);
  made->n_columns = f->n_columns;
  return made;
}

struct frame *frame_part(const struct frame *f, long n, const long *rows) {
  struct frame *made = frame_like(f, n);
  for (long i = 0; i < n; ++i) {
    frame_push_copy(made, f, rows[i]);
  }
  return made;
}

struct frame *frame_rows_with(const struct frame *f, int column, const struct frame_value *value) {
  struct frame *made = frame_like(f, 0);
  for (long row = 0; row < f->n_rows; ++row) {
    if (frame_compare(frame_at(f, row, column), value) == 0) {
      frame_push_copy(made, f, row);
    }
  }
  return made;
}

long frame_push_copy(struct frame *to, const struct frame *from, long row) {
  const long at = frame_push(to);
  for (int i = 0; i < from->n_columns; ++i) {
    *frame_at(to, at, i) = *frame_at(from, row, i);
  }
  return at;
}

struct frame_value frame_copy_value(const struct frame_value *v, struct base_arena *arena) {
  struct frame_value made = *v;
  if (v->kind == FRAME_TEXT) {
    made.text = base_arena_copy(arena, v->text);
  } else if (v->kind == FRAME_LIST) {
    memcpy(frame_vector(arena, v->list->n, &made), v->list->x, (size_t)v->list->n * sizeof(double));
  }
  return made;
}

/* Is it the same text or list, as of rows that were made of one? */
static int is_shared(const struct frame_value *a, const struct frame_value *b) {
  return a->kind == b->kind && (a->kind == FRAME_TEXT   ? a->text == b->text
                                : a->kind == FRAME_LIST ? a->list == b->list
                                                        : 0);
}

void frame_share(struct frame *f, long row, int column, struct base_arena_mark mark) {
  struct frame_value *v = frame_at(f, row, column);
  const struct frame_value *before = row > 0 ? frame_at(f, row - 1, column) : NULL;
  if (before != NULL && v->kind == FRAME_TEXT && before->kind == FRAME_TEXT &&
      strcmp(v->text, before->text) == 0) {
    base_arena_release(f->arena, mark);
    v->text = before->text;
  }
}

struct frame *frame_copy(const struct frame *f, struct base_arena *arena) {
  struct frame *made = frame_new(arena);
  resize(made, f->n_columns, f->n_rows);
  for (int i = 0; i < f->n_columns; ++i) {
    frame_add(made, f->columns[i].name, f->columns[i].unit);
  }
  for (long row = 0; row < f->n_rows; ++row) {
    frame_push(made);
    for (int i = 0; i < f->n_columns; ++i) {
      const struct frame_value *v = frame_at(f, row, i);
      const struct base_arena_mark mark = base_arena_mark(arena);
      *frame_at(made, row, i) = row > 0 && is_shared(v, frame_at(f, row - 1, i))
                                    ? *frame_at(made, row - 1, i)
                                    : frame_copy_value(v, arena);
      frame_share(made, row, i, mark);
    }
  }
  return made;
}

struct frame_value *frame_at(const struct frame *f, long row, int column) {
  return &f->values[row * f->width + column];
}

double frame_real(const struct frame *f, long row, int column) {
  const struct frame_value *v = frame_at(f, row, column);
  return v->kind == FRAME_NUMBER ? v->number : NAN;
}

const char *frame_text(const struct frame *f, long row, int column) {
  const struct frame_value *v = frame_at(f, row, column);
  return v->kind == FRAME_TEXT ? v->text : "";
}

/* Numbers, texts, lists, then what is missing. */
static int rank_of(const struct frame_value *v) {
  return v->kind == FRAME_NUMBER ? isnan(v->number) ? 3 : 0 : v->kind == FRAME_TEXT ? 1 : 2;
}

int frame_compare(const struct frame_value *a, const struct frame_value *b) {
  const int ranks = rank_of(a) - rank_of(b);
  if (ranks != 0) {
    return ranks;
  }
  switch (rank_of(a)) {
  case 0:
    return (a->number > b->number) - (a->number < b->number);
  case 1:
    return strcmp(a->text, b->text);
  case 2:
    for (int i = 0; i < a->list->n && i < b->list->n; ++i) {
      if (a->list->x[i] != b->list->x[i]) {
        return a->list->x[i] < b->list->x[i] ? -1 : 1;
      }
    }
    return (a->list->n > b->list->n) - (a->list->n < b->list->n);
  default:
    return 0;
  }
}

int frame_is_missing(const struct frame_value *v) { return rank_of(v) == 3; }
