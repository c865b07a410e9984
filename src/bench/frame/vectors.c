/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of expressions that make vectors, or numbers of more than one; see expression_parts.h.
 */
#include <gsl/gsl_interp.h>
#include <math.h>
#include <string.h>

#include "bench/frame/expression_parts.h"
#include "la/ensemble/quantile.h"
#include "la/statistics.h"

enum { LONGEST = 1000000 }; /* of vectors made by a number */

/* A value like another one: a vector as long, or a number. */
static double *alike(struct base_arena *arena, const struct frame_value *other,
                     struct frame_value *value) {
  return frame_vector_or_number(arena, other->kind == FRAME_LIST ? other->list->n : -1, value);
}

/* Texts exist, too. */
const char *frame_make_exists(struct base_arena *arena, const struct frame_value *x,
                              struct frame_value *value) {
  int size;
  const double *from = frame_entries(&x[0], &size);
  double *to = alike(arena, &x[0], value);
  for (int i = 0; i < size; ++i) {
    to[i] = x[0].kind == FRAME_TEXT || !isnan(from[i]);
  }
  return NULL;
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
  const double *x = frame_entries(v, &n);
  if (!(p >= 0 && p <= 1)) {
    return "its part must be in [0, 1]";
  }
  double *copy = base_arena_doubles(arena, n);
  memcpy(copy, x, (size_t)n * sizeof *copy);
  *value = frame_number(has_missing(n, x) ? NAN : la_quantile(n, copy, p));
  return NULL;
}

const char *frame_make_quantile(struct base_arena *arena, const struct frame_value *x,
                                struct frame_value *value) {
  return quantile_at(arena, &x[0], x[1].kind == FRAME_NUMBER ? x[1].number : NAN, value);
}

const char *frame_make_median(struct base_arena *arena, const struct frame_value *x,
                              struct frame_value *value) {
  return quantile_at(arena, &x[0], 0.5, value);
}

/* Entries of a vector at places; missing where there is none. */
const char *frame_make_at(struct base_arena *arena, const struct frame_value *x,
                          struct frame_value *value) {
  int size, places;
  const double *from = frame_entries(&x[0], &size), *place = frame_entries(&x[1], &places);
  double *to = alike(arena, &x[1], value);
  for (int i = 0; i < places; ++i) {
    const int is_there = place[i] >= 0 && place[i] < size && place[i] == floor(place[i]);
    to[i] = is_there ? from[(int)place[i]] : NAN;
  }
  return NULL;
}

const char *frame_make_where(struct base_arena *arena, const struct frame_value *x,
                             struct frame_value *value) {
  int size, conditions, kept = 0;
  const double *from = frame_entries(&x[0], &size), *holds = frame_entries(&x[1], &conditions);
  if (x[0].kind != FRAME_LIST || x[1].kind != FRAME_LIST || size != conditions) {
    return "wants a vector, and a condition on each of its entries";
  }
  int count = 0;
  for (int i = 0; i < size; ++i) {
    count += frame_is_true(holds[i]);
  }
  double *to = frame_vector(arena, count, value);
  for (int i = 0; i < size; ++i) {
    if (frame_is_true(holds[i])) {
      to[kept++] = from[i];
    }
  }
  return NULL;
}

/* A vector `to` as long as the one of n entries x that it is made of, or, `shorter`, by so many;
 * entry i of it is an expression of these and of those before it. */
#define BY_RULE(name, shorter, entry)                                                              \
  const char *frame_make_##name(struct base_arena *arena, const struct frame_value *v,             \
                                struct frame_value *value) {                                       \
    int n;                                                                                         \
    const double *x = frame_entries(v, &n);                                                        \
    const int size = n > (shorter) ? n - (shorter) : 0;                                            \
    double *to = frame_vector(arena, size, value);                                                 \
    (void)x;                                                                                       \
    for (int i = 0; i < size; ++i) {                                                               \
      to[i] = (entry);                                                                             \
    }                                                                                              \
    return NULL;                                                                                   \
  }
