/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole simulators of others: a program gets the scene, the step and the times of all states as
 * JSON on its standard input and gives the states as JSON (src/peers/README.md is the protocol). A
 * run asks once, in its first step, and hands out a state a step; so everything that is measured of
 * states is measured of theirs as of ours. What they do not tell of contacts and impulses is not
 * known.
 *
 *   exec.c       exec:COMMAND, anybody's program, by the shell
 *   ode.c ...    engines, each asked by a program of its own, peers/NAME beside ours
 *   simulator.c  the question, the answer and its checks
 *
 * An engine is a file with FORM_SIMULATOR and its options here, a line in form/registry.h, and the
 * program (src/peers/).
 */
#ifndef FORM_SIMULATOR_H
#define FORM_SIMULATOR_H

#include <stdint.h>

#include "form/form.h"

#define FORM_SIMULATOR_QUESTION "coulombench.simulate/1"

/* A hash (base/bytes/hash.h) with what decides the answers of a simulator added: files that its
 * command names, or the engine's program. Of other formulations as it is. */
uint64_t form_simulator_hash(const struct form *form, uint64_t hash);

/* Path of an engine's program, from the arena; NULL where this build has none. */
const char *form_engine_program(const struct form *form, struct base_arena *arena);

/* What an engine's program says of its version, "absent" without one, from the arena; NULL: it is
 * no engine. */
const char *form_engine_version(const struct form *form, struct base_arena *arena);

int form_simulator_check(const struct form_setup *setup);
void *form_simulator_alloc(const struct form_setup *setup, const struct form_state *start);
int form_simulator_step(void *workspace, struct form_state *state, double dt,
                        struct form_report *report);

/* Is it a program of others, exec:COMMAND or an engine? */
static inline int form_is_simulator(const struct form *form) {
  return form->step == form_simulator_step;
}

/* The simulator's part of a `struct form`. */
#define FORM_SIMULATOR                                                                             \
  .check = form_simulator_check, .alloc = form_simulator_alloc, .step = form_simulator_step,       \
  .is_family = 1, .cost = 10

#endif
