/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Factorial designs: a table of numbers, one for every combination of the levels of some factors,
 * the last factor's level varying fastest. Cells that have no number are NaN or infinite.
 *
 * Only unsupported combinations are missing. A failed run is a bad result, not a gap: it should be
 * in the table with the largest meaningful error (the size of the motion). Leaving it out would
 * remove a whole level with other cells, and the remaining results would look better than they are.
 */
#ifndef LA_ENSEMBLE_DESIGN_H
#define LA_ENSEMBLE_DESIGN_H

#include "base/memory/arena.h"

enum { LA_FACTORS_MAX = 8 };

enum la_factor_kind {
  LA_FACTOR_FIXED,  /* its levels are all that are of interest (laws, schemes), equally weighted */
  LA_FACTOR_RANDOM, /* its levels are a sample of all possible ones (scenes, phases) */
  LA_FACTOR_HELD    /* fixed and held: the shares are computed at each of its levels */
};

struct la_factor {
  const char *name;
  int levels;
  enum la_factor_kind kind;
  int within; /* a random factor's levels may be others in each level of an earlier random or fixed
                 factor, as the phases of each scene: which; -1: none */
};

/* n: at most LA_FACTORS_MAX */
struct la_design {
  int n;
  struct la_factor factor[LA_FACTORS_MAX];
};

size_t la_design_cells(const struct la_design *design);

/* A complete sub-design: levels are left out until no cell of the rest is without a number. */
struct la_sub_design {
  struct la_design design;   /* with the levels that are kept */
  int *kept[LA_FACTORS_MAX]; /* kept levels of each factor, ascending */
  size_t cells, missing,
      cells_kept; /* of the whole design; of these without a number; of the rest */
  double *y;      /* cells_kept */
};

/* At each turn the level with the largest share of missing cells goes; of levels alike the one of
 * the latest factor. That need not find the largest complete sub-design; what is lost is in the
 * counts. y: of the design. From the arena. Nothing may be left: cells_kept = 0. */
struct la_sub_design la_design_complete(const struct la_design *design, const double *y,
                                        struct base_arena *arena);

#endif
