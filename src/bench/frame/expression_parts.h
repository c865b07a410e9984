/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the files of expressions: the tree that expression.c and condition.c read and evaluate.c
 * works out, and the functions of functions.c and vectors.c.
 */
#ifndef BENCH_EXPRESSION_PARTS_H
#define BENCH_EXPRESSION_PARTS_H

#include "bench/frame/expression.h"

/* Computes a value from arguments x: FRAME_ARGUMENTS; absent ones are missing values. Returns NULL,
 * or the reason of a refusal. */
typedef const char *frame_make(struct base_arena *arena, const struct frame_value *x,
                               struct frame_value *value);
/* A function of values. Of `one` and `two` vectors are taken entry by entry, a number being the
 * same for all; two of them are chained, min(a, b, c). `reduce` makes a number of the entries of
 * its one argument. `make` does what is neither. */
struct frame_function {
  const char *name;
  int least, most; /* arguments */
  double (*one)(double x);
  double (*two)(double a, double b);
  double (*reduce)(int n, const double *x);
  /* Zero: the result is missing if an entry or an argument is missing. */
  int looks_at_missing;
  frame_make *make;
  int takes_texts;
};
enum { FRAME_ARGUMENTS = 16 };
/* vectors.c */
frame_make frame_make_exists, frame_make_median, frame_make_quantile, frame_make_at,
    frame_make_where, frame_make_diff, frame_make_index, frame_make_lag, frame_make_lead,
    frame_make_cumsum, frame_make_cummin, frame_make_cummax, frame_make_unwrap, frame_make_sequence,
    frame_make_tile, frame_make_sums, frame_make_slope, frame_make_order, frame_make_order_error,
    frame_make_interp, frame_make_drawn_distance;
/* texts.c */
frame_make frame_make_format, frame_make_concat, frame_make_entries, frame_make_without,
    frame_make_behind, frame_make_without_numbers;
/* A text with "name = value" behind it (distinguish.c). */
const char *frame_entry_text(struct base_arena *arena, const char *before, const char *name,
                             const struct cJSON *value);
/* functions.c: the smaller and the larger; missing where either is. */
double frame_min(double a, double b);
double frame_max(double a, double b);
/* Missing of none. */
double frame_mean(int n, const double *x);
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
  OP_RECORDED,
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

/* ---- operate.c: values alone ---- */

/* BASE_E_INPUT with "PLACE: expression '...': why". */
int frame_fail(const struct frame_expression *e, const char *why);
int frame_is_true(double x);
/* What an operator makes of its n sides, a function of its n arguments, and "?" of a vector.
 * Vectors must be of one length; a number is the same for each of their entries. BASE_E_INPUT with
 * a message. */
int frame_operate(const struct frame_expression *e, struct base_arena *arena, int n,
                  const struct frame_value *x, struct frame_value *value);
int frame_apply(const struct frame_expression *e, struct base_arena *arena, int n,
                const struct frame_value *x, struct frame_value *value);
int frame_choose(const struct frame_expression *e, struct base_arena *arena,
                 const struct frame_value x[3], struct frame_value *value);

/* Read a text that stands for one that is written, which messages show (expression.c). */
const struct frame_expression *frame_expression_read_as(struct base_arena *arena, const char *text,
                                                        const char *written, const char *place);

#endif
