/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ids of contacts that carried a normal impulse somewhere in a step, for formulations whose steps
 * have many parts, and the number of contact onsets of a step.
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

/* An empty list; its memory is the arena's. */
void form_carried_init(struct form_carried *carried, struct base_arena *arena);
/* Insert n ascending ids. */
void form_carried_add(struct form_carried *carried, int n, const long *id);
/* Onsets of a step: contacts that carried in it, by its report, and not in the step before.
 * `before` holds the ids of the step before; on return those of this step. Before the first step it
 * is empty. */
int form_carried_onsets(struct form_carried *before, const struct form_report *report);
/* Save or restore all of it, for checkpoints. */
void form_carried_pass(struct form_carried *carried, struct base_blob *blob);

#endif
