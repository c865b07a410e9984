/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the sprag clutch: velocities after the impact in closed form.
 */
#ifndef CASES_SPRAG_CLUTCH_H
#define CASES_SPRAG_CLUTCH_H

#include "cases/case.h"

struct sprag_clutch_impact {
  double u1, u2; /* after it [m/s] */
};
/* Both impacts at once, eps1 = 0, by Newton's and by Poisson's law (sprag-clutch.c);
 * u1 > 0 > u2 before it [m/s]. */
struct sprag_clutch_impact sprag_clutch_newton(double u1, double u2, double eps2);
struct sprag_clutch_impact sprag_clutch_poisson(double u1, double u2, double eps2);

#endif
