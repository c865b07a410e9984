/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of expressions; README.md says what each does. Reductions of a vector with a missing
 * entry are missing, but for those that say whether entries are true and those that pick one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/frame/expression_parts.h"
#include "la/ensemble/quantile.h"
#include "la/statistics.h"

/* ---- of numbers ---- */

static double take_min(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmin(a, b); }
static double take_max(double a, double b) { return isnan(a) || isnan(b) ? NAN : fmax(a, b); }
static double exists(double x) { return !isnan(x); }
static double sign(double x) { return isnan(x) ? x : (double)((x > 0) - (x < 0)); }

/* ---- from a vector to a number ---- */

static int is_true(double x) { return x != 0 && !isnan(x); }

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

static double vector_mean(int n, const double *x) { return n > 0 ? vector_sum(n, x) / n : NAN; }

static double vector_count(int n, const double *x) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    count += is_true(x[i]);
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
    if (is_true(x[i])) {
      return i;
    }
  }
  return NAN;
}

/* ---- of values ---- */

/* The entries of a value, n of them; a number is a vector of one. */
static const double *entries(const struct frame_value *v, int *n) {
  static const double none = NAN;
  *n = v->kind == FRAME_LIST ? v->list->n : 1;
  return v->kind == FRAME_LIST ? v->list->x : v->kind == FRAME_NUMBER ? &v->number : &none;
}

static double *vector(struct base_arena *arena, int n, struct frame_value *value) {
  struct frame_list *list = base_arena_push(arena, sizeof *list);
  double *x = base_arena_doubles(arena, n);
  *list = (struct frame_list){.n = n, .x = x};
  *value = (struct frame_value){.kind = FRAME_LIST, .list = list};
  return x;
}

static struct frame_value number(double x) {
  return (struct frame_value){.kind = FRAME_NUMBER, .number = x};
}

static int has_missing(int n, const double *x) {
  for (int i = 0; i < n; ++i) {
    if (isnan(x[i])) {
      return 1;
    }
  }
  return 0;
}

static const char *quantile_at(struct base_arena *arena, const struct frame_value *v, double p,
                               struct frame_value *value) {
  int n;
  const double *x = entries(v, &n);
  if (!(p >= 0 && p <= 1)) {
    return "its part must be in [0, 1]";
  }
  double *copy = base_arena_doubles(arena, n);
  memcpy(copy, x, (size_t)n * sizeof *copy);
  *value = number(has_missing(n, x) ? NAN : la_quantile(n, copy, p));
  return NULL;
}

static const char *make_quantile(struct base_arena *arena, int n, const struct frame_value *x,
                                 struct frame_value *value) {
  (void)n;
  return quantile_at(arena, &x[0], x[1].kind == FRAME_NUMBER ? x[1].number : NAN, value);
}

static const char *make_median(struct base_arena *arena, int n, const struct frame_value *x,
                               struct frame_value *value) {
  (void)n;
  return quantile_at(arena, &x[0], 0.5, value);
}

/* Entries of a vector at places; missing where there is none. */
static const char *make_at(struct base_arena *arena, int n, const struct frame_value *x,
                           struct frame_value *value) {
  int size, places;
  const double *from = entries(&x[0], &size), *place = entries(&x[1], &places);
  double one, *to = x[1].kind == FRAME_LIST ? vector(arena, places, value) : &one;
  (void)n;
  for (int i = 0; i < places; ++i) {
    const int is_there = place[i] >= 0 && place[i] < size && place[i] == floor(place[i]);
    to[i] = is_there ? from[(int)place[i]] : NAN;
  }
  if (x[1].kind != FRAME_LIST) {
    *value = number(one);
  }
  return NULL;
}

