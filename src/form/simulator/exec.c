/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `exec:COMMAND`: anybody's simulator, by the shell; see simulator.h.
 */
#include "form/simulator/simulator.h"

#include "base/process/command.h"

const struct form form_exec = {
    .name = "exec",
    .look = {.colour = 0x000000, .dashes = {3, 4}, .point = 2, .point_size = 0.9},
    FORM_SIMULATOR,
    .summary = "any simulator, as exec:COMMAND: scene in, states out, as JSON",
    .source = "src/peers/README.md"};

const struct form *form_of_command(const char *name) {
  static struct base_command_object *known;
  int is_new;
  struct form *form =
      base_command_object(&known, "formulation", name, &form_exec, sizeof *form, &is_new);
  if (is_new) {
    form->look = (struct base_look){0}; /* each command one of its own */
    form->is_family = 0;
  }
  return form;
}
