/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of Kane's pendulum: the energy of its impact in closed form.
 */
#ifndef CASES_KANE_PENDULUM_H
#define CASES_KANE_PENDULUM_H

#include "cases/case.h"

enum kane_law { KANE_NEWTON, KANE_POISSON };
/* T^+/T^- - 1 of the impact at the start, with these friction and restitution in place of the
 * parameters'; NaN: no case fits. */
double kane_pendulum_gain(const struct case_parameters *p, enum kane_law law, double mu,
                          double eps);

#endif
