/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the academic problem of one contact.
 */
#ifndef CASES_ACADEMIC_CONTACT_H
#define CASES_ACADEMIC_CONTACT_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function academic_contact_rays_functions[];

#endif
