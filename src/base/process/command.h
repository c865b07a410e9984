/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs of others that answer a question: names of the form exec:COMMAND, one question and one
 * answer, both JSON objects, by standard input and output (child.h). So are asked solvers
 * (problem/solvers/peers) and simulators (form/simulator).
 */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include <cjson/cJSON.h>
#include <stdint.h>

#include "base/process/child.h"

#define BASE_COMMAND_PREFIX "exec:"
enum { BASE_COMMAND_PREFIX_LENGTH = sizeof BASE_COMMAND_PREFIX - 1 };

/* The command of a name that begins with "exec:"; NULL of other names. */
const char *base_command_of(const char *name);

/* The object of such a name, the same each time: a copy of `model`, `size` bytes of which the first
 * are its `const char *name`. *known: the kind's list, NULL at first. They stay as long as the program:
 * records and requests point at them. NULL with a message where the command is empty; *is_new: it was
 * made now. */
struct base_command_object {
  struct base_command_object *next;
  void *object;
};
void *base_command_object(struct base_command_object **known, const char *kind, const char *name,
                          const void *model, size_t size, int *is_new);

/* A hash (bytes/hash.h) with every file added that the command names by a word, along PATH or in a
 * folder that another word names, too. What a program loads by itself is not seen. */
uint64_t base_command_hash(const char *command, uint64_t hash);
/* The same of one file. */
uint64_t base_command_hash_file(const char *path, uint64_t hash);

/* Ask: *question becomes the child's input (input and input_size are set here; the question is
 * deleted); the answer's object to be deleted, or NULL: no object, garbage, nothing, or what
 * base_child_run says. BASE_OK, BASE_FAILED or BASE_TIMEOUT with a message that begins with `name`;
 * end->wall and cpu are set in any case. */
int base_command_ask(const struct base_child *child, const char *name, cJSON *question,
                     struct base_arena *arena, struct base_child_end *end, cJSON **answer);

/* A status other than ok that an answer gives, with its reason as message; BASE_OK without one,
 * BASE_E_INPUT where it is none of ours. */
int base_command_status(const cJSON *answer, const char *name, struct base_arena *arena);

#endif
