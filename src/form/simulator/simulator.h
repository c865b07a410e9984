/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * External simulators: a program reads the scene, the step and the times of all states as JSON on
 * standard input and prints the states as JSON (protocol: src/peers/README.md). A run calls it
 * once, in its first step, and returns one of its states a step. All measurements of states
 * therefore apply to its states too. Contacts and impulses are unknown unless the program reports
 * them.
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

/* Add to a hash (base/bytes/hash.h) the files that determine a simulator's answers: files named by
 * its command, or the engine's program. Other formulations leave it unchanged. */
uint64_t form_simulator_hash(const struct form *form, uint64_t hash);

/* Path of an engine's program, from the arena; NULL where this build has none. */
const char *form_engine_program(const struct form *form, struct base_arena *arena);

/* Version printed by an engine's program, "absent" without a program, from the arena; NULL: it is
 * no engine. */
const char *form_engine_version(const struct form *form, struct base_arena *arena);

int form_simulator_check(const struct form_setup *setup);
void *form_simulator_alloc(const struct form_setup *setup, const struct form_state *start);
int form_simulator_step(void *workspace, struct form_state *state, double dt,
                        struct form_report *report);

/* Is it an external program, exec:COMMAND or an engine? */
static inline int form_is_simulator(const struct form *form) {
  return form->step == form_simulator_step;
}

/* The simulator's part of a `struct form`. */
#define FORM_SIMULATOR                                                                             \
  .check = form_simulator_check, .alloc = form_simulator_alloc, .step = form_simulator_step,       \
  .is_family = 1, .cost = 10

#endif
