/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the pushed box; see diagonal_push.c and stiction_threshold.c.
 */
#include "cases/pushed-box/pushed-box.h"

const struct case_figure pushed_box_figures[] = {
    {.id = "diagonal-push",
     .title = "A box pushed across the facets of its friction cone",
     .caption =
         "Error of the direction in which the box goes, pushed with 1.01 mu m g: polyhedral "
         "cones go along the normal of an edge, off by up to pi/n. All others go where they are "
         "pushed, to rounding, but mdp: its friction forces on four feet need not be "
         "parallel, and the box goes astray by up to the angle below.",
     .runs = diagonal_push_runs,
     .tables = diagonal_push_tables,
     .checks = diagonal_push_checks,
     .panels = diagonal_push_panels},
    {.id = "stiction-threshold",
     .title = "The smallest push that moves a box",
     .caption =
         "Speed after pushes of mu m g (1 -+ 10^-k), and the two between which the box begins "
         "to move.",
     .runs = stiction_runs,
     .tables = stiction_tables,
     .checks = stiction_checks,
     .panels = stiction_panels,
     .abreast = 2},
    {.id = NULL}};
