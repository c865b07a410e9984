/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the pushed box; see diagonal_push.c and stiction_threshold.c.
 */
#include "cases/pushed-box/pushed-box.h"

const struct case_figure pushed_box_figures[] = {
    {.id = "diagonal-push",
     .title = "A box pushed across the facets of its friction cone",
     .caption = "A polyhedral cone sends the box along the normal of one of its edges, up to "
                "pi/n_dir off the push: the worst error is of order {lcp-st: order in 1/n_dir} in "
                "1/n_dir. By round cones the box goes where it is pushed (ccp: to {ccp "
                "(quaternion): direction} rad); but by mdp, whose friction forces on four feet "
                "need not be parallel, it is {mdp (quaternion): direction} rad off. Error of the "
                "direction in which the box goes, pushed with 1.01 mu m g.",
     .runs = diagonal_push_runs,
     .tables = diagonal_push_tables,
     .checks = diagonal_push_checks,
     .panels = diagonal_push_panels},
    {.id = "stiction-threshold",
     .title = "The smallest push that moves a box",
     .caption = "By every impulse formulation but mdp a box moves at mu m g and not before: "
                "{event: largest push that leaves} of it is the largest push that leaves it at "
                "rest, {event: smallest push that moves} the smallest that moves it (event); along "
                "an edge of its polygon lcp-st lets go at {lcp-st-edge: smallest push that moves "
                "it}. mdp and penalty have no sharp limit. Speed after pushes of mu m g (1 -+ "
                "10^-k), and the two between which the box begins to move.",
     .runs = stiction_runs,
     .tables = stiction_tables,
     .checks = stiction_checks,
     .panels = stiction_panels,
     .abreast = 2},
    {.id = NULL}};
