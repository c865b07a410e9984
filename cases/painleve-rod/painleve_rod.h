/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of Painleve's rod.
 */
#ifndef CASES_PAINLEVE_ROD_H
#define CASES_PAINLEVE_ROD_H

#include "cases/case.h"

/* mu_*(theta), least friction of the paradox; theta in ]0, pi/2[ (preclik 4.2). */
double painleve_rod_limit(double theta);

extern const struct case_figure painleve_rod_figures[];

#endif
