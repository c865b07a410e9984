/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `exec:COMMAND`: anybody's simulator, by the shell; see simulator.h.
 */
#include "form/simulator/simulator.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/process/command.h"
#include "base/status.h"

const struct form form_exec = {
    .name = "exec",
    .look = {.colour = 0x000000, .dashes = {3, 4}, .point = 2, .point_size = 0.9},
    FORM_SIMULATOR,
    .summary = "anybody's simulator, as exec:COMMAND: scene in, states out, as JSON",
    .source = "src/peers/README.md"};

const struct form *form_of_command(const char *name) {
  static struct command {
    struct form form;
    struct command *next;
  } * known; /* as long as the program: records and requests point at them */
  if (base_command_check("formulation", name) != BASE_OK) {
    return NULL;
  }
  for (const struct command *c = known; c != NULL; c = c->next) {
    if (strcmp(c->form.name, name) == 0) {
      return &c->form;
    }
  }
  const size_t size = strlen(name) + 1;
  struct command *made = base_memory_alloc(sizeof *made);
  char *copy = base_memory_alloc(size);
  memcpy(copy, name, size);
  *made = (struct command){.form = form_exec, .next = known};
  made->form.name = copy;
  made->form.look = (struct base_look){0}; /* each command one of its own */
  made->form.is_family = 0;
  known = made;
  return &made->form;
}
