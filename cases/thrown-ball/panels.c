/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How negrut-liftoff and relaxation-cost are drawn. Above: gap, normal force and speeds over time,
 * and errors of every formulation over the step. Below: distances from ncp over time and over the
 * step, then way and speed that the relaxation gains over mu and over v0.
 */
#include "cases/thrown-ball/thrown-ball.h"
