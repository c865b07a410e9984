/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One process and its three streams. Its standard input is a file in memory that holds all of the
 * input before it starts: it may read this whenever it likes, or not at all, and neither side ever
 * waits for the other. Standard output and standard error are pipes, read as they fill; of the
 * latter only the end is kept, for its last line says most often what went wrong.
 *
 * The child leads a process group. It is ended with all that it started, also after an end of its
 * own: a grandchild that lives on would hold the pipes open. All of them are waited for, since the
 * system knows the processor time of those alone: the work of `sh -c COMMAND` is a grandchild's.
 * The child dies with its parent.
 */
#include "base/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "base/text.h"

enum {
  READ_STEP = 64 * 1024, /* a pipe's own capacity */
  COMPLAINT_KEPT = 1024, /* bytes of standard error, from its end */
  COMPLAINT_SHOWN = 120, /* bytes of its last line in a message */
  POLL_MS = 10,          /* between looks whether it has ended */
  EXEC_FAILED = 127      /* as shells have it */
};

/* Below this share of the wall time on processors a child was waiting, not computing. A busy
 * machine with some tens of runnable processes a core still leaves this much. */
static const double COMPUTING_SHARE = 0.02;

struct stream {
  int fd; /* -1: at its end */
  char *bytes;
  size_t size, capacity;
};

struct process {
  const struct base_child *child;
  pid_t pid;
  struct stream out, complaint;
  int is_late, is_endless;
};

static void close_if_open(int *fd) {
  if (*fd >= 0) {
    close(*fd);
    *fd = -1;
  }
}

/* A file in memory with the input, at its start; -1 with errno. */
static int input_file(const struct base_child *child) {
  const int fd = memfd_create("standard input", MFD_CLOEXEC);
  for (size_t done = 0; fd >= 0 && done < child->input_size;) {
    const ssize_t put = write(fd, child->input + done, child->input_size - done);
    if (put < 0 && errno != EINTR) {
      const int error = errno;
      close(fd);
      errno = error;
      return -1;
    }
    done += put > 0 ? (size_t)put : 0;
  }
  if (fd >= 0) {
    lseek(fd, 0, SEEK_SET);
  }
  return fd;
}

/* In the child: streams in place, signals as a program finds them, then the program. One thread,
 * so that times compare with ours, unless the user says otherwise. */
static void become(const struct base_child *child, const int fds[3], pid_t parent) {
  static const int signals[] = {SIGINT, SIGHUP, SIGTERM, SIGPIPE};
  sigset_t none;
  sigemptyset(&none);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  if (getppid() != parent) {
    _exit(EXEC_FAILED);
  }
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
    signal(signals[i], SIG_DFL);
  }
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int i = 0; i < 3; ++i) {
    dup2(fds[i], i);
  }
  setenv("OMP_NUM_THREADS", "1", 0);
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  execvp(child->argv[0], (char *const *)child->argv);
  fprintf(stderr, "%s: %s\n", child->argv[0], strerror(errno));
  fflush(stderr);
  _exit(EXEC_FAILED);
}

/* 0, or the errno of what went wrong. */
static int start(struct process *p) {
  int out[2] = {-1, -1}, complaint[2] = {-1, -1}, error = 0;
  int in = input_file(p->child);
  if (in < 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(complaint, O_CLOEXEC) != 0) {
    error = errno;
  } else {
    const int fds[3] = {in, out[1], complaint[1]};
    const pid_t parent = getpid();
    fflush(NULL);
    p->pid = fork();
    if (p->pid == 0) {
      become(p->child, fds, parent);
    }
    error = p->pid < 0 ? errno : 0;
  }
  close_if_open(&in);
  close_if_open(&out[1]);
  close_if_open(&complaint[1]);
  if (error != 0) {
    close_if_open(&out[0]);
    close_if_open(&complaint[0]);
    return error;
  }
  setpgid(p->pid, p->pid); /* both do it: whoever comes first */
  p->out.fd = out[0];
  p->complaint.fd = complaint[0];
  fcntl(p->out.fd, F_SETFL, O_NONBLOCK);
  fcntl(p->complaint.fd, F_SETFL, O_NONBLOCK);
  return 0;
}

/* What there is to read now; of more than `most` bytes the last ones stay. */
static void take(struct stream *s, size_t most) {
  while (s->fd >= 0) {
    if (s->capacity - s->size < READ_STEP + 1) {
      s->capacity = 2 * s->capacity + READ_STEP + 1;
      s->bytes = base_memory_resize(s->bytes, s->capacity);
    }
    const ssize_t got = read(s->fd, s->bytes + s->size, READ_STEP);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0 && errno == EAGAIN) {
      return;
    }
    if (got <= 0) {
      close_if_open(&s->fd);
      return;
    }
    s->size += (size_t)got;
    if (s->size > most) {
      memmove(s->bytes, s->bytes + (s->size - most), most);
      s->size = most;
      return; /* whoever prints so much may go on for ever */
    }
  }
}

static int has_ended(pid_t pid) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

