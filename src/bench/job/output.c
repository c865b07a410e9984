/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output files; see output.h. Asking the system (access) instead of trying leaves nothing behind
 * and changes no time stamps.
 */
#include "bench/job/output.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/status.h"

/* The folder of a path, from the arena; *name gets what follows. */
static const char *folder_of(const char *path, struct base_arena *arena, const char **name) {
  const char *slash = strrchr(path, '/');
  *name = slash != NULL ? slash + 1 : path;
  if (slash == NULL) {
    return ".";
  }
  return slash == path ? "/" : base_arena_printf(arena, "%.*s", (int)(slash - path), path);
}

/* 0 or the errno of what stands in the way. */
static int obstacle(const char *path) {
  struct stat state;
  if (stat(path, &state) == 0) {
    if (S_ISDIR(state.st_mode)) {
      return EISDIR;
    }
    if (access(path, W_OK) != 0 || !S_ISREG(state.st_mode)) {
      return access(path, W_OK) != 0 ? errno : 0;
    }
  } else if (errno != ENOENT) {
    return errno;
  }
  char *target = base_file_target(path); /* a link is written where it points */
  if (target == NULL) {
    return errno;
  }
  struct base_arena *arena = base_arena_alloc();
  const char *name;
  const char *folder = folder_of(target, arena, &name);
  int error = 0;
  if (name[0] == '\0') {
    error = EISDIR;
  } else if (access(folder, W_OK | X_OK) != 0) {
    error = errno;
  }
  free(target);
  base_arena_free(arena);
  return error;
}

static int is_same_file(const char *a, const char *b) {
  struct stat one, other;
  return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

int bench_output_check(const char *path, const char *input) {
  if (input != NULL && is_same_file(path, input)) {
    return base_fail(BASE_E_INPUT, "%s: is read; the output would replace it", path);
  }
  const int error = strcmp(path, "-") == 0 ? 0 : path[0] == '\0' ? ENOENT : obstacle(path);
  return error == 0 ? BASE_OK : base_fail(BASE_E_IO, "%s: cannot write: %s", path, strerror(error));
}

int bench_output_write(const char *path, const struct cJSON *value) {
  sigset_t held, before;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  sigaddset(&held, SIGHUP);
  /* Standard output is no file that could stay partial, and its reader may never read. */
  const int holds = strcmp(path, "-") != 0 && sigprocmask(SIG_BLOCK, &held, &before) == 0;
  const int status = base_json_write(path, value);
  if (holds) {
    sigprocmask(SIG_SETMASK, &before, NULL);
  }
  return status;
}

void bench_output_clean(const char *path) {
  struct base_arena *arena = base_arena_alloc();
  const char *name;
  if (strcmp(path, "-") != 0) {
    base_file_clean(folder_of(path, arena, &name));
  }
  base_arena_free(arena);
}
