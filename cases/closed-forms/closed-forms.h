/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the case closed-forms.
 */
#ifndef CASES_CLOSED_FORMS_CLOSED_FORMS_H
#define CASES_CLOSED_FORMS_CLOSED_FORMS_H

#include "cases/case.h"

/* Spin about its axis, body's frame, for which the top precesses steadily [rad/s]. */
double closed_forms_spin(const struct case_parameters *p);
/* The closed form; see closed-forms.c. q: 7, u: 6. Returns its error bound. */
double closed_forms_reference(const struct case_parameters *p, double t, double *q, double *u);

#endif
