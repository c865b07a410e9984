/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the model of the stacks and their figures.
 */
#ifndef CASES_BOX_STACK_H
#define CASES_BOX_STACK_H

#include "cases/case.h"

/* ccp-scaling-stack; ends with id NULL. */
/* What the files of its figures call by name. */
extern const struct case_function box_stack_functions[];

#endif