static void look_and_take(struct process *p) {
  struct pollfd fds[2] = {{.fd = p->out.fd, .events = POLLIN},
                          {.fd = p->complaint.fd, .events = POLLIN}};
  poll(fds, 2, POLL_MS); /* a descriptor < 0 is passed over */
  take(&p->out, p->child->output_most + 1);
  take(&p->complaint, COMPLAINT_KEPT);
  p->is_endless = p->out.size > p->child->output_most;
  p->is_late = base_clock_passed(p->child->deadline);
}

/* Both streams to their end, or the child's end, or ours of it. */
static void follow(struct process *p) {
  int ended = 0;
  while (!ended && !p->is_late && !p->is_endless && (p->out.fd >= 0 || p->complaint.fd >= 0)) {
    ended = has_ended(p->pid); /* asked first: what it has written by then is read below */
    look_and_take(p);
  }
  const struct timespec pause = {.tv_nsec = 200 * 1000};
  while (!p->is_late && !p->is_endless && !has_ended(p->pid)) {
    nanosleep(&pause, NULL); /* streams closed, not yet gone */
    p->is_late = base_clock_passed(p->child->deadline);
  }
  close_if_open(&p->out.fd);
  close_if_open(&p->complaint.fd);
}

/* ": last line of standard error", or "". */
static const char *last_line(const struct process *p, struct base_arena *arena) {
  size_t end = p->complaint.size, begin;
  const char *bytes = p->complaint.bytes;
  while (end > 0 && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r' || bytes[end - 1] == ' ')) {
    --end;
  }
  for (begin = end; begin > 0 && bytes[begin - 1] != '\n';) {
    --begin;
  }
  if (begin == end) {
    return "";
  }
  const char *line = base_arena_printf(arena, "%.*s", (int)(end - begin), bytes + begin);
  return base_arena_printf(arena, ": %s",
                           base_text_cut(base_text_clean(line, arena), COMPLAINT_SHOWN, arena));
}

/* What its end means. */
static int judge(const struct process *p, const char *name, int wait_status,
                 const struct base_child_end *end, struct base_arena *arena) {
  if (p->is_endless) {
    return base_fail(BASE_FAILED, "%s: prints without end: more than %zu bytes", name,
                     p->child->output_most);
  }
  if (p->is_late && end->cpu < COMPUTING_SHARE * end->wall) {
    return base_fail(BASE_FAILED, "%s: hangs: no answer in %.3g s, of which it computed %.2g s",
                     name, end->wall, end->cpu);
  }
  if (p->is_late) {
    return base_fail(BASE_TIMEOUT, "%s: no answer in %.3g s", name, end->wall);
  }
  if (WIFSIGNALED(wait_status)) {
    return base_fail(BASE_FAILED, "%s: ended by signal %d (%s)%s", name, WTERMSIG(wait_status),
                     strsignal(WTERMSIG(wait_status)), last_line(p, arena));
  }
  if (WEXITSTATUS(wait_status) != 0) {
    return base_fail(BASE_FAILED, "%s: exit status %d%s", name, WEXITSTATUS(wait_status),
                     last_line(p, arena));
  }
  return BASE_OK;
}

/* End the group and wait for all of it. The child's end; *cpu: of all [s]. */
static int end_group(pid_t pid, double *cpu) {
  int wait_status = 0, one;
  struct rusage usage;
  pid_t ended;
  kill(-pid, SIGKILL); /* before it is waited for: its number is still its own */
  *cpu = 0;
  while ((ended = wait4(-pid, &one, 0, &usage)) > 0 || errno == EINTR) {
    if (ended > 0) {
      *cpu += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
              1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
      wait_status = ended == pid ? one : wait_status;
    }
  }
  return wait_status;
}

int base_child_run(const struct base_child *child, const char *name, struct base_arena *arena,
                   struct base_child_end *end) {
  struct process p = {.child = child, .out = {.fd = -1}, .complaint = {.fd = -1}};
  int was_reaper = 0;
  *end = (struct base_child_end){.output = base_arena_copy(arena, "")};
  prctl(PR_GET_CHILD_SUBREAPER, &was_reaper);
  prctl(PR_SET_CHILD_SUBREAPER, 1); /* its orphans are ours to wait for */
  const double began = base_clock_now();
  const int error = start(&p);
  if (error != 0) {
    prctl(PR_SET_CHILD_SUBREAPER, was_reaper);
    return base_fail(BASE_FAILED, "%s: cannot start a process: %s", name, strerror(error));
  }
  follow(&p);
  const int wait_status = end_group(p.pid, &end->cpu);
  end->wall = base_clock_now() - began;
  prctl(PR_SET_CHILD_SUBREAPER, was_reaper);
  if (!p.is_endless) {
    end->output = base_arena_room(arena, p.out.size + 1);
    end->size = p.out.size;
    if (p.out.size > 0) {
      memcpy(end->output, p.out.bytes, p.out.size);
    }
    end->output[end->size] = '\0';
  }
  const int status = judge(&p, name, wait_status, end, arena);
  free(p.out.bytes);
  free(p.complaint.bytes);
  return status;
}
