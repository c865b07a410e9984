/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole files, read and written. A written file appears whole or not at all: its bytes go to a file
 * of another name in the same folder, are flushed to the disk, and only then take the place of the
 * old file; on any failure the partial file is removed. What is not a regular file (a device, a
 * pipe, "-" for standard output) is written directly, since renaming would replace it. A symbolic
 * link keeps pointing where it did: the file it points at is replaced, or made if missing.
 *
 * A disk takes milliseconds for a flush, longer than most runs of a suite. A writer of many files
 * may leave them to the system and flush them all at the end (base_file_defer, base_file_settle): a
 * file is still whole or not there for every program, also after a writer was killed, and only
 * where the machine itself goes down before the end it may be damaged.
 *
 * A partial file is named .partial-<process>-<number> and locked (flock) for as long as it has that
 * name. The system drops the lock with the process: a partial file without one has been left by a
 * writer that was killed. Numbers of processes would not tell, since they are given out anew, and
 * folders are shared between machines.
 */
#include "base/json/json.h"

#include "base/bytes/hash.h"
#include "base/memory/arena.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_READ_STEP ((size_t)64 * 1024) /* first buffer; doubled as needed */
#define FILE_LARGEST ((size_t)1 << 30)     /* endless devices end here */
#define FILE_NAME_TRIES 100                /* other names tried if the temporary one is taken */
#define FILE_LINKS_MOST 40                 /* as the system follows */
#define FILE_FOLDERS_OPEN 16               /* inside each other, at a time */

static int file_cannot(const char *verb, const char *path, int error) {
  return base_fail(BASE_E_IO, "%s: cannot %s: %s", path, verb, strerror(error));
}

/* All bytes to a descriptor: 0 or the errno of what went wrong. */
static int file_put(int fd, const char *bytes, size_t size) {
  while (size > 0) {
    const ssize_t put = write(fd, bytes, size);
    if (put < 0 && errno != EINTR) {
      return errno;
    }
    if (put > 0) {
      bytes += put;
      size -= (size_t)put;
    }
  }
  return 0;
}

static int file_write_output(const char *bytes, size_t size) {
  errno = 0;
  if (fwrite(bytes, 1, size, stdout) != size || fflush(stdout) != 0) {
    return file_cannot("write", "standard output", errno ? errno : EIO);
  }
  return BASE_OK;
}

static int file_write_directly(const char *path, const char *bytes, size_t size) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) {
    return file_cannot("write", path, errno);
  }
  int error = file_put(fd, bytes, size);
  if (close(fd) != 0 && !error) {
    error = errno;
  }
  return error ? file_cannot("write", path, error) : BASE_OK;
}

/* Lock a file that was just made: 0 where base_file_clean was there first and it has lost its name.
 * File systems without locks are written all the same; nothing is cleaned there. */
static int file_hold(int fd) {
  struct stat state;
  while (flock(fd, LOCK_EX) != 0 && errno == EINTR) {
  }
  return fstat(fd, &state) != 0 || state.st_nlink > 0;
}

/* Open a new file beside path, its name into temporary; -1 with errno. */
static int file_open_beside(const char *path, char *temporary, size_t size) {
  static atomic_int counter;
  const char *slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  for (int i = 0; i < FILE_NAME_TRIES; i++) {
    const int length = snprintf(temporary, size, "%.*s.partial-%ld-%d", folder, path,
                                (long)getpid(), atomic_fetch_add(&counter, 1));
    if (length < 0 || (size_t)length >= size) {
      errno = ENAMETOOLONG;
      return -1;
    }
    const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 && file_hold(fd)) {
      return fd;
    }
    if (fd >= 0) {
      close(fd);
    } else if (errno != EEXIST) {
      return -1;
    }
  }
  errno = EEXIST;
  return -1;
}

static int file_deferred;

void base_file_defer(int defers) { file_deferred = defers; }