BY_RULE(diff, 1, x[i + 1] - x[i])
BY_RULE(index, 0, i)
BY_RULE(lag, 0, i > 0 ? x[i - 1] : NAN)
BY_RULE(lead, 0, i + 1 < n ? x[i + 1] : NAN)
BY_RULE(cumsum, 0, (i > 0 ? to[i - 1] : 0) + x[i])
BY_RULE(cummin, 0, i > 0 ? frame_min(to[i - 1], x[i]) : x[0])
BY_RULE(cummax, 0, i > 0 ? frame_max(to[i - 1], x[i]) : x[0])
/* Within half a turn of the one before. */
BY_RULE(unwrap, 0, i > 0 ? x[i] - 2 * M_PI * rint((x[i] - to[i - 1]) / (2 * M_PI)) : x[0])

const char *frame_make_sequence(struct base_arena *arena, const struct frame_value *x,
                                struct frame_value *value) {
  const double size = x[0].kind == FRAME_NUMBER ? x[0].number : NAN;
  if (!(size >= 0 && size <= LONGEST)) {
    return "its length must be a number in [0, 1e6]";
  }
  const int length = (int)size;
  double *to = frame_vector(arena, length, value);
  for (int i = 0; i < length; ++i) {
    to[i] = i;
  }
  return NULL;
}

/* A vector so many times, one behind the other. */
const char *frame_make_tile(struct base_arena *arena, const struct frame_value *x,
                            struct frame_value *value) {
  int size;
  const double *from = frame_entries(&x[0], &size);
  const double times = x[1].kind == FRAME_NUMBER ? x[1].number : NAN;
  if (!(times >= 0 && times <= LONGEST && times * size <= LONGEST && times == floor(times))) {
    return "wants a whole number of times, and makes no more than 1e6 entries";
  }
  double *to = frame_vector(arena, (int)times * size, value);
  for (int i = 0; i < (int)times * size; ++i) {
    to[i] = from[i % size];
  }
  return NULL;
}

/* Two vectors of one length. */
static int are_alike(const struct frame_value *a, const struct frame_value *b) {
  return a->kind == FRAME_LIST && b->kind == FRAME_LIST && a->list->n == b->list->n;
}

/* Least-squares slope of y over x. */
const char *frame_make_slope(struct base_arena *arena, const struct frame_value *x,
                             struct frame_value *value) {
  if (!are_alike(&x[0], &x[1])) {
    return "wants two vectors of one length";
  }
  (void)arena;
  const int size = x[0].list->n;
  const double *b = x[0].list->x, *a = x[1].list->x;
  const double middle = frame_mean(size, a), mean = frame_mean(size, b);
  double square = 0, product = 0;
  for (int i = 0; i < size; ++i) {
    square += (a[i] - middle) * (a[i] - middle);
    product += (a[i] - middle) * (b[i] - mean);
  }
  *value = frame_number(square > 0 ? product / square : NAN);
  return NULL;
}

/* Slope of log(error) over log(step), or its standard error, of three points at least, all of them
 * positive: two have a slope whatever they are, and a run without an error has no order. */
static const char *fit_order(const struct frame_value *x, int is_error, struct frame_value *value) {
  enum { POINTS_MIN = 3 };
  if (!are_alike(&x[0], &x[1])) {
    return "wants two vectors of one length";
  }
  const int size = x[0].list->n;
  const struct la_power fit = la_fit_power(size, x[1].list->x, x[0].list->x);
  *value = frame_number(fit.points < POINTS_MIN || fit.points < size ? NAN
                        : is_error                                   ? fit.spread
                                                                     : fit.p);
  return NULL;
}

const char *frame_make_order(struct base_arena *arena, const struct frame_value *x,
                             struct frame_value *value) {
  (void)arena;
  return fit_order(x, 0, value);
}

const char *frame_make_order_error(struct base_arena *arena, const struct frame_value *x,
                                   struct frame_value *value) {
  (void)arena;
  return fit_order(x, 1, value);
}

