/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * yu-15: the chains as pictures at some times, and as a film (figures/yu-15.gp draws both). A frame
 * is a block of rows (x, y, R, branch), a branch headed by its point at the ceiling (R = 0).
 */
#include "cases/granular-chains/granular-chains.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>

enum { COLUMNS = 3, ROW = 4 };
static const double FRAME_TIME = 0.04; /* [s], 25 frames a second */
static const double STILLS[] = {0, 0.2, 0.4, 0.52, 0.6, 0.8, 1, 1.4, 2, 3, 5, 8};
enum { STILL_COUNT = sizeof STILLS / sizeof *STILLS };

static int write_frame(const struct case_parameters *p, const struct case_series *s, int sample,
                       const char *table, double *rows, struct case_plot *plot) {
  const int n = (int)case_real(p, "n");
  const double R = case_real(p, "R"),
               ceiling = n * case_real(p, "L") + R + case_real(p, "clearance");
  double *row = rows;
  for (int side = 0; side < 2; ++side) {
    const double head[ROW] = {(side - 0.5) * case_real(p, "dx"), ceiling, 0, side};
    for (int j = 0; j < ROW; ++j) {
      row[j] = head[j];
    }
    row += ROW;
    for (int k = 0; k < n; ++k, row += ROW) {
      const double *q = s->q + (long)sample * s->nq + (long)COLUMNS * (side * n + k);
      row[0] = q[0];
      row[1] = q[1];
      row[2] = R;
      row[3] = side;
    }
  }
  return case_plot_table(plot, table, "x[m] y[m] R[m] branch", 2 * (n + 1), ROW, rows);
}

static int frames_make(const struct case_parameters *p, const struct case_series *series, int n,
                       struct case_plot *plot) {
  const int discs = 2 * (int)case_real(p, "n");
  const struct case_series *s = case_series_ok(series, n, "ccp", COLUMNS * discs);
  if (s == NULL) {
    return BASE_FAILED;
  }
  struct base_arena *arena = base_arena_alloc();
  double *rows = base_arena_matrix(arena, ROW, discs + 2), times[2 * STILL_COUNT];
  int status = BASE_OK, at = 0;
  for (int l = 0; l < s->n && status == BASE_OK; ++l) {
    status = write_frame(p, s, l, "film", rows, plot);
  }
  for (int k = 0; k < STILL_COUNT && status == BASE_OK; ++k) {
    while (at + 1 < s->n && s->t[at] < STILLS[k] - 0.5 * FRAME_TIME) {
      ++at;
    }
    times[2 * k] = k;
    times[2 * k + 1] = s->t[at];
    status = write_frame(p, s, at, "stills", rows, plot);
  }
  if (status == BASE_OK) {
    status = case_plot_table(plot, "times", "still t[s]", STILL_COUNT, 2, times);
  }
  base_arena_free(arena);
  return status;
}

const struct case_function granular_chains_frames_functions[] = {
    {"frames_make", .make = frames_make}, {0}};
