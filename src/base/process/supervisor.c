/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * We cannot end a program of others when we are killed ourselves (kill -9), and a process group
 * does not hold what `timeout` or `setsid` starts. So a process of our own stands between:
 *
 *   - it has one end of a stream socket, of which we alone have the other: it sees our end, however
 *     it comes, as the end of that stream;
 *   - it is a subreaper (prctl): a descendant whose parent ends becomes its child, in whatever
 *     group or session it is. So ending its children, again and again until there are none, ends
 *     all descendants. A child's number stays its own until it is waited for, and nobody but the
 *     supervisor waits for it: no other process can be hit;
 *   - it blocks all signals, in a group of its own: those of a terminal do not reach it. Killing
 *     it (kill -9) ends the program too, but not processes that have left their parent.
 *
 * It ends with a report when the program has ended or we say so, and nothing is left. All
 * descendants are waited for, since the system knows the processor time of those alone.
 */
#include "base/process/supervisor.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum {
  EXEC_FAILED = 127, /* as shells have it */
  POLL_MS = 2,       /* between two rounds of ending */
  LOOK_MS = 100      /* between looks at the clock, where an answer ends the wait */
};

/* Descendants that the system does not end in this time it will not end at all: they wait for a
 * device, or belong to another user. [s] */
static const double ENDING_MOST = 10;
/* So the supervisor's report comes within this time, or never. [s] */
static const double REPORT_MOST = 12;

/* In the program's process: streams in place, signals as a program finds them, then the program.
 * One thread, so that times compare with ours, unless the user says otherwise. */
static void become(const char *const *argv, const int streams[3], pid_t supervisor) {
  static const int signals[] = {SIGINT, SIGHUP, SIGTERM, SIGPIPE};
  sigset_t none;
  sigemptyset(&none);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  if (getppid() != supervisor) {
    _exit(EXEC_FAILED);
  }
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
    signal(signals[i], SIG_DFL);
  }
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int i = 0; i < 3; ++i) {
    dup2(streams[i], i);
  }
  setenv("OMP_NUM_THREADS", "1", 0);
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  execvp(argv[0], (char *const *)argv);
  fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
  fflush(stderr);
  _exit(EXEC_FAILED);
}

/* Of a process "number (name) state parent ...", where a name may hold anything; 0: it is gone. */
static pid_t parent_of(const char *number) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%.20s/stat", number);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
  if (fd >= 0) {
    close(fd);
  }
  text[n > 0 ? n : 0] = '\0';
  const char *rest = strrchr(text, ')');
  const size_t before = strlen(") S ");
  return rest != NULL && strlen(rest) > before ? (pid_t)strtol(rest + before, NULL, 10) : 0;
}

static void kill_children(void) {
  const pid_t self = getpid();
  DIR *list = opendir("/proc");
  for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
    if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == self) {
      kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
    }
  }
  if (list != NULL) {
    closedir(list);
  }
}

/* Wait for those that have ended: 0 once there are no children at all. */
static int reap(pid_t program, struct base_supervisor_report *report) {
  int status;
  pid_t ended;
  while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
    report->wait_status = ended == program ? status : report->wait_status;
  }
  return ended == 0;
}

/* Has the program ended? It is left to be waited for; its orphans that have ended are not. */
static int has_ended(pid_t program) {
  siginfo_t info = {0};
  while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0 &&
         info.si_pid != program) {
    waitpid(info.si_pid, NULL, 0);
    info.si_pid = 0;
  }
  return info.si_pid == program;
}

/* Its group at once, so that whoever starts processes without end cannot outrun us; then what has
 * left the group, by generations. */
static void end_all(pid_t program, struct base_supervisor_report *report) {
  const double deadline = base_clock_deadline(ENDING_MOST);
  kill(-program, SIGKILL); /* before it is waited for: its number is still its own */
  kill(program, SIGKILL);
  while (reap(program, report) && !base_clock_passed(deadline)) {
    kill_children();
    poll(NULL, 0, reap(program, report) ? POLL_MS : 0);
  }
}

/* Until the program has ended or the line has. */
static void watch(pid_t program, int line, int child_ends) {
  struct signalfd_siginfo one;
  struct pollfd fds[2] = {{.fd = line, .events = POLLIN}, {.fd = child_ends, .events = POLLIN}};
  while (!has_ended(program)) {
    if (poll(fds, 2, -1) > 0 && fds[0].revents != 0) {
      return;
    }
    if (fds[1].revents != 0 && read(child_ends, &one, sizeof one) < 0) {
      return; /* has_ended says which */
    }
  }
}

static void supervise(const char *const *argv, const int streams[3], int line) {
  struct base_supervisor_report report = {0};
  sigset_t all, of_children;
  sigfillset(&all);
  sigemptyset(&of_children);
  sigaddset(&of_children, SIGCHLD);
  sigprocmask(SIG_SETMASK, &all, NULL);
  signal(SIGCHLD, SIG_DFL); /* ignored, children would not wait for us */
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const int child_ends = signalfd(-1, &of_children, SFD_CLOEXEC);
  const pid_t self = getpid(), program = child_ends >= 0 ? fork() : -1;
  report.error = program < 0 ? errno : 0;
  if (program == 0) {
    become(argv, streams, self);
  }
  for (int i = 0; i < 3; ++i) {
    close(streams[i]); /* a pipe that we held would never end */
  }
  if (program > 0) {
    setpgid(program, program); /* both do it: whoever comes first */
    watch(program, line, child_ends);
    end_all(program, &report);
    report.cpu = base_clock_processes_cpu();
  }
  (void)!write(line, &report, sizeof report); /* there may be nobody to read it */
  _exit(EXIT_SUCCESS);
}

pid_t base_supervisor_start(const char *const *argv, const int streams[3], int *line) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return -1;
  }
  fflush(NULL);
  const pid_t supervisor = fork();
  if (supervisor == 0) {
    close(ends[0]);
    supervise(argv, streams, ends[1]);
  }
  const int error = errno;
  close(ends[1]);
  *line = ends[0];
  if (supervisor < 0) {
    close(ends[0]);
    *line = -1;
    errno = error;
  }
  return supervisor;
}

struct base_supervisor_report base_supervisor_end(pid_t supervisor, int line) {
  struct base_supervisor_report report = {.error = EOWNERDEAD};
  const double deadline = base_clock_deadline(REPORT_MOST);
  struct pollfd told = {.fd = line, .events = POLLIN};
  shutdown(line, SHUT_WR);
  kill(supervisor, SIGCONT); /* the program may have stopped it, as it may kill it */
  while (poll(&told, 1, LOOK_MS) <= 0 && !base_clock_passed(deadline)) {
  }
  if (told.revents == 0) {
    kill(supervisor, SIGKILL);
  }
  while (read(line, &report, sizeof report) < 0 && errno == EINTR) {
  }
  while (waitpid(supervisor, NULL, 0) < 0 && errno == EINTR) {
  }
  return report;
}
