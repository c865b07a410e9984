/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ids of contacts that carried a normal impulse somewhere in a step, for formulations whose steps
 * have many parts; and how many of those of a step did not carry in the step before it.
 */
#ifndef FORM_CARRIED_H
#define FORM_CARRIED_H

#include "base/bytes/blob.h"
#include "base/memory/arena.h"

struct form_report;

struct form_carried {
  struct base_arena *store; /* of the ids */
  int n, capacity;
  long *id; /* n, ascending, each once */
};

/* Empty; what it holds goes with the arena. */
void form_carried_init(struct form_carried *carried, struct base_arena *arena);
/* Put n ids in, which ascend; those there stay. */
void form_carried_add(struct form_carried *carried, int n, const long *id);
/* Onsets of a step: contacts that carried in it, by its report, and not in the step before, which
 * `before` holds. It holds those of this step then. Before the first step none has carried. */
int form_carried_onsets(struct form_carried *before, const struct form_report *report);
/* All of it, for checkpoints. */
void form_carried_pass(struct form_carried *carried, struct base_blob *blob);

#endif
