/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/scratch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/test.h"

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

const char *scratch_scene(const char *name, const char *keys, ...) {
  char *text = NULL, file_name[64];
  va_list arguments;
  va_start(arguments, keys);
  CHECK(vasprintf(&text, keys, arguments) > 0);
  va_end(arguments);
  for (char *c = strchr(text, '\''); c != NULL; c = strchr(c, '\'')) {
    *c = '"';
  }
  snprintf(file_name, sizeof file_name, "%s.json", name);
  const char *path = scratch_path(file_name);
  FILE *file = fopen(path, "w");
  CHECK(file != NULL &&
        fprintf(file, "{\"schema\": \"coulombench.scene/1\", \"name\": \"%s\", %s}\n", name, text) >
            0);
  CHECK_INT(fclose(file), 0);
  free(text);
  return path;
}
