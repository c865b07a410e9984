/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `what-is-measured`: cost beside error (measured.c), of laws at gap level with the
 * tightest tolerance, at each step. For polyhedral cones n_dir so is an axis of cost: the error
 * ends on a plateau that falls with n_dir, and the time of a sweep grows with it, which counting
 * sweeps does not see. Cold starts (option warm_start=no of a suite's cells) stand beside warm ones
 * with the same errors and other work.
 *
 * Errors over the system's length, medians over members and scenes; time of the processor, and work
 * (steps and iterations), over those of `ncp` with warm starts for the same member at the same
 * step: medians of the ratios. Intervals by bootstrap over scenes.
 */
#include "bench/report/studies/measured.h"

#include <math.h>

#include "base/status.h"
#include "la/ensemble/quantile.h"

enum { COLUMNS = 3 }; /* error, time, work */

struct columns {
  const double *x; /* room of each column, one after the other */
  double *drawn;   /* a resample of clusters may be longer than the members */
  int room;
};

static void medians(int n, const int *index, void *data, double *values) {
  const struct columns *c = data;
  for (int k = 0; k < COLUMNS; ++k) {
    for (int i = 0; i < n; ++i) {
      c->drawn[i] = c->x[(long)k * c->room + index[i]];
    }
    values[k] = la_median(n, c->drawn);
  }
}

/* All members of the scenes in which the cell and ncp were run; returns how many. */
static int collect(const struct measured *s, const int *where, const int at[3], int law, int step,
                   int room, double *x, int *cluster) {
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  double *error = base_arena_doubles(s->arena, s->members);
  double *work = base_arena_doubles(s->arena, s->members);
  double *unit = base_arena_doubles(s->arena, s->members);
  int n = 0, clusters = 0;
  for (int k = 0; k < s->scene.n; ++k) {
    const int cell = measured_cell_of(s, where, law, at[SCHEME], at[TOLERANCE], step, k);
    const int ncp = measured_cell(s, at[LAW], at[SCHEME], at[TOLERANCE], step, k);
    if (cell < 0 || ncp < 0) {
      continue;
    }
    measured_errors(s, cell, error);
    measured_works(s, cell, work);
    measured_works(s, ncp, unit);
    for (int m = 0; m < s->members; ++m) {
      x[n] = error[m];
      x[room + n] = s->cell[cell].time[m] / s->cell[ncp].time[m];
      x[2L * room + n] = work[m] / unit[m];
      for (int c = 1; c < COLUMNS; ++c) {
        double *ratio = &x[(long)c * room + n];
        *ratio = isnan(*ratio) ? INFINITY : *ratio;
      }
      cluster[n++] = clusters;
    }
    ++clusters;
  }
  base_arena_release(s->arena, mark);
  return n;
}

static void write_row(const struct measured *s, int is_cold, int law, int step, double *x,
                      int *cluster, FILE *csv) {
  const int room = s->scene.n * s->members;
  int at[3];
  measured_reference(s, at);
  const int n = collect(s, is_cold ? s->cold : s->where, at, law, step, room, x, cluster);
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  struct columns columns = {x, base_arena_doubles(s->arena, room), room};
  struct la_sampling sampling = la_sampling_default(n);
  struct la_interval interval[COLUMNS];
  sampling.cluster = cluster;
  if (n > 0) {
    la_bootstrap(&sampling, COLUMNS, medians, &columns, s->arena, interval, NULL);
    fprintf(csv, "%s,%s,%d", s->law.name[law], is_cold ? "cold" : "warm", step + 1);
    for (int k = 0; k < COLUMNS; ++k) {
      measured_interval(csv, &interval[k]);
    }
    fputc('\n', csv);
  }
  base_arena_release(s->arena, mark);
}

int measured_axes(const struct measured *s, FILE *csv) {
  const int room = s->scene.n * s->members;
  double *x = base_arena_matrix(s->arena, room, COLUMNS);
  int *cluster = base_arena_ints(s->arena, room);
  fputs("law,start,step,error,lo,hi,time_over_ncp,lo,hi,work_over_ncp,lo,hi\n", csv);
  for (int law = 0; law < s->law.n; ++law) {
    for (int is_cold = 0; is_cold < 2; ++is_cold) {
      for (int step = 0; step < s->steps; ++step) {
        write_row(s, is_cold, law, step, x, cluster, csv);
      }
    }
  }
  return BASE_OK;
}
