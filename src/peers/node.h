/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Engines whose package is one of Node: NAME.mjs beside the program NAME gets everything that kit.h
 * has as JSON, takes all steps and prints a line for each (node.mjs reads and prints).
 */
#ifndef PEERS_NODE_H
#define PEERS_NODE_H

#include "peers/kit.h"

/* Version of a package that stands beside the program; "absent" without it. */
const char *node_version(const char *package);

/* Run the script; `model` is a text of the engine's own for it, or NULL. */
void node_build(const struct kit *k, const char *model);

/* `step` and `get` of the engine: the lines that the script printed. */
void node_step(const struct kit *k, double dt, struct kit_counts *counts);
void node_get(int body, struct kit_state *state);

#endif
