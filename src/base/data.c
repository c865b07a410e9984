/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the data live: COULOMBENCH_DATA, else the source tree the executable stands in, else the
 * share/coulombench beside the executable's own folder (<prefix>/bin), so that an installation may
 * be moved. The executable's place comes from /proc.
 */
#include "base/data.h"

#include "base/status.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Thread_local char data_folder[PATH_MAX]; /* of COULOMBENCH_DATA */

static int data_is_folder(const char *path) {
  struct stat state;
  return stat(path, &state) == 0 && S_ISDIR(state.st_mode);
}

/* Path of the running executable into buffer; "" when the system does not say. */
static void data_executable(char buffer[PATH_MAX]) {
  const ssize_t length = readlink("/proc/self/exe", buffer, PATH_MAX - 1);
  buffer[length > 0 ? length : 0] = '\0';
}

/* 1 if <folder>/<first> (and <folder>/<second>, unless NULL) are folders. */
static int data_holds(const char *folder, const char *first, const char *second) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/%s", folder, first);
  if (!data_is_folder(path)) {
    return 0;
  }
  snprintf(path, sizeof path, "%s/%s", folder, second ? second : "");
  return data_is_folder(path);
}

/* Cut the last part of a path; 0 when there is none left. */
static int data_go_up(char *path) {
  char *slash = strrchr(path, '/');
  if (!slash) {
    return 0;
  }
  *slash = '\0';
  return path[0] != '\0';
}

/* The folder beside the executable, "" before it has been found; neither moves while we run. */
static _Thread_local char data_beside[PATH_MAX];

static int data_find_beside(void) {
  char executable[PATH_MAX];
  data_executable(executable);
  memcpy(data_beside, executable, PATH_MAX);
  while (data_go_up(data_beside)) {
    if (data_holds(data_beside, "cases", "scripts")) {
      return BASE_OK;
    }
  }
  static const char share[] = "/share/coulombench";
  memcpy(data_beside, executable, PATH_MAX);
  data_go_up(data_beside);
  data_go_up(data_beside);
  const size_t length = strlen(data_beside);
  if (executable[0] != '\0' && length + sizeof share <= PATH_MAX) {
    memcpy(data_beside + length, share, sizeof share);
    if (data_holds(data_beside, "cases", NULL)) {
      return BASE_OK;
    }
  }
  data_beside[0] = '\0';
  return base_fail(BASE_E_INPUT,
                   "no data found for '%s': it stands neither in a source tree nor in an "
                   "installation; set COULOMBENCH_DATA to the folder that holds cases/",
                   executable);
}

const char *base_data_folder(void) {
  const char *wanted = getenv("COULOMBENCH_DATA");
  if (wanted && wanted[0] != '\0') {
    if (!data_is_folder(wanted) || !realpath(wanted, data_folder)) {
      base_fail(BASE_E_INPUT, "COULOMBENCH_DATA: '%s' is not a folder", wanted);
      return NULL;
    }
    return data_folder;
  }
  return data_beside[0] != '\0' || data_find_beside() == BASE_OK ? data_beside : NULL;
}

const char *base_data_path(struct base_arena *arena, const char *relative) {
  const char *folder = base_data_folder();
  if (!folder) {
    return NULL;
  }
  const char *path = base_arena_printf(arena, "%s/%s", folder, relative);
  struct stat state;
  if (stat(path, &state) == 0) {
    return path;
  }
  const int why = errno;
#ifdef EXTRA_FOLDER
  const char *extra = base_arena_printf(arena, "%s/%s", EXTRA_FOLDER, relative);
  if (stat(extra, &state) == 0) {
    return extra;
  }
#endif
  base_fail(BASE_E_INPUT, "%s: %s", path, strerror(why));
  return NULL;
}

const char *base_program_path(const char *name, struct base_arena *arena) {
  enum { FOLDERS = 3 };
  char folder[PATH_MAX];
  data_executable(folder);
  for (int i = 0; i < FOLDERS && data_go_up(folder); ++i) {
    const char *path = base_arena_printf(arena, "%s/%s", folder, name);
    if (access(path, X_OK) == 0 && !data_is_folder(path)) {
      return path;
    }
  }
  return NULL;
}
