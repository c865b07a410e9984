/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of expressions; README.md says what each does. Reductions of a vector with a
 * missing entry are missing, but for those that say whether entries are true and those that pick
 * one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/frame/expression_parts.h"

/* ---- of numbers ---- */

double frame_min(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmin(a, b); }
double frame_max(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmax(a, b); }
static double sign(double x) { return isnan(x) ? x : (double)((x > 0) - (x < 0)); }

/* ---- from a vector to a number ---- */

/* Place of the first of the largest (direction 1) or smallest (-1); missing of none. */
static double first_extreme(int n, const double *x, int direction) {
  int at = 0;
  for (int i = 1; i < n; ++i) {
    at = direction * x[i] > direction * x[at] ? i : at;
  }
  return n > 0 ? (double)at : NAN;
}

static double vector_argmin(int n, const double *x) { return first_extreme(n, x, -1); }
static double vector_argmax(int n, const double *x) { return first_extreme(n, x, 1); }
static double vector_min(int n, const double *x) {
  return n > 0 ? x[(int)vector_argmin(n, x)] : NAN;
}
static double vector_max(int n, const double *x) {
  return n > 0 ? x[(int)vector_argmax(n, x)] : NAN;
}
static double vector_range(int n, const double *x) { return vector_max(n, x) - vector_min(n, x); }

static double vector_sum(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i];
  }
  return sum;
}

double frame_mean(int n, const double *x) { return n > 0 ? vector_sum(n, x) / n : NAN; }

static double vector_count(int n, const double *x) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    count += frame_is_true(x[i]);
  }
  return count;
}

static double vector_any(int n, const double *x) { return vector_count(n, x) > 0; }
static double vector_all(int n, const double *x) { return vector_count(n, x) == n; }
static double vector_size(int n, const double *x) {
  (void)x;
  return n;
}
static double vector_first(int n, const double *x) { return n > 0 ? x[0] : NAN; }
static double vector_last(int n, const double *x) { return n > 0 ? x[n - 1] : NAN; }

static double vector_find(int n, const double *x) {
  for (int i = 0; i < n; ++i) {
    if (frame_is_true(x[i])) {
      return i;
    }
  }
  return NAN;
}

/* ---- all of them ---- */

static const struct frame_function functions[] = {
#define ONE(name, f)                                                                               \
  { name, 1, 1, .one = f }
#define TWO(name, f)                                                                               \
  { name, 2, 2, .two = f }
#define REDUCE(name, f)                                                                            \
  { name, 1, 1, .reduce = f }
#define PICK(name, f)                                                                              \
  { name, 1, 1, .reduce = f, .looks_at_missing = 1 }
#define MAKE(name, arguments, f)                                                                   \
  { name, arguments, arguments, .make = f }
    ONE("abs", fabs),
    ONE("sign", sign),
    ONE("sqrt", sqrt),
    ONE("exp", exp),
    ONE("log", log),
    ONE("log2", log2),
    ONE("log10", log10),
    ONE("sin", sin),
    ONE("cos", cos),
    ONE("tan", tan),
    ONE("asin", asin),
    ONE("acos", acos),
    ONE("atan", atan),
    ONE("sinh", sinh),
    ONE("cosh", cosh),
    ONE("tanh", tanh),
    ONE("acosh", acosh),
    ONE("floor", floor),
    ONE("ceil", ceil),
    ONE("round", round),
    TWO("pow", pow),
    TWO("atan2", atan2),
    TWO("remainder", remainder),
    {"hypot", 2, FRAME_ARGUMENTS, .two = hypot},
    {"min", 1, FRAME_ARGUMENTS, .two = frame_min, .reduce = vector_min},
    {"max", 1, FRAME_ARGUMENTS, .two = frame_max, .reduce = vector_max},
    REDUCE("argmin", vector_argmin),
    REDUCE("argmax", vector_argmax),
    REDUCE("range", vector_range),
    REDUCE("sum", vector_sum),
    REDUCE("mean", frame_mean),
    PICK("count", vector_count),
    PICK("any", vector_any),
    PICK("all", vector_all),
    PICK("size", vector_size),
    PICK("first", vector_first),
    PICK("last", vector_last),
    PICK("find", vector_find),
    {"exists", 1, 1, .make = frame_make_exists, .looks_at_missing = 1},
    MAKE("median", 1, frame_make_median),
    MAKE("quantile", 2, frame_make_quantile),
    MAKE("at", 2, frame_make_at),
    MAKE("where", 2, frame_make_where),
    MAKE("diff", 1, frame_make_diff),
    MAKE("index", 1, frame_make_index),
    MAKE("lag", 1, frame_make_lag),
    MAKE("lead", 1, frame_make_lead),
    MAKE("cumsum", 1, frame_make_cumsum),
    MAKE("cummin", 1, frame_make_cummin),
    MAKE("cummax", 1, frame_make_cummax),
    MAKE("unwrap", 1, frame_make_unwrap),
    MAKE("sequence", 1, frame_make_sequence),
    MAKE("tile", 2, frame_make_tile),
    MAKE("sums", 2, frame_make_sums),
    MAKE("drawn_distance", 3, frame_make_drawn_distance),
    MAKE("slope", 2, frame_make_slope),
    MAKE("order", 2, frame_make_order),
    MAKE("order_error", 2, frame_make_order_error),
    MAKE("interp", 3, frame_make_interp),
    {"entries", 1, 1, .make = frame_make_entries, .looks_at_missing = 1},
    {"without", 2, 2, .make = frame_make_without, .looks_at_missing = 1, .takes_texts = 1},
    {"behind", 2, 2, .make = frame_make_behind, .looks_at_missing = 1, .takes_texts = 1},
    {"without_numbers", 1, 1, .make = frame_make_without_numbers, .looks_at_missing = 1,
     .takes_texts = 1},
    {"format", 2, 2, .make = frame_make_format, .takes_texts = 1},
    {"concat", 1, FRAME_ARGUMENTS, .make = frame_make_concat, .looks_at_missing = 1,
     .takes_texts = 1}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

const struct frame_function *frame_function_find(const char *name) {
  for (int i = 0; i < FUNCTIONS; ++i) {
    if (strcmp(functions[i].name, name) == 0) {
      return &functions[i];
    }
  }
  return NULL;
}

const char *const *frame_function_names(int *n) {
  static const char *names[FUNCTIONS];
  for (int i = 0; i < FUNCTIONS; ++i) {
    names[i] = functions[i].name;
  }
  *n = FUNCTIONS;
  return names;
}
