/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One process and its three streams. Its standard input is a file in memory that holds all of the
 * input before it starts: it may read this whenever it likes, or not at all, and neither side ever
 * waits for the other. Standard output and standard error are pipes, read as they fill; of the
 * latter only the end is kept, for its last line says most often what went wrong.
 *
 * A program's start (the shell, the loader, an interpreter with its libraries) ends when it first
 * reads its input, which the file's time of access tells, whoever reads it by whatever name.
 *
 * It runs under a supervisor (supervisor.h), which ends it with all that descends from it, also
 * after an end of its own, and when we end, however that comes.
 */
#include "base/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory/memory.h"
#include "base/process/supervisor.h"
#include "base/status.h"
#include "base/text.h"

enum {
  READ_STEP = 64 * 1024, /* a pipe's own capacity */
  NEVER = 0,             /* time of access of a file that nobody has read */
  COMPLAINT_KEPT = 1024, /* bytes of standard error, from its end */
  COMPLAINT_SHOWN = 120, /* bytes of its last line in a message */
  POLL_MS = 10           /* between looks at the clock */
};

/* Below this share of the wall time on processors a child was waiting, not computing. A busy
 * machine with some tens of runnable processes a core still leaves this much. */
static const double COMPUTING_SHARE = 0.02;
/* Processor time that a shell and what it starts may take to start, on a busy machine [s]. */
static const double STARTING = 0.05;

struct stream {
  int fd; /* -1: at its end */
  char *bytes;
  size_t size, capacity;
};

struct process {
  const struct base_child *child;
  pid_t supervisor;
  int input, line; /* file of its input; to the supervisor */
  struct stream out, complaint;
  double began, has_read; /* when it was started, when it first read its input; 0: not yet */
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
    futimens(fd, (const struct timespec[]){{.tv_sec = NEVER}, {.tv_nsec = UTIME_OMIT}});
  }
  return fd;
}

/* Has anybody read the file? */
static int is_read(int fd) {
  struct stat state;
  return fstat(fd, &state) == 0 && state.st_atim.tv_sec != NEVER;
}

/* 0, or the errno of what went wrong. */
static int start(struct process *p) {
  int out[2] = {-1, -1}, complaint[2] = {-1, -1}, error = 0;
  p->input = input_file(p->child);
  if (p->input < 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(complaint, O_CLOEXEC) != 0) {
    error = errno;
  } else {
    const int fds[3] = {p->input, out[1], complaint[1]};
    p->supervisor = base_supervisor_start(p->child->argv, fds, &p->line);
    error = p->supervisor < 0 ? errno : 0;
  }
  close_if_open(&out[1]);
  close_if_open(&complaint[1]);
  p->out.fd = out[0];
  p->complaint.fd = complaint[0];
  if (error == 0) {
    fcntl(p->out.fd, F_SETFL, O_NONBLOCK);
    fcntl(p->complaint.fd, F_SETFL, O_NONBLOCK);
  }
  return error;
}

/* What there is to read now; of more than `most` bytes the last ones stay. */
static void read_stream(struct stream *s, size_t most) {
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

/* Has the time come when it is to be ended? Its own counts from when it has read its input, and
 * from its start as long as it has not. */
static int is_late(struct process *p) {
  const double now = base_clock_now();
  if (p->has_read == 0 && is_read(p->input)) {
    p->has_read = now;
  }
  const double own = p->has_read > 0 ? p->has_read : p->began;
  return base_clock_passed(p->child->deadline) || now > own + p->child->limit;
}

/* To its end, of which the supervisor tells, or ours of it. By then nobody is left who could write:
 * what there is to read is all. */
static void follow(struct process *p) {
  for (int ended = 0; !ended && !p->is_late && !p->is_endless;) {
    struct pollfd fds[3] = {{.fd = p->out.fd, .events = POLLIN},
                            {.fd = p->complaint.fd, .events = POLLIN},
                            {.fd = p->line, .events = POLLIN}};
    poll(fds, 3, POLL_MS); /* a descriptor < 0 is passed over */
    ended = fds[2].revents != 0;
    read_stream(&p->out, p->child->output_most + 1);
    read_stream(&p->complaint, COMPLAINT_KEPT);
    p->is_endless = p->out.size > p->child->output_most;
    p->is_late = !ended && is_late(p);
  }
}

/* Last line of standard error, or "". */
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
  return base_text_cut(base_text_clean(line, arena), COMPLAINT_SHOWN, arena);
}

/* What its end means. */
static int judge(const struct process *p, const char *name, int wait_status,
                 const struct base_child_end *end, struct base_arena *arena) {
  const char *says = end->says[0] ? base_arena_printf(arena, ": %s", end->says) : "";
  if (p->is_endless) {
    return base_fail(BASE_FAILED, "%s: prints without end: more than %zu bytes", name,
                     p->child->output_most);
  }
  if (p->is_late && end->cpu < STARTING + COMPUTING_SHARE * end->wall) {
    return base_fail(BASE_FAILED, "%s: hangs: no answer in %.3g s, of which it computed %.2g s",
                     name, end->wall, end->cpu);
  }
  if (p->is_late) {
    return base_fail(BASE_TIMEOUT, "%s: no answer in %.3g s", name, end->wall);
  }
  if (WIFSIGNALED(wait_status)) {
    return base_fail(BASE_FAILED, "%s: ended by signal %d (%s)%s", name, WTERMSIG(wait_status),
                     strsignal(WTERMSIG(wait_status)), says);
  }
  if (WEXITSTATUS(wait_status) != 0) {
    return base_fail(BASE_FAILED, "%s: exit status %d%s", name, WEXITSTATUS(wait_status), says);
  }
  return BASE_OK;
}

static void hand_over(const struct process *p, struct base_arena *arena,
                      struct base_child_end *end) {
  end->output = base_arena_room(arena, p->out.size + 1);
  end->size = p->out.size;
  if (p->out.size > 0) {
    memcpy(end->output, p->out.bytes, p->out.size);
  }
  end->output[end->size] = '\0';
}

int base_child_run(const struct base_child *child, const char *name, struct base_arena *arena,
                   struct base_child_end *end) {
  struct process p = {.child = child,
                      .input = -1,
                      .line = -1,
                      .out = {.fd = -1},
                      .complaint = {.fd = -1},
                      .began = base_clock_now()};
  struct base_supervisor_report report = {0};
  *end = (struct base_child_end){.output = base_arena_copy(arena, "")};
  report.error = start(&p);
  if (report.error == 0) {
    follow(&p);
    report = base_supervisor_end(p.supervisor, p.line);
  }
  end->wall = base_clock_now() - p.began;
  end->cpu = report.cpu;
  end->says = last_line(&p, arena);
  close_if_open(&p.input);
  close_if_open(&p.line);
  close_if_open(&p.out.fd);
  close_if_open(&p.complaint.fd);
  if (!p.is_endless) {
    hand_over(&p, arena, end);
  }
  const int status = report.error == 0 ? judge(&p, name, report.wait_status, end, arena)
                                       : base_fail(BASE_FAILED, "%s: cannot run a process: %s",
                                                   name, strerror(report.error));
  free(p.out.bytes);
  free(p.complaint.bytes);
  return status;
}
