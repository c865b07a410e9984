/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/scratch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/json/json.h"
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
  struct base_arena *arena = test_arena();
  char *text = NULL;
  va_list arguments;
  va_start(arguments, keys);
  CHECK(vasprintf(&text, keys, arguments) > 0);
  va_end(arguments);
  const char *path = scratch_path(base_arena_printf(arena, "%s.json", name));
  const char *scene = test_quoted(base_arena_printf(
      arena, "{'schema': 'coulombench.scene/1', 'name': '%s', %s}\n", name, text));
  CHECK_OK(base_file_write(path, scene, strlen(scene)));
  free(text);
  return path;
}

static char *program; /* its data folder, while scratch_data is in force */

static void restore_data(void *before) {
  program = NULL;
  if (before != NULL) {
    setenv("COULOMBENCH_DATA", before, 1);
  } else {
    unsetenv("COULOMBENCH_DATA");
  }
}

void scratch_data(const char *file, const char *from, const char *to) {
  struct base_arena *arena = test_arena();
  if (program == NULL) {
    const char *before = getenv("COULOMBENCH_DATA");
    program = base_arena_copy(arena, base_data_folder());
    test_at_end(restore_data, before != NULL ? base_arena_copy(arena, before) : NULL);
    setenv("COULOMBENCH_DATA", scratch_path("data"), 1);
  }
  const char *path = base_arena_printf(arena, "%s/%s", scratch_path("data"), file);
  const char *text = scratch_text(base_arena_printf(arena, "%s/%s", program, file));
  const char *place = strstr(text, from);
  CHECK_MESSAGE(place != NULL, "%s does not hold %s", file, from);
  const char *edited = place == NULL ? ""
                                     : base_arena_printf(arena, "%.*s%s%s", (int)(place - text),
                                                         text, to, place + strlen(from));
  CHECK_OK(base_file_make_folder(
      base_arena_printf(arena, "%.*s", (int)(strrchr(path, '/') - path), path)));
  CHECK_OK(base_file_write(path, edited, strlen(edited)));
}

const char *scratch_text(const char *path) {
  char *text = NULL;
  size_t size;
  CHECK_OK(base_file_read(path, &text, &size));
  test_at_end(free, text);
  return text != NULL ? text : "";
}

int scratch_same_files(const char *a, const char *b) {
  char *x = NULL, *y = NULL;
  size_t n, m;
  CHECK_OK(base_file_read(a, &x, &n));
  CHECK_OK(base_file_read(b, &y, &m));
  return x != NULL && y != NULL && n == m && memcmp(x, y, n) == 0;
}
