/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The polyhedral friction cone of lcp-st and lcp-ap (bhalerao 12), as their options ask for it:
 * with d_k, k = 0 ... n_dir - 1, the points of an ellipse with half axes 1 and mu_ratio,
 *
 *   d_k = cos(2 pi k / n_dir) t1 + mu_ratio sin(2 pi k / n_dir) t2,
 *   r_T in { D lambda : lambda >= 0, sum of lambda <= mu r_N },
 *
 * friction is limited by mu r_N along t1 and by mu_ratio mu r_N along t2, and sliding dissipates
 * the most that this polygon allows.
 */
#ifndef FORM_LCP_POLYGON_H
#define FORM_LCP_POLYGON_H

#include "base/options.h"
#include "form/impulse.h"

#define FORM_POLYGON_OPTIONS(type)                                                                 \
  BASE_OPTION_INT(type, n_dir, 8, 3, 4096,                                                         \
                  "friction directions of a spatial contact, the first along t1 (bhalerao 12); "   \
                  "planar: always 2"),                                                             \
      BASE_OPTION_REAL(type, mu_ratio, 1, 1e-3, 1e3, "",                                           \
                       "friction along t2 over that along t1, mu: points of an ellipse in place "  \
                       "of a circle; planar: not used")

/* Directions of the options, from the arena; NULL: the regular polygon. */
static inline const double *form_polygon_directions(int n_dir, double mu_ratio,
                                                    struct base_arena *arena) {
  if (mu_ratio == 1) {
    return NULL;
  }
  double *dirs = base_arena_doubles(arena, 2 * n_dir);
  contact_directions_elliptic(n_dir, mu_ratio, dirs);
  return dirs;
}

#endif
