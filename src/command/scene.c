/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command that makes scenes; see command.h.
 */
#include <getopt.h>
#include <stdio.h>

#include "base/status.h"
#include "bench/commands.h"
#include "command/command.h"

static int find_twins(int argc, char **argv) {
  if (optind == argc) {
    base_fail(BASE_E_INPUT, "scene: --twins expects folders of records");
    return command_usage();
  }
  int found = 0;
  const int status = generate_find_twins(argc - optind, argv + optind, &found);
  return status != BASE_OK ? command_fail(status) : found > 0 ? EXIT_BAD_STATUS : 0;
}

int command_scene(int argc, char **argv) {
  const char *family = NULL, *seeds = NULL, *output = "-";
  int is_list = 0, is_twins = 0;
  for (int c; (c = command_next_option(argc, argv)) != -1;) {
    if (c == 'L' || c == 'T') {
      *(c == 'L' ? &is_list : &is_twins) = 1;
    } else if (c == 'f' || c == 's' || c == 'o') {
      *(c == 'f' ? &family : c == 's' ? &seeds : &output) = optarg;
    } else {
      return command_refuse_option("scene", argc, argv, c);
    }
  }
  if (is_list + is_twins + (family != NULL && seeds != NULL) != 1) {
    base_fail(BASE_E_INPUT, "scene: expects --family and --seed, or --list, or --twins");
    return command_usage();
  }
  if (is_twins) {
    return find_twins(argc, argv);
  }
  if (command_expect_words("scene", argc, 0, "no words beside its options") != BASE_OK) {
    return command_usage();
  }
  if (is_list) {
    generate_list();
    return 0;
  }
  const int status = generate_to_files(family, seeds, output);
  return status != BASE_OK ? command_fail(status) : 0;
}