int base_file_settle(const char *folder) {
  const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int error = fd < 0 || syncfs(fd) != 0 ? errno : 0;
  if (fd >= 0) {
    close(fd);
  }
  return error ? file_cannot("flush", folder, error) : BASE_OK;
}

/* The bytes into the open file beside path, and that to its place: 0 or errno. The descriptor is
 * closed in any case, and only at the end, for its lock goes with it. old: state of the file to
 * replace, or NULL. */
static int file_fill_and_rename(int fd, const char *temporary, const char *path, const char *bytes,
                                size_t size, const struct stat *old) {
  int error = file_put(fd, bytes, size);
  if (!error && old && fchmod(fd, old->st_mode & 07777) != 0) {
    error = errno;
  }
  if (!error && !file_deferred && fsync(fd) != 0) {
    error = errno;
  }
  if (!error && rename(temporary, path) != 0) {
    error = errno;
  }
  if (error) {
    unlink(temporary);
  }
  close(fd); /* what it could report, fsync or syncfs does */
  return error;
}

char *base_file_target(const char *path) {
  char *target = strdup(path), link[PATH_MAX];
  for (int links = 0; target && links < FILE_LINKS_MOST; links++) {
    const ssize_t length = readlink(target, link, sizeof link - 1);
    if (length < 0) {
      return target; /* no link, or nothing at all */
    }
    link[length] = '\0';
    const char *slash = strrchr(target, '/');
    char *next = NULL;
    if (asprintf(&next, "%.*s%s", link[0] != '/' && slash ? (int)(slash - target) + 1 : 0, target,
                 link) < 0) {
      next = NULL;
    }
    free(target);
    target = next;
  }
  free(target);
  errno = ELOOP;
  return NULL;
}

int base_file_write(const char *path, const char *bytes, size_t size) {
  if (strcmp(path, "-") == 0) {
    return file_write_output(bytes, size);
  }
  struct stat state;
  const int exists = stat(path, &state) == 0;
  if (exists && !S_ISREG(state.st_mode)) {
    return file_write_directly(path, bytes, size);
  }
  char *target = base_file_target(path);
  char temporary[PATH_MAX];
  int error = 0;
  if (!target || (exists && access(target, W_OK) != 0)) { /* renaming would pass over protection */
    error = errno;
  } else {
    const int fd = file_open_beside(target, temporary, sizeof temporary);
    if (fd < 0) {
      error = errno;
    } else {
      error = file_fill_and_rename(fd, temporary, target, bytes, size, exists ? &state : NULL);
    }
  }
  free(target);
  return error ? file_cannot("write", path, error) : BASE_OK;
}

/* Is it a name that file_open_beside gives? */
static int file_is_partial(const char *name) {
  int length = 0;
  sscanf(name, ".partial-%*[0-9]-%*[0-9]%n", &length);
  return length > 0 && name[length] == '\0';
}

void base_file_clean(const char *folder) {
  DIR *list = opendir(folder);
  if (!list) {
    return;
  }
  for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
    if (!file_is_partial(entry->d_name)) {
      continue;
    }
    struct stat state;
    const int fd =
        openat(dirfd(list), entry->d_name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
      continue;
    }
    if (fstat(fd, &state) == 0 && S_ISREG(state.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0) {
      unlinkat(dirfd(list), entry->d_name, 0);
    }
    close(fd);
  }
  closedir(list);
}

static int file_refuse_foreign(const char *path, const struct stat *state, int type,
                               struct FTW *at) {
  (void)at;
  if (type == FTW_NS || S_ISREG(state->st_mode) || S_ISDIR(state->st_mode)) {
    return 0; /* FTW_NS: its writer has renamed it meanwhile */
  }
  struct base_arena *arena = base_arena_alloc();
  base_fail(BASE_E_INPUT, "%s: %s: results are written through none; remove it",
            base_text_clean(path, arena),
            S_ISLNK(state->st_mode) ? "is a symbolic link" : "is neither file nor folder");
  base_arena_free(arena);
  return 1;
}

