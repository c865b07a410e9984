/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of Painleve's rod.
 */
#ifndef CASES_PAINLEVE_ROD_H
#define CASES_PAINLEVE_ROD_H

#include "cases/case.h"

/* mu_*(theta), least friction of the paradox; theta in ]0, pi/2[ (preclik 4.2). */
double painleve_rod_limit(double theta);
/* Velocity of the lower end, normal first, from q = (x, y, theta) and u of a rod of length l. */
void painleve_rod_end(double l, const double *q, const double *u, double v[2]);

/* The rod of m = l = 1 as a body in space, its lower end on the plane z = 0. */
int painleve_rod_in_space(double theta, struct base_arena *arena, struct case_instance *out);

/* |contact.impulse[k] - expected| of a record; NaN when it is missing. */
double painleve_rod_impulse(const struct case_series *s, int k, double expected);

/* What the files of its figures call by name. */
extern const struct case_function painleve_rod_functions[];

/* The maps mu x theta of preclik-painleve: what they say, and the number of their runs. */
enum { PAINLEVE_MAP_FORMS = 8, PAINLEVE_MAP_SIDE = 12 };
enum { PAINLEVE_MAP_RUNS = PAINLEVE_MAP_FORMS * PAINLEVE_MAP_SIDE * PAINLEVE_MAP_SIDE };
extern const char *const painleve_map_forms[PAINLEVE_MAP_FORMS];
#define PAINLEVE_MAP_SIDES "00 01 02 03 04 05 06 07 08 09 10 11"
#define PAINLEVE_MAP_LIST "moreau lcp-ap ncp mdp ccp consistent-twostep penalty event"
int painleve_rod_map_make(const struct case_parameters *p, const struct case_series *series,
                          struct case_plot *plot);

#endif
