/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One list of outcomes for the whole program. Zero is success; a positive status is data (a run
 * that did not converge is a result, not a fault); a negative one is an error of input, system or
 * program. A function that returns a negative status, or BASE_UNSUPPORTED, leaves one line of
 * explanation behind, readable through base_message() by the same thread until the next failure.
 */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#define BASE_STATUS_LIST(X)                                                                        \
  X(OK, 0, "ok", "finished as asked")                                                              \
  X(UNCONVERGED, 1, "unconverged", "an iteration stopped before its tolerance was met")            \
  X(DIVERGED, 2, "diverged", "the state left every physical bound or became non-finite")           \
  X(FAILED, 3, "failed", "a method broke down; the reason is recorded")                            \
  X(UNSUPPORTED, 4, "unsupported", "this combination cannot be expressed; the reason is recorded") \
  X(TIMEOUT, 5, "timeout", "the time limit was reached")                                           \
  X(UNSTABLE, 6, "unstable", "the step is longer than the longest estimated to be stable")         \
  X(E_INPUT, -1, "bad-input", "usage or input is wrong")                                           \
  X(E_IO, -2, "io-error", "a file could not be read or written")                                   \
  X(E_MEMORY, -3, "out-of-memory", "memory could not be had")                                      \
  X(E_INTERNAL, -4, "internal", "a fault of the program itself")

enum base_status {
#define X(id, code, name, meaning) BASE_##id = (code),
  BASE_STATUS_LIST(X)
#undef X
};

/* Name of a status as it stands in records ("ok", "diverged", ...); "?" for an unknown code. */
const char *base_status_name(int status);
/* The meaning of a status in one sentence; "" for an unknown code. */
const char *base_status_meaning(int status);
/* *status: the status with this name; BASE_E_INPUT if there is none. */
int base_status_parse(const char *name, int *status);

/* Leave a message (printf style, one line, no newline) and return status: return base_fail(...). */
int base_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The last message left by this thread, or "". */
const char *base_message(void);
/* Put a text before the last message: "file: message". */
void base_message_prefix(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
