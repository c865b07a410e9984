/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the model of hanging branches of discs, which two-balls shares, and the figures.
 */
#ifndef CASES_GRANULAR_CHAINS_H
#define CASES_GRANULAR_CHAINS_H

#include "base/memory/arena.h"
#include "cases/case.h"

/* The model of model.c with both branches straight and at rest, the first at
 * angle[0] from the vertical to the left, the second at angle[1] to the right [rad]. */
int granular_chains_assemble(const struct case_parameters *p, const char *name,
                             const double angle[2], struct base_arena *arena,
                             struct case_instance *out);

/* The model with these parameters, both branches at `angle` (granular-chains.c). */
int granular_chains_build(const struct case_parameters *p, struct base_arena *arena,
                          struct case_instance *out);

/* What the files of its figures call by name. */
extern const struct case_function granular_chains_steps_functions[];
extern const struct case_function granular_chains_contact_functions[];

#endif
