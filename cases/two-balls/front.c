/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * penalty-front-balls: work and precision of penalty and impulses on two balls, past their impact.
 * What springs are off by falls
 *
 *   as K^-1/2   while the balls press into each other, v sqrt(eps m/(2 K)) deep, and while the
 *               ropes, slack at first, creep: at m g/D, D = sqrt(K m/eps), for a time of D/K
 *   as K^-1     where the ropes have taken their stretch, m g/K
 *   not at all  below eps v/2 times the time since the impact, what the damping leaves of a rebound
 *
 * so that a smaller eps moves the floor, and costs steps of sqrt(eps m/K).
 */
#include "cases/two-balls/two-balls.h"

#include "cases/figure/front.h"