/* Of points (xs, ys), xs ascending, by lines; missing outside. */
static double interpolate(double x, int n, const double *xs, const double *ys) {
  if (n == 0 || !(x >= xs[0] && x <= xs[n - 1])) {
    return NAN;
  }
  const size_t lo = gsl_interp_bsearch(xs, x, 0, (size_t)n - 1), hi = n > 1 ? lo + 1 : lo;
  const double step = xs[hi] - xs[lo];
  return step > 0 && x > xs[lo] ? ys[lo] + (x - xs[lo]) / step * (ys[hi] - ys[lo]) : ys[lo];
}

const char *frame_make_interp(struct base_arena *arena, const struct frame_value *x,
                              struct frame_value *value) {
  if (!are_alike(&x[1], &x[2])) {
    return "wants two vectors of one length behind its first argument";
  }
  int size;
  const double *at = frame_entries(&x[0], &size);
  double *to = alike(arena, &x[0], value);
  for (int i = 0; i < size; ++i) {
    to[i] = interpolate(at[i], x[1].list->n, x[1].list->x, x[2].list->x);
  }
  return NULL;
}

/* Sums over each n-th entry. */
const char *frame_make_sums(struct base_arena *arena, const struct frame_value *x,
                            struct frame_value *value) {
  int size;
  const double *from = frame_entries(&x[0], &size);
  const double sums = x[1].kind == FRAME_NUMBER ? x[1].number : NAN;
  if (!(sums >= 1 && sums <= LONGEST && sums == floor(sums))) {
    return "wants a vector, and how many sums";
  }
  double *to = frame_vector(arena, (int)sums, value);
  for (int i = 0; i < size; ++i) {
    to[i % (int)sums] += from[i];
  }
  return NULL;
}

/* Distance of the point (x, y) from the segment a b. */
static double segment_distance(double x, double y, const double *a, const double *b) {
  const double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
  double part = square > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0;
  part = fmin(fmax(part, 0), 1);
  return hypot(x - a[0] - part * dx, y - a[1] - part * dy);
}

/* Neighbours in time among which the nearest piece of the other curve is sought, in samples. */
enum { NEAR_SAMPLES = 30 };

/* Of a's points from b's curve. */
static double drawn_one_way(int n, const double *t, const double *y_a, const double *y_b,
                            double width, double height) {
  double worst = 0;
  for (int k = 0; k < n; ++k) {
    double nearest = INFINITY;
    for (int j = k - NEAR_SAMPLES; j < k + NEAR_SAMPLES; ++j) {
      if (j >= 0 && j + 1 < n) {
        const double p[2] = {t[j] / width, y_b[j] / height};
        const double q[2] = {t[j + 1] / width, y_b[j + 1] / height};
        const double d = segment_distance(t[k] / width, y_a[k] / height, p, q);
        nearest = d < nearest ? d : nearest;
      }
    }
    worst = frame_max(worst, isnan(y_a[k]) ? NAN : nearest);
  }
  return worst;
}

/* Largest distance of two curves over the same times as they are drawn: of a point of one from the
 * other's polyline, both ways, both axes as fractions of the panel, which spans t and the first
 * curve. A jump that comes one step later is near then, while the difference at equal times would
 * be the whole jump. */
const char *frame_make_drawn_distance(struct base_arena *arena, const struct frame_value *x,
                                      struct frame_value *value) {
  if (!are_alike(&x[0], &x[1]) || !are_alike(&x[0], &x[2])) {
    return "wants three vectors of one length";
  }
  (void)arena;
  const int size = x[0].list->n;
  const double *t = x[0].list->x, *y_a = x[1].list->x, *y_b = x[2].list->x;
  double lo = INFINITY, hi = -INFINITY;
  for (int k = 0; k < size; ++k) {
    lo = fmin(lo, y_a[k]);
    hi = fmax(hi, y_a[k]);
  }
  const double width = size > 0 ? t[size - 1] - t[0] : 0;
  *value = frame_number(size < 2 ? NAN
                                 : frame_max(drawn_one_way(size, t, y_a, y_b, width, hi - lo),
                                             drawn_one_way(size, t, y_b, y_a, width, hi - lo)));
  return NULL;
}
