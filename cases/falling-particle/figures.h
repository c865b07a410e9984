/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the model of the falling particle and its figures.
 */
#ifndef CASES_FALLING_PARTICLE_FIGURES_H
#define CASES_FALLING_PARTICLE_FIGURES_H

#include "base/memory/arena.h"
#include "cases/case.h"

/* Closed form (falling-particle.c); q: x y, u: vx vy. Returns its error bound. */
double falling_particle_reference(const struct case_parameters *p, double t, double *q, double *u);

/* Time of the impact [s]. */
double falling_particle_impact(const struct case_parameters *p);
/* Largest |y - y_exact| over the samples [m]; NaN without any. */
case_value falling_particle_y_error;
/* Bounds of a measured first order. */
#define FALLING_PARTICLE_ORDER_LO 0.85
#define FALLING_PARTICLE_ORDER_HI 1.15
/* What `event` owes the closed form, in seconds, metres and metres per second. */
#define FALLING_PARTICLE_EVENT_ACCURACY 1e-10

/* yu-8 (order.c). */

/* yu-6, yu-7, yu-8, ccp-hop, penalty-front; ends with id NULL. */
/* What the files of its figures call by name. */
extern const struct case_function falling_particle_functions[];
extern const struct case_function falling_particle_order_functions[];
extern const struct case_function falling_particle_rebound_functions[];
extern const struct case_function falling_particle_front_functions[];

/* ccp-hop (rebound.c). */

/* penalty-front (front.c). */

#endif
