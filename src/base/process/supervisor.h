/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process between us and a program of others: it starts the program and ends it with all that
 * descends from it, whatever becomes of us.
 */
#ifndef BASE_SUPERVISOR_H
#define BASE_SUPERVISOR_H

#include <sys/types.h>

/* What the supervisor writes to the line once nothing of the program is left. */
struct base_supervisor_report {
  int error;       /* errno of what kept it from starting; EOWNERDEAD: it was killed; 0: nothing */
  int wait_status; /* the program's, as of wait() */
  double cpu;      /* that the processors spent on all of them [s] */
};

/* Start argv with its three streams (which stay open here) under a supervisor, whose process is
 * returned; -1 with errno. *line: our end of a stream socket. The supervisor ends the program when
 * this end is shut down for writing or closed, also by our own end, and reports on it. */
pid_t base_supervisor_start(const char *const *argv, const int streams[3], int *line);
/* Ends the program, by the line, and the supervisor, which is killed if it does not answer. */
struct base_supervisor_report base_supervisor_end(pid_t supervisor, int line);

#endif
