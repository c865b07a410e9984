/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fronts of cost and error; see front.h.
 */
#include "la/ensemble/front.h"

#include <gsl/gsl_sort.h>
#include <math.h>

#include "la/ensemble/quantile.h"

struct la_front la_front(int n, const double *cost, const double *error, struct base_arena *arena) {
  struct la_front front = {.cost = base_arena_doubles(arena, n),
                           .error = base_arena_doubles(arena, n)};
  size_t *order = base_arena_array(arena, (size_t)n, 1, sizeof *order);
  gsl_sort_index(order, cost, 1, (size_t)n);
  for (int k = 0; k < n; ++k) {
    const double c = cost[order[k]], e = error[order[k]];
    if (!isfinite(c)) {
      break;
    }
    front.cost_most = c;
    if (e < (front.n > 0 ? front.error[front.n - 1] : INFINITY)) {
      front.n -= front.n > 0 && front.cost[front.n - 1] == c; /* as cheap and better */
      front.cost[front.n] = c;
      front.error[front.n++] = e;
    }
  }
  return front;
}

static struct la_reading inside(double value) {
  return (struct la_reading){.value = value, .bound = value};
}

static struct la_reading below(double bound) {
  return (struct la_reading){.value = 0, .beyond = -1, .bound = bound};
}

static struct la_reading above(double bound) {
  return (struct la_reading){.value = INFINITY, .beyond = 1, .bound = bound};
}

/* y(x) on the line through (x0, y0) and (x1, y1) in logarithms. */
static double on_line(double x0, double y0, double x1, double y1, double x) {
  return exp(log(y0) + (log(y1) - log(y0)) * (log(x / x0) / log(x1 / x0)));
}

struct la_reading la_front_cost(const struct la_front *front, double error) {
  const double *c = front->cost, *e = front->error;
  if (front->n == 0 || error < e[front->n - 1]) {
    return above(front->cost_most);
  }
  if (error > e[0]) {
    return below(c[0]);
  }
  int k = 0; /* the first as good as error */
  while (e[k] > error) {
    ++k;
  }
  const int is_point = e[k] == error || e[k] == 0;
  return inside(is_point ? c[k] : on_line(e[k - 1], c[k - 1], e[k], c[k], error));
}

struct la_reading la_front_error(const struct la_front *front, double cost) {
  const double *c = front->cost, *e = front->error;
  if (front->n == 0 || cost < c[0]) {
    return above(front->n > 0 ? e[0] : INFINITY);
  }
  if (cost > front->cost_most) {
    return below(e[front->n - 1]);
  }
  int k = front->n - 1; /* the last as cheap as cost */
  while (c[k] > cost) {
    --k;
  }
  const int is_point = k == front->n - 1 || c[k] == cost || e[k + 1] == 0;
  return inside(is_point ? e[k] : on_line(c[k], e[k], c[k + 1], e[k + 1], cost));
}

struct readings {
  const struct la_front_ensemble *ensemble;
  int members, n_errors, n_costs;
  const double *errors, *costs;
  struct base_arena *arena;
};

static double median_of(int n, const int *index, const double *x, double *scratch) {
  for (int i = 0; i < n; ++i) {
    scratch[i] = x[index[i]];
  }
  return la_median(n, scratch);
}

static void read_front(int n, const int *index, void *data, double *values) {
  const struct readings *r = data;
  const struct base_arena_mark mark = base_arena_mark(r->arena);
  const int points = r->ensemble->points;
  double *scratch = base_arena_room(r->arena, (size_t)n * sizeof *scratch);
  double *cost = base_arena_doubles(r->arena, points),
         *error = base_arena_doubles(r->arena, points);
  for (int p = 0; p < points; ++p) {
    const size_t row = (size_t)p * (size_t)r->members;
    cost[p] = median_of(n, index, r->ensemble->cost + row, scratch);
    error[p] = median_of(n, index, r->ensemble->error + row, scratch);
  }
  const struct la_front front = la_front(points, cost, error, r->arena);
  for (int k = 0; k < r->n_errors; ++k) {
    values[k] = la_front_cost(&front, r->errors[k]).value;
  }
  for (int k = 0; k < r->n_costs; ++k) {
    values[r->n_errors + k] = la_front_error(&front, r->costs[k]).value;
  }
  base_arena_release(r->arena, mark);
}

void la_front_intervals(const struct la_front_ensemble *ensemble,
                        const struct la_sampling *sampling, int n_errors, const double *errors,
                        int n_costs, const double *costs, struct base_arena *arena,
                        struct la_interval *interval) {
  struct readings readings = {.ensemble = ensemble,
                              .members = sampling->n,
                              .n_errors = n_errors,
                              .errors = errors,
                              .n_costs = n_costs,
                              .costs = costs,
                              .arena = arena};
  la_bootstrap(sampling, n_errors + n_costs, read_front, &readings, arena, interval, NULL);
}
