/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the files of expressions: the tree that expression.c reads and evaluate.c works out, and
 * the functions of functions.c.
 */
#ifndef BENCH_EXPRESSION_PARTS_H
#define BENCH_EXPRESSION_PARTS_H

#include "bench/frame/expression.h"

/* A function of values. Of `one` and `two` vectors are taken entry by entry, a number being the same
 * for all; two of them are chained, min(a, b, c). `reduce` makes a number of the entries of its one
 * argument. `make` does what is neither, and gives a reason where it cannot, NULL where it did. */
struct frame_function {
  const char *name;
  int least, most; /* arguments */
  double (*one)(double x);
  double (*two)(double a, double b);
  double (*reduce)(int n, const double *x);
  int looks_at_missing; /* reduce: else of entries one of which is missing it is missing */
  const char *(*make)(struct base_arena *arena, int n, const struct frame_value *x,
                      struct frame_value *value);
};
enum { FRAME_ARGUMENTS = 8 };
/* NULL: there is none of the name. */
const struct frame_function *frame_function_find(const char *name);
/* All names, n of them. */
const char *const *frame_function_names(int *n);

enum frame_op {
  OP_NUMBER,
  OP_TEXT,
  OP_NAME,
  OP_VECTOR, /* [a, b, ...] */
  OP_FUNCTION,
  OP_CALL, /* of the scope */
  OP_OF,
  OP_RUNS,
  OP_NEGATE,
  OP_NOT,
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_POWER,
  OP_LESS,
  OP_LESS_EQUAL,
  OP_GREATER,
  OP_GREATER_EQUAL,
  OP_EQUAL,
  OP_UNEQUAL,
  OP_AND,
  OP_OR,
  OP_CHOOSE
};
struct frame_source {
  const char *place, *text;
};
struct frame_expression {
  enum frame_op op;
  const struct frame_source *source;
  double number;
  const char *word; /* text, name, function, label or pattern */
  const struct frame_function *function;
  int n;
  const struct frame_expression **part; /* n */
};

#endif
