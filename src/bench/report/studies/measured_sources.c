/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `what-is-measured`: where laws and schemes make their errors (measured.c). Of every
 * member at the tightest tolerance and the finest step, what it made in flight, at the impact and
 * after (bench/reference/encounter.h) over its largest error: medians over the members of the
 * scenes that have a first contact after the start, with intervals by bootstrap over scenes. The
 * three do not add up to one.
 */
#include "bench/report/studies/measured.h"

#include <math.h>

#include "base/status.h"
#include "la/ensemble/quantile.h"

enum { SOURCES = 3 };
static const char *const names[SOURCES] = {"flight", "impact", "after"};
static const int numbers[SOURCES] = {FLIGHT, IMPACT, AFTER};

struct ratios {
  const double *x; /* n of each source, one after the other */
  int n;           /* room for each */
  double *drawn;   /* n drawn at most: a resample of clusters may be longer */
};

static void medians(int n, const int *index, void *data, double *values) {
  const struct ratios *r = data;
  for (int k = 0; k < SOURCES; ++k) {
    for (int i = 0; i < n; ++i) {
      r->drawn[i] = r->x[(long)k * r->n + index[i]];
    }
    values[k] = la_median(n, r->drawn);
  }
}

/* Ratios of all members of a law and scheme that have them all, x: n of each source in columns
 * `all` long; cluster: their scenes, numbered from 0 on. Returns n. */
static int collect(const struct measured *s, int law, int scheme, int all, double *x,
                   int *cluster) {
  int n = 0, clusters = 0;
  for (int scene = 0; scene < s->scene.n; ++scene) {
    const int cell = measured_cell(s, law, scheme, s->tolerance.n - 1, s->steps - 1, scene);
    const int before = n;
    for (int m = 0; m < s->members; ++m) {
      const double whole = fmax(measured_number(s, cell, m, MASS), MEASURED_FLOOR);
      double of[SOURCES], sum = whole;
      for (int k = 0; k < SOURCES; ++k) {
        of[k] = measured_number(s, cell, m, numbers[k]) / whole;
        sum += of[k];
      }
      if (isfinite(sum)) {
        for (int k = 0; k < SOURCES; ++k) {
          x[(long)k * all + n] = of[k];
        }
        cluster[n++] = clusters;
      }
    }
    clusters += n > before;
  }
  return n;
}

int measured_sources(const struct measured *s, FILE *csv) {
  const int all = s->scene.n * s->members;
  double *x = base_arena_matrix(s->arena, all, SOURCES);
  int *cluster = base_arena_ints(s->arena, all);
  fputs("law,scheme,source,members,over_largest_error,lo,hi\n", csv);
  for (int law = 0; law < s->law.n; ++law) {
    for (int scheme = 0; scheme < s->scheme.n; ++scheme) {
      const struct base_arena_mark mark = base_arena_mark(s->arena);
      struct la_interval interval[SOURCES];
      const int n = collect(s, law, scheme, all, x, cluster);
      struct ratios r = {x, all, base_arena_doubles(s->arena, all)};
      struct la_sampling sampling = la_sampling_default(n);
      sampling.cluster = cluster;
      if (n > 0) {
        la_bootstrap(&sampling, SOURCES, medians, &r, s->arena, interval, NULL);
      }
      for (int k = 0; k < SOURCES && n > 0; ++k) {
        fprintf(csv, "%s,%s,%s,%d", s->law.name[law], s->scheme.name[scheme], names[k], n);
        measured_interval(csv, &interval[k]);
        fputc('\n', csv);
      }
      base_arena_release(s->arena, mark);
    }
  }
  return BASE_OK;
}
