/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the model of the stacks and their figures.
 */
#ifndef CASES_BOX_STACK_H
#define CASES_BOX_STACK_H

#include "cases/case.h"

/* ccp-scaling-stack; ends with id NULL. */
extern const struct case_figure box_stack_figures[];

#endif
