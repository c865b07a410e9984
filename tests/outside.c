/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See outside.h.
 */
#include "tests/outside.h"

#include <stdlib.h>

#include "tests/test.h"

struct outside outside_begin(const char *pattern) {
  struct outside o = {.name = ""};
  const char *folder = getenv("COULOMBENCH_PROBLEMS");
  if (folder == NULL) {
    SKIP("COULOMBENCH_PROBLEMS is not set");
  }
  struct base_arena *arena = base_arena_alloc();
  const char *files = base_arena_printf(arena, "%s/%s.json", folder, pattern);
  CHECK_MESSAGE(glob(files, 0, NULL, &o.files) == 0, "no %s", files);
  base_arena_free(arena);
  return o;
}

int outside_next(struct outside *o) {
  while (o->next < o->files.gl_pathc) {
    const char *path = o->files.gl_pathv[o->next++], *slash = strrchr(path, '/');
    base_arena_free(o->arena);
    o->arena = base_arena_alloc();
    o->name = base_arena_printf(o->arena, "%.*s", (int)strlen(slash + 1) - 5, slash + 1);
    const int status = problem_read(path, o->arena, &o->p);
    CHECK_OK(status);
    if (status == BASE_OK) {
      return 1;
    }
  }
  base_arena_free(o->arena);
  globfree(&o->files);
  return 0;
}
