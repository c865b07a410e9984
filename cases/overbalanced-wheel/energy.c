/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-6.9: where the energy of the wheel goes for eps = 0. At 1e-3 s every step is sampled, and
 * its loss is told by the contacts that begin to carry in it.
 */
#include "cases/figure/series.h"
#include "cases/overbalanced-wheel/figures.h"

#include <math.h>

/* Of the masses at sample k: x of mass i, from the hub to the right [m]. */
static double x_of(const struct case_series *s, int k, int i) {
  return s->q[(size_t)k * (size_t)s->nq + 1 + (size_t)i];
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
      if (!case_series_carried(s, k - 1, id)) {
        ++begin;
        counted += counts(id, x_of(s, k - 1, (int)(id / 2)));
      }
    }
    all += s->t[k] > t ? lost : 0;
    part += begin > 0 ? lost * counted / begin : 0;
  }
  return part / all;
}

static double lost_in_drops(const struct case_results *r, const struct case_series *s) {
  (void)r;
  return part_of_loss(s, 0, radial_on_the_right);
}

static double lost_on_the_left(const struct case_results *r, const struct case_series *s) {
  (void)r;
  return part_of_loss(s, 0.5 * s->run->t_end, on_the_left);
}

const struct case_function overbalanced_wheel_functions[] = {
    {"lost_in_drops", .value = lost_in_drops},
    {"lost_on_the_left", .value = lost_on_the_left},
    {0}};
