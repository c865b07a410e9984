/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Grading of the one-step problems of a step, the same for every formulation. Each problem whose
 * impulses move the state is graded once, by the law's residual (contact/law.h) and by the physical
 * diagnostics, at the impulses and velocities that the step goes on with. A problem that a later
 * solve of the same step replaces (contacts join, gaps are corrected) moves nothing and is not
 * graded.
 *
 * A step's residual is that of its worst problem: the largest relative to the residual of zero
 * impulses (contact_demand), or the first that is not a number. Its absolute value and its place
 * belong to the same problem. (An absolute measure would let the impact of a step, whose velocities
 * are m/s, hide its motion, whose velocities are dt times forces.) Diagnostics are each the worst
 * over the problems.
 */
#ifndef FORM_GRADE_H
#define FORM_GRADE_H

#include "form/form.h"

/* One problem. id: of its contacts, nc; NULL: report their indices. */
void form_grade(const struct contact_residual *residual,
                const struct contact_diagnostics *diagnostics, const long *id,
                struct form_report *report);
/* The same of r, with v = A r + b, both dim x nc; diag: the diagonal blocks of A. A is that of the
 * rigid contacts, W^T M^-1 W less what joints take, and v the velocities that the bodies have, also
 * where a formulation solves a softer law with a compliance added to A: its residual then measures
 * the effect of the softness. Returns the residual. */
struct contact_residual form_grade_problem(const struct contact_model *model, const double *diag,
                                           const double *r, const double *v, const double *b,
                                           const long *id, struct form_report *report);

#endif
