/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of this case: the model, and what its figures call by name.
 */
#ifndef CASES_TIPPE_TOP_H
#define CASES_TIPPE_TOP_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function tippe_top_functions[];

/* Operations of the scalable body with contacts and gaps of `own`; its data begin with body. NULL
 * with a message. */
struct mech_rigid_body;
const struct mech_ops *tippe_top_scalable_ops(const struct mech_rigid_body *body,
                                              const struct mech_ops *own, struct base_arena *arena);

#endif