static const char *make_where(struct base_arena *arena, int n, const struct frame_value *x,
                              struct frame_value *value) {
  int size, conditions, kept = 0;
  const double *from = entries(&x[0], &size), *holds = entries(&x[1], &conditions);
  (void)n;
  if (x[0].kind != FRAME_LIST || x[1].kind != FRAME_LIST || size != conditions) {
    return "wants a vector, and a condition on each of its entries";
  }
  double *to = vector(arena, (int)vector_count(size, holds), value);
  for (int i = 0; i < size; ++i) {
    if (is_true(holds[i])) {
      to[kept++] = from[i];
    }
  }
  return NULL;
}

/* A vector as long as that it is made of, or, `shorter`, by so many; entry i of the rule. */
typedef double entry_rule(const double *x, int n, int i, double *state);

static const char *make_by_rule(struct base_arena *arena, const struct frame_value *v, int shorter,
                                entry_rule *rule, struct frame_value *value) {
  int n;
  const double *x = entries(v, &n);
  const int size = n > shorter ? n - shorter : 0;
  double state = 0, *to = vector(arena, size, value);
  for (int i = 0; i < size; ++i) {
    to[i] = rule(x, n, i, &state);
  }
  return NULL;
}

static double rule_diff(const double *x, int n, int i, double *state) {
  (void)n, (void)state;
  return x[i + 1] - x[i];
}
static double rule_index(const double *x, int n, int i, double *state) {
  (void)x, (void)n, (void)state;
  return i;
}
static double rule_lag(const double *x, int n, int i, double *state) {
  (void)n, (void)state;
  return i > 0 ? x[i - 1] : NAN;
}
static double rule_lead(const double *x, int n, int i, double *state) {
  (void)state;
  return i + 1 < n ? x[i + 1] : NAN;
}
static double rule_cumsum(const double *x, int n, int i, double *state) {
  (void)n;
  return *state += x[i];
}
static double rule_cummin(const double *x, int n, int i, double *state) {
  (void)n;
  return *state = i == 0 ? x[0] : take_min(*state, x[i]);
}
static double rule_cummax(const double *x, int n, int i, double *state) {
  (void)n;
  return *state = i == 0 ? x[0] : take_max(*state, x[i]);
}
/* Within half a turn of the one before. */
static double rule_unwrap(const double *x, int n, int i, double *state) {
  (void)n;
  return *state = i == 0 ? x[0] : x[i] - 2 * M_PI * rint((x[i] - *state) / (2 * M_PI));
}

