/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folders that a report writes to, <output>/figures and <output>/report. What an earlier report
 * has left there is removed, by the names that reports give, so that nothing old passes for new.
 * Folders may come from somebody else: where a link, or anything that is neither file nor folder,
 * stands in them, it may lead anywhere, and nothing is written.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/report/kit/report.h"

enum { OPEN_MOST = 16 }; /* folders inside each other that are open at a time */

/* Does a report give this name, to a drawing, a record or folder of a figure, or to a table? */
static int is_ours(const char *name) {
  static const char *const ends[] = {"csv", "html", "svg", "pdf", "png", "json"};
  enum { ENDS = sizeof ends / sizeof *ends, WHATEVER_ELSE = 2 };
  const char *dot = strrchr(name, '.');
  char *stem = strdup(name);
  for (int i = 0; i < ENDS && dot != NULL; ++i) {
    if (strcmp(dot + 1, ends[i]) == 0) {
      stem[dot - name] = '\0';
      if (i < WHATEVER_ELSE) {
        free(stem);
        return 1;
      }
      break;
    }
  }
  const struct bench_figure *figure = bench_figure_find(stem, NULL);
  const int found = strncmp(stem, "study-", 6) == 0 || (figure != NULL && figure->runs != NULL);
  free(stem);
  return found;
}

static int remove_old(const char *path, const struct stat *state, int type, struct FTW *at) {
  (void)state;
  if (at->level == 0) {
    return 0;
  }
  const char *name = path + at->base; /* at the first level, whatever the depth */
  for (int level = at->level; level > 1; --level) {
    do {
      --name;
    } while (name[-1] != '/');
  }
  char *first = strndup(name, strcspn(name, "/"));
  const int removes = is_ours(first);
  free(first);
  if (removes && type == FTW_DP) {
    rmdir(path); /* stays where somebody has put something else */
  } else if (removes) {
    unlink(path);
  }
  return 0;
}

cJSON *report_data_read(const char *name, struct base_arena *arena) {
  const char *path = base_data_path(arena, name);
  return path != NULL ? base_json_read(path) : NULL;
}

int report_prepare_folder(const char *path, int empties) {
  struct stat state;
  int status = lstat(path, &state) == 0 ? BASE_OK : base_file_make_folder(path);
  status = status != BASE_OK ? status : base_file_check_folder(path);
  if (status == BASE_OK && empties) {
    nftw(path, remove_old, OPEN_MOST, FTW_PHYS | FTW_DEPTH);
  }
  return status;
}
