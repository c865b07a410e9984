/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Factorial designs: a table with one number for each combination of the levels of some factors;
 * the level of the last factor varies fastest. Missing numbers are NaN or infinite.
 *
 * Only unsupported combinations should be missing. A failed run is a bad result: it should be in
 * the table with the largest meaningful error (the size of the motion). Leaving it out would remove
 * a whole level with other cells, and the remaining results would look better than they are.
 */
#ifndef LA_ENSEMBLE_DESIGN_H
#define LA_ENSEMBLE_DESIGN_H

#include "base/memory/arena.h"

enum { LA_FACTORS_MAX = 8 };

enum la_factor_kind {
  LA_FACTOR_FIXED,  /* its levels are all levels of interest (laws, schemes), equally weighted */
  LA_FACTOR_RANDOM, /* its levels are a sample of all possible ones (scenes, phases) */
  LA_FACTOR_HELD    /* fixed and held: the shares are computed at each of its levels */
};

struct la_factor {
  const char *name;
  int levels;
  enum la_factor_kind kind;
  int within; /* -1, or, for a random factor, the number of the earlier factor (random or fixed) in
                 which it is nested: its levels then differ between the levels of that factor, as
                 the phases of each scene do */
};

/* A design of n <= LA_FACTORS_MAX factors. */
struct la_design {
  int n;
  struct la_factor factor[LA_FACTORS_MAX];
};

/* The number of cells: the product of all levels. */
size_t la_design_cells(const struct la_design *design);

/* A complete sub-design: levels are removed until no cell of the rest is missing. */
struct la_sub_design {
  struct la_design design;           /* with the levels that are kept */
  int *kept[LA_FACTORS_MAX];         /* kept levels of each factor, ascending */
  size_t cells, missing, cells_kept; /* numbers of all cells, missing ones, and kept ones */
  double *y;                         /* cells_kept */
};

/* The complete sub-design of a table y, in the arena. In each turn the level with the largest share
 * of missing cells is removed; of equal ones that of the last factor. The result need not be the
 * largest complete sub-design; the counts show the loss. It may be empty: cells_kept = 0. */
struct la_sub_design la_design_complete(const struct la_design *design, const double *y,
                                        struct base_arena *arena);

#endif
