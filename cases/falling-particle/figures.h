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
extern const struct case_runs falling_particle_order_runs[];
extern const struct case_table falling_particle_order_tables[];
extern const struct case_check falling_particle_order_checks[];
extern const struct case_panel falling_particle_order_panels[];

/* yu-6, yu-7, yu-8, ccp-hop, penalty-front; ends with id NULL. */
extern const struct case_figure falling_particle_figures[];

/* ccp-hop (rebound.c). */
extern const struct case_runs falling_particle_rebound_runs[];
extern const struct case_table falling_particle_rebound_tables[];
extern const struct case_check falling_particle_rebound_checks[];
extern const struct case_panel falling_particle_rebound_panels[];

/* penalty-front (front.c). */
extern const struct case_runs falling_particle_front_runs[];
extern const struct case_table falling_particle_front_tables[];
extern const struct case_check falling_particle_front_checks[];
extern const struct case_panel falling_particle_front_panels[];

#endif