#define BY_RULE(name, shorter)                                                                     \
  static const char *make_##name(struct base_arena *arena, int n, const struct frame_value *x,     \
                                 struct frame_value *value) {                                      \
    (void)n;                                                                                       \
    return make_by_rule(arena, x, shorter, rule_##name, value);                                    \
  }
BY_RULE(diff, 1)
BY_RULE(index, 0)
BY_RULE(lag, 0)
BY_RULE(lead, 0)
BY_RULE(cumsum, 0)
BY_RULE(cummin, 0)
BY_RULE(cummax, 0)
BY_RULE(unwrap, 0)

static const char *make_sequence(struct base_arena *arena, int n, const struct frame_value *x,
                                 struct frame_value *value) {
  enum { LONGEST = 1000000 };
  const double size = x[0].kind == FRAME_NUMBER ? x[0].number : NAN;
  (void)n;
  if (!(size >= 0 && size <= LONGEST)) {
    return "its length must be a number in [0, 1e6]";
  }
  const int length = (int)size;
  double *to = vector(arena, length, value);
  for (int i = 0; i < length; ++i) {
    to[i] = i;
  }
  return NULL;
}

/* Two vectors of one length. */
static int are_alike(const struct frame_value *a, const struct frame_value *b) {
  return a->kind == FRAME_LIST && b->kind == FRAME_LIST && a->list->n == b->list->n;
}

/* Least-squares slope of y over x. */
static const char *make_slope(struct base_arena *arena, int n, const struct frame_value *x,
                              struct frame_value *value) {
  if (!are_alike(&x[0], &x[1])) {
    return "wants two vectors of one length";
  }
  (void)arena, (void)n;
  const int size = x[0].list->n;
  const double *b = x[0].list->x, *a = x[1].list->x;
  const double middle = vector_mean(size, a), mean = vector_mean(size, b);
  double square = 0, product = 0;
  for (int i = 0; i < size; ++i) {
    square += (a[i] - middle) * (a[i] - middle);
    product += (a[i] - middle) * (b[i] - mean);
  }
  *value = number(square > 0 ? product / square : NAN);
  return NULL;
}

/* Slope of log(error) over log(step), of three points at least, all of them positive: two have a
 * slope whatever they are, and a run without an error has no order. */
static const char *make_order(struct base_arena *arena, int n, const struct frame_value *x,
                              struct frame_value *value) {
  enum { POINTS_MIN = 3 };
  if (!are_alike(&x[0], &x[1])) {
    return "wants two vectors of one length";
  }
  (void)arena, (void)n;
  const int size = x[0].list->n;
  const struct la_power fit = la_fit_power(size, x[1].list->x, x[0].list->x);
  *value = number(fit.points < POINTS_MIN || fit.points < size ? NAN : fit.p);
  return NULL;
}

/* Of points (xs, ys), xs ascending, by lines; missing outside. */
static double interpolate(double x, int n, const double *xs, const double *ys) {
  int lo = 0, hi = n - 1;
  if (n == 0 || !(x >= xs[0] && x <= xs[n - 1])) {
    return NAN;
  }
  while (hi - lo > 1) {
    const int middle = lo + (hi - lo) / 2;
    *(xs[middle] <= x ? &lo : &hi) = middle;
  }
  const double step = xs[hi] - xs[lo];
  return step > 0 && x > xs[lo] ? ys[lo] + (x - xs[lo]) / step * (ys[hi] - ys[lo]) : ys[lo];
}

static const char *make_interp(struct base_arena *arena, int n, const struct frame_value *x,
                               struct frame_value *value) {
  if (!are_alike(&x[1], &x[2])) {
    return "wants two vectors of one length behind its first argument";
  }
  int size;
  const double *at = entries(&x[0], &size);
  double one, *to = x[0].kind == FRAME_LIST ? vector(arena, size, value) : &one;
  (void)n;
  for (int i = 0; i < size; ++i) {
    to[i] = interpolate(at[i], x[1].list->n, x[1].list->x, x[2].list->x);
  }
  if (x[0].kind != FRAME_LIST) {
    *value = number(one);
  }
  return NULL;
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
    ONE("exists", exists),
    TWO("pow", pow),
    TWO("atan2", atan2),
    TWO("remainder", remainder),
    {"hypot", 2, FRAME_ARGUMENTS, .two = hypot},
    {"min", 1, FRAME_ARGUMENTS, .two = take_min, .reduce = vector_min},
    {"max", 1, FRAME_ARGUMENTS, .two = take_max, .reduce = vector_max},
    REDUCE("argmin", vector_argmin),
    REDUCE("argmax", vector_argmax),
    REDUCE("range", vector_range),
    REDUCE("sum", vector_sum),
    REDUCE("mean", vector_mean),
    PICK("count", vector_count),
    PICK("any", vector_any),
    PICK("all", vector_all),
    PICK("size", vector_size),
    PICK("first", vector_first),
    PICK("last", vector_last),
    PICK("find", vector_find),
    MAKE("median", 1, make_median),
    MAKE("quantile", 2, make_quantile),
    MAKE("at", 2, make_at),
    MAKE("where", 2, make_where),
    MAKE("diff", 1, make_diff),
    MAKE("index", 1, make_index),
    MAKE("lag", 1, make_lag),
    MAKE("lead", 1, make_lead),
    MAKE("cumsum", 1, make_cumsum),
    MAKE("cummin", 1, make_cummin),
    MAKE("cummax", 1, make_cummax),
    MAKE("unwrap", 1, make_unwrap),
    MAKE("sequence", 1, make_sequence),
    MAKE("slope", 2, make_slope),
    MAKE("order", 2, make_order),
    MAKE("interp", 3, make_interp)};
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
