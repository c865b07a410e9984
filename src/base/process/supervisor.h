/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process between ours and an external program. It starts the program and ends it with all its
 * descendants, even if our process is killed.
 */
#ifndef BASE_SUPERVISOR_H
#define BASE_SUPERVISOR_H

#include <sys/types.h>

/* The supervisor's message on the line when the program and all its descendants have ended. */
struct base_supervisor_report {
  int error;       /* errno if the program did not start; EOWNERDEAD: it was killed; 0: none */
  int wait_status; /* the program's, as of wait() */
  double cpu;      /* processor time of all of them [s] */
};

/* Start argv with its three standard streams (which stay open here) under a supervisor; returns the
 * supervisor's process id, or -1 with errno. *line: our end of a stream socket. When it is closed
 * or shut down for writing, also because our process ends, the supervisor ends the program and
 * reports on it. */
pid_t base_supervisor_start(const char *const *argv, const int streams[3], int *line);
/* End the program by the line, and the supervisor, which is killed if it does not answer. */
struct base_supervisor_report base_supervisor_end(pid_t supervisor, int line);

#endif
