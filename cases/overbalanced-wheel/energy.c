/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-6.9: the energy of the wheel for eps = 1 and eps = 0, and for eps = 0 where it goes: at
 * 1e-3 s every step is sampled, and its loss is told by the contacts that begin to carry in it.
 */
#include "cases/overbalanced-wheel/figures.h"

#include "base/memory/arena.h"
#include "cases/figure/series.h"

#include <math.h>

/* The part of the whole loss that the largest losses, one a sample in ten, make up: near 1 for a
 * staircase, near 0.1 for a ramp. */
static double in_steps(const struct case_results *r, const struct case_series *s, int k) {
  struct base_arena *arena = base_arena_alloc();
  double *loss = base_arena_doubles(arena, s->n), part = 0;
  (void)r;
  for (k = 0; k + 1 < s->n; ++k) {
    loss[k] = s->energy[k] - s->energy[k + 1];
  }
  for (int round = 0; round < s->n / 10; ++round) {
    int largest = 0;
    for (k = 1; k + 1 < s->n; ++k) {
      largest = loss[k] > loss[largest] ? k : largest;
    }
    part += loss[largest];
    loss[largest] = 0;
  }
  base_arena_free(arena);
  return part / (s->energy[0] - s->energy[s->n - 1]);
}

static double loss(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return s->energy[0] - s->energy[s->n - 1];
}

/* ---- impacts by their place, at every step of inelastic-coarse ---- */

/* Of the masses at sample k: x of mass i, from the hub to the right [m]. */
static double x_of(const struct case_series *s, int k, int i) {
  return s->q[(size_t)k * (size_t)s->nq + 1 + (size_t)i];
}

static int carried(const struct case_series *s, int k, long id) {
  for (int i = s->first[k]; i < s->first[k + 1]; ++i) {
    if (s->contact[i] == id) {
      return 1;
    }
  }
  return 0;
}

/* Contacts 2 i and 2 i + 1 are the tangential and the radial stop of lever i. */
typedef int impact_counts(long id, double x);

static int on_the_left(long id, double x) {
  (void)id;
  return x < 0;
}

static int radial_on_the_right(long id, double x) {
  static const double FAR = 0.3; /* [m], half the greatest distance */
  return id % 2 == 1 && x > FAR;
}

/* The part of the loss from time t on that falls to contacts that begin to carry and count; of a
 * step with several of them each has an equal part. */
static double part_of_loss(const struct case_series *s, double t, impact_counts *counts) {
  double all = 0, part = s->first != NULL ? 0 : NAN;
  for (int k = 1; k < s->n && s->first != NULL; ++k) {
    const double lost = s->energy[k - 1] - s->energy[k];
    int begin = 0, counted = 0;
    for (int i = s->first[k]; i < s->first[k + 1] && s->t[k] > t; ++i) {
      const long id = s->contact[i];
      if (!carried(s, k - 1, id)) {
        ++begin;
        counted += counts(id, x_of(s, k - 1, (int)(id / 2)));
      }
    }
    all += s->t[k] > t ? lost : 0;
    part += begin > 0 ? lost * counted / begin : 0;
  }
  return part / all;
}

static double lost_in_drops(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return part_of_loss(s, 0, radial_on_the_right);
}

static double lost_on_the_left(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return part_of_loss(s, 0.5 * s->run->t_end, on_the_left);
}

/* While it turns, before it first comes to rest: masses to the left over those to the right, and
 * the mean distance from the hub of those to the right over those to the left. */
static void sides(const struct case_series *s, double *number, double *distance) {
  const int n = (s->nq - 1) / 2;
  double sum[2] = {0, 0}, count[2] = {0, 0};
  for (int k = 0; k < s->n && s->u[(size_t)k * (size_t)s->nu] < 0; ++k) {
    for (int i = 0; i < n; ++i) {
      const double x = x_of(s, k, i);
      sum[x > 0] += hypot(x, x_of(s, k, i + n));
      ++count[x > 0];
    }
  }
  *number = count[0] / count[1];
  *distance = sum[1] / count[1] / (sum[0] / count[0]);
}

static double more_on_the_left(const struct case_results *r, const struct case_series *s, int k) {
  double number, distance;
  (void)r, (void)k;
  sides(s, &number, &distance);
  return number;
}

static double longer_on_the_right(const struct case_results *r, const struct case_series *s,
                                  int k) {
  double number, distance;
  (void)r, (void)k;
  sides(s, &number, &distance);
  return distance;
}

const struct case_function overbalanced_wheel_energy_functions[] = {
    {"loss", .value = loss},
    {"in_steps", .value = in_steps},
    {"lost_in_drops", .value = lost_in_drops},
    {"lost_on_the_left", .value = lost_on_the_left},
    {"more_on_the_left", .value = more_on_the_left},
    {"longer_on_the_right", .value = longer_on_the_right},
    {0}};
