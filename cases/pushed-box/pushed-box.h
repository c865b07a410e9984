/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the pushed box.
 */
#ifndef CASES_PUSHED_BOX_H
#define CASES_PUSHED_BOX_H

#include "cases/case.h"

/* Normal of an edge of the polygon of n facets that a push must leave [rad]. */
double pushed_box_normal(int n);
/* Direction [rad] in which a polygon of n facets (the first vertex along x) lets the box go that is
 * pushed with `push` times mu m g in the direction angle; NaN: it does not move. */
double pushed_box_polygon(int n, double push, double angle);
/* The smallest push over mu m g that moves it: the polygon's radius in that direction. */
double pushed_box_polygon_limit(int n, double angle);

#endif
