/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * External programs, named exec:COMMAND, that read one JSON object from standard input and answer
 * with one on standard output (child.h). Solvers (problem/solvers/peers) and simulators
 * (form/simulator) are run in this way.
 */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include <cjson/cJSON.h>
#include <stdint.h>

#include "base/process/child.h"

#define BASE_COMMAND_PREFIX "exec:"
enum { BASE_COMMAND_PREFIX_LENGTH = sizeof BASE_COMMAND_PREFIX - 1 };

/* The command in a name that begins with "exec:"; NULL for other names. */
const char *base_command_of(const char *name);

/* The registered object for such a name: a copy of `model` (size bytes, beginning with its `const
 * char *name`), made at the first call and returned again later. *known: the list of objects of
 * this kind, NULL at first. The objects are never freed, because records and requests point at
 * them. *is_new: the object was made by this call. NULL with a message if the command is empty. */
struct base_command_object {
  struct base_command_object *next;
  void *object;
};
void *base_command_object(struct base_command_object **known, const char *kind, const char *name,
                          const void *model, size_t size, int *is_new);

/* The hash (bytes/hash.h) with all files added that words of the command name, directly, along
 * PATH, or in a folder named by another word. Files that the program loads by itself are not
 * included. */
uint64_t base_command_hash(const char *command, uint64_t hash);
/* The hash with one file added. */
uint64_t base_command_hash_file(const char *path, uint64_t hash);

/* Run the program with a question and read its answer. child->input and input_size are ignored;
 * *question is the input and is deleted. *answer: a JSON object to be deleted, or NULL after a
 * failure. BASE_OK; BASE_FAILED or BASE_TIMEOUT as base_child_run, and BASE_FAILED if the output is
 * not one JSON object, with a message that begins with `name`. end->wall and end->cpu are always
 * set. */
int base_command_ask(const struct base_child *child, const char *name, cJSON *question,
                     struct base_arena *arena, struct base_child_end *end, cJSON **answer);

/* The status in an answer, with its reason as message; BASE_OK if the answer has none, BASE_E_INPUT
 * if it is not one of ours. */
int base_command_status(const cJSON *answer, const char *name, struct base_arena *arena);

#endif
