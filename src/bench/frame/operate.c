/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What operators and functions make of values, without a scope; see expression_parts.h. A text
 * where a number is wanted is none.
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "bench/frame/expression_parts.h"

int frame_fail(const struct frame_expression *e, const char *why) {
  return base_fail(BASE_E_INPUT, "%s: expression '%s': %s", e->source->place, e->source->text, why);
}

int frame_is_true(double x) { return x != 0 && !isnan(x); }

double frame_entry(const struct frame_value *v, int i) {
  return v->kind == FRAME_LIST ? v->list->x[i] : v->kind == FRAME_NUMBER ? v->number : NAN;
}

int frame_common_length(int n, const struct frame_value *values) {
  int length = -1;
  for (int i = 0; i < n; ++i) {
    const int own = values[i].kind == FRAME_LIST ? values[i].list->n : -1;
    if (own >= 0 && length >= 0 && own != length) {
      base_fail(BASE_E_INPUT, "vectors of %d and %d numbers", length, own);
      return -2;
    }
    length = own >= 0 ? own : length;
  }
  return length;
}

/* The same in an expression, whose place the message has. */
static int length_in(const struct frame_expression *e, int n, const struct frame_value *values) {
  const int length = frame_common_length(n, values);
  if (length == -2) {
    base_message_prefix("%s: expression '%s': ", e->source->place, e->source->text);
  }
  return length;
}

/* ---- operators ---- */

/* What is missing is so in arithmetic; a relation with it is false. */
static double operate(enum frame_op op, double a, double b) {
  switch (op) {
  case OP_NEGATE:
    return -a;
  case OP_NOT:
    return isnan(a) ? NAN : a == 0;
  case OP_ADD:
    return a + b;
  case OP_SUBTRACT:
    return a - b;
  case OP_MULTIPLY:
    return a * b;
  case OP_DIVIDE:
    return a / b;
  case OP_POWER:
    return pow(a, b);
  case OP_LESS:
    return a < b;
  case OP_LESS_EQUAL:
    return a <= b;
  case OP_GREATER:
    return a > b;
  case OP_GREATER_EQUAL:
    return a >= b;
  case OP_EQUAL:
    return a == b;
  case OP_UNEQUAL:
    return a < b || a > b;
  case OP_AND:
    return frame_is_true(a) && frame_is_true(b);
  default:
    return frame_is_true(a) || frame_is_true(b);
  }
}

/* Entry by entry, of one function or operator of one or two values. */
static int map(const struct frame_expression *e, struct base_arena *arena, int n,
               const struct frame_value *x, struct frame_value *value) {
  const struct frame_function *f = e->function;
  const int length = length_in(e, n, x);
  if (length == -2) {
    return BASE_E_INPUT;
  }
  double *out = frame_vector_or_number(arena, length, value);
  for (int i = 0; i < (length < 0 ? 1 : length); ++i) {
    const double a = frame_entry(&x[0], i), b = n > 1 ? frame_entry(&x[1], i) : NAN;
    out[i] = f == NULL ? operate(e->op, a, b) : n > 1 ? f->two(a, b) : f->one(a);
  }
  return BASE_OK;
}

/* ---- functions ---- */

static double reduced(const struct frame_function *f, int n, const double *x) {
  for (int i = 0; i < n && !f->looks_at_missing; ++i) {
    if (isnan(x[i])) {
      return NAN;
    }
  }
  return f->reduce(n, x);
}

/* What a function makes of a missing vector is missing, though of an empty one it might be 0. */
int frame_apply(const struct frame_expression *e, struct base_arena *arena, int n,
                const struct frame_value *x, struct frame_value *value) {
  const struct frame_function *f = e->function;
  if (f->reduce != NULL && n == 1) {
    *value = x[0].kind == FRAME_LIST    ? frame_number(reduced(f, x[0].list->n, x[0].list->x))
             : isnan(frame_entry(x, 0)) ? frame_number(NAN)
                                        : frame_number(reduced(f, 1, &x[0].number));
    return BASE_OK;
  }
  if (f->make != NULL) {
    if (!f->looks_at_missing && x[0].kind != FRAME_LIST && isnan(frame_entry(x, 0))) {
      *value = frame_number(NAN);
      return BASE_OK;
    }
    const char *why = f->make(arena, x, value);
    return why == NULL ? BASE_OK : frame_fail(e, base_arena_printf(arena, "%s: %s", f->name, why));
  }
  int status = map(e, arena, n < 2 ? n : 2, x, value);
  for (int i = 2; i < n && status == BASE_OK; ++i) {
    const struct frame_value pair[2] = {*value, x[i]};
    status = map(e, arena, 2, pair, value);
  }
  return status;
}

/* == and != where one side is a text. With what is missing both are false. */
static double compare_texts(enum frame_op op, const struct frame_value *a,
                            const struct frame_value *b) {
  if (frame_is_missing(a) || frame_is_missing(b)) {
    return 0;
  }
  const int same = a->kind == b->kind && strcmp(a->text, b->text) == 0;
  return same == (op == OP_EQUAL);
}

int frame_operate(const struct frame_expression *e, struct base_arena *arena, int n,
                  const struct frame_value *x, struct frame_value *value) {
  if ((e->op == OP_EQUAL || e->op == OP_UNEQUAL) &&
      (x[0].kind == FRAME_TEXT || x[1].kind == FRAME_TEXT)) {
    *value = frame_number(compare_texts(e->op, &x[0], &x[1]));
    return BASE_OK;
  }
  return map(e, arena, n, x, value);
}

int frame_choose(const struct frame_expression *e, struct base_arena *arena,
                 const struct frame_value x[3], struct frame_value *value) {
  const int length = length_in(e, 3, x);
  if (length == -2) {
    return BASE_E_INPUT;
  }
  double *out = frame_vector(arena, length, value);
  for (int i = 0; i < length; ++i) {
    const double yes = frame_entry(&x[0], i);
    out[i] = isnan(yes) ? NAN : frame_entry(&x[yes != 0 ? 1 : 2], i);
  }
  return BASE_OK;
}
