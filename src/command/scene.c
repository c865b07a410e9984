/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command that makes scenes; see command.h.
 */
#include "base/status.h"
#include "bench/commands.h"
#include "command/command.h"

int command_scene(int argc, char **argv) {
  struct command_given given = command_read(argc, argv);
  const char *family = command_text(&given, "family"), *seeds = command_text(&given, "seed");
  const char *output = command_text(&given, "output");
  const int is_list = command_has(&given, "list"), is_twins = command_has(&given, "twins");
  int status = BASE_OK, found = 0;
  if (given.status == BASE_OK && is_list + is_twins + (family != NULL && seeds != NULL) != 1) {
    given.status =
        base_fail(BASE_E_INPUT, "scene: expects --family and --seed, or --list, or --twins");
  }
  if (!is_twins) {
    command_expect_words(&given, 0, "no words beside its options");
  } else if (given.status == BASE_OK && given.n_words == 0) {
    given.status = base_fail(BASE_E_INPUT, "scene: --twins expects folders of records");
  }
  if (given.status != BASE_OK) {
    return command_usage();
  }
  if (is_twins) {
    status = generate_find_twins(given.n_words, given.words, &found);
  } else if (is_list) {
    generate_list();
  } else {
    status = generate_to_files(family, seeds, output != NULL ? output : "-");
  }
  command_given_free(&given);
  return status != BASE_OK ? command_fail(status) : found > 0 ? EXIT_BAD_STATUS : 0;
}
