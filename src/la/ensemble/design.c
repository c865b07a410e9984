/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Factorial designs; see design.h.
 */
#include "la/ensemble/design.h"

#include <math.h>

/* The cell at hand: one level of each factor, counted like an odometer. */
struct cell {
  int level[LA_FACTORS_MAX];
};

static void next_cell(const struct la_design *design, struct cell *cell) {
  for (int f = design->n - 1; f >= 0 && ++cell->level[f] == design->factor[f].levels; --f) {
    cell->level[f] = 0;
  }
}

size_t la_design_cells(const struct la_design *design) {
  size_t cells = 1;
  for (int f = 0; f < design->n; ++f) {
    cells *= (size_t)design->factor[f].levels;
  }
  return cells;
}

static int is_kept(const struct la_design *design, const struct cell *cell, int *const *keeps) {
  int kept = 1;
  for (int f = 0; f < design->n; ++f) {
    kept = kept && keeps[f][cell->level[f]];
  }
  return kept;
}

/* missing[f][level]: cells without a number of the kept ones; returns how many there are in all.
 * *kept: all kept cells. */
static size_t count_missing(const struct la_design *design, const double *y, int *const *keeps,
                            long *const *missing, size_t *kept) {
  const size_t cells = la_design_cells(design);
  size_t total = 0;
  struct cell cell = {0};
  *kept = 0;
  for (int f = 0; f < design->n; ++f) {
    for (int level = 0; level < design->factor[f].levels; ++level) {
      missing[f][level] = 0;
    }
  }
  for (size_t i = 0; i < cells; ++i, next_cell(design, &cell)) {
    if (!is_kept(design, &cell, keeps)) {
      continue;
    }
    ++*kept;
    if (!isfinite(y[i])) {
      ++total;
      for (int f = 0; f < design->n; ++f) {
        ++missing[f][cell.level[f]];
      }
    }
  }
  return total;
}

/* Leave out the level with the largest share of missing cells; left: levels kept of each factor. */
static void drop_worst(const struct la_design *design, int **keeps, long *const *missing,
                       int *left) {
  int worst = -1, worst_level = -1;
  double most = -1;
  for (int f = 0; f < design->n; ++f) {
    for (int level = 0; level < design->factor[f].levels; ++level) {
      /* all levels of a factor have as many cells: the kept ones over their number */
      const double share = (double)missing[f][level] * left[f];
      if (keeps[f][level] && share >= most) {
        most = share;
        worst = f;
        worst_level = level;
      }
    }
  }
  if (worst >= 0) {
    keeps[worst][worst_level] = 0;
    --left[worst];
  }
}

static void copy_kept(const struct la_design *design, const double *y, int *const *keeps,
                      struct la_sub_design *sub) {
  const size_t cells = la_design_cells(design);
  size_t n = 0;
  struct cell cell = {0};
  for (size_t i = 0; i < cells; ++i, next_cell(design, &cell)) {
    if (is_kept(design, &cell, keeps)) {
      sub->y[n++] = y[i];
    }
  }
}

struct la_sub_design la_design_complete(const struct la_design *design, const double *y,
                                        struct base_arena *arena) {
  struct la_sub_design sub = {.design = *design, .cells = la_design_cells(design)};
  int *keeps[LA_FACTORS_MAX], left[LA_FACTORS_MAX];
  long *missing[LA_FACTORS_MAX];
  for (int f = 0; f < design->n; ++f) {
    left[f] = design->factor[f].levels;
    sub.kept[f] = base_arena_ints(arena, left[f]);
    keeps[f] = base_arena_ints(arena, left[f]);
    missing[f] = base_arena_longs(arena, left[f]);
    for (int level = 0; level < left[f]; ++level) {
      keeps[f][level] = 1;
    }
  }
  sub.missing = count_missing(design, y, keeps, missing, &sub.cells_kept);
  for (size_t n = sub.missing; n > 0;) {
    drop_worst(design, keeps, missing, left);
    n = count_missing(design, y, keeps, missing, &sub.cells_kept);
  }
  for (int f = 0; f < design->n; ++f) {
    int n = 0;
    for (int level = 0; level < design->factor[f].levels; ++level) {
      if (keeps[f][level]) {
        sub.kept[f][n++] = level;
      }
    }
    sub.design.factor[f].levels = n;
  }
  sub.y = base_arena_array(arena, sub.cells_kept, 1, sizeof *sub.y);
  copy_kept(design, y, keeps, &sub);
  return sub;
}