int base_file_check_folder(const char *folder) {
  return nftw(folder, file_refuse_foreign, FILE_FOLDERS_OPEN, FTW_PHYS) > 0 ? BASE_E_INPUT
                                                                            : BASE_OK;
}

/* Everything a descriptor gives, with a NUL behind it: 0 or errno. */
static int file_get(int fd, char **text, size_t *size) {
  size_t room = FILE_READ_STEP, used = 0;
  char *bytes = base_memory_alloc(room);
  for (;;) {
    if (used + 1 == room) {
      room *= 2;
      bytes = base_memory_resize(bytes, room);
    }
    const ssize_t got = read(fd, bytes + used, room - used - 1);
    if (got == 0) {
      break;
    }
    if ((got < 0 && errno != EINTR) || used > FILE_LARGEST) {
      const int error = got < 0 ? errno : EFBIG;
      free(bytes);
      return error;
    }
    used += got > 0 ? (size_t)got : 0;
  }
  bytes[used] = '\0';
  *text = bytes;
  *size = used;
  return 0;
}

static _Thread_local uint64_t *file_watched; /* NULL: not counted */

void base_file_watch(uint64_t *hash) { file_watched = hash; }

/* A descriptor to read it by, -1 with a message. */
static int file_open(const char *path) {
  struct stat file, input;
  const int is_there = stat(path, &file) == 0;
  const int is_input = is_there && fstat(STDIN_FILENO, &input) == 0 &&
                       file.st_dev == input.st_dev && file.st_ino == input.st_ino;
  if (is_there && !S_ISREG(file.st_mode) && !is_input) {
    base_fail(BASE_E_IO, "%s: is neither a regular file nor standard input", path);
    return -1;
  }
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    file_cannot("read", path, errno);
  }
  return fd;
}

int base_file_read(const char *path, char **text, size_t *size) {
  const int fd = file_open(path);
  if (fd < 0) {
    return BASE_E_IO;
  }
  const int error = file_get(fd, text, size);
  close(fd);
  if (!error && file_watched) {
    *file_watched = base_hash(*file_watched, *text, *size + 1);
  }
  return error ? file_cannot("read", path, error) : BASE_OK;
}

int base_file_make_folder(const char *path) {
  const size_t length = strlen(path);
  char *part = base_memory_alloc(length + 1);
  memcpy(part, path, length + 1);
  int status = path[0] == '\0' ? file_cannot("create folder", path, ENOENT) : BASE_OK;
  for (size_t i = 1; i <= length && status == BASE_OK; i++) {
    if (part[i] != '/' && part[i] != '\0') {
      continue;
    }
    const char kept = part[i];
    part[i] = '\0';
    struct stat state;
    if (mkdir(part, 0777) != 0) {
      const int error = errno; /* read-only places say so even of folders that exist */
      if (stat(part, &state) != 0) {
        status = file_cannot("create folder", part, error);
      } else if (!S_ISDIR(state.st_mode)) {
        status = file_cannot("create folder", part, ENOTDIR);
      }
    }
    part[i] = kept;
  }
  free(part);
  return status;
}

int base_file_hash(const char *path, uint64_t *hash) {
  char piece[1 << 14];
  size_t n = 0;
  const int fd = file_open(path);
  if (fd < 0) {
    return BASE_E_IO;
  }
  FILE *file = fdopen(fd, "r");
  do {
    n = fread(piece, 1, sizeof piece, file);
    *hash = base_hash(*hash, piece, n);
  } while (n == sizeof piece);
  const int error = ferror(file) ? EIO : 0;
  fclose(file);
  *hash = base_hash(*hash, "", 1); /* the end, as base_file_watch has it */
  return error ? file_cannot("read", path, error) : BASE_OK;
}
