/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much memory this process may have, from what Linux says about it:
 *
 *   machine        MemAvailable + SwapFree of /proc/meminfo, besides what is ours already
 *   control group  its limit and those of the groups around it, less what others in it hold; files
 *                  in the page cache are not counted, as they give way (versions 1 and 2)
 *   addresses      RLIMIT_AS and RLIMIT_DATA (ulimit -v, -d)
 *
 * A file that is not there sets no limit. Nothing here allocates: there may be nothing left.
 */
#include "base/memory/memory.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LIMIT_TEXT = 8192, LIMIT_PATH = 1024 };

/* The beginning of a file; "" when it cannot be read. */
static const char *limit_read(const char *path, char text[LIMIT_TEXT]) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  size_t n = 0;
  for (ssize_t got = 1; fd >= 0 && got > 0 && n<LIMIT_TEXT - 1; n += got> 0 ? (size_t)got : 0) {
    got = read(fd, text + n, LIMIT_TEXT - 1 - n);
  }
  if (fd >= 0) {
    close(fd);
  }
  text[n] = '\0';
  return text;
}

/* The number behind a key at the beginning of a line ("" for the first of all); NaN: none. */
static double limit_number(const char *text, const char *key) {
  const size_t length = strlen(key);
  for (const char *line = text; line[0] != '\0'; line++) {
    if (strncmp(line, key, length) == 0) {
      char *end;
      const double x = strtod(line + length, &end);
      return end > line + length ? x : (double)NAN;
    }
    line = strchr(line, '\n');
    if (!line) {
      break;
    }
  }
  return NAN;
}

/* Sizes of this process [bytes]. */
struct limit_sizes {
  double addresses, resident, data;
};

/* /proc/self/statm: size, resident, shared, text, library, data [pages]. */
static struct limit_sizes limit_own_sizes(void) {
  char text[LIMIT_TEXT], *rest = text;
  double pages[6];
  limit_read("/proc/self/statm", text);
  for (int i = 0; i < 6; i++) {
    pages[i] = strtod(rest, &rest); /* 0 where the file ends */
  }
  const double page = (double)sysconf(_SC_PAGESIZE);
  return (struct limit_sizes){.addresses = page * pages[0],
                              .resident = page * (pages[1] - pages[2]),
                              .data = page * pages[5]};
}

static void limit_tighten(struct base_memory_limit *limit, double total, double used,
                          const char *source) {
  if (isfinite(total) && !(total - used >= limit->total - limit->used)) {
    *limit = (struct base_memory_limit){.total = total, .used = used, .source = source};
  }
}

/* Where the two versions of control groups say it. */
static const struct limit_group {
  const char *entry; /* of /proc/self/cgroup, before the path */
  const char *root, *total, *used, *cache;
} limit_groups[] = {
    {"0::", "/sys/fs/cgroup", "memory.max", "memory.current", "file "},
    {":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_cache "},
};

static double limit_group_number(const struct limit_group *group, const char *path,
                                 const char *file, const char *key) {
  char name[LIMIT_PATH + 64], text[LIMIT_TEXT];
  snprintf(name, sizeof name, "%s%s/%s", group->root, path, file);
  return limit_number(limit_read(name, text), key);
}

/* The group this process is in and all around it. */
static void limit_of_group(const struct limit_group *group, double resident, double used,
                           struct base_memory_limit *limit) {
  char text[LIMIT_TEXT], path[LIMIT_PATH] = "";
  const char *entry = strstr(limit_read("/proc/self/cgroup", text), group->entry);
  if (entry) {
    snprintf(path, sizeof path, "%.*s", (int)strcspn(entry + strlen(group->entry), "\n"),
             entry + strlen(group->entry));
  }
  for (;;) {
    const double total = limit_group_number(group, path, group->total, "");
    if (isfinite(total)) {
      const double cache = limit_group_number(group, path, "memory.stat", group->cache);
      const double others = limit_group_number(group, path, group->used, "") - resident -
                            (isfinite(cache) ? cache : 0);
      limit_tighten(limit, total - fmax(others, 0), used, "memory of the control group");
    }
    char *last = strrchr(path, '/');
    if (!last) {
      return;
    }
    *last = '\0';
  }
}

static void limit_of_addresses(int resource, double used, const char *source,
                               struct base_memory_limit *limit) {
  struct rlimit set;
  if (getrlimit(resource, &set) == 0 && set.rlim_cur != RLIM_INFINITY) {
    limit_tighten(limit, (double)set.rlim_cur, used, source);
  }
}

struct base_memory_limit base_memory_limit(size_t claimed, int with_addresses) {
  const struct limit_sizes own = limit_own_sizes();
  const double used = fmax((double)claimed, own.resident);
  struct base_memory_limit limit = {.total = INFINITY, .used = used, .source = ""};
  char text[LIMIT_TEXT];
  limit_read("/proc/meminfo", text);
  const double swap = limit_number(text, "SwapFree:");
  limit_tighten(&limit,
                1024 * (limit_number(text, "MemAvailable:") + (isfinite(swap) ? swap : 0)) +
                    own.resident,
                used, "memory available on this machine");
  for (size_t i = 0; i < sizeof limit_groups / sizeof *limit_groups; i++) {
    limit_of_group(&limit_groups[i], own.resident, used, &limit);
  }
  if (with_addresses) {
    limit_of_addresses(RLIMIT_AS, own.addresses, "addresses (ulimit -v)", &limit);
    limit_of_addresses(RLIMIT_DATA, own.data, "data (ulimit -d)", &limit);
  }
  return limit;
}
