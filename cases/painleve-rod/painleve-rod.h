/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of Painleve's rod.
 */
#ifndef CASES_PAINLEVE_ROD_H
#define CASES_PAINLEVE_ROD_H

#include "cases/case.h"

/* mu_*(theta), least friction of the paradox; theta in ]0, pi/2[ (preclik 4.2). */
double painleve_rod_limit(double theta);
/* The rod of m = l = 1 as a body in space, its lower end on the plane z = 0. */
int painleve_rod_in_space(double theta, struct base_arena *arena, struct case_instance *out);

/* What the files of its figures call by name. */
extern const struct case_function painleve_rod_functions[];

#endif
