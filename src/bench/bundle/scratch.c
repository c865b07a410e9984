/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folder for the time of the work, and what is in a folder; see parts.h. The work is done by a
 * process of its own, so that whatever ends it, the folder is removed by one that lives on.
 */
#include <errno.h>
#include <fts.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/bundle/parts.h"

enum { OUTPUT_MOST = 1 << 28, REMOVALS = 200 };
static const long PAUSE = 10 * 1000 * 1000; /* [ns] */

struct told {
  int status;
  char message[1024];
};

static void do_work(int (*work)(const char *scratch, void *data), const char *scratch, void *data,
                    struct told *told) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0); /* ^C reaches the process that waits, and by it this one */
  told->status = work(scratch, data);
  snprintf(told->message, sizeof told->message, "%s", base_message());
  fflush(stdout);
  _exit(0);
}

/* Interrupts that are in force: nohup takes one out. */
static void set_interrupts(sigset_t *set) {
  static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
  sigemptyset(set);
  for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; ++i) {
    struct sigaction now;
    sigaction(interrupts[i], NULL, &now);
    if (now.sa_handler != SIG_IGN) {
      sigaddset(set, interrupts[i]);
    }
  }
}

/* Until the process at work ends, or an interrupt ends it: 0, or the signal. */
static int wait_for(pid_t pid, const sigset_t *held, int *ended) {
  int number = 0, interrupt = 0;
  for (pid_t got = 0; got != pid; got = waitpid(pid, ended, interrupt ? 0 : WNOHANG)) {
    sigwait(held, &number);
    if (number != SIGCHLD) {
      interrupt = number;
      kill(pid, SIGKILL);
    }
  }
  return interrupt;
}

int bundle_in_scratch(const char *parent, int (*work)(const char *scratch, void *data),
                      void *data) {
  struct base_arena *arena = base_arena_alloc();
  char *folder = base_arena_printf(arena, "%s/.coulombench-XXXXXX", parent);
  struct told *told =
      mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (told == MAP_FAILED || mkdtemp(folder) == NULL) {
    base_arena_free(arena);
    return base_fail(BASE_E_IO, "%s: no folder can be made there: %s", parent, strerror(errno));
  }
  sigset_t held, before;
  set_interrupts(&held);
  sigaddset(&held, SIGCHLD);
  sigprocmask(SIG_BLOCK, &held, &before);
  fflush(NULL);
  *told = (struct told){BASE_E_INTERNAL, "the process at work has ended before its task"};
  int ended = 0, interrupt = 0;
  const pid_t pid = fork();
  if (pid == 0) {
    sigprocmask(SIG_SETMASK, &before, NULL);
    do_work(work, folder, data, told);
  }
  if (pid > 0) {
    interrupt = wait_for(pid, &held, &ended);
  }
  /* What it started may still be on its way out, and write. */
  const char *const argv[] = {"rm", "-rf", "--", folder, NULL};
  struct base_child_end end;
  for (int i = 0; i < REMOVALS && access(folder, F_OK) == 0; ++i) {
    nanosleep(&(struct timespec){.tv_nsec = i > 0 ? PAUSE : 0}, NULL);
    bundle_run(argv, "", 0, arena, &end);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (interrupt) {
    raise(interrupt);
  }
  const int status = base_fail(told->status, "%s", told->message);
  munmap(told, sizeof *told);
  base_arena_free(arena);
  return status;
}

/* ---- files ---- */

void bundle_list_add(struct bundle_list *list, const char *name, struct base_arena *arena) {
  list->names = base_arena_more(arena, list->names, list->n, sizeof *list->names);
  list->names[list->n++] = base_arena_copy(arena, name);
}

/* A link of a folder of results: to a file in it. */
static int check_link(const char *root, const char *path) {
  struct stat info;
  char *to = realpath(path, NULL);
  const size_t length = strlen(root);
  const int is_inside = to != NULL && strncmp(to, root, length) == 0 && to[length] == '/';
  const int is_file = to != NULL && stat(to, &info) == 0 && S_ISREG(info.st_mode);
  free(to);
  return is_inside && is_file
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "%s: a link that leads to no file of %s", path, root);
}

static int take_entry(FTS *tree, FTSENT *entry, const char *root, int is_source,
                      struct base_arena *arena, struct bundle_list *list) {
  const char *path = entry->fts_path, *name = path + strlen(root);
  name += strspn(name, "/");
  if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS) {
    return base_fail(BASE_E_IO, "%s: cannot be read", path);
  }
  if (is_source && entry->fts_level > FTS_ROOTLEVEL &&
      (entry->fts_name[0] == '.' || strcmp(name, "references") == 0)) {
    fts_set(tree, entry, FTS_SKIP);
    return BASE_OK;
  }
  if (entry->fts_info == FTS_D || entry->fts_info == FTS_DP) {
    return BASE_OK;
  }
  if (strcmp(base_text_clean(name, arena), name) != 0 || strchr(name, '\\') != NULL) {
    return base_fail(BASE_E_INPUT, "%s: a name that not every system can hold",
                     base_text_clean(path, arena));
  }
  const int is_link = entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE;
  const int status = is_link ? check_link(root, path) : BASE_OK;
  if (status == BASE_OK && !is_link && entry->fts_info != FTS_F) {
    return base_fail(BASE_E_INPUT, "%s: neither file nor folder", path);
  }
  bundle_list_add(list, name, arena);
  return status;
}

int bundle_list_read(const char *folder, int is_source, struct base_arena *arena,
                     struct bundle_list *list) {
  *list = (struct bundle_list){0};
  char *root = realpath(folder, NULL);
  if (root == NULL) {
    return base_fail(BASE_E_IO, "%s: cannot read the folder", folder);
  }
  char *const roots[] = {root, NULL};
  FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
  int status = tree != NULL ? BASE_OK : base_fail(BASE_E_IO, "%s: cannot read the folder", folder);
  for (FTSENT *entry; status == BASE_OK && (entry = fts_read(tree)) != NULL;) {
    status = take_entry(tree, entry, root, is_source, arena, list);
  }
  if (tree != NULL) {
    fts_close(tree);
  }
  free(root);
  base_names_sort(list->n, list->names);
  return status;
}

int bundle_run(const char *const *argv, const char *input, size_t size, struct base_arena *arena,
               struct base_child_end *end) {
  const struct base_child child = {.argv = argv,
                                   .input = input,
                                   .input_size = size,
                                   .output_most = OUTPUT_MOST,
                                   .limit = INFINITY};
  const int status = base_child_run(&child, "the archive", arena, end);
  return status == BASE_OK ? BASE_OK : BASE_E_INPUT;
}

char *bundle_join(const char *before, const struct bundle_list *list, struct base_arena *arena,
                  size_t *size) {
  *size = 0;
  for (int i = 0; i < list->n; ++i) {
    *size += strlen(before) + strlen(list->names[i]) + 1;
  }
  char *text = base_arena_push(arena, *size), *at = text;
  for (int i = 0; i < list->n; ++i) {
    at = stpcpy(stpcpy(at, before), list->names[i]) + 1;
  }
  return text;
}

int bundle_sums(const char *folder, const struct bundle_list *list, struct base_arena *arena,
                char **text) {
  const char *const argv[] = {"env", "-C", folder, "xargs", "-0r", "sha256sum", NULL};
  struct base_child_end end;
  size_t size;
  const char *names = bundle_join("", list, arena, &size);
  const int status = bundle_run(argv, names, size, arena, &end);
  *text = end.output;
  return status;
}
