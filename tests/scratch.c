/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/scratch.h"

#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/coulombench-test-XXXXXX";

static void remove_folder(void) {
  char command[sizeof folder + 16];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command) != 0) {
    fprintf(stderr, "%s stays\n", folder);
  }
}

const char *scratch_folder(void) {
  static int made;
  if (!made) {
    if (mkdtemp(folder) == NULL) {
      perror(folder);
      abort();
    }
    atexit(remove_folder);
    made = 1;
  }
  return folder;
}

const char *scratch_path(const char *name) {
  static char path[16][200];
  static int next;
  next = (next + 1) % 16;
  snprintf(path[next], sizeof path[next], "%s/%s", scratch_folder(), name);
  return path[next];
}
